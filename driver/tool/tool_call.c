#include "tool_call.h"

#include "messages.h"

#include <time.h>
#include <unistd.h>

const char *tool_call_utc(char text[SUMMARY_UTC_MAX]) {
    const time_t now = time(NULL);
    struct tm utc;
    strftime(text, SUMMARY_UTC_MAX, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return text;
}

run_call tool_call_make(tool_call *c, const char *const *argv) {
    const bool is_named = gethostname(c->host, sizeof c->host - 1) == 0;
    c->host[sizeof c->host - 1] = '\0';
    return (run_call){.tool = message_program(),
                      .host = is_named ? c->host : NULL,
                      .when = tool_call_utc(c->when),
                      .argv = argv};
}
