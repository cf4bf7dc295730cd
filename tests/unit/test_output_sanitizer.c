/* output_site.h on reports of sanitizers, as programs of gcc 12 and clang 14 print them. */
#include "fixture.h"
#include "output_site.h"

static const char *site_of(const char *text) {
    static char site[SITE_MAX];
    static bytes_tail output;
    memset(&output, 0, sizeof output);
    bytes_tail_add(&output, (const uint8_t *)text, strlen(text));
    output_site(&output, NULL, site);
    return site;
}

TEST(a_frame_of_the_program_comes_before_those_of_the_sanitizer) {
    ck_assert_str_eq(
        site_of(
            "=================================================================\n"
            "==16711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018 at "
            "pc 0x7f8e24448061 bp 0x7ffd82f2ff60 sp 0x7ffd82f2f710\n"
            "WRITE of size 16 at 0x602000000018 thread T0\n"
            "    #0 0x7f8e24448060 in __interceptor_memcpy "
            "../../../../src/libsanitizer/sanitizer_common/sanitizer_common_interceptors.inc:827\n"
            "    #1 0x55bb9b6138a3 in main /home/me/t/h.c:9\n"
            "    #2 0x7f8e23a45249 in __libc_start_call_main "
            "../sysdeps/nptl/libc_start_call_main.h:58\n"
            "    #3 0x7f8e23a45304 in __libc_start_main_impl ../csu/libc-start.c:360\n"
            "    #4 0x55bb9b613210 in _start (/home/me/t/h-gcc+0x2210)\n"
            "\n"
            "0x602000000018 is located 0 bytes to the right of 8-byte region "
            "[0x602000000010,0x602000000018)\n"
            "allocated by thread T0 here:\n"
            "    #0 0x7f8e244b89cf in __interceptor_malloc "
            "../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69\n"
            "SUMMARY: AddressSanitizer: heap-buffer-overflow "
            "../../../../src/libsanitizer/sanitizer_common/sanitizer_common_interceptors.inc:827 "
            "in __interceptor_memcpy\n"),
        "asan:heap-buffer-overflow at h.c:9");
}

TEST(a_report_of_clang_has_columns_and_build_ids) {
    ck_assert_str_eq(
        site_of("=================================================================\n"
                "==16751==ERROR: AddressSanitizer: attempting double-free on 0x602000000010 in "
                "thread T0:\n"
                "    #0 0x55c6a73b9eb2 in free (/home/me/t/h-clang+0xa3eb2) (BuildId: 587a9af2)\n"
                "    #1 0x55c6a73f56de in main /home/me/t/h.c:11:22\n"
                "    #2 0x7fea3d6ee249 in __libc_start_call_main "
                "csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n"
                "    #3 0x7fea3d6ee304 in __libc_start_main csu/../csu/libc-start.c:360:3\n"
                "    #4 0x55c6a7337310 in _start (/home/me/t/h-clang+0x21310) (BuildId: 587a9af2)\n"
                "\n"
                "0x602000000010 is located 0 bytes inside of 8-byte region "
                "[0x602000000010,0x602000000018)\n"
                "freed by thread T0 here:\n"
                "    #0 0x55c6a73b9eb2 in free (/home/me/t/h-clang+0xa3eb2) (BuildId: 587a9af2)\n"
                "    #1 0x55c6a73f56d2 in main /home/me/t/h.c:11:13\n"
                "SUMMARY: AddressSanitizer: double-free (/home/me/t/h-clang+0xa3eb2) (BuildId: "
                "587a9af2) in free\n"),
        "asan:double-free at h.c:11");
}

