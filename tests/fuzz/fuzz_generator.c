/* What reducers of other makers answer: any status, any output. A candidate of lines is made of
 * lines that were there, and no longer. */
#include "external_pass.h"
#include "fuzz.h"

static char program[] = "/bin/reducer";

static void check_call(const external_pass *g, uint64_t number, char *file) {
    static external_pass_call call;
    const char *const begin = call.text, *const end = call.text + sizeof call.text;
    int words = 0;
    if (file[0] == '\0' || !external_pass_make_call(g, number, file, &call)) return;
    for (; call.argv[words] != NULL; words++) {
        const char *word = call.argv[words];
        const bool is_ours = word >= begin && word < end;
        FUZZ_HOLDS(words < 4);
        FUZZ_HOLDS(is_ours || word == program || word == g->command || word == file);
        FUZZ_HOLDS(!is_ours || memchr(word, '\0', (size_t)(end - word)) != NULL);
        FUZZ_HOLDS(word != file || word[0] != '-');
    }
    FUZZ_HOLDS(words >= 2 && (external_kinds[g->dialect].reads_stdin || words == 4));
}

/* Whether `part` can be made of `whole` by leaving bytes out. */
static bool is_part(const uint8_t *part, size_t part_size, const uint8_t *whole, size_t size) {
    size_t at = 0;
    for (size_t i = 0; i < size && at < part_size; i++) at += whole[i] == part[at];
    return at == part_size;
}

static void check_output(const external_pass *g, uint64_t number, const fuzz_input *in) {
    size_t size = in->size;
    uint8_t *made = malloc(size > 0 ? size : 1);
    FUZZ_HOLDS(made != NULL);
    if (size > 0) memcpy(made, in->bytes, size);
    const external_pass_answer answer = external_pass_finish(g, number, made, &size);
    FUZZ_HOLDS(answer == EXTERNAL_PASS_MADE || answer == EXTERNAL_PASS_NONE);
    FUZZ_HOLDS(size <= in->size && is_part(made, size, in->bytes, in->size));
    FUZZ_HOLDS(g->dialect == EXTERNAL_PASS_LINES || size == in->size);
    FUZZ_HOLDS(in->size > 0 || g->dialect != EXTERNAL_PASS_LINES || answer == EXTERNAL_PASS_NONE);
    free(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char command[300], file[300];
    fuzz_input in = {bytes, size};
    const uint8_t how = fuzz_u8(&in);
    const uint64_t number = fuzz_number(&in), lines = fuzz_number(&in);
    const size_t command_length = how / 4 * 4, file_length = fuzz_u8(&in);
    memset(command, 0, sizeof command);
    memset(file, 0, sizeof file);
    fuzz_fill(&in, command, command_length);
    fuzz_fill(&in, file, file_length);
    const external_pass g = {.dialect = (external_pass_dialect)(how % 4),
                             .program = program,
                             .command = command,
                             .name = program,
                             .lines = lines > 0 ? lines : 1};
    check_call(&g, number, file);
    external_pass_judge(&g, (int)fuzz_number(&in));
    check_output(&g, number, &in);
    return 0;
}
