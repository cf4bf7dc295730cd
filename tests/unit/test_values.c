/* Texts that people write and read: numbers, seeds, signatures, sites, patterns, shares. A row
 * names a function from text to text, and what it makes of some: "10k=10000|" for one that is
 * taken, "10K|" for one that is refused and leaves its value alone. */
#include "confidence.h"
#include "failure.h"
#include "numbers.h"
#include "seed_input.h"
#include "signature_filter.h"
#include "suite.h"
#include "tally.h"

#include <inttypes.h>

enum { OUT_MAX = 2 * SITE_TEXT_MAX };

/* ---- Readers ---- */

static bool number_of(bool is_taken, const uint64_t *value, char *out) {
    ck_assert(is_taken || *value == 4711);
    sprintf(out, "%" PRIu64, *value);
    return is_taken;
}

static bool count(const char *text, char *out) {
    uint64_t value = 4711;
    return number_of(numbers_parse_count(text, &value), &value, out);
}

static bool plain_seed(const char *text, char *out) {
    uint64_t value = 4711;
    return number_of(numbers_parse_seed(text, &value), &value, out);
}

static bool size(const char *text, char *out) {
    uint64_t value = 4711;
    return number_of(numbers_parse_size(text, &value), &value, out);
}

static bool duration(const char *text, char *out) {
    int64_t value = 4711;
    return number_of(numbers_parse_duration(text, &value), (const uint64_t *)&value, out);
}

static bool seed(const char *text, char *out) {
    seed_input t = {.size = 41, .seed = 4711, .style = SEED_STYLED};
    const bool is_taken = seed_text_parse(text, &t);
    ck_assert(t.size == 41 && (is_taken || (t.seed == 4711 && t.style == SEED_STYLED)));
    seed_text_format(out, &t);
    return is_taken;
}

static bool identity(const char *text, char *out) {
    signature id = {SIGNATURE_SIGNAL, 4711};
    const bool is_taken = signature_parse(text, &id);
    ck_assert(is_taken || id.value == 4711);
    if (is_taken) signature_format(id, out);
    return is_taken;
}

static bool pattern(const char *text, char *out) {
    signature_pattern p;
    strcpy(out, "taken");
    return signature_pattern_parse(text, &p);
}

static bool share(const char *text, char *out) {
    requirement r = {.label = "kept"};
    const bool is_taken = requirement_parse(text, &r);
    ck_assert(is_taken ? r.text == text : strcmp(r.label, "kept") == 0);
    sprintf(out, "%s, %g", r.label, r.percent);
    return is_taken;
}

/* ---- Writers, of decimal numbers ---- */

static bool written_count(const char *text, char *out) {
    return numbers_format_count(out, strtoull(text, NULL, 10)) == out;
}

static bool written_size(const char *text, char *out) {
    return numbers_format_size(out, strtoull(text, NULL, 10)) == out;
}

static bool written_duration(const char *text, char *out) {
    return numbers_format_duration(out, strtoll(text, NULL, 10)) == out;
}

/* Of milliseconds. */
static bool written_elapsed(const char *text, char *out) {
    return numbers_format_elapsed(out, strtoll(text, NULL, 10) * 1000000) == out;
}

/* "COUNT in NANOSECONDS" */
static bool written_rate(const char *text, char *out) {
    const char *span = strstr(text, " in ") + 4;
    return numbers_format_rate(out, strtod(text, NULL) * 1e9 / strtod(span, NULL), "run") == out;
}

/* "FAILED of RUNS" */
static bool written_interval(const char *text, char *out) {
    const uint64_t runs = strtoull(strstr(text, " of ") + 4, NULL, 10);
    return rate_format(rate_of(strtoull(text, NULL, 10), runs), out) == out;
}

static bool written_bound(const char *text, char *out) {
    return rate_format_bound(strtod(text, NULL), out) == out;
}

