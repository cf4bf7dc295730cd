#include "sanitizer.h"

#include "regular.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Each sanitizer has a function that all programs built with it call, and no other program has. */
#define SYMBOL(name) "\0" name, sizeof "\0" name
static const struct sanitizer {
    const char *name, *symbol; /* as in a table of names, after the zero of the name before */
    size_t symbol_size;
} sanitizers[] = {
    {"AddressSanitizer", SYMBOL("__asan_init")},
    {"MemorySanitizer", SYMBOL("__msan_init")},
    {"ThreadSanitizer", SYMBOL("__tsan_init")},
    {"HWAddressSanitizer", SYMBOL("__hwasan_init")},
};

/* These, too, print reports: the beginnings of symbols or of the names of libraries. */
#define BEGINNING(name) "", "\0" name, sizeof "\0" name - 1
static const struct sanitizer reporters[] = {
    {BEGINNING("__asan_init")},     {BEGINNING("__msan_init")}, {BEGINNING("__tsan_init")},
    {BEGINNING("__hwasan_init")},   {BEGINNING("__lsan_init")}, {BEGINNING("liblsan.so")},
    {BEGINNING("__ubsan_handle_")},
};

/* A list of sanitizers to look for. */
typedef struct search_list {
    const struct sanitizer *first;
    size_t count;
} search_list;

/* Return the sanitizer whose symbol is in a table of names. Elsewhere in the file the name means
 * nothing: compilers contain it as text. */
static const char *find_in_names(int fd, uint64_t offset, uint64_t size, search_list list) {
    for (size_t k = 0; k < list.count; k++) {
        const struct sanitizer *s = &list.first[k];
        if (regular_holds(fd, offset, size, s->symbol, s->symbol_size)) return s->name;
    }
    return NULL;
}

static bool read_part(int fd, uint64_t offset, void *part, size_t size) {
    return offset <= INT64_MAX && regular_read(fd, offset, part, size) == (ssize_t)size;
}

/* Search a file of any kind and of `size` bytes. Tables of a program do not overlap, so no more
 * than `size` bytes of tables are read. */
static const char *find_in_file(int fd, uint64_t size, search_list list) {
    ElfW(Ehdr) head;
    ElfW(Shdr) section;
    uint64_t left = size;
    if (!read_part(fd, 0, &head, sizeof head)) return NULL;
    const uint8_t native = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != native) return NULL;
    for (uint64_t k = 0; k < head.e_shnum; k++) {
        if (head.e_shoff > size) return NULL;
        if (!read_part(fd, head.e_shoff + k * sizeof section, &section, sizeof section))
            return NULL;
        if (section.sh_type != SHT_STRTAB || section.sh_size > left) continue;
        if (section.sh_offset > size || section.sh_size > size - section.sh_offset) continue;
        left -= section.sh_size;
        const char *name = find_in_names(fd, section.sh_offset, section.sh_size, list);
        if (name != NULL) return name;
    }
    return NULL;
}

static const char *find(const char *path, search_list list) {
    uint64_t size;
    const int fd = regular_open(AT_FDCWD, path, 0, &size);
    if (fd < 0) return NULL;
    const char *name = find_in_file(fd, size, list);
    close(fd);
    return name;
}

#define LIST(array) ((search_list){array, sizeof(array) / sizeof *(array)})

const char *sanitizer_of(const char *path) { return find(path, LIST(sanitizers)); }

bool sanitizer_reports(const char *path) { return find(path, LIST(reporters)) != NULL; }
