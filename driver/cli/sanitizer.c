#include "sanitizer.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each has a function that everything built with it calls, and no other program has. */
#define SYMBOL(name) "\0" name, sizeof "\0" name
static const struct sanitizer {
    const char *name, *symbol; /* as it stands in a table of names, after the end of another */
    size_t symbol_size;
} sanitizers[] = {
    {"AddressSanitizer", SYMBOL("__asan_init")},
    {"MemorySanitizer", SYMBOL("__msan_init")},
    {"ThreadSanitizer", SYMBOL("__tsan_init")},
    {"HWAddressSanitizer", SYMBOL("__hwasan_init")},
};

/* A program's file, which may be anything. */
typedef struct image {
    const uint8_t *bytes;
    size_t size;
} image;

static bool holds_range(const image *i, uint64_t at, uint64_t size) {
    return at <= i->size && size <= i->size - at;
}

/* The sanitizer whose symbol is in a table of names. That it is in one tells a program that calls
 * it from one that only speaks of it, as compilers do. */
static const char *find_in_names(const uint8_t *names, size_t size) {
    for (size_t k = 0; k < sizeof sanitizers / sizeof sanitizers[0]; k++) {
        const struct sanitizer *s = &sanitizers[k];
        if (memmem(names, size, s->symbol, s->symbol_size) != NULL) return s->name;
    }
    return NULL;
}

static const char *find_in_image(const image *i) {
    ElfW(Ehdr) head;
    if (i->size < sizeof head) return NULL;
    memcpy(&head, i->bytes, sizeof head);
    const uint8_t native = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != native) return NULL;
    for (uint64_t k = 0; k < head.e_shnum; k++) {
        ElfW(Shdr) section;
        if (head.e_shoff > i->size) return NULL;
        const uint64_t at = head.e_shoff + k * sizeof section;
        if (!holds_range(i, at, sizeof section)) return NULL;
        memcpy(&section, i->bytes + at, sizeof section);
        if (section.sh_type != SHT_STRTAB) continue;
        if (!holds_range(i, section.sh_offset, section.sh_size)) continue;
        const char *name = find_in_names(i->bytes + section.sh_offset, (size_t)section.sh_size);
        if (name != NULL) return name;
    }
    return NULL;
}

const char *sanitizer_of(const char *path) {
    struct stat status;
    const char *name = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return NULL;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        const size_t size = (size_t)status.st_size;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            const image whole = {bytes, size};
            name = find_in_image(&whole);
            munmap(bytes, size);
        }
    }
    close(fd);
    return name;
}
