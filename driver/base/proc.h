/* proc.h: starting, watching and ending processes. The one place, with run/, that does so. */
#ifndef PROC_H
#define PROC_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A program to execute. All is borrowed. */
typedef struct proc_command {
    const char *path;  /* resolved: no search of PATH is made */
    char *const *argv; /* ended by NULL, argv[0] included */
    char *const *envp; /* ended by NULL */
} proc_command;

/* The place of a process among others. Signals from a terminal, and those sent to a process group,
 * reach those that share it; a session of its own has no terminal to open either. Measured: setsid
 * costs 13 us where the kernel makes a scheduling group of each session, setpgid 1 us. */
typedef enum proc_place { PROC_SAME_GROUP, PROC_OWN_GROUP, PROC_OWN_SESSION } proc_place;

/* How the new process starts. Descriptors become 0, 1 and 2; -1 keeps the old one. */
typedef struct proc_setup {
    int stdin_folder_fd;    /* where stdin_path begins: AT_FDCWD, or a folder */
    const char *stdin_path; /* opened read-only as 0 by the child, or NULL: stdin_fd */
    int stdin_fd, stdout_fd, stderr_fd;
    proc_place place;
    const char *folder;    /* where it starts; NULL: where the caller is */
    bool dies_with_parent; /* SIGKILL when the thread that spawned it ends */
    const int *inherited;  /* further descriptors that it gets, under their numbers; borrowed */
    size_t inherited_count;
    uint64_t memory_max; /* RLIMIT_AS in bytes; 0: as the caller's */
    uint64_t file_max;   /* RLIMIT_FSIZE in bytes; 0: as the caller's */
    sigset_t mask;       /* the signal mask it starts with */
} proc_setup;

typedef struct proc {
    pid_t pid;
    int pidfd; /* readable once it has ended; closed by proc_reap; -1 where the system has none */
    uint64_t resident_max; /* set by proc_reap: the most bytes of memory that it or a child that it
                              waited for held at once; at least what its parent had held until it
                              was started */
} proc;

/* Start a process: a vfork that shares the caller's memory until exec, so that its cost does not
 * grow with the caller. Returns 0, or the errno of what failed, exec included: a program that
 * cannot be started is never mistaken for one that ran. SIGPIPE, SIGXFSZ and SIGCHLD are at their
 * defaults in the child; all signals are blocked in the caller meanwhile. */
int proc_spawn(const proc_command *command, const proc_setup *setup, proc *child);

/* True if it has ended, or has been killed, and waits to be reaped. A child that is stopped since
 * it asked to be traced by its parent (PTRACE_TRACEME) is let go, so ask now and then. */
bool proc_has_ended(const proc *child);

/* The timeout of a poll() that waits for a child, with its pidfd among what it polls: the
 * milliseconds to `deadline_ns`, or until proc_has_ended should be asked again. */
int proc_look_ms(const proc *child, int64_t now_ns, int64_t deadline_ns);

/* Reap a process that has ended, or was killed; first kill what is left of its process group when
 * it leads one. (It is still a zombie then, so its number is not another's.) A child that cannot be
 * reaped in 100 ms may be traced by a process that it left: then all children are killed that are
 * not spared (orphans.h). Returns 0 with the wait status, ETIME after some seconds at most, or the
 * errno of a wait that was refused; then it is spared from then on (orphans.h). Closes the
 * pidfd. */
int proc_reap(proc *child, bool kill_group, int *status);

/* SIGKILL the process, and its process group when it leads one. */
void proc_kill(const proc *child, bool kill_group);

/* Continue a child if it was stopped (SIGSTOP) since this was last asked. */
void proc_wake(pid_t child);

/* Mend what a parent may have left: descriptors 0 to 2 are open (on /dev/null), all others close
 * on exec. Returns 0 or an errno. */
int proc_tidy_descriptors(void);

/* Close all descriptors but 0 to 2 and `fd`. Returns its number, which may be another now. */
int proc_keep_descriptor(int fd);

/* No core files: RLIMIT_CORE is 1, which stops a piped core_pattern as well, or 0 where the hard
 * limit forbids that: then it returns false. For this process and those it will start. */
bool proc_no_cores(void);

/* The file of the kernel's core_pattern. */
#define PROC_CORE_PATTERN "/proc/sys/kernel/core_pattern"

/* The program that a core_pattern in the file `pattern` pipes cores to, cut to the room there is.
 * False where it names none, or cannot be read. */
bool proc_core_pipe(const char *pattern, char *program, size_t program_max);

/* When memory runs out, the kernel is to take this process and those it will start before others:
 * before its parent. */
void proc_offer_to_oom_killer(void);

/* Return the most bytes of memory that this process has held at once. */
uint64_t proc_resident_max(void);

/* A pidfd of this process itself, close-on-exec; -1 with errno. */
int proc_open_self(void);

/* The calling process gets SIGKILL when its parent ends, or ends now if it has: `parent_pidfd` is
 * the parent's. (Its number says nothing in another pid namespace.) */
void proc_die_with(int parent_pidfd);

/* Find `name` as a shell does: itself when it holds a slash, else in one of `folders`, which
 * are separated by colons (PATH). A path that the caller frees, or NULL with errno. */
char *proc_find(const char *name, const char *folders);

/* Return how many processors this process may run on; at least 1. */
unsigned proc_cpu_count(void);

#endif
