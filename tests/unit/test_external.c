/* external.h: external passes of all kinds as functions, through reduce_run: what they make is
 * tried, and those that are of no use are set aside. */
#include "drawn.h"
#include "suite.h"

#include <sys/mman.h>

/* ---- Generators ---- */

/* Instance `number` on *size bytes, in place; there is room for more. */
typedef external_pass_answer guest_function(uint64_t number, uint8_t *bytes, size_t *size);

static void cut(uint8_t *bytes, size_t *size, size_t first, size_t end) {
    memmove(bytes + first, bytes + end, *size - end);
    *size -= end - first;
}

/* Leaves out word `number`, each of which ends with a comma. */
static external_pass_answer leave_out_word(uint64_t number, uint8_t *bytes, size_t *size) {
    size_t first = 0;
    for (; number > 0 && first < *size; first++) number -= bytes[first] == ',';
    size_t end = first;
    while (end < *size && bytes[end] != ',') end++;
    if (number > 0 || end == *size) return EXTERNAL_PASS_NONE;
    cut(bytes, size, first, end + 1);
    return EXTERNAL_PASS_MADE;
}

/* Leaves out letter `number` of those that stand beside another letter. */
static external_pass_answer leave_out_letter(uint64_t number, uint8_t *bytes, size_t *size) {
    for (size_t i = 0; i < *size; i++) {
        const bool is_last = i + 1 == *size || bytes[i + 1] == ',';
        const bool is_alone = is_last && (i == 0 || bytes[i - 1] == ',');
        if (bytes[i] == ',' || is_alone || number-- > 0) continue;
        cut(bytes, size, i, i + 1);
        return EXTERNAL_PASS_MADE;
    }
    return EXTERNAL_PASS_NONE;
}

/* As large as before, and simpler: an a for letter `number` of those that are none. */
static external_pass_answer lower_letter(uint64_t number, uint8_t *bytes, size_t *size) {
    for (size_t i = 0; i < *size; i++) {
        if (bytes[i] <= 'a' || number-- > 0) continue;
        bytes[i] = 'a';
        return EXTERNAL_PASS_MADE;
    }
    return EXTERNAL_PASS_NONE;
}

/* Of no use, and always the same. */
static external_pass_answer empty_all(uint64_t number, uint8_t *bytes, size_t *size) {
    (void)number, (void)bytes;
    *size = 0;
    return EXTERNAL_PASS_MADE;
}

/* Of no use, and two in turn. */
static external_pass_answer go_in_circles(uint64_t number, uint8_t *bytes, size_t *size) {
    cut(bytes, size, number % 2, number % 2 + 1);
    return EXTERNAL_PASS_MADE;
}

static external_pass_answer change_nothing(uint64_t number, uint8_t *bytes, size_t *size) {
    (void)number, (void)bytes, (void)size;
    return EXTERNAL_PASS_MADE;
}

static external_pass_answer grow(uint64_t number, uint8_t *bytes, size_t *size) {
    for (uint64_t i = 0; i <= number; i++) bytes[(*size)++] = 'a';
    return EXTERNAL_PASS_MADE;
}

static external_pass_answer crash(uint64_t number, uint8_t *bytes, size_t *size) {
    (void)number;
    memset(bytes, 0xff, *size);
    return EXTERNAL_PASS_BROKEN;
}

static external_pass_answer hang(uint64_t number, uint8_t *bytes, size_t *size) {
    (void)number, (void)bytes, (void)size;
    return EXTERNAL_PASS_HUNG;
}

static external_pass_answer have_none(uint64_t number, uint8_t *bytes, size_t *size) {
    (void)number, (void)bytes, (void)size;
    return EXTERNAL_PASS_NONE;
}

/* It makes the first, and breaks at any other. */
static external_pass_answer crash_later(uint64_t number, uint8_t *bytes, size_t *size) {
    return number == 0 ? leave_out_word(0, bytes, size) : EXTERNAL_PASS_BROKEN;
}

enum { GUESTS_MAX = 8 };

static guest_function *functions[GUESTS_MAX];
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
    given->answer = functions[who](given->number, made, &size);
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

