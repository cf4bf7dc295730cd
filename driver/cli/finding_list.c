#include "finding_list.h"

#include "messages.h"
#include "result_line.h"
#include "skipped_files.h"
#include "store.h"
#include "subject.h"
#include "text_failures.h"
#include "text_summary.h"
#include "tool_init.h"
#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The findings of one signature of one program. */
typedef struct row {
    const finding *smallest; /* one that always failed, if there is any */
    uint64_t count;
} row;

typedef struct table {
    const finding_list_options *options;
    finding *list;
    size_t list_count;
    row *rows; /* in the order of their smallest */
    size_t count;
} table;

static const char *site_of(const finding *f) { return f->site != NULL ? f->site : ""; }

static bool is_flaky(const finding *f) { return f->repeated < f->reruns; }

/* ---- Rows ---- */

static bool is_text_equal(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same_subject(const finding *a, const finding *b) {
    size_t i = 0;
    if (!is_text_equal(a->sut, b->sut)) return false;
    while (a->args[i] != NULL && is_text_equal(a->args[i], b->args[i])) i++;
    return a->args[i] == NULL && b->args[i] == NULL;
}

/* Return the row of a finding; the first unused one if there is none. */
static row *row_of(const table *t, const finding *f) {
    size_t i = 0;
    for (; i < t->count; i++) {
        const finding *of = t->rows[i].smallest;
        if (signature_equal(of->signature, f->signature) && strcmp(site_of(of), site_of(f)) == 0 &&
            is_same_subject(of, f)) {
            break;
        }
    }
    return &t->rows[i];
}

/* Add a finding. Those before it are no larger. */
static void add(table *t, const finding *f) {
    const signature_filter *filter = t->options->filter;
    if (signature_filter_match(filter, f->signature, site_of(f), true) != SIGNATURE_MATCHES) return;
    row *r = row_of(t, f);
    if (r == &t->rows[t->count]) {
        t->count++;
        *r = (row){.smallest = f};
    }
    if (is_flaky(r->smallest) && !is_flaky(f)) r->smallest = f;
    r->count++;
}

static int by_size(const void *a, const void *b) {
    const seed_input x = ((const row *)a)->smallest->input, y = ((const row *)b)->smallest->input;
    return seed_input_less(x, y) ? -1 : seed_input_less(y, x) ? 1 : 0;
}

/* ---- Printing ---- */

/* Return the failure of a finding. The next call overwrites it: it is large. */
static const failure *failure_of(const finding *f) {
    static failure of;
    of.input = f->input;
    of.signature = f->signature;
    snprintf(of.site, sizeof of.site, "%s", site_of(f));
    return &of;
}

/* Return the path of a finding, which the caller frees; NULL when out of memory. */
static char *path_of(const table *t, const finding *f) {
    char name[STORE_NAME_MAX], *path;
    store_name(f, name);
    return asprintf(&path, "%s/%s", t->options->folder, name) < 0 ? NULL : path;
}

static void put_replay(FILE *out, const table *t, const finding *f, const found_input *found) {
    const run_target target = {.sut = f->sut != NULL ? f->sut : "SUT",
                               .args = (const char *const *)f->args,
                               .replay = t->options->tool,
                               .options = ""};
    char *line = subject_replay_line_found(&target, found);
    fprintf(out, "    %s\n", line != NULL ? line : "out of memory");
    free(line);
}

static int width_of_names(const table *t) {
    int width = 9; /* of the heading */
    for (size_t i = 0; i < t->count; i++) {
        char text[FAILURE_NAME_MAX];
        const char *name = text_failures_name(failure_of(t->rows[i].smallest), text);
        const int length = (int)strnlen(name, FAILURE_NAME_WIDTH_MAX);
        if (length > width) width = length;
    }
    return width;
}

/* Print a row of the table. */
static void put_row(FILE *out, const row *r, int width) {
    const finding *f = r->smallest;
    char name[FAILURE_NAME_MAX], reruns[32], count[UNITS_TEXT_MAX];
    snprintf(reruns, sizeof reruns, "%u/%u", f->repeated, f->reruns);
    fprintf(out, "%-*s  %6" PRIu64 "  %6s  %8s  ", width, text_failures_name(failure_of(f), name),
            f->input.size, reruns, units_format_count(count, r->count));
    text_put_escaped(out, f->when != NULL ? f->when : "");
    fputs("\n", out);
}

static void put_rows(FILE *out, const table *t) {
    const bool is_table = !t->options->only_results;
    const int width = width_of_names(t);
    if (is_table && t->count > 0)
        fprintf(out, "%-*s  %6s  %6s  %8s  %s\n", width, "signature", "size", "reruns", "findings",
                "found");
    for (size_t i = 0; i < t->count; i++) {
        const finding *f = t->rows[i].smallest;
        char *saved = path_of(t, f);
        const found_input found = {failure_of(f), f->bytes, saved, true};
        if (is_table) {
            put_row(out, &t->rows[i], width);
            put_replay(out, t, f, &found);
        } else {
            result_line_put_named(out, &found);
        }
        free(saved);
    }
}

/* Print all rows. Returns true on success. */
static bool print(const table *t) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return false;
    put_rows(out, t);
    const bool ok = fclose(out) == 0 && tool_print(text);
    free(text);
    return ok;
}

/* ---- The folder ---- */

static bool list(table *t) {
    t->rows = calloc(t->list_count + 1, sizeof *t->rows);
    if (t->rows == NULL) {
        message_error(ENOMEM, "cannot hold the findings");
        return false;
    }
    for (size_t i = 0; i < t->list_count; i++) add(t, &t->list[i]);
    qsort(t->rows, t->count, sizeof *t->rows, by_size);
    if (t->count == 0 && !t->options->only_results)
        message("%s: no findings%s", t->options->folder, t->list_count > 0 ? " of these" : "");
    const bool ok = print(t);
    free(t->rows);
    return ok;
}

bool finding_list_print(const finding_list_options *o) {
    table t = {.options = o};
    store *s = store_open_there(o->folder);
    skipped_files skipped = {.folder = o->folder};
    if (s != NULL) t.list = store_load(s, skipped_files_add, &skipped, &t.list_count);
    if (t.list == NULL) message_error(errno, "%s: cannot be opened", o->folder);
    skipped_files_end(&skipped);
    const bool ok = t.list != NULL && list(&t);
    for (size_t i = 0; i < t.list_count; i++) finding_free(&t.list[i]);
    free(t.list);
    store_close(s);
    return ok;
}
