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

/* Print that larger findings made room, or that another folder is there. After the folder was gone
 * it may be another one: then the line that all is stored again suffices. */
static void print_news(session *s, const keeper_counts *counts) {
    session_keeping *k = &s->output.keeping;
    if (counts->removed > 0 && !k->is_full) {
        k->is_full = true;
        message("%s: no room is left: larger findings of this run make room for smaller ones",
                s->options->findings);
    }
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

/* Return the finding of a failure, but for its time. */
static finding finding_of(session *s, const failure *f, const uint8_t *bytes, remarks why) {
    return (finding){
        .sut = s->target.subject.sut,
        .sut_digest = session_digest_of(s, &f->program),
        .args = (const char **)s->target.subject.args,
        .input = f->input,
        .bytes = bytes,
        .signature = f->signature,
        .site = f->site[0] != '\0' ? f->site : NULL,
        .reruns = f->reruns,
        .repeated = f->repeated,
        .remarks = why,
    };
}

bool keeping_save(session *s, const failure *f, const uint8_t *bytes, remarks why) {
    char when[SUMMARY_UTC_MAX];
    keeper *k = s->output.keeping.keeper;
    if (k == NULL) return false;
    finding kept = finding_of(s, f, bytes, why);
    kept.when = tool_call_utc(when);
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

void keeping_conclude(session *s, const failure *f, const uint8_t *bytes, remarks why) {
    char when[SUMMARY_UTC_MAX];
    keeper *k = s->output.keeping.keeper;
    if (k == NULL) return;
    finding kept = finding_of(s, f, bytes, why);
    kept.when = tool_call_utc(when);
    keeper_conclude(k, &kept);
}

/* True if the last best had the same signature, and was smaller. */
static bool is_step_back(const session_best *last, const failure *best) {
    return last->is_known && signature_equal(last->signature, best->signature) &&
           strcmp(last->site, best->site) == 0 && seed_input_less(last->input, best->input);
}

/* Follow the best of the search. If it relies on a larger failure again, its last best turned out
 * to be flaky, and had perhaps made the other one needless. */
static void follow_best(session *s, const failure *best) {
    session_keeping *k = &s->output.keeping;
    if (best == NULL || (k->best.is_known && seed_input_equal(k->best.input, best->input))) return;
    const session_best last = k->best;
    k->best = (session_best){.is_known = true, .input = best->input, .signature = best->signature};
    memcpy(k->best.site, best->site, sizeof k->best.site);
    if (!is_step_back(&last, best)) return;
    keeper_doubt(k->keeper, &last.input);
    keeping_save(s, best, NULL, (remarks){NULL, 0});
}

void keeping_take(session *s, const event *e) {
    if (s->output.keeping.keeper == NULL) return;
    if (e->kind == EVENT_BEST || e->kind == EVENT_OTHER)
        keeping_save(s, e->failure, NULL, (remarks){NULL, 0});
    if (e->kind == EVENT_REPLAYED && !e->fails) keeper_doubt(s->output.keeping.keeper, e->input);
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
