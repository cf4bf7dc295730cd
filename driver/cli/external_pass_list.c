#include "external_pass_list.h"

#include "messages.h"
#include "proc.h"
#include "program.h"
#include "target_command.h"
#include "text.h"
#include "words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders of the helpers in the packages creduce and cvise, of Debian and others. */
static const char helper_folders[] =
    "/usr/libexec:/usr/lib/cvise:/usr/libexec/cvise:/usr/local/libexec";

/* Each string is a list of commands, separated by blanks. frng runs them in this order.
 *
 * creduce 2.10 goes from 1 token up. Here long stretches come first, since one that can go saves
 * the runs of many short ones. Omitted: rm-tok-pattern-8, 128 times the instances of rm-toks-1
 * (--slow of creduce); x-string, which overwrites the opening quote. */
static const char clex_commands[] =
    "rm-toks-16 rm-toks-15 rm-toks-14 rm-toks-13 rm-toks-12 rm-toks-11 rm-toks-10 rm-toks-9 "
    "rm-toks-8 rm-toks-7 rm-toks-6 rm-toks-5 rm-toks-4 rm-toks-3 rm-toks-2 rm-toks-1 "
    "rm-tok-pattern-4 define delete-string shorten-string rename-toks";

/* Depths of parentheses and braces to which lines are split. */
static const char topformflat_commands[] = "0 1 2 3 4 6 8 10";

/* Counts of lines to remove at once, for each of these depths; ended by 0. */
static const uint64_t line_counts[] = {256, 64, 16, 4, 1, 0};

/* The transformations of creduce 2.10 in its order (@all_methods in /usr/bin/creduce: first, main
 * and last passes), without those that the clang_delta of cvise 2.7 lacks. */
static const char clang_delta_commands[] =
    "replace-function-def-with-decl remove-unused-function callexpr-to-value replace-callexpr "
    "simplify-callexpr remove-unused-enum-member remove-enum-member-value remove-unused-var "
    "remove-namespace aggregate-to-scalar param-to-global param-to-local "
    "remove-nested-function union-to-struct return-void simple-inliner reduce-pointer-level "
    "lift-assignment-expr copy-propagation simplify-if reduce-array-dim reduce-array-size "
    "simplify-comma-expr simplify-dependent-typedef replace-simple-typedef "
    "replace-dependent-typedef replace-one-level-typedef-type remove-unused-field "
    "instantiate-template-type-param-to-int instantiate-template-param template-arg-to-int "
    "template-non-type-arg-to-int reduce-class-template-param remove-trivial-base-template "
    "class-template-to-class remove-base-class replace-derived-class remove-unresolved-base "
    "remove-ctor-initializer replace-class-with-base-template-spec simplify-nested-class "
    "remove-unused-outer-class empty-struct-to-int remove-pointer reduce-pointer-pairs "
    "remove-array remove-addr-taken simplify-struct replace-undefined-function "
    "replace-array-index-var replace-array-access-with-index replace-dependent-name "
    "simplify-recursive-template-instantiation vector-to-array local-to-global rename-fun "
    "rename-param rename-var rename-class rename-cxx-method combine-global-var "
    "combine-local-var simplify-struct-union-decl move-global-var unify-function-decl";

/* A kind of program, by the last component of its path. */
typedef struct family {
    const char *name;
    external_pass_dialect dialect;
    const char *commands;
} family;

static const family helpers[] = {
    {"clex", EXTERNAL_PASS_CLEX, clex_commands},
    {"topformflat", EXTERNAL_PASS_LINES, topformflat_commands},
    {"clang_delta", EXTERNAL_PASS_CLANG_DELTA, clang_delta_commands},
};
static const family in_place = {NULL, EXTERNAL_PASS_IN_PLACE, "all"};

/* Return the family of a program by its name; NULL for any other program. */
static const family *find_helper(const char *path) {
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        if (strcmp(path_base(path), helpers[i].name) == 0) return &helpers[i];
    }
    return NULL;
}

