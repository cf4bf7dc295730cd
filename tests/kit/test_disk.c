/* frng_disk.h: each fault on literal bytes; and all that a power failure can leave, beside a model
 * that shares nothing with it. */
#include "dying.h"
#include "every.h"
#include "frng_disk.h"

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})
#define OVER(...) frng_init(BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__))

enum { SIZE = 64, UNIT = 4, BLOCK = 8, UNDO = 512 };

static uint8_t bytes[SIZE], undo[UNDO];
static frng_disk disk;

static void begin(void) {
    frng_disk_init(&disk, bytes, sizeof bytes, undo, sizeof undo);
    disk.unit = UNIT;
    disk.block = BLOCK;
}
SUITE(.before_each = begin);

static bool put(size_t at, const char *text) {
    return frng_disk_write(&disk, at, text, strlen(text));
}

/* The disk from `at` on; dots for zeros. */
static const char *seen(size_t at, size_t size) {
    static char text[SIZE + 1];
    ck_assert(frng_disk_read(&disk, at, text, size));
    for (size_t i = 0; i < size; i++) text[i] = text[i] != 0 ? text[i] : '.';
    text[size] = 0;
    return text;
}

/* A failure of the power with this entropy; all of it is used. */
static void fail_with(const uint8_t *entropy, size_t size) {
    frng f = heard(entropy, size);
    disk.off = true;
    ck_assert(frng_disk_recover(&f, &disk));
    ck_assert_uint_eq(frng_used(&f), size);
    ck_assert(!disk.off);
}
/* A 1 is the smallest number of most draws: of 0 some reject the byte. */
#define FAIL(...) fail_with(BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__))
#define FAIL_WITHOUT_DRAWS() fail_with(BYTES(0), 0)

/* ---- Scripts of writes and syncs, and what a failure of the power leaves ---- */

/* "8:bb" writes bb at 8, S syncs, and !01c0 is a failure of the power with this entropy. */
static void obey(const char *script) {
    char words[200];
    strcpy(words, script);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        uint8_t entropy[8];
        size_t size = 0;
        unsigned byte, at;
        char text[16];
        if (word[0] == 'S') {
            ck_assert(frng_disk_sync(&disk));
        } else if (word[0] == '!') {
            while (sscanf(word + 1 + 2 * size, "%2x", &byte) == 1) entropy[size++] = (uint8_t)byte;
            fail_with(entropy, size);
        } else {
            ck_assert_int_eq(sscanf(word, "%u:%15s", &at, text), 2);
            ck_assert(put(at, text));
        }
    }
}

typedef struct story {
    const char *script, *seen, *said;
    size_t faults, undo_size, block; /* 0: all but lies; as ever */
} story;

#define LOST_2 "2 of 3 unsynced writes are lost, from that of 2 bytes at 1 on\n"

/* In entropy, 01 is the smallest number of most draws: some reject 0. The draws are: how
 * many writes are lost, how many units of the last one are torn off, which block is late, and the
 * next one. */
