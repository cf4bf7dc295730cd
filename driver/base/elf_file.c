/* How an ELF file is read: structs of 32 bits are widened to those of 64. */
#include "elf_file.h"

#include "files.h"

#include <assert.h>
#include <stdlib.h>
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
       COPY(e_shentsize), COPY(e_shstrndx))
READER(segment, Phdr, COPY(p_type), COPY(p_offset), COPY(p_vaddr), COPY(p_filesz))
READER(section, Shdr, COPY(sh_name), COPY(sh_type), COPY(sh_flags), COPY(sh_offset), COPY(sh_size),
       COPY(sh_link))

elf_kind elf_read_head(int fd, elf_file *f) {
    const int order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    unsigned char ident[EI_NIDENT];
    f->fd = fd;
    if (!read_at(f, 0, ident, sizeof ident) || memcmp(ident, ELFMAG, SELFMAG) != 0) return ELF_NONE;
    f->is_64 = ident[EI_CLASS] == ELFCLASS64;
    if (ident[EI_DATA] != order) return ident[EI_DATA] == ELFDATANONE ? ELF_NONE : ELF_FOREIGN;
    return read_head(f, 0, &f->head) ? ELF_NATIVE : ELF_NONE;
}

bool elf_read_section(const elf_file *f, uint64_t index, Elf64_Shdr *s) {
    return read_section(f, f->head.e_shoff + index * f->head.e_shentsize, s);
}

static uint8_t *load(const elf_file *f, const Elf64_Shdr *s) {
    enum { SIZE_MAX_MIB = 64 };
    uint8_t *bytes = s->sh_size <= SIZE_MAX_MIB << 20 ? malloc(s->sh_size + 1) : NULL;
    if (bytes != NULL && read_at(f, s->sh_offset, bytes, s->sh_size)) return bytes;
    free(bytes);
    return NULL;
}

uint8_t *elf_load_section(const elf_file *f, const char *name, size_t *size) {
    char here[32];
    const size_t length = strlen(name) + 1;
    Elf64_Shdr names, s;
    assert(length <= sizeof here);
    if (!elf_read_section(f, f->head.e_shstrndx, &names)) return NULL;
    for (unsigned i = 0; i < f->head.e_shnum && elf_read_section(f, i, &s); i++) {
        if (!read_at(f, names.sh_offset + s.sh_name, here, length) ||
            memcmp(here, name, length) != 0)
            continue;
        *size = s.sh_size;
        return s.sh_type == SHT_PROGBITS && !(s.sh_flags & SHF_COMPRESSED) ? load(f, &s) : NULL;
    }
    return NULL;
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

/* Find the function at an address in a table of symbols; set where its name begins in the texts. */
static bool find_in_table(const elf_file *f, const Elf64_Shdr *table, uint64_t address,
                          uint64_t *name) {
    uint8_t *bytes = load(f, table);
    const uint64_t count = table->sh_size / (f->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
    bool is_found = false;
    for (uint64_t i = 0; bytes != NULL && i < count && !is_found; i++) {
        const Elf64_Sym *wide = (const Elf64_Sym *)bytes + i;
        const Elf32_Sym *narrow = (const Elf32_Sym *)bytes + i;
        const uint64_t start = f->is_64 ? wide->st_value : narrow->st_value;
        const uint64_t size = f->is_64 ? wide->st_size : narrow->st_size;
        const unsigned info = f->is_64 ? wide->st_info : narrow->st_info;
        *name = f->is_64 ? wide->st_name : narrow->st_name;
        is_found = ELF64_ST_TYPE(info) == STT_FUNC && address >= start && address - start < size;
    }
    free(bytes);
    return is_found;
}

/* A file has a table of each of two types. Libraries whose symbols are stripped still have those
 * that they export. */
bool elf_find_function(const elf_file *f, uint64_t address, char *name, size_t room) {
    Elf64_Shdr s, texts;
    uint64_t at;
    int tables = 0;
    memset(name, 0, room);
    for (unsigned i = 0; i < f->head.e_shnum && tables < 2 && elf_read_section(f, i, &s); i++) {
        if (s.sh_type != SHT_SYMTAB && s.sh_type != SHT_DYNSYM) continue;
        tables++;
        if (find_in_table(f, &s, address, &at))
            return elf_read_section(f, s.sh_link, &texts) &&
                   regular_read(f->fd, texts.sh_offset + at, name, room - 1) > 0;
    }
    return false;
}
