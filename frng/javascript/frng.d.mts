/** The entropy has run out: the test is over, and has passed. */
export class OutOfEntropy extends Error {
  readonly name: 'OutOfEntropy';
}

/** A draw of any value of a type, or of one of a range. */
type Ranged = {(): number, (min: number, max: number): number};
type BigRanged = {(): bigint, (min: bigint|number, max: bigint|number): bigint};

/**
 * The decisions of a test, drawn from bytes that can run out. A draw throws `OutOfEntropy` then, as
 * do all draws after it. Bounds are inclusive; wrong arguments throw a `RangeError`. Bytes of zeros
 * mean the first element, the smallest number of a range, 0 of a whole type, false.
 */
export class Frng {
  /** Draw from the bytes from `first` (0) to `end` (all of them). */
  constructor(bytes: Uint8Array, first?: number, end?: number);

  /** Bytes drawn so far, without those of a failed draw: they alone give the same run. */
  readonly used: number;
  /** Bytes not yet drawn. A failure of a test that looks at this does not bound the size. */
  readonly left: number;
  /** A draw has failed. A test may then go on without draws, and still fail. */
  readonly exhausted: boolean;

  /** The next `count` bytes, as a copy. */
  bytes(count: number): Uint8Array;
  /** A coin, from one byte. */
  bool(): boolean;

  /** Any number of so many bits, or one of `min..max`, from 1, 2, 4 or 8 bytes. */
  readonly u8: Ranged;
  readonly u16: Ranged;
  readonly u32: Ranged;
  readonly u64: BigRanged;
  readonly i8: Ranged;
  readonly i16: Ranged;
  readonly i32: Ranged;
  readonly i64: BigRanged;

  /** A number of `0..count-1`, from 8 bytes. */
  index(count: number): number;
  /** An element of a list, from the fewest bytes that hold its index. */
  pick<T>(list: ArrayLike<T>): T;
  /** An index in proportion to its weight, a whole number; never one with weight 0. 8 bytes. */
  weighted(weights: readonly number[]): number;
  /** Weights of 1..100. Drawn once, they make each test favour others: swarm testing. */
  swarmWeights(count: number): number[];
  /** Weights of 0, 1, 2, 4 or 8, for `pickWeighted`: drawn once, they switch variants off. */
  swarm(count: number): number[];
  /** As `weighted`, from the fewest bytes that hold the sum of the weights. */
  pickWeighted(weights: readonly number[]): number;
  /** Some of up to 64 elements, in their order. */
  subset<T>(list: ArrayLike<T>): T[];
  /** The elements in any order, as a new list. */
  permutation<T>(list: ArrayLike<T>): T[];
  /** Shuffle a list in place, and return it. 8 bytes for each element but the last. */
  shuffle<T extends unknown[]>(list: T): T;
  /** A multiple of 2^-53 in [0, 1), from 8 bytes. */
  f64(): number;
  /** True with the chance `numerator / denominator`, from 4 bytes; large numbers mean false. */
  chance(numerator: number, denominator: number): boolean;
  /**
   * Is there one more element, after `count` of them? At least `min`, at most `max`; 1 byte each:
   *
   *     for (let n = 0; f.more(n, 0, 10); n++) list.push(f.u8());
   */
  more(count: number, min: number, max: number): boolean;

  /** Numbers of every magnitude: first how many bits, then a number of so many. 1 to 9 bytes. */
  readonly u8Mixed: Ranged;
  readonly u16Mixed: Ranged;
  readonly u32Mixed: Ranged;
  readonly u64Mixed: BigRanged;
  readonly i8Mixed: Ranged;
  readonly i16Mixed: Ranged;
  readonly i32Mixed: Ranged;
  readonly i64Mixed: BigRanged;
  /** Any double: a whole number, a fraction, one near a power of two, or any bits. */
  f64Any(): number;
  /** A double of `min..max`, uniform in ulps of the larger bound. 8 bytes. */
  f64Range(min: number, max: number): number;
  /** Letters of an alphabet, the simplest first in it: those that print, 0 to 20. 1 byte each. */
  string(alphabet?: string|readonly string[], min?: number, max?: number): string;
  /** Midnight, in UTC, of any day of the years 1..9999; the simplest is 2000-01-01. 4 bytes. */
  date(): Date;
  /** A day of `first` to `last`, the simplest `first`. 4 bytes. */
  date(first: Date, last: Date): Date;

