/* form.c: formats of binary files as rows of a table, and the files that they fit.
 *
 * A row says which parts a file consists of, in their order. A part is one of these:
 *
 *     12  #4d5a       any 12 bytes; exactly the bytes 4d 5a
 *     b4  l2          a big-endian number of 4 bytes; a little-endian one of 2
 *     v  w  m  D  e   a number of as many bytes as it needs: LEB128, that of zigzag, of MIDI, a
 *     s4              length of DER, of EBML, which keeps its bytes; 7 bits in each of 4 bytes
 *     d10  h8  o12    digits of base 10, 16 or 8 (never changed: a check sum goes with it); d0: all
 *     c4  r80-8f  t2  the head of a value of CBOR; a byte of a range; a key of protocol buffers
 *     b4A+8           it is called A, and is 8 more than what it counts or measures
 *     @l4A  >A  <     the place of a byte; go to one, and back
 *     _A  {...}A^4    skip A bytes; the same as a body, which may hold this, padded to a multiple
 *     [...]A  [...]   A units, or as many as there are, also if A was not read; units of lists of
 *                     one A go together; [/]A: the rest in A parts
 *     *A              A counts or measures the last list or body, too
 *     (...|...)  V    the first that fits; what is behind the ';'
 *     'A  &b2A+1      a place that has a number of its own, from 0 on; a number that names it
 *     $#50  u#5041    go to the last of these bytes; up to the next of them, or to the end
 *     z  .            up to a zero; the rest
 *
 * A file may have up to three bytes more. Numbers of a unit may have a name of an outer one, which
 * has then been used. */
#include "form.h"

#include "bytes.h"
#include "pass.h"

#include <ctype.h>
#include <string.h>

/* Of a list of properties of macOS, by the bytes of a place and of a number. */
#define PROPERTIES(place, number)                                                                  \
    "$#0000000000000" place "0" number " b8N&b8X@b8O>O['X@b" place "P>P(r00-0f|#10 1|#11 2|"       \
    "(#12|#22)4|(#13|#23|#33)8|#80 1|#81 2|(r40-4eA|r50-5eA|(#4f|#5f)(#10 b1A|#11 b2A)){}A|"       \
    "(r60-6eA|#6f(#10 b1A|#11 b2A))[2]A|(ra0-aeA|#af(#10 b1A|#11 b2A))[&b" number "X]A|"           \
    "(rd0-deA|#df(#10 b1A|#11 b2A))[&b" number "X]A[&b" number "X]A)<]N."

/* Of a directory of any format, by what is before it and the order of bytes: each entry has the
 * place and the size of a part of the file, and maybe other numbers. Such a row begins with a
 * space, by which is_sure knows it. */
#define ENTRIES(o)                                                                                 \
    "([@" o "4B" o "4S>B{}S<]N|[" o "4S@" o "4B>B{}S<]N|[@" o "4B" o "4S 4>B{}S<]N|[@" o "4B" o    \
    "4S 8>B{}S<]N|[4@" o "4B" o "4S>B{}S<]N|[4" o "4S@" o "4B>B{}S<]N|[8@" o "4B" o "4S>B{}S<]N"   \
    "|[8@" o "4B" o "4S 4>B{}S<]N)."
#define DIRECTORIES(o)                                                                             \
    " 4" o "4N" ENTRIES(o), " 4" o "4N 4" ENTRIES(o), " 4" o "4N@" o "4P>P" ENTRIES(o),            \
        " 8" o "4N" ENTRIES(o), " 8" o "4N@" o "4P>P" ENTRIES(o)