TEST(a_first_frame_of_the_program_is_the_place) {
    ck_assert_str_eq(
        site_of(
            "=================================================================\n"
            "==16713==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at "
            "pc 0x56084360f95d bp 0x7ffcf49e0fd0 sp 0x7ffcf49e0fc8\n"
            "READ of size 1 at 0x602000000010 thread T0\n"
            "    #0 0x56084360f95c in main /home/me/t/h.c:10\n"
            "    #1 0x7f8c7c245249 in __libc_start_call_main "
            "../sysdeps/nptl/libc_start_call_main.h:58\n"
            "    #2 0x7f8c7c245304 in __libc_start_main_impl ../csu/libc-start.c:360\n"
            "    #3 0x56084360f210 in _start (/home/me/t/h-gcc+0x2210)\n"
            "\n"
            "0x602000000010 is located 0 bytes inside of 8-byte region "
            "[0x602000000010,0x602000000018)\n"
            "freed by thread T0 here:\n"
            "    #0 0x7f8c7ccb76a8 in __interceptor_free "
            "../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:52\n"
            "    #1 0x56084360f8bf in main /home/me/t/h.c:10\n"
            "    #2 0x7f8c7c245249 in __libc_start_call_main "
            "../sysdeps/nptl/libc_start_call_main.h:58\n"
            "SUMMARY: AddressSanitizer: heap-use-after-free /home/me/t/h.c:10 in main\n"),
        "asan:heap-use-after-free at h.c:10");
}

TEST(a_free_of_what_was_not_allocated_is_a_kind) {
    ck_assert_str_eq(
        site_of("=================================================================\n"
                "==16772==ERROR: AddressSanitizer: attempting free on address which was not "
                "malloc()-ed: 0x602000000011 in thread T0\n"
                "    #0 0x557d42830eb2 in free (/home/me/t/h-clang+0xa3eb2) (BuildId: 587a9af2)\n"
                "    #1 0x557d4286ce2d in main /home/me/t/h.c:19:12\n"
                "    #2 0x7f33b4752249 in __libc_start_call_main "
                "csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n"
                "    #3 0x7f33b4752304 in __libc_start_main csu/../csu/libc-start.c:360:3\n"
                "    #4 0x557d427ae310 in _start (/home/me/t/h-clang+0x21310) (BuildId: 587a9af2)\n"
                "\n"
                "SUMMARY: AddressSanitizer: bad-free (/home/me/t/h-clang+0xa3eb2) (BuildId: "
                "587a9af2) in free\n"),
        "asan:bad-free at h.c:19");
}

TEST(a_stack_overflow_has_the_least_place_of_its_stack) {
    ck_assert_str_eq(
        site_of("AddressSanitizer:DEADLYSIGNAL\n"
                "=================================================================\n"
                "==16754==ERROR: AddressSanitizer: stack-overflow on address 0x7ffe076b0ee0 (pc "
                "0x5599aaee8046 bp 0x7ffe076b1470 sp 0x7ffe076b0ee0 T0)\n"
                "    #0 0x5599aaee8046 in other /home/me/t/h.c:8\n"
                "    #1 0x5599aaee81d3 in depth /home/me/t/h.c:5:70\n"
                "    #2 0x5599aaee81d3 in depth /home/me/t/h.c:5:70\n"
                "    #3 0x5599aaee81d3 in depth /home/me/t/h.c:5:70\n"
                "    #4 0x5599aaee81d3 in depth /home/me/t/h.c:5:70\n"
                "    #5 0x5599aaee81d3 in depth /home/me/t/h.c:5:70\n"
                "    #6 0x5599aaee81d3 in depth /home/me/t/h.c:5:70\n"
                "    #7 0x5599aaee81d3 in depth /home/me/t/h.c:5:70\n"
                "\n"
                "SUMMARY: AddressSanitizer: stack-overflow /home/me/t/h.c:5 in depth\n"),
        "asan:stack-overflow at h.c:5");
}

TEST(frames_of_gcc_without_symbols_give_an_address) {
    ck_assert_str_eq(
        site_of(
            "=================================================================\n"
            "==16712==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018 at "
            "pc 0x7f5fda248061 bp 0x7fff440e0b90 sp 0x7fff440e0340\n"
            "WRITE of size 16 at 0x602000000018 thread T0\n"
            "    #0 0x7f5fda248060  (/lib/x86_64-linux-gnu/libasan.so.8+0x48060)\n"
            "    #1 0x55eea7e5d8a3  (/home/me/t/h-gcc+0x28a3)\n"
            "    #2 0x7f5fd9845249  (/lib/x86_64-linux-gnu/libc.so.6+0x27249)\n"
            "    #3 0x7f5fd9845304  (/lib/x86_64-linux-gnu/libc.so.6+0x27304)\n"
            "    #4 0x55eea7e5d210  (/home/me/t/h-gcc+0x2210)\n"
            "\n"
            "SUMMARY: AddressSanitizer: heap-buffer-overflow "
            "(/lib/x86_64-linux-gnu/libasan.so.8+0x48060) \n"),
        "asan:heap-buffer-overflow at h-gcc+0x28a3+0x2210");
}

