/* frng-status: looks once at folders of findings, and shows what their searches do.
 *
 * A look reads the smallest findings of each folder into one table, and the files of its workers
 * into a fleet (fleet.h), which judges them and adds up. The text and the JSON object show the
 * same. Nothing in the folders is changed, and any file there may be cut short, foreign or hostile:
 * what cannot be used is skipped, with a line for each of the first. */
#include "bytes.h"
#include "clock.h"
#include "finding_table.h"
#include "fleet.h"
#include "json_line.h"
#include "messages.h"
#include "options.h"
#include "phrase.h"
#include "rates.h"
#include "session.h"
#include "target.h"
#include "text.h"
#include "tool.h"
#include "units.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* More findings of a folder than these are counted and not opened: the smallest ones matter. */
enum { FINDINGS_MAX = 10000 };

/* How many names of one kind, and campaigns, are shown; columns of a name. */
enum { SHOWN_MAX = 5, NAME_WIDTH = 32 };

/* One look at all folders. */
typedef struct look {
    const tool_options *options;
    const char *replay; /* how the user calls frng-replay */
    fleet fleet;
    finding_table table;
    uint64_t skipped; /* count of files that could not be read */
    size_t folders;   /* count of folders that could be read */
    bool failed;      /* a folder could not be read, or memory was out */
} look;

/* ---- Reading ---- */

/* Write the name of the worker whose file this is. False if it is no such file. */
static bool name_of(const char *file, char name[WORKER_NAME_MAX + 1]) {
    const size_t length = strlen(file), suffix = strlen(WORKER_SUFFIX);
    if (file[0] == '.' || length <= suffix || length - suffix > WORKER_NAME_MAX) return false;
    if (strcmp(file + length - suffix, WORKER_SUFFIX) != 0) return false;
    snprintf(name, WORKER_NAME_MAX + 1, "%.*s", (int)(length - suffix), file);
    return true;
}

/* Read all files of workers. A folder without workers has none. Return 0 or an errno. */
static int read_files(fleet *f, const char *folder, const char *path, skipped_files *skipped) {
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *workers = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    if (workers == NULL) {
        const int error = errno;
        if (fd >= 0) close(fd);
        return error == ENOENT ? 0 : error;
    }
    while (errno = 0, (entry = readdir(workers)) != NULL) {
        fleet_worker w = {.folder = folder};
        const char *why;
        if (!name_of(entry->d_name, w.name)) continue;
        if (worker_file_read(fd, entry->d_name, &w.file, &why)) {
            fleet_add(f, &w);
        } else if (why != NULL) {
            skipped_files_add(skipped, entry->d_name, why);
        }
    }
    const int error = errno; /* 0 at the end of the folder */
    closedir(workers);
    return error;
}

/* Count and end the skips in a folder, and print why it could not be read. */
static void end_part(look *l, skipped_files *skipped, int error) {
    l->skipped += skipped->count;
    skipped_files_end(skipped);
    if (error == 0) return;
    l->failed = true;
    message_error(error, "%s: cannot be read", skipped->folder);
}

static void read_folder(look *l, const char *folder) {
    char *path;
    skipped_files skipped = {.folder = folder};
    const int error = finding_table_read(&l->table, folder, FINDINGS_MAX, &skipped);
    end_part(l, &skipped, error);
    if (error != 0) return;
    l->folders++;
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
        message_error(errno, "%s: no worker of this user can save findings here", folder);
    if (asprintf(&path, "%s/" WORKER_FOLDER, folder) < 0) {
        l->failed = true;
        return;
    }
    skipped.folder = path;
    end_part(l, &skipped, read_files(&l->fleet, folder, path, &skipped));
    free(path);
}

