/* recorder.h: a host that writes down the draws of a test, as frng_main.h tells a driver. */
#ifndef RECORDER_H
#define RECORDER_H

#include "frng_more.h"
#include "frng_protocol.h"

#include <string.h>

typedef struct recorder {
    frng_host host; /* first */
    frng_trace_record *records;
    uint64_t max, told;
} recorder;

static bool drawn_fill(frng *f, size_t count) {
    (void)f;
    (void)count;
    return false;
}

static frng_trace_record *next_record(recorder *r) {
    static frng_trace_record lost;
    return r->told++ < r->max ? &r->records[r->told - 1] : &lost;
}

static void on_drawn(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                     uint64_t max, uint64_t value) {
    frng_trace_record *r = next_record((recorder *)f->host);
    *r = (frng_trace_record){
        .start = start, .taken = f->used - start, .kind = (uint8_t)kind, .width = (uint8_t)width};
    r->u.draw.min = min;
    r->u.draw.max = max;
    r->u.draw.value = value;
}

static void add_text(frng *f, uint8_t kind, const char *name) {
    frng_trace_record *r = next_record((recorder *)f->host);
    *r = (frng_trace_record){.start = f->used, .kind = kind};
    strncpy(r->u.text, name, sizeof r->u.text - 1);
}

static void on_note(frng *f, const char *name) { add_text(f, FRNG_TRACE_NOTE, name); }

static void on_mark(frng *f, int mark, const char *name, uint64_t value) {
    (void)value;
    if (mark == FRNG_STEP) add_text(f, FRNG_TRACE_STEP, name);
}

static recorder recorder_of(frng_trace_record *records, uint64_t max) {
    return (recorder){{drawn_fill, on_drawn, on_note, on_mark, NULL}, records, max, 0};
}

#endif
