#include "words.h"

#include <stdlib.h>
#include <string.h>

/* True if a backslash within `quote` (0: unquoted) makes the character `next` literal. */
static bool is_escape(char quote, char next) {
    if (quote == '"') return next != '\0' && strchr("\"\\$`", next) != NULL;
    return quote == '\0' && next != '\0';
}

char *words_next(char **rest, bool *ok) {
    char *from = *rest + strspn(*rest, " \t\n");
    if (*from == '\0') return NULL;
    char *word = from, *to = from;
    char quote = '\0';
    for (; *from != '\0' && (quote != '\0' || strchr(" \t\n", *from) == NULL); from++) {
        if (*from == '\\' && is_escape(quote, from[1])) {
            *to++ = *++from;
        } else if (quote == '\0' && (*from == '\'' || *from == '"')) {
            quote = *from;
        } else if (quote != '\0' && *from == quote) {
            quote = '\0';
        } else {
            *to++ = *from;
        }
    }
    *ok = *ok && quote == '\0';
    *rest = *from != '\0' ? from + 1 : from;
    *to = '\0';
    return word;
}

bool words_check(const char *line) {
    char *words = strdup(line), *rest = words;
    bool ok = words != NULL;
    size_t count = 0;
    while (ok && words_next(&rest, &ok) != NULL) count++;
    free(words);
    return ok && count > 0;
}
