import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Bytes } from '../../src/base/core/types.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes of JavaScript objects that are alive. */
export function collectedHeap(): Bytes {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes of JavaScript objects that are alive after `make` and were not before; what it returns is held meanwhile. */
export function heapKeptBy(make: () => unknown): Bytes {
  const before = collectedHeap();
  const held = [make()];
  const after = collectedHeap();
  return held.length === 1 ? after - before : 0;
}

/** One of many texts as they come out of a record that was decoded: cut from a text a hundred times as long. */
export function cutText(start: string, n: number): string {
  const length = start.length + 50;
  return Buffer.alloc(100 * length, `${start}${String(n).padStart(50, '0')}`)
    .toString('latin1')
    .slice(0, length);
}