TEST(frames_of_clang_without_symbols_give_an_address) {
    ck_assert_str_eq(
        site_of(
            "=================================================================\n"
            "==16747==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018 at "
            "pc 0x558979e5253a bp 0x7ffce00b0470 sp 0x7ffce00afc40\n"
            "WRITE of size 16 at 0x602000000018 thread T0\n"
            "    #0 0x558979e52539  (/home/me/t/h-clang+0xa3539) (BuildId: 587a9af2)\n"
            "    #1 0x558979e8e544  (/home/me/t/h-clang+0xdf544) (BuildId: 587a9af2)\n"
            "    #2 0x7f61244e1249  (/lib/x86_64-linux-gnu/libc.so.6+0x27249) (BuildId: 93ac61ec)\n"
            "    #3 0x7f61244e1304  (/lib/x86_64-linux-gnu/libc.so.6+0x27304) (BuildId: 93ac61ec)\n"
            "    #4 0x558979dd0310  (/home/me/t/h-clang+0x21310) (BuildId: 587a9af2)\n"
            "\n"
            "SUMMARY: AddressSanitizer: heap-buffer-overflow (/home/me/t/h-clang+0xa3539) "
            "(BuildId: 587a9af2) \n"),
        "asan:heap-buffer-overflow at h-clang+0xa3539+0xdf544");
}

TEST(a_summary_in_a_header_of_the_system_names_no_place) {
    ck_assert_str_eq(
        site_of("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000\n"
                "SUMMARY: AddressSanitizer: SEGV /usr/include/string.h:10 in copy\n"),
        "asan:SEGV");
    ck_assert_str_eq(
        site_of("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000\n"
                "SUMMARY: AddressSanitizer: SEGV /home/me/t/h.c:10 in copy\n"),
        "asan:SEGV at h.c:10");
}

TEST(a_leak_is_where_it_was_allocated) {
    ck_assert_str_eq(site_of("\n"
                             "=================================================================\n"
                             "==16725==ERROR: LeakSanitizer: detected memory leaks\n"
                             "\n"
                             "Direct leak of 8 byte(s) in 1 object(s) allocated from:\n"
                             "    #0 0x7f38508b89cf in __interceptor_malloc "
                             "../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69\n"
                             "    #1 0x55c7084c45f8 in main /home/me/t/h.c:7\n"
                             "    #2 0x7f384fe45249 in __libc_start_call_main "
                             "../sysdeps/nptl/libc_start_call_main.h:58\n"
                             "\n"
                             "SUMMARY: AddressSanitizer: 8 byte(s) leaked in 1 allocation(s).\n"),
                     "lsan:leak at h.c:7");
}

TEST(a_leak_of_the_leak_sanitizer_alone_is_one_too) {
    ck_assert_str_eq(site_of("\n"
                             "=================================================================\n"
                             "==3225==ERROR: LeakSanitizer: detected memory leaks\n"
                             "\n"
                             "Direct leak of 7 byte(s) in 1 object(s) allocated from:\n"
                             "    #0 0x7fdd57413545 in __interceptor_malloc "
                             "../../../../src/libsanitizer/lsan/lsan_interceptors.cpp:75\n"
                             "    #1 0x561875458146 in leak /home/me/t/l.c:2\n"
                             "    #2 0x561875458164 in main /home/me/t/l.c:2\n"
                             "    #3 0x7fdd57245249 in __libc_start_call_main "
                             "../sysdeps/nptl/libc_start_call_main.h:58\n"
                             "\n"
                             "SUMMARY: LeakSanitizer: 7 byte(s) leaked in 1 allocation(s).\n"),
                     "lsan:leak at l.c:2");
}

