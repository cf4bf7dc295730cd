#include "known_findings.h"

#include "bytes.h"
#include "files.h"
#include "messages.h"
#include "options.h"
#include "search.h"
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- One finding ---- */

/* Return a finding as a known failure: its seed, or the one that was reduced. Its signature and
 * reruns hold only for that input, and for the build that they are of. */
static failure known_of(const finding *f, bool is_same_program) {
    failure known = {.input = f->bytes != NULL ? f->from : f->input};
    if (!is_same_program || f->bytes != NULL) return known;
    known.signature = f->signature;
    known.alike = (rerun_count){f->reruns, f->repeated};
    if (f->site != NULL) snprintf(known.site, sizeof known.site, "%s", f->site);
    known.is_site_known = known.site[0] != '\0';
    return known;
}

/* Print once that the program of a finding is another build. */
static void print_rebuilt(known_findings *k) {
    if (k->said_rebuilt) return;
    k->said_rebuilt = true;
    message("%s: the program has been rebuilt since; its findings are run again",
            k->options->findings);
}

static void skip_large(known_findings *k, const char *name) {
    char why[64];
    snprintf(why, sizeof why, "larger than --size-max %" PRIu64, k->options->size_max);
    skipped_files_add(&k->skipped, name, why);
}

bool known_findings_take(known_findings *k, const char *name, const finding *f, failure *known) {
    const char *digest = k->session->target.sut.digest;
    const run_target *ours = &k->session->target.subject;
    if (f->bytes != NULL && f->from.size == 0) { /* it is for reductions */
        k->reduced_count++;
        return false;
    }
    if (!finding_has_subject(f, ours->sut, ours->args)) {
        skipped_files_add(&k->skipped, name, "it is of another program or arguments");
        return false;
    }
    if ((f->bytes != NULL ? f->from.size : f->input.size) > k->options->size_max) {
        skip_large(k, name);
        return false;
    }
    const bool has_digests = digest != NULL && f->sut_digest != NULL;
    const bool is_same = has_digests && strcmp(digest, f->sut_digest) == 0;
    if (has_digests && !is_same) print_rebuilt(k);
    *known = known_of(f, is_same);
    return true;
}

bool known_findings_read(known_findings *k, const char *name, failure *known) {
    const char *why;
    finding f;
    if (store_read(k->session->output.store, name, &f, &why)) {
        const bool ok = known_findings_take(k, name, &f, known);
        finding_free(&f);
        return ok;
    }
    if (why != NULL) skipped_files_add(&k->skipped, name, why);
    return false;
}

/* ---- All of them ---- */

/* Leave out what is too large: the last names. */
static void leave_out_large(known_findings *k) {
    const size_t count = k->names.count;
    while (k->names.count > 0 &&
           store_name_size(k->names.list[k->names.count - 1]) > k->options->size_max) {
        k->names.count--;
    }
    for (size_t i = k->names.count; i < count; i++) skip_large(k, k->names.list[i]);
    skipped_files_end(&k->skipped);
}

bool known_findings_list(known_findings *k, const session *s, const tool_options *o) {
    const char *folder = o->findings;
    *k = (known_findings){.session = s, .options = o, .skipped = {.folder = folder}};
    if (folder == NULL) return true;
    const int error = store_list(s->output.store, &k->names);
    if (error != 0) message_error(error, "%s: cannot be opened", folder);
    leave_out_large(k);
    return error == 0;
}

void known_findings_conclude(known_findings *k) {
    const size_t count = k->reduced_count;
    skipped_files_end(&k->skipped);
    if (count > 0 && !k->options->quiet) {
        message("%s: %zu finding%s bytes and no seed; use frng-replay or frng-reduce for those",
                k->options->findings, count, count == 1 ? " has" : "s have");
    }
    k->reduced_count = 0;
}

/* True if no finding that is left may be smaller than the best. */
static bool is_over(const known_findings *k, const failure *best) {
    if (k->next == k->names.count || regular_should_stop(k->session->deadline_ns)) return true;
    return best != NULL && !k->options->all &&
           store_name_size(k->names.list[k->next]) >= best->input.size;
}

/* A search_source. Without --all the search needs no larger findings than one that has failed; if
 * that was flaky, `best` is NULL again, and the next one has its turn. */
static bool next(void *context, const failure *best, failure *to) {
    known_findings *k = context;
    while (!is_over(k, best)) {
        if (known_findings_read(k, k->names.list[k->next++], to)) return true;
    }
    known_findings_conclude(k);
    return false;
}

search_source known_findings_source(known_findings *k) { return (search_source){next, k}; }

void known_findings_finish(known_findings *k) {
    if (k->options != NULL) known_findings_conclude(k);
    store_names_free(&k->names);
}
