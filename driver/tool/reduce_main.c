/* frng-reduce: of a failure (reduce_failure.c), or of files by a predicate.
 *
 * A file is reduced as C-Reduce and C-Vise do it: a predicate judges candidates, each in a fresh
 * private folder, and the best is in the output at every instant, for it is replaced as a whole.
 * The file itself is never written, under any name, nor is the predicate, nor an earlier result
 * that the user did not name.
 *
 * Of several files each is reduced by itself while the others stay as they are: the largest first,
 * and again, until none gets smaller. Before that whole files go, halves of them first.
 *
 * One run of the predicate on the file comes first. It has to find the file interesting, and its
 * time sets the limit of all further runs. It counts as a call and in the budget. */
#include "atomic_file.h"
#include "bytes.h"
#include "clock.h"
#include "engine.h"
#include "external_pass.h"
#include "file_set.h"
#include "messages.h"
#include "numbers.h"
#include "options.h"
#include "phrase.h"
#include "pool.h"
#include "predicate.h"
#include "program.h"
#include "reducers.h"
#include "session.h"
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a run finds the files: by which names, beside links to the user's others, and without those
 * names as its arguments. */
typedef struct run_way {
    file_naming how;
    bool is_linked, is_bare;
    const char *only; /* said of a predicate that needs it */
} run_way;

/* A reduction from the command line to its report. */
typedef struct file_reduction {
    session *session;
    const tool_options *options;
    const char *path;    /* path of the file, or of the first one, from the command line */
    char *label;         /* the same for texts, which counts the others */
    file_set set;        /* the files, and the best of each */
    uint64_t start_size; /* bytes of all that is reduced */
    bool is_earlier;     /* it goes on from the best of an earlier run that was not done */
    bool is_put;         /* the best is in the output */
    reducer_list reducers;
    runner_predicate_config predicate; /* points into the fields above */
    run_stop checked; /* END_DONE: the file was interesting; END_PASSES: not; else: no answer */
    uint64_t checks;  /* runs of the predicate before the reduction */
    char folder[PATH_MAX];  /* of the user, or one above it */
    char below[PATH_MAX];   /* its path there, ended by a slash, or "" */
    size_t above;           /* levels that the predicate's text goes up by ../ */
    char *words;            /* that text and the arguments, or NULL */
    bool accepts_empty;     /* the predicate finds an empty file interesting, too */
    run_result check;       /* the first run of the predicate; zeroed if it has no result */
    int64_t check_began_ns; /* start of that run */
    size_t at;              /* the file that is reduced; set.count: whole files go */
    uint64_t size;          /* bytes of all files, as far as known */
    uint64_t rests;         /* as that of a file: of the removal of whole ones */
    bool is_coarse;         /* only cheap passes, of each file */
    bool is_flaky;          /* EVENT_FLAKY was emitted */
    reduce_result result;   /* of the file at work */
    reduce_result all;      /* of all that were; without bytes */
    uint64_t original_size; /* bytes of all files */
    const run_way *way;     /* of the runs */
    const char **names;     /* of the files that are left; in the setup */
    file_outcome *outcomes; /* in the setup */
} file_reduction;

/* ---- Before the reduction ---- */

/* Time limits in seconds: of a run until the first shows how long they take; of external passes. */
enum { PREDICATE_TIMEOUT_S = 300, REDUCER_TIMEOUT_S = 30 };

/* Time limit of a run as a multiple of the first run's time, and its least value in seconds. */
enum { TIMEOUT_TIMES = 10, TIMEOUT_MIN_S = 1 };

/* How often a predicate that rejects the file is asked again, and within how many seconds of runs:
 * of those that find a file interesting in a fifth of their runs 1% stay unnoticed. */
enum { AGAIN_MAX = 20, AGAIN_S = 2 };

static bool read_files(file_reduction *r) {
    const operands *given = &r->options->rest;
    const size_t more = given->extra_count;
    r->path = given->sut;
    r->label =
        more > 0 ? memory_text("%s and %zu more", r->path, more) : memory_text("%s", r->path);
    if (!file_set_read(&r->set, given)) return false;
    r->original_size = file_set_size(&r->set);
    r->names = memory_zeroed(more + 2, sizeof *r->names);
    r->outcomes = memory_zeroed(r->set.count, sizeof *r->outcomes);
    return true;
}

/* ---- A reduction that was ended before it was done goes on ---- */

/* Return a line of the digests of the file and of the predicate; NULL without the latter. Of
 * several files the digest has their names and sizes, too. */
