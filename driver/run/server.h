/* server.h: batches made by a server: a target that speaks the protocol, and stays alive.
 *
 * Failures of a candidate set are not repeated here, since its submitter confirms them. The
 * candidate set returns the reports of its runs. */
#pragma once

#include "candidate_set.h"
#include "report.h"
#include "spawn.h"

/* Return the fastest mode of the target in which each run has a process of its own. */
static inline run_mode runner_server_lone_mode(const run_config *config) {
    return config->layout.forks_none ? MODE_SPAWN : MODE_FORK;
}

/* A runner_factory; config is a run_config. RUN_PROBE starts the target as a server, which stays
 * for the runs to come; the config may follow from the answer. A program that does not speak the
 * protocol sees an empty stdin. That passes, unless it cannot be started: VERDICT_ERROR. */
runner *runner_server_create(const void *config, const runner_watch *watch, int *error_number);

/* ---- Messages to a server (run_message.c) ---- */

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

/* True if an answer is well-formed, and reports some run of the message or the reason for none. */
bool run_message_is_answer(const frng_message *m, const frng_message *done);
bool run_message_answers(const frng_message *m, const frng_message *done);
