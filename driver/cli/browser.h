/* browser.h: shows a file in the user's browser. */
#ifndef BROWSER_H
#define BROWSER_H

#include <signal.h>

/* Start $BROWSER, or else xdg-open, and do not wait for it. `mask` is its signal mask. Prints a
 * message if there is neither. */
void browser_show(const char *path, const sigset_t *mask);

#endif
