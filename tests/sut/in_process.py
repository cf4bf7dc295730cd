#!/usr/bin/env python3
"""Systems under test that make their runs in their own process (FRNG_DRIVER), and misbehave.

    in_process.py WHAT N        draws N bytes, one by one, and then does it
    in_process.py sees          fails with a byte above 250
    in_process.py starts N      starts N times, and dies at its start from then on
    in_process.py sees-starts N  does both
    in_process.py helper        has a process of its own before its first run

SPDX-License-Identifier: MIT
"""
# It is started for every rerun: other modules take longer than all the rest.
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)) + "/../../frng/python")
import frng

CONTROL = int((os.environ.get("FRNG_DRIVER") or "0,-1,-1,-1").split(",")[1])


def leave():
    """Leave a process behind, which keeps the socket open."""
    if os.fork() == 0:
        time.sleep(300)
        os._exit(0)


def close_and_exit():
    """Hang up first, and take a while to end, as a process that dumps its core."""
    if CONTROL >= 0:
        os.close(CONTROL)
    time.sleep(0.05)
    os._exit(3)


def flood_and_exit():
    for _ in range(64):
        os.write(1, b"out " * 16384)
        os.write(2, b"err " * 16384)
    os._exit(3)


def fail_once():
    """Exit with 3 where nothing in the folder says that a run has."""
    try:
        os.close(os.open("failed", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os._exit(3)


WHAT = {"exits": lambda: os._exit(3), "closes-and-exits": close_and_exit, "passes": lambda: None,
        "floods-and-exits": flood_and_exit, "kills": lambda: os.kill(os.getpid(), 9), "once": fail_once}


def test(f: frng.Frng):
    """One run."""
    if sys.argv[1].startswith("sees"):
        while True:
            assert f.u8() <= 250
    for _ in range(int(sys.argv[2]) if sys.argv[1] in WHAT else 1):
        f.u8()
    WHAT.get(sys.argv[1], lambda: None)()


if sys.argv[1] == "helper" and CONTROL >= 0:
    leave()
if sys.argv[1].endswith("starts") and CONTROL >= 0:
    with open("starts", "a+", encoding="ascii") as starts:
        starts.write("+")
        if starts.tell() > int(sys.argv[2]):
            os._exit(4)
frng.run(test, fork=False)
