/* progress_kind.h: how progress is shown, as --ui says. */
#ifndef PROGRESS_KIND_H
#define PROGRESS_KIND_H

typedef enum progress_kind {
    PROGRESS_AUTO,   /* a screen if there is room for it */
    PROGRESS_SCREEN, /* the same, with --verbose too; the tools refuse it without a terminal */
    PROGRESS_LINE,
    PROGRESS_NONE
} progress_kind;

#endif
