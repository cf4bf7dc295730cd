#!/usr/bin/env python3
"""A reducer that drops a byte, three times, and each time leaves a process in a session of its own.

That one, sleep 471, holds stdout and stderr open.
"""
import os
import subprocess
import sys

if int(sys.argv[3]) >= 3:
    sys.exit(1)
subprocess.Popen(["setsid", "sleep", "471"], stdin=subprocess.DEVNULL)
os.truncate(sys.argv[1], max(0, os.path.getsize(sys.argv[1]) - 1))
