/* What a program under test records of guided runs: the tables and records of its report are
 * untrusted, up to the plan of the next row. Of each draw that counts, the bytes are those of its
 * run; a row is no larger than it may be, whatever the rows before it have shown. */
#include "candidate_set.h"
#include "failure.h"
#include "fuzz.h"
#include "guide.h"
#include "report.h"
#include "seed_input.h"

enum { SIZE_MOST = 300, ROWS = 12, RECORDS = 16, ROOM = 2 * FRNG_GUIDE_RUN_MAX };

static report_shm report;
static candidate_set set;

static void begin(void) {
    if (report.report != NULL) return;
    FUZZ_HOLDS(report_shm_init(&report, 1, 0, ROOM) == 0);
    set.bytes_max = GUIDE_SET_BYTES;
    set.bytes = malloc(GUIDE_SET_BYTES);
    set.known = malloc(sizeof *set.known);
    set.log = malloc(ROOM * sizeof *set.log);
    set.log_max = ROOM;
    FUZZ_HOLDS(set.bytes != NULL && set.known != NULL && set.log != NULL);
}

/* A record as it comes, or made to look nearly as though an honest program had recorded it. */
static frng_guide_record record_of(fuzz_input *in, uint32_t run) {
    const uint8_t how = fuzz_u8(in);
    frng_guide_record r = {.type = 1 + how % 3, .run = run};
    if (how == 255) {
        fuzz_fill(in, &r, sizeof r);
        return r;
    }
    r.draws = fuzz_u8(in);
    if (r.type == FRNG_GUIDE_DRAW) {
        uint64_t at = fuzz_u8(in) % 16;
        frng_trace_record d = {.start = at, .taken = how % 8, .u.draw.max = how % 8};
        if (how < 192) d = fuzz_record(in, &at); /* else bytes */
        r.kind = d.kind;
        r.width = how >= 128 ? fuzz_u8(in) : d.width;
        r.u.draw.start = d.start;
        r.u.draw.end = d.start + d.taken;
        r.u.draw.min = d.u.draw.min;
        r.u.draw.max = d.u.draw.max;
        r.u.draw.value = d.u.draw.value;
        return r;
    }
    r.kind = how / 3 % 2;
    r.width = how >= 192 ? fuzz_u8(in) : 1 + fuzz_u8(in) % 8;
    r.second = r.width;
    if (r.type == FRNG_GUIDE_TEXT) {
        fuzz_fill(in, r.u.text, sizeof r.u.text);
    } else {
        r.u.pair.a = fuzz_number(in);
        r.u.pair.b = fuzz_number(in);
    }
    return r;
}

/* Write over what the program has: some of its places and records. */
static void write_table(fuzz_input *in, uint32_t count) {
    frng_guide_table *table =
        (void *)((uint8_t *)(uintptr_t)report.report + report.report->guide_offset);
    frng_guide_record *records = (void *)(table + 1);
    uint64_t *rows = (void *)((uint8_t *)(uintptr_t)report.report + report.report->runs_offset);
    table->used = fuzz_u8(in) < 250 ? RECORDS : fuzz_number(in);
    for (int i = 0; i < 4; i++) {
        frng_guide_site *site = &table->sites[fuzz_u8(in)];
        const uint32_t run = fuzz_u8(in);
        *site = (frng_guide_site){fuzz_number(in), (uint32_t)fuzz_number(in),
                                  run < 224 ? run % count : run};
    }
    for (uint32_t i = 0; i < RECORDS; i++) records[i] = record_of(in, i * count / RECORDS);
    for (uint32_t i = 0; i < count; i++) rows[i] = fuzz_number(in) | (uint64_t)(i % 2) << 63;
}

static void check_row(uint64_t size_max) {
    FUZZ_HOLDS(set.count > 0 && set.count <= CANDIDATE_SET_COUNT_MAX);
    FUZZ_HOLDS(set.ends[set.count - 1] <= GUIDE_SET_BYTES);
    for (uint32_t i = 0; i < set.count; i++) FUZZ_HOLDS(candidate_set_size(&set, i) <= size_max);
}

void fuzz_guide(fuzz_input *in) {
    static dictionary words = {2, {"a", "while"}, {{0}}};
    const uint64_t size_max = fuzz_number(in) % SIZE_MOST;
    dictionary_add_number(&words, 9);
    dictionary_add_number(&words, 0xdeadbeef);
    guide *g = guide_create(fuzz_u8(in), size_max, &words);
    begin();
    FUZZ_HOLDS(g != NULL);
    guide_begin(g, fuzz_u8(in) % 2 != 0, 1, size_max, size_max / 2, size_max);
    for (int i = 0; i < ROWS; i++) {
        set.log_count = 0;
        guide_fill(g, &set);
        check_row(size_max);
        const batch b = {.count = set.count, .candidates = &set};
        const uint32_t passed = set.count - fuzz_u8(in) % 2;
        report_shm_reset(&report, set.count);
        FUZZ_HOLDS(report_shm_request_guide(&report, &b));
        write_table(in, set.count);
        report_shm_copy_set(&report, (report_layout){.can_guide = true}, &b, (run_rows){0, 1},
                            passed);
        FUZZ_HOLDS(set.log_count <= ROOM);
        guide_take(g, &set, passed);
    }
    guide_destroy(g);
}
