import type {Test} from './frng.mjs';

/** The first `size` bytes of a seed: `17` is plain, `17s` styled. */
export function expand(seeds: string|number|bigint, size: number): Uint8Array;

/**
 * Make a test of node:test that replays each finding of a folder, in a subtest whose name says how
 * `frng-replay` repeats it. It is skipped if there is no such folder. Resolves when it has ended.
 */
export function replay(test: Test, folder: string|URL): Promise<void>;
