#!/usr/bin/env python3
"""A reducer whose candidates are twice as long as the file, for every number."""
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
with open(sys.argv[1], "wb") as file:
    file.write(data + data + b"grown\n")
