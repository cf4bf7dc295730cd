/* target_command.h: the program, found where a shell finds it, or one line that says why not. */
#include "fixture.h"
#include "target_command.h"

#include "messages.h"
#include "program.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static char *no_args[] = {NULL};

/* Resolve with PATH as the folder `bin`. */
static bool resolve(target_command *s, const char *name, char *const *args) {
    static char path[PATH_MAX + 8];
    static char *envp[] = {"FRNG_DRIVER=",
                           "A=1",
                           path,
                           "FRNG_INPUT=/x",
                           "FRNG_INPUTS=kept",
                           "FRNG_DRIVERS",
                           "Z=",
                           "FRNG_DRIVER=1,2,3,4",
                           NULL};
    snprintf(path, sizeof path, "PATH=%s", test_dir_path("bin"));
    message_init("frng-test", false);
    capture_begin();
    const bool ok = target_command_find(s, name, args, envp);
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
    target_command_finish(&s);
}

static void furnish(void) {
    if (mkdir(test_dir_path("bin"), 0700) != 0) abort();
}

TEST(a_path_is_taken_as_it_stands) {
    char *args[] = {"-x", "", "--", NULL};
    const char *path = test_dir_text("a sut", "#!/bin/sh\n", 0700);
    target_command s;
    ck_assert(resolve(&s, path, args));
    ck_assert_str_eq(s.path, path);
    ck_assert_str_eq(s.argv[0], path);
    ck_assert_str_eq(s.argv[1], "-x");
    ck_assert_str_eq(s.argv[2], "");
    ck_assert_str_eq(s.argv[3], "--");
    ck_assert_ptr_null(s.argv[4]);
    ck_assert_uint_eq(strlen(s.digest), 64);
    const proc_command command = target_command_proc(&s);
    ck_assert(command.path == s.path && command.argv == s.argv && command.envp == s.envp);
    target_command_finish(&s);
}

TEST(a_name_is_looked_up) {
    target_command s;
    const char *path = test_dir_text("bin/tool", "#!/bin/sh\n", 0700);
    ck_assert(resolve(&s, "tool", no_args));
    ck_assert_str_eq(s.path, path);
    ck_assert_msg(strcmp(s.argv[0], "tool") == 0, "it is called what the user called it");
    target_command_finish(&s);
}

/* A variable of ours in the shell must not reach the runs of a search. */
TEST(our_variables_are_not_passed_on) {
    static const char *const kept[] = {"A=1", "PATH=", "FRNG_INPUTS=kept", "FRNG_DRIVERS", "Z="};
    target_command s;
    test_dir_text("bin/tool", "#!/bin/sh\n", 0700);
    ck_assert(resolve(&s, "tool", no_args));
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        ck_assert_int_eq(strncmp(s.envp[i], kept[i], strlen(kept[i])), 0);
    }
    ck_assert_ptr_null(s.envp[COUNT_OF(kept)]);
    target_command_finish(&s);
}

TEST(what_is_no_program) {
    test_dir_text("plain", "text", 0600);
    ck_assert_int_eq(mkfifo(test_dir_path("fifo"), 0700), 0);
    ck_assert_int_eq(symlink("nowhere", test_dir_path("dangling")), 0);
    ck_assert_int_eq(symlink("loop", test_dir_path("loop")), 0);
    ck_assert_int_eq(mkdir(test_dir_path("bin/folder"), 0700), 0);
    test_dir_text("bin/plain", "text", 0600);
    refuses(test_dir_path("missing"), "not found; check the path");
    refuses(test_dir_path("missing/deeper"), "not found");
    refuses(test_dir_path("plain/deeper"), "Not a directory");
    refuses(test_dir_path("bin"), "is a folder");
    refuses(test_dir_path("plain"), "not executable; try 'chmod +x ");
    refuses(test_dir_path("fifo"), "cannot be started");
    refuses("/dev/null", "cannot be started");
    refuses(test_dir_path("dangling"), "not found");
    refuses(test_dir_path("loop"), "ymbolic link");
    refuses("folder", "not found on PATH");
    refuses("plain", "not found on PATH");
    refuses("no-such-tool", "not found on PATH; give the path");
    refuses("", "not found on PATH");
    refuses("a\nb\033[2J", "a\\x0ab\\x1b[2J: not found on PATH");
}

TEST(a_file_in_this_folder_is_hinted_at) {
    test_dir_text("here", "#!/bin/sh\n", 0700);
    ck_assert_int_eq(chdir(test_dir), 0);
    refuses("here", "for the file in this folder say ./here");
    target_command s;
    ck_assert(resolve(&s, "./here", no_args));
    ck_assert_str_eq(s.path, "./here");
    target_command_finish(&s);
}

