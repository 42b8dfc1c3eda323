import type { Alternate } from '../../base/core/types.ts';
import type { Checkpointed, Columns } from './checkpoint.ts';
import { linkAt } from './packed-discovery.ts';
import type { FrontierStore } from './store.ts';
import type { Slot } from './url-table.ts';

/** Pages whose alternates are known, some 50 MB: twenty full sitemaps. The statements about further ones are ignored. */
const MOST_PAGES = 1_000_000;

/** Place of a statement: the discovery of a list, and the position of the page in it. */
type StatedPlace = readonly [discovery: number, position: number];

/** Pages whose alternates a list stated while they waited. The statements are in the discoveries of the lists. */
export class StatedAlternates implements Checkpointed {
  readonly #store: Pick<FrontierStore, 'discovery'>;
  readonly #places = new Map<Slot, StatedPlace>();

  constructor(store: Pick<FrontierStore, 'discovery'>) {
    this.#store = store;
  }

  note(slot: Slot, discovery: number, position: number): void {
    if (this.#places.size < MOST_PAGES || this.#places.has(slot)) this.#places.set(slot, [discovery, position]);
  }

  /** The statement of the last list. */
  of(slot: Slot): readonly Alternate[] {
    const place = this.#places.get(slot);
    return place === undefined ? [] : (linkAt(this.#store.discovery(place[0]), place[1])?.alternates ?? []);
  }

  columns(): Columns {
    const rows = [...this.#places].flatMap(([slot, place]) => [slot, ...place]);
    return { statedAlternates: [new Uint8Array(Uint32Array.from(rows).buffer)] };
  }

  /** A checkpoint of an earlier version has none. */
  restore({ statedAlternates }: Columns): boolean {
    const rows = new Uint32Array((statedAlternates?.[0] ?? new Uint8Array()).slice().buffer);
    for (let i = 0; i < rows.length; i += 3) this.note(rows[i] ?? 0, rows[i + 1] ?? 0, rows[i + 2] ?? 0);
    return true;
  }
}
