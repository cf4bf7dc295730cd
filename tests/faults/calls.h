/* calls.h: the calls to the system that pass the seam, in one table.
 *
 * A row: name, type, result when it fails, parameters, arguments, errors that it can fail of. A
 * function with an ellipsis has the parameters that can follow: Linux passes them alike everywhere.
 * Files may be large (_FILE_OFFSET_BITS), so that open is open64. faults.c makes the wrappers
 * of the rows; meson.build, tests/packaging/layers.py and tests/cli/test_faults.py read them
 * here: each row begins a line with "CALL(". */
#ifndef CALLS_H
#define CALLS_H

// clang-format off
#define CALLS(CALL) \
    CALL(access, int, -1, (const char *path, int mode), (path, mode), "EIO ENOMEM") \
    CALL(bind, int, -1, (int fd, const void *name, socklen_t size), (fd, name, size), \
         "EADDRINUSE EACCES") \
    CALL(calloc, void *, NULL, (size_t count, size_t size), (count, size), "ENOMEM") \
    CALL(chdir, int, -1, (const char *path), (path), "EINVAL") \
    CALL(dup2, int, -1, (int from, int to), (from, to), "EMFILE") \
    CALL(execve, int, -1, (const char *path, char *const *argv, char *const *envp), \
         (path, argv, envp), "EAGAIN ENOMEM EIO") \
    CALL(faccessat, int, -1, (int at, const char *path, int mode, int flags), \
         (at, path, mode, flags), "EIO ENOMEM") \
    CALL(fchmod, int, -1, (int fd, mode_t mode), (fd, mode), "EIO") \
    CALL(fchmodat, int, -1, (int at, const char *path, mode_t mode, int flags), \
         (at, path, mode, flags), "EIO") \
    CALL(fcntl64, int, -1, (int fd, int what, void *more), (fd, what, more), "EINVAL") \
    CALL(fdopen, FILE *, NULL, (int fd, const char *mode), (fd, mode), "ENOMEM") \
    CALL(fdopendir, DIR *, NULL, (int fd), (fd), "EMFILE") \
    CALL(flock, int, -1, (int fd, int how), (fd, how), "EINTR ENOLCK") \
    CALL(fflush, int, EOF, (FILE * file), (file), "ENOSPC EIO") \
    CALL(fopen64, FILE *, NULL, (const char *path, const char *mode), (path, mode), \
         "EMFILE ENOMEM EACCES") \
    CALL(fputs, int, EOF, (const char *text, FILE *file), (text, file), "ENOSPC EIO") \
    CALL(fstat64, int, -1, (int fd, void *status), (fd, status), "EIO ENOMEM") \
    CALL(futimens, int, -1, (int fd, const void *times), (fd, times), "EIO") \
    CALL(linkat, int, -1, (int from_at, const char *from, int at, const char *to, int flags), \
         (from_at, from, at, to, flags), "EMLINK") \
    CALL(lseek64, int64_t, -1, (int fd, int64_t offset, int whence), (fd, offset, whence), "EIO") \
    CALL(fstatat64, int, -1, (int at, const char *path, void *status, int flags), \
         (at, path, status, flags), "EIO ENOMEM") \
    CALL(fsync, int, -1, (int fd), (fd), "ENOSPC EIO") \
    CALL(ftruncate64, int, -1, (int fd, int64_t size), (fd, size), "ENOSPC EINTR") \
    CALL(inotify_add_watch, int, -1, (int fd, const char *path, uint32_t mask), (fd, path, mask), \
         "ENOSPC") \
    CALL(inotify_init1, int, -1, (int flags), (flags), "EMFILE") \
    CALL(ioctl, int, -1, (int fd, unsigned long what, void *more), (fd, what, more), "EIO") \
    CALL(kill, int, -1, (pid_t pid, int number), (pid, number), "EPERM") \
    CALL(lstat64, int, -1, (const char *path, void *status), (path, status), "EIO ENOMEM") \
    CALL(malloc, void *, NULL, (size_t size), (size), "ENOMEM") \
    CALL(memfd_create, int, -1, (const char *name, unsigned flags), (name, flags), \
         "EMFILE ENOMEM") \
    CALL(mkdir, int, -1, (const char *path, mode_t mode), (path, mode), "ENOSPC EIO") \
    CALL(mkdirat, int, -1, (int at, const char *path, unsigned mode), (at, path, mode), \
         "ENOSPC EIO") \
    CALL(mmap64, void *, MAP_FAILED, \
         (void *at, size_t size, int protection, int flags, int fd, int64_t offset), \
         (at, size, protection, flags, fd, offset), "ENOMEM") \
    CALL(mount, int, -1, \
         (const char *source, const char *target, const char *type, unsigned long flags, const \
          void *data), \
         (source, target, type, flags, data), "EINVAL") \
    CALL(open64, int, -1, (const char *path, int flags, mode_t mode), (path, flags, mode), \
         "EMFILE ENOMEM EACCES") \
    CALL(opendir, DIR *, NULL, (const char *path), (path), "EMFILE") \
    CALL(open_memstream, FILE *, NULL, (char **text, size_t *size), (text, size), "ENOMEM") \
    CALL(openat64, int, -1, (int at, const char *path, int flags, mode_t mode), \
         (at, path, flags, mode), "EMFILE ENOMEM EACCES") \
    CALL(pipe2, int, -1, (int *ends, int flags), (ends, flags), "EMFILE") \
    CALL(poll, int, -1, (struct pollfd * fds, nfds_t count, int timeout_ms), \
         (fds, count, timeout_ms), "EINTR ENOMEM") \
    CALL(prctl, int, -1, \
         (int what, unsigned long a, unsigned long b, unsigned long c, unsigned long d), \
         (what, a, b, c, d), "EINVAL") \
    CALL(pread64, ssize_t, -1, (int fd, void *bytes, size_t size, int64_t offset), \
         (fd, bytes, size, offset), "EINTR EIO") \
    CALL(read, ssize_t, -1, (int fd, void *bytes, size_t size), (fd, bytes, size), "EINTR EIO") \
    CALL(readdir64, void *, NULL, (DIR * folder), (folder), "EIO") \
    CALL(readlinkat, ssize_t, -1, (int at, const char *path, char *text, size_t size), \
         (at, path, text, size), "ENOMEM EACCES") \
    CALL(realloc, void *, NULL, (void *old, size_t size), (old, size), "ENOMEM") \
    CALL(reallocarray, void *, NULL, (void *old, size_t count, size_t size), (old, count, size), \
         "ENOMEM") \
    CALL(realpath, char *, NULL, (const char *path, char *whole), (path, whole), "EIO ENOMEM") \
    CALL(recv, ssize_t, -1, (int fd, void *bytes, size_t size, int flags), \
         (fd, bytes, size, flags), "EINTR ENOMEM") \
    CALL(rename, int, -1, (const char *from, const char *to), (from, to), "ENOSPC EIO") \
    CALL(renameat, int, -1, (int from_at, const char *from, int to_at, const char *to), \
         (from_at, from, to_at, to), "ENOSPC EIO") \
    CALL(renameat2, int, -1, \
         (int from_at, const char *from, int to_at, const char *to, unsigned how), \
         (from_at, from, to_at, to, how), "ENOSPC EINVAL") \
    CALL(rmdir, int, -1, (const char *path), (path), "EIO") \
    CALL(send, ssize_t, -1, (int fd, const void *bytes, size_t size, int flags), \
         (fd, bytes, size, flags), "EINTR ENOBUFS") \
    CALL(setpgid, int, -1, (pid_t pid, pid_t group), (pid, group), "EPERM") \
    CALL(setrlimit64, int, -1, (int what, const void *limit), (what, limit), "EPERM") \
    CALL(setsid, pid_t, -1, (void), (), "EPERM") \
    CALL(signalfd, int, -1, (int fd, const sigset_t *set, int flags), (fd, set, flags), "EMFILE") \
    CALL(socket, int, -1, (int domain, int type, int protocol), (domain, type, protocol), \
         "EMFILE") \
    CALL(socketpair, int, -1, (int domain, int type, int protocol, int *ends), \
         (domain, type, protocol, ends), "EMFILE") \
    CALL(stat64, int, -1, (const char *path, void *status), (path, status), "EIO ENOMEM") \
    CALL(strdup, char *, NULL, (const char *text), (text), "ENOMEM") \
    CALL(strndup, char *, NULL, (const char *text, size_t size), (text, size), "ENOMEM") \
    CALL(symlinkat, int, -1, (const char *to, int at, const char *path), (to, at, path), "ENOSPC") \
    CALL(unlink, int, -1, (const char *path), (path), "EIO") \
    CALL(unlinkat, int, -1, (int at, const char *path, int flags), (at, path, flags), "EIO") \
    CALL(vasprintf, int, -1, (char **text, const char *format, va_list more), \
         (text, format, more), "ENOMEM") \
    CALL(waitid, int, -1, (int what, unsigned id, void *info, int flags), (what, id, info, flags), \
         "EINTR EPERM") \
    CALL(waitpid, pid_t, -1, (pid_t pid, int *status, int flags), (pid, status, flags), \
         "EINTR EPERM") \
    CALL(write, ssize_t, -1, (int fd, const void *bytes, size_t size), (fd, bytes, size), \
         "EINTR EIO ENOSPC")

/* Calls whose wrappers do more than fail: faults.c has them in full. */
#define SPECIAL_CALLS(CALL) \
    CALL(asprintf, int, "ENOMEM") \
    CALL(clone, int, "EAGAIN ENOMEM") \
    CALL(close, int, "EIO") \
    CALL(fork, int, "EAGAIN ENOMEM") \
    CALL(syscall, long, "EAGAIN EPERM")
// clang-format on

/* Calls that can fail and that the tools do not make: the first use of one needs a row above.
UNUSED:
   accept clone3 close_range connect copy_file_range creat dup dup3 epoll_create1 epoll_ctl
   epoll_wait eventfd execv execveat execvp fallocate fchdir fchmod fchown fdatasync fdopen futimens
   getdents inotify_init1 link linkat listen madvise mkdtemp mkostemp mkstemp mlock
   mprotect mremap pidfd_open pidfd_send_signal pipe pivot_root posix_fallocate posix_memalign
   posix_spawn ppoll prlimit pselect pwrite readlink readv recvfrom recvmsg
   select sendfile sendmsg sendto sethostname setns splice statfs statvfs symlink
   sync_file_range timer_create timerfd_create timerfd_settime truncate umount umount2 unshare
   utimensat vfork writev */

#endif
