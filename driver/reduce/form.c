/* form.c: formats of binary files as rows of a table, and the files that they fit.
 *
 * A row says which parts a file consists of, in their order. A part is one of these:
 *
 *     12  #4d5a       any 12 bytes; exactly the bytes 4d 5a
 *     b4  l2          a big-endian number of 4 bytes; a little-endian one of 2
 *     v  m  D         a number of as many bytes as it needs: LEB128, that of MIDI, a length of DER
 *     d10  h8  o12    digits of base 10, 16 or 8 (never changed: a check sum goes with it); d0: all
 *     c4  r80-8f  t2  the head of a value of CBOR; a byte of a range; a key of protocol buffers
 *     b4A+8           it is called A, and is 8 more than what it counts or measures
 *     @l4A  >A  <     the place of a byte; go to one, and back
 *     _A  {...}A^4    skip A bytes; the same as a body, which may hold this, padded to a multiple
 *     [...]A  [...]   A units, or as many as there are; [/]A: the rest in A parts; !: that stay
 *     *A              A counts or measures the last list or body, too
 *     (...|...)  V    the first that fits; what is behind the ';'
 *     ~  $#5041       a table of colours or none; go to the last of these bytes
 *     z  .            up to a zero; the rest
 *
 * A file may have up to three bytes more. Numbers of a unit may have a name of an outer one, which
 * has then been used. */
#include "form.h"

#include "bytes.h"
#include "pass.h"

#include <ctype.h>
#include <string.h>

static const char *const rows[] = {
    /* formats with a directory: ZIP, icons, fonts, ICC profiles, gettext, TIFF */
    "$#504b0506 4 l2N l2M l4S@l4P>P{[#504b0102 24 l2A l2B l2C 8@l4L _A_B_C]N*M}S.",
    "#0000(#01|#02)#00 l2N[12@l4B]N.",
    "(#00010000|#4f54544f)b2N 6[8@b4B 4]N.",
    "#01666370 l4N[12@l4B]N.",
    "b4F+4{32#61637370 88 b4N[4@b4B 4]N.}F",
    "#de120495 4 l4N@l4O@l4T l4S@l4H>H[4]S>O[l4A@l4B>B{}A<]N>T[l4A@l4B>B{}A<]N.",
    "(#49492a00@l4P>P l2N[8@l4B]N|#4d4d002a@b4P>P b2N[8@b4B]N).",
    /* pcapng, ar, cpio */
    "#0a0d0d0a l4A+12{}A l4B+12*B[4 l4A+12{}A l4B+12*B]",
    "#213c617263683e0a[48 d10A#600a{}A^2]",
    "[#3037303730(#31|#32)48 h8A 32 h8B 8{}B^4{}A^4].",
    /* RIFF, IFF, MP4, GIF, JPEG, BMP, MIDI */
    "#52494646 l4A{4[V]}A;(#4c495354 l4A{4[V]}A^2|4 l4A{}A^2)",
    "#464f524d b4A{4[4 b4A{}A^2]}A",
    "[V];b4A+8 4{[V]}A",
    "#47494638 9~[V]#3b;(#21 1|#2c 8r00-7f 1)[r01-ffA-1{}A]#00",
    "#ffd8[#ff(rc0-d9|rdb-fe)b2A+2{}A]#ffda.",
    "#424d l4F+6{4@l4P 4 l4W l4H(8 l4S>P{[/[/]W^4]H}S|>P[/[/]W^4]H)}F",
    "#4d546864 b4Z{2 b2N 2}Z[4 b4A{[mV]}A]N;(#ff 1 mA{}A|(#f0|#f7)mA{}A|(rc0-df|r00-7f)1|r80-ef 2)",
    /* time zones, terminals, Java */
    "#545a6966 16 b4A b4B b4C b4D b4E b4F[4]D[1]D[6]E[1]F[8]C[1]B[1]A"
    "(#545a6966 16 b4A b4B b4C b4D b4E b4F[8]D[1]D[6]E[1]F[12]C[1]B[1]A|).",
    "#1a01 l2A l2B l2C l2D l2E{}A[1]B^2[2]C[2]D{}E.",
    "#1e02 l2A l2B l2C l2D l2E{}A[1]B^2[4]C[2]D{}E.",
    "#cafebabe 4 2![(#01 b2A_A|(#03|#04|r09-0c|r11-12)4|r05-06 8|(r07-08|#10|r13-14)2|#0f 3)]6 "
    "b2I[2]I b2F[6 b2K[2 b4A{}A]K]F b2M[6 b2K[2 b4A{}A]K]M b2K[2 b4A{}A]K",
    /* messages of the DNS; values within values: DER, CBOR, MessagePack, bencode, BSON */
    "4 b2A b2B b2C b2D[V4]A[V8 b2E{}E]B[V8 b2E{}E]C[V8 b2E{}E]D;[r01-3fN-1{}N](#00|rc0-ff 1)",
    "V;1 DA{[V]}A",
    "V;(c2A{}A|c3A{}A|c4A[V]A|c5A[VV]A|c6V|c0|c1|c7)",
    "V;(r00-7f|re0-ff|rc0-c3|r80-8fA[VV]A|r90-9fA[V]A|ra0-bfA{}A|(#c4|#d9)b1A{}A|(#c5|#da)b2A{}A|"
    "(#c6|#db)b4A{}A|#c7 b1A 1{}A|#c8 b2A 1{}A|#c9 b4A 1{}A|#dc b2A[V]A|#dd b4A[V]A|#de b2A[VV]A|"
    "#df b4A[VV]A|(#cc|#d0)1|(#cd|#d1|#d4)2|#d5 3|(#ca|#ce|#d2)4|#d6 5|(#cb|#cf|#d3)8|#d7 9|#d8 "
    "17)",
    "V;(#69(#2d|)d0#65|#6c[V]#65|#64[VV]#65|d0A#3a{}A)",
    "l4A+4{[V]#00}A;(#01z8|#02z l4A{}A|(#03|#04)z l4A+4{[V]#00}A|#05z l4A 1{}A|#07z12|#08z1|"
    "(#09|#11|#12)z8|#0az|#10z4)",
    "[V];(t2vA{[V]}A|t0v|t1 8|t5 4)",
};
enum { ROWS = sizeof rows / sizeof *rows, NAMES = 26 };

