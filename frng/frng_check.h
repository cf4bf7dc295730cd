/* frng_check.h: search in a test runner, without the tools. frng_main.h includes it.
 *
 *     ./queue --check                  a program of FRNG_MAIN: ctest, meson test
 *     frng_check(test, &options)       from a main or a test of your own; NULL: all defaults
 *
 * It returns 0 if all passed, and 1 after a report on stderr: the smallest input that fails, what
 * fails, the draws by their names (frng_note, frng_step), and lines to go on. 2, after a line, says
 * that nothing is judged: the environment or a finding makes no sense, or the test passes one but
 * draws others than it was found with. 3 says that no run draws anything, or that frng_assume
 * discards over nine tenths of them. Findings are replayed first. Then fresh seeds run, half of
 * them styled, at sizes from 16 bytes on, doubled as long as runs draw so much. A failure that
 * repeats gives the size to go below, by fresh seeds again. Where frng-reduce is on PATH, and the
 * program is one of FRNG_MAIN or says by which arguments it becomes a target, it reduces for some
 * seconds.
 *
 * A run of more than 10 seconds of a processor, or 40 in all, hangs: SIGALRM ends it.
 *
 * FRNG_RUNS is the count of runs (1000). FRNG_SEED fixes the seeds; so does FRNG_PROFILE=ci, with
 * ten times the runs. FRNG_FINDINGS is the folder of findings (findings/NAME). FRNG_REPLAY="size=16
 * seed=7" makes this run alone. FRNG_TIMEOUT is the limit of a run in seconds; 0: none.
 * FRNG_REDUCE=0 reduces nothing. FRNG_SEARCH=1h lets frng-search go on where all runs pass.
 *
 * Runs are those of the fork server of frng_main.h, which gets orders from here: many in a process,
 * whose first one ends in order, so that its exit is judged, too. Under LeakSanitizer all do.
 * What a process shows is made again in a new one before it counts. C11 and C++11.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_CHECK_H
#define FRNG_CHECK_H

#include "frng_input.h"
#include "frng_main.h"
#include "frng_shared.h"
#include "frng_told.h"

#include <dirent.h>
#include <stdarg.h>
#include <sys/time.h>
#include <time.h>

FRNG__WRAPS

enum {
    FRNG__ROW_MAX = 256, /* runs of an order */
    FRNG__RECORDS_MAX = 4096,
    FRNG__LEVELS_MAX = 32
};

/* What a search does beside its environment; zeros mean the defaults. */
typedef struct frng_check_options {
    const char *name;     /* of its findings; that of the program */
    uint64_t runs;        /* fresh runs; 1000 */
    size_t size_max;      /* their bytes, at most; 4096 */
    const char *findings; /* a folder; findings/NAME */
    /* With these arguments, which end with NULL, a driver starts the program as a target of the
     * test: the first check that has some is the run. NULL: it is no target, and is not reduced. */
    const char *const *arguments;
} frng_check_options;

enum { FRNG__UNJUDGED = -1 }; /* the site of the report says why */
typedef struct frng__check {
    frng_test test;
    frng_check_options options;
    char program[4096];
    uint64_t base, seed; /* of this search, and of the next fresh run */
    uint64_t made, most, discarded;
    uint64_t timeout_s;    /* of a run; 0: none */
    clock_t begun;         /* the processor's time when the run began */
    unsigned looks;        /* that were too early to end it */
    int said[2];           /* copies of stdout and stderr */
    int silence;           /* their replacement while runs are many; -1: none */
    int error;             /* why a run could not be made, or FRNG__UNJUDGED; 0: all were */
    uint64_t replayed;     /* findings */
    void (*children)(int); /* what the program does about SIGCHLD */
    uint64_t labels;       /* rows in use */
    struct {
        char name[56];
        uint64_t runs;
    } shares[FRNG_LABELS_MAX];
} frng__check;

/* What a run may use beside its report. */
typedef struct frng__check_memory {
    frng_report report;
    uint64_t rows[FRNG__ROW_MAX];
    frng_label_table labels;
    frng_label_row label_rows[FRNG_LABELS_MAX];
    frng_trace_record records[FRNG__RECORDS_MAX];
    uint64_t kept, draws, digest; /* of a run that is compared with `kept` draws */
    frng__told_values values;     /* of a run that is traced */
} frng__check_memory;

FRNG__ONCE frng__check_memory *frng__check_shared(void) {
    return (frng__check_memory *)(void *)frng__state()->report;
}

/* Make this process its own driver. */
FRNG__ONCE bool frng__check_begin(void) {
    frng__run_state *state = frng__state();
    const int zeros = open("/dev/zero", O_RDWR); /* strict C11 hides MAP_ANONYMOUS */
    void *memory;
    if (zeros < 0) return false; /* errno says why: also where descriptors are few */
    memory = mmap(NULL, sizeof(frng__check_memory), PROT_READ | PROT_WRITE, MAP_SHARED, zeros, 0);
    close(zeros);
    if (memory == MAP_FAILED) return false;
    state->report = (frng_report *)memory;
    state->report_size = sizeof(frng__check_memory);
    state->control = state->entropy = -1;
    state->leave = exit;
    frng__set_hosts();
    frng__stay_prepare();
    return true;
}

