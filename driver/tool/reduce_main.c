/* frng-reduce: options, input, target, reduction, report. */
#include "atomic_file.h"
#include "messages.h"
#include "reductions.h"
#include "session.h"

static bool prepare(session *s, tool_options *o, atomic_file *output) {
    if (!input_source_read(&s->input, &o->input, REDUCE_FAILURE_SIZE_MAX)) return false;
    const int error = o->output != NULL ? atomic_file_open(output, o->output) : 0;
    if (error != 0) message_error(error, "%s: cannot be written", o->output);
    return error == 0 && session_prepare(s, o, s->input.size) &&
           (o->output == NULL || program_is_kept(s->target.path, o->output));
}

/* Reduce the input of a failure. Returns the exit status. */
static int reduce_input(session *s, tool_options *o) {
    const input_source *in = &s->input;
    atomic_file output = {.folder_fd = -1};
    int status = EXIT_ENVIRONMENT;
    if (prepare(s, o, &output)) {
        const finding *f = &in->finding;
        const seed_input seed = o->input.has_seed  ? o->input.seeded
                                : f->bytes != NULL ? f->from
                                                   : f->input; /* of size 0 if there is none */
        status = reduce_failure(s, seed, o->output != NULL ? &output : NULL);
    } else if (s->failed) {
        status = EXIT_OUTPUT;
    }
    atomic_file_close(&output);
    return status;
}

int main(int argc, char **argv) {
    static session s;      /* too large for a small stack */
    static tool_options o; /* what it owns lives to the end */
    int status;
    if (!options_begin(TOOL_REDUCE, argc, argv, &s.signals, &o, &status)) return status;
    status = o.predicate != NULL ? reduce_file(&s, &o) : reduce_input(&s, &o);
    session_finish(&s);
    return session_exit(&s, status);
}
