#include "pass.h"
#include "text.h"

/* Candidates of external passes: guests.h. */
const pass pass_guests = {"reducers", true, STEP_ALL, NULL, NULL, NULL};

/* clang-format off */
const pass *const pass_list[] = {
    &pass_zero_alike,
    &pass_delete,
    &pass_zero,
    &pass_minimise,
    &pass_flip,
    &pass_lower_and_delete,
    /* These are dear, and wait until the ones above are stuck. */
    &pass_delete_and_lower,
    &pass_lower_equal,
    &pass_swap,
    &pass_lower_difference,
    &pass_raise,
    &pass_keep_sum,
    &pass_merge_counts,
    &pass_collapse,
    &pass_lower_both,
    &pass_raise_and_delete,
    &pass_end_and_hand_on,
    &pass_delete_and_raise,
    &pass_end_early,
    &pass_canonical,
    NULL,
};

const pass *const pass_list_of_bytes[] = {
    &pass_zero_alike,
    &pass_records,
    &pass_bytes,
    &pass_zero,
    &pass_minimise,
    &pass_lower_and_delete,
    &pass_pieces,
    &pass_brackets,
    &pass_guests,
    /* Dear ones. */
    &pass_delete,
    &pass_delete_and_lower,
    &pass_lower_equal,
    &pass_swap,
    &pass_lower_difference,
    &pass_merge_counts,
    &pass_concentrate,
    &pass_raise,
    &pass_keep_sum,
    &pass_lower_both,
    NULL,
};

const pass *const pass_list_of_text[] = {
    &pass_blocks,
    &pass_braces,
    &pass_lines,
    &pass_clauses,
    &pass_brackets,
    &pass_tokens,
    &pass_guests,
    &pass_bytes,
    NULL,
};
/* clang-format on */

const pass *const *passes_for(const testcase *t, bool is_file) {
    if (t->has_trace) return pass_list;
    return is_file && text_is(t->bytes, t->size) ? pass_list_of_text : pass_list_of_bytes;
}
