#include "known_findings.h"

#include "messages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void skip(const char *folder, const char *name, const char *why) {
    message("%s/%s: skipped: %s", folder, name, why);
}

/* True if a finding is of our target and our arguments. A findings folder is for one target and
 * one list of arguments. Targets are compared by file name, without their folders. */
static bool is_same_subject(const run_target *ours, const finding *f) {
    size_t i = 0;
    if (f->sut == NULL || strcmp(basename(f->sut), basename(ours->sut)) != 0) return false;
    while (f->args[i] != NULL && ours->args[i] != NULL && strcmp(f->args[i], ours->args[i]) == 0) {
        i++;
    }
    return f->args[i] == NULL && ours->args[i] == NULL;
}

/* Return a finding as a known input. Its signature and reruns hold only for the build that they
 * are of. */
static search_known known_of(const finding *f, bool is_same_program) {
    search_known known = {.input = f->input};
    if (!is_same_program) return known;
    known.signature = f->signature;
    known.count = (rerun_count){f->reruns, f->repeated};
    if (f->site != NULL) snprintf(known.site, sizeof known.site, "%s", f->site);
    return known;
}

/* Add a finding to the known inputs, or print why it is skipped. Returns true if it is of another
 * build. */
static bool add(known_findings *k, const session *s, const finding *f, uint64_t size_max) {
    const char *digest = s->target.sut.digest;
    char name[STORE_NAME_MAX];
    store_name(f, name);
    if (!is_same_subject(&s->target.subject, f)) {
        skip(s->options->findings, name, "it is of another program or arguments");
        return false;
    }
    if (f->input.size > size_max) {
        message("%s: skipped: larger than --size-max %" PRIu64, name, size_max);
        return false;
    }
    const bool has_digests = digest != NULL && f->sut_digest != NULL;
    const bool is_same = has_digests && strcmp(digest, f->sut_digest) == 0;
    k->list[k->count++] = known_of(f, is_same);
    return has_digests && !is_same;
}

/* Add all findings with seeds. Findings with bytes are for reductions. */
static void add_all(known_findings *k, const session *s, const finding *list, size_t count,
                    uint64_t size_max) {
    const char *folder = s->options->findings;
    size_t reduced_count = 0;
    bool is_rebuilt = false;
    for (size_t i = 0; i < count; i++) {
        if (list[i].bytes != NULL) {
            reduced_count++;
        } else {
            is_rebuilt |= add(k, s, &list[i], size_max);
        }
    }
    if (is_rebuilt) {
        message("%s: the program has been rebuilt since; its findings are run again", folder);
    }
    if (reduced_count > 0 && !s->options->quiet) {
        message("%s: %zu finding%s bytes and no seed; use frng-replay or frng-reduce for those",
                folder, reduced_count, reduced_count == 1 ? " has" : "s have");
    }
}

bool known_findings_load(known_findings *k, const session *s, uint64_t size_max) {
    const char *folder = s->options->findings;
    size_t count;
    *k = (known_findings){.list = NULL};
    if (folder == NULL) return true;
    finding *list = store_load(s->output.store, skip, &count);
    if (list == NULL) {
        message_error(errno, "%s: cannot be opened", folder);
        return false;
    }
    k->list = calloc(count + 1, sizeof *k->list);
    if (k->list != NULL) {
        add_all(k, s, list, count, size_max);
    } else {
        message_error(ENOMEM, "cannot hold the findings");
    }
    for (size_t i = 0; i < count; i++) finding_free(&list[i]);
    free(list);
    return k->list != NULL;
}

static bool next(void *context, const failure *best, search_known *to) {
    known_findings *k = context;
    (void)best;
    if (k->next == k->count) return false;
    *to = k->list[k->next++];
    return true;
}

search_source known_findings_source(known_findings *k) { return (search_source){next, k}; }

void known_findings_finish(known_findings *k) { free(k->list); }
