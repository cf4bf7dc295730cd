/* frng-status: looks once at folders of findings, and shows what their searches do.
 *
 * A look reads the findings of each folder into one table, and the log of each worker, a
 * search of the fleet. Workers of one target (program, build, arguments, filter, expansion) are a
 * campaign. Its best is the smallest failure that its workers know, who adopt what their folder
 * has; the passes of those workers count whose evidence is of the size below it. Their runs are
 * independent, so they add up to one bound, but two workers with one --rng-seed ran the same
 * inputs: only the one with more of them counts.
 *
 * Whether a worker is silent follows from the age of its file by the clock of its file system, not
 * from times that are written in it. The text and the JSON object show the same. Nothing in the
 * folders is changed, and any file there may be cut short, foreign or hostile: what cannot be used
 * is skipped, with a line for each of the first. */
#include "bytes.h"
#include "clock.h"
#include "confidence.h"
#include "finding_table.h"
#include "messages.h"
#include "numbers.h"
#include "phrase.h"
#include "program.h"
#include "session.h"
#include "worker_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How many names of one kind, and campaigns, are shown; columns of a name, and of a digest. */
enum { SHOWN_MAX = 5, NAME_WIDTH = 32, BUILD_WIDTH = 12 };

static const char *const state_names[WORKER_STATES] = {"running", "silent",  "found",
                                                       "passed",  "stopped", "failed"};

typedef struct fleet_worker {
    const char *folder;   /* where its log is */
    worker_report report; /* owned */
    int64_t age_ns;       /* of the log; 0 for one from the future */
    size_t campaign;      /* index */
} fleet_worker;

/* Workers whose passes add up, and these passes one byte below their smallest failure. */
typedef struct campaign {
    worker_target target; /* borrowed from the file of one of the workers */
    size_t workers;
    uint64_t runs;
    uint64_t best_size;       /* UINT64_MAX: none */
    worker_evidence evidence; /* a bound is paid for by each stretch of all workers, at any size */
    size_t passers;           /* workers that passed at `below` */
    double bound;             /* 1: no evidence */
    run_claim grown;          /* nothing failed: what all workers together show of each size */
} campaign;

/* One look at all folders. */
typedef struct look {
    const tool_options *options;
    const char *replay; /* how the user calls frng-replay */
    finding_table table;
    fleet_worker *workers; /* in the order of their names */
    size_t count;
    campaign *campaigns;
    size_t campaign_count;
    size_t states[WORKER_STATES];
    worker_totals totals;
    double rate;    /* runs and reruns a second, of those that run */
    size_t folders; /* count of folders that could be read */
    bool has_best;  /* a worker knows a failure */
    bool failed;    /* a folder could not be read */
    int status;     /* exit status that follows */
} look;

/* ---- Reading ---- */

static void skip_log(void *context, const char *name, const char *why) {
    skipped_files_add(context, name, why);
}

/* Read all logs of workers. Return 0 or an errno. */
static int read_workers(look *l, const char *folder, const char *path) {
    skipped_files skipped = {.folder = path};
    worker_reports all;
    const int error = worker_reports_read(path, &all, skip_log, &skipped);
    l->table.skipped += skipped.count;
    skipped_files_end(&skipped);
    l->workers = memory_grown(l->workers, l->count + all.count + 1, sizeof *l->workers);
    for (size_t i = 0; i < all.count; i++)
        l->workers[l->count++] = (fleet_worker){.folder = folder, .report = all.list[i]};
    free(all.list); /* its members are ours now */
    return error;
}

static bool was_read(look *l, const char *path, int error) {
    l->failed |= error != 0;
    return error == 0 || message_error(error, "%s: cannot be read", path);
}

static void read_fleet_folder(look *l, const char *folder) {
    size_t next = l->table.folder_count;
    const int error = finding_table_read(&l->table, folder);
    if (error == ENOTDIR && access(folder, F_OK) == 0) {
        message("%s: is a file; give the folder of findings that it is in", folder);
        l->failed = true;
        return;
    }
    if (!was_read(l, folder, error)) return;
    l->folders++;
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
        message_error(errno, "%s: no worker of this user can save findings here", folder);
    for (; next < l->table.folder_count; next++) {
        const char *path = phrase_format("%s/" WORKER_FOLDER, l->table.folders[next]);
        was_read(l, path, read_workers(l, l->table.folders[next], path));
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const fleet_worker *)a)->report.file, ((const fleet_worker *)b)->report.file);
}

