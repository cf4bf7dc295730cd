/* tool_call.h: when, where and how a tool was called, for events and worker files. */
#ifndef TOOL_CALL_H
#define TOOL_CALL_H

#include "summary.h"

/* The texts of a run_call. */
typedef struct tool_call {
    char host[256], when[SUMMARY_UTC_MAX];
} tool_call;

/* Write the time of the wall clock as UTC in ISO 8601. Returns `text`. */
const char *tool_call_utc(char text[SUMMARY_UTC_MAX]);

/* Return when, where and how this tool was called. `c` keeps the texts. */
run_call tool_call_make(tool_call *c, const char *const *argv);

#endif