/* Return the text of a variable, or NULL if it is empty or absent. */
FRNG__ONCE const char *frng__check_given(const char *name) {
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

/* The line that says why nothing was judged, for the message of a test runner; or the site of the
 * failure that was reported. */
FRNG__ONCE char *frng__check_why(void) {
    static char line[4608];
    return line;
}

/* Refuse to judge: say why in that line, past the silence of runs. Return the exit status. */
#if defined(__GNUC__)
__attribute__((__format__(__printf__, 3, 4)))
#endif
FRNG__ONCE int
frng__check_refuse(const frng__check *c, int status, const char *format, ...) {
    char *line = frng__check_why();
    va_list arguments;
    int length = snprintf(line, 8, "frng: ");
    va_start(arguments, format);
    vsnprintf(line + length, 4600 - (size_t)length, format, arguments);
    va_end(arguments);
    for (length = 0; line[length] != '\0'; length++) {
        if ((unsigned char)line[length] < ' ' || line[length] == 127) line[length] = '?';
    }
    line[length] = '\n';
    fflush(stdout);
    (void)!write(c->said[1], line, (size_t)length + 1);
    line[length] = '\0';
    return status;
}

/* ---- Runs ---- */

/* The search in progress. */
FRNG__ONCE frng__check **frng__check_current(void) {
    static frng__check *current;
    return &current;
}

/* Handle SIGALRM, which comes once a run has taken its limit by the clock, and then each quarter of
 * it. End a run that has used as much time of a processor, or has taken IDLE times its limit: on a
 * busy machine it may have got no processor. */
FRNG__ONCE void frng__check_look(int number) {
    frng__check *c = *frng__check_current();
    const uint64_t used_s = (uint64_t)(clock() - c->begun) / CLOCKS_PER_SEC;
    const bool is_early = used_s < c->timeout_s && ++c->looks <= 4 * (FRNG_CHECK_IDLE - 1);
    signal(number, is_early ? frng__check_look : SIG_DFL); /* strict C11 forgets a handler */
    if (!is_early) raise(number);
}

/* Start the timer for the limit of a run; 0 stops it. */
FRNG__ONCE void frng__check_limit(frng__check *c, uint64_t limit_s) {
    struct itimerval limit;
    memset(&limit, 0, sizeof limit);
    limit.it_value.tv_sec = (time_t)limit_s;
    limit.it_interval.tv_sec = (time_t)(limit_s / 4);
    limit.it_interval.tv_usec = (suseconds_t)(limit_s % 4 * 250000);
    if (limit_s > 0) {
        c->begun = clock();
        c->looks = 0;
        signal(SIGALRM, frng__check_look);
    }
    setitimer(ITIMER_REAL, &limit, NULL);
}

/* Make a run within its limit. */
FRNG__ONCE bool frng__check_timed(frng *f) {
    frng__check *c = *frng__check_current();
    bool has_passed;
    frng__check_limit(c, c->timeout_s);
    has_passed = c->test(f);
    frng__check_limit(c, 0);
    return has_passed;
}

/* Return the memory for values of the run in progress, or NULL if they will not be printed. */
FRNG__ONCE frng__told_values *frng__check_values(void) {
    const bool is_check = *frng__check_current() != NULL && frng__state()->report != NULL;
    if (!is_check || frng__state()->report->trace_count == 0) return NULL;
    return &frng__check_shared()->values;
}

/* Say what the next runs record. */
FRNG__ONCE void frng__check_request(bool is_traced) {
    frng_report *report = frng__state()->report;
    report->runs_offset = offsetof(frng__check_memory, rows);
    report->runs_count = FRNG__ROW_MAX;
    report->labels_offset = offsetof(frng__check_memory, labels);
    report->labels_count = is_traced ? 0 : FRNG_LABELS_MAX;
    report->trace_offset = offsetof(frng__check_memory, records);
    report->trace_count = is_traced ? FRNG__RECORDS_MAX : 0;
    report->wants = is_traced ? FRNG_WANTS_SAYS : FRNG_WANTS_DISCARDS;
    report->leak_state = report->stop = 0;
    report->site[0] = '\0';
    memset(&frng__check_shared()->labels, 0, sizeof(frng_label_table));
    if (is_traced) memset(&frng__check_shared()->values, 0, sizeof(frng__told_values));
    frng__read_requests();
}

/* Digest a draw of a run that is compared. */
FRNG__ONCE void frng__check_compare(frng *f, frng_kind kind, size_t start, size_t width,
                                    uint64_t min, uint64_t max, uint64_t value) {
    frng__check_memory *memory = frng__check_shared();
    (void)f, (void)start, (void)value;
    if (memory->draws == memory->kept) return;
    memory->digest = frng__digest_draw(memory->digest, (uint64_t)kind, width, min, max);
    memory->draws++;
}

/* True if a run ended by frng__no_verdict: then it is the last one. */
FRNG__ONCE bool frng__check_is_unjudged(uint64_t status) {
    const bool is_unjudged = WIFEXITED((int)status) && WEXITSTATUS((int)status) == 2 &&
                             strncmp(frng__state()->report->site, "usage: ", 7) == 0;
    if (is_unjudged) (*frng__check_current())->error = FRNG__UNJUDGED;
    return is_unjudged;
}

/* Make the run of an input in a process of its own. True if it fails, with its site. One that could
 * not be made has not passed: c->error says why. */
FRNG__ONCE bool frng__check_run(const frng__check *c, frng__input *input, bool is_traced) {
    frng__run_state *state = frng__state();
    uint64_t status = 0;
    pid_t child;
    frng__check_request(is_traced);
    frng__check_shared()->kept = is_traced ? 0 : input->draws;
    frng__check_shared()->draws = 0;
    frng__check_shared()->digest = FRNG_DRAWS_DIGEST;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        frng_host comparing = *frng__host_of(false);
        frng *f = (frng *)(void *)state->report->generator;
        *f = frng_init(input->bytes, input->size);
        state->step[0] = '\0';
        state->report->traced = 0;
        comparing.drawn = frng__check_compare;
        f->host = is_traced ? &state->tracing : &comparing;
        exit(frng__judge(frng__check_timed, f));
    }
    if (child < 0) {
        (*frng__check_current())->error = errno;
        return false;
    }
    if ((frng__reap(child, &status) & FRNG_NO_PROCESS) != 0) {
        (*frng__check_current())->error = (int)status;
        return false;
    }
    if (frng__check_is_unjudged(status)) return false;
    memcpy(input->site, state->report->site, sizeof input->site);
    input->status = (int)status;
    input->hangs = c->timeout_s > 0 && WIFSIGNALED((int)status) && WTERMSIG((int)status) == SIGALRM;
    return status != 0;
}

