/* refuse.c: runs a program to which system calls are refused, as by an old kernel or a sandbox.
 *
 *     sut-refuse EPERM|ENOSYS CALL[,CALL...] PROGRAM [ARGUMENT...]
 *     sut-refuse EPERM namespaces PROGRAM [ARGUMENT...]
 *
 * As in containers, with `namespaces` clone and unshare fail where one is asked for; and clone3,
 * whose flags a filter cannot see, with ENOSYS. All that it starts inherits that.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { USAGE = 64, BROKEN = 65, SKIPPED = 77, CALLS_MAX = 16 };
enum {
    NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                 CLONE_NEWPID | CLONE_NEWNET
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(test, value, count) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, 0, count)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))

static const struct call {
    const char *name;
    unsigned number;
} calls[] = {
    {"clone", SYS_clone},
    {"fcntl", SYS_fcntl},
    {"ftruncate", SYS_ftruncate},
    {"kill", SYS_kill},
    {"memfd_create", SYS_memfd_create},
    {"openat2", SYS_openat2},
    {"pidfd_open", SYS_pidfd_open},
    {"pidfd_send_signal", SYS_pidfd_send_signal},
    {"pipe2", SYS_pipe2},
    {"prctl", SYS_prctl},
    {"ptrace", SYS_ptrace},
    {"setsid", SYS_setsid},
    {"signalfd4", SYS_signalfd4},
    {"socketpair", SYS_socketpair},
    {"wait4", SYS_wait4},
    {"waitid", SYS_waitid},
};

static int load(unsigned short length, struct sock_filter *filter) {
    const struct sock_fprog program = {length, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0 ? errno : 0;
}

static int refuse(unsigned error, char *names) {
    const struct sock_filter is_allowed = RETURN(SECCOMP_RET_ALLOW);
    struct sock_filter filter[2 * CALLS_MAX + 2] = {LOAD(nr)};
    unsigned short length = 1;
    for (const char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
        size_t i = 0;
        while (i < sizeof calls / sizeof calls[0] && strcmp(calls[i].name, name) != 0) i++;
        if (i == sizeof calls / sizeof calls[0] || length > 2 * CALLS_MAX) return EINVAL;
        const struct sock_filter pair[] = {SKIP_UNLESS(BPF_JEQ, calls[i].number, 1), REFUSE(error)};
        memcpy(filter + length, pair, sizeof pair);
        length += 2;
    }
    filter[length++] = is_allowed;
    return load(length, filter);
}

static int refuse_namespaces(void) {
    struct sock_filter filter[] = {
        LOAD(nr),
        SKIP_UNLESS(BPF_JEQ, __NR_clone3, 1),
        REFUSE(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_unshare, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        LOAD(args[0]), /* its lower half: little-endian */
        SKIP_UNLESS(BPF_JSET, NAMESPACES, 1),
        REFUSE(EPERM),
        RETURN(SECCOMP_RET_ALLOW),
    };
    return load(sizeof filter / sizeof filter[0], filter);
}

int main(int argc, char **argv) {
    if (argc < 4) return USAGE;
    const unsigned error = strcmp(argv[1], "ENOSYS") == 0 ? ENOSYS : EPERM;
    errno = strcmp(argv[2], "namespaces") == 0 ? refuse_namespaces() : refuse(error, argv[2]);
    if (errno != 0) {
        perror("sut-refuse");
        return SKIPPED;
    }
    execvp(argv[3], argv + 3);
    perror(argv[3]);
    return BROKEN;
}