static const char *const rows[] = {
    /* formats with a directory: indices of Git, ZIP, icons, fonts, ICC profiles, gettext, TIFF;
     * pages of SQLite */
    "#44495243 4 b4N[60 b2A-1{}A^8]N.",
    "$#504b0506 4 l2N l2M l4S@l4P>P{[#504b0102 24 l2A l2B l2C 8@l4L _A_B_C]N*M}S.",
    "#0000(#01|#02)#00 l2N[12@l4B]N.",
    "(#00010000|#4f54544f)b2N 6[8@b4B 4]N.",
    "#01666370 l4N[12@l4B]N.",
    "b4F+4{32#61637370 88 b4N[4@b4B 4]N.}F",
    "#de120495 4 l4N@l4O@l4T l4S@l4H>H[4]S>O[l4A@l4B>B{}A<]N>T[l4A@l4B>B{}A<]N.",
    "(#49492a00@l4P>P l2N[8@l4B]N|#4d4d002a@b4P>P b2N[8@b4B]N).",
    "#53514c69746520666f726d6174203300 12b4N>Z[/]N",
    /* pcapng, ar, also of tar, tar, cpio */
    "#0a0d0d0a l4A+12{}A l4B+12*B[4 l4A+12{}A l4B+12*B]",
    "#213c617263683e0a[48 d10A#600a{[V]}A^2];124o12A 376{}A^512",
    "[V];124o12A 376{}A^512",
    "[#3037303730(#31|#32)48 h8A 32 h8B 8{}B^4{}A^4].",
    /* RIFF, IFF, MP4, GIF, Matroska, JPEG, BMP, MIDI */
    "#52494646 l4A{4[V]}A;(#4c495354 l4A{4[V]}A^2|4 l4A{}A^2)",
    "#464f524d b4A{4[4 b4A{}A^2]}A",
    "[V];b4A+8(#7374737a{8b4N[4]N}A|#7374636f{4b4M[@b4P]N*M}A|#6d657461{4[V]}A|4{[V]}A)",
    "#47494638 6((#80|#90|#a0|#b0|#c0|#d0|#e0|#f0)8|(#81|#91|#a1|#b1|#c1|#d1|#e1|#f1)14|(#82|#92|#a"
    "2|#b2|#c2|#d2|#e2|#f2)26|(#83|#93|#a3|#b3|#c3|#d3|#e3|#f3)50|(#84|#94|#a4|#b4|#c4|#d4|#e4|#f4)"
    "98|(#85|#95|#a5|#b5|#c5|#d5|#e5|#f5)194|(#86|#96|#a6|#b6|#c6|#d6|#e6|#f6)386|(#87|#97|#a7|#b7|"
    "#c7|#d7|#e7|#f7)770|3)[V]#3b;(#21 1|#2c 8r00-7f 1)[r01-ffA-1{}A]#00",
    "#1a45dfa3 eA{}A[V];e(#01ffffffffffffff|eA{[V]}A)",
    "#ffd8[#ff(rc0-d9|rdb-fe)b2A+2{}A]#ffda.",
    "#424d l4F+6{4@l4P 4 l4W l4H(8 l4S>P{[/[/]W^4]H}S|>P[/[/]W^4]H)}F",
    "#4d546864 b4Z{2 b2N 2}Z[4 b4A{[mV]}A]N;(#ff 1 mA{}A|(#f0|#f7)mA{}A|(rc0-df|r00-7f)1|r80-ef 2)",
    "#664c6143[(r00-06|r80-86)b3A{}A][#ffu#fff8]",
    "#494433 3 s4A{[4 b4B 2{}B].}A[#ffu#fffb]",
    "[#4f676753 u#4f676753]",
    /* Avro, meshes, dBASE, time zones, terminals */
    "#4f626a01 wN[wA{}A wB{}B]N#00 16[wM wA{}A 16]",
    "80l4N[50]N",
    "(#03|#83|#8b|#30)3 l4N l2H l2R>H[_R]N",
    "#545a6966 16 b4A b4B b4C b4D b4E b4F[4]D[1]D[6]E[1]F[8]C[1]B[1]A"
    "(#545a6966 16 b4A b4B b4C b4D b4E b4F[8]D[1]D[6]E[1]F[12]C[1]B[1]A|).",
    "(#1a01 l2A l2B l2C l2D l2E{}A[1]B^2[2]C|#1e02 l2A l2B l2C l2D l2E{}A[1]B^2[4]C)[2]D{}E.",
    PROPERTIES("1", "1"),
    PROPERTIES("2", "1"),
    PROPERTIES("2", "2"),
    PROPERTIES("3", "2"),
    /* programs: Java, Python with its values, object files of ELF, Mach-O and Windows */
    "#cafebabe 4&b2P+1['P(#01 b2A{}A|(#03|#04)4|r05-06'P 8|(#07|#08|#10|#13|#14)&b2P+1|#0f 1&b2P+1|"
    "(r09-0c)&b2P+1&b2P+1|r11-12 2&b2P+1)]2&b2P+1&b2P+1 b2I[&b2P+1]I b2F[2&b2P+1&b2P+1 "
    "b2K[V]K]F b2M[2&b2P+1&b2P+1 b2K[V]K]M b2K[V]K;&b2P+1 b4A{(4 b4C{[(#12&b1P+1|"
    "(r13-14|rb2-b8|#bb|#bd|rc0-c1)&b2P+1|rb9-ba&b2P+1 2|#c5&b2P+1 1|(#10|r15-19|r36-3a|#a9|#bc)1|"
    "(#11|#84|r99-a8|rc6-c7)2|rc8-c9 4|r00-a9|rac-c3)]}C b2E[6&b2P+1]E b2K[&b2P+1 b4B{}B]K|"
    "b2N[&b2P+1 b2L[&b2P+1]L]N|b2N[&b2P+1&b2P+1&b2P+1 2]N|b2N[&b2P+1]N|&b2P+1)}A",
    "2#0d0a 12V;((#63|'R#e3)20VVVVVVVV 4VV|(#29|'R#a9)b1A[V]A|(#28|#5b|#3c|#3e|'R(#a8|#db|#bc|#be))"
    "l4A[V]A|(#7a|#5a|'R(#fa|#da))b1A{}A|(#73|#61|#41|#75|#74|'R(#f3|#e1|#c1|#f5|#f4))l4A{}A|"
    "#72&l4R|(#69|'R#e9)4|(#67|'R#e7)8|(#79|'R#f9)16|(#6c|'R#ec)l4A[2]A|(#4e|#54|#46|#2e|#53))",
    "#80 1[(#95l8A{[V]}A|V)];('R#94|#68&b1R|#6a&l4R|(#4b|#71)1|#4d 2|(#4a|#72)4|#47 8|(#8c|#43|#55|"
    "#8a)b1A{}A|(#42|#54|#58)l4A{}A|(#8d|#8e)l8A{}A|#63u#0a 1u#0a 1|r00-94)",
    "#7f454c460201 10(#0100|#0200|#0300)14@l8P@l8T 8l2M 2l2N&l2S>P[56]M>T['S4(#04000000 16@l8O l8A>"
    "O{[12&l4Y 8]}A<&l4S&l4S|(#02|#0b)#000000 16@l8O l8A>O{['Y 6&l2S 16]}A<&l4S&l4Y|#11000000 16@l8"
    "O l8A>O{4[&l4S]}A<&l4S&l4Y|#08000000 16@l8O 8&l4S&l4S|4 16@l8O l8A>O{}A<&l4S&l4S)16]N.",
    "#7f454c460101 10(#0100|#0200|#0300)10@l4P@l4T 8l2M 2l2N&l2S>P[32]M>T['S4((#04|#09)#000000 8@l4"
    "O l4A>O{[5&l3Y(4|)]}A<&l4S&l4S|(#02|#0b)#000000 8@l4O l4A>O{['Y 14&l2S]}A<&l4S&l4Y|#11000000 8"
    "@l4O l4A>O{4[&l4S]}A<&l4S&l4Y|#08000000 8@l4O 4&l4S&l4S|4 8@l4O l4A>O{}A<&l4S&l4S)8]N.",
    "#7f454c460201 10#0400 14@l8P 16 l2M 6>P[(#04000000 4@l8O 16 l8A>O{[l4N l4D 4{}N^4{}D^4]}A<"
    "16|8@l8O 16 l8A>O{}A<16)]M.",
    "#cffaedfe 12l4N l4S 8{[(#19000000 l4A+8{32@l8T l8F 8l4K 4[40 l8B@l4O 4@l4Q l4R 16>O{}B<>Q[8]R<"
    "]K>T{}F<}A|#02000000 l4A+8{@l4O l4B@l4Q l4R>O[16]B<>Q{}R<}A|4l4A+8{}A)]N}S.",
    "#6486l2N 4@l4Y l4B 4['S 16l4A@l4O@l4Q 4l2K 6>O{}A<>Q[4&l4X 2]K<]N>Y['X 12&l2S+1 4]B l4A+4{}A",
    /* WebAssembly, with its code */
    "#0061736d01000000[(#01vS{vN['T#60vA[1]AvA[1]A]N}S|#02vS{vN[vA{}AvA{}A(#00'F&vT|#01'U1(#00v|1"
    "vv)|#02(#00v|1vv)|#03'G2)]N}S|#03vS{vC['F&vT]C}S|#04vS{vN['U1(#00v|1vv)]N}S|#06vS{vN['G2[V]#"
    "0b]N}S|#07vS{vN[vA{}A(#00&vF|#01&vU|#03&vG|1v)]N}S|#08vS{&vF}S|#09vS{vN[(#00[V]#0b|(#01|#03)"
    "1|#02&vU[V]#0b 1)vA[&vF]A]N}S|#0avS{vD[vB{vA[v1]A[V]#0b}B]C*D}S|#0bvS{vN[(#00[V]#0b|#01|#02v"
    "[V]#0b)vA{}A]N}S|1vS{}S)];(r02-04v[V](#05[V]|)#0b|r0c-0dv|#0evA[v]Av|(#10|#12|#d2)&vF|(#11|#"
    "13)&vT&vU|#1cvA[1]A|r20-22v|r23-24&vG|r25-26&vU|r28-3evv|(r3f-42|#d0)v|#43 4|#44 8|#fc(r00-0"
    "7|(#08|#0a|#0c|#0e)vv|r09-11v)|#fd((r00-0b|r5c-5d)vv|r0c-0d 16|r15-22 1|r54-5bvv1|v)|(r00-01"
    "|#0f|r1a-1b|r45-c4|#d1))",
    /* texts: messages of HTTP, mail, LSP, Redis, EDIFACT and X12, netstrings; counted lines, as of
     * molecules; FASTQ; meshes */
    "[u#436f6e74656e742d4c656e6774683a 15(#20|)d0A(#0d u#0a0d0a 3{}A(#0d0a0d0a|)|u#0a0a 2{}A(#0a|)"
    ")]",
    "(#48545450|#504f5354|#505554)u#0d0a0d0a 4[h0A u#0d0a 2{}A#0d0a]",
    "[d0A#3a{}A#2c]",
    "[V];(#2a d0A#0d0a[V]A|#24 d0A#0d0a{}A#0d0a|(#2b|#2d|#3a)u#0d0a 2)",
    "([#40 u#0a 1u#0a 1#2b u#0a 1u#0a 1])",
    "#706c790a u#656c656d656e742076657274657820 15d0N u#656c656d656e74206661636520 13d0M "
    "u#656e645f686561646572 11['W u#0a 1]N[d0A[#20&d0W]A u#0a 1]M.",
    "(#554e41 6V|)#554e42 u#27 1V[#554e48 u#27 1V[(r41-54|r56-5a|#55(r41-4d|r4f-5a)|#554e(r41-53|"
    "r55-59))u#27 1V]#554e542b d0A+2*Au#27 1V]#554e5a2b d0B*B.;(#0d0a|#0a|)",
    "#495341 u#7e 1V[#4753 u#7e 1V[#5354 u#7e 1V[(r41-52|r54-5a|#53(r30-44|r46-5a))u#7e 1V]#53452"
    "a d0A+2*Au#7e 1V]#47452a d0B*Bu#7e 1V]#4945412a d0C*C.;(#0d0a|#0a|)",
    "d0N u#0a 1[u#0a 1]N",
    "[d0N u#0a 1u#0a 1[u#0a 1]N]",
    "([#63 u#0a 1])#7020 u#20 1d0M#20 d0N u#0a 1[u#0a 1]N",
    "#25254d u#0a 1[#25 u#0a 1]d0M#20 d0M#20 d0N u#0a 1[u#0a 1]N",
    "#4f46460a d0N#20 d0M u#0a 1['W u#0a 1]N[d0A[#20&d0W]A u#0a 1]M.",
    /* messages of the DNS; values within values: NBT, DER, DICOM, Erlang, PHP, Thrift, CBOR,
     * MessagePack, bencode, BSON, protocol buffers; directories */
    "4 b2A b2B b2C b2D[V4]A[V8 b2E{}E]B[V8 b2E{}E]C[V8 b2E{}E]D;[r01-3fN-1{}N](#00|rc0-ff 1)",
    "#0a b2A{}A[V]#00;(#0a b2A{}A[V]#00|#09 b2A{}A(#0a b4B[[V]#00]B|#08 b4B[b2C{}C]B|#01 b4B{}B|#02"
    " b4B[2]B|(#03|#05)b4B[4]B|(#04|#06)b4B[8]B|1 4)|#08 b2A{}A b2B{}B|#07 b2A{}A b4B{}B|#0b b2A{}A"
    " b4B[4]B|#0c b2A{}A b4B[8]B|#01 b2A{}A 1|#02 b2A{}A 2|(#03|#05)b2A{}A 4|(#04|#06)b2A{}A 8)",
    "V;1 DA{[V]}A",
    "128#4449434d[V];4(#5351 2l4A{[#feff00e0l4B{[V]}B]}A|(#4f(r42-57)|#554e|#5554)2l4A{}A|2l2A{}A)",
    "#83V;(#61 1|#62 4|#46 8|(#6b|#64)b2A{}A|(#77|#73)b1A{}A|#6d b4A{}A|#6c b4A[V]A V|#68 b1A[V]A|"
    "#74 b4A[VV]A|#6a|#6e b1A 1{}A)",
    "V;(#613a d0A#3a7b[VV]A#7d|#4f3a d0A#3a22{}A#223a d0A#3a7b[VV]A#7d|#733a d0A#3a22{}A#223b|"
    "(#62|#64|#69|#52|#72)#3a u#3b 1|#4e3b)",
    "[V]#00;(#0c 2[V]#00|#0b 2b4A{}A|(#0e|#0f)2(#0c b4A[[V]#00]A|#0b b4A[b4B{}B]A|#08 b4A[4]A|"
    "(#02|#03)b4A[1]A|#06 b4A[2]A|(#04|#0a)b4A[8]A)|#0d 2(#0b0b b4A[b4B{}Bb4B{}B]A|#0b08 b4A[b4B{}"
    "B4]A|#0b0c b4A[b4B{}B[V]#00]A|#080b b4A[4b4B{}B]A|#080c b4A[4[V]#00]A)|(#02|#03)3|#06 4|#08 6|"
    "(#04|#0a)10)",
    "V;(c2A{}A|c3A{}A|c4A[V]A|c5A[VV]A|c6V|c0|c1|c7)",
    "V;(r00-7f|re0-ff|rc0-c3|r80-8fA[VV]A|r90-9fA[V]A|ra0-bfA{}A|(#c4|#d9)b1A{}A|(#c5|#da)b2A{}A|(#"
    "c6|#db)b4A{}A|#c7 b1A 1{}A|#c8 b2A 1{}A|#c9 b4A 1{}A|#dc b2A[V]A|#dd b4A[V]A|#de b2A[VV]A|#df "
    "b4A[VV]A|(#cc|#d0)1|(#cd|#d1|#d4)2|#d5 3|(#ca|#ce|#d2)4|#d6 5|(#cb|#cf|#d3)8|#d7 9|#d8 17)",
    "V;(#69(#2d|)d0#65|#6c[V]#65|#64[VV]#65|d0A#3a{}A)",
    "l4A+4{[V]#00}A;(#01z8|#02z l4A{}A|(#03|#04)z l4A+4{[V]#00}A|#05z l4A 1{}A|#07z12|#08z1|"
    "(#09|#11|#12)z8|#0az|#10z4)",
    "[V];(t2vA{[V]}A|t0v|t1 8|t5 4)",
    DIRECTORIES("b"),
    DIRECTORIES("l"),
};
enum { ROWS = sizeof rows / sizeof *rows, ROW_SIZE = 1024 /* and more */, NAMES = 26 };

