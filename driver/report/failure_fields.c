#include "failure_fields.h"

#include "bytes.h"
#include "json_field.h"
#include "seed_text.h"
#include "site.h"

#include <stdlib.h>
#include <string.h>

/* Return identity and site as one text, as a search prints it. */
static char *signature_of(night *n, const char *identity, const char *site) {
    signature id;
    if (!signature_parse(identity, &id)) return night_text(n, identity);
    return night_text(n, site_format(id, site, SITE_TEXT));
}

static bool is_share(double x) { return x >= 0 && x <= 1; }

static void read_claim(const json_t *line, night_claim *c) {
    const json_t *smaller = json_object_get(line, "smaller");
    *c = (night_claim){.confidence = 0.95};
    if (json_is_object(smaller)) {
        c->is_known = json_field_count(smaller, "size", &c->below) &&
                      json_field_count(smaller, "runs", &c->passed) &&
                      json_field_number(smaller, "bound", &c->bound);
    } else {
        c->is_known = json_field_count(line, "below", &c->below) &&
                      json_field_count(line, "passed", &c->passed) &&
                      json_field_number(line, "bound", &c->bound);
        json_field_number(line, "confidence", &c->confidence);
    }
    c->is_known = c->is_known && is_share(c->bound) && is_share(c->confidence);
}

static void read_reruns(const json_t *line, night_failure *f) {
    const json_t *rate = json_object_get(line, "rate");
    if (!json_is_object(rate)) rate = json_object_get(line, "evidence");
    f->reruns.is_known = json_field_count(rate, "reruns", &f->reruns.value) &&
                         json_field_count(rate, "repeated", &f->repeated.value);
    f->repeated.is_known = f->reruns.is_known && f->repeated.value <= f->reruns.value;
    f->reruns.is_known = f->repeated.is_known;
}

static char *hex_of(night *n, const char *text) {
    const size_t length = strnlen(text, NIGHT_HEX_MAX + 1);
    const bool is_hex = length % 2 == 0 && length <= NIGHT_HEX_MAX &&
                        strspn(text, "0123456789abcdefABCDEF") == length;
    char *copy = strdup(is_hex ? text : "");
    if (copy == NULL) n->failed = true;
    return copy;
}

void failure_fields_read(night *n, const json_t *line, night_failure *f) {
    *f = (night_failure){.is_known = false};
    if (!json_field_count(line, "size", &f->size)) return;
    const char *site = json_field_text(line, "site");
    const char *whole = json_field_text(line, "signature");
    f->is_known = true;
    f->seed = night_text(n, json_field_text(line, "seed"));
    f->hex = hex_of(n, json_field_text(line, "hex"));
    f->signature = whole[0] != '\0' ? night_text(n, whole)
                                    : signature_of(n, json_field_text(line, "identity"), site);
    f->site = night_text(n, site);
    f->output = night_text(n, json_field_text(line, "output"));
    f->flaky = night_text(n, json_field_text(line, "flaky"));
    f->replay = night_text(n, json_field_text(line, "replay"));
    f->finding = night_text(n, "");
    read_reruns(line, f);
    read_claim(line, &f->claim);
    if (n->failed) night_failure_finish(f);
}

void failure_fields_of_finding(night *n, const finding *from, const char *path, night_failure *f) {
    char text[SITE_TEXT_MAX], seed[SEED_TEXT_MAX] = "";
    char hex[2 * 4096 + 1] = "";
    const char *site = from->site != NULL ? from->site : "";
    *f = (night_failure){.is_known = true, .size = from->input.size};
    if (from->bytes == NULL) seed_text_format(seed, &from->input);
    if (from->bytes != NULL && from->input.size <= sizeof hex / 2)
        bytes_to_hex(from->bytes, (size_t)from->input.size, hex);
    f->seed = night_text(n, seed);
    f->hex = hex_of(n, hex);
    f->signature = night_text(n, site_format(from->signature, site, text));
    f->site = night_text(n, site);
    f->output = night_text(n, "");
    f->flaky = night_text(n, "");
    f->replay = night_text(n, "");
    f->finding = night_text(n, path);
    f->reruns = (night_count){true, from->reruns};
    f->repeated = (night_count){from->repeated <= from->reruns, from->repeated};
    f->reruns.is_known = f->repeated.is_known;
    f->claim = (night_claim){.confidence = 0.95};
    if (n->failed) night_failure_finish(f);
}
