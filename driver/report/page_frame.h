/* page_frame.h: the head and the end of a page: its style and its script. */
#ifndef PAGE_FRAME_H
#define PAGE_FRAME_H

#include "html.h"

/* Begin a page. The title is untrusted text. */
void page_frame_begin(html *h, const char *title);
void page_frame_end(html *h);

/* Write text that a button copies. Without scripts there is no button, and the text can be
 * selected. */
void page_frame_put_copied(html *h, const char *text);

#endif