/* Count what the runs of an order had drawn, and their labels. */
FRNG__ONCE void frng__check_count(frng__check *c, const frng_message *order, uint64_t passed) {
    const frng__check_memory *memory = frng__check_shared();
    const uint64_t used = memory->labels.used < FRNG_LABELS_MAX ? memory->labels.used : 0;
    for (uint64_t i = 0; i < passed; i++) {
        const uint64_t row = memory->rows[i];
        const bool has_ended = (row & FRNG_RUN_RAN_OUT) == 0;
        const uint64_t drawn = has_ended ? row & ~FRNG_RUN_DISCARDED : order->size;
        if (drawn > c->most) c->most = drawn;
        if (has_ended && drawn != row) c->discarded++;
    }
    for (uint64_t i = 0; i < used; i++) {
        const frng_label_row *row = &memory->label_rows[i];
        uint64_t k = 0;
        if (row->kind != FRNG_ROW_LABEL) continue;
        while (k < c->labels && strcmp(c->shares[k].name, row->name) != 0) k++;
        if (k == FRNG_LABELS_MAX) continue;
        memcpy(c->shares[k].name, row->name, sizeof row->name);
        c->shares[k].runs += row->values.count;
        if (k == c->labels) c->labels++;
    }
}

/* Store the seed of a run that failed, whose run alone must fail, too: as many bytes as it drew, or
 * all. False if it is flaky. */
FRNG__ONCE bool frng__check_take(frng__check *c, uint64_t seed, size_t size, frng__input *found) {
    const frng *f = (const frng *)(const void *)frng__state()->report->generator;
    const size_t sizes[2] = {f->used < size ? f->used : size, size};
    sprintf(found->seed, "%llu%s", (unsigned long long)seed, seed % 2 == 1 ? "s" : "");
    for (int i = 0; i < 2; i++) {
        free(found->bytes);
        found->bytes = frng__check_expand(found->seed, sizes[i]);
        found->size = sizes[i];
        if (found->bytes == NULL) abort();
        if (frng__check_run(c, found, false)) return true;
    }
    return false;
}

/* Make fresh runs of a size, up to one that fails. Return 1 and the input if one does, 0 if none
 * does, -1 if one did not fail again. */
FRNG__ONCE int frng__check_row(frng__check *c, size_t size, uint64_t count, frng__input *found) {
    frng_message order, done;
    memset(&order, 0, sizeof order);
    order.type = FRNG_RUN;
    order.flags = FRNG_HALF_STYLED | FRNG_ONE_PROCESS;
    if (c->made > 0 && frng__lsan_check == NULL) order.flags |= FRNG_STAY;
    for (uint64_t left = count; left > 0; left -= order.count) {
        order.first_seed = c->seed;
        order.count = left < FRNG__ROW_MAX ? left : (uint64_t)FRNG__ROW_MAX;
        order.size = size;
        memset(&done, 0, sizeof done);
        frng__check_request(false);
        fflush(NULL);
        c->error = frng__take_order(&order);
        if (c->error != 0) return 0;
        while (!frng__make_runs(frng__check_timed, &order, &done) && frng__stay_has_order(&order))
            continue;
        if (done.status != 0 && done.count == order.count && order.count > 1) { /* at its exit */
            done.count = 0;
            done.status = 0;
            order.flags &= ~(uint64_t)(FRNG_ONE_PROCESS | FRNG_STAY);
            frng__make_runs(frng__check_timed, &order, &done);
        }
        if ((done.flags & FRNG_NO_PROCESS) != 0) {
            c->error = (int)done.status;
            return 0;
        }
        if (frng__check_is_unjudged(done.status)) return 0;
        frng__check_count(c, &order, done.count);
        if (done.count < order.count) order.count = done.count + 1;
        c->seed += order.count;
        c->made += order.count;
        if (done.status != 0) return frng__check_take(c, c->seed - 1, size, found) ? 1 : -1;
    }
    return 0;
}

/* ---- The search ---- */

/* Return the runs that count: of ten that were discarded one does, so that there is an end. */
FRNG__ONCE uint64_t frng__check_counted(const frng__check *c) {
    return c->made - c->discarded + c->discarded / 10;
}

