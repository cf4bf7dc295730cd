#!/bin/sh
# A reducer that dies of a signal (SIGSEGV).
kill -SEGV $$
