/* libzip: a comment that is freed twice.
 *
 * Library: libzip
 * Bug: after `zip_file_replace`, an entry that loses its comment crashes `zip_close`
 * Packages: libzip-dev
 * Link: -lzip
 *
 * zip_file_set_comment(3): "If comment is NULL and len is 0, the file comment will be removed."
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <zip.h>

static zip_t *archive(zip_source_t *bytes, int flags) {
    zip_t *zip = zip_open_from_source(bytes, flags, NULL);
    FRNG_ASSERT(zip != NULL, "the archive does not open");
    return zip;
}

static bool test(frng *f) {
    uint8_t what;
    bool is_empty;
    zip_source_t *bytes = zip_source_buffer_create(NULL, 0, 0, NULL);
    zip_t *zip = archive(bytes, ZIP_TRUNCATE);
    zip_file_add(zip, "a", zip_source_buffer(zip, "x", 1, 0), 0);
    for (int error = 0;; FRNG_ASSERT(error == 0, "%s", zip_strerror(zip))) {
        FRNG_TRY(frng_u8_max(f, 2, &what));
        frng_step(f, what == 0 ? "comment" : what == 1 ? "replace" : "close and open");
        if (what == 0) {
            FRNG_TRY(frng_bool(f, &is_empty));
            error = zip_file_set_comment(zip, 0, is_empty ? NULL : "c", !is_empty, 0);
        } else if (what == 1) {
            error = zip_file_replace(zip, 0, zip_source_buffer(zip, "y", 1, 0), 0);
        } else {
            zip_source_keep(bytes);
            FRNG_ASSERT(zip_close(zip) == 0, "%s", zip_strerror(zip));
            zip = archive(bytes, 0);
        }
    }
}

FRNG_MAIN(test)
