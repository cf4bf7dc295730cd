/**
 * A test as a target of the tools: the main of a program, from entropy to a verdict.
 *
 *     frng.main(test, import.meta.url);
 *
 * A driver of PROTOCOL.md offers FRNG_DRIVER: then the process makes many runs in itself, on bytes
 * or choices, and counts their labels. A failure ends it, but in a reduction.
 * SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';
import path from 'node:path';
import {isatty} from 'node:tty';
import {fileURLToPath} from 'node:url';
import {inspect} from 'node:util';

import {isEnd, refuse} from './draws.mjs';
import {Choices} from './encode.mjs';
import {Places} from './places.mjs';
import {NOT_KNOWN, VARIABLES} from './shared.mjs';
import {Frng, judge} from './values.mjs';

const {setImmediate, performance} = globalThis; // tests can put simulated ones in their place
const U64_MAX = 2n ** 64n - 1n, MAGIC = 0x31747270676e7266n;

/** The report, which a driver shares: what it asks for, and then the state of a run. */
class Report {
  asked = new BigUint64Array(16); // 2: trace_offset, trace_count, stop, runs_offset, runs_count
  state = new BigUint64Array(9);  // from byte 128 on. 0: run; 3: digest, digest_drawn; 8: drawn
  labels = new Labels();
  goals = new Goals();
  constructor(fd) { this.fd = fd; }
  read() { return fs.readSync(this.fd, this.asked, 0, 128, 0) && this.asked[0] === MAGIC; }
  write(bytes, at) { fs.writeSync(this.fd, bytes, 0, bytes.byteLength, Number(at)); }
  tell(drawn) { // say how many bytes the run in progress has drawn; all ones: unknown
    this.state.set([this.traced, 0n, 0n, drawn], 5);
    this.write(this.state, 128);
  }
  /** isAlone: tell each draw at once, for the run can hang. isBare: tell none. */
  begin(f, run, isAlone, hasDigest, isBare) {
    Object.assign(this, {f, isAlone, hasDigest, traced: 0n, hash: 0, places: new Places()});
    const isTold = isAlone || hasDigest || this.asked[3] > 0n || this.goals.room > 0;
    if (isTold && !isBare) f._report = this;
    this.wantsLines = (this.asked[12] & 1n) > 0n;
    if (this.asked[8] > 0n) f._mark = this.labels.marker();
    if (this.goals.room > 0) f._mark = this.goals.marker(f, run);
    this.state[0] = BigInt(run);
    this.tell(isAlone ? 0n : U64_MAX);
  }
  /** Write a record, if it has room. */
  record(f, head, numbers, text = '') {
    if (this.traced++ >= this.asked[3]) return;
    const record = new BigUint64Array(7), bytes = Buffer.from(record.buffer);
    record.set([f.used, f._at - f._start, 0, ...numbers].map(BigInt));
    bytes.set(head, 16);
    if (numbers.length > 0) {
      const [depth, site] = this.places.of(this.add);
      bytes.writeUInt16LE(depth, 18);
      bytes.writeUInt32LE(site, 20);
    }
    bytes.set(text, 24);
    this.write(bytes, this.asked[2] + 56n * (this.traced - 1n));
  }
  /** A note, a step, or a part of a line. */
  speak(f, kind, width, text, room) {
    if (f !== this.f) return; // its run has ended
    this.record(f, [kind, width], [], Buffer.from(text).subarray(0, room));
    if (this.isAlone) this.tell(BigInt(f.used));
  }
  add(f, kind, width, numbers) {
    if (f !== this.f) return;
    this.record(f, [kind, width], numbers);
    if (this.goals.room > 0) this.goals.draw(f, kind, width, numbers);
    for (const number of this.hasDigest ? [f._at - f._first, kind, width, ...numbers] : [])
      this.hash = Math.imul(this.hash ^ Number(number), 0x9e3779b1) ^ this.hash >>> 15;
    if (this.isAlone) {
      this.tell(this.traced < 1e5 ? BigInt(f._at - f._first) : U64_MAX);
      this.writeChosen(f._at);
    }
    if (this.traced >= 1e5) this.isAlone = false; // it would take seconds
  }
  writeChosen(drawn = this.f.used) { // of a run of choices: the bytes that it drew
    if (this.f._choices) this.write(this.f._bytes.subarray(0, drawn), this.asked[10]);
  }
  pass() {
    const {f} = this, run = this.state[0]++, seen = f._choices ? f._choices.seen : f.used;
    if (this.hasDigest) this.state.set([BigInt(this.hash >>> 0), BigInt(f.used)], 3);
    const ranOut = f.exhausted || f._choices?.hasEnded === true;
    const discarded = f.discarded ? this.asked[12] >> 3n & 1n : 0n;
    const row = BigUint64Array.of(BigInt(seen) | BigInt(ranOut) << 63n | discarded << 62n);
    if (run < this.asked[6]) this.write(row, this.asked[5] + 8n * run);
    this.writeChosen();
    if (this.asked[8] > 0n) this.labels.endRun(f, Number(run));
    if (this.goals.room > 0) this.goals.endRun();
  }
  /** Tell how the last run ended, or how far it came. */
  end() {
    this.tell(BigInt(this.f.used));
    this.writeChosen();
    if (this.asked[8] > 0n) this.labels.write(this);
    if (this.goals.room > 0) this.goals.write(this);
  }
}

