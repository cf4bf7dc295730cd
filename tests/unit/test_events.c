/* events.h: a night from lines of events, whole, torn and hostile. */
#include "events.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static night n;
static events e;

static void setup(void) { events_begin(&e, &n, "events.jsonl"); }

static void take(const char *line) { events_take(&e, line, strlen(line)); }

static void start(void) {
    setup();
    take("{\"event\":\"start\",\"sut\":\"./queue\",\"args\":[\"-n\",\"two words\"],"
         "\"rng_seed\":\"7\",\"jobs\":2,\"host\":\"node1\"}");
}

TEST(a_search_has_points_and_a_best) {
    start();
    take("{\"event\":\"best\",\"size\":40,\"seed\":\"5\",\"identity\":\"exit:3\",\"site\":null,"
         "\"runs\":17}");
    take("{\"event\":\"best\",\"size\":16,\"seed\":\"9s\",\"identity\":\"exit:3\",\"site\":null,"
         "\"runs\":80}");
    take("{\"event\":\"done\",\"outcome\":\"fail\",\"size\":16,\"seed\":\"9s\","
         "\"identity\":\"exit:3\",\"runs\":200,\"rate\":{\"reruns\":20,\"repeated\":19},"
         "\"below\":15,\"passed\":100,\"bound\":0.05,\"confidence\":0.95}");
    ck_assert_uint_eq(n.program_count, 1);
    const night_program *p = &n.programs[0];
    const night_work *w = &p->works[0];
    ck_assert_str_eq(p->args, "-n 'two words'");
    ck_assert_str_eq(w->host, "node1");
    ck_assert_int_eq(w->task, NIGHT_SEARCH);
    ck_assert_uint_eq(w->points.count, 2);
    ck_assert_double_eq(w->points.points[1].x, 80);
    ck_assert_double_eq(w->points.points[1].y, 16);
    ck_assert_uint_eq(w->runs.value, 200);
    ck_assert_uint_eq(p->signature_count, 1);
    ck_assert_uint_eq(p->signatures[0].smallest.size, 16);
    ck_assert_str_eq(p->signatures[0].smallest.seed, "9s");
    ck_assert_uint_eq(p->signatures[0].smallest.repeated.value, 19);
    ck_assert(w->best.claim.is_known && w->best.claim.below == 15);
    night_finish(&n);
}

TEST(signatures_are_apart_and_keep_the_smallest) {
    start();
    take("{\"event\":\"best\",\"size\":40,\"seed\":\"5\",\"identity\":\"exit:3\",\"runs\":1}");
    take("{\"event\":\"other\",\"size\":9,\"seed\":\"6\",\"identity\":\"signal:SIGABRT\","
         "\"site\":\"q.c:16\",\"runs\":2}");
    take("{\"event\":\"other\",\"size\":12,\"seed\":\"7\",\"identity\":\"signal:SIGABRT\","
         "\"site\":\"q.c:16\",\"runs\":3}");
    const night_program *p = &n.programs[0];
    ck_assert_uint_eq(p->signature_count, 2);
    ck_assert_str_eq(p->signatures[1].smallest.signature, "signal:SIGABRT at q.c:16");
    ck_assert_uint_eq(p->signatures[1].smallest.size, 9);
    ck_assert_uint_eq(p->signatures[1].seen, 2);
    night_finish(&n);
}

TEST(searches_of_a_fleet_meet_by_name) {
    start();
    take("{\"event\":\"start\",\"sut\":\"/other/path/queue\",\"args\":[\"-n\",\"two words\"],"
         "\"rng_seed\":\"8\"}");
    take("{\"event\":\"start\",\"sut\":\"./queue\",\"args\":[],\"rng_seed\":\"9\"}");
    ck_assert_uint_eq(n.program_count, 2);
    ck_assert_uint_eq(n.programs[0].work_count, 2);
    ck_assert_uint_eq(n.programs[1].work_count, 1);
    night_finish(&n);
}

TEST(runs_of_sizes_are_counted) {
    start();
    take("{\"event\":\"tested\",\"size\":10,\"runs\":100,\"failures\":3,\"others\":2}");
    take("{\"event\":\"tested\",\"size\":10,\"runs\":50,\"failures\":0,\"others\":0}");
    take("{\"event\":\"tested\",\"size\":11,\"runs\":5,\"failures\":6,\"others\":0}"); /* a lie */
    size_table *t = &n.programs[0].sizes;
    size_table_sort(t, 10);
    ck_assert_uint_eq(t->count, 1);
    ck_assert_uint_eq(t->rows[0].runs, 150);
    ck_assert_uint_eq(t->rows[0].failures, 5);
    night_finish(&n);
}

TEST(a_reduction_has_steps_and_passes) {
    setup();
    take("{\"event\":\"start\",\"task\":\"reduce\",\"sut\":\"./queue\",\"args\":[],\"size\":9}");
    take("{\"event\":\"step\",\"calls\":5,\"size\":7,\"pass\":\"delete\"}");
    take("{\"event\":\"step\",\"calls\":9,\"size\":6,\"pass\":\"zero\"}");
    take("{\"event\":\"done\",\"outcome\":\"fail\",\"complete\":true,\"size\":2,\"hex\":\"00ff\","
         "\"identity\":\"exit:3\",\"calls\":30,\"passes\":[{\"name\":\"zero\",\"calls\":4,"
         "\"successes\":1,\"bytes\":1}]}");
    const night_work *w = &n.programs[0].works[0];
    ck_assert_int_eq(w->task, NIGHT_REDUCE);
    ck_assert_uint_eq(w->points.count, 3); /* the start, and two steps */
    ck_assert_uint_eq(w->pass_count, 2);
    ck_assert_uint_eq(w->passes[1].calls, 4);
    ck_assert_uint_eq(w->points.points[2].kind, 2);
    ck_assert_str_eq(w->best.hex, "00ff");
    night_finish(&n);
}

