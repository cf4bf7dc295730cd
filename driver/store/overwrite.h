/* overwrite.h: replace a small file on a disk that has no room for another one. */
#ifndef OVERWRITE_H
#define OVERWRITE_H

/* The largest file that can be overwritten: what one call writes at once, even if a kill
 * interrupts it. */
enum { OVERWRITE_MAX = 4096 };

/* Write a text, which ends with a newline, over a file of this user, which keeps its blocks, and
 * then rename it. A text that is shorter than the file is filled up with spaces before its last
 * newline. A kill at any instant leaves the old or the new text, whole. Return 0 when it is on
 * disk; ENOSPC if the blocks do not suffice, or one of the two is too large; or another errno. */
int overwrite_file(int folder_fd, const char *name, const char *new_name, const char *text);

#endif
