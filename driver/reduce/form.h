/* form.h: what a file is made of: lists, bodies, and numbers that count, measure, point or name.
 *
 * Formats are rows of a table in form.c, whose head says how to write one. */
#pragma once

#include "patch.h"
#include "testcase.h"

/* A number of a file: its bytes; how it is written, and that it is larger than what it says. */
typedef struct form_number {
    uint32_t at;
    uint8_t width;             /* in bytes; 0: the list or body has no number */
    uint8_t code, first, last; /* the letter of the row, and what stands behind it */
    int8_t more;
    uint64_t value;
} form_number;

typedef enum form_kind {
    FORM_LIST,    /* units in a row, counted or not */
    FORM_UNIT,    /* one of a list, or the file */
    FORM_BODY,    /* bytes that a number measures */
    FORM_PADDING, /* bytes up to a multiple */
    FORM_COUNT,   /* nothing but one more number of the list or body `of` */
    FORM_PLACE,   /* nothing but the place of a byte, which goes with the unit that says it */
    FORM_MARK,    /* nothing but a place that has a number among those of its class `of` */
    FORM_INDEX    /* nothing but such a number, of the mark `members`, or of none (0) */
} form_kind;

typedef struct form_node {
    uint32_t start, end, up, of; /* up: the list or unit around; of a list, `of` is itself */
    uint32_t members;            /* of a list */
    uint8_t kind, multiple;      /* of a list: values of the format that a unit has */
    bool has_marks;              /* of a list: numbers name its units; a number behind all marks */
    form_number number;
} form_node;

enum { FORM_NODES = 1 << 14, FORM_DEPTH = 64 };

/* The nodes come before those in them. Where they are too many, the innermost are left out. */
typedef struct form {
    uint32_t count, depth_max;
    form_node nodes[FORM_NODES + 1];
} form;

/* Read a file in the format of a row. Return false if the file is of another format. */
bool form_read(const testcase *t, size_t way, form *f);

size_t form_ways(void);

/* Return the index of a list or a leaf after `left` others, or 0 if there are no more. Lists of
 * what others name are last. */
uint32_t form_find(const form *f, form_kind kind, size_t left);

/* Delete units from..to - 1 of a list, and of those that have the same count. */
bool form_delete(const form *f, uint32_t list, size_t from, size_t to, patch *edits);

/* Delete the units of a list that no number names, but those in units that go. */
bool form_collect(const form *f, uint32_t list, patch *edits);

/* Read the number at n->at by its code. False if it does not end before byte `end`, or has over 64
 * bits. */
bool form_read_number(const testcase *t, size_t end, form_number *n);

/* Write a number in the field of n. False if that cannot hold it, or the patch is full. */
bool form_set(const testcase *t, const form_number *n, uint64_t to, patch *edits);

/* Delete also what the units that go point to, and lower all numbers that an edit has not set. */
bool form_mend(const testcase *t, const form *f, patch *edits);
