/* Files that are reduced together.
 *
 * The predicate sees copies, so a file that is reached another way than by its name in the private
 * folder would be the original: links, and absolute paths in the files, are refused.
 *
 * The output is made beside the one before, with links to the files that are the same, and takes
 * its place by one call: so it is of one set of files at every instant. A file in it, or beside a
 * single file until that is done, says of what it was made: a later call goes on from there. */
#include "file_set.h"

#include "bytes.h"
#include "files.h"
#include "messages.h"
#include "program.h"
#include "work_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In each folder: what it was made of, by which predicate, and a line for each file. */
#define STATE_NAME ".frng-reduced"
#define STATE_DONE "done "

/* In the folder that an output is made in. */
#define NEW_NAME "new"

/* ---- Reading ---- */

/* Append a file. False after a message. */
static bool append_file(file_set *s, size_t operand, const char *path, const char *below,
                        mode_t mode) {
    const bool is_single = below[0] == '\0';
    if (is_single) below = path_base(path);
    s->files = with_room(s->files, s->count, sizeof *s->files);
    s->runs = with_room(s->runs, s->count, sizeof *s->runs);
    set_file *f = &s->files[s->count];
    predicate_file *run = &s->runs[s->count++];
    *f = (set_file){.path = memory_text("%s", path),
                    .below = memory_text("%s", below),
                    .operand = operand,
                    .is_single = is_single};
    *run = (predicate_file){.is_gone = true};
    const char *name = strcmp(path, "-") == 0 ? "./-" : path; /* no standard input */
    const input_options from = {.file = name};
    const uint64_t before = file_set_size(s);
    if (!input_source_read(&f->first, &from, REDUCE_FAILURE_SIZE_MAX)) return false;
    *run = (predicate_file){.bytes = f->first.bytes,
                            .size = f->first.size,
                            .mode = (mode & 0777) | S_IRUSR | S_IWUSR,
                            .argument = 1 + operand};
    if (before + f->first.size <= REDUCE_FAILURE_SIZE_MAX) return true;
    return message(
        "%s: with it the files have more than %llu bytes, the most that frng-reduce takes", path,
        (unsigned long long)REDUCE_FAILURE_SIZE_MAX);
}

static bool read_folder(file_set *s, size_t operand, const char *path, const char *below);

