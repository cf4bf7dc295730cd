/* excerpt.h on outputs of the shapes that runtimes and sanitizers print. */
#include "excerpt.h"
#include "fixture.h"

#include <string.h>

static const char *excerpt(const bytes_tail *output) {
    static char text[BYTES_TAIL_TEXT_MAX + 256];
    FILE *out = fmemopen(text, sizeof text, "w");
    memset(text, 0, sizeof text);
    excerpt_put(out, output);
    fclose(out);
    return text;
}

static const char *excerpt_of(const char *text) {
    static bytes_tail output;
    memset(&output, 0, sizeof output);
    bytes_tail_add(&output, (const uint8_t *)text, strlen(text));
    return excerpt(&output);
}

#define FIRST "  output   "
#define NEXT "           "

TEST(six_lines_or_fewer_are_shown_as_they_are) {
    ck_assert_str_eq(excerpt_of(""), "");
    ck_assert_str_eq(excerpt_of("\n\n\n"), "");
    ck_assert_str_eq(excerpt_of("only"), FIRST "only\n");
    ck_assert_str_eq(excerpt_of("a\n\nb\n\n"), FIRST "a\n" NEXT "\n" NEXT "b\n");
    ck_assert_str_eq(excerpt_of("\na\nb\n\npanic: c\nd\n"),
                     FIRST "\n" NEXT "a\n" NEXT "b\n" NEXT "\n" NEXT "panic: c\n" NEXT "d\n");
}

TEST(of_lines_that_name_nothing_both_ends_are_shown) {
    ck_assert_str_eq(excerpt_of("1\n2\n3\n4\n5\n6\n7\n8\n\n"), FIRST
                     "1\n" NEXT "2\n" NEXT "...\n" NEXT "5\n" NEXT "6\n" NEXT "7\n" NEXT "8\n");
}

TEST(a_go_panic_begins_at_its_message) {
    const char *text = "connecting\n"
                       "step 1\n"
                       "step 2\n"
                       "panic: runtime error: index out of range [5] with length 3\n"
                       "\n"
                       "goroutine 1 [running]:\n"
                       "main.(*Queue).pop(...)\n"
                       "\t/home/me/queue/queue.go:31\n"
                       "main.step(0xc00001c0a8, 0x5)\n"
                       "\t/home/me/queue/main.go:17 +0x1d\n"
                       "main.main()\n"
                       "\t/home/me/queue/main.go:8 +0x85\n"
                       "exit status 2\n";
    ck_assert_str_eq(excerpt_of(text),
                     FIRST "panic: runtime error: index out of range [5] with length 3\n" NEXT
                           "...\n" NEXT "goroutine 1 [running]:\n" NEXT "...\n" NEXT
                           "\t/home/me/queue/main.go:17 +0x1d\n" NEXT "main.main()\n" NEXT
                           "\t/home/me/queue/main.go:8 +0x85\n" NEXT "exit status 2\n");
}

TEST(a_rust_panic_begins_at_its_message) {
    const char *text =
        "thread 'main' panicked at src/main.rs:12:9:\n"
        "called `Option::unwrap()` on a `None` value\n"
        "stack backtrace:\n"
        "   0: rust_begin_unwind\n"
        "             at /rustc/90b35a6/library/std/src/panicking.rs:645:5\n"
        "   1: core::panicking::panic_fmt\n"
        "             at /rustc/90b35a6/library/core/src/panicking.rs:72:14\n"
        "   2: queue::main\n"
        "             at ./src/main.rs:12:9\n"
        "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\n";
    ck_assert_str_eq(excerpt_of(text), FIRST
                     "thread 'main' panicked at src/main.rs:12:9:\n" NEXT
                     "called `Option::unwrap()` on a `None` value\n" NEXT "...\n" NEXT
                     "             at /rustc/90b35a6/library/core/src/panicking.rs:72:14\n" NEXT
                     "   2: queue::main\n" NEXT "             at ./src/main.rs:12:9\n" NEXT
                     "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a "
                     "verbose backtrace.\n");
}

TEST(a_node_exception_begins_at_its_message) {
    const char *text = "/home/me/app.js:3\n"
                       "    throw new RangeError(`bad size ${size}`);\n"
                       "    ^\n"
                       "\n"
                       "RangeError: bad size 7\n"
                       "    at check (/home/me/app.js:3:11)\n"
                       "    at Object.<anonymous> (/home/me/app.js:7:1)\n"
                       "    at Module._compile (node:internal/modules/cjs/loader:1256:14)\n"
                       "    at Module.load (node:internal/modules/cjs/loader:1119:32)\n"
                       "    at node:internal/main/run_main_module:23:47\n"
                       "\n"
                       "Node.js v18.17.1\n";
    ck_assert_str_eq(
        excerpt_of(text), FIRST
        "RangeError: bad size 7\n" NEXT "    at check (/home/me/app.js:3:11)\n" NEXT "...\n" NEXT
        "    at Module.load (node:internal/modules/cjs/loader:1119:32)\n" NEXT
        "    at node:internal/main/run_main_module:23:47\n" NEXT "\n" NEXT "Node.js v18.17.1\n");
}

