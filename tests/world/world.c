/* world: searches that share a folder of findings, in a world where everything goes wrong.
 *
 * Three processes keep findings, adopt those of the others, reduce, report and end, with the real
 * driver/store on a file system in memory (folder.c). Entropy says what each does, at
 * which of its calls another one goes on (frng_sched.h), and which call meets a kill, a loss of
 * power or an error. The user renames the folder away and back. What must hold (ARCHITECTURE.md):
 *
 * - what was announced is on disk from then on: it, or a smaller one of its signature and program;
 *   also after the power has failed;
 * - a process removes only what it wrote itself, and only once a smaller one is safe on disk;
 * - no file with the name of a finding is ever torn, or of another finding;
 * - a finding of another program stays;
 * - the totals of all logs never fall, and count no run twice;
 * - in a world where no call fails any more, all that was found is stored.
 *
 * No draw is made, and nothing fails, where the entropy is out. So a search of this program finds
 * the shortest story with the fewest faults. */
#include "calls.h"

#undef randombytes_buf

#include "clock.h"
#include "folder.h"
#include "frng_main.h"
#include "frng_sched.h"
#include "keeper.h"
#include "worker_log.h"

#include <jansson.h>

enum { OPS_MAX = 24, KNOWN_MAX = 64, PID_MAX_LIMIT = 1 << 22 };

/* A finding that was announced: its file was on disk. */
typedef struct known {
    uint64_t size, seed;
    int32_t value; /* of its signature */
    bool has_bytes;
} known;

static struct {
    frng *f;
    bool is_calm;           /* nothing fails or is drawn any more */
    bool is_flaky[7][3][2]; /* by size, seed, and whether it has bytes: a rerun passed */
    size_t known_count, ops, begun;
    known known[KNOWN_MAX];
    uint64_t told, totals[WORLD_NODES]; /* runs that logs were told, and those counted by folder */
    size_t numbers[WORLD_PROCESSES], written_count[WORLD_PROCESSES]; /* in this life of each */
    char written[WORLD_PROCESSES][KNOWN_MAX][STORE_NAME_MAX];
} w;

/* ---- Findings ---- */

static const char *no_args[] = {NULL}, *other_args[] = {"-x", NULL};

/* The same input fails in the same way. */
static finding finding_of(uint64_t size, uint64_t seed) {
    return (finding){.sut = "./sut",
                     .sut_digest = "ab",
                     .args = no_args,
                     .of = {.input = {.size = size, .seed = seed},
                            .signature = {SIGNATURE_EXIT, 1 + (int)(size + seed) % 2},
                            .reruns = 1,
                            .repeated = 1},
                     .when = "2026-11-22T08:30:00Z"};
}

static bool is_ours(const finding *f) { return f->args[0] == NULL; }

/* Read the finding in a file, and check that it is whole and has its own name. */
static finding read_whole(const world_file *of) {
    char name[STORE_NAME_MAX], apart[STORE_NAME_MAX];
    const char *why;
    finding f;
    const bool ok = finding_from_json(of->bytes, of->size, &f, &why);
    FRNG_ASSERT(ok, "%s is torn: %s", of->name, why);
    store_name(&f, name);
    strcpy(apart, name);
    store_name_apart(f.sut, f.args, apart);
    FRNG_ASSERT(strcmp(name, of->name) == 0 || strcmp(apart, of->name) == 0,
                "%s has the finding %s", of->name, name);
    return f;
}

/* What is sought in all folders: a finding that is as good as one that is known. */
typedef struct search_for {
    const known *of;
    bool is_there;
    int but;          /* not this folder... */
    const char *name; /* ... and file; or only in this folder */
    bool only_there;
    bool was_sure; /* what replaced a flaky one may have proved flaky since */
} search_for;

static void see(void *context, const world_file *file) {
    search_for *s = context;
    if (!store_is_name(file->name)) return;
    if (s->only_there && (file->folder != s->but || strcmp(file->name, s->name) == 0)) return;
    finding f = read_whole(file);
    const bool is_smaller =
        f.of.input.size < s->of->size ||
        (f.of.input.size == s->of->size &&
         (f.bytes != NULL || (!s->of->has_bytes && f.of.input.seed <= s->of->seed)));
    const bool is_answer =
        f.of.form == FORM_REDUCED && s->of->has_bytes; /* whose reduction met the other */
    const bool is_sure =
        w.is_flaky[s->of->size][s->of->seed][s->of->has_bytes] &&
        (s->was_sure || f.of.repeated == f.of.reruns); /* which replaces a flaky one */
    s->is_there |=
        is_ours(&f) && f.of.signature.value == s->of->value && (is_smaller || is_answer || is_sure);
    finding_free(&f);
}

