/** Chooses the next page of a crawl to label. Pure. */

import { createHash } from 'node:crypto';
import { logOdds } from '../core/odds.ts';
import type { Unit } from '../core/types.ts';

/** `y` is on topic, `n` is not, `skip` is undecided. */
export type Answer = 'y' | 'n' | 'skip';
/** Reasons to ask about a page. They take turns in this order. */
export const QUEUES = ['uncertain', 'new-host', 'random'] as const;
/** `spread`: a question of the running crawl that was not drawn at random. */
export type QueueName = (typeof QUEUES)[number] | 'spread';

/** A page that the crawl judged and whose text it has. */
export interface JudgedPage {
  readonly url: string;
  readonly host: string;
  /** By the crawl's active model. */
  readonly relevance: Unit;
  /** Is it in the corpus? */
  readonly kept: boolean;
}

/** The state of the labelling: everything that the next turn depends on, except the pages. */
export interface LabelState {
  /** By URL. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** URLs that were drawn at random. */
  readonly drawn: ReadonlySet<string>;
  /** Number of turns: pages that were asked about, and draws that needed no question. */
  readonly turns: number;
}

export interface Turn<P extends JudgedPage = JudgedPage> {
  readonly page: P;
  readonly queue: QueueName;
  /** The earlier label of a randomly drawn page: it counts in the sample, and need not be shown again. Otherwise null. */
  readonly known: Answer | null;
}

export interface QueueOptions {
  /** A page at or above this relevance is on topic. */
  readonly threshold: Unit;
  /** Hosts of the pages the model was trained on. */
  readonly trainedHosts: ReadonlySet<string>;
  readonly seed: number;
}

/**
 * Chooses pages in turn, one third each:
 *
 * - `uncertain`: nearest to the threshold in log odds. The label of a page can only change on which side of the threshold similar pages are. So the
 *   model knows least at the threshold, not at ½ (uncertainty sampling, Lewis and Gale 1994). In log odds, because the model is linear there: .95 and
 *   .83 are equally far from .89 as probabilities, but not as margins.
 * - `new-host`: the most relevant page of hosts that neither training nor labels have seen, because the model may take the style of one site for the
 *   topic; if there are no such hosts, of those with the fewest labels.
 * - `random`: see `drawOrder`. Alternately from the pages that the crawl kept and from those it did not: in a crawl that keeps one page in twenty,
 *   the precision of the corpus would otherwise rest on one draw in twenty.
 *
 * Labelled and skipped pages are not asked about again. A queue without pages gives its turn to the next. The same pages, state and options give the
 * same turn, so a session can continue after an interruption. O(n) a turn.
 */
export class LabelPlan<P extends JudgedPage = JudgedPage> {
  readonly #pages: readonly P[];
  readonly #options: QueueOptions;
  readonly #strata: readonly (readonly P[])[];

  constructor(pages: readonly P[], options: QueueOptions) {
    this.#pages = pages;
    this.#options = options;
    this.#strata = [true, false].map((kept) =>
      drawOrder(
        pages.filter((page) => page.kept === kept),
        options.seed,
      ),
    );
  }

  /** null if every page was labelled or skipped, and drawn. */
  next(state: LabelState): Turn<P> | null {
    for (let i = 0; i < QUEUES.length; i++) {
      const queue = QUEUES[(state.turns + i) % QUEUES.length] as (typeof QUEUES)[number];
      const page = this.#choose(queue, state);
      if (page !== null) return { page, queue, known: queue === 'random' ? (state.answers.get(page.url) ?? null) : null };
    }
    return null;
  }

  /** The next draw from the kept pages alone, which measures the precision and nothing else; null if all of them were drawn. O(n). */
  nextKept(state: LabelState): Turn<P> | null {
    const page = this.#strata[0]?.find(({ url }) => !state.drawn.has(url));
    return page === undefined ? null : { page, queue: 'random', known: state.answers.get(page.url) ?? null };
  }

  #choose(queue: (typeof QUEUES)[number], state: LabelState): P | null {
    if (queue === 'random') return this.draw(state);
    const asked = this.#pages.filter(({ url }) => !state.answers.has(url));
    return queue === 'uncertain' ? this.#nearestThreshold(asked) : this.#mostRelevantOfNewHost(asked, state);
  }

  #nearestThreshold(pages: readonly P[]): P | null {
    const at = logOdds(this.#options.threshold);
    return least(pages, ({ relevance }) => Math.abs(logOdds(relevance) - at));
  }

  #mostRelevantOfNewHost(pages: readonly P[], { answers }: LabelState): P | null {
    const labels = new Map<string, number>([...this.#options.trainedHosts].map((host) => [host, 1]));
    for (const { url, host } of this.#pages) if (answers.has(url)) labels.set(host, (labels.get(host) ?? 0) + 1);
    return least(pages, ({ host, relevance }) => (labels.get(host) ?? 0) + 1 - relevance);
  }

  /** The next random page: from the stratum with fewer draws, the kept pages first. null if all pages were drawn. O(n). */
  draw({ drawn }: LabelState): P | null {
    const byDraws = this.#strata.map((pages) => ({ pages, draws: pages.filter(({ url }) => drawn.has(url)).length }));
    byDraws.sort((a, b) => a.draws - b.draws);
    for (const { pages } of byDraws) {
      const page = pages.find(({ url }) => !drawn.has(url));
      if (page !== undefined) return page;
    }
    return null;
  }
}

/**
 * Pages in the order in which they are drawn: by a number that depends only on seed and URL (permanent random numbers, Ohlsson 1995). The first m of
 * them are a simple random sample without replacement, of all pages and of any subset that was chosen without looking at labels. Pages that the crawl
 * adds later take their places among them.
 *
 * This requires that labels do not decide when the drawing stops. So a random turn is one draw, even if another queue labelled the page before.
 * Drawing until an unlabelled page comes would favour unlabelled pages, and the model is sure of those.
 */
export function drawOrder<P extends JudgedPage>(pages: readonly P[], seed: number): P[] {
  const placed = pages.map((page) => ({ page, place: placeOf(page.url, seed) }));
  placed.sort((a, b) => a.place - b.place || (a.page.url < b.page.url ? -1 : 1));
  return placed.map(({ page }) => page);
}

/** Uniform over 48 bits. */
function placeOf(url: string, seed: number): number {
  return createHash('sha256').update(`${seed} ${url}`).digest().readUIntBE(0, 6);
}

/** The page with the least value; of equal ones, the first by URL. */
function least<P extends JudgedPage>(pages: readonly P[], costOf: (page: P) => number): P | null {
  let best: P | null = null;
  let bestValue = Number.POSITIVE_INFINITY;
  for (const page of pages) {
    const value = costOf(page);
    if (best !== null && (value > bestValue || (value === bestValue && page.url > best.url))) continue;
    best = page;
    bestValue = value;
  }
  return best;
}
