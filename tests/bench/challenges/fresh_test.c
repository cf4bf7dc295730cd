/* fresh_test.c: more of the kinds of fresh.c. SPDX-License-Identifier: MIT */
#include "challenge.h"

/* rollback: a union-find with snapshots. A snapshot notes how many unions there were, with those of
 * what was joined before; going back undoes so many. Fails when two are joined or not as in a copy.
 *
 * Smallest: a union of what is joined is undone in place of the one before.
 *
 *     rollback            unite 0 1, snapshot, unite 0 0, back, ask 0 1  010020a5010000dc5c0020
 */
enum { ELEMENTS = 8, SNAPSHOTS_MAX = 8 };

typedef struct forest {
    size_t parents[ELEMENTS], sizes[ELEMENTS], log[ELEMENTS];
    size_t log_count, unions, snapshots[SNAPSHOTS_MAX];
    size_t copies[SNAPSHOTS_MAX + 1][ELEMENTS]; /* of names of sets; the last one is the latest */
    size_t depth;
} forest;

static size_t find_root(const forest *s, size_t at) {
    while (s->parents[at] != at) at = s->parents[at];
    return at;
}

static void unite(forest *s, size_t a, size_t b) {
    size_t *names = s->copies[s->depth];
    const size_t old = names[b], name = names[a];
    for (size_t i = 0; i < ELEMENTS; i++)
        if (names[i] == old) names[i] = name;
    a = find_root(s, a);
    b = find_root(s, b);
    s->unions++;
    if (a == b) return;
    if (s->sizes[a] < s->sizes[b]) {
        s->parents[a] = b;
        s->sizes[b] += s->sizes[a];
        s->log[s->log_count++] = a;
    } else {
        s->parents[b] = a;
        s->sizes[a] += s->sizes[b];
        s->log[s->log_count++] = b;
    }
}

static void roll_back(forest *s) {
    for (; s->unions > s->snapshots[s->depth - 1]; s->unions--) {
        if (s->log_count == 0) continue;
        const size_t at = s->log[--s->log_count];
        s->sizes[s->parents[at]] -= s->sizes[at];
        s->parents[at] = at;
    }
    s->depth--;
}

static bool rollback(frng *f) {
    enum { UNITE, ASK, SNAPSHOT, BACK };
    static const uint32_t weights[] = {[UNITE] = 5, [ASK] = 4, [SNAPSHOT] = 3, [BACK] = 2};
    forest s = {.depth = 0};
    size_t a, b;
    for (size_t i = 0; i < ELEMENTS; i++) {
        s.sizes[i] = 1;
        s.parents[i] = s.copies[0][i] = i;
    }
    for (;;) {
        DRAW(size_t, what, frng_pick_weighted, f, weights, 4);
        if (what <= ASK) {
            FRNG_TRY(frng_pick(f, ELEMENTS, &a) && frng_pick(f, ELEMENTS, &b));
            const bool joined = s.copies[s.depth][a] == s.copies[s.depth][b];
            if (what == UNITE)
                unite(&s, a, b);
            else
                FRNG_ASSERT((find_root(&s, a) == find_root(&s, b)) == joined, "%u, %u", (unsigned)a,
                            (unsigned)b);
        } else if (what == BACK && s.depth > 0) {
            roll_back(&s);
        } else if (what == SNAPSHOT && s.depth < SNAPSHOTS_MAX) {
            s.snapshots[s.depth++] = s.unions;
            memcpy(s.copies[s.depth], s.copies[s.depth - 1], sizeof s.copies[0]);
        }
    }
}

/* alarms: a binary heap of times, each of which knows its place, so that it can be made earlier.
 * The last one is put at the place of one that is due, but is not told. Fails when another one than
 * the earliest is due.
 *
 * Smallest: the second timer moves to the front, where it is made earlier than another one, but
 * not in the heap.
 *
 *     alarms              add 0, add 1, pop, add 1, hasten 1 to 0, pop  01010118ab0118568000ab
 */
