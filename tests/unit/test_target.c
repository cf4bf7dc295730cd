/* target.h: the program, found where a shell finds it, or one line that says why not; and what
 * files say about it: programs, and what is none. */
#include "constants.h"
#include "fixture.h"
#include "program.h"
#include "target.h"

#include "messages.h"

#include <errno.h>
#include <link.h>

static char *no_args[] = {NULL};

/* Resolve with PATH as the folder `bin`. */
static bool resolve(target_command *s, const char *name, char *const *args) {
    setenv("PATH", test_dir_path("bin"), 1);
    message_init("frng-test", false);
    capture_begin();
    const bool ok = target_find(s, name, args);
    capture_end();
    if (ok) {
        ck_assert_str_eq(capture_text, "");
    } else {
        const char *end = strchr(capture_text, '\n');
        ck_assert_msg(end != NULL && end[1] == '\0', "not one line: '%s'", capture_text);
    }
    return ok;
}

static void refuses(const char *name, const char *said) {
    target_command s;
    ck_assert_msg(!resolve(&s, name, no_args), "'%s' was taken", name);
    assert_contains(capture_text, said);
    target_finish(&s);
}

static void furnish(void) {
    if (mkdir(test_dir_path("bin"), 0700) != 0) abort();
}

/* A path is taken as it stands, a name is looked up on PATH. Variables of ours in the shell must
 * not reach the runs of a search. */
TEST(a_program_is_found) {
    static const char *const kept[] = {"A=1",
                                       "PATH=",
                                       "FRNG_INPUTS=kept",
                                       "FRNG_DRIVERS=2",
                                       "Z=",
                                       "UBSAN_OPTIONS=halt_on_error=1"};
    char *args[] = {"-x", "", "--", NULL};
    char path[PATH_MAX];
    target_command s;
    snprintf(path, sizeof path, "%s", test_dir_text("bin/a tool", "#!/bin/sh\n", 0700));
    const char *const names[] = {path, "a tool"};
    clearenv();
    setenv("A", "1", 1);
    setenv("PATH", "", 1);
    setenv("FRNG_INPUT", "/x", 1);
    setenv("FRNG_INPUTS", "kept", 1);
    setenv("FRNG_DRIVERS", "2", 1);
    setenv("FRNG_DRIVER", "1,2,3,4", 1);
    setenv("Z", "", 1);
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        ck_assert(resolve(&s, names[k], args));
        ck_assert_str_eq(s.path, path);
        ck_assert_str_eq(s.argv[0], names[k]);
        for (size_t i = 0; i < COUNT_OF(args) - 1; i++) ck_assert_str_eq(s.argv[1 + i], args[i]);
        ck_assert_ptr_null(s.argv[COUNT_OF(args)]);
        for (size_t i = 0; i < COUNT_OF(kept); i++)
            ck_assert_int_eq(strncmp(s.env.list[i], kept[i], strlen(kept[i])), 0);
        ck_assert_ptr_null(s.env.list[COUNT_OF(kept)]);
        target_finish(&s);
    }
}

TEST(what_is_no_program) {
    ck_assert_int_eq(mkfifo(test_dir_path("fifo"), 0700), 0);
    ck_assert_int_eq(symlink("nowhere", test_dir_path("dangling")), 0);
    ck_assert_int_eq(symlink("loop", test_dir_path("loop")), 0);
    ck_assert_int_eq(mkdir(test_dir_path("bin/folder"), 0700), 0);
    test_dir_text("bin/plain", "text", 0600);
    refuses(test_dir_path("bin/plain/deeper"), "Not a directory");
    refuses(test_dir_path("fifo"), "cannot be started");
    refuses("/dev/null", "cannot be started");
    refuses(test_dir_path("dangling"), "not found");
    refuses(test_dir_path("loop"), "ymbolic link");
    refuses("folder", "not found on PATH");
    refuses("plain", "not found on PATH");
    refuses("", "not found on PATH; give the path");
    refuses("a\nb\033[2J", "a\\x0ab\\x1b[2J: not found on PATH");
}

static void explains(outcome error, const bytes_tail *output, const char *said) {
    message_init("frng-test", false);
    capture_begin();
    ck_assert(program_print_fault("/dev/null", &error, output));
    assert_contains(capture_end(), said);
}

