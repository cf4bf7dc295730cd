/**
 * Draws of the values of JavaScript, made of those of DRAWS.md (draws.mjs), the simplest value
 * first: 0, an empty list, 2000-01-01. An element of a list is drawn by a function:
 *
 *     const xs = f.list(() => f.integer(0, 9), {max: 20});
 *
 * SPDX-License-Identifier: MIT
 */
import {Draws, OutOfEntropy, PRINTABLE} from './draws.mjs';
import * as patterns from './regex.mjs';

const DUPLICATES_MAX = 100; // elements in a row that a list has already
const MORE = 20;            // elements of a list more than `min`, where `max` is not given
const DAY_MS = 86400000, FIRST_MS = Date.UTC(2000, 0, 1);
// Letters that break programs: 128 with those that print, so that each is 1 byte.
const ODD = '\0\t\n\r\x1b\x7f\x80\xa0\xad\xb2ßàÿİıŉſǅ\u0301Ωя\u05d0\u0661' +
    '\u200b\u200d\u202e\u2028ﬀ\ufeff\uffff😀𝒳\u{10ffff}';
const TEXT = Array.from(PRINTABLE + ODD);

export class Discarded extends OutOfEntropy {} // the test does not want this run
const discarded = new Discarded('discarded');

/** False is a failure, as in fast-check. */
export function judge(who, result) {
  if (result === false) throw new TypeError(`${who} returned false: throw to fail`);
}

/** Call a test or an invariant, and judge what it returns. Return a promise if it is one. */
export function holds(who, call, ...given) {
  const made = call(...given);
  return typeof made?.then === 'function' ? made.then((result) => judge(who, result)) :
                                            judge(who, made);
}

/** Refuse options of other names: a misspelt invariant would check nothing. */
export function known(options, ...names) {
  const name = Object.keys(options).find((given) => !names.includes(given));
  if (name !== undefined)
    throw new TypeError(`there is no option '${name}': there are ${names.join(', ')}`);
  return options;
}

/** The decisions of a test. */
export class Frng extends Draws {
  discarded = false; // the test did not want this run

  /** Discard the run, which neither passes nor fails, unless a condition holds. */
  assume(condition) {
    if (condition) return;
    this.discarded = true;
    throw discarded;
  }
  /** What make(f, ...) draws, shown as one value where the run is shown. */
  draw(make, ...rest) { return make(this, ...rest); }
  untold(make) { return make(); }  // what a failure does not show
  retell(line) { this.say(line); } // of an operation

  boolean() { return this.bool(); }
  /** Evenly where the range has up to 256 numbers that fit a byte, else of every magnitude. */
  integer(min = -(2 ** 31), max = 2 ** 31 - 1) {
    if (!(Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= max))
      throw new RangeError(`integer(${min}, ${max})`);
    if (min >= 0 && max < 256) return this.u8(min, max);
    if (min >= -128 && max < 128) return this.i8(min, max);
    return Number(min >= 0 ? this.u64Mixed(min, max) : this.i64Mixed(min, max));
  }
  bigInt(min = -(2n ** 63n), max = 2n ** 63n - 1n) {
    return min >= 0n ? this.u64Mixed(min, max) : this.i64Mixed(min, max);
  }
  /** Any double, or uniformly one of a range; NaN and infinity only without bounds. */
  double(min, max, {noNaN = false, noInfinity = false} = {}) {
    if (min !== undefined || max !== undefined)
      return this.f64Range(min ?? -Number.MAX_VALUE, max ?? Number.MAX_VALUE);
    for (;;) {
      const value = this.f64Any();
      if (!(noNaN && Number.isNaN(value)) && !(noInfinity && Math.abs(value) === Infinity))
        return value;
    }
  }
  /** Letters that print, and those that break programs: NUL, line ends, emoji, directions. */
  text(min = 0, max = min + MORE) { return this.string(TEXT, min, max); }
  /** A text that matches all of a pattern: f.regex('[a-z]+(-[0-9]{2})?'). */
  regex(pattern) { return patterns.draw(this, patterns.parse(pattern)); }
  /** Does a tree go a level deeper, with `left` levels to go? 1 byte, or no. */
  depth(left) { return left > 0 && this.bool(); }
  /** One of the things that a test has made, counted back from the newest: a reduction can delete
   *  those before it. */
  thing(things) { return things[this.#placeOf(things)]; }
  /** The same, and take it out of the list. */
  takeThing(things) { return things.splice(this.#placeOf(things), 1)[0]; }
  #placeOf(things) { return this.pick(Array.from(things, (_, i) => things.length - 1 - i)); }
  uint8Array(min = 0, max = min + MORE) {
    return Uint8Array.from(this.list(() => this.u8(), {min, max}));
  }
  element(list) { return this.pick(list); }
  constantFrom(...values) { return this.pick(values); }
  /** By one of several functions: f.oneOf(() => f.integer(), () => f.text()). */
  oneOf(...makes) { return this.pick(makes)(); }
  option(make, nil = null) { return this.bool() ? make() : nil; }

  /** A list of min..max elements; `unique` is true, or a function that gives the key. */
  list(element, options = {}) {
    const {min = 0, max = min + MORE, unique = false} = known(options, 'min', 'max', 'unique');
    if (typeof element !== 'function')
      throw new TypeError('an element is a function: f.list(() => f.integer(0, 9))');
    const list = [], keys = new Set(), keyOf = unique === true ? (item) => item : unique;
    for (let repeated = 0; this.more(list.length, min, max);) {
      const item = element();
      if (keyOf && keys.has(keyOf(item))) {
        this.assume(++repeated < DUPLICATES_MAX);
        continue;
      }
      if (keyOf) keys.add(keyOf(item));
      repeated = 0;
      list.push(item);
    }
    return list;
  }
  array(element, {minLength = 0, maxLength = minLength + MORE} = {}) {
    return this.list(element, {min: minLength, max: maxLength});
  }
  /** An object of drawn keys, all different. */
  dictionary(key, value, options = {}) {
    const unique = ([name]) => name, pair = () => [key(), value()];
    return Object.fromEntries(this.list(pair, {...options, unique}));
  }

  /** A moment of a day of every magnitude, from 2000-01-01 on; all days are as likely. */
  dateTime(min, max) {
    const isBounded = min !== undefined || max !== undefined;
    const low = (min ?? new Date('0001-01-01')).getTime() - FIRST_MS;
    const high = (max ?? new Date('9999-12-31T23:59:59.999Z')).getTime() - FIRST_MS;
    if (!(low <= high)) throw new RangeError(`dateTime(${min}, ${max})`);
    const [first, last] = [Math.floor(low / DAY_MS), Math.floor(high / DAY_MS)];
    const date =
        isBounded ? this.date(new Date(FIRST_MS + low), new Date(FIRST_MS + high)) : this.date();
    const day = (date.getTime() - FIRST_MS) / DAY_MS;
    const from = isBounded && day === first ? low - first * DAY_MS : 0;
    const to = isBounded && day === last ? high - last * DAY_MS : DAY_MS - 1;
    return new Date(FIRST_MS + day * DAY_MS + Number(this.u64Mixed(from, to)));
  }
}
