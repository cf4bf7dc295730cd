/* Where a run crashed, by the symbols of its program.
 *
 * The target tells in which file, and at which offsets of it, the frames of a crash lie
 * (frng_crash.h). Their functions are in the symbol table of that file: the first that is neither
 * frng's own nor of the implementation is the site, by its line if the file has debug information.
 * It has no address, so that it outlives a build. */
#include "crash_site.h"

#include "bytes.h"
#include "elf_file.h"
#include "files.h"
#include "output_site.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CRASH_NAME_MAX = 256 };

/* ---- libdw, loaded with the first crash ----
 *
 * With the five libraries that it needs it would be a quarter of the start of each tool. */

#define DW_FUNCTIONS(each)                                                                         \
    each(dwarf_getsrc_die) each(dwarf_haspc) each(dwarf_lineno) each(dwarf_linesrc)                \
        each(dwfl_begin) each(dwfl_end) each(dwfl_module_addrinfo) each(dwfl_module_nextcu)        \
            each(dwfl_report_elf)

static struct {
#define DW_POINTER(name) __typeof__(name) *name;
    DW_FUNCTIONS(DW_POINTER)
} dw;

/* False if it is not there: then crashes have no places. */
static bool load_dw(void) {
    static bool is_complete;
    static void *library;
    if (library != NULL) return is_complete;
    library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    is_complete = library != NULL;
#define DW_LOAD(name)                                                                              \
    if (is_complete) is_complete = (*(void **)&dw.name = dlsym(library, #name)) != NULL;
    DW_FUNCTIONS(DW_LOAD)
    return is_complete;
}

/* ---- Names ---- */

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

/* Nothing but the file itself is looked at. */
static int find_none(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
                     const char *file, const char *link, GElf_Word checksum, char **found) {
    (void)m, (void)data, (void)name, (void)base;
    (void)file, (void)link, (void)checksum, (void)found;
    return -1;
}

/* Return the line of an address; NULL: unknown. Not all compilers write an index of the units. */
static Dwarf_Line *find_line(Dwfl_Module *m, Dwarf_Addr address) {
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    while ((unit = dw.dwfl_module_nextcu(m, unit, &bias)) != NULL)
        if (dw.dwarf_haspc(unit, address) > 0) return dw.dwarf_getsrc_die(unit, address);
    return NULL;
}

/* Write the site of a frame. Its line may be of a header from which code was inlined. */
static void name_frame(Dwfl_Module *m, Dwarf_Addr address, char site[SITE_MAX]) {
    char name[CRASH_NAME_MAX], place[PATH_MAX + 24];
    GElf_Off offset;
    GElf_Sym of;
    const char *symbol = dw.dwfl_module_addrinfo(m, address, &offset, &of, NULL, NULL, NULL);
    if (symbol == NULL || GELF_ST_TYPE(of.st_info) != STT_FUNC || offset >= of.st_size) return;
    write_source_name(symbol, name);
    snprintf(place, sizeof place, "#0 %s ", name);
    if (!is_own(name) || output_site_is_foreign(place)) return;
    Dwarf_Line *at = find_line(m, address);
    const char *path = at != NULL ? dw.dwarf_linesrc(at, NULL, NULL) : NULL, *file = place;
    int line = 0;
    if (path != NULL && dw.dwarf_lineno(at, &line) == 0 && line > 0)
        file = place + (path_base(path) - path);
    snprintf(place, sizeof place, "%.*s:%d", PATH_MAX, path != NULL ? path : "", line);
    const bool is_foreign = line <= 0 || !is_own(file) || output_site_is_foreign(place);
    site_join("", is_foreign ? name : file, site);
}

/* Take the descriptor. */
static void name_frames(const char *frames, int fd, const elf_file *f, char site[SITE_MAX]) {
    static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_none};
    Dwfl *all = dw.dwfl_begin(&callbacks);
    Dwfl_Module *m = all != NULL ? dw.dwfl_report_elf(all, "", "", fd, 0, true) : NULL;
    char *end = NULL;
    for (const char *at = frames; m != NULL && *at == '@' && site[0] == '\0'; at = end) {
        uint64_t address;
        if (elf_find_address(f, strtoull(at + 1, &end, 16), &address)) name_frame(m, address, site);
    }
    dw.dwfl_end(all);
    if (m == NULL) close(fd); /* else it was the module's */
}

/* Return the file of the frames. A name without its folders, which were long, is the program's. */
static const char *file_of(const char *frames, const char *program) {
    const char *file = strchr(frames, ' ') + 1;
    if (file[0] == '/') return file;
    return strcmp(file, path_base(program)) == 0 ? program : NULL;
}

void crash_site_name(const char *frames, const char *program, char site[SITE_MAX]) {
    enum { ROWS = 16 };
    static struct row {
        char frames[CRASH_NAME_MAX], site[SITE_MAX];
        file_stamp file;
    } rows[ROWS];
    static unsigned count;
    elf_file f;
    uint64_t size;
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
    const int fd = regular_open(AT_FDCWD, path, 0, &size);
    if (fd < 0) return;
    if (elf_read_head(fd, &f) && load_dw())
        name_frames(frames, fd, &f, site);
    else
        close(fd);
    struct row *row = &rows[count++ % ROWS];
    strcpy(row->frames, frames);
    strcpy(row->site, site);
    row->file = stamp;
}
