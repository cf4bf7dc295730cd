/* How a run ended, and the names of that.
 *
 * A wait status becomes an outcome: it passed, failed, hung, or says nothing of the target. What a
 * limit may have caused is rerun under twice the limits, to distinguish it from what the program
 * did itself (outcome_cause, outcome_is_of_memory). A failed run has a signature, which texts name
 * as exit:3, signal:SIGABRT or timeout: each text reads back as the same signature, and no other
 * text as any.
 *
 * Two failures are one bug if their signatures are equal and their sites may be: a run whose output
 * was not read has no site yet, and one without debug information has an address for a place. */
#include "failure.h"

#include "clock.h"
#include "memory.h"
#include "output_site.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

/* ---- Identities ---- */

signature signature_of_status(int wait_status) {
    if (WIFSIGNALED(wait_status)) return (signature){SIGNATURE_SIGNAL, WTERMSIG(wait_status)};
    assert(WIFEXITED(wait_status));
    return (signature){SIGNATURE_EXIT, WEXITSTATUS(wait_status)};
}

/* Names of the signals of POSIX and Linux, without SIG; NULL for others. */
static const char *const signal_names[] = {
    [SIGHUP] = "HUP",       [SIGINT] = "INT",       [SIGQUIT] = "QUIT", [SIGILL] = "ILL",
    [SIGTRAP] = "TRAP",     [SIGABRT] = "ABRT",     [SIGBUS] = "BUS",   [SIGFPE] = "FPE",
    [SIGKILL] = "KILL",     [SIGUSR1] = "USR1",     [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
    [SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM",     [SIGTERM] = "TERM", [SIGCHLD] = "CHLD",
    [SIGCONT] = "CONT",     [SIGSTOP] = "STOP",     [SIGTSTP] = "TSTP", [SIGTTIN] = "TTIN",
    [SIGTTOU] = "TTOU",     [SIGURG] = "URG",       [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ",
    [SIGPROF] = "PROF",     [SIGVTALRM] = "VTALRM", [SIGPOLL] = "POLL", [SIGWINCH] = "WINCH",
    [SIGPWR] = "PWR",       [SIGSYS] = "SYS",
#ifdef SIGSTKFLT
    [SIGSTKFLT] = "STKFLT",
#endif
};

enum { SIGNAL_NAMES = sizeof signal_names / sizeof signal_names[0] };

static void format_signal(int number, char text[SIGNATURE_TEXT_MAX]) {
    const char *name = number >= 0 && number < SIGNAL_NAMES ? signal_names[number] : NULL;
    if (name != NULL) {
        snprintf(text, SIGNATURE_TEXT_MAX, "signal:SIG%s", name);
    } else if (number >= SIGRTMIN && number <= SIGRTMAX) {
        snprintf(text, SIGNATURE_TEXT_MAX, "signal:SIGRTMIN+%d", number - SIGRTMIN);
    } else {
        snprintf(text, SIGNATURE_TEXT_MAX, "signal:%d", number);
    }
}

const char *signature_format(signature id, char text[SIGNATURE_TEXT_MAX]) {
    switch (id.kind) {
    case SIGNATURE_EXIT: snprintf(text, SIGNATURE_TEXT_MAX, "exit:%d", id.value); break;
    case SIGNATURE_SIGNAL: format_signal(id.value, text); break;
    case SIGNATURE_TIMEOUT: snprintf(text, SIGNATURE_TEXT_MAX, "timeout"); break;
    }
    return text;
}

/* Parse a decimal number in 1..max without sign, blanks or leading zeros. Return 0 for other
 * text. */
static int parse_small(const char *text, int max) {
    const size_t length = strlen(text);
    if (length > 3 || text[0] == '0' || strspn(text, "0123456789") != length) return 0;
    const int value = atoi(text);
    return value <= max ? value : 0;
}

static int parse_signal(const char *text) {
    const int number = parse_small(text, SIGRTMAX);
    if (number > 0) return number;
    if (strncmp(text, "SIG", 3) == 0) text += 3;
    if (strncmp(text, "RTMIN+", 6) == 0) {
        const int offset = parse_small(text + 6, SIGRTMAX - SIGRTMIN);
        return offset > 0 || strcmp(text + 6, "0") == 0 ? SIGRTMIN + offset : 0;
    }
    for (int i = 1; i < SIGNAL_NAMES; i++) {
        if (signal_names[i] != NULL && strcmp(signal_names[i], text) == 0) return i;
    }
    return 0;
}

bool signature_parse(const char *text, signature *id) {
    signature parsed = {SIGNATURE_TIMEOUT, 0};
    if (strncmp(text, "exit:", 5) == 0) {
        parsed = (signature){SIGNATURE_EXIT, parse_small(text + 5, 255)};
    } else if (strncmp(text, "signal:", 7) == 0) {
        parsed = (signature){SIGNATURE_SIGNAL, parse_signal(text + 7)};
    } else if (strcmp(text, "timeout") != 0) {
        return false;
    }
    if (parsed.kind != SIGNATURE_TIMEOUT && parsed.value == 0) return false;
    *id = parsed;
    return true;
}

/* ---- Sites ---- */

bool site_has_kind(const char *text) {
    const size_t length = strcspn(text, ": ");
    return text[length] == ':' && output_site_is_family(text, length);
}

static void escape(const char *from, char *to, size_t to_max) {
    bytes_escape((const uint8_t *)from, strlen(from), false, to, to_max);
}

void site_join(const char *kind, const char *place, char site[SITE_MAX]) {
    char name[SITE_KIND_MAX], where[SITE_PLACE_MAX];
    escape(kind, name, sizeof name);
    escape(place, where, sizeof where);
    snprintf(site, SITE_MAX, "%s%s%s", name, name[0] != '\0' && where[0] != '\0' ? " at " : "",
             where);
}

void site_split(const char *site, char kind[SITE_MAX], char place[SITE_MAX]) {
    kind[0] = place[0] = '\0';
    if (!site_has_kind(site)) {
        snprintf(place, SITE_MAX, "%s", site);
        return;
    }
    const char *at = strstr(site, " at ");
    const size_t length = at != NULL ? (size_t)(at - site) : strlen(site);
    snprintf(kind, SITE_MAX, "%.*s", (int)length, site);
    if (at != NULL) snprintf(place, SITE_MAX, "%s", at + 4);
}

/* Return where words begin that follow the number of a line; the end if they do not. */
static const char *after_line(const char *place, const char *words) {
    const char *at = strstr(place, words);
    while (at != NULL && (at == place || !isdigit((unsigned char)at[-1])))
        at = strstr(at + 1, words);
    return at != NULL ? at : place + strlen(place);
}

size_t site_line_length(const char *place) {
    const char *in = after_line(place, " in "), *shape = after_line(place, " '");
    return (size_t)((in < shape ? in : shape) - place);
}

size_t site_shapeless_length(const char *site) {
    const size_t length = strlen(site);
    const char *shape = strstr(site + site_line_length(site), " '");
    return shape != NULL && site[length - 1] == '\'' ? (size_t)(shape - site) : length;
}

const char *site_format(signature id, const char *site, char text[SITE_TEXT_MAX]) {
    if (site_has_kind(site)) {
        snprintf(text, SITE_TEXT_MAX, "%s", site);
    } else {
        snprintf(text, SITE_TEXT_MAX, "%s%s%s", signature_format(id, SIGNATURE_TEXT),
                 site[0] != '\0' ? " at " : "", site);
    }
    return text;
}

bool site_is_address(const char *site) {
    const char *plus = strstr(site, "+0x");
    return plus != NULL && strspn(plus, "+x0123456789abcdef") == strlen(plus);
}

/* True if a site is another one without its shape. */
static bool is_without_shape(const char *a, const char *b) {
    const size_t length = site_shapeless_length(b);
    return strlen(a) == length && memcmp(a, b, length) == 0;
}

/* True if two sites may be of the same bug. An empty one is unknown, unless it is known that there
 * is none. */
static bool site_may_equal(const char *a, bool a_is_known, const char *b, bool b_is_known) {
    char a_kind[SITE_MAX], a_place[SITE_MAX], b_kind[SITE_MAX], b_place[SITE_MAX];
    if (strcmp(a, b) == 0) return true;
    if (a[0] == '\0' || b[0] == '\0') return !(a_is_known && b_is_known);
    if (is_without_shape(a, b) || is_without_shape(b, a)) return true;
    if (site_is_address(a) == site_is_address(b)) return false;
    site_split(a, a_kind, a_place);
    site_split(b, b_kind, b_place);
    return strcmp(a_kind, b_kind) == 0;
}

/* ---- Outcomes ---- */

static bool holds(const bytes_tail *tail, const char *words) {
    return memmem(tail->bytes, tail->size, words, strlen(words)) != NULL;
}

/* True if the dynamic linker reported that a program cannot run here. */
static bool is_linker_error(int status, const bytes_tail *output) {
    if (status == 1)
        return holds(output, ": version `") && holds(output, "' not found (required by ");
    return status == 127 && (holds(output, ": error while loading shared libraries: ") ||
                             holds(output, ": symbol lookup error: "));
}

const uint8_t *outcome_usage_line(const bytes_tail *output) {
    static const char words[] = "frng: usage: ";
    const size_t length = sizeof words - 1;
    const uint8_t *at = output->bytes, *end = output->bytes + output->size;
    while ((at = memmem(at, (size_t)(end - at), words, length)) != NULL) {
        if (at == output->bytes || at[-1] == '\n') return at + length;
        at += length;
    }
    return NULL;
}

/* Return why the end of a run shows that its program was not started; FAULT_NONE if it was. */
static outcome_fault fault_of_end(int status, reading_state seen, const bytes_tail *output) {
    if (!WIFEXITED(status)) return FAULT_NONE;
    const int number = WEXITSTATUS(status);
    if (number == 2 && outcome_usage_line(output) != NULL) return FAULT_USAGE;
    if (seen == READING_SEEN) return FAULT_NONE;
    if (is_linker_error(number, output)) return FAULT_LINKER;
    return seen == READING_NONE && (number == 126 || number == 127) ? FAULT_SHELL : FAULT_NONE;
}

outcome outcome_of_end(int status, bool timed_out, reading_state seen, const bytes_tail *output) {
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    outcome o = outcome_of_status(status);
    o.reading = seen;
    if (timed_out && killed) o.verdict = VERDICT_TIMEOUT;
    if (output != NULL) o.fault = fault_of_end(status, seen, output);
    if (o.fault != FAULT_NONE) o.verdict = VERDICT_ERROR;
    return o;
}

bool outcome_failed_alike(const outcome *a, const outcome *b) {
    return outcome_failed(a) && outcome_failed(b) &&
           signature_equal(outcome_signature(a), outcome_signature(b));
}

outcome_fault outcome_fault_of_exec(int error_number) {
    return backoff_helps(error_number) || error_number == EMFILE ? FAULT_SYSTEM : FAULT_EXEC;
}

signature outcome_signature(const outcome *o) {
    assert(outcome_failed(o));
    if (o->verdict == VERDICT_TIMEOUT) return (signature){SIGNATURE_TIMEOUT, 0};
    return signature_of_status(o->status);
}

failure_cause outcome_cause(signature failed, const char *site, const outcome *again) {
    if (again->verdict == VERDICT_MEMORY) return CAUSE_MEMORY;
    if (again->verdict == VERDICT_STUCK) return CAUSE_WORKER;
    if (again->verdict != VERDICT_PASS) return CAUSE_NONE;
    if (failed.kind == SIGNATURE_TIMEOUT) return CAUSE_TIMEOUT;
    return strcmp(site, SITE_OOM) == 0 ? CAUSE_OOM : CAUSE_NONE;
}

/* ---- Failures ---- */

bool failure_is_alike(const failure *a, const failure *b) {
    return signature_equal(a->signature, b->signature) &&
           site_may_equal(a->site, a->is_site_known, b->site, b->is_site_known);
}

bool failure_is_better(const failure *a, const failure *b) {
    if (failure_is_of_flaky(a) != failure_is_of_flaky(b)) return failure_is_of_flaky(b);
    if (a->input.size != b->input.size) return a->input.size < b->input.size;
    if (a->form != b->form) return a->form > b->form;
    if (a->form == FORM_SEED && !seed_input_equal(a->input, b->input))
        return seed_input_less(a->input, b->input);
    return a->reruns > b->reruns;
}

void failure_keep(failure *to, const failure *from) {
    bytes_tail *output = to->output;
    if (output == NULL && from->output != NULL) output = memory_new(sizeof *output);
    if (output != NULL) bytes_tail_copy(output, from->output);
    *to = *from;
    to->output = output;
}

void failure_drop(failure *f) {
    free(f->output);
    *f = (failure){0};
}
