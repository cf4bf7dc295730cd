#include "file_argument.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool file_argument_is_named(char *const *args) {
    while (*args != NULL && strstr(*args, FILE_ARGUMENT) == NULL) args++;
    return *args != NULL;
}

/* Return a word with each @@ replaced; NULL when out of memory. */
static char *replaced(const char *word, const char *path) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return NULL;
    for (const char *at; (at = strstr(word, FILE_ARGUMENT)) != NULL;) {
        fprintf(out, "%.*s%s", (int)(at - word), word, path);
        word = at + strlen(FILE_ARGUMENT);
    }
    fputs(word, out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

char **file_argument_put(char **argv, const char *path) {
    const size_t count = text_count(argv);
    size_t made = 0;
    char **words = calloc(count + 1, sizeof *words);
    if (words == NULL) return NULL;
    for (size_t i = 1; i < count; i++) {
        if (strstr(argv[i], FILE_ARGUMENT) == NULL) continue;
        words[made] = replaced(argv[i], path);
        if (words[made] == NULL) {
            file_argument_free(words);
            return NULL;
        }
        argv[i] = words[made++];
    }
    return words;
}

void file_argument_free(char **words) {
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) free(words[i]);
    free(words);
}
