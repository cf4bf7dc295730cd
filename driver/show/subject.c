#include "subject.h"

#include "bytes.h"
#include "failure.h"
#include "seed_input.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True if a word needs no escapes on a terminal. */
static bool is_printable(const char *word, size_t length) {
    char *text = malloc(length + 1);
    if (text == NULL) return false;
    bytes_escape((const uint8_t *)word, length, false, text, length + 1);
    const bool same = strcmp(text, word) == 0;
    free(text);
    return same;
}

void subject_put_word(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./_-";
    const size_t length = strlen(word);
    const bool controls = !is_printable(word, length);
    if (length > 0 && strspn(word, plain) == length) {
        fputs(word, out);
        return;
    }
    fputs(controls ? "$'" : "'", out);
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)word[i];
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

static void put_args(FILE *out, const run_target *s, const char *separator) {
    if (s->args[0] != NULL) fputs(separator, out);
    for (size_t i = 0; s->args[i] != NULL; i++) {
        fputc(' ', out);
        subject_put_word(out, s->args[i]);
    }
}

char *subject_replay_line(const run_target *s, seed_input t) {
    char *line = NULL, seed[SEED_TEXT_MAX];
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    subject_put_word(out, s->replay);
    fputc(' ', out);
    subject_put_word(out, s->sut);
    fprintf(out, " --size %" PRIu64 " --seed %s%s", t.size, seed_text_format(seed, &t), s->options);
    put_args(out, s, " --");
    fclose(out);
    return line;
}

char *subject_replay_line_of(const run_target *s, const char *option, const char *value) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    subject_put_word(out, s->replay);
    fputc(' ', out);
    subject_put_word(out, s->sut);
    fprintf(out, " %s ", option);
    subject_put_word(out, value);
    fputs(s->options, out);
    put_args(out, s, " --");
    fclose(out);
    return line;
}

char *subject_replay_line_found(const run_target *s, const found_input *c) {
    const uint64_t size = c->failure->input.size;
    char hex[2 * TEXT_SHORT_MAX + 1];
    if (c->bytes == NULL) return subject_replay_line(s, c->failure->input);
    if (size <= TEXT_SHORT_MAX) {
        bytes_to_hex(c->bytes, size, hex);
        return subject_replay_line_of(s, "--hex", hex);
    }
    if (c->saved == NULL) return NULL;
    return subject_replay_line_of(s, c->is_finding ? "--finding" : "--input", c->saved);
}

char *subject_check_line(const run_target *s, const char *result, const char *name) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    fputs("(d=$(mktemp -d) && cp -- ", out);
    subject_put_word(out, result);
    fputs(" \"$d\"/", out);
    subject_put_word(out, name);
    fputs(" && cd \"$d\" && ", out);
    subject_put_word(out, s->sut);
    fputc(' ', out);
    subject_put_word(out, name);
    put_args(out, s, "");
    fputc(')', out);
    fclose(out);
    return line;
}

char *subject_command(const run_target *s) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    subject_put_word(out, s->sut);
    put_args(out, s, "");
    fclose(out);
    return line;
}
