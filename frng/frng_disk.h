/* frng_disk.h: a disk in the memory of a test, which loses power and has faults.
 *
 * A write is seen at once, and safe after a sync. When the power fails, entropy says what is lost
 * of that which was not synced. Reads, writes and syncs never draw.
 *
 *     static bool test(frng *f) {
 *         uint8_t bytes[8192], undo[1024], stored = 0, asked = 0;
 *         frng_disk disk;
 *         frng_disk_init(&disk, bytes, sizeof bytes, undo, sizeof undo);
 *         for (;;) {                                  // each time that the machine starts
 *             engine e = engine_open(&disk);          // yours, which reads and writes the disk
 *             FRNG_ASSERT(e.value == stored || e.value == asked, "%u is lost", stored);
 *             FRNG_TRY(frng_disk_plan(f, &disk, 20)); // the power fails in write 20 or before
 *             for (stored = e.value; !disk.off;) {
 *                 FRNG_TRY(frng_u8(f, &asked));
 *                 if (engine_put(&e, asked)) stored = asked; // false: a write has failed
 *             }
 *             FRNG_TRY(frng_disk_recover(f, &disk));  // draws what is lost
 *         }
 *     }
 *
 * The disk has units of 512 bytes, written whole or not at all (sectors), in blocks of 4096, which
 * are written in any order: set disk.unit and disk.block after frng_disk_init for others. Set
 * disk.faults to the faults that it may have, at first FRNG_DISK_POWER. `undo` is as large as all
 * that is not synced at a time: when it is full, everything reaches the disk.
 *
 *     frng_disk_read(&disk, at, into, size)   false: the power is off, or a unit is unreadable
 *     frng_disk_write(&disk, at, from, size)  false: the power is off; the bytes may be there
 *     frng_disk_sync(&disk)                   false: the power is off
 *     frng_disk_plan(f, &disk, most)          draw when the power fails: 0 now, n in the nth write
 *     disk.off = true;                        the power fails now
 *     frng_disk_recover(f, &disk)             the power is back; draw what was lost
 *     frng_disk_fault(f, &disk)               draw a fault of disk.faults & FRNG_DISK_MEDIA
 *
 * A draw takes a byte (two beyond 256 values); 0 is the mildest. Out of entropy, a recovery loses
 * no more, and a test may look once more. C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_DISK_H
#define FRNG_DISK_H
#include "frng_assert.h"
#include "frng_more.h"
#include <string.h>

FRNG__WRAPS
#define FRNG__DISK_PIECES 128 /* unsynced writes at a time */

typedef enum frng_disk_faults {
    FRNG_DISK_LOST = 1,         /* power: the newest unsynced writes are not there */
    FRNG_DISK_TORN = 2,         /* power: the newest that is there lacks units at its end */
    FRNG_DISK_REORDERED = 4,    /* power: a block lacks its newest, others have newer ones */
    FRNG_DISK_LYING = 8,        /* power: the last syncs did nothing */
    FRNG_DISK_ROT = 16,         /* media: a bit flips */
    FRNG_DISK_MISDIRECTED = 32, /* media: one of the next 8 writes goes to other units */
    FRNG_DISK_UNREADABLE = 64,  /* media: reads of a unit fail until it is written anew */
    FRNG_DISK_POWER = 1 | 2 | 4,
    FRNG_DISK_MEDIA = 16 | 32 | 64
} frng_disk_faults;

typedef struct frng_disk {
    size_t unit, block, faults;         /* for the test to set */
    bool off;                           /* the power is off */
    uint8_t *bytes, *undo;              /* what reads give; what unsynced writes have overwritten */
    size_t size, undo_size, bad;        /* `bad`: an unreadable unit + 1, or 0 */
    size_t until_off, until_away, away; /* writes to come, 0: never; where a stray one goes */
    size_t syncs, used, count;          /* of `undo`; of pieces: unsynced writes, cut at blocks */
    size_t at[FRNG__DISK_PIECES], length[FRNG__DISK_PIECES]; /* the oldest first */
    size_t was[FRNG__DISK_PIECES], sync[FRNG__DISK_PIECES];  /* in `undo`; how many before it */
} frng_disk;