/* "KIND, PLACE" as one text, and split again. */
static bool site(const char *text, char *out) {
    char kind[SITE_MAX], place[SITE_MAX], split[2][SITE_MAX];
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(text, ","), text);
    snprintf(place, sizeof place, "%s", strchr(text, ',') + 1);
    site_join(kind, place, out);
    site_split(out, split[0], split[1]);
    if (strpbrk(place, "\033\n") != NULL) return true; /* it is escaped */
    ck_assert_str_eq(split[0], kind);
    ck_assert_str_eq(split[1], place);
    return true;
}

/* "SIGNATURE, SITE" */
static bool failure_text(const char *text, char *out) {
    char name[SIGNATURE_TEXT_MAX];
    signature id;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ","), text);
    ck_assert(signature_parse(name, &id));
    return site_format(id, strchr(text, ',') + 1, out) == out;
}

/* A place without its step; refused if the place is an address. */
static bool line_of(const char *text, char *out) {
    sprintf(out, "%.*s", (int)site_line_length(text), text);
    return !site_is_address(text);
}

/* "SITE, SITE": may they be of one bug? A site with a ? was not shown yet. */
static bool one_bug(const char *text, char *out) {
    failure a = {.is_site_known = text[0] != '?'}, b = {.is_site_known = true};
    const char *second = strchr(text, ',') + 1;
    if (a.is_site_known) snprintf(a.site, sizeof a.site, "%.*s", (int)strcspn(text, ","), text);
    b.is_site_known = second[0] != '?';
    if (b.is_site_known) snprintf(b.site, sizeof b.site, "%s", second);
    strcpy(out, "yes");
    ck_assert_int_eq(failure_is_alike(&a, &b), failure_is_alike(&b, &a));
    return failure_is_alike(&a, &b);
}

/* "PATTERN, SIGNATURE, SITE": does --only PATTERN want it? */
static bool match(const char *text, char *out) {
    char parts[3][SITE_TEXT_MAX];
    signature_filter f = {.only = {.count = 1}};
    signature id;
    ck_assert_int_eq(sscanf(text, "%[^,],%[^,],%[^,]", parts[0], parts[1], parts[2]), 3);
    ck_assert_msg(signature_pattern_parse(parts[0], &f.only.list[0]) &&
                      signature_parse(parts[1], &id),
                  "%s", text);
    const bool is_known = parts[2][0] != '?';
    const char *place = is_known && strcmp(parts[2], "-") != 0 ? parts[2] : "";
    const signature_match m = signature_filter_match(&f, id, place, is_known);
    strcpy(out, m == SIGNATURE_MATCH_UNKNOWN ? "unknown" : "yes");
    return m != SIGNATURE_DIFFERS;
}

/* ---- Rows ---- */

#define NO_NUMBER                                                                                  \
    "| | 1|1 |\t1|1\n|10 k|4 K|0x "                                                                \
    "1|-1|+1|1.5|1e3|one|1,000|0b1|--|0x|0X|x1|1x|K|KM|1\xff|\xd9\xa1|"                            \
    "1_0|#1|18446744073709551616|18446744073709551620|99999999999999999999999999|"
#define MAX "18446744073709551615"

