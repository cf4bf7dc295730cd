#include "signature.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

signature signature_of_status(int wait_status) {
    if (WIFSIGNALED(wait_status)) return (signature){SIGNATURE_SIGNAL, WTERMSIG(wait_status)};
    assert(WIFEXITED(wait_status));
    return (signature){SIGNATURE_EXIT, WEXITSTATUS(wait_status)};
}

int signature_shell_status(signature id) {
    switch (id.kind) {
    case SIGNATURE_EXIT: return id.value;
    case SIGNATURE_SIGNAL: return 128 + id.value;
    case SIGNATURE_TIMEOUT: return 124;
    }
    abort();
}

bool signature_equal(signature a, signature b) { return a.kind == b.kind && a.value == b.value; }

/* Names of the signals of POSIX and Linux, without SIG; NULL for others. */
static const char *const signal_names[] = {
    [SIGHUP] = "HUP",       [SIGINT] = "INT",       [SIGQUIT] = "QUIT", [SIGILL] = "ILL",
    [SIGTRAP] = "TRAP",     [SIGABRT] = "ABRT",     [SIGBUS] = "BUS",   [SIGFPE] = "FPE",
    [SIGKILL] = "KILL",     [SIGUSR1] = "USR1",     [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
    [SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM",     [SIGTERM] = "TERM", [SIGCHLD] = "CHLD",
    [SIGCONT] = "CONT",     [SIGSTOP] = "STOP",     [SIGTSTP] = "TSTP", [SIGTTIN] = "TTIN",
    [SIGTTOU] = "TTOU",     [SIGURG] = "URG",       [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ",
    [SIGPROF] = "PROF",     [SIGVTALRM] = "VTALRM", [SIGPOLL] = "POLL", [SIGWINCH] = "WINCH",
    [SIGPWR] = "PWR",       [SIGSYS] = "SYS",
#ifdef SIGSTKFLT
    [SIGSTKFLT] = "STKFLT",
#endif
};

enum { SIGNAL_NAMES = sizeof signal_names / sizeof signal_names[0] };

static void format_signal(int number, char text[SIGNATURE_TEXT_MAX]) {
    const char *name = number >= 0 && number < SIGNAL_NAMES ? signal_names[number] : NULL;
    if (name != NULL) {
        snprintf(text, SIGNATURE_TEXT_MAX, "signal:SIG%s", name);
    } else if (number >= SIGRTMIN && number <= SIGRTMAX) {
        snprintf(text, SIGNATURE_TEXT_MAX, "signal:SIGRTMIN+%d", number - SIGRTMIN);
    } else {
        snprintf(text, SIGNATURE_TEXT_MAX, "signal:%d", number);
    }
}

const char *signature_format(signature id, char text[SIGNATURE_TEXT_MAX]) {
    switch (id.kind) {
    case SIGNATURE_EXIT: snprintf(text, SIGNATURE_TEXT_MAX, "exit:%d", id.value); break;
    case SIGNATURE_SIGNAL: format_signal(id.value, text); break;
    case SIGNATURE_TIMEOUT: snprintf(text, SIGNATURE_TEXT_MAX, "timeout"); break;
    }
    return text;
}

/* Parse a decimal number in 1..max without sign, blanks or leading zeros. Return 0 for other
 * text. */
static int parse_small(const char *text, int max) {
    const size_t length = strlen(text);
    if (length > 3 || text[0] == '0' || strspn(text, "0123456789") != length) return 0;
    const int value = atoi(text);
    return value <= max ? value : 0;
}

/* Parse a second name of a signal. Return 0 for other text. */
static int parse_alias(const char *name) {
    if (strcmp(name, "IO") == 0) return SIGIO;
    if (strcmp(name, "IOT") == 0) return SIGIOT;
    return strcmp(name, "CLD") == 0 ? SIGCHLD : 0;
}

static int parse_signal(const char *text) {
    const int number = parse_small(text, SIGRTMAX);
    if (number > 0) return number;
    if (strncmp(text, "SIG", 3) == 0) text += 3;
    if (strncmp(text, "RTMIN+", 6) == 0) {
        const int offset = parse_small(text + 6, SIGRTMAX - SIGRTMIN);
        return offset > 0 || strcmp(text + 6, "0") == 0 ? SIGRTMIN + offset : 0;
    }
    for (int i = 1; i < SIGNAL_NAMES; i++) {
        if (signal_names[i] != NULL && strcmp(signal_names[i], text) == 0) return i;
    }
    return parse_alias(text);
}

bool signature_parse(const char *text, signature *id) {
    signature parsed = {SIGNATURE_TIMEOUT, 0};
    if (strncmp(text, "exit:", 5) == 0) {
        parsed = (signature){SIGNATURE_EXIT, parse_small(text + 5, 255)};
    } else if (strncmp(text, "signal:", 7) == 0) {
        parsed = (signature){SIGNATURE_SIGNAL, parse_signal(text + 7)};
    } else if (strcmp(text, "timeout") != 0) {
        return false;
    }
    if (parsed.kind != SIGNATURE_TIMEOUT && parsed.value == 0) return false;
    *id = parsed;
    return true;
}