typedef struct parser {
    const testcase *t;
    form *f;
    const char *row, *again;         /* again: the ';' */
    uint16_t groups[2][ROW_SIZE];    /* of a place in the row: where they end; 0: unknown */
    size_t at, end;                  /* end: of the body around */
    size_t unit;                     /* where the unit around begins */
    size_t back, back_end;           /* before the last '>' */
    uint32_t up, last, depth, lists; /* last: the list or body that ended last */
    bool is_full;
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
    enum { WIDTH_MAX = 10 };
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
    if (n->code == 'e') return 8 - smaller(bits(byte), 8);
    byte &= CBOR_BITS;
    return byte < CBOR_LONG ? 0 : byte < CBOR_LONG + 4 ? (size_t)1 << (byte - CBOR_LONG) : NAMES;
}

/* Return the place of a byte's lowest bit in a number of a fixed width. */
static size_t place_of_byte(const form_number *n, size_t i) {
    return (n->code == 's' ? 7 : 8) * (n->code == 'l' ? i : n->width - 1 - i);
}

bool form_read_number(const testcase *t, size_t end, form_number *n) {
    const uint64_t byte = n->at < end ? testcase_rank(t, n->at) : 0;
    size_t from = 0;
    n->value = n->width = 0;
    if (n->at >= end) return false;
    if (strchr("dho", n->code) != NULL) return read_digits(t, end, n);
    if (strchr("vm", n->code) != NULL) return read_sevens(t, end, n);
    if (n->code == 'w') {
        const bool is_even = read_sevens(t, end, n) && n->value % 2 == 0;
        n->value /= 2;
        return is_even;
    }
    if (n->code == 't') return read_sevens(t, end, n) && n->value % 8 == n->first && n->value > 7;
    if (n->code == 'r') {
        n->width = 1;
        n->value = byte - n->first;
        return byte >= n->first && byte <= n->last;
    }
    if (strchr("bls", n->code) != NULL) {
        n->width = n->first;
    } else {
        if (n->code == 'c' && byte >> 5 != n->first) return false;
        from = n->code != 'e' && more_bytes(n, byte) > 0;
        n->width = (uint8_t)smaller(1 + more_bytes(n, byte), NAMES);
        if (n->code == 'c' && from == 0) {
            n->value = byte & CBOR_BITS;
            return true;
        }
    }
    if (n->width > end - n->at || n->width - from > sizeof n->value) return false;
    for (size_t i = from; i < n->width; i++)
        n->value |= testcase_rank(t, n->at + i) << place_of_byte(n, i);
    if (n->code == 'e') n->value &= ((uint64_t)1 << 7 * smaller(n->width, 8)) - 1;
    return true;
}

