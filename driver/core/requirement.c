#include "requirement.h"

#include <stdlib.h>
#include <string.h>

bool requirement_parse(const char *text, requirement *r) {
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon == text) return false;
    const char *number = colon + 1;
    const size_t whole = strspn(number, "0123456789");
    const size_t point = number[whole] == '.';
    const size_t part = point > 0 ? strspn(number + whole + 1, "0123456789") : 0;
    const char *end = number + whole + point + part;
    if (whole == 0 || (point > 0 && part == 0) || strcmp(end, "%") != 0) return false;
    const double percent = strtod(number, NULL);
    if (!(percent > 0 && percent <= 100)) return false;
    const size_t length = (size_t)(colon - text), length_max = sizeof r->label - 1;
    memset(r->label, 0, sizeof r->label);
    memcpy(r->label, text, length < length_max ? length : length_max);
    r->text = text;
    r->percent = percent;
    return true;
}

uint64_t requirement_runs(const requirement *r, const tally *t) {
    const tally_row *row = tally_find_label(t, r->label);
    return row != NULL ? row->runs : 0;
}

bool requirement_is_met(const requirement *r, const tally *t) {
    const uint64_t runs = requirement_runs(r, t);
    return runs > 0 && (double)runs * 100 >= r->percent * (double)t->runs;
}
