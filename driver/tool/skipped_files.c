#include "skipped_files.h"

#include "messages.h"
#include "units.h"

void skipped_files_add(void *context, const char *name, const char *why) {
    skipped_files *s = context;
    if (s->count++ < SKIPPED_FILES_LINES) message("%s/%s: skipped: %s", s->folder, name, why);
}

void skipped_files_end(skipped_files *s) {
    if (s->count > SKIPPED_FILES_LINES) {
        const uint64_t more = s->count - SKIPPED_FILES_LINES;
        message("%s: %s more file%s skipped", s->folder, units_format_count(UNITS_TEXT, more),
                more == 1 ? "" : "s");
    }
    s->count = 0;
}