static void take(look *l) {
    struct timespec now; /* of the wall clock, as the times of files are */
    const operands *o = &l->options->rest;
    for (size_t i = 0; i < o->file_count; i++) read_folder(l, o->files[i]);
    fleet_collect(&l->fleet);
    finding_table_sort(&l->table);
    for (size_t i = 0; i < l->table.count; i++) {
        fleet_see_finding(&l->fleet, &l->table.rows[i].smallest);
    }
    timespec_get(&now, TIME_UTC);
    fleet_end(&l->fleet, (int64_t)now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec);
    if (!l->fleet.failed) return;
    message_error(ENOMEM, "cannot hold the workers");
    l->failed = true;
}

/* Return the exit status of a look. What is unknown comes before what is wrong, and that before
 * what was found. */
static int status_of(const look *l) {
    if (l->failed) return EXIT_ENVIRONMENT;
    if (l->fleet.sights[SIGHT_SILENT] > 0) return EXIT_INCONCLUSIVE;
    return l->table.count > 0 || fleet_has_found(&l->fleet) ? EXIT_FOUND : EXIT_PASSED;
}

/* ---- As text: lines of at most 80 columns, but for commands and long names ---- */

static void put_label(FILE *out, const char *label) { fprintf(out, "  %-8s ", label); }

static void put_more(FILE *out, size_t count, const char *what) {
    if (count <= SHOWN_MAX) return;
    put_label(out, "");
    fprintf(out, "and %s more%s\n", units_format_count(UNITS_TEXT, count - SHOWN_MAX), what);
}

/* Print how many workers there are, and what became of them. */
static void put_workers(FILE *out, const fleet *f) {
    const struct {
        size_t count;
        const char *what;
    } parts[] = {{f->sights[SIGHT_RUNNING], "running"},
                 {f->sights[SIGHT_SILENT], "silent"},
                 {f->sights[SIGHT_FOUND] + f->sights[SIGHT_PASSED], "done"},
                 {f->sights[SIGHT_STOPPED], "stopped"},
                 {f->sights[SIGHT_FAILED], "failed"}};
    const char *before = ": ";
    if (f->count == 0) {
        fputs("no workers: frng-search reports here with --sync or --worker\n", out);
        return;
    }
    fprintf(out, "%s worker%s", units_format_count(UNITS_TEXT, f->count), phrase_plural(f->count));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].count == 0) continue;
        fprintf(out, "%s%s %s", before, units_format_count(UNITS_TEXT, parts[i].count),
                parts[i].what);
        before = ", ";
    }
    fputs("\n", out);
}

static int64_t ns_of(double seconds) {
    return seconds < 9e9 ? (int64_t)(seconds * 1e9) : INT64_MAX;
}

static void put_runs(FILE *out, const fleet *f) {
    char runs[UNITS_TEXT_MAX];
    if (f->count == 0) return;
    put_label(out, "runs");
    fprintf(out, "%s and %s rerun%s in %s of searching", units_format_count(runs, f->totals.runs),
            units_format_count(UNITS_TEXT, f->totals.reruns), phrase_plural(f->totals.reruns),
            units_format_elapsed(UNITS_TEXT, ns_of(f->totals.seconds)));
    if (f->sights[SIGHT_RUNNING] > 0)
        fprintf(out, ", %s/s now",
                units_format_count(UNITS_TEXT, f->rate < 1e18 ? (uint64_t)f->rate : UINT64_MAX));
    fputs("\n", out);
}

/* Why a worker is named. */
typedef enum concern { CONCERN_SILENT, CONCERN_FAILED, CONCERN_ERRORS } concern;

static bool has_concern(const fleet_worker *w, concern c) {
    switch (c) {
    case CONCERN_SILENT: return w->sight == SIGHT_SILENT;
    case CONCERN_FAILED: return w->sight == SIGHT_FAILED;
    case CONCERN_ERRORS: return w->file.totals.errors > 0 && w->sight != SIGHT_FAILED;
    }
    return false;
}