static char *make_state(const file_reduction *r) {
    enum { BYTES = crypto_generichash_BYTES };
    uint8_t digest[BYTES];
    char hex[2 * BYTES + 1];
    const target_command *target = &r->session->target;
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, BYTES);
    for (size_t i = 0; i < r->set.count; i++) {
        const set_file *f = &r->set.files[i];
        const char *head =
            r->set.is_folder ? phrase_format("%s\n%zu\n", f->below, f->first.size) : "";
        crypto_generichash_update(&state, (const uint8_t *)head, strlen(head));
        crypto_generichash_update(&state, f->first.bytes, f->first.size);
    }
    crypto_generichash_final(&state, digest, BYTES);
    bytes_to_hex(digest, BYTES, hex);
    if (target->digest == NULL) return NULL;
    return memory_text("%s %s%s\n", hex, target->digest, phrase_words(" ", target->subject.args));
}

/* Begin with the output, if this command line has left it. False after a message. */
static bool choose_start(file_reduction *r) {
    const char *output = r->set.output;
    if (!r->set.place.is_stream) r->set.state = make_state(r);
    r->is_earlier = file_set_go_on(&r->set);
    r->start_size = r->size = file_set_size(&r->set);
    if (r->is_earlier && !r->options->quiet)
        message("goes on from %s (%s), which this command line has left; to begin again, remove it",
                output, COUNTED(r->start_size, "byte"));
    if (r->is_earlier || r->options->output != NULL || access(output, F_OK) != 0) return true;
    return message("%s: exists; to go on from it, put it in the place of %s; to begin again, "
                   "remove it or name it by --output",
                   output, r->path);
}

static bool open_events(file_reduction *r) {
    const char *name = r->options->json;
    const bool is_file = name != NULL && strcmp(name, "-") != 0;
    if (is_file && !program_is_kept(r->session->target.path, name)) return false;
    for (size_t i = 0; is_file && i < r->set.count; i++)
        if (!program_is_kept(r->set.files[i].path, name)) return false;
    return session_open_events(r->session);
}

/* Return how many levels a text goes up at most. */
static size_t levels_above(const char *text) {
    static const char up[] = "../../../../";
    size_t from = 0;
    while (strstr(text, up + from) == NULL) from += strlen("../"); /* at last "" */
    return (strlen(up) - from) / strlen("../");
}

/* Read a script as a predicate: how far it goes up from its folder. Warn of any that names what is
 * reduced by its absolute path, itself or in an argument. */
static void read_predicate(file_reduction *r) {
    enum { TEXT_MAX = 1 << 20 };
    const char *sut = r->session->target.path, *why, *named = NULL;
    size_t size = 0;
    char *text = atomic_file_read(AT_FDCWD, sut, TEXT_MAX, &size, &why);
    if (text == NULL) return;
    named = file_set_named_in(&r->set, (const uint8_t *)text, size);
    r->words = memory_text("%.*s", (int)size, text);
    free(text);
    if (strncmp(r->words, "#!", 2) == 0) r->above = levels_above(r->words);
    for (char *const *arg = r->options->rest.args; *arg != NULL; arg++) {
        char *words = memory_text("%s\n%s", r->words, *arg);
        if (named == NULL) named = file_set_named_in(&r->set, (const uint8_t *)*arg, strlen(*arg));
        r->above = larger(r->above, levels_above(*arg));
        free(r->words);
        r->words = words;
    }
    if (named != NULL && !r->options->quiet)
        message(
            "%s: has the absolute path of %s, where runs find what is not reduced; use a relative "
            "one, of the folder that they are in",
            sut, named);
}

/* Find the predicate. Its first arguments are the names of the files. */
static bool find_predicate(file_reduction *r) {
    const tool_options *o = r->options;
    target_command *target = &r->session->target;
    const size_t count = text_count(o->rest.args), files = r->set.operand_count;
    char **args = memory_zeroed(count + files + 1, sizeof *args);
    memcpy(args, r->set.names, files * sizeof *args);
    memcpy(args + files, o->rest.args, count * sizeof *args);
    const bool is_found = target_find(target, o->predicate, args);
    free(args);
    if (!is_found || !target_make_absolute(target)) return false;
    target_update(target);
    if (o->run.limits.memory_max > 0 && !target_takes_memory_limit(target)) return false;
    target->subject = (run_target){.sut = target->path, .args = (const char *const *)o->rest.args};
    read_predicate(r);
    return true;
}

