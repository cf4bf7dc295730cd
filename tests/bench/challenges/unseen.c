/* unseen.c: whole little tests as users write them, by an author who did not know how frng-reduce
 * works. Nothing may be tuned to these. SPDX-License-Identifier: MIT */
#include "challenge.h"

/* diff: the hunks that turn one text into another, whose lines are letters. They are applied one
 * after another, each as far behind as those before it have lengthened the text. Fails when this
 * does not give the other text.
 *
 * Smallest: a line is deleted before one that stays, so that what is added after it comes a line
 * too late.
 *
 *     diff                ab to ba  206b016b2001
 */
enum { LINES_MAX = 12 };

typedef struct hunk {
    size_t at, removed, added; /* `at` is a line of the old text */
    char lines[LINES_MAX];
} hunk;

static size_t find_hunks(const char *old, const char *new, hunk *hunks) {
    size_t common[LINES_MAX + 1][LINES_MAX + 1] = {{0}}; /* of the two rests */
    const size_t rows = strlen(old), columns = strlen(new);
    for (size_t i = rows; i-- > 0;)
        for (size_t k = columns; k-- > 0;)
            common[i][k] = old[i] == new[k]                       ? common[i + 1][k + 1] + 1
                           : common[i + 1][k] >= common[i][k + 1] ? common[i + 1][k]
                                                                  : common[i][k + 1];
    size_t count = 0, i = 0, k = 0;
    bool within = false;
    while (i < rows || k < columns) {
        if (i < rows && k < columns && old[i] == new[k]) {
            i++, k++;
            within = false;
            continue;
        }
        if (!within) hunks[count++] = (hunk){.at = i};
        within = true;
        hunk *h = &hunks[count - 1];
        if (k == columns || (i < rows && common[i + 1][k] >= common[i][k + 1])) {
            h->removed++, i++;
        } else {
            h->lines[h->added++] = new[k++];
        }
    }
    return count;
}

/* False if there is no such line. */
static bool apply_hunk(const hunk *h, size_t offset, char *text) {
    const size_t at = h->at + offset, length = strlen(text);
    if (at + h->removed > length) return false;
    memmove(text + at + h->added, text + at + h->removed, length + 1 - at - h->removed);
    memcpy(text + at, h->lines, h->added);
    return true;
}

static bool diff(frng *f) {
    char old[LINES_MAX + 1], new[LINES_MAX + 1], text[3 * LINES_MAX];
    hunk hunks[LINES_MAX + 1];
    FRNG_TRY(frng_string(f, "abc", 0, LINES_MAX, old));
    FRNG_TRY(frng_string(f, "abc", 0, LINES_MAX, new));
    const size_t count = find_hunks(old, new, hunks);
    size_t offset = 0;
    bool applied = true;
    strcpy(text, old);
    for (size_t i = 0; i < count && applied; i++) {
        applied = apply_hunk(&hunks[i], offset, text);
        if (hunks[i].added > hunks[i].removed) offset += hunks[i].added - hunks[i].removed;
    }
    FRNG_ASSERT(applied && strcmp(text, new) == 0, "%s to %s: %s", old, new, text);
    return true;
}

/* leave: days off of four people in two years, of which weekends do not count. Each has 30 in a
 * year. What is cancelled is given back to the year in which it would have begun. Fails when the
 * days left of a person are not those of the calendar.
 *
 * Smallest: the longest request that ends on 2025-01-01, a Wednesday, is cancelled: no other begins
 * as early and is in both years.
 *
 *     leave               ask 0 2024-12-12 21 days, cancel 0  10000092c62b79f410c000
 */
enum { PEOPLE = 4, FIRST_YEAR = 2024, DAYS_OF_BOTH = 731, ALLOWANCE = 30, REQUESTS_MAX = 32 };

typedef struct request {
    size_t who, first, days;
    bool cancelled;
} request;

typedef struct office {
    request requests[REQUESTS_MAX];
    size_t count;
    int left[PEOPLE][2]; /* by year */
} office;

static size_t year_of(size_t day) { return day >= 366 ? 1 : 0; }
static bool is_weekend(size_t day) { return day % 7 >= 5; } /* 2024-01-01 was a Monday */

/* Count the working days of a request in a year. */
static int count_days(const request *r, size_t year) {
    int days = 0;
    for (size_t day = r->first; day < r->first + r->days; day++)
        days += year_of(day) == year && !is_weekend(day);
    return days;
}

static bool is_possible(const office *o, const request *r) {
    if (r->first + r->days > DAYS_OF_BOTH) return false;
    for (size_t i = 0; i < o->count; i++) {
        const request *other = &o->requests[i];
        if (other->who == r->who && !other->cancelled && other->first < r->first + r->days &&
            r->first < other->first + other->days)
            return false;
    }
    return count_days(r, 0) <= o->left[r->who][0] && count_days(r, 1) <= o->left[r->who][1];
}

