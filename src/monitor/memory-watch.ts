import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { Bytes } from '../core/types.ts';

/** What the old generation of the main thread holds, garbage included, and where V8 would end the process. */
export interface HeapUse {
  readonly used: Bytes;
  readonly limit: Bytes;
}

/** What is left above is enough to settle what is in flight, at some MB a page. */
const FULL = 0.85;

/** Tells a heap that is full from one with much garbage: only what a whole collection left behind counts. Those are watched for only while the heap is over the mark. */
export class MemoryWatch {
  readonly #heap: () => HeapUse;
  readonly #onCollections: (told: () => void) => () => void;
  /** Ends the watching for collections; null while there is none. */
  #stop: (() => void) | null = null;
  #full = false;

  /** @param onCollections calls back after each whole collection, until what it returned is called */
  constructor(heap: () => HeapUse, onCollections = watchCollections) {
    this.#heap = heap;
    this.#onCollections = onCollections;
  }

  /** Has a collection left the heap nearly full? Then it stays so. */
  isFull(): boolean {
    if (this.#full) return true;
    if (!this.#isOver()) this.close();
    else
      this.#stop ??= this.#onCollections(() => {
        this.#full ||= this.#isOver();
      });
    return false;
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #isOver(): boolean {
    const { used, limit } = this.#heap();
    return used > FULL * limit;
  }
}

function watchCollections(told: () => void): () => void {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isWhole)) told();
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}

/** An entry of a collection of the old generation, not only of the young one. */
function isWhole(entry: object): boolean {
  if (!('detail' in entry) || typeof entry.detail !== 'object' || entry.detail === null) return false;
  return 'kind' in entry.detail && entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
