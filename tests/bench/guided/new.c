/* new.c: 32 small tests of the kinds that real code has. They were written before any search was
 * tuned on known.c, and nothing may be tuned to these: they tell what it is worth elsewhere. The
 * first eleven are for fresh runs. Of the next eleven fresh runs miss the constants, while fuzzers
 * see them in the bytes. In the last ten they lie behind draws that map the bytes.
 * SPDX-License-Identifier: MIT */
#include "guided.h"

/* ---- For fresh runs ---- */

/* A ring of 8: what peeks at its newest looks before the first place after a wrap. */
TEST(ring) {
    uint8_t items[8], newest = 0;
    for (unsigned head = 0, count = 0;;) {
        DRAW(uint8_t, what, frng_u8_max, f, 2);
        if (what == 0 && count < 8) {
            FRNG_TRY(frng_u8(f, &newest));
            items[(head + count++) % 8] = newest;
        } else if (what == 1 && count > 0) {
            head = (head + 1) % 8, count--;
        } else if (what == 2 && count == 8) {
            const unsigned last = head == 5 ? 3 : (head + count - 1) % 8;
            FRNG_ASSERT(items[last] == newest, "%u, not %u", items[last], newest);
        }
    }
}

/* A cache of 4: to get the oldest entry does not make it new. */
TEST(lru) {
    unsigned times[12] = {0}, wrong[12] = {0};
    for (unsigned now = 1;; now++) {
        uint8_t oldest = 0, victim = 0, count = 0;
        DRAW(uint8_t, key, frng_u8_max, f, 11);
        for (uint8_t i = 0; i < 12; i++) {
            if (times[i] == 0) continue;
            if (count++ == 0 || times[i] < times[oldest]) oldest = i;
            if (count == 1 || wrong[i] < wrong[victim]) victim = i;
        }
        if (times[key] == 0 && count == 4) {
            FRNG_ASSERT(oldest == victim, "%u goes, not %u", victim, oldest);
            times[oldest] = 0;
        }
        if (times[key] == 0 || key != victim || count < 4) wrong[key] = now;
        times[key] = now;
    }
}

/* Counted references: a name is set to what it has, and the last reference is given up first. */
TEST(refcount) {
    uint8_t object_of[8] = {0}, counts[9] = {0};
    for (bool makes;;) {
        FRNG_TRY(frng_bool(f, &makes));
        DRAW(uint8_t, to, frng_u8_max, f, 7);
        DRAW(uint8_t, from, frng_u8_max, f, 7);
        if (makes && object_of[to] == 0) {
            uint8_t object = 1;
            while (counts[object] != 0) object++;
            object_of[to] = object, counts[object] = 1;
        } else if (!makes && object_of[from] != 0) {
            if (object_of[to] != 0) counts[object_of[to]]--;
            FRNG_ASSERT(counts[object_of[from]] > 0 || object_of[from] < 4, "it is gone");
            object_of[to] = object_of[from];
            counts[object_of[to]]++;
        }
    }
}

/* Fields are quoted where they must be; a quote at the end of one is not doubled. */
TEST(csv) {
    char field[11], line[40] = "", back[40] = "";
    FRNG_TRY(frng_string(f, "abcdefgh ,;\"\n", 0, 10, field));
    const size_t length = strlen(field);
    if (strpbrk(field, ",\n") == NULL || length < 4) return true;
    size_t out = 0;
    line[out++] = '"';
    for (size_t i = 0; i < length; i++) {
        if (field[i] == '"' && i + 1 < length) line[out++] = '"';
        line[out++] = field[i];
    }
    strcpy(line + out, "\",next");
    out = 0;
    for (size_t i = 1; line[i] != '\0' && (line[i] != '"' || line[++i] == '"'); i++)
        back[out++] = line[i];
    FRNG_ASSERT(strcmp(field, back) == 0, "%s, not %s", back, field);
    return true;
}

/* A path within a folder: ".." is taken with what stands before it, three times at most. */
TEST(dotdot) {
    static const char *const names[] = {"a", "etc", ".", "..", "b", "home", "tmp", "c"};
    const char *parts[16];
    size_t count = 0;
    int depth = 0, taken = 0;
    for (size_t n = 0; n < 16; n++) {
        DRAW(bool, more, frng_more, f, n, 0, 16);
        if (!more) break;
        DRAW(size_t, name, frng_pick, f, 8);
        depth += strcmp(names[name], "..") == 0 ? -1 : strcmp(names[name], ".") == 0 ? 0 : 1;
        if (depth < 0) return true;
        if (strcmp(names[name], "..") == 0 && count > 0 && taken++ < 3)
            count--;
        else if (strcmp(names[name], ".") != 0)
            parts[count++] = names[name];
    }
    FRNG_ASSERT(count == 0 || depth > 0 || strcmp(parts[0], "etc") != 0);
    return true;
}

