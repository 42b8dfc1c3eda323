import { grown } from '../../base/core/columns.ts';
import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import { FingerprintIndex } from '../../base/core/fingerprint-index.ts';
import { LEAST_IN_ALL, LEAST_ON_HOST } from '../select/paragraph-counts.ts';

/** Numbers of a sentence, among all sentences and among those of its host. */
export interface SentenceNumbers {
  readonly inAll: number;
  readonly onHost: number;
}

/** The sentences of one side by their keys, and how many page pairs have each. Memory: some 60 bytes a sentence. */
export class RepeatedSentences {
  readonly #all = new PageCounts();
  readonly #ofHosts = new PageCounts();
  #taken = new Uint8Array(0);
  readonly #host: Fingerprint = { hi: 0, lo: 0 };
  readonly #print: Fingerprint = { hi: 0, lo: 0 };

  /** Counts a sentence of a page pair. Page pairs come one after another. */
  add(key: Readonly<Fingerprint>, host: string, pagePair: number): void {
    const { inAll, onHost } = this.numbers(key, host);
    this.#all.count(inAll, pagePair);
    this.#ofHosts.count(onHost, pagePair);
  }

  numbers({ hi, lo }: Readonly<Fingerprint>, host: string): SentenceNumbers {
    fingerprint(host, this.#host);
    this.#print.hi = hi;
    this.#print.lo = lo;
    const inAll = this.#all.number(this.#print);
    this.#print.hi = (hi ^ this.#host.hi) >>> 0;
    this.#print.lo = (lo ^ this.#host.lo) >>> 0;
    return { inAll, onHost: this.#ofHosts.number(this.#print) };
  }

  /** Is it a line that many pages repeat? Known when all sentences are added. */
  isTemplate({ inAll, onHost }: SentenceNumbers): boolean {
    return this.#all.pages(inAll) >= LEAST_IN_ALL || this.#ofHosts.pages(onHost) >= LEAST_ON_HOST;
  }

  isTaken({ inAll }: SentenceNumbers): boolean {
    return this.#taken[inAll] === 1;
  }

  take({ inAll }: SentenceNumbers): void {
    this.#taken = grown(this.#taken, inAll + 1, Uint8Array);
    this.#taken[inAll] = 1;
  }
}

/** Number of page pairs by fingerprint. */
class PageCounts {
  readonly #index = new FingerprintIndex();
  #counts = new Uint32Array(0);
  /** One more than the last page pair. */
  #last = new Uint32Array(0);

  number(print: Fingerprint): number {
    return this.#index.of(print);
  }

  count(number: number, pagePair: number): void {
    this.#counts = grown(this.#counts, number + 1, Uint32Array);
    this.#last = grown(this.#last, number + 1, Uint32Array);
    if (this.#last[number] !== pagePair + 1) this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    this.#last[number] = pagePair + 1;
  }

  pages(number: number): number {
    return this.#counts[number] ?? 0;
  }
}
