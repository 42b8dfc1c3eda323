/** The states of the on-topic pages of a web when a run ends: kept, or the reason why not. */
import type { LedgerLine, StateName } from '../../base/core/types.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import type { WebGraph } from './graph.ts';

/** Ends of a page, the best first: a page under several URLs is where the best of them is. */
export const FINAL_STATES = ['kept', 'judgedOff', 'refused', 'failed', 'parked', 'waiting', 'undiscovered', 'unreachable'] as const;
export type FinalState = (typeof FINAL_STATES)[number];

/** Numbers of on-topic pages, by end. They add up to `onTopic`. */
export interface FinalStates extends Readonly<Record<FinalState, number>> {
  /** On-topic pages of the web, reachable or not; a page under several URLs is one. */
  readonly onTopic: number;
  /** `refused` by reason. */
  readonly refusals: Readonly<Record<string, number>>;
}

/** The parts of a trial that `finalStatesOf` needs. */
export interface FinalStateInputs {
  readonly web: FrozenWeb;
  readonly graph: WebGraph;
  /** Number of the page behind a URL if it is on topic, else -1. Shape [URLs]. */
  readonly pageOf: ArrayLike<number>;
  /** Indices. */
  readonly starts: readonly number[];
}

interface Place {
  readonly end: FinalState;
  readonly reason: string;
}

/** Ends of the states of a ledger. A copy has the bytes of a kept page, so it is that page. */
const END_OF: Readonly<Record<StateName, FinalState>> = {
  kept: 'kept',
  duplicate: 'kept',
  'off-topic': 'judgedOff',
  refused: 'refused',
  failed: 'failed',
  fetched: 'failed',
  parked: 'parked',
  waiting: 'waiting',
  leased: 'waiting',
};

/** O(URLs of the web + lines + links). */
export function finalStatesOf({ web, graph, pageOf, starts }: FinalStateInputs, ledger: Iterable<LedgerLine>): FinalStates {
  const reachable = graph.reachable(starts);
  const known = new Map<number, Place>();
  for (const { url, state, reason } of ledger) known.set(web.indexOf(url), { end: END_OF[state], reason });
  const pages = new Map<number, Place>();
  for (let index = 0; index < web.size; index++) {
    const page = pageOf[index] ?? -1;
    if (page < 0) continue;
    const place = known.get(index) ?? { end: reachable[index] === 1 ? 'undiscovered' : 'unreachable', reason: '' };
    const before = pages.get(page);
    if (before === undefined || rank(place) < rank(before)) pages.set(page, place);
  }
  return counted([...pages.values()]);
}

function rank({ end }: Place): number {
  return FINAL_STATES.indexOf(end);
}

function counted(places: readonly Place[]): FinalStates {
  const count = (end: FinalState) => places.filter((place) => place.end === end).length;
  const refusals: Record<string, number> = {};
  for (const { end, reason } of places) if (end === 'refused') refusals[reason] = (refusals[reason] ?? 0) + 1;
  const ends = Object.fromEntries(FINAL_STATES.map((end) => [end, count(end)])) as Record<FinalState, number>;
  return { onTopic: places.length, ...ends, refusals };
}