static void put_concern(FILE *out, const fleet_worker *w, concern c) {
    char age[UNITS_TEXT_MAX], every[UNITS_TEXT_MAX];
    const uint64_t errors = w->file.totals.errors;
    units_format_clock(age, w->age_ns);
    switch (c) {
    case CONCERN_SILENT:
        fprintf(out, ": no sign for %s, and promised one every %s\n", age,
                w->file.every < 1 ? units_format_elapsed(every, ns_of(w->file.every))
                                  : units_format_clock(every, ns_of(w->file.every)));
        break;
    case CONCERN_FAILED: fprintf(out, ": ended by an error %s ago\n", age); break;
    case CONCERN_ERRORS:
        fprintf(out, ": %s write%s or look%s at the folder failed\n",
                units_format_count(UNITS_TEXT, errors), phrase_plural(errors),
                phrase_plural(errors));
        break;
    }
}

static void put_name(FILE *out, const fleet_worker *w) {
    const char *host = w->file.process.host != NULL ? w->file.process.host : "";
    phrase_put_escaped(out, w->name);
    if (host[0] == '\0' || strstr(w->name, host) != NULL) return;
    fputs(" on ", out);
    phrase_put_escaped(out, host);
}

/* Print the workers that are silent or failed. */
static void put_concerned(FILE *out, const fleet *f, concern c, const char *label) {
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (!has_concern(&f->workers[i], c) || count++ >= SHOWN_MAX) continue;
        put_label(out, count == 1 ? label : "");
        put_name(out, &f->workers[i]);
        put_concern(out, &f->workers[i], c);
    }
    put_more(out, count, "");
}

/* Print which searches a claim is of, if there are several. */
static void put_campaign(FILE *out, const fleet_campaign *c) {
    phrase_put_shell(out, c->target.sut != NULL ? path_base(c->target.sut) : "SUT");
    if (c->target.args != NULL && c->target.args[0] != NULL) fputs(" --", out);
    for (size_t i = 0; c->target.args != NULL && c->target.args[i] != NULL; i++) {
        fputs(" ", out);
        phrase_put_shell(out, c->target.args[i]);
    }
    if (c->target.filter != NULL) phrase_put_escaped(out, c->target.filter);
    if (c->target.digest != NULL) {
        fputs(", build ", out);
        finding_table_put_build(out, c->target.digest);
    }
    fputs(":\n", out);
    put_label(out, "");
}

/* Print what the passes of all workers show. */
static void put_evidence(FILE *out, const fleet_campaign *c) {
    enum { ONE_LINE_PASSES = 100000 }; /* with more the claim has no room in 80 columns */
    static const char *const styles[] = {"", "; all runs styled", "; half of the runs styled"};
    char workers[UNITS_TEXT_MAX], stretches[UNITS_TEXT_MAX];
    const fleet_evidence *e = &c->evidence;
    const run_claim claim = {.below = e->below, .passed = e->passed, .bound = e->bound};
    if (!c->has_best) {
        fprintf(out, "no failure in %s run%s\n", units_format_count(UNITS_TEXT, c->runs),
                phrase_plural(c->runs));
    } else if (c->best_size == 0) {
        fputs("none: it fails on empty input\n", out);
    } else if (e->passed == 0) {
        fprintf(out, "no worker has passes at size %" PRIu64 " yet\n", e->below);
    } else {
        text_put_passes(out, &claim, e->passed < ONE_LINE_PASSES ? " " : "\n           ");
        fputs("\n", out);
        put_label(out, "");
        fprintf(out, "95%% confidence; %s worker%s, %s stretch%s%s\n",
                units_format_count(workers, e->workers), phrase_plural(e->workers),
                units_format_count(stretches, e->stretches), e->stretches == 1 ? "" : "es",
                styles[c->target.expand]);
    }
}

static void put_all_evidence(FILE *out, const fleet *f) {
    for (size_t i = 0; i < f->campaign_count && i < SHOWN_MAX; i++) {
        const fleet_campaign *c = &f->campaigns[i];
        const bool is_first = i == 0 || c->has_best != f->campaigns[i - 1].has_best;
        put_label(out, !is_first ? "" : c->has_best ? "smaller" : "passed");
        if (f->campaign_count > 1) put_campaign(out, c);
        put_evidence(out, c);
    }
    put_more(out, f->campaign_count, " programs, builds or arguments");
}