static runner_predicate_config make_predicate(const file_reduction *r) {
    const run_limits *limits = &r->options->run.limits;
    const int64_t asked_ns = limits->timeout_ns;
    return (runner_predicate_config){
        .command = target_proc(&r->session->target),
        .root = r->session->work.path,
        .files = r->set.runs,
        .file_count = r->set.count,
        .argument_count = r->set.operand_count,
        .below = r->below,
        .words = r->words,
        .output = r->set.output,
        .limits = {.timeout_ns = asked_ns != 0 ? asked_ns : PREDICATE_TIMEOUT_S * CLOCK_NS_PER_S,
                   .memory_max = limits->memory_max},
        .external_pass_timeout_ns = asked_ns != 0 ? asked_ns : REDUCER_TIMEOUT_S * CLOCK_NS_PER_S,
        .mask = r->session->signals.mask,
    };
}

static bool prepare(file_reduction *r) {
    session *s = r->session;
    const reducer_options *wanted = &r->options->reducers;
    if (!session_begin(s, r->options)) return false;
    if (!read_files(r) || !file_set_open(&r->set, r->options->output) || !find_predicate(r))
        return false;
    for (size_t i = 0; i < wanted->count; i++) {
        if (!reducers_add(&r->reducers, wanted->commands[i])) return false;
    }
    if ((!r->set.is_folder && !program_is_kept(s->target.path, r->set.output)) ||
        !choose_start(r) || !session_choose_containment(s))
        return false;
    if (!open_events(r) || !tool_open_work(&s->work)) return false;
    r->predicate = make_predicate(r);
    return true;
}

static void finish_reduction(file_reduction *r) {
    failure_drop(&r->all.best);
    free(r->all.external_passes);
    file_set_finish(&r->set);
    free(r->label);
    free(r->words);
    free(r->names);
    free(r->outcomes);
}

/* ---- The first run of the predicate ---- */

static void on_idle(void *context) {
    const file_reduction *r = context;
    const progress now = {.size = r->start_size, .elapsed_ns = clock_now_ns() - r->check_began_ns};
    session_emit(r->session, &(event){.kind = EVENT_PROGRESS, .progress = now});
}

static void stop_at_verdict(run_stop *stop, verdict v) {
    switch (v) {
    case VERDICT_FAIL: stop->end = END_DONE; return;
    case VERDICT_PASS:
    case VERDICT_TIMEOUT:
    case VERDICT_MEMORY: stop->end = END_PASSES; return;
    case VERDICT_STUCK: run_stop_broken(stop, ETIME); return;
    case VERDICT_ERROR: stop->end = END_ENVIRONMENT; return;
    }
}

/* Run the predicate once, on the files or, with `is_empty`, on empty ones, in a pool of one worker.
 */
static run_stop ask_predicate(file_reduction *r, bool is_empty, run_result *found) {
    while (r->predicate.at + 1 < r->set.count && r->set.runs[r->predicate.at].is_gone)
        r->predicate.at++;
    const predicate_file *f = &r->set.runs[r->predicate.at];
    const size_t size = is_empty ? 0 : f->size;
    r->predicate.is_empty = is_empty;
    pool_config workers = session_pool(r->session, runner_predicate_create, &r->predicate);
    const client_input in = client_bytes(f->bytes, size);
    const client_config config = {.deadline_ns = session_deadline(r->session),
                                  .hooks = {r, NULL, on_idle}};
    workers.jobs = 1;
    workers.candidate_set_bytes = size + 1;
    r->check_began_ns = clock_now_ns();
    pool *p = pool_create(&workers);
    run_stop stop = client_run_once(p, &config, &in, RUN_SHOW, found);
    pool_destroy(p);
    if (stop.end == END_DONE) stop_at_verdict(&stop, found->last.verdict);
    r->predicate.is_empty = false;
    return stop;
}

static const run_way alone = {NAMED_ALONE, false, false, NULL};
static const run_way ways[] = {
    {NAMED_INSIDE, false, false, "from within; its runs are in that folder"},
    {NAMED_ALONE, false, true, "without arguments; its runs get none"},
    {NAMED_BELOW, true, false, "beside the other files of this folder; its runs get links to them"},
    {NAMED_BELOW, true, true,
     "without arguments, beside the other files of this folder; its runs get links to them"}};

/* Choose the folder to whose files there are links: the current one, or as many levels above it as
 * the predicate goes, but not the root, nor beyond one that can't be read. */
