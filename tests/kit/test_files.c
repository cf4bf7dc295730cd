/* frng_files.h: what each model can leave of a script of calls, by every entropy: all that it
 * must be able to lose, and nothing that it must not. And the calls themselves: streams, mappings,
 * names, what is refused, what the trace says. */
#include "frng_files.h"

#include "dying.h"
#include "every.h"

#include <aio.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>

enum { STATES_MAX = 64, STATE_SIZE = 256 };

static const char *folder;

static const char *at(const char *name) {
    static char paths[2][PATH_MAX];
    static int turn;
    char *const path = paths[turn = 1 - turn];
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return path;
}

static void begin(void) { folder = frng_files_begin(FRNG_FILES_EXT4); }
SUITE(.before_each = begin);

/* ---- Scripts of calls ---- */

static int opened(const char *name, int flags) {
    const int fd = open(at(name), flags, 0644);
    ck_assert_msg(fd >= 0, "%s: %s", name, strerror(errno));
    return fd;
}

/* A text, or x*5000. */
static size_t expand(const char *text, char *into) {
    size_t size = strlen(text);
    memcpy(into, text, size);
    if (size > 2 && text[1] == '*') memset(into, text[0], size = strtoul(text + 2, NULL, 10));
    return size;
}

static void put(const char *name, int flags, off_t where, const char *text, bool syncs) {
    char bytes[20000];
    const size_t size = expand(text, bytes);
    const int fd = opened(name, O_WRONLY | flags);
    ck_assert_int_eq(where < 0 ? write(fd, bytes, size) : pwrite(fd, bytes, size, where),
                     (int)size);
    if (syncs) ck_assert_int_eq(fsync(fd), 0);
    close(fd);
}

static void store(const char *name, off_t where, const char *text, bool syncs) {
    char bytes[20000];
    const size_t size = expand(text, bytes);
    const int fd = opened(name, O_RDWR);
    char *const map = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ck_assert_ptr_ne(map, MAP_FAILED);
    close(fd);
    memcpy(map + where, bytes, size);
    if (syncs) ck_assert_int_eq(msync(map, 16384, MS_SYNC), 0);
    ck_assert_int_eq(munmap(map, 16384), 0);
}

/* a: append, A: with a sync, w: write, z: empty and write, p: store in a mapping, P: with a sync,
 * t: set the size, f: fsync, d: fdatasync, S: sync, c: create, u: unlink, r: rename, l: link,
 * m: mkdir, x: rmdir. */
static void obey_word(char what, const char *a, const char *b, const char *c) {
    const int fd = strchr("fd", what) != NULL ? opened(a, O_RDONLY) : -1;
    switch (what) {
    case 'a': put(a, O_APPEND, -1, b, false); break;
    case 'A': put(a, O_APPEND, -1, b, true); break;
    case 'w': put(a, 0, atoi(b), c, false); break;
    case 'z': put(a, O_TRUNC, -1, b, false); break;
    case 'p': store(a, atoi(b), c, false); break;
    case 'P': store(a, atoi(b), c, true); break;
    case 't': ck_assert_int_eq(truncate(at(a), atoi(b)), 0); break;
    case 'f': ck_assert_int_eq(fsync(fd), 0); break;
    case 'd': ck_assert_int_eq(fdatasync(fd), 0); break;
    case 'S': sync(); break;
    case 'c': close(opened(a, O_CREAT | O_EXCL | O_WRONLY)); break;
    case 'u': ck_assert_int_eq(unlink(at(a)), 0); break;
    case 'r': ck_assert_int_eq(rename(at(a), at(b)), 0); break;
    case 'l': ck_assert_int_eq(link(at(a), at(b)), 0); break;
    case 'm': ck_assert_int_eq(mkdir(at(a), 0755), 0); break;
    case 'x': ck_assert_int_eq(rmdir(at(a)), 0); break;
    default: ck_abort_msg("%c", what);
    }
    if (fd >= 0) close(fd);
}