typedef struct parser {
    const testcase *t;
    form *f;
    const char *again;               /* the ';' */
    size_t at, end;                  /* end: of the body around */
    size_t unit;                     /* where the unit around begins */
    size_t back, back_end;           /* before the last '>' */
    uint32_t up, last, depth, lists; /* last: the list or body that ended last */
    bool is_full, is_quiet;
    form_number names[NAMES];
} parser;

/* ---- Numbers ---- */

static const char digits[] = "0123456789ABCDEF";

static uint64_t digit_of(uint64_t c) {
    const char *digit = c > 0 && c < 0x80 ? strchr(digits, toupper((int)c)) : NULL;
    return digit != NULL ? (uint64_t)(digit - digits) : UINT64_MAX;
}

static uint64_t base_of(const form_number *n) {
    return n->code == 'd' ? 10 : n->code == 'h' ? 16 : 8;
}

/* Read digits; between and behind those of a fixed count may be blanks and zeros. */
static bool read_digits(const testcase *t, size_t end, form_number *n) {
    enum { DIGITS_MAX = 15 };
    const size_t most = smaller(n->first > 0 ? n->first : DIGITS_MAX, end - n->at);
    for (n->width = 0; n->width < most; n->width++) {
        const uint64_t c = testcase_rank(t, n->at + n->width), digit = digit_of(c);
        if (digit < base_of(n))
            n->value = base_of(n) * n->value + digit;
        else if (n->first == 0)
            return n->width > 0;
        else if (c != ' ' && c != 0)
            return false;
    }
    return n->width > 0 && n->width == n->first;
}

/* Read a number of 7 bits a byte. */
static bool read_sevens(const testcase *t, size_t end, form_number *n) {
    enum { WIDTH_MAX = 5 };
    while (n->width < WIDTH_MAX && n->at + n->width < end) {
        const uint64_t byte = testcase_rank(t, n->at + n->width), seven = byte & 0x7f;
        n->value = n->code == 'm' ? n->value << 7 | seven : n->value | seven << 7 * n->width;
        n->width++;
        if (byte < 0x80) return true;
    }
    return false;
}

/* The first byte of a long length of DER has the count of those that follow; a head of CBOR that of
 * their bits of 8, 16 and so on. */