static bool choose_linked(file_reduction *r) {
    r->below[0] = '\0';
    if (getcwd(r->folder, sizeof r->folder) == NULL) return false;
    size_t cut = strlen(r->folder);
    const size_t end = cut;
    for (size_t i = 0; i < r->above; i++) {
        char *up = memrchr(r->folder, '/', cut);
        if (up == NULL || up == r->folder) break;
        *up = '\0';
        const bool can_be_read = access(r->folder, R_OK | X_OK) == 0;
        *up = '/';
        if (!can_be_read) break;
        cut = (size_t)(up - r->folder);
    }
    if (cut < end) snprintf(r->below, sizeof r->below, "%s/", r->folder + cut + 1);
    r->folder[cut] = '\0';
    return true;
}

/* Name the files so in the runs to come, and in texts. False as of file_set_name. */
static bool name_files(file_reduction *r, const run_way *w) {
    char **argv = r->session->target.argv;
    run_setup *setup = &r->session->now->setup;
    const bool is_named = choose_linked(r) && file_set_name(&r->set, w->how);
    memcpy(r->names, r->set.names, r->set.operand_count * sizeof *r->names);
    for (size_t i = 0; is_named && i < r->set.operand_count; i++) {
        free(argv[i + 1]);
        argv[i + 1] = memory_text("%s", r->set.names[i]);
    }
    if (!is_named) return false;
    if (!w->is_linked) r->below[0] = '\0';
    r->predicate.linked = w->is_linked ? r->folder : NULL;
    r->predicate.is_bare = setup->is_bare = w->is_bare;
    setup->is_linked = w->is_linked;
    setup->below = r->below;
    setup->is_inside = w->how == NAMED_INSIDE;
    r->way = w;
    return true;
}

/* True if what the predicate starts was not found: perhaps it is in the user's folder. */
static bool lacks_program(const file_reduction *r) {
    return r->checked.end == END_ENVIRONMENT && r->checked.error.fault == FAULT_SHELL;
}

static void tell_flaky(const file_reduction *r, unsigned asked) {
    if (!r->options->quiet)
        message("%s: may be flaky: rejects %s, and finds it interesting when asked again (%s)",
                r->session->target.subject.sut, r->label, COUNTED(asked, "time"));
}

/* Ask the predicate in a way. False if it has no such way, or no call is left. */
static bool ask_in(file_reduction *r, const run_way *w) {
    if (r->options->calls_max <= r->checks || !name_files(r, w)) return false;
    r->checks++;
    r->checked = ask_predicate(r, false, &r->check);
    return true;
}

/* True if a predicate that has accepted the files may miss others: it prints something, or goes up
 * by ../, and they are not beside it. */
static bool may_miss_files(const file_reduction *r) {
    return r->checked.end == END_DONE && r->way == &alone &&
           (r->check.output.size > 0 || r->above > 0);
}

/* Ask a predicate that rejects the files in another way. Predicates for C-Reduce take no arguments;
 * those for C-Vise may need the other files of the current folder, to which there are links then.
 * One that accepts the files, but may miss others, gets the links, too, if it accepts them there.
 * One that accepts what it had rejected is asked in the first way again: it may be flaky. */
static void ask_otherwise(file_reduction *r, const run_way *w) {
    static run_result first; /* large */
    const run_stop before = r->checked;
    const run_way *was = r->way;
    const bool was_accepted = before.end == END_DONE;
    if (was_accepted ? !w->is_linked || w->is_bare || !may_miss_files(r)
                     : before.end != END_PASSES && !lacks_program(r))
        return;
    first = r->check;
    if (!ask_in(r, w)) return;
    const run_stop now = r->checked;
    const bool is_better =
        now.end == END_DONE && (!was_accepted || r->above > 0 || r->check.output.size == 0);
    if (!is_better && (was_accepted || w->is_bare)) {
        name_files(r, was);
        r->checked = before;
        r->check = first;
    }
    if (!is_better) return;
    first = r->check;
    if (before.end == END_PASSES && ask_in(r, &alone) && r->checked.end == END_DONE) {
        tell_flaky(r, 1);
        return;
    }
    name_files(r, w);
    r->checked = now;
    r->check = first;
    if (!r->options->quiet)
        message("%s: finds %s interesting %s%s", r->session->target.subject.sut, r->label,
                was_accepted ? "" : "only ", w->only);
}

