#include "proc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child that is being started and its parent share: the parent sleeps until the exec. */
typedef struct birth {
    const proc_command *command;
    const proc_setup *setup;
    pid_t parent;
    int error; /* errno of what failed in the child; 0 if nothing did */
} birth;

static bool move_descriptor(int from, int to) {
    if (from < 0) return true;
    if (from == to) return fcntl(to, F_SETFD, 0) == 0;
    return dup2(from, to) == to;
}

static bool open_stdin(const proc_setup *setup) {
    if (setup->stdin_path == NULL) return move_descriptor(setup->stdin_fd, STDIN_FILENO);
    const int fd =
        openat(setup->stdin_folder_fd, setup->stdin_path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return fd >= 0 && move_descriptor(fd, STDIN_FILENO);
}

static bool pass_on(const proc_setup *setup) {
    for (size_t i = 0; i < setup->inherited_count; i++) {
        if (fcntl(setup->inherited[i], F_SETFD, 0) != 0) return false;
    }
    return true;
}

static bool set_up_child(const birth *b) {
    const proc_setup *setup = b->setup;
    if (setup->dies_with_parent) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
        if (getppid() != b->parent) _exit(EXIT_FAILURE);
    }
    if (setup->place == PROC_OWN_GROUP && setpgid(0, 0) != 0) return false;
    if (setup->place == PROC_OWN_SESSION && setsid() < 0) return false;
    if (setup->memory_max > 0) {
        const struct rlimit limit = {setup->memory_max, setup->memory_max};
        if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
    }
    if (setup->file_max > 0) {
        const struct rlimit limit = {setup->file_max, setup->file_max};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    }
    if (signal(SIGPIPE, SIG_DFL) == SIG_ERR || signal(SIGXFSZ, SIG_DFL) == SIG_ERR ||
        signal(SIGCHLD, SIG_DFL) == SIG_ERR) {
        return false;
    }
    if (setup->folder != NULL && chdir(setup->folder) != 0) return false;
    return pass_on(setup) && open_stdin(setup) &&
           move_descriptor(setup->stdout_fd, STDOUT_FILENO) &&
           move_descriptor(setup->stderr_fd, STDERR_FILENO) &&
           sigprocmask(SIG_SETMASK, &setup->mask, NULL) == 0;
}

static int child_main(void *argument) {
    birth *b = argument;
    if (set_up_child(b)) execve(b->command->path, b->command->argv, b->command->envp);
    b->error = errno != 0 ? errno : EINVAL;
    return EXIT_FAILURE; /* which exits; _exit() here upsets sanitizers, as the stack is ours */
}

int proc_spawn(const proc_command *command, const proc_setup *setup, proc *child) {
    enum { STACK_BYTES = 64 * 1024 };
    static _Alignas(16) unsigned char stack[STACK_BYTES]; /* in use until clone() returns only */
    birth b = {command, setup, getpid(), 0};
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    child->pidfd = -1;
    child->pid = clone(child_main, stack + STACK_BYTES,
                       CLONE_VM | CLONE_VFORK | SIGCHLD | (setup->wants_pidfd ? CLONE_PIDFD : 0),
                       &b, &child->pidfd);
    const int clone_error = child->pid < 0 ? errno : 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (clone_error != 0) return clone_error;
    if (b.error != 0) proc_reap(child, false);
    return b.error;
}

static void on_nothing(int number) { (void)number; }

void proc_tick(void) {
    enum { TICK_US = 10000 };
    const struct sigaction action = {.sa_handler = on_nothing}; /* no SA_RESTART */
    const struct itimerval ticks = {{0, TICK_US}, {0, TICK_US}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &ticks, NULL);
}

bool proc_wait(const proc *child) {
    siginfo_t info;
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT) == 0 || errno != EINTR;
}

bool proc_has_ended(const proc *child) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child->pid;
}

static uint64_t resident_max(const struct rusage *usage) {
    return (uint64_t)usage->ru_maxrss * 1024; /* it counts KiB */
}

int proc_reap(proc *child, bool kill_group) {
    int status;
    pid_t reaped;
    struct rusage usage;
    if (kill_group) {
        while (!proc_wait(child)) {
        }
        kill(-child->pid, SIGKILL);
    }
    while ((reaped = wait4(child->pid, &status, 0, &usage)) < 0 && errno == EINTR) {
    }
    assert(reaped == child->pid);
    child->resident_max = resident_max(&usage);
    if (child->pidfd >= 0) close(child->pidfd);
    child->pidfd = -1;
    return status;
}

