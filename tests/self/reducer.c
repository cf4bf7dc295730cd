/* reducer: the reducer on random targets. What it promises (ARCHITECTURE.md) holds whatever a
 * target draws and whatever makes it fail:
 *
 *     the result fails again, with the same signature;
 *     every step is strictly simpler than the one before;
 *     any number of jobs takes the same steps;
 *     the same reduction twice makes the same calls;
 *     a reduction of the result makes no step, unless the first one crept;
 *     what its explanation says of a draw, all values of it bear out.
 *
 * And if runs fail only sometimes, if their records are nonsense, if the calls are spent or a run
 * cannot be made:
 *
 *     the reduction ends, as it says, and keeps what it has found;
 *     what is announced, and the result, failed again before;
 *     a result of which a run passed is called flaky (runs that are cancelled may pass unseen).
 *
 * A target is a row of draws, of numbers and of lists, and two trees of conditions over what was
 * drawn: if the first holds, it is one failure, else if the second holds, another one. */
#include "candidate_set.h"
#include "clock.h"
#include "event.h"
#include "external_pass.h"
#include "patch.h"
#include "pool.h"
#include "reduce.h"
#include "runner_fake.h"
#include "testcase.h"

#include "recorder.h"

#include "frng_main.h"

#include <errno.h>
#include <signal.h>

enum {
    PARTS_MAX = 6,
    VALUES_MAX = 3 * PARTS_MAX,
    NODES_MAX = 32,
    DEPTH_MAX = 3,
    START_MAX = 96,
    TRIES = 40, /* random inputs, of which one has to fail */
    RECORDS = 512,
    LOG_MAX = 1 << 14,
    CREEP_MIN = 8192,     /* calls of a reduction that stops because it creeps */
    CALLS_ENOUGH = 200000 /* a reduction that makes more has no end; a flaky one took 20,087 */
};

/* ---- A random target ---- */

typedef enum part_kind {
    PART_U8,
    PART_U32,
    PART_I16,
    PART_COIN,
    PART_MIXED,
    PART_INDEX,
    PART_REAL,
    PART_TEXT,
    PART_SUBSET,
    PART_ORDER,
    PART_COINS,   /* items, each after a coin that goes on */
    PART_COUNTED, /* items after their count */
    PART_KINDS
} part_kind;

typedef struct part {
    part_kind kind;
    uint8_t max;
    bool begins_step, has_note;
} part;

typedef enum node_kind {
    NODE_ABOVE,
    NODE_EQUAL,
    NODE_REST,
    NODE_LESS,
    NODE_SAME,
    NODE_TREE
} node_kind;

/* A condition on values, or `a` and, or not, or `b`. */
typedef struct node {
    node_kind kind;
    uint8_t a, b;
    int64_t number;
    bool is_and, is_not;
} node;

static struct {
    part parts[PARTS_MAX];
    size_t count, nodes, roots[2];
    node node[NODES_MAX];
    bool is_silent; /* tells nothing of its draws */
    uint64_t calls, digest;
} target;

/* What goes wrong. */
typedef enum trouble_kind {
    TROUBLE_NONE,
    TROUBLE_LUCK,   /* some of the runs that would fail pass */
    TROUBLE_LIES,   /* records and counts are nonsense */
    TROUBLE_SPENT,  /* calls are limited */
    TROUBLE_BROKEN, /* a run cannot be made */
    TROUBLES
} trouble_kind;

static struct {
    trouble_kind kind;
    uint64_t amount; /* runs of 100 that fail; or the call */
    uint64_t seed;
} trouble;

static int wanted; /* the status of the start */

/* The last step, and a digest of all. */
static struct {
    testcase now;
    uint64_t steps, digest;
    bool any_failure, is_fresh;
    failure start;
} seen;

/* A run. */
typedef struct made {
    uint64_t digest, drawn; /* of the bytes, and of those that were drawn */
    bool failed, was_shown;
} made;

static made runs[LOG_MAX];

