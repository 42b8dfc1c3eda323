import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, DiscoveredLink, Fate } from '../../base/core/types.ts';
import { LmdbStore } from './lmdb-store.ts';
import { type Slot, UrlTable } from './url-table.ts';

/** A settled URL with everything stored about it. */
export interface StoredVisit {
  readonly url: CanonicalUrl;
  /** The fate from its settlement, judged by the model of that time; `page` is null. */
  readonly fate: Fate;
  /** Title and text of a judged page that is not in the corpus; null otherwise. */
  page(): Fate['page'];
  /** Links of the page that, when it was read, were new to the frontier or better than a known link. */
  links(): readonly DiscoveredLink[];
}

/** The settled URLs of a frontier in an LMDB directory, without rebuilding its queues. No crawl may use the directory meanwhile. */
export class StoredVisits {
  readonly #store: LmdbStore;
  /** The URL of each slot. */
  readonly #names: CanonicalUrl[] = [];
  /** Numbers of the discoveries of each page with such links: two for a page that was visited twice. */
  readonly #discoveries = new Map<Slot, number[]>();
  /** Settled slots, in order of settlement. */
  readonly #slots: readonly Slot[];

  private constructor(store: LmdbStore) {
    this.#store = store;
    const urls = new UrlTable();
    for (const [index, { referrer, redirects, links }] of store.discoveries()) {
      for (const { url } of links) if (urls.claim(url).isNew) this.#names.push(url);
      // The target of a redirect has the referrer of its source.
      if (referrer === null || redirects > 0) continue;
      const slot = urls.find(referrer.url);
      this.#discoveries.set(slot, [...(this.#discoveries.get(slot) ?? []), index]);
    }
    this.#slots = [...store.fates()].sort(([, a], [, b]) => a.order - b.order).map(([slot]) => slot);
  }

  /** O(discovered URLs). @param crawl its id; null accepts any @throws StoreError if the directory cannot be opened, is damaged, or belongs to another crawl */
  static open(path: string, crawl: string | null = null): StoredVisits {
    return new StoredVisits(LmdbStore.open(path, null, crawl, 'read'));
  }

  get size(): number {
    return this.#slots.length;
  }

  /** Bytes of each corpus file that are committed. */
  get offsets(): CorpusOffsets {
    return this.#store.lastCommit()?.offsets ?? {};
  }

  /** Visits, in order of settlement. */
  *[Symbol.iterator](): Generator<StoredVisit> {
    for (const slot of this.#slots) {
      const fate = this.#store.fate(slot)?.fate;
      const url = this.#names[slot];
      if (fate && url !== undefined) yield { url, fate, page: () => this.#store.page(slot), links: () => this.#linksOf(slot) };
    }
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #linksOf(slot: Slot): DiscoveredLink[] {
    return (this.#discoveries.get(slot) ?? []).flatMap((index) => this.#store.discovery(index).links);
  }
}
