/** What the types of the port allow, and refuse. Nothing runs this. */
import * as frng from '../../../frng/javascript/frng.mjs';

frng.main((f) => {
  const numbers: number[] =
      [f.u32(0, 10), f.i8(), f.index(3), f.weighted([1, 2]), f.f64(), f.used, f.left];
  const wide: bigint[] = [f.u64(), f.u64(0n, 3), f.i64(-1, 1)];
  const letter: 'x'|'y' = f.pick(['x', 'y'] as const);
  const words: string[] = f.shuffle(['a', 'b']), weights: number[] = f.swarmWeights(3);
  const bytes: Uint8Array = f.bytes(3);
  const is: boolean = f.more(0, 0, 3) && f.bool() && f.chance(1, 2) && !f.exhausted;
  f.note('a');
  f.step('b');
  // @ts-expect-error one bound is none
  f.u8(3);
  // @ts-expect-error 64 bits are a BigInt
  const narrow: number = f.i64();
  // @ts-expect-error a test only reads it
  f.used = 3;
  return [numbers, wide, letter, words, weights, bytes, is, narrow];
}, import.meta.url);

await frng.main(async (f) => {
  await null;
  if (f.left === 0) throw new frng.OutOfEntropy('none');
});
const size: number = new frng.Frng(new Uint8Array(3)).left;
console.log(size);
