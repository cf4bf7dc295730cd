/* Where a run crashed, by the symbols of its program.
 *
 * The target tells in which file, and at which offsets of it, the frames of a crash lie
 * (frng_crash.h). Their functions are in the symbol table of that file: the first that is neither
 * frng's own nor of the implementation is the site, by its line if the file has debug information.
 * It has no address, so that it outlives a build. A file is untrusted: each number is read once,
 * and bounds what is read. */
#include "crash_site.h"

#include "bytes.h"
#include "debug_line.h"
#include "files.h"
#include "output_site.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CRASH_NAME_MAX = 256 };

typedef struct program_file {
    int fd;
    bool is_64;
    Elf64_Ehdr head;
} program_file;

static bool read_at(const program_file *f, uint64_t offset, void *to, size_t size) {
    return regular_read(f->fd, offset, to, size) == (ssize_t)size;
}

/* Take a struct of either class from bytes; the last argument copies its members. */
#define COPY(MEMBER) to->MEMBER = small.MEMBER;
#define TAKER(NAME, TYPE, MEMBERS)                                                                 \
    static void take_##NAME(const program_file *f, const void *bytes, Elf64_##TYPE *to) {          \
        Elf32_##TYPE small;                                                                        \
        memcpy(f->is_64 ? (void *)to : &small, bytes, f->is_64 ? sizeof *to : sizeof small);       \
        if (f->is_64) return;                                                                      \
        MEMBERS                                                                                    \
    }
#define READER(NAME, TYPE, MEMBERS)                                                                \
    TAKER(NAME, TYPE, MEMBERS)                                                                     \
    static bool read_##NAME(const program_file *f, uint64_t offset, Elf64_##TYPE *to) {            \
        char bytes[sizeof *to];                                                                    \
        const size_t size = f->is_64 ? sizeof *to : sizeof(Elf32_##TYPE);                          \
        if (!read_at(f, offset, bytes, size)) return false;                                        \
        take_##NAME(f, bytes, to);                                                                 \
        return true;                                                                               \
    }

READER(head, Ehdr,
       COPY(e_phoff) COPY(e_shoff) COPY(e_phnum) COPY(e_shnum) COPY(e_phentsize) COPY(e_shentsize)
           COPY(e_shstrndx))
READER(segment, Phdr, COPY(p_type) COPY(p_offset) COPY(p_vaddr) COPY(p_filesz))
READER(section, Shdr,
       COPY(sh_name) COPY(sh_type) COPY(sh_flags) COPY(sh_offset) COPY(sh_size) COPY(sh_link))
TAKER(symbol, Sym, COPY(st_name) COPY(st_info) COPY(st_value) COPY(st_size))

static bool open_program(const char *path, program_file *f) {
    unsigned char ident[EI_NIDENT];
    uint64_t size;
    f->fd = regular_open(AT_FDCWD, path, 0, &size);
    if (f->fd < 0) return false;
    const int order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    if (read_at(f, 0, ident, sizeof ident) && memcmp(ident, ELFMAG, SELFMAG) == 0 &&
        ident[EI_DATA] == order) {
        f->is_64 = ident[EI_CLASS] == ELFCLASS64;
        if (read_head(f, 0, &f->head)) return true;
    }
    close(f->fd);
    return false;
}

/* Set the address at which an offset of the file is loaded, before any shift. */
static bool find_address(const program_file *f, uint64_t offset, uint64_t *address) {
    for (unsigned i = 0; i < f->head.e_phnum; i++) {
        Elf64_Phdr p;
        if (!read_segment(f, f->head.e_phoff + (uint64_t)i * f->head.e_phentsize, &p)) return false;
        if (p.p_type != PT_LOAD || offset < p.p_offset || offset - p.p_offset >= p.p_filesz)
            continue;
        *address = offset - p.p_offset + p.p_vaddr;
        return true;
    }
    return false;
}

static bool read_section_at(const program_file *f, uint64_t index, Elf64_Shdr *s) {
    return read_section(f, f->head.e_shoff + index * f->head.e_shentsize, s);
}