/* Read a file or, within an operand that is one, a folder. False after a message. */
static bool read_path(file_set *s, size_t operand, const char *path, const char *below) {
    struct stat status;
    if ((s->is_folder ? lstat : stat)(path, &status) != 0)
        return message_error(errno, "%s: cannot be opened", path);
    if (S_ISLNK(status.st_mode))
        return message(
            "%s: is a symbolic link, behind which runs would find the original; give files", path);
    if (S_ISDIR(status.st_mode)) return read_folder(s, operand, path, below);
    if (S_ISREG(status.st_mode)) return append_file(s, operand, path, below, status.st_mode);
    return message("%s: cannot be read: not a regular file", path);
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_entry(const struct dirent *e) {
    return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

static bool read_folder(file_set *s, size_t operand, const char *path, const char *below) {
    struct dirent **list = NULL;
    char inner[PATH_MAX], name[PATH_MAX];
    const int count = scandir(path, &list, is_entry, compare_names);
    bool ok = count >= 0;
    if (!ok) message_error(errno, "%s: cannot be read", path);
    s->is_folder = true;
    for (int i = 0; i < count; i++) {
        const char *entry = list[i]->d_name;
        const bool is_state = below[0] == '\0' && strcmp(entry, STATE_NAME) == 0;
        const int length = snprintf(inner, sizeof inner, "%s/%s", path, entry);
        snprintf(name, sizeof name, "%s%s%s", below, below[0] != '\0' ? "/" : "", entry);
        if (ok && length >= (int)sizeof inner)
            message_error(ENAMETOOLONG, "%s: cannot be read", path);
        ok = ok && length < (int)sizeof inner && (is_state || read_path(s, operand, inner, name));
        free(list[i]);
    }
    free(list);
    return ok;
}

/* Return a copy without slashes at the end. */
static char *trimmed(const char *path) {
    char *copy = memory_text("%s", path);
    size_t length = strlen(copy);
    while (length > 1 && copy[length - 1] == '/') copy[--length] = '\0';
    return copy;
}

/* The same, without "./" before it. */
static char *cleaned(const char *path) {
    while (path[0] == '.' && path[1] == '/' && path[2] != '\0' && path[2] != '/') path += 2;
    return trimmed(path);
}

/* Return a path whose last name is one, also for "." and ".." if they are there. */
static char *with_name(const char *path) {
    const char *base = path_base(path);
    char *real = strcmp(base, ".") == 0 || strcmp(base, "..") == 0 ? realpath(path, NULL) : NULL;
    return real != NULL ? real : cleaned(path);
}

/* Return the absolute path of something that may not exist; NULL if its folder does not. */
static char *absolute(const char *path) {
    char *real = realpath(path, NULL);
    return real != NULL ? real : program_absolute(path);
}

/* True if a path is another one, or in that folder. */
static bool is_within(const char *path, const char *other) {
    const size_t length = strlen(other);
    return strncmp(path, other, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static int compare_files(const void *a, const void *b) {
    const set_file *x = a, *y = b;
    if (x->first.size != y->first.size) return x->first.size > y->first.size ? -1 : 1;
    return strcmp(x->path, y->path);
}

static void sort_files(file_set *s) {
    predicate_file *sorted = memory_zeroed(s->count, sizeof *sorted);
    for (size_t i = 0; i < s->count; i++) s->files[i].rests = i; /* its place before */
    qsort(s->files, s->count, sizeof *s->files, compare_files);
    for (size_t i = 0; i < s->count; i++) sorted[i] = s->runs[s->files[i].rests];
    for (size_t i = 0; i < s->count; i++) s->files[i].rests = 0;
    free(s->runs);
    s->runs = sorted;
}

/* ---- What is refused ---- */

static bool has_name(const char *path, const char *name) {
    char *named = with_name(path);
    const bool is_same = strcmp(path_base(named), name) == 0;
    free(named);
    return is_same;
}

/* Refuse one file by two paths, and two of one name. */
static bool are_different(const file_set *s) {
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = i + 1; k < s->count; k++) {
            const set_file *a = &s->files[i], *b = &s->files[k];
            if (a->first.size != b->first.size) break; /* they are sorted by size */
            if (!file_is_same(a->path, b->path)) continue;
            return message("%s: is %s itself, by another name or twice; give each file once",
                           b->path, a->path);
        }
    }
    for (size_t i = 0; i < s->operand_count; i++) {
        const char *a = s->operands[i];
        if (s->operand_count > 1 && has_name(a, STATE_NAME))
            return message("%s: the result has its own file of this name; rename it", a);
        for (size_t k = i + 1; k < s->operand_count; k++) {
            char *name = with_name(s->operands[k]);
            const bool is_same = has_name(a, path_base(name));
            free(name);
            if (!is_same) continue;
            return message("%s and %s: have the same name; give the folder that both are in", a,
                           s->operands[k]);
        }
    }
    return true;
}

/* Return the length of what two paths begin with. */
static size_t common(const char *a, const char *b) {
    size_t length = 0;
    while (a[length] != '\0' && a[length] == b[length]) length++;
    return length;
}

static bool is_of_name(uint8_t c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c < 0x80 && c != 0 && strchr("._-+", c) != NULL) || c >= 0x80;
}

/* True if bytes have a path, and no longer one. */
static bool has_path(const uint8_t *bytes, size_t size, const char *path) {
    const size_t length = strlen(path);
    const uint8_t *at = bytes, *end = bytes + size;
    while ((at = memmem(at, (size_t)(end - at), path, length)) != NULL) {
        if (at + length == end || !is_of_name(at[length])) return true;
        at++;
    }
    return false;
}

/* Refuse files that name each other by absolute paths. What all paths begin with is looked for
 * first: most files do not have it. */
static bool are_relative(const file_set *s) {
    char **paths = memory_zeroed(s->count, sizeof *paths);
    size_t length = 0;
    bool ok = true;
    for (size_t i = 0; i < s->count; i++) {
        paths[i] = realpath(s->files[i].path, NULL);
        if (paths[i] == NULL) paths[i] = memory_text("%s", s->files[i].path);
        const size_t same = common(paths[0], paths[i]);
        length = i == 0 || same < length ? same : length;
    }
    for (size_t i = 0; ok && i < s->count; i++) {
        const predicate_file *f = &s->runs[i];
        if (memmem(f->bytes, f->size, paths[0], length) == NULL) continue;
        for (size_t k = 0; ok && k < s->count; k++) {
            if (k == i || !has_path(f->bytes, f->size, paths[k])) continue;
            message("%s: has the absolute path of %s, so that runs would read the original; "
                    "include it by a relative path",
                    s->files[i].path, s->files[k].path);
            ok = false;
        }
    }
    for (size_t i = 0; i < s->count; i++) free(paths[i]);
    free(paths);
    return ok;
}

const char *file_set_named_in(const file_set *s, const uint8_t *bytes, size_t size) {
    const char *named = NULL;
    for (size_t i = 0; named == NULL && i < s->operand_count; i++) {
        char *path = absolute(s->operands[i]);
        if (path != NULL && has_path(bytes, size, path)) named = s->operands[i];
        free(path);
    }
    return named;
}

void file_set_tell_packed(const file_set *s) {
    static const struct {
        const char *begin, *part, *tool;
    } kinds[] = {{"\x1f\x8b", "", "gunzip"},
                 {"BZh", "1AY&SY", "bunzip2"},
                 {"\xfd\x37zXZ", "", "unxz"},
                 {"\x28\xb5\x2f\xfd", "", "unzstd"},
                 {"\4\"M\x18", "", "unlz4"},
                 {"7z\xbc\xaf", "", "7z x"},
                 {"PK\3\4", "", "unzip"},
                 {"hsqs", "", "unsquashfs"},
                 {"QFI\xfb", "", "qemu-img convert -O raw"},
                 {"PACK", "", "git unpack-objects"},
                 {"# v", " git bundle", "git fast-export"},
                 {"BC\xc0\xde", "", "llvm-dis"},
                 {"!<arch>\ndebian-binary", ".tar.", "dpkg-deb --raw-extract"},
                 {"-----BEGIN ", "-----END", "base64 --decode"},
                 {"", "\nContent-Transfer-Encoding: base64", "base64 --decode"},
                 {"begin ", "\nend\n", "uudecode"},
                 {"\xff\xd8\xff", "", "djpeg"},
                 {"\x89PNG", "IDAT", "pngtopnm"},
                 {"%PDF-", "/FlateDecode", "qpdf --qdf --object-streams=disable"}};
    const predicate_file *f = &s->runs[0]; /* the largest */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *begin = kinds[i].begin, *part = kinds[i].part;
        if (f->size < strlen(begin) || memcmp(f->bytes, begin, strlen(begin)) != 0) continue;
        if (memmem(f->bytes, f->size, part, strlen(part)) != NULL)
            message("%s: packed: unpack it first with %s, and pack it again in the predicate",
                    s->files[0].path, kinds[i].tool);
    }
}

