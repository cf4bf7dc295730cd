#include "shared_slots.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

void *shared_memory(size_t size) {
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void shared_memory_free(void *memory, size_t size) {
    if (memory != NULL) munmap(memory, size);
}

int shared_slots_init(shared_slots *s, size_t count, size_t stride) {
    *s = (shared_slots){0};
    slot_user *users = calloc(count, sizeof *users);
    if (users == NULL) return ENOMEM;
    uint8_t *memory = shared_memory(count * stride);
    if (memory == NULL) {
        const int error = errno;
        free(users);
        return error;
    }
    *s = (shared_slots){count, stride, memory, users};
    return 0;
}

void shared_slots_finish(shared_slots *s) {
    shared_memory_free(s->memory, s->count * s->stride);
    free(s->users);
    *s = (shared_slots){0};
}

void *shared_slots_first_free(const shared_slots *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->users[i].number == 0) return shared_slots_at(s, i);
    }
    return NULL;
}

void shared_slots_use(shared_slots *s, const void *object, slot_user user) {
    const size_t at = (size_t)((const uint8_t *)object - s->memory);
    assert(at % s->stride == 0 && at / s->stride < s->count);
    assert(user.number != 0 && s->users[at / s->stride].number == 0);
    s->users[at / s->stride] = user;
}

void shared_slots_free(shared_slots *s, uint64_t number) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->users[i].number == number) s->users[i].number = 0;
    }
}

void shared_slots_free_before(shared_slots *s, unsigned worker, uint64_t wanted) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->users[i].worker == worker && s->users[i].number < wanted) s->users[i].number = 0;
    }
}