/* Read the name of the function at an address from a table of symbols. */
static bool find_function(const program_file *f, const Elf64_Shdr *table, uint64_t address,
                          char name[CRASH_NAME_MAX]) {
    enum { SYMBOLS_MAX = 1 << 20, PIECE = 256 };
    char bytes[PIECE * sizeof(Elf64_Sym)];
    Elf64_Shdr texts;
    Elf64_Sym s = {0};
    const uint64_t size = f->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    const uint64_t count = smaller(table->sh_size / size, SYMBOLS_MAX);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t in_piece = i % PIECE, left = smaller(count - i, PIECE);
        if (in_piece == 0 && !read_at(f, table->sh_offset + i * size, bytes, left * size))
            return false;
        take_symbol(f, bytes + in_piece * size, &s);
        if (ELF64_ST_TYPE(s.st_info) == STT_FUNC && address >= s.st_value &&
            address - s.st_value < s.st_size)
            break;
        if (i + 1 == count) return false;
    }
    memset(name, 0, CRASH_NAME_MAX);
    return count > 0 && read_section_at(f, table->sh_link, &texts) &&
           regular_read(f->fd, texts.sh_offset + s.st_name, name, CRASH_NAME_MAX - 1) > 0;
}

/* A file has one table of each type. Libraries whose symbols are stripped still have those that
 * they export. */
static bool find_symbol(const program_file *f, uint64_t address, char name[CRASH_NAME_MAX]) {
    static const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        Elf64_Shdr s = {.sh_type = SHT_NULL};
        for (unsigned i = 0; i < f->head.e_shnum && s.sh_type != types[k]; i++)
            if (!read_section_at(f, i, &s)) return false;
        if (s.sh_type == types[k] && find_function(f, &s, address, name)) return true;
    }
    return false;
}

/* Return the rest of a mangled name after the arguments of its template, which begin here. */
static const char *skip_arguments(const char *at) {
    int depth = 0;
    do {
        char *rest;
        const size_t length = isdigit((unsigned char)*at) ? strtoul(at, &rest, 10) : 0;
        if (length > 0) {
            at = rest + (length < strlen(rest) ? length : strlen(rest));
            continue;
        }
        if (*at == 'S') at += strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        depth += *at != '\0' && strchr("IJLNXF", *at) != NULL ? 1 : *at == 'E' ? -1 : 0;
        if (*at != '\0') at++;
    } while (depth > 0 && *at != '\0');
    return at;
}

/* Write a function's name in the program's source: "_ZN5queue3popEv" is "queue::pop", and what
 * compilers add to "pop.part.0" goes. A function of C++'s own library has none. */
static void write_source_name(const char *symbol, char name[CRASH_NAME_MAX]) {
    const char *at = symbol + 2;
    size_t length = 0;
    name[0] = '\0';
    while (strncmp(symbol, "_Z", 2) == 0 && *at != '\0') {
        char *part;
        if (*at == 'I') {
            at = skip_arguments(at);
            continue;
        }
        const size_t size = isdigit((unsigned char)*at) ? strtoul(at, &part, 10) : 0;
        if (size == 0 && (length > 0 || strchr("NLKrVOZ", *at++) == NULL)) break;
        if (size == 0) continue;
        if (size > strlen(part) || length + size + 3 > CRASH_NAME_MAX) break;
        at = part + size;
        if (strncmp(part, "_GLOBAL__N_1", 12) == 0) continue;
        length += (size_t)snprintf(name + length, CRASH_NAME_MAX - length, "%s%.*s",
                                   length > 0 ? "::" : "", (int)size, part);
    }
    if (strncmp(symbol, "_Z", 2) != 0)
        snprintf(name, CRASH_NAME_MAX, "%.*s", (int)strcspn(symbol, "."), symbol);
}

static bool is_own(const char *name) {
    return name[0] != '\0' && strncmp(name, "__", 2) != 0 && strncmp(name, "frng", 4) != 0;
}