TEST(what_cannot_be_started_or_ended_says_what_to_do) {
    bytes_tail tail = {0};
    bytes_tail_add(&tail, (const uint8_t *)"libx.so: no\x1b\nmore\n", 18);
    explains(outcome_error(FAULT_EXEC, EACCES), NULL, "permission denied; check that it");
    explains(outcome_error(FAULT_EXEC, ETXTBSY), NULL, "cannot be started: Text file busy\n");
    explains(outcome_error(FAULT_END, ETIME), NULL, "a run does not die of SIGKILL");
    explains(outcome_error(FAULT_END, EPERM), NULL, "not permitted; frng needs wait4(2)");
    explains(outcome_error(FAULT_LINKER, 0), &tail, "cannot be loaded: libx.so: no\\x1b\n");
    explains((outcome){.fault = FAULT_SHELL, .status = 127 << 8}, &tail,
             "cannot be started: exits with 127 without reading its input: libx.so: no\\x1b\n");
    bytes_tail_add(&tail, (const uint8_t *)"frng: usage: a\n", 15);
    explains(outcome_error(FAULT_USAGE, 0), &tail, "cannot be run: a\n");
    memset(tail.bytes, 'y', sizeof tail.bytes); /* full, and ended by nothing */
    tail.size = sizeof tail.bytes;
    explains(outcome_error(FAULT_LINKER, 0), &tail, "yyyy\n");
    ck_assert_uint_ge(strlen(capture_text), sizeof tail.bytes);
}

/* Two known answers of BLAKE2b-256, and one longer than is read at once; a file that is too large
 * to read, and one while a signal waits. */
TEST(a_digest_is_blake2b_of_the_file) {
    static char long_text[200001];
    memset(long_text, 'a', 200000);
    static const char *const cases[][2] = {
        {"", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
        {"abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"},
        {long_text, "5d9714feafe283193f3554a956c08f5d8fbade49844b12bf3ba49ac2aa9107e3"}};
    target_command s = {.path = strdup(test_dir_path("file"))};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        test_dir_text("file", cases[i][0], 0700);
        target_update(&s);
        ck_assert_str_eq(s.digest, cases[i][1]);
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    for (off_t gib = 1024; gib > 0; gib = gib > 4 ? 4 : 0) {
        ck_assert_int_eq(truncate(s.path, gib << 30), 0);
        if (gib == 4) sigprocmask(SIG_BLOCK, &set, NULL), raise(SIGTERM);
        target_update(&s);
        ck_assert_ptr_null(s.digest);
    }
    target_finish(&s);
}

/* ---- What its files say ---- */

static const target_command *target_of(const void *bytes, size_t size) {
    static char path[PATH_MAX];
    static target_command s = {.path = path};
    snprintf(path, sizeof path, "%s", test_dir_file("file", bytes, size, 0700));
    return &s;
}

#define READS_INPUT(text) target_reads_frng_input(target_of(text, sizeof text - 1))

static bool names_protocol(const char *text, size_t size) {
    return target_names_protocol(target_of(text, size)) != NULL;
}

TEST(the_marker_of_frng_main) {
    ck_assert(!READS_INPUT("#!/bin/sh\n"));
    ck_assert(!READS_INPUT("frng_main:1")); /* a string in C ends with a zero */
    ck_assert(!READS_INPUT("frng_main:12\0"));
    ck_assert(READS_INPUT("frng_main:1\0"));
    ck_assert(READS_INPUT("\0\0x frng_main:1\0more"));
}

TEST(a_script_names_the_protocol_by_a_whole_word) {
    static const char *const named[] = {
        "frng",        "from './frng.mjs'", "frng_ frng",      "FRNG_DRIVER", "XFRNG_DRIVERS x",
        "frngs.frng(", "@frng.main",        "frng-x frng\xff", "a.b/frng",    "frng/x"};
    static const char *const silent[] = {
        "",      "\n",   "fr ng", "frngs",  "_frng", "frng-",     "-frng",      "1frng",
        "frng2", "Frng", "frn",   "frnfrn", "FRNG",  "frng_main", "FRNG_DRIVE", "/a/frng/b"};
    for (size_t i = 0; i < COUNT_OF(named); i++)
        ck_assert_msg(names_protocol(named[i], strlen(named[i])), "%s", named[i]);
    for (size_t i = 0; i < COUNT_OF(silent); i++)
        ck_assert_msg(!names_protocol(silent[i], strlen(silent[i])), "%s", silent[i]);
}

/* The word counts in the first MiB, and not in a binary, which has a zero in its first 4 KiB. */
TEST(where_a_file_names_it) {
    enum { MIB = 1 << 20, SIZE = MIB + 100 };
    static char bytes[SIZE];
    memset(bytes, ' ', SIZE);
    memcpy(bytes + MIB - 3, "frng", 4);
    ck_assert(!names_protocol(bytes, SIZE));
    memcpy(bytes + MIB - 4, "frng ", 5);
    bytes[4096] = '\0';
    ck_assert(names_protocol(bytes, SIZE));
    bytes[4095] = '\0';
    ck_assert(!names_protocol(bytes, SIZE));
    memcpy(bytes + 5000, "FRNG_DRIVER", 11);
    ck_assert(names_protocol(bytes, SIZE));
}

/* An interpreter is known by what it runs, unless that is large. */
TEST(arguments_that_are_files_speak_too) {
    enum { LARGE = 256 << 20 };
    char script[PATH_MAX];
    char *argv[] = {"target", "no file", script, NULL};
    target_command s = *target_of("#!/bin/sh\n", 10);
    snprintf(script, sizeof script, "%s", test_dir_text("script", "import frng\n", 0600));
    ck_assert_ptr_null(target_names_protocol(&s));
    s.argv = argv;
    ck_assert_ptr_eq(target_names_protocol(&s), script);
    ck_assert(!target_reads_frng_input(&s));
    ck_assert_int_eq(truncate(script, LARGE + 1), 0);
    ck_assert_ptr_null(target_names_protocol(&s));
}

TEST(what_is_no_file_says_nothing) {
    static const char *const paths[] = {"/", "/dev/zero", "/dev/null", "/no/such/file", ""};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        const target_command s = {.path = (char *)paths[i]};
        ck_assert(target_names_protocol(&s) == NULL && !target_reads_frng_input(&s));
        ck_assert(target_takes_memory_limit(&s) && !target_prints_reports(&s));
    }
}

