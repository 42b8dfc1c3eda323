/** The walls of a crawl by host: how much of a host it cannot read, and why. */
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { isWall, redirectIn } from '../../base/core/reason.ts';
import type { CanonicalUrl, Fate, HostKey, PageWall } from '../../base/core/types.ts';
import { isLoginPath } from '../../base/web/login-path.ts';
import { HostCounts } from './host-counts.ts';
import { type LedgerVisitor, type SettledUrl, walkSettled } from './ledger-walk.ts';

/** A host that answers with walls. */
export interface WalledHost {
  readonly host: HostKey;
  readonly wall: PageWall;
  /** Number of pages that are such a wall, or redirect to a login, and of all visits to the host. */
  readonly pages: number;
  readonly visited: number;
}

/** Counts the walls of each host. */
export class WallTally implements LedgerVisitor {
  readonly #walls = new Map<string, { readonly host: HostKey; readonly wall: PageWall; pages: number }>();

  settled({ entry: { url, host }, fate }: SettledUrl): void {
    const wall = isWall(fate.reason) ? fate.reason : leadsToLogin(url, fate) ? 'login' : null;
    if (wall === null) return;
    const key = `${wall} ${host}`;
    const counted = this.#walls.get(key) ?? { host, wall, pages: 0 };
    counted.pages += 1;
    this.#walls.set(key, counted);
  }

  /** Most pages first; a host of two kinds of walls is there twice. @param counts of the same walk */
  hosts(counts: HostCounts): WalledHost[] {
    return [...this.#walls.values()]
      .map(({ host, wall, pages }) => ({ host, wall, pages, visited: counts.visits(host) }))
      .sort((a, b) => b.pages - a.pages || compare(`${a.host} ${a.wall}`, `${b.host} ${b.wall}`));
  }
}

/** Is a page behind a login? Its URL redirects to the address of one, and is not such an address itself. */
export function leadsToLogin(url: CanonicalUrl, { reason }: Pick<Fate, 'reason'>): boolean {
  const to = redirectIn(reason);
  return to !== null && isLoginPath(to) && !isLoginPath(url);
}

/** The walls of a crawl. O(settled URLs). */
export function wallsOf(ledger: Pick<Ledger, 'settled'>): WalledHost[] {
  const [walls, hosts] = [new WallTally(), new HostCounts()];
  walkSettled(ledger, [walls, hosts]);
  return walls.hosts(hosts);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
