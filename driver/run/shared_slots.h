/* shared_slots.h: objects of one size in memory that the driver shares with its workers, and a book
 * of which batch and worker use each. After a cancellation an object stays in use until the worker
 * has answered, since the worker may be reading or writing it. */
#ifndef SHARED_SLOTS_H
#define SHARED_SLOTS_H

#include <stddef.h>
#include <stdint.h>

/* Map zeroed memory that this process shares with those it forks. Memory that is never touched
 * costs nothing. Returns NULL with errno. */
void *shared_memory(size_t size);

/* Unmap it. NULL is allowed. */
void shared_memory_free(void *memory, size_t size);

/* The user of an object. */
typedef struct slot_user {
    uint64_t number; /* of the batch; 0: the object is free */
    unsigned worker; /* its index in the pool */
} slot_user;

/* No objects if zeroed. */
typedef struct shared_slots {
    size_t count;     /* objects */
    size_t stride;    /* bytes from one object to the next */
    uint8_t *memory;  /* `count * stride` bytes; owned */
    slot_user *users; /* `count` entries, one for each object; owned */
} shared_slots;

/* Map `count` free objects of `stride` bytes. Returns 0 or an errno; then there are none. */
int shared_slots_init(shared_slots *s, size_t count, size_t stride);
void shared_slots_finish(shared_slots *s);

static inline void *shared_slots_at(const shared_slots *s, size_t i) {
    return s->memory + i * s->stride;
}

/* Return the first free object, which stays free; NULL if all are in use. */
void *shared_slots_first_free(const shared_slots *s);

/* Let a worker use a free object, for a batch whose number is not 0. */
void shared_slots_use(shared_slots *s, const void *object, slot_user user);

/* Free the object of a batch, if it has one. */
void shared_slots_free(shared_slots *s, uint64_t number);

/* Free the objects of a worker that has died, of batches before number `wanted`. */
void shared_slots_free_before(shared_slots *s, unsigned worker, uint64_t wanted);

#endif