static int64_t values[VALUES_MAX];
static size_t value_count;

static void add(int64_t value) {
    if (value_count < VALUES_MAX) values[value_count++] = value;
}

/* A list is its count, its sum and its largest item. */
static bool draw_list(frng *f, const part *p) {
    int64_t sum = 0, largest = 0;
    size_t count = 0, end = 32;
    if (p->kind == PART_COUNTED) FRNG_TRY(frng_index(f, 9, &end));
    for (; count < end; count++) {
        bool more = true;
        uint8_t item;
        if (p->kind == PART_COINS) FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        FRNG_TRY(frng_u8_max(f, p->max, &item));
        sum += item;
        largest = item > largest ? item : largest;
    }
    add((int64_t)count);
    add(sum);
    add(largest);
    return true;
}

static bool draw_part(frng *f, const part *p) {
    uint8_t u8 = 0;
    uint32_t u32 = 0;
    int16_t i16 = 0;
    size_t index = 0;
    bool coin = false;
    double real = 0;
    char text[9] = "";
    uint64_t members = 0;
    size_t order[8] = {0};
    if (p->begins_step) frng_step(f, "step");
    if (p->has_note) frng_note(f, "note");
    switch (p->kind) {
    case PART_U8: FRNG_TRY(frng_u8_max(f, p->max, &u8)); break;
    case PART_U32: FRNG_TRY(frng_u32(f, &u32)); break;
    case PART_I16: FRNG_TRY(frng_i16_range(f, -1 - p->max / 3, 1 + p->max / 3, &i16)); break;
    case PART_COIN: FRNG_TRY(frng_bool(f, &coin)); break;
    case PART_MIXED: FRNG_TRY(frng_u32_mixed(f, 0, 1000000, &u32)); break;
    case PART_INDEX: FRNG_TRY(frng_index(f, (size_t)p->max + 1, &index)); break;
    case PART_REAL: FRNG_TRY(frng_f64_range(f, -1000, 1000, &real)); break;
    case PART_TEXT: FRNG_TRY(frng_string(f, "abc", 0, 8, text)); break;
    case PART_SUBSET: FRNG_TRY(frng_subset(f, p->max > 240 ? 64 : 1 + p->max % 8, &members)); break;
    case PART_ORDER: FRNG_TRY(frng_permutation(f, 1 + p->max % 8, order)); break;
    case PART_COINS:
    case PART_COUNTED: return draw_list(f, p);
    case PART_KINDS: abort();
    }
    add(u8 + (int64_t)u32 + i16 + (int64_t)index + coin + (int64_t)real + (int64_t)strlen(text) +
        (int64_t)members + (int64_t)order[0]);
    return true;
}

static bool holds(size_t at) {
    const node *n = &target.node[at];
    const int64_t a = values[n->a % value_count], b = values[n->b % value_count];
    bool is = false;
    switch (n->kind) {
    case NODE_ABOVE: is = a >= n->number; break;
    case NODE_EQUAL: is = a == n->number; break;
    case NODE_REST: is = a % (1 + n->b % 7) == 1; break;
    case NODE_LESS: is = a < b; break;
    case NODE_SAME: is = a == b; break;
    case NODE_TREE: is = n->is_and ? holds(n->a) && holds(n->b) : holds(n->a) || holds(n->b); break;
    }
    return is != n->is_not;
}

/* The wait status of a run. Out of entropy it passes. */
static int run_inner(frng *f) {
    value_count = 0;
    for (size_t i = 0; i < target.count; i++) {
        if (!draw_part(f, &target.parts[i])) return 0;
    }
    return holds(target.roots[0]) ? SIGABRT : holds(target.roots[1]) ? 3 << 8 : 0;
}

/* ---- Drawing one ---- */

