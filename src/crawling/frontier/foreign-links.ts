import type { CanonicalUrl, DiscoveredLink, Discovery, Unit } from '../../base/core/types.ts';
import { LruMap } from './lru-map.ts';

/** Links lately passed on, some 10 MB: pages of a site repeat the same links to other sites. */
const REMEMBERED = 65_536;

/** A refused link is passed on as well: the ledger has every URL. It ranks below all priorities. */
const REFUSED: Unit = -1;

/** Passes links to hosts of other workers on, but not those that would change nothing there. */
export class ForeignLinks {
  readonly #passed = new LruMap<Unit>(REMEMBERED);
  readonly pass: (discovery: Discovery) => void;

  constructor(pass: (discovery: Discovery) => void) {
    this.pass = pass;
  }

  /** Is it new, or better than before? Then it counts as passed on. */
  wants({ url, priority, refusal }: Pick<DiscoveredLink, 'priority' | 'refusal'> & { readonly url: CanonicalUrl }): boolean {
    const rank = refusal === null ? priority : REFUSED;
    const before = this.#passed.get(url);
    if (before !== undefined && before >= rank) return false;
    this.#passed.set(url, rank);
    return true;
  }
}
