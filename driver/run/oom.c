#include "oom.h"

#include "clock.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t read_kills(const char *path) {
    char line[128];
    uint64_t kills = 0;
    FILE *in = fopen(path, "re");
    if (in == NULL) return 0;
    while (fgets(line, sizeof line, in) != NULL && sscanf(line, "oom_kill %" SCNu64, &kills) != 1) {
    }
    fclose(in);
    return kills;
}

void oom_watch_init(oom_watch *w, const char *path) {
    w->path = path;
    w->kills = read_kills(path);
    w->looked_ns = clock_now_ns();
}

bool oom_watch_look(oom_watch *w) {
    const uint64_t before = w->kills;
    w->kills = read_kills(w->path);
    w->looked_ns = clock_now_ns();
    return w->kills > before;
}

void oom_watch_begin(oom_watch *w) {
    if (clock_now_ns() - w->looked_ns >= OOM_LOOK_MS * CLOCK_NS_PER_MS) oom_watch_look(w);
}
