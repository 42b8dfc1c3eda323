import type { PageAnswer } from './page-source.ts';

/** What an entry costs beyond its body: key, headers and map slots, measured at roughly half a kilobyte. */
const ENTRY_OVERHEAD_BYTES = 512;

/** Answers kept in memory, least recently used out first, at most `maxBytes` of them. */
export class PageCache {
  readonly maxBytes: number;
  #bytes = 0;
  /** A Map keeps insertion order; a hit is put in anew, so the first key is the least recently used. */
  readonly #entries = new Map<string, PageAnswer>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): PageAnswer | undefined {
    const answer = this.#entries.get(key);
    if (answer === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, answer);
    return answer;
  }

  /** Keep `answer`, unless it alone is larger than the cache. */
  set(key: string, answer: PageAnswer): void {
    const size = answer.body.byteLength + ENTRY_OVERHEAD_BYTES;
    if (size > this.maxBytes) return;
    this.#drop(key);
    this.#entries.set(key, answer);
    this.#bytes += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const old = this.#entries.get(key);
    if (old === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= old.body.byteLength + ENTRY_OVERHEAD_BYTES;
  }
}
