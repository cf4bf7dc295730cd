/* External passes are other programs that make candidates.
 *
 * Those of C-Reduce and C-Vise are known by name: which commands they have, and how they are called
 * (external_pass.h). */
#include "reducers.h"

#include "bytes.h"
#include "messages.h"
#include "options.h"
#include "proc.h"
#include "program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Folders of the helpers in the packages creduce and cvise, of Debian and others. */
static const char helper_folders[] =
    "/usr/libexec:/usr/lib/cvise:/usr/libexec/cvise:/usr/local/libexec";

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
    char *found = proc_find(name, program_folders()), *absolute = NULL;
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

/* Append a pass, whose name is to be made. */
static void append_pass(reducer_list *l, external_pass added) {
    added.name = memory_text("%s %s", path_base(added.program), added.command);
    l->list = memory_grown(l->list, l->count + 1, sizeof *l->list);
    l->list[l->count++] = added;
}

/* Append the passes of a program: its commands in `words`, which are split in place, or all that
 * are known. */
static void append_all(reducer_list *l, external_pass added, char *words) {
    bool ok = true;
    if (words[0] == '\0') words = memory_text("%s", external_kinds[added.dialect].commands);
    while ((added.command = words_next(&words, &ok)) != NULL) append_pass(l, added);
}

bool reducers_add(reducer_list *l, const char *cmd) {
    if (!words_check(cmd))
        return message("--reducer '%s' is not valid: give a program, and the commands of it to use",
                       cmd);
    bool ok = true;
    char *copy = memory_text("%s", cmd), *words = copy;
    const char *name = words_next(&words, &ok);
    char *program = find_program(name);
    words += strspn(words, " \t\n");
    if (program != NULL)
        append_all(l, (external_pass){.dialect = dialect_of(name), .program = program}, words);
    if (program == NULL || words[0] == '\0') free(copy);
    return program != NULL;
}
