/* html.h: writes HTML into memory. Every text is escaped unless its call says otherwise. */
#ifndef HTML_H
#define HTML_H

#include <stdbool.h>
#include <stddef.h>

/* A page that grows. Empty if zeroed. */
typedef struct html {
    char *text;
    size_t size, room;
    size_t limit; /* size at which lists of rows end; 0: none */
    bool failed;  /* out of memory: the page is not complete */
} html;

/* Add markup. The format is printf's. Each %s is untrusted: see html_text. */
__attribute__((format(printf, 2, 3))) void html_put(html *h, const char *format, ...);

/* Add markup or a script of this program as it is. */
void html_raw(html *h, const char *markup);

/* Add text for an element or an attribute in double quotes: no markup can come of it, nor control
 * characters, and what is not UTF-8 becomes \xNN. Line ends and tabs stay. Of a text of more than
 * `most` bytes, the first ones are added, and "…". */
void html_text(html *h, const char *text, size_t most);

/* Return how many bytes are left up to the limit. */
size_t html_left(const html *h);

enum { HTML_TEXT_MAX = 4096 }; /* `most` for %s */

void html_finish(html *h);

#endif