enum { TIMERS_MAX = 16, TIME_MAX = 1000 };

typedef struct timers {
    size_t heap[TIMERS_MAX + 1], places[TIMERS_MAX], count; /* timers by place, and back */
    uint16_t keys[TIMERS_MAX + 1], times[TIMERS_MAX];       /* by place, and by timer */
    bool runs[TIMERS_MAX];
} timers;

static void exchange(timers *t, size_t a, size_t b) {
    const size_t timer = t->heap[a];
    const uint16_t key = t->keys[a];
    t->heap[a] = t->heap[b];
    t->keys[a] = t->keys[b];
    t->heap[b] = timer;
    t->keys[b] = key;
    t->places[t->heap[a]] = a;
    t->places[t->heap[b]] = b;
}

static void rise(timers *t, size_t at) {
    for (; at > 0 && t->keys[at] < t->keys[(at - 1) / 2]; at = (at - 1) / 2)
        exchange(t, at, (at - 1) / 2);
}

static size_t pop_timer(timers *t) {
    const size_t first = t->heap[0];
    t->heap[0] = t->heap[--t->count];
    t->keys[0] = t->keys[t->count];
    for (size_t at = 0;;) {
        size_t child = 2 * at + 1;
        if (child >= t->count) break;
        if (child + 1 < t->count && t->keys[child + 1] < t->keys[child]) child++;
        if (t->keys[at] <= t->keys[child]) break;
        exchange(t, at, child);
        at = child;
    }
    t->runs[first] = false;
    return first;
}

static bool add_timer(frng *f, timers *t) {
    size_t timer = 0;
    DRAW(uint16_t, time, frng_u16_mixed, f, 0, TIME_MAX);
    while (t->runs[timer]) timer++;
    t->runs[timer] = true;
    t->heap[t->count] = timer;
    t->places[timer] = t->count;
    t->times[timer] = t->keys[t->count] = time;
    rise(t, t->count++);
    return true;
}

static bool hasten_timer(frng *f, timers *t) {
    size_t timer = 0;
    DRAW(size_t, at, frng_pick, f, t->count);
    for (; !t->runs[timer] || at > 0; timer++) at -= t->runs[timer];
    DRAW(uint16_t, time, frng_u16_mixed, f, 0, t->times[timer]);
    t->times[timer] = time;
    const size_t place = t->places[timer];
    if (place >= t->count) return true;
    t->keys[place] = time;
    rise(t, place);
    return true;
}

static bool run_timers(frng *f) {
    timers t = {.count = 0};
    for (;;) {
        DRAW(uint8_t, what, frng_u8_max, f, 2);
        if (what == 0 && t.count < TIMERS_MAX) FRNG_TRY(add_timer(f, &t));
        if (what == 0 || t.count == 0) continue;
        if (what == 1) {
            FRNG_TRY(hasten_timer(f, &t));
            continue;
        }
        const size_t due = pop_timer(&t);
        for (size_t i = 0; i < TIMERS_MAX; i++)
            FRNG_ASSERT(!t.runs[i] || t.times[i] >= t.times[due], "%u is due before %u",
                        (unsigned)due, (unsigned)i);
    }
}

/* spaces: the spaces between the parts of a text like JSON are left out. A quotation mark behind a
 * backslash is no end of a string, though the backslash itself is escaped. Fails when the rest is
 * not as it was written without spaces.
 *
 * Smallest: a key that ends in a backslash, and the space behind its colon.
 *
 *     spaces              {"\\": null}  c034cb010001
 */
enum { NEST_MAX = 3, JSON_MAX = 1024 };

typedef struct writer {
    char spaced[JSON_MAX], plain[JSON_MAX];
} writer;

static void write_json(writer *w, const char *plain, const char *spaced) {
    if (strlen(w->spaced) + 32 > JSON_MAX) return;
    strcat(w->plain, plain);
    strcat(w->spaced, spaced);
}

