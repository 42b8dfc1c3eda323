/** Chooses the next page of a crawl to label. Pure. */

import { createHash } from 'node:crypto';
import { grouped } from '../../base/core/grouped.ts';
import { logOdds } from '../../base/core/odds.ts';
import type { EpochMs, Unit } from '../../base/core/types.ts';

/** `y` is on topic, `n` is not, `skip` is undecided. */
export type Answer = 'y' | 'n' | 'skip';
/** Reasons to ask about a page. They take turns in this order. */
export const QUEUES = ['uncertain', 'new-host', 'random'] as const;
/** `spread`: a question of the running crawl that was not drawn at random. */
export type QueueName = (typeof QUEUES)[number] | 'spread';
/** Queue of the answer that counts where people answered a page differently: it counts before all their answers, later ones too. */
export const DECISION = 'decision';

/** A page that the crawl judged and whose text it has. */
export interface LabelCandidate {
  readonly url: string;
  readonly host: string;
  /** Relevance by the crawl's active model. */
  readonly relevance: Unit;
  /** Is it in the corpus? */
  readonly kept: boolean;
  /** Time at which the crawl requested it. Default: before all draws. */
  readonly readAt?: EpochMs;
}

/** The state of the labelling: everything that the next turn depends on, except the pages. */
export interface LabelState {
  /** Answers by URL. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** URLs that were drawn at random. */
  readonly drawn: ReadonlySet<string>;
  /** `readAt` of the newest page that the draw of each drawn URL could have chosen. Default: it could have chosen all. */
  readonly newest?: ReadonlyMap<string, EpochMs>;
  /** URLs that were answered with their host or directory, and perhaps never seen: a draw asks about them. Default: none. */
  readonly unseen?: ReadonlySet<string>;
  /** Number of turns: pages that were asked about, and draws that needed no question. */
  readonly turns: number;
}

export interface Turn<P extends LabelCandidate = LabelCandidate> {
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
 * same turn, so a session can continue after an interruption. The order of the pages is made once, so a turn costs O(answers + hosts).
 */
export class LabelPlan<P extends LabelCandidate = LabelCandidate> {
  readonly #pages: ReadonlyMap<string, P>;
  readonly #options: QueueOptions;
  /** The orders of the random queue. */
  readonly strata: Strata<P>;
  /** Nearest to the threshold first. */
  readonly #uncertain: () => readonly P[];
  /** The pages of each host, the most relevant first. */
  readonly #hosts: () => ReadonlyMap<string, readonly P[]>;

