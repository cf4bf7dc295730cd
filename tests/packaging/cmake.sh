#!/bin/sh
# cmake.sh BUILD SOURCE VERSION
# A CMake project gets frng::frng from the sources, and from what is installed.
# Exit status 77 (skipped) without cmake or meson.
set -u
build=$1 source=$2 version=$3
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
for tool in cmake meson; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

mkdir "$scratch/sources" "$scratch/installed" || exit 99
for user in sources installed; do
    cp "$source/tests/packaging/user.c" "$scratch/$user/sut.c" || exit 99
    cat >"$scratch/$user/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.14)
project(user C)
$(if [ $user = sources ]; then echo "add_subdirectory($source frng)"
    else echo "find_package(frng $version REQUIRED)"; fi)
add_executable(sut sut.c)
target_link_libraries(sut PRIVATE frng::frng)
END
done

# build_and_run USER OPTION...
build_and_run() {
    user=$1
    shift
    { cmake -S "$scratch/$user" -B "$scratch/$user/build" "$@" &&
        cmake --build "$scratch/$user/build"; } >"$scratch/log" 2>&1 ||
        { cat "$scratch/log"; fail "$user: it does not build"; }
    "$scratch/$user/build/sut" </dev/null || fail "$user: it does not run"
}

build_and_run sources
meson install -C "$build" --no-rebuild --destdir "$scratch/root" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "meson install"; }
config=$(find "$scratch/root" -name frng-config.cmake)
build_and_run installed "-Dfrng_DIR=$(dirname "$config")"
sed -i "s/frng $version/frng 99/" "$scratch/installed/CMakeLists.txt"
! cmake -S "$scratch/installed" -B "$scratch/other" "-Dfrng_DIR=$(dirname "$config")" \
    >"$scratch/log" 2>&1 || fail "version 99 is found"
echo "cmake: frng::frng $version"
