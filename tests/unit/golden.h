/* golden.h: a file beside a unit that has all of what the unit prints. FRNG_ACCEPT=1 writes it
 * anew; read the difference before you commit it. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is printed is that of the file. Else names the first line that differs. */
static inline void golden_check(const char *path, const char *text) {
    static char expected[1 << 18];
    const bool accepts = getenv("FRNG_ACCEPT") != NULL;
    unsigned line = 1;
    FILE *file = fopen(path, accepts ? "w+e" : "re");
    ck_assert_msg(file != NULL, "no %s", path);
    if (accepts) fputs(text, file);
    rewind(file);
    expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
    fclose(file);
    const char *is = text, *was = expected;
    for (size_t i = 0; text[i] != '\0' && text[i] == expected[i]; i++) {
        if (text[i] != '\n') continue;
        is = text + i + 1;
        was = expected + i + 1;
        line++;
    }
    ck_assert_msg(strcmp(text, expected) == 0, "%s:%u: '%.*s' is '%.*s' now", path, line,
                  (int)strcspn(was, "\n"), was, (int)strcspn(is, "\n"), is);
}

#endif
