// Tests whose failures leave behind what changes later runs of their process. See test_stays.py.
import * as frng from '../../frng/javascript/frng.mjs';

let left = 0;
const fail = () => {
  left++;
  throw new Error('three are large');
};
// What a failure does, and what a run does at first where runs before it have failed.
const DEEDS = {
  'leaves-nothing': [fail],
  'passes-later': [fail, (f) => f.bytes(1e6)],
  'fails-elsewhere': [fail, () => null.x],
  'breaks-arrays': [() => {
    Array.prototype.map = () => {
      throw new TypeError('broken');
    };
    fail();
  }],
  'loses-a-promise': [() => {
    Promise.reject(new Error('lost'));
    fail();
  }],
};
const [deed, change] = DEEDS[process.argv[2]];

frng.run((f) => {
  if (left > 0) change?.(f);
  for (let large = 0; large < 3;) large += f.u8() > 200;
  deed();
});