/* Draw a tree. Its root is *at. */
static bool draw_tree(frng *f, unsigned depth, size_t *at) {
    uint8_t kind, number;
    node n = {.kind = NODE_TREE};
    *at = target.nodes++;
    FRNG_TRY(frng_u8_max(f, depth < DEPTH_MAX ? 2 * NODE_TREE : NODE_TREE - 1, &kind));
    FRNG_TRY(frng_bool(f, &n.is_not));
    if (kind >= NODE_TREE) {
        size_t a, b;
        FRNG_TRY(frng_bool(f, &n.is_and));
        FRNG_TRY(draw_tree(f, depth + 1, &a) && draw_tree(f, depth + 1, &b));
        n.a = (uint8_t)a;
        n.b = (uint8_t)b;
    } else {
        n.kind = (node_kind)kind;
        FRNG_TRY(frng_u8(f, &n.a) && frng_u8(f, &n.b) && frng_u8(f, &number));
        n.number = number;
    }
    target.node[*at] = n;
    return true;
}

static bool draw_target(frng *f) {
    size_t count;
    memset(&target, 0, sizeof target);
    FRNG_TRY(frng_index(f, PARTS_MAX, &count) && frng_bool(f, &target.is_silent));
    target.count = count + 1;
    for (size_t i = 0; i < target.count; i++) {
        part *p = &target.parts[i];
        uint8_t kind;
        FRNG_TRY(frng_u8_max(f, PART_KINDS - 1, &kind) && frng_u8(f, &p->max));
        FRNG_TRY(frng_bool(f, &p->begins_step) && frng_bool(f, &p->has_note));
        p->kind = (part_kind)kind;
    }
    return draw_tree(f, 0, &target.roots[0]) && draw_tree(f, 0, &target.roots[1]);
}

/* ---- Running it ---- */

static frng_trace_record records[RECORDS];

/* Run these bytes, and make their test case. Return the wait status. */
static int look(const uint8_t *bytes, size_t size, testcase *t) {
    recorder told = recorder_of(records, RECORDS);
    frng f = frng_init(bytes, size);
    f.host = &told.host;
    const int status = run_inner(&f);
    const size_t drawn = target.is_silent ? size : f.used, count = target.is_silent ? 0 : told.told;
    FRNG_ASSERT(told.told <= RECORDS);
    testcase_init(t, bytes, drawn, records, count);
    FRNG_ASSERT(!t->has_wrong_record);
    return status;
}

/* The last run that failed. */
static struct {
    uint8_t bytes[START_MAX];
    size_t size;
} failed;

/* A number below `sides`. */
static uint64_t chance(uint64_t sides) { return frng__splitmix64(&trouble.seed) % sides; }

/* Spoil a record, exchange two, or lose some; or say that other bytes were drawn. */
static void lie(candidate_set *given, uint32_t index, outcome *o) {
    const uint64_t count = given->record_count;
    frng_trace_record *r = &given->records[count > 0 ? chance(count) : 0],
                      other = given->records[0];
    if (count > 0) {
        switch (chance(8)) {
        case 0: r->kind = (uint8_t)chance(FRNG_KIND_MAX + 2); break;
        case 1: r->u.draw.max = chance(1000); break;
        case 2: r->u.draw.value = chance(1000); break;
        case 3: r->taken = chance(1000); break;
        case 4: r->width = (uint8_t)chance(12); break;
        case 5: given->record_count = chance(count); break;
        case 6: given->records[0] = *r, *r = other; break;
        default: break;
        }
    }
    if (chance(8) > 0) return;
    o->drawn = chance(100);
    given->passes[index] = (candidate_pass){chance(100), chance(2) == 0};
}

static void note(const uint8_t *bytes, size_t size, const outcome *o, bool was_shown) {
    if (target.calls > LOG_MAX) return;
    const size_t drawn = o->drawn < size ? (size_t)o->drawn : size;
    made *run = &runs[target.calls - 1];
    *run = (made){.failed = outcome_failed(o), .was_shown = was_shown};
    if (o->verdict == VERDICT_ERROR) return;
    run->digest = digest_of(bytes, size);
    run->drawn = digest_of(bytes, drawn);
}

