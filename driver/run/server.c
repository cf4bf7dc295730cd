/* How a server makes a batch.
 *
 * A server is a target that speaks the protocol and stays alive. server_process.c has its start and
 * its end.
 *
 * Most servers fork for runs; one that cannot makes them in itself (FRNG_NO_FORK): its end is that
 * of the run in progress.
 *
 * A batch goes to the server in parts, each as many runs as fit in a message. Their bytes are seeds
 * that the server expands, or rows in the memory of entropy. The report shows the run in progress,
 * so that a hang is the run that does not change until its deadline. The answer tells how many runs
 * passed, and how the next one ended. A server that dies, sends nonsense or leaves processes behind
 * is killed with all of its processes, and started again for the next message; one that begins no
 * message RESTART_MAX times is plain. What it cannot make, or was lost over, is spawned: no run
 * goes without a verdict because of its server.
 *
 * Runs that share a process may change each other, so the fast answers are checked by slow ones. A
 * failure counts at once only if no run came before it in its process; else it is made again alone,
 * in a fork of its own, or by a new server, which may confirm it. If it passes there, and fails
 * again where the same runs come before it, they caused it: it does not count, and each later run
 * gets a process. Of the runs that pass a fixed share, each the last of its batch, is made again
 * alone, and must draw the same, unless only a process's first run differs (has_settled). So are
 * some of a test that calls frng_digest, in two new processes, whose addresses and garbage differ.
 *
 * A process of a fork server may stay for the next message, and go on after a failure (warm.h says
 * when that is believed). Its first message does not let it: so exit handlers run, and are judged.
 * After known failures it goes on within a message, and then ends; a server that makes its runs in
 * itself goes on within a batch.
 *
 * What the report says of a run is copied before the next message clears it. */
#include "server_state.h"

#include "clock.h"
#include "known_failures.h"
#include "memory.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum {
    CPU_MS = 20,                /* time of runs between two looks at their CPU time */
    CANCEL_MS = 50,             /* time for a cancelled batch to end by itself */
    LOOKS_PER_TIMEOUT = 8,      /* checks of a batch's progress in each timeout */
    LOOK_MAX_MS = 100,          /* time between two of them, at most */
    TEMP_FILES_MOST = 256,      /* that a server which makes its runs in itself may leave */
    SETTLED_AFTER = 2,          /* runs before one that must not change it further */
    SAMPLE_ALL = 16,            /* first runs, all of which are compared with runs in forks */
    SAMPLE_SHARE = 14,          /* one run in 2^14 is compared, */
    SAMPLE_SHARE_OF_STARTS = 16 /* or one in 2^16 where each comparison starts a program, or is of a
                                   row that goes on after failures, so that each has a fork */
};

/* ---- An answer ---- */

static bool receive_done(const runner_server *r, const part *p, frng_message *done) {
    return server_receive(r, done) && run_message_is_answer(&p->message, done);
}

/* True if the run in progress has missed its deadline. *seen is the run that was in progress at the
 * last look, and *since_ns when it was first seen. A run number that decreases, or lies beyond the
 * batch, is ignored: no honest server reports it. */
static bool has_hung(const runner_server *r, const part *p, uint64_t *seen, int64_t *since_ns) {
    const uint64_t run = r->report.report->run;
    const int64_t now_ns = clock_now_ns();
    const int64_t timeout_ns = r->config->limits.timeout_ns,
                  warm_ns = WARM_HANG_MS * CLOCK_NS_PER_MS;
    const bool is_short = p->is_warm && warm_ns < timeout_ns && !can(r, FRNG_NO_FORK);
    if (run > *seen && run < p->batch.count) {
        *seen = run;
        *since_ns = now_ns;
        runner_begin_step(r->watch, part_seed(p, run), timeout_ns);
    }
    const uint64_t known =
        (p->flags & FRNG_COUNT_KNOWN) != 0 ? report_shm_known(&r->report) : p->known;
    const bool is_doubtful = is_short || (known > 0 && warm_ns < timeout_ns);
    return now_ns >= clock_after(*since_ns, is_doubtful ? warm_ns : timeout_ns);
}

/* True if the runs of a message have begun, as far as can be known. A server that makes its runs in
 * itself has then replaced RUN_NONE in the report, by the index of the first one. */
static bool has_begun(const runner_server *r, const part *p) {
    return !can(r, FRNG_NO_FORK) || r->report.report->run < p->message.count;
}

/* Kill the server. The runs before the one in progress have passed. */
static part_end hang_up(runner_server *r, part *p, part_end end) {
    const bool begun = has_begun(r, p);
    p->done = (frng_message){0};
    if (begun) p->done.count = report_shm_run(&r->report, p->message.count - 1);
    r->unbegun = begun ? 0 : r->unbegun + 1;
    server_stop(r);
    return begun ? end : PART_LOST;
}

/* Make an answer of the end of a server that makes its runs in itself: it is that of the run in
 * progress, which has passed if the process exits with 0. */
static part_end take_end(runner_server *r, part *p) {
    int status;
    if (!has_begun(r, p)) return hang_up(r, p, PART_LOST);
    const uint64_t run = report_shm_run(&r->report, p->message.count - 1);
    r->unbegun = 0;
    p->done = (frng_message){.type = FRNG_DONE, .count = run};
    if (!server_reap(r, &status)) return PART_LOST;
    p->done.status = (uint64_t)status;
    p->ended = outcome_of_status(status);
    child_note_oom(&p->ended);
    if (status == 0) p->done.count++;
    if (status == 0 && p->known > 0) p->done.flags = FRNG_LEFTOVER; /* what failed had it exit */
    return PART_DONE;
}