static bool ask_for_leave(frng *f, office *o) {
    request r = {.cancelled = false};
    int year, month;
    FRNG_TRY(frng_pick(f, PEOPLE, &r.who));
    DRAW(int, day, frng_date_range, f, frng_day(2024, 1, 1), frng_day(2025, 12, 31), &year, &month);
    DRAW(uint8_t, days, frng_u8_range, f, 1, 21);
    r.first = (size_t)(frng_day(year, month, day) - frng_day(FIRST_YEAR, 1, 1));
    r.days = days;
    if (o->count == REQUESTS_MAX || !is_possible(o, &r)) return true;
    for (size_t y = 0; y < 2; y++) o->left[r.who][y] -= count_days(&r, y);
    o->requests[o->count++] = r;
    return true;
}

static bool cancel_leave(frng *f, office *o) {
    if (o->count == 0) return true;
    DRAW(size_t, which, frng_pick, f, o->count);
    request *r = &o->requests[which];
    if (r->cancelled) return true;
    r->cancelled = true;
    o->left[r->who][year_of(r->first)] += count_days(r, 0) + count_days(r, 1);
    return true;
}

static bool leave(frng *f) {
    static const uint32_t weights[] = {3, 1};
    office o = {.count = 0};
    for (size_t i = 0; i < PEOPLE; i++) o.left[i][0] = o.left[i][1] = ALLOWANCE;
    frng_list(f, 0, 40, step) {
        DRAW(size_t, what, frng_pick_weighted, f, weights, 2);
        FRNG_TRY(what == 0 ? ask_for_leave(f, &o) : cancel_leave(f, &o));
        for (size_t i = 0; i < PEOPLE * 2; i++) {
            int left = ALLOWANCE;
            for (size_t k = 0; k < o.count; k++)
                if (o.requests[k].who == i / 2 && !o.requests[k].cancelled)
                    left -= count_days(&o.requests[k], i % 2);
            FRNG_ASSERT(o.left[i / 2][i % 2] == left, "%d, not %d", o.left[i / 2][i % 2], left);
        }
    }
    return true;
}

/* tariff: a rate card for parcels: prices by zone and by bracket of weight, and above the last
 * bracket for each kilo begun. Parcels to one zone are billed as one. The bracket is looked up for
 * the last of them. Fails when a bill is not that of the sum.
 *
 * Smallest: two parcels that are within the bracket each, but not together.
 *
 *     tariff              1 zone, 1 bracket, to 1 for 100, then 1; 0: 1, 0: 1
 *         0100010100021b000100000100
 */
enum { ZONES_MAX = 3, BRACKETS_MAX = 4 };

typedef struct rate_card {
    uint8_t zones, brackets;
    uint32_t limits[BRACKETS_MAX]; /* weights are hundreds of grams */
    uint16_t prices[ZONES_MAX][BRACKETS_MAX];
    uint8_t each_kilo[ZONES_MAX];
} rate_card;

static bool draw_card(frng *f, rate_card *c) {
    FRNG_TRY(frng_u8_range(f, 1, ZONES_MAX, &c->zones));
    FRNG_TRY(frng_u8_range(f, 1, BRACKETS_MAX, &c->brackets));
    for (size_t i = 0; i < c->brackets; i++) {
        DRAW(uint8_t, step, frng_u8_range, f, 1, 50);
        c->limits[i] = (i > 0 ? c->limits[i - 1] : 0) + step;
    }
    for (size_t zone = 0; zone < c->zones; zone++) {
        for (size_t i = 0; i < c->brackets; i++)
            FRNG_TRY(frng_u16_range(f, 100, 5000, &c->prices[zone][i]));
        FRNG_TRY(frng_u8_max(f, 200, &c->each_kilo[zone]));
    }
    return true;
}

static size_t find_bracket(const rate_card *c, uint32_t weight) {
    size_t i = 0;
    while (i < c->brackets && weight > c->limits[i]) i++;
    return i;
}

static uint32_t bill(const rate_card *c, size_t zone, uint32_t weight, size_t bracket) {
    if (bracket < c->brackets) return c->prices[zone][bracket];
    const uint32_t last = c->limits[c->brackets - 1];
    const uint32_t kilos = weight > last ? (weight - last + 9) / 10 : 0;
    return c->prices[zone][c->brackets - 1] + kilos * c->each_kilo[zone];
}

static bool tariff(frng *f) {
    rate_card c = {.zones = 0};
    uint32_t sums[ZONES_MAX] = {0}, lasts[ZONES_MAX] = {0};
    FRNG_TRY(draw_card(f, &c));
    DRAW(uint8_t, count, frng_u8_range, f, 1, 10);
    while (count-- > 0) {
        DRAW(size_t, zone, frng_pick, f, c.zones);
        DRAW(uint16_t, weight, frng_u16_range, f, 1, 300);
        sums[zone] += weight;
        lasts[zone] = weight;
    }
    for (size_t zone = 0; zone < c.zones; zone++) {
        if (sums[zone] == 0) continue;
        const uint32_t wrong = bill(&c, zone, sums[zone], find_bracket(&c, lasts[zone]));
        const uint32_t right = bill(&c, zone, sums[zone], find_bracket(&c, sums[zone]));
        FRNG_ASSERT(wrong == right, "zone %u: %u, not %u", (unsigned)zone, wrong, right);
    }
    return true;
}

