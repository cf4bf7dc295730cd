/* progress.h: the progress of a search or a reduction, on standard error: as a screen or as one
 * line, both of which are rewritten in place on a terminal, or as plain lines elsewhere. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "canvas.h"
#include "progress_kind.h"
#include "screen_reduce.h"
#include "screen_search.h"

/* Screens are not shown on smaller terminals. */
enum { PROGRESS_COLUMNS_MIN = 60, PROGRESS_ROWS_MIN = 12 };

/* How progress is shown. Zeroed: a screen of ASCII without colours, if there is room for it. */
typedef struct progress_style {
    progress_kind kind;
    canvas_charset charset;
    bool is_coloured;
} progress_style;

/* Ready when zeroed, but for its style. */
typedef struct progress_display {
    progress_style style;
    int64_t next_ns;  /* elapsed time of the next screen or line */
    int64_t pause_ns; /* time between them; grows for plain lines */
    screen_search search;
    screen_reduce reduce;
    char *subject; /* owned: the target, as text; NULL: unknown */
} progress_display;

/* Take an event, and show what is due. After FINISHED, nothing is held. */
void progress_display_take(progress_display *d, const event *e);

/* True if the display is a screen now. */
bool progress_display_is_screen(const progress_display *d);

#endif
