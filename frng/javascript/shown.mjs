/**
 * A run that shows its draws by name and value, for the report of a failure; a driver that traces it
 * hears the names.
 *
 * A draw has the name of the variable that its line assigns to, `const xs = f.list(...)`, or that
 * of a note before it, or else its own. Draws within a draw are parts of its value. After a step,
 * the draws that follow are its arguments, so that each operation is one line: push(x = 3). Those that
 * choose a step come before it, from the same lines of the test as before the first one: they are its
 * own.
 * SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';
import {fileURLToPath} from 'node:url';
import {inspect} from 'node:util';

import {Draws} from './draws.mjs';
import {Frng} from './values.mjs';

const VALUE_MAX = 1000; // characters of a value
const SILENT = new Set([
  'constructor', 'used', 'left', 'assume', 'untold', 'retell', 'note', 'step', 'say', 'label',
  'measure'
]);
const HERE = new URL('.', import.meta.url).href;
// A variable or a pattern in brackets, without what is before its `const`; perhaps a type.
const NAME =
    /([\w$.]+|[[{](?:(?!\b(?:const|let|var)\b)[^=])*[\]}])\s*(?::(?:(?![)}\]]\s*,)[^=])*)?=\s*(?:await\s+)?[\w$.]*\.$/;

// What can follow a call whose value is assigned as it is.
const END = /^\s*($|[;,)\]}]|!(?!=)|\/[/*]|as\b)/;

/** The lines of the test that led to a draw, as FILE:ROW:COLUMN, from its stack. */
function placeOf(stack) {
  const lines = stack.split('\n').slice(1).map(
      (line) => / at (async )?([^(]*\()?((file:\/\/)?\/[^()]*:\d+:\d+)\)?$/.exec(line)?.[3] ?? '');
  const isOwn = (at) => at.startsWith(HERE) || at.startsWith(fileURLToPath(HERE));
  const outside = lines.slice(lines.findIndex((at) => !isOwn(at))), end = outside.findIndex(isOwn);
  return outside.slice(0, end < 0 ? outside.length : end).filter((at) => at !== '');
}

const sources = new Map(); // their lines, by name

function linesOf(file) {
  if (!sources.has(file)) sources.set(file, fs.readFileSync(file, 'utf8').split('\n'));
  return sources.get(file);
}

/** True if the call that a text begins with is all of an expression, or ends on a later line. */
function isWhole(text) {
  let depth = 0;
  for (const {0: part, index} of text.matchAll(/(['"`])(?:\\.|(?!\1)[^\\])*\1|[()]/g)) {
    depth += part === '(' ? 1 : part === ')' ? -1 : 0;
    if (part === ')' && depth === 0) return END.test(text.slice(index + 1));
  }
  return true;
}

/** The names that the value of the call at a place is assigned to, if the source says so. */
function assigned([place]) {
  const [, file, row, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
  try {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    const line = linesOf(path)[row - 1], name = NAME.exec(line.slice(0, column - 1));
    return isWhole(line.slice(column - 1)) ? name?.[1].replaceAll(/\s+/g, ' ') : undefined;
  } catch {
    return undefined; // no file, or one that was changed on its way here
  }
}

/** An operation with its draws; or draws and lines without one. */
class Step {
  draws = [];
  constructor(name) { this.name = name; }
  lines() {
    const texts = this.draws.map(({text}) => text);
    return this.name === undefined ? texts : [this.told ?? `${this.name}(${texts.join(', ')})`];
  }
  /** Take the draws that chose it. One without a name, or of the step's name, says nothing new. */
  choose(draws) {
    this.draws.unshift(
        ...draws.filter(({isNamed, value}) => isNamed && value !== inspect(this.name)));
  }
}

export class Shown extends Frng {
  #depth = 0;
  #noted;
  #steps = [new Step()];
  #first;
  #head; // the draws before the first step

  get lines() { return this.#steps.flatMap((step) => step.lines()); }
  show(name, draw, given) {
    if (this.#depth > 0) return draw.apply(this, given);
    const noted = this.#noted, {stack} = new Error();
    const place = placeOf(stack), named = noted ?? assigned(place);
    this.#noted = undefined;
    if (named !== noted) super.note(named);
    this.#depth = 1;
    let value;
    try {
      value = draw.apply(this, given);
    } finally {
      this.#depth = 0;
    }
    const text = inspect(value, {depth: 8, breakLength: Infinity, maxArrayLength: 100});
    const shown = text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}...` : text;
    this.#steps.at(-1).draws.push({
      text: `${named ?? name} = ${shown}`,
      // Before an await, its caller is at the call, and afterwards at the await.
      place: noted ? '' : place.map((at, i) => i ? at.replace(/:\d+$/, '') : at).join('\n'),
      isNamed: named !== undefined,
      value: text
    });
    return value;
  }
  note(name) {
    this.#noted = name;
    return super.note(name);
  }
  step(name) {
    super.step(name);
    this.#noted = undefined;
    const step = new Step(name), before = this.#steps.at(-1).draws, first = this.#steps[0].draws;
    this.#steps.push(step);
    if (this.#head === undefined) {
      this.#head = [...before];
      this.#first = step;
      return;
    }
    const head = this.#head,
          isSame = (i) => before.at(-i)?.place && before.at(-i).place === head.at(-i)?.place;
    let count = 0;
    while (isSame(count + 1)) count++;
    if (count === 0) return;
    step.choose(before.splice(-count));
    if (first.length === head.length) this.#first.choose(first.splice(-count)); // chosen so, too
  }
  say(line) {
    super.say(line);
    const said = {text: `# ${line}`};
    if (this.#head === undefined) return this.#steps[0].draws.push(said);
    const told = new Step();
    told.draws.push(said);
    this.#steps.splice(-1, 0, told);
  }
  retell(line) {
    super.say(line);
    this.#steps.at(-1).told = line;
  }
  untold(make) {
    this.#depth++;
    try {
      return make();
    } finally {
      this.#depth--;
    }
  }
}

for (const {prototype} of [Draws, Frng]) {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (SILENT.has(name) || name.startsWith('_')) continue;
    const draw = prototype[name];
    Shown.prototype[name] = function(...given) { return this.show(name, draw, given); };
  }
}
