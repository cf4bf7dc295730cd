#!/bin/sh
# test.sh OUT: an exception fails at the line of its throw, also where its type is thrown twice, and
# at its type without debug information. Checks search in GoogleTest and in Catch2, if installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
suite=$here/suite.cpp

# The line of stderr that names a throw: says BYTES PROGRAM WORD.
says() {
    printf '%b' "$1" | "$2" bugs 2>"$3" && return 1
    head -n 1 "$3"
}

check() {
    [ "$1" = "$2" ] || { echo "$1 is not $2"; exit 1; }
}

line_of() { grep -n "throw std::runtime_error(\"$1\")" "$suite" | cut -d: -f1; }

high='\\0377'
check "$(says '\0000\0000' "$1/suite" "$1/stderr")" "suite.cpp:$(line_of few): std::runtime_error"
check "$(says "$(printf "$high%.0s" 1 2 3 4)" "$1/suite" "$1/stderr")" \
    "suite.cpp:$(line_of many): std::runtime_error"
strip -o "$1/stripped" "$1/suite"
check "$(says '\0000\0000' "$1/stripped" "$1/stderr")" \
    "terminate called after throwing an instance of 'std::runtime_error'"

# ---- frng_check.hpp ----

PATH=$1/../../../driver:$PATH
export PATH FRNG_SEED=5
cd "$1"
# run PROGRAM TEST STATUS PATTERN...: what the search in a test prints
run() {
    program=$1 name=$2 wanted=$3 status=0
    shift 3
    # shellcheck disable=SC2086 # names are words
    "$program" $name >said 2>&1 || status=$?
    [ "$status" -ne 0 ] || [ "$wanted" -eq 0 ] || { cat said; echo "$program $name passes"; exit 1; }
    [ "$status" -eq 0 ] || [ "$wanted" -ne 0 ] || { cat said; echo "$program $name fails"; exit 1; }
    for pattern; do
        grep -qE -e "$pattern" said || { cat said; echo "$program $name: no $pattern"; exit 1; }
    done
}
for runner in gtest catch; do
    libraries='-lgtest -lgtest_main -pthread' prefix=--gtest_filter=Checks. define=GTEST
    # Catch2's own main takes clang half as long as gcc.
    [ $runner = gtest ] || {
        libraries=catch.o prefix='' define=CATCH
        printf '#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n' |
            "$(command -v clang++ || echo "${CXX:-c++}")" -std=c++17 -x c++ -c - -o catch.o 2>log || {
            grep -q 'No such file\|file not found' log && continue
            cat log
            exit 1
        }
    }
    # shellcheck disable=SC2086 # options are words
    "${CXX:-c++}" -std=c++17 -g -O0 -Wall -Wextra -Wpedantic -Werror -D$define -I"$here/../../../frng" \
        -I"$here/../../../frng/cpp" "$here/checked.cpp" $libraries -o checked-$runner 2>log || {
        grep -q 'No such file\|cannot find' log && ! grep -q 'frng_' log && continue
        cat log
        exit 1
    }
    reduced='reduced by frng-reduce: size=1 hex=c8$'
    run ./checked-$runner ${prefix}ends 1 "$reduced" 'checked.cpp:[0-9]+:? ' '^  uint = 200$'
    run frng-replay "./checked-$runner --hex c7 -- ${prefix}ends" 0 '^passes$'
    run ./checked-$runner ${prefix}goes_on 1 "$reduced" '^  uint = 200$'
    run ./checked-$runner ${prefix}goes_on_far 1 "$reduced" 'checked.cpp:[0-9]+: ' '^  x = 200$'
    [ $runner = gtest ] || run ./checked-catch '\-odd*' 1 "$reduced"
    [ $runner = catch ] || {
        check "$(grep -c ': Failure' said)" 1
        run ./checked-gtest "--gtest_filter=Checks.goes_on:Checks.throws --gtest_output=xml:failed.xml" 1 \
            '2 FAILED TESTS' '^\[  FAILED  \] Checks.throws \('
        check "$(grep -c 'unknown file' said)" 0
        run ./checked-gtest '--gtest_filter=*.DISABLED_ends --gtest_also_run_disabled_tests' 1 "$reduced"
        run ./checked-gtest '--gtest_filter=Checks.ends --gtest_repeat=2' 1
        check "$(grep -c "$reduced" said)" 2
        check "$(grep -cE '<failure message=.checked.cpp:[0-9]+&#x0A;.*the report is on stderr' failed.xml)" 2
        run ./checked-gtest ${prefix}skips 1 '[0-9]+ of [0-9]+ runs of Checks.skips were discarded: draw only what'
    }
    run ./checked-$runner ${prefix}throws 1 "$reduced" 'checked.cpp:[0-9]+: std::runtime_error'
    run ./checked-$runner ${prefix}caught 1 '^caught ' 'frng: \S*caught fails; the report is on stderr$'
    run ./checked-$runner ${prefix}asserts 1 "$reduced" 'assertion failed: f.note' '^  x = 200$' \
        "frng-reduce ./checked-$runner --hex c8 --findings findings/\\S*asserts -- ${prefix}asserts"
    run ./checked-$runner ${prefix}closes 1 "$reduced" 'assertion failed: x < 200' '^  x = 200$'
    run ./checked-$runner ${prefix}cannot_pass 0 'frng: 1000 runs of \S*cannot_pass passed'
    run ./checked-$runner ${prefix}catches 0 'frng: 1000 runs of \S*catches passed, of up to 4096 bytes'
    run ./checked-$runner ${prefix}keeps_for_later 0 'frng: 50 runs of \S*later passed'
    run ./checked-$runner ${prefix}replaces 0 'frng: 1000 runs of \S*replaces passed, of up to'
    run ./checked-$runner ${prefix}catches_by_name 1 'reduced by frng-reduce: size=2 ' '^  x = 255$'
    run ./checked-$runner ${prefix}two 1 'fails in run 2, smallest' "FRNG_REPLAY='size=1 seed=[0-9]*s' makes"
    check "$(grep -c 'frng-re' said)" 0
    run ./checked-$runner ${prefix}passes 0 'frng: 300 runs of \S*passes passed, of up to 1 bytes'
    run ./checked-$runner ${prefix}discards 1 '[0-9]+ of [0-9]+ runs of \S*discards were discarded: draw only what'
    [ $runner = catch ] || check "$(grep -cE 'unknown file|C\+\+ exception' said)" 0
    [ -z "${whole:-}" ] || continue # what follows is the same under each runner
    whole=$runner
    run ./checked-$runner ${prefix}hides 1 'reduced by frng-reduce: size=1 hex=c8$'
    run ./checked-$runner ${prefix}rules 0 'frng: 1000 runs of \S*rules passed'
    run ./checked-$runner ${prefix}machine 1 'reduced by frng-reduce: size=' '^  push\(x = 1\)$'
    check "$(grep -c '^  pop()$' said)" 8
    FRNG_REPLAY='size=9 hex=000000000000000000' run ./checked-$runner ${prefix}invariant 1
    check "$(grep -c '^  push(' said)" 2
    run ./checked-$runner ${prefix}values 1 '^  spans = \[<0 3>, <0 3>\]$' '^  draws of dark = \[\(0, 3\)\]$' \
        '^  one = \(<0 3>, "a\\x0a"\)$' '^  draws of shade = \(0, 3\)$' '^  uint = 5$' \
        '^  pair = 0$' '^  hue = 7$' '^  draws from two on = \(0, 3\)$' '^  inner = 3$' '^  word = it$' '^  key = 0$' \
        '^  draws of lost = \[\(0, 3\) \.\.\.\]$'
    check "$(grep -cE 'inner =|list =' said)" 1
    run ./checked-$runner ${prefix}chosen 1 '^  add\(by = 3\)$'
    check "$(grep -cE '^  (add|rest)\(by = 3\)$' said)" "$(grep -c '^  [a-z]*(' said)"
    run ./checked-$runner ${prefix}given_up 1 '^  add\(draws of x = 0\)$' '^  sub\(y = 5\)$'
    run ./checked-$runner ${prefix}in_order 1 '^  open\(int = 1\)$' '^  close\(index = 0\)$'
    rm -rf found
    RARE=fail FRNG_SEARCH=20s FRNG_FINDINGS=found run ./checked-$runner ${prefix}rare 1 \
        'found by frng-search: size=1 (seed=[0-9]+s?|hex=07)$' 'reduced by frng-reduce: size=1 hex=07$' '^  hit\(uint = 7\)$'
    RARE=fail FRNG_FINDINGS=found run ./checked-$runner ${prefix}rare 1 'found/[^/]*rare/[^/]*json still fails: size=1 (seed=[0-9]+s?|hex=07)$'
    FRNG_SEARCH=much run ./checked-$runner ${prefix}rare 1 'FRNG_SEARCH=much: frng-search has ended with 2'
    RARE=hang FRNG_TIMEOUT=1 run ./checked-$runner ${prefix}rare 1 'rare hangs in run [0-9]+, and is not' \
        '^the run has not ended after 1 s$' '^  hit\(uint = [12][0-9][0-9]\)$' ' --timeout 1s -- '
    FRNG_REDUCE=0 run ./checked-$runner ${prefix}machine 1 'smallest after [0-9]+ more: size=[0-9]+ seed='
