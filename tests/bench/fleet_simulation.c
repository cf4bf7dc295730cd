/* fleet_simulation.c: fleets of searches over one folder, in simulated time.
 *
 *     fleet_simulation [--quick | --write FILE]
 *
 * The searches are real but for their runs: size_search.c decides on sizes, sync_schedule.c when
 * to look at the folder. The tables are in FLEET.md, which --write makes. --quick checks in a few
 * seconds that the model agrees with strategy.c run by run, and that sharing pays. */
#include "simulated_alone.h"
#include "simulated_fleet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLEET_S (8 * 3600.0)

/* What a fleet of 10,000 workers must gain by --sync 1m, and its calls to the file system at most:
 * in the busiest second while it starts, and a second later. */
#define GAIN_MIN 5.0
enum { STARTING_MAX = 2000, STEADY_MAX = 100 };

/* The first is the one of the tables. */
enum { TARGETS = 4 };
static simulated_target targets[TARGETS] = {
    {.name = "three events, 1 in 150 messages of 28 bytes",
     .events = 3,
     .rarity = 150,
     .message = 28},
    {.name = "two events, 1 in 1,800 of 42", .events = 2, .rarity = 1800, .message = 42},
    {.name = "five events, 1 in 20 of 17", .events = 5, .rarity = 20, .message = 17},
    {.name = "eight events, 1 in 6.5 of 11", .events = 8, .rarity = 6.5, .message = 11},
};

static fleet_config fleet_of(size_t workers, double sync_s) {
    return (fleet_config){.target = &targets[0],
                          .shares = {.sync_s = sync_s, .backs_off = true, .jitters = true},
                          .workers = workers,
                          .seconds = FLEET_S,
                          .starting_s = 1};
}

/* ---- Means of many fleets ---- */

typedef struct means {
    double share;      /* of the fleets that found the smallest failure */
    double minimum_at; /* seconds, of these */
    double best, runs, written, left, passed, bound;
    double starting_peak, steady_peak, steady_mean;
} means;

static void add(means *m, const fleet_result *r, double part) {
    const bool is_found = isfinite(r->minimum_at);
    m->share += is_found ? part : 0;
    m->minimum_at += is_found ? part * r->minimum_at : 0;
    m->best += part * (double)r->best;
    m->runs += part * (double)r->runs;
    m->written += part * (double)r->written;
    m->left += part * (double)r->left;
    m->passed += part * (double)r->passed;
    m->bound += part * r->bound;
    m->starting_peak += part * r->starting_peak;
    m->steady_peak += part * r->steady_peak;
    m->steady_mean += part * r->steady_mean;
}

static means repeat(const fleet_config *of, fleet_until until, size_t fleets) {
    fleet_config config = *of;
    means m = {.share = 0};
    config.until = until;
    for (config.seed = 0; config.seed < fleets; config.seed++) {
        const fleet_result r = simulated_fleet_run(&config);
        add(&m, &r, 1 / (double)fleets);
    }
    m.minimum_at /= m.share;
    return m;
}

/* ---- Texts ---- */

/* A count with separators, in one of a ring of buffers. */
static const char *grouped(double value) {
    enum { BUFFERS = 16, LONG = 32 };
    static char texts[BUFFERS][LONG];
    static unsigned next;
    char plain[LONG], *text = texts[next++ % BUFFERS], *end = text;
    snprintf(plain, sizeof plain, "%.0f", value);
    for (size_t left = strlen(plain); left > 0; left--) {
        *end++ = plain[strlen(plain) - left];
        if (left % 3 == 1 && left > 1) *end++ = ',';
    }
    *end = '\0';
    return text;
}

static const char *sync_name(double sync_s) {
    return sync_s <= 0 ? "never" : sync_s < 600 ? "1m" : "10m";
}

/* The time to the smallest failure; of the fleets that found it, if not all did. */
static const char *time_text(const means *m) {
    static char text[64];
    if (m->share <= 0) return "not in 8 h";
    if (m->share >= 1 - 1e-9) return grouped(m->minimum_at);
    snprintf(text, sizeof text, "%s (%.0f%% of fleets)", grouped(m->minimum_at), 100 * m->share);
    return text;
}

/* ---- Tables ---- */

static const double syncs[] = {0, 600, 60}; /* seconds */
enum { SYNCS = sizeof syncs / sizeof *syncs };

/* Fleets whose means a table has: for the time to the smallest failure, the same for other targets,
 * for what the fleets come to in the end, and for their calls. */