static void judge_worker(fleet_worker *w, int64_t now_ns) {
    const worker_report *f = &w->report;
    w->age_ns = now_ns > f->modified_ns ? now_ns - f->modified_ns : 0;
    if (worker_report_is_silent(f, now_ns)) w->report.state = WORKER_SILENT;
}

/* ---- Campaigns ---- */

/* Return the index of a target's campaign, perhaps a new one. */
static size_t campaign_of(look *l, const worker_target *t) {
    for (size_t i = l->campaign_count; i > 0; i--) { /* neighbours are often alike */
        if (worker_target_equal(&l->campaigns[i - 1].target, t)) return i - 1;
    }
    l->campaigns[l->campaign_count] = (campaign){.target = *t, .best_size = UINT64_MAX};
    return l->campaign_count++;
}

static bool has_best(const campaign *c) { return c->best_size < UINT64_MAX; }

static void add_worker(look *l, const fleet_worker *w) {
    const worker_totals *t = &w->report.totals;
    campaign *c = &l->campaigns[w->campaign];
    worker_totals_add(&l->totals, t);
    l->states[w->report.state]++;
    if (w->report.state == WORKER_RUNNING) l->rate += w->report.rate;
    c->workers++;
    c->runs = sum(c->runs, t->runs);
    c->evidence.stretches = sum(c->evidence.stretches, w->report.evidence.stretches);
    l->has_best |= w->report.best.is_known;
    if (w->report.best.is_known) c->best_size = smaller(c->best_size, w->report.best.input.size);
}

static int by_seed(const void *a, const void *b) {
    const fleet_worker *x = a, *y = b;
    if (x->campaign != y->campaign) return x->campaign < y->campaign ? -1 : 1;
    if (x->report.rng_seed != y->report.rng_seed)
        return x->report.rng_seed < y->report.rng_seed ? -1 : 1;
    return (x->report.evidence.counted < y->report.evidence.counted) -
           (x->report.evidence.counted > y->report.evidence.counted);
}

/* Add passes of a size to those of the campaign, in the order of the sizes. */
static void add_level(claim_levels *to, const claim_level *l) {
    size_t i = 0;
    while (i < to->count && to->list[i].size < l->size) i++;
    if (i == to->count || to->list[i].size != l->size) {
        if (to->count == CLAIM_LEVELS_MAX) return;
        memmove(&to->list[i + 1], &to->list[i], (to->count++ - i) * sizeof to->list[0]);
        to->list[i] = (claim_level){.size = l->size};
    }
    to->list[i].runs = sum(to->list[i].runs, l->runs);
    to->list[i].counted = sum(to->list[i].counted, l->counted);
}

/* Bound what fails at each size where nothing has failed. */
static void bound_levels(campaign *c) {
    run_claim *g = &c->grown;
    g->rounds = UINT64_MAX;
    for (size_t i = 0; i < g->levels.count; i++) {
        claim_level *l = &g->levels.list[i];
        l->bound = confidence_bound(l->counted, c->evidence.stretches);
        g->bound = l->bound > g->bound ? l->bound : g->bound;
        g->rounds = smaller(g->rounds, l->runs);
        g->largest = l->size;
    }
    g->sizes = g->levels.count;
}

/* True if a worker had the seeds of an earlier one (or NULL): it ran the same inputs. */
static bool is_same_search(const fleet_worker *earlier, const fleet_worker *w) {
    return earlier != NULL && earlier->campaign == w->campaign &&
           earlier->report.rng_seed == w->report.rng_seed;
}

/* Add up the passes of workers just below the best of their campaign, by their seeds. */
static void pool_passes(look *l) {
    const fleet_worker *last = NULL;
    qsort(l->workers, l->count, sizeof *l->workers, by_seed);
    for (size_t i = 0; i < l->count; i++) {
        const fleet_worker *w = &l->workers[i];
        const worker_evidence *e = &w->report.evidence;
        campaign *c = &l->campaigns[w->campaign];
        if (e->counted == 0 || c->best_size == 0 || e->below != c->best_size - 1 ||
            is_same_search(last, w))
            continue;
        c->evidence.passed = sum(c->evidence.passed, e->passed);
        c->evidence.counted = sum(c->evidence.counted, e->counted);
        c->passers++;
        last = w;
    }
}