/* True if a run of these bytes passed. */
static bool has_passed(const uint8_t *bytes, size_t size) {
    const uint64_t digest = digest_of(bytes, size);
    for (uint64_t i = 0; i < target.calls && i < LOG_MAX; i++) {
        if (runs[i].digest == digest && !runs[i].failed) return true;
    }
    return false;
}

/* True if a run of these bytes failed where failures are shown. If each run is alone in its
 * process, any run does, also of more bytes, of which it drew these. */
static bool has_failed(const uint8_t *bytes, size_t size) {
    const uint64_t digest = digest_of(bytes, size);
    for (uint64_t i = 0; i < target.calls && i < LOG_MAX; i++) {
        if (!runs[i].failed) continue;
        if (seen.is_fresh && runs[i].drawn == digest) return true;
        if (runs[i].was_shown && runs[i].digest == digest) return true;
    }
    return target.calls > LOG_MAX;
}

/* ---- External passes: each leaves out one, two or three bytes ---- */

enum { GUESTS = 3 };

static char program[] = "guest";
static external_pass guests[GUESTS] = {
    {.program = program}, {.program = program}, {.program = program}};

/* Make a candidate. False if there is none. */
static bool generate(candidate_set *given) {
    const size_t width = (size_t)(given->external_pass - guests) + 1;
    const size_t first = (size_t)given->number * width, size = (size_t)given->ends[0];
    uint8_t *copy = given->bytes + size;
    given->answer = EXTERNAL_PASS_NONE;
    if (first + width > size) return false;
    memcpy(copy, given->bytes, first);
    memcpy(copy + first, given->bytes + first + width, size - first - width);
    given->ends[1] = 2 * size - width;
    given->passes[1] = CANDIDATE_PASS_UNKNOWN;
    given->answer = candidate_set_sift(given);
    return given->answer == EXTERNAL_PASS_MADE;
}

static outcome judge(void *context, candidate_set *given, uint32_t index, bool capture) {
    if (given->external_pass != NULL && !generate(given)) return outcome_of_status(0);
    index += given->external_pass != NULL;
    const uint8_t *bytes = candidate_set_bytes(given, index);
    const size_t size = (size_t)candidate_set_size(given, index);
    recorder told = recorder_of(given->records, given->records_max);
    frng f = frng_init(bytes, size);
    (void)context;
    f.host = &told.host;
    outcome o = outcome_of_status(run_inner(&f));
    if (trouble.kind == TROUBLE_LUCK && chance(100) >= trouble.amount) o = outcome_of_status(0);
    target.calls++;
    if (trouble.kind == TROUBLE_BROKEN && target.calls >= trouble.amount)
        o = outcome_error(FAULT_EXEC, ENOENT);
    target.digest = target.digest * 31 + digest_of(bytes, size);
    if (outcome_failed(&o)) {
        FRNG_ASSERT(size <= START_MAX);
        memcpy(failed.bytes, bytes, size);
        failed.size = size;
    }
    if (!target.is_silent) {
        o.drawn = f.used;
        given->passes[index] = (candidate_pass){f.used, f.exhausted};
        given->reported = told.told;
        given->record_count = told.told < told.max ? told.told : told.max;
    }
    if (trouble.kind == TROUBLE_LIES) lie(given, index, &o);
    note(bytes, size, &o, capture);
    return o;
}

/* ---- What it does ---- */

/* True if a change makes one test case of another. */
static bool is_change(const byte_change *c, const testcase *from, const testcase *to) {
    const size_t at = (size_t)c->offset, tail = at + (size_t)c->removed;
    const size_t inserted = (size_t)c->inserted, end = at + inserted;
    const size_t shown = inserted < BYTE_CHANGE_SHOWN ? inserted : BYTE_CHANGE_SHOWN;
    return tail <= from->size && to->size == end + from->size - tail &&
           memcmp(to->bytes, from->bytes, at) == 0 &&
           memcmp(to->bytes + at, c->after, shown) == 0 &&
           memcmp(to->bytes + end, from->bytes + tail, from->size - tail) == 0;
}

