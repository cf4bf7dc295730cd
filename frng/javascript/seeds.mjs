/**
 * Expansions of DRAWS.md: from a seed to the bytes of a run. SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';
import path from 'node:path';

import * as shared from './shared.mjs';

const u64 = (number) => BigInt.asUintN(64, number);
const rotate = (number, left) => u64(number << left) | number >> (64n - left);

/** The outputs of xoshiro256++, whose state SplitMix64 makes from the seed. */
export function* outputs(seed) {
  const s = [1n, 2n, 3n, 4n].map((i) => {
    let z = u64(seed + i * 0x9e3779b97f4a7c15n);
    z = u64((z ^ z >> 30n) * 0xbf58476d1ce4e5b9n);
    z = u64((z ^ z >> 27n) * 0x94d049bb133111ebn);
    return z ^ z >> 31n;
  });
  for (;;) {
    yield u64(rotate(u64(s[0] + s[3]), 23n) + s[0]);
    const t = u64(s[1] << 17n);
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45n);
  }
}

/** An extreme of this many bits: 0, the largest number, or one near them. */
function extreme(random, bits) {
  const top = (1n << bits) - 1n, small = random >> 4n & 15n, which = random & 15n;
  if (which < 2n) return 0n;
  if (which < 6n) return top;
  if (which < 8n) return top >> 1n;
  if (which < 12n) return (top >> 1n) + 1n;
  if (which < 13n) return small;
  return which < 15n ? 1n << (random >> 4n) % bits : top - small;
}

/** The words of a seed, each with its width in bytes. */
function* wordsOf(seed, isStyled) {
  const source = outputs(seed), next = () => source.next().value, pick = isStyled ? next() : 0n;
  const oneOf = (table, shift) => table[Number(pick >> shift & 7n)];
  const width = oneOf(shared.STYLE_WIDTHS, 0n);
  const edge = oneOf(shared.STYLE_EDGES, 3n);
  const hasEdgesOnly = edge >= 48 && (pick >> 18n & 1n) === 1n;
  const repeat = hasEdgesOnly ? 0 : oneOf(shared.STYLE_REPEATS, 6n);
  // The rules, by the chance up to which each holds.
  const copies = repeat + oneOf(shared.STYLE_RARE, 12n), edges = copies + edge,
        rules = edges + oneOf(shared.STYLE_RARE, 9n);
  while (rules === 0) yield [next(), 8];
  yield [pick >> 32n, oneOf(shared.STYLE_LEADS, 15n) % width];

  const bits = BigInt(8 * width), top = (1n << bits) - 1n, words = new Array(64);
  let made = 0, distance = 0, rest = []; // the distance of an open window, the rest of an extreme
  const earlier = (back) => words[(made - back) % 64];
  const wordOf = (random, how) => {
    const number = random & top, chance = how >> 2;
    const back = 1 + (Number(number & 255n) * Math.min(made, 64) >> 8);
    if (rest.length > 0) return rest.shift();
    if (distance > 0 && chance >= 8) return earlier(distance);
    if (distance > 0 || chance >= rules) return distance = 0, number;
    if (chance >= copies && chance < edges) {
      const size = width > 2 ? width : Math.max(width, [1, 4, 4, 8][how & 3]);
      const wide = extreme(random, BigInt(8 * size));
      rest = Array.from({length: size / width}, (_, i) => wide >> bits * BigInt(i) & top);
      return rest.shift();
    }
    if (made === 0) return number;
    if (chance >= edges) return earlier(back) + (how % 2 === 1 ? 1n : top) & top;
    if (chance >= repeat) distance = back;
    return earlier(back);
  };
  for (;;) {
    const fresh = next(), picks = next();
    for (let at = 0n; at < 64n; at += bits) {
      const word = wordOf(rotate(fresh, 64n - at), Number(picks >> at & 255n));
      words[made++ % 64] = word;
      yield [word, width];
    }
  }
}