/* Add up the passes at each size of workers whose campaign has no failure, as pool_passes does. */
static void pool_levels(look *l) {
    for (size_t i = 0; i < l->count; i++) {
        const fleet_worker *w = &l->workers[i];
        campaign *c = &l->campaigns[w->campaign];
        if (has_best(c) || is_same_search(i > 0 ? w - 1 : NULL, w)) continue;
        for (size_t k = 0; k < w->report.levels.count; k++)
            add_level(&c->grown.levels, &w->report.levels.list[k]);
    }
    for (size_t i = 0; i < l->campaign_count; i++) bound_levels(&l->campaigns[i]);
}

/* Sum up the campaigns. The bound holds for the pool as for one search (confidence_bound): the runs
 * of all workers at a size are independent, and each size that the fleet ever claims costs at least
 * one stretch, so that no two claims share a number of stretches that is too low. */
static void add_up(look *l) {
    for (size_t i = 0; i < l->count; i++) add_worker(l, &l->workers[i]);
    pool_passes(l);
    pool_levels(l);
    for (size_t i = 0; i < l->campaign_count; i++) {
        campaign *c = &l->campaigns[i];
        c->evidence.below = has_best(c) && c->best_size > 0 ? c->best_size - 1 : 0;
        c->bound = confidence_bound(c->evidence.counted, c->evidence.stretches);
    }
}

static void take_look(look *l) {
    struct timespec now; /* of the wall clock, as the times of files are */
    const operands *o = &l->options->rest;
    for (size_t i = 0; i < o->file_count; i++) read_fleet_folder(l, o->files[i]);
    l->campaigns = memory_zeroed(l->count + 1, sizeof *l->campaigns);
    if (l->count == 0) return;
    qsort(l->workers, l->count, sizeof *l->workers, by_name);
    timespec_get(&now, TIME_UTC);
    for (size_t i = 0; i < l->count; i++) {
        judge_worker(&l->workers[i], (int64_t)now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec);
        l->workers[i].campaign = campaign_of(l, &l->workers[i].report.target);
    }
    add_up(l);
    qsort(l->workers, l->count, sizeof *l->workers, by_name);
}

/* Return the exit status of a look. What is unknown comes before what is wrong, and that before
 * what was found. Where nothing could be read, nobody can say that nothing was found. */
static int status_of(const look *l) {
    const bool is_unknown = l->table.skipped > 0 && l->table.seen == 0 && l->count == 0;
    if (l->failed || is_unknown) return EXIT_ENVIRONMENT;
    if (l->states[WORKER_SILENT] > 0) return EXIT_INCONCLUSIVE;
    return l->table.count > 0 || l->has_best ? EXIT_FOUND : EXIT_PASSED;
}

/* ---- As text: lines of at most 80 columns, but for commands and long names ---- */

static void put_label(FILE *out, const char *label) { fprintf(out, "  %-8s ", label); }

static void put_more(FILE *out, size_t count, const char *what) {
    if (count > SHOWN_MAX)
        fprintf(out, "           and %s more%s\n", COUNT(count - SHOWN_MAX), what);
}

static void put_workers(FILE *out, const look *l) {
    const struct {
        size_t count;
        const char *what;
    } parts[] = {{l->states[WORKER_RUNNING], "running"},
                 {l->states[WORKER_SILENT], "silent"},
                 {l->states[WORKER_FOUND] + l->states[WORKER_PASSED], "done"},
                 {l->states[WORKER_STOPPED], "stopped"},
                 {l->states[WORKER_FAILED], "failed"}};
    const char *before = ": ";
    if (l->count == 0) {
        fputs("no workers: frng-search reports here with --sync or --worker\n", out);
        return;
    }
    fputs(COUNTED(l->count, "worker"), out);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].count == 0) continue;
        fprintf(out, "%s%s %s", before, COUNT(parts[i].count), parts[i].what);
        before = ", ";
    }
    fputs("\n", out);
}

static int64_t ns_of(double seconds) {
    return seconds < 9e9 ? (int64_t)(seconds * 1e9) : INT64_MAX;
}

static void put_runs(FILE *out, const look *l) {
    fprintf(out, "  runs     %s%s and %s in %s of searching", COUNT(l->totals.runs),
            phrase_discarded(l->totals.discarded), COUNTED(l->totals.reruns, "rerun"),
            numbers_format_elapsed(NUMBERS_TEXT, ns_of(l->totals.seconds)));
    if (l->states[WORKER_RUNNING] > 0)
        fprintf(out, ", %s/s now", COUNT(l->rate < 1e18 ? (uint64_t)l->rate : UINT64_MAX));
    fputs("\n", out);
}

