/* signature.h: how a run failed, as a thing to compare, print and ask for. */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include <stdbool.h>

typedef enum signature_kind { SIGNATURE_EXIT, SIGNATURE_SIGNAL, SIGNATURE_TIMEOUT } signature_kind;

typedef struct signature {
    signature_kind kind;
    int value; /* exit status 1..255, or signal number; 0 for a timeout */
} signature;

enum { SIGNATURE_TEXT_MAX = 32 }; /* bytes that any signature's text fits in, its end included */

/* The signature in a wait status that is no success. */
signature signature_of_status(int wait_status);

/* What a shell would show as $?: the exit status, 128 + signal, or 124 for a timeout. */
int signature_shell_status(signature id);

bool signature_equal(signature a, signature b);

/* exit:3, signal:SIGABRT, signal:SIGRTMIN+2, timeout. Fills `text` and returns it. */
const char *signature_format(signature id, char text[SIGNATURE_TEXT_MAX]);

/* What signature_format writes, and signal:ABRT and signal:6. False on anything else. */
bool signature_parse(const char *text, signature *id);

#endif
