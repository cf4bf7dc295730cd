#include "output_site.h"

#include "output_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- The site ---- */

const char *output_site_rule(const char *text, regex_t *rule) {
    static char reason[128];
    const int error = regcomp(rule, text, REG_EXTENDED | REG_NEWLINE);
    if (error == 0) return NULL;
    regerror(error, rule, reason, sizeof reason);
    return reason;
}

/* Write what a rule finds in an output to `place`. */
static bool apply_rule(const bytes_tail *output, const regex_t *rule, char place[SITE_MAX]) {
    static output_lines all; /* stacks may be small */
    regmatch_t match[2];
    output_lines_cut(&all, output);
    for (size_t i = 0; i + 1 < all.size; i++) {
        if (all.text[i] == '\0') all.text[i] = '\n';
    }
    if (regexec(rule, all.text, 2, match, 0) != 0) return false;
    const regmatch_t *found = rule->re_nsub > 0 && match[1].rm_so >= 0 ? &match[1] : &match[0];
    snprintf(place, SITE_MAX, "%.*s", (int)(found->rm_eo - found->rm_so), all.text + found->rm_so);
    return place[0] != '\0';
}

void output_site(const bytes_tail *output, const regex_t *rule, char site[SITE_MAX]) {
    /* In the order of trust: a report of the end of the process comes before what may be printed
     * by a program that goes on. */
    static bool (*const parsers[])(const output_lines *, output_found *) = {
        output_sanitizer, output_assertion, output_python, output_rust, output_go,
        output_java,      output_node,      output_glibc,  output_ubsan};
    static output_lines all; /* stacks may be small */
    char place[SITE_MAX];
    site[0] = '\0';
    if (rule != NULL && apply_rule(output, rule, place)) {
        site_join("", place, site);
        return;
    }
    output_lines_cut(&all, output);
    for (size_t i = 0; i < sizeof parsers / sizeof parsers[0]; i++) {
        output_found found = {"", ""};
        if (!parsers[i](&all, &found)) continue;
        site_join(found.kind, found.place, site);
        return;
    }
}

/* ---- Ends of outputs ---- */

enum { END_MAX = 256 };

/* Copy a line without its blanks, with one sign for each word that holds a digit and for each
 * quotation. */
static void normalize(const char *line, char end[END_MAX]) {
    size_t at = 0;
    while (*line != '\0' && at + 1 < END_MAX) {
        const char *close = *line == '"' || *line == '\'' ? strchr(line + 1, *line) : NULL;
        size_t length = 0;
        bool has_digit = false;
        while (isalnum((unsigned char)line[length]) || line[length] == '_')
            has_digit |= isdigit((unsigned char)line[length++]) != 0;
        if (close != NULL || has_digit) {
            end[at++] = '#';
            line = close != NULL ? close + 1 : line + length;
        } else if (length > 0) {
            const size_t room = END_MAX - 1 - at, kept = length < room ? length : room;
            memcpy(end + at, line, kept);
            at += kept;
            line += length;
        } else {
            if (!isspace((unsigned char)*line)) end[at++] = *line;
            line++;
        }
    }
    end[at] = '\0';
}

/* Write the normalized last line of an output that is not blank. */
static void last_line(const bytes_tail *output, char end[END_MAX]) {
    static output_lines all; /* stacks may be small */
    char normal[END_MAX];
    output_lines_cut(&all, output);
    end[0] = '\0';
    for (const char *line = output_lines_first(&all); line != NULL;
         line = output_lines_next(&all, line)) {
        normalize(line, normal);
        if (normal[0] != '\0') memcpy(end, normal, END_MAX);
    }
}

bool output_ends_alike(const bytes_tail *a, const bytes_tail *b) {
    char a_end[END_MAX], b_end[END_MAX];
    last_line(a, a_end);
    last_line(b, b_end);
    return strcmp(a_end, b_end) == 0;
}