enum { DER_LONG = 0x80, CBOR_LONG = 24, CBOR_BITS = 0x1f };

static size_t more_bytes(const form_number *n, uint64_t byte) {
    if (n->code == 'D') return byte < DER_LONG ? 0 : byte - DER_LONG;
    byte &= CBOR_BITS;
    return byte < CBOR_LONG ? 0 : byte < CBOR_LONG + 4 ? (size_t)1 << (byte - CBOR_LONG) : NAMES;
}

static bool read_number(const testcase *t, size_t end, form_number *n) {
    const uint64_t byte = n->at < end ? testcase_rank(t, n->at) : 0;
    size_t from = 0;
    n->value = n->width = 0;
    if (n->at >= end) return false;
    if (strchr("dho", n->code) != NULL) return read_digits(t, end, n);
    if (strchr("vm", n->code) != NULL) return read_sevens(t, end, n);
    if (n->code == 't') return read_sevens(t, end, n) && n->value % 8 == n->first && n->value > 7;
    if (n->code == 'r') {
        n->width = 1;
        n->value = byte - n->first;
        return byte >= n->first && byte <= n->last;
    }
    if (strchr("bl", n->code) != NULL) {
        n->width = n->first;
    } else {
        if (n->code == 'c' && byte >> 5 != n->first) return false;
        from = more_bytes(n, byte) > 0;
        n->width = (uint8_t)smaller(1 + more_bytes(n, byte), NAMES);
        if (n->code == 'c' && from == 0) {
            n->value = byte & CBOR_BITS;
            return true;
        }
    }
    if (n->width > end - n->at || n->width - from > sizeof n->value) return false;
    for (size_t i = from; i < n->width; i++)
        n->value |= testcase_rank(t, n->at + i) << 8 * (n->code == 'l' ? i : n->width - 1 - i);
    return true;
}

/* Write a number of bytes that it needs, at `out`; of DER if `prefix`. */
static size_t write_short(const form_number *n, uint64_t to, uint8_t *out) {
    const bool is_der = n->code == 'D';
    size_t width = (size_t)(bits(to | 1) + 6) / 7;
    if (is_der) width = to < DER_LONG ? 1 : 1 + (size_t)(bits(to) + 7) / 8;
    for (size_t i = 0; i < width; i++) {
        const size_t place = n->code == 'v' ? i : width - 1 - i;
        out[i] = (uint8_t)(is_der ? to >> 8 * smaller(place, 7)
                                  : (to >> 7 * place & 0x7f) | (i + 1 < width ? 0x80 : 0));
    }
    if (is_der && width > 1) out[0] = (uint8_t)(DER_LONG + width - 1);
    return width;
}

/* Write a number as many digits, from the last one on; false if there are too few. */
static bool write_digits(const form_number *n, uint64_t to, uint8_t *out) {
    for (size_t i = n->width; i > 0; i--) {
        if (digit_of(out[i - 1]) >= base_of(n)) continue;
        out[i - 1] = (uint8_t)digits[to % base_of(n)];
        to /= base_of(n);
    }
    return to == 0;
}

bool form_set(const testcase *t, const form_number *n, uint64_t to, patch *edits) {
    uint8_t out[NAMES];
    size_t width = n->width, zeros = 0;
    if (to > n->value || width > sizeof out || n->code == 'o' || n->code == 't') return false;
    for (size_t i = 0; i < width; i++) out[i] = (uint8_t)testcase_rank(t, n->at + i);
    if (strchr("dh", n->code) != NULL) {
        if (!write_digits(n, to, out)) return false;
        while (n->first == 0 && zeros + 1 < width && out[zeros] == '0') zeros++;
        memmove(out, out + zeros, width -= zeros);
    } else if (strchr("vmD", n->code) != NULL) {
        width = write_short(n, to, out);
        if (width > n->width) return false;
    } else if (n->code == 'r' || width == 1) {
        out[0] = (uint8_t)(n->code == 'b' || n->code == 'l' ? to : out[0] - (n->value - to));
    } else {
        for (size_t i = n->code == 'c'; i < width; i++)
            out[i] = (uint8_t)(to >> 8 * (n->code == 'l' ? i : width - 1 - i));
    }
    for (size_t i = 0; i < width; i++)
        if (out[i] != testcase_rank(t, n->at + i) && !patch_set(edits, n->at + i, out[i]))
            return false;
    return width == n->width || patch_delete(edits, n->at + width, n->width - width);
}

