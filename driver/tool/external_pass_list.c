#include "external_pass_list.h"

#include "bytes.h"
#include "messages.h"
#include "proc.h"
#include "target.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Folders of the helpers in the packages creduce and cvise, of Debian and others. */
static const char helper_folders[] =
    "/usr/libexec:/usr/lib/cvise:/usr/libexec/cvise:/usr/local/libexec";

/* Counts of lines to remove at once, for each depth of topformflat; ended by 0. */
static const uint64_t line_counts[] = {256, 64, 16, 4, 1, 0};

/* Return the kind of a program, by the last component of its path. */
static external_pass_dialect dialect_of(const char *path) {
    for (int i = 0; i < EXTERNAL_PASS_DIALECTS; i++) {
        const char *name = external_kinds[i].name;
        if (name != NULL && strcmp(path_base(path), name) == 0) return (external_pass_dialect)i;
    }
    return EXTERNAL_PASS_IN_PLACE;
}

/* Return the program's path, or NULL after a message. */
static char *find_program(const char *name) {
    const bool is_helper = dialect_of(name) != EXTERNAL_PASS_IN_PLACE;
    char *found = proc_find(name, program_folders(environ)), *absolute = NULL;
    if (found == NULL && errno == ENOENT && is_helper) found = proc_find(name, helper_folders);
    if (found == NULL && errno != ENOENT) {
        program_cannot_start(name, errno);
    } else if (found == NULL && is_helper) {
        message("%s: not found; install the package creduce or cvise, or give the path to it",
                name);
    } else if (found == NULL) {
        program_not_on_path(name);
    } else if (program_check(found)) {
        absolute = program_absolute(found);
        if (absolute == NULL) program_cannot_start(found, errno);
    }
    free(found);
    return absolute;
}

/* Append a pass; `lines` is 0 except for EXTERNAL_PASS_LINES. False when out of memory. */
static bool append(external_pass_list *r, external_pass_dialect dialect, const char *program,
                   const char *command, uint64_t lines) {
    external_pass *longer = realloc(r->list, (r->count + 1) * sizeof *r->list);
    if (longer == NULL) return false;
    r->list = longer;
    external_pass *g = &r->list[r->count++];
    *g = (external_pass){dialect, strdup(program), strdup(command), NULL, lines};
    const char *name = path_base(program);
    const int length = lines == 0 ? asprintf(&g->name, "%s %s", name, command)
                                  : asprintf(&g->name, "%s %s by %" PRIu64, name, command, lines);
    if (length < 0) g->name = NULL;
    return g->program != NULL && g->command != NULL && g->name != NULL;
}

/* Append the commands in `rest`, which is split in place. False when out of memory. */
static bool append_commands(external_pass_list *r, external_pass_dialect dialect,
                            const char *program, char *rest) {
    static const uint64_t whole[] = {0};
    bool ok = true;
    for (char *word; (word = words_next(&rest, &ok)) != NULL;) {
        const uint64_t *lines = dialect == EXTERNAL_PASS_LINES ? line_counts : whole;
        do {
            if (!append(r, dialect, program, word, *lines)) return false;
        } while (*lines != 0 && *++lines != 0);
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
    const external_pass_dialect dialect = dialect_of(name);
    const bool has_commands = rest[strspn(rest, " \t\n")] != '\0';
    char *commands = strdup(has_commands ? rest : external_kinds[dialect].commands);
    ok = commands != NULL && append_commands(r, dialect, program, commands);
    if (!ok) message_error(ENOMEM, "cannot hold the list of reducers");
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
    for (size_t i = 0; i < r->count; i++) {
        free(r->list[i].program);
        free(r->list[i].command);
        free(r->list[i].name);
    }
    free(r->list);
    *r = (external_pass_list){NULL, 0};
}
