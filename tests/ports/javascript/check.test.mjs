/** frng.check of the JavaScript port: its values, what it finds, and how it says so. */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {Choices} from '../../../frng/javascript/encode.mjs';
import * as frng from '../../../frng/javascript/frng.mjs';
import {expand} from '../../../frng/javascript/seeds.mjs';

/** The text of the Failure of a search, with variables of the environment. */
async function failureOf(run, options = {}, variables = {}) {
  const before = {...process.env};
  Object.assign(process.env, variables);
  try {
    await frng.assert(run, options);
  } catch (error) {
    if (error instanceof frng.Failure) return error;
    throw error;
  } finally {
    process.env = before;
  }
  throw new Error('the check has passed');
}

const NOON = new Date(Date.UTC(2024, 1, 29, 12)), LATER = new Date(NOON.getTime() + 100);
const isWithin = (x, min, max) => x >= min && x <= max;
const isUnique = (list) => new Set(list).size === list.length;
// A draw, and what each value must be.
const VALUES = [
  [(f) => f.integer(0, 9), (x) => isWithin(x, 0, 9)],
  [(f) => f.integer(-3, 300), (x) => isWithin(x, -3, 300)],
  [(f) => f.integer(), (x) => isWithin(x, -(2 ** 31), 2 ** 31 - 1)],
  [(f) => f.integer(2 ** 40, 2 ** 50), (x) => isWithin(x, 2 ** 40, 2 ** 50)],
  [(f) => f.bigInt(1n, 1n << 63n), (x) => isWithin(x, 1n, 1n << 63n)],
  [(f) => f.double(-1, 2), (x) => isWithin(x, -1, 2)],
  [(f) => f.double(undefined, undefined, {noNaN: true, noInfinity: true}), Number.isFinite],
  [(f) => f.text(1, 3), (x) => isWithin(Array.from(x).length, 1, 3)],
  [(f) => f.string('a\0é', 1, 3), (x) => /^[a\0é]{1,3}$/.test(x)],
  [(f) => f.uint8Array(2, 4), (x) => isWithin(x.length, 2, 4)],
  [(f) => f.date(), (x) => x.getTime() % 86400000 === 0 && isWithin(x.getUTCFullYear(), 1, 9999)],
  [(f) => f.dateTime(NOON, LATER), (x) => isWithin(x, NOON, LATER)],
  [(f) => f.dateTime(), (x) => isWithin(x.getUTCFullYear(), 1, 9999)],
  [(f) => f.constantFrom(3, 5), (x) => x === 3 || x === 5],
  [(f) => f.permutation('abc'), (x) => [...x].sort().join('') === 'abc'],
  [(f) => f.subset('abcd'), (x) => isUnique(x) && [...x].sort().join() === x.join()],
  [(f) => f.list(() => f.u8(), {min: 1, max: 3}), (x) => isWithin(x.length, 1, 3)],
  [(f) => f.list(() => f.bool(), {unique: true}), isUnique],
  [(f) => f.array(() => f.u8(), {maxLength: 2}), (x) => x.length <= 2],
  [(f) => f.dictionary(() => f.string('ab', 1), () => f.u8()), (x) => typeof x === 'object'],
  [(f) => f.oneOf(() => f.u8(), () => f.text()), (x) => x !== undefined],
  [(f) => f.option(() => f.u8()), (x) => x === null || x < 256],
];

test('values are within their bounds, and end with the entropy', () => {
  VALUES.forEach(([draw, holds], row) => {
    const made = new Set();
    for (let seed = 0; seed < 80; seed++) {
      const f = new frng.Frng(expand(`${seed >> 1}${seed % 2 ? 's' : ''}`, 200));
      try {
        for (;;) {
          const value = draw(f);
          assert(holds(value), `row ${row}: ${value}`);
          made.add(JSON.stringify(value, (_, x) => typeof x === 'bigint' ? `${x}` : x));
        }
      } catch (error) {
        if (!(error instanceof frng.OutOfEntropy)) throw error;
      }
    }
    assert(made.size > 1, `row ${row}`);
    assert.throws(() => draw(new frng.Frng(new Uint8Array(0))), frng.OutOfEntropy);
  });
});