static bool is_stored(world_view view, const known *of) {
    search_for s = {.of = of, .was_sure = true};
    world_each(view, see, &s);
    return s.is_there;
}

static int as_user; /* > 0: the calls are those of the user */

/* The totals of the logs in a folder never fall, and count no run twice. The folder may be another
 * one at this path than before. */
static void check_totals(const char *folder) {
    char path[32];
    worker_reports all = {.list = NULL};
    struct stat status;
    uint64_t runs = 0, *before;
    snprintf(path, sizeof path, "%s/" WORKER_FOLDER, folder);
    as_user++;
    const bool is_there = world_fstatat(AT_FDCWD, path, &status, 0) == 0;
    const int error = is_there ? worker_reports_read(path, &all, NULL, NULL) : ENOENT;
    as_user--;
    for (size_t i = 0; i < all.count; i++) runs += all.list[i].totals.runs;
    worker_reports_free(&all);
    if (error != 0 || world_lost_power()) return;
    before = &w.totals[status.st_ino];
    FRNG_ASSERT(runs <= w.told, "%d runs were told, and %d are counted", (int)w.told, (int)runs);
    FRNG_ASSERT(runs >= *before, "the totals of %s fall from %d to %d", folder, (int)*before,
                (int)runs);
    *before = runs;
}

/* All that was announced is there, and reports are whole. */
static void check(void) {
    check_totals("found");
    check_totals("away");
    for (size_t i = 0; i < w.known_count; i++) {
        const known *k = &w.known[i];
        FRNG_ASSERT(is_stored(VIEW_NOW, k), "a finding of %d bytes is lost", (int)k->size);
        FRNG_ASSERT(is_stored(VIEW_SAFE, k), "a finding of %d bytes is not safe", (int)k->size);
    }
}

static void announce(const finding *f) {
    if (w.known_count == KNOWN_MAX || f->of.repeated < f->of.reruns) return;
    w.known[w.known_count++] =
        (known){f->of.input.size, f->of.input.seed, f->of.signature.value, f->bytes != NULL};
    frng_say(w.f, "process %d announces %d bytes, exit %d", (int)frng_self(), (int)f->of.input.size,
             f->of.signature.value);
}

/* True if a process wrote this file, perhaps after another one did. */
static bool has_written(int who, const char *name) {
    for (size_t i = 0; i < w.written_count[who]; i++) {
        if (strcmp(w.written[who][i], name) == 0) return true;
    }
    return false;
}

void world_sees_unlink(int who, const world_file *old) {
    if (!store_is_name(old->name)) return;
    finding f = read_whole(old);
    const known lost = {f.of.input.size, f.of.input.seed, f.of.signature.value, f.bytes != NULL};
    search_for s = {.of = &lost, .but = old->folder, .name = old->name, .only_there = true};
    FRNG_ASSERT(has_written(who, old->name), "process %d removes %s of others", who, old->name);
    world_each(VIEW_SAFE, see, &s);
    FRNG_ASSERT(s.is_there, "%s is removed, and no smaller one is safe", old->name);
    finding_free(&f);
    frng_say(w.f, "process %d removes %s", who, old->name);
}

void world_sees_rename(int who, const world_file *made, const world_file *old) {
    if (!store_is_name(made->name)) return;
    finding f = read_whole(made);
    if (old != NULL) {
        finding there = read_whole(old);
        FRNG_ASSERT(is_ours(&there), "process %d replaces a finding of another program", who);
        finding_free(&there);
    }
    finding_free(&f);
    if (who > 0 && w.written_count[who] < KNOWN_MAX)
        strcpy(w.written[who][w.written_count[who]++], made->name);
    frng_say(w.f, "process %d writes %s", who, made->name);
}

/* ---- A process ---- */

typedef struct search {
    int number;
    keeper *keeper;
    finding last; /* that this process saved; its size 0: none */
    uint64_t runs;
    worker_log log;
} search;

static bool is_dead(const search *s) { return world_is_dead(s->number); }

/* Draw an index; 0 where the entropy is out. */
static size_t pick(size_t count) {
    size_t index = 0;
    if (!w.is_calm && !frng_pick(w.f, count, &index)) w.is_calm = true;
    return w.is_calm ? 0 : index;
}

/* Let one of the next calls meet a fault, or none. */
static void draw_fault(const search *s) {
    static const int errors[] = {EIO, ENOSPC, ESTALE, ENOMEM};
    const size_t when = pick(48);
    if (when == 0) return;
    const size_t what = pick(FAULTS), error = pick(4), keeps = pick(2);
    if (w.is_calm) return;
    world_keep_names(keeps);
    world_plan(s->number, (int)when, (world_fault)what, errors[error]);
}

