/* frng_usage.h: refuses calls of a program of frng_main.h that would test nothing.
 *
 * A test without entropy would pass, and an argument that no code reads would change nothing. Such
 * a program prints a line that begins with "frng: usage: ", and exits with status 2. Drivers know
 * that line (PROTOCOL.md), and do not count it as a failure of a run.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_USAGE_H
#define FRNG_USAGE_H

#include "frng_protocol.h"
#include "frng_shared.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { FRNG_EXIT_USAGE = 2, FRNG__NAME_MAX = 32 };

extern char **environ; /* strict C11 does not declare it */

/* True if a report is behind this descriptor, of either byte order. */
FRNG__ONCE bool frng__is_report(int file) {
    const off_t before = lseek(file, 0, SEEK_CUR); /* strict C11 hides pread */
    uint64_t magic = 0;
    bool is_read;
    if (before < 0 || lseek(file, 0, SEEK_SET) != 0) return false;
    is_read = read(file, &magic, sizeof magic) == (ssize_t)sizeof magic;
    lseek(file, before, SEEK_SET);
    return is_read && (magic == FRNG_REPORT_MAGIC || magic == FRNG_REPORT_MAGIC_REVERSED);
}

/* True if a driver of any version has started this program, not only a process that it started. */
FRNG__ONCE bool frng__has_driver(void) {
    const char *offer = getenv(FRNG_DRIVER_VARIABLE);
    int version, control, report, entropy, end = 0;
    if (offer == NULL ||
        sscanf(offer, "%d,%d,%d,%d%n", &version, &control, &report, &entropy, &end) != 4)
        return false; /* which would take a plain run for one of a driver, and pass */
    return version > 0 && (offer[end] == '\0' || offer[end] == ',') && frng__is_report(report);
}

/* Store the words by which this program was called, its own name alone. */
FRNG__ONCE void frng__program(char *path, int room) {
    FILE *file = fopen("/proc/self/cmdline", "r");
    if (file == NULL || fgets(path, room, file) == NULL) path[0] = '\0';
    if (file != NULL) fclose(file);
}

/* Return the letters to insert, delete or replace that make one word of another. */
FRNG__ONCE size_t frng__distance(const char *a, const char *b) {
    size_t row[FRNG__NAME_MAX + 1], length = strlen(b), k;
    if (strlen(a) > FRNG__NAME_MAX || length > FRNG__NAME_MAX) return FRNG__NAME_MAX;
    for (k = 0; k <= length; k++) row[k] = k;
    for (size_t i = 1; *a != '\0'; i++, a++) {
        size_t corner = row[0];
        row[0] = i;
        for (k = 1; k <= length; k++) {
            const size_t replaced = corner + (*a != b[k - 1]);
            const size_t other = 1 + (row[k] < row[k - 1] ? row[k] : row[k - 1]);
            corner = row[k];
            row[k] = replaced < other ? replaced : other;
        }
    }
    return row[length];
}

/* Return the word of a list, which ends with NULL, that is meant by another: one that differs in a
 * letter or two, or begins with it. NULL if none does. */
FRNG__ONCE const char *frng__nearest(const char *const *list, const char *word) {
    const char *nearest = NULL;
    size_t least = 3;
    for (; *list != NULL; list++) {
        const bool begins = strlen(word) > 2 && strncmp(*list, word, strlen(word)) == 0;
        const size_t distance = begins ? 1 : frng__distance(word, *list);
        if (distance >= least) continue;
        least = distance;
        nearest = *list;
    }
    return nearest;
}

/* Print a word on one line, whatever is in it. */
FRNG__ONCE void frng__print_word(const char *word) {
    size_t i;
    for (i = 0; i < 200 && word[i] != '\0'; i++) {
        const unsigned char c = (unsigned char)word[i];
        putc(c < ' ' || c == 127 ? '?' : c, stderr);
    }
    if (word[i] != '\0') fputs("...", stderr);
}

/* Print a word as any shell takes it. Bytes that a terminal could obey are octal: the output of
 * printf, which loses the newlines at its end, and the third character of IFS is one. */
FRNG__ONCE void frng__print_shell(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789@%+=:,./_-";
    size_t length = strlen(word), i = 0;
    while (i < length && word[i] >= ' ' && word[i] < 127) i++;
    if (length > 0 && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
    } else if (i == length) {
        putc('\'', out);
        for (i = 0; i < length; i++) fprintf(out, word[i] == '\'' ? "'\\''" : "%c", word[i]);
        putc('\'', out);
    } else {
        while (length > 0 && word[length - 1] == '\n') length--;
        fputs("\"$(printf '", out);
        for (i = 0; i < length; i++) {
            const bool is_bare = word[i] == '/' || (word[i] >= '.' && word[i] <= 'z' &&
                                                    strchr(plain, word[i]) != NULL);
            fprintf(out, is_bare ? "%c" : "\\%03o", (unsigned char)word[i]);
        }
        fputs("')\"", out);
        for (; word[length] != '\0'; length++) fputs("\"${IFS#??}\"", out);
    }
}

/* Print a text with the name of a program in place of each @. */
FRNG__ONCE void frng__print_program(FILE *out, const char *text, const char *program) {
    for (; *text != '\0'; text++) {
        if (*text == '@')
            frng__print_shell(out, program);
        else
            putc(*text, out);
    }
}

