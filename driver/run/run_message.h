/* run_message.h: what fits in a message to a server, and its bytes. */
#pragma once

#include "candidate_set.h"
#include "report.h"

#include <stdbool.h>
#include <stdint.h>

/* Rows of bytes that the driver expands, in one message. */
enum { ROW_BYTES = 1 << 20 };

/* The run in progress of a server that makes its runs in itself, before it begins any. */
#define RUN_NONE UINT64_MAX

bool run_message_is_of_choices(const batch *b);

/* Return the number of these runs that fit in one message to a server with these abilities, those
 * of its HELLO. 0: the first has explicit bytes or a style, and the server only expands plain
 * seeds. `counts`: their statistics are asked for. */
uint32_t run_message_room(uint64_t abilities, bool counts, const batch *b);

/* Prepare the message of these runs, with its flags; the report; and the bytes that the server does
 * not expand itself. Returns 0 or an errno. */
int run_message_prepare(frng_message *m, uint64_t flags, uint64_t abilities, const batch *b,
                        report_shm *report, input_memfd *entropy);
