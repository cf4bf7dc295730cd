/* fuzz_records.h: records of a trace, cut from the input: as they come, or made to look nearly as
 * though they were told by an honest program. */
#ifndef FUZZ_RECORDS_H
#define FUZZ_RECORDS_H

#include "frng.h"
#include "frng_protocol.h"
#include "fuzz.h"

/* Of `count` records in all; *at is where the next draw begins. */
static inline frng_trace_record fuzz_record(fuzz_input *in, uint64_t *at) {
    frng_trace_record r;
    const uint8_t how = fuzz_u8(in);
    memset(&r, 0, sizeof r);
    if (how == 255) {
        fuzz_fill(in, &r, sizeof r);
        return r;
    }
    if (how >= 248) {
        r.kind = FRNG_TRACE_NOTE;
        fuzz_fill(in, r.u.text, sizeof r.u.text);
        return r;
    }
    r.kind = how % (FRNG_KIND_MAX + 1);
    r.width = (uint8_t)(1u << (how / 8 % 4));
    if (r.kind == FRNG_BOOL) r.width = 1;
    if (r.kind == FRNG_CHANCE) r.width = 4;
    if (r.kind == FRNG_F64) r.width = 8;
    r.start = *at;
    r.taken = r.width + (how >= 192 ? fuzz_u8(in) : 0u);
    r.u.draw.min = fuzz_number(in);
    r.u.draw.max = how % 3 == 0 ? fuzz_number(in) : r.u.draw.min + fuzz_number(in);
    r.u.draw.value = how % 5 == 0 ? fuzz_number(in) : r.u.draw.min + fuzz_u8(in);
    if (r.kind == FRNG_BOOL) r.u.draw.value &= 1;
    if (r.kind == FRNG_BYTES) r.taken = r.u.draw.max;
    *at += r.taken;
    return r;
}

#endif