static bool write_string(frng *f, writer *w) {
    char text[9], escaped[20] = "\"";
    FRNG_TRY(frng_string(f, "a\" \\", 0, 8, text));
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') strcat(escaped, "\\");
        strncat(escaped, c, 1);
    }
    strcat(escaped, "\"");
    write_json(w, escaped, escaped);
    return true;
}

static bool write_value(frng *f, writer *w, size_t depth) {
    enum { NOTHING, STRING, LIST, OBJECT };
    DRAW(uint8_t, what, frng_u8_max, f, depth < NEST_MAX ? OBJECT : STRING);
    if (what == NOTHING) write_json(w, "null", "null");
    if (what == STRING) FRNG_TRY(write_string(f, w));
    if (what <= STRING) return true;
    write_json(w, what == LIST ? "[" : "{", what == LIST ? "[" : "{");
    for (size_t n = 0;; n++) {
        DRAW(bool, more, frng_more, f, n, 0, 6);
        if (!more) break;
        if (n > 0) write_json(w, ",", ", ");
        if (what == OBJECT) {
            FRNG_TRY(write_string(f, w));
            write_json(w, ":", ": ");
        }
        FRNG_TRY(write_value(f, w, depth + 1));
    }
    write_json(w, what == LIST ? "]" : "}", what == LIST ? "]" : "}");
    return true;
}

static bool spaces(frng *f) {
    writer w = {.plain = ""};
    bool is_string = false;
    size_t length = 0;
    FRNG_TRY(write_value(f, &w, 0));
    for (const char *c = w.spaced; *c != '\0'; c++) {
        if (*c == '"' && !(is_string && c[-1] == '\\')) is_string = !is_string;
        if (*c != ' ' || is_string) w.spaced[length++] = *c;
    }
    w.spaced[length] = '\0';
    FRNG_ASSERT(strcmp(w.spaced, w.plain) == 0, "%s", w.spaced);
    return true;
}

/* packing: a text is packed: four or more bytes that came up to 12 before become a reference. What
 * is copied while it is unpacked may end in what is just written, which is right for distance 1
 * alone. Fails when a text is another one then.
 *
 * Smallest: a copy of the last two letters, twice as long.
 *
 *     packing             "ababab"  1610401040104001
 */
enum { PACKED_MAX = 40, DISTANCE_MAX = 12, COPY_MIN = 4 };

static size_t find_copy(const char *text, size_t length, size_t at, size_t *distance) {
    size_t longest = 0;
    for (size_t d = 1; d <= DISTANCE_MAX && d <= at; d++) {
        size_t same = 0;
        while (at + same < length && text[at + same] == text[at + same - d]) same++;
        if (same <= longest) continue;
        longest = same;
        *distance = d;
    }
    return longest;
}

static void unpack(char *text, size_t at, size_t distance, size_t count) {
    if (distance == 1)
        memset(text + at, text[at - 1], count);
    else
        memmove(text + at, text + at - distance, count);
}

static bool packing(frng *f) {
    for (size_t n = 0;; n++) {
        char text[PACKED_MAX + 1], unpacked[PACKED_MAX + 1] = "";
        size_t count, distance = 0;
        DRAW(bool, more, frng_more, f, n, 0, 20);
        if (!more) return true;
        FRNG_TRY(frng_string(f, "abcde", 0, PACKED_MAX, text));
        const size_t length = strlen(text);
        for (size_t at = 0; at < length; at += count) {
            count = find_copy(text, length, at, &distance);
            if (count >= COPY_MIN) {
                unpack(unpacked, at, distance, count);
            } else {
                count = 1;
                unpacked[at] = text[at];
            }
        }
        FRNG_ASSERT(memcmp(text, unpacked, length) == 0, "%s", text);
    }
}