/* Say once which variables of the environment are none of frng's, but look like one. */
FRNG__ONCE void frng__check_variables(void) {
    static const char *const known[] = {FRNG__VARIABLES_0, FRNG__VARIABLES_1, NULL};
    static bool has_said;
    if (has_said || environ == NULL) return;
    has_said = true;
    for (char **text = environ; *text != NULL; text++) {
        char name[FRNG__NAME_MAX] = "";
        const char *nearest;
        if (strncmp(*text, "FRNG_", 5) != 0 || strcspn(*text + 5, "=") >= sizeof name) continue;
        memcpy(name, *text + 5, strcspn(*text + 5, "="));
        nearest = frng__nearest(known, name);
        if (nearest == NULL || strcmp(nearest, name) == 0) continue;
        fprintf(stderr, "frng: FRNG_%s " FRNG__NOT_KNOWN " FRNG_%s?\n", name, nearest);
    }
}

/* Say that there is no folder of findings: one that comes later is fine, a misspelt one is not. */
FRNG__ONCE void frng__name_absent(void) {
    const char *folder = getenv("FRNG_FINDINGS");
    struct stat status;
    if (folder == NULL || folder[0] == '\0' || stat(folder, &status) == 0 || errno != ENOENT)
        return;
    fputs("frng: FRNG_FINDINGS=", stderr);
    frng__print_word(folder);
    fputs(" is not there: no finding is replayed\n", stderr);
}

/* Refuse an argument. */
FRNG__ONCE int frng__refuse_argument(const char *word, const char *why) {
    static const char *const known[] = {"--check", "--help", NULL};
    const char *nearest = frng__nearest(known, word);
    fputs("frng: usage: unknown argument '", stderr);
    frng__print_word(word);
    if (why == NULL && nearest != NULL)
        fprintf(stderr, "'; did you mean %s?\n", nearest);
    else
        fprintf(stderr, "'%s\n", why != NULL ? why : "; this test takes --check, --help or none");
    return FRNG_EXIT_USAGE;
}

FRNG__ONCE int frng__print_help(const char *program) {
    frng__print_program(
        stdout,
        "@ is a test of frng: it takes random bytes, and fails where they break something.\n"
        "\n"
        "  @ --check        replays findings, then makes 1000 random runs: ctest, meson test\n"
        "  @ <FILE          makes one run, of the bytes of a file\n"
        "  frng-search @    finds the smallest input that fails\n"
        "\n"
        "With --check these variables count:\n"
        "  FRNG_RUNS=1000      runs              FRNG_REPLAY='size=16 seed=7'  one run alone\n"
        "  FRNG_SEED=N         the same runs     FRNG_PROFILE=ci  the same runs, ten times as "
        "many\n"
        "  FRNG_TIMEOUT=10     seconds of a run  FRNG_FINDINGS=DIR  findings, else in findings/\n"
        "  FRNG_SEARCH=1h      then frng-search  FRNG_REDUCE=0    without frng-reduce\n",
        program);
    return fflush(stdout) == 0 ? 0 : 1;
}

/* Look at the arguments of a program of FRNG_MAIN. Return -1 if they are in order, else the exit
 * status. */
FRNG__ONCE int frng__check_arguments(int count, char **words) {
    const bool is_help =
        count >= 2 && (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0);
    const bool is_known = is_help || (count >= 2 && strcmp(words[1], "--check") == 0);
    if (count > 2 && is_known)
        return frng__refuse_argument(words[2], "; nothing follows the first one");
    if (is_help && frng__has_driver()) return frng__refuse_argument(words[1], ": it makes no run");
    if (is_help) return frng__print_help(words[0]);
    return count < 2 || is_known ? -1 : frng__refuse_argument(words[1], NULL);
}

/* Return what stdin is if it holds no entropy; an empty file or pipe is an input of size 0. */
FRNG__ONCE const char *frng__no_entropy(void) {
    struct stat input, null;
    if (fstat(STDIN_FILENO, &input) != 0) return "closed";
    if (isatty(STDIN_FILENO)) return "a terminal";
    if (!S_ISCHR(input.st_mode) || stat("/dev/null", &null) != 0) return NULL;
    return input.st_rdev == null.st_rdev ? "/dev/null" : NULL;
}

/* Name a variable that is set, and that only --check reads. */
FRNG__ONCE void frng__name_unread(const char *before) {
    static const char *const names[] = {"FRNG_SEARCH", "FRNG_REPLAY",  "FRNG_RUNS",
                                        "FRNG_SEED",   "FRNG_PROFILE", NULL};
    for (const char *const *name = names; *name != NULL; name++) {
        const char *text = getenv(*name);
        if (text == NULL || text[0] == '\0') continue;
        fprintf(stderr, "%s%s is read with --check alone\n", before, *name);
        return;
    }
}

/* Refuse a run of entropy without an end, and free its beginning. */
FRNG__ONCE int frng__refuse_stream(const char *name, uint8_t *bytes) {
    free(bytes);
    fputs("frng: usage: ", stderr);
    frng__print_word(name);
    fprintf(stderr, " is no file, and has %d MiB or more: name a file of them, or take less\n",
            FRNG_STREAM_MIB);
    return FRNG_EXIT_USAGE;
}

/* Refuse a run without entropy. */
FRNG__ONCE int frng__refuse_run(const char *stdin_is, bool can_check) {
    char program[4096];
    frng__program(program, sizeof program);
    fprintf(stderr, "frng: usage: no entropy: stdin is %s\n", stdin_is);
    frng__print_program(
        stderr,
        can_check ? "  @ --check        makes 1000 random runs: for ctest, meson test\n"
                    "  frng-search @    finds the smallest input that fails; @ <FILE runs one\n"
                  : "  frng-search @    finds the smallest input that fails\n"
                    "  @ <FILE          makes one run, of the bytes of a file\n",
        program);
    if (can_check) frng__name_unread("  ");
    return FRNG_EXIT_USAGE;
}

#endif
