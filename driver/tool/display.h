/* display.h: how progress is shown, by --ui and by what the terminal and its user want. */
#ifndef DISPLAY_H
#define DISPLAY_H

#include "canvas.h"

#include <stdbool.h>

typedef struct progress_style progress_style;
typedef struct work_options work_options;

/* Set the style of progress. Return false, after a message, if there is no terminal for
 * `--ui screen`. */
bool display_choose(progress_style *style, const work_options *o);

/* Return the characters that the terminal of the user's locale shows, and whether the user wants
 * colours. */
canvas_charset display_charset(void);
bool display_is_coloured(void);

#endif