static void save(search *s, finding f) {
    const int error = keeper_save(s->keeper, &f);
    if (is_dead(s)) return;
    s->last = f;
    if (error == 0) announce(&f);
}

static void find_one(search *s) {
    const size_t size = pick(6), seed = pick(3);
    save(s, finding_of(1 + size, seed));
}

static void find_bytes(search *s) {
    static const uint8_t bytes[] = "reduce";
    finding f = finding_of(1 + pick(4), 0);
    f.bytes = bytes;
    f.of.form = FORM_BYTES;
    save(s, f);
}

/* Conclude the last finding: 20 reruns, all or most of which failed. */
static void conclude(search *s) {
    const bool is_flaky = pick(3) == 2;
    if (s->last.of.input.size == 0) return;
    s->last.of.reruns = 20;
    s->last.of.repeated = is_flaky ? 19 : 20;
    if (s->last.bytes != NULL) s->last.of.form = FORM_REDUCED;
    w.is_flaky[s->last.of.input.size][s->last.of.input.seed][s->last.bytes != NULL] |= is_flaky;
    keeper_conclude(s->keeper, &s->last);
    for (size_t i = 0; i < w.known_count && s->last.bytes != NULL; i++) {
        known *k = &w.known[i]; /* what a reduction announced, its answer stands for */
        const bool is_met = k->has_bytes && k->value == s->last.of.signature.value;
        if (is_met && k->size < s->last.of.input.size) k->size = s->last.of.input.size;
    }
}

/* What another process found fails here too. */
static void adopt(search *s) {
    store_names names;
    const char *why;
    finding f;
    if (store_list("found", &names) != 0) return;
    const size_t i = names.count > 0 ? pick(names.count) : 0;
    if (i < names.count && store_read("found", names.list[i], &f, &why)) {
        if (is_ours(&f) && f.bytes == NULL) save(s, finding_of(f.of.input.size, f.of.input.seed));
        finding_free(&f);
    }
    store_names_free(&names);
}

static void sync_folder(search *s) {
    file_stamp seen;
    const int error = store_look("found", &seen);
    keeper_retry(s->keeper, error == 0 ? &seen : NULL);
}

/* A number that no process of this machine has, and no other one of the world. */
pid_t world_getpid(void) { return (pid_t)(PID_MAX_LIMIT + w.numbers[frng_self()]); }

int world_access(const char *path, int mode) {
    (void)mode;
    for (int i = 1; i < WORLD_PROCESSES; i++) {
        const bool lives = w.numbers[i] > 0 && !world_is_dead(i);
        if (lives && strtoul(path + strlen("/proc/"), NULL, 10) == PID_MAX_LIMIT + w.numbers[i])
            return 0;
    }
    errno = ENOENT;
    return -1;
}

/* Append a line to the log, and keep that in order, but not behind its end. */
static bool tell(search *s, const char *line, bool is_end) {
    char whole[512];
    const int size = snprintf(whole, sizeof whole, "%s\n", line);
    const bool ok = s->log.fd > 0 && world_write(s->log.fd, whole, (size_t)size) == size;
    if (ok && !is_end) worker_log_keep(&s->log);
    return ok;
}

/* Begin a log: a name is of one machine, and two processes may have it. */
static void begin_log(search *s) {
    static const char *const names[] = {"a", "a", "a", "b"};
    static const worker_target target = {
        .sut = "./sut", .digest = "ab", .args = no_args, .filter = ""};
    char line[512];
    const worker_self self = {.name = names[s->number],
                              .host = "h",
                              .pid = world_getpid(),
                              .start_s = (int64_t)w.begun,
                              .rng_seed = w.begun,
                              .target = &target};
    if (worker_log_open(&s->log, "found/" WORKER_FOLDER, &self) != 0) return;
    snprintf(
        line, sizeof line,
        "{\"event\":\"start\",\"sut\":\"./sut\",\"args\":[],\"expand\":\"both\",\"host\":\"h\","
        "\"pid\":%ld,\"digest\":\"ab\",\"every\":60.0}",
        (long)world_getpid());
    if (!tell(s, line, false)) worker_log_close(&s->log);
}

/* Report one more run. */
static void report(search *s) {
    char line[128];
    s->runs++;
    w.told++;
    frng_say(w.f, "process %d reports %d runs of its own", s->number, (int)s->runs);
    snprintf(line, sizeof line, "{\"event\":\"alive\",\"runs\":%d,\"every\":60.0}", (int)s->runs);
    tell(s, line, false);
}

