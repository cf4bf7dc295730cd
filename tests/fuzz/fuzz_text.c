/* Text from outside: hex, escapes, tails of output, words of a command line. Whatever goes in, what
 * comes out is valid UTF-8 that no terminal obeys. */
#include "bytes.h"
#include "excerpt.h"
#include "fuzz.h"
#include "pass.h"
#include "phrase.h"
#include "target.h"

/* No control character but these, valid UTF-8, and no C1 control: c2 80 to c2 9f. */
static void check_harmless(const char *text, size_t length, const char *allowed) {
    FUZZ_HOLDS(strlen(text) == length);
    FUZZ_HOLDS(text_is((const uint8_t *)text, length));
    for (size_t i = 0; i < length; i++) {
        const uint8_t c = (uint8_t)text[i];
        FUZZ_HOLDS((c >= ' ' && c != 0x7f) || strchr(allowed, c) != NULL);
        FUZZ_HOLDS(c != 0xc2 || (uint8_t)text[i + 1] >= 0xa0);
    }
}

static void check_escape(const uint8_t *bytes, size_t size, bool keep_lines) {
    const char *allowed = keep_lines ? "\n\t" : "";
    const size_t room = 4 * size + 1;
    char *text = malloc(room), *again = malloc(room), *cut = malloc(room);
    FUZZ_HOLDS(text != NULL && again != NULL && cut != NULL);
    const size_t length = bytes_escape(bytes, size, keep_lines, text, room);
    check_harmless(text, length, allowed);
    FUZZ_HOLDS(length >= size);
    FUZZ_HOLDS(bytes_escape((const uint8_t *)text, length, keep_lines, again, room) == length);
    FUZZ_HOLDS(strcmp(text, again) == 0); /* what is harmless stays as it is */
    const size_t part = size > 0 ? bytes[0] % (length + 1) : 0;
    char *exact = malloc(part + 1); /* for AddressSanitizer */
    FUZZ_HOLDS(exact != NULL);
    const size_t kept = bytes_escape(bytes, size, keep_lines, exact, part + 1);
    check_harmless(exact, kept, allowed);
    FUZZ_HOLDS(kept <= part && memcmp(exact, text, kept) == 0);
    free(exact);
    free(cut);
    free(again);
    free(text);
}

static void check_hex(const uint8_t *bytes, size_t size, const char *text) {
    size_t count = 0;
    char *hex = malloc(2 * size + 1);
    uint8_t *back = malloc(size + 1);
    FUZZ_HOLDS(hex != NULL && back != NULL);
    bytes_to_hex(bytes, size, hex);
    FUZZ_HOLDS(bytes_from_hex(hex, back, size, &count) && count == size);
    FUZZ_HOLDS(size == 0 || memcmp(back, bytes, size) == 0);
    FUZZ_HOLDS(size == 0 || !bytes_from_hex(hex, back, size - 1, &count));
    if (bytes_from_hex(text, back, size, &count)) {
        FUZZ_HOLDS(2 * count == strlen(text));
        bytes_to_hex(back, count, hex);
        FUZZ_HOLDS(strcasecmp(hex, text) == 0);
    }
    free(back);
    free(hex);
}

/* Added in pieces of any length, both ends are kept, and printed by a report line by line. */
static void check_tail(const uint8_t *bytes, size_t size) {
    static bytes_tail tail;
    size_t at = 0;
    tail.size = 0, tail.total = 0;
    for (int repeated = 0; repeated < 3; repeated++) {
        for (at = 0; at < size;) {
            size_t count = (size_t)bytes[at] * 37 + 1;
            if (count > size - at) count = size - at;
            bytes_tail_add(&tail, bytes + at, count);
            at += count;
        }
    }
    FUZZ_HOLDS(tail.total == 3 * size);
    FUZZ_HOLDS(tail.size == (tail.total < BYTES_TAIL_MAX ? tail.total : BYTES_TAIL_MAX));
    const size_t head = tail.total > BYTES_TAIL_MAX ? BYTES_TAIL_HEAD : tail.size;
    for (size_t i = 0; i < head; i++) FUZZ_HOLDS(tail.bytes[i] == bytes[i % size]);
    for (size_t i = 0; i < tail.size - head; i++) {
        FUZZ_HOLDS(tail.bytes[tail.size - 1 - i] == bytes[size - 1 - i % size]);
    }
    char *printed = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&printed, &length);
    FUZZ_HOLDS(out != NULL);
    excerpt_put(out, &tail);
    fclose(out);
    check_harmless(printed, length, "\n\t");
    free(printed);
}

/* Of any words, a line for a shell that shows no terminal more than it should. */
static void check_command(char *text) {
    const char *args[] = {text, NULL};
    const run_target s = {.replay = "frng-replay", .sut = text, .options = "", .args = args};
    char *line = phrase_replay_seed(&s, (seed_input){1, 2});
    FUZZ_HOLDS(line != NULL);
    check_harmless(line, strlen(line), "");
    free(line);
    words_check(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_input in = {bytes, size};
    char *text = fuzz_text(&in);
    check_escape(bytes, size, false);
    check_escape(bytes, size, true);
    check_hex(bytes, size, text);
    check_tail(bytes, size);
    check_command(text);
    free(text);
    return 0;
}