TEST(a_use_of_uninitialized_memory) {
    ck_assert_str_eq(
        site_of(
            "==3415==WARNING: MemorySanitizer: use-of-uninitialized-value\n"
            "    #0 0x5557819b8399 in main /home/me/t/ms.c:2:36\n"
            "    #1 0x7f08f6948249 in __libc_start_call_main "
            "csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n"
            "    #2 0x7f08f6948304 in __libc_start_main csu/../csu/libc-start.c:360:3\n"
            "    #3 0x5557819322a0 in _start (/home/me/t/ms+0x212a0) (BuildId: d634c736)\n"
            "\n"
            "SUMMARY: MemorySanitizer: use-of-uninitialized-value /home/me/t/ms.c:2:36 in main\n"
            "Exiting\n"),
        "msan:use-of-uninitialized-value at ms.c:2");
}

TEST(a_data_race_is_at_the_least_of_its_two_accesses) {
    ck_assert_str_eq(site_of("==================\n"
                             "WARNING: ThreadSanitizer: data race (pid=3598)\n"
                             "  Write of size 4 at 0x55f9eeff4054 by main thread:\n"
                             "    #0 main /home/me/t/ts.c:2 (ts+0x1242)\n"
                             "\n"
                             "  Previous write of size 4 at 0x55f9eeff4054 by thread T1:\n"
                             "    #0 f /home/me/t/ts.c:1 (ts+0x11e8)\n"
                             "\n"
                             "  Location is global 'g' of size 4 at 0x55f9eeff4054 (ts+0x4054)\n"
                             "\n"
                             "  Thread T1 (tid=3602, finished) created by main thread at:\n"
                             "    #0 pthread_create "
                             "../../../../src/libsanitizer/tsan/tsan_interceptors_posix.cpp:1001 "
                             "(libtsan.so.2+0x5e686)\n"
                             "    #1 main /home/me/t/ts.c:2 (ts+0x1233)\n"
                             "\n"
                             "SUMMARY: ThreadSanitizer: data race /home/me/t/ts.c:2 in main\n"
                             "==================\n"
                             "ThreadSanitizer: reported 1 warnings\n"),
                     "tsan:data-race at ts.c:1");
}

TEST(a_data_race_without_symbols) {
    ck_assert_str_eq(
        site_of(
            "==================\n"
            "WARNING: ThreadSanitizer: data race (pid=3774)\n"
            "  Write of size 4 at 0x5567da3a5258 by main thread:\n"
            "    #0 <null> <null> (tsc+0xd016a) (BuildId: 969b0b21)\n"
            "    #1 <null> <null> (libc.so.6+0x27249) (BuildId: 93ac61ec)\n"
            "\n"
            "  Previous write of size 4 at 0x5567da3a5258 by thread T1:\n"
            "    #0 <null> <null> (tsc+0xd0114) (BuildId: 969b0b21)\n"
            "    #1 <null> <null> (tsc+0x51318) (BuildId: 969b0b21)\n"
            "\n"
            "  Location is global '<null>' at 0x000000000000 (tsc+0x1476258)\n"
            "\n"
            "  Thread T1 (tid=3804, finished) created by main thread at:\n"
            "    #0 <null> <null> (tsc+0x513ad) (BuildId: 969b0b21)\n"
            "    #1 <null> <null> (tsc+0xd015e) (BuildId: 969b0b21)\n"
            "    #2 <null> <null> (libc.so.6+0x27249) (BuildId: 93ac61ec)\n"
            "\n"
            "SUMMARY: ThreadSanitizer: data race (/home/me/t/tsc+0xd016a) (BuildId: 969b0b21) \n"
            "==================\n"
            "ThreadSanitizer: reported 1 warnings\n"),
        "tsan:data-race at tsc+0xd0114+0x51318");
}

TEST(undefined_behaviour_of_gcc) {
    ck_assert_str_eq(
        site_of("h.c:13:21: runtime error: signed integer overflow: 2147483647 + 1 cannot be "
                "represented in type 'int'\n"),
        "ubsan:signed-integer-overflow at h.c:13");
}

TEST(undefined_behaviour_of_clang) {
    ck_assert_str_eq(
        site_of("h.c:14:23: runtime error: applying zero offset to null pointer\n"
                "SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior h.c:14:23 in \n"),
        "ubsan:pointer-overflow at h.c:14");
}
