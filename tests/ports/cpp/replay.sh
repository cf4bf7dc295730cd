#!/bin/sh
# replay.sh OUT FOLDER: replay the findings of the queue in a folder, by a program of build.sh.
exec "$1/replay" "$2"
