/* files.h: stamps of files, files that others write meanwhile, and writes to slow readers. */
#pragma once

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Make a call to the system until no signal interrupts it. */
#define UNINTERRUPTED(call)                                                                        \
    __extension__({                                                                                \
        __typeof__(call) called;                                                                   \
        do called = (call);                                                                        \
        while (called < 0 && errno == EINTR);                                                      \
        called;                                                                                    \
    })

/* ---- Stamps: which file is behind a path, and was it written? ---- */

/* The identity of a file. All zero if unknown: there was no file, or it was not examined. */
typedef struct file_stamp {
    uint64_t device, inode, size; /* size in bytes */
    int64_t written_ns;           /* its modification time; of a folder, when anything changed */
} file_stamp;

/* Return the stamp of the file at `path`; unknown if there is none. */
file_stamp file_stamp_of(const char *path);

bool file_stamp_is_known(const file_stamp *m);

/* True if both stamps are of the same file with the same content, as far as metadata shows. An
 * unknown stamp equals nothing. */
bool file_stamp_equal(const file_stamp *a, const file_stamp *b);

/* True if both are of the same file, whatever was written to it meanwhile. */
bool file_stamp_is_same_file(const file_stamp *a, const file_stamp *b);

/* The same of paths. */
bool file_is_same(const char *path, const char *other);

/* ---- Regular files ----
 *
 * Other processes may write, replace or truncate them during a read. So they are read in pieces and
 * never mapped: a mapping of a truncated file kills its reader. */

/* Larger files are not searched: a sparse file can have any size, at no cost to its maker.
 * Searching a program of this size takes some seconds. */
#define REGULAR_SIZE_MAX (UINT64_C(4) << 30)

/* Open a file for reading, by its path relative to a folder (AT_FDCWD: the current one), with more
 * flags of open(2). Never waits. Only regular files are opened, since opening a device may have
 * effects. Returns a descriptor, with the file's size in *size; or -1 with errno, EISDIR for a
 * folder and EINVAL for another file that is not regular. */
int regular_open(int folder_fd, const char *path, int flags, uint64_t *size);

/* Read `size` bytes from `offset` on, or fewer at the file's end. Returns their count, or -1 with
 * errno. */
ssize_t regular_read(int fd, uint64_t offset, void *bytes, size_t size);

/* Return the time on the clock (clock.h) when reading a file that begins now has to stop: a busy
 * machine may take minutes for a file of REGULAR_SIZE_MAX. */
enum { REGULAR_READ_S = 10 };
int64_t regular_deadline(void);

/* True if the deadline has passed, or a signal is pending that stops the tool
 * (stream_heed_signals): it will end soon, and should stop reading large files. */
bool regular_should_stop(int64_t deadline_ns);

/* True if the `size` bytes from `offset` on contain `words`, at most REGULAR_WORDS_MAX bytes. False
 * also if the bytes cannot be read, exceed REGULAR_SIZE_MAX, or reading should stop. */
enum { REGULAR_WORDS_MAX = 64 };
bool regular_holds(int fd, uint64_t offset, uint64_t size, const void *words, size_t words_size);

/* ---- Writes to pipes and terminals ---- */

/* Set the signals that stop the tool, which it keeps blocked and checks for itself. */
void stream_heed_signals(const sigset_t *stopping);

/* Wait until the stream accepts a few kilobytes. Meanwhile the signals are unblocked and end the
 * process, which could not check for them. */
void stream_wait(FILE *stream);

/* Write the whole text, and flush it and earlier output. False with errno on an error. */
bool stream_write(FILE *stream, const char *text);

/* The same for a descriptor. A file gets the whole by one write, so that the lines of two writers
 * never mix. Returns 0 or an errno. */
int stream_send(int fd, const char *text, size_t size);

/* Write all bytes to a descriptor by one call, as long as the system takes them all; continue after
 * signals. Returns 0 or an errno. */
int stream_write_all(int fd, const void *bytes, size_t size);
