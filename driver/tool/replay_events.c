#include "replay_events.h"

#include "clock.h"
#include "events_file.h"
#include "frng.h"
#include "input_source.h"
#include "messages.h"
#include "options.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

/* Time between signs of life: with the pulse of a second, there is one each minute. */
enum { REPLAY_EVENTS_ALIVE_MS = 58500 };

/* Take the input, as the command line or a finding names it. */
static void take_input(replay_events *e, const tool_options *o, const input_source *in) {
    const input_options *from = &o->input;
    const bool is_finding = from->finding != NULL;
    const bool is_named = from->file != NULL && strcmp(from->file, "-") != 0;
    e->json.has_seed = is_finding ? in->finding.bytes == NULL : from->has_seed;
    e->input.input = is_finding ? in->finding.input : from->seeded;
    e->input.input.size = in->size;
    e->json.input = (found_input){.failure = &e->input,
                                  .bytes = e->json.has_seed ? NULL : in->bytes,
                                  .saved = is_finding ? from->finding
                                           : is_named ? from->file
                                                      : NULL,
                                  .is_finding = is_finding};
    e->json.bytes = in->bytes;
}

static bool open_file(replay_events *e, const char *name, const target_command *sut) {
    if (strcmp(name, "-") != 0 && !program_is_kept(sut->path, name)) return false;
    if (!events_file_open(&e->file, name)) return false;
    e->json.out = &e->file;
    return true;
}

bool replay_events_begin(replay_events *e, const tool_options *o, const target_command *sut,
                         const input_source *in, const char *const *argv) {
    if (o->json == NULL) return true;
    if (!open_file(e, o->json, sut)) return false;
    e->options = run_options_text(&o->run);
    e->subject = (run_target){.sut = o->rest.sut,
                              .args = (const char *const *)o->rest.args,
                              .replay = argv[0],
                              .options = e->options != NULL ? e->options : ""};
    e->setup =
        (run_setup){.subject = &e->subject,
                    .call = tool_call_make(&e->call, argv),
                    .limits = {.timeout_ns = o->run.timeout_ns, .memory_max = o->run.memory_max},
                    .version = FRNG_VERSION,
                    .digest = sut->digest};
    e->json.setup = &e->setup;
    e->start_ns = e->alive_ns = clock_now_ns();
    take_input(e, o, in);
    json_replay_start(&e->json, o->runs);
    return true;
}

void replay_events_run(replay_events *e, const replayed_run *run) {
    const bool failed = outcome_failed(run->end);
    if (e->json.out == NULL) return;
    e->runs = run->number;
    if (failed) {
        e->seen.signature = outcome_signature(run->end);
        snprintf(e->seen.site, sizeof e->seen.site, "%s", run->site);
        e->seen.output = &e->seen_output;
        e->seen_output = run->output != NULL ? *run->output : (bytes_tail){0};
    }
    json_replay_run(&e->json, &(replay_run){run->number, failed ? &e->seen : NULL, run->counts,
                                            clock_now_ns() - e->start_ns});
}

static void show_life(void *context) {
    replay_events *e = context;
    char when[SUMMARY_UTC_MAX];
    const int64_t now_ns = clock_now_ns();
    if (now_ns < e->alive_ns + REPLAY_EVENTS_ALIVE_MS * CLOCK_NS_PER_MS) return;
    e->alive_ns = now_ns;
    json_replay_alive(&e->json, tool_call_utc(when), e->runs, now_ns - e->start_ns);
}

child_pulse replay_events_pulse(replay_events *e) {
    return (child_pulse){e->json.out != NULL ? show_life : NULL, e};
}

bool replay_events_end(replay_events *e, const char *word, const replay_counts *counts,
                       const char *how) {
    json_replay_done(&e->json, &(replay_end){word, how, counts, clock_now_ns() - e->start_ns});
    if (e->json.error == 0) return true;
    message_error(e->json.error, "--json: the events cannot be written");
    return false;
}

void replay_events_finish(replay_events *e) {
    events_file_close(e->json.out);
    free(e->options);
}
