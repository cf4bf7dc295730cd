/* Findings as a table, a row for each program and signature.
 *
 * Those are of many programs, so that they are no rows of a failure_table. A folder lists smallest
 * names first, and its files are read one by one: a row keeps the answer of its bug
 * (failure_is_better) and a count, all else is freed at once, so that 100,000 findings need no more
 * memory than their rows. frng-replay --list, frng-status and frng-report print these rows, and so
 * name one answer. Folders right below are read too: earlier versions of frng-ci made
 * one for each target. */
#include "finding_table.h"

#include "bytes.h"
#include "messages.h"
#include "phrase.h"
#include "text.h"
#include "tool.h"
#include "worker_log.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Skipped files ---- */

void skipped_files_add(skipped_files *s, const char *name, const char *why) {
    if (s->count++ < SKIPPED_FILES_LINES) message("%s/%s: skipped: %s", s->folder, name, why);
}

void skipped_files_end(skipped_files *s) {
    if (s->count > SKIPPED_FILES_LINES) {
        const uint64_t more = s->count - SKIPPED_FILES_LINES;
        message("%s: %s skipped", s->folder, COUNTED(more, "more file"));
    }
    s->count = 0;
}

/* ---- Rows ---- */

/* Return the row of a finding, perhaps a new one. */
static finding_row *row_of(finding_table *t, const finding *f) {
    for (size_t i = 0; i < t->count; i++) {
        const finding *of = &t->rows[i].smallest;
        if (failure_is_same(&of->of, &f->of) &&
            finding_has_subject(of, f->sut, (const char *const *)f->args))
            return &t->rows[i];
    }
    t->rows = with_room(t->rows, t->count, sizeof *t->rows);
    t->rows[t->count] = (finding_row){.count = 0};
    return &t->rows[t->count++];
}

/* Count a finding, and exchange it with the answer of its row if it is better. */
static void count_finding(finding_table *t, const char *folder, const char *name, finding *f) {
    t->seen++;
    if (t->filter != NULL &&
        signature_filter_match(t->filter, f->of.signature, f->of.site, true) != SIGNATURE_MATCHES)
        return;
    finding_row *r = row_of(t, f);
    if (r->count++ > 0 && !failure_is_better(&f->of, &r->smallest.of)) return;
    const finding old = r->smallest;
    r->smallest = *f;
    *f = old;
    free(r->path);
    r->path = memory_text("%s/%s", folder, name);
}

static int by_size(const void *a, const void *b) {
    const seed_input x = ((const finding_row *)a)->smallest.of.input,
                     y = ((const finding_row *)b)->smallest.of.input;
    return seed_input_less(x, y) ? -1 : seed_input_less(y, x) ? 1 : 0;
}

void finding_table_finish(finding_table *t) {
    for (size_t i = 0; i < t->count; i++) {
        finding_free(&t->rows[i].smallest);
        free(t->rows[i].path);
    }
    for (size_t i = 0; i < t->folder_count; i++) free(t->folders[i]);
    free(t->folders);
    free(t->rows);
    *t = (finding_table){.count = 0};
}

/* ---- Folders ---- */

static int read_one(finding_table *t, const char *folder) {
    store_names names;
    skipped_files skipped = {.folder = folder};
    const int error = store_list(folder, &names);
    for (size_t i = 0; i < names.count && error == 0; i++) {
        const char *why;
        finding f;
        if (store_read(folder, names.list[i], &f, &why)) {
            count_finding(t, folder, names.list[i], &f);
            finding_free(&f);
        } else if (why != NULL) {
            skipped_files_add(&skipped, names.list[i], why);
        }
    }
    t->skipped += skipped.count;
    skipped_files_end(&skipped);
    store_names_free(&names);
    if (error != 0) return error;
    t->folders = with_room(t->folders, t->folder_count, sizeof *t->folders);
    t->folders[t->folder_count++] = memory_text("%s", folder);
    return 0;
}

/* True if a name may be that of a folder of findings: not of what workers, searches and file
 * systems keep apart. */
static int may_be_folder(const struct dirent *entry) {
    static const char *const apart[] = {WORKER_FOLDER, "unconfirmed", "lost+found"};
    const char *name = entry->d_name;
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (strcmp(name, apart[i]) == 0) return false;
    return name[0] != '.' && entry->d_type != DT_REG;
}

