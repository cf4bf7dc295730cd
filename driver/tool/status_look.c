#include "status_look.h"

#include "clock.h"
#include "fleet_folder.h"
#include "messages.h"
#include "skipped_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The files that a look skips in a folder. */
typedef struct skips {
    skipped_files printed;
    uint64_t count;
    look_manner manner;
} skips;

static void skip(void *context, const char *name, const char *why) {
    skips *s = context;
    s->count++;
    if (s->manner == LOOK_WITH_MESSAGES) skipped_files_add(&s->printed, name, why);
}

/* Count and end the skips in a folder, and print why it could not be read. */
static void end_part(status_look *l, skips *s, const char *folder, int error) {
    skipped_files_end(&s->printed);
    l->skipped += s->count;
    if (error == 0) return;
    l->failed = true;
    if (s->manner == LOOK_WITH_MESSAGES) message_error(error, "%s: cannot be read", folder);
}

static int read_findings(status_look *l, const char *folder, look_manner manner) {
    skips s = {.printed = {.folder = folder}, .manner = manner};
    const int error =
        finding_table_read(&l->table, folder, FLEET_FOLDER_FINDINGS_MAX, (store_skipped){skip, &s});
    end_part(l, &s, folder, error);
    return error;
}

/* Print why this user can save nothing in a folder. */
static void warn_if_closed(const char *folder) {
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
        message_error(errno, "%s: no worker of this user can save findings here", folder);
}

static void read_workers(status_look *l, const char *folder, look_manner manner) {
    char *path;
    if (asprintf(&path, "%s/" WORKER_FOLDER, folder) < 0) {
        l->failed = true;
        return;
    }
    skips s = {.printed = {.folder = path}, .manner = manner};
    end_part(l, &s, path, fleet_folder_read_workers(&l->fleet, folder, (store_skipped){skip, &s}));
    free(path);
}

/* The time of the wall clock, as the times of files are. */
static int64_t wall_clock_ns(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
}

void status_look_take(status_look *l, const status_look *before, look_folders folders,
                      look_manner manner) {
    memset(l, 0, sizeof *l);
    l->table.grouping = GROUP_BY_BUILD;
    for (size_t i = 0; i < folders.count; i++) {
        if (read_findings(l, folders.list[i], manner) != 0) continue;
        l->folders++;
        if (manner == LOOK_WITH_MESSAGES) warn_if_closed(folders.list[i]);
        read_workers(l, folders.list[i], manner);
    }
    fleet_collect(&l->fleet);
    finding_table_sort(&l->table);
    for (size_t i = 0; i < l->table.count; i++) {
        fleet_see_finding(&l->fleet, &l->table.rows[i].smallest);
    }
    fleet_end(&l->fleet, before != NULL ? &before->fleet : NULL, wall_clock_ns());
    if (!builds_collect(&l->builds, &l->fleet, &l->table) || l->fleet.failed) {
        message_error(ENOMEM, "cannot hold the workers");
        l->failed = true;
    }
}

void status_look_finish(status_look *l) {
    builds_finish(&l->builds);
    fleet_finish(&l->fleet);
    finding_table_finish(&l->table);
}
