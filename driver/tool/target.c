/* A target is a program with its arguments and its environment.
 *
 * What kind of target it is has to be known before its first run, and only its files can tell: a
 * target that was asked by a run might hang, and git bisect must not take a sanitizer that fails
 * under --memory for a failure of the input. So files are searched for texts that only such
 * programs have: the name of a variable of the protocol, the marker of frng_main.h, the symbols of
 * sanitizers. A compiler, a library or a text may have these words too. So the protocol is only
 * offered, and sanitizers count in the tables of names of a program alone. Files may be rebuilt
 * meanwhile, be large, or be no files: they are read in pieces (regular_read), and that stops in
 * time. */
#include "target.h"

#include "bytes.h"
#include "elf_file.h"
#include "messages.h"
#include "program.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRIPT_MAX = 1 << 20, SCRIPT_HEAD = 4096 };

/* ---- Files ---- */

typedef struct opened {
    int fd;
    uint64_t size;
} opened;

/* A search of a file. Returns what was found, which lives on, or NULL. */
typedef const void *file_search(const opened *f);

static const void *look_into(const char *path, uint64_t size_max, file_search *search) {
    opened f;
    f.fd = regular_open(AT_FDCWD, path, 0, &f.size);
    const void *found = f.fd >= 0 && f.size <= size_max ? search(&f) : NULL;
    if (f.fd >= 0) close(f.fd);
    return found;
}

/* ---- The target ---- */

static const void *goes_on_by_itself(const opened *f) {
    static const char option[] = "halt_on_error=0";
    return regular_holds(f->fd, 0, f->size, option, sizeof option - 1) ? option : NULL;
}

static void make_vectors(target_command *s, const char *name, char *const *args) {
    const size_t arg_count = text_count(args);
    s->argv = memory_zeroed(arg_count + 2, sizeof *s->argv);
    s->argv[0] = (char *)name;
    for (size_t i = 0; i < arg_count; i++) s->argv[1 + i] = memory_text("%s", args[i]);
    environment_make(&s->env);
    const uint64_t size_max = target_prints_reports(s) ? UINT64_MAX : SCRIPT_MAX;
    if (look_into(s->path, size_max, goes_on_by_itself) == NULL)
        environment_let_ubsan_halt(&s->env);
}

/* Return the hex BLAKE2b-256 of a file, which may be cut short meanwhile. NULL if it cannot be
 * read, is too large, or reading has to stop. */
static char *digest_of(const char *path) {
    enum { BYTES = crypto_generichash_BYTES, PIECE = 16 * 1024 }; /* stacks may be small */
    uint8_t piece[PIECE], digest[BYTES];
    crypto_generichash_state state;
    uint64_t size, at = 0;
    ssize_t count = 1;
    const int64_t deadline_ns = regular_deadline();
    const int fd = regular_open(AT_FDCWD, path, 0, &size);
    bool ok = fd >= 0 && size <= REGULAR_SIZE_MAX;
    crypto_generichash_init(&state, NULL, 0, BYTES);
    while (ok && at < size && count > 0) {
        count = regular_read(fd, at, piece, size - at < PIECE ? (size_t)(size - at) : PIECE);
        ok = count >= 0 && !regular_should_stop(deadline_ns);
        if (ok) crypto_generichash_update(&state, piece, (unsigned long long)count);
        at += ok ? (uint64_t)count : 0;
    }
    if (fd >= 0) close(fd);
    crypto_generichash_final(&state, digest, BYTES);
    char *hex = ok ? memory_new(2 * BYTES + 1) : NULL;
    if (hex != NULL) bytes_to_hex(digest, BYTES, hex);
    return hex;
}

void target_update(target_command *s) {
    free(s->digest);
    s->mark = file_stamp_of(s->path);
    s->digest = digest_of(s->path);
    const file_stamp then = file_stamp_of(s->path);
    if (file_stamp_equal(&then, &s->mark)) return;
    free(s->digest); /* perhaps of another build, or of parts of two */
    s->digest = NULL;
}

bool target_find(target_command *s, const char *name, char *const *args) {
    *s = (target_command){.path = program_find(name), .takes_file = texts_name_input(args)};
    if (s->path != NULL) make_vectors(s, name, args);
    return s->path != NULL;
}

bool target_make_absolute(target_command *s) {
    char *path = program_absolute(s->path);
    if (path == NULL) return program_cannot_start(s->path, errno);
    free(s->path);
    s->path = s->argv[0] = path;
    return true;
}

/* ---- Sanitizers ---- */

/* Each sanitizer has a function that all programs built with it call, and no other program has. Its
 * name may go on: a version, another function of the family, a library. */
static const struct sanitizer {
    const char *symbol; /* behind the zero of the name before it, in a table of names */
    const char *name;   /* of one that reserves address space; or NULL */
} sanitizers[] = {
    {"\0__asan_init", "AddressSanitizer"},
    {"\0__msan_init", "MemorySanitizer"},
    {"\0__tsan_init", "ThreadSanitizer"},
    {"\0__hwasan_init", "HWAddressSanitizer"},
    {"\0__lsan_init", NULL},
    {"\0liblsan.so", NULL},
    {"\0__ubsan_handle_", NULL},
};

