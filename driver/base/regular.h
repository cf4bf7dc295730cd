/* regular.h: regular files that other processes may write, replace or truncate during a read. They
 * are read in pieces and never mapped: a mapping of a truncated file kills its reader. */
#ifndef REGULAR_H
#define REGULAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Larger files are not searched: a sparse file can have any size, at no cost to its maker.
 * Searching a program of this size takes some seconds. */
#define REGULAR_SIZE_MAX (UINT64_C(4) << 30)

/* Open a file for reading, by its path relative to a folder (AT_FDCWD: the current one), with more
 * flags of open(2). Never waits. Only regular files are opened, since opening a device may have
 * effects. Returns a descriptor, with the file's size in *size; or -1 with errno, EINVAL for a file
 * that is not regular. */
int regular_open(int folder_fd, const char *path, int flags, uint64_t *size);

/* Read `size` bytes from `offset` on, or fewer at the file's end. Returns their count, or -1 with
 * errno. */
ssize_t regular_read(int fd, uint64_t offset, void *bytes, size_t size);

/* Return the time on the clock (clock.h) when reading a file that begins now has to stop: a busy
 * machine may take minutes for a file of REGULAR_SIZE_MAX. */
enum { REGULAR_READ_S = 10 };
int64_t regular_deadline(void);

/* True if the deadline has passed, or SIGINT, SIGTERM, SIGHUP or SIGQUIT is blocked and pending:
 * then the tool will end soon, and should stop reading large files. */
bool regular_should_stop(int64_t deadline_ns);

/* True if the `size` bytes from `offset` on contain `words`, at most REGULAR_WORDS_MAX bytes. False
 * also if the bytes cannot be read, exceed REGULAR_SIZE_MAX, or reading should stop. */
enum { REGULAR_WORDS_MAX = 64 };
bool regular_holds(int fd, uint64_t offset, uint64_t size, const void *words, size_t words_size);

#endif