static inline void frng_disk_init(frng_disk *d, void *bytes, size_t size, void *undo,
                                  size_t undo_size) {
    memset(d, 0, offsetof(frng_disk, at));
    d->bytes = (uint8_t *)memset(bytes, 0, size), d->undo = (uint8_t *)undo;
    d->size = size, d->undo_size = undo_size;
    d->unit = 512, d->block = 4096, d->faults = FRNG_DISK_POWER;
}

static inline bool frng_disk_read(const frng_disk *d, size_t at, void *into, size_t size) {
    FRNG_ASSERT(at <= d->size && size <= d->size - at, "a read of %zu bytes at %zu", size, at);
    if (d->off || (at < d->bad * d->unit && (d->bad - 1) * d->unit < at + size)) return false;
    memcpy(into, d->bytes + at, size);
    return true;
}

static inline bool frng_disk_write(frng_disk *d, size_t at, const void *from, size_t size) {
    FRNG_ASSERT(at <= d->size && size <= d->size - at, "a write of %zu bytes at %zu", size, at);
    if (d->off) return false;
    if (d->until_away > 0 && --d->until_away == 0)
        for (at = at % d->unit + d->away; at + size > d->size;) at -= d->unit;
    for (const uint8_t *next = (const uint8_t *)from; size > 0;) {
        const size_t rest = d->block - at % d->block, part = rest < size ? rest : size;
        FRNG_ASSERT(part <= d->undo_size, "`undo` has %zu bytes, and a write more", d->undo_size);
        if (part > d->undo_size - d->used || d->count == FRNG__DISK_PIECES) d->count = d->used = 0;
        memcpy(d->undo + d->used, d->bytes + at, part);
        memcpy(d->bytes + at, next, part);
        d->at[d->count] = at, d->length[d->count] = part;
        d->was[d->count] = d->used, d->sync[d->count++] = d->syncs;
        if (at + d->unit <= d->bad * d->unit && d->bad * d->unit <= at + part) d->bad = 0;
        at += part, next += part, size -= part, d->used += part;
    }
    d->off = d->until_off > 0 && --d->until_off == 0;
    return !d->off;
}

static inline bool frng_disk_sync(frng_disk *d) {
    if (d->off) return false;
    if (d->count > 0 && d->sync[d->count - 1] == d->syncs) d->syncs++;
    if ((d->faults & FRNG_DISK_LYING) == 0) d->count = d->used = 0;
    return true;
}

FRNG_DRAW bool frng__disk_pick(frng *f, const char *note, size_t count, size_t *pick) {
    frng_note(f, note);
    return frng_pick(f, count, pick);
}

/* 0 in half of the cases, or else 1..count. */
FRNG_DRAW bool frng__disk_rare(frng *f, const char *note, size_t count, size_t *pick) {
    uint32_t weights[FRNG__DISK_PIECES + 1] = {(uint32_t)count};
    for (size_t k = 1; k <= count; k++) weights[k] = 1;
    frng_note(f, note);
    return frng_pick_weighted(f, weights, count + 1, pick);
}

FRNG_DRAW bool frng_disk_plan(frng *f, frng_disk *d, size_t most) {
    frng__world_step(f, "power fails");
    FRNG_TRY(frng__disk_pick(f, "in write", most + 1, &d->until_off));
    d->off = d->off || d->until_off == 0;
    return true;
}

/* Take back what pieces from `first` on wrote at `from` and behind, in a block or in all (0). */
static inline void frng__disk_undo(frng_disk *d, size_t first, size_t from, size_t block) {
    for (size_t i = d->count; i-- > first;) {
        const size_t kept = from > d->at[i] ? from - d->at[i] : 0;
        if (kept >= d->length[i] || (block > 0 && d->at[i] / d->block + 1 != block)) continue;
        memcpy(d->bytes + d->at[i] + kept, d->undo + d->was[i] + kept, d->length[i] - kept);
        d->length[i] = kept;
    }
}

