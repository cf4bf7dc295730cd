#!/usr/bin/env python3
"""Count what passed and what failed in Meson's logs of test runs.

    count.py PASSED FAILED LOG...        PASSED and FAILED are counted beforehand

LOG is a testlog.json. Test programs that say how many cases they had (Check, Python's unittest, a
transcript's commands) count as so many; any other counts as one. Prints a line for each program that failed or was
skipped, with the last lines that a failed one printed, and the sum as the last line; exit status 1 if anything failed.
SPDX-License-Identifier: MIT
"""

import json
import re
import sys

CHECK = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", re.MULTILINE)
RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
ENDED = re.compile(r"^(?:OK|FAILED)(?: \((.*)\))?$", re.MULTILINE)
COMMANDS = re.compile(r"^\S+[.]t: (\d+) commands, (\d+) failed$", re.MULTILINE)
PASSES = ("OK", "EXPECTEDFAIL")
SHOWN = 24  # lines of a program that failed: the rest of a long log may be out of reach


def cases(text):
    """How many cases passed, failed and were skipped, by the program's own words."""
    passed = failed = skipped = 0
    for commands, bad in COMMANDS.findall(text):
        failed += int(bad)
        passed += int(commands) - int(bad)
    for checks, failures, errors in CHECK.findall(text):
        failed += int(failures) + int(errors)
        passed += int(checks) - int(failures) - int(errors)
    ran = [int(count) for count in RAN.findall(text)]
    if ran:
        words = ", ".join(ENDED.findall(text))
        counts = dict.fromkeys(("failures", "errors", "skipped", "unexpected successes"), 0)
        for name, count in re.findall(r"([a-z ]+)=(\d+)", words):
            name = name.strip()
            if name in counts:
                counts[name] += int(count)
        bad = counts["failures"] + counts["errors"] + counts["unexpected successes"]
        skipped += counts["skipped"]
        failed += bad
        passed += max(0, sum(ran) - bad - counts["skipped"])
    return passed, failed, skipped


def output(test):
    return "\n".join(test.get(stream) or "" for stream in ("stdout", "stderr"))


def count(test):
    """The same for an entry of the log, whose result has the last word."""
    result = test["result"]
    if result == "SKIP":
        return 0, 0, 1
    passed, failed, skipped = cases(output(test))
    if result in PASSES:
        if passed + failed + skipped == 0:
            passed = 1
    elif failed == 0:
        failed = 1
    return passed, failed, skipped


def read(path):
    """The entries of a log."""
    with open(path, encoding="utf-8") as log:
        return [json.loads(line) for line in log if line.strip()]


def main():
    passed, failed = int(sys.argv[1]), int(sys.argv[2])
    skipped = 0
    for path in sys.argv[3:]:
        try:
            tests = read(path)
        except OSError as error:
            print(f"FAILED  {error}")
            failed += 1
            continue
        for test in tests:
            good, bad, left_out = count(test)
            if test.get("again"):
                print(f"again        {test['name']}: failed beside other tests, and was made once more, alone")
            if bad > 0 or left_out > 0:
                word = "FAILED " if bad > 0 else "skipped"
                number = bad if bad > 0 else left_out
                print(f"{word} {number:3}  {test['name']}  ({path.split('/')[-3]})")
                if bad > 0:
                    print("".join(f"    {line}\n" for line in output(test).splitlines()[-SHOWN:]), end="")
            passed, failed, skipped = passed + good, failed + bad, skipped + left_out
    print(f"{skipped} skipped" if skipped else "none skipped")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
