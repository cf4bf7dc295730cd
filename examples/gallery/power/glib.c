/* glib: a file for each key, by the function that promises most.
 *
 * Library: GLib's g_file_set_contents_full
 * Packages: libglib2.0-dev
 * Link: $(pkg-config --cflags --libs glib-2.0)
 * Promise: gfileutils.h, G_FILE_SET_CONTENTS_CONSISTENT: "Guarantee file consistency: after a
 * crash, either the old version of the file or the new version of the file will be available, but
 * not a mixture"; G_FILE_SET_CONTENTS_DURABLE: "Guarantee file durability: after a crash, the new
 * version of the file will be available."
 * SPDX-License-Identifier: MIT */
#include "kv.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

static void *kv_open(const char *folder) { return g_strdup(folder); }

static bool kv_put(void *folder, const char *key, const char *value, size_t size) {
    char *path = g_build_filename(folder, key, NULL);
    if (value == NULL) value = "deleted", size = 0;
    const bool ok = g_file_set_contents_full(
        path, value, (gssize)size, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
        0644, NULL);
    g_free(path);
    return ok;
}

static int kv_get(void *folder, const char *key, char *value, size_t room) {
    char *path = g_build_filename(folder, key, NULL), *bytes = NULL;
    gsize size = 0;
    if (g_file_get_contents(path, &bytes, &size, NULL))
        memcpy(value, bytes, size < room ? size : room);
    g_free(path), g_free(bytes);
    return size > 0 ? (int)size : -1;
}

static bool kv_sync(void *folder) { return folder != NULL; }
static const char *kv_check(void *folder) { return folder != NULL ? NULL : "closed"; }
static void kv_close(void *folder) { g_free(folder); }
