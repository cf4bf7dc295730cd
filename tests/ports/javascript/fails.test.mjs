import assert from 'node:assert/strict';

import * as frng from '../../../frng/javascript/frng.mjs';

// As those of the checks of vectors.json (DRAWS.md), and discards where DISCARDS is set.
frng.check('fails', (f) => {
  assert.ok(!process.env.AT_ONCE, 'at once');
  const first = f.u8();
  f.assume(first % 8 === 0 || !process.env.DISCARDS);
  for (let high = 0, x = first; x !== 77; x = f.u8()) {
    if (x >= 240) high++;
    assert.ok(high < 4 || first >> 2 !== 24, 'four');
  }
});