/* The last run that failed is the one that is taken. */
static void on_step(const byte_change *c) {
    testcase next;
    const int status = look(failed.bytes, failed.size, &next);
    FRNG_ASSERT(seen.any_failure ? status != 0 : status == wanted, "status %d", status);
    FRNG_ASSERT(testcase_compare(&next, &seen.now) < 0, "step %d", (int)seen.steps);
    FRNG_ASSERT(is_change(c, &seen.now, &next));
    testcase_finish(&seen.now);
    seen.now = next;
    seen.steps++;
    seen.digest = seen.digest * 31 + digest_of(next.bytes, next.size);
}

static void take(void *context, const event *e) {
    (void)context;
    const bool is_odd = trouble.kind == TROUBLE_LUCK || trouble.kind == TROUBLE_LIES;
    const bool is_announced = e->kind == EVENT_BEST || e->kind == EVENT_OTHER;
    if (is_announced) FRNG_ASSERT(has_failed(e->bytes, e->failure->input.size));
    if (e->kind == EVENT_OTHER) FRNG_ASSERT(!failure_is_alike(e->failure, &seen.start));
    FRNG_ASSERT(is_odd || e->kind != EVENT_FLAKY);
    FRNG_ASSERT(trouble.kind == TROUBLE_LIES || e->kind != EVENT_WRONG_RECORD);
    if (is_odd) return;
    if (e->kind == EVENT_STEP) on_step(e->change);
    if (e->kind != EVENT_BEST) return;
    FRNG_ASSERT(e->failure->input.size == seen.now.size);
    FRNG_ASSERT(memcmp(e->bytes, seen.now.bytes, seen.now.size) == 0);
}

static void run(reduce_config *config, unsigned jobs, reduce_result *result) {
    static const event_sink sink = {.take = take};
    static failure_table met; /* large */
    const runner_fake_config fake = {.judge_given = judge};
    const pool_config workers = {.create = runner_fake_create,
                                 .config = &fake,
                                 .interrupt_fd = -1,
                                 .candidate_set_bytes = reduce_candidate_set_bytes(START_MAX),
                                 .candidate_set_records = reduce_candidate_set_records(START_MAX)};
    pool *p = pool_create(&workers);
    FRNG_ASSERT(p != NULL);
    testcase_finish(&seen.now);
    memset(&seen, 0, sizeof seen);
    seen.any_failure = config->any_failure;
    seen.is_fresh = config->is_fresh;
    wanted = look(config->bytes, config->size, &seen.now);
    seen.start.signature = signature_of_status(wanted);
    target.calls = target.digest = 0;
    config->jobs = jobs;
    config->met = &met;
    failure_table_clear(&met);
    reduce_run(config, p, &sink, result);
    pool_destroy(p);
    FRNG_ASSERT(result->calls + result->explanation.runs == target.calls);
}

static void reduce(reduce_config *config, unsigned jobs, reduce_result *result) {
    run(config, jobs, result);
    const run_end end = result->stop.end;
    FRNG_ASSERT(result->found &&
                (end == END_DONE || (end == END_SPENT && result->calls > CREEP_MIN)));
    FRNG_ASSERT(result->best.repeated == result->best.reruns && result->best.reruns > 0);
    FRNG_ASSERT(result->successes == seen.steps);
    FRNG_ASSERT(testcase_compare(&result->bytes, &seen.now) == 0);
}