/* cart: some things, and which of four discounts a customer has. Orders from 50 on are sent for
 * nothing, but after the discounts. Fails when a discount makes an order cost more.
 *
 * Smallest: as much as two prices and six things allow.
 *
 *     cart                668 x 3, 999 x 3, the first discount  20edaaabbfffab01
 */
enum { SHIPPING = 599, IS_SENT_FREE = 5000 };

static unsigned cost_with(unsigned sum, unsigned dearest, uint64_t discounts) {
    unsigned cost = sum;
    if ((discounts & 1) != 0) cost -= dearest / 4;
    if ((discounts & 2) != 0) cost -= cost / 20;
    if ((discounts & 4) != 0 && sum >= 4000) cost -= 200;
    if ((discounts & 8) != 0) cost -= cost / 5;
    return cost < IS_SENT_FREE ? cost + SHIPPING : cost;
}

static bool cart(frng *f) {
    uint8_t quantity;
    uint16_t price;
    unsigned sum = 0, dearest = 0;
    DRAW(uint8_t, count, frng_u8_range, f, 1, 8);
    for (size_t i = 0; i < count; i++) {
        FRNG_TRY(frng_u16_range(f, 1, 999, &price) && frng_u8_range(f, 1, 3, &quantity));
        sum += (unsigned)price * quantity;
        if (price > dearest) dearest = price;
    }
    DRAW(uint64_t, discounts, frng_subset, f, 4);
    const unsigned cost = cost_with(sum, dearest, discounts), full = cost_with(sum, 0, 0);
    FRNG_ASSERT(cost <= full, "%u instead of %u", cost, full);
    return true;
}

/* window: the largest of the last 3 to 6 doubles, from a queue of those that can become it. Of
 * equal ones the queue keeps one, and drops it with the first. Fails when it has another one first.
 *
 * Smallest: when the first 1 leaves, the other one is no longer the largest.
 *
 *     window              3: 1 0 1 0  000001000000010000
 */
enum { WINDOW_MAX = 6 };

static bool window(frng *f) {
    double last[WINDOW_MAX], queue[WINDOW_MAX + 1]; /* those of the window, and the queue */
    size_t count = 0, queued = 0;
    DRAW(uint8_t, width, frng_u8_range, f, 3, WINDOW_MAX);
    for (;;) {
        double value, largest;
        DRAW(bool, again, frng_bool, f);
        if (again && count > 0) {
            DRAW(size_t, at, frng_pick, f, count);
            value = last[at];
        } else {
            FRNG_TRY(frng_f64_any(f, &value));
        }
        if (value != value) continue;
        if (count == width) {
            if (queue[0] == last[0]) memmove(queue, queue + 1, --queued * sizeof *queue);
            memmove(last, last + 1, --count * sizeof *last);
        }
        while (queued > 0 && queue[queued - 1] <= value) queued--;
        queue[queued++] = last[count++] = value;
        largest = last[0];
        for (size_t i = 1; i < count; i++)
            if (last[i] > largest) largest = last[i];
        FRNG_ASSERT(queue[0] == largest, "%g instead of %g", queue[0], largest);
    }
}

/* wrapping: words are put into lines of 6 to 12 letters, and those that are longer are cut. The
 * rest of one that was cut counts as a letter less. Fails when a line is too long.
 *
 * Smallest: the rest of a word is of two letters, and four more fit beside one.
 *
 *     wrapping            width 6: "aaaaaaaa", "aaaa"  0110171717171717171701101717171701
 */
enum { WORD_MAX = 20, LINE_MAX = 12 };

static bool wrapping(frng *f) {
    char word[WORD_MAX + 1], line[2 * LINE_MAX + 2] = "";
    DRAW(uint8_t, width, frng_u8_range, f, 6, LINE_MAX);
    size_t column = 0; /* as it is counted */
    for (size_t n = 0;; n++) {
        DRAW(bool, more, frng_more, f, n, 0, 60);
        if (!more) return true;
        FRNG_TRY(frng_string(f, FRNG_LOWER, 1, WORD_MAX, word));
        size_t length = strlen(word);
        if (column > 0 && column + 1 + length <= width) {
            strcat(line, " ");
            column++;
        } else {
            line[0] = '\0';
            column = 0;
        }
        const char *rest = word;
        for (; length > width; length -= width) rest += width;
        strcat(line, rest);
        column += length - (rest > word ? 1 : 0);
        FRNG_ASSERT(strlen(line) <= width, "%s", line);
    }
}

