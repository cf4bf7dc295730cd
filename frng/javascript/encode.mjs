/**
 * The way back from a value to entropy: the smallest bytes for which a draw has it.
 *
 * A reduction gives a test choices in place of bytes, and the draw that takes one has these bytes.
 * A value is given by its number, as frng_encode.h describes: the count of simpler values, for a
 * bool 1 or 0, for a list 0 at its end, for a double its bits. A number beyond the bounds means the
 * nearest one within. Numbers are BigInts. SPDX-License-Identifier: MIT
 */
const U64 = (1n << 64n) - 1n, SIGN = 1n << 63n, INFINITE = 2047n << 52n, WHOLE_MAX = 1n << 53n;
const least = (a, b) => a < b ? a : b, greatest = (a, b) => a > b ? a : b;

/** The bytes that hold numbers up to `max`: 1, 2, 4 or 8. */
export const fit = (max) => max < 2 ** 8 ? 1 : max < 2 ** 16 ? 2 : max < 2 ** 32 ? 4 : 8;
export const bitLength = (number) => number > 0n ? number.toString(2).length : 0;
/** How many more than `low` numbers of as many bits have, up to `max`. */
export const spanOfBits = (low, max) => low > 0n ? least(low - 1n, max - low) : 0n;

/** Value `rank` of 0, 1, -1, 2, -2, ... within min..max. */
export function zigzag(min, max, rank) {
  if (min > 0n) return min + rank;
  if (max < 0n) return max - rank;
  const both = least(-min, max);
  if (rank > 2n * both) return max > -min ? rank - both : both - rank;
  return rank % 2n === 1n ? rank / 2n + 1n : -(rank / 2n);
}

/** The way back of zigzag. */
export function unzigzag(min, max, value) {
  if (min > 0n) return value - min;
  if (max < 0n) return max - value;
  if (value === 0n) return 0n;
  const size = value < 0n ? -value : value;
  const simpler = 1n + least(size - 1n, max) + least(size - 1n, -min);
  return simpler + (value < 0n && size <= max ? 1n : 0n);
}

// ---- Doubles ----

const doubles = new Float64Array(1), words = new BigUint64Array(doubles.buffer);
export function bitsOf(value) {
  doubles[0] = value;
  return words[0];
}
export function doubleOf(bits) {
  words[0] = bits;
  return doubles[0];
}
/** 2^exponent, for -1074..1023, exactly. */
export const power = (exponent) =>
    doubleOf(exponent >= -1022 ? BigInt(exponent + 1023) << 52n : 1n << BigInt(exponent + 1074));
export const whole = (rank) => zigzag(-WHOLE_MAX, WHOLE_MAX, rank);

/** Bits near a power of two, or special. */
export function near(drawn) {
  const special = [0n, 1n, 1022n, 1023n, 1024n, 1076n, 2046n, 2047n][Number(drawn >> 2n & 7n)];
  let bits = ((drawn & 3n) > 0n ? special : drawn >> 5n & 2047n) << 52n;
  const steps = drawn >> 16n & 31n, how = Number(drawn >> 21n & 7n);
  bits += [0n, 1n, -1n, how === 3 ? steps : -steps][how & 3];
  bits = bits < 0n ? 0n : bits > INFINITE ? 4095n << 51n : bits;
  return bits | (drawn & SIGN);
}

/** floor(value / 2^exponent), or ceil. */
function units(value, exponent, isUp) {
  const bits = bitsOf(value), field = Number(bits >> 52n & 2047n), isNegative = bits >= SIGN;
  const digits = (bits & ((1n << 52n) - 1n)) | (field > 0 ? 1n << 52n : 0n);
  const shift = BigInt(exponent + 1075 - Math.max(field, 1));
  const part = digits >> shift, hasRest = part << shift !== digits;
  const size = part + (hasRest && isUp !== isNegative ? 1n : 0n);
  return isNegative ? -size : size;
}

/** The exponent of the ulp of the larger bound, and the bounds in such units. */
export function grid(min, max) {
  const largest = greatest(bitsOf(min) & ~SIGN, bitsOf(max) & ~SIGN) & U64;
  const exponent = Math.max(1, Number(largest >> 52n)) - 1075;
  return [exponent, units(min, exponent, false), units(max, exponent, true)];
}

function storeReal(bits) {
  let value = doubleOf(bits);
  const max = Number(WHOLE_MAX), span = 2n * WHOLE_MAX - 1n;
  for (let k = 0; k <= 16 && bits !== SIGN; k++, value *= 2) {
    if (!(Math.abs(value) <= max && Number.isInteger(value))) continue;
    const rank = unzigzag(-WHOLE_MAX, WHOLE_MAX, BigInt(value)), size = bitLength(rank);
    if (k === 0 && rank <= span) return [size, ...storeOfBits(rank, span)];
    if (k > 0 && rank > 0n && rank < 1n << 32n)
      return [64 + size - 1, ...storeOfBits(rank, (1n << 32n) - 1n), k - 1];
    if (k > 0) break;
  }
  return [192, ...number(8, bits)];
}

/** The double of a range that is nearest to one; for 0, the simplest of the range. */
function within(min, max, value) {
  const most = 2 ** 52;
  if (Object.is(value, 0) && (min > 0 ? max < most : max < 0 && min > -most)) {
    const [low, high] = [Math.ceil(min), Math.floor(max)];
    if (low <= high) value = min > 0 ? low : high;
  }
  return value >= max ? max : value > min ? value : min;
}

