/* The check of the records of a trace. Whatever they are, it ends with one of them or none, and a
 * line of harmless text; records of draws that were made of these bytes are right, and a value that
 * is changed is found; what is right is what a test case is made of. */
#include "explained.h"
#include "frng_more.h"
#include "fuzz.h"
#include "fuzz_records.h"
#include "pass.h"
#include "record_check.h"
#include "testcase.h"

enum { BYTES_MAX = 96, RECORDS_MAX = 64 };

typedef struct recorder {
    frng_host host; /* first */
    frng_trace_record records[RECORDS_MAX];
    size_t count;
} recorder;

static void on_drawn(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                     uint64_t max, uint64_t value) {
    recorder *r = (recorder *)(void *)f->host;
    frng_trace_record *record = &r->records[r->count++];
    memset(record, 0, sizeof *record);
    record->start = start;
    record->taken = f->used - start;
    record->kind = (uint8_t)kind;
    record->width = (uint8_t)width;
    record->u.draw.min = min;
    record->u.draw.max = max;
    record->u.draw.value = value;
}

static bool make_more(frng *f, fuzz_input *in) {
    static char alphabet[301], text[8];
    const uint64_t x = fuzz_number(in);
    uint64_t mask;
    bool more;
    switch (fuzz_u8(in) % 3) {
    case 0: return frng_subset(f, x % 64 + 1, &mask);
    case 1: return frng_more(f, x % 4, 1, 3, &more);
    default: break;
    }
    memset(alphabet, 'x', 300);
    alphabet[x % 300 + 1] = '\0';
    const bool ok = frng_string(f, alphabet, 0, 3, text);
    memset(alphabet, 'x', 300);
    return ok;
}

/* Make one draw that the input selects. */
static bool make_draw(frng *f, fuzz_input *in) {
    const uint8_t how = fuzz_u8(in);
    const uint64_t x = fuzz_number(in), y = fuzz_number(in);
    const uint64_t min = x < y ? x : y, max = x < y ? y : x;
    const int64_t low = (int64_t)((int64_t)x < (int64_t)y ? x : y);
    const int64_t high = (int64_t)((int64_t)x < (int64_t)y ? y : x);
    uint64_t number;
    int64_t whole;
    uint16_t small;
    double real;
    int year, month, day;
    const uint8_t *bytes;
    size_t index;
    bool coin;
    switch (how % 14) {
    case 0: return frng_bytes(f, x % 5, &bytes);
    case 1: return frng_bool(f, &coin);
    case 2: return frng_u64_range(f, min, max, &number);
    case 3: return frng_i64_range(f, low, high, &whole);
    case 4: return frng_index(f, x | 1, &index);
    case 5: return frng_pick(f, x | 1, &index);
    case 6: return frng_f64(f, &real);
    case 7: return frng_chance(f, (uint32_t)(min & 7), 7, &coin);
    case 8: return frng_u64_mixed(f, min, max, &number);
    case 9: return frng_i64_mixed(f, low, high, &whole);
    case 10: return frng_f64_any(f, &real);
    case 11: return frng_date(f, &year, &month, &day);
    case 12: return frng_u16_max(f, (uint16_t)x, &small);
    default: return make_more(f, in);
    }
}

static void check_text(const wrong_record *w) {
    char text[WRONG_TEXT_MAX];
    explained_wrong(w, text);
    FUZZ_HOLDS(strlen(text) > 0 && strlen(text) < 160);
    FUZZ_HOLDS(text_is((const uint8_t *)text, strlen(text)));
    FUZZ_HOLDS(strpbrk(text, "\x1b\r\n\t\v\f") == NULL);
}

/* Records of any content. */
static void check_any(fuzz_input *in, const uint8_t *bytes, size_t size) {
    frng_trace_record records[RECORDS_MAX];
    uint64_t at = 0;
    size_t draws = 0;
    testcase t;
    const size_t count = fuzz_u8(in) % (RECORDS_MAX + 1);
    for (size_t i = 0; i < count; i++) {
        records[i] = fuzz_record(in, &at);
        if (records[i].kind == FRNG_TRACE_NOTE) records[i].start = at;
        draws += records[i].kind < FRNG_TRACE_STATE && records[i].taken > 0;
    }
    const wrong_record w = record_check(bytes, size, records, count);
    if (w.error != RECORD_RIGHT) {
        check_text(&w);
        return;
    }
    FUZZ_HOLDS(testcase_init(&t, (traced_run){bytes, size, size, records, count}));
    FUZZ_HOLDS(t.count >= draws && t.size == size);
    testcase_finish(&t);
}

/* Records of draws. */
static void check_honest(fuzz_input *in, const uint8_t *bytes, size_t size) {
    static recorder heard;
    frng f = frng_init(bytes, size);
    heard.host.drawn = on_drawn;
    heard.count = 0;
    f.host = &heard.host;
    while (heard.count + 4 < RECORDS_MAX && make_draw(&f, in)) {
    }
    FUZZ_HOLDS(record_check(bytes, f.used, heard.records, heard.count).error == RECORD_RIGHT);
    if (heard.count == 0) return;
    frng_trace_record *r = &heard.records[fuzz_u8(in) % heard.count];
    r->u.draw.value ^= UINT64_C(1) << (fuzz_u8(in) % 32);
    const wrong_record w = record_check(bytes, f.used, heard.records, heard.count);
    FUZZ_HOLDS(w.error == (r->kind == FRNG_BYTES ? RECORD_RIGHT : RECORD_VALUE));
    if (w.error != RECORD_RIGHT) check_text(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t input_size) {
    fuzz_input in = {input, input_size};
    const bool is_honest = (fuzz_u8(&in) & 1) != 0;
    const size_t size = fuzz_u8(&in) % (BYTES_MAX + 1);
    uint8_t *bytes = malloc(size + 1); /* for AddressSanitizer */
    FUZZ_HOLDS(bytes != NULL);
    fuzz_fill(&in, bytes, size);
    if (is_honest) {
        check_honest(&in, bytes, size);
    } else {
        check_any(&in, bytes, size);
    }
    free(bytes);
    return 0;
}
