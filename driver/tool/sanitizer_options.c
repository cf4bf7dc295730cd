#include "sanitizer_options.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each sanitizer reads its own variable, and the options that they share from any. */
static const char *const variables[] = {"ASAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS",
                                        "TSAN_OPTIONS", "UBSAN_OPTIONS"};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

/* Return the value of a string of an environment if it is this variable, else NULL. */
static const char *value_of(const char *text, const char *variable) {
    const size_t length = strlen(variable);
    return strncmp(text, variable, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}

/* Return the value of a variable in an environment, or NULL. */
static const char *find_value(char *const *envp, const char *variable) {
    const char *value = NULL;
    for (; *envp != NULL && value == NULL; envp++) value = value_of(*envp, variable);
    return value;
}

static bool is_one_of_ours(const char *text) {
    for (size_t i = 0; i < VARIABLES; i++) {
        if (value_of(text, variables[i]) != NULL) return true;
    }
    return false;
}

/* True if an option of the user says what is to be symbolized. */
static bool has_user_chosen(char *const *envp) {
    for (size_t i = 0; i < VARIABLES; i++) {
        const char *value = find_value(envp, variables[i]);
        if (value != NULL && strstr(value, "symbolize=") != NULL) return true;
    }
    return false;
}

/* Append to `extended` the variables with the option at the end of the user's. Return false
 * without memory. */
static bool append(char **extended, size_t count, char *const *envp) {
    for (size_t i = 0; i < VARIABLES; i++) {
        const char *value = find_value(envp, variables[i]);
        const bool is_set = value != NULL && value[0] != '\0';
        if (asprintf(&extended[count + i], "%s=%s%s" SANITIZER_OPTION, variables[i],
                     is_set ? value : "", is_set ? ":" : "") < 0) {
            extended[count + i] = NULL;
            return false;
        }
    }
    return true;
}

char **sanitizer_options_environment(char *const *envp) {
    const size_t count = text_count(envp);
    size_t kept = 0;
    if (has_user_chosen(envp)) return NULL;
    char **extended = calloc(count + VARIABLES + 1, sizeof *extended);
    if (extended == NULL) return NULL;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        if (is_one_of_ours(envp[i])) continue;
        extended[kept] = strdup(envp[i]);
        ok = extended[kept++] != NULL;
    }
    if (ok && append(extended, kept, envp)) return extended;
    sanitizer_options_free(extended);
    return NULL;
}

void sanitizer_options_free(char **envp) {
    if (envp == NULL) return;
    for (char **text = envp; *text != NULL; text++) free(*text);
    free(envp);
}