static bool has_several_builds(const finding_table *t) {
    for (size_t i = 1; i < t->count; i++) {
        if (!text_equal(t->rows[i].smallest.sut_digest, t->rows[0].smallest.sut_digest))
            return true;
    }
    return false;
}

static void put_findings(FILE *out, const look *l) {
    const finding_table_style style = {
        .tool = l->replay, .name_width = NAME_WIDTH, .shows_builds = has_several_builds(&l->table)};
    fputs("\n", out);
    if (l->table.count == 0)
        fputs(fleet_has_found(&l->fleet) ? "the folder has no finding\n" : "nothing found\n", out);
    finding_table_put(out, &l->table, &style);
    if (l->table.unread > 0)
        fprintf(out, "and %s larger findings, which were not read\n",
                units_format_count(UNITS_TEXT, l->table.unread));
}

static bool print_text(const look *l) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        message_error(errno, "standard output: cannot be written");
        return false;
    }
    put_workers(out, &l->fleet);
    put_runs(out, &l->fleet);
    put_concerned(out, &l->fleet, CONCERN_SILENT, "silent");
    put_concerned(out, &l->fleet, CONCERN_FAILED, "failed");
    put_concerned(out, &l->fleet, CONCERN_ERRORS, "errors");
    if (l->skipped > 0) {
        put_label(out, "skipped");
        fprintf(out, "%s file%s that could not be read\n",
                units_format_count(UNITS_TEXT, l->skipped), phrase_plural(l->skipped));
    }
    put_all_evidence(out, &l->fleet);
    put_findings(out, l);
    const bool is_whole = fclose(out) == 0;
    if (!is_whole) message_error(ENOMEM, "standard output: cannot be written");
    const bool ok = is_whole && tool_print(text);
    free(text);
    return ok;
}

/* ---- As JSON: driver/status.schema.json ---- */

static json_t *worker_of(const fleet_worker *w) {
    json_t *object = json_object();
    json_set_text(object, "worker", w->name);
    json_set_text(object, "folder", w->folder);
    json_set_text(object, "host", w->file.process.host);
    json_object_set_new(object, "pid", json_integer((json_int_t)w->file.process.pid));
    json_set_word(object, "state", fleet_sight_name(w->sight));
    json_set_real(object, "age", (double)w->age_ns / 1e9);
    json_set_real(object, "every", w->file.every);
    json_set_text(object, "updated", w->file.updated);
    json_set_integer(object, "jobs", w->file.jobs);
    fields_add(object, worker_totals_fields, &w->file.totals);
    json_set_real(object, "rate", w->file.rate);
    json_set_known(object, "best", w->file.best.is_known ? w->file.best.input.size : UINT64_MAX);
    return object;
}

static json_t *counts_of(const fleet *f) {
    json_t *object = json_object();
    json_set_integer(object, "all", f->count);
    for (int i = 0; i < SIGHTS; i++) {
        json_set_integer(object, fleet_sight_name((fleet_sight)i), f->sights[i]);
    }
    return object;
}

static json_t *failure_of(const finding_row *r, const char *replay) {
    const finding *of = &r->smallest;
    char *path = finding_row_path(r), *line = finding_row_replay(r, replay);
    json_t *object = json_object();
    json_set_word(object, "signature", signature_format(of->signature, SIGNATURE_TEXT));
    json_set_text(object, "site", of->site);
    json_set_integer(object, "size", of->input.size);
    json_set_seed(object, "seed", of->bytes == NULL ? &of->input : NULL);
    json_set_integer(object, "reruns", of->reruns);
    json_set_integer(object, "repeated", of->repeated);
    json_set_integer(object, "findings", r->count);
    json_set_text(object, "found", of->when);
    json_set_text(object, "sut", of->sut);
    json_set_texts(object, "args", (const char *const *)of->args);
    json_set_text(object, "digest", of->sut_digest);
    json_set_text(object, "finding", path);
    json_set_text(object, "replay", line);
    free(path);
    free(line);
    return object;
}

