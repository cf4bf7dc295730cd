/* status_screen.h: text that is drawn again and again on a terminal of any size. */
#ifndef STATUS_SCREEN_H
#define STATUS_SCREEN_H

#include "canvas.h"

/* Returns the colour of a line. */
typedef canvas_ink (*status_screen_ink)(const char *line);

/* Show the lines of a text as the live lines (live.h), cut to the terminal: the last line says how
 * many did not fit. */
void status_screen_show(const char *text, status_screen_ink ink);

#endif