/* ---- Rows ---- */

static uint32_t add_node(parser *p, form_kind kind, const form_number *n) {
    form *f = p->f;
    p->is_full |= f->count == FORM_NODES;
    const bool is_kept = f->count < FORM_NODES && p->lists <= f->depth_max && !p->is_quiet;
    const uint32_t i = is_kept ? f->count++ : FORM_NODES;
    f->nodes[i] =
        (form_node){.start = (uint32_t)p->at, .up = p->up, .of = i, .kind = (uint8_t)kind};
    if (n != NULL) f->nodes[i].number = *n;
    return i;
}

static unsigned read_hex(const char **d) {
    const unsigned high = (unsigned)digit_of((uint8_t) * (*d)++);
    return 16 * high + (unsigned)digit_of((uint8_t) * (*d)++);
}

static size_t read_count(const char **d) {
    size_t count = 0;
    while (isdigit((unsigned char)**d)) count = 10 * count + (size_t)(*(*d)++ - '0');
    return count;
}

static form_number *take_name(parser *p, const char **d) {
    return isupper((unsigned char)**d) && **d != 'V' ? &p->names[*(*d)++ - 'A'] : NULL;
}

static bool begins(char c) { return c == '(' || c == '[' || c == '{'; }
static bool ends(char c) { return c == ')' || c == ']' || c == '}'; }

/* Return where a group ends that has begun, at its last sign; or its next '|'. */
static const char *group_end(const char *d, bool is_part) {
    for (size_t depth = 0;; d++) {
        if (depth == 0 && (ends(*d) || (is_part && *d == '|'))) return d;
        depth = depth + begins(*d) - ends(*d);
    }
}

static bool take_row(parser *p, const char *d);

/* A place to go back to. */
typedef struct mark {
    size_t at, end;
    uint32_t count;
} mark;

static mark mark_of(const parser *p) { return (mark){p->at, p->end, p->f->count}; }

static void go_back(parser *p, mark to) {
    p->at = to.at;
    p->end = to.end;
    p->f->count = to.count;
}

static bool take_choice(parser *p, const char **d) {
    const mark begin = mark_of(p);
    const char *end = group_end(*d, false);
    for (const char *part = *d;; part++) {
        if (take_row(p, part)) break;
        go_back(p, begin);
        part = group_end(part, true);
        if (part == end) return false;
    }
    *d = end + 1;
    return true;
}

/* Go behind a group; a node is added for padding that follows it, and before it. */
static uint32_t leave_group(parser *p, const char **d, form_number **name) {
    *d = group_end(*d, false) + 1;
    *name = take_name(p, d);
    return **d == '^' ? add_node(p, FORM_PADDING, NULL) : FORM_NODES;
}

static void take_padding(parser *p, const char **d, uint32_t padding) {
    form_node *n = &p->f->nodes[padding];
    if (**d != '^') return;
    *d += 1;
    const size_t multiple = read_count(d),
                 left = (multiple - (p->at - p->unit) % multiple) % multiple;
    n->multiple = (uint8_t)multiple;
    n->start = (uint32_t)p->at;
    p->at += smaller(left, p->end - p->at);
    n->end = (uint32_t)p->at;
}

static bool take_body(parser *p, const char **d) {
    const char *inner = *d;
    const size_t end = p->end;
    const uint32_t up = p->up;
    form_number *name;
    const uint32_t padding = leave_group(p, d, &name);
    const uint64_t size = name->value - (uint64_t)name->more;
    if (size > end - p->at) return false;
    const uint32_t body = add_node(p, FORM_BODY, name), count = p->f->count;
    form_node *b = &p->f->nodes[body];
    b->end = (uint32_t)(p->end = p->at + (size_t)size);
    p->up = body;
    if (*inner != '}' && !(take_row(p, inner) && p->at == p->end)) p->f->count = count;
    p->at = p->end;
    p->end = end;
    p->up = up;
    p->last = body;
    take_padding(p, d, padding);
    return true;
}

