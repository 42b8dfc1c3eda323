/** Did earlier outlooks hold? */
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Fate, Unit } from '../../base/core/types.ts';
import type { NotedOutlook } from '../../crawling/crawl-dir/outlook-file.ts';
import type { LedgerVisitor } from './ledger-walk.ts';
import { LEAST_VISITS } from './outlook.ts';

/** The distance of two outlooks: at least so many visits, and a quarter of the visits before, since each outlook takes a walk over the crawl. */
const LEAST_DISTANCE = 250;
const SHARE = 1 / 4;

/** The number of visits at which the next outlook is to be stored. @param noted those stored so far */
export function nextOutlookAt(noted: readonly NotedOutlook[]): number {
  const last = noted.at(-1);
  return last === undefined ? LEAST_VISITS : last.visits + Math.max(LEAST_DISTANCE, Math.ceil(SHARE * last.visits));
}

/** An outlook, and the on-topic pages among the visits that it was about. */
export interface ComparedOutlook extends NotedOutlook {
  readonly found: number;
}

export interface PastOutlooks {
  /** Outlooks by the active model of which all visits were made; oldest first. Their visits overlap. */
  readonly compared: readonly ComparedOutlook[];
  /** Number of them whose interval has the number of found pages. */
  readonly held: number;
  /** Number of outlooks whose visits are not all made. */
  readonly open: number;
}

/** A settled URL, as `Ledger.settled` returns it. */
interface Settled {
  readonly order: number;
  readonly fate: Pick<Fate, 'visited' | 'relevance'>;
}

/** Add all settled URLs in order of settlement. */
export class OutlookCheck implements LedgerVisitor {
  readonly #noted: readonly NotedOutlook[];
  readonly #threshold: Unit;
  /** Earlier visits as in `Ledger.earlierVisits`, in reverse. */
  readonly #earlier: (number | null)[];
  readonly #arePlacesKnown: boolean;
  /** On-topic visits up to the visits that an outlook begins and ends at. */
  readonly #upTo: Map<number, number | null>;
  #visits = 0;
  #onTopic = 0;

  /**
   * @param earlier visits to pages that were reopened: the counter of visits had them when an outlook was made. A later model finds these pages on topic,
   * or it had not reopened them.
   */
  constructor(noted: readonly NotedOutlook[], threshold: Unit, earlier: readonly (number | null)[] = []) {
    this.#noted = noted;
    this.#threshold = threshold;
    this.#earlier = earlier.toReversed();
    this.#arePlacesKnown = !earlier.includes(null);
    this.#upTo = new Map(noted.flatMap(({ visits, requests }) => [visits, visits + requests].map((at) => [at, null] as const)));
  }

  settled({ order, fate: { visited, relevance } }: Settled): void {
    this.#addEarlier(order);
    if (visited) this.#visit(isOnTopic(relevance, this.#threshold));
  }

  #addEarlier(before: number): void {
    for (let next = this.#earlier.at(-1); next !== undefined && (next ?? 0) < before; next = this.#earlier.at(-1)) {
      this.#earlier.pop();
      this.#visit(true);
    }
  }

  #visit(isOnTopic: boolean): void {
    this.#visits += 1;
    if (isOnTopic) this.#onTopic += 1;
    if (this.#upTo.has(this.#visits)) this.#upTo.set(this.#visits, this.#onTopic);
  }

  past(): PastOutlooks {
    this.#addEarlier(Number.POSITIVE_INFINITY);
    const made = this.#noted.flatMap((one) => {
      const [from, to] = [this.#upTo.get(one.visits) ?? null, this.#upTo.get(one.visits + one.requests) ?? null];
      return from === null || to === null ? [] : [{ ...one, found: to - from }];
    });
    // Where the places of some visits are not known, nobody can say which visits an outlook was about.
    const compared = this.#arePlacesKnown ? made : [];
    const held = compared.filter(({ low, high, found }) => low <= found && found <= high).length;
    return { compared, held, open: this.#noted.length - made.length };
  }
}
