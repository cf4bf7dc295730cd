/* A program is found as a shell finds it, by a path or on PATH.
 *
 * It is checked before anything starts it: whatever is wrong is one line that says what to do.
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
#include "phrase.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Programs ---- */

/* True if the string of an environment sets this variable. */
static bool sets(const char *text, const char *variable) {
    const size_t length = strlen(variable);
    return strncmp(text, variable, length) == 0 && text[length] == '=';
}

const char *program_folders(void) {
    const char *folders = getenv("PATH");
    return folders != NULL ? folders : "/usr/local/bin:/usr/bin:/bin";
}

char *program_beside(const char *tool, const char *other) {
    char *path = NULL;
    const int folder_length = (int)(path_base(tool) - tool);
    return asprintf(&path, "%.*s%s", folder_length, tool, other) < 0 ? NULL : path;
}

void program_not_on_path(const char *name) {
    struct stat status;
    if (stat(name, &status) == 0 && S_ISDIR(status.st_mode)) {
        message("%s: is a folder; give the program in it", name);
    } else if (access(name, F_OK) == 0) {
        message("%s: not found on PATH; for the file in this folder say ./%s", name, name);
    } else {
        message("%s: not found on PATH; give the path to the program", name);
    }
}

void program_cannot_start(const char *path, int error_number) {
    const char *why =
        error_number == ENOENT ? "its interpreter was not found; check the first line of a "
                                 "script, or the loader of a binary"
        : error_number == ENOEXEC
            ? "not a program of this machine; a script begins with #! and its "
              "interpreter"
        : error_number == EACCES ? "permission denied; check that it, its interpreter and its "
                                   "folders may be executed"
                                 : NULL;
    if (error_number == ENOENT && access(path, F_OK) != 0) {
        message("%s: not found; check the path, or build it first", path);
    } else if (why != NULL) {
        message("%s: cannot be started: %s", path, why);
    } else {
        message_error(error_number, "%s: cannot be started", path);
    }
}

/* Return the bytes of the line of the output that begins at `first`. */
static int line_length(const bytes_tail *output, const uint8_t *first) {
    const size_t left = output->size - (size_t)(first - output->bytes);
    const uint8_t *end = memchr(first, '\n', left);
    return (int)(end != NULL ? (size_t)(end - first) : left);
}

bool program_print_fault(const char *path, const outcome *error, const bytes_tail *output) {
    if (error->fault == FAULT_EXEC) {
        program_cannot_start(path, error->error_number);
    } else if (outcome_is_unstarted(error)) {
        const bool is_usage = error->fault == FAULT_USAGE;
        const uint8_t *first = is_usage ? outcome_usage_line(output) : output->bytes;
        const int length = line_length(output, first);
        const char *line = (const char *)first;
        if (is_usage)
            message("%s: %s: %.*s", path,
                    outcome_is_limit(error) ? "a run cannot be judged" : "cannot be run", length,
                    line);
        else if (error->fault == FAULT_LINKER)
            message("%s: cannot be loaded: %.*s", path, length, line);
        else
            message("%s: cannot be started: exits with %d without reading its input%s%.*s", path,
                    WEXITSTATUS(error->status), length > 0 ? ": " : "", length, line);
    } else if (error->fault == FAULT_END && error->error_number == ETIME) {
        message("a run does not die of SIGKILL; is kill(2) refused by a sandbox, or the machine "
                "stuck?");
    } else if (error->fault == FAULT_END) {
        message("cannot wait for a run: %s; frng needs wait4(2), which a sandbox may refuse",
                strerror(error->error_number));
    } else {
        return false;
    }
    return true;
}

bool program_check(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        program_cannot_start(path, errno);
    } else if (S_ISDIR(status.st_mode)) {
        message("%s: is a folder; give the program in it", path);
    } else if (!S_ISREG(status.st_mode)) { /* reading a FIFO for its digest would never end */
        program_cannot_start(path, EACCES);
    } else if (access(path, X_OK) != 0) {
        message("%s: not executable; try: %s", path,
                phrase_words("", (const char *[]){"chmod", "+x", path, NULL}));
    } else {
        return true;
    }
    return false;
}