FRNG_DRAW bool frng__disk_lose(frng *f, frng_disk *d) {
    const size_t syncs = d->count > 0 ? d->syncs - d->sync[0] : 0;
    size_t first = 0, pick = 0;
    if (syncs > 0) FRNG_TRY(frng__disk_rare(f, "syncs that lied", syncs, &pick));
    if (pick > 0) frng_say(f, "%zu syncs lied", pick);
    while (first < d->count && d->sync[first] + pick < d->syncs) first++;
    if (d->count > first && (d->faults & FRNG_DISK_LOST) != 0) {
        FRNG_TRY(frng__disk_pick(f, "writes lost", d->count - first + 1, &pick));
        if (pick > 0)
            frng_say(f, "%zu of %zu unsynced writes are lost, from that of %zu bytes at %zu on",
                     pick, d->count - first, d->length[d->count - pick], d->at[d->count - pick]);
        frng__disk_undo(d, d->count - pick, 0, 0);
        d->count -= pick;
    }
    if (d->count > first && (d->faults & FRNG_DISK_TORN) != 0) {
        const size_t last = d->count - 1, at = d->at[last], size = d->length[last];
        const size_t end = (at + size - 1) / d->unit + 1, units = end - at / d->unit;
        if (units > 1) FRNG_TRY(frng__disk_pick(f, "units torn off", units, &pick));
        if (units > 1) frng__disk_undo(d, last, (end - pick) * d->unit, 0);
        if (d->length[last] < size)
            frng_say(f, "%zu of %zu bytes at %zu are torn off", size - d->length[last], size, at);
    }
    while (d->count > first && (d->faults & FRNG_DISK_REORDERED) != 0) {
        FRNG_TRY(frng__disk_rare(f, "late from write", d->count - first, &pick));
        if (pick == 0) break;
        const size_t block = d->at[first + pick - 1] / d->block;
        frng_say(f, "the block at %zu is late from unsynced write %zu on", block * d->block, pick);
        frng__disk_undo(d, first + pick - 1, 0, block + 1);
    }
    return true;
}

FRNG_DRAW bool frng_disk_recover(frng *f, frng_disk *d) {
    frng__world_step(f, "power returns");
    const bool ok = frng__disk_lose(f, d);
    d->count = d->used = d->until_off = 0, d->off = false;
    return ok;
}

FRNG_DRAW bool frng_disk_fault(frng *f, frng_disk *d) {
    size_t kinds[3], count = 0, kind, unit, pick;
    for (size_t k = FRNG_DISK_ROT; k <= FRNG_DISK_UNREADABLE; k *= 2)
        if ((d->faults & k) != 0) kinds[count++] = k;
    if (count == 0 || d->size < d->unit) return true;
    frng__world_step(f, "disk fault");
    FRNG_TRY(frng__disk_pick(f, "kind", count, &kind));
    FRNG_TRY(frng__disk_pick(f, "unit", d->size / d->unit, &unit));
    if (kinds[kind] == FRNG_DISK_ROT) {
        FRNG_TRY(frng__disk_pick(f, "bit", 8 * d->unit, &pick));
        d->bytes[unit * d->unit + pick / 8] ^= (uint8_t)(1 << pick % 8);
        frng_say(f, "bit %zu of the byte at %zu flips", pick % 8, unit * d->unit + pick / 8);
    } else if (kinds[kind] == FRNG_DISK_MISDIRECTED) {
        FRNG_TRY(frng__disk_pick(f, "in write", 8, &pick));
        d->until_away = pick + 1, d->away = unit * d->unit;
        frng_say(f, "write %zu from now on will go to %zu", pick + 1, d->away);
    } else {
        d->bad = unit + 1;
        frng_say(f, "the unit at %zu is unreadable", unit * d->unit);
    }
    return true;
}
FRNG__WRAPS_END
#endif
