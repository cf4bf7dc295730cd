#include "external_pass.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* creduce 2.10 goes from 1 token up. Here long stretches come first, since one that can go saves
 * the runs of many short ones. Omitted: rm-tok-pattern-8, 128 times the instances of rm-toks-1
 * (--slow of creduce); x-string, which overwrites the opening quote. */
static const char clex_commands[] =
    "rm-toks-16 rm-toks-15 rm-toks-14 rm-toks-13 rm-toks-12 rm-toks-11 rm-toks-10 rm-toks-9 "
    "rm-toks-8 rm-toks-7 rm-toks-6 rm-toks-5 rm-toks-4 rm-toks-3 rm-toks-2 rm-toks-1 "
    "rm-tok-pattern-4 define delete-string shorten-string rename-toks";

/* The transformations of creduce 2.10 in its order (@all_methods in /usr/bin/creduce: first, main
 * and last passes), without those that the clang_delta of cvise 2.7 lacks. */
static const char clang_delta_commands[] =
    "replace-function-def-with-decl remove-unused-function callexpr-to-value replace-callexpr "
    "simplify-callexpr remove-unused-enum-member remove-enum-member-value remove-unused-var "
    "remove-namespace aggregate-to-scalar param-to-global param-to-local "
    "remove-nested-function union-to-struct return-void simple-inliner reduce-pointer-level "
    "lift-assignment-expr copy-propagation simplify-if reduce-array-dim reduce-array-size "
    "simplify-comma-expr simplify-dependent-typedef replace-simple-typedef "
    "replace-dependent-typedef replace-one-level-typedef-type remove-unused-field "
    "instantiate-template-type-param-to-int instantiate-template-param template-arg-to-int "
    "template-non-type-arg-to-int reduce-class-template-param remove-trivial-base-template "
    "class-template-to-class remove-base-class replace-derived-class remove-unresolved-base "
    "remove-ctor-initializer replace-class-with-base-template-spec simplify-nested-class "
    "remove-unused-outer-class empty-struct-to-int remove-pointer reduce-pointer-pairs "
    "remove-array remove-addr-taken simplify-struct replace-undefined-function "
    "replace-array-index-var replace-array-access-with-index replace-dependent-name "
    "simplify-recursive-template-instantiation vector-to-array local-to-global rename-fun "
    "rename-param rename-var rename-class rename-cxx-method combine-global-var "
    "combine-local-var simplify-struct-union-decl move-global-var unify-function-decl";

const external_kind external_kinds[EXTERNAL_PASS_DIALECTS] = {
    [EXTERNAL_PASS_IN_PLACE] = {NULL, {"%f", "%c", "%n"}, 0, 1, -1, false, false, "all"},
    [EXTERNAL_PASS_CLEX] = {"clex", {"%c", "%n", "%f"}, 51, 71, -1, false, true, clex_commands},
    /* 255 is "No variables need to be renamed!" as well as "Unsupported file type!". */
    [EXTERNAL_PASS_CLANG_DELTA] = {"clang_delta",
                                   {"--transformation=%c", "--counter=%N", "%f"},
                                   0,
                                   1,
                                   255,
                                   false,
                                   true,
                                   clang_delta_commands},
    /* The commands are depths of parentheses and braces to which lines are split. */
    [EXTERNAL_PASS_LINES] = {"topformflat", {"%c"}, 0, -1, -1, true, true, "0 1 2 3 4 6 8 10"},
};

bool external_pass_make_call(const external_pass *g, uint64_t number, const char *file,
                             external_pass_call *call) {
    const char *const *words = external_kinds[g->dialect].words;
    size_t used = 0;
    memset(call, 0, sizeof *call);
    call->argv[0] = g->program;
    for (int i = 0; i < 3 && words[i] != NULL; i++) {
        const char *hole = strchr(words[i], '%'), *value = g->command;
        const size_t room = sizeof call->text - used;
        char *word = call->text + used, digits[24];
        const bool is_option = hole[1] == 'f' && file[0] == '-'; /* unless it is a path */
        if (hole[1] == 'f') value = file;
        if (hole[1] == 'n' || hole[1] == 'N') {
            snprintf(digits, sizeof digits, "%" PRIu64, number + (hole[1] == 'N'));
            value = digits;
        }
        const int length = snprintf(word, room, "%.*s%s%s", (int)(hole - words[i]), words[i],
                                    is_option ? "./" : "", value);
        if (length < 0 || (size_t)length >= room) return false;
        call->argv[i + 1] = word;
        used += (size_t)length + 1;
    }
    return true;
}

external_pass_answer external_pass_judge(const external_pass *g, int wait_status) {
    const external_kind *kind = &external_kinds[g->dialect];
    if (!WIFEXITED(wait_status)) return EXTERNAL_PASS_BROKEN;
    const int status = WEXITSTATUS(wait_status);
    if (status == kind->made) return EXTERNAL_PASS_MADE;
    return status == kind->none || status == kind->none_too ? EXTERNAL_PASS_NONE
                                                            : EXTERNAL_PASS_BROKEN;
}

static bool is_blank(uint8_t byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\v' || byte == '\f';
}

/* Keep the lines of `bytes` that are not blank and not first..last, without their indentation.
 * Return the number of lines that are not blank. topformflat is not idempotent: each time it adds a
 * line before the first, and a blank after each line it made, so a candidate would grow by more
 * than the length of a short line. C-Reduce and C-Vise format once and leave out blank lines as
 * well. */
static uint64_t keep_lines(uint8_t *bytes, size_t *size, uint64_t first, uint64_t last) {
    const uint8_t *at = bytes, *const end = bytes + *size;
    uint8_t *to = bytes;
    uint64_t count = 0;
    while (at < end) {
        while (at < end && is_blank(*at)) at++;
        const uint8_t *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        const uint8_t *next = newline != NULL ? newline + 1 : end;
        if (at < end && newline != at) {
            if (count < first || count > last) {
                memmove(to, at, (size_t)(next - at));
                to += next - at;
            }
            count++;
        }
        at = next;
    }
    *size = (size_t)(to - bytes);
    return count;
}

external_pass_answer external_pass_finish(const external_pass *g, uint64_t number, uint8_t *bytes,
                                          size_t *size) {
    if (g->dialect != EXTERNAL_PASS_LINES) return EXTERNAL_PASS_MADE;
    assert(g->lines > 0);
    if (number > (UINT64_MAX - g->lines) / g->lines) return EXTERNAL_PASS_NONE;
    const uint64_t first = number * g->lines;
    const uint64_t count = keep_lines(bytes, size, first, first + g->lines - 1);
    return first < count ? EXTERNAL_PASS_MADE : EXTERNAL_PASS_NONE;
}