/* A part of a list of parts may hold what is described, or anything. */
static bool take_unit(parser *p, const char *inner, size_t part) {
    const mark begin = mark_of(p);
    const size_t around = p->unit;
    const uint32_t up = p->up, unit = add_node(p, FORM_UNIT, NULL), count = p->f->count;
    p->up = unit;
    p->unit = p->at;
    if (part > 0) p->end = p->at + part;
    bool fits = take_row(p, inner);
    if (part > 0) {
        if (p->at != p->end) p->f->count = count;
        p->at = p->end;
        fits = true;
    }
    p->end = begin.end;
    p->unit = around;
    p->up = up;
    p->f->nodes[unit].end = (uint32_t)p->at;
    if (!fits || p->at == begin.at) go_back(p, begin);
    return p->at > begin.at;
}

static bool take_list(parser *p, const char **d) {
    const char *inner = *d;
    form_number *name;
    const uint32_t padding = leave_group(p, d, &name), up = p->up;
    const uint64_t most = name != NULL ? name->value - (uint64_t)name->more : UINT64_MAX;
    const uint32_t list = add_node(p, FORM_LIST, name);
    const size_t rest = p->end - p->at;
    size_t part = 0;
    uint64_t members = 0;
    if (*inner == '/') {
        part = most > 0 ? rest / most : 0;
        if (part == 0 || (rest % most > 0 && **d != '^')) return false;
        inner++;
    }
    p->lists++;
    for (p->up = list; members < most && p->at < p->end && take_unit(p, inner, part);) members++;
    p->lists--;
    p->up = up;
    p->last = list;
    p->f->nodes[list].end = (uint32_t)p->at;
    p->f->nodes[list].members = (uint32_t)members;
    p->f->nodes[list].multiple = *inner == 'V' ? inner[1] == 'V' ? 2 : 1 : 0;
    take_padding(p, d, padding);
    return name == NULL || members == most;
}

/* Go to a place, whose number is read first, or to the last of some bytes. */
static bool take_jump(parser *p, const char **d) {
    p->back = p->at;
    p->back_end = p->end;
    p->at = (size_t)take_name(p, d)->value;
    p->end = p->t->count;
    return p->at <= p->end;
}

static bool take_bytes(parser *p, const char **d) {
    bool fits = true;
    while (isxdigit((unsigned char)**d) && !isupper((unsigned char)**d)) {
        const uint64_t byte = read_hex(d);
        fits = fits && p->at < p->end && testcase_rank(p->t, p->at) == byte;
        p->at++;
    }
    return fits;
}

static bool take_last(parser *p, const char **d) {
    enum { REACH = UINT16_MAX };
    const size_t least = p->end - smaller(p->end, REACH);
    const char *bytes = *d + 1;
    for (size_t at = p->end; at > least; at--) {
        p->at = at - 1;
        *d = bytes;
        if (take_bytes(p, d)) return true;
    }
    return false;
}

/* Skip a table of colours, of 2 or 4 up to 256, or none: as few as fit. */
static bool take_few(parser *p, const char *d) {
    enum { LEAST = 6, MOST = 768 };
    const mark begin = mark_of(p);
    for (size_t size = 0; size <= MOST && size <= begin.end - begin.at;
         size = larger(LEAST, 2 * size)) {
        go_back(p, begin);
        p->at += size;
        if (take_row(p, d) && p->at == p->end) return true;
    }
    return false;
}

static bool take_number(parser *p, const char **d, bool is_place) {
    form_number n = {.at = (uint32_t)p->at, .code = (uint8_t) * (*d)++};
    if (strchr("bldhoct", n.code) != NULL) n.first = (uint8_t)read_count(d);
    if (n.code == 'r') {
        n.first = (uint8_t)read_hex(d);
        *d += 1;
        n.last = (uint8_t)read_hex(d);
    }
    form_number *name = take_name(p, d);
    if (name != NULL && (**d == '+' || **d == '-')) {
        const bool is_less = *(*d)++ == '-';
        n.more = (int8_t)read_count(d);
        if (is_less) n.more = (int8_t)-n.more;
    }
    if (!read_number(p->t, p->end, &n)) return false;
    if (name != NULL) *name = n;
    if (is_place && n.value <= p->t->count) add_node(p, FORM_PLACE, &n);
    p->at += n.width;
    return true;
}

static bool take_again(parser *p) {
    if (p->depth == FORM_DEPTH) return false;
    p->depth++;
    const bool fits = take_row(p, p->again + 1);
    p->depth--;
    return fits;
}

