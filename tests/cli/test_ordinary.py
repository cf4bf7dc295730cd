"""Ordinary programs: what is right is green, what is wrong is red, and what made no run is neither.

A row is a program, how people call it, and how a search of it ends: as root and as a user, with two
jobs, a test in C in each mode. Rows of CHECKS call such a test as its users do without the tools.
Where a row runs one thing once, root and the user take turns.
SPDX-License-Identifier: MIT
"""
# parts: 4

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import frng

GREEN, RED, REFUSED, INCONCLUSIVE, UNJUDGED, ABORTED = 0, 1, 2, 3, 125, 134
AS_USER = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
INCLUDE = str(pathlib.Path(__file__).resolve().parents[2] / "frng")

# The system's Python: a user cannot start one of root's own.
SH, PYTHON = "#!/bin/sh\n", "#!/usr/bin/python3\n"

# name: (text of a script or a program in C with UBSan, arguments after --, exit status of a search, what it says). Each run is a process.
PROGRAMS = {
    "cat": (SH + "cat >/dev/null", [], GREEN, ""),
    "sorts": (SH + "LC_ALL=C sort | LC_ALL=C sort -c", [], GREEN, ""),
    "logs, then exits 3": (SH + "cat >/dev/null; echo bad >&2; exit 3", [], RED, "exit:3 at size 0"),
    "exits 127": (SH + "cat >/dev/null; nosuch", [], RED, "exit:127 at size 0"),
    "env nosuch": ("#!/usr/bin/env nosuch\n", [], REFUSED, "cannot be started"),
    "exec nosuch": (SH + "exec nosuch", [], REFUSED, "cannot be started"),
    "exec no program": (SH + "exec /etc/passwd", [], REFUSED, "cannot be started"),
    "reads @@": (SH + 'test "$(wc -c <"$1")" -lt 9', ["@@"], RED, "at size 9"),
    "UBSan, in C": ("#include <stdio.h>\nint main(void) { volatile int most = 2147483647; return (most = most + "
                    "(getchar() > 99)) == 7; }", [], RED, "ubsan:signed-integer-overflow"),
    "xargs reads @@": (SH + 'echo "$1" | xargs grep -q .; test "$(echo "$1" | xargs cat | wc -c)" -lt 9',
                       ["@@"], RED, "at size 9"),
    "a child reads @@": (PYTHON + "import subprocess, sys\nsys.exit(subprocess.run(['test', '-s', sys.argv[1]],"
                         " stdin=subprocess.DEVNULL).returncode == 0 < len(open(sys.argv[1], 'rb').read()))",
                         ["@@"], RED, "at size 1"),
    "in the background": (SH + 'case $1 in *.png) wc -c <"$1" >"$1.n" & wait;; esac; test $(cat "$1.n") -lt 9',
                          ["@@.png"], RED, "at size 9"),
    "reads nothing": (SH + "exit 0", [], INCONCLUSIVE, "none of"),
    "does not open @@": (SH + "exit 0", ["@@"], INCONCLUSIVE, "none of"),
    "measures": (SH + 'test "$(wc -c)" -lt 1000000', ["@@"], GREEN, ""),
    "maps": (PYTHON + "import mmap, os\nn = os.fstat(0).st_size\nif n: mmap.mmap(0, n, prot=1)", [], GREEN, ""),
    "mktemp": (SH + 'd=$(mktemp -d) && cat >"$d/in" && rm -r "$d"', [], GREEN, ""),
    "leaves temporary files": (
        SH + 'cat >/dev/null; test -z "$(ls -A "$TMPDIR")" && mktemp >/dev/null && mkdir -m 0 "$TMPDIR/d"', [], GREEN, ""),
    "removes TMPDIR": (SH + 'cat >/dev/null; mktemp >/dev/null && rm -r "$TMPDIR"', [], GREEN, ""),
    "names a folder by its number": (SH + 'cat >/dev/null; mkdir x.$$ && sleep 0.01 && rmdir x.$$', [], GREEN, ""),
    "wants what there is once": (SH + 'cat >/dev/null; umask 0; exec 9>>"$0.lock"; flock -n 9 || exit 3; sleep 0.05',
                                 [], INCONCLUSIVE, "failed once, and passed 20 of 20 times"),
    "looks at an owner": (SH + 'cat >/dev/null; test "$(stat -c %u /etc/passwd)" = 0', [], GREEN, ""),
    "looks at an owner, and fails": (SH + 'size=$(wc -c); test "$(stat -c %u /etc/passwd)" = 0 || exit 9; '
                                     'test "$size" -lt 7', [], RED, "smallest failure: exit:1 at size 7"),
    "fails in another way": (SH + 'test "$(wc -c)" -lt 7 || { test "$(stat -c %u /etc/passwd)" = 0 || exit 9; exit 1; }',
                             [], RED, "smallest failure: exit:1 at size 7"),
    "gives up root": (SH + 'cat >/dev/null; test "$(id -u)" -gt 0 || setpriv --reuid 65534 --clear-groups '
                      'mktemp >/dev/null', [], GREEN, ""),
    "Python": (PYTHON + "import sys; b = sys.stdin.buffer.read(); sys.exit(len(b) > 4 and b[4] > 0)",
               [], RED, "exit:1 at size 5"),
}

