/* How the line of an address is found.
 *
 * The section .debug_line has a unit for each file that was compiled: tables of folders and files,
 * and a program for a small machine, whose output are rows of an address, a file and a line. An
 * address belongs to the last row before it, within a sequence of rows. Units are read one by one
 * until one has it, since not all compilers write an index. All reads are bounded: one beyond the
 * end gives 0, and leaves nothing to read. */
#include "debug_line.h"

#include <stdio.h>
#include <string.h>

enum { FORMATS_MAX = 8 };

typedef struct line_unit {
    const debug_sections *sections;
    bool is_64; /* of offsets */
    uint64_t version, least, range, first_special;
    int64_t base;
    debug_bytes lengths, tables, program;
} line_unit;

typedef struct line_row {
    uint64_t address, file, line;
} line_row;

static size_t size_of(const debug_bytes *b) { return (size_t)(b->end - b->at); }

/* Take the first bytes, or all. */
static debug_bytes take_bytes(debug_bytes *b, uint64_t size) {
    const debug_bytes taken = {b->at, size < size_of(b) ? b->at + size : b->end};
    b->at = taken.end;
    return taken;
}

static uint64_t take(debug_bytes *b, size_t size) {
    const bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    uint64_t number = 0;
    const debug_bytes taken = take_bytes(b, size);
    if (size_of(&taken) < size || size > sizeof number) return 0;
    memcpy((uint8_t *)&number + (is_little ? 0 : sizeof number - size), taken.at, size);
    return number;
}

/* Take a number of 7 bits a byte, the low ones first. */
static uint64_t take_leb(debug_bytes *b, bool is_signed) {
    uint64_t number = 0, byte = 0x80;
    unsigned shift = 0;
    while (byte >= 0x80 && shift < 64) {
        byte = take(b, 1);
        number |= (byte & 0x7f) << shift;
        shift += 7;
    }
    return is_signed && shift < 64 && (byte & 0x40) != 0 ? number | UINT64_MAX << shift : number;
}

static const char *take_text(debug_bytes *b) {
    const uint8_t *end = size_of(b) > 0 ? memchr(b->at, '\0', size_of(b)) : NULL;
    const char *text = end != NULL ? (const char *)b->at : "";
    b->at = end != NULL ? end + 1 : b->end;
    return text;
}

static const char *text_at(debug_bytes texts, uint64_t offset) {
    take_bytes(&texts, offset);
    return take_text(&texts);
}

/* ---- The tables ---- */

/* Take a value of a form, as a number: that of a text is where it begins, in *texts. Unknown forms
 * end the table. */
static uint64_t take_value(const line_unit *u, debug_bytes *b, uint64_t form, debug_bytes *texts) {
    *texts = form == 0x0e ? u->sections->texts : form == 0x1f ? u->sections->line_texts : *b;
    switch (form) {
    case 0x08: take_text(b); break;
    case 0x0e:
    case 0x1f: return take(b, u->is_64 ? 8 : 4);
    case 0x09: take_bytes(b, take_leb(b, false)); break;
    case 0x1e: take_bytes(b, 16); break;
    case 0x0b: return take(b, 1);
    case 0x05: return take(b, 2);
    case 0x06: return take(b, 4);
    case 0x07: return take(b, 8);
    case 0x0f: return take_leb(b, false);
    default: b->at = b->end;
    }
    return 0;
}

/* Take a table of an older version, whose first entry is 1; those of files have numbers. */
static const char *take_old_table(debug_bytes *b, bool is_of_files, uint64_t index,
                                  uint64_t *folder) {
    const char *found = "", *text;
    for (uint64_t i = 1; (text = take_text(b))[0] != '\0'; i++) {
        const uint64_t number = is_of_files ? take_leb(b, false) : 0;
        if (is_of_files) take_leb(b, false), take_leb(b, false);
        if (i != index) continue;
        found = text;
        *folder = number;
    }
    return found;
}

/* Take a table, and return entry `index` of it, and the number of its folder. */
static const char *take_table(const line_unit *u, debug_bytes *b, bool is_of_files, uint64_t index,
                              uint64_t *folder) {
    enum { PATH = 1, FOLDER = 2 };
    uint64_t types[FORMATS_MAX], forms[FORMATS_MAX];
    const char *found = "";
    if (u->version < 5) return take_old_table(b, is_of_files, index, folder);
    const uint64_t formats = take(b, 1);
    for (uint64_t i = 0; i < formats; i++) {
        types[i % FORMATS_MAX] = take_leb(b, false);
        forms[i % FORMATS_MAX] = take_leb(b, false);
    }
    const uint64_t count = take_leb(b, false);
    if (formats == 0 || formats > FORMATS_MAX) b->at = b->end;
    for (uint64_t i = 0; i < count && size_of(b) > 0; i++) {
        for (uint64_t j = 0; j < formats; j++) {
            debug_bytes texts;
            const uint64_t number = take_value(u, b, forms[j], &texts);
            if (i == index && types[j] == PATH) found = text_at(texts, number);
            if (i == index && types[j] == FOLDER) *folder = number;
        }
    }
    return found;
}

