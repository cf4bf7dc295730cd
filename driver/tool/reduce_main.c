/* frng-reduce: of a failure (reduce_failure.c), or of a file by a predicate.
 *
 * A file is reduced as C-Reduce and C-Vise do it: a predicate judges candidates, each in a fresh
 * private folder, and the best is in the output at every instant, for it is replaced as a whole.
 * The file itself is never written, under any name, nor is the predicate, nor an earlier result
 * that the user did not name.
 *
 * One run of the predicate on the file comes first. It has to find the file interesting, and its
 * time sets the limit of all further runs. It counts as a call and in the budget.
 *
 * External passes are other programs that make candidates. Those of C-Reduce and C-Vise are known
 * by name: which commands they have, and how they are called (external_pass.h). */
#include "atomic_file.h"
#include "bytes.h"
#include "clock.h"
#include "engine.h"
#include "external_pass.h"
#include "messages.h"
#include "options.h"
#include "phrase.h"
#include "pool.h"
#include "predicate.h"
#include "proc.h"
#include "session.h"
#include "target.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A reduction from the command line to its report. */
typedef struct file_reduction {
    session *session;
    const tool_options *options;
    const char *path;     /* path of the file, from the command line */
    input_source file;    /* bytes of the file */
    input_source earlier; /* the best of an earlier run that was not done; without a path: none */
    const input_source *start; /* the one of them that is reduced */
    char *state_name, *state;  /* a file beside the output, and its text, while it is not done */
    struct stat status;        /* status of the file */
    char *output_path;         /* --output, or `path` with ".reduced" */
    atomic_file output;
    bool is_put;             /* the best is in the output */
    bool has_state;          /* and the state beside it */
    external_pass *reducers; /* in the order of addition; default commands from coarse to fine */
    size_t reducer_count;
    runner_predicate_config predicate; /* points into the fields above */
    run_stop checked; /* END_DONE: the file was interesting; END_PASSES: not; else: no answer */
    uint64_t checks;  /* runs of the predicate before the reduction */
    char folder[PATH_MAX];  /* of the user */
    bool accepts_empty;     /* the predicate finds an empty file interesting, too */
    run_result check;       /* the first run of the predicate; zeroed if it has no result */
    int64_t check_began_ns; /* start of that run */
    reduce_result result;
} file_reduction;

/* ---- External passes. What they consist of lives to the end of the process ---- */

/* Folders of the helpers in the packages creduce and cvise, of Debian and others. */
static const char helper_folders[] =
    "/usr/libexec:/usr/lib/cvise:/usr/libexec/cvise:/usr/local/libexec";

/* The most lines to remove at once, for each depth of topformflat; then a quarter each time. */
enum { LINES_MOST = 256 };

/* Return the kind of a program, by the last component of its path. */
static external_pass_dialect dialect_of(const char *path) {
    for (int i = 0; i < EXTERNAL_PASS_DIALECTS; i++) {
        const char *name = external_kinds[i].name;
        if (name != NULL && strcmp(path_base(path), name) == 0) return (external_pass_dialect)i;
    }
    return EXTERNAL_PASS_IN_PLACE;
}

/* Return the program's path, or NULL after a message. */
static char *find_program(const char *name) {
    const bool is_helper = dialect_of(name) != EXTERNAL_PASS_IN_PLACE;
    char *found = proc_find(name, program_folders()), *absolute = NULL;
    if (found == NULL && errno == ENOENT && is_helper) found = proc_find(name, helper_folders);
    if (found == NULL && errno != ENOENT) {
        program_cannot_start(name, errno);
    } else if (found == NULL && is_helper) {
        message("%s: not found; install the package creduce or cvise, or give the path to it",
                name);
    } else if (found == NULL) {
        program_not_on_path(name);
    } else if (program_check(found)) {
        absolute = program_absolute(found);
        if (absolute == NULL) program_cannot_start(found, errno);
    }
    free(found);
    return absolute;
}

/* Append a pass, whose name is to be made. False when out of memory. */
static bool append(file_reduction *r, external_pass added) {
    external_pass *longer = reallocarray(r->reducers, r->reducer_count + 1, sizeof *longer);
    if (longer == NULL) return false;
    r->reducers = longer;
    const char *name = path_base(added.program);
    const int length = added.lines == 0 ? asprintf(&added.name, "%s %s", name, added.command)
                                        : asprintf(&added.name, "%s %s by %" PRIu64, name,
                                                   added.command, added.lines);
    longer[r->reducer_count++] = added;
    return length >= 0;
}

