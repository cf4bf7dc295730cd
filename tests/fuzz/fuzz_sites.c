/* Outputs of failed runs, and patterns of signatures. Whatever a program prints, its site is short
 * harmless text, which a pattern made of it matches. */
#include "fuzz.h"
#include "output_site.h"
#include "pass.h"
#include "signature_filter.h"

static void check_site(const char *site) {
    const size_t length = strlen(site);
    FUZZ_HOLDS(length < SITE_MAX && text_is((const uint8_t *)site, length));
    for (size_t i = 0; i < length; i++) FUZZ_HOLDS((uint8_t)site[i] >= ' ' && site[i] != 0x7f);
    char kind[SITE_MAX], place[SITE_MAX], again[SITE_MAX], text[SITE_TEXT_MAX];
    const signature id = {SIGNATURE_EXIT, 1};
    site_split(site, kind, place);
    site_join(kind, place, again);
    FUZZ_HOLDS(strcmp(site, again) == 0 || length >= SITE_PLACE_MAX);
    FUZZ_HOLDS(strlen(site_format(id, site, text)) < SITE_TEXT_MAX);
    FUZZ_HOLDS(site_may_equal(site, true, site, true));
    signature_pattern p;
    if (strchr(text, '*') != NULL || !signature_pattern_parse(text, &p)) return;
    FUZZ_HOLDS(signature_pattern_match(&p, id, site, true) == SIGNATURE_MATCHES);
}

static void check_pattern(const char *text) {
    const signature id = {SIGNATURE_SIGNAL, 6};
    signature_pattern p;
    if (!signature_pattern_parse(text, &p)) return;
    const signature_match unknown = signature_pattern_match(&p, id, "", false);
    const signature_match none = signature_pattern_match(&p, id, "", true);
    FUZZ_HOLDS(unknown == none || unknown == SIGNATURE_MATCH_UNKNOWN);
    FUZZ_HOLDS(none != SIGNATURE_MATCH_UNKNOWN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bytes_tail output;
    char site[SITE_MAX], *text = malloc(size + 1);
    regex_t rule;
    FUZZ_HOLDS(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    memset(&output, 0, sizeof output);
    bytes_tail_add(&output, data, size);
    output_site(&output, NULL, site);
    check_site(site);
    FUZZ_HOLDS(output_ends_alike(&output, &output));
    FUZZ_HOLDS(output_site_rule("[a-z]+ ?([^ ]*)", &rule) == NULL);
    output_site(&output, &rule, site);
    check_site(site);
    regfree(&rule);
    check_pattern(text);
    free(text);
    return 0;
}
