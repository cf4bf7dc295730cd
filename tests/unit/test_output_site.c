/* output_site.h on what real programs print: those of glibc 2.36, musl 1.2, libstdc++ 12,
 * Python 3.11, Rust 1.95, Java 17 and Node 20. test_output_sanitizer.c has the sanitizers. */
#include "fixture.h"
#include "output_site.h"

static const char *site_by(const regex_t *rule, const char *text) {
    static char site[SITE_MAX];
    static bytes_tail output;
    memset(&output, 0, sizeof output);
    bytes_tail_add(&output, (const uint8_t *)text, strlen(text));
    output_site(&output, rule, site);
    return site;
}

static const char *site_of(const char *text) { return site_by(NULL, text); }

static const char *site_by_rule(const char *rule, const char *text) {
    regex_t compiled;
    ck_assert_ptr_null(output_site_rule(rule, &compiled));
    const char *site = site_by(&compiled, text);
    regfree(&compiled);
    return site;
}

/* ---- Outputs that name nothing ---- */

TEST(an_output_without_a_failure_has_no_site) {
    ck_assert_str_eq(site_of(""), "");
    ck_assert_str_eq(site_of("\n\n"), "");
    ck_assert_str_eq(site_of("hello\nfile.c:12: is fine\nError\n"), "");
    ck_assert_str_eq(site_of("SUMMARY: of the day\nSanitizer: x\nTraceback\n  File \"\n"), "");
    ck_assert_str_eq(
        site_of("Assertion \nAssertion failed: \n: runtime error: \n: assertion failed"), "");
}

/* ---- Sanitizers, assertions, exceptions ---- */

TEST(an_assertion_of_glibc) {
    ck_assert_str_eq(site_of("as: as.c:2: main: Assertion `c==5 && \"x: y\"' failed.\n"
                             "Aborted\n"),
                     "as.c:2");
}

TEST(an_assertion_of_musl) {
    ck_assert_str_eq(site_of("Assertion failed: c==5 && \"x: y\" (as.c: main: 2)\n"), "as.c:2");
}

TEST(an_assertion_of_libstdcxx) {
    ck_assert_str_eq(
        site_of("/usr/include/c++/12/bits/stl_vector.h:1123: std::vector<_Tp, _Alloc>::reference "
                "std::vector<_Tp, _Alloc>::operator[](size_type) [with _Tp = int; _Alloc = "
                "std::allocator<int>; reference = int&; size_type = long unsigned int]: Assertion "
                "'__n < this->size()' failed.\n"
                "Aborted\n"),
        "stl_vector.h:1123");
}

TEST(an_uncaught_exception_has_its_type) {
    ck_assert_str_eq(site_of("terminate called after throwing an instance of 'my::bad'\n"
                             "  what():  no\n"
                             "way\n"
                             "Aborted\n"),
                     "my::bad");
}

TEST(a_check_of_the_heap) {
    ck_assert_str_eq(site_of("free(): double free detected in tcache 2\n"
                             "Aborted\n"),
                     "glibc:free-double-free-detected-in-tcache-2");
}

TEST(a_check_of_the_stack) {
    ck_assert_str_eq(site_of("*** stack smashing detected ***: terminated\n"),
                     "glibc:stack-smashing-detected");
}

TEST(the_last_exception_of_python_and_its_own_last_frame) {
    ck_assert_str_eq(
        site_of("Traceback (most recent call last):\n"
                "  File \"/home/me/t/p.py\", line 5, in <module>\n"
                "    f(\"{\")\n"
                "  File \"/home/me/t/p.py\", line 3, in f\n"
                "    return json.loads(x)\n"
                "           ^^^^^^^^^^^^^\n"
                "  File \"/usr/lib/python3.11/json/__init__.py\", line 346, in loads\n"
                "    return _default_decoder.decode(s)\n"
                "           ^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
                "  File \"/usr/lib/python3.11/json/decoder.py\", line 337, in decode\n"
                "    obj, end = self.raw_decode(s, idx=_w(s, 0).end())\n"
                "               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
                "  File \"/usr/lib/python3.11/json/decoder.py\", line 353, in raw_decode\n"
                "    obj, end = self.scan_once(s, idx)\n"
                "               ^^^^^^^^^^^^^^^^^^^^^^\n"
                "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: "
                "line 1 column 2 (char 1)\n"
                "\n"
                "The above exception was the direct cause of the following exception:\n"
                "\n"
                "Traceback (most recent call last):\n"
                "  File \"/home/me/t/p.py\", line 7, in <module>\n"
                "    raise ValueError(\"a\\nb: c\") from e\n"
                "ValueError: a\n"
                "b: c\n"),
        "python:ValueError at p.py:7");
}

