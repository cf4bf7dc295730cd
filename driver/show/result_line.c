#include "result_line.h"

#include "failure.h"
#include "seed_input.h"
#include "text_failures.h"
#include "text_summary.h"

#include <inttypes.h>
#include <stdio.h>

static void put_input(FILE *out, const found_input *c) {
    const uint64_t size = c->failure->input.size;
    char seed[SEED_TEXT_MAX];
    fprintf(out, "size=%" PRIu64, size);
    if (c->bytes == NULL) {
        fprintf(out, " seed=%s", seed_text_format(seed, &c->failure->input));
    } else if (size > PHRASE_HEX_MAX && c->saved != NULL) {
        fputs(c->is_finding ? " finding=" : " output=", out);
        phrase_put_escaped(out, c->saved);
    } else {
        fputs(" hex=", out);
        for (uint64_t i = 0; i < size; i++) fprintf(out, "%02x", c->bytes[i]);
    }
}

static void put_file(FILE *out, const summary *s) {
    fprintf(out, "size=%" PRIu64 " output=", s->best.failure->input.size);
    phrase_put_escaped(out, s->setup->output);
}

void result_line_put_named(FILE *out, const found_input *c) {
    char name[FAILURE_NAME_MAX];
    put_input(out, c);
    fprintf(out, " signature=%s\n", text_failures_name(c->failure, name));
}

static void put_result(FILE *out, const summary *s) {
    if (s->each_count > 0) {
        for (size_t i = 0; i < s->each_count; i++) result_line_put_named(out, &s->each[i].input);
        return;
    }
    if (s->setup->task == TASK_REDUCE_FILE) {
        put_file(out, s);
    } else {
        put_input(out, &s->best);
    }
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
