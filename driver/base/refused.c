#include "refused.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *const calls[] = {"memfd_create(2)", "signalfd4(2)", "socketpair(2)", "pipe2(2)",
                                    "prctl(2)"};

/* Try the call of this row, without effect. Returns 0 or an errno. */
static int try_call(size_t row) {
    int fds[] = {-1, -1}, result, signal_number;
    sigset_t none;
    sigemptyset(&none);
    switch (row) {
    case 0: result = fds[0] = memfd_create("refused", MFD_CLOEXEC); break;
    case 1: result = fds[0] = signalfd(-1, &none, SFD_CLOEXEC); break;
    case 2: result = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds); break;
    case 3: result = pipe2(fds, O_CLOEXEC); break;
    default: result = prctl(PR_GET_PDEATHSIG, &signal_number); break;
    }
    const int error = result < 0 ? errno : 0;
    if (fds[0] >= 0) close(fds[0]);
    if (fds[1] >= 0) close(fds[1]);
    return error;
}

const char *refused_call(int *error_number) {
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        *error_number = try_call(i);
        if (*error_number == EPERM || *error_number == ENOSYS) return calls[i];
    }
    return NULL;
}
