/**
 * A search in the process of a test runner: frng.check, or frng.assert in a test of any runner.
 *
 * A check replays the findings of its folder. Then it makes the fresh runs that DRAWS.md describes,
 * up to the smallest that fails. The failure is thrown with its draws by name, which frng-reduce has
 * made simple if it is on PATH. A run that awaits what never comes fails; one in a loop ends the
 * process, by watch.mjs. With FRNG_SEARCH frng-search goes on where all runs have passed.
 * SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {inspect} from 'node:util';

import {isEnd} from './draws.mjs';
import {expand, filesOf, inputOf, Outputs, read, Refused} from './seeds.mjs';
import * as shared from './shared.mjs';
import {misspelt, quoted, run as runTarget, siteOf, stackOf} from './target.mjs';
import {Frng, holds, known} from './values.mjs';

const {RUNS, IDLE, SIZE_MAX, SIZE_MIN, RUN_COST, LOWER, END, UNREAD} = shared;
const RUN_MS = 1000 * shared.TIMEOUT_S, REDUCE_MS = 1000 * shared.REDUCE_S;
const LONG_MS = 120000, LINES_MAX = 100, WHAT_MAX = 12, CALLS_MAX = 8;
const TARGET = Symbol.for('frng.target'); // the name of the check that run.mjs starts
const OPTIONS = ['runs', 'sizeMax', 'findings', 'runTimeout', 'require'];
const HOOKS = 'hooks'; // its last word where node:test calls the test
// What a target, which starts often, does not need is loaded when it is.
const load = createRequire(import.meta.url);
const LOADER = /^(-r|--(import|(experimental-)?loader|require))(=|$)/;
// What goes on after failures is believed; the answer is made again in a new process.
const AT_ONCE = ['--unconfirmed', '--mode', 'persistent', '--jobs', 1];
const HERE = path.dirname(fileURLToPath(import.meta.url)) + path.sep;

/** A run of a check has failed. Its cause is what the test threw. */
export class Failure extends Error {}
Failure.prototype.name = 'Failure';

/** A run has not ended in time. */
class Hang extends Error {}
Hang.prototype.name = 'Hang';

const isPromise = (value) => typeof value?.then === 'function';