TEST(a_python_traceback_ends_with_its_message) {
    const char *text = "Traceback (most recent call last):\n"
                       "  File \"/home/me/btree.py\", line 90, in <module>\n"
                       "    main()\n"
                       "  File \"/home/me/btree.py\", line 84, in main\n"
                       "    check(model, real)\n"
                       "  File \"/home/me/btree.py\", line 71, in check\n"
                       "    assert real.items() == model\n"
                       "AssertionError: [1, 2] != [1]\n";
    ck_assert_str_eq(excerpt_of(text), FIRST
                     "    main()\n" NEXT "  File \"/home/me/btree.py\", line 84, in main\n" NEXT
                     "    check(model, real)\n" NEXT
                     "  File \"/home/me/btree.py\", line 71, in check\n" NEXT
                     "    assert real.items() == model\n" NEXT "AssertionError: [1, 2] != [1]\n");
}

/* As long as a real one: its shadow bytes and its legend are 3 KB. */
TEST(a_report_of_address_sanitizer) {
    static char text[16384];
    char *at = text;
    at += sprintf(at, "=================================================================\n"
                      "==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address "
                      "0x602000000014 at pc 0x55d7d8b7f1c9\n"
                      "READ of size 4 at 0x602000000014 thread T0\n");
    for (int i = 0; i < 40; i++) {
        at += sprintf(at, "    #%d 0x55d7d8b7f1c8 in parse_%d /home/me/parser.c:%d:10\n", i, i, i);
    }
    at += sprintf(at, "\nSUMMARY: AddressSanitizer: heap-buffer-overflow parser.c:0:10 in parse_0\n"
                      "Shadow bytes around the buggy address:\n");
    for (int i = 0; i < 16; i++) {
        at +=
            sprintf(at, "  0x0c047fff7fb%x: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n", i);
    }
    for (int i = 0; i < 18; i++) at += sprintf(at, "  Heap left redzone:       fa\n");
    at += sprintf(at, "==4711==ABORTING\n");
    ck_assert_int_gt(at - text, BYTES_TAIL_MAX);
    ck_assert_str_eq(
        excerpt_of(text), FIRST
        "==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc "
        "0x55d7d8b7f1c9\n" NEXT "READ of size 4 at 0x602000000014 thread T0\n" NEXT "...\n" NEXT
        "SUMMARY: AddressSanitizer: heap-buffer-overflow parser.c:0:10 in parse_0\n" NEXT
        "...\n" NEXT "  Heap left redzone:       fa\n" NEXT "  Heap left redzone:       fa\n" NEXT
        "==4711==ABORTING\n");
}

TEST(the_frame_of_the_site_is_among_the_lines) {
    static bytes_tail output;
    const char *text = "log\nlog\n"
                       "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n"
                       "The signal is caused by a READ memory access.\n"
                       "    #0 0x1 in strlen (/lib/libc.so.6+0x1)\n"
                       "    #1 0x2 in parse /home/me/parser.c:17:10\n"
                       "    #2 0x3 in main /home/me/parser.c:1:10\n"
                       "SUMMARY: AddressSanitizer: SEGV (/lib/libc.so.6+0x1) in strlen\n"
                       "1\n2\n==1==ABORTING\n";
    char *shown = NULL;
    size_t length;
    bytes_tail_add(&output, (const uint8_t *)text, strlen(text));
    FILE *out = open_memstream(&shown, &length);
    excerpt_put_at(out, &output, "asan:SEGV at parser.c:1");
    fclose(out);
    ck_assert_str_eq(shown,
                     FIRST "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n" NEXT
                           "The signal is caused by a READ memory access.\n" NEXT "...\n" NEXT
                           "    #2 0x3 in main /home/me/parser.c:1:10\n" NEXT
                           "SUMMARY: AddressSanitizer: SEGV (/lib/libc.so.6+0x1) in strlen\n" NEXT
                           "...\n" NEXT "2\n" NEXT "==1==ABORTING\n");
    free(shown);
}

TEST(an_assertion_after_a_log_and_before_nothing) {
    ck_assert_str_eq(excerpt_of("1\n2\n3\n4\n5\n6\nqueue.c:16: assertion failed: got == *first\n"),
                     FIRST "2\n" NEXT "3\n" NEXT "4\n" NEXT "5\n" NEXT "6\n" NEXT
                           "queue.c:16: assertion failed: got == *first\n");
}

/* Bytes that were not kept and lines that are not shown between the same two lines: one gap. */
TEST(a_flood_has_one_gap) {
    static bytes_tail output;
    memset(&output, 0, sizeof output);
    bytes_tail_add(&output, (const uint8_t *)"panic: at once\nin main\n", 23);
    for (int i = 0; i < 5000; i++) bytes_tail_add(&output, (const uint8_t *)"flood\n", 6);
    ck_assert_str_eq(excerpt(&output),
                     FIRST "panic: at once\n" NEXT "in main\n" NEXT "...\n" NEXT "flood\n" NEXT
                           "flood\n" NEXT "flood\n" NEXT "flood\n");
}

TEST(an_excerpt_is_escaped) {
    ck_assert_str_eq(excerpt_of("\033[2J\r\xff\tx\n\x07"),
                     FIRST "\\x1b[2J\\x0d\\xff\tx\n" NEXT "\\x07\n");
}
