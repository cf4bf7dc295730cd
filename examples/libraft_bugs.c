/* libraft_bugs.c: one bug of Debian's libraft at a time, whose sources stay as they are.
 *
 * The linker puts these functions before those of the library (--wrap), and libraft.c is the test.
 * BUG 1 and 2 are in the library as it is shipped, 3 to 7 are planted, and real implementations had
 * them; where BUG is another one, the first two are mended. 0 has none. See libraft.md. */
#include <raft.h>
#include <stddef.h>
#include <stdint.h>

/* Do something before a function of the library. */
#define BEFORE(name, parameters, arguments, ...)                                                   \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters {                                                                 \
        __VA_ARGS__;                                                                               \
        return __real_##name arguments;                                                            \
    }

/* 1: a leader commits what a majority holds, of whatever term (figure 8). Mended, it counts for
 * entries of its own term: of others replicationQuorum, which asks this first, hears that there is
 * none. */
void replicationQuorum(struct raft *r, raft_index index);
raft_term __real_logTermOf(struct raft_log *log, raft_index index);
raft_term __wrap_logTermOf(struct raft_log *log, raft_index index);
raft_term __wrap_logTermOf(struct raft_log *log, raft_index index) {
    const struct raft *r = (const struct raft *)((const char *)log - offsetof(struct raft, log));
    const uintptr_t from = (uintptr_t)__builtin_return_address(0) - (uintptr_t)replicationQuorum;
    const raft_term term = __real_logTermOf(log, index);
    return BUG != 1 && from < 64 && term != r->current_term ? 0 : term;
}

/* 2: a follower answers with the last entry that it has, also if the leader has sent none: that one
 * may be another than the leader will append there. Mended, it answers with the last one sent. */
static raft_index last_sent;
static int (*send)(struct raft_io *io, struct raft_io_send *request, const struct raft_message *m,
                   raft_io_send_cb done);
static int send_mended(struct raft_io *io, struct raft_io_send *request,
                       const struct raft_message *m, raft_io_send_cb done) {
    struct raft_message changed = *m;
    struct raft_append_entries_result *result = &changed.append_entries_result;
    const bool is_answer = m->type == RAFT_IO_APPEND_ENTRIES_RESULT && result->rejected == 0;
    if (is_answer && result->last_log_index > last_sent && BUG != 2)
        result->last_log_index = last_sent;
    return send(io, request, &changed, done);
}
BEFORE(recvAppendEntries,
       (struct raft * r, raft_id id, const char *address, const struct raft_append_entries *args),
       (r, id, address, args), last_sent = args->prev_log_index + args->n_entries)

/* Never there: a write that is cancelled cuts a log that is cut already, and crashes. */
raft_index logLastIndex(struct raft_log *log);
void __real_logTruncate(struct raft_log *log, raft_index index);
void __wrap_logTruncate(struct raft_log *log, raft_index index);
void __wrap_logTruncate(struct raft_log *log, raft_index index) {
    if (index <= logLastIndex(log)) __real_logTruncate(log, index);
}

/* 3: a crash forgets a vote, which is not on the disk. */
static int forget(struct raft_io *io, raft_id server) { return (void)io, (void)server, 0; }
BEFORE(raft_init,
       (struct raft * r, struct raft_io *io, struct raft_fsm *fsm, raft_id id, const char *address),
       (r, io, fsm, id, address), send = io->send, io->send = send_mended,
       BUG == 3 ? (void)(io->set_vote = forget) : (void)0)

/* 4: a vote is given to a log that is shorter. */
BEFORE(electionVote, (struct raft * r, const struct raft_request_vote *args, bool *granted),
       (r, &changed, granted), struct raft_request_vote changed = *args;
       if (BUG == 4) changed.last_log_index = UINT64_MAX)

/* 5: votes of terms that are over are counted. */
BEFORE(recvRequestVoteResult,
       (struct raft * r, raft_id id, const char *address,
        const struct raft_request_vote_result *result),
       (r, id, address, &changed), struct raft_request_vote_result changed = *result;
       if (BUG == 5 && changed.term < r->current_term) changed.term = r->current_term)

/* 6: the term of the entry before new ones is not compared. */
BEFORE(replicationAppend,
       (struct raft * r, const struct raft_append_entries *args, raft_index *rejected, bool *async),
       (r, &changed, rejected, async), struct raft_append_entries changed = *args;
       const raft_term ours = __real_logTermOf(&r->log, args->prev_log_index);
       if (BUG == 6 && ours != 0) changed.prev_log_term = ours)

/* 7: a follower that rejects entries counts as one that has stored them. */
BEFORE(replicationUpdate,
       (struct raft * r, const struct raft_server *server,
        const struct raft_append_entries_result *result),
       (r, server, &changed), struct raft_append_entries_result changed = *result;
       if (BUG == 7) changed.rejected = 0)