void proc_kill(const proc *child, bool kill_group) {
    kill(kill_group ? -child->pid : child->pid, SIGKILL);
}

void proc_wake(pid_t child) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOHANG) != 0 || info.si_pid != child) return;
    kill(child, SIGCONT);
}

static bool is_init; /* of a pid namespace of our own */

void proc_become_init(void) { is_init = true; }

void proc_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

/* Kill and reap each child that the kernel lists now. Returns how many there were. */
static unsigned end_children(pid_t except) {
    char path[64];
    int pid;
    unsigned count = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *list = fopen(path, "re");
    if (list == NULL) return 0;
    while (fscanf(list, "%d", &pid) == 1) {
        if (pid == except) continue;
        count++;
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    fclose(list);
    return count;
}

/* No process of the namespace escapes this by forking: the kernel looks at all of them at once. */
static void end_namespace(pid_t except) {
    kill(-1, SIGKILL);
    if (except != 0) {
        while (end_children(except) > 0) {
        }
        return;
    }
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {
    }
}

void proc_sweep(pid_t except) {
    /* Whoever forks faster than we kill adds one generation a round, so this ends; but not for
     * sure, hence a bound. */
    enum { ROUNDS = 10000, ROUNDS_OF_INIT = 20 };
    const int rounds = is_init ? ROUNDS_OF_INIT : ROUNDS;
    siginfo_t info;
    if (except == 0 && waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    if (except == 0 && is_init) {
        end_namespace(0);
        return;
    }
    for (int i = 0; i < rounds; i++) {
        if (end_children(except) == 0) return;
    }
    if (is_init) end_namespace(except);
}

int proc_tidy_descriptors(void) {
    int fd;
    do { /* what is printed to a stdout that was closed is lost, and must not seem to be written */
        fd = open("/dev/null", fcntl(STDOUT_FILENO, F_GETFD) < 0 ? O_RDONLY : O_RDWR);
        if (fd < 0) return errno;
    } while (fd <= STDERR_FILENO);
    close(fd);
    return close_range(STDERR_FILENO + 1, UINT_MAX, CLOSE_RANGE_CLOEXEC) == 0 ? 0 : errno;
}

bool proc_no_cores(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return false;
    limit.rlim_cur = limit.rlim_max >= 1 ? 1 : 0;
    return setrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 1;
}

bool proc_core_pipe(const char *pattern, char *program, size_t program_max) {
    char text[256] = ""; /* the kernel keeps 128 bytes */
    FILE *in = fopen(pattern, "re");
    if (in == NULL) return false;
    const bool is_read = fgets(text, sizeof text, in) != NULL;
    fclose(in);
    if (!is_read || text[0] != '|') return false;
    const char *name = text + 1 + strspn(text + 1, " \t");
    snprintf(program, program_max, "%.*s", (int)strcspn(name, " \t\n"), name);
    return true;
}

void proc_offer_to_oom_killer(void) {
    enum { OFFER = 1000 }; /* the most there is: nobody can be before it */
    FILE *file = fopen("/proc/self/oom_score_adj", "we");
    if (file == NULL) return;
    fprintf(file, "%d\n", OFFER);
    fclose(file);
}

uint64_t proc_resident_max(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? resident_max(&usage) : UINT64_MAX;
}

int proc_open_self(void) { return (int)syscall(SYS_pidfd_open, getpid(), 0); }

void proc_die_with(int parent_pidfd) {
    struct pollfd parent = {parent_pidfd, POLLIN, 0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || poll(&parent, 1, 0) != 0) _exit(EXIT_FAILURE);
}

static bool is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *proc_find(const char *name, const char *folders) {
    if (strchr(name, '/') != NULL) return strdup(name);
    while (name[0] != '\0') {
        const size_t length = strcspn(folders, ":");
        char *path = NULL;
        const int folder_length = length > 0 ? (int)length : 1;
        if (asprintf(&path, "%.*s/%s", folder_length, length > 0 ? folders : ".", name) < 0) {
            return NULL;
        }
        if (is_program(path)) return path;
        free(path);
        if (folders[length] == '\0') break;
        folders += length + 1;
    }
    errno = ENOENT;
    return NULL;
}

unsigned proc_cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    const int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}