/* Make rows of runs, at the size that has cost least so far (DRAWS.md). */
FRNG__ONCE int frng__check_grow(frng__check *c, frng__input *found) {
    size_t levels[FRNG__LEVELS_MAX];
    uint64_t counts[FRNG__LEVELS_MAX] = {0};
    int count = 0;
    for (size_t size = FRNG_CHECK_SIZE_MIN;
         size < c->options.size_max && count + 1 < FRNG__LEVELS_MAX;) {
        levels[count++] = size;
        size *= 2;
    }
    levels[count++] = c->options.size_max;
    while (frng__check_counted(c) < c->options.runs &&
           (c->made < FRNG_CHECK_UNREAD || c->most > 0) && c->error == 0) {
        const uint64_t left = c->options.runs - frng__check_counted(c);
        uint64_t least = UINT64_MAX, row;
        int at = 0, ended;
        for (int i = 0; i < count && (i == 0 || levels[i] <= 2 * c->most); i++) {
            const uint64_t cost = (counts[i] + 1) * (FRNG_CHECK_RUN_COST + levels[i]);
            if (cost >= least) continue;
            least = cost;
            at = i;
        }
        row = 1 + counts[at] / 4;
        if (row > left) row = left;
        counts[at] += row;
        ended = frng__check_row(c, levels[at], row, found);
        if (ended != 0) return ended;
    }
    return 0;
}

/* True if both are at one place, whatever its message says. */
static inline bool frng__check_is_same(const char *a, const char *b) {
    const char *shape = strstr(a, " '");
    const size_t length = shape != NULL ? (size_t)(shape - a) : strlen(a);
    return strncmp(a, b, length) == 0 && (b[length] == 0 || strncmp(b + length, " '", 2) == 0);
}

/* Look for a smaller failure of the same site: by halving the size, then at a byte less than the
 * best, until enough fresh runs have passed there. */
FRNG__ONCE void frng__check_lower(frng__check *c, frng__input *best) {
    const uint64_t limit = frng__check_counted(c) + 2 * c->options.runs;
    size_t low = 0;
    while (best->size > 0 && frng__check_counted(c) < limit && c->error == 0) {
        const bool is_end = low >= best->size;
        const size_t size = is_end ? best->size - 1 : (low + best->size) / 2;
        uint64_t left = (uint64_t)(is_end ? FRNG_CHECK_END : FRNG_CHECK_LOWER);
        const uint64_t until = frng__check_counted(c) + left;
        frng__input found;
        bool is_found = false;
        memset(&found, 0, sizeof found);
        for (; left > 0 && !is_found && c->error == 0; left = until - frng__check_counted(c))
            is_found = frng__check_row(c, size, left, &found) == 1 &&
                       frng__check_is_same(found.site, best->site);
        if (is_found) {
            free(best->bytes);
            *best = found;
        } else if (free(found.bytes), is_end) {
            break;
        } else {
            low = size + 1;
        }
    }
}

/* ---- Reports ---- */

/* True if there is something of this name, even a folder that cannot be read, or a link to nothing:
 * strict C11 hides lstat. */
FRNG__ONCE bool frng__check_is_there(const char *path) {
    DIR *folder = opendir(path);
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const struct dirent *entry = NULL;
    char parent[4096] = ".";
    if (folder != NULL) closedir(folder);
    if (folder != NULL || errno != ENOENT) return true;
    if (slash != NULL) snprintf(parent, sizeof parent, "%.*s", (int)(name - path), path);
    folder = opendir(parent);
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, name) == 0) break;
    if (folder != NULL) closedir(folder);
    return entry != NULL;
}

/* Return the folder of findings: FRNG_FINDINGS/NAME or FRNG_FINDINGS, that of the options, or
 * findings/NAME. What the tools find goes to the first one. */
FRNG__ONCE const char *frng__check_folder(const frng__check *c, char *path, size_t room,
                                          bool is_for_tools) {
    const char *given = frng__check_given("FRNG_FINDINGS");
    const bool is_given = given != NULL;
    if (!is_given && c->options.findings != NULL) return c->options.findings;
    const int length =
        snprintf(path, room, "%s/%s", is_given ? given : "findings", c->options.name);
    const bool is_there = is_for_tools || !is_given || frng__check_is_there(path);
    return length < (int)room && is_there ? path : is_given ? given : "findings";
}

/* True once a tool has run. */
FRNG__ONCE bool *frng__check_found_tools(void) {
    static bool are_there;
    return &are_there;
}

/* Run a tool on this test of the program, with options that end with NULL, and keep the end of what
 * it prints. Return its exit status; 127: the tool could not be started. */
FRNG__ONCE int frng__check_tool(const frng__check *c, const char *const *fixed, char *text,
                                size_t room) {
    enum { OPTIONS_MAX = 64 };
    char *options[OPTIONS_MAX]; /* execvp changes nothing */
    int ends[2], count = 0;
    size_t length = 0;
    ssize_t some;
    uint64_t status = 127 << 8;
    pid_t child;
    if (c->options.arguments == NULL || pipe(ends) != 0) return 127;
    for (; fixed[count] != NULL; count++) options[count] = (char *)(uintptr_t)fixed[count];
    options[count++] = (char *)(uintptr_t) "--";
    for (int i = 0; c->options.arguments[i] != NULL && count < OPTIONS_MAX - 1; i++)
        options[count++] = (char *)(uintptr_t)c->options.arguments[i];
    options[count] = NULL;
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        execvp(options[0], options);
        _exit(127);
    }
    close(ends[1]);
    while (child > 0 && (some = read(ends[0], text + length, room - 1 - length)) > 0) {
        length += (size_t)some;
        if (length + 1 < room) continue;
        memmove(text, text + room / 2, length -= room / 2);
    }
    text[length] = '\0';
    close(ends[0]);
    if (child > 0) frng__reap(child, &status);
    *frng__check_found_tools() |= WIFEXITED((int)status) && WEXITSTATUS((int)status) != 127;
    return WIFEXITED((int)status) ? WEXITSTATUS((int)status) : 127;
}