static void reduce_by(const pass *const *passes, const char *text, unsigned jobs) {
    const runner_fake_config fake = {.judge_given = ask};
    const event_sink told = {.take = take};
    memset(&gone, 0, sizeof gone);
    memset(seen, 0, sizeof *seen);
    config.bytes = (const uint8_t *)text;
    config.size = strlen(text);
    config.jobs = jobs > 0 ? jobs : 1;
    config.passes = passes;
    reduce_in(jobs, &config, &fake, -1, &told, &result);
    ck_assert_uint_eq(seen->odd, 0);
}

/* Generators that are at work from now on; ended by NULL. */
static void invite(guest_function *const *list) {
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(seen, MAP_FAILED);
    config = (reduce_config){.is_file = true,
                             .is_fresh = true,
                             .calls_max = UINT64_MAX,
                             .deadline_ns = INT64_MAX,
                             .external_passes = external_passes};
    for (size_t i = 0; list[i] != NULL; i++) {
        static char name[] = "guest";
        functions[i] = list[i];
        external_passes[i] = (external_pass){.name = name, .program = name, .command = name};
        config.external_pass_count = i + 1;
    }
}

static const pass *const alone[] = {NULL};

/* It came to its end, with this, and its counts fit each other. */
static void expect(const char *text, size_t before) {
    uint64_t bytes = 0;
    ck_assert(result.stop.end == END_DONE && result.found);
    ck_assert_uint_eq(result.bytes.size, strlen(text));
    ck_assert_mem_eq(result.bytes.bytes, text, strlen(text));
    ck_assert_uint_eq(result.external_pass_count, config.external_pass_count);
    for (size_t i = 0; i < result.external_pass_count; i++) {
        const pass_statistics *s = &result.external_passes[i];
        ck_assert_str_eq(s->name, "guest");
        ck_assert(s->successes <= s->calls && s->calls <= seen->asked[i]);
        bytes += s->bytes;
    }
    ck_assert_uint_le(result.calls, seen->tried);
    ck_assert_uint_le(bytes, before - strlen(text));
}

static void expect_aside(size_t who, pass_misdeed why) {
    ck_assert_uint_eq(gone.times[who], 1);
    ck_assert_int_eq(gone.why[who], why);
}

/* ---- Those that are of use ---- */

static const char words[] = "a,b,x,cc,y,d,z,e,";

/* They work on what the others have made, and the order gets better at the same size, too. */
static const struct {
    guest_function *list[4];
    const char *text, *expected;
    uint64_t successes; /* of one alone, one at a time; 0: of several */
} useful[] = {
    {{leave_out_word}, words, "x,y,z,", 5},
    {{lower_letter}, "bxcydze", "axayaza", 4},
    {{lower_letter, leave_out_letter, leave_out_word}, "ab,b,bxb,cc,yb,d,bzb,e,", "x,y,z,", 0},
    {{leave_out_letter, empty_all, leave_out_word}, words, "x,y,z,", 0},
};

TEST_EACH(useful_passes_end_at_the_smallest, 5) {
    for (size_t i = 0; i < sizeof useful / sizeof *useful; i++) {
        uint64_t calls = 0;
        invite(useful[i].list);
        for (int again = 0; again < (_i == 0 ? 2 : 1); again++) {
            reduce_by(alone, useful[i].text, (unsigned)_i);
            expect(useful[i].expected, strlen(useful[i].text));
            ck_assert_uint_eq(gone.count, 0);
            if (again > 0) ck_assert_uint_eq(result.calls, calls);
            calls = result.calls;
            if (_i == 0 && useful[i].successes > 0) {
                ck_assert_uint_eq(result.calls, seen->tried);
                ck_assert_uint_eq(result.successes, useful[i].successes);
                ck_assert_uint_eq(result.external_passes[0].successes, useful[i].successes);
                ck_assert_uint_eq(result.external_passes[0].bytes,
                                  strlen(useful[i].text) - strlen(useful[i].expected));
            }
            reduce_finish(&result);
        }
    }
}

