#include "finding_list.h"

#include "finding_table.h"
#include "messages.h"
#include "skipped_files.h"
#include "text_failures.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>

static void put(FILE *out, const finding_list_options *o, const finding_table *t) {
    const finding_table_style style = {.tool = o->tool, .name_width = FAILURE_NAME_WIDTH_MAX};
    if (o->only_results) {
        finding_table_put_results(out, t);
    } else {
        finding_table_put(out, t, &style);
    }
}

/* Print all rows. Returns true on success. */
static bool print(const finding_list_options *o, const finding_table *t) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return false;
    put(out, o, t);
    const bool ok = fclose(out) == 0 && tool_print(text);
    free(text);
    return ok;
}

bool finding_list_print(const finding_list_options *o) {
    finding_table t = {.grouping = GROUP_BY_PATH, .filter = o->filter};
    skipped_files skipped = {.folder = o->folder};
    const int error =
        finding_table_read(&t, o->folder, SIZE_MAX, (store_skipped){skipped_files_add, &skipped});
    skipped_files_end(&skipped);
    if (error != 0) message_error(error, "%s: cannot be opened", o->folder);
    finding_table_sort(&t);
    if (error == 0 && t.count == 0 && !o->only_results)
        message("%s: no findings%s", o->folder, t.seen > 0 ? " of these" : "");
    const bool ok = error == 0 && print(o, &t);
    finding_table_finish(&t);
    return ok;
}