/* Return the first sanitizer that a table of names shows; NULL for none. */
static const struct sanitizer *find_in_names(int fd, uint64_t offset, uint64_t size) {
    if (!regular_holds(fd, offset, size, "san_", 4) &&
        !regular_holds(fd, offset, size, "san.so", 6))
        return NULL; /* as in most tables, which may be large */
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++) {
        const char *symbol = sanitizers[i].symbol;
        if (regular_holds(fd, offset, size, symbol, 1 + strlen(symbol + 1))) return &sanitizers[i];
    }
    return NULL;
}

/* Search a file of any kind. Elsewhere in it the name of a symbol means nothing: compilers contain
 * it as text. Tables of a program do not overlap, so no more bytes of tables are read than the file
 * has. */
static const void *find_sanitizer(const opened *f) {
    elf_file elf;
    Elf64_Shdr section;
    uint64_t left = f->size;
    if (!elf_read_head(f->fd, &elf)) return NULL;
    for (unsigned k = 0; k < elf.head.e_shnum && elf_read_section(&elf, k, &section); k++) {
        if (section.sh_type != SHT_STRTAB || section.sh_size > left) continue;
        left -= section.sh_size;
        const struct sanitizer *found = find_in_names(f->fd, section.sh_offset, section.sh_size);
        if (found != NULL) return found;
    }
    return NULL;
}

bool target_takes_memory_limit(const target_command *s) {
    const struct sanitizer *found = look_into(s->path, UINT64_MAX, find_sanitizer);
    if (found == NULL || found->name == NULL) return true;
    return message(
        "%s: --memory cannot be used: it was built with %s, which reserves more address space "
        "than there is memory; build it without, or leave --memory out",
        s->path, found->name);
}

bool target_prints_reports(const target_command *s) {
    return look_into(s->path, UINT64_MAX, find_sanitizer) != NULL;
}

void target_finish(target_command *s) {
    free(s->path);
    for (size_t i = 1; s->argv != NULL && s->argv[i] != NULL; i++) free(s->argv[i]);
    free(s->argv);
    free(s->options);
    free(s->replay);
    environment_finish(&s->env);
    free(s->digest);
}

/* ---- What its files say ---- */

static bool is_of_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

/* True if a text has the word frng: as no part of another, and as no folder of a path, as that of
 * a clone. */
static bool has_word(const char *text, size_t size) {
    static const char word[] = "frng";
    const char *end = text + size, *at = text;
    const size_t length = sizeof word - 1;
    for (; (at = memmem(at, (size_t)(end - at), word, length)) != NULL; at += length) {
        const char before = at == text ? ' ' : at[-1];
        const char after = at + length == end ? ' ' : at[length];
        if (!is_of_word(before) && !is_of_word(after) && !(before == '/' && after == '/'))
            return true;
    }
    return false;
}

/* True if a script, which begins as a text does, without a zero, has the word. */
static bool is_script_with_word(const opened *f) {
    const size_t size = f->size < SCRIPT_MAX ? (size_t)f->size : SCRIPT_MAX;
    char *text = memory_new(size + 1);
    const ssize_t count = regular_read(f->fd, 0, text, size);
    const size_t head = count < SCRIPT_HEAD ? (size_t)count : SCRIPT_HEAD;
    const bool found =
        count > 0 && memchr(text, '\0', head) == NULL && has_word(text, (size_t)count);
    free(text);
    return found;
}

static const void *names_protocol(const opened *f) {
    static const char variable[] = "FRNG_DRIVER";
    const bool is_named = regular_holds(f->fd, 0, f->size, variable, sizeof variable - 1);
    return is_named || is_script_with_word(f) ? variable : NULL;
}

static const void *reads_frng_input(const opened *f) {
    static const char marker[] = "frng_main:1"; /* with its zero */
    return regular_holds(f->fd, 0, f->size, marker, sizeof marker) ? marker : NULL;
}

static const uint64_t ARGUMENT_SIZE_MAX = 256 << 20; /* the largest file of an argument */

/* Return the first file of at most this size that an argument names, with a sign. NULL for none. */
static const char *find_in_arguments(const target_command *s, uint64_t size, file_search *sign) {
    const int64_t deadline_ns = regular_deadline();
    for (size_t i = 1; s->argv != NULL && s->argv[i] != NULL; i++) {
        if (regular_should_stop(deadline_ns)) return NULL;
        if (look_into(s->argv[i], size, sign) != NULL) return s->argv[i];
    }
    return NULL;
}

/* Return a file of the command line with a sign: the one that is started, or one that an argument
 * names. NULL for none. Scripts come first, as what starts them may be large. */
static const char *find_sign(const target_command *s, file_search *sign) {
    const char *script = find_in_arguments(s, SCRIPT_MAX, sign);
    if (script != NULL) return script;
    if (look_into(s->path, UINT64_MAX, sign) != NULL) return s->path;
    return find_in_arguments(s, ARGUMENT_SIZE_MAX, sign);
}

bool target_reads_frng_input(const target_command *s) {
    return find_sign(s, reads_frng_input) != NULL;
}

const char *target_names_protocol(const target_command *s) { return find_sign(s, names_protocol); }
