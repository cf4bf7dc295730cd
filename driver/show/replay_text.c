#include "replay_text.h"

#include "messages.h"
#include "rates.h"

#include <inttypes.h>
#include <stdio.h>

void replay_text_verdict(uint64_t failed, uint64_t other, uint64_t runs, const char *how,
                         const char *not_by) {
    FILE *out = message_stream();
    if (failed + other == 0) {
        fputs(runs == 1 ? "passes" : "passes each time", out);
    } else {
        fprintf(out, "%s %s", failed > 0 ? "fails with" : "cannot judge: fails with", how);
        if (failed == 0) fprintf(out, ", %s", not_by);
    }
    if (runs > 1) {
        fprintf(out, " (fails in %" PRIu64 " of %" PRIu64 " runs: %s)", failed + other, runs,
                rate_format(rate_of(failed + other, runs), RATE_TEXT));
    }
    fputs("\n", out);
}

void replay_text_wrapped(const char *file, bool by_environment, bool by_name) {
    fprintf(message_stream(),
            by_name          ? "entropy is in %s\n"
            : by_environment ? "entropy is in FRNG_INPUT=%s\n"
                             : "entropy is in a file; in a debugger: run < %s\n",
            file);
}
