/* refused.h: system calls that frng needs, and that a sandbox or an old kernel refuses. */
#ifndef REFUSED_H
#define REFUSED_H

/* Try these calls again after a failure. Return the name of the first one that is refused, and its
 * errno (EPERM or ENOSYS); NULL if none is. */
const char *refused_call(int *error_number);

#endif
