/* print_events.c: makes events.schema.json and frng-events(5) from events.def, while frng is built.
 *
 *   print_events schema           the JSON Schema
 *   print_events page <TEMPLATE   the template, with the events instead of its line .\" EVENTS
 *
 * A line or an object is a bit (event_lines.h); `visit` calls a function for each row that has it,
 * once for the members and once more for those that are required. The rule of a type is JSON as it
 * stands in events.def; the page takes the types in words out of it.
 * SPDX-License-Identifier: MIT */
#include "event_lines.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    unsigned bit;
    const char *name, *title;
} tasks[] = {
    {OF_SEARCH, "search", "EVENTS OF A SEARCH"},
    {OF_REDUCE, "reduce", "EVENTS OF A REDUCTION"},
    {OF_FILE, "file", "EVENTS OF THE REDUCTION OF A FILE"},
    {OF_REPLAY, "replay", "EVENTS OF A REPLAY"},
};
enum { TASKS = sizeof tasks / sizeof *tasks };

/* ---- Rows ---- */

#define TYPE(name, c_type, setter, ...) static const char *const rule_##name = #__VA_ARGS__;
#define OBJECT(id, name, ...)                                                                      \
    static const char *const name_of_##id = name;                                                  \
    static const char *const type_of_##id = "{\"type\": " #__VA_ARGS__ "}";
#include "events.def"

typedef struct row {
    bool is_required;
    const char *name, *text;
    const char *rule;   /* of its type; of an object: which JSON types it has */
    const char *object; /* its name; NULL: a plain field */
    uint64_t kind;      /* of the object */
    bool is_list;
} row;

