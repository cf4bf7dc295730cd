/**
 * The draws of DRAWS.md, by their names there.
 *
 * Each draw takes bytes of the entropy in order, and returns its value. `_bounded` and its like
 * take numbers; `_done` makes them drawn, and tells the report, if a driver wants that. A draw
 * that runs out takes none. Where a driver gives choices in place of bytes, `_begin` writes the
 * bytes of the next choice under the bounds of this draw (encode.mjs), and the draw takes them as
 * any others. SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';

import * as code from './encode.mjs';

const BYTES = 0, BOOL = 1, UINT = 2, INT = 3, INDEX = 4, WEIGHTED = 5, F64 = 6, CHANCE = 7;
const MORE = 8, LETTER = 9, MIXED_UINT = 10, MIXED_INT = 11, REAL = 12, REAL_RANGE = 13;
const SUBSET = 14, DATE = 15, SAY = 253, STEP = 254, NOTE = 255;
const U64_MAX = 2n ** 64n - 1n, DAYS = 3652059, FIRST_DAY = 730119, DAY_MS = 86400000;
const DAY_0 = Date.UTC(2000, 0, 1);
const FIRST = new Date('0001-01-01'), LAST = new Date('9999-12-31T23:59:59.999Z');

export const LOWER = 'abcdefghijklmnopqrstuvwxyz', DIGITS = '0123456789';
export const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
export const PRINTABLE = ALNUM + ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

export class OutOfEntropy extends Error {} // the test is over, and has passed
OutOfEntropy.prototype.name = 'OutOfEntropy';
const ANY = 'All promises were rejected'; // says Promise.any, for which one would do
/** True if an error is the end of the entropy, or made of it, as those of node:assert are. */
export const isEnd = (error) => error instanceof OutOfEntropy ||
    (error instanceof Error && (isEnd(error.cause) || isEnd(error.actual))) ||
    (error instanceof AggregateError && error.errors.some(isEnd) &&
     (error.message === ANY || error.errors.every(isEnd)));

const {allSettled} = Promise;
/** As ever, but it does not keep the end of a run from the test. */
Promise.allSettled = async function(promises) {
  const all = await allSettled.call(this, promises), ended = all.find((one) => isEnd(one.reason));
  if (ended) throw ended.reason;
  return all;
};

const outOfEntropy = new OutOfEntropy('the entropy has run out'); // a new one takes microseconds
const ENDS_MAX = 100000; // of a run that goes on, and so may never end

/** End: the program was called in vain. Drivers know such a line. */
export function refuse(line) {
  fs.writeSync(2, `frng: usage: ${line}\n`);
  process.removeAllListeners('exit'); // or it is explained as a failure
  process.exit(2);
}

/** The decisions of a test, drawn from the bytes from `first` to `end`. */
export class Draws {
  exhausted = false; // a draw has failed
  _ends = 0;         // of which the test was told
  constructor(bytes, first = 0, end = bytes.length) {
    this._bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    this._first = this._start = this._at = first; // the draw in progress: from _start to _at
    this._end = end;
    this._count = 0;           // draws made
    this._report = undefined;  // hears of the draws
    this._choices = undefined; // in place of bytes
    this._mark = undefined;    // hears of labels and measures
  }
  get used() { return this._start - this._first; } // bytes drawn, without those of a failed draw
  get left() { return this._end - this._start; }   // bytes not yet drawn
  _take(count) {
    if (count <= this._end - this._at) return (this._at += count) - count;
    return this._runOut();
  }
  _runOut() {
    this._at = this._end = this._start;
    this.exhausted = true;
    if (++this._ends === ENDS_MAX) // once: in vitest process.exit throws, too
      refuse('a test goes on after its end: its catch is to throw frng.OutOfEntropy on');
    throw outOfEntropy;
  }
  /** Write the bytes of the next choice. */
  _begin(kind, width, min, max, weights) {
    const written = this._choices.encode(this, kind, width, BigInt(min), BigInt(max), weights);
    if (written === undefined) {
      this._choices.ranOut();
      this._runOut();
    }
    this._bytes.set(written, this._start);
    this._end = Math.max(this._end, this._start + written.length);
  }
  /** 0..max by Lemire's multiplication. Doubles are exact enough for its high half of 32 bits. */
  _bounded(width, max) {
    const span = 2 ** (8 * width), n = max + 1;
    for (;;) {
      const x = this._bytes.readUIntLE(this._take(width), width);
      if (n === span) return x;
      const low = (Math.imul(x, n) >>> 0) % span;
      if (low >= n || low >= span % n) return Math.round((x * n - low) / span);
    }
  }
  _wide(max) {
    const n = max + 1n;
    for (;;) {
      const x = this._bytes.readBigUInt64LE(this._take(8));
      if (max === U64_MAX) return x;
      const low = (x * n) & U64_MAX;
      if (low >= n || low >= (U64_MAX - max) % n) return (x * n) >> 64n;
    }
  }
  /** A BigInt of 0..max, from the fewest bytes that hold it. */
  _fitting(max) {
    const width = code.fit(max);
    return width < 8 ? BigInt(this._bounded(width, Number(max))) : this._wide(max);
  }
  /** A number of exactly so many bits, and at most `max`. */
  _ofBits(bits, max) {
    const least = bits > 0 ? 1n << BigInt(bits - 1) : 0n, span = code.spanOfBits(least, max);
    return span > 0n ? least + this._fitting(span) : least;
  }
  _position(kind, width, max, weights) {
    if (!Number.isSafeInteger(max) || max < 0) throw new RangeError(`${max + 1} to draw from`);
    if (this._choices) this._begin(kind, width, 0, max, weights);
    return width < 8 ? this._bounded(width, max) : Number(this._wide(BigInt(max)));
  }
  _done(kind, width, min, max, value, index = 0) {
    this._count++;
    this._report?.add(this, kind, width, [min, max, value, index]);
    this._start = this._at;
    return value;
  }