static const struct {
    bool (*reads)(const char *text, char *out);
    const char *all;
} rows[] = {
    {count, "0=0|007=7|" MAX "=" MAX "|10k=10000|0G=0|3M=3000000|18446744073G=18446744073000000000|"
            "00000000000" MAX "=" MAX "|10K=10000|2m=2000000|10kB|0x10|18446744074G|"
            "18446744073709552k|10kk|10ki|1.5k|k|a|" NO_NUMBER},
    {plain_seed,
     "0=0|0x0=0|010=10|0xDEADbeef=3735928559|0XfF=255|0x00000000000000000001=1|" MAX "=" MAX "|"
     "0xffffffffffffffff=" MAX "|0x10000000000000000|0xg|0x-1|0x0x1|ff|1f|10k|" NO_NUMBER},
    {size,
     "0=0|0G=0|16=16|4K=4096|1M=1048576|2G=2147483648|4KiB=4096|4k=4096|4KB=4096|10MB=10485760|"
     "4kib=4096|"
     "1gb=1073741824|4Ki=4096|41B=41|1MiB=1048576|2GiB=2147483648|" MAX "=" MAX "|"
     "17179869183G=18446744072635809792|17179869184G|18014398509481984K|4KK|4KBB|4iB|4KiBs|4Bi|B|"
     "17179869184GiB|4T|1.5M|" NO_NUMBER},
    {duration, "10s=10000000000|250ms=250000000|1.5h=5400000000000|2m=120000000000|0.000001ms=1|0."
               "000000001s=1|"
               "00.100000000s=100000000|0.999999999h=3599999996400|9223372035s=9223372035000000000|"
               "1h0m30.5s=3630500000000|1h2m3s4ms=3723004000000|0h90m=5400000000000|2562046h="
               "9223365600000000000|"
               "|s|10|ms|-1s|+1s| 1s|1s |1 "
               "s|0s|0.0h|0ms|.5s|1.s|1..5s|1.5.5s|1S|1sec|1us|1ns|1d|30m1h|1h1h|1h30|"
               "h30m|1.5h30m|1h 30m|1h-30m|1ms1s|0h0m|1e3s|0x1s|1,5s|0.0000000001s|1.-5s|1.+5s|1. "
               "5s|infs|nans|1m s|"
               "1mss|0.0000001ms|2562047.999999999h|9223372037s|" MAX "ms|18446744073709551616ms|"
               "99999999999999999999999h|2562046h2562046h|2562046h153722866m|"},
    {seed,
     "0=0|17=17|007=7|0x11=17|0XfF=255|" MAX "=" MAX
     "|0000000000000000000001=1|0s=0s|17s=17s|0x11s=17s|"
     "0Xffs=255s|6801666893750869883s=6801666893750869883s|0xffffffffffffffffs=" MAX "s|"
     "| |s|S|17S|17ss|s17|17 s|17s | "
     "17s|17s\n|1s7|17.0s|-17s|+17s|0xs|0xsff|0x|xs|17sx|17x|17st|17sec|1e3s|ffs|"
     "17\xff|17s\xff|17,5|17s,5|17:40s|styled|\xd9\xa1s|18446744073709551616|18446744073709551616s|"
     "0x10000000000000000s|"},
    {identity,
     "exit:1=exit:1|exit:3=exit:3|exit:255=exit:255|signal:ABRT=signal:SIGABRT|"
     "signal:6=signal:SIGABRT|signal:SIGHUP=signal:SIGHUP|signal:33=signal:33|"
     "signal:SIGCHLD=signal:SIGCHLD|timeout=timeout|"
     "|exit|exit:|exit:0|exit:256|exit:-1|exit:+1|exit: 1|exit:1 |exit:0x1|exit:001|exit:01|"
     "exit:4294967297|exit:99999999999999999999|exit:1.0|exit:SIGABRT|EXIT:1| "
     "exit:1|signal|signal:|"
     "signal:0|signal:65|signal:-6|signal:06|signal:SIG|signal:abrt|signal:SIGabrt|signal:"
     "SIGSIGABRT|"
     "signal:SIG6|signal:NO|signal:IOT|signal:ABRT "
     "|signal:ABR|signal:RTMIN|signal:SIGRTMIN+|signal:SIGRTMIN+31|"
     "signal:SIGRTMIN+-1|signal:SIGRTMIN+00|signal:SIGRTMIN+01|timeout:|timeout:1|timeou|timeouts|"
     "Timeout|"
     "pass|exit:3\n|exit:\xc2\xb3|"},
    {pattern, "exit:1=taken|signal:*=taken|asan:SEGV=taken|a.c:7=taken|exit:1 at a=taken|*=taken|"
              "|exit:0|exit:256|exit|signal:NONE|foo:bar|a:7|a.c:x|a.c|asan:|timeouts|exit:1 at "
              "|*x|exit:*1|x*|"
              "time out|exit:1*2|signal:SIGABRT a.c|exit:1at a|signal:* at a.c:*|"},
    {share, "long:1%=long, 1|a: b:0.25%=a: b, 0.25|x:100%=x, 100|x:00.50%=x, 0.5|"
            "|long|long:|long:%|long:1|:1%|x:0%|x:0.0%|x:101%|x:-1%|x:+1%|x: 1%|x:1 "
            "%|x:1%%|x:1.%|x:.5%|x:1e1%|"
            "x:0x1%|x:inf%|x:nan%|x:1,5%|x:1%y|x:1.2.3%|x:100.01%|"},
    {written_count, "0=0|9=9|999=999|1000=1,000|12345=12,345|999999=999,999|1234567=1,234,567|" MAX
                    "=18,446,744,073,709,551,615|"},
    {written_size,
     "0=0|41=41|1023=1023|1024=1K|1025=1025|4194304=4M|8589934592=8G|5497558138880=5120G|"},
    {written_duration, "1=0.000001ms|500000=0.5ms|250000000=250ms|10000000000=10s|90000000000=90s|"
                       "120000000000=2m|7200000000000=2h|"},
    {written_elapsed,
     "0=0.00 s|400=0.40 s|9900=9.90 s|9999=9.99 s|10000=0:10|67000=1:07|3599000=59:59|"
     "3600000=1:00:00|360062000=100:01:02|9223372036854=2562047:47:16|"},
    {written_rate,
     "1000 in 2000000000=500/s|3000 in 1000000=3,000,000/s|0 in 1=0/s|3 in 3000000000=1.0 s/run|"
     "1 in 90000000000=90.0 s/run|2 in 1000000000=2/s|" MAX " in 1=1,000,000,000,000,000,000/s|" MAX
     " in 9223372036854775807=2,000,000,000/s|"},
    {written_interval,
     "18 of 20=90%, 95% confidence 68 to 99%|10 of 20=50%, 95% confidence 27 to 73%|"
     "1 of 20=5%, 95% confidence 0.1 to 25%|0 of 20=0%, 95% confidence 0 to 17%|"
     "20 of 20=100%, 95% confidence 83 to 100%|1 of 1000=0.1%, 95% confidence 0.002 to 0.6%|"
     "180 of 200=90%, 95% confidence 84 to 94%|999 of 1000=99.9%, 95% confidence 99.4 to 99.998%|"
     "0 of 0=0%, 95% confidence 0 to 100%|"},
    {written_bound,
     "0.06511=6.6%|0.065=6.5%|0.0512=5.2%|0.1391=14%|0.989=99%|0.00061=0.061%|0.000611=0.062%|"
     "0.0991=10%|0.01=1.0%|1=100%|"},
    {site, ",a.c:7=a.c:7|asan:SEGV,a.c:7=asan:SEGV at "
           "a.c:7|glibc:x,=glibc:x|,std::bad_alloc=std::bad_alloc|,=|"
           ",a\x1b[2J\n.c=a\\x1b[2J\\x0a.c|"},
    {failure_text, "exit:1,=exit:1|signal:6,a.c:7=signal:SIGABRT at a.c:7|exit:1,asan:SEGV at "
                   "a.c:7=asan:SEGV at a.c:7|"
                   "exit:1,std::bad_alloc=exit:1 at std::bad_alloc|"},
    {line_of,
     "a.c:7=a.c:7|std::bad_alloc=std::bad_alloc|check in.c=check in.c|a in b=a in b|a.c:7 in "
     "pop=a.c:7|"
     "my in tray/a.c:7 in put in map=my in tray/a.c:7|asan:SEGV at a.c:7=asan:SEGV at a.c:7|"
     "a.c:7 'lost #'=a.c:7|a.c:7 in pop 'got #, not #'=a.c:7|it's a.c:7=it's a.c:7|"
     "a+0x1f.c:7=a+0x1f.c:7|asan:SEGV at a.out+0x1f+0x20|"},
    {one_bug,
     "a.c:7,a.c:7=yes|a.c:7,?=yes|,=yes|a.c:7,a.c:8|a.c:7,|asan:SEGV at a.c:7,asan:SEGV at "
     "a.out+0x1f+0x2=yes|"
     "asan:SEGV at a.c:7,asan:FPE at a.out+0x1f|asan:SEGV at a.out+0x1e,asan:SEGV at a.out+0x1f|"
     "a.c:7 'lost',a.c:7 'lost'=yes|a.c:7 'lost',a.c:7=yes|a.c:7 'lost',a.c:7 'twice'|"
     "a.c:7 in pop 'lost',a.c:7 in pop=yes|a.c:7 in pop 'lost',a.c:7|a.c:7 'lost',a.c:71|"},
    /* A signature alone matches any site, a place alone any signature, a line all of its steps. */
    {match,
     "exit:1,exit:1,?=yes|exit:1,exit:1,asan:SEGV at "
     "a.c:7=yes|exit:2,exit:1,-|signal:6,signal:6,a.c:7=yes|"
     "timeout,timeout,-=yes|a.c:7,signal:6,../src/a.c:7=yes|a.c:*,exit:1,asan:SEGV at a.c:7=yes|"
     "a.c:7,signal:6,a.c:71|a.c:7,signal:6,-|a.c:7,signal:6,?=unknown|"
     "a.c:7,signal:6,a.c:7 in pop=yes|a.c:7 *,signal:6,a.c:7 in pop=yes|a.c:7 *,signal:6,a.c:7=yes|"
     "signal:6 at a.c:7,signal:6,../src/a.c:7 in pop=yes|signal:6 at a.c:7 *,signal:6,a.c:7 in "
     "pop=yes|"
     "signal:6 at a.c:7 *,signal:6,a.c:7=yes|a.c:7,signal:6,a.c:71 in pop|a.c:7 *,signal:6,a.c:71 "
     "in pop|"
     "a.c:7,signal:6,b/a.c:7 'lost'=yes|a.c:7 in pop,signal:6,a.c:7 in pop 'lost'=yes|"
     "a.c:7 'lost',signal:6,b/a.c:7 'lost'=yes|a.c:7 'lost',signal:6,a.c:7 'twice'|"
     "signal:6 at a.c:7 'lost',signal:6,a.c:7|a.c:7 'lost',signal:6,a.c:71 'lost'|"
     "a.c:7 'lo*,signal:6,a.c:7 'lost'=yes|a.c:7,signal:6,a.c:71 'lost'|"
     "a.c:7 in pop,signal:6,src/a.c:7 in pop=yes|a.c:7 in pop,signal:6,a.c:7 in push|a.c:7 in "
     "pop,signal:6,a.c:7|"
     "signal:6 at a.c:*,signal:6,../src/a.c:7=yes|signal:6 at ../src/*,signal:6,../src/a.c:7=yes|"
     "signal:6 at a.c:7,signal:6,a.c:71|signal:6 at a.c:7,exit:1,a.c:7|exit:1 at *,exit:1,-|"
     "exit:1 at a.c:7,exit:1,asan:SEGV at a.c:7=yes|"},
    /* A kind matches however the process ended, a star any rest; what no run has shown is open. */
    {match,
     "asan:SEGV,exit:1,asan:SEGV at a.c:7=yes|asan:*,signal:6,asan:SEGV at a.c:7=yes|"
     "asan:SEGV at a.c:7,exit:1,asan:SEGV at a.c:7=yes|asan:SEGV at a.c:*,exit:1,asan:FPE at a.c:7|"
     "asan:SEGV,exit:1,-|*,timeout,?=yes|signal:*,signal:6,a.c:7=yes|signal:SIGA*,signal:6,-=yes|"
     "signal:SIGS*,signal:6,-|exit:1 at a.c:7,exit:1,?=unknown|asan:*,exit:1,?=unknown|"
     "exit:2 at a.c:7,exit:1,?|timeout at "
     "a.c:7,exit:1,?|exit*,signal:6,exit.c:7|signal:*,exit:1,?|"}};