/* False if the program is a target, and frng-reduce is not on PATH. */
FRNG__ONCE bool frng__check_has_tools(const frng__check *c) {
    const char *const fixed[] = {"frng-reduce", "--version", NULL};
    char text[64];
    return c->options.arguments == NULL || *frng__check_found_tools() ||
           frng__check_tool(c, fixed, text, sizeof text) != 127;
}

/* Print the commands that go on from an input. */
FRNG__ONCE void frng__check_go_on(const frng__check *c, const frng__input *input) {
    fputs(FRNG__GO_ON "\n  FRNG_REPLAY='", stderr);
    frng__check_print(input, true);
    fputs("' " FRNG__ALONE "\n", stderr);
    for (int i = 0; i < 2 && c->options.arguments != NULL; i++) {
        char folder[4096];
        fprintf(stderr, "  frng-%s ", i == 0 ? "replay" : "reduce");
        frng__print_shell(stderr, c->program);
        putc(' ', stderr);
        frng__check_print(input, false);
        if (i == 0) fputs(" --trace", stderr);
        if (i == 1) {
            fputs(" --findings ", stderr);
            frng__print_shell(stderr, frng__check_folder(c, folder, sizeof folder, true));
        }
        if (input->hangs) fprintf(stderr, " --timeout %llus", (unsigned long long)c->timeout_s);
        if (c->options.arguments[0] != NULL) fputs(" --", stderr);
        for (int k = 0; c->options.arguments[k] != NULL; k++) {
            putc(' ', stderr);
            frng__print_shell(stderr, c->options.arguments[k]);
        }
        fputs("\n", stderr);
    }
    if (!frng__check_has_tools(c)) fputs("  (" FRNG__NO_TOOLS ")\n", stderr);
    if (c->made > 0)
        fprintf(stderr, "  FRNG_SEED=%llu " FRNG__REPEATS "\n", (unsigned long long)c->base);
}

/* Print the draws of the run that was traced last. */
FRNG__ONCE void frng__check_tell(const frng__input *input) {
    frng__check_memory *memory = frng__check_shared();
    const uint64_t traced = memory->report.traced;
    frng__tell_run(memory->records,
                   traced < FRNG__RECORDS_MAX ? traced : (uint64_t)FRNG__RECORDS_MAX, input->bytes,
                   input->size, &memory->values);
}

/* Let tests print, or not. */
FRNG__ONCE void frng__check_silence(const frng__check *c, bool is_silent) {
    fflush(NULL);
    dup2(is_silent ? c->silence : c->said[0], STDOUT_FILENO);
    dup2(is_silent ? c->silence : c->said[1], STDERR_FILENO);
}

/* Report an input that fails. Its run prints what fails. Return the exit status. */
FRNG__ONCE int frng__check_report(const frng__check *c, frng__input *input, const char *what,
                                  const char *how) {
    frng__check_silence(c, false);
    fprintf(stderr, "frng: %s %s: ", what, how);
    frng__check_print(input, true);
    fputs("\n", stderr);
    if (!frng__check_run(c, input, true) && c->error == 0) fputs("flaky: now it passes\n", stderr);
    if (input->hangs)
        fprintf(stderr, "the run has not ended after %llu s\n", (unsigned long long)c->timeout_s);
    else if (input->status != 0 && input->site[0] == '\0' && input->signature[0] != '\0')
        fprintf(stderr, "fails with %s\n", input->signature);
    else if (input->status != 0 && input->site[0] == '\0')
        frng__tell_status(input->status);
    snprintf(frng__check_why(), 4600, "%s", input->site);
    frng__check_tell(input);
    frng__check_go_on(c, input);
    return 1;
}

/* Take the result of frng-reduce from its last event. Return what is said of it; NULL: there is
 * none. */
FRNG__ONCE const char *frng__check_result(const char *text, frng__input *reduced) {
    static char line[1 << 16], said[120];
    const char *done = strstr(text, "{\"event\":\"done\""),
               *rest = strchr(FRNG__UNFINISHED, '}') + 1;
    char complete[8] = "", calls[24] = "";
    memcpy(line, "hex=", 4);
    if (done == NULL || !frng__check_field(done, "hex", line + 4, sizeof line - 4)) return NULL;
    if (!frng__check_parse(line, reduced)) return NULL;
    frng__check_field(done, "signature", reduced->signature, sizeof reduced->signature);
    frng__check_field(done, "complete", complete, sizeof complete);
    if (strcmp(complete, "false") != 0) return FRNG__REDUCED;
    frng__check_field(done, "calls", calls, sizeof calls);
    snprintf(said, sizeof said, FRNG__REDUCED ", %.*s%s%s", (int)strcspn(FRNG__UNFINISHED, "{"),
             FRNG__UNFINISHED, calls, rest);
    return said;
}

/* Let frng-reduce, if it is on PATH, reduce an input, by some calls. Return what is said of the
 * result; NULL: it did not. What goes on after a failure whose place is known is believed, and the
 * answer made again in a new process. */