done

# What returns a result, which nobody would look at, does not compile.
for body in 'frngpp::check([](frngpp::generator &f) { return f.u8() < 3; });' \
    'frngpp::check([](frngpp::generator &f) { f.repeat({{"a", [&] { f.u8(); }}}, [] { return false; }); });'; do
    printf '#include <frng_check.hpp>\nvoid test() { %s }\n' "$body" |
        "${CXX:-c++}" -std=c++17 -fsyntax-only -I"$here/../../../frng" -I"$here/../../../frng/cpp" -x c++ - 2>log &&
        { echo "it compiles: $body"; exit 1; }
    grep -q 'nobody looks at what a' log || { cat log; exit 1; }
done

# single NAME [-lNAME]: build checked-NAME, of the program on stdin, or end where its runner is not there
single() {
    "${CXX:-c++}" -std=c++17 -g -O0 -Wall -Wextra -Wpedantic -Werror -I"$here/../../../frng" \
        -I"$here/../../../frng/cpp" -x c++ - -o "checked-$1" ${2:+"$2"} 2>log && return
    grep -q 'No such file\|not found\|cannot find' log && exit
    cat log
    exit 1
}
single doctest <<'END'
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <frng_check.hpp>
TEST_CASE("goes on, after it") {
    frngpp::check([](frngpp::generator &f) { CHECK(f.u8() < 200); WARN(f.u8() < 0); });
}
END
run ./checked-doctest '' 1 'reduced by frng-reduce: size=1 hex=c8$' " -- '-tc=goes on., after it'$"
single boost -lboost_unit_test_framework <<'END'
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE all
#include <boost/test/unit_test.hpp>
#include <frng_check.hpp>
BOOST_AUTO_TEST_SUITE(group)
BOOST_AUTO_TEST_CASE(aborts) { frngpp::check([](frngpp::generator &f) { if (f.u8() > 199) abort(); }); }
BOOST_AUTO_TEST_CASE(goes_on) { frngpp::check([](frngpp::generator &f) { BOOST_CHECK(f.u8() < 200); }); }
BOOST_AUTO_TEST_CASE(ends) { frngpp::check([](frngpp::generator &f) { BOOST_REQUIRE(f.u8() < 200); }); }
BOOST_AUTO_TEST_SUITE_END()
END
for name in aborts goes_on ends; do
    run ./checked-boost "--run_test=group/$name --color_output=no" 1 'reduced by frng-reduce: size=1 hex=c8$' '^  uint = 200$' \
        "frng-replay .* -- --run_test=group/$name\$" "frng: group/$name fails in run"
done
run frng-search './checked-boost --attempts 2k -- --run_test=group/aborts' 1 'fails with signal:SIGABRT'