/* inherit: a scheduler of four tasks, of which those that hold a mutex inherit the priority of
 * those that wait for it. Who gives a mutex back has its own priority again. Fails when a task has
 * not the priority of those that wait for it.
 *
 * Smallest: a task holds two mutexes, another waits for the first, and the second is given back.
 *
 *     inherit             1 1 1 2, lock 0 0, lock 0 1, lock 3 0, unlock 1
 *         0101011d000000000100005600c0018056
 */
enum { TASKS = 4, MUTEXES = 3, NOBODY = TASKS, NO_MUTEX = MUTEXES };

typedef struct scheduler {
    uint8_t base[TASKS], now[TASKS]; /* priorities */
    size_t waits_for[TASKS];         /* a mutex */
    size_t owners[MUTEXES];
} scheduler;

static void raise_owner(scheduler *s, size_t task) {
    while (s->waits_for[task] != NO_MUTEX) {
        const size_t owner = s->owners[s->waits_for[task]];
        if (s->now[owner] >= s->now[task]) return;
        s->now[owner] = s->now[task];
        task = owner;
    }
}

static bool lock_mutex(frng *f, void *state) {
    scheduler *s = state;
    size_t task, mutex;
    FRNG_TRY(frng_pick(f, TASKS, &task) && frng_pick(f, MUTEXES, &mutex));
    if (s->waits_for[task] != NO_MUTEX || s->owners[mutex] == task) return true;
    if (s->owners[mutex] == NOBODY) {
        s->owners[mutex] = task;
    } else {
        s->waits_for[task] = mutex;
        raise_owner(s, task);
    }
    return true;
}

static bool unlock_mutex(frng *f, void *state) {
    scheduler *s = state;
    size_t next = NOBODY;
    DRAW(size_t, mutex, frng_pick, f, MUTEXES);
    const size_t owner = s->owners[mutex];
    if (owner == NOBODY || s->waits_for[owner] != NO_MUTEX) return true;
    s->now[owner] = s->base[owner];
    for (size_t i = 0; i < TASKS; i++)
        if (s->waits_for[i] == mutex && (next == NOBODY || s->now[i] > s->now[next])) next = i;
    s->owners[mutex] = next;
    if (next != NOBODY) s->waits_for[next] = NO_MUTEX;
    for (size_t i = 0; i < TASKS; i++)
        if (s->waits_for[i] == mutex) raise_owner(s, i);
    return true;
}

static void check_priorities(const void *state) {
    const scheduler *s = state;
    uint8_t right[TASKS];
    memcpy(right, s->base, sizeof right);
    for (size_t i = 0; i < TASKS * TASKS; i++) {
        const size_t task = i % TASKS, mutex = s->waits_for[task];
        if (mutex == NO_MUTEX) continue;
        if (right[s->owners[mutex]] < right[task]) right[s->owners[mutex]] = right[task];
    }
    for (size_t i = 0; i < TASKS; i++)
        FRNG_ASSERT(s->now[i] == right[i], "task %u: %u, not %u", (unsigned)i, s->now[i], right[i]);
}

static bool inherit(frng *f) {
    static const frng_rule rules[] = {{"lock", lock_mutex}, {"unlock", unlock_mutex}};
    scheduler s = {.owners = {NOBODY, NOBODY, NOBODY}};
    for (size_t i = 0; i < TASKS; i++) {
        FRNG_TRY(frng_u8_range(f, 1, 9, &s.base[i]));
        s.now[i] = s.base[i];
        s.waits_for[i] = NO_MUTEX;
    }
    return frng_repeat(f, rules, 2, &s, check_priorities);
}

/* moves: a game on a board of 4 by 5 squares, with a king and four pawns each. A pawn that reaches
 * the last row becomes a queen. Moves can be taken back. Fails when the board is then not what it
 * was.
 *
 * Smallest: White's pawn goes a square, captures one and reaches the last row, while Black moves
 * twice: no pawn gets there in fewer moves.
 *
 *     moves               2, 2, 6, 0, 5, back
 *         acaaaa2a5655555555555555acaaaa2a5655555555555555acaaaa2a6edbb66ddbb66ddbacaaaa2a
 *         0000000000000000acaaaa2adcb66ddbb66ddbb601000000
 */
enum { ROWS = 5, COLUMNS = 4, SQUARES = ROWS * COLUMNS, PLIES_MAX = 40, MOVES_MAX = 128 };

typedef struct move {
    uint8_t from, to;
    char captured;
} move;

typedef struct game {
    char board[SQUARES + 1]; /* capital letters are white */
    bool is_black;           /* to move */
    move played[PLIES_MAX];
    char before[PLIES_MAX][SQUARES + 1];
    size_t plies;
} game;

static bool is_of(char piece, bool black) { return piece != '.' && (piece >= 'a') == black; }

/* Add a move by rows and columns if it is on the board, and what is there is as it must be. */
static void add_move(const game *g, uint8_t from, int rows, int columns, bool walks, bool captures,
                     move *list, size_t *count) {
    const int row = from / COLUMNS + rows, column = from % COLUMNS + columns;
    if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS) return;
    const char there = g->board[row * COLUMNS + column];
    if (there == '.' ? !walks : !captures || is_of(there, g->is_black)) return;
    list[(*count)++] = (move){from, (uint8_t)(row * COLUMNS + column), there};
}