HEAD = "#include <frng_main.h>\n"
PASSES = HEAD + "static bool test(frng *f) { uint8_t x; for (;;) FRNG_TRY(frng_u8(f, &x)); }\nFRNG_MAIN(test)\n"
OVERFLOWS = PASSES.replace("FRNG_TRY(frng_u8(f, &x));", "{ volatile int most = 2147483647; FRNG_TRY(frng_u8(f, &x)); "
                           "most = most + (x > 200); }")
OWN = 'const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }\n'
FAILS = PASSES.replace("FRNG_TRY(frng_u8(f, &x));", "{ FRNG_TRY(frng_u8(f, &x)); FRNG_ASSERT(x < 200); }")
NOTHING = PASSES.replace("for (;;) FRNG_TRY(frng_u8(f, &x))", "x = (uint8_t)frng_left(f); return x < 99")



def assumes(share, most):
    """One that discards runs, but for one in so many, and fails from a number on."""
    return HEAD + f"""static bool test(frng *f) {{
    uint32_t x;
    FRNG_TRY(frng_u32(f, &x));
    FRNG_TRY(frng_assume(f, x % {share} == 1));
    FRNG_ASSERT(x < {most});
    return true;
}}
FRNG_MAIN(test)
"""


NAMES = "#include <sys/stat.h>\n#include <unistd.h>\n" + PASSES.replace("for (;;)", """
    char name[16];
    snprintf(name, sizeof name, "x.%d", (int)getpid());
    FRNG_ASSERT(mkdir(name, 0700) == 0);
    usleep(1000);
    rmdir(name);
    for (;;)""")

# name: (source in C, flags, exit status of a search, what it says) in each mode.
TESTS = {
    "passes": (PASSES, "", GREEN, ""),
    "draws nothing": (NOTHING, "",
                      INCONCLUSIVE, "none of"),
    "fails": (FAILS, "", RED, "at size 1\n"),
    "names a folder by its number": (NAMES, "", GREEN, ""),
    "discards few": (assumes("1+1", "-1U"), "", GREEN, ""),
    "discards most": (assumes("4", "-1U"), "", GREEN, "of the runs were discarded"),
    "discards most, and fails": (assumes("4", "999"), "", RED, "at size 4\n"),
    "discards nearly all": (assumes("50", "-1U"), "", INCONCLUSIVE, "runs were discarded: draw only"),
    "overflows": (OVERFLOWS, "-fsanitize=address,undefined", RED, "ubsan:signed-integer-overflow"),
    "overflows (clang)": (OVERFLOWS, "clang -fsanitize=undefined", RED, "ubsan:signed-integer-overflow"),
    "overflows, with options": (OVERFLOWS + OWN, "-fsanitize=undefined", RED, "ubsan:signed-integer-overflow"),
    "overflows, with options (clang)": (OVERFLOWS + OWN, "clang -fsanitize=undefined", RED, "ubsan:signed-integer-overflow"),
    "may overflow": ('#define FRNG_OWN_UBSAN_HOOK\nconst char *__ubsan_default_options(void) { return "halt_on_error=0"; }\n' + OVERFLOWS,
                     "-fsanitize=undefined", GREEN, ""),
}

