/**
 * Stateful tests: rules, taken in any order until the entropy runs out.
 *
 * Each run draws small weights at first, which switch some rules off (swarm testing), and then a
 * rule by these weights, its arguments, the next rule. Each rule is a step of the trace.
 * SPDX-License-Identifier: MIT
 */
import {Discarded, holds, known} from './values.mjs';

// Nothing else is awaited: the hooks of a runner take microseconds for each promise.
const isPromise = (value) => typeof value?.then === 'function';

/** Take a step, which `assume` can end. Return a promise if it is one. */
function take(f, name, act) {
  const end = (error) => {
    if (!(error instanceof Discarded)) throw error;
    f.discarded = false;
  };
  f.step(name);
  try {
    const made = act();
    return isPromise(made) ? made.then(undefined, end) : undefined;
  } catch (error) {
    return end(error);
  }
}

/**
 * Take rules, `{push: (f) => ..., pop: {when: () => ..., weight: 2, run: (f) => ...}}`, and call
 * `invariant` at first and after each. Ends with the run, or where no rule can be taken.
 */
export async function repeat(f, rules, options = {}) {
  const {invariant = () => {}, swarm = true} = known(options, 'invariant', 'swarm');
  const check = () => holds('the invariant', invariant);
  const all = Object.entries(rules).map(
      ([name, rule]) => ({
        name,
        weight: 1,
        when: () => true,
        ...(typeof rule === 'function' ? {run: rule} : known(rule, 'run', 'when', 'weight')),
      }));
  let pending = check();
  if (isPromise(pending)) await pending;
  f.note('swarm');
  const favours = swarm ? f.untold(() => f.swarm(all.length)) : all.map(() => 1);
  for (;;) {
    const allowed = all.map(({when, weight}) => when() ? weight : 0);
    const weights = allowed.map((weight, i) => weight * favours[i]);
    const either = weights.some((w) => w > 0) ? weights : allowed;
    if (!either.some((w) => w > 0)) return;
    f.note('rule');
    const {name, run} = all[f.untold(() => f.pickWeighted(either))];
    for (const call of [() => take(f, name, () => run(f)), check]) {
      pending = call();
      if (isPromise(pending)) await pending;
    }
  }
}

/**
 * Take commands as those of fast-check: `setup()` returns {model, real}, and each of `makes`, by
 * name, makes a command, which has check(model), run(model, real) and perhaps toString().
 */
export async function commands(f, setup, makes, options = {}) {
  const {model, real} = await setup();
  const ruleOf = (make) => async () => {
    const command = make(f);
    f.assume(await (command.check?.(model) ?? true));
    if (command.toString !== Object.prototype.toString) f.retell(String(command));
    await command.run(model, real);
  };
  const rules = Object.entries(makes).map(([name, make]) => [name, ruleOf(make)]);
  await repeat(f, Object.fromEntries(rules), options);
}
