#!/usr/bin/env python3
"""A reducer that deletes the file, and says that it changed it."""
import os
import sys

os.unlink(sys.argv[1])
