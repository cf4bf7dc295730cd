#include "result_line.h"

#include "seed_text.h"
#include "text_failures.h"
#include "text_summary.h"

#include <inttypes.h>
#include <stdio.h>

static void put_input(FILE *out, const summary *s, const found_input *c) {
    const uint64_t size = c->failure->input.size;
    char hex[2 * TEXT_SHORT_MAX + 1], seed[SEED_TEXT_MAX];
    fprintf(out, "size=%" PRIu64, size);
    if (s->setup->task == TASK_REDUCE_FILE) {
        fputs(" output=", out);
        text_put_escaped(out, s->setup->output);
    } else if (c->bytes == NULL) {
        fprintf(out, " seed=%s", seed_text_format(seed, &c->failure->input));
    } else if (size <= TEXT_SHORT_MAX) {
        bytes_to_hex(c->bytes, size, hex);
        fprintf(out, " hex=%s", hex);
    } else if (c->saved != NULL) {
        fputs(c->is_finding ? " finding=" : " output=", out);
        text_put_escaped(out, c->saved);
    }
}

/* Print the lines of a search for all failures. The signature is last, since it can have blanks. */
static void put_each_result(FILE *out, const summary *s) {
    for (size_t i = 0; i < s->each_count; i++) {
        put_input(out, s, &s->each[i].input);
        fputs(" signature=", out);
        text_failures_put_name(out, s->each[i].input.failure);
        fputs("\n", out);
    }
}

static void put_result(FILE *out, const summary *s) {
    if (s->each_count > 0) {
        put_each_result(out, s);
        return;
    }
    put_input(out, s, &s->best);
    fputs("\n", out);
}

char *result_line(const summary *s) {
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) return NULL;
    put_result(out, s);
    fclose(out);
    return line;
}
