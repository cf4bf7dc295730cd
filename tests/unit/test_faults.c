/* faults.h: plans, counts, roles and the log of the seam; and what memory that runs out does to the
 * engine and the findings, which this program links behind the seam. */
#include "event.h"
#include "faults.h"
#include "fixture.h"

#include "atomic_file.h"
#include "clock.h"
#include "pool.h"
#include "reduce.h"
#include "runner_fake.h"
#include "saving.h"
#include "store.h"

#include <errno.h>
#include <malloc.h>
#include <sys/time.h>
#include <time.h>

/* ---- The seam ---- */

static const char *log_path;

static void begin_log(const char *plan) {
    log_path = test_dir_text("log", "", 0600);
    ck_assert(faults_plan(plan));
    ck_assert(faults_keep_log(log_path));
    ck_assert(faults_begin());
}

static const faults_log *read_log(void) {
    static unsigned char bytes[1 << 16];
    const faults_log *log = (const void *)bytes;
    const int fd = open(log_path, O_RDONLY);
    ck_assert_int_ge(read(fd, bytes, sizeof bytes), (ssize_t)sizeof *log);
    close(fd);
    return log;
}

/* The calls among `kinds` since begin_log, a blank after each. */
static const char *calls_in_log(const char *kinds) {
    static char text[1024];
    const faults_log *log = read_log();
    text[0] = '\0';
    for (uint64_t i = 0; i < log->count; i++) {
        char name[FAULTS_NAME_MAX + 2];
        snprintf(name, sizeof name, "%s ", log->names[log->records[i].kind]);
        if (strstr(kinds, name) != NULL) strcat(text, name);
        ck_assert_uint_lt(strlen(text), sizeof text - sizeof name);
    }
    return text;
}

/* ---- What is on disk ---- */

TEST(a_new_file_is_on_disk_and_each_folder_above_a_new_store) {
    begin_log("driver:fsync:99:EIO");
    ck_assert_int_eq(atomic_file_write_new(AT_FDCWD, test_dir_path("file"), "text", 4, NULL), 0);
    ck_assert_str_eq(calls_in_log("write fsync "), "write fsync ");
    ck_assert_int_eq(store_make(test_dir_path("findings")), 0);
    ck_assert_str_eq(calls_in_log("fsync "), "fsync fsync ");
    ck_assert_int_eq(store_make(test_dir_path("nights/today/findings")), 0);
    ck_assert_str_eq(calls_in_log("fsync "), "fsync fsync fsync fsync fsync ");
}

/* ---- Folders that other machines change ---- */

typedef enum folder_use { SAVE, READ, LIST } folder_use;

static bool use_folder(const char *folder, folder_use use) {
    const finding f = {.sut = "./sut",
                       .of = {.input = {.size = 3}, .signature = {SIGNATURE_EXIT, 3}}};
    char name[STORE_NAME_MAX];
    const char *why;
    store_names names;
    finding read;
    store_name(&f, name);
    switch (use) {
    case SAVE: return save_finding(folder, &f) == 0;
    case READ: return store_read(folder, name, &read, &why);
    case LIST: return store_list(folder, &names) == 0 && names.count == 1;
    }
    return false;
}

/* What meets a change of another machine is made again, but not for ever. */
static const struct {
    folder_use use;
    const char *plan; /* of a child that uses the folder */
    bool succeeds;
} uses[] = {
    {SAVE, "driver:renameat:1:ESTALE", true},   {SAVE, "driver:renameat:1:ENOENT", true},
    {SAVE, "driver:fsync:1:ESTALE", true},      {SAVE, "driver:renameat:1:EIO", false},
    {SAVE, "driver:renameat:1+:ESTALE", false}, {READ, "driver:fstatat64:1:ESTALE", true},
    {READ, "driver:openat64:1:ESTALE", true},   {READ, "driver:openat64:1:ENOENT", true},
    {READ, "driver:pread64:1:ESTALE", true},    {READ, "driver:pread64:1:EIO", false},
    {READ, "driver:openat64:1+:ESTALE", false}, {LIST, "driver:readdir64:2:EIO", false},
};

TEST(what_meets_a_change_of_another_machine_is_made_again) {
    const char *folder = test_dir_path("findings");
    ck_assert_int_eq(store_make(folder), 0);
    for (size_t i = 0; i < COUNT_OF(uses); i++) {
        int status;
        const char *plan = uses[i].plan;
        const pid_t pid = fork();
        if (pid == 0)
            _exit(faults_plan(plan) && faults_begin() ? !use_folder(folder, uses[i].use) : 9);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(status == (uses[i].succeeds ? 0 : 1 << 8), "%s: %#x", plan, (unsigned)status);
    }
}

/* ---- Files that killed writers left ---- */

/* Where no file can be made, which shows the time, orphans stay. Opening the folder above, and the
 * folder to list it, come before. */
TEST(an_orphan_goes_only_if_a_file_shows_the_time) {
    static const char orphan[] = "findings/.0000000007-00000000000000ff.json.0123456789abcdef";
    const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    ck_assert_int_eq(store_make(test_dir_path("findings")), 0);
    test_dir_text(orphan, "half", 0600);
    ck_assert_int_eq(utimensat(AT_FDCWD, test_dir_path(orphan), long_ago, 0), 0);
    ck_assert(faults_plan("driver:openat64:3+:EROFS"));
    ck_assert(faults_begin());
    ck_assert_int_eq(store_make(test_dir_path("findings")), 0);
    ck_assert_int_eq(access(test_dir_path(orphan), F_OK), 0);
}

/* ---- Memory that runs out ---- */

static const char *const allocations[] = {"malloc", "calloc", "reallocarray", "realloc"};