/* Passes of our own take turns with them: neither comes to the end alone. */
TEST_EACH(external_passes_and_ours_work_together, 5) {
    static guest_function *const list[] = {leave_out_word, NULL};
    static const pass *const passes[] = {&pass_brackets, NULL};
    static const char text[] = "(a,b,(x,)cc,y,(d,)z,),";
    invite(list);
    reduce_by(passes, text, (unsigned)_i);
    expect("x,y,z,", strlen(text));
    ck_assert_uint_gt(result.statistics[0].successes, 0);
    ck_assert_uint_gt(result.external_passes[0].successes, 0);
    reduce_finish(&result);
}

/* ---- Those that are not ---- */

/* Those without gain are set aside, and so are those that break or hang. To have none is no
 * misdeed, nor to go in circles; nor is a pass asked again about the same. */
static const struct {
    guest_function *guest;
    bool is_aside;
    pass_misdeed why;
    unsigned asked_min, asked_max; /* with one job; each more asks for a few more */
    uint64_t calls_max;
} useless[] = {
    {change_nothing, true, MISDEED_BARREN, 100, 101, 0},
    {grow, true, MISDEED_BARREN, 100, 101, 0},
    {crash, true, MISDEED_BROKEN, 3, 3, 0},
    {hang, true, MISDEED_BROKEN, 1, 1, 0},
    {have_none, false, MISDEED_BROKEN, 1, 1, 0},
    {go_in_circles, false, MISDEED_BROKEN, 1000, 1002, 2},
    {empty_all, false, MISDEED_BROKEN, 1000, 1002, 2},
};

TEST_EACH(useless_passes_end, 5) {
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        guest_function *const list[] = {useless[i].guest, NULL};
        const unsigned more = useless[i].asked_max > 3 ? 2 * (unsigned)_i : 0;
        invite(list);
        reduce_by(alone, "xyz", (unsigned)_i);
        expect("xyz", 3);
        ck_assert_uint_eq(gone.count, useless[i].is_aside);
        if (useless[i].is_aside) expect_aside(0, useless[i].why);
        ck_assert_uint_ge(seen->asked[0], useless[i].asked_min);
        ck_assert_uint_le(seen->asked[0], useless[i].asked_max + more);
        ck_assert_uint_eq(result.external_passes[0].successes, 0);
        ck_assert_uint_le(result.external_passes[0].calls,
                          useless[i].calls_max + (useless[i].calls_max > 0 ? (unsigned)_i : 0));
        reduce_finish(&result);
    }
}

/* What broke once it had made something has come to its end for this best; and is set aside when
 * that comes too often. */
TEST(broken_after_it_was_of_use) {
    static guest_function *const list[] = {crash_later, NULL};
    invite(list);
    reduce_by(alone, "a,b,xyz,", 0);
    expect("xyz,", 8);
    ck_assert_uint_eq(result.external_passes[0].successes, 2);
    ck_assert_uint_le(gone.count, 1);
    reduce_finish(&result);
    reduce_by(alone, "xyz,", 0);
    expect("xyz,", 4);
    ck_assert_uint_eq(gone.count, 0);
    ck_assert_uint_eq(seen->asked[0], 2);
    reduce_finish(&result);
}

/* All of them beside each other: the useful one is not kept from its end. */
TEST_EACH(good_and_bad_passes_together_end_well, 5) {
    static guest_function *const list[] = {crash,          hang,      grow,           empty_all,
                                           leave_out_word, have_none, change_nothing, NULL};
    invite(list);
    reduce_by(alone, words, (unsigned)_i);
    expect("x,y,z,", strlen(words));
    ck_assert_uint_eq(gone.count, 4);
    expect_aside(0, MISDEED_BROKEN);
    expect_aside(1, MISDEED_BROKEN);
    expect_aside(2, MISDEED_BARREN);
    expect_aside(6, MISDEED_BARREN);
    /* Answers about what is no longer the best do not count. */
    ck_assert_uint_le(seen->asked[0], 3 + result.successes);
    ck_assert_uint_le(seen->asked[1], 1 + result.successes);
    for (size_t i = 0; i < 7; i++) {
        if (i != 4) ck_assert_uint_eq(result.external_passes[i].successes, 0);
    }
    reduce_finish(&result);
}