/* Take note of the process that made the runs, which may stay. */
static void take_warmth(runner_server *r, part *p) {
    const uint64_t ran = smaller(p->done.count, p->batch.count) + (p->done.status != 0);
    const bool is_warm = (p->done.flags & FRNG_WARM) != 0;
    r->process.went_on |= (p->done.flags & FRNG_WENT_ON) != 0;
    if (can(r, FRNG_NO_FORK)) {
        r->process.stays = true;
        return;
    }
    if ((p->flags & FRNG_STAY) != 0) {
        p->is_warm = is_warm;
        r->process.lived = is_warm ? r->process.lived + ran : ran;
    }
    p->is_first = !p->is_warm;
    r->process.stays = (p->done.flags & FRNG_STAYED) != 0;
}

static part_end take_answer(runner_server *r, part *p) {
    if (!receive_done(r, p, &p->done) || !run_message_answers(&p->message, &p->done))
        return hang_up(r, p, PART_LOST);
    r->unbegun = 0;
    p->ended = outcome_of_status((int)p->done.status);
    child_note_oom(&p->ended);
    take_warmth(r, p);
    if (server_has_left(r, p)) p->done.flags |= FRNG_LEFTOVER;
    if ((p->done.flags & FRNG_LEFTOVER) != 0) server_stop(r);
    return PART_DONE;
}

/* Ask a batch to end, and kill the server if it does not. */
static part_end cancel(runner_server *r, part *p) {
    struct pollfd fd = {r->process.control, POLLIN, 0};
    r->cancelled = true;
    r->report.report->stop = 1;
    if (poll(&fd, 1, CANCEL_MS) <= 0 || !receive_done(r, p, &p->done) ||
        (p->done.flags & FRNG_LEFTOVER) != 0)
        server_stop(r);
    return PART_CANCELLED;
}

/* Return how long to wait for an answer, until the next look at the run in progress. */
static int answer_wait_ms(const runner_server *r) {
    const int64_t now_ns = clock_now_ns();
    const int64_t part_ns = r->config->limits.timeout_ns / LOOKS_PER_TIMEOUT + 1;
    const int64_t most_ns = LOOK_MAX_MS * CLOCK_NS_PER_MS;
    const int64_t look_ns = clock_after(now_ns, part_ns < most_ns ? part_ns : most_ns);
    if (!can(r, FRNG_NO_FORK)) return clock_look_ms(now_ns, look_ns);
    return proc_look_ms(&r->process.child, now_ns, look_ns);
}

/* A server that makes its runs in itself can hang up some time before its end, or leave the socket
 * to a process that it started, as one that stays can. So its end is watched, too. */
static part_end wait_for_answer(runner_server *r, part *p) {
    const bool runs_itself = can(r, FRNG_NO_FORK);
    const proc *child = &r->process.child;
    int64_t since_ns = clock_now_ns();
    uint64_t seen = 0;
    int control = r->process.control;
    for (;;) {
        struct pollfd fds[] = {
            {control, POLLIN, 0}, {r->watch->fd, POLLIN, 0}, {child->pidfd, POLLIN, 0}};
        const int ready = poll(fds, 3, answer_wait_ms(r));
        if (ready < 0 && errno != EINTR) return hang_up(r, p, PART_LOST);
        if (fds[0].revents != 0) {
            if (!runs_itself || !server_has_hung_up(r)) return take_answer(r, p);
            control = -1;
        }
        if (!runs_itself && fds[2].revents != 0) return hang_up(r, p, PART_LOST);
        const bool may_have_ended = runs_itself && (ready <= 0 || fds[2].revents != 0);
        if (may_have_ended && proc_has_ended(child))
            return server_has_hung_up(r) ? take_end(r, p) : take_answer(r, p);
        output_memfd_limit(output_of(r));
        if (fds[1].revents != 0 && r->watch->cancelled(r->watch->context)) return cancel(r, p);
        if (has_hung(r, p, &seen, &since_ns)) {
            fds[0].fd = control;
            if (poll(fds, 3, 0) > 0) continue; /* it has just ended */
            const bool is_stopped = !runs_itself && proc_is_stopped(child->pid);
            p->ended = is_stopped ? outcome_stuck() : OUTCOME_HUNG;
            return hang_up(r, p, PART_DONE);
        }
    }
}

/* Make a part with the running server. The report of the runs is valid until the next message. */
static void make(runner_server *r, part *p) {
    const batch *b = &p->batch;
    assert(b->count > 0 && b->count <= FRNG_COUNT_MAX && r->process.control >= 0);
    runner_begin_step(r->watch, part_seed(p, 0),
                      clock_after(r->config->limits.timeout_ns, runner_expansion_ns(b->size)));
    p->is_first = r->process.lived == 0;
    p->is_warm = (p->flags & FRNG_STAY) != 0 &&
                 (b->candidates != NULL ? r->process.stays : r->process.went_on);
    output_memfd_clear(output_of(r));
    const int error =
        run_message_prepare(&p->message, p->flags, r->process.flags, b, &r->report, &r->entropy);
    r->report.report->leaks = p->leaks;
    if (error != 0 || send(r->process.control, &p->message, sizeof p->message, MSG_NOSIGNAL) !=
                          (ssize_t)sizeof p->message) {
        p->end = hang_up(r, p, PART_LOST);
        return;
    }
    const int64_t start_ns = clock_now_ns();
    p->end = wait_for_answer(r, p);
    r->process.has_answered = true;
    const bool has_passed = p->end == PART_DONE && p->ended.verdict == VERDICT_PASS;
    if (has_passed && runner_spawn_hush(r->spawn, clock_now_ns() - start_ns)) server_stop(r);
    if (can(r, FRNG_NO_FORK)) /* it is still running */
        r->process.lived += smaller(p->done.count, b->count) + (p->done.status != 0);
}