/** What a promise comes to, or a Hang, as watch.mjs has it. */
async function inTime(limit, promise) {
  const begun = now(), spent = process.cpuUsage();
  let timer;
  const late = new Promise((_, reject) => {
    const look = () => {
      const {user, system} = process.cpuUsage(spent);
      if ((user + system) / 1000 < limit && now() - begun < IDLE * limit)
        timer = setTimeout(look, LOOK_MS);
      else reject(new Hang(`the run has not ended after ${limit / 1000} s`));
    };
    timer = setTimeout(look, limit);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const optionsOf = ({hex, seed, entropy}) =>
    hex === undefined ? ['--size', entropy.length, '--seed', seed] : ['--hex', hex];
const resultOf = ({hex, seed, entropy}) =>
    `size=${entropy.length} ${hex === undefined ? `seed=${seed}` : `hex=${hex}`}`;

const {setImmediate, setTimeout, clearTimeout} = globalThis; // tests can put others in their place
const now = performance.now.bind(performance);
const TURNS = 100, LOOK_MS = 100;
const turn = () => new Promise(setImmediate);
const timersNow = () => // Node 18 has it from its first one on
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

/** The runs of a check. An input has its entropy, a seed or hex, and what it threw as `failure`. */
class Search {
  made = 0; // fresh runs
  most = 0; // bytes that one of them drew
  attempts = 0;
  discarded = 0;
  skipped = 0; // fresh ones that were discarded
  labels = new Map();
  strays = [];      // errors of promises and timers that runs have left, as the process hears them
  settles = true;   // each run ends with them
  patience = TURNS; // milliseconds to wait for timers
  constructor(test, runs, sizeMax, base) {
    Object.assign(this, {test, runs, sizeMax, base, seed: new Outputs(base).next().number});
    this.timers = timersNow();
  }
  /** Search while no runner hears such errors, but of those that are of no run, at the end. */
  async hearing(body) {
    if (Search.hears) return body();
    Search.hears = true;
    const hear = (name) => (...given) => isEnd(given[0]) || this.strays.push([name, ...given]);
    const events = ['unhandledRejection', 'uncaughtException'];
    const others = events.map((name) => process.rawListeners(name));
    for (const name of events) process.removeAllListeners(name).on(name, hear(name));
    try {
      await body();
    } finally {
      events.forEach((name, i) => {
        process.removeAllListeners(name);
        for (const other of others[i]) process.on(name, other);
      });
      Search.hears = false;
    }
    for (const [name, ...given] of this.strays)
      if (!process.emit(name, ...given)) throw given[0];
  }
  /** Wait for what runs have left. Return what the process has heard. */
  async settle() {
    for (await turn(); timersNow() > this.timers && this.patience-- > 0;)
      await new Promise((resolve) => setTimeout(resolve, 1));
    return this.strays.splice(0);
  }
  /** Make the run of an input. Return {error} if it fails; nothing if it passes; or a promise. */
  attempt(f, input) {
    const marks = new Set();
    f._mark = (_, name) => marks.add(name);
    const end = (failure) => {
      this.watch?.end();
      this.attempts++;
      if (f.discarded && !failure) this.discarded++;
      else
        for (const name of marks) this.labels.set(name, 1 + (this.labels.get(name) ?? 0));
      return failure;
    };
    const settled = ([stray]) => stray && {error: stray[1]};
    const over = (failure) =>
        this.settles ? this.settle().then((left) => end(failure ?? settled(left))) : end(failure);
    const fail = (error) => over(isEnd(error) ? undefined : {error});
    this.watch?.begin(resultOf(input));
    let made;
    try {
      made = holds('the test', this.test, f);
    } catch (error) {
      return fail(error);
    }
    if (!isPromise(made)) return over();
    return (this.watch ? inTime(this.limit, made) : Promise.resolve(made))
        .then(() => over(), fail);
  }
  /** Run an input anew. Return it if it fails. */
  async again(input) {
    const f = new Frng(input.entropy);
    f._report = input.kept;
    const failure = await this.attempt(f, input);
    return failure && {...input, failure};
  }
  /**
   * Make the next run. Return its input if it fails, as many bytes as it drew, or all; perhaps a
   * promise: each takes microseconds in the hooks of a runner.
   */
  fresh(size) {
    const seed = `${this.seed}${this.seed % 2n ? 's' : ''}`;
    this.seed = BigInt.asUintN(64, this.seed + 1n);
    this.made++;
    const entropy = expand(seed, size), f = new Frng(entropy), before = this.discarded;
    const judge = (failure) => {
      this.skipped += this.discarded - before;
      if (failure) return this.repeated({entropy, seed}, f.used, failure);
      this.most = Math.max(this.most, f.exhausted ? size : f.used);
      return undefined;
    };
    const made = this.attempt(f, {entropy, seed});
    return isPromise(made) ? made.then(judge) : judge(made);
  }
  /** The input of a fresh run that has failed, with as few bytes as fail again. */
  async repeated(whole, used, failure) {
    const drawn = {...whole, entropy: whole.entropy.subarray(0, used)};
    if (failure.error instanceof Hang) return {...drawn, failure};
    return await this.again(drawn) ?? await this.again(whole) ??
        {...whole, failure, isFlaky: true};
  }
  /** The runs that count: of ten that were discarded one does, so that there is an end. */
  counted() { return this.made - this.skipped + Math.floor(this.skipped / 10); }
  /** Return the first fresh run that fails. Where the process alone hears of one, each run waits. */
  async grow() {
    const {seed, made, most, attempts, discarded, skipped} = this, labels = new Map(this.labels);
    this.settles = false;
    const found = await this.grown(), strays = await this.settle();
    if (found || strays.length === 0) return found;
    const patience = 20 * TURNS, settles = true;
    Object.assign(
        this, {seed, made, most, attempts, discarded, skipped, labels, patience, settles});
    const again = await this.grown();
    if (!again) this.strays.push(...strays);
    return again;
  }
  /** Make rows of runs, at the size that has cost least so far. Return the first that fails. */
  async grown() {
    const levels = [];
    for (let size = SIZE_MIN; size < this.sizeMax; size *= 2) levels.push({size, count: 0});
    levels.push({size: this.sizeMax, count: 0});
    const cost = ({size, count}) => (count + 1) * (RUN_COST + size);
    while (this.counted() < this.runs && !this.isUnread(UNREAD)) {
      const level = levels.filter(({size}, i) => i === 0 || size <= 2 * this.most)
                        .reduce((a, b) => cost(b) < cost(a) ? b : a);
      const row = Math.min(1 + (level.count >> 2), this.runs - this.counted());
      level.count += row;
      for (let i = 0; i < row; i++) {
        const found = this.fresh(level.size);
        if (found && await found) return found;
      }
      if (!this.settles) await turn();
      if (this.strays.length > 0) break;
    }
    return undefined;
  }
  /** True if so many fresh runs, or more, have drawn nothing. */
  isUnread(least = 1) { return this.made >= least && this.most === 0 && this.sizeMax > 0; }
  /** Make fresh runs below a failure: by halves, then at a byte less. Return the smallest. */
  async lower(best) {
    const limit = this.counted() + 2 * this.runs, site = siteOf(best.failure.error);
    for (let low = 0; best.entropy.length > 0 && this.counted() < limit;) {
      const length = best.entropy.length, isEnd = low >= length;
      const size = isEnd ? length - 1 : (low + length) >> 1;
      const until = this.counted() + (isEnd ? END : LOWER);
      let found;
      while (this.counted() < until && !found) {
        const fresh = this.fresh(size), made = fresh && await fresh;
        if (made && !made.isFlaky && siteOf(made.failure.error) === site) found = made;
      }
      if (found) best = found;
      else if (isEnd) break;
      else low = size + 1;
    }
    return best;
  }
}

/** The file, line and column of the code that calls this package. */
function callingPlace() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const {stack} = new Error();
  Error.stackTraceLimit = limit;
  for (const line of stack.split('\n').slice(1)) {
    const [, url, row, column] = /\(?((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/.exec(line) ?? [];
    const file = url?.startsWith('file:') ? fileURLToPath(url) : url;
    if (file && path.dirname(file) + path.sep !== HERE) return {file, url, row, column};
  }
  return {};
}

/** Call a function as from a place, which node:test takes for the location of a test. */
function calledFrom({url, row, column}, call, ...given) {
  if (url === undefined) return call(...given);
  const body = `return (\n${' '.repeat(column - 1)}call(...given));`;
  const options = {filename: url, lineOffset: row - 2};
  return load('node:vm').compileFunction(body, ['call', 'given'], options)(call, given);
}

const relative = (file) => path.relative('', file);

/** The options of Node that load modules. */
const loadersOf = () => process.execArgv.filter(
    (word, i, words) => LOADER.test(word) || LOADER.exec(words[i - 1] ?? '')?.[4] === '');

/** The words after a tool that run a check as a target. */
function commandOf({file, name, isTarget}) {
  const loaders = loadersOf();
  const real = path.join(HERE, 'run.mjs'), linked = path.join('node_modules', 'frng', 'run.mjs');
  const isLinked = fs.existsSync(linked) && fs.realpathSync(linked) === fs.realpathSync(real);
  const own = isLinked ? linked : relative(real);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 18 || minor >= 11)
    loaders.push('--test-name-pattern=frng-target'); // its other tests
  return isTarget ? ['--', ...loaders, own, relative(file), name] : [];
}

/** Where the tools keep what they find. */
function keptOf({folder, name}) {
  const given = process.env.FRNG_FINDINGS;
  return given ? path.join(given, name) : folder;
}
const keepOf = (where) => ['--findings', relative(keptOf(where))];

function start(program, words, timeout, variables = {}, input = undefined) {
  const {NODE_TEST_CONTEXT, ...rest} = process.env, env = {...rest, ...variables};
  const options = {encoding: 'utf8', timeout, env, stdio: 'pipe', input};
  return load('node:child_process').spawnSync(program, words.map(String), options);
}

/** Run a tool on a check as a target. */
const run = (tool, words, command, timeout) =>
    start(tool, [process.execPath, ...words, '--quiet', ...command], timeout);

/**
 * True if an input passes in a new process of node:test, with all of its hooks, which has made no run
 * before. Other runners are not asked.
 */
function passesAlone(search, input, {nameInNode: name}) {
  const [, file] = process.argv, escape = (text) => text.replace(/[^\w ]/g, '\\$&');
  if (!name || !file) return false;
  const pattern = `--test-name-pattern=${escape(name)}$`;
  const words = [...loadersOf(), '--test-reporter=tap', pattern, file];
  const {stdout} =
      start(process.execPath, words, 10 * search.limit, {FRNG_REPLAY: resultOf(input)});
  const shown = escape(name.replace(/[\\#]/g, '\\$&')); // of each test of this name, in any group
  const says = (how) => new RegExp(`^ *${how} \\d+ - ${shown}( #|$)`, 'm').test(stdout ?? '');
  return says('ok') && !says('not ok');
}

/** Let frng-search search for a while, where FRNG_SEARCH says so. Return what it finds. */
async function searchOn(search, where, command) {
  const span = process.env.FRNG_SEARCH;
  if (span && command.length === 0)
    console.error(`frng: FRNG_SEARCH=${span}: ${where.name} is no target: say frng.check`);
  if (!span || command.length === 0) return undefined;
  const limit = search.limit ? ['--timeout', `${search.limit}ms`] : [];
  const words = ['--time', span, ...keepOf(where), ...limit];
  const {status, stdout, stderr, error} = run('frng-search', words, command);
  if (status === 0) return undefined;
  if (status !== 1) {
    const why = error ?? `exit status ${status}: ${stderr}`;
    throw new Refused(`FRNG_SEARCH=${span}: frng-search: ${why}`);
  }
  const found = await search.again(inputIn(stdout));
  if (!found) throw new Failure(`${shared.FOUND}, and passes here: ${stdout}`);
  return found;
}

/** The input of a result line. */
function inputIn(text) {
  try {
    return inputOf(Object.fromEntries(text.trim().split(/\s+/).map((word) => word.split('='))));
  } catch {
    throw new Refused(`FRNG_REPLAY=${text} ${shared.NO_INPUT}`);
  }
}

/**
 * Let frng-reduce make an input simple, where it is there; `calls` made, if it could go on. Null if
 * the failure is not there without its runner, which may give the test globals.
 */
async function reduce(search, input, command, ...more) {
  const isHang = input.failure.error instanceof Hang;
  if (process.env.FRNG_REDUCE === '0' || command.length === 0 || isHang) return undefined;
  const limits = ['--calls', shared.REDUCE_CALLS, '--time', `${shared.REDUCE_S}s`];
  const words = [...optionsOf(input), ...limits, '--explain', 'no', '--json', '-', ...more];
  const {stdout, error} = run('frng-reduce', words, command, 2 * REDUCE_MS);
  const done = (stdout ?? '').trim().split('\n').pop();
  const pattern = /"complete":(true|false),.*?"hex":"([0-9a-f]*)"(?:.*?"calls":(\d+))?/;
  const [, is, hex, count] = pattern.exec(done) ?? [];
  if (hex === undefined) return error ? undefined : null;
  const calls = is === 'false' ? count : undefined;
  const found = await search.again({entropy: Buffer.from(hex, 'hex'), hex, calls});
  if (!found) return null;
  return siteOf(found.failure.error) === siteOf(input.failure.error) ? found : undefined;
}

const hasTools = () => (process.env.PATH ?? '')
                           .split(':')
                           .some((folder) => fs.existsSync(path.join(folder, 'frng-reduce')));

function goOn(search, input, where, command) {
  const lines = [shared.GO_ON];
  if (!input.needsState) lines.push(`  FRNG_REPLAY='${resultOf(input)}' ${shared.ALONE}`);
  if (command.length > 0 && !input.needsState) {
    const words = ['node', ...optionsOf(input)];
    if (input.failure.error instanceof Hang) words.push('--timeout', `${search.limit}ms`);
    lines.push(
        `  ${quoted(['frng-replay', ...words, '--trace', ...command])}`,
        `  ${quoted(['frng-reduce', ...words, ...keepOf(where), ...command])}`);
    if (!hasTools()) lines.push(`  (${shared.NO_TOOLS})`);
  }
  if (search.made > 0) lines.push(`  FRNG_SEED=${search.base} ${shared.REPEATS}`);
  return lines;
}

/** The lines of the stack that stackOf has left. */
const callsOf = (error) => `${error?.stack}`.split('\n').filter((line) => /^ +at /.test(line));

/** Throw the report of a failure, from what the test threw. */
async function fail(search, input, how, where, command) {
  const {Shown} = await import('./shown.mjs');
  const shown = new Shown(input.entropy), told = await search.attempt(shown, input);
  const {error} = told ?? input.failure;
  const lines = shown.lines.map((line) => `  ${line}`), more = lines.length - LINES_MAX;
  if (more > 0) lines.splice(LINES_MAX / 2, more, `  ... ${more} lines more`);
  const what = error instanceof Error ? String(error) : `threw ${inspect(error)}`;
  if (typeof error?.stack === 'string') error.stack = stackOf({stack: error.stack});
  const site = siteOf(error) ?? (where.file ? path.basename(where.file) : '');
  const report = [
    `${how}: ${resultOf(input)}`, ...lines,
    `${site}: ${what.split('\n').slice(0, WHAT_MAX).join('\n  ')}`,
    ...goOn(search, input, where, command)
  ];
  const failure = new Failure(report.join('\n'), {cause: error});
  // Its own lines are those of this package. Reporters that leave out the cause show these.
  failure.stack = [`${failure}`, ...callsOf(error).slice(0, CALLS_MAX)].join('\n');
  throw failure;
}

function numberOf(name, otherwise, bits = 31n) {
  const text = process.env[name];
  if (!text) return otherwise;
  if (!/^\d+$/.test(text) || BigInt(text) >= 1n << bits)
    throw new Refused(`${name}=${text} ${shared.NO_NUMBER}`);
  return BigInt(text);
}

/** The milliseconds that a run may take. One that is debugged may take any time. */
function limitOf({runTimeout = RUN_MS} = {}) {
  if (process.env.FRNG_TIMEOUT) return 1000 * Number(numberOf('FRNG_TIMEOUT'));
  return process.env.FRNG_REPLAY || load('node:inspector').url() ? 0 : runTimeout;
}

/** Watch the runs of a search, with the report of a loop. */
async function watched(search, where, command, options) {
  search.limit = limitOf(options);
  const words = quoted(command), keep = quoted(keepOf(where));
  const lines = [
    '', `frng: ${where.name} hangs: a run has not ended after ${search.limit / 1000} s: INPUT`,
    shared.GO_ON, `  FRNG_REPLAY='INPUT' ${shared.ALONE}`
  ];
  if (command.length > 0)
    lines.push(
        `  frng-replay node INPUT --trace --timeout ${search.limit}ms ${words}`,
        `  frng-reduce node INPUT ${keep} --timeout ${search.limit}ms ${words}`);
  lines.push(`  FRNG_SEED=${search.base} ${shared.REPEATS}`, '');
  if (search.limit > 0) {
    const {Watch} = await import('./watch.mjs');
    search.watch = new Watch(search.limit, lines.join('\n'));
  }
  return search;
}

function searchOf(test, {runs = RUNS, sizeMax = SIZE_MAX} = {}) {
  const profile = process.env.FRNG_PROFILE, isFixed = profile === 'ci', line = misspelt();
  if (line) throw new Refused(line);
  if (profile && !isFixed) throw new Refused(`FRNG_PROFILE=${profile} ${shared.NO_PROFILE}`);
  const base = isFixed ? 1n : load('node:crypto').randomBytes(8).readBigUInt64LE();
  const count = Number(numberOf('FRNG_RUNS', BigInt(runs)));
  return new Search(test, isFixed ? 10 * count : count, sizeMax, numberOf('FRNG_SEED', base, 64n));
}

/** The findings to replay: its own, or all of FRNG_FINDINGS where it has no folder. */
function foundOf(where) {
  const named = process.env.FRNG_FINDINGS;
  const files = filesOf(keptOf(where)) ?? (named ? filesOf(named) : undefined);
  if (named && !files)
    console.error(`frng: FRNG_FINDINGS=${named} is not there: no finding is replayed`);
  return files ?? [];
}

/** True if a finding is not of another test, whose folder has the same name. */
function isOf({file, name}, {args}) {
  const at = args.findIndex((word) => path.basename(word) === 'run.mjs');
  return at < 0 || !file ||
      args[at + 2] === name && path.basename(args[at + 1]) === path.basename(file);
}

function judgeLabels(search, name, {require = {}}) {
  const kept = search.attempts - search.discarded;
  const share = (count) => `${(100 * count / (kept || 1)).toFixed(2)}%`;
  if (process.env.FRNG_STATISTICS) {
    console.error(`${name}: ${search.attempts} runs, ${search.discarded} discarded`);
    for (const [label, count] of [...search.labels].sort())
      console.error(`${share(count).padStart(9)} ${label}`);
  }
  const line = `${search.skipped} of ${search.made} runs of ${name} ${shared.DISCARDED}`;
  if (search.skipped > 0.9 * search.made) throw new Refused(line, 3);
  if (search.skipped > search.made / 2) console.error(`frng: ${line}`);
  for (const [label, least] of Object.entries(require)) {
    const count = search.labels.get(label) ?? 0;
    if (count < least * kept)
      throw new Failure(
          `${share(count)} of ${kept} runs had the label '${label}', not ${100 * least}%`);
  }
}

/** Search, and throw what is found. */
async function searchFor(test, where, options) {
  const command = commandOf(where), given = process.env.FRNG_REPLAY;
  const search = await watched(searchOf(test, options), where, command, options);
  await search.hearing(() => judge(search, where, command, given, options));
}

async function judge(search, where, command, given, options) {
  if (given) {
    const failed = await search.again(inputIn(given));
    if (failed) await fail(search, failed, 'FRNG_REPLAY fails', where, command);
    console.error(`frng: ${where.name}: ${shared.PASSES}`);
    return;
  }
  for (const file of foundOf(where)) {
    const finding = read(relative(file)), known = await search.again(finding);
    if (known) await fail(search, known, `${relative(file)} still fails`, where, command);
    if (isOf(where, finding)) finding.kept?.check();
  }
  const before = search.attempts;
  const first = search.runs > 0 ? await search.grow() : undefined, {made} = search;
  if (!first) {
    if (search.runs > 0) judgeLabels(search, where.name, options);
    if (search.isUnread())
      throw new Refused(`none of ${made} runs of ${where.name} ${shared.NO_DRAW}`, 3);
    const later = await searchOn(search, where, command);
    if (later) await failReduced(search, later, shared.FOUND, where, command);
    if (search.attempts === 0 && !(process.env.FRNG_SEARCH && command.length > 0))
      throw new Refused(shared.NO_RUNS);
    return;
  }
  if (first.failure.error instanceof Hang)
    await fail(search, first, `fails in run ${made}, and is not made smaller`, where, command);
  if (first.isFlaky) {
    const lines =
        [`flaky: ${resultOf(first)} ${shared.FLAKY}`, ...goOn(search, first, where, command)];
    throw new Failure(lines.join('\n'), {cause: first.failure.error});
  }
  const best = await search.lower(first), others = before + made - 1;
  let target = command, simple = await reduce(search, best, target, ...AT_ONCE);
  if (!simple && others > 0 && passesAlone(search, first, where)) {
    const how = `fails only after ${others} other runs; ${shared.STATE}`;
    await fail(search, {...first, needsState: true}, how, where, command);
  }
  if (simple === null && where.nameInNode) { // its hooks may be what makes it fail
    target = [...command, HOOKS];
    simple = await reduce(search, best, target, ...AT_ONCE);
  }
  const how = `fails in run ${made}, smallest after ${search.made - made} more`;
  await failReduced(search, best, how, where, target, simple);
}

/** Throw the report of a failure, reduced where frng-reduce is there. */
async function failReduced(search, best, how, where, command, known = undefined) {
  const simple = known ?? await reduce(search, best, command);
  const end = simple?.calls ? `, ${shared.UNFINISHED.replace('{}', simple.calls)}` : '';
  const said = simple ? `${how}: ${resultOf(best)}\n${shared.REDUCED}${end}` : how;
  await fail(search, simple ?? best, said, where, simple === null ? [] : command);
}

/** In a file of node:test that no runner has started, the status of the program, too. */
function endWith(error) {
  if (error instanceof Refused && !process.env.NODE_TEST_CONTEXT)
    process.once('exit', () => {
      process.exitCode = error.status;
    });
  throw error;
}

/** Search within a test of any runner: `it('sorts', () => frng.assert((f) => ...))`. */
export async function assert(test, options = {}) {
  known(options, 'name', ...OPTIONS);
  const {file} = callingPlace(), name = options.name ?? 'assert';
  const folder = options.findings ?? path.join(path.dirname(file ?? '.'), 'findings', name);
  await searchFor(test, {file, name, folder, isTarget: false}, options);
}

const places = new Map(); // of the tests of each name in a file

/** The name of a check in reports and folders: those after the first of a name have a number. */
function labelOf(name, {file, row, column}) {
  const key = `${file}\0${name}`, all = places.get(key) ?? [], place = `${row}:${column}`;
  if (!all.includes(place)) all.push(place);
  places.set(key, all);
  const number = all.indexOf(place);
  return number > 0 ? `${name} (${number + 1})` : name;
}

/**
 * Make a test of the runner: of vitest, jest or mocha by its global `it`, else of node:test. Its
 * options go to the runner, too.
 */
export function check(name, test, options = {}) {
  if (typeof options === 'function') [test, options] = [options, test]; // the order of node:test
  known(options, ...OPTIONS, 'skip', 'only', 'todo', 'timeout');
  const place = callingPlace(), {file} = place, label = labelOf(name, place);
  if (globalThis[TARGET] !== undefined) {
    if (globalThis[TARGET] !== label) return undefined;
    globalThis[TARGET] = {test};
    return process.argv[4] === HOOKS ? load('node:test')('frng-target', () => runTarget(test)) :
                                       undefined;
  }
  const folder = path.resolve(
      path.dirname(file ?? '.'),
      options.findings ?? path.join('findings', label.replaceAll('/', '_')));
  const where = {file, name: label, folder, isTarget: file !== undefined};
  const {skip, only, todo, timeout} = options;
  if (typeof globalThis.it === 'function') {
    const within = function() {
      this?.timeout?.(timeout ?? LONG_MS); // of mocha
      return searchFor(test, where, options);
    };
    return calledFrom(place, globalThis.it, name, within, timeout ?? LONG_MS);
  }
  const given =
      Object.entries({skip, only, todo, timeout}).filter(([, value]) => value !== undefined);
  where.nameInNode = name;
  const search = () => searchFor(test, where, options).catch(endWith);
  return calledFrom(place, load('node:test'), name, Object.fromEntries(given), search);
}