char *program_absolute(const char *path) {
    const char *name = path_base(path);
    char *result = NULL;
    char *folder = name == path ? strdup(".") : strndup(path, (size_t)(name - path));
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    free(folder);
    if (real == NULL) return NULL;
    const char *separator = strcmp(real, "/") == 0 ? "" : "/";
    if (asprintf(&result, "%s%s%s", real, separator, name) < 0) result = NULL;
    free(real);
    return result;
}

bool program_is_kept(const char *program, const char *path) {
    if (!file_is_same(program, path)) return true;
    message("%s: is %s itself, and would be overwritten; give another --output, or --json", path,
            program);
    return false;
}

/* ---- Files ---- */

typedef struct opened {
    int fd;
    uint64_t size;
} opened;

/* A search of a file. Returns what was found, which lives on, or NULL. */
typedef const void *file_search(const opened *f);

/* Search a regular file of at most this size. */
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

/* Put a variable in place of that of the same name, or at the end. */
static void put_variable(char **envp, const char *name, char *text) {
    while (*envp != NULL && !sets(*envp, name)) envp++;
    *envp = text;
}

/* Return the value of a variable; "" without one. */
static const char *value_in(char *const *envp, const char *name) {
    while (*envp != NULL && !sets(*envp, name)) envp++;
    return *envp != NULL ? *envp + strlen(name) + 1 : "";
}

/* Each sanitizer reads its own variable, and the options that they share from any. */
static const char *const variables[TERSE_VARIABLES] = {
    "ASAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"};

/* Let sanitizers report where failures are read: log_path= hides that. False without memory. */
static bool show_reports(target_command *s) {
    for (size_t i = 0; i < TERSE_VARIABLES; i++) {
        const char *value = value_in(s->envp, variables[i]);
        if (strstr(value, "log_path=") == NULL) continue;
        if (asprintf(&s->shown[i], "%s=%s:log_path=stderr", variables[i], value) < 0) {
            s->shown[i] = NULL;
            return false;
        }
        put_variable(s->envp, variables[i], s->shown[i]);
    }
    return true;
}

/* False without memory. */
static bool let_ubsan_halt(target_command *s) {
    const char *before = value_in(s->envp, "UBSAN_OPTIONS");
    if (strstr(before, "halt_on_error=") != NULL) return true;
    if (look_into(s->path, UINT64_MAX, goes_on_by_itself) != NULL) return true;
    if (asprintf(&s->halting, "UBSAN_OPTIONS=" UBSAN_HALTS "%s%s", before[0] != '\0' ? ":" : "",
                 before) < 0) {
        s->halting = NULL;
        return false;
    }
    put_variable(s->envp, "UBSAN_OPTIONS", s->halting);
    return true;
}

/* Set argv and envp. Variables from a driver to one process concern this process, if it is a run of
 * another driver, and not the target. */
static bool make_vectors(target_command *s, const char *name, char *const *args) {
    const size_t arg_count = text_count(args);
    size_t kept = 0;
    s->argv = calloc(arg_count + 2, sizeof *s->argv);
    s->envp = calloc(text_count(environ) + 3, sizeof *s->envp);
    if (s->argv == NULL || s->envp == NULL) return false;
    s->argv[0] = (char *)name;
    for (size_t i = 0; i < arg_count; i++) {
        if ((s->argv[1 + i] = strdup(args[i])) == NULL) return false;
    }
    for (char **text = environ; *text != NULL; text++) {
        if (!sets(*text, "FRNG_INPUT") && !sets(*text, "FRNG_DRIVER")) s->envp[kept++] = *text;
    }
    return show_reports(s) && let_ubsan_halt(s);
}

/* Return the hex BLAKE2b-256 of a file, which may be cut short meanwhile. NULL if it cannot be
 * read, is too large, or reading has to stop. */
static char *digest_of(const char *path) {
    enum { BYTES = crypto_generichash_BYTES, PIECE = 8 * 1024 }; /* stacks may be small */
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
    char *hex = ok ? malloc(2 * BYTES + 1) : NULL;
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
    *s = (target_command){.path = proc_find(name, program_folders()),
                          .takes_file = target_names_file(args)};
    if (s->path == NULL) {
        program_not_on_path(name);
        return false;
    }
    if (!program_check(s->path)) return false;
    if (!make_vectors(s, name, args)) {
        message_error(ENOMEM, "cannot prepare to start the program");
        return false;
    }
    target_update(s);
    return true;
}

