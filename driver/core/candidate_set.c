#include "candidate_set.h"

#include <string.h>

void candidate_set_clear(candidate_set *p) {
    p->count = 0;
    p->reported = p->record_count = 0;
    p->external_pass = NULL;
    p->form = CANDIDATE_BYTES;
    p->can_choose = false;
    p->chosen_max = 0;
    p->chosen_size = OUTCOME_DRAWN_UNKNOWN;
    p->has_run_out = false;
}

external_pass_answer candidate_set_sift(const candidate_set *p) {
    const uint64_t old_size = candidate_set_size(p, 0), size = candidate_set_size(p, 1);
    const uint8_t *old = candidate_set_bytes(p, 0), *bytes = candidate_set_bytes(p, 1);
    if (size > old_size || (size == old_size && memcmp(bytes, old, (size_t)size) >= 0)) {
        return EXTERNAL_PASS_NOT_SIMPLER;
    }
    const bool is_known =
        p->rejected != NULL && rejected_table_has(p->rejected, digest_of(bytes, (size_t)size));
    return is_known ? EXTERNAL_PASS_KNOWN : EXTERNAL_PASS_MADE;
}