static void cannot_start(int error_number, const char *said) {
    capture_begin();
    program_cannot_start("/dev/null", error_number);
    assert_contains(capture_end(), said);
}

TEST(what_cannot_be_started_says_what_to_do) {
    message_init("frng-test", false);
    cannot_start(ENOENT, "frng-test: /dev/null: cannot be started: its interpreter was not found");
    cannot_start(ENOEXEC, "not a program of this machine; a script begins with #!");
    cannot_start(EACCES, "permission denied; check that it");
    cannot_start(ETXTBSY, "/dev/null: cannot be started: Text file busy\n");
}

TEST(the_loader_is_quoted_by_its_first_line) {
    static const char text[] = "libx.so: cannot\x1b open\nsecond line\n";
    const outcome unlinked = outcome_error(FAULT_LINKER, 0);
    bytes_tail tail = {0};
    bytes_tail_add(&tail, (const uint8_t *)text, strlen(text));
    message_init("frng-test", false);
    capture_begin();
    ck_assert(program_print_fault("./sut", &unlinked, &tail));
    ck_assert_str_eq(capture_end(),
                     "frng-test: ./sut: cannot be loaded: libx.so: cannot\\x1b open\n");
    memset(tail.bytes, 'y', sizeof tail.bytes); /* full, and ended by nothing */
    tail.size = sizeof tail.bytes;
    capture_begin();
    ck_assert(program_print_fault("./sut", &unlinked, &tail));
    ck_assert_uint_ge(strlen(capture_end()), sizeof tail.bytes);
}

TEST(a_run_that_cannot_be_ended_is_a_case_for_the_user) {
    const outcome deathless = outcome_error(FAULT_END, ETIME);
    const outcome refused = outcome_error(FAULT_END, EPERM);
    message_init("frng-test", false);
    capture_begin();
    ck_assert(program_print_fault("./sut", &deathless, NULL));
    ck_assert(program_print_fault("./sut", &refused, NULL));
    assert_contains(capture_end(), "a run does not die of SIGKILL");
    assert_contains(capture_text, "Operation not permitted; frng needs wait4(2)");
}

TEST(digests_tell_builds_apart) {
    target_command s;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", test_dir_text("build", "#!/bin/sh\n", 0700));
    ck_assert(resolve(&s, path, no_args));
    char *first = strdup(s.digest);
    target_command_finish(&s);
    ck_assert(resolve(&s, path, no_args));
    ck_assert_str_eq(s.digest, first);
    target_command_finish(&s);
    test_dir_text("build", "#!/bin/sh\n\n", 0700);
    ck_assert(resolve(&s, path, no_args));
    ck_assert_str_ne(s.digest, first);
    target_command_finish(&s);
    free(first);
}

static bool reads_input(const char *text, size_t size) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", test_dir_file("marked", text, size, 0700));
    const target_command s = {.path = path};
    return target_command_reads_frng_input(&s);
}

TEST(the_marker_of_frng_main) {
    ck_assert(!reads_input("", 0));
    ck_assert(!reads_input("#!/bin/sh\n", 10));
    ck_assert(!reads_input("frng_main:1", 11)); /* a string in C ends with a zero */
    ck_assert(!reads_input("frng_main:12\0", 13));
    ck_assert(reads_input("frng_main:1\0", 12));
    ck_assert(reads_input("\0\0x frng_main:1\0more", 20));
    const target_command gone = {.path = "/no/such/file"};
    ck_assert(!target_command_reads_frng_input(&gone));
}

/* Its file gets shorter while it is read, and longer, again and again. */
TEST(a_file_that_is_cut_short) {
    enum { LARGE = 64 << 20, LOOKS = 20 };
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", test_dir_text("cut", "#!/bin/sh\n", 0700));
    const pid_t cutter = fork();
    while (cutter == 0) {
        if (truncate(path, LARGE) != 0) _exit(1);
        usleep(2000);
        if (truncate(path, 0) != 0) _exit(1);
    }
    const target_command s = {.path = path};
    for (int i = 0; i < LOOKS; i++) {
        ck_assert(!target_command_reads_frng_input(&s));
        ck_assert_ptr_null(target_command_names_protocol(&s));
        usleep(500);
    }
    kill(cutter, SIGKILL);
    ck_assert_int_eq(waitpid(cutter, NULL, 0), cutter);
}

TEST(path_of_an_environment) {
    char *with[] = {"XPATH=/x", "PATHS=/y", "PATH=/a:/b", "PATH=/c", NULL};
    char *empty[] = {"PATH=", NULL};
    char *without[] = {"HOME=/", NULL};
    ck_assert_str_eq(target_command_path_folders(with), "/a:/b");
    ck_assert_str_eq(target_command_path_folders(empty), "");
    assert_contains(target_command_path_folders(without), "/usr/bin");
}

SUITE(.before_each = furnish);