  constructor(pages: readonly P[], options: QueueOptions) {
    this.#pages = new Map(pages.map((page) => [page.url, page]));
    this.#options = options;
    this.strata = strataOf(pages, options.seed);
    const at = logOdds(options.threshold);
    this.#uncertain = once(() => ascending(pages, ({ relevance }) => Math.abs(logOdds(relevance) - at)));
    this.#hosts = once(() => {
      const sorted = ascending(pages, ({ relevance }) => 1 - relevance);
      return grouped(sorted, ({ host }) => host);
    });
  }

  /** null if there is no such page. */
  page(url: string): P | null {
    return this.#pages.get(url) ?? null;
  }

  /** The pages of a host, the most relevant first. */
  ofHost(host: string): readonly P[] {
    return this.#hosts().get(host) ?? [];
  }

  /** null if every page was labelled or skipped, and drawn. */
  next(state: LabelState): Turn<P> | null {
    for (let i = 0; i < QUEUES.length; i++) {
      const queue = QUEUES[(state.turns + i) % QUEUES.length] as (typeof QUEUES)[number];
      const page = this.#choose(queue, state);
      if (page !== null) return { page, queue, known: queue === 'random' ? knownAnswer(state, page.url) : null };
    }
    return null;
  }

  /** The next draw from the kept pages alone, which measures the precision and nothing else; null if all of them were drawn. */
  nextKept(state: LabelState): Turn<P> | null {
    const page = this.strata.kept.find(({ url }) => !state.drawn.has(url));
    return page === undefined ? null : { page, queue: 'random', known: knownAnswer(state, page.url) };
  }

  /** The next page of the new hosts alone; null if every page was labelled or skipped. */
  nextOfNewHost(state: LabelState): Turn<P> | null {
    const page = this.#choose('new-host', state);
    return page === null ? null : { page, queue: 'new-host', known: null };
  }

  #choose(queue: (typeof QUEUES)[number], state: LabelState): P | null {
    if (queue === 'random') return this.draw(state);
    if (queue === 'new-host') return this.#mostRelevantOfNewHost(state);
    return this.#uncertain().find(({ url }) => !state.answers.has(url)) ?? null;
  }

  #mostRelevantOfNewHost({ answers }: LabelState): P | null {
    const labels = new Map<string, number>([...this.#options.trainedHosts].map((host) => [host, 1]));
    for (const url of answers.keys()) {
      const host = this.#pages.get(url)?.host;
      if (host !== undefined) labels.set(host, (labels.get(host) ?? 0) + 1);
    }
    const best = [...this.#hosts().values()].flatMap((pages) => pages.find(({ url }) => !answers.has(url)) ?? []);
    return least(best, ({ host, relevance }) => (labels.get(host) ?? 0) + 1 - relevance);
  }

  /** Numbers of random draws so far. */
  draws({ drawn }: Pick<LabelState, 'drawn'>): Readonly<Record<keyof Strata, number>> {
    const pages = [...drawn].flatMap((url) => this.#pages.get(url) ?? []);
    const kept = pages.filter((page) => page.kept).length;
    return { kept, notKept: pages.length - kept };
  }

  /** The next random page: from the stratum with fewer draws, the kept pages first. null if all pages were drawn. */
  draw(state: Pick<LabelState, 'drawn'>): P | null {
    const draws = this.draws(state);
    const { kept, notKept } = this.strata;
    for (const pages of draws.kept <= draws.notKept ? [kept, notKept] : [notKept, kept]) {
      const page = pages.find(({ url }) => !state.drawn.has(url));
      if (page !== undefined) return page;
    }
    return null;
  }
}

/** The state in which pages of the training have the answer that their role says, unless a person answered otherwise: they are not asked about. */
export function withGiven(state: LabelState, given: ReadonlyMap<string, Answer>): LabelState {
  return given.size === 0 ? state : { ...state, answers: new Map([...given, ...state.answers]) };
}

/** The answer with which a drawn page counts without a question; null if it is to be asked about. */
export function knownAnswer({ answers, unseen }: LabelState, url: string): Answer | null {
  return unseen?.has(url) ? null : (answers.get(url) ?? null);
}

/** The state in which some pages are asked about elsewhere at the moment: they take no turn here. */
export function withoutAsked(state: LabelState, elsewhere: ReadonlySet<string>): LabelState {
  if (elsewhere.size === 0) return state;
  const skipped = [...elsewhere].filter((url) => !state.answers.has(url)).map((url) => [url, 'skip'] as const);
  return { ...state, answers: new Map([...state.answers, ...skipped]), drawn: new Set([...state.drawn, ...elsewhere]) };
}

/**
 * The turns from a state on that need an answer. The answers do not decide which pages follow, so they are exact before any answer.
 * @param turnOf as `LabelPlan.next`
 */
export function* turnsAhead<P extends LabelCandidate>(
  state: LabelState,
  turnOf: (state: LabelState) => Turn<P> | null,
): Generator<Turn<P>, void> {
  const [answers, drawn] = [new Map(state.answers), new Set(state.drawn)];
  for (let turns = state.turns; ; turns++) {
    const turn = turnOf({ ...state, answers, drawn, turns });
    if (turn === null) return;
    if (turn.known === null) yield turn;
    answers.set(turn.page.url, turn.known ?? 'skip');
    if (turn.queue === 'random') drawn.add(turn.page.url);
  }
}

/** `readAt` of the page that was read last; null without a page. */
export function newestRead(pages: readonly LabelCandidate[]): EpochMs | null {
  return pages.reduce<EpochMs | null>((newest, { readAt = 0 }) => Math.max(newest ?? 0, readAt), null);
}

/** Pages that a crawl kept and did not keep, each in the order in which they are drawn. */
export interface Strata<P extends LabelCandidate = LabelCandidate> {
  readonly kept: readonly P[];
  readonly notKept: readonly P[];
}

/** O(pages × log pages), with a hash of each. */
export function strataOf<P extends LabelCandidate>(pages: readonly P[], seed: number): Strata<P> {
  const of = (kept: boolean) =>
    drawOrder(
      pages.filter((page) => page.kept === kept),
      seed,
    );
  return { kept: of(true), notKept: of(false) };
}

/**
 * Pages in the order in which they are drawn: by a number that depends only on seed and URL (permanent random numbers, Ohlsson 1995). The first m of
 * them are a simple random sample without replacement, of all pages and of any subset that was chosen without looking at labels. Pages that the crawl
 * adds later take their places among them.
 *
 * This requires that labels do not decide when the drawing stops. So a random turn is one draw, even if another queue labelled the page before.
 * Drawing until an unlabelled page comes would favour unlabelled pages, and the model is sure of those.
 */
export function drawOrder<P extends LabelCandidate>(pages: readonly P[], seed: number): P[] {
  return ascending(pages, ({ url }) => placeOf(url, seed));
}

/** Pages in ascending order of a value; equal ones by URL. */
function ascending<P extends LabelCandidate>(pages: readonly P[], keyOf: (page: P) => number): P[] {
  const valued = pages.map((page) => ({ page, value: keyOf(page) }));
  valued.sort((a, b) => a.value - b.value || (a.page.url < b.page.url ? -1 : 1));
  return valued.map(({ page }) => page);
}

/** Some sessions never need it. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Uniform over 48 bits. */
function placeOf(url: string, seed: number): number {
  return createHash('sha256').update(`${seed} ${url}`).digest().readUIntBE(0, 6);
}

/** The page with the least value; of equal ones, the first by URL. */
function least<P extends LabelCandidate>(pages: readonly P[], costOf: (page: P) => number): P | null {
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
