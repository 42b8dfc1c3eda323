/** The pages of discoveries. */
import type { FrontierParts } from './frontier-parts.ts';
import type { Slot } from './url-table.ts';

/** Slot of a page that is not a discovered URL. */
const NONE = -1;

/** The page of each discovery, kept as its slot: 4 bytes. A call reads the discoveries since the last one. */
export class DiscoveryReferrers {
  readonly #parts: Pick<FrontierParts, 'sightings' | 'store' | 'urls'>;
  readonly #pages: Slot[] = [];

  constructor(parts: Pick<FrontierParts, 'sightings' | 'store' | 'urls'>) {
    this.#parts = parts;
  }

  /** Numbers of the discoveries on some of the pages. */
  among(pages: ReadonlySet<string>): ReadonlySet<number> {
    const { sightings, store, urls } = this.#parts;
    for (let index = this.#pages.length; index < sightings.discoveries; index++) {
      const url = store.referrer(index);
      this.#pages.push(url === null ? NONE : urls.find(url));
    }
    const wanted = new Set(Array.from(pages, (url) => urls.find(url)));
    wanted.delete(NONE);
    const found = new Set<number>();
    for (const [index, page] of this.#pages.entries()) if (wanted.has(page)) found.add(index);
    return found;
  }
}