/* Return the program's path, or NULL after a message. */
static char *find_program(const char *name) {
    const family *helper = find_helper(name);
    char *found = proc_find(name, target_command_path_folders(environ));
    if (found == NULL && errno == ENOENT && helper != NULL) found = proc_find(name, helper_folders);
    if (found == NULL) {
        if (errno == ENOENT && helper != NULL) {
            message("%s: not found; install the package creduce or cvise, or give the path to it",
                    name);
        } else if (errno == ENOENT) {
            program_not_on_path(name);
        } else {
            program_cannot_start(name, errno);
        }
        return NULL;
    }
    char *absolute = NULL;
    if (program_check(found)) {
        absolute = program_absolute(found);
        if (absolute == NULL) program_cannot_start(found, errno);
    }
    free(found);
    return absolute;
}

static void free_external_pass(external_pass *g) {
    free(g->program);
    free(g->command);
    free(g->name);
}

/* Remove all but the first `count`. */
static void truncate_list(external_pass_list *r, size_t count) {
    while (r->count > count) free_external_pass(&r->list[--r->count]);
}

/* Return a pass. A text in it is NULL when out of memory. `lines` is 0 except for
 * EXTERNAL_PASS_LINES. */
static external_pass pass_of(const family *kind, const char *program, const char *command,
                             uint64_t lines) {
    external_pass g = {kind->dialect, strdup(program), strdup(command), NULL, lines};
    const char *name = path_base(program);
    const int length = lines == 0 ? asprintf(&g.name, "%s %s", name, command)
                                  : asprintf(&g.name, "%s %s by %" PRIu64, name, command, lines);
    if (length < 0) g.name = NULL;
    return g;
}

/* Append a pass, which the list then owns. False when out of memory: the pass is freed. */
static bool append(external_pass_list *r, external_pass g) {
    external_pass *longer = realloc(r->list, (r->count + 1) * sizeof *r->list);
    if (longer != NULL) r->list = longer;
    if (longer == NULL || g.program == NULL || g.command == NULL || g.name == NULL) {
        free_external_pass(&g);
        return false;
    }
    r->list[r->count++] = g;
    return true;
}

static bool append_command(external_pass_list *r, const family *kind, const char *program,
                           const char *command) {
    if (kind->dialect != EXTERNAL_PASS_LINES) return append(r, pass_of(kind, program, command, 0));
    for (const uint64_t *lines = line_counts; *lines != 0; lines++) {
        if (!append(r, pass_of(kind, program, command, *lines))) return false;
    }
    return true;
}

/* Append the commands in `rest`, which is split in place. False when out of memory. */
static bool append_commands(external_pass_list *r, const family *kind, const char *program,
                            char *rest) {
    bool ok = true;
    for (char *word; (word = words_next(&rest, &ok)) != NULL;) {
        if (!append_command(r, kind, program, word)) return false;
    }
    return true;
}

/* Add the program and commands in `words`, which has passed words_check and is split in place. */
static bool add_words(external_pass_list *r, char *words) {
    bool ok = true;
    char *rest = words;
    const char *name = words_next(&rest, &ok);
    char *program = find_program(name);
    if (program == NULL) return false;
    const family *kind = find_helper(name);
    const size_t count = r->count;
    if (kind == NULL) kind = &in_place;
    const bool has_commands = rest[strspn(rest, " \t\n")] != '\0';
    char *commands = strdup(has_commands ? rest : kind->commands);
    ok = commands != NULL && append_commands(r, kind, program, commands);
    if (!ok) {
        truncate_list(r, count);
        message_error(ENOMEM, "cannot hold the list of reducers");
    }
    free(commands);
    free(program);
    return ok;
}

bool external_pass_list_add(external_pass_list *r, const char *cmd) {
    if (!words_check(cmd)) {
        message("--reducer '%s' is not valid: give a program, and the commands of it to use", cmd);
        return false;
    }
    char *words = strdup(cmd);
    if (words == NULL) {
        message_error(ENOMEM, "cannot hold the list of reducers");
        return false;
    }
    const bool ok = add_words(r, words);
    free(words);
    return ok;
}

void external_pass_list_finish(external_pass_list *r) {
    truncate_list(r, 0);
    free(r->list);
    *r = (external_pass_list){NULL, 0};
}
