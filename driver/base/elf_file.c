/* How an ELF file is read: structs of 32 bits are widened to those of 64. */
#include "elf_file.h"

#include "files.h"

#include <string.h>

static bool read_at(const elf_file *f, uint64_t offset, void *to, uint64_t size) {
    return regular_read(f->fd, offset, to, size) == (ssize_t)size;
}

/* Define a function that reads a struct; the last argument widens the members that are used. */
#define COPY(MEMBER) .MEMBER = narrow.MEMBER
#define READER(NAME, TYPE, ...)                                                                    \
    static bool read_##NAME(const elf_file *f, uint64_t offset, Elf64_##TYPE *to) {                \
        Elf32_##TYPE narrow;                                                                       \
        if (f->is_64) return read_at(f, offset, to, sizeof *to);                                   \
        if (!read_at(f, offset, &narrow, sizeof narrow)) return false;                             \
        *to = (Elf64_##TYPE){__VA_ARGS__};                                                         \
        return true;                                                                               \
    }

READER(head, Ehdr, COPY(e_phoff), COPY(e_shoff), COPY(e_phnum), COPY(e_shnum), COPY(e_phentsize),
       COPY(e_shentsize))
READER(segment, Phdr, COPY(p_type), COPY(p_offset), COPY(p_vaddr), COPY(p_filesz))
READER(section, Shdr, COPY(sh_type), COPY(sh_offset), COPY(sh_size))

bool elf_read_head(int fd, elf_file *f) {
    const int order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    unsigned char ident[EI_NIDENT];
    f->fd = fd;
    if (!read_at(f, 0, ident, sizeof ident) || memcmp(ident, ELFMAG, SELFMAG) != 0) return false;
    f->is_64 = ident[EI_CLASS] == ELFCLASS64;
    return ident[EI_DATA] == order && read_head(f, 0, &f->head);
}

bool elf_read_section(const elf_file *f, uint64_t index, Elf64_Shdr *s) {
    return read_section(f, f->head.e_shoff + index * f->head.e_shentsize, s);
}

bool elf_find_address(const elf_file *f, uint64_t offset, uint64_t *address) {
    Elf64_Phdr p;
    for (unsigned i = 0; i < f->head.e_phnum; i++) {
        if (!read_segment(f, f->head.e_phoff + (uint64_t)i * f->head.e_phentsize, &p)) return false;
        if (p.p_type != PT_LOAD || offset < p.p_offset || offset - p.p_offset >= p.p_filesz)
            continue;
        *address = offset - p.p_offset + p.p_vaddr;
        return true;
    }
    return false;
}
