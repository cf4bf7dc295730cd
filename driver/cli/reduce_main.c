/* frng-reduce: options, input, system under test, reduction, report. */
#include "file_reducing.h"
#include "frng.h"
#include "input_source.h"
#include "messages.h"
#include "proc.h"
#include "reduce_options.h"
#include "reducing.h"
#include "tool_init.h"
#include "work.h"

/* Everything that one reduction of a failure needs. */
typedef struct session {
    reduce_options *options;
    work *work;
    input_source input;
    atomic_file output;
    reducing reducing;
} session;

static bool open_output(session *s) {
    const char *name = s->options->output;
    if (name == NULL) return true;
    s->reducing.output = &s->output;
    const int error = atomic_file_open(&s->output, name);
    if (error != 0) message_error(error, "%s: cannot be written", name);
    return error == 0;
}

static bool prepare(session *s, const char *tool) {
    reduce_options *o = s->options;
    s->output.folder_fd = -1;
    s->work->options = &o->work;
    return input_source_read(&s->input, &o->input, REDUCING_SIZE_MAX) &&
           input_source_complete(&s->input, &o->work.rest) && open_output(s) &&
           work_prepare(s->work, tool, s->input.size) &&
           (o->output == NULL || work_spares_program(s->work, o->output));
}

static void reduce(session *s) {
    const reduce_options *o = s->options;
    reducing *r = &s->reducing;
    r->work = s->work;
    r->bytes = s->input.bytes;
    r->size = s->input.size;
    r->has_only = o->work.run.has_only;
    r->only = o->work.run.only;
    r->any_failure = o->any_failure;
    r->calls_max = o->calls_max;
    r->deadline_ns = work_deadline(s->work);
    reducing_run(r);
}

static void finish(session *s) {
    reducing_finish(&s->reducing);
    work_finish(s->work);
    atomic_file_close(&s->output);
    input_source_finish(&s->input);
}

/* Reduce what makes a system under test fail. Returns the exit status. */
static int reduce_failure(work *w, reduce_options *o, const char *tool) {
    static session s; /* zeroed, and too large for a stack */
    int status = EXIT_ENVIRONMENT;
    s.options = o;
    s.work = w;
    if (prepare(&s, tool)) {
        if (!o->work.quiet)
            input_source_compare(&s.input, o->input.finding, w->subject.sut, w->target.digest);
        reduce(&s);
        status = reducing_report(&s.reducing);
        if (status == EXIT_FOUND) work_tell_empty(w, s.reducing.result.best.input.size);
    } else if (w->output_failed) {
        status = EXIT_OUTPUT;
    }
    finish(&s);
    return status;
}

int main(int argc, char **argv) {
    static work w; /* as above */
    static reduce_options o;
    if (!tool_init(&w.signals, "frng-reduce")) return EXIT_ENVIRONMENT;
    switch (reduce_options_parse(argc, argv, &o)) {
    case OPTIONS_HELP: return options_print_help(&reduce_options_table) ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_VERSION:
        return tool_print("frng-reduce " FRNG_VERSION "\n") ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_WRONG: return EXIT_ENVIRONMENT;
    case OPTIONS_RUN: break;
    }
    w.has_no_cores = proc_no_cores();
    const int status = o.predicate != NULL ? file_reduce(&w, &o) : reduce_failure(&w, &o, argv[0]);
    if (w.signal_number != 0) tool_die_of(w.signal_number);
    return status;
}