TEST(draws_become_a_story) {
    start();
    take("{\"event\":\"done\",\"outcome\":\"fail\",\"explanation\":{\"runs\":30,\"cut\":null,"
         "\"together\":{\"draws\":2,\"runs\":20,\"failed\":20},\"statements\":["
         "{\"offset\":0,\"step\":\"push\",\"note\":\"key\",\"value\":\"7\",\"text\":\"any\"},"
         "{\"offset\":1,\"note\":\"value\",\"value\":\"1\",\"text\":\"= key\"},"
         "{\"offset\":2,\"step\":\"pop\",\"notes\":[\"empty\"],\"value\":\"0\",\"text\":\"\"}]}}");
    const story *s = &n.programs[0].works[0].story;
    ck_assert_uint_eq(s->count, 6); /* two steps, a note, three draws */
    size_t operations[STORY_MAX];
    ck_assert_uint_eq(story_operations(s, operations), 2);
    ck_assert_uint_eq(operations[2], 0);
    ck_assert_uint_eq(operations[3], 1);
    ck_assert_str_eq(s->items[2].meaning, "= key");
    ck_assert_uint_eq(s->any_failed, 20);
    night_finish(&n);
}

TEST(a_repeated_note_begins_an_operation) {
    start();
    for (int i = 0; i < 6; i++) {
        char line[128];
        snprintf(line, sizeof line, "{\"event\":\"draw\",\"note\":\"%s\",\"value\":\"%d\"}",
                 i == 0       ? "setup"
                 : i % 2 == 1 ? "operation"
                              : "key",
                 i);
        take(line);
    }
    const story *s = &n.programs[0].works[0].story;
    size_t operations[STORY_MAX];
    ck_assert_uint_eq(story_operations(s, operations), 4);
    ck_assert_uint_eq(operations[0], 0);
    ck_assert_uint_eq(operations[1], 1);
    ck_assert_uint_eq(operations[2], 1);
    ck_assert_uint_eq(operations[5], 3);
    night_finish(&n);
}

/* Each is a line that nothing is to be taken from, and after which all goes on. */
static const char *const hostile[] = {
    "",
    "{",
    "null",
    "17",
    "\"start\"",
    "[[[[[[[[[[",
    "{\"event\":\"best\",\"size\":1e999}",
    "{\"event\":\"best\",\"size\":-1,\"runs\":-1,\"identity\":\"exit:3\"}",
    "{\"event\":\"best\",\"size\":\"16\",\"runs\":[],\"identity\":{}}",
    "{\"event\":\"best\",\"size\":99999999999999999999}",
    "{\"event\":\"best\",\"identity\":\"\xff\xfe\"}",
    "{\"event\":\"tested\",\"size\":1,\"runs\":-5,\"failures\":-9}",
    "{\"event\":\"tested\"}",
    "{\"event\":17}",
    "{\"event\":\"no such event\"}",
    "{\"event\":\"done\",\"failures\":{},\"also\":7,\"passes\":[1,\"x\",null,{}],\"rate\":3}",
    "{\"event\":\"done\",\"smaller\":\"x\",\"explanation\":[]}",
    "{\"event\":\"done\",\"explanation\":{\"statements\":[1,null,\"x\",{}],\"together\":9}}",
    "{\"event\":\"draw\",\"offset\":-3,\"value\":{},\"notes\":[1,{}],\"step\":9}",
};

TEST_EACH(hostile_lines_are_survived, sizeof hostile / sizeof hostile[0]) {
    start();
    take(hostile[_i]);
    take("{\"event\":\"best\",\"size\":40,\"seed\":\"5\",\"identity\":\"exit:3\",\"runs\":1}");
    ck_assert(!n.failed);
    ck_assert_uint_eq(n.lines, 3);
    ck_assert_uint_eq(n.programs[0].works[0].points.count, 1);
    ck_assert_uint_eq(n.programs[0].signature_count, 1);
    night_finish(&n);
}

TEST(nesting_has_a_limit) {
    enum { DEPTH = 100000 };
    char *text = malloc(2 * DEPTH + 64);
    start();
    int at = sprintf(text, "{\"event\":\"best\",\"size\":");
    memset(text + at, '[', DEPTH);
    memset(text + at + DEPTH, ']', DEPTH);
    strcpy(text + at + 2 * DEPTH, "}");
    take(text);
    ck_assert_uint_eq(n.torn, 1);
    free(text);
    night_finish(&n);
}

TEST(signatures_and_searches_have_a_limit) {
    start();
    for (int i = 0; i < 3000; i++) {
        char line[160];
        snprintf(line, sizeof line,
                 "{\"event\":\"other\",\"size\":40,\"seed\":\"5\",\"identity\":\"bug %d\"}", i);
        take(line);
        take("{\"event\":\"start\",\"sut\":\"./queue\",\"args\":[\"-n\",\"two words\"],"
             "\"rng_seed\":\"7\"}");
    }
    const night_program *p = &n.programs[0];
    ck_assert(!n.failed);
    ck_assert_uint_eq(p->work_count, NIGHT_WORKS_MAX);
    ck_assert_uint_eq(p->works_left_out, 3001 - NIGHT_WORKS_MAX);
    ck_assert_uint_eq(p->signature_count, NIGHT_SIGNATURES_MAX);
    night_finish(&n);
}
