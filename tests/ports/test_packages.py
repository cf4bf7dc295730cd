"""The packages of ports: each is installed into a scratch project, whose files are the blocks of its
page. What its command prints has the smallest failure by name.

FRNG_BUILD names the build. Nothing is fetched. What has no installer is skipped.
"""

import importlib.util
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
sys.path.insert(0, str(ROOT / "tests" / "tools"))
import version

VERSION = version.versions()[0][1]

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
SORT_GO = '''package mysort

func mySort(list []int) []int { // the last element stays
	list = append([]int{}, list...)
	for i := 1; i+1 < len(list); i++ {
		for k := i; k > 0 && list[k] < list[k-1]; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	return list
}

type Queue struct {
	items       [8]byte
	head, count int
}

func (q *Queue) Push(x byte) { q.items[(q.head+q.count)%8] = x; q.count++ }
func (q *Queue) Pop() byte   { q.head++; q.count--; return q.items[(q.head-1)%7] }
func (q *Queue) Len() int    { return q.count }
'''
SORT_RS = '''
pub fn my_sort(list: &mut [i32]) {
    let end = list.len().saturating_sub(1);
    list[..end].sort();
}

#[derive(Default)]
pub struct Queue { items: [u8; 8], head: usize, count: usize }

impl Queue {
    pub fn push(&mut self, x: u8) { self.items[(self.head + self.count) % 8] = x; self.count += 1; }
    pub fn pop(&mut self) -> Option<u8> {
        if self.count == 0 { return None; }
        (self.head, self.count) = (self.head + 1, self.count - 1);
        Some(self.items[(self.head - 1) % 7])
    }
    pub fn len(&self) -> usize { self.count }
}
'''
MINE_HPP = '''
#include <algorithm>
#include <vector>

inline void my_sort(std::vector<int> &list) {
    if (!list.empty()) std::sort(list.begin(), list.end() - 1);
}

struct queue {
    unsigned char items[8];
    std::size_t head = 0, count = 0;
    void push(unsigned char x) { items[(head + count++) % 8] = x; }
    unsigned char pop() { count--; return items[head++ % 7]; }
    std::size_t size() const { return count; }
};
'''
TYPES_PY = '''
import unittest
import frng

@frng.check(runs=10, require={"a": 0.1})
def test_plain(f: frng.Frng) -> None:
    xs: list[int] = f.lists(lambda: f.integers(0, 9))
@frng.check
async def test_par(f: frng.Frng, n: int) -> None: ...
class Cases(unittest.TestCase):
    @frng.check
    def test_it(self, f: frng.Frng) -> None: ...
    @frng.check(runs=3)
    def test_more(self, f: frng.Frng) -> None: ...
class Table(frng.Machine):
    keys = frng.Bundle("keys")
    @frng.initialize(x=lambda f: f.u8(0, 3))
    def start(self, x: int) -> None: ...
    @frng.rule(target=keys, key=lambda f: f.text("ab", 1, 2), value=lambda f: f.u8())
    def put(self, key: str, value: int) -> str: return key
    @frng.rule(weight=2, key=keys)
    def get(self, key: str) -> None: ...
    @frng.rule
    @frng.precondition(lambda self: self.keys)
    def clear(self, f: frng.Frng) -> None: ...
    @frng.invariant
    def small(self) -> None: ...
test_table = frng.check(Table, runs=3)
TestTable: type[unittest.TestCase] = Table.TestCase
@frng.main(fork=True)
def test(f: frng.Frng) -> None: ...

test_plain()
test_par(3)
Cases().test_more()
Table().put("a", 3)
test_plain(3)  # type: ignore[call-arg]
Table().put(3, 3)  # type: ignore[arg-type]
frng.check(len)  # type: ignore[arg-type]
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
        if any(importlib.util.find_spec(module) is None for module in ("pytest", "venv", "pip")):
            self.skipTest("there is no pytest, venv or pip")
        # Copying pip into the environment takes longer than all that it does there.
        self.call(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", "venv")
        pip = [sys.executable, "-m", "pip", "--python", "venv/bin/python"]
        self.call(*pip, "install", "--no-index", "./source")
        self.assertIn(f"Version: {VERSION}\n", self.call(*pip, "show", "frng"))
        self.write("sorting.py", SORTING_PY)
        self.write("cache.py", CACHE_PY)
        page = self.write_page()
        self.assertIn("\n    python3 -m pytest test_sorts.py", page)
        output = self.call("venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           "test_sorts.py", "test_cache.py", fails=True, FRNG_SEED="3")
        self.check_reports(output, "E +")
        self.check_lines(output)
        output = self.call("venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           "test_sorts.py", fails=True)
        self.assertRegex(output, r"findings/test_sort/\d+-\w+\.json still fails")
        output = self.call("venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           "test_sorts.py", fails=True, FRNG_REPLAY="hex=abc")
        self.assertRegex(output, r"_ test_sort _+\nFRNG_REPLAY=hex=abc is no input; [^\n]*\n=")
        if importlib.util.find_spec("mypy") is not None:
            self.write("sorting.py", "def my_sort(xs: list[int]) -> list[int]:\n    return xs\n")
            self.write("types_of_frng.py", TYPES_PY)
            self.call(sys.executable, "-m", "mypy", "--strict", "source/frng", "source/build_frng.py")
            self.call(sys.executable, "-m", "mypy", "--strict", "--python-executable", "venv/bin/python",
                      "test_sorts.py", "types_of_frng.py")


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


class Compiled(Package):
    """Both tests of a page fail: a list of two, and the first pop that reads elsewhere."""

    def check_both(self, output):
        for wanted in (r"reduced by frng-reduce: size=\d+ hex=\w+\s[^=]*list = \[0, -1\]",
                       r"(?i)\spush\(x = 0\)\s+(push\(x = \d\)\s+|pop\(\)\s+)+pop\(\)\s"):
            self.assertRegex(output, wanted)

    def commit(self):
        """The address of a repository with this package, as of a release."""
        hub = self.folder / "hub"
        (hub / "frng").mkdir(parents=True)
        shutil.move(self.source, hub / "frng" / self.language)
        self.source = hub / "frng" / self.language
        for command in (["init", "-q"], ["add", "-A"],
                        ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one"],
                        ["tag", f"frng/go/v{VERSION}"]):
            self.call("git", "-C", str(hub), *command)
        return f"file://{hub}"


class Go(Compiled):
    language = "go"

    def test_go_gets_it_from_a_repository_vendors_it_and_replaces_it(self):
        if shutil.which("go") is None:
            self.skipTest("there is no go")
        address, path = self.commit(), "frng.example/frng.git/frng/go"
        go = {"GOFLAGS": "-mod=mod -modcacherw", "GOPROXY": "direct", "GOSUMDB": "off",
              "GOTOOLCHAIN": "local", "GOMODCACHE": str(self.folder / "modules"),
              "GOCACHE": str(DRIVER.parent / "tests/ports/go/cache"), "GIT_CONFIG_COUNT": "1",
              "GIT_CONFIG_KEY_0": f"url.{address}.insteadOf",
              "GIT_CONFIG_VALUE_0": "https://frng.example/frng"}
        page = self.write_page()
        self.assertIn(f"\n    go get {path} ", page)
        self.assertIn(f"{path}@v{VERSION}", page)
        self.write("sort.go", SORT_GO)
        self.call("go", "mod", "init", "example.org/mysort", **go)
        self.call("go", "get", f"{path}@v{VERSION}", **go)
        self.check_both(self.call("go", "test", fails=True, FRNG_SEED="3", **go))
        self.call("go", "mod", "vendor", **go)
        self.assertIn("size=", self.call("go", "test", "-mod=vendor", "-run", "Queue", fails=True,
                                         **{**go, "GOFLAGS": ""}))
        shutil.rmtree(self.folder / "vendor")
        self.call("go", "mod", "edit", "-replace", f"{path}={self.source}", **go)
        self.call("go", "test", "-run", "None", **{**go, "GOPROXY": "off"})


class Rust(Compiled):
    language = "rust"

    def test_cargo_adds_it_by_path_and_from_a_repository(self):
        if shutil.which("cargo") is None:
            self.skipTest("there is no cargo")
        cargo = {"CARGO_TARGET_DIR": str(DRIVER.parent / "tests/ports/rust-cargo"),
                 "CARGO_HOME": str(self.folder / "home"), "RUST_BACKTRACE": "0"}
        for folder in "src", "tests":
            (self.folder / folder).mkdir()
        self.assertIn("cargo add --dev --path ../frng/frng/rust ", self.write_page())
        self.write("src/lib.rs", SORT_RS)
        for way in ["--path", "source"], ["--git", self.commit(), "frng"]:
            self.write("Cargo.toml", "[package]\nname = 'scratch'\nversion = '0.0.1'\nedition = '2021'\n")
            if way[0] == "--path":
                way[1] = str(self.source)
            said = self.call("cargo", "add", "--dev", *way, **cargo)
            self.assertIn("Adding frng", said)
            self.check_both(self.call("cargo", "test", "--no-fail-fast", fails=True, FRNG_SEED="3", **cargo))
        self.assertIn(f"frng v{VERSION}", self.call("cargo", "tree", "-e", "dev", **cargo))


class Cpp(Compiled):
    language = "cpp"

    def test_cmake_finds_it_and_ctest_runs_it(self):
        if shutil.which("cmake") is None or not pathlib.Path("/usr/include/gtest/gtest.h").exists():
            self.skipTest("there is no cmake or GoogleTest")
        self.call("meson", "install", "-C", str(DRIVER.parent), "--no-rebuild", "--destdir",
                  str(self.folder / "root"))
        config = next((self.folder / "root").rglob("frng-config.cmake")).parent
        self.assertIn("find_package(frng)", self.write_page())
        self.write("mine.hpp", MINE_HPP)
        self.write("own.c", "#include <frng_main.h>\nstatic bool test(frng *f) {\n    uint8_t x;\n"
                   "    FRNG_TRY(frng_u8(f, &x));\n    return x < 200;\n}\nFRNG_MAIN(test)\n")
        self.write("CMakeLists.txt", f"""cmake_minimum_required(VERSION 3.14)
project(user C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(frng {VERSION} REQUIRED)
find_package(GTest REQUIRED)
enable_testing()
add_executable(both sort_test.cpp queue_test.cpp)
target_link_libraries(both PRIVATE frng::frng GTest::gtest_main)
add_test(NAME both COMMAND both)
add_executable(own own.c)
target_link_libraries(own PRIVATE frng::frng)
add_test(NAME own COMMAND own --check)
""")
        self.call("cmake", "-B", "out", f"-Dfrng_DIR={config}")
        self.call("cmake", "--build", "out")
        output = self.call("ctest", "--test-dir", "out", "--output-on-failure", fails=True,
                           FRNG_SEED="3")
        self.check_both(re.sub(r"(?m)^\d+: ", "", output))
        self.assertRegex(output, r"reduced by frng-reduce: size=1 hex=c8\n.*\nfails with exit:1\n  uint = 200\n")


class Zig(Compiled):
    language = "zig"

    def test_its_build_is_a_package_of_another(self):
        zig = os.environ.get("ZIG", "zig")
        if shutil.which(zig) is None:
            self.skipTest("there is no zig")
        (self.folder / "libs").mkdir()
        (self.folder / "libs" / "frng").symlink_to(ROOT)
        self.write_page()
        self.write("mine.zig", """const std = @import("std");
pub fn my_sort(list: []i32) void {
    if (list.len > 0) std.mem.sort(i32, list[0 .. list.len - 1], {}, std.sort.asc(i32));
}
""")
        self.call(zig, "build", "--cache-dir", "cache", "--global-cache-dir", "cache")
        output = self.call("frng-search", "zig-out/bin/sort", "--reduce", "--rng-seed", "1", fails=True)
        self.assertRegex(output, r"output   sort.zig:\d+: \{ 0, -1 \} is not sorted")


class Versions(unittest.TestCase):
    def test_all_packages_have_the_version_of_the_project(self):
        for name, found in version.versions():
            self.assertEqual(found, VERSION, name)

    def test_one_script_writes_it_in_all_places(self):
        with tempfile.TemporaryDirectory(prefix="frng-version-") as folder:
            for name, _ in version.PLACES:
                (pathlib.Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, pathlib.Path(folder) / name)
            version.write("12.34.56", pathlib.Path(folder))
            self.assertEqual({found for _, found in version.versions(pathlib.Path(folder))}, {"12.34.56"})
            for name, _ in version.PLACES:
                self.assertNotIn(VERSION, (pathlib.Path(folder) / name).read_text(), name)


del Package, Compiled
