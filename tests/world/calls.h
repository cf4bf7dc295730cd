/* calls.h: included before each source of the driver in this program: the calls to the system
 * that they make go to a folder in memory (folder.c). Those of --output files do not. */
#ifndef WORLD_CALLS_H
#define WORLD_CALLS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int world_openat(int at, const char *path, int flags, mode_t mode);
int world_memfd_create(const char *name, unsigned flags);
int world_close(int fd);
int world_fstat(int fd, struct stat *status);
int world_fstatat(int at, const char *path, struct stat *status, int flags);
int world_fsync(int fd);
int world_renameat(int at, const char *from, int to_at, const char *to);
int world_unlinkat(int at, const char *path, int flags);
int world_mkdir(const char *path, mode_t mode);
ssize_t world_write(int fd, const void *bytes, size_t size);
ssize_t world_pread(int fd, void *bytes, size_t size, off_t at);
DIR *world_fdopendir(int fd);
struct dirent *world_readdir(DIR *listing);
int world_closedir(DIR *listing);
void world_random(void *bytes, size_t size);
pid_t world_getpid(void);
int world_access(const char *path, int mode);
time_t world_time(time_t *now);

#ifndef WORLD_ITSELF
#define world_mode(flags, mode, ...) flags, mode
#define openat(at, path, ...) world_openat(at, path, world_mode(__VA_ARGS__, 0, 0))
#define open(path, ...) world_openat(AT_FDCWD, path, world_mode(__VA_ARGS__, 0, 0))
#define memfd_create world_memfd_create
#define close world_close
#define fstat(fd, status) world_fstat(fd, status)
#define fstatat world_fstatat
#define stat(path, status) world_fstatat(AT_FDCWD, path, status, 0)
#define lstat(path, status) world_fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW)
#define fsync world_fsync
#define renameat world_renameat
#define rename(from, to) world_renameat(AT_FDCWD, from, AT_FDCWD, to)
#define unlinkat world_unlinkat
#define unlink(path) world_unlinkat(AT_FDCWD, path, 0)
#define mkdir world_mkdir
#define write world_write
#define pread world_pread
#define fdopendir world_fdopendir
#define readdir world_readdir
#define closedir world_closedir
#define randombytes_buf world_random
#define getpid world_getpid
#define access world_access
#define time world_time
#endif

#endif