/* A node of 4 keys is split: an equal key goes to the left half, and is looked for in the right. */
TEST(split) {
    uint8_t left[64], right[64];
    unsigned lefts = 0, rights = 0, middle = 256;
    for (int steps = 0; steps < 60; steps++) {
        DRAW(bool, looks, frng_bool, f);
        DRAW(uint8_t, key, frng_u8, f);
        const bool is_left = looks ? key < middle : key <= middle;
        uint8_t *node = is_left ? left : right;
        unsigned *count = is_left ? &lefts : &rights, at = 0;
        while (at < *count && node[at] < key) at++;
        if (looks) {
            FRNG_ASSERT(memchr(left, key, lefts) == NULL || is_left, "%u is lost", key);
            continue;
        }
        memmove(node + at + 1, node + at, *count - at);
        node[at] = key, ++*count;
        if (middle < 256 || lefts < 4) continue;
        middle = left[2], rights = 1, lefts = 3;
        right[0] = left[3];
    }
    return true;
}

/* Timers: one that is set again while it runs out is called twice. */
TEST(timers) {
    uint16_t due[4] = {0}, now = 0;
    bool called[4] = {false};
    for (;;) {
        DRAW(bool, sets, frng_bool, f);
        DRAW(size_t, which, frng_pick, f, 4);
        DRAW(uint16_t, delay, frng_u16_max, f, 300);
        if (sets) {
            FRNG_ASSERT(due[which] == 0 || due[which] != now || delay != 0 || called[which]);
            due[which] = (uint16_t)(now + delay);
        } else if (now < 60000) {
            now = (uint16_t)(now + delay);
            for (int k = 0; k < 4; k++) called[k] = due[k] == 0 || due[k] < now;
        }
    }
}

/* An image whose size in bytes, of 32 bits, is less than a row of it. */
TEST(image) {
    DRAW(uint32_t, width, frng_u32_range, f, 1, 1000000);
    DRAW(uint32_t, height, frng_u32_range, f, 1, 1000000);
    DRAW(uint8_t, depth, frng_u8_range, f, 1, 4);
    const uint32_t bytes = width * height * depth;
    FRNG_ASSERT(bytes >= width * depth, "%u x %u x %u", width, height, depth);
    return true;
}

/* Half of a number that is not 0, but -0 is. */
TEST(denormal) {
    double sum = 0;
    for (int count = 0; count < 6; count++) {
        DRAW(double, x, frng_f64_any, f);
        if (x * 0 != 0) return true;
        FRNG_ASSERT(x == 0 || x / 2 != 0 || count < 2, "half of %g", x);
        sum += x;
    }
    return sum == sum;
}

/* Text is escaped into 16 bytes; what stands there last is an escape. */
TEST(bufend) {
    char text[17], out[18];
    size_t used = 0;
    FRNG_TRY(frng_string(f, FRNG_LOWER FRNG_DIGITS "\"\\ ", 0, 16, text));
    for (const char *c = text; *c != '\0' && used < 16; c++) {
        if (*c == '"' || *c == '\\') out[used++] = '\\';
        out[used++] = *c;
    }
    FRNG_ASSERT(used <= 16, "%.17s", out);
    return true;
}

/* Two names with one hash count as one. */
TEST(hashes) {
    char names[24][6];
    uint32_t hashes[24];
    for (int count = 0; count < 24; count++) {
        FRNG_TRY(frng_string(f, FRNG_ALNUM, 1, 5, names[count]));
        hashes[count] = 0;
        for (char *c = names[count]; *c != '\0'; c++)
            hashes[count] = hashes[count] * 31 + (uint8_t)*c;
        for (int i = 0; i < count; i++)
            FRNG_ASSERT(hashes[i] != hashes[count] || strcmp(names[i], names[count]) == 0,
                        "%s is %s", names[i], names[count]);
    }
    return true;
}

/* ---- For fuzzers, too: the bytes are as they are drawn ---- */

/* A file of chunks: colours come before the header. */
TEST(chunks) {
    const uint8_t *start, *type;
    bool has_header = false;
    FRNG_TRY(frng_bytes(f, 8, &start));
    if (memcmp(start, "\x89PNG\r\n\x1a\n", 8) != 0) return true;
    for (int count = 0; count < 10; count++) {
        DRAW(uint8_t, length, frng_u8, f);
        FRNG_TRY(frng_bytes(f, 4, &type));
        if (memcmp(type, "IHDR", 4) == 0) has_header = true;
        FRNG_ASSERT(memcmp(type, "PLTE", 4) != 0 || has_header || length == 0);
    }
    return true;
}

