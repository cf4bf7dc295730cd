#include "keeping.h"

#include "messages.h"
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Messages ---- */

static const char *reason_of(int error) {
    return error == EEXIST ? "a finding of another program or other arguments has its name"
                           : strerror(error);
}

/* Print that a finding is only in memory, or the folder is gone: the first time since all was well.
 */
static void print_trouble(session *s, int error) {
    session_keeping *k = &s->output.keeping;
    const char *folder = s->options->findings;
    if (k->error == 0 && keeper_count(k->keeper).waiting == 0) {
        message("%s: cannot be reached: %s; findings stay in memory until it is back", folder,
                reason_of(error));
    } else if (k->error == 0) {
        message("%s: the finding could not be stored: %s; it stays in memory, and is tried again",
                folder, reason_of(error));
    }
    k->error = error;
}

/* Print that another folder is there. After the folder was gone it may be another one: then the
 * line that all is stored again suffices. */
static void print_news(session *s, const keeper_counts *counts) {
    session_keeping *k = &s->output.keeping;
    if (counts->moves > k->moves && k->error == 0) {
        message("%s: another folder has taken its place; the smallest findings go there",
                s->options->findings);
    }
    k->moves = counts->moves;
}

/* Print what has changed since the last message. */
static void print_change(session *s, int error) {
    session_keeping *k = &s->output.keeping;
    const keeper_counts counts = keeper_count(k->keeper);
    print_news(s, &counts);
    if (error != 0) {
        print_trouble(s, error);
    } else if (k->error != 0 && counts.waiting == 0) {
        message("%s: all findings are stored again", s->options->findings);
        k->error = 0;
    }
}

/* ---- Findings ---- */

/* Complete the finding of a failure. */
static void complete(finding *kept, session *s, const failure *f, char when[SUMMARY_UTC_MAX]) {
    kept->sut = s->target.subject.sut;
    kept->sut_digest = session_digest_of(s, &f->program);
    kept->args = (const char **)s->target.subject.args;
    kept->input = f->input;
    kept->signature = f->signature;
    kept->site = f->site[0] != '\0' ? f->site : NULL;
    kept->reruns = f->reruns;
    kept->repeated = f->repeated;
    kept->when = tool_call_utc(when);
}

bool keeping_save(session *s, const failure *f, finding kept) {
    char when[SUMMARY_UTC_MAX];
    keeper *k = s->output.keeping.keeper;
    if (k == NULL) return false;
    complete(&kept, s, f, when);
    const int error = keeper_save(k, &kept);
    print_change(s, error);
    return error == 0;
}

char *keeping_path(const session *s, const failure *f, const uint8_t *bytes) {
    char name[STORE_NAME_MAX], *path;
    const finding kept = {.input = f->input, .bytes = bytes};
    if (s->output.keeping.keeper == NULL) return NULL;
    keeper_file(s->output.keeping.keeper, &kept, name);
    if (asprintf(&path, "%s/%s", s->options->findings, name) < 0) return NULL;
    if (access(path, F_OK) == 0) return path;
    free(path);
    return NULL;
}

void keeping_conclude(session *s, const failure *f, finding kept) {
    char when[SUMMARY_UTC_MAX];
    keeper *k = s->output.keeping.keeper;
    if (k == NULL) return;
    complete(&kept, s, f, when);
    keeper_conclude(k, &kept);
}

/* Follow the best of the search. If it relies on a larger failure again, its last best turned out
 * to be flaky, and had replaced the larger one. */
static void follow_best(session *s, const failure *best) {
    session_keeping *k = &s->output.keeping;
    if (best == NULL || (k->has_best && seed_input_equal(k->best, best->input))) return;
    const bool is_step_back = k->has_best && seed_input_less(k->best, best->input);
    k->has_best = true;
    k->best = best->input;
    if (is_step_back) keeping_save(s, best, (finding){.bytes = NULL});
}

void keeping_take(session *s, const event *e) {
    if (s->output.keeping.keeper == NULL) return;
    if (e->kind == EVENT_BEST || e->kind == EVENT_OTHER)
        keeping_save(s, e->failure, (finding){.bytes = NULL});
    if (e->kind == EVENT_PROGRESS) follow_best(s, e->progress.best);
}

void keeping_retry(session *s, const store_stamp *seen) {
    keeper *k = s->output.keeping.keeper;
    if (k != NULL) print_change(s, keeper_retry(k, seen));
}

/* Print what is amiss at the end, though all findings were stored. */
static void print_end(session *s) {
    if (keeper_count(s->output.keeping.keeper).is_gone) {
        message("%s: is gone at the end, and the findings that were stored there with it",
                s->options->findings);
    } else {
        print_change(s, 0);
    }
}

void keeping_finish(session *s) {
    session_keeping *k = &s->output.keeping;
    if (k->keeper == NULL) return;
    const int error = keeper_finish(k->keeper);
    if (error == 0) {
        print_end(s);
        return;
    }
    message("%s: the finding could not be stored: %s; it is printed below", s->options->findings,
            reason_of(error));
    k->error = error;
    s->output.failed = true;
}
