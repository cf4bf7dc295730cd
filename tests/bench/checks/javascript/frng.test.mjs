import * as frng from 'frng';
import assert from 'node:assert/strict';

import {addMonths, Cache, isDay, Ring} from './code.mjs';

const properties = {
  sum: (f) => {
    const xs = f.list(() => f.integer(0, 99));
    assert(xs.reduce((a, b) => a + b, 0) < 500);
  },
  distinct: (f) => {
    const xs = f.list(() => f.u8());
    assert.equal(new Set(xs).size, xs.length);
  },
  quote: (f) => {
    const s = f.string('ab\'', 0, 9);
    assert.equal(`${s}'`.split('\'')[0], s);
  },
  dates: (f) => {
    const y = f.integer(1800, 2200), m = f.integer(1, 12), d = f.integer(1, 31);
    const n = f.integer(0, 60);
    assert(isDay(addMonths(y, m, d, n)));
  },
  queue: (f) => {
    const ring = new Ring(), model = [];
    return frng.repeat(f, {
      push: {
        when: () => model.length < 8,
        run: (f) => {
          const x = f.u8();
          ring.push(x);
          model.push(x);
        }
      },
      pop: {
        when: () => model.length > 0,
        run: () => assert.equal(ring.pop(), model.shift()),
      }
    });
  },
  cache: (f) => {
    const cache = new Cache(), model = new Cache(true);
    return frng.repeat(f, {
      put: (f) => {
        const k = f.integer(0, 5), v = f.u8();
        cache.put(k, v);
        model.put(k, v);
      },
      get: (f) => {
        const k = f.integer(0, 5);
        assert.equal(cache.items.get(k), model.items.get(k));
      },
    });
  },
};
const name = process.env.PROPERTY;
frng.check(name, properties[name]);
