/* faults.h: the seam between the driver and the system, where each call can be made to fail.
 *
 * It is in no released tool. A test build links the objects of the tools a second time, with the
 * linker's --wrap for each call of calls.h: `open` in them becomes `__wrap_open` of faults.c. So
 * no call goes past the seam, new code is behind it without a change to it, and a release has
 * neither its cost nor its variables.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stdint.h>

/* Which processes: the one that was started, or those that it forks. A child that is being started
 * (proc_spawn) counts with the one that starts it until it executes. */
typedef enum faults_role { FAULTS_DRIVER, FAULTS_WORKER } faults_role;

enum { FAULTS_ROLES = 2, FAULTS_KINDS_MAX = 128, FAULTS_NAME_MAX = 20, FAULTS_PLANS_MAX = 8 };

/* One call: the `number`th of its kind in its role, from 1, made at `site`, an address that is the
 * same in every run of a program. */
typedef struct faults_record {
    uint16_t role, kind;
    uint32_t number;
    uint64_t site;
} faults_record;

/* What a log holds, in the byte order of the machine. */
typedef struct faults_log {
    uint64_t capacity, count; /* of the records; those beyond the capacity are counted only */
    uint64_t injected;        /* calls that were made to fail */
    uint64_t made[FAULTS_ROLES][FAULTS_KINDS_MAX];
    char names[FAULTS_KINDS_MAX][FAULTS_NAME_MAX]; /* of kinds; "" after the last */
    faults_record records[];
} faults_log;

/* Plan faults, as "worker:write64:3:ENOSPC" says: the third call of that kind in workers fails so.
 * With a number of "3+" all from there on do. Several are separated by commas. False when the text
 * says no such thing. */
bool faults_plan(const char *text);

/* Keep the log in a file, which is made anew. False with errno when that fails. Without it the
 * counts are shared with processes that are forked later all the same. */
bool faults_keep_log(const char *path);

/* Count calls from now on, and let fail what was planned; this process is the driver. False with
 * errno when out of memory. */
bool faults_begin(void);

#endif
