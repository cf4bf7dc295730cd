/* skipped_files.h: files that a tool skips in a folder of findings: a line for each of the first,
 * then a line with the count of the others. */
#ifndef SKIPPED_FILES_H
#define SKIPPED_FILES_H

#include <stdint.h>

typedef struct skipped_files {
    const char *folder; /* as the user wrote it; borrowed */
    uint64_t count;
} skipped_files;

enum { SKIPPED_FILES_LINES = 3 };

/* Count a file, and print its line if it is one of the first. The function of a
 * store_skipped whose context is a skipped_files. */
void skipped_files_add(void *context, const char *name, const char *why);

/* Print the count of the others, if there are any. The next file is a first one again. */
void skipped_files_end(skipped_files *s);

#endif