static size_t list_moves(const game *g, move *list) {
    size_t count = 0;
    const int forward = g->is_black ? -1 : 1;
    for (uint8_t from = 0; from < SQUARES; from++) {
        const char piece = g->board[from];
        if (!is_of(piece, g->is_black)) continue;
        if (piece == 'P' || piece == 'p') {
            add_move(g, from, forward, 0, true, false, list, &count);
            add_move(g, from, forward, -1, false, true, list, &count);
            add_move(g, from, forward, 1, false, true, list, &count);
            continue;
        }
        for (int i = 0; i < 9; i++)
            if (i != 4) add_move(g, from, i / 3 - 1, i % 3 - 1, true, true, list, &count);
        for (int i = 0; i < 9 && (piece == 'Q' || piece == 'q'); i++)
            if (i != 4) add_move(g, from, i / 3 * 2 - 2, i % 3 * 2 - 2, true, true, list, &count);
    }
    return count;
}

static void play_move(game *g, move m) {
    char piece = g->board[m.from];
    strcpy(g->before[g->plies], g->board);
    if (piece == 'P' && m.to / COLUMNS == ROWS - 1) piece = 'Q';
    if (piece == 'p' && m.to / COLUMNS == 0) piece = 'q';
    g->board[m.to] = piece;
    g->board[m.from] = '.';
    g->played[g->plies++] = m;
    g->is_black = !g->is_black;
}

static void take_back(game *g) {
    const move m = g->played[--g->plies];
    g->board[m.from] = g->board[m.to];
    g->board[m.to] = m.captured;
    g->is_black = !g->is_black;
}

static bool moves(frng *f) {
    game g = {.board = "..K.PPPP....pppp..k."};
    for (;;) {
        move list[MOVES_MAX];
        DRAW(bool, back, frng_chance, f, 1, 6);
        if (back && g.plies > 0) {
            take_back(&g);
            FRNG_ASSERT(strcmp(g.board, g.before[g.plies]) == 0, "%s, not %s", g.board,
                        g.before[g.plies]);
            continue;
        }
        const size_t count = list_moves(&g, list);
        if (count == 0 || g.plies == PLIES_MAX) return true;
        DRAW(size_t, which, frng_index, f, count);
        play_move(&g, list[which]);
    }
}

/* ballots: three nodes elect a leader by messages that are delivered in any order, or lost. A node
 * keeps its term over a restart, but not whom it voted for. Fails when a term has two leaders.
 *
 * Smallest: each of two gets the vote of another one in term 1, for which one of these forgets its
 * own candidacy.
 *
 *     ballots             campaign 0 {1}, campaign 1 {2}, deliver 1, 1, restart 1, deliver 0, 0
 *         0101020156043a803a80e4563a003a00
 */
enum { NODES = 3, MESSAGES_MAX = 24, TERMS_MAX = 32, NONE = NODES };

typedef struct message {
    size_t from, to;
    uint8_t term;
    bool is_vote; /* the answer to a request */
} message;

typedef struct node {
    uint8_t term;
    size_t voted_for;
    uint64_t votes;
    bool is_candidate;
} node;

typedef struct cluster {
    node nodes[NODES];
    message messages[MESSAGES_MAX];
    size_t count;
    size_t leaders[TERMS_MAX];
} cluster;

static void send_message(cluster *c, message m) {
    if (c->count < MESSAGES_MAX) c->messages[c->count++] = m;
}

static bool campaign(frng *f, cluster *c) {
    DRAW(size_t, who, frng_pick, f, NODES);
    DRAW(uint64_t, reached, frng_subset, f, NODES);
    node *n = &c->nodes[who];
    if (n->term + 1 == TERMS_MAX) return true;
    *n = (node){.term = (uint8_t)(n->term + 1),
                .voted_for = who,
                .votes = UINT64_C(1) << who,
                .is_candidate = true};
    for (size_t to = 0; to < NODES; to++)
        if (to != who && (reached >> to & 1) == 1)
            send_message(c, (message){who, to, n->term, false});
    return true;
}

static void receive(cluster *c, message m) {
    node *n = &c->nodes[m.to];
    if (m.term > n->term) *n = (node){.term = m.term, .voted_for = NONE};
    if (m.term < n->term) return;
    if (!m.is_vote) {
        if (n->voted_for != NONE && n->voted_for != m.from) return;
        n->voted_for = m.from;
        send_message(c, (message){m.to, m.from, m.term, true});
    } else if (n->is_candidate) {
        n->votes |= UINT64_C(1) << m.from;
        if (__builtin_popcountll(n->votes) <= NODES / 2) return;
        size_t *leader = &c->leaders[m.term];
        FRNG_ASSERT(*leader == NONE || *leader == m.to, "term %u has two leaders", m.term);
        *leader = m.to;
    }
}

