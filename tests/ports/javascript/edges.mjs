#!/usr/bin/env node
/**
 * edges.mjs: tests that end in all the ways that Node has. The first argument chooses one. Each
 * draws a byte, and goes its way if that is 7. SPDX-License-Identifier: MIT
 */
import assert from 'node:assert/strict';
import {Worker} from 'node:worker_threads';

import * as frng from '../../../frng/javascript/frng.mjs';

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const isDue = (f) => f.u8() === 7;

function recurse(depth) { return 1 + recurse(depth + 1); }

const TESTS = {
  'awaits': async (f) => {
    while (f.left > 0) {
      const due = isDue(f);
      await later(0);
      assert(!due, 'after a turn');
    }
  },
  'runs-out-later': async (f) => {
    await later(0);
    for (;;) f.u8();
  },
  'loses-a-promise': (f) => {
    if (isDue(f)) Promise.reject(new Error('lost'));
  },
  'throws-in-a-timer': async (f) => {
    if (!isDue(f)) return;
    setTimeout(() => assert.fail('in a timer'), 0);
    await later(50);
  },
  'runs-out-in-a-timer': () =>
      new Promise(() => setTimeout(frng.Frng.prototype.u8.bind(empty), 0)),
  'waits-for-ever': async (f) => {
    if (isDue(f)) await new Promise(() => {});
  },
  'throws-null': (f) => {
    if (isDue(f)) throw null;
  },
  'throws-a-text': (f) => {
    if (isDue(f)) throw 'a text';
  },
  'has-a-cause': (f) => {
    if (isDue(f)) throw new Error('outer', {cause: new TypeError('inner')});
  },
  'exits-with-3': (f) => {
    if (isDue(f)) process.exit(3);
  },
  'sets-exit-code': (f) => {
    if (isDue(f)) process.exitCode = 4;
  },
  'overflows': (f) => {
    if (isDue(f)) recurse(0);
  },
  'fails-in-the-library': (f) => {
    if (isDue(f)) ['{'].map((text) => JSON.parse(text));
  },
  'names-a-site-in-its-message': (f) => {
    if (isDue(f)) throw new Error('first\n    at wrong (/x/wrong.mjs:1:1)');
  },
  'runs-out-of-memory': (f) => {
    const kept = [];
    if (isDue(f))
      for (;;) kept.push(new Array(1e6).fill(kept.length));
  },
  'is-wrong': (f) => {
    if (isDue(f)) f.u8(3, 300);
  },
  'is-no-number': (f) => {
    if (isDue(f)) f.u32(0, Number('ten'));
  },
  'fails-in-a-worker': async (f) => {
    const text = isDue(f) ? 'throw new Error(7)' : '';
    const worker = new Worker(text, {eval: true});
    await new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));
  },
  'simulates-timers': (f) => {
    globalThis.setImmediate = globalThis.setTimeout = () => {};
    // Node 18 refuses to assign it.
    Object.defineProperty(performance, 'now', {value: () => 0, configurable: true});
    assert(!isDue(f), 'timers are simulated');
  },
  'draws-from-an-old-run': (f) => {
    const due = isDue(f);
    if (old !== undefined && old.left > 0) old.u8();
    old = f;
    assert(!due, 'as ever');
  },
};

const empty = new frng.Frng(new Uint8Array(0));
let old; // the generator of the run before

frng.run(TESTS[process.argv[2]]);