/* Let the process end that made passing runs in itself, if there is one. */
static void judge_end(runner_server *r) {
    const bool is_due = r->process.control >= 0 && r->process.lived > 0 && !r->process.went_on;
    if (is_due && can(r, FRNG_NO_FORK)) server_end(r);
}

/* Remove the temporary files that runs left. Those of a process that lives may be in use: it ends
 * once there are many. */
static void tidy(runner_server *r) {
    if (!server_is_ready(r)) return;
    if (!can(r, FRNG_NO_FORK) && !r->process.has_files) {
        temp_folder_empty(temp_of(r), r->watch);
    } else if (temp_folder_count(temp_of(r), TEMP_FILES_MOST + 1) > TEMP_FILES_MOST) {
        judge_end(r);
        server_stop(r);
    }
}

/* ---- A run alone ---- */

/* Make one run in a process that makes no other before it: a fork of the server, which is started
 * if needed. Where the server makes its runs in itself, a new one does it beside the running one,
 * which stays as it is: a warm process is worth more than a new one. Returns false if there is no
 * result: the run was cancelled, or the server was lost. */
static bool run_alone(runner_server *r, const batch *once, uint64_t flags, frng_leaks_request leaks,
                      outcome *o) {
    const server_process warm = r->process;
    const bool is_beside = can(r, FRNG_NO_FORK) && warm.lived > 0;
    part p = {.batch = *once, .flags = flags, .leaks = leaks, .end = PART_LOST};
    r->is_beside = is_beside;
    if (is_beside) r->process = NO_SERVER;
    if (server_need(r) == 0) make(r, &p);
    if (is_beside) {
        const bool passed =
            p.end == PART_DONE && p.ended.verdict == VERDICT_PASS && !part_is_lost(&p);
        if (passed && r->process.control >= 0) p.ended = server_end(r);
        server_stop(r);
        r->process = warm;
    }
    r->is_beside = false;
    *o = p.ended;
    return p.end != PART_CANCELLED && !part_is_lost(&p);
}

static void set_outcome(const runner_server *r, outcome o, uint64_t size, run_result *result) {
    o.drawn = report_shm_drawn(&r->report, r->process.layout, size);
    result->last = o;
    result->is_shared = true;
    if (outcome_failed(&o)) output_memfd_read(output_of(r), &result->output);
    if (r->config->site_rule == NULL) report_shm_copy_site(&r->report, result->site);
    if (o.is_oom) strcpy(result->site, SITE_OOM);
    result->is_site_known = result->site[0] != '\0';
}

/* Record an isolation violation, and give each run a process from now on. */
static void distrust(runner_server *r, isolation_violation violation, seed_input t,
                     run_result *result) {
    assert(violation != ISOLATION_NONE && r->mode == MODE_PERSISTENT);
    r->mode = runner_server_lone_mode(r->config);
    if (r->mode == MODE_SPAWN) server_stop(r); /* it has state */
    result->violation = violation;
    result->doubted = t;
}

/* ---- Runs in a process that stays ---- */

/* Let no process stay any more: what was seen in one was not seen in a new one. */
static void distrust_warm(runner_server *r) {
    r->warm.is_off = true;
    server_stop(r);
}

/* Compare a run that was put off, or put one off. */
static void judge_warm(runner_server *r, part *p, const char *site) {
    const bool is_again = r->warm.is_put_off;
    if (is_again && !warm_is_same(&r->warm, p, site)) distrust_warm(r);
    r->warm.is_put_off = false;
    if (is_again || !warm_puts_off(&r->warm, p)) return;
    warm_put_off(&r->warm, p, site);
    if (r->warm.is_off) distrust_warm(r);
}

/* Judge the known runs that were made again in the process that stays. False if it does not tell
 * failures from passes any more: no process stays then. */
static bool is_still_right(runner_server *r, const part *again) {
    char site[SITE_MAX];
    report_shm_copy_site(&r->report, site);
    r->warm.is_due = false;
    if (r->cancelled) return false;
    const outcome *failed = again->end == PART_DONE ? &again->ended : NULL;
    if (failed != NULL && warm_is_known(&r->warm, failed, again->done.count, site)) return true;
    distrust_warm(r);
    return false;
}

/* Make the known runs again before a part. */
static bool make_known(runner_server *r, const part *p) {
    part again = {.batch = warm_known(&r->warm),
                  .flags = FRNG_STAY | FRNG_ONE_PROCESS,
                  .leaks = p->leaks,
                  .end = PART_LOST};
    make(r, &again);
    return is_still_right(r, &again);
}

/* True if the known runs of a message ended as they are known to, wherever they are. */
static bool are_known_right(const runner_server *r, const part *p, uint32_t ahead) {
    const uint64_t made = p->done.count;
    if (p->end != PART_DONE || made < ahead || (p->done.flags & FRNG_LEFTOVER) != 0) return false;
    if (!p->goes_on)
        return report_shm_known(&r->report) == 1 && report_shm_is_counted(&r->report, ahead - 1);
    for (uint64_t run = 0; run < made; run++) {
        const uint64_t place = run % (ahead + 1);
        if (place < ahead && report_shm_is_counted(&r->report, run) != (place == ahead - 1))
            return false;
    }
    return made == p->message.count || made % (ahead + 1) == ahead;
}

/* Make a part behind the known runs. False if these are not right, or if the target did not go on
 * after them. */