/* files: names, of which several can be of one file, and handles. A file is freed when it has no
 * name and no handle, but at once when its last name is taken for another one. Fails when a handle
 * reads a file that was freed.
 *
 * Smallest: the name of a file that is open is taken for another one.
 *
 *     files               create 0, create 1, open 0, rename 1 0, read 0
 *         000000000000004a004a406f00dc40000100
 */
enum { NAMES = 4, FILES_MAX = 8, HANDLES_MAX = 6 };

typedef struct disk {
    unsigned names[NAMES], handles[HANDLES_MAX]; /* files, from 1 on */
    unsigned links[FILES_MAX + 1], opens[FILES_MAX + 1];
    bool is_used[FILES_MAX + 1];
    size_t handle_count;
} disk;

static void free_unused(disk *d, unsigned file) {
    if (d->links[file] == 0 && d->opens[file] == 0) d->is_used[file] = false;
}

static void remove_name(disk *d, size_t name) {
    const unsigned file = d->names[name];
    d->names[name] = 0;
    if (file == 0) return;
    d->links[file]--;
    free_unused(d, file);
}

static void rename_file(disk *d, size_t from, size_t to) {
    const unsigned old = d->names[to];
    if (from == to || d->names[from] == 0) return;
    d->names[to] = d->names[from];
    d->names[from] = 0;
    if (old > 0 && --d->links[old] == 0) d->is_used[old] = false;
}

static void make_name(disk *d, size_t name, unsigned file) {
    if (d->names[name] > 0) return;
    if (file == 0) {
        for (file = 1; file <= FILES_MAX && d->is_used[file];) file++;
        if (file > FILES_MAX) return;
        d->is_used[file] = true;
    }
    d->names[name] = file;
    d->links[file]++;
}

static bool use_handle(frng *f, disk *d, bool closes) {
    if (d->handle_count == 0) return true;
    DRAW(size_t, at, frng_pick, f, d->handle_count);
    const unsigned file = d->handles[at];
    if (closes) {
        d->handles[at] = d->handles[--d->handle_count];
        d->opens[file]--;
        free_unused(d, file);
    } else {
        FRNG_ASSERT(d->is_used[file], "file %u", file);
    }
    return true;
}

static bool use_files(frng *f) {
    enum { READ, CLOSE, CREATE, OPEN, REMOVE, LINK, RENAME, ALL };
    disk d = {.handle_count = 0};
    uint32_t weights[ALL];
    FRNG_TRY(frng_swarm(f, weights, ALL));
    for (;;) {
        DRAW(size_t, what, frng_pick_weighted, f, weights, ALL);
        if (what <= CLOSE) {
            FRNG_TRY(use_handle(f, &d, what == CLOSE));
            continue;
        }
        DRAW(size_t, name, frng_pick, f, NAMES);
        const unsigned file = d.names[name];
        if (what == CREATE) make_name(&d, name, 0);
        if (what == REMOVE) remove_name(&d, name);
        if (what == OPEN && file > 0 && d.handle_count < HANDLES_MAX) {
            d.handles[d.handle_count++] = file;
            d.opens[file]++;
        }
        if (what < LINK) continue;
        DRAW(size_t, to, frng_pick, f, NAMES);
        if (what == RENAME)
            rename_file(&d, name, to);
        else if (file > 0)
            make_name(&d, to, file);
    }
}