static json_t *campaign_of(const fleet_campaign *c) {
    const fleet_evidence *e = &c->evidence;
    json_t *object = json_object();
    json_set_text(object, "sut", c->target.sut);
    json_set_texts(object, "args", (const char *const *)c->target.args);
    json_set_text(object, "digest", c->target.digest);
    json_set_text(object, "filter", c->target.filter);
    json_set_word(object, "expand", seed_text_expansion(c->target.expand));
    json_set_integer(object, "workers", c->workers);
    json_set_integer(object, "runs", c->runs);
    json_set_known(object, "best", c->has_best ? c->best_size : UINT64_MAX);
    json_set_known(object, "below", c->has_best && c->best_size > 0 ? e->below : UINT64_MAX);
    json_set_integer(object, "passed", e->passed);
    json_set_integer(object, "counted", e->counted);
    json_set_integer(object, "stretches", e->stretches);
    json_set_real(object, "bound", e->bound);
    json_set_real(object, "confidence", 0.95);
    return object;
}

static json_t *object_of(const look *l, int status) {
    enum { SCHEMA = 1 };
    json_t *object = json_object(), *failures = json_array(), *evidence = json_array(),
           *each = json_array();
    char when[SUMMARY_UTC_MAX];
    const fleet *f = &l->fleet;
    for (size_t i = 0; i < l->table.count; i++) {
        json_array_append_new(failures, failure_of(&l->table.rows[i], l->replay));
    }
    for (size_t i = 0; i < f->campaign_count; i++) {
        json_array_append_new(evidence, campaign_of(&f->campaigns[i]));
    }
    for (size_t i = 0; i < f->count; i++) json_array_append_new(each, worker_of(&f->workers[i]));
    json_set_integer(object, "schema", SCHEMA);
    json_set_word(object, "tool", "frng-status");
    json_set_word(object, "version", FRNG_VERSION);
    json_set_word(object, "when", tool_call_utc(when));
    json_set_integer(object, "status", (uint64_t)status);
    json_set_texts(object, "folders", (const char *const *)l->options->rest.files);
    json_set_integer(object, "skipped", l->skipped);
    json_set_integer(object, "unread", l->table.unread);
    json_object_set_new(object, "workers", counts_of(f));
    fields_add(object, worker_totals_fields, &f->totals);
    json_set_real(object, "rate", f->rate);
    json_object_set_new(object, "failures", failures);
    json_object_set_new(object, "evidence", evidence);
    json_object_set_new(object, "each", each);
    return object;
}

static bool print_json(const look *l, int status) {
    json_output out = json_output_on(STDOUT_FILENO, false);
    const int error = json_output_put(&out, object_of(l, status));
    if (error != 0) message_error(error, "standard output: cannot be written");
    return error == 0;
}

/* ---- The tool ---- */

/* Look and print. Returns the exit status. */
static int show(const tool_options *o, const char *replay) {
    look l = {.options = o, .replay = replay, .table.grouping = GROUP_BY_BUILD};
    take(&l);
    int status = status_of(&l);
    if (l.folders > 0 && !(o->prints_json ? print_json(&l, status) : print_text(&l)))
        status = EXIT_OUTPUT;
    fleet_finish(&l.fleet);
    finding_table_finish(&l.table);
    return status;
}

int main(int argc, char **argv) {
    static tool_signals signals;
    static tool_options o; /* what it owns lives to the end */
    int status;
    if (!options_begin(TOOL_STATUS, argc, argv, &signals, &o, &status)) return status;
    o.rest.files[o.rest.file_count] = NULL; /* in argv, behind the options */
    char *replay = program_beside(argv[0], "frng-replay");
    status = show(&o, replay != NULL ? replay : "frng-replay");
    free(replay);
    return status;
}
