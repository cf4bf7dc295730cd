/* crash_site.h: the line or function in which a run crashed, from frames that it reported. */
#pragma once

#include "failure.h"

/* Write the site of a crash, or "", from a report's text that begins with '@' (frng_crash.h). If
 * the text names a file without its folders, that file is the program. */
#ifdef FRNG_HAS_LIBDW
void crash_site_name(const char *frames, const char *program, char site[SITE_MAX]);
#else
static inline void crash_site_name(const char *frames, const char *program, char site[SITE_MAX]) {
    (void)frames, (void)program;
    site[0] = '\0';
}
#endif
