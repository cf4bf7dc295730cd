/* Users write what they have beside the target: a finding, a file, a size and a seed, arguments.
 *
 * A target that speaks the protocol takes no arguments: what stands there is its input, as by its
 * option; and a finding of any target is one. Beside any other program a word can mean two things,
 * and the wrong one would run for an hour: so nothing runs, and a line says how to write either. */
#include "options.h"

#include "bytes.h"
#include "messages.h"
#include "numbers.h"
#include "phrase.h"
#include "program.h"
#include "seed_input.h"
#include "store.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- What a word names ---- */

static bool is_kind(const char *path, mode_t kind) {
    struct stat status;
    return stat(path, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

static bool is_file(const char *path) { return is_kind(path, S_IFREG) || is_kind(path, S_IFIFO); }

static bool is_program(const char *name) {
    char *path = proc_find(name, program_folders());
    const bool is_there = path != NULL && proc_is_program(path);
    free(path);
    return is_there;
}

/* True if it is a finding; and, unless `o` is NULL, one of the target. */
static bool is_finding(const char *path, const tool_options *o) {
    const char *why;
    finding f;
    if (!is_kind(path, S_IFREG) || !finding_read(AT_FDCWD, path, &f, &why)) return false;
    const bool is_of = o == NULL || (f.sut != NULL && o->rest.sut != NULL &&
                                     strcmp(path_base(f.sut), path_base(o->rest.sut)) == 0);
    finding_free(&f);
    return is_of;
}

static bool has_findings(const char *folder) {
    store_names names = {.count = 0};
    const bool has_any =
        is_kind(folder, S_IFDIR) && store_list(folder, &names) == 0 && names.count > 0;
    store_names_free(&names);
    return has_any;
}

/* True if the target, with its arguments behind "--", may speak the protocol. */
static bool speaks(const operands *r) {
    const size_t count = r->args != NULL ? text_count(r->args) : 0;
    target_command t = {.path = proc_find(r->sut, program_folders()),
                        .argv = memory_zeroed(count + 2, sizeof *t.argv)};
    t.argv[0] = r->sut;
    if (count > 0) memcpy(t.argv + 1, r->args, count * sizeof *t.argv);
    const bool answer = t.path != NULL && target_names_protocol(&t) != NULL;
    free(t.argv);
    free(t.path);
    return answer;
}

/* True for bytes in hex that are no number: "0100", "01 00", 0x0100. */
static bool is_hex(const char *word) {
    const bool is_number = word[strspn(word, "0123456789")] == '\0' && word[0] != '0';
    return strlen(word) > 1 && bytes_pasted_hex(word, NULL) && !(is_number && strlen(word) <= 20);
}

/* ---- What the words behind the target mean ---- */

static bool are_numbers(const char *size, const char *seed) {
    uint64_t bytes;
    seed_input parsed;
    return numbers_parse_size(size, &bytes) && bytes <= INPUT_SIZE_MAX &&
           seed_text_parse(seed, &parsed);
}

/* Return the option whose value the operands are; NULL: they are no input. */
static const char *input_option(const operands *r) {
    const char *word = r->extras[0];
    if (r->extra_count == 2 && are_numbers(word, r->extras[1])) return "size";
    if (r->extra_count != 1) return NULL;
    return is_finding(word, NULL)                    ? "finding"
           : is_file(word) || strcmp(word, "-") == 0 ? "input"
           : is_hex(word)                            ? "hex"
                                                     : NULL;
}

/* Take an input without an option. False after a message if it may be none. */
static bool settle_input(tool_options *o) {
    const operands *r = &o->rest;
    const char *word = r->extras[0], *option = input_option(r);
    const bool is_seeded = option != NULL && strcmp(option, "size") == 0;
    if (option == NULL) {
        const bool is_path = access(word, F_OK) != 0 && strpbrk(word, "/.") != NULL;
        return message_usage(
            is_path ? "%s: no such file; which input? Give --size and --seed, --input, "
                      "--hex or --finding"
                    : "unexpected argument '%s': which input? Give --size and --seed, "
                      "--input, --hex or --finding; arguments follow '--'",
            word);
    }
    if (is_finding(word, o) || speaks(r))
        return options_set(o, option, word) && (!is_seeded || options_set(o, "seed", r->extras[1]));
    return message("unexpected argument '%s': for an input of %s say --%s %s%s%s%s", word, r->sut,
                   option, word, is_seeded ? " --seed " : "", is_seeded ? r->extras[1] : "",
                   o->tool == TOOL_REDUCE && is_file(word)
                       ? phrase_format("; to reduce this file, --predicate %s %s", r->sut, word)
                       : "");
}

/* Settle a target that stands alone: take a finding in its place. */
static bool settle_target(tool_options *o, bool takes_input) {
    char *const sut = o->rest.sut;
    const bool is_alone = !is_program(sut);
    if (is_alone && is_finding(sut, NULL)) {
        if (takes_input) {
            o->rest.sut = NULL;
            return options_set(o, "finding", sut);
        }
        if (o->tool == TOOL_SEARCH)
            message("%s: is a finding; give it to frng-replay or frng-reduce by --finding", sut);
        return o->tool != TOOL_SEARCH;
    }
    if (!takes_input || !is_alone || !is_file(sut)) return true;
    return message_usage(o->tool == TOOL_REDUCE
                             ? "%s: is no program; give one that reads it, as in PROGRAM "
                               "--input %s, or judges it, as in --predicate PROGRAM %s"
                             : "%s: is no program; give one that reads it, as in PROGRAM "
                               "--input %s",
                         sut, sut, sut);
}

bool operands_settle(tool_options *o) {
    operands *r = &o->rest;
    const bool takes_input =
        o->tool != TOOL_SEARCH && !options_given(o, "size seed input hex finding");
    if (o->input.file != NULL && is_finding(o->input.file, NULL))
        message("note: %s is a finding, and its text is the input; --finding takes its bytes",
                phrase_escaped(o->input.file));
    if (r->sut == NULL || o->list != NULL || o->predicate != NULL) return true;
    char *const last = r->extra_count > 0 ? r->extras[r->extra_count - 1] : r->sut;
    if (has_findings(last))
        return message("%s: is a folder of findings; frng-replay --list %s lists them", last, last);
    if (r->extra_count == 0) return settle_target(o, takes_input);
    char *path = program_find(r->sut);
    free(path);
    if (path == NULL) return false;
    if (takes_input) return settle_input(o);
    return message("unexpected argument '%s': %s", r->extras[0],
                   o->tool == TOOL_SEARCH && is_finding(r->extras[0], NULL)
                       ? "one input is run by frng-replay"
                       : "arguments for the program under test follow '--'");
}
