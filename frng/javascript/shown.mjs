/**
 * A run that shows its draws by name and value, for the report of a failure.
 *
 * A draw has the name of the variable that its line assigns to, `const xs = f.list(...)`, or that
 * of a note before it, or else its own. Draws within a draw are parts of its value. After a step,
 * the draws that follow are its arguments, so that each operation is one line: push(x = 3).
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
    /([\w$.]+|[[{](?:(?!\b(?:const|let|var)\b)[^=])*[\]}])\s*(?::[^=]*)?=\s*(?:await\s+)?[\w$.]*\.$/;

/** The names that the call of a stack's line is assigned to, if the source says so. */
function assigned(stack) {
  const frame = stack.split('\n').find(
      (line) =>
          /^ +at /.test(line) && !line.includes(HERE) && !line.includes(fileURLToPath(HERE)));
  const [, file, row, column] = /\(?((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  try {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    const before = fs.readFileSync(path, 'utf8').split('\n')[row - 1].slice(0, column - 1);
    const name = NAME.exec(before);
    return name?.[1].replaceAll(/\s+/g, ' ');
  } catch {
    return undefined; // no file, or one that was changed on its way here
  }
}

export class Shown extends Frng {
  lines = [];
  #depth = 0;
  #noted;
  #step;
  #arguments = [];

  #show(text) {
    if (this.#step === undefined) return this.lines.push(text);
    this.#arguments.push(text);
    this.lines[this.lines.length - 1] = `${this.#step}(${this.#arguments.join(', ')})`;
  }
  show(name, draw, given) {
    if (this.#depth > 0) return draw.apply(this, given);
    const noted = this.#noted, {stack} = new Error();
    this.#noted = undefined;
    this.#depth = 1;
    let value;
    try {
      value = draw.apply(this, given);
    } finally {
      this.#depth = 0;
    }
    const text = inspect(value, {depth: 8, breakLength: Infinity, maxArrayLength: 100});
    this.#show(`${noted ?? assigned(stack) ?? name} = ${
        text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}...` : text}`);
    return value;
  }
  note(name) { this.#noted = name; }
  step(name) {
    [this.#step, this.#noted, this.#arguments] = [name, undefined, []];
    this.lines.push(`${name}()`);
  }
  say(line) {
    this.lines.splice(this.lines.length - (this.#step === undefined ? 0 : 1), 0, `# ${line}`);
  }
  retell(line) { this.lines[this.lines.length - 1] = line; }
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
