import * as frng from '../../../frng/javascript/frng.mjs';

frng.check('passes', (f) => {
  for (;;) f.u8();
});
