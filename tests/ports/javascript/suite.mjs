#!/usr/bin/env node
/**
 * suite.mjs: the JavaScript port under test. Its first argument chooses what it does:
 *
 *     digests         print the digests of DIGESTS.md
 *     vectors FILE    compare draws and expansions with vectors.json; print how many there are
 *     empty ...       be the target of that name
 *
 * SPDX-License-Identifier: MIT
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';

import * as frng from '../../../frng/javascript/frng.mjs';

const [, , command, argument] = process.argv;
const NUMBERS = ['u8', 'u16', 'u32', 'u64', 'i8', 'i16', 'i32', 'i64'];

// ---- Digests ----

const u64 = (number) => BigInt.asUintN(64, number);

/** FNV-1a of 64 bits. */
class Digest {
  value = 0xcbf29ce484222325n;
  foldByte(byte) { this.value = u64((this.value ^ BigInt(byte)) * 0x100000001b3n); }
  fold(number) {
    for (let i = 0n; i < 64n; i += 8n) this.foldByte(BigInt(number) >> i & 255n);
  }
  print(name) { console.log(name, this.value.toString(16).padStart(16, '0')); }
}

function rangeOf(a, b, bits, isSigned) {
  const top = (1n << bits) - 1n;
  const spans =
      [a >> 8n & 15n, a >> 8n & top, top, (1n << (a >> 8n) % bits) - 1n + (a >> 16n & 1n)];
  const span = spans[Number(a % 4n)], any = b & top;
  const low = (any < top - span ? any : top - span) - (isSigned ? 1n << (bits - 1n) : 0n);
  return bits < 64n ? [Number(low), Number(low + span)] : [low, low + span];
}

function bitsOf(real) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(real);
  return bytes.readBigUInt64LE();
}

/** The 24 kinds: functions that draw, and return the numbers to fold. */
const KINDS = {
  bytes: (f, a) => [...f.bytes(Number(a & 15n))],
  bool: (f) => [Number(f.bool())],
};
for (const name of NUMBERS) KINDS[name] = (f) => [f[name]()];
for (const name of NUMBERS) {
  const bits = BigInt(name.slice(1)), isSigned = name[0] === 'i';
  KINDS[`${name}_range`] = (f, a, b) => [f[name](...rangeOf(a, b, bits, isSigned))];
}
Object.assign(KINDS, {
  index: (f, a, b) => [f.index(1 + Number(a >> 33n + b % 31n))],
  weighted: (f, a, b) => {
    const count = 1 + Number(a & 7n);
    const weight = (_, j) => Number(b >> BigInt(8 * j) & 255n) + (j === 0 ? 1 : 0);
    return [f.weighted(Array.from({length: count}, weight))];
  },
  swarm_weights: (f, a) => f.swarmWeights(1 + Number(a & 7n)),
  shuffle: (f, a) => f.shuffle([...Array(Number(a & 7n)).keys()]),
  f64: (f) => [bitsOf(f.f64())],
  chance: (f, a, b) => {
    const denominator = 1n + (a & 65535n), numerator = b % (denominator + 1n);
    return [Number(f.chance(Number(numerator), Number(denominator)))];
  },
});

async function printDigests() {
  const {expand} = await import('../../../frng/javascript/frng_findings.mjs');
  Object.entries(KINDS).forEach(([name, draw], k) => {
    const f = new frng.Frng(expand(100 + k, 400000)), bounds = expand(200 + k, 160000);
    const digest = new Digest();
    for (let i = 0; i < 160000; i += 16) {
      const numbers = draw(f, bounds.readBigUInt64LE(i), bounds.readBigUInt64LE(i + 8));
      for (const number of numbers) digest.fold(number);
    }
    digest.fold(f.used);
    digest.print(name);
  });
  for (const [name, style] of [['expand', ''], ['expand_styled', 's']]) {
    const digest = new Digest();
    for (let seed = 0; seed < 300; seed++)
      for (const byte of expand(seed + style, 1003)) digest.foldByte(byte);
    digest.print(name);
  }
}

// ---- Vectors ----

/** A list of `count` elements, each of which is its index. */
function listOf(count) {
  return new Proxy({}, {get: (_, key) => key === 'length' ? count : Number(key)});
}

/** Make a draw of vectors.json. Return its value as text, or undefined if there is no such draw. */
function draw(f, name, words) {
  const [type, suffix] = name.split('_'), numbers = words.map(Number);
  if (NUMBERS.includes(type) && suffix === undefined) return String(f[type]());
  if (NUMBERS.includes(type) && suffix === 'range')
    return String(f[type](...(type.endsWith('64') ? words.map(BigInt) : numbers)));
  switch (name) {
    case 'bytes': return Buffer.from(f.bytes(...numbers)).toString('hex');
    case 'bool': return String(Number(f.bool()));
    case 'index': return String(f.index(...numbers));
    case 'pick': return String(f.pick(listOf(...numbers)));
    case 'weighted': return String(f.weighted(words[0].split(',').map(Number)));
    case 'swarm_weights': return f.swarmWeights(...numbers).join();
    case 'shuffle': return f.shuffle([...Array(...numbers).keys()]).join();
    case 'f64': return bitsOf(f.f64()).toString(16).padStart(16, '0');
    case 'chance': return String(Number(f.chance(...numbers)));
    case 'more': return String(Number(f.more(...numbers)));
    default: return undefined;
  }
}

