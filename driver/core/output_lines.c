#include "output_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Lines ---- */

void output_lines_cut(output_lines *all, const bytes_tail *output) {
    const bool is_cut = output->size == BYTES_TAIL_MAX && output->total > BYTES_TAIL_MAX;
    size_t size = 0;
    for (size_t i = 0; i < output->size; i++) {
        const char c = (char)output->bytes[i];
        if (is_cut && i == BYTES_TAIL_HEAD) all->text[size++] = '\0';
        all->text[size++] = c == '\n' ? '\0' : c == '\0' || c == '\r' ? ' ' : c;
    }
    all->text[size++] = '\0';
    all->size = size;
}

const char *output_lines_first(const output_lines *all) { return all->text; }

const char *output_lines_next(const output_lines *all, const char *line) {
    const char *next = line + strlen(line) + 1;
    return next < all->text + all->size ? next : NULL;
}

const char *output_lines_find(const output_lines *all, const char *from, const char *words) {
    if (from == NULL) from = output_lines_first(all);
    while (from != NULL && strstr(from, words) == NULL) from = output_lines_next(all, from);
    return from;
}

/* ---- What was found ---- */

void output_found_name(output_found *found, const char *family, const char *name, size_t length) {
    size_t at = (size_t)snprintf(found->kind, sizeof found->kind, "%s:", family);
    const size_t start = at;
    for (size_t i = 0; i < length && at + 1 < sizeof found->kind; i++) {
        if (isalnum((unsigned char)name[i]) || name[i] == '_' || name[i] == '.') {
            found->kind[at++] = name[i];
        } else if (at > start && found->kind[at - 1] != '-') {
            found->kind[at++] = '-';
        }
    }
    while (at > start && found->kind[at - 1] == '-') at--;
    found->kind[at] = '\0';
}

bool output_found_place(output_found *found, const char *path, size_t length) {
    const size_t digits = path[length] == ':' ? strspn(path + length + 1, "0123456789") : 0;
    size_t start = length;
    while (start > 0 && path[start - 1] != '/') start--;
    if (digits == 0 || start == length) return false;
    snprintf(found->place, sizeof found->place, "%.*s", (int)(length + 1 + digits - start),
             path + start);
    return true;
}