/* Return why a worker is named; NULL: it is well. */
static const char *concern_of(const fleet_worker *w) {
    if (w->report.state == WORKER_SILENT || w->report.state == WORKER_FAILED)
        return state_names[w->report.state];
    return w->report.totals.errors > 0 ? "errors" : NULL;
}

static void put_concern(FILE *out, const fleet_worker *w) {
    const char *age = numbers_format_clock(NUMBERS_TEXT, w->age_ns);
    const uint64_t errors = w->report.totals.errors;
    const int64_t every_ns = ns_of(w->report.every);
    if (w->report.state == WORKER_SILENT) {
        fprintf(out, ": no sign for %s, and promised one every %s\n", age,
                w->report.every < 1 ? numbers_format_elapsed(NUMBERS_TEXT, every_ns)
                                    : numbers_format_clock(NUMBERS_TEXT, every_ns));
    } else if (w->report.state == WORKER_FAILED) {
        fprintf(out, ": ended by an error %s ago\n", age);
    } else {
        fprintf(out, ": %s or look%s at the folder failed\n", COUNTED(errors, "write"),
                phrase_plural(errors));
    }
}

static void put_concerned(FILE *out, const look *l, const char *concern) {
    size_t count = 0;
    for (size_t i = 0; i < l->count; i++) {
        const fleet_worker *w = &l->workers[i];
        const char *host = w->report.host != NULL ? w->report.host : "";
        if (!text_equal(concern_of(w), concern) || count++ >= SHOWN_MAX) continue;
        put_label(out, count == 1 ? concern : "");
        fputs(phrase_escaped(w->report.name), out);
        if (strstr(w->report.name, host) == NULL) fprintf(out, " on %s", phrase_escaped(host));
        put_concern(out, w);
    }
    put_more(out, count, "");
}

/* Print which searches a claim is of, if there are several. */
static void put_campaign(FILE *out, const campaign *c) {
    const worker_target *t = &c->target;
    char build[BUILD_WIDTH + 1];
    snprintf(build, sizeof build, "%s", t->digest != NULL ? t->digest : "");
    fprintf(out, "%s%s%s%s%s:\n           ",
            phrase_shell(t->sut != NULL ? path_base(t->sut) : "SUT"), phrase_words(" -- ", t->args),
            phrase_escaped(t->filter), t->digest != NULL ? ", build " : "", phrase_escaped(build));
}

/* Print what the passes of all workers show where nothing failed. */
static void put_passed(FILE *out, const campaign *c) {
    const run_claim *g = &c->grown;
    const char *bounds = text_bounds(g);
    fprintf(out, "no failure in %s", COUNTED(c->runs, "run"));
    if (g->levels.count == 0 || !run_claim_is_bounded(g)) {
        fputs("\n", out);
    } else if (bounds != NULL) {
        fprintf(out, " at %s, 95%% confidence:\n           %s fail\n", text_size_list(g), bounds);
    } else {
        fprintf(out, ":\n           at %s under %s fail, 95%% confidence\n", text_sizes(g),
                rate_format_bound(g->bound, RATE_TEXT));
    }
}

static void put_evidence(FILE *out, const campaign *c) {
    enum { ONE_LINE_PASSES = 100000 }; /* with more the claim has no room in 80 columns */
    static const char *const styles[] = {"", "; all runs styled", "; half of the runs styled"};
    const run_claim claim = {
        .below = c->evidence.below, .passed = c->evidence.passed, .bound = c->bound};
    if (!has_best(c)) {
        put_passed(out, c);
    } else if (c->best_size == 0) {
        fputs("none: it fails on empty input\n", out);
    } else if (c->evidence.passed == 0) {
        fprintf(out, "no worker has passes at size %" PRIu64 " yet\n", c->evidence.below);
    } else {
        fprintf(out, "%s\n           95%% confidence; %s, %s stretch%s%s\n",
                text_passes(&claim, c->evidence.passed < ONE_LINE_PASSES ? " " : "\n           "),
                COUNTED(c->passers, "worker"), COUNT(c->evidence.stretches),
                c->evidence.stretches == 1 ? "" : "es", styles[c->target.expand]);
    }
}