/* Load a section into memory, which the caller frees. NULL without it, or if it is compressed. */
static uint8_t *load_section(const program_file *f, const char *name, debug_bytes *bytes) {
    enum { SIZE_MAX_MIB = 64 };
    char here[sizeof ".debug_line_str"];
    Elf64_Shdr names, s;
    if (!read_section_at(f, f->head.e_shstrndx, &names)) return NULL;
    for (unsigned i = 0; i < f->head.e_shnum; i++) {
        const size_t size = strlen(name) + 1;
        if (!read_section_at(f, i, &s)) return NULL;
        if (!read_at(f, names.sh_offset + s.sh_name, here, size) || memcmp(here, name, size) != 0)
            continue;
        const bool is_plain = (s.sh_flags & SHF_COMPRESSED) == 0 && s.sh_type == SHT_PROGBITS;
        uint8_t *loaded =
            is_plain && s.sh_size <= SIZE_MAX_MIB << 20 ? malloc(s.sh_size + 1) : NULL;
        if (loaded != NULL && read_at(f, s.sh_offset, loaded, s.sh_size))
            *bytes = (debug_bytes){loaded, loaded + s.sh_size};
        return loaded;
    }
    return NULL;
}

/* The sections of debug information, loaded when they are first wanted. */
typedef struct line_table {
    bool is_loaded;
    uint8_t *owned[3];
    debug_sections sections;
} line_table;

static void load_lines(const program_file *f, line_table *t) {
    if (t->is_loaded) return;
    t->is_loaded = true;
    t->owned[0] = load_section(f, ".debug_line", &t->sections.lines);
    t->owned[1] = load_section(f, ".debug_line_str", &t->sections.line_texts);
    t->owned[2] = load_section(f, ".debug_str", &t->sections.texts);
}

/* Write the site of a frame. Its line may be of a header from which code was inlined. */
static void name_frame(const program_file *f, line_table *t, uint64_t address,
                       char site[SITE_MAX]) {
    char symbol[CRASH_NAME_MAX], name[CRASH_NAME_MAX], path[DEBUG_PATH_MAX],
        place[DEBUG_PATH_MAX + 24];
    if (!find_symbol(f, address, symbol)) return;
    write_source_name(symbol, name);
    if (!is_own(name)) return;
    load_lines(f, t);
    const uint64_t line = debug_line_find(&t->sections, address, path);
    const char *file = line > 0 ? strrchr(path, '/') : NULL;
    file = file != NULL ? file + 1 : path;
    if (line > 0) snprintf(place, sizeof place, "%s:%" PRIu64, path, line);
    const bool is_foreign = line == 0 || !is_own(file) || output_site_is_foreign(place);
    site_join("", is_foreign ? name : place + (file - path), site);
}

static void name_frames(const char *frames, const program_file *f, char site[SITE_MAX]) {
    line_table lines = {.is_loaded = false};
    char *end = NULL;
    for (const char *at = frames; *at == '@' && site[0] == '\0'; at = end) {
        uint64_t address;
        if (find_address(f, strtoull(at + 1, &end, 16), &address))
            name_frame(f, &lines, address, site);
    }
    for (int i = 0; i < 3; i++) free(lines.owned[i]);
}

/* Return the file of the frames. A name without its folders, which were long, is the program's. */
static const char *file_of(const char *frames, const char *program) {
    const char *file = strchr(frames, ' ') + 1, *name = strrchr(program, '/');
    if (file[0] == '/') return file;
    return strcmp(file, name != NULL ? name + 1 : program) == 0 ? program : NULL;
}

void crash_site_name(const char *frames, const char *program, char site[SITE_MAX]) {
    enum { ROWS = 16 };
    static struct row {
        char frames[CRASH_NAME_MAX], site[SITE_MAX];
        file_stamp file;
    } rows[ROWS];
    static unsigned count;
    program_file f;
    site[0] = '\0';
    if (strcmp(frames, "@overflow") == 0) strcpy(site, "stack overflow");
    const char *path = strchr(frames, ' ') != NULL ? file_of(frames, program) : NULL;
    if (path == NULL || strlen(frames) >= CRASH_NAME_MAX) return;
    const file_stamp stamp = file_stamp_of(path);
    for (unsigned i = 0; i < ROWS && i < count; i++) {
        if (strcmp(rows[i].frames, frames) == 0 && file_stamp_equal(&rows[i].file, &stamp)) {
            strcpy(site, rows[i].site);
            return;
        }
    }
    if (!open_program(path, &f)) return;
    name_frames(frames, &f, site);
    close(f.fd);
    struct row *row = &rows[count++ % ROWS];
    strcpy(row->frames, frames);
    strcpy(row->site, site);
    row->file = stamp;
}
