/** The entropy has run out: the test is over, and has passed. */
export class OutOfEntropy extends Error {
  readonly name: 'OutOfEntropy';
}

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

  /** Any number of 8 bits, or one of `min..max`. 1 byte. */
  u8(): number;
  u8(min: number, max: number): number;
  /** Any number of 16 bits, or one of `min..max`. 2 bytes. */
  u16(): number;
  u16(min: number, max: number): number;
  /** Any number of 32 bits, or one of `min..max`. 4 bytes. */
  u32(): number;
  u32(min: number, max: number): number;
  /** Any number of 64 bits, or one of `min..max`. 8 bytes. */
  u64(): bigint;
  u64(min: bigint|number, max: bigint|number): bigint;
  /** Any signed number of 8 bits, or one of `min..max`. 1 byte. */
  i8(): number;
  i8(min: number, max: number): number;
  /** Any signed number of 16 bits, or one of `min..max`. 2 bytes. */
  i16(): number;
  i16(min: number, max: number): number;
  /** Any signed number of 32 bits, or one of `min..max`. 4 bytes. */
  i32(): number;
  i32(min: number, max: number): number;
  /** Any signed number of 64 bits, or one of `min..max`. 8 bytes. */
  i64(): bigint;
  i64(min: bigint|number, max: bigint|number): bigint;

  /** A number of `0..count-1`, from 8 bytes. */
  index(count: number): number;
  /** An element of a list, from the fewest bytes that hold its index. */
  pick<T>(list: ArrayLike<T>): T;
  /** An index in proportion to its weight, a whole number; never one with weight 0. 8 bytes. */
  weighted(weights: readonly number[]): number;
  /** Weights of 1..100. Drawn once, they make each test favour others: swarm testing. */
  swarmWeights(count: number): number[];
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

  /** Name the draws that follow, in a trace; the first 31 bytes are kept. */
  note(name: string): void;
  /** Begin an operation: a trace names it, and a reduction deletes its draws together. */
  step(name: string): void;
}

/** A test fails if it throws, or if its promise is rejected. Its value is ignored. */
export type Test = (f: Frng) => unknown;

/**
 * Run a test on the bytes of stdin or of the file that `FRNG_INPUT` names, or as often as a driver
 * asks, and end the process. A run ends when the test returns or its promise is settled: what it
 * leaves behind (timers, promises) gets one turn of the event loop. A draw that runs out in the
 * callback of a timer passes, too, but costs the process: draw in the test and what it awaits.
 *
 * With a module's `import.meta.url`, do nothing unless that module is the program that was started,
 * so that another module can import its test.
 */
export function main(test: Test, url?: string): Promise<void>;