enum { FLEETS = 40, FLEETS_OTHER = 20, FLEETS_TO_THE_END = 5, FLEETS_CALLING = 3 };

/* Print a row, and return the mean time to the smallest failure. */
static double print_fleet(FILE *out, size_t workers, double sync_s) {
    const fleet_config config = fleet_of(workers, sync_s);
    const means fast = repeat(&config, UNTIL_MINIMUM, FLEETS);
    const means all = repeat(&config, UNTIL_TIME, FLEETS_TO_THE_END);
    fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %s | %.2g |\n", grouped((double)workers),
            sync_name(sync_s), time_text(&fast), grouped(all.best), grouped(all.runs),
            grouped(all.written), grouped(all.left), grouped(all.passed), all.bound);
    return fast.minimum_at;
}

/* False if the largest fleet does not gain enough by syncing. */
static bool print_fleets(FILE *out) {
    double times[SYNCS] = {0};
    fputs("| workers | `--sync` | seconds to the smallest failure | smallest after 8 h | runs |"
          " findings written | left | passed one byte below | fewer than this fail |\n"
          "|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (size_t workers = 1; workers <= 10000; workers *= workers == 1 ? 100 : 10) {
        for (size_t i = 0; i < SYNCS; i++) times[i] = print_fleet(out, workers, syncs[i]);
    }
    return times[0] >= GAIN_MIN * times[SYNCS - 1];
}

static void print_target(FILE *out, const simulated_target *t) {
    double times[SYNCS];
    for (size_t i = 0; i < SYNCS; i++) {
        fleet_config config = fleet_of(10000, syncs[i]);
        config.target = t;
        times[i] = repeat(&config, UNTIL_MINIMUM, FLEETS_OTHER).minimum_at;
    }
    fprintf(out, "| %s | %" PRIu64 " | %s | %s | %s | %.1f |\n", t->name,
            simulated_target_minimum(t), grouped(times[0]), grouped(times[1]), grouped(times[2]),
            times[0] / times[SYNCS - 1]);
}

