#!/usr/bin/env python3
"""Make a few tests that failed beside others once more, alone: for machines on which programs start slowly.

    once_more.py LOG PATIENCE    PATIENCE multiplies their time limits

LOG is FOLDER/meson-logs/NAME.json of a run in the build FOLDER. What a test did alone takes the place of its entry
there, which then says "again": count.py names such tests. More than a few failures are no matter of a busy machine:
they stay as they are.
SPDX-License-Identifier: MIT
"""

import json
import pathlib
import subprocess
import sys

import count

FEW = 5


def main():
    log = pathlib.Path(sys.argv[1])
    if not log.exists():  # nothing was built
        return
    entries = count.read(log)
    failed = [entry["name"] for entry in entries if count.count(entry)[1] > 0]
    if not 0 < len(failed) <= FEW:
        return
    print("\n==> once more, alone:", ", ".join(failed), flush=True)
    log_base = f"{log.stem}-again"
    subprocess.run(["meson", "test", "-C", log.parents[1], "--logbase", log_base, "--print-errorlogs",
                    "--num-processes", "1", "--timeout-multiplier", sys.argv[2],
                    *(name.partition(" / ")[2] for name in failed)], stdin=subprocess.DEVNULL, check=False)
    alone = {entry["name"]: {**entry, "again": True} for entry in count.read(log.with_stem(log_base))}
    log.write_text("".join(json.dumps(alone.get(entry["name"], entry)) + "\n" for entry in entries))


main()
