/* The options of sanitizers stand in variables: each is written anew with one option more. */
#include "environment.h"

#include "bytes.h"

#include <stdio.h>
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

/* Add an option before or behind those of a variable. Return false without memory. */
static bool put_option(environment *e, char **list, const char *name, const char *option,
                       bool is_first) {
    const char *others = value_in(list, name);
    char *text;
    if (asprintf(&text, "%s=%s%s%s", name, is_first ? option : others, others[0] != '\0' ? ":" : "",
                 is_first ? others : option) < 0)
        return false;
    e->texts[e->text_count++] = text;
    while (*list != NULL && !sets(*list, name)) list++;
    *list = text;
    return true;
}

/* Variables from a driver to one process concern this process, if it is a run of another driver,
 * and not the target. Sanitizers shall report where failures are read: log_path= hides that. */
bool environment_make(environment *e) {
    size_t kept = 0;
    bool ok = true;
    e->list = calloc(text_count(environ) + 3, sizeof *e->list);
    if (e->list == NULL) return false;
    for (char **text = environ; *text != NULL; text++) {
        if (!sets(*text, "FRNG_INPUT") && !sets(*text, "FRNG_DRIVER")) e->list[kept++] = *text;
    }
    for (size_t i = 0; ok && i < VARIABLES; i++) {
        ok = strstr(value_in(e->list, variables[i]), "log_path=") == NULL ||
             put_option(e, e->list, variables[i], "log_path=stderr", false);
    }
    return ok;
}

bool environment_let_ubsan_halt(environment *e) {
    return strstr(value_in(e->list, variables[UBSAN]), "halt_on_error=") != NULL ||
           put_option(e, e->list, variables[UBSAN], UBSAN_HALTS, true);
}

void environment_make_terse(environment *e) {
    const size_t count = text_count(e->list);
    for (size_t i = 0; i < VARIABLES; i++) {
        if (strstr(value_in(e->list, variables[i]), "symbolize=") != NULL) return;
    }
    char **terse = calloc(count + VARIABLES + 1, sizeof *terse);
    bool ok = terse != NULL;
    if (ok) memcpy(terse, e->list, count * sizeof *terse);
    for (size_t i = 0; ok && i < VARIABLES; i++)
        ok = put_option(e, terse, variables[i], SANITIZER_OPTION, false);
    if (!ok) free(terse);
    e->terse = ok ? terse : NULL;
}

void environment_finish(environment *e) {
    for (size_t i = 0; i < e->text_count; i++) free(e->texts[i]);
    free(e->terse);
    free(e->list);
}