/* The head of a program: sections of another size than theirs. */
TEST(program) {
    uint32_t magic;
    uint16_t machine, size, count;
    uint8_t class, order;
    FRNG_TRY(frng_u32(f, &magic) && frng_u8(f, &class) && frng_u8(f, &order));
    FRNG_TRY(frng_u16(f, &machine) && frng_u16(f, &size) && frng_u16(f, &count));
    if (magic != 0x464c457f) return true;
    if (class != 2 || order != 1) return true;
    if (machine != 62 && machine != 183) return true;
    FRNG_ASSERT(size == 64 || count < 0xff00);
    return true;
}

/* A handshake, and a close within it that has the peer's cookie. */
TEST(handshake) {
    enum { IDLE, GREETED, CHALLENGED, OPEN } state = IDLE;
    uint32_t cookie = 0, word;
    uint8_t type;
    for (int messages = 0; messages < 40; messages++) {
        FRNG_TRY(frng_u8(f, &type) && frng_u32(f, &word));
        switch (type) {
        case 0x01: state = state == IDLE ? GREETED : IDLE, cookie = word ^ 0x5c5c5c5c; break;
        case 0x0e: state = state == GREETED && word == cookie ? CHALLENGED : IDLE; break;
        case 0x14: state = state == CHALLENGED ? OPEN : IDLE; break;
        case 0x15: FRNG_ASSERT(state != OPEN || word != cookie); break;
        default: break;
        }
    }
    return true;
}

/* A machine with a stack: a jump by the square of a number. */
TEST(machine) {
    uint32_t stack[8] = {0}, top = 0;
    for (int steps = 0; steps < 64; steps++) {
        uint8_t operand;
        DRAW(uint8_t, code, frng_u8, f);
        switch (code) {
        case 0x10:
            FRNG_TRY(frng_u8(f, &operand));
            if (top == 8) return true;
            stack[top++] = operand;
            break;
        case 0x5f:
            if (top == 0 || top == 8) return true;
            stack[top] = stack[top - 1], top++;
            break;
        case 0x6c:
            if (top < 2) return true;
            stack[top - 2] *= stack[top - 1], top--;
            break;
        case 0xc8:
            if (top < 1) return true;
            FRNG_ASSERT(stack[top - 1] != 211 * 211, "a jump out of the program");
            break;
        default: return true;
        }
    }
    return true;
}

/* Records in records, whose lengths must agree. */
TEST(records) {
    uint8_t tag, inner;
    uint16_t outer, length;
    FRNG_TRY(frng_u8(f, &tag) && frng_u16(f, &outer));
    if (tag != 0x30 || outer < 300) return true;
    unsigned sum = 0;
    for (int count = 0; count < 3; count++) {
        FRNG_TRY(frng_u8(f, &inner) && frng_u16(f, &length));
        if (inner != 0x02 && inner != 0x04) return true;
        if (length > 2000) return true;
        sum += 3U + length;
    }
    FRNG_ASSERT(sum != outer || length == 0, "%u bytes", outer);
    return true;
}

/* A compressed file with an extra field. */
TEST(extra) {
    uint16_t magic, extra, size;
    uint8_t method, flags, first, second;
    FRNG_TRY(frng_u16(f, &magic) && frng_u8(f, &method) && frng_u8(f, &flags));
    if (magic != 0x8b1f || method != 8 || (flags & 0xe4) != 4) return true;
    FRNG_TRY(frng_u16(f, &extra) && frng_u8(f, &first) && frng_u8(f, &second) &&
             frng_u16(f, &size));
    if (first != 'B' || second != 'C') return true;
    FRNG_ASSERT(size != extra || size < 4, "the field ends behind its %u bytes", extra);
    return true;
}

/* A slash of UTF-8 in four bytes, where one would do. */
TEST(overlong) {
    const uint8_t *b;
    FRNG_TRY(frng_bytes(f, 32, &b));
    for (int i = 0; i + 4 <= 32;) {
        uint32_t point = b[i], more = point >= 0xf0 ? 3 : point >= 0xe0 ? 2 : point >= 0xc0 ? 1 : 0;
        if (point < 0x80)
            more = 0;
        else if (more == 0)
            return true;
        if (more > 0) point &= 0x3fU >> more;
        for (uint32_t k = 1; k <= more; k++) {
            if ((b[i + (int)k] & 0xc0) != 0x80) return true;
            point = point << 6 | (b[i + (int)k] & 0x3fU);
        }
        FRNG_ASSERT(more < 3 || point != '/', "hidden at %d", i);
        i += 1 + (int)more;
    }
    return true;
}

