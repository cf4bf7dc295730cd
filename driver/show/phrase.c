#include "phrase.h"

#include "bytes.h"
#include "failure.h"
#include "seed_input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *phrase_plural(uint64_t count) { return count == 1 ? "" : "s"; }

const char *phrase_format_count(char text[PHRASE_COUNT_MAX], uint64_t count, const char *noun) {
    snprintf(text, PHRASE_COUNT_MAX, "%s %s%s", COUNT(count), noun, phrase_plural(count));
    return text;
}

/* Return text escaped for a terminal. The caller frees it. NULL when out of memory. */
static char *escaped(const char *text) {
    const size_t size = strlen(text), text_max = 4 * size + 1;
    char *safe = malloc(text_max);
    if (safe != NULL) bytes_escape((const uint8_t *)text, size, false, safe, text_max);
    return safe;
}

void phrase_put_escaped(FILE *out, const char *text) {
    char *safe = escaped(text);
    if (safe != NULL) fputs(safe, out);
    free(safe);
}

void phrase_put_shell(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./_-";
    char *safe = escaped(word);
    const bool controls = safe == NULL || strcmp(safe, word) != 0;
    free(safe);
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputs(controls ? "$'" : "'", out);
    for (const char *at = word; *at != '\0'; at++) {
        const unsigned char c = (unsigned char)*at;
        if (controls && (c < 0x20 || c >= 0x7f)) {
            fprintf(out, "\\%03o", c);
        } else if (c == '\'') {
            fputs(controls ? "\\'" : "'\\''", out);
        } else if (controls && c == '\\') {
            fputs("\\\\", out);
        } else {
            fputc(c, out);
        }
    }
    fputc('\'', out);
}

/* ---- Commands ---- */

static void put_args(FILE *out, const run_target *s, const char *separator) {
    if (s->args[0] != NULL) fputs(separator, out);
    for (size_t i = 0; s->args[i] != NULL; i++) {
        fputc(' ', out);
        phrase_put_shell(out, s->args[i]);
    }
}

/* Return a replay of a seed, or of what an option names (t: NULL). */
static char *replay(const run_target *s, const seed_input *t, const char *option,
                    const char *value) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    phrase_put_shell(out, s->replay);
    fputc(' ', out);
    phrase_put_shell(out, s->sut);
    if (t != NULL) {
        fprintf(out, " --size %" PRIu64 " --seed %s", t->size, seed_text_format(SEED_TEXT, t));
    } else {
        fprintf(out, " %s ", option);
        phrase_put_shell(out, value);
    }
    fputs(s->options, out);
    put_args(out, s, " --");
    fclose(out);
    return line;
}

char *phrase_replay_seed(const run_target *s, seed_input t) { return replay(s, &t, NULL, NULL); }

char *phrase_replay_bytes(const run_target *s, const char *option, const char *value) {
    return replay(s, NULL, option, value);
}

char *phrase_replay_found(const run_target *s, const found_input *c) {
    const uint64_t size = c->failure->input.size;
    char hex[2 * PHRASE_HEX_MAX + 1];
    if (c->bytes == NULL) return phrase_replay_seed(s, c->failure->input);
    if (size <= PHRASE_HEX_MAX) {
        bytes_to_hex(c->bytes, size, hex);
        return phrase_replay_bytes(s, "--hex", hex);
    }
    if (c->saved == NULL) return NULL;
    return phrase_replay_bytes(s, c->is_finding ? "--finding" : "--input", c->saved);
}

char *phrase_check(const run_target *s, const char *result, const char *name) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    fputs("(d=$(mktemp -d) && cp -- ", out);
    phrase_put_shell(out, result);
    fputs(" \"$d\"/", out);
    phrase_put_shell(out, name);
    fputs(" && cd \"$d\" && ", out);
    phrase_put_shell(out, s->sut);
    fputc(' ', out);
    phrase_put_shell(out, name);
    put_args(out, s, "");
    fputc(')', out);
    fclose(out);
    return line;
}

char *phrase_command(const run_target *s) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    phrase_put_shell(out, s->sut);
    put_args(out, s, "");
    fclose(out);
    return line;
}