/* Report the end. */
static void end_log(search *s) {
    char line[128];
    snprintf(line, sizeof line, "{\"event\":\"done\",\"outcome\":\"pass\",\"runs\":%d}",
             (int)s->runs);
    tell(s, line, true);
}

/* The folder goes away, or comes back, or another one comes to its place. The user's own calls do
 * not fail. */
static void move_folder(void) {
    struct stat status;
    const bool is_there = world_fstatat(AT_FDCWD, "found", &status, 0) == 0;
    const bool is_away = world_fstatat(AT_FDCWD, "away", &status, 0) == 0;
    if (is_there && !is_away) world_renameat(AT_FDCWD, "found", AT_FDCWD, "away");
    if (!is_there && is_away) world_renameat(AT_FDCWD, "away", AT_FDCWD, "found");
}

static void act(search *s) {
    switch (pick(8)) {
    case 0: find_one(s); break;
    case 1: adopt(s); break;
    case 2: conclude(s); break;
    case 3: sync_folder(s); break;
    case 4: report(s); break;
    case 5: find_bytes(s); break;
    case 6: world_hours_pass(); break;
    case 7:
        as_user++;
        move_folder();
        as_user--;
        break;
    }
}

/* Begin as a process does. False if the folder cannot be used. */
static bool begin(search *s) {
    world_start(s->number);
    w.numbers[s->number] = ++w.begun;
    w.written_count[s->number] = 0;
    s->last.of.input.size = s->runs = 0;
    s->keeper = NULL;
    draw_fault(s);
    if (store_make("found") == 0) s->keeper = keeper_create("found");
    if (s->keeper == NULL) return false;
    begin_log(s);
    return true;
}

/* Nothing fails any more, and the folder is there. */
static void calm_down(const search *s) {
    struct stat status;
    world_calm(s->number);
    as_user++;
    if (world_fstatat(AT_FDCWD, "found", &status, 0) != 0) move_folder();
    as_user--;
}

/* Where nothing fails any more, all that this process has is stored. */
static void end(search *s) {
    const bool is_calm = w.is_calm;
    if (is_calm) calm_down(s);
    const int error = keeper_finish(s->keeper);
    const keeper_counts counts = keeper_count(s->keeper);
    if (is_dead(s)) return;
    FRNG_ASSERT(error != 0 || counts.waiting == 0, "%d findings wait at a good end",
                (int)counts.waiting);
    FRNG_ASSERT(error == 0 || !is_calm, "in a calm world the end fails: %s", strerror(error));
    if (error == 0 && s->last.of.input.size > 0) announce(&s->last);
}

static void live(search *s) {
    if (begin(s)) {
        while (!is_dead(s) && !w.is_calm && w.ops < OPS_MAX && pick(8) != 7) {
            w.ops++;
            draw_fault(s);
            act(s);
            check();
        }
        if (!is_dead(s)) {
            if (!w.is_calm) draw_fault(s);
            end(s);
            end_log(s);
        }
    }
    worker_log_close(&s->log);
    keeper_destroy(s->keeper);
    check();
}

static void *work(void *argument) {
    search *s = argument;
    while (!w.is_calm && w.ops < OPS_MAX) {
        live(s);
        w.ops++;
    }
    return NULL;
}

/* ---- The world ---- */

static int who(void) { return as_user > 0 ? 0 : (int)frng_self(); }

static void point(const char *what) { frng_point(what); }

/* Another program has a finding there, of a name that ours may get. */
static void begin_folder(void) {
    finding f = finding_of(2, 1);
    f.args = other_args;
    char name[STORE_NAME_MAX];
    char *text = finding_to_json(&f);
    FRNG_ASSERT(text != NULL, "out of memory");
    store_name(&f, name);
    FRNG_ASSERT(store_make("found") == 0 &&
                    store_write("found", NULL, name, text, strlen(text)) == 0,
                "no folder");
    free(text);
}

static void *start(void *argument) {
    static search searches[WORLD_PROCESSES];
    (void)argument;
    begin_folder();
    for (int i = 1; i < WORLD_PROCESSES; i++) {
        searches[i] = (search){.number = i};
        frng_spawn(work, &searches[i]);
    }
    return NULL;
}

static bool test(frng *f) {
    memset(&w, 0, sizeof w);
    w.f = f;
    as_user = 0;
    world_begin(who, point);
    frng_sched_run(f, start, NULL);
    check();
    return true;
}

int main(void) {
    if (sodium_init() < 0) return 125;
    json_object_seed(1); /* the same in each run */
    return frng_run(test);
}