static bool make_behind(runner_server *r, part *p) {
    const uint32_t ahead = p->ahead;
    make(r, p);
    p->ahead = 0;
    p->batch = p->own;
    p->flags &= ~(uint64_t)FRNG_COUNT_KNOWN;
    if (p->end == PART_CANCELLED) return true;
    if (are_known_right(r, p, ahead)) {
        r->warm.is_due = false;
        if (p->goes_on) r->warm.failures += report_shm_known(&r->report);
        p->message.count = p->batch.count;
        p->done.count = p->goes_on ? p->done.count / (ahead + 1) : p->done.count - ahead;
        if (p->goes_on) r->warm.failures -= p->done.count + (p->done.count < p->batch.count);
        return true;
    }
    if (warm_leaves_room(&r->warm, p) && (p->done.flags & FRNG_STAYED) != 0) return false;
    r->warm.counts_none = is_still_right(r, p);
    return false;
}

/* ---- Comparing runs of a batch with fresh ones ---- */

/* True if the last run of a part should be compared: often at first, since state may show after any
 * number of runs, but seldom where each comparison starts a program. A run that is the first of its
 * process is alone as it is. */
static bool is_sample_due(const runner_server *r, const batch *b) {
    const bool starts = r->config->layout.forks_none;
    if (r->process.lived + b->count < 2 || b->number == 0 || r->warm.is_trusted) return false;
    if (starts) return batch_is_sampled(b, b->count, 4, SAMPLE_SHARE_OF_STARTS);
    if (b->known != NULL) return batch_is_sampled(b, b->count, 1, SAMPLE_SHARE_OF_STARTS);
    return b->number <= SAMPLE_ALL || batch_is_sampled(b, b->count, 1, SAMPLE_SHARE);
}

/* True if the last run of a part, which failed as known, does so alone. */
static bool is_known_fresh(runner_server *r, const batch *once, known_run row) {
    const known_failure *k = &once->known->failures->list[row.failure];
    char site[SITE_MAX];
    outcome o;
    if (!run_alone(r, once, 0, FRNG_LEAKS_IGNORE, &o)) return true;
    report_shm_copy_site(&r->report, site);
    const uint64_t drawn = report_shm_drawn(&r->report, r->process.layout, once->size);
    if (known_is_met(k, &o, site, drawn) && drawn == row.drawn) return true;
    distrust_warm(r);
    return false;
}

/* True if the last run of a part draws the same after one other run, and after two, as in the part.
 * Then only the first run of a process differs, as where a library initializes itself in it. */
static bool has_settled(runner_server *r, const part *p, uint64_t drawn, uint64_t digest) {
    const volatile frng_report *report = r->report.report;
    const uint32_t last = p->batch.count - 1;
    for (uint32_t before = 1; before <= SETTLED_AFTER && before <= last; before++) {
        const batch again = batch_part(&p->batch, last - before, before + 1);
        outcome o;
        if (!run_alone(r, &again, FRNG_DIGEST | FRNG_ONE_PROCESS, FRNG_LEAKS_IGNORE, &o))
            return true;
        if (o.verdict != VERDICT_PASS || drawn != report->digest_drawn || digest != report->digest)
            return false;
    }
    return last > 0;
}

/* Repeat the last run of a part, which passed, alone; or all runs since the last known failure. If
 * they differ, record an isolation violation, or let no process go on any more; return false. */
static bool is_same_fresh(runner_server *r, const part *p, run_result *result) {
    const volatile frng_report *report = r->report.report;
    const uint32_t last = p->batch.count - 1;
    const seed_input t = batch_input(&p->batch, last);
    const uint64_t digest = report->digest, drawn = report->digest_drawn;
    uint32_t first = last;
    outcome o;
    if (p->known > 0) {
        const known_run row = p->batch.known->list[p->batch.known->count - 1];
        const batch once = batch_part(&p->batch, last, 1);
        first = (uint32_t)larger(result->ran, row.run + UINT64_C(1)) - result->ran;
        if (first > last) return is_known_fresh(r, &once, row);
    }
    const batch again = batch_part(&p->batch, first, last - first + 1);
    const uint64_t flags = FRNG_DIGEST | (first < last ? FRNG_ONE_PROCESS : 0);
    if (!run_alone(r, &again, flags, FRNG_LEAKS_IGNORE, &o)) return true;
    if ((p->is_warm || p->known > 0) &&
        (o.verdict != VERDICT_PASS || drawn != report->digest_drawn || digest != report->digest)) {
        distrust_warm(r);
    } else if (o.verdict != VERDICT_PASS) {
        distrust(r, ISOLATION_FRESH_FAILS, t, result);
    } else if (drawn != report->digest_drawn || digest != report->digest) {
        const bool is_count = drawn != report->digest_drawn;
        if (has_settled(r, p, drawn, digest)) return true;
        distrust(r, is_count ? ISOLATION_OTHER_COUNT : ISOLATION_OTHER_DRAWS, t, result);
    } else {
        return true;
    }
    return false;
}

/* ---- Judging a part ---- */

/* Check the last of the runs that have passed, which may leak, in a process of its own. */
static void check_suspect(runner_server *r, const part *p, run_result *result) {
    const batch once = batch_part(&p->batch, p->done.count - 1, 1);
    outcome o;
    result->ran += (uint32_t)p->done.count;
    if (!run_alone(r, &once, 0, FRNG_LEAKS_CHECK, &o)) return;
    result->leak = runner_leak_of(&o, r->report.report->leak_state);
    if (result->leak != LEAK_FOUND) return;
    report_shm_copy_set(&r->report, r->process.layout, &once, (run_rows){0, 1}, 0);
    set_outcome(r, o, batch_input(&once, 0).size, result);
}

/* Take a failure that does not repeat in a process of its own. Where another fork can make the same
 * runs, it is flaky if it does not fail there, and else the runs before it caused it: it does not
 * count then. A server that makes its runs in itself has made others before, so the cause remains
 * unknown, and the failure counts. The engine confirms failures that count. */
