#include "canary.h"

#include "clock.h"
#include "messages.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program fails in 1 of 16 inputs of 2 bytes, and in nearly all of 64. */
enum { CANARY_SIZE_MAX = 64, CANARY_ATTEMPTS_MAX = 100, CANARY_TIME_MAX_S = 60 };

/* From the folder of this tool: in a build folder, and as it is installed (driver/meson.build). */
static const char *const places[] = {"frng-canary", CANARY_INSTALLED};

/* Write the folder that this tool is in, where links lead. Returns false with errno. */
static bool find_own_folder(char folder[PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length < 0) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) *slash = '\0';
    return slash != NULL;
}

/* Return the path of the program without links, which the caller frees. NULL if it is not there. */
static char *find_at(const char *folder, const char *place) {
    char path[2 * PATH_MAX];
    const bool is_absolute = place[0] == '/';
    snprintf(path, sizeof path, "%s/%s", is_absolute ? "" : folder, place);
    return realpath(path, NULL);
}

/* Return the path of the program, which the caller frees. NULL after a message. */
static char *find_program(void) {
    char folder[PATH_MAX];
    char *path = NULL;
    if (!find_own_folder(folder)) {
        message_error(errno, "--canary: /proc/self/exe cannot be read");
        return NULL;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0] && path == NULL; i++) {
        path = find_at(folder, places[i]);
    }
    if (path == NULL)
        message("--canary: no %s in %s, nor where it is installed; install all of frng", places[0],
                folder);
    return path;
}

/* Drop options that are about the target. */
static void drop_options(search_options *o) {
    o->keep_going = o->all = o->reduce = false;
    o->sync_ns = 0; /* a search that ends at once */
    o->requirements.count = 0;
    o->size_max = CANARY_SIZE_MAX;
    if (o->attempts > CANARY_ATTEMPTS_MAX) o->attempts = CANARY_ATTEMPTS_MAX;
    const int64_t time_max_ns = CANARY_TIME_MAX_S * CLOCK_NS_PER_S;
    if (o->work.budget_ns > time_max_ns) o->work.budget_ns = time_max_ns;
    memset(&o->work.run.filter, 0, sizeof o->work.run.filter);
}

static bool replace_findings(canary *c, work_options *o) {
    if (o->findings == NULL) return true;
    if (asprintf(&c->findings, "%s/canary", o->findings) < 0) {
        c->findings = NULL;
        message_error(ENOMEM, "--canary");
        return false;
    }
    o->findings = c->findings;
    return true;
}

bool canary_replace_target(canary *c, search_options *o) {
    static char *no_args[] = {NULL};
    c->program = find_program();
    if (c->program == NULL || !replace_findings(c, &o->work)) return false;
    o->work.rest.sut = c->program;
    o->work.rest.args = no_args;
    drop_options(o);
    return true;
}

void canary_finish(canary *c) {
    free(c->program);
    free(c->findings);
}

void canary_report(const search_options *o, bool found) {
    if (!o->canary || found) return;
    message("the canary must fail, and no failure was found: searches on this machine, or with "
            "these options, find nothing");
}