/* Write a number of bytes that it needs, at `out`; of DER if `prefix`. */
static size_t write_short(const form_number *n, uint64_t to, uint8_t *out) {
    const bool is_der = n->code == 'D';
    size_t width = (size_t)(bits(to | 1) + 6) / 7;
    if (is_der) width = to < DER_LONG ? 1 : 1 + (size_t)(bits(to) + 7) / 8;
    for (size_t i = 0; i < width; i++) {
        const size_t place = strchr("vw", n->code) != NULL ? i : width - 1 - i;
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
    const bool is_fixed = strchr("bls", n->code) != NULL;
    if ((to > n->value && !is_fixed) || width > sizeof out || n->code == 'o' || n->code == 't')
        return false;
    for (size_t i = 0; i < width; i++) out[i] = (uint8_t)testcase_rank(t, n->at + i);
    if (strchr("dh", n->code) != NULL) {
        if (!write_digits(n, to, out)) return false;
        while (n->first == 0 && zeros + 1 < width && out[zeros] == '0') zeros++;
        memmove(out, out + zeros, width -= zeros);
    } else if (strchr("vwmD", n->code) != NULL) {
        width = write_short(n, n->code == 'w' ? 2 * to : to, out);
        if (width > n->width) return false;
    } else if (n->code == 'r' || width == 1) {
        out[0] = (uint8_t)(n->code == 'b' || n->code == 'l' ? to : out[0] - (n->value - to));
    } else {
        for (size_t i = n->code == 'c'; i < width; i++)
            out[i] = (uint8_t)(to >> place_of_byte(n, i) & (n->code == 's' ? 0x7f : 0xff));
        if (n->code == 'e') out[0] |= (uint8_t)(0x80 >> (width - 1));
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
    const bool is_kept = p->lists <= f->depth_max || kind == FORM_MARK || kind == FORM_INDEX;
    const uint32_t i = is_kept && f->count < FORM_NODES ? f->count++ : FORM_NODES;
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
static const char *group_end(parser *p, const char *begin, bool is_part) {
    uint16_t *size = &p->groups[is_part][begin - p->row];
    const char *d = begin + *size;
    for (size_t depth = 0; *size == 0; d++) {
        if (depth == 0 && (ends(*d) || (is_part && *d == '|'))) break;
        depth = depth + begins(*d) - ends(*d);
    }
    *size = (uint16_t)(d - begin);
    return d;
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
    const char *end = group_end(p, *d, false);
    for (const char *part = *d;; part++) {
        if (take_row(p, part) && (end[1] != '}' || p->at == p->end)) break;
        go_back(p, begin);
        part = group_end(p, part, true);
        if (part == end) return false;
    }
    *d = end + 1;
    return true;
}

/* Go behind a group; a node is added for padding that follows it, and before it. */
static uint32_t leave_group(parser *p, const char **d, form_number **name) {
    *d = group_end(p, *d, false) + 1;
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
    if (name != NULL && name->width == 0) name = NULL;
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

/* Go to a place, whose number is read first. */
static bool take_jump(parser *p, const char **d) {
    p->back = p->at;
    p->back_end = p->end;
    p->at = (size_t)take_name(p, d)->value;
    p->end = p->t->count;
    return p->at <= p->end;
}

/* Bytes that a row names. */
typedef struct named_bytes {
    uint8_t bytes[24];
    size_t count;
} named_bytes;

static named_bytes read_bytes(const char **d) {
    named_bytes n = {.count = 0};
    while (isxdigit((unsigned char)**d) && !isupper((unsigned char)**d))
        n.bytes[n.count++] = (uint8_t)read_hex(d);
    return n;
}

/* Go behind the bytes at a place; false if others are there. */
static bool take_bytes(parser *p, size_t at, const named_bytes *n) {
    if (at > p->end || n->count > p->end - at) return false;
    for (size_t i = 0; i < n->count; i++)
        if (testcase_rank(p->t, at + i) != n->bytes[i]) return false;
    p->at = at + n->count;
    return true;
}

static bool take_last(parser *p, const named_bytes *n) {
    enum { REACH = UINT16_MAX };
    const size_t least = p->end - smaller(p->end, REACH);
    for (size_t at = p->end; at > least; at--)
        if (take_bytes(p, at - 1, n)) return true;
    return false;
}

static void take_next(parser *p, const named_bytes *n) {
    size_t at = p->at;
    while (at < p->end && !take_bytes(p, at, n)) at++;
    p->at = at;
}

/* Take a number; of kind FORM_BODY, it is not more than that. */
static bool take_number(parser *p, const char **d, form_kind kind) {
    form_number n = {.at = (uint32_t)p->at, .code = (uint8_t) * (*d)++};
    if (strchr("blsdhoct", n.code) != NULL) n.first = (uint8_t)read_count(d);
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
    if (!form_read_number(p->t, p->end, &n)) return false;
    if (name != NULL) *name = n;
    if (kind == FORM_PLACE && n.value <= p->t->count) add_node(p, kind, &n);
    if (kind == FORM_INDEX) p->f->nodes[add_node(p, kind, &n)].of = (uint32_t)(name - p->names);
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
    named_bytes bytes = {.count = 0};
    if (sign == '$' || sign == 'u') *d += 1; /* the '#' */
    if (strchr("#$u", sign) != NULL) bytes = read_bytes(d);
    switch (sign) {
    case ' ': return true;
    case '#': return take_bytes(p, p->at, &bytes);
    case '$': return take_last(p, &bytes);
    case '(': return take_choice(p, d);
    case '[': return take_list(p, d);
    case '{': return take_body(p, d);
    case '>': return take_jump(p, d);
    case '@': return take_number(p, d, FORM_PLACE);
    case '&': return take_number(p, d, FORM_INDEX);
    case '\'': {
        const uint32_t i = add_node(p, FORM_MARK, NULL);
        p->f->nodes[i].of = (uint32_t)(take_name(p, d) - p->names);
        p->f->nodes[p->f->nodes[p->up].up].has_marks = true;
        return true;
    }
    case 'u': take_next(p, &bytes); return true;
    case 'V': return take_again(p);
    case '.': p->at = p->end; return true;
    case '_': p->at += (size_t)smaller(take_name(p, d)->value, p->end); return true;
    case '<':
        p->at = p->back;
        p->end = p->back_end;
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
    if (!isdigit((unsigned char)sign)) return take_number(p, d, FORM_BODY);
    p->at += read_count(d);
    return true;
}

static bool take_row(parser *p, const char *d) {
    while (!ends(*d) && *d != '|' && *d != ';' && *d != '\0') {
        const char sign = *d++;
        if (!take_sign(p, sign, &d) || p->at > p->end) return false;
    }
    return true;
}

/* True if what was found can hardly be there by chance: a row without bytes to begin with needs
 * many units, or some and bodies that are a part of the file; a directory needs such bodies. */
static bool is_sure(const form *f, const char *row) {
    enum { SURE = 4, BODIES_SHARE = 8 };
    uint64_t units = 0, bodies = 0;
    for (uint32_t i = 1; i < f->count; i++) {
        const form_node *n = &f->nodes[i];
        units += n->kind == FORM_UNIT;
        if (n->kind == FORM_BODY) bodies += n->end - n->start;
    }
    if (strchr("#$(d", *row) != NULL) return units > 0;
    return (units >= SURE && *row != ' ') ||
           (units > 0 && bodies >= f->nodes[0].end / BODIES_SHARE);
}

size_t form_ways(void) { return ROWS; }

/* Let each number that names a mark have that one as `members`, or the last one before it. */
static void find_marks(form *f) {
    static uint32_t marks[FORM_NODES]; /* stacks may be small */
    for (uint32_t class = 0; class < NAMES; class ++) {
        uint32_t count = 0;
        for (uint32_t i = 1; i < f->count; i++)
            if (f->nodes[i].kind == FORM_MARK && f->nodes[i].of == class) marks[count++] = i;
        for (uint32_t i = 1; i < f->count && count > 0; i++) {
            form_node *n = &f->nodes[i];
            const uint64_t at = n->number.value - (uint64_t)n->number.more;
            if (n->kind != FORM_INDEX || n->of != class || at > count) continue;
            n->has_marks = at == count;
            n->members = marks[at - n->has_marks];
        }
    }
}

bool form_read(const testcase *t, size_t way, form *f) {
    enum { MORE_MAX = 3 };
    const char *row = rows[way], *again = strchr(row, ';');
    if (t->width > 1 || t->count > UINT32_MAX / 2) return false;
    for (f->depth_max = FORM_DEPTH;; f->depth_max /= 2) {
        parser p = {.t = t, .f = f, .row = row, .again = again, .end = t->count};
        f->count = 0;
        add_node(&p, FORM_UNIT, NULL);
        f->nodes[0].end = (uint32_t)t->count;
        if (!take_row(&p, row) || t->count - p.at > (*row == 'V' ? 0 : MORE_MAX)) return false;
        if (!p.is_full) find_marks(f);
        if (!p.is_full) return is_sure(f, row);
        if (f->depth_max == 1) return false;
    }
}

/* ---- Nodes ---- */

uint32_t form_find(const form *f, form_kind kind, size_t left) {
    const uint32_t last = f->count - 1;
    for (uint32_t k = 0; k < 2 * last; k++) {
        const uint32_t i = k % last + 1;
        const form_node *n = &f->nodes[i];
        const bool is_leaf = i == last || f->nodes[i + 1].up != i;
        if (n->kind == kind && n->has_marks == (k >= last) &&
            (kind == FORM_LIST ? n->members > 0 : is_leaf && n->end > n->start) && left-- == 0)
            return i;
    }
    return 0;
}

/* Return a unit of a list, or 0 if it was left out. */
static uint32_t unit_of(const form *f, uint32_t list, size_t member) {
    for (uint32_t i = list + 1; i < f->count; i++)
        if (f->nodes[i].kind == FORM_UNIT && f->nodes[i].up == list && member-- == 0) return i;
    return 0;
}

/* True if a node is a list, or one of the same count. */
static bool is_alike(const form *f, uint32_t i, uint32_t list) {
    const form_node *n = &f->nodes[i], *l = &f->nodes[list];
    const bool is_counted = n->number.width > 0 && l->number.width > 0;
    return i == list || (n->kind == FORM_LIST && is_counted && n->number.at == l->number.at);
}

bool form_delete(const form *f, uint32_t list, size_t from, size_t to, patch *edits) {
    for (uint32_t i = 1; i < f->count; i++) {
        if (!is_alike(f, i, list)) continue;
        const uint32_t first = unit_of(f, i, from), last = unit_of(f, i, to - 1);
        const size_t start = f->nodes[first].start;
        if (first == 0 || last == 0 || !patch_delete(edits, start, f->nodes[last].end - start))
            return false;
    }
    return true;
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

/* True if a mark of a unit is named. */
static bool is_named(const form *f, uint32_t unit, const uint32_t *uses) {
    bool is = false;
    for (uint32_t i = unit + 1; i < f->count && f->nodes[i].up >= unit; i++)
        is = is || (f->nodes[i].kind == FORM_MARK && uses[i] > 0);
    return is;
}

/* Numbers of what goes name nothing any more. */
static void forget_uses(const form *f, uint32_t list, size_t member, uint32_t *uses) {
    for (uint32_t k = 1; k < f->count; k++) {
        if (!is_alike(f, k, list)) continue;
        const uint32_t unit = unit_of(f, k, member);
        for (uint32_t i = unit + 1; i < f->count && f->nodes[i].up >= unit; i++)
            if (f->nodes[i].kind == FORM_INDEX) uses[f->nodes[i].members]--;
    }
}

bool form_collect(const form *f, uint32_t list, patch *edits) {
    static uint32_t uses[FORM_NODES + 1]; /* stacks may be small */
    size_t before;
    memset(uses, 0, sizeof uses);
    for (uint32_t i = 1; i < f->count; i++)
        if (f->nodes[i].kind == FORM_INDEX) uses[f->nodes[i].members]++;
    do {
        before = edits->count;
        size_t member = 0;
        for (uint32_t i = list + 1; i < f->count; i++) {
            const form_node *n = &f->nodes[i];
            if (n->kind != FORM_UNIT || n->up != list) continue;
            member++;
            if (gone(edits, n->start, n->end) > 0 || is_named(f, i, uses)) continue;
            if (!form_delete(f, list, member - 1, member, edits)) return false;
            forget_uses(f, list, member - 1, uses);
        }
    } while (edits->count > before);
    return edits->count > 0;
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

enum { MARK_GOES = 1 << 30 };

/* For each mark, count those of its class that go before it. */
static void count_marks_gone(const form *f, const patch *edits, uint32_t *before) {
    uint32_t counts[NAMES] = {0};
    for (uint32_t i = 1; i < f->count; i++) {
        const form_node *n = &f->nodes[i];
        if (n->kind != FORM_MARK) continue;
        const bool goes = gone(edits, n->start, n->start + 1) > 0;
        before[i] = counts[n->of] | (goes ? MARK_GOES : 0);
        counts[n->of] += goes;
    }
}

/* Return the new number of a mark: of one that goes, that of the nearest before or behind it that
 * begins with the same byte, or 0. */
static uint64_t index_after(const testcase *t, const form *f, const form_node *n,
                            const uint32_t *before) {
    const uint32_t named = n->members, lost = before[named] % MARK_GOES;
    const uint64_t value = n->number.value;
    if (named == 0) return value;
    if (n->has_marks || lost == before[named]) return value - lost - (lost != before[named]);
    for (uint32_t step = UINT32_MAX; step != 3; step += 2) {
        uint64_t to = value;
        for (uint32_t i = named + step; i > 0 && i < f->count; i += step) {
            const form_node *m = &f->nodes[i];
            if (m->kind != FORM_MARK || m->of != n->of) continue;
            to += step == 1 ? 1 : UINT64_MAX;
            if (before[i] < MARK_GOES &&
                testcase_rank(t, m->start) == testcase_rank(t, f->nodes[named].start))
                return to - before[i];
        }
    }
    return 0;
}

/* Return what a number loses; nothing where all goes that it is about. */
static uint64_t loss(const form *f, const form_node *n, const patch *edits) {
    const form_node *around = &f->nodes[n->up];
    if (n->kind != FORM_PLACE &&
        gone(edits, around->start, around->end) == around->end - around->start)
        return 0;
    if (n->kind == FORM_PLACE) return gone(edits, 0, n->number.value);
    const form_node *of = &f->nodes[n->of];
    return of->kind == FORM_BODY ? gone(edits, of->start, of->end) : members_gone(f, n->of, edits);
}

/* Inner numbers come first: one that gets shorter is a part of what outer ones measure; places are
 * last, as it may stand before them. */
bool form_mend(const testcase *t, const form *f, patch *edits) {
    static uint32_t before[FORM_NODES + 1]; /* stacks may be small */
    const uint32_t last = f->count - 1;
    for (uint32_t i = 1; i <= last; i++)
        if (f->nodes[i].kind == FORM_PLACE && is_touched(edits, &f->nodes[i].number) &&
            !delete_target(t, f, i, edits))
            return false;
    count_marks_gone(f, edits, before);
    for (uint32_t i = 2 * last; i > 0; i--) {
        const form_node *n = &f->nodes[(i - 1) % last + 1];
        if ((n->kind == FORM_PLACE) != (i <= last)) continue;
        if (n->kind == FORM_PADDING && !mend_padding(f, n, edits)) return false;
        if (is_touched(edits, &n->number)) continue;
        const uint64_t value = n->number.value, to = n->kind == FORM_INDEX
                                                         ? index_after(t, f, n, before)
                                                         : value - loss(f, n, edits);
        if (n->kind != FORM_INDEX && to > value) return false;
        if (to != value && !form_set(t, &n->number, to, edits)) return false;
    }
    return true;
}
