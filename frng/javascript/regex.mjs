/**
 * Texts that match a regular expression, by the grammar of DRAWS.md.
 * SPDX-License-Identifier: MIT
 */
import {DIGITS, LOWER, PRINTABLE} from './draws.mjs';

const without = (letters) => Array.from(PRINTABLE).filter((c) => !letters.includes(c)).join('');
const NAMED = {
  d: DIGITS,
  w: `${LOWER}${LOWER.toUpperCase()}${DIGITS}_`,
  s: ' \t\n\v\f\r'
};
for (const name of ['d', 'w', 's']) NAMED[name.toUpperCase()] = without(NAMED[name]);
Object.assign(NAMED, {n: '\n', r: '\r', t: '\t'});
const ESCAPED = String.raw`\\[dwsDWSnrt -\/:-@\[-\x60{-~]`, ANY = String.raw`[^\\]`;
const REST = String.raw`(?:${ESCAPED}|[^\]\\])*`;
const CLASS = String.raw`\[(?:\^((?:${ESCAPED}|${ANY})${REST})|((?:${ESCAPED}|[^\\^])${REST}))\]`;
const TOKEN =
    RegExp(String.raw`(\((?:\?:)?)|(\|)|(\))|${CLASS}|(${ESCAPED}|[^?*+{}\]^$()|\[\\])`, 'suy');
const MEMBER = RegExp(`(${ESCAPED}|${ANY})(?:-(${ESCAPED}|${ANY}))?`, 'sug');
const COUNT = /(?:(?:([?*+])|\{([0-9]{1,4})(?:(,)([0-9]{1,4})?)?\})\??)?/y;
const named = (text) => text?.[0] === '\\' ? NAMED[text[1]] ?? text[1] : text;

function lettersOf(others, members) {
  let found = '';
  for (const [low, high] of Array.from(
           (others ?? members).matchAll(MEMBER), (m) => [named(m[1]), named(m[2])])) {
    if (high && (low.length > 1 || high.length > 1 || low > high)) return '';
    for (let code = low.charCodeAt(0); high && code <= high.charCodeAt(0); code++)
      found += String.fromCharCode(code);
    if (!high) found += low;
  }
  if (/[^\0-\x7f]/.test(found)) return '';
  return others ? without(found) : Array.from(new Set(found)).join('');
}

const longest = (choice) => Math.max(...choice.map((row) => row.reduce((n, i) => n + i.size, 0)));

/** Rows of items, each of which is letters or rows, how often it comes, and its most bytes. */
export function parse(pattern) {
  const choices = [[[]]], bad = new RangeError(`regex: no pattern of DRAWS.md: ${pattern}`);
  for (let at = pattern[0] === '^' ? 1 : 0; at < pattern.length && pattern.slice(at) !== '$';) {
    TOKEN.lastIndex = at;
    const [all, opens, bar, closes, others, members, letter] = TOKEN.exec(pattern) ?? [''];
    COUNT.lastIndex = at += all.length;
    if (opens) choices.push([[]]);
    if (bar) choices.at(-1).push([]);
    if (opens || bar) continue;
    const [counted, how, low, comma, high] = COUNT.exec(pattern);
    const min = Number(low ?? (how === undefined || how === '+'));
    const max = Number(high ?? (comma || (how ?? '?') !== '?' ? min + 32 : low ?? 1));
    const what = closes   ? choices.pop() :
        others ?? members ? lettersOf(others, members) :
        letter === '.'    ? PRINTABLE :
                            named(letter);
    if (!what || choices.length === 0 || min > max) throw bad;
    const each =
        closes ? longest(what) : Buffer.byteLength(String.fromCodePoint(what.codePointAt(0)));
    if (each > 65536 || (each === 0 && max > 1)) throw bad;
    choices.at(-1).at(-1).push({what, min, max, size: each * max});
    at += counted.length;
  }
  if (choices.length > 1 || longest(choices[0]) > 65536) throw bad;
  return choices[0];
}

export function draw(f, choice) {
  let text = '';
  for (const {what, min, max} of choice.length > 1 ? f.pick(choice) : choice[0]) {
    const isRow = typeof what !== 'string', isOne = isRow || Array.from(what).length === 1;
    if (!isRow && min < max) text += f.string(what, min, max);
    for (let n = 0; (isRow || min === max) && (min < max ? f.more(n, min, max) : n < max); n++)
      text += isRow ? draw(f, what) : isOne ? what : f.pick(what);
  }
  return text;
}