/* Append the passes of a program: its commands in `words`, which are split in place, or all that
 * are known. False when out of memory. */
static bool append_all(file_reduction *r, external_pass added, char *words) {
    bool ok = true;
    if (words[strspn(words, " \t\n")] == '\0')
        words = strdup(external_kinds[added.dialect].commands);
    if (words == NULL) return false;
    while (ok && (added.command = words_next(&words, &ok)) != NULL) {
        if (added.dialect != EXTERNAL_PASS_LINES) {
            ok = append(r, added);
            continue;
        }
        for (added.lines = LINES_MOST; ok && added.lines > 0; added.lines /= 4)
            ok = append(r, added);
    }
    return ok;
}

/* Append the external passes of a program and its commands. False after a message. */
static bool add_reducer(file_reduction *r, const char *cmd) {
    if (!words_check(cmd)) {
        message("--reducer '%s' is not valid: give a program, and the commands of it to use", cmd);
        return false;
    }
    bool ok = true;
    char *copy = strdup(cmd), *words = copy;
    const char *name = copy != NULL ? words_next(&words, &ok) : NULL;
    char *program = name != NULL ? find_program(name) : NULL;
    const bool is_missing = name != NULL && program == NULL; /* which find_program has said */
    const bool has_commands = program != NULL && words[strspn(words, " \t\n")] != '\0';
    ok = program != NULL &&
         append_all(r, (external_pass){.dialect = dialect_of(name), .program = program}, words);
    if (!ok && !is_missing) message_error(ENOMEM, "cannot hold the list of reducers");
    if (!ok || !has_commands) free(copy);
    return ok;
}

/* ---- Before the reduction ---- */

/* Time limits in seconds: of a run until the first shows how long they take; of external passes. */
enum { PREDICATE_TIMEOUT_S = 300, REDUCER_TIMEOUT_S = 30 };

/* Time limit of a run as a multiple of the first run's time, and its least value in seconds. */
enum { TIMEOUT_TIMES = 10, TIMEOUT_MIN_S = 1 };

static bool read_file(file_reduction *r) {
    r->path = r->options->rest.sut;
    if (stat(r->path, &r->status) != 0) {
        message_error(errno, "%s: cannot be opened", r->path);
    } else if (!S_ISREG(r->status.st_mode)) {
        message(S_ISDIR(r->status.st_mode) ? "%s: is a folder; give a file in it"
                                           : "%s: cannot be read: not a regular file",
                r->path);
    } else {
        const char *name = strcmp(r->path, "-") == 0 ? "./-" : r->path; /* no standard input */
        return input_source_read(&r->file, &(input_options){.file = name}, REDUCE_FAILURE_SIZE_MAX);
    }
    return false;
}

/* Open the output; never over the file to reduce, nor, but for --output, over an earlier result. */
static bool open_output(file_reduction *r) {
    const char *wanted = r->options->output;
    const int length = wanted != NULL ? asprintf(&r->output_path, "%s", wanted)
                                      : asprintf(&r->output_path, "%s.reduced", r->path);
    if (length < 0) {
        r->output_path = NULL;
        message_error(ENOMEM, "cannot name the output");
        return false;
    }
    if (!program_is_kept(r->path, r->output_path)) return false;
    const int error = atomic_file_open(&r->output, r->output_path);
    if (error != 0) message_error(error, "%s: cannot be written", r->output_path);
    return error == 0;
}

/* ---- A reduction that was ended before it was done goes on: a file beside the output, of one
 * line, has the digests of the file and of the predicate ---- */

/* Return the line, or NULL. */
static char *make_state(const file_reduction *r) {
    enum { BYTES = crypto_generichash_BYTES };
    uint8_t digest[BYTES];
    char hex[2 * BYTES + 1], *line = NULL;
    const target_command *target = &r->session->target;
    crypto_generichash(digest, BYTES, r->file.bytes, r->file.size, NULL, 0);
    bytes_to_hex(digest, BYTES, hex);
    const char *words = phrase_words(" ", target->subject.args);
    if (target->digest == NULL || asprintf(&line, "%s %s%s\n", hex, target->digest, words) < 0)
        return NULL;
    return line;
}