# (source in C, shell command, exit status, what it says): `t` is the test.
CHECKS = [
    (PASSES, "./t --check", GREEN, ""),
    *[(OVERFLOWS, f"rm -f u; echo 'const char *__ubsan_default_options(void) {{ return \"{own}\"; }}' | cc -g -I {INCLUDE} "
       "-fsanitize=undefined -o u t.c -xc - && { ./u --check; s=$?; printf '\\377\\377' | ./u; test $? = $s && exit $s; }",
       status, "runtime error: signed integer overflow")
      for own, status in (("print_stacktrace=1", RED), ("halt_on_error=0", GREEN))],
    (FAILS, "./t --check", RED, "t.c:2"),
    *[(FAILS.replace("FRNG_ASSERT(x < 200)", f"if (x > 199) {end}"), f"FRNG_REDUCE={'fails' in says:d} ./t --check", RED, says)
      for end, says in (("abort()", r"\nended by signal 6, SIGABRT\n"), ("abort()", r"\nfails with signal:SIGABRT at t.c:2\n"),
                        ("*(volatile char *)0 = 1", r"\nfails with signal:SIGSEGV at t.c:2\n"),
                        ("exit(7)", r"\nended with exit status 7\n"), ("exit(7)", r"\nfails with exit:7\n"))],
    (PASSES, "printf '\\1\\2' | ./t", GREEN, ""),
    (FAILS, "printf '\\377' | ./t", ABORTED, "t.c:2"),
    (PASSES, "./t <empty", GREEN, ""),
    (PASSES, "FRNG_INPUT=/bin/true ./t", GREEN, ""),
    (PASSES, "true | ./t", GREEN, ""),
    *[(PASSES, f"FRNG_REPLAY='{replayed}' ./t --check", REFUSED, "is no input; say") for replayed in (
        "hex=abc", "hex=zz", "size=-1 seed=1", "size=1e9 seed=1", "size=4 seed=x", "size=3 hex=00", "seed=3")],
    (PASSES, "FRNG_REPLAY='size=0 hex=' ./t --check", GREEN, ""),
    (PASSES, "FRNG_RUNS=0 ./t --check", REFUSED, "no findings, and FRNG_RUNS=0: nothing was run"),
    *[(PASSES, f"mkdir -p F && {made} && FRNG_FINDINGS=F ./t --check; s=$?; rm -rf F; exit $s", REFUSED, says)
      for made, says in (("mkfifo F/x.json", "no regular file"), ("mkdir F/x.json", "no regular file"),
                         (": >F/x.json", "is no finding"),
                         ("ln -s /proc/kmsg F/x.json", "no finding|cannot be read"),
                         ("ln -s none F/x.json", "cannot be read"), ("echo '[1]' >F/x.json", "is no finding"),
                         ("echo '{\"size\":4,\"seed\":\"7\"' >F/x.json", "is no finding"),
                         (": >F/t", "Not a directory"), ("ln -s t F/t", "cannot be read"))],
    (PASSES, "trap '' CHLD; ./t --check", GREEN, ""),
    (PASSES, "ulimit -n 5; ./t --check", REFUSED, "runs: Too many open files"),
    (FAILS, "FRNG_DRIVER=1,2,3,4 ./t --check", RED, "t.c:2"),
    (PASSES, "./t </dev/null", REFUSED, "frng: usage: no entropy: stdin is /dev/null\n  ./t --check"),
    (PASSES, "./t <&-", REFUSED, "stdin is closed"),
    (PASSES, "./t --chek <empty", REFUSED, "unknown argument '--chek'; did you mean --check?"),
    (PASSES, "./t --check now", REFUSED, "unknown argument 'now'; nothing follows"),
    (PASSES, "./t --help >&2", GREEN, "frng-search ./t"),
    (PASSES, "FRNG_RUN=5 FRNG_TEST=1 ./t --check", GREEN, "FRNG_RUN is not known; did you mean FRNG_RUNS"),
    (PASSES, "frng-search ./t --mode spawn -- check", REFUSED, "./t: cannot be run: unknown argument 'check'"),
    (PASSES, "frng-search ./t --mode fork -- --check=5", REFUSED, "did you mean --check?"),
    (PASSES, "frng-search ./t -- --help", REFUSED, "'--help': it makes no run"),
    (PASSES, "frng-search ./t -- @@", REFUSED, "unknown argument"),
    (PASSES, "frng-reduce ./t --hex 00 -- --chek", REFUSED, "cannot be run: unknown"),
    (PASSES, "frng-replay --quiet ./t --hex 00 -- --chek", UNJUDGED, "cannot be run: unknown"),
    (PASSES, "frng-search -q sh -- -c './t </dev/null'", REFUSED, "sh: cannot be run: no entropy: stdin is /dev/null"),
    (PASSES, "ln -sfn . \"a'b\"; ./a\\'b/t </dev/null", REFUSED, r"frng-search './a'\\''b/t' "),
    (PASSES, "d=$(printf 'a\\tb'); ln -sfn . \"$d\"; \"$d/t\" </dev/null", REFUSED, r'frng-search "\$\(printf .a.011b/t.\)" '),
    (FAILS, "ln -sfn . 'a b'; './a b/t' --check", RED, "frng-replay './a b/t' --.* --findings findings/t\n"),
    (PASSES, "frng-search ./t.c --jobs 2", REFUSED, "./t.c: not executable; compile it if it is source code"),
    (PASSES, "frng-search ./t.c a", REFUSED, "./t.c: not executable; compile it"),
    (PASSES, "echo '#!/bin/cat' | tee 's s.sh'; frng-search './s s.sh'", REFUSED, "try: chmod .x './s s.sh'\n"),
    (PASSES, "frng-replay ./t 'size=2 seed=5 (run 7)'", GREEN, ""),
    (PASSES, "frng-status t.c", REFUSED, "t.c: is a file; give the folder"),
    (PASSES, "frng-search sh --rng-seed 1 --attempts 1 -- -c 'test $(stat -Lc %s /dev/stdin) -lt 5000 || exit 1'", RED, "at size 5000"),
    *[(NOTHING, f"frng-search ./t --mode {mode}", INCONCLUSIVE, "none of 1[0-9] runs read its input")
      for mode in ("spawn", "fork", "persistent")],
    *[(assumes(share, most), command, status, says)
      for share, most, command, status, says in (
          ("50", "-1U", "./t --check", INCONCLUSIVE, "frng: [0-9]+ of [0-9]+ runs of t were discarded: draw only"),
          ("50", "-1U", "printf 0000 | ./t", GREEN, "^.{0,2}$"),
          ("50", "-1U", "frng-replay ./t --hex 00000000", GREEN, "discarded: the test assumes what does not hold"),
          ("4", "-1U", "./t --check", GREEN, "runs of t were discarded: draw only"),
          ("4", "999", "./t --check", RED, "t.c:6"))],
    (FAILS.replace("FRNG_MAIN(test)", "int main(int n, char **words) { return n > 2 && **words ? 0 : frng_run(test); }"),
     "./t any </dev/null", REFUSED, "frng-search ./t "),
]

