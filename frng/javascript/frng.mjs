/**
 * frng: a finite random number generator, for Node 18 or newer. A test draws its decisions from
 * bytes ("entropy") that exist before it starts. When they run out, it is over and has passed:
 *
 *     frng.main((f) => assert.notEqual(f.u32(0, 10), 7));
 *
 * The same entropy gives the same values in every language: see DRAWS.md. Bounds are inclusive;
 * wrong ones throw a RangeError. SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';
import {inspect} from 'node:util';

const {setImmediate, performance} = globalThis; // tests can put simulated ones in their place
const BYTES = 0, BOOL = 1, UINT = 2, INT = 3, INDEX = 4, WEIGHTED = 5, F64 = 6, CHANCE = 7;
const MORE = 8, STEP = 254, NOTE = 255, U64_MAX = 2n ** 64n - 1n, MAGIC = 0x31747270676e7266n;

export class OutOfEntropy extends Error {} // the test is over, and has passed
OutOfEntropy.prototype.name = 'OutOfEntropy';
const outOfEntropy = new OutOfEntropy('the entropy has run out'); // a new one takes microseconds

/** The decisions of a test, drawn from the bytes from `first` to `end`. */
export class Frng {
  exhausted = false; // a draw has failed
  constructor(bytes, first = 0, end = bytes.length) {
    this._bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    this._first = this._start = this._at = first; // the draw in progress: from _start to _at
    this._end = end;
    this._report = undefined; // hears of the draws
  }
  get used() { return this._start - this._first; } // bytes drawn, without those of a failed draw
  get left() { return this._end - this._start; }   // bytes not yet drawn
  _take(count) {
    if (count <= this._end - this._at) return (this._at += count) - count;
    this._at = this._end = this._start;
    this.exhausted = true;
    throw outOfEntropy;
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
  _position(kind, width, max) {
    if (!Number.isSafeInteger(max) || max < 0) throw new RangeError(`${max + 1} to draw from`);
    const value = width < 8 ? this._bounded(width, max) : Number(this._wide(BigInt(max)));
    return this._done(kind, width, 0, max, value);
  }
  _done(kind, width, min, max, value) {
    this._report?.add(this, kind, width, [min, max, value]);
    this._start = this._at;
    return value;
  }
  /** The next `count` bytes. */
  bytes(count) {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} bytes`);
    const bytes = new Uint8Array(this._bytes.subarray(this._take(count), this._at));
    this._done(BYTES, 1, 0, count, 0);
    return bytes;
  }
  /** A coin: the lowest bit of one byte. */
  bool() { return this._done(BOOL, 1, 0, 1, this._bounded(1, 255) % 2) === 1; }
  index(count) { return this._position(INDEX, 8, count - 1); } // 0..count-1, from 8 bytes
  /** An element of a list, from the fewest bytes that hold its index. */
  pick(list) {
    const width = list.length <= 256 ? 1 : list.length <= 65536 ? 2 : 4;
    return list[this._position(INDEX, width, list.length - 1)];
  }
  /** An index in proportion to its weight, a whole number; never one with weight 0. 8 bytes. */
  weighted(weights) {
    const sum = weights.every((w) => w >>> 0 === w) ? weights.reduce((a, b) => a + b, 0) : 0;
    let rest = this._position(WEIGHTED, 8, sum - 1), index = 0;
    while (rest >= weights[index]) rest -= weights[index++];
    return index;
  }
  /** Weights of 1..100. Drawn once, they make each test favour others: swarm testing. */
  swarmWeights(count) { return Array.from({length: count}, () => this.u32(1, 100)); }
  /** Shuffle a list in place, and return it. Zeros leave the order alone. 8 bytes an element. */
  shuffle(list) {
    for (let i = 0; i + 1 < list.length; i++) {
      const j = i + this.index(list.length - i);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }
  /** A multiple of 2^-53 in [0, 1), from 8 bytes. */
  f64() { return Number(this._done(F64, 8, 0, U64_MAX, this._wide(U64_MAX)) >> 11n) / 2 ** 53; }
  /** True with the chance n / d, from 4 bytes. */
  chance(n, d) {
    if (n >>> 0 !== n || d >>> 0 !== d || n > d || d === 0) throw new RangeError(`odds ${n}/${d}`);
    return this._done(CHANCE, 4, n, d, this._bounded(4, d - 1) < n ? 1 : 0) === 1;
  }
  /** Is there one more element, after `count`? `for (let n = 0; f.more(n, 0, 10); n++) ...` */
  more(count, min, max) {
    if (!(count >= 0 && min >= 0 && min <= max)) throw new RangeError(`more(${[...arguments]})`);
    const mean = Math.min(max > min ? Math.floor((max - min) / 2) + 1 : 16, 16);
    const share = Math.floor(256 * mean / (mean + 1)), end = Math.floor(share / mean);
    const must = count < min ? 2 : count >= max ? 1 : 0; // go on, or end
    let drawn = -1;
    while (drawn < 0 || (must === 2 && drawn < end)) drawn = this._bounded(1, end + share - 1);
    const isMore = must !== 1 && drawn >= end ? 1 : 0;
    return this._done(MORE, 1, end + share * 2 ** 16 + must * 2 ** 32, 1, isMore) === 1;
  }
  note(name) { this._report?.add(this, NOTE, 0, [], name); } // name the draws that follow
  step(name) { this._report?.add(this, STEP, 0, [], name); } // an operation begins
}

// u8() .. i64() draw any value, u8(min, max) .. one of a range. Those of 64 bits are BigInts.
for (const name of ['u8', 'u16', 'u32', 'u64', 'i8', 'i16', 'i32', 'i64']) {
  const bits = Number(name.slice(1)), type = bits < 64 ? Number : BigInt, one = type(1);
  const isSigned = name[0] === 'i', bottom = type(isSigned ? -(2 ** (bits - 1)) : 0);
  const span = type(2 ** bits), top = bottom + span - one;
  Frng.prototype[name] = function(min = bottom, max = top) {
    const low = type(min), size = type(max) - low;
    const isRange = low >= bottom && size >= 0 && low + size <= top && !(low % one || size % one);
    if (!isRange || arguments.length === 1) throw new RangeError(`${name}(${[...arguments]})`);
    let value = bits < 64 ? this._bounded(bits / 8, size) : this._wide(size);
    if (size < span - one) value += low;
    else if (value > top) value -= span; // zeros mean 0
    return this._done(isSigned ? INT : UINT, bits / 8, low, low + size, value);
  };
}

/** The report, which a driver shares: what it asks for, and then the state of a run. */
class Report {
  asked = new BigUint64Array(16); // 2: trace_offset, trace_count, stop, runs_offset, runs_count
  state = new BigUint64Array(9);  // from byte 128 on. 0: run; 3: digest, digest_drawn; 8: drawn
  constructor(fd) { this.fd = fd; }
  read() { return fs.readSync(this.fd, this.asked, 0, 128, 0) && this.asked[0] === MAGIC; }
  write(bytes, at) { fs.writeSync(this.fd, bytes, 0, bytes.byteLength, Number(at)); }
  tell(drawn) { // say how many bytes the run in progress has drawn; all ones: unknown
    this.state.set([this.traced, 0n, 0n, drawn], 5);
    this.write(this.state, 128);
  }
  begin(f, run, isAlone, hasDigest) { // isAlone: tell each draw at once, for the run can hang
    Object.assign(this, {f, isAlone, hasDigest, traced: 0n, hash: 0});
    if (isAlone || hasDigest || this.asked[3] > 0n) f._report = this;
    this.state[0] = BigInt(run);
    this.tell(isAlone ? 0n : U64_MAX);
  }
  add(f, kind, width, numbers, name = '') {
    if (f !== this.f) return; // its run has ended
    if (this.traced++ < this.asked[3]) {
      const record = new BigUint64Array(7), bytes = Buffer.from(record.buffer);
      record.set([f.used, f._at - f._start, 0, ...numbers].map(BigInt));
      bytes.set([kind, width, 0, 0, 0, 0, 0, 0, ...Buffer.from(name).subarray(0, 31)], 16);
      this.write(bytes, this.asked[2] + 56n * (this.traced - 1n));
    }
    for (const number of this.hasDigest ? [f._at - f._first, kind, width, ...numbers] : [])
      this.hash = Math.imul(this.hash ^ Number(number), 0x9e3779b1) ^ this.hash >>> 15;
    if (this.isAlone) this.tell(this.traced < 1e5 ? BigInt(f._at - f._first) : U64_MAX);
    if (this.traced >= 1e5) this.isAlone = false; // it would take seconds
  }
  pass() {
    const used = BigInt(this.f.used), run = this.state[0]++;
    if (this.hasDigest) this.state.set([BigInt(this.hash >>> 0), used], 3);
    const row = BigUint64Array.of(used | BigInt(this.f.exhausted) << 63n);
    if (run < this.asked[6]) this.write(row, this.asked[5] + 8n * run);
  }
}

/** Print why a run failed. Report the site: "file:line" of the first frame of the user's code. */
function explain(error, report) {
  const foreign = /\n +at .*(\bnode:|\/node_modules\/|\/frng\.mjs:).*$/gm;
  const text = (error?.cause || !error?.stack ? inspect(error) : error.stack).replace(foreign, '');
  const site = /^ +at .*?([^/(\n]+:\d+):\d+\)?( {)?$/m.exec(text.replace(error?.message, ''))?.[1];
  console.error(site === undefined ? text : `${site}: ${text}`);
  report?.write(Buffer.from(`${site ?? error?.name ?? typeof error}\0`).subarray(0, 127), 256);
}

let failure; // why this process ends
function fail(error, status = 1) {
  failure = {error};
  process.exit(error instanceof OutOfEntropy ? 0 : status);
}

/** Make a run. It passes if the test returns, its promise is kept, or the entropy runs out. */
async function run(test, report, f, number, isAlone, hasDigest) {
  report?.begin(f, number, isAlone, hasDigest);
  try {
    await test(f);
  } catch (error) {
    if (!(error instanceof OutOfEntropy)) fail(error);
  }
  await new Promise(setImmediate); // promises that the test left behind fail now
  if (process.exitCode) process.exit();
  report?.pass();
}

async function serve(test, report, control, entropy) { // until the driver hangs up
  const message = BigUint64Array.of(1n, 1n, 2n | 4n | 256n, 192n, 8n, 0n, 0n, 0n, 0n, 0n); // HELLO
  while (fs.writeSync(control, message) > 0 && fs.readSync(control, message) === 80) {
    const [, , flags, , , , count, size, digestRun] = Array.from(message, Number);
    const bytes = Buffer.alloc(size), head = flags & 4 ? 8 * count : 0;
    fs.readSync(entropy, bytes, 0, size, 0);
    let made = 0, end = head, due = 0;
    for (; made < count; made++) {
      if (performance.now() > due && report.read()) due = performance.now() + 2;
      if (report.asked[4] !== 0n) break; // stop
      const f = new Frng(bytes, end, head ? head + Number(bytes.readBigUInt64LE(8 * made)) : size);
      end = f._end;
      await run(test, report, f, made, count === 1, (flags & 2) > 0 && made === digestRun);
    }
    if (made > 0) report.tell(BigInt(report.f.used));
    message.fill(0n).set([3n, 0n, 0n, 0n, 0n, 0n, BigInt(made)]); // DONE
  }
}

function readInput() {
  try {
    return fs.readFileSync(process.env.FRNG_INPUT ?? 0);
  } catch (error) {
    return fail({stack: `frng: cannot read the entropy: ${error.message}`}, 125);
  }
}

/** Run `test` on stdin or the file FRNG_INPUT, or as a driver asks; only in the program `url`. */
export async function main(test, url) {
  if (url && fs.realpathSync(process.argv[1] ?? '') !== fs.realpathSync(new URL(url))) return;
  const [version, control, file, entropy] = (process.env.FRNG_DRIVER ?? '').split(',').map(Number);
  let report, offer = new Report(file);
  try {
    if (version === 1 && offer.read()) report = offer;
  } catch { // it was offered to another process, that started this one
  }
  delete process.env.FRNG_DRIVER;
  Error.stackTraceLimit = 50;
  process.on('uncaughtException', (error) => fail(error));
  process.on('beforeExit', () => fail({name: 'Deadlock', stack: 'Deadlock: it waits for ever'}));
  process.on('exit', (code) => {
    if (code !== 0) explain(failure ? failure.error : new Error(`exit status ${code}`), report);
    if (report?.f) report.tell(BigInt(report.f.used));
  });
  if (report && control >= 0) await serve(test, report, control, entropy);
  else await run(test, report, new Frng(readInput()), 0, true, false);
  process.exit();
}
