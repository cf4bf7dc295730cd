/* frng-status: options, looks at folders, and what they show. */
#include "canvas.h"
#include "clock.h"
#include "fleet_json.h"
#include "fleet_text.h"
#include "frng.h"
#include "json_output.h"
#include "live.h"
#include "messages.h"
#include "session.h"
#include "status_look.h"
#include "status_options.h"
#include "status_screen.h"
#include "target.h"
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    STATUS_NOTHING = 0,
    STATUS_FOUND = 1,
    STATUS_UNREADABLE = 2,
    STATUS_SILENT = 3,
    STATUS_UNWRITTEN = 4
};

/* The time between two looks: as long, and so many times longer than a look takes, that those at a
 * large fleet or over a slow network are no burden. */
enum { WATCH_MS = 2000, WATCH_SHARE = 10 };

/* Return the exit status of a look. What is unknown comes before what is wrong, and that before
 * what was found. */
static int status_of(const status_look *l) {
    if (l->failed) return STATUS_UNREADABLE;
    if (l->fleet.sights[SIGHT_SILENT] > 0) return STATUS_SILENT;
    return l->table.count > 0 || fleet_has_found(&l->fleet) ? STATUS_FOUND : STATUS_NOTHING;
}

static fleet_view view_of(const status_look *l, const status_options *o, const char *replay) {
    return (fleet_view){.fleet = &l->fleet,
                        .table = &l->table,
                        .builds = &l->builds,
                        .folders = (const char *const *)o->rest.files,
                        .folder_count = o->rest.file_count,
                        .replay = replay,
                        .skipped = l->skipped};
}

/* Return the text of a view, which the caller frees. NULL when out of memory. */
static char *text_of(const fleet_view *v) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return NULL;
    fleet_text_put(out, v);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static bool print_json(const fleet_view *v, int status) {
    char when[SUMMARY_UTC_MAX];
    json_output out = json_output_on(STDOUT_FILENO, false);
    const int error = json_output_put(&out, fleet_json(v, status, tool_call_utc(when)));
    if (error != 0) message_error(error, "standard output: cannot be written");
    return error == 0;
}

static bool print_text(const fleet_view *v) {
    char *text = text_of(v);
    if (text == NULL) message_error(ENOMEM, "standard output: cannot be written");
    const bool ok = text != NULL && tool_print(text);
    free(text);
    return ok;
}

static look_folders folders_of(const status_options *o) {
    return (look_folders){o->rest.files, o->rest.file_count};
}

/* Look once, and print that. Returns the exit status. */
static int print_once(const status_options *o, const char *replay) {
    status_look l;
    status_look_take(&l, NULL, folders_of(o), LOOK_WITH_MESSAGES);
    const fleet_view v = view_of(&l, o, replay);
    int status = status_of(&l);
    const bool shows = l.folders > 0;
    if (shows && !(o->json ? print_json(&v, status) : print_text(&v))) status = STATUS_UNWRITTEN;
    status_look_finish(&l);
    return status;
}

/* ---- Watching ---- */

/* Look once more, and show that if the tool is in the foreground. */
static void show(status_look *last, const status_options *o, const char *replay) {
    status_look l;
    status_look_take(&l, last, folders_of(o), LOOK_SILENTLY);
    status_look_finish(last);
    *last = l;
    const fleet_view v = view_of(last, o, replay);
    char *text = live_is_allowed() ? text_of(&v) : NULL;
    if (text != NULL) status_screen_show(text, fleet_text_ink);
    free(text);
}

/* Return the milliseconds from the end of a look that took so long to the next one. */
static int pause_after(int64_t look_ns) {
    const int64_t rest_ms = look_ns / CLOCK_NS_PER_MS * (WATCH_SHARE - 1);
    return rest_ms < WATCH_MS ? WATCH_MS : rest_ms < INT_MAX ? (int)rest_ms : INT_MAX;
}

/* Look again and again until a signal comes, and die of it. The last look stays on the terminal. */
static int watch(const status_options *o, const char *replay, tool_signals *signals) {
    status_look last = {.skipped = 0};
    int number = 0;
    while (number == 0) {
        struct pollfd signal = {signals->signal_fd, POLLIN, 0};
        const int64_t began_ns = clock_now_ns();
        show(&last, o, replay);
        poll(&signal, 1, pause_after(clock_now_ns() - began_ns));
        number = tool_take_signal(signals);
    }
    status_look_finish(&last);
    tool_die_of(number);
}

static bool is_watched(const status_options *o) {
    return o->watch && isatty(STDOUT_FILENO) && message_is_terminal();
}

int main(int argc, char **argv) {
    static tool_signals signals;
    status_options o;
    if (!tool_init(&signals, "frng-status", STATUS_UNWRITTEN)) return STATUS_UNREADABLE;
    switch (status_options_parse(argc, argv, &o)) {
    case OPTIONS_HELP:
        return options_print_help(&status_options_table) ? STATUS_NOTHING : STATUS_UNWRITTEN;
    case OPTIONS_VERSION:
        return tool_print("frng-status " FRNG_VERSION "\n") ? STATUS_NOTHING : STATUS_UNWRITTEN;
    case OPTIONS_WRONG: return STATUS_UNREADABLE;
    case OPTIONS_RUN: break;
    }
    char *replay = program_beside(argv[0], "frng-replay");
    const char *tool = replay != NULL ? replay : "frng-replay";
    const int status = is_watched(&o) ? watch(&o, tool, &signals) : print_once(&o, tool);
    free(replay);
    return status;
}