static bool ballots(frng *f) {
    enum { CAMPAIGN, DELIVER, LOSE, RESTART };
    static const uint32_t weights[] = {[CAMPAIGN] = 2, [DELIVER] = 5, [LOSE] = 1, [RESTART] = 1};
    cluster c = {.count = 0};
    size_t which;
    for (size_t i = 0; i < NODES; i++) c.nodes[i].voted_for = NONE;
    for (size_t i = 0; i < TERMS_MAX; i++) c.leaders[i] = NONE;
    for (;;) {
        DRAW(size_t, what, frng_pick_weighted, f, weights, 4);
        if (what == CAMPAIGN) {
            FRNG_TRY(campaign(f, &c));
        } else if (what == RESTART) {
            FRNG_TRY(frng_pick(f, NODES, &which));
            c.nodes[which] = (node){.term = c.nodes[which].term, .voted_for = NONE};
        } else if (c.count > 0) {
            FRNG_TRY(frng_pick(f, c.count, &which));
            const message m = c.messages[which];
            c.messages[which] = c.messages[--c.count];
            if (what == DELIVER) receive(&c, m);
        }
    }
}

/* sparse: a square matrix in compressed rows, made by adding to single entries. An entry that
 * becomes 0 is taken out, but its value stays: those behind it have the value before theirs. Fails
 * when an entry is not that of a dense matrix.
 *
 * Smallest: an entry is taken out before another one of its row.
 *
 *     sparse              2, (0, 0) + 1, (0, 1) + 1, (0, 0) - 1  3410000026100080261000004a0001
 */
enum { SIDE_MAX = 5 };

typedef struct compressed {
    size_t starts[SIDE_MAX + 1]; /* of the rows */
    size_t columns[SIDE_MAX * SIDE_MAX + 1];
    int values[SIDE_MAX * SIDE_MAX + 1];
} compressed;

static size_t find_entry(const compressed *m, size_t row, size_t column) {
    size_t at = m->starts[row];
    while (at < m->starts[row + 1] && m->columns[at] < column) at++;
    return at;
}

static bool has_entry(const compressed *m, size_t at, size_t row, size_t column) {
    return at < m->starts[row + 1] && m->columns[at] == column;
}

static void add_to(compressed *m, size_t side, size_t row, size_t column, int value) {
    const size_t at = find_entry(m, row, column), count = m->starts[side];
    if (!has_entry(m, at, row, column)) {
        if (value == 0 || count == SIDE_MAX * SIDE_MAX) return;
        memmove(&m->columns[at + 1], &m->columns[at], (count - at) * sizeof m->columns[0]);
        memmove(&m->values[at + 1], &m->values[at], (count - at) * sizeof m->values[0]);
        m->columns[at] = column;
        m->values[at] = value;
        for (size_t i = row + 1; i <= side; i++) m->starts[i]++;
        return;
    }
    m->values[at] += value;
    if (m->values[at] != 0) return;
    memmove(&m->columns[at], &m->columns[at + 1], (count - at - 1) * sizeof m->columns[0]);
    for (size_t i = row + 1; i <= side; i++) m->starts[i]--;
}

static bool sparse(frng *f) {
    compressed m = {.starts = {0}};
    int dense[SIDE_MAX][SIDE_MAX] = {{0}};
    DRAW(size_t, side, frng_pick, f, SIDE_MAX);
    side++;
    frng_list(f, 0, 60, step) {
        size_t row, column;
        FRNG_TRY(frng_pick(f, side, &row) && frng_pick(f, side, &column));
        DRAW(int, value, frng_int_mixed, f, -20, 20);
        add_to(&m, side, row, column, value);
        dense[row][column] += value;
    }
    for (size_t row = 0; row < side; row++) {
        for (size_t column = 0; column < side; column++) {
            const size_t at = find_entry(&m, row, column);
            const int value = has_entry(&m, at, row, column) ? m.values[at] : 0;
            FRNG_ASSERT(value == dense[row][column], "%d, not %d", value, dense[row][column]);
        }
    }
    return true;
}

/* topics: a trie of subscriptions, whose filters have levels named by letters, or + for any name.
 * Who leaves a topic takes the nodes away that have no more children, up to the root. Fails when a
 * message reaches others than by matching all filters.
 *
 * Smallest: who leaves takes the node above away, which has a subscriber.
 *
 *     topics              subscribe "a", "aa", leave "aa", publish "a"  015601015656015680ab5601
 */
enum { LEVELS_MAX = 4, TRIE_MAX = 256, FILTERS_MAX = 24 };

typedef struct trie {
    size_t children[TRIE_MAX][3], subscribers[TRIE_MAX], parents[TRIE_MAX], used; /* 0: none */
    char filters[FILTERS_MAX][LEVELS_MAX + 1];
    size_t filter_count;
} trie;

static size_t level_of(char name) { return name == '+' ? 2 : (size_t)(name - 'a'); }

static void subscribe(trie *t, const char *filter) {
    size_t at = 0;
    if (t->filter_count == FILTERS_MAX) return;
    strcpy(t->filters[t->filter_count++], filter);
    for (; *filter != '\0'; filter++) {
        size_t *child = &t->children[at][level_of(*filter)];
        if (*child == 0) {
            *child = ++t->used;
            t->parents[*child] = at;
        }
        at = *child;
    }
    t->subscribers[at]++;
}

static void unsubscribe(trie *t, size_t which) {
    char filter[LEVELS_MAX + 1];
    size_t at = 0, length = 0;
    strcpy(filter, t->filters[which]);
    memmove(t->filters[which], t->filters[--t->filter_count], sizeof filter);
    for (; filter[length] != '\0'; length++) {
        at = t->children[at][level_of(filter[length])];
        if (at == 0) return;
    }
    if (t->subscribers[at] > 0) t->subscribers[at]--;
    if (t->subscribers[at] > 0) return;
    for (; length > 0; length--) {
        const size_t *children = t->children[at];
        if (children[0] != 0 || children[1] != 0 || children[2] != 0) return;
        at = t->parents[at];
        t->children[at][level_of(filter[length - 1])] = 0;
    }
}