/* Reduce where something goes wrong. */
static void reduce_in_trouble(reduce_config *config, unsigned jobs, reduce_result *result) {
    static const run_end ends[TROUBLES] = {[TROUBLE_LUCK] = END_PASSES,
                                           [TROUBLE_LIES] = END_DONE,
                                           [TROUBLE_SPENT] = END_SPENT,
                                           [TROUBLE_BROKEN] = END_ENVIRONMENT};
    const bool is_limited = trouble.kind == TROUBLE_SPENT;
    config->calls_max = is_limited ? trouble.amount : CALLS_ENOUGH;
    run(config, jobs, result);
    const run_end end = result->stop.end;
    const uint8_t *bytes = result->bytes.bytes;
    const size_t size = result->bytes.size;
    const bool has_crept = end == END_SPENT && result->calls > CREEP_MIN;
    FRNG_ASSERT(end == END_DONE || end == ends[trouble.kind] || has_crept, "ends by %d", (int)end);
    FRNG_ASSERT(result->calls <= config->calls_max + 1); /* to see the last best again */
    if (is_limited && end == END_SPENT) FRNG_ASSERT(result->calls >= config->calls_max);
    if (end == END_DONE) FRNG_ASSERT(result->found);
    const uint64_t good = trouble.amount - (trouble.kind == TROUBLE_BROKEN);
    if (trouble.kind != TROUBLE_LUCK) FRNG_ASSERT(result->found == (good >= 2));
    if (!result->found) return;
    FRNG_ASSERT(result->best.repeated > 0 && has_failed(bytes, size));
    const bool is_flaky = failure_is_flaky(&result->best);
    FRNG_ASSERT(is_flaky || jobs > 1 || !has_passed(bytes, size), "a run of it passed");
    FRNG_ASSERT(!is_flaky || trouble.kind == TROUBLE_LUCK || trouble.kind == TROUBLE_LIES);
}

/* Find bytes that fail. */
static bool find_start(uint64_t seed, bool is_text, uint8_t *bytes, size_t *size) {
    for (unsigned i = 0; i < TRIES; i++) {
        testcase t;
        *size = (size_t)(frng__splitmix64(&seed) % START_MAX) + 1;
        const uint64_t most = frng__splitmix64(&seed) % 2 == 0 ? 256 : 3;
        const char *signs = most > 3 || !is_text ? NULL : "ab(),\n";
        for (size_t k = 0; k < *size; k++) {
            const uint64_t number = frng__splitmix64(&seed);
            bytes[k] = (uint8_t)(signs == NULL ? number % most : (uint8_t)signs[number % 6]);
        }
        const bool fails = look(bytes, *size, &t) != 0;
        testcase_finish(&t);
        if (fails) return true;
    }
    return false;
}

/* True if a value fails by a statement about a draw that fails with `own`. */
static bool is_stated(const statement *s, int64_t own, int64_t value) {
    const int64_t low = (int64_t)s->low, high = (int64_t)s->high;
    bool is_listed = false;
    for (size_t i = 0; i < s->value_count; i++) is_listed |= (int64_t)s->values[i] == value;
    if (s->kind == STATEMENT_ANY) return true;
    if (s->kind == STATEMENT_RANGE)
        return value >= low && value <= high && (value - low) % (int64_t)s->step == 0;
    if (s->kind == STATEMENT_SET || s->kind == STATEMENT_EXCEPT)
        return is_listed == (s->kind == STATEMENT_SET);
    return value == own;
}

/* Run all values of a draw of the result, of which all were run. */
static void check_statement(const reduce_result *result, size_t at) {
    static testcase changed;
    static patch edits;
    const statement *s = &result->explanation.draws[at].statement;
    const draw *d = &result->bytes.draws[at];
    uint32_t failures = 0;
    if (!s->is_exact || !draw_is_number(d) || d->is_by_index || draw_rank_max(d) > UINT8_MAX)
        return;
    for (uint64_t rank = 0; rank <= draw_rank_max(d); rank++) {
        testcase t;
        draw other = *d;
        other.rank = rank;
        patch_clear(&edits);
        FRNG_ASSERT(patch_set(&edits, at, rank));
        patch_apply(&edits, &result->bytes, &changed);
        const int status = look(changed.bytes, changed.size, &t);
        const bool fails = seen.any_failure ? status != 0 : status == wanted;
        testcase_finish(&t);
        failures += fails;
        if (s->kind == STATEMENT_SOME) continue;
        const int64_t value = (int64_t)draw_value(&other);
        FRNG_ASSERT(fails == is_stated(s, (int64_t)draw_value(d), value),
                    "draw %d, kind %d, value %d", (int)at, (int)s->kind, (int)value);
    }
    if (s->kind != STATEMENT_EQUAL) FRNG_ASSERT(failures == s->failed + 1);
}