/* Interesting: a 7 somewhere. */
static outcome judge(void *context, candidate_set *given, uint32_t index, bool capture) {
    (void)context;
    (void)capture;
    const uint8_t *bytes = candidate_set_bytes(given, index);
    const bool has = memchr(bytes, 7, candidate_set_size(given, index)) != NULL;
    return outcome_of_status(has ? 3 << 8 : 0);
}

static reduce_result result; /* large */
static bool looks_ahead;     /* as it does where each candidate is a process */

/* An assertion of a child, for which Check has no memory. */
static void must(bool holds) {
    if (!holds) _exit(4);
}

/* A reduction of some bytes, from the beginning to the end. */
static run_end reduce_once(void) {
    static const uint8_t bytes[] = {1, 9, 2, 9, 3, 9, 7, 8, 9, 10, 7, 11, 9, 12, 7, 9};
    const runner_fake_config fake = {.judge_given = judge};
    const pool_config workers = {
        .create = runner_fake_create,
        .config = &fake,
        .interrupt_fd = -1,
        .candidate_set_bytes = reduce_candidate_set_bytes(sizeof bytes),
    };
    const reduce_config config = {.bytes = bytes,
                                  .size = sizeof bytes,
                                  .is_fresh = looks_ahead,
                                  .jobs = looks_ahead ? 4 : 1,
                                  .calls_max = UINT64_MAX,
                                  .deadline_ns = INT64_MAX,
                                  .last_ns = INT64_MAX};
    const event_sink nobody = {.take = NULL};
    result.stop.end = END_BROKEN;
    pool *p = pool_create(&workers);
    if (p == NULL) return END_BROKEN;
    reduce_run(&config, p, &nobody, &result);
    const run_end end = result.stop.end;
    if (end == END_DONE) {
        must(result.found && result.bytes.size == 1 && result.bytes.bytes[0] == 7);
    } else {
        must(end == END_BROKEN && result.stop.error_number == ENOMEM);
    }
    if (result.found) must(memchr(result.bytes.bytes, 7, result.bytes.size) != NULL);
    reduce_finish(&result);
    pool_destroy(p);
    return end;
}

/* Bytes that are allocated now; 0 where a sanitizer does that, and looks for leaks itself. */
static size_t allocated(void) { return mallinfo2().uordblks; }

/* In a process of its own, whose counts begin anew. */
static void reduce_short_of_memory(const char *kind, unsigned number, bool all, bool *done) {
    int status = -1;
    const pid_t pid = fork();
    if (pid == 0) {
        char plan[64];
        reduce_once(); /* what C's library keeps for itself is there after that */
        const size_t before = allocated();
        snprintf(plan, sizeof plan, "driver:%s:%u%s:ENOMEM", kind, number, all ? "+" : "");
        if (!faults_plan(plan) || !faults_begin()) _exit(9);
        const run_end end = reduce_once();
        if (allocated() != before) _exit(3);
        _exit(end == END_DONE ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) <= 1,
                  "without %s %u%s: wait status %#x (3: memory is lost, 4: a wrong end)", kind,
                  number, all ? " and all after it" : "", (unsigned)status);
    *done = status == 0;
}

/* Each allocation. */
TEST_EACH(a_reduction_that_gets_no_memory_says_so_and_loses_none,
          4 * (int)(sizeof allocations / sizeof allocations[0])) {
    SKIP_WHERE_EMULATOR_LACKS("what executes its own file (binfmt_misc)");
    const char *kind = allocations[_i / 4];
    looks_ahead = _i / 2 % 2 == 1;
    bool done = false;
    unsigned tries = 0;
    for (unsigned number = 1; !done && number < 100000; number++) {
        reduce_short_of_memory(kind, number, _i % 2 == 1, &done);
        tries++;
    }
    ck_assert_msg(done, "it never got through");
    ck_assert_uint_ge(tries, strcmp(kind, "realloc") == 0 ? 1 : 2);
}

/* ---- Patience ---- */

static void on_tick(int number) { (void)number; }

TEST(backoff_ends_and_signals_do_not_cut_it_short) {
    const struct sigaction action = {.sa_handler = on_tick};
    const struct itimerval ticks = {{0, 1000}, {0, 1000}};
    const int64_t start_ns = clock_now_ns();
    backoff p = {0};
    unsigned waits = 0;
    int64_t last_ns = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &ticks, NULL);
    while (backoff_wait(&p)) {
        ck_assert_int_ge(p.next_ns, last_ns);
        last_ns = p.next_ns;
        ck_assert_uint_lt(++waits, 100);
    }
    ck_assert_uint_gt(waits, 8);
    ck_assert_int_ge(p.waited_ns, 4 * CLOCK_NS_PER_S);
    ck_assert_int_ge(clock_now_ns() - start_ns, 4 * CLOCK_NS_PER_S);
    ck_assert(!backoff_wait(&p));
}

/* The C library copies its tunables to the rest of the page behind all variables. The static one of
 * i386 crashes where that is short: these, which the linker puts last, begin a page. */
extern char last_of_all[64];
char last_of_all[64] __attribute__((common, aligned(4096)));

/* Chunks that C's library keeps for later are in use by what it says: it is to keep none. */
__attribute__((constructor)) static void keep_no_chunks(void) {
    static const char name[] = "GLIBC_TUNABLES", value[] = "glibc.malloc.tcache_count=0";
    const char *now = getenv(name);
    if (now != NULL && strcmp(now, value) == 0) return;
    setenv(name, value, 1);
    execl("/proc/self/exe", "test_faults", NULL);
}

SUITE(.timeout_s = 100);
