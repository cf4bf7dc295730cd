/* The options of sanitizers stand in variables: each is written anew with one option more. */
#include "environment.h"

#include "bytes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each sanitizer reads its own variable, and the options that they share from any. */
enum { UBSAN = 4, VARIABLES };
static const char *const variables[VARIABLES] = {"ASAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS",
                                                 "TSAN_OPTIONS", "UBSAN_OPTIONS"};

static bool sets(const char *text, const char *variable) {
    const size_t length = strlen(variable);
    return strncmp(text, variable, length) == 0 && text[length] == '=';
}

/* Return the value of a variable; "" without one. */
static const char *value_in(char *const *list, const char *name) {
    while (*list != NULL && !sets(*list, name)) list++;
    return *list != NULL ? *list + strlen(name) + 1 : "";
}

/* Add an option before or behind those of a variable. */
static void put_option(environment *e, char **list, const char *name, const char *option,
                       bool is_first) {
    const char *others = value_in(list, name);
    char *text = memory_text("%s=%s%s%s", name, is_first ? option : others,
                             others[0] != '\0' ? ":" : "", is_first ? others : option);
    e->texts[e->text_count++] = text;
    while (*list != NULL && !sets(*list, name)) list++;
    *list = text;
}

/* Variables from a driver to one process concern this process, if it is a run of another driver,
 * and not the target. Sanitizers shall report where failures are read: log_path= hides that. */
void environment_make(environment *e) {
    size_t kept = 0;
    e->list = memory_zeroed(text_count(environ) + 3, sizeof *e->list);
    for (char **text = environ; *text != NULL; text++) {
        if (!sets(*text, "FRNG_INPUT") && !sets(*text, "FRNG_DRIVER")) e->list[kept++] = *text;
    }
    for (size_t i = 0; i < VARIABLES; i++) {
        if (strstr(value_in(e->list, variables[i]), "log_path=") != NULL)
            put_option(e, e->list, variables[i], "log_path=stderr", false);
    }
}

void environment_let_ubsan_halt(environment *e) {
    if (strstr(value_in(e->list, variables[UBSAN]), "halt_on_error=") == NULL)
        put_option(e, e->list, variables[UBSAN], UBSAN_HALTS, true);
}

void environment_make_terse(environment *e) {
    const size_t count = text_count(e->list);
    for (size_t i = 0; i < VARIABLES; i++) {
        if (strstr(value_in(e->list, variables[i]), "symbolize=") != NULL) return;
    }
    e->terse = memory_zeroed(count + VARIABLES + 1, sizeof *e->terse);
    memcpy(e->terse, e->list, count * sizeof *e->terse);
    for (size_t i = 0; i < VARIABLES; i++)
        put_option(e, e->terse, variables[i], SANITIZER_OPTION, false);
}

void environment_finish(environment *e) {
    for (size_t i = 0; i < e->text_count; i++) free(e->texts[i]);
    free(e->terse);
    free(e->list);
}