/* Ask a predicate that rejects the files again: it may be flaky, which a reduction copes with. */
static void ask_again(file_reduction *r) {
    static run_result other; /* large */
    int64_t spent_ns = r->check.took_ns;
    unsigned asked = 0;
    while (r->checked.end == END_PASSES && asked < AGAIN_MAX && r->checks < r->options->calls_max &&
           spent_ns < AGAIN_S * CLOCK_NS_PER_S) {
        r->checks++;
        asked++;
        r->checked = ask_predicate(r, false, &other);
        spent_ns += other.took_ns;
    }
    if (asked == 0 || r->checked.end != END_DONE) return;
    r->check = other;
    tell_flaky(r, asked);
}

/* Run the predicate on the file. True if the file is interesting, and an empty one is not: else
 * the predicate looks at nothing, and the answer would be 0 bytes. */
static bool check_file(file_reduction *r) {
    static run_result empty; /* large */
    r->checks++;
    r->way = &alone;
    r->checked = ask_predicate(r, false, &r->check);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) ask_otherwise(r, &ways[i]);
    ask_again(r);
    if (r->checked.end == END_PASSES && r->is_earlier) {
        message("%s: is not interesting any more; begins with %s again", r->set.output, r->label);
        file_set_go_back(&r->set);
        r->is_earlier = false;
        r->start_size = r->size = r->original_size;
        return name_files(r, &alone) && check_file(r);
    }
    if (r->checked.end != END_DONE) return false;
    if (r->start_size == 0) return true;
    if (r->options->calls_max < r->checks + 2) return true;
    r->checks++;
    r->accepts_empty = ask_predicate(r, true, &empty).end == END_DONE;
    if (r->accepts_empty) r->checked.end = END_PASSES;
    return !r->accepts_empty;
}

/* Choose the time limit of a run by the first run, unless --timeout sets it. */
static void choose_timeout(file_reduction *r) {
    const int64_t max_ns = PREDICATE_TIMEOUT_S * CLOCK_NS_PER_S;
    const int64_t min_ns = TIMEOUT_MIN_S * CLOCK_NS_PER_S;
    if (r->options->run.limits.timeout_ns != 0) return;
    int64_t timeout_ns = r->check.took_ns * TIMEOUT_TIMES;
    if (timeout_ns < min_ns) timeout_ns = min_ns;
    if (timeout_ns > max_ns) timeout_ns = max_ns;
    r->predicate.limits.timeout_ns = timeout_ns - timeout_ns % CLOCK_NS_PER_MS; /* to print it */
}

static void start_reduction(file_reduction *r) {
    session *s = r->session;
    if (!r->options->quiet) file_set_tell_packed(&r->set);
    s->now->setup.task = TASK_REDUCE_FILE;
    s->now->setup.size = r->original_size;
    s->now->setup.calls_max = r->options->calls_max;
    s->now->setup.file = r->label;
    s->now->setup.output = r->set.output;
    s->now->setup.is_folder = r->set.is_folder;
    s->now->setup.is_of_folder = file_set_is_of_folder(&r->set);
    s->now->setup.operands = (const char *const *)r->set.operands;
    s->now->setup.names = r->names;
    s->now->setup.places = (const char *const *)r->set.names;
    memcpy(r->names, r->set.names, r->set.operand_count * sizeof *r->names);
    s->now->setup.command_count = r->reducers.count;
    session_start(s);
}

/* ---- The reduction ---- */

/* Put the best in the output, where the file at `at` has these bytes. */
static void put_best(file_reduction *r, size_t at, const uint8_t *bytes, size_t size,
                     bool is_done) {
    const int error = file_set_put(&r->set, at, bytes, size, is_done);
    r->is_put = error == 0;
    if (error != 0) session_output_failed(r->session, r->set.output, error);
}

/* Return a progress of the file at work as one of all. The change of a STEP that removes files has
 * their places; it is NULL for other events. */
static progress of_all(file_reduction *r, const progress *p, const byte_change *moved) {
    const reduce_result *all = &r->all;
    progress now = *p;
    if (r->at < r->set.count) r->size = file_set_size_with(&r->set, r->at, NULL, (size_t)p->size);
    size_t place = 0;
    for (size_t i = 0; moved != NULL && r->at == r->set.count && i < r->set.count; i++) {
        if (r->set.runs[i].is_gone) continue;
        const bool goes = place >= moved->offset && place < moved->offset + moved->removed;
        if (goes && !r->set.files[i].goes) r->size -= r->set.runs[i].size;
        r->set.files[i].goes |= goes;
        place++;
    }
    now.size = r->size;
    now.runs += r->checks + all->calls;
    now.steps += all->successes;
    now.elapsed_ns += r->check.took_ns + all->elapsed_ns;
    return now;
}