function storeRealIn(min, max, bits) {
  const value = within(min, max, doubleOf(bits)), [exponent, low, high] = grid(min, max);
  const unit = value <= min ? low : value >= max ? high : units(value, exponent, false);
  return store(8, high - low, unzigzag(low, high, unit));
}

// ---- Numbers ----

const number = (width, value) =>
    Array.from({length: width}, (_, i) => Number(value >> BigInt(8 * i) & 255n));

/** The smallest number that means a value of 0..max and is not rejected. */
function store(width, max, value) {
  const all = 1n << BigInt(8 * width), n = max + 1n;
  return number(width, n === all ? value : (value * all + all % n + n - 1n) / n);
}

function storeOfBits(value, max) {
  const low = value > 0n ? 1n << BigInt(bitLength(value) - 1) : 0n, span = spanOfBits(low, max);
  return span > 0n ? store(fit(span), span, value - low) : [];
}

/** The first number that means an index, or the nearest one that has a weight. */
function ofIndex(weights, index) {
  let before = 0, last = 0;
  weights.forEach((weight, k) => {
    if (weight > 0 && (k <= index || before === 0)) last = before;
    before += weight;
  });
  return BigInt(last);
}

function storeInteger(isSigned, width, min, max, rank) {
  const span = max - min, all = (1n << BigInt(8 * width)) - 1n;
  let offset = least(rank, span);
  if (isSigned) offset = zigzag(min, max, offset) - min;
  return span === all ? number(width, (min + offset) & all) : store(width, span, offset);
}

function storePick(width, how, letters, pick) {
  const end = how & 65535n, share = how >> 16n & 65535n, must = how >> 32n;
  pick = least(greatest(pick, must === 2n ? 1n : 0n), must === 1n ? 0n : letters);
  return store(width, end + share * letters - 1n, pick > 0n ? end + (pick - 1n) * share : 0n);
}

/** The bytes of a draw of this kind, width and bounds, for the value of a number. */
export function encode(kind, width, min, max, weights, value) {
  switch (kind) {
    case 1: return [value > 0n ? 1 : 0];
    case 2:
    case 3:
    case 4:
    case 5:
    case 15:
      return storeInteger(kind === 3, width, min, max, weights ? ofIndex(weights, value) : value);
    case 6: return number(8, value);
    case 7: return store(width, max - 1n, value === 0n && min < max ? min : 0n);
    case 8:
    case 9: return storePick(width, min, max, value);
    case 10:
    case 11: {
      const span = max - min, rank = least(value, span);
      const head = store(1, BigInt(bitLength(span)), BigInt(bitLength(rank)));
      return [...head, ...storeOfBits(rank, span)];
    }
    case 12: return storeReal(value);
    case 13: return storeRealIn(doubleOf(min & U64), doubleOf(max & U64), value);
    default: return number(width, value & max); // a subset
  }
}

// ---- Choices ----

/** The choices of a run, each a wish for one draw; their bytes are at `room` in the report. */
export class Choices {
  constructor(data, room, ranOut) {
    Object.assign(this, {data, room, ranOut, at: 0, seen: 0, hasEnded: false});
    this.expected = Math.min(this._expected(), room);
  }
  /** Kind, width, if the number of a weighted draw is the one drawn, the number, and the end. */
  _load(at) {
    const head = this.data[at] ?? 0;
    let value = 0n;
    for (let i = at + 1; i < Math.min(this.data.length, at + 11); i++) {
      value |= BigInt(this.data[i] & 127) << BigInt(7 * (i - at - 1));
      if (this.data[i] < 128)
        return [head & 15, (head >> 4 & 7) + 1, head >= 128, value & U64, i + 1];
    }
    return [0, 1, false, 0n, at];
  }
  /** The bytes that the choices take, if they are drawn as they stand. */
  _expected() {
    for (let at = 0, size = 0;;) {
      const [kind, width, , value, after] = this._load(at);
      if (after === at || (kind === 1 && width === 8)) return size;
      const isShort = kind >= 10 && kind <= 12;
      size += isShort ? encode(kind, width, 0n, U64, undefined, value).length : width;
      at = after;
    }
  }
  /** Take the next choice, if it is for such a draw; else the simplest one, and it stays. */
  _next(kind, width) {
    const [found, itsWidth, isDrawn, value, after] = this._load(this.at);
    this.hasEnded ||= after === this.at;
    this.seen = Math.max(this.seen, after);
    const fits = found === kind && (itsWidth === width || kind === 4 || kind === 5);
    if (after === this.at || !fits) return [false, 0n];
    this.at = after;
    return [isDrawn, value];
  }
  /** The bytes of the draw that begins, or undefined where the entropy ends. */
  encode(f, kind, width, min, max, weights) {
    const [found, itsWidth, , , after] = this._load(this.at), left = this.room - f.used;
    if (after > this.at && found === 1 && itsWidth === 8) { // the end of the entropy
      Object.assign(this, {hasEnded: true, seen: after});
      return undefined;
    }
    if (kind === 0) {
      if (max > left) return undefined;
      return Array.from({length: Number(max)}, () => Number(this._next(0, 1)[1] & 255n));
    }
    const [isDrawn, value] = this._next(kind, width);
    const written = encode(kind, width, min, max, isDrawn ? undefined : weights, value);
    return written.length <= left ? written : undefined;
  }
}