/* ---- Sanitizers ---- */

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
    p.head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    p.head.e_shentsize = sizeof p.sections[0];
    p.head.e_shoff = offsetof(program, sections);
    p.head.e_shnum = 2;
    p.sections[1].sh_type = SHT_STRTAB;
    p.sections[1].sh_offset = offsetof(program, names);
    p.sections[1].sh_size = sizeof p.names;
    memcpy(p.names, "\0main", 6);
    memcpy(p.names + 6, symbol, strlen(symbol));
    return p;
}

/* True if the file may run under --memory; else capture_text says why not. */
static bool is_limited(const void *bytes, size_t size) {
    capture_begin();
    const bool ok = target_takes_memory_limit(target_of(bytes, size));
    capture_end();
    return ok;
}

TEST(sanitizers_are_known_by_their_symbols) {
    static const struct {
        const char *symbol, *name;
        bool reports;
    } cases[] = {{"__asan_init", "with AddressSanitizer,", true},
                 {"__msan_init", "with MemorySanitizer,", true},
                 {"__tsan_init", "with ThreadSanitizer,", true},
                 {"__hwasan_init", "with HWAddressSanitizer,", true},
                 {"__asan_init_v4", "with AddressSanitizer,", true},
                 {"__ubsan_handle_add_overflow", NULL, true},
                 {"liblsan.so.0", NULL, true},
                 {"__lsan_init", NULL, true},
                 {"", NULL, false},
                 {"my__asan_init", NULL, false},
                 {"my__ubsan_handle_", NULL, false},
                 {"__ubsan_init", NULL, false},
                 {"__lsan_disable", NULL, false}};
    message_init("frng-test", false);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const program p = make(cases[i].symbol);
        const char *name = cases[i].name;
        ck_assert_msg(is_limited(&p, sizeof p) == (name == NULL), "%s", cases[i].symbol);
        if (name != NULL) assert_contains(capture_text, name);
        ck_assert_int_eq(target_prints_reports(target_of(&p, sizeof p)), cases[i].reports);
    }
}

/* The file ends where the memory it is mapped to may end: what reads on crashes. */
TEST(damaged_files_are_read_to_their_ends_and_no_further) {
    const program whole = make("__asan_init");
    for (size_t size = 0; size < sizeof whole; size++) is_limited(&whole, size);
    for (size_t i = 0; i < offsetof(program, names); i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            program p = whole;
            ((unsigned char *)&p)[i] ^= (unsigned char)(1U << bit);
            is_limited(&p, sizeof p);
        }
    }
    program p = whole;
    p.sections[1].sh_offset = (ElfW(Off)) - 8;
    ck_assert(is_limited(&p, sizeof p));
    p = whole;
    p.head.e_shoff = (ElfW(Off)) - 64;
    ck_assert(is_limited(&p, sizeof p));
}

