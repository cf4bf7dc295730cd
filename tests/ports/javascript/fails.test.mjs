import assert from 'node:assert/strict';

import * as frng from '../../../frng/javascript/frng.mjs';

frng.check('fails', (f) => {
  for (let high = 0;;) {
    if (f.u8() >= 240) high++;
    assert.ok(high < 4, 'four');
  }
});
