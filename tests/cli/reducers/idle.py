#!/usr/bin/env python3
"""A reducer that changes nothing, and says each time that it did."""
