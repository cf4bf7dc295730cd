/* rate: how many runs of one size a pool of workers makes in a second, in one of the modes.
 *
 *     rate --size BYTES [--mode MODE] [--jobs N] [--seconds S] [--stdin file|pipe]
 *          [--containment auto|subreaper] [--failing] SUT [ARG...]
 *
 * prints `rate=2210.4 runs=2218 seconds=1.003`. SUT is a path. Tickets are as large as in a search.
 * With --failing each run must fail, else each must pass. Time is
 * taken from one result to another, when all workers are busy: starting and ending them does not
 * count. SPDX-License-Identifier: MIT */
#include "clock.h"
#include "engine.h"
#include "pool.h"
#include "server.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 2 };

typedef struct options {
    uint64_t size; /* bytes */
    run_mode mode;
    unsigned jobs;
    double seconds;
    run_stdin stdin_kind;
    containment containment;
    verdict wanted;
    char **sut; /* argv */
} options;

static void die(const char *what) {
    fprintf(stderr, "rate: %s: %s\n", what, strerror(errno));
    exit(EXIT_TROUBLE);
}

static _Noreturn void usage(void) {
    fputs(
        "usage: rate --size BYTES [--mode spawn|fork|persistent] [--jobs N] [--seconds S]\n"
        "            [--stdin file|pipe] [--containment auto|subreaper] [--failing] SUT [ARG...]\n",
        stderr);
    exit(EXIT_TROUBLE);
}

static run_mode parse_mode(const char *word) {
    for (run_mode mode = MODE_SPAWN; mode <= MODE_PERSISTENT; mode++) {
        if (strcmp(word, run_mode_name(mode)) == 0) return mode;
    }
    usage();
}

static options parse(int argc, char **argv) {
    static const struct option known[] = {
        {"size", required_argument, NULL, 's'},  {"mode", required_argument, NULL, 'm'},
        {"jobs", required_argument, NULL, 'j'},  {"seconds", required_argument, NULL, 't'},
        {"stdin", required_argument, NULL, 'i'}, {"containment", required_argument, NULL, 'c'},
        {"failing", no_argument, NULL, 'f'},     {NULL, 0, NULL, 0},
    };
    options o = {.size = 16, .jobs = 1, .seconds = 1, .wanted = VERDICT_PASS};
    const char *wanted = "auto";
    int option;
    while ((option = getopt_long(argc, argv, "+", known, NULL)) >= 0) {
        switch (option) {
        case 's': o.size = strtoull(optarg, NULL, 0); break;
        case 'm': o.mode = parse_mode(optarg); break;
        case 'j': o.jobs = (unsigned)strtoul(optarg, NULL, 0); break;
        case 't': o.seconds = strtod(optarg, NULL); break;
        case 'i':
            o.stdin_kind = strcmp(optarg, "pipe") == 0 ? RUN_STDIN_PIPE : RUN_STDIN_FILE;
            break;
        case 'c': wanted = optarg; break;
        case 'f': o.wanted = VERDICT_FAIL; break;
        default: usage();
        }
    }
    if (strcmp(wanted, "auto") == 0) {
        o.containment = containment_detect();
    } else if (strcmp(wanted, containment_name(CONTAINMENT_SUBREAPER)) != 0) {
        usage();
    }
    o.sut = argv + optind;
    if (o.sut[0] == NULL || o.jobs < 1 || o.jobs > POOL_JOBS_MAX) usage();
    return o;
}

/* Keep all workers busy, and wait for the oldest batch; returns how many runs it had. */
static uint32_t one_result(pool *p, const options *o, uint64_t *seed) {
    const run_result *result;
    batch done;
    while (pool_has_room(p)) {
        const batch runs = {.first_seed = *seed, .count = pool_batch(p, o->size), .size = o->size};
        pool_submit(p, &runs, false);
        *seed += runs.count;
    }
    if (pool_wait(p, CLOCK_NEVER, &done, &result) != POOL_RESULT) die("the workers");
    if (result->last.verdict != o->wanted || result->violation != ISOLATION_NONE) {
        fprintf(stderr, "rate: %s ended otherwise than wanted, or keeps state\n", o->sut[0]);
        exit(EXIT_TROUBLE);
    }
    return result->ran;
}

static void measure(pool *p, const options *o) {
    const unsigned warm_results = 4 * o->jobs;
    const int64_t span_ns = (int64_t)(o->seconds * (double)CLOCK_NS_PER_S);
    uint64_t seed = 1, runs = 0;
    for (unsigned i = 0; i < warm_results; i++) one_result(p, o, &seed);
    const int64_t start_ns = clock_now_ns();
    int64_t took_ns;
    do {
        runs += one_result(p, o, &seed);
        took_ns = clock_now_ns() - start_ns;
    } while (took_ns < span_ns);
    const double seconds = (double)took_ns / (double)CLOCK_NS_PER_S;
    printf("rate=%.1f runs=%" PRIu64 " seconds=%.3f\n", (double)runs / seconds, runs, seconds);
}

/* Ask the target what it can do. */
static probe_answer ask(const options *o, const run_config *config) {
    static run_result found;
    const client_input empty = client_seed((seed_input){.size = 0});
    const client_config endless = {.deadline_ns = CLOCK_NEVER};
    const pool_config one = {.jobs = 1,
                             .create = probe_create,
                             .config = config,
                             .containment = o->containment,
                             .interrupt_fd = -1};
    if (client_run_once(&one, &endless, &empty, &found).end != END_DONE) die("the target");
    return probe_answer_of(&found);
}

int main(int argc, char **argv) {
    const options o = parse(argc, argv);
    runner_server_config config = {
        .spawn = {.command = {o.sut[0], o.sut, environ},
                  .stdin_kind = o.stdin_kind,
                  .timeout_ns = 10 * CLOCK_NS_PER_S,
                  .size_max = o.size},
        .mode = o.mode,
    };
    sigprocmask(SIG_SETMASK, NULL, &config.spawn.mask);
    probe_answer able = {.mode = MODE_SPAWN};
    if (o.mode != MODE_SPAWN) able = ask(&o, &config.spawn);
    config.layout = able.layout;
    if (able.mode < o.mode) {
        fprintf(stderr, "rate: %s cannot run in this mode\n", o.sut[0]);
        return EXIT_TROUBLE;
    }
    const pool_config workers = {.jobs = o.jobs,
                                 .create = runner_server_create,
                                 .config = &config,
                                 .containment = o.containment,
                                 .interrupt_fd = -1};
    pool *p = pool_create(&workers);
    if (p == NULL) die("the workers");
    measure(p, &o);
    pool_destroy(p);
    return 0;
}
