/* A program's code is searched for instructions that have a constant which a draw may need.
 *
 * A table of names tells which functions there are. Those whose code is nearest to that of main are
 * looked at first: they are mostly of the test. Those of frng compare much, and nothing that a
 * test draws: they are left out. No instruction is decoded from its beginning: each byte of a
 * function may begin one. What is read in the midst of another instruction is an entry more, and
 * does no harm.
 *
 * Compilers compare a text piece by piece with numbers of 1, 2, 4 and 8 letters. Pieces near each
 * other are put together, from each of the last few on, as nobody says where a text begins. The
 * file is untrusted, and may be large. */
#include "constants.h"

#include "bytes.h"
#include "elf_file.h"
#include "files.h"
#include "memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECE = 1 << 12,      /* of a function's code, looked at at once */
    INSTRUCTION_MAX = 24, /* bytes that are looked at from the first one on */
    CODE_MAX = 1 << 22,   /* bytes of code in all */
    TEXTS_MAX = 1 << 16,  /* addresses of texts */
    TABLE_MAX = 1 << 24,  /* bytes of a table of names */
    SECTIONS_MAX = 1 << 8,
    OPEN_MAX = 4,        /* texts that the next piece goes on with */
    LETTERS_APART = 40,  /* bytes of code from a piece to one of a letter, at most */
    POINTERS_BYTES = 256 /* of a table of texts */
};

typedef struct program {
    int fd;
    elf_file file;
    Elf64_Shdr sections[SECTIONS_MAX];
    unsigned section_count;
    uint64_t code_left;  /* bytes that may still be looked at */
    unsigned texts_left; /* the same of addresses of texts */
    dictionary *found;
    uint64_t piece_start, piece_size;             /* of the last one */
    char open[OPEN_MAX][DICTIONARY_TEXT_MAX + 1]; /* the newest first */
    size_t pointer_count;
    Elf64_Rela *pointers; /* addresses that the loader writes into data */
} program;

typedef struct place {
    const Elf64_Sym *symbol;
    uint64_t distance; /* from main */
} place;

static uint64_t number(const uint8_t *at, size_t size) {
    uint64_t value = 0;
    memcpy(&value, at, size);
    return value;
}

/* Return the section of data that holds an address, or NULL. */
static const Elf64_Shdr *data_at(const program *p, uint64_t address) {
    for (unsigned i = 0; i < p->section_count; i++) {
        const Elf64_Shdr *s = &p->sections[i];
        if (s->sh_type == SHT_PROGBITS &&
            (s->sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) == SHF_ALLOC &&
            address - s->sh_addr < s->sh_size)
            return s;
    }
    return NULL;
}

/* Take the text at an address, if one is there that ends soon. */
static void add_text(program *p, uint64_t address) {
    char text[DICTIONARY_TEXT_MAX + 2] = "";
    const Elf64_Shdr *s = data_at(p, address);
    if (s == NULL || p->texts_left == 0) return;
    p->texts_left--;
    const uint64_t at = address - s->sh_addr, size = smaller(sizeof text - 1, s->sh_size - at);
    if (regular_read(p->fd, s->sh_offset + at, text, size) > 0) dictionary_add_text(p->found, text);
}

/* Take the text at an address, or those of a table of texts there, whose addresses the loader
 * writes. */
static void add_texts(program *p, uint64_t address) {
    const Elf64_Shdr *s = data_at(p, address);
    if (s == NULL || (s->sh_flags & SHF_WRITE) == 0) {
        add_text(p, address);
        return;
    }
    size_t i = first_row_from(p->pointers, p->pointer_count, sizeof *p->pointers, address);
    for (; i < p->pointer_count && p->texts_left > 0; i++) {
        if (p->pointers[i].r_offset - address >= POINTERS_BYTES) break;
        add_text(p, (uint64_t)p->pointers[i].r_addend);
    }
}

/* Put a piece behind a text, or over its end if that begins the piece: compilers read some letters
 * twice. */
static void append_piece(char *text, const char *piece) {
    const size_t size = strlen(text), added = strlen(piece);
    size_t common = added < 2 ? 0 : smaller(size, added - 1);
    while (common > 0 && strncmp(text + size - common, piece, common) != 0) common--;
    if (size - common + added <= DICTIONARY_TEXT_MAX) strcpy(text + size - common, piece);
}

/* Take a number of the code at `address` as a piece of a text, if it has letters alone, and is not
 * in the midst of another one. */
