#!/usr/bin/env node
/**
 * suite.mjs: what test_ports.py asks of the JavaScript port; see c/suite.c.
 * SPDX-License-Identifier: MIT
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';

import * as frng from '../../../frng/javascript/frng.mjs';

const [, , command, argument] = process.argv;
const NUMBERS = ['u8', 'u16', 'u32', 'u64', 'i8', 'i16', 'i32', 'i64'];

// ---- Answers ----

function bitsOf(real) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(real);
  return bytes.readBigUInt64LE();
}

const realOf = (bits) => Buffer.from(bits, 'hex').readDoubleBE();

/** A list of `count` elements, each of which is its index. */
function listOf(count) {
  return new Proxy({}, {get: (_, key) => key === 'length' ? count : Number(key)});
}

/** Make the draw of a call. Return its value as text, or undefined if there is no such draw. */
function draw(f, name, words) {
  const [type, suffix] = name.split('_'), numbers = words.map(Number);
  if (NUMBERS.includes(type) && suffix === undefined) return String(f[type]());
  if (NUMBERS.includes(type) && suffix === 'range')
    return String(f[type](...(type.endsWith('64') ? words.map(BigInt) : numbers)));
  if (NUMBERS.includes(type) && suffix === 'mixed')
    return String(f[`${type}Mixed`](...(type.endsWith('64') ? words.map(BigInt) : numbers)));
  const hex = (real) => bitsOf(real).toString(16).padStart(16, '0');
  switch (name) {
    case 'pick_weighted': return String(f.pickWeighted(words[0].split(',').map(Number)));
    case 'swarm': return f.swarm(...numbers).join();
    case 'string': return f.string(words[0], ...numbers.slice(1));
    case 'f64_any': return hex(f.f64Any());
    case 'f64_range': return hex(f.f64Range(...words.map(realOf)));
    case 'subset': {
      const all = Array.from({length: numbers[0]}, (_, i) => i);
      return String(f.subset(all).reduce((mask, i) => mask | 1n << BigInt(i), 0n));
    }
    case 'permutation': return f.permutation([...Array(...numbers).keys()]).join();
    case 'date':
    case 'date_range':
      return f.date(...words.map((day) => new Date(day))).toISOString().slice(0, 10);
    case 'bytes': return Buffer.from(f.bytes(...numbers)).toString('hex');
    case 'bool': return String(Number(f.bool()));
    case 'index': return String(f.index(...numbers));
    case 'pick': return String(f.pick(listOf(...numbers)));
    case 'weighted': return String(f.weighted(words[0].split(',').map(Number)));
    case 'swarm_weights': return f.swarmWeights(...numbers).join();
    case 'shuffle': return f.shuffle([...Array(...numbers).keys()]).join();
    case 'f64': return hex(f.f64());
    case 'chance': return String(Number(f.chance(...numbers)));
    case 'more': return String(Number(f.more(...numbers)));
    case 'depth': return String(Number(f.depth(...numbers)));
    case 'utf8': return Buffer.from(f.text(...numbers)).toString('hex');
    case 'regex': return Buffer.from(f.regex(words[0] ?? '')).toString('hex');
    case 'pool': {
      const things = [...Array(numbers[0]).keys()];
      return Array.from({length: numbers[1]}, () => f.takeThing(things)).join();
    }
    default: return undefined;
  }
}

function answerDraw(f, name, words) {
  let value = '-';
  try {
    value = draw(f, name, words);
  } catch (error) {
    if (error instanceof RangeError) value = 'misuse';
    else if (!(error instanceof frng.OutOfEntropy)) throw error;
  }
  return value === undefined ? '?' : `${value} ${f.used} ${Number(f.exhausted)}`;
}

async function answer() {
  const {expand} = await import('../../../frng/javascript/frng_findings.mjs');
  const answers = [];
  let f;
  for (const line of fs.readFileSync(0, 'utf8').trimEnd().split('\n')) {
    const [what, ...words] = line.split(' ');
    if (what === 'entropy') f = new frng.Frng(Buffer.from(words[0], 'hex'));
    else if (what === 'expand') answers.push(expand(words[0], Number(words[1])).toString('hex'));
    else answers.push(answerDraw(f, what, words));
  }
  process.stdout.write(answers.join('\n') + '\n');
}

// ---- Targets ----

function mark(f, count, x) {
  if (x % 2 === 1) f.label('odd');
  f.say(`byte ${count} is ${x}, in a line that takes two records of a trace`);
}

function calls(f) {
  const all = fs.readFileSync(argument, 'utf8').trimEnd().split('\n');
  for (;;) {
    f.step('all kinds');
    for (const call of all) {
      const [name, ...words] = call.split(' ');
      f.note(name);
      const value = draw(f, name, words);
      assert(name !== 'u8' || value !== '77', '77');
    }
  }
}

let runs = 0; // of the target `stateful`, in this process

function bugs(f) {
  let previous = 255, high = 0;
  for (;;) {
    const x = f.u8();
    if (argument === 'exits' && x < 64) process.exit(0);
    if (argument === 'hangs' && x === 200)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    assert(x !== 0 || previous !== 0, 'few');
    if (x >= 128) high++;
    assert(high < 4, 'many');
    previous = x;
  }
}

function tree(f) {
  if (f.bool()) {
    tree(f);
    tree(f);
  } else {
    f.u8(0, 9);
  }
}

function places(f) {
  for (const bound of [0, 1]) {
    f.u8(0, bound);
    f.string('ab', 2, 2);
  }
  f.u8(0, 1);
  f.permutation([0, 1, 2]);
  f.list(() => f.u8(0, 1), {min: 1, max: 1});
  tree(f);
}

const TARGETS = {
  'ends': (f) => {
    process.on('exit', () => process.exitCode = 3);
    f.u8();
  },
  calls,
  'draws': (f) => {
    for (let i = 0; i < Number(argument); i++) f.u8();
  },
  bugs,
  places,
  // An await leaves the calls below it out of the stack.
  'awaits': async (f) => {
    const draw = async () => {
      await null;
      f.u8();
    };
    f.u8();
    await draw();
    await null;
    f.u8();
    await new Promise(setImmediate);
    await draw();
    await new Promise((resolve) => setImmediate(() => resolve(f.u8()))); // called by nobody
  },
  'stateful': (f) => {
    f.u8();
    assert(runs++ < 50, 'too many runs');
  },
  'assumes': (f) => {
    const x = f.u8();
    if (x % 2 === 1) f.label('odd');
    f.assume(x >= 160);
    f.u8();
  },
  'climbs': (f) => {
    for (let high = 0, count = 0; count < 20; count++) {
      high = f.u8() % 32 === (high + 1) * 11 % 32 ? high + 1 : 0;
      f.maximize('high', high);
      assert(high < 4, 'too high');
    }
  },
  'marks': (f) => {
    for (let count = 0;; count++) {
      f.measure('count', count);
      mark(f, count, f.u8()); // no variable, whose name a trace would have
    }
  },
};

if (command === 'answers') {
  await answer();
} else if (Object.hasOwn(TARGETS, command ?? '')) {
  frng.run(TARGETS[command]);
} else {
  console.error(`suite: no such sub-command: ${command}`);
  process.exitCode = 2;
}
