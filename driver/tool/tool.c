/* What all five tools do at their two ends.
 *
 * A tool first opens the standard descriptors that its caller closed, so that no file of ours
 * becomes standard output, and blocks the signals that stop it: they wait in a signalfd until the
 * tool has kept what it found. It then dies of that signal, so that a shell loop around it ends
 * too. While a tool waits for something of the user (a pipe without a writer, a terminal) the
 * signals are let through: nothing is lost then. */
#include "tool.h"

#include "clock.h"
#include "files.h"
#include "memory.h"
#include "messages.h"
#include "proc.h"

#include <errno.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* Return the signals that stop the tool. Signals ignored at its start (nohup, a shell's
 * background) stay ignored. */
static sigset_t stopping_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action;
        sigaction(numbers[i], NULL, &action);
        if (action.sa_handler != SIG_IGN) sigaddset(&set, numbers[i]);
    }
    return set;
}

bool tool_init(tool_signals *s, const char *program, int bug_status) {
    const sigset_t stopping = stopping_signals();
    const char *terminal = getenv("TERM");
    const bool is_dumb = /* it cannot rewrite a line */
        terminal == NULL || terminal[0] == '\0' || strcmp(terminal, "dumb") == 0;
    int error = proc_tidy_descriptors();
    message_init(program, isatty(STDERR_FILENO) && !is_dumb);
    if (error != 0) return message_error(error, "cannot prepare descriptors");
    if ((error = bug_init(bug_status)) != 0) return message_error(error, "cannot share memory");
    if (sodium_init() < 0) return message_error(EIO, "cannot get random numbers from the system");
    memory_reserve();
    json_set_alloc_funcs(memory_new, free);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* write reports an error instead */
    signal(SIGCHLD, SIG_DFL); /* inherited as ignored, it would discard exit statuses */
    sigprocmask(SIG_BLOCK, &stopping, &s->mask);
    stream_heed_signals(&stopping);
    clock_heed_pauses();
    s->signal_fd = signalfd(-1, &stopping, SFD_CLOEXEC | SFD_NONBLOCK);
    if (s->signal_fd >= 0) return true;
    return message_error(errno, "cannot listen to signals");
}

int tool_take_signal(tool_signals *s) {
    struct signalfd_siginfo info;
    if (read(s->signal_fd, &info, sizeof info) != (ssize_t)sizeof info) return 0;
    sigprocmask(SIG_SETMASK, &s->mask, NULL);
    return (int)info.ssi_signo;
}

void tool_let_through(sigset_t *held) {
    const sigset_t stopping = stopping_signals();
    sigprocmask(SIG_UNBLOCK, &stopping, held);
}

void tool_hold_back(const sigset_t *held) { sigprocmask(SIG_SETMASK, held, NULL); }

_Noreturn void tool_die_of(int number) {
    sigset_t set;
    fflush(NULL);
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    _exit(128 + number); /* pid 1 of a container survives its own signal */
}

void tool_given_up(pid_t pid) {
    if (pid == ORPHANS_UNKNOWN) {
        message("processes that runs leave behind cannot be found: /proc/PID/task/TID/children "
                "cannot be read");
        return;
    }
    message("process %d, which a run left behind, cannot be killed; it is left alone", (int)pid);
}

const char *tool_temp_folder(void) {
    const char *variable = getenv("TMPDIR");
    return variable != NULL && variable[0] != '\0' ? variable : "/tmp";
}

bool tool_open_work(work_folder *w) {
    const int error = work_folder_open(w, tool_temp_folder());
    return error == 0 || message_error(error, "%s: cannot be written", tool_temp_folder());
}

void tool_close_work(work_folder *w) {
    const work_folder before = *w;
    const int error = work_folder_close(w);
    if (error == 0) return;
    message("%s: cannot be removed: %s; look for a mount that a run left there", before.path,
            strerror(error));
}

bool tool_print(const char *text) {
    return stream_write(stdout, text) || message_error(errno, "standard output: cannot be written");
}

const char *tool_call_utc(char text[SUMMARY_UTC_MAX]) {
    const time_t now = time(NULL);
    struct tm utc;
    strftime(text, SUMMARY_UTC_MAX, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return text;
}

run_call tool_call_make(char *const *argv) {
    static char host[256], when[SUMMARY_UTC_MAX];
    const bool is_named = gethostname(host, sizeof host - 1) == 0;
    return (run_call){.tool = message_program(),
                      .host = is_named ? host : NULL,
                      .when = tool_call_utc(when),
                      .pid = (uint64_t)getpid(),
                      .argv = (const char *const *)argv};
}
