import fc from 'fast-check';
import assert from 'node:assert/strict';
import test from 'node:test';

import {addMonths, Cache, isDay, Ring} from './code.mjs';

const int = (min, max) => fc.integer({min, max});

class Command {
  constructor(name, ready, act, ...words) { Object.assign(this, {name, ready, act, words}); }
  check(model) { return this.ready(model); }
  run(model, real) { this.act(model, real, ...this.words); }
  toString() { return `${this.name}(${this.words})`; }
}

const modelled = (make, ...commands) =>
    fc.property(fc.commands(commands, {size: '+1'}), (chosen) => fc.modelRun(make, chosen));

const properties = {
  sum: () => fc.property(
      fc.array(int(0, 99)), (xs) => assert(xs.reduce((a, b) => a + b, 0) < 500)),
  distinct: () => fc.property(
      fc.array(int(0, 255)), (xs) => assert.equal(new Set(xs).size, xs.length)),
  quote: () => fc.property(
      fc.string({unit: fc.constantFrom('a', 'b', '\''), maxLength: 9}),
      (s) => assert.equal(`${s}'`.split('\'')[0], s)),
  dates: () => fc.property(
      int(1800, 2200), int(1, 12), int(1, 31), int(0, 60),
      (y, m, d, n) => assert(isDay(addMonths(y, m, d, n)))),
  queue: () => modelled(
      () => ({model: [], real: new Ring()}),
      int(0, 255).map((x) => new Command('push', (m) => m.length < 8, (m, r) => {
        r.push(x);
        m.push(x);
      }, x)),
      fc.constant(new Command(
          'pop', (m) => m.length > 0, (m, r) => assert.equal(r.pop(), m.shift())))),
  cache: () => modelled(
      () => ({model: new Cache(true), real: new Cache()}),
      fc.tuple(int(0, 5), int(0, 255)).map(([k, v]) => new Command('put', () => true, (m, r) => {
        r.put(k, v);
        m.put(k, v);
      }, k, v)),
      int(0, 5).map((k) => new Command('get', () => true, (m, r) => {
        assert.equal(r.items.get(k), m.items.get(k));
      }, k))),
};
const name = process.env.PROPERTY;
test(name, () => fc.assert(properties[name](), {seed: Number(process.env.SEED), numRuns: 1000}));