FRNG__ONCE const char *frng__check_reduce(const frng__check *c, const frng__input *input,
                                          frng__input *reduced, bool is_believed) {
    const char *wanted = getenv("FRNG_REDUCE"), *said;
    static char text[1 << 16];
    char size[24], calls[24], span[24];
    const char *const fixed[] = {"frng-reduce", c->program,   "--size",
                                 size,          "--seed",     input->seed,
                                 "--calls",     calls,        "--time",
                                 span,          "--explain",  "no",
                                 "--jobs",      "1",          "--quiet",
                                 "--json",      "-",          is_believed ? "--unconfirmed" : NULL,
                                 "--mode",      "persistent", NULL};
    if (input->hangs || (wanted != NULL && strcmp(wanted, "0") == 0)) return NULL;
    snprintf(size, sizeof size, "%zu", input->size);
    snprintf(calls, sizeof calls, "%d", FRNG_CHECK_REDUCE_CALLS);
    snprintf(span, sizeof span, "%ds", FRNG_CHECK_REDUCE_S);
    if (frng__check_tool(c, fixed, text, sizeof text) == 127) return NULL;
    said = frng__check_result(text, reduced);
    if (said != NULL && frng__check_run(c, reduced, false) &&
        frng__check_is_same(reduced->site, input->site))
        return said;
    if (!is_believed) return NULL;
    free(reduced->bytes);
    memset(reduced, 0, sizeof *reduced);
    return frng__check_reduce(c, input, reduced, false);
}

/* ---- Findings ---- */

/* True if the run of a finding, which has passed, made other draws than the one that failed. */
FRNG__ONCE bool frng__check_strays(const frng__input *input) {
    const frng__check_memory *memory = frng__check_shared();
    return input->draws > 0 && (memory->draws != input->draws || memory->digest != input->digest);
}

/* True if a finding is not of another program, whose test has the same name, in a common folder. */
FRNG__ONCE bool frng__check_is_own(const frng__check *c, const char *text) {
    char program[4096];
    const char *slash, *own = strrchr(c->program, '/');
    if (c->options.findings != NULL || !frng__check_field(text, "sut", program, sizeof program))
        return true;
    slash = strrchr(program, '/');
    return strcmp(slash != NULL ? slash + 1 : program, own != NULL ? own + 1 : c->program) == 0;
}

FRNG__ONCE int frng__check_unreadable(const frng__check *c, const char *path, int error) {
    return frng__check_refuse(c, 2, "%s: cannot be read: %s", path, strerror(error));
}

/* Return the text of a regular file, which the caller frees. NULL after a message: a pipe without a
 * writer would have no end. */
FRNG__ONCE char *frng__check_text(const frng__check *c, const char *path) {
    struct stat status;
    FILE *file = NULL;
    char *text;
    const bool is_known = stat(path, &status) == 0;
    if (is_known && (!S_ISREG(status.st_mode) || status.st_size == 0)) /* as /proc/kmsg */
        frng__check_refuse(c, 2, "%s is no finding: no regular file, or an empty one", path);
    else if (is_known && status.st_size > 4ll * FRNG_CHECK_INPUT_MAX)
        frng__check_refuse(c, 2, "%s is no finding: the file is too large", path);
    else if (!is_known || (file = fopen(path, "rb")) == NULL)
        frng__check_unreadable(c, path, errno);
    if (file == NULL) return NULL;
    text = (char *)calloc(1, (size_t)status.st_size + 1);
    if (text == NULL || fread(text, 1, (size_t)status.st_size, file) == 0 || ferror(file)) {
        free(text);
        text = NULL;
        frng__check_refuse(c, 2, "%s: cannot be read", path);
    }
    fclose(file);
    return text;
}

/* Replay a finding. Return the exit status, 2 if the file is none, or passes with other draws, and
 * its input, whose bytes the caller frees. */
FRNG__ONCE int frng__check_finding(frng__check *c, const char *path, frng__input *input) {
    char *text = frng__check_text(c, path);
    int status = 0;
    memset(input, 0, sizeof *input);
    if (text == NULL) return 2;
    if (!frng__check_parse(text, input)) {
        status = frng__check_refuse(c, 2, "%s is no finding", path);
    } else if (frng__check_run(c, input, false)) {
        status = frng__check_report(c, input, path, "still fails");
        frng__check_silence(c, true);
    } else if (c->error == 0 && frng__check_is_own(c, text) && frng__check_strays(input)) {
        status = frng__check_refuse(c, 2, "%s " FRNG__OTHER_DRAWS, path);
    }
    c->replayed++;
    free(text);
    return status;
}

/* Replay the findings of a folder. Return the exit status: that of the first one that fails; else 2
 * if one was not judged. */
FRNG__ONCE int frng__check_findings(frng__check *c, const char *folder) {
    DIR *files = opendir(folder);
    struct dirent *entry;
    char path[4096];
    int status = 0;
    if (files == NULL) {
        const int error = errno;
        const bool is_absent = error == ENOENT && !frng__check_is_there(folder);
        return is_absent ? 0 : frng__check_unreadable(c, folder, error);
    }
    while (status != 1 && c->error == 0 && (errno = 0, entry = readdir(files)) != NULL) {
        const char *end = strrchr(entry->d_name, '.');
        frng__input input;
        int one = 2;
        input.bytes = NULL;
        if (end == NULL || strcmp(end, ".json") != 0) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            one = frng__check_finding(c, path, &input);
        else
            frng__check_unreadable(c, folder, ENAMETOOLONG);
        if (one != 0) status = one;
        free(input.bytes);
    }
    if (status == 0 && c->error == 0 && errno != 0)
        status = frng__check_unreadable(c, folder, errno);
    closedir(files);
    return status;
}

/* ---- All of it ---- */

/* Refuse the value of a variable. */
FRNG__ONCE bool frng__check_refuse_value(const frng__check *c, const char *name, const char *why) {
    const char *text = getenv(name);
    frng__check_refuse(c, 2, strlen(text) > 200 ? "%s=%.200s... %s" : "%s=%s %s", name, text, why);
    return false;
}

