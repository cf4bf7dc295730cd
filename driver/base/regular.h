/* regular.h: regular files that others may write, replace or cut short while they are read. They
 * are read in pieces and never mapped: a map of a file that got shorter kills its reader. */
#ifndef REGULAR_H
#define REGULAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Files of more bytes are not read through: a sparse one can be as large as it likes, and costs its
 * maker nothing. A program of as many takes some seconds. */
#define REGULAR_SIZE_MAX (UINT64_C(4) << 30)

/* Open a file for reading, by its path in a folder (AT_FDCWD: from the current one), with more
 * flags of open(2). Never waits. What is no regular file is not opened, for a device may act on
 * that. Returns a descriptor, with the file's bytes now in *size; or -1 with errno: EINVAL for what
 * is no regular file. */
int regular_open(int folder_fd, const char *path, int flags, uint64_t *size);

/* Read `size` bytes from `offset` on, or as many as there are. Returns their count, or -1 with
 * errno. */
ssize_t regular_read(int fd, uint64_t offset, void *bytes, size_t size);

/* True if SIGINT, SIGTERM, SIGHUP or SIGQUIT is blocked and pending: the tool will end once it
 * looks, and what reads through a large file stops. */
bool regular_should_stop(void);

/* True if the `size` bytes from `offset` on hold words of at most REGULAR_WORDS_MAX bytes. False
 * too when they cannot be read, when there are more than REGULAR_SIZE_MAX, and when reading has to
 * stop. */
enum { REGULAR_WORDS_MAX = 64 };
bool regular_holds(int fd, uint64_t offset, uint64_t size, const void *words, size_t words_size);

#endif