static const story stories[] = {
    {"6:abcd", "......abcd", ""},
    {"6:abcd 8:xy", "......abxy", ""},
    {"0:abcd 20:efgh S S !", "abcd................efgh", ""},
    {"0:abcdefgh 8:ijkl !0101", "abcdefghijkl", ""},
    /* 2 of 0..3 lost, none late; what was left is safe */
    {"0:aa S 0:bb 1:cc 32:dd !8001", "bb", LOST_2},
    {"0:aa S 0:bb 1:cc 32:dd !8001 !", "bb", ""},
    /* none lost, 1 of 0..2 units; one unit is whole or not there */
    {"2:abcdefgh !018001", "..abcdef", "2 of 8 bytes at 2 are torn off\n", .block = 32},
    {"2:abcdefgh !018001 2:ABCDEFGH !01ff01", "..ABcdef", "6 of 8 bytes at 2 are torn off\n",
     .block = 32},
    {"4:1234 !0101", "....1234", "", .block = 32},
    /* of the weights 4 1 1 1 1 the third, then none */
    {"0:aa 8:bb 0:cc 16:dd !01c001", "aa......bb......dd",
     "the block at 0 is late from unsynced write 3 on\n"},
    {"0:aa 6:bbb 0:cc !0180c001", "",
     "the block at 0 is late from unsynced write 1 on\n"
     "the block at 8 is late from unsynced write 3 on\n"},
    /* a sync of nothing is none that could lie; of the weights 2 1 1 the first, 2 of 2 lost */
    {"0:a S 1:b S S 2:c !80ff", "a",
     "1 syncs lied\n2 of 2 unsynced writes are lost, from that of 1 bytes at 1 on\n",
     FRNG_DISK_POWER | FRNG_DISK_LYING},
    {"0:a S 1:d S !01", "ad", "", FRNG_DISK_POWER | FRNG_DISK_LYING},
    /* faults that are switched off draw nothing */
    {"0:abcdefgh 8:i !", "abcdefghi", "", FRNG_DISK_MEDIA},
    {"0:abcdefgh 8:i S 0:ABCDEFGH !ff", "abcdefghi",
     "1 of 1 unsynced writes are lost, from that of 8 bytes at 0 on\n", FRNG_DISK_LOST},
    {"0:abcdefgh 8:i S 0:ABCDEFGH !ff", "ABCDefghi", "4 of 8 bytes at 0 are torn off\n",
     FRNG_DISK_TORN},
    {"0:ABCDefgh 8:i S 0:1234 !ff01", "ABCDefghi",
     "the block at 0 is late from unsynced write 1 on\n", FRNG_DISK_REORDERED},
    /* when undo is full everything reaches the disk */
    {"0:12345678 8:12345678 0:a !ff", "1234567812345678",
     "1 of 1 unsynced writes are lost, from that of 1 bytes at 0 on\n", .undo_size = 16},
};

TEST_EACH(a_script_leaves_its_disk, sizeof stories / sizeof *stories) {
    const story *t = &stories[_i];
    if (t->faults > 0) disk.faults = t->faults;
    if (t->undo_size > 0) disk.undo_size = t->undo_size;
    if (t->block > 0) disk.block = t->block;
    obey(t->script);
    const char *whole = seen(0, SIZE);
    const size_t size = strlen(t->seen);
    ck_assert_msg(strncmp(whole, t->seen, size) == 0, "%s leaves %s", t->script, whole);
    ck_assert_msg(strspn(whole + size, ".") == SIZE - size, "%s leaves %s", t->script, whole);
    ck_assert_str_eq(said, t->said);
}

TEST(nothing_works_while_the_power_is_off) {
    char byte = '?';
    ck_assert(frng_disk_write(&disk, SIZE, "", 0)); /* there is room for nothing */
    disk.off = true;
    ck_assert(!put(0, "a"));
    ck_assert(!frng_disk_sync(&disk));
    ck_assert(!frng_disk_read(&disk, 0, &byte, 1));
    ck_assert_int_eq(byte, '?');
    FAIL_WITHOUT_DRAWS();
    ck_assert_str_eq(seen(0, 1), ".");
}

TEST(no_more_than_128_writes_are_unsynced) {
    for (size_t i = 0; i < 130; i++) put(i % 2, i < 128 ? "a" : "b");
    FAIL(0xff);
    ck_assert_str_eq(said, "2 of 2 unsynced writes are lost, from that of 1 bytes at 0 on\n");
    ck_assert_str_eq(seen(0, 2), "aa");
    disk.faults |= FRNG_DISK_LYING;
    for (size_t i = 0; i < 128; i++) ck_assert(put(0, "c") && frng_disk_sync(&disk));
    FAIL(0xff, 0xff); /* weights of 256 in all take a byte */
    ck_assert_str_eq(said, "128 syncs lied\n"
                           "128 of 128 unsynced writes are lost, from that of 1 bytes at 0 on\n");
}

TEST(without_entropy_a_recovery_loses_no_more) {
    put(0, "a");
    put(8, "b");
    frng f = OVER(0x60); /* 1 of 0..2; whether one is late is not known */
    disk.off = true;
    ck_assert(!frng_disk_recover(&f, &disk));
    ck_assert(!disk.off);
    ck_assert_str_eq(seen(0, 1), "a");
    ck_assert_str_eq(seen(8, 1), ".");
}

