#include "display.h"

#include "canvas.h"
#include "common_options.h"
#include "messages.h"
#include "progress.h"

#include <stdlib.h>
#include <strings.h>

/* Return the value of a variable; NULL if it is empty or not set. */
static const char *value_of(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* True if a locale, such as de_DE.UTF-8, has UTF-8. It may be one that this machine lacks, of a
 * user on another one. */
static bool is_utf8(const char *locale) {
    const char *charset = locale;
    while (*charset != '\0' && *charset != '.') charset++;
    return strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0;
}

canvas_charset display_charset(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = value_of(names[i]);
        if (locale != NULL) return is_utf8(locale) ? CHARSET_UTF8 : CHARSET_ASCII;
    }
    return CHARSET_ASCII;
}

bool display_is_coloured(void) { return value_of("NO_COLOR") == NULL; }

bool display_choose(progress_style *style, const work_options *o) {
    *style = (progress_style){
        .kind = o->ui, .charset = display_charset(), .is_coloured = display_is_coloured()};
    if (o->ui == PROGRESS_AUTO && o->verbose) style->kind = PROGRESS_LINE;
    if (o->ui != PROGRESS_SCREEN || message_is_terminal()) return true;
    message("--ui screen: standard error is not a terminal that can show it");
    return false;
}
