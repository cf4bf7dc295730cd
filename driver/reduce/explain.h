/* explain.h: explains the result of a reduction: which values of each draw fail in the same way. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

typedef struct reduction reduction;

/* Explain r->result->bytes within the limits of r->config->explain. Does nothing without a result.
 * The counts of the result do not change. */
void explain_result(reduction *r);

#endif
