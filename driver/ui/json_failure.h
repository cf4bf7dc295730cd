/* json_failure.h: fields that tell of a failure. */
#ifndef JSON_FAILURE_H
#define JSON_FAILURE_H

#include "json_set.h"

/* Put `identity`, `site`, `signature`, `flaky`, and `output` if there is any. NULL: nulls. */
void json_failure_put(json_t *line, const failure *f);

/* Put `identity`, `site` and `signature`. */
void json_failure_put_signature(json_t *line, const failure *f);

/* Put `flaky`: false if each rerun of the failure and of failures like it failed; null without
 * reruns. */
void json_failure_put_flaky(json_t *line, const failure *f);

/* Put `evidence`, its reruns and how many failed; null if it was not rerun. */
void json_failure_put_evidence(json_t *line, const failure *f);

/* Put `rate`, how often it fails, by failure_evidence; null if it was not rerun. */
void json_failure_put_rate(json_t *line, const failure *f);

/* Put a number of runs that failed as `rate`. */
void json_failure_put_rate_of(json_t *line, uint64_t failed, uint64_t runs);

/* Put `size`, and `seed` or (with bytes) `hex` if that is short enough. */
void json_failure_put_input(json_t *line, const found_input *c, bool has_bytes);

/* Put `replay`: a shell command, or null if the bytes are in no file. */
void json_failure_put_replay(json_t *line, const run_setup *setup, const found_input *c);

/* Put `also`: the smallest failures of other signatures. */
void json_failure_put_also(json_t *line, const summary *s, bool has_bytes);

/* Put `failures`: the answer for each signature. */
void json_failure_put_each(json_t *line, const summary *s);

/* Put `ignored`: how many runs failed as --ignore says, by signature. */
void json_failure_put_ignored(json_t *line, const summary *s);

/* Put `below`, `passed`, `bound`, `confidence` and `tested`: the claim of a search. */
void json_failure_put_claim(json_t *line, const run_claim *c, bool has_failed);

#endif
