/* frng_input.h: inputs as texts: "size=16 seed=7s", "hex=0100", the JSON of a finding.
 *
 * Whatever is no input is refused, since a part of one would be another input, which passes.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_INPUT_H
#define FRNG_INPUT_H

#include "frng_choices.h"
#include "frng_expand.h"
#include "frng_more.h"
#include "frng_protocol.h"
#include "frng_shared.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FRNG__WRAPS

/* An input: a seed, or bytes. */
typedef struct frng__input {
    char seed[24]; /* "17", "17s", or "": `bytes` have no seed */
    uint8_t *bytes;
    size_t size;
    char site[128];      /* where it failed */
    int status;          /* of its process, from wait */
    char signature[160]; /* what frng-reduce calls its failure; "": unknown */
    bool hangs;
    uint64_t draws, digest; /* of the run that a finding is of (DRAWS.md); 0: unknown */
} frng__input;

/* Make the bytes of a seed, in a block that the caller frees. NULL without memory. */
FRNG__ONCE uint8_t *frng__check_expand(const char *seed, size_t size) {
    uint8_t *bytes = (uint8_t *)malloc(size > 0 ? size : 1);
    const uint64_t number = strtoull(seed, NULL, 10);
    if (bytes == NULL) return NULL;
    (strchr(seed, 's') != NULL ? frng_expand_styled : frng_expand)(number, bytes, size);
    return bytes;
}

