/* signature.h: signatures of failures, which can be compared, printed and parsed; and limits of a
 * run that may have caused its failure. */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include <stdbool.h>

typedef enum signature_kind { SIGNATURE_EXIT, SIGNATURE_SIGNAL, SIGNATURE_TIMEOUT } signature_kind;

typedef struct signature {
    signature_kind kind;
    int value; /* exit status 1..255, or signal number; 0 for a timeout */
} signature;

enum { SIGNATURE_TEXT_MAX = 32 }; /* bytes for any signature's text, its NUL included */

/* Return the signature in a wait status that is no success. */
signature signature_of_status(int wait_status);

/* Return the $? that a shell would show: the exit status, 128 + signal, or 124 for a timeout. */
int signature_shell_status(signature id);

bool signature_equal(signature a, signature b);

/* Room in an argument, as UNITS_TEXT is (units.h). */
#define SIGNATURE_TEXT ((char[SIGNATURE_TEXT_MAX]){0})

/* Write a signature to `text`, as exit:3, signal:SIGABRT, signal:SIGRTMIN+2 or timeout, and return
 * `text`. */
const char *signature_format(signature id, char text[SIGNATURE_TEXT_MAX]);

/* Parse the text of signature_format, and also signal:ABRT and signal:6. Return false for other
 * text. */
bool signature_parse(const char *text, signature *id);

/* The limit that may have caused a failure, as a rerun under twice the limits shows. */
typedef enum failure_cause {
    CAUSE_NONE,
    CAUSE_TIMEOUT, /* a rerun of a hang passed: the machine was busy, or the failure is flaky */
    CAUSE_MEMORY,  /* the run needs more memory, or takes all there is */
    CAUSE_WORKER,  /* the run stopped its worker, which the driver killed */
    CAUSE_BUDGET   /* the end of --time cut the run off, which may hang */
} failure_cause;

enum { CAUSE_COUNT = 5 };

#endif