static void doubt_failure(runner_server *r, const part *p, run_result *result) {
    const uint64_t at = p->done.count;
    part again = {.batch = batch_part(&p->batch, 0, (uint32_t)at + 1),
                  .flags = FRNG_ONE_PROCESS,
                  .leaks = FRNG_LEAKS_IGNORE,
                  .end = PART_LOST};
    if (!r->config->layout.forks_none && server_need(r) == 0) make(r, &again);
    const bool fails_again = part_has_failed(&again) && again.done.count == at;
    if (r->cancelled || (!fails_again && !part_is_lost(&again))) return;
    distrust(r, ISOLATION_FRESH_PASSES, batch_input(&p->batch, at), result);
    if (!fails_again) return;
    result->last = outcome_of_status(0);
    result->site[0] = '\0';
    result->is_site_known = false;
}

/* True if the server and its forks say of a failure what a spawned run would say. */
static bool is_clear(const runner_server *r, const run_result *result) {
    const run_config *c = r->config;
    return c->limits.memory_max == 0 && c->site_rule == NULL && c->terse_envp == NULL &&
           result->last.verdict == VERDICT_FAIL && !result->last.is_oom &&
           result->site[0] != '\0' && result->output.total > 0;
}

/* Make a run alone that reports its draws. False if there is no result. */
static bool run_traced(runner_server *r, const batch *once, outcome *o) {
    r->report.traces = true;
    const bool is_made = run_alone(r, once, 0, FRNG_LEAKS_IGNORE, o);
    r->report.traces = false;
    return is_made;
}

/* Make what a failed run drew again: in a fork if a new program has once done what a fork did, else
 * in a new program. True if that confirms the failure: it is the same, and is_clear. */
static bool is_repeated_anew(runner_server *r, const batch *once, run_result *result) {
    const outcome seen = result->last;
    batch drawn = *once;
    char site[SITE_MAX];
    outcome fresh;
    const bool counts = r->config->layout.forks_none || r->forks == FORKS_ALIKE;
    if (!counts || !is_clear(r, result) || seen.drawn > once->size) return false;
    drawn.size = seen.drawn;
    memcpy(site, result->site, sizeof site);
    if (!run_traced(r, &drawn, &fresh) || !outcome_failed_alike(&fresh, &seen)) return false;
    set_outcome(r, fresh, drawn.size, result);
    result->draws = report_shm_draws(&r->report, FRNG_DRAWS_KEPT);
    return strcmp(site, result->site) == 0;
}

/* Judge the run that ended a part. Its own end counts if no run came before it in its process, or
 * the submitter of the candidate set judges it. */
static void judge_failure(runner_server *r, const part *p, run_result *result) {
    const batch once = batch_part(&p->batch, p->done.count, 1);
    const uint64_t size = batch_input(&once, 0).size;
    const bool was_first = p->done.count == 0 && p->is_first;
    set_outcome(r, p->ended, size, result); /* another message clears the report */
    result->is_warm = p->is_warm;
    result->ran += (uint32_t)p->done.count + 1;
    if (!outcome_failed(&p->ended) || was_first || r->mode != MODE_PERSISTENT ||
        once.candidates != NULL)
        return;
    outcome fresh;
    result->is_repeated = is_repeated_anew(r, &once, result);
    if (result->is_repeated || !run_alone(r, &once, 0, FRNG_LEAKS_IGNORE, &fresh)) return;
    if (fresh.verdict == VERDICT_PASS && p->known > 0) {
        distrust_warm(r);
    } else if (fresh.verdict == VERDICT_PASS) {
        doubt_failure(r, p, result);
    } else {
        set_outcome(r, fresh, size, result);
    }
}

static void judge(runner_server *r, const part *p, run_result *result) {
    const uint64_t leak_state = r->report.report->leak_state;
    const frng_message *done = &p->done;
    const uint32_t count = p->batch.count, ran = (uint32_t)done->count;
    const verdict v = p->ended.verdict;
    const bool has_left = (done->flags & FRNG_LEFTOVER) != 0 && (p->flags & FRNG_ONE_PROCESS) != 0;
    const seed_input at = batch_input(&p->batch, ran < count ? ran : count - 1);
    if (v == VERDICT_TIMEOUT && leak_state == FRNG_LEAK_AGAIN) { /* made again for leaks */
        result->ran += ran + 1;
    } else if (v == VERDICT_STUCK) {
        result->ran += ran + 1;
        result->last = p->ended;
    } else if (v == VERDICT_PASS && ran > 0 && leak_state == FRNG_LEAK_SUSPECT) {
        check_suspect(r, p, result);
    } else if (p->known > 0 && (v != VERDICT_PASS ? ran == count : has_left)) {
        distrust_warm(r);
    } else if (v != VERDICT_PASS && ran == count) {
        distrust(r, ISOLATION_BATCH_END, at, result); /* the process failed at exit */
    } else if (v != VERDICT_PASS) {
        judge_failure(r, p, result);
    } else if (has_left) {
        distrust(r, ISOLATION_LEFTOVER, at, result);
    } else if (ran < count || (p->flags & FRNG_DIGEST) == 0 || is_same_fresh(r, p, result)) {
        result->ran += ran;
    }
}

/* ---- A batch ---- */

/* Compare a rerun in a new program with the fork before it, if there was one. */
static void take_rerun(runner_server *r, const run_result *result) {
    if (outcome_failed(&result->last) && r->forks != FORKS_ALIKE)
        r->forks = r->forks == FORKS_UNKNOWN ? FORKS_ALIKE : FORKS_DIFFER;
    else if (r->forks == FORKS_DOUBTED && !result->cancelled)
        r->forks = FORKS_ALIKE;
}