TEST(a_plan_is_kept_in_the_write_it_names) {
    frng f = OVER(0, 0x60, 0xff);
    ck_assert(frng_disk_plan(&f, &disk, 3)); /* 0 of 0..3 */
    ck_assert(disk.off);
    FAIL_WITHOUT_DRAWS();
    ck_assert(frng_disk_plan(&f, &disk, 3)); /* 1 */
    ck_assert(!disk.off);
    ck_assert(frng_disk_sync(&disk)); /* no write */
    ck_assert(!put(0, "a"));
    ck_assert(disk.off);
    FAIL(1, 1); /* the write in which it failed may be there */
    ck_assert_str_eq(seen(0, 1), "a");
    ck_assert(frng_disk_plan(&f, &disk, 3)); /* 3 */
    ck_assert(put(0, "b"));
    ck_assert(put(0, "c"));
    ck_assert(frng_disk_sync(&disk));
    ck_assert(!put(0, "d"));
    FAIL(0xff); /* or not */
    ck_assert_str_eq(seen(0, 1), "c");
    for (size_t i = 0; i < 300; i++) ck_assert(put(0, "e")); /* it has failed once */
}

TEST(a_plan_ends_with_the_power) {
    frng f = OVER(0xff);
    ck_assert(frng_disk_plan(&f, &disk, 3));
    FAIL_WITHOUT_DRAWS();
    for (size_t i = 0; i < 300; i++) ck_assert(put(0, "a"));
}

/* ---- Media ---- */

static void inject(size_t faults, const uint8_t *entropy, size_t size) {
    frng f = heard(entropy, size);
    disk.faults = faults;
    ck_assert(frng_disk_fault(&f, &disk));
    ck_assert_uint_eq(frng_used(&f), size);
}

TEST(a_bit_rots) {
    put(4, "abcd");
    frng_disk_sync(&disk);
    inject(FRNG_DISK_ROT, BYTES(0, 0x10, 0x40), 3); /* unit 1 of 16, bit 8 of 32 */
    ck_assert_str_eq(said, "bit 0 of the byte at 5 flips\n");
    ck_assert_str_eq(seen(4, 4), "accd");
    inject(FRNG_DISK_ROT, BYTES(0, 0x10, 0x40), 3);
    ck_assert_str_eq(seen(4, 4), "abcd");
}

TEST(a_misdirected_write_goes_to_another_unit) {
    inject(FRNG_DISK_MISDIRECTED, BYTES(0, 0x20, 0x20), 3); /* unit 2 of 16, write 1 of 0..7 */
    ck_assert_str_eq(said, "write 2 from now on will go to 8\n");
    put(0, "abcd");
    put(5, "xy");
    put(0, "w");
    ck_assert_str_eq(seen(0, 12), "wbcd.....xy.");
    inject(FRNG_DISK_MISDIRECTED, BYTES(0, 0xff, 0), 3); /* the last unit has no room for it */
    put(1, "12345678");
    ck_assert_str_eq(seen(SIZE - 12, 12), ".12345678...");
    ck_assert_str_eq(seen(0, 4), "wbcd");
    inject(FRNG_DISK_MISDIRECTED, BYTES(0, 0xff, 0), 3); /* now it has */
    put(0, "ABCD");
    ck_assert_str_eq(seen(SIZE - 8, 8), "4567ABCD");
}

TEST(a_unit_is_unreadable_until_it_is_written_anew) {
    char byte[8];
    put(0, "abcdefghijkl");
    inject(FRNG_DISK_UNREADABLE, BYTES(0, 0x10), 2);
    ck_assert_str_eq(said, "the unit at 4 is unreadable\n");
    ck_assert(!frng_disk_read(&disk, 0, byte, 5) && !frng_disk_read(&disk, 7, byte, 1));
    ck_assert(!frng_disk_read(&disk, 0, bytes, SIZE) && !frng_disk_read(&disk, 4, bytes, 4));
    ck_assert_str_eq(seen(0, 4), "abcd");
    ck_assert_str_eq(seen(8, 4), "ijkl");
    put(4, "123"); /* not the whole unit */
    put(5, "123");
    ck_assert(!frng_disk_read(&disk, 4, byte, 1));
    put(3, "12345");
    ck_assert_str_eq(seen(0, 12), "abc12345ijkl");
}

TEST(the_kind_is_one_of_the_mask) {
    inject(FRNG_DISK_POWER, BYTES(0), 0);
    inject(FRNG_DISK_MEDIA, BYTES(1, 0, 0), 3);
    ck_assert_str_eq(said, "bit 0 of the byte at 0 flips\n");
    inject(FRNG_DISK_MEDIA, BYTES(0x60, 0, 0), 3);
    ck_assert_str_eq(said, "write 1 from now on will go to 0\n");
    inject(FRNG_DISK_MEDIA, BYTES(0xff, 0xff), 2);
    ck_assert_str_eq(said, "the unit at 60 is unreadable\n");
    inject(FRNG_DISK_ROT | FRNG_DISK_UNREADABLE, BYTES(0xff, 0x80), 2);
    ck_assert_str_eq(said, "the unit at 32 is unreadable\n");
    disk.faults = FRNG_DISK_MEDIA;
    frng f = OVER(0, 0);
    ck_assert(!frng_disk_fault(&f, &disk));
}

