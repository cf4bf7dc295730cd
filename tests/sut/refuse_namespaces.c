/* refuse_namespaces.c: runs a program as container engines do, without new namespaces.
 *
 *     sut-refuse-namespaces PROGRAM [ARGUMENT...]
 *
 * clone and unshare fail with EPERM where a namespace is asked for; clone3, whose flags a filter
 * cannot see, with ENOSYS. All that it starts inherits that. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { SKIPPED = 77, BROKEN = 65, USAGE = 64 };

#ifdef ARCHITECTURE

#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |  \
     CLONE_NEWNET)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

static int refuse(void) {
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
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0 ? errno : 0;
}

#else

static int refuse(void) { return ENOTSUP; }

#endif

int main(int argc, char **argv) {
    if (argc < 2) return USAGE;
    errno = refuse();
    if (errno != 0) {
        perror("seccomp");
        return SKIPPED;
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return BROKEN;
}
