"""Tests whose failures leave behind what changes later runs of their process. See test_stays.py."""

import sys
import threading
import time

import frng

left = []


def fail():
    left.append(1)
    raise AssertionError("three are large")


def start_thread():
    threading.Thread(target=time.sleep, args=[0.2], daemon=True).start()
    fail()


# What a failure does, and what a run does at first where runs before it have failed.
DEEDS = {
    "leaves-nothing": (fail, None),
    "passes-later": (fail, sys.exit),
    "fails-elsewhere": (fail, lambda: [].pop()),
    "starts-a-thread": (start_thread, None),
    "fails-by-less": (fail, None),
}
deed, change = DEEDS[sys.argv[1]]


def test(f):
    if left and change:
        change()
    large = 0
    enough = 2 if left and sys.argv[1] == "fails-by-less" else 3
    while large < enough:
        large += f.u8() > 200
    deed()


frng.run(test, fork=sys.argv[2:] == ["fork"])