# A process that makes many runs in itself, as ports do, and fails at its end if that is true of what
# they drew, `seen`: {name: (in Python, in JavaScript, exit status of a search, what it says)}
AT_EXIT = {"python3": PYTHON + f"""import atexit, os, sys
sys.path.insert(0, {INCLUDE!r} + "/python")
import frng
seen = []
atexit.register(lambda: FAILS and os._exit(7))
frng.run(lambda f: seen.append(f.u8()), fork=False)
""", "node": f"""#!/usr/bin/env node
import {{run}} from '{INCLUDE}/javascript/frng.mjs';
const seen = [];
process.on('exit', () => {{ if (FAILS) process.exitCode = 7; }});
run((f) => {{ seen.push(f.u8()); }});
"""}
ENDS = {
    "every end": ("True", None, RED, "exit:7 at size 0"),
    "the ends of some runs": ("max(seen, default=0) > 200", "Math.max(...seen) > 200", RED,
                              r"fails with exit:7: .*smallest failure: exit:7 at size 1"),
    "before each end": (None, "false) {} }); process.on('beforeExit', () => { if (true", RED, "exit:7 at size 0"),
    "killed at the ends of some": ("max(seen, default=0) > 200 and os.kill(os.getpid(), 9)", None, RED,
                                   "smallest failure: signal:SIGKILL at size 1"),
    "the end of many runs": ("len(seen) > 4", None, INCONCLUSIVE, "made passing ones failed at its end"),
    "no end": ("False", "false", GREEN, "processes judged"),
    "tidy ends": ("print(os.system('sleep 0.1; echo >>ended'))", "console.log('ended')", GREEN, "processes judged"),
}