static void put_all_evidence(FILE *out, const look *l) {
    for (size_t i = 0; i < l->campaign_count && i < SHOWN_MAX; i++) {
        const campaign *c = &l->campaigns[i];
        const bool is_first = i == 0 || has_best(c) != has_best(&l->campaigns[i - 1]);
        put_label(out, !is_first ? "" : has_best(c) ? "smaller" : "passed");
        if (l->campaign_count > 1) put_campaign(out, c);
        put_evidence(out, c);
    }
    put_more(out, l->campaign_count, " programs, builds or arguments");
}

static void put_summary(FILE *out, const look *l) {
    put_workers(out, l);
    if (l->count > 0) put_runs(out, l);
    put_concerned(out, l, state_names[WORKER_SILENT]);
    put_concerned(out, l, state_names[WORKER_FAILED]);
    put_concerned(out, l, "errors");
    if (l->table.skipped > 0)
        fprintf(out, "  skipped  %s that could not be read\n", COUNTED(l->table.skipped, "file"));
    put_all_evidence(out, l);
    fputs("\n", out);
    if (l->table.count == 0)
        fputs(l->has_best            ? "the folder has no finding\n"
              : l->table.skipped > 0 ? "no finding could be read\n"
                                     : "nothing found\n",
              out);
    finding_table_put(out, &l->table, l->replay, NAME_WIDTH);
}

static bool print_text(const look *l) {
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    put_summary(out, l);
    const bool ok = tool_print(memory_close(out, &text));
    free(text);
    return ok;
}

/* ---- As JSON: status.def ---- */

enum {
#define OBJECT(id, ...) AT_##id,
#include "status.def"
};

enum {
#define OBJECT(id, ...) id = 1 << AT_##id,
#include "status.def"
};

#define TYPE(name, c_type, maker, ...)                                                             \
    static json_t *make_##name(c_type value) { return maker(value); }
#include "status.def"

/* Return the object `kind`, which is that of the worker, the failure or the campaign `i`, or of a
 * level of a campaign. */
static json_t *object_of(unsigned kind, const look *l, size_t i) {
    const fleet_worker *w = kind == WORKER ? &l->workers[i] : NULL;
    const finding_row *r = kind == FAILURE ? &l->table.rows[i] : NULL;
    const finding *f = r != NULL ? &r->smallest : NULL;
    const campaign *c = kind == EVIDENCE ? &l->campaigns[i] : NULL;
    const claim_level *at =
        kind == LEVEL ? &l->campaigns[i / CLAIM_LEVELS_MAX].grown.levels.list[i % CLAIM_LEVELS_MAX]
                      : NULL;
    const worker_totals *t = w != NULL ? &w->report.totals : &l->totals;
    json_t *object = json_object();
#define FIELD(objects, name, type, value, text)                                                    \
    if ((kind & (objects)) != 0) json_set(object, name, make_##type(value));
#define PART(objects, name, part, value, text)                                                     \
    if ((kind & (objects)) != 0) json_set(object, name, value);
#define LIST(objects, name, part, count, scope, text)                                              \
    if ((kind & (objects)) != 0) {                                                                 \
        json_t *list = json_array();                                                               \
        for (size_t k = 0; k < (count); k++)                                                       \
            json_array_append_new(list, object_of(part, l, i *CLAIM_LEVELS_MAX + k));              \
        json_set(object, name, list);                                                              \
    }
#include "status.def"
    return object;
}

static bool print_json(const look *l) {
    bool is_torn = false;
    const int error = json_put_line(STDOUT_FILENO, &is_torn, object_of(FLEET, l, 0));
    return error == 0 || message_error(error, "standard output: cannot be written");
}

static int look_and_show(session *s, tool_options *o) {
    char *replay = program_beside(o->argv[0], "frng-replay");
    look l = {.options = o, .replay = replay};
    (void)s;
    o->rest.files[o->rest.file_count] = NULL; /* in argv, behind the options */
    take_look(&l);
    int status = l.status = status_of(&l);
    if (l.folders > 0 && !(o->prints_json ? print_json(&l) : print_text(&l))) status = EXIT_OUTPUT;
    for (size_t i = 0; i < l.count; i++) worker_report_free(&l.workers[i].report);
    free(l.workers);
    free(l.campaigns);
    finding_table_finish(&l.table);
    free(replay);
    return status;
}

int main(int argc, char **argv) { return session_main(TOOL_STATUS, argc, argv, look_and_show); }