bool file_set_read(file_set *s, const operands *given) {
    const size_t count = given->extra_count + 1;
    s->operands = memory_zeroed(count + 1, sizeof *s->operands);
    s->operands[0] = given->sut;
    memcpy(s->operands + 1, given->extras, (count - 1) * sizeof *s->operands);
    s->operand_count = count;
    s->place.folder_fd = s->made_fd = -1;
    s->is_folder = count > 1;
    s->names = memory_zeroed(count + 1, sizeof *s->names);
    for (size_t i = 0; i < count; i++) {
        char *path = trimmed(s->operands[i]);
        const size_t before = s->count;
        bool ok = read_path(s, i, path, "");
        if (ok && s->count == before) {
            message("%s: is a folder without a file", path);
            ok = false;
        }
        free(path);
        if (!ok) return false;
    }
    sort_files(s);
    if (s->is_folder && !(are_different(s) && are_relative(s))) return false;
    return file_set_name(s, NAMED_ALONE);
}

void file_set_finish(file_set *s) {
    for (size_t i = 0; i < s->count; i++) {
        set_file *f = &s->files[i];
        input_source_finish(&f->first);
        free(f->path);
        free(f->below);
        free(f->name);
        free(f->best);
    }
    for (size_t i = 0; s->names != NULL && i < s->operand_count; i++) free(s->names[i]);
    if (s->made_fd >= 0) unlinkat(s->place.folder_fd, s->made, AT_REMOVEDIR);
    if (s->made_fd >= 0) close(s->made_fd);
    atomic_file_close(&s->place);
    free(s->operands);
    free(s->names);
    free(s->files);
    free(s->runs);
    free(s->output);
    free(s->state);
}