static size_t count_subscribers(const trie *t, size_t at, const char *topic) {
    if (*topic == '\0') return t->subscribers[at];
    size_t count = 0;
    const size_t named = t->children[at][level_of(*topic)], any = t->children[at][2];
    if (named != 0) count += count_subscribers(t, named, topic + 1);
    if (any != 0) count += count_subscribers(t, any, topic + 1);
    return count;
}

static bool does_match(const char *filter, const char *topic) {
    for (; *filter != '\0' && *topic != '\0'; filter++, topic++)
        if (*filter != '+' && *filter != *topic) return false;
    return *filter == *topic;
}

static bool topics(frng *f) {
    enum { SUBSCRIBE, UNSUBSCRIBE, PUBLISH };
    trie t = {.used = 0};
    char text[LEVELS_MAX + 1];
    while (t.used + LEVELS_MAX < TRIE_MAX) {
        DRAW(size_t, what, frng_pick, f, 3);
        if (what == SUBSCRIBE) {
            FRNG_TRY(frng_string(f, "ab+", 1, LEVELS_MAX, text));
            subscribe(&t, text);
        } else if (what == UNSUBSCRIBE && t.filter_count > 0) {
            DRAW(size_t, which, frng_pick, f, t.filter_count);
            unsubscribe(&t, which);
        } else if (what == PUBLISH) {
            size_t right = 0;
            FRNG_TRY(frng_string(f, "ab", 1, LEVELS_MAX, text));
            for (size_t i = 0; i < t.filter_count; i++) right += does_match(t.filters[i], text);
            const size_t count = count_subscribers(&t, 0, text);
            FRNG_ASSERT(count == right, "%s: %u, not %u", text, (unsigned)count, (unsigned)right);
        }
    }
    return true;
}

/* prefixes: a filter of addresses, whose rules allow or deny those that begin with some bits; the
 * longest that fits decides, the later of two. Without any an address is denied. A rule is left out
 * if a shorter one says the same, even if another one between says otherwise. Fails when an address
 * is allowed or denied but not by all rules.
 *
 * Smallest: a rule is left out for one that the next has replaced. It needs three rules.
 *
 *     prefixes            0/0 deny, 0/0 allow, 0/1 deny; 0
 *         140000000001001400000000010114000000000900011000000000
 */
enum { RULES_MAX = 24 };

typedef struct prefix {
    uint32_t bits;
    uint8_t length;
    bool allows;
} prefix;

typedef struct filter {
    prefix rules[RULES_MAX];
    size_t count;
} filter;

static bool fits(const prefix *p, uint32_t address) {
    return p->length == 0 || (address ^ p->bits) >> (32 - p->length) == 0;
}

static bool is_allowed(const filter *x, uint32_t address) {
    const prefix *best = NULL;
    for (size_t i = 0; i < x->count; i++)
        if (fits(&x->rules[i], address) && (best == NULL || x->rules[i].length >= best->length))
            best = &x->rules[i]; /* the latest of those of a length */
    return best != NULL && best->allows;
}

static void add_rule(filter *x, prefix p, bool leaves_out) {
    for (size_t i = 0; i < x->count && leaves_out; i++) {
        const prefix *other = &x->rules[i];
        if (other->length < p.length && fits(other, p.bits) && other->allows == p.allows) return;
    }
    x->rules[x->count++] = p;
}

static bool prefixes(frng *f) {
    filter all = {.count = 0}, some = {.count = 0};
    frng_list(f, 1, RULES_MAX, i) {
        prefix p;
        FRNG_TRY(frng_u32(f, &p.bits));
        FRNG_TRY(frng_u8_max(f, 32, &p.length));
        FRNG_TRY(frng_bool(f, &p.allows));
        add_rule(&all, p, false);
        add_rule(&some, p, true);
    }
    frng_list(f, 1, 32, i) {
        DRAW(uint32_t, address, frng_u32, f);
        FRNG_ASSERT(is_allowed(&some, address) == is_allowed(&all, address), "%08x", address);
    }
    return true;
}

/* pointer: patches of a document of numbers, arrays and objects: add, remove and replace at a path.
 * Each has an inverse; that of an add to an object takes the member away, even if it replaced one.
 * Fails when all inverses, the last one first, do not give the document back.
 *
 * Smallest: an add replaces the only member.
 *
 *     pointer             {a: 0}, add a 0  ab40000100002b010000010001
 */
enum { NUMBER, ARRAY, OBJECT, MEMBERS_MAX = 4, VALUES_MAX = 128, PATCHES_MAX = 8, DEPTH_MAX = 3 };

typedef struct value {
    uint8_t kind, number, count; /* of an array */
    size_t members[MEMBERS_MAX]; /* places in the document; 0 is none: the root is in no other */
} value;

typedef struct document {
    value values[VALUES_MAX];
    size_t used;
} document;

