#!/bin/sh
# A reducer that deletes the file, and says that it changed it.
rm -- "$1"
