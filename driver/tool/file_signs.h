/* file_signs.h: what a file on the command line of a target says about how the target is run. Each
 * function is false for what is no regular file, or cannot be read, and waits for nothing. */
#ifndef FILE_SIGNS_H
#define FILE_SIGNS_H

#include <stdbool.h>
#include <stdint.h>

/* Larger files have no signs. */
#define FILE_SIGNS_ANY_SIZE UINT64_MAX

/* True if the file names the protocol: it contains FRNG_DRIVER, or it is a script, and has the word
 * `frng` in its first MiB. */
bool file_signs_protocol(const char *path, uint64_t size_max);

/* True if the file has the marker of frng_main.h, "frng_main:1" and a zero: the target reads
 * FRNG_INPUT, and not its stdin. */
bool file_signs_frng_input(const char *path, uint64_t size_max);

/* True if the file is a program of the other byte order. */
bool file_signs_other_order(const char *path, uint64_t size_max);

#endif