  // ---- Bytes, coins, one of several ----

  /** The next `count` bytes. */
  bytes(count) {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} bytes`);
    if (this._choices) this._begin(BYTES, 1, 0, count);
    const bytes = new Uint8Array(this._bytes.subarray(this._take(count), this._at));
    this._done(BYTES, 1, 0, count, 0);
    return bytes;
  }
  /** A coin: the lowest bit of one byte. */
  bool() {
    if (this._choices) this._begin(BOOL, 1, 0, 1);
    return this._done(BOOL, 1, 0, 1, this._bounded(1, 255) % 2) === 1;
  }
  index(count) { // 0..count-1, from 8 bytes
    return this._done(INDEX, 8, 0, count - 1, this._position(INDEX, 8, count - 1));
  }
  /** An element of a list, from the fewest bytes that hold its index. */
  pick(list) {
    const max = list.length - 1, width = code.fit(max);
    return list[this._done(INDEX, width, 0, max, this._position(INDEX, width, max))];
  }
  /** An index in proportion to its weight, a whole number; never one with weight 0. 8 bytes. */
  weighted(weights) { return this._weighted(8, weights); }
  /** The same from the fewest bytes that hold the sum: 1 for a sum of up to 256. */
  pickWeighted(weights) { return this._weighted(0, weights); }
  _weighted(atLeast, weights) {
    const sum = weights.every((w) => w >>> 0 === w) ? weights.reduce((a, b) => a + b, 0) : 0;
    const width = atLeast || code.fit(sum - 1);
    const number = this._position(WEIGHTED, width, sum - 1, weights);
    let rest = number, index = 0, shown = 0;
    while (rest >= weights[index]) rest -= weights[index++];
    if (this._choices)
      shown = BigInt(index + 1) | BigInt(weights.findLastIndex((w) => w > 0) + 1) << 32n;
    this._done(WEIGHTED, width, 0, sum - 1, number, shown);
    return index;
  }
  /** Weights of 1..100. Drawn once, they make each test favour others: swarm testing. */
  swarmWeights(count) { return Array.from({length: count}, () => this.u32(1, 100)); }
  /** Weights of 0, 1, 2, 4 or 8, 1 byte each, for pickWeighted: some variants are off. */
  swarm(count) {
    const weights = Array.from({length: count}, () => [1, 0, 0, 0, 1, 2, 4, 8][this.u8(0, 7)]);
    return weights.some((w) => w > 0) ? weights : weights.fill(1);
  }
  /** Some of up to 64 elements, in their order. 1, 2, 4 or 8 bytes. */
  subset(list) {
    if (!(list.length >= 1 && list.length <= 64)) throw new RangeError(`${list.length} of subset`);
    const all = (1n << BigInt(list.length)) - 1n, width = code.fit(all);
    if (this._choices) this._begin(SUBSET, width, 0, all);
    const number =
        width < 8 ? BigInt(this._bounded(width, 2 ** (8 * width) - 1)) : this._wide(U64_MAX);
    const mask = this._done(SUBSET, width, 0, all, number & all);
    return Array.from(list).filter((_, i) => (mask >> BigInt(i) & 1n) === 1n);
  }
  /** The elements in any order, as a new list: each is a pick of those left. */
  permutation(list) {
    const left = Array.from(list), order = [];
    while (left.length > 1) order.push(...left.splice(this.pick(left.map((_, i) => i)), 1));
    return order.concat(left);
  }
  /** Shuffle a list in place, and return it. Zeros leave the order alone. 8 bytes an element. */
  shuffle(list) {
    for (let i = 0; i + 1 < list.length; i++) {
      const j = i + this.index(list.length - i);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }
  /** True with the chance n / d, from 4 bytes. */
  chance(n, d) {
    if (n >>> 0 !== n || d >>> 0 !== d || n > d || d === 0) throw new RangeError(`odds ${n}/${d}`);
    if (this._choices) this._begin(CHANCE, 4, n, d);
    return this._done(CHANCE, 4, n, d, this._bounded(4, d - 1) < n ? 1 : 0) === 1;
  }

  // ---- Doubles ----

  /** A multiple of 2^-53 in [0, 1), from 8 bytes. */
  f64() {
    if (this._choices) this._begin(F64, 8, 0, U64_MAX);
    return Number(this._done(F64, 8, 0, U64_MAX, this._wide(U64_MAX)) >> 11n) / 2 ** 53;
  }
  /** Any double: a whole number, a fraction, one near a power of two, or any bits. 1 to 9 bytes. */
  f64Any() {
    if (this._choices) this._begin(REAL, 8, 0, 0);
    const head = this._bounded(1, 255);
    let bits;
    if (head < 64) {
      bits = code.bitsOf(Number(code.whole(this._ofBits(head % 55, 2n ** 54n - 1n))));
    } else if (head < 128) {
      const number = Number(code.whole(this._ofBits(head % 32 + 1, 2n ** 32n - 1n)));
      bits = code.bitsOf(number / 2 ** (this._bounded(1, 255) % 16 + 1));
    } else {
      bits = this._wide(U64_MAX);
      if (head < 192) bits = code.near(bits);
    }
    return code.doubleOf(this._done(REAL, 8, 0, 0, bits));
  }
  /** A double of min..max, uniform in ulps of the larger bound. 8 bytes. */
  f64Range(min, max) {
    if (!(min <= max && Number.isFinite(min) && Number.isFinite(max)))
      throw new RangeError(`f64Range(${min}, ${max})`);
    const low = code.bitsOf(min), high = code.bitsOf(max);
    if (this._choices) this._begin(REAL_RANGE, 8, low, high);
    const [exponent, least, most] = code.grid(min, max);
    const unit = code.zigzag(least, most, this._wide(most - least));
    const value = Math.min(Math.max(Number(unit) * code.power(exponent), min), max);
    this._done(REAL_RANGE, 8, low, high, code.bitsOf(value));
    return value;
  }

  // ---- Lists and strings that end by themselves; days ----

  /** 0, the end, or one of the letters, from 1 on. */
  _next(kind, letters, codeOf, count, min, max) {
    if (!(count >= 0 && min >= 0 && min <= max)) throw new RangeError(`list of ${min}..${max}`);
    if (!(letters >= 1 && letters <= 32768)) throw new RangeError(`${letters} letters`);
    const mean = Math.min(max > min ? Math.floor((max - min) / 2) + 1 : 16, 16);
    const width = letters <= 128 ? 1 : 2;
    const share = Math.floor(2 ** (8 * width) * mean / (letters * (mean + 1)));
    const end = Math.floor(share * letters / mean);
    const must = count >= max ? 1 : count < min ? 2 : 0; // end, or go on
    const how = end + share * 2 ** 16 + must * 2 ** 32;
    if (this._choices) this._begin(kind, width, how, letters);
    let drawn = -1;
    while (drawn < 0 || (must === 2 && drawn < end))
      drawn = this._bounded(width, end + share * letters - 1);
    const pick = must === 1 || drawn < end ? 0 : 1 + Math.floor((drawn - end) / share);
    this._done(kind, width, how, letters, pick + (pick > 0 ? codeOf(pick - 1) : 0) * 2 ** 32);
    return pick;
  }
  /** Is there one more element, after `count`? `for (let n = 0; f.more(n, 0, 10); n++) ...` */
  more(count, min, max) { return this._next(MORE, 1, () => 0, count, min, max) === 1; }
  /** Letters of an alphabet, the simplest one first in it: 1 byte each, and for the end. */
  string(alphabet = PRINTABLE, min = 0, max = min + 20) {
    const letters = typeof alphabet === 'string' ? Array.from(alphabet) : alphabet;
    const codeOf = (i) => letters[i] < '\x80' ? letters[i].charCodeAt(0) : 63;
    let text = '', count = 0;
    for (let pick; (pick = this._next(LETTER, letters.length, codeOf, count, min, max)) > 0;
         count++)
      text += letters[pick - 1];
    return text;
  }
  /** Midnight, in UTC, of any day of the years 1..9999, the simplest 2000-01-01; or of a day from
   *  `first` on up to `last`, the simplest `first`. From 4 bytes. */
  date(first, last) {
    const days = [first ?? FIRST, last ?? LAST].map((day) => Math.floor((day - DAY_0) / DAY_MS));
    const isAny = first === undefined && last === undefined, span = days[1] - days[0];
    const from = isAny ? 0 : (days[0] + DAYS) % DAYS;
    if (!(span >= 0 && first >= FIRST && last <= LAST) && !isAny)
      throw new RangeError(`date(${first}, ${last})`);
    if (this._choices) this._begin(DATE, 4, from, from + span);
    const day = this._done(DATE, 4, from, from + span, from + this._bounded(4, span));
    return new Date(DAY_0 + ((day + FIRST_DAY) % DAYS - FIRST_DAY) * DAY_MS);
  }

  // ---- What a test says of its run ----

  note(name) { // name the draws that follow
    this._report?.speak(this, NOTE, 0, name, 31);
    return this;
  }
  step(name) { this._report?.speak(this, STEP, 0, name, 31); } // an operation begins
  /** Say what a draw meant, or what happened: a line of up to 159 bytes in a trace. */
  say(line) {
    if (!this._report?.wantsLines) return;
    const text = Buffer.from(String(line)).subarray(0, 159);
    for (let at = 0; at === 0 || at < text.length; at += 32)
      this._report.speak(this, SAY, at + 32 < text.length ? 1 : 0, text.subarray(at, at + 32), 32);
  }
  label(name) { this._mark?.(2, name, 1); }              // this run has a property
  measure(name, value) { this._mark?.(3, name, value); } // a number of this run is `value`
  /** How high this run came: frng-search goes on from the highest. The largest of a run counts. */
  maximize(name, value) {
    const most = 2n ** 64n - 1n,
          high = BigInt(typeof value === 'number' ? Math.trunc(value) : value);
    this._mark?.(8, name, high < 0n ? 0n : high > most ? most : high);
  }
}

// u8() .. i64() draw any value, u8(min, max) .. one of a range. Those of 64 bits are BigInts.
// u8Mixed() .. i64Mixed() draw every magnitude: first how many bits, then a number of so many.
for (const name of ['u8', 'u16', 'u32', 'u64', 'i8', 'i16', 'i32', 'i64']) {
  const bits = Number(name.slice(1)), type = bits < 64 ? Number : BigInt, one = type(1);
  const isSigned = name[0] === 'i', bottom = type(isSigned ? -(2 ** (bits - 1)) : 0);
  const span = type(2 ** bits), top = bottom + span - one;
  const kind = isSigned ? INT : UINT, mixed = isSigned ? MIXED_INT : MIXED_UINT;
  const check = (called, min, max, given) => {
    const low = type(min), size = type(max) - low;
    const isRange = low >= bottom && size >= 0 && low + size <= top && !(low % one || size % one);
    if (!isRange || given.length === 1) throw new RangeError(`${called}(${[...given]})`);
    return [low, size];
  };
  Draws.prototype[name] = function(min = bottom, max = top) {
    const [low, size] = check(name, min, max, arguments);
    if (this._choices) this._begin(kind, bits / 8, low, low + size);
    let value = bits < 64 ? this._bounded(bits / 8, size) : this._wide(size);
    if (size < span - one) value += low;
    else if (value > top) value -= span; // zeros mean 0
    return this._done(kind, bits / 8, low, low + size, value);
  };
  Draws.prototype[`${name}Mixed`] = function(min = bottom, max = top) {
    const [low, size] = check(`${name}Mixed`, min, max, arguments).map(BigInt);
    if (this._choices) this._begin(mixed, bits / 8, low, low + size);
    const rank = this._ofBits(this._bounded(1, code.bitLength(size)), size);
    const value = isSigned ? code.zigzag(low, low + size, rank) : low + rank;
    this._done(mixed, bits / 8, low, low + size, value);
    return type(value);
  };
}