/* Make the batch's next run in a new process; an isolation violation cannot affect its verdict.
 * Choices cannot be run so: the set says that they were not. */
static void spawn_one(runner_server *r, const batch *b, run_result *result) {
    if (run_message_is_of_choices(b)) {
        b->candidates->can_choose = false;
        result->ran = b->count;
        result->last = outcome_of_status(0);
        return;
    }
    const batch once = batch_part(b, result->ran, 1);
    const int64_t start_ns = clock_now_ns();
    bytes_tail_clear(&result->output);
    result->is_shared = false;
    result->last = r->spawn->once(r->spawn, &once, r->purpose, result);
    r->made_ns += clock_now_ns() - start_ns;
    r->cancelled = result->cancelled;
    if (!result->cancelled) result->ran++;
    if (r->purpose == RUN_CONFIRM) take_rerun(r, result);
    if (!runner_is_shown(r->purpose)) r->has_states |= runner_spawn_has_states(r->spawn);
}

/* Make the batch's next run in a fork of the server, which makes none itself, where the caller of
 * the tool makes the answer again; or where it is the first rerun of a failure, and a new program
 * has repeated one before, as it will repeat this one. False if it is to be spawned: only then a
 * crash, or the output, tells the place of a failure that did not report it. */
static bool fork_one(runner_server *r, const batch *b, run_result *result) {
    const batch once = batch_part(b, result->ran, 1);
    const bool is_rerun =
        r->purpose == RUN_CONFIRM && r->forks == FORKS_ALIKE && r->mode != MODE_SPAWN;
    const bool is_believed = r->config->is_unconfirmed;
    outcome o;
    if ((!is_believed && !is_rerun) || r->process.control < 0 || can(r, FRNG_NO_FORK) ||
        !run_traced(r, &once, &o))
        return false;
    set_outcome(r, o, batch_input(&once, 0).size, result);
    if (is_rerun && result->last.verdict == VERDICT_PASS) r->forks = FORKS_DOUBTED;
    if (is_believed ? outcome_failed(&result->last) && !result->is_site_known
                    : !is_clear(r, result))
        return false;
    result->draws = report_shm_draws(&r->report, FRNG_DRAWS_KEPT);
    result->program = r->process.program;
    result->is_shared = false;
    result->ran++;
    return true;
}

/* Return the part of as many runs of the batch as fit in a message, from run `ran` on; of none if
 * the server cannot make them. A candidate set also says whether the server takes choices. */
static part next_part(const runner_server *r, const batch *b, uint32_t ran) {
    const bool batches = r->mode == MODE_PERSISTENT && can(r, FRNG_CAN_BATCH);
    part p = {.batch = batch_part(b, ran, b->count - ran),
              .leaks = r->purpose == RUN_TRY_UNWATCHED ? FRNG_LEAKS_IGNORE : FRNG_LEAKS_WATCH};
    const bool can_choose =
        can(r, FRNG_CAN_GIVEN) && can(r, FRNG_CAN_CHOOSE) && r->process.layout.drawn_width > 0;
    if (b->candidates != NULL) b->candidates->can_choose = can_choose;
    p.batch.count = run_message_room(r->process.flags, r->report.counts, &p.batch);
    if ((run_message_is_of_choices(b) && !can_choose) || (!batches && can(r, FRNG_NO_FORK)))
        p.batch.count = 0;
    if (batches) p.flags |= FRNG_ONE_PROCESS;
    const bool is_guided = b->candidates != NULL && b->candidates->is_guided;
    if (batches && !is_guided && is_sample_due(r, &p.batch)) p.flags |= FRNG_DIGEST;
    /* A fork server's first process ends with exit handlers, which are judged. */
    const bool can_now =
        can(r, FRNG_NO_FORK) || (r->process.has_answered && p.leaks == FRNG_LEAKS_IGNORE);
    const bool may_jump = can(r, FRNG_CAN_STAY) && batches && r->config->limits.memory_max == 0;
    const bool may_stay =
        may_jump && can_now && b->candidates != NULL && !is_guided && !b->candidates->is_cold;
    if (may_jump && b->known != NULL && !r->warm.is_off &&
        (can(r, FRNG_NO_FORK) || r->process.has_answered))
        p.flags |= can(r, FRNG_NO_FORK) ? FRNG_STAY : FRNG_COUNT_KNOWN;
    if (p.batch.count > 0 && b->candidates != NULL)
        warm_begin(&r->warm, &p, may_stay, r->process.stays);
    return p;
}

/* A server that makes its runs in itself has gone on after a failure. If that is a known one, count
 * it, as if the message had ended after it. */
static void count_end(const runner_server *r, part *p, uint32_t before) {
    const batch *b = &p->batch;
    known_runs *to = b->known;
    const uint64_t drawn = report_shm_drawn(&r->report, r->process.layout, b->size);
    const bool goes_on =
        part_has_failed(p) && (p->done.flags & FRNG_WENT_ON) != 0 && drawn <= b->size;
    uint64_t discarded = r->counted.discarded, styled = r->counted.discarded_styled;
    uint32_t i = 0;
    char site[SITE_MAX];
    report_shm_copy_site(&r->report, site);
    while (i < to->failures->count && !known_is_met(&to->failures->list[i], &p->ended, site, drawn))
        i++;
    if (!goes_on || i == to->failures->count || to->count == FRNG_KNOWN_RUNS) return;
    if (b->tally != NULL) discarded += b->tally->discarded;
    if (b->tally != NULL) styled += b->tally->discarded_styled;
    to->list[to->count++] =
        (known_run){before + (uint32_t)p->done.count, i, drawn, discarded, styled};
    p->known = to->count;
    p->done.count++;
    p->done.status = 0;
    p->ended = outcome_of_status(0);
}

