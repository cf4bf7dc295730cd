/* external.h: external passes of all kinds as functions, through reduce_run: what they make is
 * tried, and those that are of no use are set aside. */
#include "drawn.h"
#include "suite.h"

#include <sys/mman.h>

/* ---- Generators ---- */

/* Makes instance `number` of *size bytes, in place, and may grow. False if there is none. */
typedef bool guest_function(uint64_t number, uint8_t *bytes, size_t *size);

static void cut(uint8_t *bytes, size_t *size, size_t first, size_t end) {
    memmove(bytes + first, bytes + end, *size - end);
    *size -= end - first;
}

/* Leaves out word `number`, each of which ends with a comma. */
static bool leave_out_word(uint64_t number, uint8_t *bytes, size_t *size) {
    size_t first = 0;
    for (; number > 0 && first < *size; first++) number -= bytes[first] == ',';
    size_t end = first;
    while (end < *size && bytes[end] != ',') end++;
    if (number > 0 || end == *size) return false;
    cut(bytes, size, first, end + 1);
    return true;
}

/* Leaves out letter `number` of those that stand beside another letter. */
static bool leave_out_letter(uint64_t number, uint8_t *bytes, size_t *size) {
    for (size_t i = 0; i < *size; i++) {
        const bool is_last = i + 1 == *size || bytes[i + 1] == ',';
        const bool is_alone = is_last && (i == 0 || bytes[i - 1] == ',');
        if (bytes[i] == ',' || is_alone || number-- > 0) continue;
        cut(bytes, size, i, i + 1);
        return true;
    }
    return false;
}

/* As large as before, and simpler: an a for letter `number` of those that are none. */
static bool lower_letter(uint64_t number, uint8_t *bytes, size_t *size) {
    for (size_t i = 0; i < *size; i++) {
        if (bytes[i] <= 'a' || number-- > 0) continue;
        bytes[i] = 'a';
        return true;
    }
    return false;
}

/* Of no use, and always the same. */
static bool empty_all(uint64_t number, uint8_t *bytes, size_t *size) {
    (void)number, (void)bytes;
    *size = 0;
    return true;
}

/* Of no use, and two in turn. */
static bool go_in_circles(uint64_t number, uint8_t *bytes, size_t *size) {
    cut(bytes, size, number % 2, number % 2 + 1);
    return true;
}

static bool grow(uint64_t number, uint8_t *bytes, size_t *size) {
    for (uint64_t i = 0; i <= number; i++) bytes[(*size)++] = 'a';
    return true;
}

/* Those without a function leave what they were given. */
typedef struct guest {
    char letter;
    guest_function *make;
    external_pass_answer otherwise; /* or if that makes nothing */
    uint64_t breaks_at;             /* 0: never */
} guest;

static const guest all_guests[] = {
    {'w', leave_out_word, EXTERNAL_PASS_NONE, 0}, {'l', leave_out_letter, EXTERNAL_PASS_NONE, 0},
    {'a', lower_letter, EXTERNAL_PASS_NONE, 0},   {'o', go_in_circles, EXTERNAL_PASS_NONE, 0},
    {'e', empty_all, EXTERNAL_PASS_NONE, 0},      {'g', grow, EXTERNAL_PASS_NONE, 0},
    {'s', NULL, EXTERNAL_PASS_MADE, 0},           {'c', NULL, EXTERNAL_PASS_BROKEN, 0},
    {'h', NULL, EXTERNAL_PASS_HUNG, 0},           {'n', NULL, EXTERNAL_PASS_NONE, 0},
    {'b', leave_out_word, EXTERNAL_PASS_NONE, 1},
};

enum { GUESTS_MAX = 8 };

static const guest *guests[GUESTS_MAX];
static external_pass external_passes[GUESTS_MAX];

/* What workers and this process share. */
typedef struct report_shm {
    unsigned asked[GUESTS_MAX];
    unsigned tried, odd;
} report_shm;

static report_shm *seen;

/* ---- The predicate ---- */

