/* Findings: what is taken is within its bounds, and is the same when it was written and read again.
 * Of bytes the length of a test case comes from the file's own. */
#include "finding.h"
#include "fuzz.h"
#include "seed_input.h"

static bool is_same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void check_same(const finding *a, const finding *b) {
    size_t i = 0;
    FUZZ_HOLDS(a->input.size == b->input.size && a->input.seed == b->input.seed);
    FUZZ_HOLDS(a->input.style == b->input.style);
    FUZZ_HOLDS(signature_equal(a->signature, b->signature));
    FUZZ_HOLDS(is_same_text(a->sut, b->sut) && is_same_text(a->sut_digest, b->sut_digest));
    FUZZ_HOLDS(is_same_text(a->site, b->site) && is_same_text(a->when, b->when));
    FUZZ_HOLDS(a->reruns == b->reruns && a->repeated == b->repeated);
    FUZZ_HOLDS((a->bytes == NULL) == (b->bytes == NULL));
    FUZZ_HOLDS(a->bytes == NULL || memcmp(a->bytes, b->bytes, a->input.size) == 0);
    for (; a->args[i] != NULL; i++) FUZZ_HOLDS(is_same_text(a->args[i], b->args[i]));
    FUZZ_HOLDS(b->args[i] == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char name[SIGNATURE_TEXT_MAX];
    const char *why = NULL;
    finding f, again;
    if (!finding_from_json((const char *)bytes, size, &f, &why)) {
        FUZZ_HOLDS(why != NULL && f.owned == NULL);
        return 0;
    }
    FUZZ_HOLDS(f.args != NULL && f.input.size <= INPUT_SIZE_MAX);
    FUZZ_HOLDS(f.bytes == NULL || f.input.size <= size / 2);
    FUZZ_HOLDS(f.repeated <= f.reruns);
    signature_format(f.signature, name);
    char *text = finding_to_json(&f);
    FUZZ_HOLDS(text != NULL);
    FUZZ_HOLDS(finding_from_json(text, strlen(text), &again, &why));
    check_same(&f, &again);
    free(text);
    finding_free(&again);
    finding_free(&f);
    return 0;
}