bool target_make_absolute(target_command *s) {
    char *path = program_absolute(s->path);
    if (path == NULL) {
        program_cannot_start(s->path, errno);
        return false;
    }
    free(s->path);
    s->path = s->argv[0] = path;
    return true;
}

/* ---- A file that holds the input ---- */

bool target_names_file(char *const *args) {
    while (*args != NULL && strstr(*args, "@@") == NULL) args++;
    return *args != NULL;
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
    if (elf_read_head(f->fd, &elf) != ELF_NATIVE) return NULL;
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
    message("%s: --memory cannot be used: it was built with %s, which reserves more address space "
            "than there is memory; build it without, or leave --memory out",
            s->path, found->name);
    return false;
}

bool target_prints_reports(const target_command *s) {
    return look_into(s->path, UINT64_MAX, find_sanitizer) != NULL;
}

void target_make_terse(target_command *s) {
    const size_t count = text_count(s->envp);
    for (size_t i = 0; i < TERSE_VARIABLES; i++) {
        if (strstr(value_in(s->envp, variables[i]), "symbolize=") != NULL) return;
    }
    char **terse = calloc(count + TERSE_VARIABLES + 1, sizeof *terse);
    bool ok = terse != NULL;
    if (ok) memcpy(terse, s->envp, count * sizeof *terse);
    for (size_t i = 0; ok && i < TERSE_VARIABLES; i++) {
        const char *value = value_in(s->envp, variables[i]);
        ok = asprintf(&s->terse_texts[i], "%s=%s%s" SANITIZER_OPTION, variables[i], value,
                      value[0] != '\0' ? ":" : "") >= 0;
        if (!ok) s->terse_texts[i] = NULL;
        if (ok) put_variable(terse, variables[i], s->terse_texts[i]);
    }
    if (!ok) free(terse);
    s->terse_envp = ok ? terse : NULL;
}

void target_finish(target_command *s) {
    free(s->path);
    for (size_t i = 1; s->argv != NULL && s->argv[i] != NULL; i++) free(s->argv[i]);
    free(s->argv);
    free(s->options);
    free(s->replay);
    for (size_t i = 0; i < TERSE_VARIABLES; i++) {
        free(s->terse_texts[i]);
        free(s->shown[i]);
    }
    free(s->terse_envp);
    free(s->halting);
    free(s->envp);
    free(s->digest);
}

/* ---- What its files say ---- */

enum { SCRIPT_MAX = 1 << 20, SCRIPT_HEAD = 4096 };

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
    char *text = malloc(size + 1);
    if (text == NULL) return false;
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

static const void *refuses_arguments(const opened *f) {
    static const char text[] = "frng: usage: unknown argument '";
    return regular_holds(f->fd, 0, f->size, text, sizeof text - 1) ? text : NULL;
}

static const void *is_foreign(const opened *f) {
    elf_file elf;
    return elf_read_head(f->fd, &elf) == ELF_FOREIGN ? ELFMAG : NULL;
}

static const uint64_t ARGUMENT_SIZE_MAX = 256 << 20; /* the largest file of an argument */

/* Return the first file of the command line with a sign: the one that is started, or one that an
 * argument names. NULL for none. */
static const char *find_sign(const target_command *s, file_search *sign) {
    const int64_t deadline_ns = regular_deadline();
    if (look_into(s->path, UINT64_MAX, sign) != NULL) return s->path;
    for (size_t i = 1; s->argv != NULL && s->argv[i] != NULL; i++) {
        if (regular_should_stop(deadline_ns)) return NULL;
        if (look_into(s->argv[i], ARGUMENT_SIZE_MAX, sign) != NULL) return s->argv[i];
    }
    return NULL;
}

bool target_reads_frng_input(const target_command *s) {
    return find_sign(s, reads_frng_input) != NULL;
}

const char *target_names_protocol(const target_command *s) { return find_sign(s, names_protocol); }

bool target_refuses_arguments(const target_command *s) {
    return look_into(s->path, UINT64_MAX, refuses_arguments) != NULL;
}

bool program_is_foreign(const char *path) {
    return look_into(path, UINT64_MAX, is_foreign) != NULL;
}