/* ---- Names ---- */

/* True if a file is named by a path that a folder like the current one can have, too. */
static bool is_below(const char *path) {
    for (const char *part = path; *part != '\0'; part += strcspn(part, "/"), part += *part == '/') {
        const size_t length = strcspn(part, "/");
        if (length == 0 || (length == 1 && part[0] == '.') ||
            (length == 2 && memcmp(part, "..", 2) == 0))
            return false;
    }
    return true;
}

bool file_set_is_of_folder(const file_set *s) {
    return s->operand_count == 1 && !s->files[0].is_single;
}

/* Return the name that an operand has in a folder like the current one, which the caller frees.
 * Several files in the current folder keep their places, by whatever path the user names them: a
 * run must not find a link to an original there. NULL: the path leads through a linked folder, and
 * what is written there would change the original. */
static char *name_below(const file_set *s, const char *path, const char *base) {
    char folder[PATH_MAX];
    if (!s->is_folder && !is_below(path)) return memory_text("%s", base);
    char *real = s->is_folder ? absolute(path) : program_absolute(path), *place = NULL;
    const size_t length = getcwd(folder, sizeof folder) != NULL ? strlen(folder) : 0;
    const bool is_here =
        length > 1 && real != NULL && is_within(real, folder) && real[length] == '/';
    const char *name = is_here ? real + length + 1 : base;
    if (real != NULL && (!is_below(path) || strcmp(path, name) == 0))
        place = memory_text("%s", name);
    free(real);
    return place;
}

bool file_set_name(file_set *s, file_naming how) {
    const bool is_inside = how == NAMED_INSIDE;
    if (is_inside && !file_set_is_of_folder(s)) return false;
    for (size_t i = 0; i < s->operand_count; i++) {
        char *path = cleaned(s->operands[i]), *named = with_name(s->operands[i]);
        char *name = how == NAMED_BELOW ? name_below(s, path, path_base(named))
                                        : memory_text("%s", is_inside ? "." : path_base(named));
        free(path);
        free(named);
        if (name == NULL) return false;
        free(s->names[i]);
        s->names[i] = name;
    }
    for (size_t i = 0; i < s->count; i++) {
        set_file *f = &s->files[i];
        const char *name = s->names[f->operand];
        free(f->name);
        f->name = f->is_single || is_inside ? memory_text("%s", f->is_single ? name : f->below)
                                            : memory_text("%s/%s", name, f->below);
        s->runs[i].name = f->name;
    }
    return true;
}

bool file_set_has(const file_set *s, size_t operand) {
    for (size_t i = 0; i < s->count; i++)
        if (s->files[i].operand == operand && !s->runs[i].is_gone) return true;
    return false;
}

/* ---- The bytes ---- */

/* A file as it will be. */
static predicate_file changed(const file_set *s, size_t i, size_t at, const uint8_t *bytes,
                              size_t size, size_t *place) {
    predicate_file f = s->runs[i];
    if (at == s->count && !f.is_gone) {
        f.is_gone = *place >= size || bytes[*place] == 0;
        ++*place;
    } else if (i == at) {
        f.bytes = bytes;
        f.size = size;
    }
    return f;
}

uint64_t file_set_size_with(const file_set *s, size_t at, const uint8_t *bytes, size_t size) {
    uint64_t sum = 0;
    size_t place = 0;
    for (size_t i = 0; i < s->count; i++) {
        const predicate_file f = changed(s, i, at, bytes, size, &place);
        if (!f.is_gone) sum += f.size;
    }
    return sum;
}

uint64_t file_set_size(const file_set *s) { return file_set_size_with(s, s->count + 1, NULL, 0); }

uint8_t *file_set_join(const file_set *s, size_t at, const uint8_t *bytes, size_t size) {
    uint8_t *all = memory_new((size_t)file_set_size_with(s, at, bytes, size) + 1), *to = all;
    size_t place = 0;
    for (size_t i = 0; i < s->count; i++) {
        const predicate_file f = changed(s, i, at, bytes, size, &place);
        if (f.is_gone || f.size == 0) continue;
        memcpy(to, f.bytes, f.size);
        to += f.size;
    }
    return all;
}