TEST(frames_of_libraries_of_python_do_not_count) {
    ck_assert_str_eq(
        site_of("Traceback (most recent call last):\n"
                "  File \"/home/me/t/p.py\", line 5, in <module>\n"
                "    f(\"{\")\n"
                "  File \"/home/me/t/p.py\", line 3, in f\n"
                "    return json.loads(x)\n"
                "           ^^^^^^^^^^^^^\n"
                "  File \"/usr/lib/python3.11/json/__init__.py\", line 346, in loads\n"
                "    return _default_decoder.decode(s)\n"
                "           ^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
                "  File \"/usr/lib/python3.11/json/decoder.py\", line 337, in decode\n"
                "    obj, end = self.raw_decode(s, idx=_w(s, 0).end())\n"
                "               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
                "  File \"/usr/lib/python3.11/json/decoder.py\", line 353, in raw_decode\n"
                "    obj, end = self.scan_once(s, idx)\n"
                "               ^^^^^^^^^^^^^^^^^^^^^^\n"
                "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: "
                "line 1 column 2 (char 1)\n"),
        "python:json.decoder.JSONDecodeError at p.py:3");
}

TEST(a_panic_of_rust) {
    ck_assert_str_eq(
        site_of("\n"
                "thread 'main' (3954) panicked at R.rs:1:77:\n"
                "index out of bounds: the len is 1 but the index is 3\n"
                "stack backtrace:\n"
                "   0: __rustc::rust_begin_unwind\n"
                "             at /rustc/5980/library/std/src/panicking.rs:689:5\n"
                "   1: core::panicking::panic_fmt\n"
                "             at /rustc/5980/library/core/src/panicking.rs:80:14\n"
                "   2: core::panicking::panic_bounds_check\n"
                "             at /rustc/5980/library/core/src/panicking.rs:271:5\n"
                "   3: <usize as core::slice::index::SliceIndex<[T]>>::index\n"
                "   4: <alloc::vec::Vec<T,A> as core::ops::index::Index<I>>::index\n"
                "   5: R::main\n"
                "   6: core::ops::function::FnOnce::call_once\n"
                "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose "
                "backtrace.\n"),
        "rust:panic at R.rs:1");
}

TEST(a_panic_of_rust_before_1_73) {
    ck_assert_str_eq(
        site_of("thread 'main' panicked at 'called `Option::unwrap()`: 3, 4', src/main.rs:4:5\n"
                "note: run with `RUST_BACKTRACE=1`\n"),
        "rust:panic at main.rs:4");
}

TEST(a_panic_of_go) {
    ck_assert_str_eq(site_of("panic: runtime error: index out of range [5] with length 3\n"
                             "\n"
                             "goroutine 1 [running]:\n"
                             "internal/bytealg.f(...)\n"
                             "\t/usr/local/go/src/internal/bytealg/b.go:7\n"
                             "main.(*Queue).pop(...)\n"
                             "\t/home/me/queue/queue.go:31\n"
                             "main.main()\n"
                             "\t/home/me/queue/main.go:17 +0x1d\n"
                             "exit status 2\n"),
                     "go:panic at queue.go:31");
}

TEST(the_last_cause_of_java) {
    ck_assert_str_eq(
        site_of(
            "Exception in thread \"main\" java.lang.IllegalStateException: wrap\n"
            "\tat J.main(J.java:1)\n"
            "Caused by: java.lang.NumberFormatException: For input string: \"x\"\n"
            "\tat "
            "java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:"
            "67)\n"
            "\tat java.base/java.lang.Integer.parseInt(Integer.java:668)\n"
            "\tat java.base/java.lang.Integer.parseInt(Integer.java:786)\n"
            "\tat J.f(J.java:1)\n"
            "\tat J.main(J.java:1)\n"
            "\tat java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native "
            "Method)\n"),
        "java:java.lang.NumberFormatException at J.java:1");
}

TEST(an_error_of_node) {
    ck_assert_str_eq(
        site_of("/home/me/t/x.js:1\n"
                "function f(){ throw new TypeError(\"bad thing: 3\\n at all\"); }\n"
                "              ^\n"
                "\n"
                "TypeError: bad thing: 3\n"
                " at all\n"
                "    at f (/home/me/t/x.js:1:21)\n"
                "    at Object.<anonymous> (/home/me/t/x.js:2:1)\n"
                "    at Module._compile (node:internal/modules/cjs/loader:1521:14)\n"
                "    at Module._extensions..js (node:internal/modules/cjs/loader:1623:10)\n"
                "    at Module.load (node:internal/modules/cjs/loader:1266:32)\n"
                "    at Module._load (node:internal/modules/cjs/loader:1091:12)\n"
                "    at Function.executeUserEntryPoint [as runMain] "
                "(node:internal/modules/run_main:164:12)\n"
                "    at node:internal/main/run_main_module:28:49\n"
                "\n"
                "Node.js v20.20.2\n"),
        "node:TypeError at x.js:1");
}