TEST_EACH(texts_are_read_and_written, sizeof rows / sizeof *rows) {
    for (const char *at = rows[_i].all; *at != '\0'; at = strchr(at, '|') + 1) {
        char in[256], out[OUT_MAX] = "";
        snprintf(in, sizeof in, "%.*s", (int)strcspn(at, "|"), at);
        char *wanted = strrchr(in, '=');
        if (wanted != NULL) *wanted++ = '\0';
        const bool is_taken = rows[_i].reads(in, out);
        ck_assert_msg(is_taken == (wanted != NULL), "'%s' is %s", in,
                      is_taken ? "taken" : "refused");
        if (wanted != NULL) ck_assert_msg(strcmp(out, wanted) == 0, "'%s' is '%s'", in, out);
    }
}

/* ---- What is written is read back ---- */

TEST(what_is_written_is_read_back) {
    static const int64_t spans_ns[] = {1,
                                       999,
                                       500000,
                                       1000000,
                                       1500000,
                                       1000001,
                                       333333333,
                                       3599999996400,
                                       9223365600000000000,
                                       9223365600000000001};
    char out[OUT_MAX];
    for (int shift = 0; shift < 64; shift++) {
        for (uint64_t value = (UINT64_C(1) << shift) - 1; value <= (UINT64_C(1) << shift) + 1;
             value++) {
            const seed_input t = {.seed = value,
                                  .style = shift % 2 == 0 ? SEED_PLAIN : SEED_STYLED};
            uint64_t back;
            seed_input t_back;
            ck_assert(numbers_parse_size(numbers_format_size(out, value), &back) && back == value);
            ck_assert(seed_text_parse(seed_text_format(out, &t), &t_back));
            ck_assert(t_back.seed == t.seed && t_back.style == t.style);
        }
    }
    for (size_t i = 0; i < sizeof spans_ns / sizeof *spans_ns; i++) {
        int64_t back;
        ck_assert(numbers_parse_duration(numbers_format_duration(out, spans_ns[i]), &back));
        ck_assert_int_eq(back, spans_ns[i]);
    }
    for (int i = 1; i < 256 + SIGRTMAX; i++) {
        const signature id =
            i < 256 ? (signature){SIGNATURE_EXIT, i} : (signature){SIGNATURE_SIGNAL, i - 255};
        signature back;
        ck_assert_msg(signature_parse(signature_format(id, out), &back), "%s", out);
        ck_assert(signature_equal(id, back));
#ifdef __GLIBC__
        const char *name = i > 255 ? sigabbrev_np(i - 255) : NULL;
        if (name != NULL) ck_assert_str_eq(out + strlen("signal:SIG"), name);
#endif
    }
    ck_assert_str_eq(signature_format((signature){SIGNATURE_SIGNAL, SIGRTMIN + 2}, out),
                     "signal:SIGRTMIN+2");
}