/* True if the output is what this command line has left. */
static bool is_unfinished(const file_reduction *r) {
    size_t size;
    const char *why;
    char *found = r->state == NULL ? NULL
                                   : atomic_file_read(r->output.folder_fd, r->state_name,
                                                      strlen(r->state), &size, &why);
    const bool is_same =
        found != NULL && size == strlen(r->state) && memcmp(found, r->state, size) == 0;
    free(found);
    return is_same && access(r->output_path, R_OK) == 0;
}

/* Choose what to begin with. False after a message. */
static bool choose_start(file_reduction *r) {
    r->start = &r->file;
    if (r->output.is_stream || asprintf(&r->state_name, "%s.state", r->output.name) < 0)
        r->state_name = NULL;
    else
        r->state = make_state(r);
    if (is_unfinished(r)) {
        const input_options best = {.file = r->output_path};
        if (!input_source_read(&r->earlier, &best, REDUCE_FAILURE_SIZE_MAX)) return false;
        r->start = &r->earlier;
        if (!r->options->quiet)
            message("goes on from %s (%s), which this command line has left; to begin again, "
                    "remove it",
                    r->output_path, COUNTED(r->earlier.size, "byte"));
    } else if (r->options->output == NULL && access(r->output_path, F_OK) == 0) {
        message("%s: exists; to go on from it, put it in the place of %s; to begin again, remove "
                "it or name it by --output",
                r->output_path, r->path);
        return false;
    }
    return true;
}

/* Name the program that unpacks a packed file: no byte of it can go alone. */
static void tell_packed(const file_reduction *r) {
    static const struct {
        const char *begin, *part, *tool;
    } kinds[] = {{"\x1f\x8b", "", "gunzip"},
                 {"BZh", "1AY&SY", "bunzip2"},
                 {"\xfd\x37zXZ", "", "unxz"},
                 {"\x28\xb5\x2f\xfd", "", "unzstd"},
                 {"7z\xbc\xaf", "", "7z x"},
                 {"PK\3\4", "", "unzip"},
                 {"\x89PNG", "IDAT", "pngtopnm"},
                 {"%PDF-", "/FlateDecode", "qpdf --qdf --object-streams=disable"}};
    const uint8_t *bytes = r->start->bytes;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *begin = kinds[i].begin, *part = kinds[i].part;
        if (r->start->size < strlen(begin) || memcmp(bytes, begin, strlen(begin)) != 0) continue;
        if (memmem(bytes, r->start->size, part, strlen(part)) != NULL)
            message("%s: packed: unpack it first with %s, and pack it again in the predicate",
                    r->path, kinds[i].tool);
    }
}

/* Note that the output is not done, once it holds a best, or remove the note. */
static void put_state(file_reduction *r, bool is_done) {
    if (r->state == NULL) return;
    if (!is_done)
        atomic_file_write(r->output.folder_fd, r->state_name, r->state, strlen(r->state));
    else if (unlinkat(r->output.folder_fd, r->state_name, 0) != 0 && errno != ENOENT)
        message_error(errno, "%s.state: cannot be removed", r->output_path);
}

static bool open_events(file_reduction *r) {
    const char *name = r->options->json;
    const bool is_file = name != NULL && strcmp(name, "-") != 0;
    if (is_file &&
        !(program_is_kept(r->path, name) && program_is_kept(r->session->target.path, name)))
        return false;
    return session_open_events(r->session);
}

/* True if it is a program and its arguments, as --wrap takes them, and not the name of a file. */
static bool is_command_line(const char *predicate) {
    char *path = proc_find(predicate, program_folders());
    const bool is_there = path != NULL && access(path, F_OK) == 0;
    free(path);
    return !is_there && strpbrk(predicate, " \t\n") != NULL;
}

/* Find the predicate. Its first argument is the name of the file. */
static bool find_predicate(file_reduction *r) {
    const tool_options *o = r->options;
    target_command *target = &r->session->target;
    const size_t count = text_count(o->rest.args);
    if (is_command_line(o->predicate)) {
        message("--predicate '%s': takes a program, not a command line; give a script that does "
                "this to the file \"$1\"",
                o->predicate);
        return false;
    }
    char **args = calloc(count + 2, sizeof *args);
    if (args == NULL) {
        message_error(ENOMEM, "cannot prepare to start the predicate");
        return false;
    }
    args[0] = (char *)path_base(r->path);
    memcpy(args + 1, o->rest.args, count * sizeof *args);
    const bool is_found = target_find(target, o->predicate, args);
    free(args);
    if (!is_found || !target_make_absolute(target)) return false;
    if (o->run.limits.memory_max > 0 && !target_takes_memory_limit(target)) return false;
    target->subject = (run_target){.sut = target->path, .args = (const char *const *)o->rest.args};
    return true;
}

