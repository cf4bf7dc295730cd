/* refuse.c: runs a program to which system calls are refused, as by an old kernel or a sandbox.
 *
 *     sut-refuse EPERM|ENOSYS CALL[,CALL...] PROGRAM [ARGUMENT...]
 *     sut-refuse EPERM namespaces PROGRAM [ARGUMENT...]
 *
 * As in containers, with `namespaces` clone and unshare fail where one is asked for; and clone3,
 * whose flags a filter cannot see, with ENOSYS. All that it starts inherits that.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { USAGE = 64, BROKEN = 65, SKIPPED = 77, CALLS_MAX = 16 };

static const struct call {
    const char *name;
    unsigned number;
} calls[] = {
    {"kill", SYS_kill},
    {"wait4", SYS_wait4},
    {"waitid", SYS_waitid},
    {"ptrace", SYS_ptrace},
    {"memfd_create", SYS_memfd_create},
    {"prctl", SYS_prctl},
    {"socketpair", SYS_socketpair},
    {"signalfd4", SYS_signalfd4},
    {"pipe2", SYS_pipe2},
#ifdef SYS_pidfd_open
    {"pidfd_open", SYS_pidfd_open},
    {"pidfd_send_signal", SYS_pidfd_send_signal},
#endif
#ifdef SYS_openat2
    {"openat2", SYS_openat2},
#endif
};

/* The number of a call; 0 where it is not known. */
static unsigned number_of(const char *name) {
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strcmp(calls[i].name, name) == 0) return calls[i].number;
    }
    return 0;
}

static int load(unsigned short length, struct sock_filter *filter) {
    const struct sock_fprog program = {length, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0 ? errno : 0;
}

static int refuse(unsigned error, char *names) {
    struct sock_filter filter[2 * CALLS_MAX + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned short length = 1;
    for (const char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
        const unsigned number = number_of(name);
        if (number == 0 || length > 2 * CALLS_MAX) return EINVAL;
        const struct sock_filter is_call = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
        const struct sock_filter fail = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
        filter[length++] = is_call;
        filter[length++] = fail;
    }
    const struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[length++] = allow;
    return load(length, filter);
}

#ifdef ARCHITECTURE

#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |  \
     CLONE_NEWNET)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

static int refuse_namespaces(void) {
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_unshare, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        LOAD(args[0]), /* its lower half: little-endian */
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | EPERM),
        RETURN(SECCOMP_RET_ALLOW),
    };
    return load(sizeof filter / sizeof filter[0], filter);
}

#else

static int refuse_namespaces(void) { return ENOTSUP; }

#endif

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
