/* phrase.h: the pieces of lines for people.
 *
 * They are numbers with their nouns, escaped text, excerpts of outputs, and the shell commands
 * that run, replay or check a target or a predicate. */
#pragma once

#include "bytes.h"
#include "numbers.h"
#include "summary.h"

#include <stdio.h>

/* ---- Numbers: counts, also of bytes, have separators. A size that --size takes and an offset have
 * none. ---- */

#define COUNT(n) numbers_format_count(NUMBERS_TEXT, n)                              /* 1,234 */
#define COUNTED(n, noun) phrase_format("%s %s%s", COUNT(n), noun, phrase_plural(n)) /* 1 run */

/* Return "" for 1, else "s". */
const char *phrase_plural(uint64_t count);

/* ---- Texts: they live until 64 others were made ---- */

__attribute__((format(printf, 1, 2))) const char *phrase_format(const char *format, ...);

/* Return " (12 discarded)", behind a count of runs; "" for 0. */
const char *phrase_discarded(uint64_t count);

/* Return untrusted text, escaped for a terminal. */
const char *phrase_escaped(const char *text);

/* The same, but lines and tabs stay. */
const char *phrase_escaped_lines(const char *text);

/* Return one word of the command line of any POSIX shell: bare, in single quotes, or by printf if
 * it holds control characters or invalid UTF-8, which must not reach a terminal. */
const char *phrase_shell(const char *word);

/* Return a list of such words, which NULL ends, behind `before`; "" for an empty one and NULL. */
const char *phrase_words(const char *before, const char *const *words);

/* Return at most six lines of an output, the first after the label "output". A longer output is cut
 * to the first line that names a failure, the line after it, the last line that names a failure,
 * and the last lines of all. If no line names a failure, the first two lines take the place of
 * these three. A line "..." stands for omitted lines. Returns "" for an empty output and
 * NULL. The first line that names the place of a site ("": none) is shown, too. */
const char *phrase_excerpt(const bytes_tail *output, const char *site);

/* Return the target or the predicate with its arguments, quoted for a shell. */
const char *phrase_command(const run_target *s);

/* Return the command that replays the value of an option of frng-replay: --hex, --finding... */
const char *phrase_replay(const run_target *s, const char *option, const char *value);

/* Most bytes of a result that are shown as hex although a file has them. */
enum { PHRASE_HEX_MAX = 64 };

/* What one says of a pass that is no verdict, by run_doubt. */
extern const char *const phrase_doubts[];

/* Return an input of a search in words: "size 41, seed 7". */
const char *phrase_input(const seed_input *t);

/* Return how high runs came to a goal, and on a second line how to run the first of them. */
const char *phrase_goal(const run_target *s, const tally_row *goal);

/* Return the command that replays an input: by its seed, as hex or from a file; NULL if its bytes
 * are in no file. */
const char *phrase_replay_found(const run_target *s, const found_input *c);

/* Return the command that runs the predicate in a fresh folder, as the reduction has run it, on
 * copies of the result or, with `is_first`, of the files to reduce. */
const char *phrase_check(const run_setup *s, bool is_first);
