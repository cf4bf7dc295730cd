/* report_html.h: in place of the page, which the fuzz target of frng-report does not write. */
static const unsigned char report_html_1[] = {0}, report_html_2[] = {0}, report_html_3[] = {0};
