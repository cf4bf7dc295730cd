/* server.h: what a system under test says it can do; this program once more is one. */
#include "fixture.h"
#include "server.h"

#include "clock.h"
#include "engine.h"
#include "frng_main.h"
#include "pool.h"
#include "spawn.h"

#include <errno.h>
#include <sys/socket.h>

static char *arguments[] = {"test_probe", NULL, NULL};
static probe_answer answer;
static run_result found;

static run_mode probe(const char *path, const char *part) {
    arguments[1] = (char *)(uintptr_t)part;
    run_config config = {
        .command = {path, arguments, environ}, .timeout_ns = CLOCK_NS_PER_S, .size_max = 64};
    sigemptyset(&config.mask);
    const pool_config one = {.jobs = 1,
                             .create = probe_create,
                             .config = &config,
                             .containment = CONTAINMENT_SUBREAPER,
                             .interrupt_fd = -1};
    const client_config endless = {.deadline_ns = CLOCK_NEVER};
    const client_input empty = client_seed((seed_input){.size = 0});
    const run_end end = client_run_once(&one, &endless, &empty, &found).end;
    const bool is_started = found.last.verdict != VERDICT_ERROR;
    ck_assert_int_eq(end, is_started ? END_DONE : END_ENVIRONMENT);
    answer = probe_answer_of(&found);
    errno = 0;
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process is left");
    return answer.mode;
}

static bool passes(frng *f) { return f->used == 0; }

static int play(const char *part) {
    frng_message m = {.type = FRNG_HELLO, .version = 1, .drawn_offset = 192, .drawn_width = 4};
    if (strcmp(part, "honest") == 0) return frng_run(passes);
    if (strcmp(part, "plain") == 0) return 0;
    while (strcmp(part, "silent") == 0) pause();
    const int control = frng__meet_driver();
    if (strcmp(part, "dies") == 0) abort();
    if (strcmp(part, "beyond") == 0) m.drawn_offset = UINT64_MAX - 7;
    if (strcmp(part, "version") == 0) m.version = 2;
    if (strcmp(part, "type") == 0) m.type = FRNG_DONE;
    if (strcmp(part, "foreign") == 0) m.type = __builtin_bswap64(FRNG_HELLO);
    if (send(control, &m, strcmp(part, "short") == 0 ? 8 : sizeof m, MSG_NOSIGNAL) < 0) return 1;
    return recv(control, &m, sizeof m, 0) == 0 ? 0 : 1;
}

TEST(able_programs_say_so) {
    SKIP_WHERE_EMULATOR_LACKS("what executes its own file (binfmt_misc)");
    ck_assert_int_eq(probe("/proc/self/exe", "honest"), MODE_PERSISTENT);
    ck_assert_uint_eq(answer.layout.drawn_width, sizeof(size_t));
    ck_assert_int_eq(probe("/proc/self/exe", "forks"), MODE_FORK);
    ck_assert_uint_eq(answer.layout.drawn_offset, 192);
    ck_assert_uint_eq(answer.layout.drawn_width, 4);
}

TEST(a_layout_beyond_the_report_is_none) {
    SKIP_WHERE_EMULATOR_LACKS("what executes its own file (binfmt_misc)");
    ck_assert_int_eq(probe("/proc/self/exe", "beyond"), MODE_FORK);
    ck_assert_uint_eq(answer.layout.drawn_width, 0);
}

TEST(all_others_are_spawned) {
    const char *const parts[] = {"plain", "silent", "dies", "version", "type", "short"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        ck_assert_msg(probe("/proc/self/exe", parts[i]) == MODE_SPAWN, "%s", parts[i]);
        ck_assert_uint_eq(answer.layout.drawn_width, 0);
        ck_assert(!answer.is_foreign);
    }
    ck_assert_int_eq(probe("/nonexistent/program", "plain"), MODE_SPAWN);
    ck_assert_int_eq(found.last.fault, FAULT_EXEC);
    ck_assert_int_eq(found.last.error_number, ENOENT);
}

TEST(one_of_the_other_byte_order_is_known) {
    SKIP_WHERE_EMULATOR_LACKS("what executes its own file (binfmt_misc)");
    ck_assert_int_eq(probe("/proc/self/exe", "foreign"), MODE_SPAWN);
    ck_assert(answer.is_foreign);
    ck_assert_uint_eq(answer.layout.drawn_width, 0);
}

SUITE(.as_program = play);
