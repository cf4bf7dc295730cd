/* text_sink.h: events as lines for people, on standard error. */
#ifndef TEXT_SINK_H
#define TEXT_SINK_H

#include "screen.h"

typedef struct text_sink {
    bool is_quiet;          /* print only errors */
    bool is_verbose;        /* print also the start, each best and the passes */
    const run_setup *setup; /* of the event STARTED */
    screen screen;
    bool has_best;         /* a best was printed */
    int64_t best_ns;       /* elapsed time of the last printed best */
    uint64_t best_size;    /* bytes of the last printed best */
    bool has_wrong_record; /* a wrong record was printed */
} text_sink;

/* The function of an event_sink whose context is a text_sink. */
void text_sink_take(void *context, const event *e);

#endif
