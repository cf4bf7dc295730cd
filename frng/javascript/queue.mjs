#!/usr/bin/env node
import assert from 'node:assert/strict';
import * as frng from './frng.mjs';

/** A queue of bytes in a ring, 8 deep. */
class Queue {
  items = new Uint8Array(8);
  head = 0;
  count = 0;
  push(x) { this.items[(this.head + this.count++) % 8] = x; }
  pop() {
    this.count--;
    return this.items[this.head++ % 7];
  }
}

export function test(f) {
  const queue = new Queue();
  let first = 0, last = 0;
  for (;;) { // until the entropy runs out: passed
    const wantsPush = f.bool();
    if (wantsPush && queue.count < 8) {
      queue.push(last);
      last = (last + 1) % 256;
    } else if (!wantsPush && queue.count > 0) {
      const got = queue.pop();
      assert.equal(got, first, `got ${got}, not ${first}`);
      first = (first + 1) % 256;
    }
  }
}

frng.main(test, import.meta.url);