/* What undoes a patch: put `old` there, or take it out. */
typedef struct inverse {
    size_t container, member, old;
    bool inserts, removes;
} inverse;

static bool draw_value(frng *f, document *d, int depth, size_t *drawn) {
    size_t kind = NUMBER, key;
    const size_t at = d->used++;
    *drawn = at;
    if (depth > 0) FRNG_TRY(frng_pick(f, 3, &kind));
    value *v = &d->values[at];
    *v = (value){.kind = (uint8_t)kind};
    if (kind == NUMBER) return frng_u8(f, &v->number);
    frng_list(f, 0, MEMBERS_MAX, i) {
        key = i;
        if (kind == OBJECT) FRNG_TRY(frng_pick(f, MEMBERS_MAX, &key));
        FRNG_TRY(draw_value(f, d, depth - 1, &v->members[key]));
        v->count++;
    }
    return true;
}

static bool is_equal(const document *a, size_t i, const document *b, size_t k) {
    const value *x = &a->values[i], *y = &b->values[k];
    if (x->kind != y->kind || x->number != y->number) return false;
    if (x->kind == ARRAY && x->count != y->count) return false;
    for (size_t n = 0; n < MEMBERS_MAX && x->kind != NUMBER; n++) {
        if ((x->members[n] == 0) != (y->members[n] == 0)) return false;
        if (x->members[n] != 0 && !is_equal(a, x->members[n], b, y->members[n])) return false;
    }
    return true;
}

static void put_in(value *v, size_t at, size_t member) {
    for (size_t i = v->count++; i > at; i--) v->members[i] = v->members[i - 1];
    v->members[at] = member;
}

static void take_out(value *v, size_t at) {
    v->count--;
    for (size_t i = at; i < v->count; i++) v->members[i] = v->members[i + 1];
    v->members[v->count] = 0;
}

/* Go down from the root as far as the path leads, to a container. */
static bool draw_path(frng *f, const document *d, size_t *container, size_t *member) {
    *container = 0;
    for (;;) {
        FRNG_TRY(frng_pick(f, MEMBERS_MAX, member));
        DRAW(bool, down, frng_bool, f);
        const size_t next = d->values[*container].members[*member];
        if (!down || next == 0 || d->values[next].kind == NUMBER) return true;
        *container = next;
    }
}

static bool patch(frng *f, document *d, inverse *undo) {
    enum { ADD, REMOVE, REPLACE };
    size_t new;
    DRAW(size_t, what, frng_pick, f, 3);
    FRNG_TRY(draw_path(f, d, &undo->container, &undo->member));
    value *v = &d->values[undo->container];
    undo->old = v->members[undo->member];
    if (what != REMOVE) FRNG_TRY(draw_value(f, d, 1, &new));
    if (v->kind == NUMBER || (what != ADD && undo->old == 0)) return true;
    if (what == REPLACE) {
        v->members[undo->member] = new;
    } else if (v->kind == OBJECT) {
        v->members[undo->member] = what == ADD ? new : 0;
        if (what == ADD) undo->old = 0;
    } else if (what == REMOVE) {
        take_out(v, undo->member);
        undo->inserts = true;
    } else if (v->count < MEMBERS_MAX && undo->member <= v->count) {
        put_in(v, undo->member, new);
        undo->removes = true;
    }
    return true;
}

static bool pointer(frng *f) {
    document d = {.used = 0}, first;
    inverse undos[PATCHES_MAX] = {{0}};
    size_t root, count = 0;
    FRNG_TRY(draw_value(f, &d, DEPTH_MAX, &root));
    first = d;
    frng_list(f, 0, PATCHES_MAX, i) {
        FRNG_TRY(patch(f, &d, &undos[i]));
        count++;
    }
    while (count-- > 0) {
        const inverse *undo = &undos[count];
        value *v = &d.values[undo->container];
        if (undo->inserts)
            put_in(v, undo->member, undo->old);
        else if (undo->removes)
            take_out(v, undo->member);
        else
            v->members[undo->member] = undo->old;
    }
    FRNG_ASSERT(is_equal(&first, root, &d, root), "the document is another one");
    return true;
}

/* sessions: those of users with large numbers, at most four, which end a minute after they were
 * last used. They are kept in the order in which they began. Before each look those that are over
 * are taken away from the front, up to the first that is not. Fails when a session is over and is
 * there, or the other way.
 *
 * Smallest: of two sessions that began together only the first is used after a second.
 *
 *     sessions            log in 0, 1, wait 1, use 0, wait 60, use 1
 *         010000000000000000010100000000000000abb9822dd8822dd8025600ab16a3aaaaaaaaaaaa5680
 */
enum { SESSIONS_MAX = 4, LOGINS_MAX = 32 };

typedef struct session {
    uint64_t user;
    double used;
} session;

static const double lifetime = 60;

static size_t find_session(const session *list, size_t count, uint64_t user) {
    size_t i = 0;
    while (i < count && list[i].user != user) i++;
    return i;
}

static void end_session(session *list, size_t *count, size_t at) {
    memmove(&list[at], &list[at + 1], (--*count - at) * sizeof list[0]);
}

