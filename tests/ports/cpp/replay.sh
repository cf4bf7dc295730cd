#!/bin/sh
# replay.sh OUT FOLDER: replay the findings of the queue in a folder, by a program in OUT.
set -eu
port=$(cd "$(dirname "$0")" && pwd)
headers=$port/../../../frng
"${CXX:-c++}" -std=c++17 -g -Wall -Wextra -Wpedantic -Wconversion -Wshadow -o "$1/replay" \
    -I"$headers" -I"$headers/cpp" "$port/replay.cpp"
exec "$1/replay" "$2"
