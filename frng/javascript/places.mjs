/**
 * Where in the test a draw is made, and how deep in its calls: site and depth of a record.
 * SPDX-License-Identifier: MIT
 */
const hrefOf = (name) => new URL(`${name}.mjs`, import.meta.url).href;
const DRAWING = new Set(['draws', 'values', 'regex', 'shown'].map(hrefOf));
const BASE = hrefOf('target'); // has the call of the test
const FRAMES_MAX = 1000;       // deeper ones are unknown, for each draw walks the whole stack
const {Error} = globalThis;    // tests can put another one in its place

/** The frames of the caller of `above`, as V8 has them. */
function framesAbove(above) {
  const {prepareStackTrace, stackTraceLimit} = Error, holder = {};
  Error.prepareStackTrace = (_, all) => all;
  Error.stackTraceLimit = FRAMES_MAX;
  Error.captureStackTrace(holder, above);
  const frames = holder.stack; // made when it is read
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return frames;
}

/** The places of a run, by the calls within these modules, and that of the test. */
export class Places {
  #sites = new Map();
  /** Return the depth and the site of the draw that calls `above`; 0 is unknown. */
  of(above) {
    let key = '', own = '', depth = 0;
    for (const frame of framesAbove(above)) {
      const file = frame.getFileName() ?? ''; // none: a function of the language
      if (own === '') key += `${frame.getPosition()} `;
      if (file === BASE) return depth > 0 ? [depth, this.#siteOf(key + own)] : [0, 0];
      if (own === '' && !DRAWING.has(file)) own = file;
      if (own !== '' && file !== '' && !file.startsWith('node:')) depth++; // an await adds those
    }
    return [0, 0];
  }
  #siteOf(key) {
    if (!this.#sites.has(key)) this.#sites.set(key, this.#sites.size + 1);
    return this.#sites.get(key);
  }
}