/* Take what a sign says, which stands before *d. */
static bool take_sign(parser *p, char sign, const char **d) {
    switch (sign) {
    case ' ': return true;
    case '#': return take_bytes(p, d);
    case '$': return take_last(p, d);
    case '(': return take_choice(p, d);
    case '[': return take_list(p, d);
    case '{': return take_body(p, d);
    case '>': return take_jump(p, d);
    case '@': return take_number(p, d, true);
    case 'V': return take_again(p);
    case '.': p->at = p->end; return true;
    case '_': p->at += (size_t)smaller(take_name(p, d)->value, p->end); return true;
    case '<':
        p->at = p->back;
        p->end = p->back_end;
        return true;
    case '!':
        p->is_quiet = true;
        *d += 1;
        (void)take_list(p, d);
        p->is_quiet = false;
        return true;
    case '*': {
        const form_number *n = take_name(p, d);
        const form_node *of = &p->f->nodes[p->last];
        const uint64_t size = of->kind == FORM_LIST ? of->members : of->end - of->start;
        const bool fits = n->value - (uint64_t)n->more == size;
        p->f->nodes[add_node(p, FORM_COUNT, n)].of = p->last;
        return fits;
    }
    case 'z':
        while (p->at < p->end && testcase_rank(p->t, p->at) > 0) p->at++;
        p->at++;
        return true;
    default: break;
    }
    *d -= 1;
    if (!isdigit((unsigned char)sign)) return take_number(p, d, false);
    p->at += read_count(d);
    return true;
}

static bool take_row(parser *p, const char *d) {
    while (!ends(*d) && *d != '|' && *d != ';' && *d != '\0') {
        const char sign = *d++;
        if (sign == '~') return take_few(p, d);
        if (!take_sign(p, sign, &d) || p->at > p->end) return false;
    }
    return true;
}

/* True if what was found can hardly be there by chance: a row without bytes to begin with needs
 * units, and bodies that are a part of the file. */
static bool is_sure(const form *f, const char *row) {
    enum { SURE = 4, BODIES_SHARE = 8 };
    uint64_t units = 0, bodies = 0;
    for (uint32_t i = 1; i < f->count; i++) {
        const form_node *n = &f->nodes[i];
        units += n->kind == FORM_UNIT;
        if (n->kind == FORM_BODY) bodies += n->end - n->start;
    }
    if (strchr("#$(", *row) != NULL) return units > 0;
    return units >= SURE || (units > 0 && bodies >= f->nodes[0].end / BODIES_SHARE);
}

size_t form_ways(void) { return ROWS; }

bool form_read(const testcase *t, size_t way, form *f) {
    enum { MORE_MAX = 3 };
    const char *row = rows[way], *again = strchr(row, ';');
    if (t->width > 1 || t->count > UINT32_MAX / 2) return false;
    for (f->depth_max = FORM_DEPTH;; f->depth_max /= 2) {
        parser p = {.t = t, .f = f, .again = again, .end = t->count};
        f->count = 0;
        add_node(&p, FORM_UNIT, NULL);
        f->nodes[0].end = (uint32_t)t->count;
        if (!take_row(&p, row) || t->count - p.at > (*row == 'V' ? 0 : MORE_MAX)) return false;
        if (!p.is_full) return is_sure(f, row);
        if (f->depth_max == 1) return false;
    }
}

/* ---- Nodes ---- */

uint32_t form_find(const form *f, form_kind kind, size_t left) {
    for (uint32_t i = 1; i < f->count; i++) {
        const form_node *n = &f->nodes[i];
        const bool is_leaf = i + 1 == f->count || f->nodes[i + 1].up != i;
        if (n->kind == kind &&
            (kind == FORM_LIST ? n->members > 0 : is_leaf && n->end > n->start) && left-- == 0)
            return i;
    }
    return 0;
}

draw_row form_units(const form *f, uint32_t list, size_t from, size_t to) {
    draw_row row = {0};
    size_t member = 0;
    for (uint32_t i = list + 1; i < f->count && member < to; i++) {
        if (f->nodes[i].kind != FORM_UNIT || f->nodes[i].up != list) continue;
        if (member++ == from) row.start = f->nodes[i].start;
        row.end = f->nodes[i].end;
    }
    return row;
}

