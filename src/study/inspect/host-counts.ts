/** Counts of each host of a crawl. */
import { type HostKey, REOPENED } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { CrawlLedgerLine } from './ledger-lines.ts';
import type { LedgerVisitor, PlainLines, SettledUrl } from './ledger-walk.ts';

export interface HostCount {
  readonly host: HostKey;
  readonly kept: number;
  readonly visited: number;
  readonly failed: number;
  readonly refused: number;
  /** Waiting URLs without the parked ones. */
  readonly waiting: number;
  readonly parked: number;
}

type Counts = { -readonly [K in Exclude<keyof HostCount, 'host'>]: number };

/** States whose URLs are counted when they are settled, or not at all. */
type Counted = 'kept' | 'off-topic' | 'duplicate' | 'fetched';
const COUNTED: ReadonlySet<string> = new Set<Counted>(['kept', 'off-topic', 'duplicate', 'fetched']);

/** Counts kept pages and visits of settled URLs, and the other states of lines. */
export class HostCounts implements LedgerVisitor {
  readonly #isWhole: boolean;
  readonly #counts = new Map<HostKey, Counts>();

  /** @param isWhole false: only kept pages and visits: most lines wait, and only the page shows their hosts */
  constructor(isWhole = true) {
    this.#isWhole = isWhole;
  }

  /** Copy of the counts: an addition to it does not change these. */
  copy(): HostCounts {
    const copy = new HostCounts(this.#isWhole);
    for (const [host, counts] of this.#counts) copy.#counts.set(host, { ...counts });
    return copy;
  }

  settled({ entry, fate }: SettledUrl): void {
    const counts = this.#of(entry.host);
    if (fate.state === 'kept') counts.kept += 1;
    if (fate.visited) counts.visited += 1;
  }

  line({ url, state, reason }: Pick<CrawlLedgerLine, 'url' | 'state' | 'reason'>): void {
    if (COUNTED.has(state) || (!this.#isWhole && reason !== REOPENED)) return;
    const counts = this.#of(hostKeyOf(url));
    // It was visited, but waits for another visit.
    if (reason === REOPENED) counts.visited += 1;
    if (state === 'failed' || state === 'refused' || state === 'parked') counts[state] += 1;
    else counts.waiting += 1;
  }

  plain({ size, kinds, kindOf, hosts, hostKey }: PlainLines): void {
    if (!this.#isWhole) return;
    const names = kinds.map(({ state }) => (state === 'parked' || state === 'refused' ? state : 'waiting'));
    const known: Counts[] = [];
    for (let i = 0; i < size; i++) {
      const host = hosts[i] ?? 0;
      known[host] ??= this.#of(hostKey(host));
      const counts = known[host];
      counts[names[kindOf[i] ?? 0] ?? 'waiting'] += 1;
    }
  }

  /** Number of visits to a host. */
  visits(host: HostKey): number {
    return this.#counts.get(host)?.visited ?? 0;
  }

  /** Hosts with the most kept pages first, then those with the most visits, with the most waiting URLs, and by name. */
  hosts(): HostCount[] {
    return [...this.#counts]
      .map(([host, counts]) => ({ host, ...counts }))
      .sort((a, b) => b.kept - a.kept || b.visited - a.visited || b.waiting - a.waiting || (a.host < b.host ? -1 : 1));
  }

  #of(host: HostKey): Counts {
    const known = this.#counts.get(host);
    if (known !== undefined) return known;
    const made = { kept: 0, visited: 0, failed: 0, refused: 0, waiting: 0, parked: 0 };
    this.#counts.set(host, made);
    return made;
  }
}
