#include "status_screen.h"

#include "display.h"
#include "live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned count_lines(const char *text) {
    unsigned count = 0;
    for (; *text != '\0'; text++) count += *text == '\n';
    return count;
}

/* Return the line that begins at *text, without its end, and move *text past it. The caller frees
 * it. NULL when out of memory, or at the end. */
static char *next_line(const char **text) {
    const size_t length = strcspn(*text, "\n");
    char *line = **text != '\0' ? strndup(*text, length) : NULL;
    *text += length + ((*text)[length] == '\n');
    return line;
}

static void draw(canvas *c, const char *text, status_screen_ink ink) {
    const unsigned all = count_lines(text);
    const bool has_room = all <= c->rows || c->rows == 1; /* for no more than the first line */
    const unsigned shown = has_room ? (all < c->rows ? all : c->rows) : c->rows - 1;
    char left[64];
    for (unsigned i = 0; i < shown; i++) {
        char *line = next_line(&text);
        if (line == NULL) break;
        canvas_put((canvas_pen){c, i, 0, c->columns, ink(line)}, line);
        free(line);
    }
    if (has_room) return;
    snprintf(left, sizeof left, "(%u more lines)", all - shown);
    canvas_put((canvas_pen){c, shown, 0, c->columns, INK_PLAIN}, left);
}

void status_screen_show(const char *text, status_screen_ink ink) {
    static canvas drawn; /* large */
    static char texts[CANVAS_ROWS_MAX][CANVAS_TEXT_MAX];
    live_line lines[CANVAS_ROWS_MAX + 1];
    const live_area area = live_measure();
    const bool is_coloured = display_is_coloured();
    canvas_init(&drawn, area.columns - 1, area.rows > 1 ? area.rows - 1 : 1, display_charset());
    draw(&drawn, text, ink);
    size_t count = drawn.rows;
    const unsigned used = count_lines(text);
    if (used < count) count = used;
    for (unsigned i = 0; i < count; i++) {
        const unsigned columns = canvas_text(&drawn, i, is_coloured, texts[i]);
        lines[i] = (live_line){texts[i], columns};
    }
    if (area.rows > 1) lines[count++] = (live_line){"", 0}; /* there the cursor rests */
    live_show(lines, count);
}
