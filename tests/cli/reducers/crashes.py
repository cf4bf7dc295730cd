#!/usr/bin/env python3
"""A reducer that dies of a signal (SIGSEGV)."""
import os
import signal

os.kill(os.getpid(), signal.SIGSEGV)