// Lines of a stack that are no place of a failure: of Node, its packages, and this one.
const PACKAGE = path.dirname(fileURLToPath(import.meta.url)) + path.sep;
const OWN =
    fs.readdirSync(PACKAGE).filter((name) => name.endsWith('.mjs') && name !== 'queue.mjs');

/** The stack of an error without such lines. */
export function stackOf(error) {
  const text = error?.cause || !error?.stack ? inspect(error) : error.stack;
  const isForeign = (line) => /^ +at /.test(line) &&
      (/\bnode:|\/node_modules\//.test(line) || OWN.some((name) => line.includes(PACKAGE + name)));
  return text.split('\n').filter((line) => !isForeign(line)).join('\n');
}

/** "file:line" of the first frame of the user's code, or undefined. If the stack overflowed, its
 * top is chance: then it is the least line that recurs. */
export function siteOf(error) {
  const text = stackOf(error).replace(error?.message, '');
  const sites = [];
  for (const found of text.matchAll(/^ +at .*?([^/(\n]+:\d+):\d+\)?( {)?$/gm))
    sites.push(found[1]);
  if (!(error instanceof RangeError && error.message.startsWith('Maximum call stack')))
    return sites[0];
  return sites.filter((site, i) => sites.indexOf(site) !== i).sort()[0] ?? sites[0];
}

/** Print why a run failed. Report the site; a mere exit status has none. */
function explain(error, report) {
  const text = stackOf(error), site = siteOf(error), isThrown = failure !== undefined;
  fs.writeSync(2, `${site === undefined ? text : `${site}: ${text}`}\n`);
  const name = site ?? (isThrown ? error?.name ?? typeof error : '');
  report?.write(Buffer.from(`${name}\0`).subarray(0, 127), 256);
}

/** The table of labels of an order. The report has it when the order or the process ends. */
class Labels {
  table = Buffer.alloc(4208 + 64 * 2144);
  rows = new Map(); // by kind and name
  marked = 0n;
  add(at, more = 1n) { this.table.writeBigUInt64LE(this.table.readBigUInt64LE(at) + more, at); }
  count(at, value) { // in a histogram
    const [count, least, most] = [0, 8, 16].map((i) => this.table.readBigUInt64LE(at + i));
    const high = BigInt(value.toString(2).length - 1);
    const bucket = value < 16n ? value : 16n + (high - 4n) * 8n + (value >> high - 3n & 7n);
    this.table.writeBigUInt64LE(count + 1n, at);
    if (count === 0n || value < least) this.table.writeBigUInt64LE(value, at + 8);
    if (value > most) this.table.writeBigUInt64LE(value, at + 16);
    const number = at + 24 + 4 * Number(bucket);
    this.table.writeUInt32LE(this.table.readUInt32LE(number) + 1, number);
  }
  marker() {
    this.marked = 0n;
    return (kind, name, value) => {
      const key = `${kind} ${name}`, at = 4208 + 2144 * (this.rows.get(key) ?? this.rows.size);
      if (!this.rows.has(key)) {
        if (this.rows.size >= this.room) return this.add(24);
        this.rows.set(key, this.rows.size);
        this.add(16);
        this.table.write(name.slice(0, 55), at);
        this.table[at + 55] = 0;
        this.table.writeBigUInt64LE(BigInt(kind), at + 56);
      }
      const bit = 1n << BigInt(this.rows.get(key));
      const before = kind === 8 && this.marked & bit ? this.table.readBigUInt64LE(at + 64) : 0n;
      const number = BigInt.asUintN(64, BigInt(value));
      this.table.writeBigUInt64LE(number > before ? number : before, at + 64);
      this.marked |= bit;
    };
  }
  endRun(f, run) {
    const used = BigInt(f.used);
    this.add(0);
    this.count(64, used);
    if (f.discarded) this.marked = 0n;
    else if (f.exhausted) this.add(8);
    else if (f._count < 4) this.add(32 + 8 * f._count);
    for (let i = 0, at = 4208; i < this.rows.size; i++, at += 2144) {
      const kind = this.table[at + 56];
      if ((this.marked >> BigInt(i) & 1n) === 0n) continue;
      const [value, count, , most] =
          [64, 72, 80, 88].map((k) => this.table.readBigUInt64LE(at + k));
      if (kind === 8 && (count === 0n || value > most)) {
        this.table.writeUInt32LE(run, at + 2080);
        this.table.writeUInt32LE(f.used, at + 2084);
      }
      this.count(at + 72, kind === 2 ? used : value);
    }
    this.marked = 0n;
  }
  begin(report) { // an order
    this.table.fill(0);
    this.rows.clear();
    this.marked = 0n;
    this.room = Math.min(Number(report.asked[8]), 64);
  }
  write(report) {
    report.write(this.table.subarray(0, 4208 + 2144 * this.rows.size), report.asked[7]);
    report.write(BigUint64Array.of(this.marked), 176);
  }
}

/** The table of goals of an order: how high runs came, and the draws of those that came higher. */
class Goals {
  room = 0;
  begin(report) { // an order
    const HEAD = 66568, RECORD = 64;
    const size = Number(report.asked[15]);
    this.room = size > HEAD ? Math.trunc((size - HEAD) / RECORD) : 0;
    if (this.room === 0) return;
    this.table = Buffer.alloc(HEAD);
    fs.readSync(report.fd, this.table, 0, HEAD, Number(report.asked[14]));
    this.records = [];
  }
  get isFull() { return this.room > 0 && this.room - this.records.length < 1024; }
  marker(f, run) {
    Object.assign(this, {run, isNews: false, newest: []});
    return (kind, name, value) => {
      if (kind !== 8) return;
      let hash = 0xcbf29ce484222325n;
      for (const byte of Buffer.from(name).subarray(0, 55))
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
      const place = 1032 + 16 * (3840 + Number(hash % 256n)), high = BigInt(value), {used} = f;
      const near = this.table.readBigUInt64LE(place), at = this.table.readUInt32LE(place + 8);
      if (high < near || high === near && used >= at - Math.trunc(at / 4)) return;
      this.isNews = true;
      this.table.writeBigUInt64LE(high, place);
      this.table.writeUInt32LE(used, place + 8);
      this.table.writeUInt32LE(run, place + 12);
    };
  }
  draw(f, kind, width, [min, max, value]) {
    const record = Buffer.alloc(64);
    record.set([1, kind, width]);
    record.writeUInt32LE(this.run, 4);
    [this.newest.count ?? 0, f.used, f._at - f._first, min, max, value].forEach(
        (n, i) => record.writeBigUInt64LE(BigInt.asUintN(64, BigInt(n)), 8 + 8 * i));
    this.newest.count = (this.newest.count ?? 0) + 1;
    if (this.newest.push(record) > 256) this.newest.shift();
  }
  endRun() {
    const from = this.table.readUInt32LE(8 + 4 * this.run), isOnlyNews = from >= 2 ** 31;
    if (this.isNews || !isOnlyNews)
      this.records.push(...this.newest.filter((r) => this.isNews || r.readUInt32LE(24) > from));
  }
  write(report) {
    this.table.writeBigUInt64LE(BigInt(this.records.length), 0);
    report.write(Buffer.concat([this.table, ...this.records]), report.asked[14]);
  }
}

let failure; // why this process ends, or went on
function fail(error, status = 1) {
  failure ??= {error};
  process.exit(isEnd(failure.error) ? 0 : status);
}

/**
 * Make a run. It passes if the test returns, its promise is kept, or the entropy runs out. A failure
 * ends the process, unless that may go on: then this returns false; before it is explained, if it is
 * made again with a report.
 */
async function attempt(
    test, report, f, number, isAlone, hasDigest, goesOn = false, isBare = false) {
  report?.begin(f, number, isAlone, hasDigest, isBare);
  try {
    judge('the test', await test(f));
  } catch (error) {
    if (!isEnd(error)) {
      failure = {error};
      if (!goesOn) fail(error);
    }
  }
  await new Promise(setImmediate); // promises that the test left behind fail now
  if (process.exitCode) process.exit();
  if (failure) {
    if (!isBare) explain(failure.error, report);
    failure = undefined;
    return false;
  }
  report?.pass();
  return true;
}

/** The generator of a run of choices, whose bytes the report gets. */
function chosen(report, data) {
  const room = Number(report.asked[11]);
  const choices = new Choices(data, room, () => report.write(BigUint64Array.of(1n), 104));
  const f = new Frng(Buffer.alloc(room), 0, choices.expected);
  f._choices = choices;
  return f;
}

/** Send an answer, and put the next order in its place. False where the driver has hung up. */
function hasOrder(control, message) {
  try {
    return fs.writeSync(control, message) > 0 && fs.readSync(control, message) === 80;
  } catch (error) {
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return false;
    throw error;
  }
}

/** The class of the runs: where a trace wants lines, they have the names of variables, too. */
const classOf = async (report) =>
    ((report?.asked[12] ?? 0n) & 1n) > 0n ? (await import('./shown.mjs')).Shown : Frng;

async function serve(test, report, control, entropy) { // until the driver hangs up
  const abilities =
      2n | 4n | 128n | 256n | 4096n | (/^0?$/.test(process.env.FRNG_NO_JUMP ?? '') ? 2048n : 0n);
  const message = BigUint64Array.of(1n, 1n, abilities, 192n, 8n, 0n, 0n, 0n, 0n, 0n); // HELLO
  let hasFailed = false; // a run, after which the process went on
  while (hasOrder(control, message)) {
    const [, , flags, , , , count, size, digestRun] = Array.from(message, Number);
    const bytes = Buffer.alloc(size), head = flags & 4 ? 8 * count : 0;
    fs.readSync(entropy, bytes, 0, size, 0);
    let made = 0, end = head, due = 0, hasPassed = true;
    report.read();
    report.labels.begin(report);
    report.goals.begin(report);
    const Run = await classOf(report);
    for (; made < count && hasPassed; made += hasPassed) {
      if (performance.now() > due && report.read()) due = performance.now() + 2;
      if (report.asked[4] !== 0n || report.goals.isFull) break; // stop
      const last = head ? head + Number(bytes.readBigUInt64LE(8 * made)) : size;
      const hasDigest = (flags & 2) > 0 && made === digestRun, goesOn = (flags & 256) > 0;
      const make = (isBare) => attempt(
          test, report,
          flags & 128 ? chosen(report, bytes.subarray(end, last)) : new Run(bytes, end, last),
          made, count === 1 && !isBare, hasDigest, goesOn, isBare);
      // Most candidates pass, and places and records take longer than their runs: so where a run has
      // failed before, one is made without, and if it fails again.
      const isBare = goesOn && hasFailed && !hasDigest && report.goals.room === 0;
      hasPassed = isBare && await make(true) || await make(false);
      hasFailed ||= !hasPassed;
      end = last;
    }
    if (made > 0 || !hasPassed) report.end();
    message.fill(0n).set([3n, 0n, hasPassed ? 0n : 8n, 0n, 0n, 0n, BigInt(made)]); // DONE
    if (!hasPassed) message[9] = 256n; // as after an exit with 1
  }
}

// ---- How the program is called ----

/**
 * A line on a variable that is almost one of frng's: it is the beginning of one, or differs in at
 * most two neighboring letters.
 */
export function misspelt() {
  for (const name of Object.keys(process.env)) {
    if (!name.startsWith('FRNG_') || VARIABLES.includes(name.slice(5))) continue;
    const known = VARIABLES.map((known) => `FRNG_${known}`).find((wanted) => {
      let same = 0, end = 0;
      const room = Math.min(name.length, wanted.length);
      while (same < room && name[same] === wanted[same]) same++;
      while (same + end < room && name.at(-1 - end) === wanted.at(-1 - end)) end++;
      return name.length >= 8 && same === name.length ||
          Math.max(name.length, wanted.length) - same - end <= 2;
    });
    if (known) return `${name} ${NOT_KNOWN} ${known}?`;
  }
  return undefined;
}

/** A line on a variable that is set for a check, which one run does not read. */
function unread() {
  const name =
      ['SEARCH', 'REPLAY', 'RUNS', 'SEED', 'PROFILE'].find((name) => process.env[`FRNG_${name}`]);
  return name && `FRNG_${name} is read by checks alone`;
}

/** A word as any POSIX shell takes it, and no terminal obeys it. */
function quote(word) {
  const text = String(word);
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll('\'', '\'\\\'\'')}'`;
  const body = text.replace(/\n+$/, ''); // as in $(...); the third character of IFS is a newline
  const octal = [...Buffer.from(body)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"$(printf '${octal.join('')}')"` +
      '"${IFS#??}"'.repeat(text.length - body.length);
}

export const quoted = (words) => words.map(quote).join(' ');

/** Two lines on how to run this program with such arguments. */
function usage(words) {
  const script = quote(path.relative('', process.argv[1] ?? ''));
  const more = words.map((word) => ` ${quote(word)}`);
  let run = script.includes('/') ? script : `./${script}`, search = run + (more[0] ? ' --' : '');
  try {
    fs.accessSync(process.argv[1] ?? '', fs.constants.X_OK);
  } catch {
    [run, search] = [`node ${script}`, `node -- ${script}`];
  }
  return `  frng-search ${search}${more.join('')}  finds the smallest input that fails\n` +
      `  ${run}${more.join('')} <FILE  runs the bytes of a file, as FRNG_INPUT=FILE does`;
}

/**
 * True if a driver of any version has started this program, and not only a process that it started:
 * a report is behind the descriptor, of either byte order.
 */
function hasDriver() {
  const offer = process.env.FRNG_DRIVER ?? '', head = Buffer.alloc(8);
  if (!/^[1-9]\d*(,-?\d+){3,}$/.test(offer)) return false;
  try {
    fs.readSync(Number(offer.split(',')[2]), head, 0, 8, 0);
  } catch {
    return false;
  }
  return [head.readBigUInt64LE(), head.readBigUInt64BE()].includes(MAGIC);
}

/** End if there are arguments: main has none. */
function checkArguments([first]) {
  if (/^(--help|-h)$/.test(first) && !hasDriver()) {
    console.log(`A test of frng, with no other argument than --help:\n${usage([])}`);
    process.exit();
  }
  if (first !== undefined)
    refuse(`unknown argument ${
        JSON.stringify(first)}: see --help; a test with arguments calls frng.run`);
}

/** End if nobody gives bytes: an empty file or pipe gives none, which is an input. */
function checkEntropy() {
  const {rdev} = fs.fstatSync(0); // Node opens /dev/null where it is closed
  if (rdev === 0x103 || isatty(0))
    refuse(
        `no entropy: stdin is a terminal, /dev/null or closed\n${usage(process.argv.slice(2))}`);
}

/** Read at most so many bytes of a device or a pipe, which may have no end. */
function readStream(file, most) {
  const parts = [];
  for (let left = most, got = 1; left > 0 && got > 0; left -= got) {
    const part = Buffer.alloc(Math.min(left, 1 << 20));
    got = fs.readSync(file, part, 0, part.length, null);
    parts.push(part.subarray(0, got));
  }
  return Buffer.concat(parts);
}

function readInput(isOffered) {
  const STREAM_MIB = 256, name = process.env.FRNG_INPUT;
  try {
    const file = name === undefined ? 0 : fs.openSync(name);
    if (isOffered || fs.fstatSync(file).isFile()) return fs.readFileSync(file);
    const bytes = readStream(file, STREAM_MIB << 20);
    if (bytes.length < STREAM_MIB << 20) return bytes;
  } catch (error) {
    return fail({stack: `frng: cannot read the entropy: ${error.message}`}, 125);
  }
  return refuse(
      `${name ?? 'stdin'} is no file, and has ${STREAM_MIB} MiB or more: name a file of ` +
      'them, or take less');
}

/**
 * Run `test` on stdin or the file FRNG_INPUT, or as a driver asks; only in the program `url`. It takes
 * no arguments.
 */
export async function main(test, url) {
  if (url && fs.realpathSync(process.argv[1] ?? '') !== fs.realpathSync(new URL(url))) return;
  checkArguments(process.argv.slice(2));
  await run(test);
}

/** As main, for a program with arguments of its own. */
export async function run(test) {
  const offered = process.env.FRNG_DRIVER;
  const [version, control, file, entropy] = (offered ?? '').split(',').map(Number);
  let report, offer = new Report(file);
  try {
    if (version === 1 && offer.read()) report = offer;
  } catch { // it was offered to another process, that started this one
  }
  const isOffered = hasDriver();
  if (!isOffered) {
    for (const line of [misspelt(), unread()])
      if (line) console.error(`frng: ${line}`);
    if (process.env.FRNG_INPUT === undefined) checkEntropy();
  }
  delete process.env.FRNG_DRIVER;
  Error.stackTraceLimit = 50;
  process.on('uncaughtException', (error) => fail(error));
  const waits = () => fail({name: 'Deadlock', stack: 'Deadlock: it waits for ever'});
  process.on('beforeExit', waits);
  process.on('exit', (code) => {
    const status = code || process.exitCode; // another handler can set it
    if (status) explain(failure ? failure.error : new Error(`exit status ${status}`), report);
    if (report?.f) report.end();
  });
  if (report && control >= 0) await serve(test, report, control, entropy);
  else {
    const Run = await classOf(report);
    await attempt(test, report, new Run(readInput(isOffered)), 0, true, false);
  }
  process.off('beforeExit', waits);
  if (process.emit('beforeExit', 0)) await new Promise(setImmediate); // of the program's own
  process.exit();
}
