#!/bin/sh
# build.sh OUT: build OUT/queue, OUT/suite, OUT/replay and OUT/passes, with CXX. 77: there is none.
set -eu
cd "$(dirname "$0")"
command -v "${CXX:-c++}" >/dev/null || { echo "${CXX:-c++} is not installed"; exit 77; }
options="-std=c++17 -O1 -g -Wall -Wextra -Wpedantic -Wconversion -Wshadow -I../../../frng -I../../../frng/cpp"
# shellcheck disable=SC2086 # options are words
{
    (cd ../../../frng/cpp && ${CXX:-c++} $options -I. -I.. -o "$1/queue" queue.cpp)
    ${CXX:-c++} $options -std=c++20 -Werror -I../../../frng/cpp -fsyntax-only ../../../frng/cpp/queue.cpp
    ${CXX:-c++} $options -o "$1/suite" suite.cpp
    ${CXX:-c++} $options -O0 -o "$1/replay" replay.cpp
    ${CXX:-c++} $options -O0 -o "$1/passes" passes.cpp
}
