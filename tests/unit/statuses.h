/* statuses.h: for unit tests: wait statuses, as Linux makes them; not every libc has the macros. */
#ifndef STATUSES_H
#define STATUSES_H

#include <sys/wait.h>

#ifndef W_EXITCODE
#define W_EXITCODE(status, signal) ((status) << 8 | (signal))
#endif
#ifndef W_STOPCODE
#define W_STOPCODE(signal) ((signal) << 8 | 0x7f)
#endif
#ifndef WCOREFLAG
#define WCOREFLAG 0x80
#endif

#endif
