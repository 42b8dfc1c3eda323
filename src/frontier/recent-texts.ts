import type { CanonicalUrl, Simhash } from '../core/types.ts';
import { distance } from '../text/simhash.ts';
import { registrableDomain } from '../web/domain.ts';
import { Recently } from './recently.ts';

/** What a page's text has to do with those that were read before. */
export interface Resemblance {
  /** It is a near-duplicate of another of its registrable domain. */
  readonly near: boolean;
  /** It is the same as the last one of its path, whatever the query, or not; null where there was none. */
  readonly ofPath: 'same' | 'other' | null;
}

/**
 * Bits that near-duplicates differ in at most. Measured on the generated web: of copies with one sentence in 25 anew 95 in 100 do, and of
 * unrelated pages none of 30,000 pairs by less than 15.
 */
const NEAR = 10;
/** Bits that a clock or a counter on the page may change. */
const SAME = 2;
/** Texts of a domain that are remembered, and domains: 15 MB at most. */
const TEXTS = 64;
const DOMAINS = 2048;
/** Paths whose last text is remembered: 15 MB at most. */
const PATHS = 65_536;

export class RecentTexts {
  readonly #domains = new Recently<Ring>(DOMAINS);
  readonly #paths = new Recently<Simhash>(PATHS);

  /** Compare a page with those before, and remember it. @param simhash null for a page without text, which is like none. */
  compare(url: CanonicalUrl, simhash: Simhash | null): Resemblance {
    if (simhash === null) return { near: false, ofPath: null };
    const ring = this.#domains.use(registrableDomain(url), () => ({ texts: [], next: 0 }));
    const near = ring.texts.some((other) => distance(simhash, other) <= NEAR);
    ring.texts[ring.next] = simhash;
    ring.next = (ring.next + 1) % TEXTS;
    return { near, ofPath: this.#compareToPath(url, simhash) };
  }

  /** Was a page of this path read, whatever the query? */
  knows(url: CanonicalUrl): boolean {
    return this.#paths.has(pathOf(url));
  }

  #compareToPath(url: CanonicalUrl, simhash: Simhash): Resemblance['ofPath'] {
    // A few words that are the same do not make a page.
    if (simhash[0] === 0 && simhash[1] === 0) return null;
    const before = this.#paths.set(pathOf(url), simhash);
    if (before === undefined) return null;
    return distance(simhash, before) <= SAME ? 'same' : 'other';
  }
}

interface Ring {
  readonly texts: Simhash[];
  next: number;
}

function pathOf(url: string): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}
