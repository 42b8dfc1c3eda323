/** The walls of a crawl by host: how much of a host it cannot read, and why. */
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { isWall } from '../../base/core/reason.ts';
import type { Fate, FrontierEntry, HostKey, PageWall } from '../../base/core/types.ts';

/** A host that answers with walls. */
export interface WalledHost {
  readonly host: HostKey;
  readonly wall: PageWall;
  /** Number of pages that are such a wall, and of all visits to the host. */
  readonly pages: number;
  readonly visited: number;
}

/** Counts settled URLs. */
export class WallTally {
  readonly #visits = new Map<HostKey, number>();
  readonly #walls = new Map<string, { readonly host: HostKey; readonly wall: PageWall; pages: number }>();

  /** O(settled URLs): one pass over them. */
  static of(ledger: Pick<Ledger, 'settled'>): WallTally {
    const tally = new WallTally();
    for (const { entry, fate } of ledger.settled()) tally.add(entry, fate);
    return tally;
  }

  add({ host }: Pick<FrontierEntry, 'host'>, { reason, visited }: Pick<Fate, 'reason' | 'visited'>): void {
    if (visited) this.#visits.set(host, (this.#visits.get(host) ?? 0) + 1);
    if (!isWall(reason)) return;
    const key = `${reason} ${host}`;
    const counted = this.#walls.get(key) ?? { host, wall: reason, pages: 0 };
    counted.pages += 1;
    this.#walls.set(key, counted);
  }

  /** Most pages first; a host of two kinds of walls is there twice. */
  hosts(): WalledHost[] {
    return [...this.#walls.values()]
      .map(({ host, wall, pages }) => ({ host, wall, pages, visited: this.#visits.get(host) ?? 0 }))
      .sort((a, b) => b.pages - a.pages || compare(`${a.host} ${a.wall}`, `${b.host} ${b.wall}`));
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