/* It is built again meanwhile: a large table of names is there, and gone, again and again. */
TEST(a_file_that_is_cut_short) {
    enum { LARGE = 16 << 20, LOOKS = 20 };
    program p = make("__ubsan_init");
    p.sections[1].sh_size = LARGE - p.sections[1].sh_offset;
    const target_command *s = target_of(&p, sizeof p);
    const pid_t cutter = fork();
    while (cutter == 0) {
        if (truncate(s->path, LARGE) != 0) _exit(1);
        usleep(2000);
        if (truncate(s->path, sizeof p) != 0) _exit(1);
    }
    for (int i = 0; i < LOOKS; i++) {
        ck_assert(target_takes_memory_limit(s) && target_names_protocol(s) == NULL);
        usleep(500);
    }
    kill(cutter, SIGKILL);
    ck_assert_int_eq(waitpid(cutter, NULL, 0), cutter);
}

/* ---- Constants ---- */

/* A program of many functions, which have the same code and the same name. */
typedef struct coded {
    Elf64_Ehdr head;
    Elf64_Shdr note, code, table, names; /* notes are not in memory */
    char bytes[64];
    Elf64_Sym functions[1 << 17];
    char name[4 << 20];
} coded;

static coded *make_coded(const char *code, size_t size) {
    static coded p;
    memcpy(p.head.e_ident, ELFMAG "\2\1", 6);
    p.head.e_machine = EM_X86_64;
    p.head.e_shnum = 4;
    p.head.e_shoff = offsetof(coded, note);
    p.head.e_shentsize = sizeof p.note;
    p.note =
        (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_offset = offsetof(coded, bytes), .sh_size = 64};
    p.code = (Elf64_Shdr){
        .sh_type = SHT_PROGBITS, .sh_offset = offsetof(coded, bytes), .sh_flags = SHF_EXECINSTR};
    p.table = (Elf64_Shdr){.sh_type = SHT_SYMTAB, .sh_link = 3, .sh_size = sizeof p.functions};
    p.table.sh_offset = offsetof(coded, functions);
    p.names = (Elf64_Shdr){.sh_offset = offsetof(coded, name), .sh_size = sizeof p.name};
    memcpy(p.bytes, code, size);
    for (size_t i = 0; i < COUNT_OF(p.functions); i++)
        p.functions[i] = (Elf64_Sym){.st_info = STT_FUNC, .st_shndx = 1, .st_size = size};
    memset(p.name, 'a', sizeof p.name - 1);
    return &p;
}

TEST(constants_are_of_functions_that_are_not_of_frng) {
    static const struct {
        const char *name;
        bool is_looked_at;
    } cases[] = {
        {"test", true},     {"_ZL4testP4frng", true},       {"_ZN6frngpp3runIXadL4test", true},
        {"frng_u8", false}, {"_ZL9frng__u64P4frng", false}, {"_ZN4frng4draw17h", false}};
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return;
    coded *p = make_coded("\x3d\xef\xbe\xad\xde\xb8\xb\0\0\0", 10); /* cmp, and mov of 11 */
    memcpy(p->bytes + 11, "note", 4);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        memcpy(p->name, cases[i].name, strlen(cases[i].name));
        dictionary *found = constants_find(target_of(p, sizeof *p)->path);
        ck_assert_msg((found != NULL) == cases[i].is_looked_at, "%s", cases[i].name);
        ck_assert(found == NULL || (found->lists[0].count == 1 && found->text_count == 0));
        free(found);
        memset(p->name, 'a', strlen(cases[i].name));
    }
}

/* What is compared piece by piece, as compilers do, is one text. */
static const struct {
    const char *code, *text;
} pieces[] = {
    {"\x81\x38"
     "RIFF"
     "\x90\x66\x81\x78\4"
     "WA"
     "\x90\x80\x78\6"
     "V",
     "RIFFWAV"},
    {"\xb8"
     "PATC"
     "\x90\x83\xf1"
     "H",
     "PATCH"},
    {"\x48\xb8"
     "content-"
     "\x90\x3d"
     "t-ra",
     "content-ra"}, /* two letters are read twice */
    {"\x3c"
     "p"
     "\x90\x3c"
     "u"
     "\x90\x3c"
     "t",
     "put"},
};