/* What comes before "!" is on the disk already. */
static void obey(const char *script) {
    char words[300], *save = NULL;
    strcpy(words, script);
    for (char *w = strtok_r(words, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save)) {
        char a[20] = "", b[20] = "", c[20] = "";
        sscanf(w + 1, "%19[^:]:%19[^:]:%19s", a, b, c);
        if (w[0] != '!') {
            obey_word(w[0], a, b, c);
        } else {
            static frng f;
            f = frng_init("", 0);
            sync();
            ck_assert(frng_files_recover(&f));
        }
        frng_files_audit();
    }
}

/* ---- What is left ---- */

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Contents with runs of more than 3 as x*5000, and dots for zeros. */
static void add_contents(const char *path, char *state) {
    static char bytes[20000];
    const int fd = open(path, O_RDONLY);
    const ssize_t size = read(fd, bytes, sizeof bytes);
    close(fd);
    for (ssize_t i = 0, n; i < size; i += n) {
        const char x = bytes[i] != 0 ? bytes[i] : '.';
        for (n = 1; i + n < size && bytes[i + n] == bytes[i];) n++;
        if (n <= 3) n = 1;
        sprintf(state + strlen(state), n > 1 ? "%c*%d" : "%c", x, (int)n);
    }
}

static void add_state(const char *path, const char *name, char *state) {
    struct dirent **names;
    const int count = scandir(path, &names, NULL, by_name);
    ck_assert_int_ge(count, 0);
    for (int i = 0; i < count; i++) {
        char inner[PATH_MAX], shown[PATH_MAX];
        struct stat st;
        snprintf(inner, sizeof inner, "%s/%s", path, names[i]->d_name);
        snprintf(shown, sizeof shown, "%s%s%s", name, *name != 0 ? "/" : "", names[i]->d_name);
        if (names[i]->d_name[0] != '.' && stat(inner, &st) == 0) {
            sprintf(state + strlen(state), "%s%s%s", *state != 0 ? " " : "", shown,
                    S_ISDIR(st.st_mode) ? "/" : "=");
            if (S_ISDIR(st.st_mode))
                add_state(inner, shown, state);
            else
                add_contents(inner, state);
        }
        free(names[i]);
    }
    free(names);
}

