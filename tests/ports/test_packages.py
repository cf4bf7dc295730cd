"""The packages of ports: each is installed into a scratch project, whose files are the blocks of its
page. What its command prints has the smallest failure by name.

FRNG_BUILD names the build. Nothing is fetched. What has no installer is skipped.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRIVER = pathlib.Path(os.environ["FRNG_BUILD"]).resolve() / "driver"
PATIENCE_S = 240
VERSION = re.search(r"version: '([^']*)'", (ROOT / "meson.build").read_text())[1]

SORTING_PY = "def my_sort(xs):\n    return sorted(set(xs))\n"
CACHE_PY = '''
class Cache:
    def __init__(self, size):
        self.size, self.items = size, {}
    def put(self, key, value):
        if len(self.items) >= self.size and key not in self.items:
            self.items.pop(next(iter(self.items)))
        self.items.setdefault(key, value)
    def get(self, key):
        return self.items.get(key)
    def clear(self):
        self.items.clear()
    def __len__(self):
        return len(self.items)
'''
SORTING_MJS = "export const mySort = (xs) => [...new Set(xs)].sort((a, b) => a - b);\n"
CACHE_MJS = '''
export class Cache {
  items = new Map();
  constructor(limit) { this.limit = limit; }
  get size() { return this.items.size; }
  put(key, value) {
    if (this.size >= this.limit && !this.items.has(key)) this.items.delete([...this.items.keys()][0]);
    if (!this.items.has(key)) this.items.set(key, value);
  }
  get(key) { return this.items.get(key); }
}
'''
TYPES_MTS = '''
import * as frng from 'frng';
import {expand} from 'frng/findings';
frng.check('types', (f) => {
  const xs: number[] = f.list(() => f.integer(0, 9), {max: 3, unique: true});
  const one: string|number = f.oneOf(() => f.text(), () => f.u8());
  const wide: bigint = f.u64Mixed(0n, 3n), day: Date = f.dateTime(), or: number|null = f.option(() => 3);
  return frng.repeat(f, {
    push: (f) => xs.push(f.u8()),
    pop: {when: () => xs.length > 0, weight: 2, run: () => f.say(`${one}${wide}${day}${or}`)},
  }, {invariant: () => {}});
}, {runs: 5, require: {long: 0.1}});
const bytes: Uint8Array = expand('17s', 4);
// @ts-expect-error
frng.check('wrong', bytes);
'''


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="frng-package-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.folder / "source"
        shutil.copytree(ROOT / "frng" / self.language, self.source,
                        ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def write_page(self):
        """Write the blocks of the page that begin with a file's name."""
        page = (self.source / "README.md").read_text()
        for name, text in re.findall(r"```\w+\n(?:#|//) (\S+)\n(.*?)```", page, re.DOTALL):
            self.write(name, text)
        return page

    def call(self, *command, fails=False, **variables):
        environment = {**os.environ, "PATH": f"{DRIVER}:{os.environ['PATH']}", **variables}
        environment.pop("PYTHONPATH", None)
        result = subprocess.run(command, cwd=self.folder, env=environment, timeout=PATIENCE_S,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(result.returncode != 0, fails, result.stdout)
        return result.stdout

    def check_reports(self, output, prefix=""):
        """Both tests of the page have failed, and were reduced, as far as there was time."""
        text = re.sub(rf"(?m)^{prefix}", "", output)
        put = r"put\(key = '\1', value = \d+\)\s+"
        for wanted in (r"reduced by frng-reduce: size=5 hex=\w+\s+xs = \[ ?(-?\d+), \1 ?\]\n",
                       r"put\(key = '(\w+)', value = \d+\)\s+" + put + r"get\(key = '\1'\)\n"):
            self.assertRegex(text, wanted)

    def check_lines(self, output):
        """The lines of the first report replay the failure, and keep it as a finding."""
        replay, reduce = re.findall(r"^\W*E? *(frng-re(?:play|duce) .*)", output, re.MULTILINE)[:2]
        self.assertIn("\n", self.call("sh", "-c", replay, fails=True))
        self.call("sh", "-c", reduce, fails=True)
        self.assertTrue(list(self.folder.glob("findings/*/*.json")))


class Python(Package):
    language = "python"

    def test_it_installs_runs_and_is_typed(self):
        for python in sys.executable, "/usr/bin/python3":
            tried = subprocess.run([python, "-c", "import pytest, setuptools, venv, ensurepip"],
                                   stderr=subprocess.DEVNULL, check=False)
            if tried.returncode == 0:
                break
        else:
            self.skipTest("there is no pytest, setuptools or venv")
        self.call(python, "-m", "venv", "--system-site-packages", "venv")
        self.call("venv/bin/pip", "install", "--no-index", "--no-build-isolation", "./source")
        self.assertIn(f"Version: {VERSION}\n", self.call("venv/bin/pip", "show", "frng"))
        self.write("sorting.py", SORTING_PY)
        self.write("cache.py", CACHE_PY)
        page = self.write_page()
        self.assertIn("\n    pytest test_sorts.py", page)
        output = self.call("venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           "test_sorts.py", "test_cache.py", fails=True, FRNG_SEED="3")
        self.check_reports(output, "E +")
        self.check_lines(output)
        output = self.call("venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           "test_sorts.py", fails=True)
        self.assertRegex(output, r"findings/test_sort/\d+-\w+\.json still fails")
        if subprocess.run([python, "-c", "import mypy"], stderr=subprocess.DEVNULL).returncode == 0:
            self.write("sorting.py", "def my_sort(xs: list[int]) -> list[int]:\n    return xs\n")
            self.call(python, "-m", "mypy", "--strict", "source/frng")
            self.call(python, "-m", "mypy", "--strict", "--python-executable", "venv/bin/python",
                      "test_sorts.py")


class JavaScript(Package):
    language = "javascript"

    def test_it_installs_runs_and_is_typed(self):
        if not (shutil.which("npm") and shutil.which("node")):
            self.skipTest("there is no npm")
        self.write("package.json", '{"private": true}')
        self.call("npm", "install", "--offline", "--no-audit", "--install-links", "./source")
        self.assertIn(f'"version": "{VERSION}"', (self.folder / "node_modules" / "frng" /
                                                  "package.json").read_text())
        self.write("sorting.mjs", SORTING_MJS)
        self.write("cache.mjs", CACHE_MJS)
        page = self.write_page()
        self.assertIn("\n    node --test sorts.test.mjs", page)
        output = self.call("node", "--test", "sorts.test.mjs", fails=True, FRNG_SEED="3")
        self.check_lines(output)
        output += self.call("node", "--test", "cache.test.mjs", fails=True, FRNG_SEED="3")
        self.check_reports(output)
        output = self.call("node", "--test", "sorts.test.mjs", fails=True)
        self.assertRegex(output, r"findings/sorts/\d+-\w+\.json still fails")
        if shutil.which("tsc"):
            self.write("types.mts", TYPES_MTS)
            self.call("tsc", "--strict", "--target", "es2022", "--module", "nodenext",
                      "--moduleResolution", "nodenext", "--noEmit", "types.mts")


del Package

if __name__ == "__main__":
    unittest.main()
