/* sanitizer.h: what a program was built with, in files that are programs and in such as are not. */
#include "fixture.h"
#include "sanitizer.h"
#include "sanitizer_options.h"

#include <link.h>
#include <signal.h>
#include <sys/wait.h>

/* A program's file, as small as one with a table of names can be. */
typedef struct program {
    ElfW(Ehdr) head;
    ElfW(Shdr) sections[2];
    char names[64];
} program;

static program make(const char *symbol) {
    program p;
    memset(&p, 0, sizeof p);
    memcpy(p.head.e_ident, ELFMAG, SELFMAG);
    p.head.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    p.head.e_shoff = offsetof(program, sections);
    p.head.e_shnum = 2;
    p.sections[1].sh_type = SHT_STRTAB;
    p.sections[1].sh_offset = offsetof(program, names);
    p.sections[1].sh_size = sizeof p.names;
    memcpy(p.names, "\0main", 6);
    memcpy(p.names + 6, symbol, strlen(symbol));
    return p;
}

static const char *ask(const void *bytes, size_t size) {
    return sanitizer_of(test_dir_file("program", bytes, size, 0700));
}

TEST(each_is_known_by_its_symbol) {
    static const char *const known[][2] = {{"__asan_init", "AddressSanitizer"},
                                           {"__msan_init", "MemorySanitizer"},
                                           {"__tsan_init", "ThreadSanitizer"},
                                           {"__hwasan_init", "HWAddressSanitizer"}};
    static const char *const others[] = {"", "__asan_init_v4", "my__asan_init", "__ubsan_init"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const program p = make(known[i][0]);
        ck_assert_ptr_nonnull(ask(&p, sizeof p));
        ck_assert_str_eq(ask(&p, sizeof p), known[i][1]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const program p = make(others[i]);
        ck_assert_msg(ask(&p, sizeof p) == NULL, "%s", others[i]);
    }
}

TEST(those_that_print_reports_are_known_by_the_beginnings_of_names) {
    static const char *const known[] = {"__asan_init_v4", "__ubsan_handle_add_overflow",
                                        "liblsan.so.0", "__lsan_init"};
    static const char *const others[] = {"", "__lsan_disable", "my__ubsan_handle_", "__ubsan_init"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const program p = make(known[i]);
        ck_assert_msg(sanitizer_reports(test_dir_file("program", &p, sizeof p, 0700)), "%s",
                      known[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const program p = make(others[i]);
        ck_assert_msg(!sanitizer_reports(test_dir_file("program", &p, sizeof p, 0700)), "%s",
                      others[i]);
    }
}

/* Return the value of a variable in an environment, or NULL. */
static const char *value_in(char *const *envp, const char *variable) {
    const size_t length = strlen(variable);
    for (; *envp != NULL; envp++) {
        if (strncmp(*envp, variable, length) == 0 && (*envp)[length] == '=')
            return *envp + length + 1;
    }
    return NULL;
}

TEST(options_are_appended_to_the_users) {
    static char *const envp[] = {"A=1", "ASAN_OPTIONS=exitcode=3", "LSAN_OPTIONS=", "B=2", NULL};
    char **terse = sanitizer_options_environment(envp);
    ck_assert_str_eq(value_in(terse, "A"), "1");
    ck_assert_str_eq(value_in(terse, "B"), "2");
    ck_assert_str_eq(value_in(terse, "ASAN_OPTIONS"), "exitcode=3:symbolize=0");
    ck_assert_str_eq(value_in(terse, "LSAN_OPTIONS"), "symbolize=0");
    ck_assert_str_eq(value_in(terse, "UBSAN_OPTIONS"), "symbolize=0");
    sanitizer_options_free(terse);
}

TEST(options_of_the_user_are_not_overruled) {
    static char *const envp[] = {"UBSAN_OPTIONS=symbolize=1", NULL};
    ck_assert_ptr_null(sanitizer_options_environment(envp));
}

TEST(words_elsewhere_are_no_symbols) {
    program p = make("__asan_init");
    p.sections[1].sh_type = SHT_PROGBITS;
    ck_assert_ptr_null(ask(&p, sizeof p));
    ck_assert_ptr_null(ask("\0__asan_init", sizeof "\0__asan_init"));
    ck_assert_ptr_null(ask("", 0));
    ck_assert_ptr_null(sanitizer_of(test_dir_path("missing")));
    ck_assert_ptr_null(sanitizer_of(test_dir));
    ck_assert_ptr_null(sanitizer_of("/dev/zero"));
}

/* The file ends where the memory it is mapped to may end: what reads on crashes. */
TEST(damaged_files_are_read_to_their_ends_and_no_further) {
    const program whole = make("__asan_init");
    for (size_t size = 0; size < sizeof whole; size++) ask(&whole, size);
    for (size_t i = 0; i < offsetof(program, names); i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            program p = whole;
            ((unsigned char *)&p)[i] ^= (unsigned char)(1U << bit);
            ask(&p, sizeof p);
        }
    }
    program p = whole;
    p.sections[1].sh_offset = (ElfW(Off)) - 8;
    ck_assert_ptr_null(ask(&p, sizeof p));
    p = whole;
    p.head.e_shoff = (ElfW(Off)) - 64;
    ck_assert_ptr_null(ask(&p, sizeof p));
}

/* It is built again meanwhile: a large table of names is there, and gone, again and again. */
TEST(a_file_that_is_cut_short) {
    enum { LARGE = 64 << 20, LOOKS = 20 };
    program p = make("__ubsan_init");
    char path[PATH_MAX];
    p.sections[1].sh_size = LARGE - p.sections[1].sh_offset;
    snprintf(path, sizeof path, "%s", test_dir_file("cut", &p, sizeof p, 0700));
    const pid_t cutter = fork();
    while (cutter == 0) {
        if (truncate(path, LARGE) != 0) _exit(1);
        usleep(2000);
        if (truncate(path, sizeof p) != 0) _exit(1);
    }
    for (int i = 0; i < LOOKS; i++) {
        ck_assert_ptr_null(sanitizer_of(path));
        usleep(500);
    }
    kill(cutter, SIGKILL);
    ck_assert_int_eq(waitpid(cutter, NULL, 0), cutter);
}

SUITE(.timeout_s = 90);
