import test from 'node:test';

import * as frng from '../../../frng/javascript/frng.mjs';

const passes = (f) => {
  while (!process.env.NOTHING) f.u8();
};
if (process.argv[2] === 'plain') await frng.assert(passes);
frng.check('passes', passes);
test('no target', () => frng.assert((f) => {
  f.u8();
}));