void file_set_take(file_set *s, size_t at, const uint8_t *bytes, size_t size) {
    size_t place = 0;
    bool is_changed = false;
    for (size_t i = 0; i < s->count; i++) {
        predicate_file f = changed(s, i, at, bytes, size, &place), *old = &s->runs[i];
        if (i == at && (f.size != old->size || memcmp(f.bytes, old->bytes, f.size) != 0)) {
            uint8_t *copy = memory_new(size + 1);
            if (size > 0) memcpy(copy, bytes, size);
            free(s->files[i].best);
            f.bytes = s->files[i].best = copy;
            is_changed = true;
        } else if (i == at) {
            f.bytes = old->bytes;
        }
        is_changed |= f.is_gone != old->is_gone;
        *old = f;
    }
    s->steps += is_changed;
}

/* ---- The output ---- */

/* Refuse an output in which originals are, or that is among them. */
static bool is_apart(const file_set *s) {
    char *output = absolute(s->output);
    bool ok = true;
    for (size_t i = 0; ok && output != NULL && i < s->operand_count; i++) {
        char *real = absolute(s->operands[i]);
        ok = real == NULL || (!is_within(output, real) && !is_within(real, output));
        if (!ok)
            message("%s: overlaps %s, which is never written; give another --output", s->output,
                    s->operands[i]);
        free(real);
    }
    free(output);
    return ok;
}

/* Write the path of the state in the folder of the output. */
static void name_state(const file_set *s, char path[PATH_MAX]) {
    snprintf(path, PATH_MAX, s->is_folder ? "%s/" STATE_NAME : "%s.state", s->place.name);
}

/* Return the state of the output, which the caller frees, or NULL. */
static char *read_state(const file_set *s) {
    enum { STATE_MAX = 1 << 20 };
    char path[PATH_MAX];
    size_t size;
    const char *why;
    name_state(s, path);
    char *text = atomic_file_read(s->place.folder_fd, path, STATE_MAX, &size, &why);
    if (text != NULL) text[size] = '\0';
    return text;
}

/* Open the folder that the output is in. Return 0 or an errno. */
static int open_parent(file_set *s) {
    const int error = atomic_file_open_folder(&s->place, s->output), fd = s->place.folder_fd;
    return error != 0 || faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0 ? error : errno;
}

/* Make the folder in which each new output is made, or take that of a killed process. Return 0 or
 * an errno, EWOULDBLOCK if another process makes the output. */