TEST_EACH(a_text_is_put_together_of_pieces, COUNT_OF(pieces)) {
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return;
    coded *p = make_coded(pieces[_i].code, strlen(pieces[_i].code));
    p->table.sh_size = sizeof p->functions[0];
    dictionary *found = constants_find(target_of(p, sizeof *p)->path);
    bool is_found = false;
    for (size_t i = 0; found != NULL && i < found->text_count; i++)
        is_found |= strcmp(found->texts[i], pieces[_i].text) == 0;
    ck_assert(is_found);
    free(found);
}

/* Of more numbers than the first list has those near main come into it. */
TEST(functions_near_main_are_looked_at_first) {
    enum { FUNCTIONS = 100, NEAR = 50 };
    static const char *const names[] = {"main", "main.main"};
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) return;
    static char code[5 * FUNCTIONS];
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        code[5 * i] = 0x3d;
        memcpy(code + 5 * i + 1, &(uint32_t){1000 + i}, 4);
    }
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        coded *p = make_coded("", 0);
        p->code.sh_offset = offsetof(coded, name) + 100;
        p->table.sh_size = FUNCTIONS * sizeof p->functions[0];
        memcpy(p->name + 100, code, sizeof code);
        strcpy(p->name, names[k]);
        for (size_t i = 0; i < FUNCTIONS; i++) {
            p->functions[i].st_value = 5 * i;
            p->functions[i].st_size = 5;
            p->functions[i].st_name = i == NEAR ? 0 : 50;
        }
        dictionary *found = constants_find(target_of(p, sizeof *p)->path);
        ck_assert(found != NULL);
        for (size_t i = 0; i < found->lists[0].count; i++) {
            const uint64_t number = found->lists[0].numbers[i]; /* a small one is of other bytes */
            ck_assert(number < 256 || (number + 33 > 1000 + NEAR && number < 1000 + NEAR + 33));
        }
        free(found);
    }
}

TEST(options_of_sanitizers_are_appended_to_the_users) {
    static const char *const expected[] = {"ASAN_OPTIONS=exitcode=3:symbolize=0",
                                           "A=1",
                                           "LSAN_OPTIONS=symbolize=0",
                                           "UBSAN_OPTIONS=halt_on_error=1:symbolize=0",
                                           "MSAN_OPTIONS=symbolize=0",
                                           "TSAN_OPTIONS=symbolize=0"};
    const char *path = test_dir_text("sut", "#!/bin/sh\n", 0700);
    target_command s, own;
    clearenv();
    setenv("ASAN_OPTIONS", "exitcode=3", 1);
    setenv("A", "1", 1);
    setenv("LSAN_OPTIONS", "", 1);
    ck_assert(target_find(&s, path, no_args));
    environment_make_terse(&s.env);
    for (size_t i = 0; i < COUNT_OF(expected); i++) ck_assert_str_eq(s.env.terse[i], expected[i]);
    ck_assert_ptr_null(s.env.terse[COUNT_OF(expected)]);
    setenv("UBSAN_OPTIONS", "symbolize=1", 1);
    ck_assert(target_find(&own, path, no_args));
    environment_make_terse(&own.env);
    ck_assert_msg(own.env.terse == NULL, "what the user chose is not overruled");
    target_finish(&s);
    target_finish(&own);
}

/* What the user decides, in the environment or in the program, stays. */
TEST(reports_of_ubsan_end_a_run) {
    static const struct {
        const char *before, *text, *after;
    } rows[] = {{NULL, "", "UBSAN_OPTIONS=halt_on_error=1"},
                {"", "", "UBSAN_OPTIONS=halt_on_error=1"},
                {"print_stacktrace=1", "", "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1"},
                {"halt_on_error=0", "", "UBSAN_OPTIONS=halt_on_error=0"},
                {"a=1", "halt_on_error=0", "UBSAN_OPTIONS=a=1"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        target_command s;
        clearenv();
        setenv("B", "2", 1);
        if (rows[i].before != NULL) setenv("UBSAN_OPTIONS", rows[i].before, 1);
        ck_assert(target_find(&s, test_dir_text("sut", rows[i].text, 0700), no_args));
        ck_assert_str_eq(s.env.list[1], rows[i].after);
        ck_assert_ptr_null(s.env.list[2]);
        target_finish(&s);
    }
}

TEST(path_of_an_environment) {
    setenv("PATH", "", 1);
    ck_assert_str_eq(program_folders(), "");
    unsetenv("PATH");
    assert_contains(program_folders(), "/usr/bin");
}

SUITE(.before_each = furnish, .timeout_s = 90);