static const char *left(void) {
    static char state[1000];
    state[0] = '\0';
    add_state(folder, "", state);
    return state;
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

/* All that a failure of the power can leave of a script, in order, between bars. */
static const char *reached(frng_files_model model, const char *script) {
    static char states[STATES_MAX][STATE_SIZE], all[STATES_MAX * STATE_SIZE];
    size_t count = 0;
    do {
        frng f = every_entropy(EVERY_MAX);
        folder = frng_files_begin(model);
        obey(script);
        ck_assert(frng_files_recover(&f));
        frng_files_audit();
        bool is_new = true;
        for (size_t i = 0; i < count; i++) is_new = is_new && strcmp(states[i], left()) != 0;
        ck_assert_uint_lt(count, STATES_MAX);
        if (is_new) strcpy(states[count++], left());
    } while (next_entropy());
    qsort(states, count, STATE_SIZE, by_text);
    all[0] = '\0';
    for (size_t i = 0; i < count; i++) strcat(strcat(all, i > 0 ? " | " : ""), states[i]);
    return all;
}

typedef struct row {
    const char *script, *ordered, *ext4, *posix; /* NULL: as the one before */
} row;

static const row rows[] = {
    {"ca ! aa:1 fa aa:2", "a=1 | a=12", NULL, NULL},
    {"ca cb ! aa:1 ab:2", "a= b= | a=1 b= | a=1 b=2", "a= b= | a= b=2 | a=1 b= | a=1 b=2", NULL},
    {"ca aa:x*8192 ! wa:4092:y*8", "a=x*4092y*8x*4092 | a=x*8192",
     "a=x*4092y*4x*4096 | a=x*4092y*8x*4092 | a=x*4096y*4x*4092 | a=x*8192", NULL},
    {"ca aa:x*1024 ! wa:0:y*1024", "a=x*1024 | a=y*1024", NULL,
     "a=x*1024 | a=x*512y*512 | a=y*1024 | a=y*512x*512"},
    {"ca ! aa:x*900", "a= | a=x*900", NULL, "a= | a=.*512x*388 | a=x*900"},
    {"ca aa:old ! cb ab:new rb:a", "a=new | a=old | a=old b= | a=old b=new", NULL,
     "a= | a=new | a=old | a=old b= | a=old b=new"},
    {"cb ab:new rb:s f.", "s=new", "s= | s=new", NULL},
    {"cb ab:new fb rb:s f.", "s=new", NULL, NULL},
    {"cb d.", "b=", NULL, NULL},
    {"ca Aa:1", "a=1", NULL, " | a=1"},
    {"ca cj ! Aa:1 uj", "a=1 | a=1 j=", NULL, NULL},
    {"ca cj ! Aa:1 uj d.", "a=1", NULL, NULL},
    {"cw aw:log ! tw:0", "w= | w=log", NULL, NULL},
    {"cw aw:log ! tw:0 fw", "w=", NULL, NULL},
    {"cw aw:log ! tw:0 aw:n", "w= | w=log | w=n", NULL, "w= | w=log | w=n | w=nog"},
    {"ca aa:old ! cb wa:0:new da", "a=new b=", "a=new | a=new b=", NULL},
    {"ca ! cb aa:1 da", "a=1 b=", NULL, "a=1 | a=1 b="},
    {"ca ! cb aa:1", "a= | a= b= | a=1 b=", NULL, "a= | a= b= | a=1 | a=1 b="},
    {"ca ! cb fa", "a= b=", "a= | a= b=", NULL},
    {"ca aa:old ! za:n cc f.", "a=n c=", NULL, "a= c= | a=n c= | a=nld c= | a=old c="},
    {"ca aa:x*9 ! wa:0:y ta:5 cb f.", "a=yx*4 b=", NULL,
     "a=x*5 b= | a=x*9 b= | a=yx*4 b= | a=yx*8 b="},
    {"ca ! ta:5 wa:1:y", "a= | a=.*5 | a=.y...", NULL, "a= | a=.*5 | a=.y | a=.y..."},
    {"ca aa:old ! la:b ua", "a=old | a=old b=old | b=old", NULL, " | a=old | a=old b=old | b=old"},
    {"md cd/e Ad/e:1", "d/ d/e=1", NULL, " | d/ | d/ d/e=1"},
    {"md f. cd/e fd ad/e:1", "d/ d/e= | d/ d/e=1", NULL, NULL},
    {"md ! xd", " | d/", NULL, NULL},
    {"ca aa:x*5000 ! pa:0:1 Pa:4500:2", "a=1x*44992x*499", NULL, NULL},
    {"ca aa:x*5000 ! pa:0:1 pa:4500:2", "a=1x*44992x*499 | a=1x*4999 | a=x*5000",
     "a=1x*44992x*499 | a=1x*4999 | a=x*45002x*499 | a=x*5000", NULL},
    {"ca ! aa:1 cb S aa:2", "a=1 b= | a=12 b=", NULL, NULL},
};

TEST_EACH(a_power_failure_leaves_what_its_model_says_and_nothing_else, sizeof rows / sizeof *rows) {
    const row *r = &rows[_i];
    const char *ext4 = r->ext4 != NULL ? r->ext4 : r->ordered;
    const char *posix = r->posix != NULL ? r->posix : ext4;
    ck_assert_str_eq(reached(FRNG_FILES_ORDERED, r->script), r->ordered);
    ck_assert_str_eq(reached(FRNG_FILES_EXT4, r->script), ext4);
    ck_assert_str_eq(reached(FRNG_FILES_POSIX, r->script), posix);
}

TEST(an_append_tears_if_the_test_wants_that) {
    ck_assert_str_eq(reached(FRNG_FILES_EXT4, "ca ! aa:x*8192"), "a= | a=x*8192");
    frng__files_tears = true;
    ck_assert_str_eq(reached(FRNG_FILES_EXT4, "ca ! aa:x*8192"), "a= | a=x*4096 | a=x*8192");
}

/* ---- When ---- */

TEST(the_power_fails_after_so_many_calls_and_the_rest_is_live_but_gone) {
    const uint8_t bytes[] = {0, 0x80, 1, 1}; /* of 0..3: 0, 2; nothing lost, nothing late */
    frng f = frng_init(bytes, sizeof bytes);
    ck_assert(frng_files_plan(&f, 3) && frng_files_off());
    ck_assert(frng_files_recover(&f) && !frng_files_off());
    ck_assert(frng_files_plan(&f, 3));
    obey("ca aa:1");
    ck_assert(!frng_files_off()); /* two calls have returned, and are acknowledged */
    obey("cb");
    ck_assert(frng_files_off());
    obey("ab:2 ua");
    ck_assert_str_eq(left(), "b=2");
    ck_assert(frng_files_recover(&f));
    ck_assert_str_eq(left(), "a=1");
    ck_assert_uint_eq(frng_used(&f), 4);
    ck_assert(!frng_files_plan(&f, 3));
    obey("ua");
}

TEST(zero_bytes_lose_nothing_however_much_could_be_lost) {
    char wanted[20] = "a=";
    for (int i = 1; i < 12; i++) {
        begin();
        obey("ca");
        for (int n = 1; n <= i; n++) obey(n % 2 == 1 ? "aa:1" : "aa:2");
        frng f = frng_init("\0\0", 2);
        ck_assert(frng_files_recover(&f));
        ck_assert_uint_eq(frng_used(&f), 2);
        ck_assert_str_eq(left(), strcat(wanted, i % 2 == 1 ? "1" : "2"));
    }
}

TEST(a_recovery_without_entropy_loses_nothing_and_keeps_the_folder) {
    frng f = frng_init("", 0);
    obey("ca aa:1 md cd/b");
    ck_assert(!frng_files_recover(&f));
    ck_assert_str_eq(left(), "a=1 d/ d/b=");
}

TEST(calls_elsewhere_and_of_reading_are_no_calls_of_ours) {
    char path[] = "/tmp/test-files-XXXXXX", byte;
    frng f = frng_init("\1\1", 2); /* of 0..255: 1 */
    obey("ca");
    ck_assert(frng_files_plan(&f, 255));
    const int fd = mkstemp(path), ours = opened("a", O_RDONLY);
    ck_assert_int_eq(write(fd, "x", 1), 1);
    ck_assert_int_eq(fsync(fd), 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(read(ours, &byte, 1), 0);
    ck_assert_int_eq(rename("/none", "/none2"), -1);
    ck_assert_int_eq(close(fd) + close(ours), 0);
    ck_assert(!frng_files_off());
    obey("aa:1");
    ck_assert(!frng_files_off());
    obey("aa:1");
    ck_assert(frng_files_off());
}

/* ---- Which file ---- */

TEST(a_file_is_its_inode_whatever_it_is_called_or_opened_by) {
    char path[64];
    obey("ca aa:1 la:b ra:c");
    const int fd = opened("b", O_WRONLY | O_APPEND), other = dup(fd);
    obey("ub");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const int again = open(path, O_WRONLY | O_APPEND), root = open(folder, O_RDONLY);
    ck_assert_int_eq(write(other, "2", 1) + write(again, "3", 1), 2);
    const int relative = openat(root, "./c", O_WRONLY | O_APPEND);
    const struct iovec parts[] = {{(void *)(uintptr_t) "4", 1}, {(void *)(uintptr_t) "56", 2}};
    ck_assert_int_eq(writev(relative, parts, 2), 3);
    ck_assert_int_eq(pwritev(relative, parts, 1, 0), 1); /* appends, as Linux has it */
    frng_files_audit();
    frng f = frng_init("\1\1", 2); /* nothing is lost */
    ck_assert(frng_files_recover(&f));
    ck_assert_str_eq(left(), "c=1234564");
    ck_assert_int_eq(write(fd, "x", 1), 1); /* a file of the life before */
    frng_files_audit();
    for (const int *p = (const int[]){fd, other, again, root, relative, -1}; *p >= 0; p++)
        close(*p);
}

TEST(hard_links_and_modes_outlive_a_failure) {
    struct stat a, b;
    frng f = frng_init("\1\1", 2); /* nothing is lost */
    obey("ca md la:d/b");
    ck_assert_int_eq(chmod(at("a"), 0600), 0);
    obey("aa:1");
    ck_assert(frng_files_recover(&f));
    ck_assert_int_eq(stat(at("a"), &a) + stat(at("d/b"), &b), 0);
    ck_assert(a.st_ino == b.st_ino && (a.st_mode & 07777) == 0600);
    obey("aa:2");
    ck_assert_str_eq(left(), "a=12 d/ d/b=12");
}

TEST(temporary_names_come_in_order) {
    char one[PATH_MAX], two[PATH_MAX], three[PATH_MAX];
    strcpy(one, at("t.XXXXXX")), strcpy(two, at("t.XXXXXX.x")), strcpy(three, at("dXXXXXX"));
    close(mkstemp(one)), close(mkostemps(two, 2, O_APPEND));
    ck_assert_ptr_eq(mkdtemp(three), three);
    ck_assert_int_eq(mkstemp(strcpy(one, at("XXX"))), -1);
    ck_assert_str_eq(left(), "daaaaac/ t.aaaaaa= t.aaaaab.x=");
    frng_files_audit();
}

/* ---- Streams and mappings ---- */

TEST(streams_are_logged_and_have_a_number) {
    FILE *s = fopen(at("a"), "w");
    fputs("one", s);
    ck_assert_int_eq(fflush(s) + fsync(fileno(s)), 0);
    fputs(" two", s);
    ck_assert_int_eq(fclose(s), 0);
    s = fdopen(opened("a", O_RDWR), "a+");
    fputs(" three", s);
    rewind(s);
    char word[8] = "";
    ck_assert_int_eq(fscanf(s, "%7s", word), 1);
    ck_assert_str_eq(word, "one");
    fclose(s);
    s = fopen(at("a"), "r");
    ck_assert_int_ge(fileno(s), 0);
    fclose(s);
    ck_assert_ptr_null(fopen(at("a"), "wx"));
    frng_files_audit();
    frng f = frng_init("\xff", 1); /* all that was not synced is lost */
    ck_assert(frng_files_recover(&f));
    ck_assert_str_eq(left(), "a=one");
}

TEST(mappings_are_followed_as_they_move_shrink_and_become_writable) {
    obey("ca aa:x*12288");
    const int fd = opened("a", O_RDWR);
    char *map = mmap(NULL, 12288, PROT_READ, MAP_SHARED, fd, 0);
    char *const own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    own[0] = '?';
    ck_assert_int_eq(mprotect(map, 12288, PROT_READ | PROT_WRITE), 0);
    map[0] = '1';
    ck_assert_int_eq(munmap(map + 4096, 4096), 0); /* a hole */
    frng_files_audit();
    map[1] = '2', map[8192] = '3';
    ck_assert_int_eq(pwrite(fd, "4", 1, 2), 1);
    ck_assert_int_eq(map[2], '4');
    frng_files_audit();
    map = mremap(map, 4096, 8192, MREMAP_MAYMOVE);
    ck_assert_ptr_ne(map, MAP_FAILED);
    map[4096] = '5';
    frng_files_audit();
    ck_assert_int_eq(ftruncate(fd, 4096), 0);
    ck_assert_int_eq(ftruncate(fd, 8192), 0);
    map[4097] = '6';
    frng_files_audit();
    ck_assert_str_eq(left(), "a=124x*4093.6.*4094");
    close(fd);
}

/* Copies inside of the kernel, in pieces and as a whole; a source that is not ours, and a pipe. */
TEST(copies_of_the_kernel_are_writes) {
    char text[5000];
    int ends[2];
    off_t from = 1, into = 2;
    obey("ca cb");
    const int fd = opened("a", O_RDWR), to = opened("b", O_RDWR),
              appends = opened("b", O_RDWR | O_APPEND);
    memset(text, 'x', sizeof text);
    ck_assert_int_eq(write(fd, "123456", 6), 6);
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    ck_assert_int_eq(copy_file_range(fd, NULL, to, NULL, 2, 0), 2);
    frng_files_audit();
    ck_assert_int_eq(copy_file_range(fd, &from, to, &into, 99, 0), 5);
    ck_assert(from == 6 && into == 7);
    ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), 2);
    frng_files_audit();
    ck_assert_int_eq(lseek(to, 0, SEEK_END), 7);
    ck_assert_int_eq(sendfile(to, fd, NULL, 3), 3);
    frng_files_audit();
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], "pq", 2), 2);
    ck_assert_int_eq(splice(ends[0], NULL, to, NULL, 9, 0), 2);
    frng_files_audit();
    from = 0;
    ck_assert_int_eq(syscall(SYS_copy_file_range, fd, &from, to, NULL, 1, 0), 1);
    frng_files_audit();
    ck_assert_int_eq(syscall(SYS_sendfile, to, fd, &from, 1), 1);
    frng_files_audit();
    ck_assert_int_eq(write(ends[1], "r", 1), 1);
    ck_assert_int_eq(syscall(SYS_splice, ends[0], NULL, to, NULL, 1, 0), 1);
    frng_files_audit();
    ck_assert_str_eq(left(), "a=123456 b=1223456345pq12r");
    ck_assert_int_eq(syscall(SYS_renameat2, AT_FDCWD, at("a"), AT_FDCWD, at("d"), 0), 0);
    frng_files_audit();
    ck_assert(sendfile(appends, fd, NULL, 1) == -1 && errno == EINVAL);
    ck_assert(copy_file_range(fd, NULL, appends, NULL, 1, 0) == -1 && errno == EBADF);
    from = 0, into = 1;
    ck_assert(copy_file_range(to, &from, to, &into, 2, 0) == -1 && errno == EINVAL);
    ck_assert(copy_file_range(ends[0], NULL, to, NULL, 1, 0) == -1 && errno == EINVAL);
    ck_assert(splice(fd, NULL, to, NULL, 1, 0) == -1 && errno == EINVAL);
    ck_assert_int_eq(pwrite(fd, text, sizeof text, 0), (ssize_t)sizeof text);
    from = 0;
    ck_assert_int_eq(sendfile(to, fd, &from, 9999), (ssize_t)sizeof text);
    frng_files_audit();
    close(fd), close(to), close(appends), close(ends[0]), close(ends[1]);
}

