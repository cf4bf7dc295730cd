/* post_driver: the driver of the blog post that frng comes from, ported as it stands, to measure
 * ours against: https://matklad.github.io/2026/04/20/test-case-minimization.html
 *
 *     post_driver [--attempts N] [--size-max BYTES] [--rng-seed S] SUT [ARG...]
 *     post_driver --rate BYTES [--seconds S] [--rng-seed S] SUT [ARG...]
 *
 * The first form searches and prints `size=41 seed=92 runs=1234` (only `runs=` when nothing
 * failed), exit status 1 for a failure and 0 for none. The second runs one size for a while and
 * prints `rate=1561.2 runs=1562 seconds=1.000`. fork, exec, a pipe for stdin, waitpid; one run at
 * a time, no time limit. Mended are its two bugs: a program that fails on empty input ends at size
 * 0, and one that passes ends at the maximum. SPDX-License-Identifier: MIT */
#include "frng_expand.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_NONE = 0, EXIT_FOUND = 1, EXIT_TROUBLE = 2, EXIT_NOT_STARTED = 127 };

typedef struct post {
    char **sut;        /* argv of the system under test */
    uint64_t attempts; /* runs at each size */
    size_t size_max;   /* bytes */
    uint64_t seeds;    /* state of the generator of seeds */
    uint8_t *entropy;  /* size_max bytes */
    int null_fd;
    uint64_t runs; /* made so far */
} post;

static void die(const char *what) {
    fprintf(stderr, "post_driver: %s: %s\n", what, strerror(errno));
    exit(EXIT_TROUBLE);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void child(const post *p, int stdin_fd) {
    signal(SIGPIPE, SIG_DFL);
    if (dup2(stdin_fd, STDIN_FILENO) < 0) _exit(EXIT_NOT_STARTED);
    if (dup2(p->null_fd, STDOUT_FILENO) < 0) _exit(EXIT_NOT_STARTED);
    if (dup2(p->null_fd, STDERR_FILENO) < 0) _exit(EXIT_NOT_STARTED);
    execvp(p->sut[0], p->sut);
    _exit(EXIT_NOT_STARTED);
}

/* All of it, unless the reader is gone first: it may have seen enough. */
static void write_all(int fd, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        const ssize_t count = write(fd, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EPIPE) return;
        if (count < 0) die("write");
        bytes += count;
        size -= (size_t)count;
    }
}

/* One run; true when it passed. */
static bool run(post *p, uint64_t seed, size_t size) {
    int ends[2], status;
    frng_expand(seed, p->entropy, size);
    if (pipe2(ends, O_CLOEXEC) < 0) die("pipe");
    const pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid == 0) child(p, ends[0]);
    close(ends[0]);
    write_all(ends[1], p->entropy, size);
    close(ends[1]);
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) die("waitpid");
    }
    p->runs++;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_STARTED) {
        fprintf(stderr, "post_driver: cannot run %s\n", p->sut[0]);
        exit(EXIT_TROUBLE);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Up to `attempts` fresh seeds; true when all passed, else *seed is the one that failed. */
static bool run_many(post *p, size_t size, uint64_t *seed) {
    for (uint64_t k = 0; k < p->attempts; k++) {
        const uint64_t fresh = frng__splitmix64(&p->seeds);
        if (!run(p, fresh, size)) {
            *seed = fresh;
            return false;
        }
    }
    return true;
}

static int search(post *p) {
    bool found = false;
    size_t size = 16, step = 16;
    uint64_t seed = 0, failed_seed = 0;
    while (step > 0) {
        size_t next;
        if (!found) {
            if (size >= p->size_max) break; /* mended: a passing program ends here */
            next = step < p->size_max - size ? size + step : p->size_max;
        } else {
            next = step < size ? size - step : 0;
        }
        if (run_many(p, next, &failed_seed)) {
            step = found ? step / 2 : step * 2;
            if (!found) size = next;
            continue;
        }
        if (!found) step /= 2;
        found = true;
        size = next;
        seed = failed_seed;
        if (size == 0) break; /* mended: nothing is smaller */
    }
    if (found) printf("size=%zu seed=%" PRIu64 " ", size, seed);
    printf("runs=%" PRIu64 "\n", p->runs);
    return found ? EXIT_FOUND : EXIT_NONE;
}

static int rate(post *p, size_t size, double seconds) {
    const double start = now();
    double elapsed;
    do {
        run(p, frng__splitmix64(&p->seeds), size);
        elapsed = now() - start;
    } while (elapsed < seconds);
    printf("rate=%.1f runs=%" PRIu64 " seconds=%.3f\n", (double)p->runs / elapsed, p->runs,
           elapsed);
    return EXIT_NONE;
}

static uint64_t number(const char *text) {
    char *end;
    errno = 0;
    const uint64_t value = strtoull(text, &end, 0);
    if (end == text || *end != 0 || errno != 0) {
        fprintf(stderr, "post_driver: not a number: %s\n", text);
        exit(EXIT_TROUBLE);
    }
    return value;
}

static void usage(void) {
    fputs("usage: post_driver [--attempts N] [--size-max BYTES] [--rng-seed S]\n"
          "                   [--rate BYTES [--seconds S]] SUT [ARG...]\n",
          stderr);
    exit(EXIT_TROUBLE);
}

static void prepare(post *p, char **sut) {
    const struct rlimit no_core = {0, 0};
    if (sut[0] == NULL) usage();
    p->sut = sut;
    p->entropy = malloc(p->size_max > 0 ? p->size_max : 1);
    if (p->entropy == NULL) die("entropy");
    p->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (p->null_fd < 0) die("/dev/null");
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"attempts", required_argument, NULL, 'a'}, {"size-max", required_argument, NULL, 'm'},
        {"rng-seed", required_argument, NULL, 's'}, {"rate", required_argument, NULL, 'r'},
        {"seconds", required_argument, NULL, 't'},  {NULL, 0, NULL, 0},
    };
    post p = {.attempts = 100, .size_max = (size_t)4 << 20};
    bool measure = false;
    double seconds = 1;
    int option;
    if (getrandom(&p.seeds, sizeof p.seeds, 0) != sizeof p.seeds) die("getrandom");
    while ((option = getopt_long(argc, argv, "+", options, NULL)) >= 0) {
        switch (option) {
        case 'a': p.attempts = number(optarg); break;
        case 'm': p.size_max = (size_t)number(optarg); break;
        case 's': p.seeds = number(optarg); break;
        case 'r':
            measure = true;
            p.size_max = (size_t)number(optarg);
            break;
        case 't': seconds = strtod(optarg, NULL); break;
        default: usage();
        }
    }
    prepare(&p, argv + optind);
    return measure ? rate(&p, p.size_max, seconds) : search(&p);
}
