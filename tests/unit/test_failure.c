/* failure.h: a kept failure owns its output. */
#include "failure.h"
#include "fixture.h"

#include <string.h>

/* Return a failure of this size, which borrows the output. */
static failure borrowed(uint64_t size, bytes_tail *output, const char *text) {
    *output = (bytes_tail){0};
    bytes_tail_add(output, (const uint8_t *)text, strlen(text));
    return (failure){.input = {.size = size}, .output = output};
}

static void has_output(const failure *f, const char *text) {
    ck_assert_ptr_nonnull(f->output);
    ck_assert_uint_eq(f->output->size, strlen(text));
    ck_assert_int_eq(memcmp(f->output->bytes, text, strlen(text)), 0);
}

TEST(a_kept_failure_outlives_the_output_that_it_was_made_with) {
    bytes_tail output;
    failure kept = {.output = NULL};
    const failure f = borrowed(9, &output, "first");
    failure_keep(&kept, &f);
    output = (bytes_tail){0};
    ck_assert_uint_eq(kept.input.size, 9);
    has_output(&kept, "first");
    failure_drop(&kept);
    ck_assert_ptr_null(kept.output);
}

TEST(another_failure_takes_the_place_of_a_kept_one) {
    bytes_tail output;
    failure kept = {.output = NULL};
    failure f = borrowed(9, &output, "first");
    failure_keep(&kept, &f);
    f = borrowed(5, &output, "second");
    failure_keep(&kept, &f);
    ck_assert_uint_eq(kept.input.size, 5);
    has_output(&kept, "second");
    failure_drop(&kept);
}

TEST(a_failure_without_output_leaves_none_of_the_one_before) {
    bytes_tail output;
    failure kept = {.output = NULL};
    const failure f = borrowed(9, &output, "first"), silent = {.input = {.size = 3}};
    failure_keep(&kept, &f);
    failure_keep(&kept, &silent);
    has_output(&kept, "");
    failure_drop(&kept);
}

/* A kept failure is rerun in a copy that borrows its output. */
TEST(a_copy_of_a_kept_failure_is_kept_in_its_own_place) {
    bytes_tail output;
    failure kept = {.output = NULL};
    const failure f = borrowed(9, &output, "first");
    failure_keep(&kept, &f);
    failure copy = kept;
    copy.repeated = 1;
    failure_keep(&kept, &copy);
    ck_assert_uint_eq(kept.repeated, 1);
    has_output(&kept, "first");
    failure_drop(&kept);
}

TEST(a_failure_without_output_is_kept_without_memory) {
    failure kept = {.output = NULL};
    const failure silent = {.input = {.size = 3}};
    failure_keep(&kept, &silent);
    ck_assert_uint_eq(kept.input.size, 3);
    ck_assert_ptr_null(kept.output);
    failure_drop(&kept);
}
