#include "folder_watch.h"

#include "clock.h"

static bool has_changed(const folder_watch *w, const store_stamp *stamp) {
    return w->state == WATCH_UNSEEN || !store_stamp_equal(&w->stamp, stamp);
}

bool folder_watch_look(folder_watch *w, const store_stamp *stamp, int64_t now_ns) {
    if (has_changed(w, stamp)) {
        *w = (folder_watch){WATCH_CHANGED, *stamp, now_ns};
        return true;
    }
    if (w->state == WATCH_SETTLED) return false;
    if (now_ns - w->since_ns >= FOLDER_WATCH_SETTLE_MS * CLOCK_NS_PER_MS) w->state = WATCH_SETTLED;
    return true;
}
