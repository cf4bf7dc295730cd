/* heard.h: a host that keeps what a test says. SPDX-License-Identifier: MIT */
#ifndef HEARD_H
#define HEARD_H

#include "frng.h"

#include <stdio.h>
#include <string.h>

static char said[4096]; /* lines */

__attribute__((format(printf, 2, 0))) static inline void hear(frng *f, const char *format,
                                                              va_list arguments) {
    const size_t used = strlen(said);
    (void)f;
    vsnprintf(said + used, sizeof said - used, format, arguments);
    strncat(said, "\n", sizeof said - strlen(said) - 1);
}

static inline bool fill_nothing(frng *f, size_t count) {
    (void)f;
    (void)count;
    return false;
}

/* A generator over these bytes whose words are heard from now on. */
static inline frng heard(const uint8_t *entropy, size_t size) {
    static frng_host listener;
    frng f = frng_init(entropy, size);
    listener = (frng_host){.fill = fill_nothing, .say = hear};
    f.host = &listener;
    said[0] = '\0';
    return f;
}

#endif
