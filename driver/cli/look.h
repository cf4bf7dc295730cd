/* look.h: one look at a file: what the predicate says, how long that takes, what it prints. */
#ifndef LOOK_H
#define LOOK_H

#include "containment.h"
#include "runner_predicate.h"

typedef enum look_answer {
    LOOK_INTERESTING,
    LOOK_NOT,         /* it ended as `end` says; is_late: it was killed at its deadline */
    LOOK_SPENT,       /* the deadline came first */
    LOOK_INTERRUPTED, /* interrupt_fd has something to read */
    LOOK_ENVIRONMENT, /* the predicate cannot be started: see `end` */
    LOOK_BROKEN       /* our own processes failed: error_number */
} look_answer;

typedef struct look {
    outcome end;
    bool is_late;
    int64_t took_ns;
    int error_number;
    bytes_tail printed;
} look;

/* Ask the predicate about bytes, until a deadline on clock_now_ns's clock. *result is filled as the
 * answer says. */
look_answer look_at(look *result, containment c, const runner_predicate_config *predicate,
                    const uint8_t *bytes, size_t size, int interrupt_fd, int64_t deadline_ns);

#endif