FRNG__ONCE uint8_t frng__check_digit(char c) {
    return (uint8_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

/* Return the value of a field of a JSON object, or NULL. A word of another field is none of it, nor
 * is one of an object within it, or of a text that is cut off. */
FRNG__ONCE const char *frng__check_value(const char *text, const char *name) {
    const char *found = NULL;
    int depth = 0;
    for (; *text != '\0'; text++) {
        const char *first = text + 1;
        depth += (*text == '{' || *text == '[') - (*text == '}' || *text == ']');
        if (*text != '"') continue;
        for (text = first; *text != '"'; text++) {
            if (*text == '\\') text++;
            if (*text == '\0') return NULL;
        }
        if (depth == 1 && text[1 + strspn(text + 1, " \n")] == ':' && found == NULL &&
            strncmp(first, name, (size_t)(text - first)) == 0 && name[text - first] == '\0')
            found = text + 1 + strspn(text + 1, " \n") + 1;
    }
    return depth == 0 ? found : NULL;
}

/* Return what follows a name among words such as "size=16 seed=7s", which have no other names. */
FRNG__ONCE const char *frng__check_word(const char *text, const char *name) {
    static const char *const known[] = {"size=", "seed=", "hex=", "draws=", NULL};
    const char *found = NULL;
    for (text += strspn(text, " \n"); *text != '\0'; text += strspn(text, " \n")) {
        int k = 0;
        while (known[k] != NULL && strncmp(text, known[k], strlen(known[k])) != 0) k++;
        if (known[k] == NULL) return NULL;
        if (strncmp(text, name, strlen(name)) == 0 && text[strlen(name)] == '=')
            found = text + strlen(name) + 1;
        text += strcspn(text, " \n");
    }
    return found;
}

/* Copy the word after `name`, in JSON the value of that field. False if there is none. */
FRNG__ONCE bool frng__check_field(const char *text, const char *name, char *word, size_t room) {
    const bool is_json = text[strspn(text, " \n")] == '{';
    const char *at = is_json ? frng__check_value(text, name) : frng__check_word(text, name);
    size_t length;
    if (at == NULL) return false;
    if (is_json) at += strspn(at, " \n");
    if (is_json && *at == '"')
        length = strcspn(++at, "\"\n\r");
    else
        length = strcspn(at, is_json ? ", \n\r}" : " \n");
    if (length >= room) length = room - 1;
    memcpy(word, at, length);
    word[length] = '\0';
    return !is_json || strcmp(word, "null") != 0;
}

/* Read a number of digits alone, up to `most`. */
FRNG__ONCE bool frng__check_count_of(const char *word, uint64_t most, uint64_t *number) {
    if (word[0] == '\0' || word[strspn(word, "0123456789")] != '\0') return false;
    errno = 0;
    *number = strtoull(word, NULL, 10);
    return errno == 0 && *number <= most;
}

/* Read the bytes of hex digits, an even number of them. */
FRNG__ONCE void frng__check_parse_hex(const char *word, frng__input *input) {
    const size_t digits = strspn(word, "0123456789abcdefABCDEF");
    if (word[digits] != '\0' || digits % 2 != 0) return;
    input->size = digits / 2;
    input->bytes = (uint8_t *)malloc(input->size > 0 ? input->size : 1);
    for (size_t i = 0; input->bytes != NULL && i < input->size; i++) {
        const uint8_t high = frng__check_digit(word[2 * i]);
        input->bytes[i] = (uint8_t)(high << 4 | frng__check_digit(word[2 * i + 1]));
    }
}

/* Read a seed, "17" or "17s", whose bytes are made of it. */
FRNG__ONCE void frng__check_parse_seed(const char *word, frng__input *input) {
    char digits[sizeof input->seed];
    uint64_t seed;
    size_t length = strlen(word);
    if (length == 0 || length >= sizeof digits) return;
    strcpy(digits, word);
    if (digits[length - 1] == 's') digits[length - 1] = '\0';
    if (!frng__check_count_of(digits, UINT64_MAX, &seed)) return;
    strcpy(input->seed, word);
    input->bytes = frng__check_expand(word, input->size);
}

/* Read the draws that a finding keeps: "16-479e4b600cd16ce5". False if they make no sense. */
FRNG__ONCE bool frng__check_parse_draws(const char *word, frng__input *input) {
    unsigned long long draws, digest;
    if (strcmp(word, "null") == 0) return true;
    if (sscanf(word, "%llu-%llx", &draws, &digest) != 2 || draws == 0 || draws > FRNG_DRAWS_KEPT)
        return false;
    input->draws = draws;
    input->digest = digest;
    return true;
}

/* True if a text is no finding of a later version, whose bytes may be others. */
FRNG__ONCE bool frng__check_is_known(const char *text) {
    char word[4];
    if (text[strspn(text, " \n")] != '{') return true;
    if (!frng__check_field(text, "format", word, sizeof word)) return false;
    if (strcmp(word, "1") != 0 && strcmp(word, "2") != 0) return false;
    return !frng__check_field(text, "expand", word, sizeof word) || strcmp(word, "1") == 0;
}

/* Read "size=16 seed=7s", "hex=0100" or the JSON of a finding. False if it has neither. */
FRNG__ONCE bool frng__check_parse(const char *text, frng__input *input) {
    const size_t room = strlen(text) + 1;
    char *word = (char *)malloc(room);
    uint64_t size = 0;
    bool ok = word != NULL && frng__check_is_known(text);
    const bool has_size = ok && frng__check_field(text, "size", word, room);
    memset(input, 0, sizeof *input);
    if (has_size) ok = frng__check_count_of(word, FRNG_CHECK_INPUT_MAX, &size);
    input->size = (size_t)size;
    if (ok && frng__check_field(text, "hex", word, room)) {
        frng__check_parse_hex(word, input);
    } else if (ok && has_size && frng__check_field(text, "seed", word, room)) {
        frng__check_parse_seed(word, input);
    }
    ok = ok && input->bytes != NULL && (!has_size || input->size == size);
    if (ok && frng__check_field(text, "draws", word, room))
        ok = frng__check_parse_draws(word, input);
    free(word);
    if (ok) return true;
    free(input->bytes);
    input->bytes = NULL;
    return false;
}

/* Print an input as a result line has it, or as options. */
FRNG__ONCE void frng__check_print(const frng__input *input, bool is_result) {
    if (is_result) fprintf(stderr, "size=%zu ", input->size);
    if (input->seed[0] != '\0') {
        if (!is_result) fprintf(stderr, "--size %zu ", input->size);
        fprintf(stderr, "%s%s", is_result ? "seed=" : "--seed ", input->seed);
        return;
    }
    fputs(is_result ? "hex=" : "--hex ", stderr);
    for (size_t i = 0; i < input->size; i++) fprintf(stderr, "%02x", input->bytes[i]);
    if (!is_result && input->size == 0) fputs("''", stderr);
}

FRNG__WRAPS_END
#endif
