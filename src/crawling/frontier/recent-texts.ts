import { bitsOf, distance } from '../../base/core/same-text.ts';
import type { CanonicalUrl, Simhash } from '../../base/core/types.ts';
import { NEAR_BITS, SAME_BITS } from '../../base/text/simhash.ts';
import { LruMap } from './lru-map.ts';

/** Comparison of a page's text with the texts read before. */
export interface Resemblance {
  /** The text is a near-duplicate of another of its registrable domain. */
  readonly near: boolean;
  /** Equality of the text with the last one of its path, regardless of the query; null if there was none. */
  readonly ofPath: 'same' | 'other' | null;
}

/** Texts remembered per domain, and domains remembered: 2 MB at most. */
const TEXTS = 64;
const DOMAINS = 2048;
/** Paths whose last text is remembered: 15 MB at most. */
const PATHS = 65_536;

/** The remembered texts as JSON holds them. */
export interface SavedTexts {
  readonly domains: readonly (readonly [domain: string, halves: readonly number[], next: number])[];
  readonly paths: readonly (readonly [path: string, simhash: Simhash])[];
}

export class RecentTexts {
  readonly #domains = new LruMap<Ring>(DOMAINS);
  readonly #paths = new LruMap<Simhash>(PATHS);

  /**
   * Compares a page with those before, and remembers it.
   * @param url has its own memory
   * @param domain any name that only URLs of its registrable domain have
   * @param simhash null for a page without text, which resembles no other
   */
  compare(url: CanonicalUrl, domain: string, simhash: Simhash | null): Resemblance {
    if (simhash === null) return { near: false, ofPath: null };
    const near = this.#domains.use(domain, () => new Ring()).resembles(simhash);
    return { near, ofPath: this.#compareToPath(url, simhash) };
  }

  /** Was a page of this path read, regardless of the query? */
  knows(url: CanonicalUrl): boolean {
    return this.#paths.has(pathOf(url));
  }

  saved(): SavedTexts {
    const domains = [...this.#domains.entries()].map(([domain, ring]) => [domain, ring.halves, ring.next] as const);
    return { domains, paths: [...this.#paths.entries()] };
  }

  restore({ domains, paths }: SavedTexts): void {
    this.#domains.restore(domains.map(([domain, halves, next]) => [domain, new Ring(halves, next)]));
    this.#paths.restore(paths);
  }

  #compareToPath(url: CanonicalUrl, simhash: Simhash): Resemblance['ofPath'] {
    // A text of fewer than three words has simhash 0: such texts do not make pages equal.
    if (simhash[0] === 0 && simhash[1] === 0) return null;
    const path = pathOf(url);
    const before = this.#paths.set(path, simhash, path.length === url.length);
    if (before === undefined) return null;
    return distance(simhash, before) <= SAME_BITS ? 'same' : 'other';
  }
}

/** The last texts of a domain. */
class Ring {
  /** The halves of each simhash in turn. */
  readonly #halves = new Uint32Array(2 * TEXTS);
  #count: number;
  #next: number;

  /** @param halves of the texts that it holds, from the first place */
  constructor(halves: readonly number[] = [], next = 0) {
    this.#halves.set(halves);
    this.#count = halves.length / 2;
    this.#next = next;
  }

  get halves(): readonly number[] {
    return [...this.#halves.subarray(0, 2 * this.#count)];
  }

  /** The place of the next text. */
  get next(): number {
    return this.#next;
  }

  /** Is a text a near-duplicate of another? Remembers it. */
  resembles([first, second]: Simhash): boolean {
    let near = false;
    for (let at = 0; at < 2 * this.#count && !near; at += 2)
      near = bitsOf(first ^ (this.#halves[at] as number)) + bitsOf(second ^ (this.#halves[at + 1] as number)) <= NEAR_BITS;
    this.#halves[2 * this.#next] = first;
    this.#halves[2 * this.#next + 1] = second;
    this.#count = Math.max(this.#count, this.#next + 1);
    this.#next = (this.#next + 1) % TEXTS;
    return near;
  }
}

function pathOf(url: string): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}
