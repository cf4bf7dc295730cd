/* warm.h: what is believed of candidates in a process that stayed for them after other runs.
 *
 * State that runs leave may change later ones, the more so where a failure did not end its process.
 * From the first such failure on, the process makes the last one and the last pass again before it
 * makes others: in their message, if the target counts known failures, so that this one does not
 * end it. The questions of an explanation go on in one message after failures, too, with both made
 * again before each of them. A crash, an exit or a hang in a process that stayed is put off: the
 * run is made again in a new process, and only that one is judged. So are some of the other
 * failures: the first, second, fourth, eighth ... and each hundredth; in explanations, which users
 * read, each 16th. After each of these, the next run is compared with one in a new process. Where
 * each new process is a start of the program, the first failure was in one anyway, the next of
 * these is the 64th, in explanations the 32nd, and the first run that passes then is compared. Once
 * anything differs, no process stays any more, and what differed does not count: all goes on as if
 * the target could not do this. What is announced failed in a new process anyway.
 *
 * In searches no process stays: a bug may show only in the first run of one. But failures that the
 * search knows (known_failures.h) do not end theirs before its message ends, or its batch where a
 * server makes its runs in itself. Such a server makes the runs after the last of them again, in
 * another process, each time; a fork server does so for as few messages as it compares otherwise.
 * A failure of such a message that does not repeat alone, or a hang of WARM_HANG_MS, is no failure.
 * Once anything differs, the message is made again, and known failures end their processes. */
#pragma once

#include "candidate_set.h"
#include "known_failures.h"
#include "part.h"

enum {
    WARM_HANG_MS = 250,       /* time of a run in a process that stayed, before it is put off */
    WARM_BYTES_MAX = 64 << 10 /* of the candidates of a set, or no process stays for it */
};

typedef struct warm_state {
    bool starts;     /* a new process is a start of the program: it replaces the old one */
    bool is_trusted; /* failures that it went on after are not made again in a new process */
    bool is_off;     /* no process stays */
    bool is_next;    /* the next run is to be compared */
    bool is_put_off; /* the next run is made in a new process: elsewhere, it failed so: */
    outcome seen;
    char site[SITE_MAX];
    uint64_t failures;   /* that have not ended their process */
    candidate_set known; /* copies of the last pass, perhaps empty, and the last of them */
    bool has_pass;
    uint64_t failed_size; /* bytes that the latter drew for choices: it needs no more room */
    bool is_due;          /* the process that stays makes them again before others */
    bool counts_none;     /* the target ends an order at a known failure */
    candidate_set ahead;  /* copies of them, and of the test cases that follow */
    known_failures met;   /* the last of them */
    known_runs counted;
    outcome failed; /* the end of the latter; a pass: there was none */
    char failed_site[SITE_MAX];
} warm_state;

/* Let a part that is not empty stay in the process that stays, if there is one, or in a new one
 * that does then; or have it made alone in a new one, if its first run was put off. */
void warm_begin(const warm_state *w, part *p, bool may_stay, bool stays);

/* Keep the last pass of a part, and the failure that ended it, if its process went on. Then they
 * are due in this process before others. */
void warm_keep(warm_state *w, const part *p, const char *site);

/* Return the known runs. */
batch warm_known(warm_state *w);

/* Put the known runs ahead of those of a part, whose failure does not end it then. False if both do
 * not go together, or have more than `room` bytes. Where the set is to go on after failures like
 * the known one, they are ahead of each run, and the part goes up to the next failure that is
 * compared: so each is judged as in a message of its own. */
bool warm_put_ahead(warm_state *w, part *p, uint64_t room);

/* True if the known runs had another room for their choices than before: they may end otherwise
 * without the fault of any run. They get their own room next time. */
bool warm_leaves_room(warm_state *w, const part *p);

/* True if the known runs have ended as they are known to. */
bool warm_is_known(const warm_state *w, const outcome *end, uint64_t passed, const char *site);

/* True if the failure that ended a part is not judged before it was made again. */
bool warm_puts_off(warm_state *w, const part *p);

/* Make the part one that ended before this failure, whose site is given. */
void warm_put_off(warm_state *w, part *p, const char *site);

/* True if the run that was put off has ended in a new process as before. */
bool warm_is_same(const warm_state *w, const part *p, const char *site);