static void print_targets(FILE *out) {
    fputs("| a run fails with the last of | bytes at least | never | 10m | 1m | never / 1m |\n"
          "|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 1; i < TARGETS; i++) print_target(out, &targets[i]);
}

/* Ways to sync 10,000 workers. */
typedef struct manner {
    const char *name;
    sharing shares;
    double lag_s;
} manner;

static const manner manners[] = {
    {"1m", {60, true, true}, 0},
    {"1m, and what others changed is seen after 30 s", {60, true, true}, 30},
    {"1m, without back-off", {60, false, true}, 0},
    {"1m, without jitter", {60, true, false}, 0},
    {"10m", {600, true, true}, 0},
    {"never", {0, true, true}, 0},
};

static means start_over(const manner *how, double starting_s) {
    fleet_config config = fleet_of(10000, 0);
    config.shares = how->shares;
    config.lag_s = how->lag_s;
    config.starting_s = starting_s;
    return repeat(&config, UNTIL_TIME, FLEETS_CALLING);
}

/* False if the fleet of the first row is too much for a file system. */
static bool print_calls(FILE *out) {
    bool is_bearable = true;
    double dearest = 0;
    fputs("| `--sync` | busiest second, starting in 100 s | in 10 min | busiest second later |"
          " calls a second later |\n|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < sizeof manners / sizeof *manners; i++) {
        const means quick = start_over(&manners[i], 100), slow = start_over(&manners[i], 600);
        fprintf(out, "| %s | %s | %s | %s | %.0f |\n", manners[i].name,
                grouped(quick.starting_peak), grouped(slow.starting_peak),
                grouped(slow.steady_peak), slow.steady_mean);
        if (i > 0) continue;
        dearest = slow.steady_mean * CALLS_SYNC_MAX / (CALLS_LOOK + CALLS_SIGN);
        is_bearable = slow.starting_peak <= STARTING_MAX && dearest <= STEADY_MAX;
    }
    fprintf(
        out,
        "\nWith %d calls a sync, the most that `tests/cli/test_sync.py` allows, the first fleet\n"
        "makes %.0f calls a second later.\n",
        CALLS_SYNC_MAX, dearest);
    return is_bearable;
}

/* ---- What is run ---- */

static bool say(bool is_right, const char *wrong) {
    if (!is_right) printf("WRONG: %s\n", wrong);
    return is_right;
}

static const char head[] =
    "# A fleet over one folder, simulated\n"
    "\n"
    "`build/tests/bench/fleet_simulation --write tests/bench/FLEET.md` made this page. Up to\n"
    "10,000 searches with `--keep-going --time 8h` share a folder of findings. The decisions "
    "are\n"
    "those of the tools (`size_search.c`, `sync_schedule.c`). Runs, time and the folder are\n"
    "simulated.\n"
    "\n"
    "A run takes 0.2 s and 5 ms for each byte that it draws, one at a time in each search. It\n"
    "draws messages; some of them are events, and it fails with the last of these. Options "
    "are\n"
    "the defaults, but for a `--timeout` that lets the longest runs end.\n"
    "\n";

static const char fleets_text[] =
    "## What sharing gains\n"
    "\n"
    "A message has 28 bytes, 1 in 150 is an event, and a run fails with the third. So runs of "
    "84\n"
    "bytes can fail, one in 3.4 million, at 1.6 runs a second. All searches start in the same\n"
    "second. Means of %d fleets for the time, of %d for what follows it. The last two columns "
    "pool\n"
    "the runs of all searches one byte below the best finding, as `frng-status` does: so many\n"
    "passed, and a smaller share than that fails (95%% confidence).\n"
    "\n";

static const char targets_text[] =
    "\n"
    "## Other failures\n"
    "\n"
    "Seconds to the smallest failure of 10,000 workers that start together, the means of %d\n"
    "fleets. Every run is an independent sample, with or without syncing, and syncing makes "
    "runs\n"
    "cheaper. So the gain is how much longer a run takes at the best of one search alone. It "
    "is\n"
    "smaller where one search finds small failures soon.\n"
    "\n";

static const char calls_text[] =
    "\n"
    "## Calls to the file system\n"
    "\n"
    "Of all 10,000 workers together, the failure of the first table. Means of %d fleets. A "
    "start\n"
    "takes %d calls, a sync %d, and %d more if the folder has changed; a finding takes %d to "
    "read\n"
    "and %d to write. The spans between syncs double up to 16 times while there is no news, "
    "and\n"
    "differ by up to a quarter. After the first hour there is none here.\n"
    "\n";

/* False if syncing does not pay, or costs too much. */
static bool print_page(FILE *out) {
    fputs(head, out);
    fprintf(out, fleets_text, FLEETS, FLEETS_TO_THE_END);
    const bool pays = say(print_fleets(out), "syncing does not pay");
    fprintf(out, targets_text, FLEETS_OTHER);
    print_targets(out);
    fprintf(out, calls_text, FLEETS_CALLING, CALLS_START, CALLS_LOOK + CALLS_SIGN, CALLS_LIST,
            CALLS_READ, CALLS_LIST + CALLS_SAVE);
    return say(print_calls(out), "the fleet calls the file system too often") && pays;
}

/* Small numbers of fleets. */
static bool check(void) {
    enum { FEW = 5 };
    fleet_config config = fleet_of(10000, 0);
    const means never = repeat(&config, UNTIL_MINIMUM, FEW);
    config.shares.sync_s = 60;
    const means synced = repeat(&config, UNTIL_MINIMUM, FEW);
    config.starting_s = 600;
    const means all = repeat(&config, UNTIL_TIME, 1);
    printf("10,000 workers: %.0f s to the smallest failure, %.0f s with --sync 1m; %.0f calls in "
           "the busiest second, later %.0f a second\n",
           never.minimum_at, synced.minimum_at, all.starting_peak, all.steady_mean);
    const bool pays = say(never.minimum_at > 2 * synced.minimum_at, "syncing does not pay");
    const bool is_bearable = say(all.starting_peak <= STARTING_MAX && all.steady_mean <= STEADY_MAX,
                                 "the fleet calls the file system too often");
    return say(all.left <= 1, "findings are left") && pays && is_bearable;
}

int main(int argc, char **argv) {
    const bool is_quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    const bool writes = argc == 3 && strcmp(argv[1], "--write") == 0;
    if (argc > 1 && !is_quick && !writes) {
        fprintf(stderr, "usage: fleet_simulation [--quick | --write FILE]\n");
        return 2;
    }
    FILE *out = writes ? fopen(argv[2], "w") : stdout;
    if (out == NULL) {
        perror(argv[2]);
        return 1;
    }
    for (size_t i = 0; i < TARGETS; i++) simulated_target_init(&targets[i], WORKER_SIZE_MAX);
    bool is_right = simulated_alone_agrees(&targets[0], 200) && check();
    if (!is_quick) is_right = print_page(out) && is_right;
    for (size_t i = 0; i < TARGETS; i++) simulated_target_finish(&targets[i]);
    if (writes && fclose(out) != 0) is_right = false;
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
