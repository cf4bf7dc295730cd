/* identity.h: how a run failed, as a thing to compare, print and ask for. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdbool.h>

typedef enum identity_kind { IDENTITY_EXIT, IDENTITY_SIGNAL, IDENTITY_TIMEOUT } identity_kind;

typedef struct identity {
    identity_kind kind;
    int value; /* exit status 1..255, or signal number; 0 for a timeout */
} identity;

enum { IDENTITY_TEXT_MAX = 32 }; /* bytes that any identity's text fits in, its end included */

/* The identity in a wait status that is no success. */
identity identity_of_status(int wait_status);

/* What a shell would show as $?: the exit status, 128 + signal, or 124 for a timeout. */
int identity_shell_status(identity id);

bool identity_equal(identity a, identity b);

/* exit:3, signal:SIGABRT, signal:SIGRTMIN+2, timeout. Fills `text` and returns it. */
const char *identity_format(identity id, char text[IDENTITY_TEXT_MAX]);

/* What identity_format writes, and signal:ABRT and signal:6. False on anything else. */
bool identity_parse(const char *text, identity *id);

#endif
