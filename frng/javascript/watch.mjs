/**
 * Ends the process where a run is in a loop that never ends: nothing in its own thread can. This file
 * is the thread beside it, too, which looks at a word that each run changes when it begins and ends.
 * SPDX-License-Identifier: MIT
 */
import fs from 'node:fs';
import {parentPort, Worker, workerData} from 'node:worker_threads';

import {IDLE} from './shared.mjs';

const TEXT_MAX = 16384, LOOKS = 8, LATER_MS = 500; // an await that hangs comes first
const encoder = new TextEncoder();
let thread;

/** The runs of a search. `report` has the lines before and after the input in progress. */
export class Watch {
  #state = new Int32Array(new SharedArrayBuffer(8)); // odd during a run; the length of its input
  #input = new Uint8Array(new SharedArrayBuffer(TEXT_MAX));
  constructor(limit, report) {
    thread ??= new Worker(new URL(import.meta.url), {workerData: 'frng', execArgv: []});
    thread.unref();
    thread.postMessage({state: this.#state, input: this.#input, limit: limit + LATER_MS, report});
  }
  begin(input) {
    this.#state[1] = encoder.encodeInto(input, this.#input).written;
    Atomics.add(this.#state, 0, 1);
  }
  end() { Atomics.add(this.#state, 0, 1); }
}

/**
 * Look at the runs of a search from time to time. A loop has a processor: so on a busy machine a run
 * that gets none has more time.
 */
function look({state, input, limit, report}) {
  let seen = -1, since = 0, spent;
  setInterval(() => {
    const now = performance.now(), run = Atomics.load(state, 0);
    if (run !== seen) [seen, since, spent] = [run, now, process.cpuUsage()];
    const {user, system} = process.cpuUsage(spent),
                 isBusy = (user + system) / 1000 >= limit - LATER_MS;
    if (run % 2 === 0 || now - since < (isBusy ? 1 : IDLE) * limit) return;
    const text = new TextDecoder().decode(input.slice(0, state[1]));
    fs.writeSync(2, report.replaceAll('INPUT', text));
    process.kill(process.pid, 'SIGKILL');
  }, limit / LOOKS);
}

if (workerData === 'frng') parentPort.on('message', look);
