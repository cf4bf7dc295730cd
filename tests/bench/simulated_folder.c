#include "simulated_folder.h"

#include <stdlib.h>

void simulated_folder_init(simulated_folder *f, double seconds, double lag_s) {
    *f = (simulated_folder){.lag_s = lag_s, .seconds = (size_t)seconds + 1};
    f->calls = calloc(f->seconds, sizeof *f->calls);
    if (f->calls == NULL) abort();
}

void simulated_folder_finish(simulated_folder *f) {
    free(f->bests);
    free(f->changes);
    free(f->calls);
}

void simulated_folder_call(simulated_folder *f, double at, uint64_t count) {
    const size_t second = (size_t)at;
    if (second < f->seconds) f->calls[second] += (uint32_t)count;
}

const seed_input *simulated_folder_best(const simulated_folder *f, double at) {
    for (size_t i = f->best_count; i > 0; i--) {
        if (f->bests[i - 1].at + f->lag_s <= at) return &f->bests[i - 1].input;
    }
    return NULL;
}

size_t simulated_folder_changes(const simulated_folder *f, double at) {
    size_t count = f->change_count;
    while (count > 0 && f->changes[count - 1] + f->lag_s > at) count--;
    return count;
}

static void change(simulated_folder *f, double at) {
    f->changes = realloc(f->changes, (f->change_count + 1) * sizeof *f->changes);
    if (f->changes == NULL) abort();
    f->changes[f->change_count++] = at;
}

void simulated_folder_write(simulated_folder *f, double at, const seed_input *input) {
    const shared_best *last = f->best_count > 0 ? &f->bests[f->best_count - 1] : NULL;
    simulated_folder_call(f, at, CALLS_SAVE);
    change(f, at);
    f->written++;
    if (last != NULL && !seed_input_less(*input, last->input)) return;
    f->bests = realloc(f->bests, (f->best_count + 1) * sizeof *f->bests);
    if (f->bests == NULL) abort();
    f->bests[f->best_count++] = (shared_best){at, *input};
}

void simulated_folder_remove(simulated_folder *f, double at, uint64_t count) {
    simulated_folder_call(f, at, CALLS_REMOVE * count);
    f->removed += count;
    if (count > 0) change(f, at);
}

double simulated_folder_reached(const simulated_folder *f, uint64_t size) {
    for (size_t i = 0; i < f->best_count; i++) {
        if (f->bests[i].input.size <= size) return f->bests[i].at;
    }
    return -1;
}

static size_t second_of(const simulated_folder *f, double at) {
    return (size_t)at < f->seconds ? (size_t)at : f->seconds;
}

uint32_t simulated_folder_peak(const simulated_folder *f, double from, double to) {
    uint32_t most = 0;
    for (size_t i = second_of(f, from); i < second_of(f, to); i++) {
        if (f->calls[i] > most) most = f->calls[i];
    }
    return most;
}

double simulated_folder_mean(const simulated_folder *f, double from, double to) {
    uint64_t all = 0;
    for (size_t i = second_of(f, from); i < second_of(f, to); i++) all += f->calls[i];
    return (double)all / (to - from);
}