/* An x, a y and a z in this order, and never more bytes than there were. */
static bool has_x_y_z(const uint8_t *bytes, uint64_t size) {
    const char *next = "xyz";
    for (uint64_t i = 0; i < size && *next != '\0'; i++) next += bytes[i] == (uint8_t)*next;
    return *next == '\0';
}

static outcome judge(const candidate_set *given, uint32_t index) {
    const bool has = has_x_y_z(candidate_set_bytes(given, index), candidate_set_size(given, index));
    __atomic_add_fetch(&seen->tried, 1, __ATOMIC_SEQ_CST);
    return outcome_of_status(has ? SIGABRT : 0);
}

static outcome ask(void *context, candidate_set *given, uint32_t index, bool capture) {
    (void)context, (void)capture;
    if (given->external_pass == NULL) return judge(given, index);
    const size_t who = (size_t)(given->external_pass - external_passes);
    size_t size = (size_t)given->ends[0];
    uint8_t *made = given->bytes + size;
    if (given->count != 1 || index != 0 || !has_x_y_z(given->bytes, size)) seen->odd++;
    __atomic_fetch_add(&seen->asked[who], 1, __ATOMIC_SEQ_CST);
    memcpy(made, given->bytes, size);
    const guest *g = guests[who];
    const bool breaks = g->breaks_at > 0 && given->number >= g->breaks_at;
    const bool is_made = !breaks && g->make != NULL && g->make(given->number, made, &size);
    given->answer = breaks ? EXTERNAL_PASS_BROKEN : is_made ? EXTERNAL_PASS_MADE : g->otherwise;
    given->ends[1] = given->ends[0] + size;
    given->passes[1] = CANDIDATE_PASS_UNKNOWN;
    if (given->answer == EXTERNAL_PASS_MADE) given->answer = candidate_set_sift(given);
    return given->answer == EXTERNAL_PASS_MADE ? judge(given, 1) : outcome_of_status(0);
}

/* ---- A reduction ---- */

/* How often each pass was dropped, and why. */
static struct {
    unsigned times[GUESTS_MAX], count;
    pass_misdeed why[GUESTS_MAX];
} gone;
static reduce_result result;
static reduce_config config;

static void take(void *context, const event *e) {
    (void)context;
    if (e->kind != EVENT_PASS_DROPPED) return;
    gone.count++;
    gone.times[e->external_pass]++;
    gone.why[e->external_pass] = e->misdeed;
}

/* Reduce a text by guests, by their letters, in so many jobs. */
static void reduce_by(const char *letters, const char *text, unsigned jobs) {
    static const pass *const none[] = {NULL};
    const runner_fake_config fake = {.judge_given = ask};
    const event_sink told = {.take = take};
    static char name[] = "guest";
    memset(&gone, 0, sizeof gone);
    if (seen == NULL)
        seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(seen, MAP_FAILED);
    memset(seen, 0, sizeof *seen);
    for (size_t i = 0; letters[i] != '\0'; i++) {
        guests[i] = all_guests;
        while (guests[i]->letter != letters[i]) guests[i]++;
        external_passes[i] = (external_pass){.name = name, .program = name, .command = name};
    }
    config = (reduce_config){.bytes = (const uint8_t *)text,
                             .size = strlen(text),
                             .is_file = true,
                             .is_fresh = true,
                             .jobs = jobs > 0 ? jobs : 1,
                             .calls_max = UINT64_MAX,
                             .deadline_ns = INT64_MAX,
                             .last_ns = INT64_MAX,
                             .passes = none,
                             .external_passes = external_passes,
                             .external_pass_count = strlen(letters)};
    reduce_in(jobs, &config, &fake, -1, &told, &result);
    ck_assert_uint_eq(seen->odd, 0);
}

/* It came to its end, with this, and its counts fit each other. */
static void expect(const char *text, size_t before) {
    uint64_t bytes = 0;
    ck_assert(result.stop.end == END_DONE && result.found);
    ck_assert_uint_eq(result.bytes.size, strlen(text));
    ck_assert_mem_eq(result.bytes.bytes, text, strlen(text));
    for (size_t i = 0; i < config.external_pass_count; i++) {
        const pass_statistics *s = &result.external_passes[i];
        ck_assert_str_eq(s->name, "guest");
        ck_assert(s->successes <= s->calls && s->calls <= seen->asked[i]);
        bytes += s->bytes;
    }
    ck_assert_uint_le(result.calls, seen->tried);
    ck_assert_uint_le(bytes, before - strlen(text));
}

