/* Prints the completions of a tool's options for a shell, when the tools are built:
 *
 *     completions bash|zsh|fish search|replay|reduce|report|status < TEMPLATE
 *
 * A template (driver/completions/SHELL.in) is the script with holes: @TOOL@, @NAMES@ for the names
 * of all options, and a line @OPTIONS@ for a line of each. Its output is installed, not the
 * program. */
#include "options.h"

#include <stdio.h>
#include <string.h>

typedef enum shell { BASH, ZSH, FISH, SHELLS } shell;

static const char *const shells[] = {[BASH] = "bash", [ZSH] = "zsh", [FISH] = "fish"};

/* How each shell completes the value of an option; %s are the words of a list. */
static const struct value_completion {
    const char *completion; /* of option_kind; NULL: any list of words; "": none */
    const char *of[SHELLS];
} completions[] = {
    {COMPLETE_FILE, {"words=(-f) ;;", "_files", " -r -F"}},
    {COMPLETE_FOLDER, {"words=(-d) ;;", "_files -/", " -x -a '(__fish_complete_directories)'"}},
    {COMPLETE_COMMAND,
     {"words=(-c -f) ;;", "_command_names -e", " -x -a '(__fish_complete_command)'"}},
    {COMPLETE_FINDING,
     {"words=(-f -X '!*.json'); compopt -o plusdirs 2>/dev/null ;;", "_files -g \"*.json\"",
      " -x -a '(__fish_complete_suffix .json)'"}},
    {"", {"return ;;", "", " -x"}},
    {NULL, {"words=(-W '%s') ;;", "(%s)", " -x -a '%s'"}},
};

static void put_value(shell sh, const option_row *row) {
    const char *wanted = row->kind->completion != NULL ? row->kind->completion : "";
    const struct value_completion *c = completions;
    while (c->completion != NULL && strcmp(c->completion, wanted) != 0) c++;
    for (const char *text = c->of[sh]; *text != '\0'; text++) {
        if (c->completion == NULL && text[0] == '%') {
            fputs(wanted, stdout);
            text++;
        } else {
            putchar(*text);
        }
    }
}

/* Print text for single quotes, with a backslash before each of `escaped`, and `quote` for a quote.
 */
static void put_quoted(const char *text, const char *escaped, const char *quote) {
    for (; *text != '\0'; text++) {
        if (strchr(escaped, *text) != NULL) putchar('\\');
        if (*text == '\'') {
            fputs(quote, stdout);
        } else {
            putchar(*text);
        }
    }
}

static void put_row(shell sh, const char *tool, const option_row *row) {
    const bool has_letter = row->letter != 0, has_value = row->value != NULL;
    const char *name = row->name;
    if (sh == BASH && has_value) {
        fputs("    ", stdout);
        if (has_letter) printf("-%c|", row->letter);
        printf("--%s) ", name);
        put_value(sh, row);
        putchar('\n');
    } else if (sh == ZSH) {
        if (has_letter)
            printf("    '(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, name, row->letter,
                   has_value ? "+" : "", name, has_value ? "=" : "");
        else
            printf("    '--%s%s[", name, has_value ? "=" : "");
        put_quoted(row->help, "[]:", "'\\''");
        putchar(']');
        if (has_value) {
            printf(":%s:", row->value);
            put_value(sh, row);
        }
        puts("' \\");
    } else if (sh == FISH) {
        printf("complete -c frng-%s -l %s", tool, name);
        if (has_letter) printf(" -s %c", row->letter);
        if (has_value) put_value(sh, row);
        fputs(" -d '", stdout);
        put_quoted(row->help, "\\", "\\'");
        puts("'");
    }
}

/* Print a line of the template, with its holes filled. */
static void put_line(const char *line, const char *tool, tool_kind kind) {
    static const char tool_hole[] = "@TOOL@", names_hole[] = "@NAMES@";
    const option_row *row = NULL;
    while (*line != '\0') {
        if (strncmp(line, tool_hole, sizeof tool_hole - 1) == 0) {
            fputs(tool, stdout);
            line += sizeof tool_hole - 1;
        } else if (strncmp(line, names_hole, sizeof names_hole - 1) == 0) {
            while ((row = options_next(kind, row)) != NULL) printf("--%s ", row->name);
            line += sizeof names_hole - 1;
        } else {
            putchar(*line++);
        }
    }
}

int main(int argc, char **argv) {
    static const char *const names[] = {"search", "replay", "reduce", "report", "status"};
    char line[512];
    unsigned sh = 0, tool = 0;
    if (argc != 3) return 2;
    while (sh < SHELLS && strcmp(argv[1], shells[sh]) != 0) sh++;
    while (tool < 5 && strcmp(argv[2], names[tool]) != 0) tool++;
    if (sh == SHELLS || tool == 5) return 2;
    const tool_kind kind = (tool_kind)(1U << tool);
    while (fgets(line, sizeof line, stdin) != NULL) {
        const option_row *row = NULL;
        if (strcmp(line, "@OPTIONS@\n") != 0) {
            put_line(line, argv[2], kind);
        } else {
            while ((row = options_next(kind, row)) != NULL) put_row(sh, argv[2], row);
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