/* ---- What it cannot follow ---- */

TEST(what_it_cannot_follow_is_refused) {
    obey("ca md");
    struct aiocb request = {.aio_fildes = opened("a", O_RDWR)};
    char ring[256] = "";
    ck_assert(open(folder, O_TMPFILE | O_RDWR, 0600) == -1 && errno == EOPNOTSUPP);
    ck_assert(symlink("a", at("s")) == -1 && errno == EPERM);
    ck_assert(rename(at("d"), at("e")) == -1 && errno == EXDEV);
    ck_assert(rename(at("a"), "/tmp/a") == -1 && errno == EXDEV);
    ck_assert(syscall(SYS_io_uring_setup, 1, ring) == -1 && errno == ENOSYS);
    ck_assert(syscall(SYS_io_setup, 1, ring) == -1 && errno == ENOSYS);
    ck_assert(aio_write(&request) == -1 && errno == ENOSYS);
    ck_assert(fallocate(request.aio_fildes, 2 | 1, 0, 1) == -1 && errno == EOPNOTSUPP);
    ck_assert(ioctl(request.aio_fildes, FICLONE, request.aio_fildes) == -1 && errno == EOPNOTSUPP);
    ck_assert(syscall(SYS_getpid) == getpid());
    close(request.aio_fildes);
    frng_files_audit();
    ck_assert_str_eq(left(), "a= d/");
}