  /** Evenly where the range has up to 256 numbers that fit a byte, else of every magnitude. */
  integer(min?: number, max?: number): number;
  /** A BigInt of 64 bits, of every magnitude. */
  bigInt(min?: bigint, max?: bigint): bigint;
  boolean(): boolean;
  /** Any double, or uniformly one of a range; NaN and infinity only without bounds. */
  double(min?: number, max?: number, options?: {noNaN?: boolean, noInfinity?: boolean}): number;
  /** Letters that print, and those that break programs: NUL, line ends, emoji, directions. */
  text(min?: number, max?: number): string;
  /** A text that matches all of a pattern; DRAWS.md has the grammar. */
  regex(pattern: string): string;
  /** Does a tree go a level deeper, with `left` levels to go? */
  depth(left: number): boolean;
  /** One of the things that a test has made, counted back from the newest. */
  thing<T>(things: ArrayLike<T>): T;
  /** The same, and take it out of the list. */
  takeThing<T>(things: T[]): T;
  uint8Array(min?: number, max?: number): Uint8Array;
  /** An element of a list: the same as `pick`. */
  element<T>(list: ArrayLike<T>): T;
  constantFrom<T>(...values: T[]): T;
  /** By one of several functions. */
  oneOf<T extends unknown[]>(...makes: {[K in keyof T]: () => T[K]}): T[number];
  option<T>(make: () => T): T|null;
  option<T, N>(make: () => T, nil: N): T|N;
  /** A list of `min` (0) to `max` (min + 20) elements, each drawn by a function. */
  list<T>(element: () => T, options?: ListOptions<T>): T[];
  /** The same, with bounds as in fast-check. */
  array<T>(element: () => T, options?: {minLength?: number, maxLength?: number}): T[];
  /** An object of drawn keys, all different. */
  dictionary<T>(key: () => string, value: () => T,
                options?: {min?: number, max?: number}): Record<string, T>;
  /** A moment: a day, all as likely, and a time of it of every magnitude. */
  dateTime(min?: Date, max?: Date): Date;
  /** What make(f, ...) returns, shown as one value where a failure is shown. */
  draw<T, A extends unknown[]>(make: (f: Frng, ...rest: A) => T, ...rest: A): T;
  /** What a function draws, not shown where a failure is. */
  untold<T>(make: () => T): T;
  /** Give the operation in progress this line where a failure is shown. */
  retell(line: string): void;
  /** End the run, which passes, or the rule of a stateful test, unless a condition holds. */
  assume(condition: unknown): void;
  /** `assume` has ended the run. */
  readonly discarded: boolean;

  /** Name the draws that follow, in a trace; the first 31 bytes are kept. */
  note(name: string): this;
  /** Begin an operation: a trace names it, and a reduction deletes its draws together. */
  step(name: string): void;
  /** Say what a draw meant, or what happened: a line of up to 159 bytes in a trace. */
  say(line: string): void;
  /** Say that this run has a property: a search shows the share of such runs. */
  label(name: string): void;
  /** Say that a number of this run is `value`. */
  measure(name: string, value: number|bigint): void;
  maximize(name: string, value: number|bigint): void;
}

export interface ListOptions<T> {
  min?: number;
  max?: number;
  /** Leave duplicates out: by themselves, or by a key. */
  unique?: boolean|((element: T) => unknown);
}

/** Alphabets, the simplest letter first. */
export const LOWER: string, DIGITS: string, ALNUM: string, PRINTABLE: string;

/** A test fails if it throws or returns false, or if its promise is rejected or comes to false. */
export type Test = (f: Frng) => unknown;

/**
 * Run a test on the bytes of stdin or of the file that `FRNG_INPUT` names, or as often as a driver
 * asks, and end the process. A run ends when the test returns or its promise is settled: what it
 * leaves behind (timers, promises) gets one turn of the event loop. A draw that runs out in the
 * callback of a timer passes, too, but costs the process: draw in the test and what it awaits.
 *
 * With a module's `import.meta.url`, do nothing unless that module is the program that was started,
 * so that another module can import its test. Arguments of the program are refused.
 */
export function main(test: Test, url?: string): Promise<void>;

/** As main, for a program with arguments of its own. */
export function run(test: Test): Promise<void>;

export interface CheckOptions {
  /** Fresh runs: 1000. FRNG_RUNS takes its place. */
  runs?: number;
  /** Bytes of the largest run: 4096. */
  sizeMax?: number;
  /** The folder of findings, beside the file of the test: `findings/NAME`. */
  findings?: string;
  /** The least shares of labels: `{deleted: 0.01}`. */
  require?: Record<string, number>;
  /** Milliseconds of the longest run: 10000, or as many seconds as FRNG_TIMEOUT. 0: any time. */
  runTimeout?: number;
}

export interface RunnerOptions extends CheckOptions {
  skip?: boolean|string;
  only?: boolean;
  todo?: boolean|string;
  timeout?: number;
}

/** A run of a check has failed: the message has its draws by name; the cause is what was thrown. */
export class Failure extends Error {
  readonly name: 'Failure';
  readonly cause?: unknown;
}

/**
 * Make a test of the runner, of vitest, jest or mocha by its global `it`, else of node:test. It
 * replays findings, searches, and fails with the smallest failure.
 */
export function check(name: string, test: Test, options?: RunnerOptions): unknown;
export function check(name: string, options: RunnerOptions, test: Test): unknown;

/** The same within a test of any runner: `it('sorts', () => frng.assert((f) => ...))`. */
export function assert(test: Test, options?: CheckOptions&{name?: string}): Promise<void>;

/** An operation of a stateful test, which `when` allows, and `weight` (1) makes more common. */
export type Rule = ((f: Frng) => unknown)|
    {when?: () => boolean, weight?: number, run: (f: Frng) => unknown};

export interface RepeatOptions {
  /** Called at first, and after each rule. */
  invariant?: () => unknown;
  /** Each run favours some rules, and switches some off: true. */
  swarm?: boolean;
}

/** Take rules in any order until the entropy, and with it the run, ends. Await or return it. */
export function repeat(f: Frng, rules: Record<string, Rule>, options?: RepeatOptions): Promise<void>;

/** A command as those of fast-check. */
export interface Command<M, R> {
  check?(model: M): boolean|Promise<boolean>;
  run(model: M, real: R): unknown;
  toString?(): string;
}

/** Take commands, each made by a function, in any order until the entropy ends. */
export function commands<M, R>(f: Frng, setup: () => {model: M, real: R}|Promise<{model: M, real: R}>,
                               makes: Record<string, (f: Frng) => Command<M, R>>,
                               options?: RepeatOptions): Promise<void>;
