/* options.h: command lines, read by a table: one row an option.
 *
 * The help, the defaults and the shells' completions come from the same row, and the man pages are
 * compared with it by a test. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_group {
    OPTION_INPUT, /* what to run, and how */
    OPTION_STOP,
    OPTION_RESULTS,
    OPTION_OUTPUT,
    OPTION_GROUPS
} option_group;

/* Completions of paths; any other text is a list of words. */
#define OPTION_COMPLETE_FILE "@file"
#define OPTION_COMPLETE_FOLDER "@folder"
#define OPTION_COMPLETE_COMMAND "@command"

/* A kind of value. `set` stores a text in the option's own field, and returns false for one that is
 * not valid. */
typedef struct option_kind {
    const char *expected;   /* "a duration, such as 10s": ends the message about a bad value */
    const char *completion; /* NULL: none */
    bool (*set)(void *field, const char *value);
} option_kind;

typedef struct option_spec {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    option_group group;
    const option_kind *kind; /* NULL: takes no value, and makes its bool true */
    size_t at;               /* offset of its field */
    const char *value;       /* name of the value in the help */
    const char *help;
    const char *initial; /* the value without the option, as users write it; or NULL */
    bool joins_next;     /* the help puts the next row of its group on its line */
} option_spec;

/* Rows that several tools share, and the offset of the struct that their fields are in. */
typedef struct option_section {
    const option_spec *specs;
    size_t count;
    size_t at;
} option_section;

#define OPTION_SECTION(specs, at)                                                                  \
    { specs, sizeof(specs) / sizeof *(specs), at }

enum { OPTION_SECTIONS_MAX = 4, OPTIONS_MAX = 40 };

/* What a tool takes; --help and --version are known to every one. */
typedef struct option_table {
    const char *usage;                            /* lines, and what the tool does */
    const char *notes;                            /* at the end of the help: example, statuses */
    option_section sections[OPTION_SECTIONS_MAX]; /* unused ones are zeroed */
} option_table;

/* The rows of all sections one after the other, with offsets in the whole. */
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

/* What stands beside the options: the program under test (NULL for none), and its arguments after
 * "--", ended by NULL. Both point into argv. */
typedef struct operands {
    char *sut;
    char **args;
    uint64_t given;    /* bit i: option i of the list was given */
    const char *extra; /* a second operand, where none may be; or NULL */
} operands;

/* Set the initial values, then parse argv. Options may stand before and after the program under
 * test, and have their full names. Operands such as "size=16 seed=5", in one word or several, are
 * options where the table has these names; they are cut in place. Prints what is wrong. */
options_answer options_parse(int argc, char **argv, const option_table *table, void *options,
                             operands *rest);

/* Return the first of some names, ended by NULL, whose option was given; or NULL. */
const char *options_first_given(const operands *rest, const option_table *table,
                                const char *const *names);
bool options_given(const operands *rest, const option_table *table, const char *name);

/* Print the help to standard output. False when that failed, which it prints too. */
bool options_print_help(const option_table *table);

/* Print that no program was named. */
void options_missing_target(void);

#endif