TEST(a_disk_without_a_whole_unit_has_no_faults) {
    frng f = OVER(0, 0, 0);
    frng_disk_init(&disk, bytes, UNIT - 1, undo, sizeof undo);
    disk.unit = UNIT;
    disk.faults = FRNG_DISK_MEDIA;
    ck_assert(frng_disk_fault(&f, &disk));
    ck_assert_uint_eq(frng_used(&f), 0);
}

/* ---- Bugs of the caller ---- */

static void make(const void *bug) {
    if (*(const char *)bug == 'w') put(SIZE - 1, "ab");
    if (*(const char *)bug == 'r') (void)frng_disk_read(&disk, SIZE_MAX, bytes, 2);
    disk.undo_size = 3;
    if (*(const char *)bug == 'u') put(0, "abcd");
}

TEST_EACH(accesses_beyond_the_disk_and_beyond_undo_fail, 3) {
    dying_message(make, &"wru"[_i], false, STDERR_FILENO);
}

/* ---- All that a power failure can leave: by every entropy, and by the model ---- */

enum { SCRIPT_MAX = 8, PIECES_MAX = 4, DISKS_MAX = 8192, WORLD = 32 };

typedef struct action {
    bool is_sync;
    size_t at, size;
    uint8_t fill;
} action;

typedef struct script {
    action actions[SCRIPT_MAX];
    size_t count;
    size_t faults, unit, block;
} script;

typedef struct disks {
    uint8_t images[DISKS_MAX][WORLD];
    size_t count;
} disks;

static bool disks_have(const disks *d, const uint8_t *image) {
    for (size_t i = 0; i < d->count; i++) {
        if (memcmp(d->images[i], image, WORLD) == 0) return true;
    }
    return false;
}

static void disks_add(disks *d, const uint8_t *image) {
    if (disks_have(d, image)) return;
    ck_assert_uint_lt(d->count, DISKS_MAX);
    memcpy(d->images[d->count++], image, WORLD);
}

/* The model: pieces are written again from the beginning, as far as they are there. */

typedef struct piece {
    size_t at, size, sync; /* how many syncs were before it */
    uint8_t fill;
} piece;

static size_t cut_into_pieces(const script *s, piece *pieces, size_t *syncs) {
    size_t count = 0;
    bool dirty = false;
    *syncs = 0;
    for (size_t i = 0; i < s->count; i++) {
        const action *a = &s->actions[i];
        if (a->is_sync) *syncs += dirty;
        dirty = !a->is_sync;
        for (size_t byte = a->at; !a->is_sync && byte < a->at + a->size; byte++) {
            if (byte == a->at || byte % s->block == 0) {
                pieces[count++] = (piece){byte, 0, *syncs, a->fill};
            }
            pieces[count - 1].size++;
        }
    }
    return count;
}

/* Add the disk for each set of late pieces: one that is there has all before it in its block. */
static void add_late(const script *s, const piece *pieces, size_t first, size_t count, size_t torn,
                     disks *found) {
    const size_t sets = (s->faults & FRNG_DISK_REORDERED) != 0 ? (size_t)1 << (count - first) : 1;
    for (size_t late = 0; late < sets; late++) {
        uint8_t image[WORLD] = {0};
        bool is_possible = true;
        for (size_t i = 0; i < count; i++) {
            const piece *p = &pieces[i];
            const bool is_late = i >= first && (late >> (i - first) & 1) != 0;
            for (size_t k = first; k < i && !is_late; k++) {
                if (p->at / s->block == pieces[k].at / s->block && (late >> (k - first) & 1) != 0) {
                    is_possible = false;
                }
            }
            const size_t lacks = i + 1 == count ? torn : 0;
            for (size_t byte = p->at; byte < p->at + p->size && !is_late; byte++) {
                const size_t units_behind = (p->at + p->size - 1) / s->unit - byte / s->unit;
                if (units_behind >= lacks) image[byte] = p->fill;
            }
        }
        if (is_possible) disks_add(found, image);
    }
}