/* Make a part, and take what its runs reported: of those that passed, and of the next one. False if
 * it does not count. */
static bool make_and_take(runner_server *r, part *p, uint32_t before) {
    const uint64_t flags = p->flags;
    const uint32_t ahead = p->ahead;
    known_runs *known = ahead > 0 ? NULL : p->batch.known;
    const bool counts_known = ahead == 0 && (flags & FRNG_COUNT_KNOWN) != 0;
    const bool counts_end = known != NULL && (flags & FRNG_STAY) != 0;
    r->report.counts = p->batch.tally != NULL;
    if (counts_end) p->flags |= FRNG_DIGEST; /* the last one is compared if one failed so */
    if (counts_end && r->process.went_on) p->known = known->count;
    if (ahead > 0 && !make_behind(r, p)) return false;
    if (ahead == 0) make(r, p);
    r->report.counts = false;
    if (p->end == PART_CANCELLED) return true;
    if (counts_known)
        p->known = report_shm_copy_known(&r->report, before, p->done.count, &p->batch);
    r->has_states |= (r->report.report->wants & FRNG_HAS_STATES) != 0;
    const run_rows at = {ahead, p->goes_on ? ahead + 1 : 1};
    report_shm_copy_set(&r->report, r->process.layout, &p->batch, at, p->done.count);
    tally_clear(&r->counted);
    if (p->batch.tally != NULL) {
        const uint64_t drawn = report_shm_drawn(&r->report, r->process.layout, p->batch.size);
        const uint32_t rows = counts_known ? p->known : 0;
        const known_run *first = rows > 0 ? known->list + known->count - rows : NULL;
        const report_end end = {
            p->done.count, part_has_failed(p), drawn, p->batch.size, &p->batch, first, rows};
        report_tally_add(&r->report, &end, &r->counted);
    }
    if (counts_end) count_end(r, p, before);
    if (counts_end && p->known == 0) p->flags = flags;
    return true;
}

/* Judge a part, unless its process is not believed: then its runs are made again. */
static void judge_in_process(runner_server *r, part *p, run_result *result) {
    const uint32_t before = result->ran;
    const part was = *p;
    const bool is_set = p->batch.candidates != NULL;
    char site[SITE_MAX];
    report_shm_copy_site(&r->report, site);
    if (is_set) judge_warm(r, p, site);
    judge(r, p, result);
    if (is_set) warm_keep(&r->warm, &was, site);
    if (p->known == 0 || !r->warm.is_off) return;
    p->batch.known->count -= p->known;
    result->known_differ = true;
    result->ran = before;
    result->last = outcome_of_status(0);
    result->site[0] = '\0';
    result->is_site_known = result->is_warm = false;
}

/* Make some of the batch's runs, from result->ran on. The statistics of a message do not count if
 * its runs are repeated. */
static void run_some(runner_server *r, const batch *b, run_result *result) {
    const uint32_t before = result->ran;
    r->report.counts = b->tally != NULL; /* then rows are counted, too, of which fewer fit */
    part p = next_part(r, b, before);
    r->report.counts = false;
    if (r->process.went_on && can(r, FRNG_NO_FORK) && (p.flags & FRNG_STAY) == 0) {
        server_stop(r); /* what failures left is not the fault of these runs */
        return;
    }
    r->warm.is_due &= r->process.stays;
    if (r->warm.is_due && b->candidates != NULL && (p.flags & FRNG_STAY) != 0 &&
        (can(r, FRNG_NO_FORK) || !warm_put_ahead(&r->warm, &p, r->config->candidate_bytes)) &&
        (!make_known(r, &p) || r->process.control < 0)) /* or its last failure has ended it */
        return;
    const int64_t start_ns = clock_now_ns();
    if (p.batch.count > 0 && !make_and_take(r, &p, before)) return;
    r->made_ns += clock_now_ns() - start_ns;
    if (p.batch.count > 0 && p.end == PART_CANCELLED) return;
    const bool is_spawned = p.batch.count == 0 || part_is_lost(&p);
    if (!is_spawned) judge_in_process(r, &p, result);
    if (is_spawned) r->warm.is_put_off = false;
    if (is_spawned) result->ran += (uint32_t)p.done.count; /* they have passed */
    if (b->tally != NULL && result->ran > before) tally_merge(b->tally, &r->counted);
    if (is_spawned) spawn_one(r, b, result);
}

/* True while the batch has runs to make. */
static bool goes_on(const runner_server *r, const batch *b, const run_result *result) {
    const candidate_set *set = b->candidates;
    if (result->ran == b->count || r->cancelled) return false;
    if (set != NULL && set->is_guided && set->log_max - set->log_count < FRNG_GUIDE_RUN_MAX)
        return false;
    return result->last.verdict == VERDICT_PASS &&
           (b->candidates != NULL || result->leak <= LEAK_FOUND);
}

/* Tell the CPU time of runs now and then. */
static void take_cpu(runner_server *r, run_result *result) {
    r->unseen_ns += result->took_ns;
    if (r->unseen_ns < CPU_MS * CLOCK_NS_PER_MS) return;
    const int64_t cpu_ns = proc_cpu_ns(r->process.control >= 0 ? r->process.child.pid : 0);
    if (cpu_ns > r->cpu_ns) {
        result->cpu_ns = cpu_ns - r->cpu_ns;
        r->cpu_ns = cpu_ns;
    }
    r->unseen_ns = 0;
}