/* Write a best to the output, then emit its event, with the bytes of all files. */
static void take_best(file_reduction *r, event *e) {
    const size_t size = (size_t)e->failure->input.size;
    failure whole = *e->failure;
    uint8_t *joined = NULL;
    whole.input.size = r->size = file_set_size_with(&r->set, r->at, e->bytes, size);
    e->progress.size = r->size;
    if (!r->set.place.is_stream) put_best(r, r->at, e->bytes, size, false);
    if (r->set.count > 1) e->bytes = joined = file_set_join(&r->set, r->at, e->bytes, size);
    e->failure = &whole;
    session_emit(r->session, e);
    free(joined);
}

static void take_event(void *context, const event *e) {
    file_reduction *r = context;
    event passed = *e;
    if (e->kind == EVENT_ISOLATION) return;
    if (e->kind == EVENT_FLAKY && r->is_flaky) return;
    r->is_flaky |= e->kind == EVENT_FLAKY;
    passed.progress = of_all(r, &e->progress, e->change);
    if (e->kind == EVENT_PASS_DROPPED) passed.name = r->reducers.list[e->external_pass].name;
    if (e->kind == EVENT_BEST)
        take_best(r, &passed);
    else
        session_emit(r->session, &passed);
}

/* Take the result of a file, or of the removal of files, into that of all. */
static void take_result(file_reduction *r) {
    reduce_result *all = &r->all, *one = &r->result;
    const testcase *best = &one->bytes;
    const uint64_t before = file_set_size(&r->set);
    if (one->found) file_set_take(&r->set, r->at, best->bytes, best->size);
    const uint64_t saved = before - file_set_size(&r->set);
    if (r->at == r->set.count && one->statistics_count > 0) one->statistics[0].bytes = saved;
    if (saved > 0)
        all->calls_to_size = all->calls + (r->at < r->set.count ? one->calls_to_size : one->calls);
    if (one->found) failure_keep(&all->best, &one->best);
    all->found |= one->found;
    all->stop = one->stop;
    if (all->found && one->stop.end == END_PASSES) all->stop.end = END_SPENT; /* it is flaky */
    all->calls += one->calls;
    all->successes += one->successes;
    all->elapsed_ns += one->elapsed_ns;
    reduce_add_statistics(all, one);
    r->size = all->best.input.size = file_set_size(&r->set);
}

/* Reduce the file at r->at, or let whole files go, while the others stay. */
static void reduce_at(file_reduction *r) {
    static const pass *const files_alone[] = {&pass_files, NULL};
    session *s = r->session;
    const bool selects = r->at == r->set.count;
    const uint64_t calls_max = s->options->calls_max, made = r->checks + r->all.calls;
    const predicate_file *f = &r->set.runs[r->at];
    uint8_t *left = memory_new(r->set.count);
    size_t count = 0;
    memset(left, 1, r->set.count);
    for (size_t i = 0; i < r->set.count; i++) {
        count += !r->set.runs[i].is_gone;
        r->set.files[i].goes = false;
    }
    const reduce_config config = {
        .bytes = selects ? left : f->bytes,
        .size = selects ? count : f->size,
        .is_file = true,
        .is_fresh = true,
        .jobs = (unsigned)s->options->jobs,
        .calls_max = calls_max - (calls_max < UINT64_MAX ? made : 0),
        .deadline_ns = session_deadline(s),
        .last_ns = s->now->last_ns,
        .known = r->all.found ? &r->all.best : NULL,
        .passes = selects ? files_alone : NULL,
        .is_coarse = r->is_coarse,
        .external_passes = r->reducers.list,
        .external_pass_count = selects || r->is_coarse ? 0 : r->reducers.count,
    };
    const event_sink sink = {take_event, r};
    r->predicate.at = r->at;
    pool_config workers = session_pool(s, runner_predicate_create, &r->predicate);
    workers.candidate_set_bytes = reduce_candidate_set_bytes(config.size);
    pool_destroy(reduce_failure_run(s, workers, &config, &sink, &r->result));
    take_result(r);
    reduce_finish(&r->result);
    free(left);
}

/* True if the next file can be reduced. One that creeps, or is flaky, has ended by itself. */
static bool goes_on(file_reduction *r) {
    const run_end end = r->all.stop.end;
    const bool has_ended =
        end == END_DONE || (r->all.found && (end == END_SPENT || end == END_PASSES));
    const bool is_spent = r->all.calls + r->checks >= r->options->calls_max ||
                          clock_now_ns() >= session_deadline(r->session);
    if (is_spent && has_ended && r->all.found) r->all.stop.end = END_SPENT;
    return has_ended && !(is_spent && r->all.found);
}

