/**
 * frng_findings: replays the findings of a folder under node:test.
 *
 *     import * as findings from 'frng/findings';
 *     findings.replay(test, 'findings'); // run by `node --test`
 *
 * frng.check replays those of its folder by itself. A finding is bytes, or a size and a seed.
 * SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';
import path from 'node:path';
import nodeTest from 'node:test';
import {fileURLToPath} from 'node:url';

import {isEnd} from './draws.mjs';
import {filesOf, read} from './seeds.mjs';
import {Frng} from './values.mjs';

export {expand} from './seeds.mjs';

/** Run a test on the bytes of a finding. Resolves if it passes. */
async function run(test, file) {
  const {entropy, kept} = read(file), f = new Frng(entropy);
  f._report = kept;
  try {
    await test(f);
  } catch (error) {
    if (!isEnd(error)) throw error;
  }
  kept?.check();
}

/** The name of a finding: its file, and the options that replay it if they are short. */
function nameOf(file) {
  const {name} = path.parse(file);
  try {
    const {hex, seed, entropy} = read(file);
    const options = hex === undefined ? `--size ${entropy.length} --seed ${seed}` : `--hex ${hex}`;
    return options.length <= 140 ? `${name}: ${options}` : name;
  } catch {
    return name; // its replay says why
  }
}

/** Make a test of the findings in `folder`, a path or a URL: each is a subtest. */
export function replay(test, folder) {
  const root = folder instanceof URL ? fileURLToPath(folder) : folder;
  const title = `findings in ${root}`, files = filesOf(root);
  if (!files) return nodeTest(title, {skip: 'no such folder'});
  return nodeTest(title, async (t) => {
    for (const file of files) await t.test(nameOf(file), () => run(test, file));
  });
}