/* Take what the config says of the target, once it is known. */
static void take_config(runner_server *r) {
    r->was_asked = false;
    r->mode = r->config->mode;
    r->warm.starts = r->config->layout.forks_none;
    r->warm.is_trusted = r->config->is_unconfirmed;
    if (r->mode == MODE_SPAWN) server_stop(r);
}

/* Ask the target what it can do. */
static outcome ask(runner_server *r, run_result *result) {
    probe_answer *able = &result->able;
    outcome end;
    int error;
    runner_begin_step(r->watch, 0, server_hello_ns(r));
    output_memfd_clear(output_of(r));
    r->was_asked = true;
    switch (server_start(r, &error)) {
    case START_READY:
        able->layout = r->process.layout;
        able->mode = can(r, FRNG_CAN_BATCH)    ? MODE_PERSISTENT
                     : able->layout.forks_none ? MODE_SPAWN
                                               : MODE_FORK;
        break;
    case START_PLAIN: /* it may have refused its arguments */
        output_memfd_read(output_of(r), &result->output);
        end = outcome_of_end(r->process.status, false, READING_UNKNOWN, &result->output);
        return end.verdict == VERDICT_ERROR ? end : outcome_of_status(0);
    case START_CANCELLED: result->cancelled = true; break;
    case START_ERROR: return outcome_error(outcome_fault_of_exec(error), error);
    }
    return outcome_of_status(0);
}

static void runner_server_run(runner *base, const batch *b, run_purpose purpose,
                              run_result *result) {
    runner_server *r = (runner_server *)base;
    const bool is_shown = runner_is_shown(purpose);
    const int64_t start_ns = clock_now_ns();
    const file_stamp now = file_stamp_of(r->config->command.path);
    run_result_clear(result);
    if (purpose == RUN_PROBE) {
        result->last = ask(r, result);
        return;
    }
    if (r->was_asked) take_config(r);
    if (!file_stamp_equal(&now, &r->process.program)) { /* old runs and new ones must not mix */
        server_stop(r);
        r->knows_helpers = false;
    }
    r->purpose = purpose;
    r->cancelled = false;
    r->warm.is_put_off = false;
    r->made_ns = 0;
    r->end_failed = false;
    r->ends = 0;
    const bool is_fresh = is_shown || purpose == RUN_TRY_ALONE;
    while (purpose != RUN_END && goes_on(r, b, result)) {
        if (r->warm.is_put_off && can(r, FRNG_NO_FORK)) server_stop(r); /* for a new process */
        if (!is_fresh && r->mode != MODE_SPAWN && server_need(r) == 0) {
            result->program = r->process.program;
            run_some(r, b, result);
        } else if (!r->cancelled && !fork_one(r, b, result)) {
            spawn_one(r, b, result);
        }
    }
    result->took_ns = clock_now_ns() - start_ns;
    /* A start and a comparison are due once a batch, and no reason to make batches shorter. */
    if (b->known != NULL && can(r, FRNG_NO_FORK)) result->took_ns = r->made_ns;
    take_cpu(r, result);
    const bool ends_matter = !r->knows_end && b->candidates == NULL;
    if (purpose == RUN_END || (ends_matter && !r->cancelled)) judge_end(r);
    if (b->known != NULL && r->process.went_on && can(r, FRNG_NO_FORK)) server_stop(r);
    tidy(r);
    result->cancelled = r->cancelled;
    result->end_failed = r->end_failed;
    result->ends = r->ends;
    if (r->config->is_steady) r->mode = r->config->mode;
    if (is_shown) return;
    if (r->has_states) runner_spawn_compare(r->spawn, b, result);
}

/* ---- Runners ---- */

static void destroy(runner *base) {
    runner_server *r = (runner_server *)base;
    server_stop(r);
    if (r->report.report != NULL) report_shm_finish(&r->report);
    if (r->entropy.bytes != NULL) input_memfd_finish(&r->entropy);
    free(r->warm.known.bytes);
    free(r->warm.ahead.bytes);
    if (r->spawn != NULL) r->spawn->destroy(r->spawn);
    free(r);
}

/* Create the memory that is shared with servers. Returns 0 or an errno. */
static int create_memory(runner_server *r) {
    const run_config *config = r->config;
    const uint64_t table = CANDIDATE_SET_COUNT_MAX * sizeof(uint64_t);
    const uint64_t candidates = config->candidate_bytes > 0 ? config->candidate_bytes + table : 0;
    const uint64_t row = input_memfd_row_bytes(config->size_max);
    const uint64_t capacity = larger(larger(row, ROW_BYTES), candidates);
    /* The bytes drawn for choices are copied to their set, which has room for no more. */
    const uint64_t records = larger(config->records_max, FRNG_DRAWS_KEPT);
    const int error =
        report_shm_init(&r->report, records, config->candidate_bytes, config->guide_room);
    r->report.asked = config->records_max;
    return error != 0 ? error : input_memfd_init(&r->entropy, capacity);
}

runner *runner_server_create(const void *config, const runner_watch *watch, int *error_number) {
    runner_server *r = memory_zeroed(1, sizeof *r);
    r->base = (runner){runner_server_run, destroy, NULL};
    r->config = config;
    r->watch = watch;
    r->process = NO_SERVER;
    take_config(r);
    r->forks = r->config->forks_repeat ? FORKS_ALIKE : FORKS_UNKNOWN;
    temp_folder_open(&r->temps[0], watch->folder, "s");
    temp_folder_open(&r->temps[1], watch->folder, "b");
    *error_number = create_memory(r);
    if (*error_number == 0) r->spawn = runner_spawn_create(config, watch, error_number);
    if (*error_number == 0) return &r->base;
    destroy(&r->base);
    return NULL;
}
