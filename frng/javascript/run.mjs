#!/usr/bin/env node
/**
 * A check as a target of the tools: frng-search node -- node_modules/frng/run.mjs FILE NAME [hooks]
 *
 * It imports FILE, whose frng.check of this NAME becomes the test of a main. Other tests of
 * node:test in FILE need --test-name-pattern=frng-target to stay out. With a third word, hooks, it is
 * called by node:test, with the hooks of its group. It speaks the protocol by FRNG_DRIVER.
 * SPDX-License-Identifier: MIT
 */
import path from 'node:path';
import {pathToFileURL} from 'node:url';

import {refuse} from './draws.mjs';
import {run} from './target.mjs';

const TARGET = Symbol.for('frng.target');
const [file, name, hooks] = process.argv.slice(2);
const bad = (line) => refuse(`run.mjs: ${line}`);

if (file === undefined || name === undefined) bad('FILE NAME of a frng.check');
globalThis[TARGET] = name;
// The globals of mocha and jest: a check may be within a group; other tests and hooks do nothing.
for (const group of ['describe', 'context', 'suite']) globalThis[group] ??= (_, body) => body();
for (const other
         of ['it', 'test', 'before', 'after', 'beforeAll', 'afterAll', 'beforeEach', 'afterEach'])
  globalThis[other] ??= () => {};
try {
  await import(pathToFileURL(path.resolve(file)));
} catch (error) {
  bad(`${file}: ${error?.stack ?? error}`);
}
if (typeof globalThis[TARGET] === 'string') bad(`${file} has no frng.check '${name}'`);
if (hooks !== 'hooks') await run(globalThis[TARGET].test);
