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

/* Return the text with what is new in each case, which begins with its name ("== name"): without
 * the lines that the case before has, and with the count of all its lines behind its name. */
static inline char *golden_changes(const char *text) {
    char *changes = NULL;
    size_t size, length;
    FILE *out = open_memstream(&changes, &size);
    const char *before = text, *name = text; /* of the case before, and of this one */
    for (const char *at = text; *at != '\0'; at += length) {
        bool is_known = false;
        unsigned lines = 0;
        length = strcspn(at, "\n") + 1;
        if (strncmp(at, "== ", 3) == 0) {
            const char *end = strstr(at + 1, "\n== ");
            for (const char *c = at; *c != '\0' && c != end; c++) lines += *c == '\n';
            fprintf(out, "%.*s (%u)\n", (int)length - 1, at, end != NULL ? lines : lines - 1);
            before = name;
            name = at;
            continue;
        }
        for (const char *old = before; old < name && !is_known; old += strcspn(old, "\n") + 1)
            is_known = strncmp(old, at, length) == 0;
        if (!is_known) fprintf(out, "%.*s", (int)length, at);
    }
    fclose(out);
    return changes;
}

#endif