static bool sessions(frng *f) {
    enum { LOG_IN, USE, WAIT };
    session list[SESSIONS_MAX], model[SESSIONS_MAX];
    uint64_t users[LOGINS_MAX];
    size_t count = 0, model_count = 0, logins = 0;
    double now = 0;
    while (logins < LOGINS_MAX) {
        DRAW(size_t, what, frng_pick, f, 3);
        if (what == WAIT) {
            DRAW(double, wait, frng_f64_range, f, 0, 90);
            now += wait;
            while (count > 0 && now - list[0].used > lifetime) end_session(list, &count, 0);
            for (size_t i = model_count; i-- > 0;)
                if (now - model[i].used > lifetime) end_session(model, &model_count, i);
        } else if (what == LOG_IN) {
            FRNG_TRY(frng_u64(f, &users[logins]));
            const session begun = {users[logins++], now};
            if (find_session(model, model_count, begun.user) < model_count) continue;
            if (model_count == SESSIONS_MAX) end_session(model, &model_count, 0);
            if (count == SESSIONS_MAX) end_session(list, &count, 0);
            model[model_count++] = begun;
            list[count++] = begun;
        } else if (logins > 0) {
            DRAW(size_t, which, frng_pick, f, logins);
            const size_t at = find_session(list, count, users[which]);
            const size_t right = find_session(model, model_count, users[which]);
            FRNG_ASSERT((at < count) == (right < model_count), "user %u of %u", (unsigned)which,
                        (unsigned)logins);
            if (at < count) list[at].used = now;
            if (right < model_count) model[right].used = now;
        }
    }
    return true;
}

/* bitmap: an index of columns of bits, each compressed to runs of equal bytes and single ones. A
 * conjunction skips as many runs of the other column as a run of zeros has bytes. Fails when a
 * query finds other rows than with the plain columns.
 *
 * Smallest: a zero, of which the other column has a run of two, and then a bit that both have.
 *
 *     bitmap              [00 01] [01 01]  16010000000000000000010101
 */
enum { BYTES_MAX = 12, QUERIED_MAX = 4 };

typedef struct column {
    uint8_t bytes[BYTES_MAX], lengths[BYTES_MAX]; /* of the runs */
    size_t runs;
} column;

static void append_run(column *c, uint8_t byte, uint8_t length) {
    if (length == 0) return;
    if (c->runs == 0 || c->bytes[c->runs - 1] != byte) {
        c->bytes[c->runs] = byte;
        c->lengths[c->runs++] = 0;
    }
    c->lengths[c->runs - 1] = (uint8_t)(c->lengths[c->runs - 1] + length);
}

static column compress(const uint8_t *bytes, size_t count) {
    column c = {.runs = 0};
    for (size_t i = 0; i < count; i++) append_run(&c, bytes[i], 1);
    return c;
}

static column conjoin(const column *a, const column *b) {
    column both = {.runs = 0};
    uint8_t of_a = 0, of_b = 0; /* bytes done of the runs */
    for (size_t i = 0, k = 0; i < a->runs && k < b->runs;) {
        const uint8_t left = (uint8_t)(a->lengths[i] - of_a),
                      other = (uint8_t)(b->lengths[k] - of_b);
        if (a->bytes[i] == 0 && of_b == 0) {
            append_run(&both, 0, left);
            i++;
            of_a = 0;
            k += left;
            continue;
        }
        const uint8_t length = left < other ? left : other;
        append_run(&both, a->bytes[i] & b->bytes[k], length);
        of_a = (uint8_t)(length == left ? 0 : of_a + length);
        of_b = (uint8_t)(length == other ? 0 : of_b + length);
        i += length == left;
        k += length == other;
    }
    return both;
}

static bool bitmap(frng *f) {
    uint8_t found[BYTES_MAX] = {0};
    size_t at = 0;
    const uint8_t *plain[QUERIED_MAX];
    column result = {.runs = 0};
    DRAW(uint8_t, bytes, frng_u8_range, f, 1, BYTES_MAX);
    DRAW(size_t, columns, frng_size_range, f, 2, QUERIED_MAX);
    for (size_t i = 0; i < columns; i++) {
        FRNG_TRY(frng_bytes(f, bytes, &plain[i]));
        const column next = compress(plain[i], bytes);
        result = i == 0 ? next : conjoin(&result, &next);
    }
    for (size_t run = 0; run < result.runs; run++)
        for (uint8_t i = 0; i < result.lengths[run] && at < bytes; i++)
            found[at++] = result.bytes[run];
    for (size_t i = 0; i < bytes; i++) {
        uint8_t right = 0xff;
        for (size_t k = 0; k < columns; k++) right &= plain[k][i];
        FRNG_ASSERT(found[i] == right, "byte %u: %02x, not %02x", (unsigned)i, found[i], right);
    }
    return true;
}

const challenge unseen[] = {
    {"ballots", ballots, AS_IS}, {"bitmap", bitmap, AS_IS},     {"diff", diff, AS_IS},
    {"inherit", inherit, AS_IS}, {"leave", leave, AS_IS},       {"moves", moves, AS_IS},
    {"pointer", pointer, AS_IS}, {"prefixes", prefixes, AS_IS}, {"sessions", sessions, AS_IS},
    {"sparse", sparse, AS_IS},   {"tariff", tariff, AS_IS},     {"topics", topics, AS_IS},
    {NULL, NULL, AS_IS},
};
