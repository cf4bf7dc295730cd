/* options.h: parses command lines by a table with one row for each option.
 *
 * The same row yields the help, the default and the shell completions. A test compares the man
 * pages with the table. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_group {
    OPTION_INPUT, /* the input and its runs */
    OPTION_STOP,
    OPTION_RESULTS,
    OPTION_OUTPUT,
    OPTION_GROUPS
} option_group;

/* Completions of paths, and of signatures: those in the folder of --findings, or these words. Any
 * other text is a list of words. */
#define OPTION_COMPLETE_FILE "@file"
#define OPTION_COMPLETE_FINDING "@finding"
#define OPTION_COMPLETE_FOLDER "@folder"
#define OPTION_COMPLETE_COMMAND "@command"

/* A kind of value. `set` parses a text into the option's field, and returns false if the text is
 * not valid. */
typedef struct option_kind {
    const char *expected;   /* end of the message about a bad value: "a duration, such as 10s" */
    const char *completion; /* NULL: none */
    bool (*set)(void *field, const char *value);
} option_kind;

typedef struct option_spec {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    option_group group;
    const option_kind *kind; /* NULL: a flag without a value, which sets its bool */
    size_t at;               /* offset of its field */
    const char *value;       /* name of the value in the help */
    const char *help;
    const char *initial; /* default value, as users write it; or NULL */
    bool joins_next;     /* the help shows the next row of the group on the same line */
} option_spec;

/* Rows that several tools may share, and the offset of the struct that holds their fields. */
typedef struct option_section {
    const option_spec *specs;
    size_t count;
    size_t at;
} option_section;

#define OPTION_SECTION(specs, at)                                                                  \
    { specs, sizeof(specs) / sizeof *(specs), at }

enum { OPTION_SECTIONS_MAX = 5, OPTIONS_MAX = 40 };

/* The command line of a tool. Every tool also takes --help and --version. */
typedef struct option_table {
    const char *usage;                            /* usage lines, and the purpose of the tool */
    const char *notes;                            /* end of the help: example, exit statuses */
    option_section sections[OPTION_SECTIONS_MAX]; /* unused ones are zeroed */
    bool takes_files;                             /* instead of a target and its arguments */
} option_table;

/* The rows of all sections in order, with offsets in the whole options struct. */
typedef struct option_list {
    option_spec specs[OPTIONS_MAX];
    size_t count;
} option_list;

void option_list_fill(option_list *list, const option_table *table);

typedef enum options_answer {
    OPTIONS_RUN,
    OPTIONS_HELP,
    OPTIONS_VERSION,
    OPTIONS_WRONG
} options_answer;

/* The rest of the command line: the target (NULL: none), and its arguments after "--", ended by
 * NULL. options_parse points both into argv. */
typedef struct operands {
    char *sut;
    char **args;
    uint64_t given;    /* bit i: option i of the list is on the command line */
    const char *extra; /* unexpected second operand, or NULL */
    char **files;      /* of a table that takes files: all operands, in argv */
    size_t file_count;
} operands;

/* Set the initial values, then parse argv. Options may precede and follow the target, and cannot
 * be abbreviated. Operands such as "size=16 seed=5" (a result line), in one word or several, count
 * as options if the table has these names; they are split in place. Prints errors. */
options_answer options_parse(int argc, char **argv, const option_table *table, void *options,
                             operands *rest);

/* Return the first of `names`, ended by NULL, whose option is on the command line; or NULL. */
const char *options_first_given(const operands *rest, const option_table *table,
                                const char *const *names);
bool options_given(const operands *rest, const option_table *table, const char *name);

/* Print the help to standard output. Returns false after a message if that fails. */
bool options_print_help(const option_table *table);

/* Print that the command line names no target. */
void options_missing_target(void);

#endif