test('where choices end, values are the simplest', () => {
  const f = new frng.Frng(Buffer.alloc(1000));
  f._choices = new Choices(Buffer.alloc(0), 1000, () => {});
  assert.deepEqual(
      [
        f.integer(), f.double(), f.text(), f.list(() => f.u8()), f.dateTime().toISOString(),
        f.constantFrom(7, 8), f.integer(5, 900), f.integer(-5, 900), f.bigInt()
      ],
      [0, 0, '', [], '2000-01-01T00:00:00.000Z', 7, 5, 0, 0n]);
});

test('wrong bounds are refused', () => {
  const f = new frng.Frng(new Uint8Array(9));
  for (const draw
           of [() => f.integer(3, 2), () => f.integer(0.5, 2), () => f.double(1, 0),
              () => f.list(() => f.u8(), {min: 3, max: 2}), () => f.pick(new Set([1])),
              () => f.dateTime(LATER, NOON), () => f.u8Mixed(3)])
    assert.throws(draw, RangeError);
});

test('a failure has its size, its seed, and its draws by name', async () => {
  const loses = (f) => {
    const xs = f.list(() => [f.i8(-9, 9), f.bool()]);
    assert(isUnique(xs.map(String)), 'a duplicate');
  };
  const failure = await failureOf(loses), lines = failure.message.split('\n');
  const how =
      /^fails in run \d+, smallest after \d+ more: (size=(\d+) seed=(\d+s?))$/.exec(lines[0]);
  const [, result, size, seed] = how;
  assert.match(lines[1], /^ {2}xs = \[ \[ /);
  assert.equal((Number(size) - 1) % 3, 0);
  assert.match(lines[2], /^check\.test\.mjs:\d+: AssertionError.*a duplicate/);
  assert.match(lines.at(-1), /FRNG_SEED=7 repeats the search$/);
  assert.throws(() => loses(new frng.Frng(expand(seed, Number(size)))), /a duplicate/);
  assert.equal(failure.cause.message, 'a duplicate');
  assert.doesNotMatch(failure.cause.stack, /check\.mjs/);
  assert.equal((await failureOf(loses)).message, failure.message);
  const again = (await failureOf(loses, {}, {FRNG_REPLAY: result})).message.split('\n');
  assert.deepEqual(again.slice(1, 3), lines.slice(1, 3));
});

test('names are those of variables, notes and draws', async () => {
  const holder = {value: 0};
  const failure = await failureOf((f) => {
    const [a, b] = f.draw(() => [f.pick('xy'), f.u8()]);
    assert(f.note('given').u8() >= 0);
    holder.value = f.u8();
    const isLarge = f.u8() > 3;
    assert(f.u8() >= 0);
    f.say('soon');
    f.step('put');
    const key = f.u8();
    // clang-format off
    const last = (f) => { const [c, d] = f.draw(() => [f.u8(), f.u8()]); return c + d; };
    // clang-format on
    f.step('end');
    assert.fail(`${a}${b}${isLarge}${key}${last(f)}`);
  });
  const shown = failure.message.replaceAll('\'y\'', '\'x\'').split('\n').slice(1, 9);
  assert.deepEqual(shown.map((line) => line.trim().replaceAll(/\d+/g, 'N')), [
    '[a, b] = [ \'x\', N ]', 'given = N', 'holder.value = N', 'uN = N', 'uN = N', '# soon',
    'put(key = N)', 'end([c, d] = [ N, N ])'
  ]);
});

test('draws that choose a step are its own', async () => {
  const key = (f) => f.u8(0, 3);
  const chooses = async (f) => {
    const cap = key(f);
    for (let count = 0;;) {
      const who = f.u8(7, 7), op = f.pick(['push', 'pop']);
      f.step(op);
      await null;
      const item = key(f);
      if (op === 'push') count++;
      assert(count < 3, `${cap} ${who} ${item}`);
    }
  };
  for (let seed = 0; seed < 5; seed++) {
    const {message} = await failureOf(chooses, {}, {FRNG_SEED: `${seed}`});
    const [head, ...steps] = message.split(/\ncheck\.test/)[0].split('\n').slice(1);
    assert.match(head, /^ {2}u8 = \d$/);
    for (const step of steps) assert.match(step, /^ {2}(push|pop)\(who = 7, u8 = \d\)$/, message);
  }
});

async function runsOf(draw, runs, variables = {}) {
  const before = {...process.env}, made = [];
  Object.assign(process.env, variables);
  try {
    await frng.assert((f) => {
      made.push(`${f.left} ${f._bytes.toString('hex')}`);
      draw(f);
    }, {runs});
  } finally {
    process.env = before;
  }
  return made;
}
const drain = (f) => {
  for (;;) f.u8();
};

test('sizes double as far as runs use them, and the environment sets runs and seeds', async () => {
  const sizes = (await runsOf(drain, 1000)).map((run) => parseInt(run));
  assert.deepEqual(
      [...new Set(sizes)].sort((a, b) => a - b), [16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
  const few = (await runsOf((f) => f.u32(), 100)).map((run) => parseInt(run));
  assert.deepEqual(new Set(few), new Set([16]));
  for (const [variables, count] of [
           [{}, 50], [{FRNG_RUNS: '20'}, 20], [{FRNG_PROFILE: 'ci', FRNG_SEED: ''}, 500]]) {
    const once = await runsOf(drain, 50, variables);
    assert.equal(once.length, count);
    assert.deepEqual(await runsOf(drain, 50, variables), once);
  }
  assert.notDeepEqual(
      await runsOf(drain, 9, {FRNG_SEED: ''}), await runsOf(drain, 9, {FRNG_SEED: ''}));
});

test('what the environment cannot mean is said', async () => {
  for (const [name, text] of [
           ['FRNG_RUNS', 'many'], ['FRNG_SEED', '7s'], ['FRNG_REPLAY', 'size=16'],
           ['FRNG_REPLAY', 'size=x seed=1'], ['FRNG_REPLAY', 'size=2 hex=zz']])
    await assert.rejects(
        runsOf(drain, 9, {[name]: text}), new RegExp(`${name}=.*${text}.* is no `));
});

test('tests that keep state are flaky, and those that discard all runs fail', async () => {
  let runs = 0;
  const flaky = await failureOf((f) => {
    f.u8();
    assert(++runs !== 30);
  });
  assert.match(flaky.message, /^flaky: size=/);
  await assert.rejects(
      frng.assert((f) => f.assume(false), {runs: 50}),
      / 11 of 11 runs of .* were discarded: draw only|^[^:]*11 of 11 runs of .* were discarded: draw/);
  await assert.rejects(
      frng.assert((f) => f.assume(f.u8() > 250), {runs: 50}), /were discarded: draw only/);
  await frng.assert((f) => f.assume(f.u8() < 128), {runs: 50});
});

const draws = async (f) => f.u8();

test('an error that is made of the end of the entropy passes', async () => {
  const small = (f) => {
    if (f.u8() < 256) throw new RangeError('small');
  };
  for (const refuse
           of [(f) => assert.throws(() => small(f), RangeError),
              (f) => assert.doesNotThrow(() => f.u8()),
              (f) => assert.rejects(async () => small(f), /^RangeError: small$/),
              (f) => {
                try {
                  f.u8();
                } catch (cause) {
                  throw new Error('no byte', {cause});
                }
              },
              async (f) => {
                const all = await Promise.allSettled([draws(f), new Promise(setImmediate)]);
                assert(all.every(({status}) => status === 'fulfilled'));
              },
              (f) => Promise.any([Promise.reject(new Error('other')), draws(f)])])
    await frng.assert(async (f) => {
      for (;;) await refuse(f);
    }, {runs: 20});
  await failureOf(async (f) => {
    const of = async (value) => value, [end] = await Promise.allSettled([of(f.u8())]);
    if (end.value > 99)
      throw new AggregateError([new Error('large'), await draws(new frng.Frng('')).catch(of)]);
  });
});

test('what promises and timers throw that a run has left is its failure', async () => {
  const later = (ms) => setTimeout(() => {
    throw new Error('left');
  }, ms);
  for (const leave of [() => Promise.reject(new Error('left')), () => later(0), () => later(20)])
    for (const wait of [() => undefined, async () => null]) {
      const {message} = await failureOf((f) => (f.u8() > 99 && void leave(), wait()));
      assert.match(
          message, /^fails in run .*size=1 .*\n {2}u8 = \d+\ncheck\.test\.mjs:\d+: Error: left/);
    }
  const others = process.rawListeners('unhandledRejection'), heard = [];
  process.removeAllListeners('unhandledRejection')
      .once('unhandledRejection', (e) => heard.push(`${e}`));
  let runs = 0;
  await frng.assert((f) => {
    if (f.u8() >= 0 && ++runs === 9) Promise.reject(new Error('of another'));
  });
  for (const other of others) process.on('unhandledRejection', other);
  assert.deepEqual([runs > 1000, heard], [true, ['Error: of another']]);
});

test('what returns false fails, and so do options of other names', async () => {
  const rules = (n) => ({
    draw: (f) => {
      n.x = f.u8();
      return false;
    }
  });
  for (const [who, run] of [
           ['test', (f) => f.u8() < 3],
           ['test', async (f) => f.u8() < 3],
           ['invariant', (f, n = {x: 0}) => frng.repeat(f, rules(n), {invariant: () => n.x < 3})],
           [
             'invariant',
             (f, n = {x: 0}) => frng.repeat(f, rules(n), {invariant: async () => n.x < 3})
           ],
  ])
    assert.match((await failureOf(run)).message, new RegExp(`: the ${who} returned false: throw`));
  for (const run
           of [(f) => frng.repeat(f, {a: (f) => f.u8()}, {invariants: () => assert.fail()}),
              (f) => frng.repeat(f, {a: {run: (f) => f.u8(), precondition: () => false}}),
              (f) => f.list(() => f.u8(), {maximum: 3})])
    assert.match((await failureOf(run)).message, /there is no option '\w+': there are \w+, /);
  await assert.rejects(failureOf((f) => f.u8(), {numRuns: 3}), /no option 'numRuns': there are/);
  assert.throws(() => frng.check('x', (f) => f.u8(), {numRuns: 3}), /no option 'numRuns'/);
});

test('labels can be required', async () => {
  const half = (f) => {
    if (f.u8() < 128) f.label('small');
  };
  assert.match(
      (await failureOf(half, {require: {small: 0.9}})).message,
      /^\d\d\.\d\d% of 1000 runs had the label 'small', not 90%$/);
  await frng.assert(half, {require: {small: 0.2}});
});

test('a check within a group of mocha or jest is a target', () => {
  const at = (name) => new URL(`../../../frng/javascript/${name}`, import.meta.url).href;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'frng-check-'));
  try {
    fs.writeFileSync(path.join(folder, 'a.mjs'), `import * as frng from '${at('frng.mjs')}';
      describe('group', () => {
        it('other', () => { throw 1; });
        frng.check('small', (f) => { if (f.u8() > 6) throw new Error('large'); });
      });`);
    for (const [name, byte, status] of [['small', 7, 1], ['small', 6, 0], ['none', 7, 2]]) {
      const input = Buffer.from([byte]), words = [fileURLToPath(at('run.mjs')), 'a.mjs', name];
      const {NODE_TEST_CONTEXT, ...env} = process.env;
      const made = spawnSync(process.execPath, words, {cwd: folder, input, env, encoding: 'utf8'});
      assert.equal(made.status, status, made.stderr);
    }
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

test('no line of the tools is printed where only the runner has what the test needs', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'frng-check-'));
  const port = new URL('../../../frng/javascript/frng.mjs', import.meta.url).href;
  const {NODE_TEST_CONTEXT, ...env} = process.env;
  try {
    fs.writeFileSync(path.join(folder, 'runner.mjs'), `
      globalThis.it = (_, body) => body().catch((error) => console.log(error.message));
      globalThis.expect = (x) => { if (x > 6) throw new Error('large'); };
      await import(process.argv[2]);`);
    for (const [expects, count] of [['expect(x)', 0], ['if (x > 6) throw x', 2]]) {
      fs.writeFileSync(path.join(folder, 'a.mjs'), `import * as frng from '${port}';
        frng.check('small', (f) => { const x = f.u8(); ${expects}; });`);
      const {stdout} = spawnSync(
          process.execPath, ['runner.mjs', './a.mjs'],
          {cwd: folder, env: {...env, FRNG_REDUCE: ''}, encoding: 'utf8'});
      assert.match(stdout, /FRNG_REPLAY=/);
      assert.equal(stdout.match(/ frng-re(play|duce) node /g)?.length ?? 0, count, stdout);
    }
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

test(
    'the location of a check is in its file, and the lines of its report have relative paths',
    () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'frng-check-'));
      const port = new URL('../../../frng/javascript/frng.mjs', import.meta.url).href;
      const {NODE_TEST_CONTEXT, ...env} = process.env;
      fs.mkdirSync(path.join(folder, 'within'));
      fs.writeFileSync(path.join(folder, 'loader.cjs'), '');
      fs.writeFileSync(path.join(folder, 'a.test.mjs'), `import * as frng from '${port}';
import test from 'node:test';
test('of node', () => { throw new Error('1'); });
frng.check('of frng', (f) => { if (f.u8() > 7) throw new Error('8'); });
`);
      try {
        const words =
            ['--require', '../loader.cjs', '--test', '--test-reporter=tap', '../a.test.mjs'];
        const run = () => spawnSync(process.execPath, words, {
                            cwd: path.join(folder, 'within'),
                            env,
                            encoding: 'utf8'
                          }).stdout;
        const stdout = run();
        const places = [...stdout.matchAll(/location: '(.*)'/g)].map((found) => found[1]);
        if (places.length > 0) // Node 20 and later
          assert.deepEqual(places, ['3:1', '4:6'].map((at) => `${folder}/a.test.mjs:${at}`));
        assert.match(
            stdout, /^ +stack: \|-\n.*\/a\.test\.mjs:4:.*\n +\.\.\.$/m); // the user's alone
        const lines = stdout.match(/ frng-re(play|duce) node .*/g);
        assert.equal(lines.length, 2, stdout);
        for (const line of lines) {
          assert(line.includes(' -- --require ../loader.cjs '), line);
          assert.doesNotMatch(line, / \/|file:/);
          assert.match(
              line, / \.\.\/\S+\/frng\/javascript\/run\.mjs \.\.\/a\.test\.mjs 'of frng'$/);
        }
        fs.mkdirSync(path.join(folder, 'within', 'node_modules'));
        fs.symlinkSync(
            fileURLToPath(new URL('.', port)), path.join(folder, 'within/node_modules/frng'));
        assert.equal(run().match(/ node_modules\/frng\/run\.mjs \.\.\/a\./g)?.length, 2);
      } finally {
        fs.rmSync(folder, {recursive: true});
      }
    });

test('a failure that other runs have made says so, and what a hook has made does not', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'frng-check-'));
  const port = new URL('../../../frng/javascript/frng.mjs', import.meta.url).href;
  const {NODE_TEST_CONTEXT, ...env} = process.env;
  fs.writeFileSync(path.join(folder, 'a.test.mjs'), `import * as frng from '${port}';
import {beforeEach, describe} from 'node:test';
let limit = 256, made = 0;
beforeEach(() => { limit = 100; });
describe('in a group', () => frng.check('state /#1 (a+b) \\\\', (f) => {
  f.u8();
  if (++made > 51) throw new Error('many');
}));
frng.check('hook', (f) => { const x = f.u8(); if (x > limit && x < 110) throw new Error('large'); });
frng.check('hook 2', (f) => { f.u8(); });
describe('of one name', () => frng.check('hook', {timeout: 60000}, (f) => {
  if (f.u8() > 199) throw new Error('in a group');
}));
`);
  try {
    const {stdout} = spawnSync(
        process.execPath, ['--test', '--test-reporter=tap', 'a.test.mjs'],
        {cwd: folder, env: {...env, FRNG_REDUCE: '1'}, encoding: 'utf8'});
    const only =
        /fails only after (\d+) other runs; in a new process it passes: .*: size=1 .*\n *u8 = \d+\n.*Error: many\n *to go on:\n *FRNG_SEED=/
            .exec(stdout);
    assert.equal(only?.[1], '51', stdout);
    assert.match(
        stdout,
        /fails in run \d+, smallest after \d+ more: size=1 .*\n *(reduced.*\n *)?x = 10\d\n/);
    assert.equal(stdout.match(/ FRNG_REPLAY=/g).length, 2, stdout);
    if (spawnSync('frng-reduce', ['--version']).status === 0)
      assert.match(
          stdout,
          /by frng-reduce: size=1 hex=65\n *x = 101\n[^]* a\.test\.mjs hook hooks\n[^]*hex=c8\n[^]*mjs 'hook \(2\)'\n/);
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

test('a finding of no sensible size is refused at once', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'frng-check-'));
  try {
    for (const [size, why] of [
             ['1e9', /size is over 67108864/], ['-3', /neither hex nor a size/]]) {
      fs.writeFileSync(path.join(folder, 'a.json'), `{"format": 1, "size": ${size}, "seed": "7"}`);
      await assert.rejects(frng.assert((f) => f.u8(), {findings: folder}), why);
    }
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

test('an await that hangs is a failure, with its draws', async () => {
  const hangs = async (f) => {
    const x = f.u8();
    if (x >= 200) await new Promise(() => {});
  };
  const failure = await failureOf(hangs, {runTimeout: 200});
  assert.match(
      failure.message,
      /^fails in run \d+, and is not made smaller: size=1 seed=\d+s?\n {2}x = 2\d\d\n.*Hang: the run has not ended after 0\.2 s\n/);
  assert.match((await failureOf(hangs, {}, {FRNG_TIMEOUT: '1'})).message, /after 1 s\n/);
});

test('a loop ends the process with its input, and frng-search goes on where runs pass', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'frng-check-'));
  const port = new URL('../../../frng/javascript/frng.mjs', import.meta.url).href;
  fs.writeFileSync(path.join(folder, 'a.test.mjs'), `import * as frng from '${port}';
    frng.check('loops', (f) => { for (const x = f.u8(); x >= 200;); }, {runTimeout: 200});
    frng.check('rare', (f) => { const x = f.u8(); if (x === 7) throw new Error('7'); }, {runs: 1});`);
  const run = (name, variables) => {
    const {NODE_TEST_CONTEXT, ...env} = process.env;
    const words = ['--test', '--test-name-pattern', name, 'a.test.mjs'];
    return spawnSync(
               process.execPath, words,
               {cwd: folder, env: {...env, FRNG_FINDINGS: '', ...variables}, encoding: 'utf8'})
        .stdout;
  };
  try {
    const said = run('loops', {});
    const [, input] =
        /frng: loops hangs: a run has not ended after 0\.2 s: (size=\d+ seed=\d+s?)\n/.exec(said);
    assert(said.includes(`  frng-replay node ${input} --trace --timeout 200ms -- `), said);
    assert.match(said, /SIGKILL/);
    if (spawnSync('frng-search', ['--version']).error) return;
    const found = run('rare', {FRNG_SEARCH: '20s', FRNG_REDUCE: '1'});
    assert.match(
        found,
        /found by frng-search: size=1 (?:seed=\d+s?|hex=07)\n *reduced by frng-reduce: size=1 hex=07\n *x = 7\n/);
    assert.match(
        run('rare', {}), /findings\/rare\/\S+\.json still fails: size=1 (?:seed=\d+s?|hex=07)\n/);
    assert.match(
        run('loops', {FRNG_SEARCH: 'much', FRNG_RUNS: '1'}),
        /FRNG_SEARCH=much: frng-search: .*much/);
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

class Register {
  items = new Map();
  set(key, value) { this.items.set(key, value); }
  squeeze() { this.items.delete(Math.max(...this.items.keys())); }
}

test('a stateful test fails with an operation a line', async () => {
  const failure = await failureOf((f) => {
    const model = new Map(), real = new Register();
    return frng.repeat(
        f, {
          set: async (f) => {
            const key = f.u8(0, 3), value = f.u8();
            f.assume(key !== 2);
            real.set(key, value);
            await null;
            model.set(key, value);
          },
          squeeze: {when: () => real.items.size > 1, run: () => real.squeeze()},
          get: {
            when: () => model.size > 0,
            weight: 2,
            run: (f) => {
              const key = f.pick([...model.keys()]);
              assert.equal(real.items.get(key), model.get(key), 'forgotten');
            },
          },
        },
        {invariant: () => assert(model.size < 4)});
  });
  assert.match(failure.cause.message, /^forgotten/);
  const lines = failure.message.split('\n').filter((line) => /^ {2}\w+\(/.test(line));
  const names = new Set(lines.map((line) => line.trim().replaceAll(/\d+/g, 'N')));
  assert.deepEqual(
      new Set([...names, 'get(key = N)']),
      new Set(['set(key = N, value = N)', 'squeeze()', 'get(key = N)']));
});

test('commands are those of fast-check', async () => {
  class Push {
    constructor(x) { this.x = x; }
    check(model) { return model.count < 3; }
    run(model, real) {
      model.count++;
      real.push(this.x);
      assert(real.length < 3, 'three');
    }
    toString() { return `push(${this.x})`; }
  }
  const failure = await failureOf((f) => frng.commands(f, () => ({model: {count: 0}, real: []}), {
    push: (f) => new Push(f.u8()),
  }));
  const lines = failure.message.split('\n').slice(1, 4);
  assert(lines.every((line) => /^ {2}push\(\d+\)$/.test(line)), failure.message);
});
