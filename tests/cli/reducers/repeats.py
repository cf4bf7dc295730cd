#!/usr/bin/env python3
"""A reducer that drops the last byte whatever the number, and never says that it is done."""
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
with open(sys.argv[1], "wb") as file:
    file.write(data[:-1])