static void add_model(const script *s, disks *found) {
    piece pieces[SCRIPT_MAX * 4];
    size_t syncs;
    const size_t count = cut_into_pieces(s, pieces, &syncs);
    const size_t lies_max = (s->faults & FRNG_DISK_LYING) != 0 ? syncs : 0;
    for (size_t lies = 0; lies <= lies_max; lies++) {
        size_t first = 0;
        while (first < count && pieces[first].sync < syncs - lies) first++;
        const size_t lost_max = (s->faults & FRNG_DISK_LOST) != 0 ? count - first : 0;
        for (size_t lost = 0; lost <= lost_max; lost++) {
            const size_t kept = count - lost;
            size_t units = 1;
            if (kept > first && (s->faults & FRNG_DISK_TORN) != 0) {
                const piece *last = &pieces[kept - 1];
                units = (last->at + last->size - 1) / s->unit - last->at / s->unit + 1;
            }
            for (size_t torn = 0; torn < units; torn++) {
                add_late(s, pieces, first, kept, torn, found);
            }
        }
    }
}

static void play(const script *s) {
    frng_disk_init(&disk, bytes, WORLD, undo, sizeof undo);
    disk.unit = s->unit;
    disk.block = s->block;
    disk.faults = s->faults;
    for (size_t i = 0; i < s->count; i++) {
        const action *a = &s->actions[i];
        uint8_t fill[WORLD];
        memset(fill, a->fill, sizeof fill);
        ck_assert(a->is_sync ? frng_disk_sync(&disk)
                             : frng_disk_write(&disk, a->at, fill, a->size));
    }
}

/* Add what each entropy leaves of the script, after `happens`. */
static void add_reached(const script *s, bool (*happens)(frng *, frng_disk *), disks *found) {
    do {
        frng f = every_entropy(PIECES_MAX + 1); /* no set of late pieces takes more */
        play(s);
        disk.off = happens == frng_disk_recover;
        ck_assert(happens(&f, &disk));
        disks_add(found, bytes);
    } while (next_entropy());
}

TEST(each_bit_of_the_disk_can_rot_and_nothing_else_does) {
    static disks found;
    const script s = {.unit = 4, .block = 8, .faults = FRNG_DISK_ROT};
    add_reached(&s, frng_disk_fault, &found);
    ck_assert_uint_eq(found.count, 8 * WORLD);
    for (size_t i = 0; i < found.count; i++) {
        size_t bits = 0;
        for (size_t k = 0; k < 8 * WORLD; k++) bits += found.images[i][k / 8] >> k % 8 & 1;
        ck_assert_uint_eq(bits, 1);
    }
}

static uint64_t noise_state = 1;

static size_t noise(size_t below) {
    noise_state = noise_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(noise_state >> 33) % below;
}

static script any_script(size_t number) {
    script s = {.unit = (size_t)1 << noise(3), .faults = number % 16};
    s.block = s.unit << noise(3);
    const size_t length = 1 + noise(SCRIPT_MAX);
    for (size_t pieces = 0; s.count < length;) {
        action a = {noise(4) == 0, noise(WORLD / 2), 1 + noise(10), (uint8_t)(1 + s.count)};
        const size_t more = (a.at + a.size - 1) / s.block - a.at / s.block + 1;
        if (!a.is_sync && pieces + more > PIECES_MAX) break;
        if (!a.is_sync) pieces += more;
        s.actions[s.count++] = a;
    }
    return s;
}

enum { ROUNDS = 32, SCRIPTS_PER_ROUND = 32 };

TEST_EACH(a_power_failure_leaves_what_the_model_says_and_nothing_else, ROUNDS) {
    static disks reached, expected;
    size_t most = 0;
    noise_state = (uint64_t)_i;
    for (size_t i = 0; i < SCRIPTS_PER_ROUND; i++) {
        const script s = any_script(i);
        reached.count = expected.count = 0;
        add_reached(&s, frng_disk_recover, &reached);
        add_model(&s, &expected);
        for (size_t k = 0; k < reached.count; k++) {
            ck_assert_msg(disks_have(&expected, reached.images[k]),
                          "faults %zu: a disk that the model does not know", s.faults);
        }
        ck_assert_uint_eq(reached.count, expected.count);
        if (reached.count > most) most = reached.count;
    }
    ck_assert_uint_gt(most, 4); /* or nothing was tested */
}