# What became of a test after its finding, which is of a seed or reduced: (text, text that replaces
# it, exit status of frng-replay, of --check). The bug is there but in the second row.
FOUND = PASSES.replace("uint8_t x;", "uint8_t x; unsigned sum = 0;").replace(
    "FRNG_TRY(frng_u8(f, &x));", "{ FRNG_TRY(frng_u8_max(f, 9, &x)); sum += x; FRNG_ASSERT(sum < 30); }")
CHANGES = [
    ("sum < 30", "sum < 30", RED, RED),
    ("sum < 30", "sum < 30 || x < 10", GREEN, GREEN),
    ("for", "uint32_t first; FRNG_TRY(frng_u32(f, &first)); for", UNJUDGED, REFUSED),  # one more
    ("max(f, 9,", "max(f, 8,", UNJUDGED, REFUSED),  # other bounds
    ("u8_max(f, 9,", "bool(f, (bool *)", UNJUDGED, REFUSED),  # another kind
    ("sum += x;", "if (sum > 8) return true; sum += x;", UNJUDGED, REFUSED),  # fewer
    ("for (;;)", "return true;", UNJUDGED, REFUSED),  # none
    ("max(f, 9,", "max(f, 200,", RED, RED),  # other draws, which fail
]


MAIN = "FRNG_MAIN(test)\n"
# What is built without flags is one program, which WHICH chooses from: to compile the headers takes longest.
TOGETHER = list(dict.fromkeys(source for source in (
    *(source for source, flags, *_ in TESTS.values() if not flags), *(source for source, *_ in CHECKS),
    *(FOUND.replace(was, now) for was, now, *_ in CHANGES)) if source.endswith(MAIN)))


