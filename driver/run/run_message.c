/* A message asks for the runs of seeds, or has the bytes of each run.
 *
 * A server that expands seeds gets as many as fit; the bytes are rows in the memory of entropy.
 * Older servers and ports can do less: their abilities decide. */
#include "server.h"

#include <signal.h>
#include <sys/wait.h>

static bool is_able(uint64_t abilities, uint64_t ability) { return (abilities & ability) != 0; }

bool run_message_is_of_choices(const batch *b) {
    return b->candidates != NULL && b->candidates->form == CANDIDATE_CHOICES;
}

/* True if the server can expand the seeds of these runs itself. */
static bool is_expanded_there(uint64_t abilities, const batch *b) {
    const bool is_plain =
        b->mix == EXPAND_UNIFORM || (b->count == 1 && batch_input(b, 0).style == SEED_PLAIN);
    return is_able(abilities, FRNG_CAN_EXPAND) && (is_plain || is_able(abilities, FRNG_CAN_STYLE));
}

/* True if many runs whose bytes the driver expands fit in one message. */
static bool takes_rows(uint64_t abilities) {
    return is_able(abilities, FRNG_CAN_GIVEN) &&
           is_able(abilities, FRNG_CAN_EXPAND | FRNG_CAN_BATCH);
}

/* True if the bytes drawn by these runs are counted by a row of each: a port to another language
 * has no table of labels, and only rows tell which runs before a known failure were discarded. */
static bool counts_rows(uint64_t abilities, bool counts, const batch *b) {
    const bool is_port = is_able(abilities, FRNG_NO_FORK) ||
                         (takes_rows(abilities) && !is_able(abilities, FRNG_CAN_EXPAND));
    return counts && b->candidates == NULL && (is_port || b->known != NULL);
}

uint32_t run_message_room(uint64_t abilities, bool counts, const batch *b) {
    const bool can_expand = is_able(abilities, FRNG_CAN_EXPAND);
    const uint64_t most = counts_rows(abilities, counts, b) ? REPORT_SHM_ROWS_MAX : FRNG_COUNT_MAX;
    const uint32_t asked = (uint32_t)smaller(most, b->count);
    batch first = *b;
    first.count = 1;
    if (b->candidates != NULL && is_able(abilities, FRNG_CAN_GIVEN)) return b->count;
    if (b->candidates != NULL) return can_expand ? 0 : 1;
    if (is_expanded_there(abilities, b)) return asked;
    if (!takes_rows(abilities)) return !can_expand || is_expanded_there(abilities, &first) ? 1 : 0;
    const uint64_t fit = ROW_BYTES / input_memfd_row_bytes(b->size);
    return fit == 0 ? 1 : (uint32_t)smaller(fit, asked);
}

int run_message_prepare(frng_message *m, uint64_t flags, uint64_t abilities, const batch *b,
                        report_shm *report, input_memfd *entropy) {
    static const uint64_t styles[] = {
        [EXPAND_STYLED] = FRNG_STYLED, [EXPAND_BOTH] = FRNG_HALF_STYLED};
    const candidate_set *set = b->candidates;
    *m = (frng_message){.type = FRNG_RUN, .flags = flags, .count = b->count};
    if ((flags & FRNG_DIGEST) != 0) m->digest_run = b->count - 1;
    report_shm_reset(report, set != NULL || report->traces ? b->count : 0);
    if (is_able(abilities, FRNG_NO_FORK)) report->report->run = RUN_NONE;
    if (set != NULL && set->is_guided) report_shm_request_guide(report, b);
    if (counts_rows(abilities, report->counts, b)) report_shm_request_rows(report, b->count);
    if ((flags & FRNG_COUNT_KNOWN) != 0) m->drawn_offset = report_shm_know(report, b->known);
    if (set == NULL) m->first_seed = b->first_seed;
    if (set == NULL && is_expanded_there(abilities, b)) {
        if (is_able(abilities, FRNG_CAN_STYLE)) m->flags |= styles[b->mix];
        m->size = b->size;
        return 0;
    }
    const bool is_given = set != NULL ? is_able(abilities, FRNG_CAN_GIVEN) : takes_rows(abilities);
    if (is_given) m->flags |= FRNG_GIVEN;
    if (is_given && run_message_is_of_choices(b)) {
        m->flags |= FRNG_CHOSEN;
        report_shm_request_chosen(report, set->chosen_max);
    }
    return input_memfd_write(entropy, b, is_given, &m->size);
}

/* True for a status that waitpid can return for a process that has ended. */
static bool is_wait_status(uint64_t status) {
    if (status > UINT16_MAX) return false;
    if (WIFEXITED((int)status)) return true;
    return WIFSIGNALED((int)status) && WTERMSIG((int)status) <= SIGRTMAX;
}

bool run_message_is_answer(const frng_message *m, const frng_message *done) {
    enum { ERRNO_MAX = 4095 };
    if (done->type != FRNG_DONE || done->count > m->count) return false;
    const bool is_errno = (done->flags & FRNG_NO_PROCESS) != 0;
    return is_errno ? done->status <= ERRNO_MAX : is_wait_status(done->status);
}

bool run_message_answers(const frng_message *m, const frng_message *done) {
    if ((done->flags & FRNG_NO_PROCESS) != 0) return done->count < m->count;
    if (done->status == 0) return done->count > 0;
    return done->count < m->count || (m->flags & FRNG_ONE_PROCESS) != 0;
}