static void miss(const void *what) {
    begin();
    obey("ca");
    const int fd = (int)FRNG__DO(openat, AT_FDCWD, at(what), O_CREAT | O_WRONLY, 0644);
    (void)FRNG__DO(write, fd, "x", 1L);
    frng_files_audit();
}

TEST(an_audit_finds_a_call_that_was_missed) {
    ck_assert_ptr_nonnull(
        strstr(dying_message(miss, "a", false, STDERR_FILENO), "/a has 1 bytes, and by the log 0"));
    ck_assert_ptr_nonnull(
        strstr(dying_message(miss, "b", false, STDERR_FILENO), "the log does not have "));
}

/* ---- The story, and the folder ---- */

TEST(a_trace_has_each_call_with_its_number_and_what_is_lost) {
    frng f = heard((const uint8_t[]){0xff}, 1); /* all that can be lost is */
    obey("cz");
    const int fd = opened("z", O_RDONLY);
    ck_assert_int_eq(write(fd, "x", 1), -1); /* has no number */
    close(fd);
    frng_files_listen(&f);
    obey("md cd/a Ad/a:x*9000 wd/a:4090:12345678 td/a:5 rd/a:b lb:c uc S cb2 ab2:x*9000 ub2 mx xx "
         "dz");
    ck_assert(frng_files_recover(&f));
    ck_assert_str_eq(said, "#2 mkdir d\n"
                           "#3 create d/a\n"
                           "#4 append 9000 bytes at 0 of d/a\n"
                           "#5 fsync d/a\n"
                           "#6 write 8 bytes at 4090 of d/a\n"
                           "#7 truncate d/a to 5\n"
                           "#8 rename d/a -> b\n"
                           "#9 link b -> c\n"
                           "#10 unlink c\n"
                           "#11 sync everything\n"
                           "#12 create b2\n"
                           "#13 append 9000 bytes at 0 of b2\n"
                           "#14 unlink b2\n"
                           "#15 mkdir x\n"
                           "#16 rmdir x\n"
                           "#17 fdatasync z\n"
                           "lost: #12 create b2\n"
                           "lost: #13 append 9000 bytes at 0 of b2\n"
                           "lost: #14 unlink b2\n"
                           "lost: #15 mkdir x\n"
                           "lost: #16 rmdir x\n");
}

static void crash(const void *path) {
    puts(frng_files_begin(FRNG_FILES_EXT4));
    fflush(stdout);
    (void)path;
    abort();
}

TEST(folders_of_crashed_runs_go_and_those_of_others_stay) {
    char path[PATH_MAX], mine[PATH_MAX];
    strcpy(mine, folder);
    strcpy(path, dying_message(crash, NULL, false, STDOUT_FILENO));
    path[strcspn(path, "\n")] = '\0';
    ck_assert_str_ne(path, mine);
    ck_assert_int_eq(access(path, F_OK), 0);
    const char *again = dying_message(crash, NULL, false, STDOUT_FILENO);
    ck_assert_int_eq(access(mine, F_OK), 0);
    ck_assert(access(path, F_OK) != 0 || strncmp(again, path, strlen(path)) == 0);
}
