import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { Bytes } from '../../base/core/types.ts';

/** Size of the main thread's old generation, including garbage, and the size at which V8 would end the process. */
export interface HeapUse {
  readonly used: Bytes;
  readonly limit: Bytes;
}

/** The space above this suffices to settle the visits in flight, at a few MB a page. */
const FULL = 0.85;

/** Distinguishes a full heap from much garbage: only the rest after a full collection counts. It watches collections only while the heap is over the mark. */
export class MemoryWatch {
  readonly #heap: () => HeapUse;
  readonly #onCollections: (listener: () => void) => () => void;
  /** Ends the watch for collections; null while there is none. */
  #stop: (() => void) | null = null;
  #full = false;

  /** @param onCollections calls back after each full collection, until its returned function is called */
  constructor(heap: () => HeapUse, onCollections = watchCollections) {
    this.#heap = heap;
    this.#onCollections = onCollections;
  }

  /** Has a collection left the heap nearly full? The answer then stays yes. */
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

function watchCollections(listener: () => void): () => void {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isWhole)) listener();
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}

/** Is this a collection of the old generation, not only of the young one? */
function isWhole(entry: object): boolean {
  if (!('detail' in entry) || typeof entry.detail !== 'object' || entry.detail === null) return false;
  return 'kind' in entry.detail && entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