static void visit(uint64_t kind, void (*take)(const row *r)) {
#define ROW(lines, ...)                                                                            \
    if ((kind & (lines)) != 0) take(&(row){((lines)&MAYBE) == 0, __VA_ARGS__});
#define FIELD(lines, name, type, value, text) ROW(lines, name, text, rule_##type, NULL, 0, false)
#define PART(lines, name, id, value, text)                                                         \
    ROW(lines, name, text, type_of_##id, name_of_##id, id, false)
#define LIST(lines, name, id, value, text)                                                         \
    ROW(lines, name, text, "{\"type\": \"array\"}", name_of_##id, id, true)
#include "events.def"
}

/* ---- The schema ---- */

static const char *separator; /* before the next member of a list */

static void put_property(const row *r) {
    assert(strpbrk(r->text, "\"\\") == NULL);
    printf("%s\"%s\": ", separator, r->name);
    separator = ",\n        ";
    if (r->object == NULL) {
        printf("%.*s", (int)strlen(r->rule) - 1, r->rule); /* without its } */
    } else if (r->is_list) {
        printf("{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/%s\"}", r->object);
    } else {
        printf("{\"$ref\": \"#/$defs/%s\"", r->object);
    }
    printf(", \"description\": \"%s\"}", r->text);
}

static void put_required(const row *r) {
    if (!r->is_required) return;
    printf("%s\"%s\"", separator, r->name);
    separator = ", ";
}

/* Put a line, or an object (event: NULL). */
static void put_schema_of(uint64_t kind, const char *event) {
    printf(",\n      \"properties\": {\n        ");
    separator = "";
    if (event != NULL) {
        printf("\"event\": {\"const\": \"%s\"},\n        \"schema\": {\"const\": 1}", event);
        separator = ",\n        ";
    }
    visit(kind, put_property);
    printf("\n      },\n      \"required\": [%s", event != NULL ? "\"event\", \"schema\"" : "");
    separator = event != NULL ? ", " : "";
    visit(kind, put_required);
    printf("],\n      \"additionalProperties\": false\n    }");
}

/* Return the first task of a line, which is in its name. */
static const char *task_of(unsigned of) {
    size_t i = 0;
    while ((tasks[i].bit & of) == 0) i++;
    return tasks[i].name;
}

static void put_schema(void) {
    printf("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
           "  \"$id\": \"https://frng.invalid/events.schema.json\",\n"
           "  \"title\": \"Events of frng\",\n"
           "  \"description\": \"Each line of the file that --json names is one of these objects. "
           "Later versions may add fields and events; what `schema` 1 names keeps its meaning.\",\n"
           "  \"oneOf\": [\n    ");
    separator = "";
#define EVENT(id, of, kind, name, text)                                                            \
    printf("%s{\"$ref\": \"#/$defs/%s_%s\"}", separator, task_of(of), name);                       \
    separator = ",\n    ";
#include "events.def"
    printf("\n  ],\n  \"$defs\": {\n    ");
    const char *between = "";
#define EVENT(id, of, kind, name, text)                                                            \
    printf("%s\"%s_%s\": {\n      \"description\": \"%s\",\n      \"type\": \"object\"", between,  \
           task_of(of), name, text);                                                               \
    put_schema_of(id, name);                                                                       \
    between = ",\n    ";
#define OBJECT(id, name, ...)                                                                      \
    printf("%s\"%s\": {\n      \"type\": " #__VA_ARGS__, between, name);                           \
    put_schema_of(id, NULL);
#include "events.def"
    printf("\n  }\n}\n");
}

/* ---- The page ---- */

/* Put a text as filled lines of mdoc. A word in backquotes is literal, and a line of its own. */
static void put_filled(const char *text) {
    enum { WIDTH = 78 };
    size_t column = 0;
    while (*text != '\0') {
        const size_t size = strcspn(text, " ");
        const bool is_literal = text[0] == '`';
        const bool is_first = column == 0;
        if (!is_first) printf("%s", is_literal || column + 1 + size > WIDTH ? "\n" : " ");
        if (is_literal || column + 1 + size > WIDTH) column = 0;
        if (is_literal) printf(".Ql ");
        for (size_t i = is_literal; i < size; i++) {
            const char c = text[i];
            if (c == '`') {
                printf("%s", i + 1 < size ? " " : "");
            } else {
                printf("%s%c", c == '-' ? "\\" : "", c);
            }
        }
        column += size + (column > 0);
        text += size + (text[size] == ' ');
        if (is_literal && *text != '\0') printf("\n");
        if (is_literal) column = 0;
    }
    printf("\n");
}

/* Write the types or the values of a rule in words. */
static void take_words(const char *rule, char *words, size_t words_max) {
    const char *value = strchr(rule, ':') + 2;
    const bool is_constant = strncmp(rule, "{\"const\"", 8) == 0;
    const char *separation = strncmp(rule, "{\"enum\"", 7) == 0 ? ", " : " or ";
    const size_t size = *value == '[' ? strcspn(value, "]") : strcspn(value, ",}");
    size_t length = 0;
    words[0] = '\0';
    for (size_t i = *value == '['; i < size; i++) {
        if (value[i] == ',') {
            length += (size_t)snprintf(&words[length], words_max - length, "%s", separation);
            i++; /* the space */
        } else if (value[i] != '"' || is_constant) {
            length += (size_t)snprintf(&words[length], words_max - length, "%c", value[i]);
        }
        assert(length < words_max);
    }
}

static void put_list_of(uint64_t kind);

static void put_item(const row *r) {
    char words[256], text[1024];
    take_words(r->rule, words, sizeof words);
    printf(".It Ql %s\n", r->name);
    const int length = snprintf(text, sizeof text, "%s%s: %s", words,
                                r->is_required ? "" : ", may be absent", r->text);
    assert(length > 0 && (size_t)length < sizeof text);
    put_filled(text);
    if (r->object != NULL) put_list_of(r->kind);
}

static void put_list_of(uint64_t kind) {
    printf(".Bl -tag -width 10n -compact\n");
    visit(kind, put_item);
    printf(".El\n");
}

static void put_event(uint64_t kind, const char *name, const char *text) {
    char sentence[1024];
    printf(".Ss %s\n", name);
    snprintf(sentence, sizeof sentence, "%c%s.", toupper((unsigned char)text[0]), &text[1]);
    put_filled(sentence);
    printf(".Pp\n");
    put_list_of(kind);
}

static void put_events(void) {
    for (size_t i = 0; i < TASKS; i++) {
        printf(".Sh %s\n", tasks[i].title);
#define EVENT(id, of, kind, name, text)                                                            \
    if ((tasks[i].bit & (of)) != 0) put_event(id, name, text);
#include "events.def"
    }
}

static void put_page(void) {
    char line[1024];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strcmp(line, ".\\\" EVENTS\n") == 0) {
            put_events();
        } else {
            fputs(line, stdout);
        }
    }
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "schema") == 0) {
        put_schema();
    } else if (argc == 2 && strcmp(argv[1], "page") == 0) {
        put_page();
    } else {
        fprintf(stderr, "usage: print_events schema | page <TEMPLATE\n");
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
