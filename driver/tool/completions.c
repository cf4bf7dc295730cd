/* Prints completions of a tool's options for a shell, when the tools are built:
 *
 *     completions bash|zsh|fish search|replay|reduce|report|status
 *
 * Its output is installed, not the program. */
#include "reduce_options.h"
#include "replay_options.h"
#include "report_options.h"
#include "search_options.h"
#include "status_options.h"

#include <stdio.h>
#include <string.h>

static const option_spec common[] = {
    {.name = "help", .letter = 'h', .help = "Print this help"},
    {.name = "version", .help = "Print the version"},
};

/* Print text for single quotes of a shell, with a backslash before each of `escaped`, which zsh
 * needs. */
static void put_quoted(const char *text, const char *escaped) {
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(escaped, *text) != NULL) putchar('\\');
        putchar(*text);
    }
}

static bool completes(const option_spec *spec, const char *completion) {
    return spec->kind != NULL && spec->kind->completion != NULL &&
           strcmp(spec->kind->completion, completion) == 0;
}

static bool completes_words(const option_spec *spec) {
    return spec->kind != NULL && spec->kind->completion != NULL && spec->kind->completion[0] != '@';
}

/* ---- bash ---- */

static void put_bash_value(const option_spec *spec) {
    if (spec->kind == NULL) return;
    if (spec->letter != 0) printf("    -%c|", spec->letter);
    printf("%s--%s) ", spec->letter != 0 ? "" : "    ", spec->name);
    if (completes_words(spec)) {
        printf("words=(-W '%s') ;;\n", spec->kind->completion);
    } else if (completes(spec, OPTION_COMPLETE_FINDING)) {
        puts("words=(-f -X '!*.json'); compopt -o plusdirs 2>/dev/null ;;");
    } else if (completes(spec, OPTION_COMPLETE_FOLDER)) {
        puts("words=(-d) ;;");
    } else if (completes(spec, OPTION_COMPLETE_COMMAND)) {
        puts("words=(-c -f) ;;");
    } else if (completes(spec, OPTION_COMPLETE_FILE)) {
        puts("words=(-f) ;;");
    } else {
        puts("return ;;");
    }
}

static void put_bash(const char *tool, const option_list *list) {
    printf("# bash completion for frng-%s\n\n", tool);
    printf("_frng_%s() {\n", tool);
    fputs(
        "    local current=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) words=(-f) i\n"
        "    COMPREPLY=()\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        [[ ${COMP_WORDS[i]} == -- ]] || continue\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
        "        return\n"
        "    done\n"
        "    while [[ ${COMP_WORDS[at]} == : || ${COMP_WORDS[at + 1]} == : ]]; do ((at--)); done\n"
        "    [[ ${COMP_WORDS[at]} == '=' ]] && ((at--))\n"
        "    [[ $current == '=' ]] && current=\n"
        "    [[ $current == -* ]] && words=(-W '",
        stdout);
    for (size_t i = 0; i < list->count; i++) printf("--%s ", list->specs[i].name);
    fputs("')\n    case ${COMP_WORDS[at]} in\n", stdout);
    for (size_t i = 0; i < list->count; i++) put_bash_value(&list->specs[i]);
    fputs("    esac\n"
          "    mapfile -t COMPREPLY < <(compgen \"${words[@]}\" -- \"$current\")\n"
          "}\n\n",
          stdout);
    printf("complete -o filenames -F _frng_%s frng-%s\n", tool, tool);
}

/* ---- zsh ---- */

static void put_zsh_row(const option_spec *spec) {
    if (spec->letter != 0) printf("    '(-%c --%s)'{-%c", spec->letter, spec->name, spec->letter);
    if (spec->letter != 0 && spec->kind != NULL) putchar('+');
    printf(spec->letter != 0 ? ",--%s" : "    '--%s", spec->name);
    fputs(spec->kind != NULL ? "=" : "", stdout);
    fputs(spec->letter != 0 ? "}'[" : "[", stdout);
    put_quoted(spec->help, "[]:");
    putchar(']');
    if (spec->kind != NULL) printf(":%s:", spec->value);
    if (completes(spec, OPTION_COMPLETE_FINDING)) {
        fputs("_files -g \"*.json\"", stdout);
    } else if (completes_words(spec)) {
        putchar('(');
        put_quoted(spec->kind->completion, ":");
        putchar(')');
    } else if (completes(spec, OPTION_COMPLETE_FOLDER)) {
        fputs("_files -/", stdout);
    } else if (completes(spec, OPTION_COMPLETE_COMMAND)) {
        fputs("_command_names -e", stdout);
    } else if (completes(spec, OPTION_COMPLETE_FILE)) {
        fputs("_files", stdout);
    }
    fputs("' \\\n", stdout);
}

static void put_zsh(const char *tool, const option_list *list) {
    printf("#compdef frng-%s\n\n", tool);
    puts("_arguments -s \\");
    for (size_t i = 0; i < list->count; i++) put_zsh_row(&list->specs[i]);
    puts("    '*:file:_files'");
}

/* ---- fish ---- */

static void put_fish_row(const char *tool, const option_spec *spec) {
    printf("complete -c frng-%s -l %s", tool, spec->name);
    if (spec->letter != 0) printf(" -s %c", spec->letter);
    if (completes(spec, OPTION_COMPLETE_FINDING)) {
        fputs(" -x -a '(__fish_complete_suffix .json)'", stdout);
    } else if (completes_words(spec)) {
        printf(" -x -a '%s'", spec->kind->completion);
    } else if (completes(spec, OPTION_COMPLETE_FOLDER)) {
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
    } else if (completes(spec, OPTION_COMPLETE_COMMAND)) {
        fputs(" -x -a '(__fish_complete_command)'", stdout);
    } else if (completes(spec, OPTION_COMPLETE_FILE)) {
        fputs(" -r -F", stdout);
    } else if (spec->kind != NULL) {
        fputs(" -x", stdout);
    }
    fputs(" -d '", stdout);
    for (const char *c = spec->help; *c != '\0'; c++) {
        if (*c == '\'' || *c == '\\') putchar('\\');
        putchar(*c);
    }
    puts("'");
}

static void put_fish(const char *tool, const option_list *list) {
    printf("# fish completions for frng-%s\n\n", tool);
    for (size_t i = 0; i < list->count; i++) put_fish_row(tool, &list->specs[i]);
}

/* ---- All ---- */

static const option_table *find_table(const char *tool) {
    if (strcmp(tool, "search") == 0) return &search_options_table;
    if (strcmp(tool, "replay") == 0) return &replay_options_table;
    if (strcmp(tool, "report") == 0) return &report_options_table;
    if (strcmp(tool, "status") == 0) return &status_options_table;
    return strcmp(tool, "reduce") == 0 ? &reduce_options_table : NULL;
}

int main(int argc, char **argv) {
    option_list list;
    const option_table *table = argc == 3 ? find_table(argv[2]) : NULL;
    if (table == NULL) return 2;
    option_list_fill(&list, table);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        list.specs[list.count++] = common[i];
    }
    if (strcmp(argv[1], "bash") == 0) put_bash(argv[2], &list);
    if (strcmp(argv[1], "zsh") == 0) put_zsh(argv[2], &list);
    if (strcmp(argv[1], "fish") == 0) put_fish(argv[2], &list);
    return fflush(stdout) == 0 ? 0 : 1;
}