static void name_file(const line_unit *u, uint64_t file, char path[DEBUG_PATH_MAX]) {
    debug_bytes folders = u->tables, files = u->tables;
    uint64_t number = 0, none = 0;
    take_table(u, &files, false, UINT64_MAX, &none);
    const char *name = take_table(u, &files, true, file, &number);
    const char *folder = take_table(u, &folders, false, number, &none);
    const bool is_whole = name[0] == '/' || folder[0] == '\0';
    snprintf(path, DEBUG_PATH_MAX, "%s%s%s", is_whole ? "" : folder, is_whole ? "" : "/", name);
}

/* ---- The program ---- */

static void advance(const line_unit *u, line_row *row, uint64_t opcode) {
    const uint64_t more = opcode - u->first_special;
    row->address += more / u->range * u->least;
    row->line += (uint64_t)u->base + more % u->range;
}

/* Take an instruction that is no special one. True if it makes a row, the last of its sequence if
 * it is set. */
static bool take_extended(debug_bytes *b, line_row *row, bool *is_last) {
    debug_bytes rest = take_bytes(b, take_leb(b, false));
    const uint64_t opcode = take(&rest, 1);
    *is_last = opcode == 1;
    if (opcode == 2) row->address = take(&rest, size_of(&rest));
    return *is_last;
}

static bool take_standard(const line_unit *u, debug_bytes *b, uint64_t opcode, line_row *row) {
    debug_bytes lengths = u->lengths;
    const uint64_t line = row->line;
    switch (opcode) {
    case 1: return true;
    case 2: row->address += take_leb(b, false) * u->least; break;
    case 3: row->line += take_leb(b, true); break;
    case 4: row->file = take_leb(b, false); break;
    case 8:
        advance(u, row, 255);
        row->line = line;
        break;
    case 9: row->address += take(b, 2); break;
    default:
        take_bytes(&lengths, opcode - 1);
        for (uint64_t i = take(&lengths, 1); i > 0; i--) take_leb(b, false);
    }
    return false;
}

/* Find the row of an address. A sequence at 0 is of a function that the linker left out. */
static bool find_row(const line_unit *u, uint64_t address, line_row *found) {
    const line_row start = {0, 1, 1};
    line_row row = start, before = start;
    bool is_first = true, is_left_out = false;
    debug_bytes b = u->program;
    while (size_of(&b) > 0) {
        const uint64_t opcode = take(&b, 1);
        bool is_row = opcode >= u->first_special, is_last = false;
        if (is_row)
            advance(u, &row, opcode);
        else if (opcode == 0)
            is_row = take_extended(&b, &row, &is_last);
        else
            is_row = take_standard(u, &b, opcode, &row);
        if (!is_row) continue;
        if (is_first) is_left_out = row.address == 0;
        if (!is_first && !is_left_out && before.address <= address && address < row.address) {
            *found = before;
            return true;
        }
        before = row;
        is_first = is_last;
        if (is_last) row = start;
    }
    return false;
}

/* Take a unit. False if its version is unknown, or it is broken. */
static bool take_unit(debug_bytes *lines, line_unit *u) {
    uint64_t size = take(lines, 4);
    u->is_64 = size == UINT32_MAX;
    if (u->is_64) size = take(lines, 8);
    debug_bytes b = take_bytes(lines, size);
    u->version = take(&b, 2);
    if (u->version >= 5) take(&b, 2);
    const uint64_t head = take(&b, u->is_64 ? 8 : 4);
    u->tables = take_bytes(&b, head);
    u->program = b;
    u->least = take(&u->tables, 1);
    take(&u->tables, u->version >= 4 ? 2 : 1);
    u->base = (int8_t)take(&u->tables, 1);
    u->range = take(&u->tables, 1);
    u->first_special = take(&u->tables, 1);
    u->lengths = take_bytes(&u->tables, u->first_special > 0 ? u->first_special - 1 : 0);
    return u->version >= 2 && u->version <= 5 && u->range > 0 && u->first_special > 0;
}

uint64_t debug_line_find(const debug_sections *s, uint64_t address, char path[DEBUG_PATH_MAX]) {
    debug_bytes lines = s->lines;
    line_unit u = {.sections = s};
    line_row row;
    while (size_of(&lines) > 0) {
        if (!take_unit(&lines, &u) || !find_row(&u, address, &row)) continue;
        name_file(&u, row.file, path);
        return path[0] != '\0' ? row.line : 0;
    }
    return 0;
}
