#include "event.h"

bool summary_is_complete(const summary *s) { return s->end == END_DONE; }

static const char *answer_word(run_answer a, run_task t) {
    const bool is_file = t == TASK_REDUCE_FILE;
    switch (a) {
    case ANSWER_FOUND: return is_file ? "interesting" : "fail";
    case ANSWER_PASSED: return is_file ? "uninteresting" : "pass";
    case ANSWER_DIFFERENT: return "pass";
    case ANSWER_NONE:
    case ANSWER_UNMET:
    case ANSWER_INCONCLUSIVE: break;
    }
    return "inconclusive";
}

const char *summary_word(const summary *s) {
    switch (s->end) {
    case END_ENVIRONMENT:
    case END_BROKEN: return "error";
    case END_INTERRUPTED: return "interrupted";
    case END_DONE:
    case END_SPENT:
    case END_REBUILT: /* the search begins again, or reports what it found */
    case END_PASSES: break;
    }
    return answer_word(s->answer, s->setup->task);
}

/* An interesting file is a success of --predicate; an uninteresting one is an error of its user. */
static int answer_status(run_answer a, run_task t) {
    const bool is_file = t == TASK_REDUCE_FILE;
    switch (a) {
    case ANSWER_FOUND: return is_file ? EXIT_PASSED : EXIT_FOUND;
    case ANSWER_PASSED:
    case ANSWER_DIFFERENT: return is_file ? EXIT_ENVIRONMENT : EXIT_PASSED;
    case ANSWER_NONE:
    case ANSWER_UNMET:
    case ANSWER_INCONCLUSIVE: break;
    }
    return EXIT_INCONCLUSIVE;
}

int summary_exit_status(const summary *s, bool output_failed) {
    if (output_failed || s->end == END_BROKEN) return EXIT_OUTPUT;
    if (s->end != END_ENVIRONMENT) return answer_status(s->answer, s->setup->task);
    const outcome_fault fault = s->stop->error.fault;
    const bool is_of_program = fault == FAULT_EXEC || fault == FAULT_LINKER;
    return is_of_program ? EXIT_ENVIRONMENT : EXIT_OUTPUT;
}
