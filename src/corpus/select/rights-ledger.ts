/** The statements about rights and use in the records of a corpus: by protocol, and word for word by host. */
import type { CorpusRecord, HostKey, IsoTime, RightsProtocol, RightsStatement, Use, WrittenStatement } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { combinedUses } from '../../base/web/use-words.ts';

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

/** The pages with statements of one protocol. */
export interface ProtocolPages {
  readonly protocol: RightsProtocol;
  readonly pages: number;
  readonly hosts: number;
  /** Pages by use and word; of several statements the stricter. */
  readonly uses: Readonly<Partial<Record<Use, { readonly allow: number; readonly disallow: number }>>>;
  /** Pages with a statement that is not understood. */
  readonly notUnderstood: number;
}

interface Row extends WrittenStatement {
  readonly host: HostKey;
  pages: number;
  first: IsoTime;
  last: IsoTime;
}

interface Tally {
  pages: number;
  notUnderstood: number;
  readonly hosts: Set<HostKey>;
  readonly uses: Map<Use, { allow: number; disallow: number }>;
}

/** Files of which a host has one: another statement in it is a change. A page may differ from another page at the same time. */
const OF_HOST: ReadonlySet<string> = new Set(['robots', 'file']);

/** Memory: the distinct statements of each host. */
export class RightsLedger {
  readonly #rows = new Map<string, Row>();
  readonly #tallies = new Map<RightsProtocol, Tally>();
  pages = 0;
  /** Pages with a statement. */
  stating = 0;

  add({ url, rights = [] }: CorpusRecord): void {
    this.pages += 1;
    if (rights.length === 0) return;
    this.stating += 1;
    const host = hostKeyOf(url);
    for (const statement of rights) this.#note(host, statement);
    for (const protocol of new Set(rights.map((one) => one.protocol)))
      this.#count(
        host,
        rights.filter((one) => one.protocol === protocol),
        protocol,
      );
  }

  /** By host, protocol and pages. @param host name of the only host that is wanted; all without it */
  rows(host?: string): readonly RightsRow[] {
    const all = [...this.#rows.values()].filter((row) => host === undefined || new URL(row.host).host === host || row.host === host);
    const order = (row: Row) => `${row.host}\n${row.protocol}\n${row.from}`;
    const sorted = all.toSorted((a, b) => compare(order(a), order(b)) || compare(a.first, b.first) || b.pages - a.pages);
    return sorted.map((row, i) => ({ ...row, replaces: replacedBy(row, sorted.slice(Math.max(0, i - NEAR), i)) }));
  }

  /** The protocol with most pages first. */
  protocols(): readonly ProtocolPages[] {
    const all = [...this.#tallies].map(([protocol, { hosts, uses, ...counts }]) => ({
      protocol,
      ...counts,
      hosts: hosts.size,
      uses: Object.fromEntries(uses),
    }));
    return all.toSorted((a, b) => b.pages - a.pages || compare(a.protocol, b.protocol));
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

  #count(host: HostKey, stated: readonly RightsStatement[], protocol: RightsProtocol): void {
    const tally = this.#tallies.get(protocol) ?? { pages: 0, notUnderstood: 0, hosts: new Set(), uses: new Map() };
    this.#tallies.set(protocol, tally);
    tally.pages += 1;
    tally.hosts.add(host);
    if (stated.some(({ understood }) => !understood)) tally.notUnderstood += 1;
    for (const [use, word] of Object.entries(combinedUses(stated.map(({ uses }) => uses))) as [Use, 'allow' | 'disallow'][]) {
      const counts = tally.uses.get(use) ?? { allow: 0, disallow: 0 };
      counts[word] += 1;
      tally.uses.set(use, counts);
    }
  }
}

/** Rows before one among which the statement before it is sought. */
const NEAR = 20;

function replacedBy(row: Row, before: readonly Row[]): string | null {
  if (!OF_HOST.has(row.from)) return null;
  const isSame = (other: Row) =>
    other.host === row.host && other.protocol === row.protocol && other.from === row.from && other.path === row.path;
  return before.findLast((other) => isSame(other) && other.last < row.first)?.statement ?? null;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
