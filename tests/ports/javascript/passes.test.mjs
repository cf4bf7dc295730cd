import test from 'node:test';

import * as frng from '../../../frng/javascript/frng.mjs';

frng.check('passes', (f) => {
  for (;;) f.u8();
});
test('no target', () => frng.assert((f) => {
  f.u8();
}));
