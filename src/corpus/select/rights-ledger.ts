/** The statements about rights and use in the records of a corpus, word for word by host. */
import type { CorpusRecord, HostKey, IsoTime, RightsStatement, WrittenStatement } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { ProtocolCounts, type ProtocolPages } from './protocol-counts.ts';

/** One statement of one host, and its pages. */
export interface RightsRow extends WrittenStatement {
  readonly host: HostKey;
  readonly pages: number;
  /** First and last time at which the crawl requested a file with this statement. */
  readonly first: IsoTime;
  readonly last: IsoTime;
  /** Another statement that this one took the place of, in the same file of the host; null if none is known. */
  readonly replaces: string | null;
}

interface Row extends WrittenStatement {
  readonly host: HostKey;
  pages: number;
  first: IsoTime;
  last: IsoTime;
}

/** Files of which a host has one: another statement in it is a change. A page may differ from another page at the same time. */
const OF_HOST: ReadonlySet<string> = new Set(['robots', 'file']);

/** Memory: the distinct statements of each host. */
export class RightsLedger {
  readonly #rows = new Map<string, Row>();
  readonly #protocols = new ProtocolCounts();
  pages = 0;
  /** Pages with a statement. */
  stating = 0;

  add({ url, rights = [] }: CorpusRecord): void {
    this.pages += 1;
    if (rights.length === 0) return;
    this.stating += 1;
    const host = hostKeyOf(url);
    for (const statement of rights) this.#note(host, statement);
    this.#protocols.add({ url, rights });
  }

  /** The statements, by host, protocol and time. @param host name of the only host that is wanted; all without it */
  rows(host?: string): readonly RightsRow[] {
    const all = [...this.#rows.values()].filter((row) => host === undefined || new URL(row.host).host === host || row.host === host);
    const order = (row: Row) => `${row.host}\n${row.protocol}\n${row.from}`;
    const sorted = all.toSorted((a, b) => compare(order(a), order(b)) || compare(a.first, b.first) || b.pages - a.pages);
    const before = new Map<string, Row[]>();
    return sorted.map((row) => ({ ...row, replaces: replacedBy(row, before) }));
  }

  /** The protocol with most pages first. */
  protocols(): readonly ProtocolPages[] {
    return this.#protocols.pages();
  }

  #note(host: HostKey, { fetchedAt, ...written }: RightsStatement): void {
    const key = JSON.stringify([host, written.protocol, written.from, written.path, written.statement, written.uses]);
    const row = this.#rows.get(key);
    if (row === undefined) {
      this.#rows.set(key, { host, ...written, pages: 1, first: fetchedAt, last: fetchedAt });
      return;
    }
    row.pages += 1;
    if (fetchedAt < row.first) row.first = fetchedAt;
    if (fetchedAt > row.last) row.last = fetchedAt;
  }
}

/** @param before earlier rows of the same place, to which the row is added */
function replacedBy(row: Row, before: Map<string, Row[]>): string | null {
  if (!OF_HOST.has(row.from)) return null;
  const place = JSON.stringify([row.host, row.protocol, row.from, row.path]);
  const earlier = before.get(place) ?? [];
  before.set(place, [...earlier, row]);
  return earlier.findLast(({ last }) => last < row.first)?.statement ?? null;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
