/* report_page.h: the whole page. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "html.h"
#include "night.h"

/* Write a page about a night. Its curves may lose points that lie on top of others. */
void report_page_put(html *h, night *n);

#endif