/** What is wrong with a draw of a vector: '' for nothing, undefined for an unknown draw. */
function wrongIn(f, call) {
  let value, failed = false;
  try {
    value = draw(f, call.draw, call.arguments);
    if (value === undefined) return undefined;
  } catch (error) {
    if (!(error instanceof frng.OutOfEntropy)) throw error;
    failed = true;
  }
  const seen = [failed ? '' : value, f.used, f.exhausted].join(' ');
  const wanted = [failed ? '' : call.value, call.used, call.exhausted].join(' ');
  const what = `${call.draw} ${call.arguments.join(' ')}`;
  return seen === wanted ? '' : `${what} gives ${seen}, not ${wanted}`;
}

/** What is wrong with the draws of a vector, as above. */
function wrongInVector(vector) {
  const f = new frng.Frng(Buffer.from(vector.entropy, 'hex'));
  for (const call of vector.calls) {
    const wrong = wrongIn(f, call);
    if (wrong !== '') return wrong && `${vector.entropy}: ${wrong}`;
  }
  return '';
}

async function checkVectors(file) {
  const {expand} = await import('../../../frng/javascript/frng_findings.mjs');
  const vectors = JSON.parse(fs.readFileSync(file, 'utf8'));
  const wrongs = vectors.draws.map(wrongInVector);
  for (const {seed, size, bytes} of vectors.expansions) {
    const seen = expand(seed, size).toString('hex');
    wrongs.push(seen === bytes ? '' : `expand ${seed} ${size} gives ${seen}, not ${bytes}`);
  }
  const wrong = wrongs.find(Boolean);
  console.log(wrong ?? `${wrongs.filter((text) => text === '').length} vectors`);
  process.exitCode = wrong === undefined ? 0 : 1;
}

// ---- Targets ----

let runs = 0; // of the target `stateful`, in this process

function twoBugs(f) {
  let previous = 255, high = 0;
  for (;;) {
    const x = f.u8();
    assert(x !== 0 || previous !== 0, 'few');
    if (x >= 128) high++;
    assert(high < 4, 'many');
    previous = x;
  }
}

/** A draw of 0..9 by `% 10`, which its record does not say. */
function lie(f) {
  const value = f._bounded(1, 255) % 10;
  return f._done(2, 1, 0, 9, value);
}

function liar(f) {
  for (;;) {
    f.step('step');
    const value = f.bool() ? lie(f) : 0;
    assert.notEqual(value, 7, 'seven');
  }
}

function exits(f) {
  let previous = 0;
  for (;;) {
    const x = f.u8();
    if (x < 64) process.exit(0);
    assert(x <= 250 || previous <= 250, 'two large ones');
    previous = x;
  }
}

function drawNumbers(f) {
  f.note('u8');
  assert.notEqual(f.u8(), 77, '77');
  for (const name of NUMBERS.slice(1)) {
    f.note(name);
    f[name]();
  }
}

const RANGES = {
  u8: [3, 12],
  u16: [3, 1002],
  u32: [3, 100002],
  u64: [3n, 10000000002n],
  i8: [-5, 5],
  i16: [-500, 500],
  i32: [-50000, 50000],
  i64: [-5000000000n, 5000000000n],
};

function drawOthers(f) {
  const draws = {
    index: () => f.index(10),
    weighted: () => f.weighted([3, 0, 1]),
    swarm_weights: () => f.swarmWeights(2),
    shuffle: () => f.shuffle([0, 1, 2]),
    f64: () => f.f64(),
    chance: () => f.chance(1, 8),
    pick: () => f.pick([2, 3, 5, 7]),
    more: () => f.more(1, 0, 3),
  };
  for (const [name, make] of Object.entries(draws)) {
    f.note(name);
    make();
  }
}

/** Each required draw in turn, with bounds that are not round. */
function kinds(f) {
  for (;;) {
    f.step('all kinds');
    f.note('bytes');
    f.bytes(3);
    f.note('bool');
    f.bool();
    drawNumbers(f);
    for (const [name, bounds] of Object.entries(RANGES)) {
      f.note(`${name}_range`);
      f[name](...bounds);
    }
    drawOthers(f);
  }
}

const TARGETS = {
  'empty': () => {},
  'draws': (f) => {
    for (let i = 0; i < Number(argument); i++) f.u8();
  },
  'fails': (f) => {
    f.bool();
    assert.fail('always');
  },
  'two-bugs': twoBugs,
  liar,
  'stateful': (f) => {
    f.u8();
    assert(runs++ < 50, 'too many runs');
  },
  exits,
  'hangs': (f) => {
    for (;;)
      if (f.u8() === 200)
        for (;;) continue;
  },
  kinds,
};

if (command === 'digests') {
  await printDigests();
} else if (command === 'vectors') {
  await checkVectors(argument);
} else if (Object.hasOwn(TARGETS, command ?? '')) {
  frng.main(TARGETS[command]);
} else {
  console.error(`suite: no such sub-command: ${command}`);
  process.exitCode = 2;
}
