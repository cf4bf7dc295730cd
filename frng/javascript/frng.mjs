/**
 * frng: a finite random number generator, for Node 18 or newer. A test draws its decisions from
 * bytes ("entropy") that exist before it starts. When they run out, it is over and has passed:
 *
 *     frng.check('sorts', (f) => {
 *       const xs = f.list(() => f.integer(-9, 9));
 *       assert.deepEqual(mySort(xs), [...xs].sort((a, b) => a - b));
 *     });
 *
 * The same entropy gives the same values in every language: see DRAWS.md. Bounds are inclusive;
 * wrong ones throw a RangeError. SPDX-License-Identifier: MIT
 */
export {assert, check, Failure} from './check.mjs';
export {ALNUM, DIGITS, LOWER, OutOfEntropy, PRINTABLE} from './draws.mjs';
export {commands, repeat} from './stateful.mjs';
export {main, run} from './target.mjs';
export {Frng} from './values.mjs';
