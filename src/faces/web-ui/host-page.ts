/** A part of the hosts of a crawl that fits on a screen, in the chosen order. */

import { type Interval, wilson } from '../../reading/topic/wilson.ts';
import type { HostCount } from '../../study/inspect/host-counts.ts';
import type { RetriedHost } from '../../study/inspect/line-tally.ts';
import type { CrawlSurvey } from '../../study/inspect/survey.ts';

export const HOST_ORDERS = ['kept', 'host', 'visited', 'yield', 'waiting', 'parked', 'failed', 'refused', 'retry'] as const;
export type HostOrder = (typeof HOST_ORDERS)[number];

export interface HostQuery {
  /** A part of the host; an empty text is no condition. */
  readonly host: string;
  /** Names ascending, times with the earliest first, numbers with the largest first. */
  readonly order: HostOrder;
  /** Hosts to pass over. */
  readonly from: number;
}

export interface HostLine extends HostCount {
  /** Kept pages divided by visits, with the 95 % interval; null without a visit. */
  readonly yield: (Interval & { readonly share: number }) | null;
  /** Next try after a failure; null without one. */
  readonly retry: RetriedHost | null;
  readonly givenUp: boolean;
}

export interface HostPage {
  readonly hosts: readonly HostLine[];
  readonly matching: number;
  /** Start of the next page; null at the end. */
  readonly next: number | null;
}

/** Hosts of a page. */
export const HOST_LINES = 100;

/** @param survey with all hosts */
export function hostPage({ hosts, status }: CrawlSurvey, { host, order, from }: HostQuery): HostPage {
  const retried = new Map(status.retried.map((one) => [one.host, one]));
  const givenUp = new Set(status.givenUp.map((one) => one.host));
  const lines = hosts
    .filter((one) => one.host.includes(host.toLowerCase()))
    .map((one) => ({ ...one, yield: yieldOf(one), retry: retried.get(one.host) ?? null, givenUp: givenUp.has(one.host) }))
    .sort(ORDERS[order]);
  const end = from + HOST_LINES;
  return { hosts: lines.slice(from, end), matching: lines.length, next: end < lines.length ? end : null };
}

function yieldOf({ kept, visited }: HostCount): HostLine['yield'] {
  return visited === 0 ? null : { share: kept / visited, ...wilson(kept, visited) };
}

type Compare = (a: HostLine, b: HostLine) => number;

/** Sorting is stable: equal hosts stay in the order of the survey. */
const ORDERS: Readonly<Record<HostOrder, Compare>> = {
  host: (a, b) => byText(a.host, b.host),
  kept: (a, b) => b.kept - a.kept,
  visited: (a, b) => b.visited - a.visited,
  yield: (a, b) => (b.yield?.share ?? -1) - (a.yield?.share ?? -1),
  waiting: (a, b) => b.waiting - a.waiting,
  parked: (a, b) => b.parked - a.parked,
  failed: (a, b) => b.failed - a.failed,
  refused: (a, b) => b.refused - a.refused,
  retry: (a, b) => byText(a.retry?.notBefore ?? LATEST, b.retry?.notBefore ?? LATEST) || Number(b.givenUp) - Number(a.givenUp),
};

/** Text that sorts after every time of the ISO form. */
const LATEST = '~';

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
