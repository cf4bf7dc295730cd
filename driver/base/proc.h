/* proc.h: starts, watches and ends processes, and those that they leave behind.
 *
 * Only this module and run/ do so. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A program to execute. All is borrowed. */
typedef struct proc_command {
    const char *path;  /* resolved: PATH is not searched */
    char *const *argv; /* ended by NULL, argv[0] included */
    char *const *envp; /* ended by NULL */
} proc_command;

/* The process group and session of a process. Signals from a terminal, or to a process group, reach
 * the whole group; a session of its own also has no terminal to open. Measured: setsid costs 13 us
 * on kernels with a scheduling group per session, setpgid 1 us. */
typedef enum proc_place { PROC_SAME_GROUP, PROC_OWN_GROUP, PROC_OWN_SESSION } proc_place;

/* The setup of a new process. Descriptors become 0, 1 and 2; -1 keeps the old one. */
typedef struct proc_setup {
    int stdin_fd, stdout_fd, stderr_fd;
    proc_place place;
    const char *folder;    /* its current folder; NULL: the caller's */
    bool dies_with_parent; /* it gets SIGKILL when the thread that started it ends */
    const int *inherited;  /* further descriptors, kept under their numbers; borrowed */
    size_t inherited_count;
    uint64_t memory_max; /* RLIMIT_AS in bytes; 0: the caller's */
    uint64_t file_max;   /* RLIMIT_FSIZE in bytes; 0: the caller's */
    sigset_t mask;       /* its initial signal mask */
} proc_setup;

typedef struct proc {
    pid_t pid;
    int pidfd; /* readable once the process has ended; closed by proc_reap; -1 if unsupported */
} proc;

/* Start a process with a vfork that shares the caller's memory until exec, so that the cost does
 * not grow with the caller. Returns 0, or the errno of a failed step, including exec: a program
 * that cannot be started is never mistaken for one that ran. SIGPIPE, SIGXFSZ and SIGCHLD have
 * their defaults in the child; all signals are blocked in the caller meanwhile. */
int proc_spawn(const proc_command *command, const proc_setup *setup, proc *child);

/* True if the process has ended or was killed, and awaits reaping. Call it regularly: it resumes a
 * child that has stopped because it asked for tracing by its parent (PTRACE_TRACEME). */
bool proc_has_ended(const proc *child);

/* Return the timeout of a poll() that waits for a child and polls its pidfd: the milliseconds until
 * `deadline_ns`, or until the next call of proc_has_ended is due. */
int proc_look_ms(const proc *child, int64_t now_ns, int64_t deadline_ns);

/* Reap a process that has ended or was killed. If it leads a process group, first kill the rest of
 * the group, while the unreaped process still reserves the group's number. If reaping takes more
 * than 100 ms, a process that the child left may trace it; then all children that are not spared
 * are killed. Returns 0 with the wait status, ETIME after at most some seconds, or the
 * errno of a refused wait. After an error the child is spared for good. Closes the pidfd. */
int proc_reap(proc *child, bool kill_group, int *status);

/* Send SIGKILL to the process, or to its process group if it leads one. */
void proc_kill(const proc *child, bool kill_group);

/* True if the process is stopped, by a signal or by one that traces it. */
bool proc_is_stopped(pid_t pid);

/* Continue a child if it was stopped (SIGSTOP) since the last call. */
void proc_wake(pid_t child);

/* Repair inherited descriptors: open 0 to 2 (on /dev/null) if closed, and set all others to close
 * on exec. Returns 0 or an errno. */
int proc_tidy_descriptors(void);

/* Close all descriptors except 0 to 2, `fd`, and that of /proc. */
void proc_keep_descriptor(int fd);

/* Return a pidfd of this process, close-on-exec; -1 with errno. */
int proc_open_self(void);

/* Have this process get SIGKILL when its parent ends, or exit now if the parent has ended.
 * `parent_pidfd` is the parent's, since its pid has no meaning in another pid namespace. */
void proc_die_with(int parent_pidfd);

/* Return the path of `name` as a shell finds it: itself if it contains a slash, else in one of
 * `folders`, separated by colons (PATH). The caller frees it. NULL with errno. */
char *proc_find(const char *name, const char *folders);

bool proc_is_program(const char *path);

/* Return the processors that the smallest quota allows, rounded up: cpu.max of the control group
 * (version 2) of this process and of those above it, below `root` ("": of this system). INT_MAX
 * without a quota. */
int proc_cpu_quota(const char *root);

/* Return the number of processors that this process may use, by its affinity and its quota. */
unsigned proc_cpu_count(void);

/* True if since the last call the kernel has killed a process for want of memory, in any control
 * group: oom_kill of proc/vmstat below `root` ("": of this system) rose. The kernel counts before
 * it kills. False where it does not tell. */
bool proc_oom_has_killed(const char *root);

/* ---- Orphans ----
 *
 * Children of this process that it did not start, or no longer waits for: orphaned descendants,
 * which the kernel reparents to it. */

/* From now on orphans among the descendants of this process become its children. No effect if it
 * already had children before its exec: those are spared, so their orphans would need sparing too,
 * but cannot be distinguished from ours. */
void orphans_adopt(void);

/* Forget the spared children, in a process that was just forked: they are not its children. If it
 * is pid 1 of a pid namespace that contains only its descendants, orphans_sweep can kill them all
 * at once. */
void orphans_begin_process(bool owns_namespace);

/* Exempt a child from orphans_sweep, until it is unspared. */
void orphans_spare(pid_t child);
void orphans_unspare(pid_t child);

/* Kill and reap all children that are not spared, and those that become children meanwhile. Costs
 * one system call if there are no children. Takes at most ORPHANS_SWEEP_MS: a child that cannot be
 * killed (it runs as another user) or does not die is given up. Processes may fork faster than they
 * are found. In a namespace of its own, this process then kills all others, including spared ones,
 * which the caller still reaps. */
enum { ORPHANS_SWEEP_MS = 2000 };
void orphans_sweep(void);

/* Return the CPU time of the processes that this one has waited for and, with all that it waited
 * for itself, of a child that lives (0: none). It is 10 ms off at most. */
int64_t proc_cpu_ns(pid_t child);

/* Return the number of living children of a process; 0 also if the kernel does not list them. */
unsigned orphans_count_children(pid_t pid);

/* Return the pid of the first child given up since the last call; 0: none. ORPHANS_UNKNOWN: the
 * kernel did not list the children to a sweep. */
enum { ORPHANS_UNKNOWN = -1 };
pid_t orphans_take_given_up(void);

/* ---- /proc, which is held open: a run of root can unmount it ---- */

/* Return its descriptor, which the first call opens: before any run. -1 with errno. */
int procfs(void);

/* Write a text to a file of it. */
bool procfs_write(const char *path, const char *text);

/* Close it, in a process that has mounted another one. */
void procfs_drop(void);