class Ordinary(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o777)
        self.built = {}
        self.write("empty", "")
        self.environment["PATH"] = f"{pathlib.Path(frng.SEARCH).parent}:{os.environ['PATH']}"
        self.environment.pop("UBSAN_OPTIONS", None)
        # Each run of Python imports compiled modules, and none is written beside the sources.
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.environment["PYTHONPYCACHEPREFIX"] = str(self.folder / "compiled")

    def users(self):
        """Words before a command: none, and what makes root a user who can still run the tools."""
        yield []
        if os.geteuid() == 0 and subprocess.run(
                [*AS_USER, "test", "-x", frng.SEARCH], stderr=subprocess.DEVNULL).returncode == 0:
            yield AS_USER

    def compile(self, source, flags=""):
        """The test `t` of that source, a program of its own. The flags may begin with a compiler."""
        self.write("t.c", source)
        which = TOGETHER.index(source) if not flags and source in TOGETHER else -1
        kind = "together" if which >= 0 else (source, flags)
        built = self.built.setdefault(kind, self.folder / f"t{len(self.built)}")
        if not built.exists():
            self.write("all.c", source if which < 0 else "".join(
                f'#define test test{i}\n#line 1 "t.c"\n{text.removesuffix(MAIN)}\n#undef test\n'
                for i, text in enumerate(TOGETHER)) + "int main(int argc, char **argv) {\n    const frng_test tests[] = {"
                + ", ".join(f"test{i}" for i in range(len(TOGETHER)))
                + '};\n    return frng__main(tests[atoi(getenv("WHICH"))], argc, argv);\n}\n')
            compiler = "" if flags.startswith("clang ") else "cc "
            made = self.run_tool("sh", "-c", f"{compiler}{flags} -g -I {INCLUDE} -o {built} "
                                 f"{'t' if which < 0 else 'all'}.c")
            self.assert_exit(made, 0)
        (self.folder / "t").unlink(missing_ok=True)
        shutil.copy(built, self.folder / "t")
        with open(self.folder / "t", "ab") as program:
            program.write(bytes([which % 256]))
        self.environment["WHICH"] = str(which)

    def searched(self, words, status, says, turn=None):
        """A search ends so as each user, or as the one whose turn it is."""
        users = list(self.users())
        for user in users if turn is None else [users[turn % len(users)]]:
            with self.subTest(user=user[:1]):
                result = self.run_tool(*user, frng.SEARCH, "--attempts", "16", "--size-max", "16", "--jobs",
                                       "2", "--rng-seed", "1", *words)
                self.assert_exit(result, status)
                self.assert_says(result, says)

    def test_programs(self):
        for name, (text, arguments, status, says) in PROGRAMS.items():
            with self.subTest(program=name):
                if text.startswith("#include"):
                    self.compile(text, "-fsanitize=undefined")
                    (self.folder / "t").rename(self.folder / "program")
                else:
                    self.write("program", text, executable=True)
                self.searched(["./program", "--", *arguments], status, says)

    def test_a_socket_is_in_a_long_folder(self):
        self.write("program", PYTHON + "import socket, sys, tempfile\nsys.stdin.buffer.read()\n"
                   "with tempfile.TemporaryDirectory() as folder:\n"
                   "    socket.socket(socket.AF_UNIX).bind(folder + '/control.sock')\n", executable=True)
        for length in 46, 70:
            folder = str(self.folder)
            folder += "/" + (length - len(folder) - 1) * "x" if len(folder) + 1 < length else ""
            os.makedirs(folder, exist_ok=True)
            os.chmod(folder, 0o1777)
            self.environment["TMPDIR"] = folder
            with self.subTest(length=length):
                self.searched(["./program"], GREEN, "")
                self.assertFalse(os.listdir(folder))

    def test_time_ends_before_a_failure_is_seen_outside(self):
        self.write("program", PROGRAMS["looks at an owner"][0] + " || { sleep 0.3; exit 1; }", executable=True)
        for user in self.users():
            for time in "800ms", "1s":
                with self.subTest(user=user[:1], time=time):
                    result = self.run_tool(*user, frng.SEARCH, "./program", "--jobs", "1", "--time", time)
                    self.assert_exit(result, INCONCLUSIVE if user else GREEN)

    def test_reductions(self):
        """A predicate and a failure are judged in the user's own world."""
        owner = 'test "$(stat -c %u /etc/passwd)" = 0'
        self.write("hay", "a\na needle\nb\n")
        self.write("program", SH + f"size=$(wc -c); {owner} || exit 9; test $size -lt 7", executable=True)
        for user in self.users():
            for text in (f'{owner} && grep -q needle "$1"', f'! {owner} || grep -q needle "$1"'):
                with self.subTest(user=user[:1], predicate=text):
                    self.write("keep", SH + text, executable=True)
                    (self.folder / "hay.reduced").unlink(missing_ok=True)
                    result = self.run_tool(*user, frng.REDUCE, "--predicate", "./keep", "hay")
                    self.assertEqual(result.stdout, "size=6 output=hay.reduced\n", str(result))
            with self.subTest(user=user[:1], program="fails"):
                result = self.run_tool(*user, frng.REDUCE, "./program", "--hex", "0102" * 9)
                self.assertEqual(result.stdout, "size=7 hex=00000000000000\n", str(result))
            for text, exit in (owner, 0), (f"! {owner}", 1):
                with self.subTest(user=user[:1], replayed=text):
                    self.write("owner", SH + f"cat >/dev/null; {text}", executable=True)
                    self.assert_exit(self.run_tool(*user, frng.REPLAY, "./owner", "--hex", "00"), exit)

    def test_tests(self):
        for row, (name, (source, flags, status, says)) in enumerate(TESTS.items()):
            if flags.startswith("clang ") and not shutil.which("clang"):
                continue
            self.compile(source, flags)
            for turn, mode in enumerate(("spawn", "fork", "persistent"), row):
                with self.subTest(test=name, mode=mode):
                    self.searched(["./t", "--mode", mode], status, says, turn)

    def check_ends(self, language, column):
        for turn, (name, (*fails, status, says)) in enumerate(ENDS.items(), column):
            if fails[column] is not None:
                with self.subTest(fails_at=name):
                    program = "program.mjs" if language == "node" else "program"
                    self.write(program, AT_EXIT[language].replace("FAILS", fails[column]), executable=True)
                    self.searched([f"./{program}"], status, says, turn)

    def test_ends(self):
        self.check_ends("python3", 0)

    @frng.long
    @unittest.skipUnless(shutil.which("node"), "nodejs is not installed")
    def test_ends_of_node(self):
        self.check_ends("node", 1)

    def test_checks(self):
        source, users = None, list(self.users())
        for turn, (of, command, status, says) in enumerate(CHECKS):
            if of != source:
                self.compile(of)
                source = of
            user = users[turn % len(users)]
            with self.subTest(command=command, user=user[:1]):
                result = self.run_tool(*user, "sh", "-c", command)
                self.assert_exit(result, status)
                self.assert_says(result, says)

    def test_no_run_of_a_user_can_be_made(self):
        for source in PASSES, FAILS:
            self.compile(source)
            for user in list(self.users())[-1:]:
                if user or os.geteuid() != 0:
                    result = self.run_tool(*user, "prlimit", "--nproc=1", "./t", "--check")
                    self.assert_exit(result, REFUSED)
                    self.assert_says(result, "a run of t could not be made: ")
                    (self.folder / "findings").mkdir(mode=0o0, exist_ok=True)
                    self.assert_exit(self.run_tool(*user, "./t", "--check"), REFUSED)
                    (self.folder / "findings").rmdir()

    def test_changes(self):
        """A finding whose test now draws others is no verdict; one without draws passes, as before,
        but if it is reduced and bytes are left."""
        for options in ["--mode=spawn"], ["--reduce"]:
            self.compile(FOUND)
            found = self.run_tool(frng.SEARCH, "./t", "--rng-seed", "1", "--findings", "findings/t", *options)
            self.assert_exit(found, RED)
            (path,) = (self.folder / "findings/t").iterdir()
            for was, now, replayed, checked in CHANGES:
                self.compile(FOUND.replace(was, now))
                for how in [], ["--runs", "2"], ["--trace"], ["--json", "-"]:
                    with self.subTest(now=now, how=how):
                        result = self.run_tool(frng.REPLAY, "./t", "--finding", path, *how)
                        self.assert_exit(result, replayed)
                        self.assert_says(result, "found with other draws" if replayed == UNJUDGED else "")
                with self.subTest(now=now, how="frng-reduce"):
                    result = self.run_tool(frng.REDUCE, "./t", "--finding", path, "--calls", "30")
                    self.assert_exit(result, INCONCLUSIVE if replayed == UNJUDGED else replayed)
                    self.assert_says(result, "found with other draws" if replayed == UNJUDGED else "")
                with self.subTest(now=now, how="frng-search"):
                    shutil.copytree(self.folder / "findings/t", self.folder / "old")
                    result = self.run_tool(frng.SEARCH, "./t", "--findings", "old", "--attempts", "1")
                    self.assert_says(result, "known finding, .*: " + {
                        UNJUDGED: "passes, but was found with other draws", GREEN: "passes now",
                        RED: "still fails|passes, but was found with other draws"}[replayed])
                    shutil.rmtree(self.folder / "old")
                with self.subTest(now=now, how="--check"):
                    result = self.run_tool("./t", "--check", environment={
                        "FRNG_SEED": "1", "FRNG_REDUCE": "0", "FRNG_RUNS": "10"})
                    self.assert_exit(result, checked)
                    self.assert_says(result, "found with other draws" if checked == REFUSED else "")
            path.write_text(re.sub('"draws": "[^"]*"', '"draws": null', path.read_text()))
            self.compile(FOUND.replace(*CHANGES[2][:2]))
            self.assert_exit(self.run_tool(frng.REPLAY, "./t", "--finding", path), GREEN)
            self.compile(FOUND.replace(*CHANGES[5][:2]))  # all bytes of a reduced one were drawn
            self.assert_exit(self.run_tool(frng.REPLAY, "./t", "--finding", path),
                             UNJUDGED if options == ["--reduce"] else GREEN)
            path.unlink()