/** The first `size` bytes of a seed: '17' is plain, '17s' styled. */
export function expand(text, size) {
  const bytes = Buffer.alloc(size + 8); // room for the last word, which the next one cuts off
  const [, seed, style] = /^(\d+)(s?)$/.exec(text);
  const words = wordsOf(BigInt(seed), style === 's');
  for (let at = 0, word, width; at < size; at += width) {
    [word, width] = words.next().value;
    bytes.writeBigUInt64LE(word, at);
  }
  return bytes.subarray(0, size);
}

/** A check or a finding is not judged: a test runner fails with this line. */
export class Refused extends RangeError {
  constructor(line, status = 2) {
    super(line);
    this.status = status;
    this.stack = `${this}`; // its lines are those of this package
  }
}
Refused.prototype.name = 'Refused';

// A program that nobody runs ends with the line, and a status of its own.
process.on('uncaughtExceptionMonitor', (error) => {
  if (!(error instanceof Refused) || process.listenerCount('uncaughtException') > 0) return;
  fs.writeSync(2, `frng: ${error.message}\n`);
  process.exit(error.status);
});

/** The input of the fields of a result line, or of a finding: its entropy, and hex or its seed. */
export function inputOf({hex, seed, size}) {
  const isHex = /^([0-9a-f]{2})*$/i.test(hex) && 2 * (size ?? hex.length / 2) === hex.length;
  if (hex === undefined && Number(size) > shared.INPUT_MAX)
    throw new RangeError(`its size is over ${shared.INPUT_MAX}, which only frng-replay makes`);
  const isSeed = hex === undefined && /^\d{1,10}$/.test(size) && /^\d{1,20}s?$/.test(seed) &&
      BigInt(seed.replace('s', '')) < 2n ** 64n;
  if (isHex) return {entropy: Buffer.from(hex, 'hex'), hex};
  if (isSeed) return {entropy: expand(seed, Number(size)), seed};
  throw new RangeError('it has neither hex nor a size and a seed');
}

/** The draws that a finding keeps. It hears of those of a run. */
class Kept {
  made = 0;
  digest = 0xcbf29ce484222325n;
  constructor(file, draws) { Object.assign(this, {file, draws}); }
  speak() {}
  add(_, kind, width, [min, max]) {
    if (this.made >= parseInt(this.draws)) return;
    this.made++;
    const bytes = Buffer.alloc(18, Uint8Array.of(kind, width));
    [min, max].forEach((bound, i) => bytes.writeBigUInt64LE(u64(BigInt(bound)), 2 + 8 * i));
    for (const byte of bytes) this.digest = u64((this.digest ^ BigInt(byte)) * 0x100000001b3n);
  }
  /** Throw if the run, which has passed, made others. */
  check() {
    if (this.draws !== `${this.made}-${this.digest.toString(16).padStart(16, '0')}`)
      throw new Refused(`${this.file} ${shared.OTHER_DRAWS}`);
  }
}

/** The input of a finding. */
export function read(file) {
  try {
    const status = fs.statSync(file);
    if (!status.isFile()) throw new Error('no regular file is there'); // a pipe would wait
    if (status.size > 4 * shared.INPUT_MAX) throw new Error('the file is too large');
    const fields = JSON.parse(fs.readFileSync(file, 'utf8')), {format, expand = 1} = fields;
    if (!(format === 1 || format === 2) || expand !== 1)
      throw new Error('it is of a later version of frng');
    const {draws = null} = fields;
    if (draws !== null && !/^[1-9]\d{0,3}-[0-9a-f]{16}$/.test(draws))
      throw new Error('its draws make no sense');
    return {...inputOf(fields), kept: draws ? new Kept(file, draws) : undefined};
  } catch (error) {
    throw new Refused(`${file} is no finding: ${error.message}`);
  }
}

/** The findings of a folder; undefined if there is none. */
export function filesOf(folder) {
  let names;
  try {
    names = fs.readdirSync(folder);
  } catch (error) {
    if (error.code === 'ENOENT' && !fs.lstatSync(folder, {throwIfNoEntry: false}))
      return undefined;
    throw new Refused(`${folder}: cannot be read: ${error.message}`);
  }
  return names.filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => path.join(folder, name));
}
