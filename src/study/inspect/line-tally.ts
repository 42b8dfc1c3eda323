/** Counts the lines of a ledger one by one. */
import { REOPENED } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { CrawlLedgerLine, LedgerRetry } from './ledger-lines.ts';
import type { LedgerVisitor, PlainLines } from './ledger-walk.ts';

/** A host whose URLs failed and wait for another try. */
export interface RetriedHost extends LedgerRetry {
  readonly host: string;
  /** Number of such URLs; the other fields are those of the URL that is tried next. */
  readonly waiting: number;
}

export interface LineCounts {
  /** Discovered URLs by ledger state; their sum is `counts.discovered`. */
  readonly states: Readonly<Record<string, number>>;
  /** Refused, failed and reopened URLs, and kept alternates, by state and reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Parked URLs by reason: a pattern's, or `max-pages-per-host`. */
  readonly parked: Readonly<Record<string, number>>;
  /** Hosts given up until the next run, since they caused only trouble, with the number of their waiting URLs; most first. */
  readonly givenUp: readonly { readonly host: string; readonly waiting: number }[];
  /** Hosts of failed URLs that are tried again, in the order of their next try. */
  readonly retried: readonly RetriedHost[];
}

export class LineTally implements LedgerVisitor {
  #states = new Map<string, number>();
  #reasons = new Map<string, number>();
  #parked = new Map<string, number>();
  #givenUp = new Map<string, number>();
  #retried = new Map<string, RetriedHost>();

  /** Copy of the counts: an addition to it does not change these. */
  copy(): LineTally {
    const copy = new LineTally();
    copy.#states = new Map(this.#states);
    copy.#reasons = new Map(this.#reasons);
    copy.#parked = new Map(this.#parked);
    copy.#givenUp = new Map(this.#givenUp);
    copy.#retried = new Map(this.#retried);
    return copy;
  }

  line({ url, state, reason, retry }: Pick<CrawlLedgerLine, 'url' | 'state' | 'reason' | 'retry'>): void {
    this.#add(state, reason, 1);
    if (retry) this.#retry(hostKeyOf(url), retry);
    if (reason === 'host-unreachable') count(this.#givenUp, hostKeyOf(url));
  }

  plain({ size, kinds, kindOf, hosts, hostKey }: PlainLines): void {
    const [numbers, unreachable] = [new Array<number>(kinds.length).fill(0), new Map<number, number>()];
    for (let i = 0; i < size; i++) {
      const kind = kindOf[i] ?? 0;
      numbers[kind] = (numbers[kind] ?? 0) + 1;
      if (kinds[kind]?.reason === 'host-unreachable') unreachable.set(hosts[i] ?? 0, (unreachable.get(hosts[i] ?? 0) ?? 0) + 1);
    }
    for (const [i, { state, reason }] of kinds.entries()) this.#add(state, reason, numbers[i] ?? 0);
    for (const [host, waiting] of unreachable) count(this.#givenUp, hostKey(host), waiting);
  }

  #add(state: CrawlLedgerLine['state'], reason: string, many: number): void {
    if (many === 0) return;
    count(this.#states, state, many);
    if (state === 'parked') count(this.#parked, reason, many);
    if (isEndWithReason(state, reason)) count(this.#reasons, `${state}:${countedReason(reason)}`, many);
  }

  counts(): LineCounts {
    return {
      states: Object.fromEntries(this.#states),
      reasons: Object.fromEntries(this.#reasons),
      parked: Object.fromEntries(this.#parked),
      givenUp: [...this.#givenUp].map(([host, waiting]) => ({ host, waiting })).sort((a, b) => b.waiting - a.waiting),
      retried: [...this.#retried.values()].sort((a, b) => (a.notBefore < b.notBefore ? -1 : 1)),
    };
  }

  #retry(host: string, retry: LedgerRetry): void {
    const before = this.#retried.get(host);
    const next = before && before.notBefore <= retry.notBefore ? before : retry;
    this.#retried.set(host, { ...next, host, waiting: (before?.waiting ?? 0) + 1 });
  }
}

function isEndWithReason(state: CrawlLedgerLine['state'], reason: string): boolean {
  return state === 'refused' || state === 'failed' || reason === REOPENED || (state === 'kept' && reason !== '');
}

/** The reason, without the number of pages of a document without text, and without the kept page of an alternate. */
function countedReason(reason: string): string {
  return WITHOUT_DETAIL.find((word) => reason.startsWith(`${word}:`)) ?? reason;
}

const WITHOUT_DETAIL = ['no-text', 'alternate'];

function count(counts: Map<string, number>, what: string, many = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + many);
}