/* calendar: events that come back every so many months, on the last day of a month that is too
 * short. The next one is counted from the one before, not from the first. Fails when two events
 * are on the same day of a year, but are not counted so, or the other way around.
 *
 * Smallest: an event on a 28th, and one on a 29th that comes to the end of February and goes on to
 * that month. Those before March 29 do not in five times.
 *
 *     calendar            2000-01-28; 2000-03-29, 11 months, 2 times  100a7c000001011044940100d656
 */
enum { EVENTS_MAX = 40 };

typedef struct day {
    int year, month, day;
} day;

static day add_months(day d, int months) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    d.month += months - 1;
    d.year += d.month / 12;
    d.month %= 12;
    const bool leaps = d.year % 4 == 0 && (d.year % 100 != 0 || d.year % 400 == 0);
    const int last = days[d.month] + (leaps && d.month == 1 ? 1 : 0);
    d.month++;
    if (d.day > last) d.day = last;
    return d;
}

static bool are_same(day a, day b) { return a.month == b.month && a.day == b.day; }

static bool calendar(frng *f) {
    day due[EVENTS_MAX], counted[EVENTS_MAX];
    for (size_t n = 0;; n++) {
        uint8_t months, times;
        day first;
        DRAW(bool, more, frng_more, f, n, 0, EVENTS_MAX);
        if (!more) return true;
        FRNG_TRY(frng_date(f, &first.year, &first.month, &first.day));
        FRNG_TRY(frng_u8_range(f, 1, 12, &months) && frng_u8_max(f, 5, &times));
        due[n] = add_months(first, months * times);
        counted[n] = first;
        for (int i = 0; i < times; i++) counted[n] = add_months(counted[n], months);
        for (size_t i = 0; i < n; i++) {
            const bool clash = are_same(due[i], due[n]);
            FRNG_ASSERT(are_same(counted[i], counted[n]) == clash, "%d-%d", due[n].month,
                        due[n].day);
        }
    }
}

/* crosses: games of noughts and crosses, in the order of a permutation. The second diagonal is
 * looked at when one of its corners was taken last, but not its middle. Fails when a game is won,
 * and it goes on.
 *
 * Smallest: two corners, and then the middle. The draw is always of nine places.
 *
 *     crosses             0 1 2 3 5 7 6 8 4  0100010134805680
 */
static bool has_row(const char *board, size_t a, size_t step) {
    return board[a] != 0 && board[a] == board[a + step] && board[a] == board[a + 2 * step];
}

static bool is_won(const char *board, size_t last) {
    return has_row(board, last / 3 * 3, 1) || has_row(board, last % 3, 3) ||
           (last % 4 == 0 && has_row(board, 0, 4)) ||
           ((last == 2 || last == 6) && has_row(board, 2, 2));
}

static bool is_over(const char *board) {
    bool won = has_row(board, 0, 4) || has_row(board, 2, 2);
    for (size_t i = 0; i < 3; i++) won |= has_row(board, 3 * i, 1) || has_row(board, i, 3);
    return won;
}

static bool crosses(frng *f) {
    for (;;) {
        char board[9] = {0};
        size_t order[9];
        bool won = false;
        FRNG_TRY(frng_permutation(f, 9, order));
        for (size_t n = 0; n < 9 && !won; n++) {
            board[order[n]] = n % 2 == 0 ? 'X' : 'O';
            won = is_won(board, order[n]);
            FRNG_ASSERT(won == is_over(board), "after %u moves", (unsigned)n + 1);
        }
    }
}

const challenge fresh_test[] = {
    {"rollback", rollback, AS_IS}, {"alarms", run_timers, AS_IS}, {"spaces", spaces, AS_IS},
    {"packing", packing, AS_IS},   {"cart", cart, AS_IS},         {"window", window, AS_IS},
    {"wrapping", wrapping, AS_IS}, {"files", use_files, AS_IS},   {"calendar", calendar, AS_IS},
    {"crosses", crosses, AS_IS},   {NULL, NULL, AS_IS},
};