static void add_piece(program *p, uint64_t value, size_t size, uint64_t address) {
    char piece[9] = "";
    size_t letters = 0;
    memcpy(piece, &value, size);
    while (piece[letters] >= ' ' && piece[letters] <= '~') letters++;
    if (letters == 0 || (letters < 8 && value >> 8 * letters != 0)) return;
    if (address - p->piece_start < p->piece_size) return;
    if (size == 1 && address - p->piece_start > LETTERS_APART) memset(p->open, 0, sizeof p->open);
    memmove(p->open[1], p->open[0], sizeof p->open - sizeof p->open[0]);
    p->open[0][0] = '\0';
    p->piece_start = address;
    p->piece_size = size;
    for (int i = 0; i < OPEN_MAX && (i == 0 || p->open[i][0] != '\0'); i++) {
        append_piece(p->open[i], piece);
        if (p->open[i][1] != '\0') dictionary_add_text(p->found, p->open[i]);
    }
}

static void add_constant(program *p, uint64_t value, size_t size, uint64_t address) {
    dictionary_add_number(p->found, value);
    add_piece(p, value, size, address);
}

/* Return the bytes of an operand: its ModRM byte, SIB and displacement. */
static size_t operand_size(const uint8_t *at) {
    const unsigned mode = at[0] >> 6, base = at[0] & 7;
    const bool has_sib = mode < 3 && base == 4;
    if (mode == 0 && (has_sib ? at[1] & 7 : base) == 5) return 1 + has_sib + 4U;
    return 1 + has_sib + (mode == 1 ? 1U : mode == 2 ? 4U : 0);
}

/* Look at what may be an instruction that begins here, at `address`. */
static void look(program *p, const uint8_t *code, uint64_t address) {
    enum { SUB = 5, XOR = 6, CMP = 7 };
    const uint8_t *at = code;
    const size_t size = *at == 0x66 ? 2 : 4;
    at += *at == 0x66;
    const bool is_wide = (*at & 0xf8) == 0x48;
    at += (*at & 0xf0) == 0x40;
    const unsigned way = at[1] >> 3 & 7;
    const uint8_t *behind = at + 1 + operand_size(at + 1);
    const bool compares = way == SUB || way == XOR || way == CMP;
    const uint64_t next = address + (uint64_t)(at + 1 - code),
                   after = address + (uint64_t)(behind - code);
    switch (*at) {
    case 0x2c:
    case 0x34:
    case 0x3c: add_constant(p, at[1], 1, next); break;
    case 0x2d:
    case 0x35:
    case 0x3d: add_constant(p, number(at + 1, size), size, next); break;
    case 0x80:
    case 0x83:
        if (compares) dictionary_add_number(p->found, behind[0]);
        if (compares && !is_wide) add_piece(p, behind[0], 1, after);
        break;
    case 0x81:
        if (compares) add_constant(p, number(behind, size), size, after);
        break;
    case 0x8d: /* lea: the address of a text, or a subtraction */
        if (at[1] >> 6 == 0 && (at[1] & 7) == 5)
            add_texts(p, after + (uint64_t)(int32_t)number(behind - 4, 4));
        else if (at[1] >> 6 == 2 && behind[-1] == 0xff)
            dictionary_add_number(p->found, -number(behind - 4, 4) & UINT32_MAX);
        break;
    default:
        if ((*at & 0xf8) != 0xb8) break; /* mov */
        if (is_wide || at[4] >= 128) {   /* cmp of 8 bytes has no such number */
            add_constant(p, number(at + 1, is_wide ? 8 : 4), is_wide ? 8 : 4, next);
        } else {
            add_text(p, number(at + 1, 4));
            add_piece(p, number(at + 1, 4), 4, next);
        }
    }
}

static void look_at_function(program *p, const Elf64_Sym *s) {
    uint8_t code[PIECE + INSTRUCTION_MAX];
    const Elf64_Shdr *section = &p->sections[s->st_shndx];
    const uint64_t offset = s->st_value - section->sh_addr + section->sh_offset;
    const uint64_t size = smaller(s->st_size, p->code_left);
    p->code_left -= size;
    memset(p->open, 0, sizeof p->open);
    for (uint64_t at = 0; at < size; at += PIECE) {
        memset(code, 0, sizeof code);
        const uint64_t wanted = smaller(sizeof code, size - at);
        if (regular_read(p->fd, offset + at, code, wanted) != (ssize_t)wanted) return;
        for (uint64_t i = 0; i < smaller(PIECE, wanted); i++)
            look(p, code + i, s->st_value + at + i);
    }
}

/* True of names of frng's functions in C, C++ and Rust, but not of a function whose arguments name
 * frng, as those of C++ do, and not of its templates in C++: those of a test are within. */
static bool is_of_frng(const char *name) {
    if (strncmp(name, "_ZN4frng", 8) == 0) return true;
    if (strncmp(name, "_Z", 2) == 0) name += 2 + (name[2] == 'L');
    for (int i = 0; i < 3 && *name >= '0' && *name <= '9'; i++) name++;
    return strncmp(name, "frng", 4) == 0;
}