/* Reduce each file, and let whole ones go first, until nothing gets smaller. False if the reduction
 * has to end before. */
static bool reduce_each(file_reduction *r) {
    file_set *set = &r->set;
    const size_t count = set->count;
    uint64_t before;
    for (size_t i = 0; i < count; i++) set->files[i].rests = 0;
    r->rests = 0;
    do {
        before = set->steps;
        for (size_t i = 0; i <= count; i++) {
            uint64_t *rests = i == 0 ? &r->rests : &set->files[i - 1].rests;
            if ((i == 0 ? count == 1 : set->runs[i - 1].is_gone) || *rests == set->steps + 1)
                continue;
            if (!goes_on(r)) return false;
            r->at = i == 0 ? count : i - 1;
            reduce_at(r);
            *rests = set->steps + 1;
        }
    } while (set->steps > before);
    return true;
}

/* Of several files each gets the cheap passes before the first one gets the others. */
static void reduce(file_reduction *r) {
    r->all.stop.end = END_DONE;
    r->is_coarse = r->set.count > 1;
    if (r->is_coarse && !reduce_each(r)) return;
    r->is_coarse = false;
    reduce_each(r);
}

static void run(file_reduction *r) {
    session_deadline(r->session); /* begin the budget, which includes the check */
    start_reduction(r);
    if (check_file(r)) {
        choose_timeout(r);
        reduce(r);
        return;
    }
    r->all.stop = r->checked;
    if (r->checked.end == END_INTERRUPTED) session_take_end(r->session, &r->checked);
}

/* ---- After the reduction ---- */

/* Return the answer. The start was interesting once, which is a result until a run refutes it. */
static run_answer answer_of(const file_reduction *r) {
    const bool has_begun = r->checked.end == END_DONE;
    if (r->all.stop.end == END_INTERRUPTED && r->all.successes == 0) return ANSWER_NONE;
    if (r->all.found || (has_begun && r->all.stop.end != END_PASSES)) return ANSWER_FOUND;
    if (has_begun) return ANSWER_INCONCLUSIVE;
    return r->checked.end == END_PASSES ? ANSWER_PASSED : ANSWER_NONE;
}

/* Say where the predicate ran, since a path that it names may be one of the user's folder. */
static void tell_folder(const file_reduction *r) {
    const run_target *predicate = &r->session->target.subject;
    const bool is_linked = r->predicate.linked != NULL;
    message("%s: ran without standard input in a private folder with the file%s alone%s; give it "
            "files elsewhere by absolute paths, and repeat its run by",
            predicate->sut, r->set.is_folder ? "s" : "",
            is_linked ? ", then with links to the other files of this folder" : "");
    fprintf(message_stream(), "  %s\n", phrase_check(&r->session->now->setup, true));
}

/* Print why the first run found the file uninteresting, and its output. */
static void report_uninteresting(const file_reduction *r) {
    char how[128];
    const int status = r->check.last.status;
    const signature end = signature_of_status(status);
    const run_target *predicate = &r->session->target.subject;
    if (r->accepts_empty) {
        message(r->set.is_folder ? "%s: exits with 0 for empty files, too: let it look for what is "
                                   "interesting in the files \"$@\", in the folder it starts in"
                                 : "%s: exits with 0 for an empty file, too: let it look for what "
                                   "is interesting in the file \"$1\", in the folder it starts in",
                predicate->sut);
        return;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
        r->check.took_ns >= r->predicate.limits.timeout_ns) {
        snprintf(how, sizeof how, "took longer than %s (--timeout)",
                 numbers_format_duration(NUMBERS_TEXT, r->predicate.limits.timeout_ns));
    } else if (end.kind == SIGNATURE_SIGNAL) {
        snprintf(how, sizeof how, "died of %s",
                 signature_format(end, SIGNATURE_TEXT) + strlen("signal:"));
    } else {
        snprintf(how, sizeof how, "exited with %d", end.value);
    }
    message("%s: not interesting: the predicate %s; it must exit with 0 for an interesting file",
            r->label, how);
    fputs(phrase_excerpt(&r->check.output, ""), message_stream());
    if (r->check.took_ns < r->predicate.limits.timeout_ns) tell_folder(r);
}