static void check_explanation(const reduce_result *result) {
    const explanation *e = &result->explanation;
    FRNG_ASSERT(e->state == EXPLANATION_MADE && e->runs <= 2000);
    if (e->cut == CUT_NONE)
        FRNG_ASSERT(e->explained == e->count);
    else
        FRNG_ASSERT(e->cut == CUT_CALLS && e->runs > 1900);
    for (size_t i = 0; i < e->explained; i++) check_statement(result, i);
}

static bool draw_trouble(frng *f) {
    size_t kind;
    trouble.kind = TROUBLE_NONE;
    FRNG_TRY(frng_index(f, 2 * TROUBLES, &kind) && frng_u64(f, &trouble.seed));
    if (kind >= TROUBLES) return true;
    FRNG_TRY(frng_u64_range(f, 1, 99, &trouble.amount));
    if (kind == TROUBLE_LIES) trouble.amount = 100;
    trouble.kind = (trouble_kind)kind;
    return true;
}

static void check_promises(frng *f, reduce_config *config, unsigned jobs) {
    static reduce_result first, again; /* large */
    reduce(config, 1, &first);
    if (seen.steps >= 10) frng_label(f, "10 steps");
    const uint64_t calls = target.calls, digest = target.digest, steps = seen.digest;
    reduce(config, 1, &again);
    FRNG_ASSERT(calls == target.calls && digest == target.digest, "other calls");
    reduce_finish(&again);
    reduce(config, jobs, &again);
    FRNG_ASSERT(steps == seen.digest, "other steps with %d jobs", (int)jobs);
    FRNG_ASSERT(testcase_compare(&first.bytes, &again.bytes) == 0);
    reduce_finish(&again);
    if (first.stop.end == END_SPENT) {
        reduce_finish(&first);
        return;
    }
    config->bytes = first.bytes.bytes;
    config->size = first.bytes.size;
    config->explain = (explain_limits){2000, true};
    reduce(config, 1, &again);
    FRNG_ASSERT(seen.steps == 0, "a reduction of the result goes on");
    if (!config->is_file) check_explanation(&again);
    reduce_finish(&first);
    reduce_finish(&again);
}

static bool test(frng *f) {
    static reduce_result result; /* large */
    uint8_t start[START_MAX];
    uint64_t seed;
    size_t jobs;
    reduce_config config = {
        .bytes = start, .calls_max = UINT64_MAX, .deadline_ns = INT64_MAX, .last_ns = INT64_MAX};
    FRNG_TRY(draw_target(f) && frng_u64(f, &seed) && frng_index(f, 3, &jobs));
    FRNG_TRY(frng_bool(f, &config.is_fresh) && frng_chance(f, 1, 4, &config.any_failure));
    if (target.is_silent) FRNG_TRY(frng_bool(f, &config.is_file));
    if (config.is_file && config.is_fresh) {
        config.external_passes = guests;
        FRNG_TRY(frng_index(f, GUESTS + 1, &config.external_pass_count));
    }
    FRNG_TRY(draw_trouble(f));
    if (!find_start(seed, config.is_file, start, &config.size)) return true;
    if (trouble.kind == TROUBLE_NONE) {
        check_promises(f, &config, 2 + (unsigned)jobs);
    } else {
        frng_label(f, "trouble");
        reduce_in_trouble(&config, 1 + (unsigned)jobs, &result);
        reduce_finish(&result);
    }
    testcase_finish(&seen.now);
    return true;
}

FRNG_MAIN(test)
