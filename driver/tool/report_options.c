#include "report_options.h"

#include "common_options.h"
#include "messages.h"

#include <string.h>

#define AT(field) offsetof(report_options, field)

static const option_spec specs[] = {
    {"output", 'o', OPTION_OUTPUT, &option_stream, AT(output), "FILE", "Name of the page, or -",
     "report.html", false},
};

const option_table report_options_table = {
    "Usage: frng-report EVENTS... [options]\n"
    "Make one HTML page with charts of searches and reductions. EVENTS is a file\n"
    "that their '--json' wrote, a finding, a folder of findings, or - for standard\n"
    "input.\n",
    "Example: 'frng-search ./sut --reduce --json events.jsonl' writes the events, and\n"
    "'frng-report events.jsonl' makes report.html of them, for a browser.\n"
    "Exit status: 0 the page is written, 2 usage error, or EVENTS cannot be read,\n"
    "4 the page cannot be written.\n",
    {OPTION_SECTION(specs, 0)},
    .takes_files = true,
};

options_answer report_options_parse(int argc, char **argv, report_options *o) {
    memset(o, 0, sizeof *o);
    const options_answer answer = options_parse(argc, argv, &report_options_table, o, &o->rest);
    if (answer != OPTIONS_RUN) return answer;
    if (o->rest.file_count == 0) {
        message_usage("which events? Usage: %s EVENTS... [-o FILE]", message_program());
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}