/* What programs print is cut to the room of a site, and a label to what is kept of it. */
TEST(long_texts_are_cut) {
    char longest[2 * SITE_MAX], out[SITE_MAX];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    site_join(longest, longest, out);
    ck_assert_uint_lt(strlen(out), SITE_MAX);
    site_join("", longest, out);
    ck_assert_uint_lt(strlen(out), SITE_PLACE_MAX);
    strcpy(longest + 100, ":50%");
    requirement r;
    ck_assert(requirement_parse(longest, &r));
    ck_assert_uint_eq(strlen(r.label), sizeof r.label - 1);
}

/* ---- Filters, and seeds ---- */

TEST(a_filter_wants_one_of_only_and_none_of_the_ignored) {
    static const signature aborted = {SIGNATURE_SIGNAL, 6}, exited = {SIGNATURE_EXIT, 1},
                           hung = {SIGNATURE_TIMEOUT, 0};
    signature_filter f = {0};
    ck_assert(signature_filter_is_empty(&f));
    ck_assert_int_eq(signature_filter_match(&f, exited, "", false), SIGNATURE_MATCHES);
    ck_assert(signature_pattern_parse("exit:1 at a.c:*", &f.ignored.list[f.ignored.count++]));
    ck_assert(!signature_filter_is_empty(&f));
    ck_assert_int_eq(signature_filter_match(&f, exited, "a.c:7", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(signature_filter_match(&f, exited, "b.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(signature_filter_match(&f, exited, "", false), SIGNATURE_MATCH_UNKNOWN);
    ck_assert(signature_pattern_parse("signal:*", &f.only.list[f.only.count++]));
    ck_assert(signature_pattern_parse("exit:1", &f.only.list[f.only.count++]));
    ck_assert_int_eq(signature_filter_match(&f, aborted, "a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(signature_filter_match(&f, exited, "b.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(signature_filter_match(&f, hung, "", true), SIGNATURE_DIFFERS);
    ignored_counts ignored = {0}; /* by signature and site, as far as there is room */
    for (int i = 0; i < 3 * IGNORED_MAX; i++) {
        failure one = {.signature = {SIGNATURE_EXIT, 1 + i / 2}};
        one.site[0] = (char)('a' + i % 2);
        ignored_add(&ignored, &one, 1);
        if (i < 2 * IGNORED_MAX) ignored_add(&ignored, &one, 1);
    }
    ck_assert(ignored.count == IGNORED_MAX && ignored.list[0].runs == 2);
    ck_assert_uint_eq(ignored.rest, 3 * IGNORED_MAX);
}

/* An --rng-seed repeats its search in every version, so these answers are frozen. Consecutive runs
 * have consecutive seeds; a resumed search begins far above the numbers of one that begins. */
TEST(seeds_of_searches_are_frozen) {
    static const struct {
        uint64_t master_seed, size, number, seed;
    } fresh[] = {
        {0, 0, 0, UINT64_C(0xa706dd2f4d197e6f)},
        {0, 1, 0, UINT64_C(0x08b4fda8c892b50e)},
        {1, 1, 0, UINT64_C(0xe9fd6049d65af21e)},
        {92, 4096, 0, UINT64_C(0x37b7be227ca4b248)},
        {92, 4096, 7, UINT64_C(0x37b7be227ca4b24f)},
        {92, 4096, UINT64_MAX, UINT64_C(0x37b7be227ca4b247)},
        {UINT64_MAX, UINT64_C(8589934592), 0, UINT64_C(0x5821fe7f24be9f26)},
        {4660, 41, UINT64_C(1) << 62, UINT64_C(0xffd52bb2b512be95)},
    };
    static const struct {
        seed_input best;
        uint64_t number;
    } resumed[] = {{{0, 0, SEED_PLAIN}, UINT64_C(0x69c1b74bd3465f9b)},
                   {{41, 16842751, SEED_PLAIN}, UINT64_C(0x6ea4ef144149cec7)},
                   {{4096, UINT64_MAX, SEED_PLAIN}, UINT64_C(0x6122be9d38af97c7)}};
    for (size_t i = 0; i < sizeof fresh / sizeof *fresh; i++)
        ck_assert_uint_eq(seed_input_fresh(fresh[i].master_seed, fresh[i].size, fresh[i].number),
                          fresh[i].seed);
    for (size_t i = 0; i < sizeof resumed / sizeof *resumed; i++)
        ck_assert_uint_eq(seed_input_resumed(resumed[i].best), resumed[i].number);
    for (uint64_t seed = 0; seed < 100; seed++) {
        const seed_input plain = {41, seed, SEED_PLAIN}, styled = {41, seed, SEED_STYLED};
        ck_assert_uint_eq(seed_input_resumed(plain) >> 62, 1);
        ck_assert_uint_ne(seed_input_resumed(plain), seed_input_resumed(styled));
    }
}

TEST(smaller_is_better_and_the_order_is_total) {
    const seed_input order[] = {{0, 0, SEED_PLAIN},
                                {0, UINT64_MAX, SEED_PLAIN},
                                {1, 0, SEED_PLAIN},
                                {1, 0, SEED_STYLED},
                                {1, 1, SEED_PLAIN},
                                {1, 9, SEED_STYLED},
                                {1, UINT64_MAX, SEED_PLAIN},
                                {UINT64_MAX, 0, SEED_PLAIN},
                                {UINT64_MAX, UINT64_MAX, SEED_PLAIN}};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
            ck_assert_int_eq(seed_input_less(order[i], order[k]), i < k);
            ck_assert_int_eq(seed_input_equal(order[i], order[k]), i == k);
        }
    }
}

SUITE(.timeout_s = 60);
