import type { Bytes } from '../core/types.ts';

/** What the old generation of the main thread holds, garbage included, and where V8 would end the process. */
export interface HeapUse {
  readonly used: Bytes;
  readonly limit: Bytes;
}

/** What is left above is enough to settle what is in flight, at some MB a page and thousands of them. */
const FULL = 0.85;

/** Tells a heap that is full from one with much garbage: only what a collection left behind counts. */
export class MemoryWatch {
  #before: Bytes = 0;
  /** A collection came while it was over the mark. */
  #collected = false;

  /** @returns whether the heap is nearly full of what is needed: at this look, and at one before it that found less than the look before that */
  isFull({ used, limit }: HeapUse): boolean {
    const wasCollected = this.#collected;
    const isOver = used > FULL * limit;
    this.#collected = isOver && (wasCollected || used < this.#before);
    this.#before = used;
    return isOver && wasCollected;
  }
}