/* Return the configuration of the predicate's runs. A candidate has the mode of the file, but its
 * owner can always read and write it. */
static runner_predicate_config make_predicate(const file_reduction *r) {
    const run_limits *limits = &r->options->run.limits;
    const int64_t asked_ns = limits->timeout_ns;
    return (runner_predicate_config){
        .command = target_proc(&r->session->target),
        .root = r->session->work.path,
        .name = path_base(r->path),
        .output = r->output_path,
        .mode = (r->status.st_mode & 0777) | S_IRUSR | S_IWUSR,
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
    if (!read_file(r) || !open_output(r) || !find_predicate(r)) return false;
    for (size_t i = 0; i < wanted->count; i++) {
        if (!add_reducer(r, wanted->commands[i])) return false;
    }
    if (!program_is_kept(s->target.path, r->output_path) || !choose_start(r) ||
        !session_choose_containment(s))
        return false;
    if (!open_events(r) || !tool_open_work(&s->work)) return false;
    r->predicate = make_predicate(r);
    return true;
}

static void finish(file_reduction *r) {
    reduce_finish(&r->result);
    atomic_file_close(&r->output);
    free(r->output_path);
    free(r->state_name);
    free(r->state);
    input_source_finish(&r->earlier);
    input_source_finish(&r->file);
}

/* ---- The first run of the predicate ---- */

/* Show that the tool lives while a check runs. */
static void on_idle(void *context) {
    const file_reduction *r = context;
    const progress now = {.size = r->start->size, .elapsed_ns = clock_now_ns() - r->check_began_ns};
    session_emit(r->session, &(event){.kind = EVENT_PROGRESS, .progress = now});
}

/* Judge the first run of the predicate, which ended. */
static void judge(run_stop *stop, verdict v) {
    switch (v) {
    case VERDICT_FAIL: stop->end = END_DONE; return;
    case VERDICT_PASS:
    case VERDICT_TIMEOUT:
    case VERDICT_MEMORY: stop->end = END_PASSES; return;
    case VERDICT_STUCK: run_stop_broken(stop, ETIME); return;
    case VERDICT_ERROR: stop->end = END_ENVIRONMENT; return;
    }
}

/* Run the predicate once, on these bytes, in a pool of one worker. */
static run_stop ask_predicate(file_reduction *r, const uint8_t *bytes, size_t size,
                              run_result *found) {
    pool_config workers = session_pool(r->session, runner_predicate_create, &r->predicate);
    const client_input in = client_bytes(bytes, size);
    const client_config config = {.deadline_ns = session_deadline(r->session),
                                  .hooks = {r, NULL, on_idle}};
    workers.jobs = 1;
    workers.candidate_set_bytes = size + 1;
    r->check_began_ns = clock_now_ns();
    session_look_outside(r->session, &workers, &in, false);
    run_stop stop = client_run_once(&workers, &config, &in, found);
    if (stop.end == END_DONE) judge(&stop, found->last.verdict);
    return stop;
}

/* True if what the predicate starts was not found: perhaps it is in the user's folder. */
static bool lacks_program(const file_reduction *r) {
    return r->checked.end == END_ENVIRONMENT && r->checked.error.fault == FAULT_SHELL;
}

/* True if a file is named by a path that a folder like the current one can have, too. */
static bool is_below(const char *path) {
    for (const char *part = path; *part != '\0'; part += strcspn(part, "/"), part += *part == '/') {
        const size_t length = strcspn(part, "/");
        if (length == 0 || (length == 1 && part[0] == '.') ||
            (length == 2 && memcmp(part, "..", 2) == 0))
            return false;
    }
    return true;
}

/* Run a predicate that rejects the file once more as C-Vise would, under its path, and in a folder
 * that has links to all other files of the current one. */
static void ask_among_links(file_reduction *r) {
    static run_result other; /* large */
    const char *name = is_below(r->path) ? r->path : path_base(r->path);
    char **argv = r->session->target.argv, *copy = strdup(name);
    if (r->options->calls_max < 2 || copy == NULL || getcwd(r->folder, sizeof r->folder) == NULL) {
        free(copy);
        return;
    }
    free(argv[1]);
    argv[1] = copy;
    r->checks++;
    r->predicate.linked = r->folder;
    r->predicate.name = r->session->now->setup.name = name;
    r->session->now->setup.is_linked = true;
    r->checked = ask_predicate(r, r->start->bytes, r->start->size, &other);
    r->check = other;
    if (r->checked.end == END_DONE && !r->options->quiet)
        message("%s: finds %s interesting only beside the other files of this folder; its runs "
                "get links to them",
                r->session->target.subject.sut, r->path);
}

/* Run the predicate on the file. True if the file is interesting, and an empty one is not: else
 * the predicate looks at nothing, and the answer would be 0 bytes. */
static bool check_file(file_reduction *r) {
    static run_result empty; /* large */
    r->checks++;
    r->checked = ask_predicate(r, r->start->bytes, r->start->size, &r->check);
    if (r->checked.end == END_PASSES || lacks_program(r)) ask_among_links(r);
    if (r->checked.end == END_PASSES && r->start == &r->earlier) {
        message("%s: is not interesting any more; begins with %s again", r->output_path, r->path);
        r->start = &r->file;
        return check_file(r);
    }
    if (r->checked.end != END_DONE) return false;
    if (r->start->size == 0) return true;
    if (r->options->calls_max < r->checks + 2) return true;
    r->checks++;
    r->accepts_empty = ask_predicate(r, r->file.bytes, 0, &empty).end == END_DONE;
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

static void start(file_reduction *r) {
    session *s = r->session;
    if (!r->options->quiet) tell_packed(r);
    s->now->setup.task = TASK_REDUCE_FILE;
    s->now->setup.size = r->file.size;
    s->now->setup.calls_max = r->options->calls_max;
    s->now->setup.file = r->path;
    s->now->setup.output = r->output_path;
    s->now->setup.name = r->predicate.name;
    s->now->setup.command_count = r->reducer_count;
    session_start(s);
}

/* ---- The reduction ---- */

static void put_best(file_reduction *r, const uint8_t *bytes, size_t size) {
    const int error = atomic_file_put(&r->output, bytes, size);
    r->is_put = error == 0;
    if (error != 0) session_output_failed(r->session, r->output_path, error);
}

/* Write a best to the output, then emit its event. Every failure is a best, so OTHER and ISOLATION
 * do not apply: a file that is not interesting has passed. */
static void take_event(void *context, const event *e) {
    file_reduction *r = context;
    event passed = *e;
    if (e->kind == EVENT_OTHER || e->kind == EVENT_ISOLATION) return;
    passed.progress.runs += r->checks;
    passed.progress.elapsed_ns += r->check.took_ns;
    if (e->kind == EVENT_PASS_DROPPED) passed.name = r->reducers[e->external_pass].name;
    if (e->kind == EVENT_BEST && !r->output.is_stream) {
        put_best(r, e->bytes, e->failure->input.size);
        if (r->is_put && !r->has_state) put_state(r, false);
        r->has_state = r->is_put;
    }
    session_emit(r->session, &passed);
}

static void reduce(file_reduction *r) {
    session *s = r->session;
    const uint64_t calls_max = s->options->calls_max;
    const reduce_config config = {
        .bytes = r->start->bytes,
        .size = r->start->size,
        .is_file = true,
        .is_fresh = true,
        .jobs = (unsigned)s->options->jobs,
        .calls_max = calls_max - (calls_max < UINT64_MAX ? r->checks : 0),
        .deadline_ns = session_deadline(s),
        .last_ns = s->now->last_ns,
        .external_passes = r->reducers,
        .external_pass_count = r->reducer_count,
    };
    const event_sink sink = {take_event, r};
    pool_config workers = session_pool(s, runner_predicate_create, &r->predicate);
    workers.candidate_set_bytes = reduce_candidate_set_bytes(config.size);
    pool_destroy(reduce_failure_run(s, workers, &config, &sink, &r->result));
}

static void run(file_reduction *r) {
    session_deadline(r->session); /* begin the budget, which includes the check */
    start(r);
    if (check_file(r)) {
        choose_timeout(r);
        reduce(r);
        return;
    }
    r->result.stop = r->checked;
    if (r->checked.end == END_INTERRUPTED) {
        r->session->signal_number = tool_take_signal(&r->session->signals);
    }
}

/* ---- After the reduction ---- */

/* Return the answer. The start was interesting once, which is a result until a run refutes it. */
static run_answer answer_of(const file_reduction *r) {
    const bool has_begun = r->checked.end == END_DONE;
    if (r->result.stop.end == END_INTERRUPTED && r->result.successes == 0) return ANSWER_NONE;
    if (r->result.found || (has_begun && r->result.stop.end != END_PASSES)) return ANSWER_FOUND;
    if (has_begun) return ANSWER_INCONCLUSIVE;
    return r->checked.end == END_PASSES ? ANSWER_PASSED : ANSWER_NONE;
}

/* Say where the predicate ran, since a path that it names may be one of the user's folder. */
static void tell_folder(const file_reduction *r) {
    const run_target *predicate = &r->session->target.subject;
    const bool is_linked = r->predicate.linked != NULL;
    message("%s: ran in a private folder with the file alone%s; give it files elsewhere by "
            "absolute paths, and repeat its run by",
            predicate->sut, is_linked ? ", then with links to the other files of this folder" : "");
    fprintf(message_stream(), "  %s\n",
            phrase_check(predicate, r->path, r->predicate.name, is_linked));
}

/* Print why the first run found the file uninteresting, and its output. */
static void report_uninteresting(const file_reduction *r) {
    char how[128];
    const int status = r->check.last.status;
    const signature end = signature_of_status(status);
    const run_target *predicate = &r->session->target.subject;
    if (r->accepts_empty) {
        message("%s: exits with 0 for an empty file, too: let it look for what is interesting in "
                "the file \"$1\"",
                predicate->sut);
        return;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
        r->check.took_ns >= r->predicate.limits.timeout_ns) {
        snprintf(how, sizeof how, "took longer than %s (--timeout)",
                 units_format_duration(UNITS_TEXT, r->predicate.limits.timeout_ns));
    } else if (end.kind == SIGNATURE_SIGNAL) {
        snprintf(how, sizeof how, "died of %s",
                 signature_format(end, SIGNATURE_TEXT) + strlen("signal:"));
    } else {
        snprintf(how, sizeof how, "exited with %d", end.value);
    }
    message("%s: not interesting: the predicate %s; it must exit with 0 for an interesting file",
            r->path, how);
    fputs(phrase_excerpt(&r->check.output, ""), message_stream());
    if (r->check.took_ns < r->predicate.limits.timeout_ns) tell_folder(r);
}

static summary summary_of(const file_reduction *r, const found_input *best) {
    const reduce_result *result = &r->result;
    return (summary){
        .setup = &r->session->now->setup,
        .end = result->stop.end,
        .stop = &result->stop,
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
        .reducer_count = result->external_passes != NULL ? r->reducer_count : 0,
        .calls_to_size = result->calls_to_size + r->checks,
    };
}

/* Report the reduction. Returns the exit status. */
static int report(file_reduction *r) {
    const reduce_result *result = &r->result;
    const failure first = {.input = {.size = r->start->size}};
    found_input best = {.failure = NULL};
    if (r->checked.end == END_PASSES) report_uninteresting(r);
    if (r->checked.end == END_SPENT && !r->options->quiet) {
        message("%s: not reduced: the predicate had not answered once when --time was over",
                r->path);
    }
    if (answer_of(r) == ANSWER_FOUND) {
        best.failure = result->found ? &result->best : &first;
        best.bytes = result->found ? result->bytes.bytes : r->start->bytes;
        put_best(r, best.bytes, best.failure->input.size);
        if (r->is_put) put_state(r, result->stop.end == END_DONE);
    }
    r->session->now->setup.limits = r->predicate.limits;
    const summary whole = summary_of(r, &best);
    const int exit_status = session_report(r->session, &whole, best.failure != NULL && r->is_put);
    if (lacks_program(r)) tell_folder(r);
    return exit_status;
}

static int reduce_file(session *s, const tool_options *o) {
    static file_reduction r = {.output = {.folder_fd = -1}}; /* too large for stacks */
    int status = EXIT_ENVIRONMENT;
    r.session = s;
    r.options = o;
    if (prepare(&r)) {
        run(&r);
        status = report(&r);
    }
    finish(&r);
    return status;
}

/* ---- Of a failure, and the tool ---- */

static bool prepare_input(session *s, tool_options *o, atomic_file *output) {
    if (!input_source_read(&s->now->input, &o->input, REDUCE_FAILURE_SIZE_MAX)) return false;
    const int error = o->output != NULL ? atomic_file_open(output, o->output) : 0;
    if (error != 0) message_error(error, "%s: cannot be written", o->output);
    return error == 0 && session_prepare(s, o, s->now->input.size) &&
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
