#!/usr/bin/env python3
"""A reducer that drops the last byte, but exits with a status that means nothing."""
import os
import sys

os.truncate(sys.argv[1], max(0, os.path.getsize(sys.argv[1]) - 1))
sys.exit(77)