static int open_made(file_set *s) {
    if (!atomic_file_hold(s->place.folder_fd, s->place.name)) return EWOULDBLOCK;
    snprintf(s->made, sizeof s->made, ".%.200s.%016d", s->place.name, 0); /* atomic_file's */
    if (mkdirat(s->place.folder_fd, s->made, 0700) != 0 && errno != EEXIST) return errno;
    s->made_fd =
        openat(s->place.folder_fd, s->made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return s->made_fd < 0 ? errno : 0;
}

/* Write the path of a file to `path`, in the folder of the output, and return what of it is below
 * the output: the path in the only folder, else behind the name of an operand that is one. */
static char *name_in_output(const file_set *s, const set_file *f, char path[PATH_MAX]) {
    const bool has_folder = s->operand_count > 1 && !f->is_single;
    const int length = snprintf(path, PATH_MAX, s->is_folder ? "%s/" : "%s", s->place.name);
    if (!s->is_folder) return path + length;
    char *operand = with_name(s->operands[f->operand]);
    snprintf(path + length, PATH_MAX - (size_t)length, "%s%s%s",
             has_folder ? path_base(operand) : "", has_folder ? "/" : "", f->below);
    free(operand);
    return path + length;
}

/* True if a state names a file, by what of its path is below the output. */
static bool is_listed(const char *state, const char *below) {
    char line[PATH_MAX + 2];
    snprintf(line, sizeof line, "\n%s\n", below);
    return strstr(state, line) != NULL;
}

/* Refuse an output that is there and not ours, and one in which a file of the user has the place of
 * one of the set. */
static bool is_writable(const file_set *s, bool is_folder) {
    char *state = is_folder ? read_state(s) : NULL, path[PATH_MAX];
    bool ok = state != NULL;
    if (!ok)
        message("%s: exists, and is no folder that frng-reduce has made; several files go to a new "
                "one: name it by --output",
                s->output);
    for (size_t i = 0; ok && i < s->count; i++) {
        ok = is_listed(state, name_in_output(s, &s->files[i], path)) ||
             faccessat(s->place.folder_fd, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
        if (!ok)
            message("%s: is in the way, and not of frng-reduce; move it, or give another --output",
                    path);
    }
    free(state);
    return ok;
}

/* True if an output could be opened; else false after a message. */
static bool is_open(const char *path, int error) {
    if (error == EWOULDBLOCK)
        return message("%s: another frng-reduce writes it; give another --output", path);
    return error == 0 || message_error(error, "%s: cannot be written", path);
}

bool file_set_open_file(atomic_file *f, const char *path) {
    const int error = atomic_file_open(f, path);
    const bool is_free = error != 0 || f->is_stream || atomic_file_hold(f->folder_fd, f->name);
    return is_open(path, is_free ? error : EWOULDBLOCK);
}

bool file_set_open(file_set *s, const char *wanted) {
    struct stat status;
    const char *path = wanted != NULL ? wanted : s->operands[0];
    char *name = s->is_folder ? with_name(path) : memory_text("%s", path);
    s->output = memory_text("%s%s", name, wanted != NULL ? "" : ".reduced");
    free(name);
    if (!s->is_folder)
        return program_is_kept(s->operands[0], s->output) &&
               file_set_open_file(&s->place, s->output);
    int error = open_parent(s);
    if (error == 0 && !is_apart(s)) return false;
    if (error == 0 && lstat(s->output, &status) == 0 && !is_writable(s, S_ISDIR(status.st_mode)))
        return false;
    if (error == 0) error = open_made(s);
    return is_open(s->output, error);
}

void file_set_go_back(file_set *s) {
    for (size_t i = 0; i < s->count; i++) {
        set_file *f = &s->files[i];
        free(f->best);
        f->best = NULL;
        f->is_put = false;
        s->runs[i].bytes = f->first.bytes;
        s->runs[i].size = f->first.size;
        s->runs[i].is_gone = false;
    }
}

bool file_set_go_on(file_set *s) {
    char *state = s->state != NULL ? read_state(s) : NULL, path[PATH_MAX];
    bool is_same = state != NULL && strncmp(state, s->state, strlen(s->state)) == 0;
    for (size_t i = 0; is_same && i < s->count; i++) {
        set_file *f = &s->files[i];
        size_t size;
        const char *why;
        const char *below = name_in_output(s, f, path);
        s->runs[i].is_gone = s->is_folder && !is_listed(state, below);
        if (s->runs[i].is_gone) continue;
        f->best = (uint8_t *)atomic_file_read(s->place.folder_fd, path, REDUCE_FAILURE_SIZE_MAX,
                                              &size, &why);
        s->runs[i].bytes = f->best;
        s->runs[i].size = size;
        is_same = f->best != NULL;
    }
    free(state);
    if (!is_same) file_set_go_back(s);
    return is_same;
}

/* Write a file to a new folder, or link it from the output before, which has it. */
static int put_file(const file_set *s, int folder_fd, const set_file *f, const predicate_file *now,
                    bool is_same) {
    char path[PATH_MAX];
    char *below = name_in_output(s, f, path);
    int error = work_folder_make_above(folder_fd, below, 0777);
    if (error != 0) return error;
    if (is_same && linkat(s->place.folder_fd, path, folder_fd, below, 0) == 0) return 0;
    error = atomic_file_write_new(folder_fd, below, now->bytes, now->size, NULL);
    if (error == 0) fchmodat(folder_fd, below, (mode_t)now->mode, 0);
    return error;
}

/* Link what the output has beside the files of its state into a new one: it is the user's.
 * `path` is that of a folder, and `below` the length before what is below the output. Return 0 or
 * an errno. */
static int keep_others(const file_set *s, const char *state, int folder_fd, char *path,
                       size_t below) {
    const size_t length = strlen(path);
    const int fd =
        openat(s->place.folder_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    int error = list != NULL || errno == ENOENT ? 0 : errno;
    for (const struct dirent *e; error == 0 && list != NULL && (e = readdir(list)) != NULL;) {
        struct stat status;
        const size_t room = PATH_MAX - length;
        if (!is_entry(e)) continue;
        if (snprintf(path + length, room, "/%s", e->d_name) >= (int)room) {
            error = ENAMETOOLONG;
        } else if (fstatat(s->place.folder_fd, path, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                   S_ISDIR(status.st_mode)) {
            error = keep_others(s, state, folder_fd, path, below);
        } else if (strcmp(path + below, STATE_NAME) != 0 && !is_listed(state, path + below)) {
            error = work_folder_make_above(folder_fd, path + below, 0777);
            if (error == 0 && linkat(s->place.folder_fd, path, folder_fd, path + below, 0) != 0)
                error = errno;
        }
        path[length] = '\0';
    }
    if (list != NULL) closedir(list);
    return error;
}

/* Put a new folder in the place of the output. */
static int put_in_place(const file_set *s) {
    const char *name = s->place.name;
    if (renameat2(s->made_fd, NEW_NAME, s->place.folder_fd, name, RENAME_EXCHANGE) == 0) return 0;
    if (errno == EINVAL || errno == ENOSYS) { /* this file system cannot */
        const int error = work_folder_remove_entry(s->place.folder_fd, name);
        if (error != 0) return error;
    } else if (errno != ENOENT) {
        return errno;
    }
    return renameat(s->made_fd, NEW_NAME, s->place.folder_fd, name) == 0 ? 0 : errno;
}

/* Fill a new output. Return 0 or an errno. */
static int fill_output(const file_set *s, int fd, size_t at, const uint8_t *bytes, size_t size,
                       bool is_done) {
    char path[PATH_MAX], *state = NULL, *before = read_state(s);
    size_t length, place = 0;
    FILE *text = memory_stream(&state, &length);
    int error = 0;
    fprintf(text, "%s%s", is_done ? STATE_DONE : "", s->state);
    for (size_t i = 0; error == 0 && i < s->count; i++) {
        const predicate_file now = changed(s, i, at, bytes, size, &place);
        if (now.is_gone) continue;
        fprintf(text, "%s\n", name_in_output(s, &s->files[i], path));
        error = put_file(s, fd, &s->files[i], &now, s->files[i].is_put);
    }
    memory_close(text, &state);
    snprintf(path, sizeof path, "%s", s->place.name);
    if (error == 0 && before != NULL) error = keep_others(s, before, fd, path, strlen(path) + 1);
    if (error == 0) error = atomic_file_write_new(fd, STATE_NAME, state, length, NULL);
    free(state);
    free(before);
    return error;
}

/* Put a single file, and its state beside it until it is done. Return 0 or an errno. */
static int put_single(file_set *s, const uint8_t *bytes, size_t size, bool is_done) {
    char path[PATH_MAX];
    const int error = atomic_file_put(&s->place, bytes, size);
    if (error != 0 || s->state == NULL || (s->has_state && !is_done)) return error;
    name_state(s, path);
    s->has_state = !is_done;
    if (!is_done)
        atomic_file_write(s->place.folder_fd, path, s->state, strlen(s->state));
    else if (unlinkat(s->place.folder_fd, path, 0) != 0 && errno != ENOENT)
        message_error(errno, "%s.state: cannot be removed", s->output);
    return 0;
}

int file_set_put(file_set *s, size_t at, const uint8_t *bytes, size_t size, bool is_done) {
    if (!s->is_folder) return put_single(s, bytes, size, is_done);
    work_folder_remove_entry(s->made_fd, NEW_NAME);
    int error = mkdirat(s->made_fd, NEW_NAME, 0777) != 0 ? errno : 0;
    const int fd =
        error == 0 ? openat(s->made_fd, NEW_NAME, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (error == 0) error = fd >= 0 ? fill_output(s, fd, at, bytes, size, is_done) : errno;
    if (fd >= 0) close(fd);
    if (error == 0) error = put_in_place(s);
    const int removed = work_folder_remove_entry(s->made_fd, NEW_NAME);
    if (error == 0) error = removed == 0 ? atomic_file_sync(s->place.folder_fd) : removed;
    for (size_t i = 0; i < s->count; i++) s->files[i].is_put = error == 0 && i != at;
    return error;
}