/* ---- Choices ---- */

TEST(a_report_that_ends_the_process_comes_before_a_warning) {
    ck_assert_str_eq(site_of("a.c:3:5: runtime error: division by zero\n"
                             "prog: b.c:12: main: Assertion `x' failed.\n"),
                     "b.c:12");
    ck_assert_str_eq(site_of("a.c:3:5: runtime error: division by zero\n"
                             "a.c:9:1: runtime error: left shift of negative value -1\n"),
                     "ubsan:shift-base at a.c:9");
}

TEST(an_assertion_of_frng_keeps_its_folder) {
    ck_assert_str_eq(site_of("../src/q.c:31: assertion failed: a == b: 3\n"), "../src/q.c:31");
}

TEST(a_kind_without_a_place_of_the_program_is_the_site) {
    ck_assert_str_eq(site_of("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x12)\n"
                             "    #0 0x7f in strlen (/lib/x86_64-linux-gnu/libc.so.6+0x48060)\n"),
                     "asan:SEGV");
}

TEST(a_function_stands_for_a_file_without_debug_information) {
    ck_assert_str_eq(
        site_of("==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x7f\n"
                "    #0 0x7f8e in __interceptor_memcpy (/lib/libasan.so.8+0x48060)\n"
                "    #1 0x55bb in rax_insert(char const*, int) (/home/me/t/rax+0x28a3)\n"),
        "asan:heap-buffer-overflow at rax_insert");
}

TEST(a_summary_is_enough_where_the_stack_is_cut_away) {
    ck_assert_str_eq(
        site_of("SUMMARY: AddressSanitizer: heap-buffer-overflow /home/me/t/rax.c:1071:3 in f\n"),
        "asan:heap-buffer-overflow at rax.c:1071");
    ck_assert_str_eq(site_of("SUMMARY: ThreadSanitizer: data race /home/me/t/a.c:5 in f\n"),
                     "tsan:data-race at a.c:5");
}

TEST(a_long_output_is_searched_at_both_ends) {
    static bytes_tail output;
    char site[SITE_MAX];
    const char *first = "Traceback (most recent call last):\n  File \"/a/p.py\", line 3, in f\n";
    bytes_tail_add(&output, (const uint8_t *)first, strlen(first));
    for (int i = 0; i < 1000; i++) bytes_tail_add(&output, (const uint8_t *)"    f(x)\n", 9);
    bytes_tail_add(&output, (const uint8_t *)"\nValueError: x\n", 15);
    output_site(&output, NULL, site);
    ck_assert_str_eq(site, "");
    bytes_tail_add(&output, (const uint8_t *)"  File \"/a/p.py\", line 4, in f\nKeyError: 3\n", 43);
    output_site(&output, NULL, site);
    ck_assert_str_eq(site, "python:KeyError at p.py:4");
}

TEST(the_same_failure_in_another_process_has_the_same_site) {
    ck_assert_str_eq(site_of("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x12)\n"
                             "    #0 0x7f in f /a/x.c:3:1\n"),
                     site_of("==2==ERROR: AddressSanitizer: SEGV on unknown address 0x9 (pc 0x55)\n"
                             "    #0 0x99 in f /a/x.c:3:1\n"));
}

/* ---- Rules of users ---- */

TEST(a_rule_finds_its_first_group_or_its_whole_match) {
    ck_assert_str_eq(site_by_rule("bug ([0-9]+)", "x\nbug 17: y\nbug 18\n"), "17");
    ck_assert_str_eq(site_by_rule("bug [0-9]+", "x\nbug 17: y\n"), "bug 17");
    ck_assert_str_eq(site_by_rule("^bug( [0-9]+)?$", "a bug\nbug\n"), "bug");
    ck_assert_str_eq(site_by_rule("x.*", "ax\ny\n"), "x");
}

TEST(a_rule_comes_before_what_is_known_and_leaves_the_rest_to_it) {
    const char *text = "prog: b.c:12: main: Assertion `x' failed.\ncode 7\n";
    ck_assert_str_eq(site_by_rule("code ([0-9])", text), "7");
    ck_assert_str_eq(site_by_rule("code ([a-z])", text), "b.c:12");
}

TEST(what_a_rule_finds_is_escaped_and_cut) {
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    ck_assert_uint_lt(strlen(site_by_rule("x+", text)), SITE_PLACE_MAX);
    ck_assert_str_eq(site_by_rule("a.c", "a\x1b"
                                         "c\n"),
                     "a\\x1bc");
}

TEST(a_rule_that_is_none_has_a_reason) {
    regex_t compiled;
    const char *why = output_site_rule("a(b", &compiled);
    ck_assert_ptr_nonnull(why);
    ck_assert_ptr_nonnull(strstr(why, "("));
}
