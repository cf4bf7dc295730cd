#include "file_signs.h"

#include "regular.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRIPT_MAX = 1 << 20, SCRIPT_HEAD = 4096 };

/* An open file. */
typedef struct opened {
    int fd;
    uint64_t size;
} opened;

static bool open_file(opened *f, const char *path, uint64_t size_max) {
    f->fd = regular_open(AT_FDCWD, path, 0, &f->size);
    if (f->fd < 0) return false;
    if (f->size <= size_max) return true;
    close(f->fd);
    return false;
}

static bool holds(const opened *f, const char *words, size_t size) {
    return regular_holds(f->fd, 0, f->size, words, size);
}

/* True if the file begins as a text does: without a zero. */
static bool is_script(const opened *f) {
    char head[SCRIPT_HEAD];
    const ssize_t size = regular_read(f->fd, 0, head, sizeof head);
    return size > 0 && memchr(head, '\0', (size_t)size) == NULL;
}

static bool is_of_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

/* True if `before` and `after` can stand beside the word: it is no part of another, and no folder
 * of a path, as that of a clone. */
static bool is_apart(char before, char after) {
    return !is_of_word(before) && !is_of_word(after) && !(before == '/' && after == '/');
}

static bool has_word(const char *text, size_t size) {
    static const char word[] = "frng";
    const char *end = text + size, *at = text;
    const size_t length = sizeof word - 1;
    for (; (at = memmem(at, (size_t)(end - at), word, length)) != NULL; at += length) {
        const char before = at == text ? ' ' : at[-1];
        if (is_apart(before, at + length == end ? ' ' : at[length])) return true;
    }
    return false;
}

static bool holds_word(const opened *f) {
    const size_t size = f->size < SCRIPT_MAX ? (size_t)f->size : SCRIPT_MAX;
    char *text = malloc(size + 1);
    if (text == NULL) return false;
    const ssize_t read = regular_read(f->fd, 0, text, size);
    const bool found = read > 0 && has_word(text, (size_t)read);
    free(text);
    return found;
}

bool file_signs_protocol(const char *path, uint64_t size_max) {
    static const char variable[] = "FRNG_DRIVER";
    opened f;
    if (!open_file(&f, path, size_max)) return false;
    const bool found =
        holds(&f, variable, sizeof variable - 1) || (is_script(&f) && holds_word(&f));
    close(f.fd);
    return found;
}

bool file_signs_frng_input(const char *path, uint64_t size_max) {
    static const char marker[] = "frng_main:1";
    opened f;
    if (!open_file(&f, path, size_max)) return false;
    const bool found = holds(&f, marker, sizeof marker);
    close(f.fd);
    return found;
}

bool file_signs_other_order(const char *path, uint64_t size_max) {
    const unsigned char ours =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    unsigned char head[EI_NIDENT];
    opened f;
    if (!open_file(&f, path, size_max)) return false;
    const bool is_elf = regular_read(f.fd, 0, head, sizeof head) == (ssize_t)sizeof head &&
                        memcmp(head, ELFMAG, SELFMAG) == 0;
    close(f.fd);
    return is_elf && head[EI_DATA] != ours && head[EI_DATA] != ELFDATANONE;
}
