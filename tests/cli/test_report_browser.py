"""The page of frng-report in a real browser: Chromium, where it is installed."""

import html
import json
import re
import shutil
import subprocess
import sys
import unittest

import frng

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CONSENSUS = frng.BUILD / "examples" / "consensus"
NIGHT = frng.pathlib.Path(__file__).resolve().parents[1] / "bench" / "night.py"

# What a reader of the page sees of it, as JSON in an element of its own.
MEASURE = """
<script>
const box = e => { const r = e.getBoundingClientRect();
  return {left: r.left, right: r.right, top: r.top, bottom: r.bottom, text: e.textContent}; };
const page = document.documentElement;
const scrolls = e => { for (let p = e; p; p = p.parentElement)
  if (p.classList.contains('scroll')) return true; return false; };
const all = {
  width: innerWidth, client: page.clientWidth, scroll: page.scrollWidth,
  outside: [...document.querySelectorAll('main *')].filter(e => !scrolls(e))
    .map(e => ({tag: e.tagName, cls: String(e.className.baseVal ?? e.className), ...box(e)}))
    .filter(b => b.right > page.clientWidth + 1 || b.left < -1),
  charts: [...document.querySelectorAll('svg.chart')].map(c => ({
    id: c.id, box: box(c), role: c.getAttribute('role'),
    named: c.getAttribute('aria-labelledby').split(' ').every(i => document.getElementById(i)),
    texts: [...c.querySelectorAll('text')].map(box),
    size: parseFloat(getComputedStyle(c.querySelector('text')).fontSize),
    dots: [...c.querySelectorAll('circle')].map(d => ({
      x: box(d).left + box(d).right, y: box(d).top + box(d).bottom,
      title: d.querySelector('title').textContent}))})),
  buttons: [...document.querySelectorAll('button')].map(b => b.textContent),
  colours: [getComputedStyle(document.body).backgroundColor,
            getComputedStyle(document.body).color],
};
parent.postMessage(JSON.stringify(all), '*');
</script>
"""

# No window is as narrow as a phone's, but a frame is. It sends what it measured.
FRAME = """<!DOCTYPE html>
<body style="margin:0"><pre id="measured"></pre>
<script>addEventListener('message',
  e => { document.getElementById('measured').textContent = e.data; });</script>
<iframe src="measured.html" style="border:0;width:%dpx;height:900px"></iframe>
"""


@unittest.skipIf(CHROMIUM is None, "chromium is not installed")
class ReportBrowser(frng.Scenario):
    def browse(self, path, width, *flags):
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        result = self.run_tool(
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--enable-logging=stderr", f"--window-size={width},1000",
            f"--user-data-dir={home}", "--virtual-time-budget=5000", *flags, "--dump-dom",
            f"file://{path}", environment={"HOME": str(home), "XDG_CONFIG_HOME": str(home)})
        self.assert_exit(result, 0)
        return result

    def measure(self, path, width, *flags):
        """What the page looks like at a width. It is a copy whose policy lets a script measure."""
        text = path.read_text(encoding="utf-8")
        text = re.sub(r'<meta http-equiv="Content-Security-Policy".*?>\n', "", text)
        self.write("measured.html", text.replace("</body>", MEASURE + "</body>"))
        result = self.browse(self.write("frame.html", FRAME % width), width + 100, *flags)
        found = re.search(r'<pre id="measured">(.*?)</pre>', result.stdout, re.DOTALL)
        self.assertIsNotNone(found, str(result))
        return json.loads(html.unescape(found[1]))

    def assert_fits(self, seen):
        self.assertLessEqual(seen["scroll"], seen["client"])
        self.assertEqual(seen["outside"], [])
        for chart in seen["charts"]:
            self.assertEqual(chart["role"], "img")
            self.assertTrue(chart["named"])
            self.assertGreaterEqual(chart["size"], 11)
            texts = chart["texts"]
            for i, one in enumerate(texts):
                for other in texts[:i]:
                    apart = (one["left"] >= other["right"] - 0.5 or
                             one["right"] <= other["left"] + 0.5 or
                             one["top"] >= other["bottom"] - 4 or
                             one["bottom"] <= other["top"] + 4)
                    self.assertTrue(apart, f"{chart['id']}: {one} overlaps {other}")

    def make_page(self, *arguments):
        result = self.run_tool(frng.REPORT, *arguments)
        self.assert_exit(result, 0)
        return self.folder / "report.html"

    def example_page(self):
        self.search("--json", "events.jsonl", "--reduce", "--rng-seed", 7, CONSENSUS)
        return self.make_page("events.jsonl")

    def night_page(self, *options):
        with (self.folder / "events.jsonl").open("w") as out:
            subprocess.run([sys.executable, NIGHT, *options], stdout=out, check=True)
        return self.make_page("events.jsonl")

    @unittest.skipUnless(CONSENSUS.exists(), "the examples are not built")
    def test_charts_have_the_points_of_the_events(self):
        page = self.example_page()
        seen = self.measure(page, 1280)
        events = frng.json_lines((self.folder / "events.jsonl").read_text())
        second = [i for i, event in enumerate(events) if event["event"] == "start"][1]
        expected = [f"run {e['runs']:,}: {e['size']:,} bytes" for e in events[:second]
                    if e["event"] == "best"]
        charts = {chart["id"]: chart for chart in seen["charts"]}
        dots = charts["searches-1"]["dots"]
        self.assertEqual([dot["title"] for dot in dots], expected)
        # more runs are further to the right, fewer bytes further down
        self.assertEqual([dot["x"] for dot in dots], sorted(dot["x"] for dot in dots))
        self.assertEqual([dot["y"] for dot in dots], sorted(dot["y"] for dot in dots))
        steps = [f"call {e['calls']:,}: {e['size']:,} bytes" for e in events[second:]
                 if e["event"] in ("best", "step")]
        titles = [dot["title"] for name, chart in charts.items() if name.startswith("reduction")
                  for dot in chart["dots"]]
        self.assertLessEqual(set(titles[1:]), set(steps))
        self.assertEqual(titles[-1], steps[-1])
        if len(steps) < 300:
            self.assertEqual(titles[1:], steps)

    @frng.long
    @unittest.skipUnless(CONSENSUS.exists(), "the examples are not built")
    def test_an_example_fits_wide_and_narrow_pages(self):
        page = self.example_page()
        for width in (1280, 400):
            with self.subTest(width=width):
                self.assert_fits(self.measure(page, width))

    @frng.long
    def test_a_night_fits_wide_and_narrow_pages(self):
        for options in ([], ["--searches", "9", "--bests", "900"]):
            page = self.night_page(*options)
            for width in (1280, 400):
                with self.subTest(options=options, width=width):
                    seen = self.measure(page, width)
                    self.assertEqual(seen["client"], width)
                    self.assert_fits(seen)
                    self.assertEqual(len(seen["charts"]), 2)

    def test_the_console_stays_empty(self):
        page = self.night_page("--bests", "50")
        result = self.browse(page, 1280)
        self.assertNotIn("CONSOLE", result.stderr)
        self.assertIn("Copy</button>", result.stdout)  # the script ran, under its policy

    @frng.long
    def test_dark_and_light_follow_the_system(self):
        page = self.night_page("--bests", "50")

        def brightness(*flags):
            colours = self.measure(page, 1280, *flags)["colours"]
            return [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours]

        light_ground, light_text = brightness("--blink-settings=preferredColorScheme=1")
        dark_ground, dark_text = brightness("--blink-settings=preferredColorScheme=0")
        self.assertGreater(light_ground, light_text + 300)
        self.assertGreater(dark_text, dark_ground + 300)


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()
