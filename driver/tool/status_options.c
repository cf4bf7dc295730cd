#include "status_options.h"

#include "messages.h"

#include <string.h>

#define AT(field) offsetof(status_options, field)

static const option_spec specs[] = {
    {"json", 0, OPTION_OUTPUT, NULL, AT(json), NULL, "Print one JSON object", NULL, false},
};

const option_table status_options_table = {
    "Usage: frng-status DIR... [options]\n"
    "Show the searches that share these folders of findings: running and silent\n"
    "workers, findings, and the bound of all passes together. Change nothing.\n",
    "Example: 'frng-search ./sut --time 8h --keep-going --findings found' on many\n"
    "machines is a fleet, and 'frng-status found' shows it.\n"
    "Exit status: 0 nothing found, 1 found, 2 usage error or unreadable folder,\n"
    "3 a worker is silent, 4 output not written\n",
    {OPTION_SECTION(specs, 0)},
    .takes_files = true,
};

options_answer status_options_parse(int argc, char **argv, status_options *o) {
    memset(o, 0, sizeof *o);
    const options_answer answer = options_parse(argc, argv, &status_options_table, o, &o->rest);
    if (answer != OPTIONS_RUN) return answer;
    if (o->rest.file_count == 0) {
        message_usage("which folder? Usage: %s DIR...", message_program());
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}
