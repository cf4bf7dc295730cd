#include "browser.h"

#include "messages.h"
#include "proc.h"
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { WORDS_MAX = 32 };

/* Split a command into words, and put the path behind them. Returns false if it is none. */
static bool make_words(char *command, char *path, char *words[WORDS_MAX + 2]) {
    bool ok = true;
    size_t count = 0;
    for (char *word; count < WORDS_MAX && (word = words_next(&command, &ok)) != NULL;)
        words[count++] = word;
    words[count] = path;
    words[count + 1] = NULL;
    return ok && count > 0;
}

/* Start a command. Returns 0 or an errno. */
static int start(const char *command, const char *path, const sigset_t *mask) {
    char *words[WORDS_MAX + 2];
    char *copy = strdup(command), *argument = realpath(path, NULL), *program = NULL;
    int error = copy != NULL && argument != NULL ? 0 : errno;
    if (error == 0 && !make_words(copy, argument, words)) error = EINVAL;
    if (error == 0) {
        program = proc_find(words[0], getenv("PATH"));
        if (program == NULL) error = errno;
    }
    if (error == 0) {
        const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        const proc_setup setup = {.stdin_fd = nothing,
                                  .stdout_fd = nothing,
                                  .stderr_fd = nothing,
                                  .place = PROC_OWN_SESSION,
                                  .mask = *mask};
        proc child;
        error = proc_spawn(&(proc_command){program, words, environ}, &setup, &child);
        if (error == 0 && child.pidfd >= 0) close(child.pidfd);
        if (nothing >= 0) close(nothing);
    }
    free(program);
    free(argument);
    free(copy);
    return error;
}

void browser_show(const char *path, const sigset_t *mask) {
    const char *browser = getenv("BROWSER");
    const bool is_set = browser != NULL && browser[0] != '\0';
    const int error = start(is_set ? browser : "xdg-open", path, mask);
    if (error == 0) return;
    message_error(error, "%s: cannot be started to show %s", is_set ? browser : "xdg-open", path);
}