/* Routes: a packet of a shared network to a group, with nothing left to live. */
TEST(routes) {
    uint32_t from, to;
    uint8_t protocol, ttl;
    FRNG_TRY(frng_u32(f, &from) && frng_u32(f, &to) && frng_u8(f, &ttl) && frng_u8(f, &protocol));
    if ((from & 0xffc00000) != 0x64400000) return true;
    if ((to & 0xffffff00) != 0xe0000000 || ttl > 1) return true;
    FRNG_ASSERT(protocol != 89 || (to & 0xff) != 5);
    return true;
}

/* Versions: both sides know one that was never given out. */
TEST(versions) {
    uint16_t theirs[6];
    for (int i = 0; i < 6; i++) FRNG_TRY(frng_u16(f, &theirs[i]));
    unsigned best = 0, is_old = 0;
    for (int i = 0; i < 6; i++) {
        if (theirs[i] == 0x0304 || theirs[i] == 0x7f1c) best = best < theirs[i] ? theirs[i] : best;
        is_old |= theirs[i] == 0x0301;
    }
    FRNG_ASSERT(best != 0x7f1c || !is_old);
    return true;
}

/* An identifier in hexadecimal digits. */
TEST(hexid) {
    const uint8_t *digits;
    uint32_t id = 0;
    FRNG_TRY(frng_bytes(f, 8, &digits));
    for (int i = 0; i < 8; i++) {
        const uint8_t c = digits[i];
        if (c >= '0' && c <= '9')
            id = id << 4 | (c - '0');
        else if (c >= 'a' && c <= 'f')
            id = id << 4 | (c - 'a' + 10U);
        else
            return true;
    }
    FRNG_ASSERT(id != 0xc0dedbad);
    return true;
}

/* A user in base64. */
TEST(base64) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" FRNG_LOWER FRNG_DIGITS "+/";
    const uint8_t *text;
    uint8_t user[6];
    uint32_t bits = 0;
    FRNG_TRY(frng_bytes(f, 8, &text));
    for (int i = 0; i < 8; i++) {
        const char *at = text[i] != 0 ? strchr(letters, text[i]) : NULL;
        if (at == NULL) return true;
        bits = bits << 6 | (uint32_t)(at - letters);
        for (int k = 0; i % 4 == 3 && k < 3; k++)
            user[i / 4 * 3 + k] = (uint8_t)(bits >> (16 - 8 * k));
    }
    FRNG_ASSERT(memcmp(user, "root:", 5) != 0);
    return true;
}

/* ---- Behind draws that map the bytes ---- */

/* A small language: a block of one keyword within a declaration of another. */
TEST(tokens) {
    static const char *const words[] = {"let", "struct", "unsafe", "match", "return"};
    char word[9];
    size_t last = 5;
    for (int count = 0; count < 16; count++) {
        size_t kind = 0;
        FRNG_TRY(frng_string(f, FRNG_LOWER "_", 1, 8, word));
        while (kind < 5 && strcmp(words[kind], word) != 0) kind++;
        FRNG_ASSERT(last != 1 || kind != 2, "a block where names belong");
        last = kind;
    }
    return true;
}

/* The day after the last one of the old calendar, in the last second. */
TEST(cutover) {
    int year, month;
    DRAW(int, day, frng_date, f, &year, &month);
    DRAW(uint32_t, second, frng_u32_max, f, 86399);
    if (year != 1752 || month != 9) return true;
    FRNG_ASSERT(day != 2 || second < 86340);
    return true;
}

/* A connection that the filter forgets. */
TEST(filter) {
    uint16_t from, to;
    for (int count = 0; count < 8; count++) {
        DRAW(uint8_t, kind, frng_u8_max, f, 11);
        FRNG_TRY(frng_u16_range(f, 1024, 49151, &from) && frng_u16_range(f, 1, 1023, &to));
        DRAW(uint32_t, bytes, frng_u32_range, f, 40, 1000000);
        if (kind == 6 && from == 5060 && to == 514) FRNG_ASSERT(bytes != 65536);
    }
    return true;
}