/* Return the bytes of a row that go. */
static uint64_t gone(const patch *edits, size_t start, size_t end) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < edits->count; i++) {
        const change *c = &edits->changes[i];
        if (c->kind != CHANGE_DELETE || c->first >= end || c->first + c->count <= start) continue;
        bytes += smaller(end, c->first + c->count) - larger(start, c->first);
    }
    return bytes;
}

/* True if a number goes, or was set. */
static bool is_touched(const patch *edits, const form_number *n) {
    for (size_t i = 0; i < edits->count; i++) {
        const change *c = &edits->changes[i];
        if (c->first < n->at + n->width && c->first + c->count > n->at) return true;
    }
    return n->width == 0;
}

/* What a place names ends where another one's begins. It stays if another place names it. */
static bool delete_target(const testcase *t, const form *f, uint32_t place, patch *edits) {
    const uint64_t at = f->nodes[place].number.value;
    uint64_t end = t->count;
    for (uint32_t i = 1; i < f->count; i++) {
        const form_node *n = &f->nodes[i];
        if (n->kind != FORM_PLACE) continue;
        if (n->number.value > at) end = smaller(end, n->number.value);
        if (n->number.value == at && !is_touched(edits, &n->number)) return true;
    }
    return gone(edits, at, end) > 0 || at == end || patch_delete(edits, at, end - at);
}

static uint64_t members_gone(const form *f, uint32_t list, const patch *edits) {
    uint64_t members = 0;
    if (gone(edits, f->nodes[list].start, f->nodes[list].end) == 0) return 0;
    for (uint32_t i = list + 1; i < f->count; i++) {
        const form_node *n = &f->nodes[i];
        if (n->kind == FORM_UNIT && n->up == list)
            members += gone(edits, n->start, n->end) == n->end - n->start;
    }
    return members;
}

/* Make padding what it was before a part of its unit went: more of it is of what would go, at the
 * end. */
static bool mend_padding(const form *f, const form_node *n, patch *edits) {
    const form_node *unit = &f->nodes[n->up];
    const uint64_t by = gone(edits, unit->start, n->start), old = n->end - n->start;
    if (by == 0 || gone(edits, unit->start, unit->end) == unit->end - unit->start) return true;
    const uint64_t size = (old + by) % n->multiple;
    if (size < old) return patch_delete(edits, n->start + size, old - size);
    for (size_t i = edits->count; size > old && i > 0; i--) {
        change *c = &edits->changes[i - 1];
        if (c->kind != CHANGE_DELETE || c->first >= n->start) continue;
        if (c->count <= size - old || c->first < unit->start) return false;
        c->count -= size - old;
        return true;
    }
    return size == old;
}

/* Return what a number loses; nothing where all goes that it is about. */
static uint64_t loss(const form *f, const form_node *n, const patch *edits) {
    const form_node *around = &f->nodes[n->up];
    if (n->kind != FORM_PLACE &&
        gone(edits, around->start, around->end) == around->end - around->start)
        return 0;
    if (n->kind == FORM_BODY) return gone(edits, n->start, n->end);
    if (n->kind == FORM_PLACE) return gone(edits, 0, n->number.value);
    const form_node *of = &f->nodes[n->of];
    return of->kind == FORM_BODY ? gone(edits, of->start, of->end) : members_gone(f, n->of, edits);
}

/* Inner numbers come first: one that gets shorter is a part of what outer ones measure; places are
 * last, as it may stand before them. */
bool form_mend(const testcase *t, const form *f, patch *edits) {
    const uint32_t last = f->count - 1;
    for (uint32_t i = 1; i <= last; i++)
        if (f->nodes[i].kind == FORM_PLACE && is_touched(edits, &f->nodes[i].number) &&
            !delete_target(t, f, i, edits))
            return false;
    for (uint32_t i = 2 * last; i > 0; i--) {
        const form_node *n = &f->nodes[(i - 1) % last + 1];
        if ((n->kind == FORM_PLACE) != (i <= last)) continue;
        if (n->kind == FORM_PADDING && !mend_padding(f, n, edits)) return false;
        const uint64_t by = is_touched(edits, &n->number) ? 0 : loss(f, n, edits);
        if (by > n->number.value ||
            (by > 0 && !form_set(t, &n->number, n->number.value - by, edits)))
            return false;
    }
    return true;
}