/* True of functions that may be those of a test, or of what it tests. */
static bool is_looked_at(const program *p, const Elf64_Sym *s, const char *name) {
    return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
           s->st_shndx < p->section_count && strncmp(name, "__", 2) != 0 && !is_of_frng(name);
}

static int compare_places(const void *a, const void *b) {
    const place *x = a, *y = b;
    return x->distance < y->distance ? -1 : x->distance > y->distance;
}

/* Look at the functions, those nearest to main first; Go's own is main.main. */
static void look_at_functions(program *p, const Elf64_Sym *symbols, size_t count, const char *names,
                              uint64_t size) {
    place *places = memory_zeroed(count + 1, sizeof *places);
    size_t looked_at = 0;
    uint64_t start = 0;
    bool is_go = false;
    for (size_t i = 0; i < count; i++) {
        const char *name = symbols[i].st_name < size ? names + symbols[i].st_name : "__";
        if (!is_looked_at(p, &symbols[i], name)) continue;
        places[looked_at++].symbol = &symbols[i];
        if (is_go || strncmp(name, "main", 4) != 0) continue;
        is_go = strcmp(name + 4, ".main") == 0;
        if (is_go || name[4] == '\0') start = symbols[i].st_value;
    }
    for (size_t i = 0; i < looked_at; i++) {
        const uint64_t at = places[i].symbol->st_value;
        places[i].distance = at > start ? at - start : start - at;
    }
    qsort(places, looked_at, sizeof *places, compare_places);
    for (size_t i = 0; i < looked_at; i++) look_at_function(p, places[i].symbol);
    free(places);
}

static void look_at_names(program *p, const Elf64_Shdr *table) {
    if (table->sh_link >= p->section_count) return;
    const Elf64_Shdr *text = &p->sections[table->sh_link];
    if (table->sh_size > TABLE_MAX || text->sh_size > TABLE_MAX) return;
    const size_t count = table->sh_size / sizeof(Elf64_Sym);
    Elf64_Sym *symbols = memory_zeroed(count + 1, sizeof *symbols);
    char *names = memory_zeroed(text->sh_size + 1, 1);
    if (regular_read(p->fd, table->sh_offset, symbols, count * sizeof *symbols) > 0 &&
        regular_read(p->fd, text->sh_offset, names, text->sh_size) > 0)
        look_at_functions(p, symbols, count, names, text->sh_size);
    free(symbols);
    free(names);
}

/* Read the first table of addresses that the loader writes, as far as it is in ascending order. */
static void read_pointers(program *p) {
    for (unsigned i = 0; i < p->section_count && p->pointers == NULL; i++) {
        const Elf64_Shdr *s = &p->sections[i];
        if (s->sh_type != SHT_RELA || s->sh_size > TABLE_MAX) continue;
        p->pointers = memory_zeroed(s->sh_size + 1, 1);
        const ssize_t size = regular_read(p->fd, s->sh_offset, p->pointers, s->sh_size);
        const size_t count = size > 0 ? (size_t)size / sizeof *p->pointers : 0;
        while (p->pointer_count < count &&
               (p->pointer_count == 0 || p->pointers[p->pointer_count].r_offset >=
                                             p->pointers[p->pointer_count - 1].r_offset))
            p->pointer_count++;
    }
}

dictionary *constants_find(const char *path) {
    uint64_t size;
    program *p = memory_zeroed(1, sizeof *p);
    dictionary *found = memory_zeroed(1, sizeof *found);
    p->fd = regular_open(AT_FDCWD, path, 0, &size);
    p->code_left = CODE_MAX;
    p->texts_left = TEXTS_MAX;
    p->found = found;
    if (p->fd >= 0 && elf_read_head(p->fd, &p->file) && p->file.is_64 &&
        p->file.head.e_machine == EM_X86_64)
        p->section_count = p->file.head.e_shnum;
    if (p->section_count > SECTIONS_MAX) p->section_count = 0;
    for (unsigned i = 0; i < p->section_count; i++)
        if (!elf_read_section(&p->file, i, &p->sections[i])) p->section_count = 0;
    read_pointers(p);
    unsigned table = 0; /* a program has one */
    while (table < p->section_count && p->sections[table].sh_type != SHT_SYMTAB) table++;
    if (table < p->section_count) look_at_names(p, &p->sections[table]);
    free(p->pointers);
    if (p->fd >= 0) close(p->fd);
    free(p);
    if (found->lists[0].count + found->text_count > 0) return found;
    free(found);
    return NULL;
}
