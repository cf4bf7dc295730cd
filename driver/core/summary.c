/* Answers have a word and an exit status, one table for all tools. */
#include "summary.h"

/* The word and the exit status of an answer on a target, and on a file: an interesting file is a
 * success of --predicate, and an uninteresting one an error of its user. */
static const struct {
    const char *word, *word_of_file;
    int status, status_of_file;
} answers[] = {
    [ANSWER_FOUND] = {"fail", "interesting", EXIT_FOUND, EXIT_PASSED},
    [ANSWER_PASSED] = {"pass", "uninteresting", EXIT_PASSED, EXIT_ENVIRONMENT},
    [ANSWER_DIFFERENT] = {"pass", "pass", EXIT_PASSED, EXIT_ENVIRONMENT},
    [ANSWER_NONE] = {"inconclusive", "inconclusive", EXIT_INCONCLUSIVE, EXIT_INCONCLUSIVE},
    [ANSWER_UNMET] = {"inconclusive", "inconclusive", EXIT_INCONCLUSIVE, EXIT_INCONCLUSIVE},
    [ANSWER_DISCARDED] = {"inconclusive", "inconclusive", EXIT_INCONCLUSIVE, EXIT_INCONCLUSIVE},
    [ANSWER_INCONCLUSIVE] = {"inconclusive", "inconclusive", EXIT_INCONCLUSIVE, EXIT_INCONCLUSIVE},
};

const char *summary_word(const summary *s) {
    const bool is_file = s->setup->task == TASK_REDUCE_FILE;
    const bool is_limit = s->stop.end == END_ENVIRONMENT && outcome_is_limit(&s->stop.error);
    if (is_limit) return answers[ANSWER_NONE].word;
    if (s->stop.end == END_ENVIRONMENT || s->stop.end == END_BROKEN) return "error";
    if (s->stop.end == END_INTERRUPTED) return "interrupted";
    return is_file ? answers[s->answer].word_of_file : answers[s->answer].word;
}

int summary_exit_status(const summary *s, bool output_failed) {
    const bool is_file = s->setup->task == TASK_REDUCE_FILE;
    const bool is_of_run = s->stop.end == END_ENVIRONMENT;
    if (output_failed || s->stop.end == END_BROKEN) return EXIT_OUTPUT;
    if (is_of_run && outcome_is_limit(&s->stop.error)) return EXIT_INCONCLUSIVE;
    if (is_of_run && (s->stop.error.fault == FAULT_EXEC || outcome_is_unstarted(&s->stop.error)))
        return EXIT_ENVIRONMENT;
    if (is_of_run) return EXIT_OUTPUT;
    return is_file ? answers[s->answer].status_of_file : answers[s->answer].status;
}
