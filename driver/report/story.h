/* story.h: what a run drew, in order, as its test names it. All texts are owned, and "" where
 * nothing is known. */
#ifndef STORY_H
#define STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum story_kind {
    STORY_STEP, /* an operation begins; `note` is its name */
    STORY_NOTE, /* a note without a draw */
    STORY_SAY,  /* what the test says; `note` is the line */
    STORY_DRAW
} story_kind;

typedef struct story_item {
    story_kind kind;
    uint64_t offset; /* of the first byte */
    char *note;      /* name of the draw */
    char *bytes, *draw, *value;
    char *meaning; /* which other values fail too */
    bool is_alone; /* no other one does */
} story_item;

enum { STORY_MAX = 400 };

/* Empty if zeroed. */
typedef struct story {
    story_item *items;
    size_t count, room;
    uint64_t left_out;  /* draws beyond STORY_MAX, and those that the events leave out */
    uint64_t last_step; /* number of the last step, while draws are added; 0: none */
    bool has_meanings;
    bool is_cut;                              /* not all draws were explained */
    uint64_t explained_by;                    /* runs that the meanings follow from */
    uint64_t any_draws, any_runs, any_failed; /* runs with all draws called "any" at random */
} story;

/* Add an item, whose texts the story then owns. Returns false when out of memory. */
bool story_add(story *s, story_item item);

/* Write the operation that each item belongs to, from 0 on. Return the count of operations. They
 * begin where the test says so; if it never does, at the note that it repeats most often. If it has
 * no such note, return 0, and write nothing. */
size_t story_operations(const story *s, size_t operations[STORY_MAX]);

void story_finish(story *s);

#endif