/* They work on what the others have made, and the order gets better at the same size, too. Those
 * without gain are set aside, and so are those that break or hang. To have none is no misdeed, nor
 * to go in circles; nor is a pass asked again about the same. The useful one is not kept from its
 * end by all others beside it. */
static const struct {
    const char *guests, *text, *expected;
    const char *aside; /* of each guest: - no, b as barren, B as broken */
    uint64_t successes;
    unsigned asked_min, asked_max; /* of the first one alone; each job more asks for a few more */
    uint64_t calls_max;            /* with its candidates that are run; 0: none, or all */
} rows[] = {
    {"w", "a,b,x,cc,y,d,z,e,", "x,y,z,", "-", 5, 0, 0, 0},
    {"a", "bxcydze", "axayaza", "-", 4, 0, 0, 0},
    {"alw", "ab,b,bxb,cc,yb,d,bzb,e,", "x,y,z,", "---", 0, 0, 0, 0},
    {"lew", "a,b,x,cc,y,d,z,e,", "x,y,z,", "---", 0, 0, 0, 0},
    {"chgewns", "a,b,x,cc,y,d,z,e,", "x,y,z,", "BBb---b", 5, 3, 8, 0},
    {"s", "xyz", "xyz", "b", 0, 100, 101, 0},
    {"g", "xyz", "xyz", "b", 0, 100, 101, 0},
    {"c", "xyz", "xyz", "B", 0, 3, 3, 0},
    {"h", "xyz", "xyz", "B", 0, 1, 1, 0},
    {"n", "xyz", "xyz", "-", 0, 1, 1, 0},
    {"o", "xyz", "xyz", "-", 0, 1000, 1002, 2},
    {"e", "xyz", "xyz", "-", 0, 1000, 1002, 2},
};

TEST_EACH(passes_end_at_the_smallest_or_are_set_aside, 5) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned jobs = (unsigned)_i, more = rows[i].asked_max > 3 ? 2 * jobs : 0;
        reduce_by(rows[i].guests, rows[i].text, jobs);
        expect(rows[i].expected, strlen(rows[i].text));
        for (size_t k = 0; k < config.external_pass_count; k++) {
            ck_assert_uint_eq(gone.times[k], rows[i].aside[k] != '-');
            if (rows[i].aside[k] != '-')
                ck_assert_int_eq(gone.why[k] == MISDEED_BROKEN, rows[i].aside[k] == 'B');
        }
        if (rows[i].asked_max > 0) {
            ck_assert_uint_ge(seen->asked[0], rows[i].asked_min);
            ck_assert_uint_le(seen->asked[0], rows[i].asked_max + more);
        }
        if (rows[i].calls_max > 0)
            ck_assert_uint_le(result.external_passes[0].calls, rows[i].calls_max + jobs);
        if (jobs == 0 && rows[i].successes > 0) {
            const uint64_t calls = result.calls;
            ck_assert_uint_eq(calls, seen->tried);
            ck_assert_uint_eq(result.successes, rows[i].successes);
            reduce_finish(&result);
            reduce_by(rows[i].guests, rows[i].text, jobs);
            ck_assert_uint_eq(result.calls, calls);
        }
        reduce_finish(&result);
    }
}

/* What broke once it had made something has come to its end for this best; and is set aside when
 * that comes too often. */
TEST(broken_after_it_was_of_use) {
    reduce_by("b", "a,b,xyz,", 0);
    expect("xyz,", 8);
    ck_assert_uint_eq(result.external_passes[0].successes, 2);
    ck_assert_uint_le(gone.count, 1);
    reduce_finish(&result);
    reduce_by("b", "xyz,", 0);
    expect("xyz,", 4);
    ck_assert_uint_eq(gone.count, 0);
    ck_assert_uint_eq(seen->asked[0], 2);
    reduce_finish(&result);
}
