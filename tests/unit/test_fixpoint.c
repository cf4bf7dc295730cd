/* reduce.h: what a reduction ends with, another one cannot make simpler; for predicates without any
 * sense, and however many jobs there are. */
#include "event.h"
#include "reduce.h"
#include "runner_fake.h"
#include "suite.h"

#include "drawn.h"
#include "rounds.h"

enum { SIZE_MAX_BYTES = 12, ROUNDS = 150 / ROUNDS_STEP };

/* A number of interesting test cases, by a hash, and the one it begins from. */
typedef struct nonsense {
    uint64_t seed;
    unsigned one_in;
    size_t size;
    uint8_t start[SIZE_MAX_BYTES];
} nonsense;

static nonsense subject;
static char program[] = "nonsense";
static external_pass external_passes[3] = {
    {.program = program}, {.program = program}, {.program = program}};

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

static bool is_of_interest(const uint8_t *bytes, size_t size) {
    uint64_t hash = mix(subject.seed + size);
    if (size == subject.size && memcmp(bytes, subject.start, size) == 0) return true;
    for (size_t i = 0; i < size; i++) hash = mix(hash ^ bytes[i]);
    return mix(hash) % subject.one_in == 0;
}

/* Leave out as many bytes as the external pass's index says, and one. */
static void generate(candidate_set *given) {
    const size_t width = (size_t)(given->external_pass - external_passes) + 1;
    const size_t first = (size_t)given->number * width, size = (size_t)given->ends[0];
    given->answer = first + width <= size ? EXTERNAL_PASS_MADE : EXTERNAL_PASS_NONE;
    if (given->answer == EXTERNAL_PASS_NONE) return;
    uint8_t *made = given->bytes + size;
    memcpy(made, given->bytes, first);
    memcpy(made + first, given->bytes + first + width, size - first - width);
    given->ends[1] = 2 * size - width;
    given->passes[1] = CANDIDATE_PASS_UNKNOWN;
    given->answer = candidate_set_sift(given);
}

static outcome judge_nonsense(void *context, candidate_set *given, uint32_t index, bool capture) {
    (void)context, (void)capture;
    if (given->external_pass != NULL) {
        generate(given);
        if (given->answer != EXTERNAL_PASS_MADE) return outcome_of_status(0);
        index = 1;
    }
    const bool is =
        is_of_interest(candidate_set_bytes(given, index), (size_t)candidate_set_size(given, index));
    return outcome_of_status(is ? SIGABRT : 0);
}

static void reduce_it(const uint8_t *bytes, size_t size, unsigned jobs, bool has_guests,
                      reduce_result *result) {
    static const runner_fake_config fake = {.judge_given = judge_nonsense};
    static const pass *const only_guests[] = {NULL};
    static const event_sink deaf;
    const pool_config workers = {.jobs = jobs,
                                 .create = runner_fake_create,
                                 .config = &fake,
                                 .interrupt_fd = -1,
                                 .candidate_set_bytes = reduce_candidate_set_bytes(size)};
    const reduce_config config = {.bytes = bytes,
                                  .size = size,
                                  .is_file = true,
                                  .is_fresh = true,
                                  .jobs = jobs,
                                  .calls_max = UINT64_MAX,
                                  .deadline_ns = INT64_MAX,
                                  .passes = has_guests ? only_guests : NULL,
                                  .external_passes = external_passes,
                                  .external_pass_count = has_guests ? 3 : 0};
    pool *p = pool_create(&workers);
    ck_assert_ptr_nonnull(p);
    reduce_run(&config, p, &deaf, result);
    pool_destroy(p);
    ck_assert_int_eq(result->stop.end, END_DONE);
    ck_assert(result->found);
}

static void begin_round(uint64_t round, uint8_t first, unsigned letters) {
    uint64_t state = mix(round + 1);
    subject = (nonsense){.seed = mix(round), .one_in = 4 + (unsigned)(round % 7)};
    subject.size = 4 + (size_t)dice(&state, SIZE_MAX_BYTES - 3);
    for (size_t i = 0; i < subject.size; i++) {
        subject.start[i] = (uint8_t)(first + dice(&state, letters));
    }
}

static void check_round(unsigned jobs, bool has_guests) {
    static reduce_result once, twice;
    reduce_it(subject.start, subject.size, jobs, has_guests, &once);
    reduce_it(once.bytes.bytes, once.bytes.size, 1, has_guests, &twice);
    const int order = testcase_compare(&twice.bytes, &once.bytes);
    ck_assert_msg(order == 0, "seed %llu: not the end", (unsigned long long)subject.seed);
    reduce_finish(&once);
    reduce_finish(&twice);
}

/* With _i + 1 jobs. */
TEST_EACH(texts_end_at_a_fixpoint, 3) {
    for (uint64_t round = 0; round < ROUNDS; round++) {
        begin_round(round, 'a', 3);
        check_round((unsigned)_i + 1, false);
    }
}

TEST_EACH(bytes_end_at_a_fixpoint, 3) {
    for (uint64_t round = 0; round < ROUNDS / 3; round++) {
        begin_round(round, 0, 4);
        check_round((unsigned)_i + 1, false);
    }
}

TEST_EACH(external_passes_end_at_a_fixpoint, 3) {
    for (uint64_t round = 0; round < ROUNDS; round++) {
        begin_round(round, 'a', 3);
        check_round((unsigned)_i + 1, true);
    }
}

SUITE(.timeout_s = 120);