static summary summary_of(const file_reduction *r, const found_input *best) {
    const reduce_result *result = &r->all;
    return (summary){
        .setup = &r->session->now->setup,
        .stop = result->stop,
        .answer = answer_of(r),
        .best = *best,
        .progress = {.size = best->failure != NULL ? best->failure->input.size : 0,
                     .runs = result->calls + r->checks,
                     .steps = result->successes,
                     .elapsed_ns = result->elapsed_ns + r->check.took_ns},
        .folder = r->session->work.path,
        .passes = result->statistics,
        .pass_count = result->statistics_count,
        .reducers = result->external_passes,
        .reducer_count = result->external_passes != NULL ? r->reducers.count : 0,
        .calls_to_size = result->calls_to_size + r->checks,
        .files = r->outcomes,
        .file_count = r->set.is_folder ? r->set.count : 0,
    };
}

/* Put the outcome of each file, and the names of those that are left, where the setup has them. */
static void describe_files(file_reduction *r) {
    const file_set *set = &r->set;
    size_t to = 0;
    for (size_t i = 0; i < set->count; i++) {
        const predicate_file *f = &set->runs[i];
        r->outcomes[i] = (file_outcome){set->files[i].path, set->files[i].first.size,
                                        f->is_gone ? 0 : f->size, f->is_gone};
    }
    for (size_t i = 0; i < set->operand_count; i++)
        if (file_set_has(set, i)) r->names[to++] = set->names[i];
    r->names[to] = NULL;
}

/* Report the reduction. Returns the exit status. */
static int report_reduction(file_reduction *r) {
    const reduce_result *all = &r->all;
    const failure first = {.input = {.size = r->start_size}};
    found_input best = {.failure = NULL};
    uint8_t *bytes = NULL;
    if (r->checked.end == END_PASSES) report_uninteresting(r);
    if (r->checked.end == END_SPENT && !r->options->quiet) {
        message("%s: not reduced: the predicate had not answered once when --time was over",
                r->label);
    }
    if (answer_of(r) == ANSWER_FOUND) {
        const predicate_file *f = &r->set.runs[0];
        const size_t none = r->set.count + 1; /* nothing changes */
        best.failure = all->found ? &all->best : &first;
        best.bytes = r->set.count == 1 ? f->bytes : (bytes = file_set_join(&r->set, none, NULL, 0));
        put_best(r, none, f->bytes, f->size, all->stop.end == END_DONE);
        if (r->is_put) best.saved = r->set.output;
    }
    describe_files(r);
    r->session->now->setup.limits = r->predicate.limits;
    const summary whole = summary_of(r, &best);
    const int exit_status = session_report(r->session, &whole, best.failure != NULL);
    if (lacks_program(r)) tell_folder(r);
    free(bytes);
    return exit_status;
}

static int reduce_file(session *s, const tool_options *o) {
    static file_reduction r = {.set = {.place.folder_fd = -1, .made_fd = -1}}; /* large */
    int status = EXIT_ENVIRONMENT;
    r.session = s;
    r.options = o;
    if (prepare(&r)) {
        run(&r);
        status = report_reduction(&r);
    }
    finish_reduction(&r);
    return status;
}

/* ---- Of a failure, and the tool ---- */

static bool prepare_input(session *s, tool_options *o, atomic_file *output) {
    if (!input_source_read(&s->now->input, &o->input, REDUCE_FAILURE_SIZE_MAX)) return false;
    return (o->output == NULL || file_set_open_file(output, o->output)) &&
           session_prepare(s, o, s->now->input.size) &&
           (o->output == NULL || program_is_kept(s->target.path, o->output));
}

/* Reduce the input of a failure. Returns the exit status. */
static int reduce_input(session *s, tool_options *o) {
    const input_source *in = &s->now->input;
    atomic_file output = {.folder_fd = -1};
    int status = EXIT_ENVIRONMENT;
    if (prepare_input(s, o, &output)) {
        const finding *f = &in->finding;
        const seed_input seed = options_given(o, "seed") ? o->input.seeded
                                : f->bytes != NULL       ? f->from
                                                   : f->of.input; /* without a finding, of size 0 */
        status = reduce_failure(s, seed, o->output != NULL ? &output : NULL);
    } else if (s->failed) {
        status = EXIT_OUTPUT;
    }
    atomic_file_close(&output);
    return status;
}

static int reduce_either(session *s, tool_options *o) {
    return o->predicate != NULL ? reduce_file(s, o) : reduce_input(s, o);
}

int main(int argc, char **argv) { return session_main(TOOL_REDUCE, argc, argv, reduce_either); }