/* Read what stands below a folder. Other files, and links to nothing, are no folders. */
static void read_below(finding_table *t, const char *folder, const char *name) {
    char *path = memory_text("%s/%s", folder, name);
    const int error = read_one(t, path);
    if (error != 0 && error != ENOTDIR && error != ENOENT) {
        message_error(error, "%s: skipped", path);
        t->skipped++;
    }
    free(path);
}

int finding_table_read(finding_table *t, const char *folder) {
    struct dirent **below = NULL;
    int error = read_one(t, folder);
    const int count = error == 0 ? scandir(folder, &below, may_be_folder, alphasort) : 0;
    if (count < 0) error = errno;
    for (int i = 0; i < count; i++) {
        read_below(t, folder, below[i]->d_name);
        free(below[i]);
    }
    free(below);
    if (t->count > 0) qsort(t->rows, t->count, sizeof *t->rows, by_size);
    return error;
}

/* ---- Rows as text ---- */

enum { NAME_WIDTH_MAX = 48 }; /* longer names push their row to the right */

const char *finding_row_replay(const finding_row *r, const char *tool) {
    const finding *f = &r->smallest;
    const run_target target = {.sut = f->sut != NULL ? f->sut : "SUT",
                               .args = (const char *const *)f->args,
                               .replay = tool,
                               .options = ""};
    return phrase_replay_found(&target, &(found_input){&f->of, f->bytes, r->path, true});
}

/* Return the columns of the longest name that is no longer than the style allows. */
static int width_of_names(const finding_table *t, int width_max) {
    int width = 9; /* of the heading */
    for (size_t i = 0; i < t->count; i++) {
        const size_t length = strlen(text_failure_name(&t->rows[i].smallest.of));
        if (length <= (size_t)width_max && (int)length > width) width = (int)length;
    }
    return width;
}

static void put_row(FILE *out, const finding_row *r, int width, const char *tool) {
    const finding *s = &r->smallest;
    const char *name = text_failure_name(&s->of);
    if (strlen(name) > (size_t)width) {
        fprintf(out, "%s\n", name);
        name = "";
    }
    fprintf(out, "%-*s  %6" PRIu64 "  %6s  %8s  %s\n", width, name, s->of.input.size,
            phrase_format("%u/%u", s->of.repeated, s->of.reruns), COUNT(r->count),
            phrase_escaped(s->when != NULL ? s->when : ""));
    fprintf(out, "    %s\n", finding_row_replay(r, tool));
}

void finding_table_put(FILE *out, const finding_table *t, const char *tool, int name_width) {
    const int width = width_of_names(t, name_width);
    if (t->count > 0) fprintf(out, "%-*s    size  reruns  findings  found\n", width, "signature");
    for (size_t i = 0; i < t->count; i++) put_row(out, &t->rows[i], width, tool);
}

static void put_results(FILE *out, const finding_table *t) {
    for (size_t i = 0; i < t->count; i++) {
        const finding_row *r = &t->rows[i];
        const finding *f = &r->smallest;
        text_put_result_named(out, &(found_input){&f->of, f->bytes, r->path, true});
    }
}

bool finding_list_print(const char *folder, const char *tool, const signature_filter *filter,
                        bool only_results) {
    finding_table t = {.filter = filter};
    char *text = NULL;
    size_t length;
    const int error = finding_table_read(&t, folder);
    const bool is_known = t.seen > 0 || t.skipped == 0; /* else nobody can say what is there */
    if (error != 0) message_error(error, "%s: cannot be opened", folder);
    if (error == 0 && t.count == 0 && is_known && !only_results)
        message("%s: no findings%s", folder, t.seen > 0 ? " of these" : "");
    FILE *out = error == 0 ? memory_stream(&text, &length) : NULL;
    if (out != NULL && only_results) put_results(out, &t);
    if (out != NULL && !only_results) finding_table_put(out, &t, tool, NAME_WIDTH_MAX);
    const bool ok = out != NULL && tool_print(memory_close(out, &text));
    free(text);
    finding_table_finish(&t);
    return ok && is_known;
}
