#!/usr/bin/env python3
"""A reducer that writes 100 MB to stdout, then drops the last byte, three times."""
import os
import sys

if int(sys.argv[3]) >= 3:
    sys.exit(1)
for _ in range(100):
    sys.stdout.buffer.write(b"flood!\n\n" * 125000)
os.truncate(sys.argv[1], max(0, os.path.getsize(sys.argv[1]) - 1))
