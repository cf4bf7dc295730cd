#include "traced.h"

#include "procfs.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

void traced_let_go(pid_t thread, int signal_number) {
    siginfo_t info = {0};
    const bool is_exec = signal_number == SIGTRAP &&
                         ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) == 0 &&
                         info.si_code == SI_USER && info.si_pid == thread;
    ptrace(PTRACE_DETACH, thread, NULL, (void *)(intptr_t)(is_exec ? 0 : signal_number));
}

void traced_let_threads_go(pid_t child) {
    const struct dirent *entry;
    DIR *list = procfs_open_threads(child);
    if (list == NULL) return;
    while ((entry = readdir(list)) != NULL) {
        const pid_t thread = atoi(entry->d_name); /* 0 for "." and ".." */
        int status;
        if (thread <= 0 || thread == child) continue;
        if (waitpid(thread, &status, WNOHANG | __WALL) != thread) continue;
        if (WIFSTOPPED(status)) traced_let_go(thread, WSTOPSIG(status));
    }
    closedir(list);
}