/* Read a number of the environment. False if it is none. */
FRNG__ONCE bool frng__check_number(const frng__check *c, const char *name, uint64_t most,
                                   uint64_t *number) {
    const char *text = frng__check_given(name);
    if (text == NULL || frng__check_count_of(text, most, number)) return true;
    return frng__check_refuse_value(c, name, FRNG__NO_NUMBER);
}

/* Set the counts and the seeds of a search. False if the environment makes no sense. */
FRNG__ONCE bool frng__check_options(frng__check *c) {
    const char *profile = frng__check_given("FRNG_PROFILE");
    const bool is_ci = profile != NULL && strcmp(profile, "ci") == 0;
    struct timespec now;
    frng_expansion seeds;
    if (profile != NULL && !is_ci)
        return frng__check_refuse_value(c, "FRNG_PROFILE", FRNG__NO_PROFILE);
    timespec_get(&now, TIME_UTC);
    if (c->options.runs == 0) c->options.runs = FRNG_CHECK_RUNS;
    if (c->options.size_max == 0) c->options.size_max = FRNG_CHECK_SIZE_MAX;
    c->timeout_s = frng__check_given("FRNG_REPLAY") != NULL ? 0 : FRNG_CHECK_TIMEOUT_S;
    c->base = is_ci ? 1 : (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    if (!frng__check_number(c, "FRNG_RUNS", INT32_MAX, &c->options.runs) ||
        !frng__check_number(c, "FRNG_SEED", UINT64_MAX, &c->base) ||
        !frng__check_number(c, "FRNG_TIMEOUT", INT32_MAX, &c->timeout_s))
        return false;
    if (is_ci) c->options.runs *= 10;
    seeds = frng_expansion_init(c->base);
    c->seed = frng__xoshiro(seeds.state);
    return true;
}

/* Report a failure, reduced if it can be. Return the exit status. */
FRNG__ONCE int frng__check_report_reduced(const frng__check *c, frng__input *found,
                                          const char *how) {
    frng__input reduced;
    const char *said;
    int status;
    memset(&reduced, 0, sizeof reduced);
    said = frng__check_reduce(c, found, &reduced, found->site[0] != '\0');
    if (said != NULL) {
        frng__check_silence(c, false);
        fprintf(stderr, "frng: %s %s: size=%zu seed=%s\n", c->options.name, how, found->size,
                found->seed);
        status = frng__check_report(c, &reduced, c->options.name, said);
    } else {
        status = frng__check_report(c, found, c->options.name, how);
    }
    free(reduced.bytes);
    return status;
}

/* Let frng-search search for a time. Return the exit status. */
FRNG__ONCE int frng__check_search_on(const frng__check *c, const char *span) {
    char folder[4096], timeout[32], text[4096] = "";
    const char *const fixed[] = {"frng-search",
                                 c->program,
                                 "--time",
                                 span,
                                 "--quiet",
                                 "--findings",
                                 frng__check_folder(c, folder, sizeof folder, true),
                                 timeout,
                                 NULL};
    const uint64_t limit_s = c->timeout_s > 0 ? c->timeout_s : (uint64_t)FRNG_CHECK_TIMEOUT_S;
    frng__input found;
    int status;
    memset(&found, 0, sizeof found);
    snprintf(timeout, sizeof timeout, "--timeout=%llus", (unsigned long long)limit_s);
    frng__check_silence(c, false); /* for its messages */
    status = frng__check_tool(c, fixed, text, sizeof text);
    frng__check_silence(c, true);
    if (status == 1 && frng__check_parse(text, &found)) {
        if (frng__check_run(c, &found, false))
            status = frng__check_report_reduced(c, &found, FRNG__FOUND);
        else
            status = frng__check_report(c, &found, c->options.name, FRNG__FOUND);
    } else if (status != 0) {
        status = frng__check_refuse(c, 2, "FRNG_SEARCH=%.200s: frng-search has ended with %d", span,
                                    status);
    }
    free(found.bytes);
    return status;
}

/* Say how many runs have passed. */
FRNG__ONCE void frng__check_say_passed(const frng__check *c) {
    frng__check_silence(c, false);
    if (c->discarded > c->made / 2)
        fprintf(stderr, "frng: %llu of %llu runs of %s " FRNG__DISCARDED "\n",
                (unsigned long long)c->discarded, (unsigned long long)c->made, c->options.name);
    printf("frng: %llu runs of %s passed, of up to %llu bytes",
           (unsigned long long)(c->made - c->discarded), c->options.name,
           (unsigned long long)c->most);
    if (c->replayed > 0) printf(", and %llu of findings", (unsigned long long)c->replayed);
    for (uint64_t i = 0; i < c->labels; i++)
        printf("%s%s %.1f%%", i == 0 ? "; labels: " : ", ", c->shares[i].name,
               100 * (double)c->shares[i].runs / (double)(c->made - c->discarded));
    printf("\n");
}

/* Look for a failure, and report the smallest. Return the exit status. */
FRNG__ONCE int frng__check_search(frng__check *c, frng__input *found) {
    const int ended = frng__check_grow(c, found);
    const uint64_t first = c->made;
    const char *span = frng__check_given("FRNG_SEARCH");
    char how[128];
    if (c->error != 0) return 2;
    if (ended == 0 && c->made > 0 && c->most == 0)
        return frng__check_refuse(c, 3, "none of %llu runs of %s " FRNG__NO_DRAW,
                                  (unsigned long long)c->made, c->options.name);
    if (ended == 0 && c->discarded > c->made * 9 / 10)
        return frng__check_refuse(c, 3, "%llu of %llu runs of %s " FRNG__DISCARDED,
                                  (unsigned long long)c->discarded, (unsigned long long)c->made,
                                  c->options.name);
    if (ended == 0) {
        frng__check_say_passed(c);
        if (span != NULL && c->options.arguments == NULL)
            fprintf(stderr,
                    "frng: FRNG_SEARCH=%s: %s is no target: it has no arguments of its own\n", span,
                    c->options.name);
        return span == NULL || c->options.arguments == NULL ? 0 : frng__check_search_on(c, span);
    }
    if (ended < 0) {
        frng__check_silence(c, false);
        fprintf(stderr, "frng: %s is flaky: size=%zu seed=%s " FRNG__FLAKY "\n", c->options.name,
                found->size, found->seed);
        return 1;
    }
    if (found->hangs) {
        snprintf(how, sizeof how, "hangs in run %llu, and is not made smaller",
                 (unsigned long long)first);
        return frng__check_report(c, found, c->options.name, how);
    }
    frng__check_lower(c, found);
    snprintf(how, sizeof how, "fails in run %llu, smallest after %llu more",
             (unsigned long long)first, (unsigned long long)(c->made - first));
    return frng__check_report_reduced(c, found, how);
}

/* Search, as the head of this file says. */
FRNG__ONCE int frng__check_all(frng__check *c) {
    const char *replayed = frng__check_given("FRNG_REPLAY"), *folder;
    const bool goes_on = frng__check_given("FRNG_SEARCH") != NULL && c->options.arguments != NULL;
    frng__input input;
    char path[4096];
    int status = 0;
    memset(&input, 0, sizeof input);
    if (!frng__check_options(c)) return 2;
    if (!frng__check_begin())
        return frng__check_refuse(c, 2, "no memory for runs: %s", strerror(errno));
    frng__check_silence(c, true);
    if (replayed != NULL) {
        if (!frng__check_parse(replayed, &input)) {
            frng__check_refuse_value(c, "FRNG_REPLAY", FRNG__NO_INPUT);
            status = 2;
        } else if (frng__check_run(c, &input, false)) {
            status = frng__check_report(c, &input, c->options.name, "fails");
        } else if (c->error == 0) {
            frng__check_silence(c, false);
            fprintf(stderr, "frng: %s: " FRNG__PASSES "\n", c->options.name);
        }
    } else {
        folder = frng__check_folder(c, path, sizeof path, false);
        status = frng__check_findings(c, folder);
        if (status == 0 && c->error == 0 && c->options.runs + c->replayed == 0 && !goes_on)
            status = frng__check_refuse(c, 2, "%s: " FRNG__NO_RUNS, folder);
        if (status == 0 && c->error == 0) status = frng__check_search(c, &input);
    }
    free(input.bytes);
    frng__check_silence(c, false);
    if (c->error == 0) return status;
    if (c->error == FRNG__UNJUDGED)
        return frng__check_refuse(c, status == 1 ? 1 : 3, "a run of %s cannot be judged: %s",
                                  c->options.name, frng__state()->report->site + 7);
    frng__check_refuse(c, 2, "a run of %s could not be made: %s", c->options.name,
                       strerror(c->error));
    return status == 1 ? 1 : 2;
}

/* Prepare the runs of a test. Return NULL without memory. */
FRNG__ONCE frng__check *frng__check_create(frng_test test, const frng_check_options *options) {
    frng__check *c = (frng__check *)calloc(1, sizeof *c);
    frng__check_variables();
    frng__name_absent();
    if (c == NULL) return NULL;
    *frng__check_current() = c;
    c->test = test;
    frng__program(c->program, sizeof c->program);
    if (options != NULL) c->options = *options;
    if (c->options.name == NULL) {
        const char *slash = strrchr(c->program, '/');
        c->options.name = slash != NULL ? slash + 1 : c->program;
    }
    c->said[0] = dup(STDOUT_FILENO);
    c->said[1] = dup(STDERR_FILENO);
    c->silence = open("/dev/null", O_WRONLY);
    frng__set_hosts();
    c->children = signal(SIGCHLD, SIG_DFL); /* or the ends of runs are lost */
    frng__state()->ignored_children = c->children == SIG_IGN;
    return c;
}

FRNG__ONCE void frng__check_destroy(frng__check *c) {
    frng__stay_end();
    signal(SIGCHLD, c->children);
    close(c->said[0]);
    close(c->said[1]);
    close(c->silence);
    munmap(frng__state()->report, sizeof(frng__check_memory));
    frng__state()->report = NULL;
    *frng__check_current() = NULL;
    free(c);
}

/* Search a test. Return 0 if all passed, 1 if one failed, 2 for an error, 3 without a verdict. */
FRNG__ONCE int frng_check(frng_test test, const frng_check_options *options) {
    const bool is_target = options != NULL && options->arguments != NULL && frng__has_driver();
    frng__check *c = is_target ? NULL : frng__check_create(test, options);
    int status;
    if (is_target) exit(frng_run(test));
    if (c == NULL) return 2;
    status = frng__check_all(c);
    frng__check_destroy(c);
    return status;
}

/* The main of a program of FRNG_MAIN: with --check it searches. */
FRNG__ONCE int frng__main(frng_test test, int argument_count, char **arguments) {
    static const char *const none[] = {NULL};
    const frng_check_options options = {NULL, 0, 0, NULL, none};
    const int refused = frng__check_arguments(argument_count, arguments);
    if (refused >= 0) return refused;
    frng__state()->can_check = true;
    return argument_count < 2 ? frng_run(test) : frng_check(test, &options);
}

FRNG__WRAPS_END
#endif
