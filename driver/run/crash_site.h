/* crash_site.h: the line or function in which a run crashed, from frames that it reported. */
#pragma once

#include "failure.h"

/* Write the site of a crash, or "", from a report's text that begins with '@' (frng_crash.h). The
 * path of the program stands for a file of which the text has only the name. */
void crash_site_name(const char *frames, const char *program, char site[SITE_MAX]);