/* Text: a ligature with a mark above it takes three places. */
TEST(ligature) {
    uint32_t before = 0;
    unsigned places = 0;
    for (int count = 0; count < 24; count++) {
        DRAW(uint32_t, point, frng_u32_max, f, 0x10ffff);
        const bool is_mark = point >= 0x300 && point <= 0x36f;
        places += is_mark ? 0 : 1;
        FRNG_ASSERT(!is_mark || before != 0xfb03 || point == 0x34f, "%u places", places);
        before = point;
    }
    return true;
}

/* A file that runs as its owner, who is nobody. */
TEST(mode) {
    DRAW(uint16_t, mode, frng_u16_max, f, 07777);
    DRAW(uint32_t, owner, frng_u32_mixed, f, 0, 200000);
    DRAW(uint32_t, group, frng_u32_mixed, f, 0, 200000);
    if ((mode & 04000) == 0 || (mode & 0777) != 0711) return true;
    FRNG_ASSERT(owner != 65534 || group != 100);
    return true;
}

/* A format: a number of eleven places, nine of them behind the point, to the left. */
TEST(format) {
    char text[13];
    FRNG_TRY(frng_string(f, "%-+#.0123456789diouxXeEfgGcs ", 0, 12, text));
    const char *at = strchr(text, '%');
    if (at == NULL) return true;
    bool is_left = false;
    unsigned width = 0, places = 0;
    for (at++; *at == '-' || *at == '+' || *at == '#'; at++) is_left |= *at == '-';
    for (; *at >= '0' && *at <= '9'; at++) width = width * 10 + (unsigned)(*at - '0');
    if (*at == '.')
        at++;
    else
        return true;
    for (; *at >= '0' && *at <= '9'; at++) places = places * 10 + (unsigned)(*at - '0');
    FRNG_ASSERT((*at != 'e' && *at != 'f') || !is_left || width != 11 || places != 9);
    return true;
}

/* What a release needs: versions within two ranges and one that is excluded. */
TEST(release) {
    uint8_t major, minor;
    unsigned met = 0;
    for (int count = 0; count < 3; count++) {
        FRNG_TRY(frng_u8_max(f, 19, &major) && frng_u8_max(f, 49, &minor));
        DRAW(uint8_t, patch, frng_u8_max, f, 199);
        if (met == 0)
            met = major == 3 && minor >= 12 && minor < 14 && patch > 190;
        else if (met == 1)
            met = major == 4 && minor == 0 && patch == 0 ? 2 : 1;
        else
            FRNG_ASSERT(major != 3 || minor != 12 || patch != 197, "the excluded one is chosen");
    }
    return true;
}

/* Operations that must come in their order, each on the object of the one before. */
TEST(order) {
    static const uint8_t ways[] = {2, 6, 1, 7, 3, 5, 0};
    for (size_t at = 0, object = 0;;) {
        DRAW(size_t, operation, frng_pick, f, 9);
        DRAW(size_t, on, frng_pick, f, 12);
        if (operation != ways[at] || (at > 0 && on != object))
            at = 0;
        else
            at++;
        object = on;
        GOAL(f, "operations in their order", at);
        FRNG_ASSERT(at < sizeof ways, "closed twice");
    }
}

/* A card: sixteen digits with the right last one, of one issuer. */
TEST(card) {
    unsigned sum = 0;
    DRAW(uint32_t, issuer, frng_u32_range, f, 10000000, 99999999);
    for (unsigned i = 0, rest = issuer; i < 8; i++, rest /= 10) {
        const unsigned d = rest % 10 * (1 + i % 2);
        sum += d > 9 ? d - 9 : d;
    }
    for (unsigned i = 0; i < 8; i++) {
        DRAW(uint8_t, digit, frng_u8_max, f, 9);
        const unsigned d = digit * (2 - i % 2);
        sum += d > 9 ? d - 9 : d;
    }
    FRNG_ASSERT(issuer != 49294257 || sum % 10 != 0);
    return true;
}

/* A packet of mapped numbers: their sum stands behind them. */
TEST(packet) {
    uint16_t words[6], sum = 0;
    DRAW(uint8_t, kind, frng_u8_range, f, 1, 60);
    for (int i = 0; i < 6; i++) {
        FRNG_TRY(frng_u16_max(f, 9999, &words[i]));
        sum = (uint16_t)(sum * 3 + words[i]);
    }
    DRAW(uint16_t, stated, frng_u16_range, f, 1, 65000);
    if (stated != sum || sum < 100) return true;
    FRNG_ASSERT(kind != 41 || words[0] / 100 != words[5] / 100 || words[0] == words[5]);
    return true;
}

FRNG_MAIN(TEST_OF(SELECTED))
