/**
 * Expansions of DRAWS.md: from a seed to the bytes of a run. SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';
import path from 'node:path';

import * as shared from './shared.mjs';

const u64 = (number) => BigInt.asUintN(64, number);

/** The outputs of xoshiro256++, whose state SplitMix64 makes from the seed. */
export class Outputs {
  low = 0; // half of the last output: numbers of 64 bits take ten times as long
  high = 0;
  #state = new Int32Array(8); // four numbers, each its low half first
  constructor(seed) {
    for (let i = 0n; i < 4n; i++) {
      let z = u64(seed + (i + 1n) * 0x9e3779b97f4a7c15n);
      z = u64((z ^ z >> 30n) * 0xbf58476d1ce4e5b9n);
      z = u64((z ^ z >> 27n) * 0x94d049bb133111ebn);
      z ^= z >> 31n;
      this.#state.set([Number(z & 0xffffffffn), Number(z >> 32n)], Number(2n * i));
    }
  }
  next() {
    const s = this.#state, sum = (s[0] >>> 0) + (s[6] >>> 0);
    const sumHigh = s[1] + s[7] + (sum > 0xffffffff);
    const turned = ((sum << 23 | sumHigh >>> 9) >>> 0) + (s[0] >>> 0);
    this.low = turned | 0;
    this.high = (sumHigh << 23 | sum >>> 9) + s[1] + (turned > 0xffffffff) | 0;
    const low = s[2] << 17, high = s[3] << 17 | s[2] >>> 15;
    for (let i = 0; i < 4; i++) s[i + 4] ^= s[i];
    for (let i = 0; i < 2; i++) s[i + 2] ^= s[i + 4];
    for (let i = 0; i < 2; i++) s[i] ^= s[i + 6];
    s[4] ^= low;
    s[5] ^= high;
    const last = s[6];
    s[6] = s[7] << 13 | last >>> 19;
    s[7] = last << 13 | s[7] >>> 19;
    return this;
  }
  get number() { return BigInt.asUintN(32, BigInt(this.high)) << 32n | BigInt(this.low >>> 0); }
  /** Write the next one, whose place has room for it. */
  write(bytes, at) {
    this.next();
    bytes.writeInt32LE(this.low, at);
    bytes.writeInt32LE(this.high, at + 4);
  }
}

/** Write an extreme of so many bytes: 0, the largest number, or one near them. */
function writeExtreme(bytes, at, size, random) {
  const end = at + size, small = random >> 4 & 15, which = random & 15;
  const bit = (random >>> 4) % (8 * size);
  bytes.fill(which < 2 || which >= 8 && which < 15 ? 0 : 255, at, end);
  if (which >= 6 && which < 8) bytes[end - 1] = 127;
  if (which >= 8 && which < 12) bytes[end - 1] = 128;
  if (which === 12) bytes[at] = small;
  if (which === 13 || which === 14) bytes[at + (bit >> 3)] = 1 << (bit & 7);
  if (which === 15) bytes[at] = 255 - small;
}

/** Add 1 or -1 to a number of so many bytes. */
function step(bytes, at, width, by) {
  for (let i = at; i < at + width; i++) {
    bytes[i] += by;
    if (bytes[i] !== (by > 0 ? 0 : 255)) return;
  }
}

/**
 * Write the styled words of a seed. Words are where they were written, so that those before are read
 * there.
 */
function writeStyled(bytes, size, source) {
  const {low: pick, high: lead} = source.next();
  const oneOf = (table, shift) => table[pick >>> shift & 7];
  const width = oneOf(shared.STYLE_WIDTHS, 0), edge = oneOf(shared.STYLE_EDGES, 3);
  const hasEdgesOnly = edge >= 48 && (pick >>> 18 & 1) === 1;
  const repeat = hasEdgesOnly ? 0 : oneOf(shared.STYLE_REPEATS, 6);
  // The rules, by the chance up to which each holds.
  const copies = repeat + oneOf(shared.STYLE_RARE, 12), edges = copies + edge,
        rules = edges + oneOf(shared.STYLE_RARE, 9);
  if (rules === 0) return 0;
  let at = oneOf(shared.STYLE_LEADS, 15) % width, made = 0, distance = 0, rest = 0;
  bytes.writeInt32LE(lead, 0);
  const fresh = Buffer.alloc(16), picks = Buffer.alloc(8);
  const copy = (back) => bytes.copyWithin(at, at - back * width, at - (back - 1) * width);
  const writeWord = (from, how) => {
    const chance = how >> 2, back = 1 + (fresh[from] * Math.min(made, 64) >> 8);
    if (rest > 0) return rest--;                            // of an extreme
    if (distance > 0 && chance >= 8) return copy(distance); // of an open window
    const isOver = distance > 0 || chance >= rules;
    if (isOver) distance = 0;
    if (!isOver && chance >= copies && chance < edges) {
      const wide = width > 2 ? width : Math.max(width, [1, 4, 4, 8][how & 3]);
      rest = wide / width - 1;
      return writeExtreme(bytes, at, wide, fresh.readInt32LE(from));
    }
    if (isOver || made === 0) return fresh.copy(bytes, at, from, from + width);
    copy(back);
    if (chance >= edges) return step(bytes, at, width, how % 2 === 1 ? 1 : -1);
    if (chance >= repeat) distance = back;
    return undefined;
  };
  while (at < size) {
    source.write(fresh, 0);
    source.write(picks, 0);
    fresh.copy(fresh, 8, 0, 8); // a word of its end goes on with its beginning
    for (let from = 0; from < 8 && at < size; from += width, at += width, made++)
      writeWord(from, picks[from]);
  }
  return size;
}

/** The first `size` bytes of a seed: '17' is plain, '17s' styled. */
export function expand(text, size) {
  const bytes = Buffer.alloc(size + 16); // room for the last word, and an extreme
  const [, seed, style] = /^(\d+)(s?)$/.exec(text), source = new Outputs(BigInt(seed));
  for (let at = style ? writeStyled(bytes, size, source) : 0; at < size; at += 8)
    source.write(bytes, at);
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
    const {args = []} = fields; // the words of its target
    return {
      ...inputOf(fields),
      args: args.map(String),
      kept: draws ? new Kept(file, draws) : undefined
    };
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
