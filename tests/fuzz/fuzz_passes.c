/* The passes of a reduction on arbitrary bytes and draws, with a judge that follows from the input:
 * each candidate has values that its draws can have and the digest that was foretold of it; what is
 * a text stays one; what becomes the best is simpler. */
#include "candidate_set.h"
#include "fuzz.h"
#include "fuzz_records.h"
#include "pass.h"
#include "patch.h"
#include "record_check.h"
#include "schedule.h"
#include "window.h"

enum { RECORDS_MAX = 24, CANDIDATES_MAX = 120, BYTES_MAX = 200 };

static patch edits; /* large */

static bool make(fuzz_input *in, uint8_t how, testcase *t) {
    frng_trace_record records[RECORDS_MAX];
    size_t count = 0;
    uint64_t at = 0;
    if (how % 4 == 0) {
        count = fuzz_u8(in) % (RECORDS_MAX + 1);
        for (size_t i = 0; i < count; i++) {
            records[i] = fuzz_record(in, &at);
            records[i].u.text[31] =
                records[i].kind == FRNG_TRACE_NOTE ? '\0' : records[i].u.text[31];
        }
    }
    const size_t size = in->size < BYTES_MAX ? in->size : BYTES_MAX;
    if (count == 0) return testcase_init(t, traced_run_of(in->bytes, size));
    uint8_t bytes[BYTES_MAX] = {0};
    fuzz_fill(in, bytes, size);
    const size_t taken = at < BYTES_MAX ? (size_t)at : BYTES_MAX;
    for (size_t i = 0; i < count; i++) { /* the values that the bytes encode */
        const wrong_record w = record_check(bytes, taken, records, count);
        for (size_t k = 0; k < count && w.error == RECORD_VALUE; k++) {
            if (records[k].start == w.record.start && records[k].kind == w.record.kind)
                records[k].u.draw.value = w.right;
        }
    }
    return testcase_init(t, (traced_run){bytes, taken, taken, records, count});
}

static void check_candidate(const testcase *base, const testcase *made, bool is_text) {
    size_t size = 0;
    for (size_t i = 0; i < made->count; i++) {
        FUZZ_HOLDS(made->draws[i].rank <= draw_rank_max(&made->draws[i]));
        size += made->draws[i].width;
    }
    FUZZ_HOLDS(size == made->size);
    FUZZ_HOLDS(!is_text || text_is(made->bytes, made->size));
    FUZZ_HOLDS(!is_text || made->size <= base->size);
}

/* Some bits of the digest decide what is of interest, more or less of it. */
static bool is_interesting(uint64_t digest, uint8_t how) {
    return digest % 64 < (uint64_t)(how / 4);
}

static void reduce(testcase *best, uint8_t how) {
    schedule p;
    const bool is_text = best->trace == TRACE_NONE && text_is(best->bytes, best->size);
    testcase base, made = {0};
    prefix_hashes o = {0};
    schedule_init(&p, passes_for(best, true));
    FUZZ_HOLDS(testcase_copy(&base, best));
    for (int i = 0; i < CANDIDATES_MAX; i++) {
        if (!schedule_next(&p, best, &base, &edits)) break;
        if (p.phase != SITE_ON_BASE) { /* the site begins, or has had no success */
            testcase_finish(&base);
            FUZZ_HOLDS(testcase_copy(&base, best) && prefix_hashes_make(&o, &base));
        }
        const testcase *from = &base;
        FUZZ_HOLDS(patch_apply(&edits, from, &made));
        const uint64_t digest = digest_of(made.bytes, made.size);
        FUZZ_HOLDS(prefix_hashes_patched(&o, from, &edits) == digest);
        check_candidate(from, &made, is_text);
        const bool simpler = testcase_compare(&made, best) < 0;
        const bool success = simpler && is_interesting(digest, how);
        if (testcase_compare(&made, from) < 0) FUZZ_HOLDS(patch_may_simplify(&edits, from));
        schedule_feedback(&p, success);
        if (!success) continue;
        testcase_finish(best);
        FUZZ_HOLDS(testcase_copy(best, &made));
    }
    prefix_hashes_finish(&o);
    testcase_finish(&made);
    testcase_finish(&base);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    testcase t;
    fuzz_input in = {bytes, size};
    const uint8_t how = fuzz_u8(&in);
    FUZZ_HOLDS(make(&in, how, &t));
    reduce(&t, how);
    testcase_finish(&t);
    return 0;
}
