/** Estimates for all pages of a crawl from the randomly drawn ones. Pure. */
import type { EpochMs, Unit } from '../../base/core/types.ts';
import { type Interval, wilson } from '../../reading/topic/wilson.ts';
import { type Cohort, cohortsOf, isDrawnHere } from './draw-cohorts.ts';
import { type LabelCandidate, type LabelState, type Strata, strataOf } from './label-queue.ts';

/** A share of pages, with the numbers behind it. */
export interface ShareEstimate {
  /** Number of pages that it describes. */
  readonly pages: number;
  /** Number of pages that it does not describe: the crawl read them after the last draw. */
  readonly later: number;
  /** Time of the newest page that it describes; null if it describes all, or without draws. */
  readonly until: EpochMs | null;
  /** Number of pages that were drawn at random and answered with y or n. */
  readonly answered: number;
  /** Drawn and skipped: the estimate is unbiased only if these are like the others. */
  readonly skipped: number;
  /** Number of `answered` pages that are on topic. */
  readonly onTopic: number;
  /** Pages of `pages` that count by their own answer; the others are estimated. */
  readonly known: number;
  /** null without answers. */
  readonly share: Unit | null;
  /** Interval of the share, at the requested level; [0, 1] without answers. */
  readonly interval: Interval;
  /** Number of equally weighted answers that say as much about the pages without one. */
  readonly effective: number;
  /** Does it rest on enough answers? */
  readonly isMeasured: boolean;
}

/** A share of all judged pages, combined from both strata. */
export interface WholeEstimate {
  readonly pages: number;
  readonly share: Unit;
  readonly interval: Interval;
}

export interface CrawlEstimate {
  /** On-topic share of the pages in the corpus: its precision. */
  readonly kept: ShareEstimate;
  /** On-topic share of the pages that were read and not kept. */
  readonly notKept: ShareEstimate;
  /** On-topic share of all judged pages; null while a stratum with pages has no answer. */
  readonly judged: WholeEstimate | null;
}

/**
 * Number of answers to randomly drawn pages from which on a share counts as measured. With fewer than four equal answers, the 95 % interval goes
 * below one half: the answers say less than a coin. One more, as many as training needs. All pages of a small stratum are enough.
 */
export const LEAST_DRAWN = 5;

/** Number of answers that a share needs to count as measured. */
export function neededFor({ pages, later }: Pick<ShareEstimate, 'pages' | 'later'>): number {
  return Math.min(LEAST_DRAWN, pages + later);
}

/** A part of the pages of a stratum. */
export interface StratumPart<P extends LabelCandidate = LabelCandidate> {
  /** Is the page in it? */
  readonly has: (page: P) => boolean;
  /** URLs whose labels the active model has learned, if the model chooses the part. */
  readonly learned: ReadonlySet<string>;
  /** Does a labelled page represent it: is it in, or would it be if its label had not been learned? */
  readonly represents: (page: P) => boolean;
}

/** All pages: no label chose them. */
export const ALL_PAGES: StratumPart = { has: () => true, learned: new Set(), represents: () => true };

/**
 * Estimates from the pages drawn at random. Labels of the other queues say nothing about shares, and count only if a draw also selected them.
 *
 * Each drawn answer counts, with the weight of its cohort (`cohortsOf`): the share of a cohort is that of its drawn pages, and cohorts are weighted by
 * their numbers of pages (stratified sampling, Cochran 1977, §5). Drawn pages themselves are known; only the others are estimated. The interval is Wilson's
 * with the number of equally weighted answers that has the same variance, so a cohort of many pages and few answers makes it wide. Pages that no draw
 * could have chosen are not described: `later` counts them, and the figure is that of the pages before them.
 * The two strata are weighted by their sizes; the interval of the sum is combined from theirs (MOVER, Zou and Donner 2008).
 *
 * A model accepts its own training pages more readily than others. So in a part that a trained model chooses, a page whose label it has learned counts by
 * that label alone, and represents other pages only if a model without its label takes it.
 */
export function estimateShares<P extends LabelCandidate>(
  pages: readonly P[],
  state: LabelState,
  seed: number,
  selection: StratumPart<P> = ALL_PAGES,
): CrawlEstimate {
  return sharesOfStrata(strataOf(pages, seed), state, selection);
}

/** Estimates shares like `estimateShares`, from pages that are already in their draw order. O(pages × log draws). */
export function sharesOfStrata<P extends LabelCandidate>(
  { kept, notKept }: Strata<P>,
  state: LabelState,
  selection: StratumPart<P> = ALL_PAGES,
): CrawlEstimate {
  const shares = { kept: shareOf(kept, state, selection), notKept: shareOf(notKept, state, selection) };
  return { ...shares, judged: together([shares.kept, shares.notKept].filter(({ pages, later }) => pages + later > 0)) };
}

function shareOf<P extends LabelCandidate>(ordered: readonly P[], state: LabelState, selection: StratumPart<P>): ShareEstimate {
  const { cohorts, later } = cohortsOf(ordered, state);
  const parts = merged(cohorts.map((cohort) => ({ ...counted(cohort.pages, state, selection), until: cohort.until, reach: cohort.reach })));
  return figureOf(parts, counted(later, state, selection));
}

/** The numbers of a cohort. */
interface Counted {
  /** Pages that count by their own label, and those of them on topic. */
  readonly known: number;
  readonly knownOnTopic: number;
  /** The other pages. */
  readonly left: number;
  /** Answers that represent them, and those of these on topic. */
  readonly answered: number;
  readonly onTopic: number;
  readonly skipped: number;
}

interface Part extends Counted, Pick<Cohort, 'until' | 'reach'> {}

function counted<P extends LabelCandidate>(pages: readonly P[], state: LabelState, { has, learned, represents }: StratumPart<P>): Counted {
  const sums = { ...NOTHING };
  for (const page of pages) {
    const answer = state.answers.get(page.url);
    const [isIn, isDrawn] = [has(page), state.drawn.has(page.url)];
    if (answer === undefined || answer === 'skip' || !(isDrawn || learned.has(page.url))) {
      if (isIn) sums.left += 1;
      if (isIn && isDrawn) sums.skipped += 1;
      continue;
    }
    const onTopic = Number(answer === 'y');
    if (isIn) {
      sums.known += 1;
      sums.knownOnTopic += onTopic;
    }
    if (!isDrawnHere(page, state) || !represents(page)) continue;
    sums.answered += 1;
    sums.onTopic += onTopic;
  }
  return sums;
}

const NOTHING: Counted = { known: 0, knownOnTopic: 0, left: 0, answered: 0, onTopic: 0, skipped: 0 };

/**
 * Neighbours that are sampled alike become one as long as either has few answers, since a share from one or two answers varies much. A cohort without an
 * answer joins the one before it, or after it.
 */
function merged(parts: readonly Part[]): Part[] {
  const alike = joined(parts, (a, b) => a.reach === b.reach && Math.min(a.answered, b.answered) < LEAST_DRAWN);
  return joined(alike, (a, b) => a.answered === 0 || b.answered === 0);
}

function joined(parts: readonly Part[], isOne: (a: Part, b: Part) => boolean): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last !== undefined && isOne(last, part)) out[out.length - 1] = { ...part, ...summed([last, part]) };
    else out.push(part);
  }
  return out;
}

function summed(parts: readonly Counted[]): Counted {
  const sums = { ...NOTHING };
  for (const part of parts) for (const name of COUNTS) sums[name] += part[name];
  return sums;
}

const COUNTS = ['known', 'knownOnTopic', 'left', 'answered', 'onTopic', 'skipped'] as const satisfies readonly (keyof Counted)[];

/** Pages that no draw could have chosen are described only if each counts by its own label. */
function figureOf(parts: readonly Part[], rest: Counted): ShareEstimate {
  // Without a draw there is no figure of earlier pages.
  const isAll = rest.left === 0 || parts.length === 0;
  const described = summed(isAll ? [...parts, rest] : parts);
  const { known, left, answered, skipped, onTopic } = described;
  const later = isAll ? 0 : rest.left + rest.known;
  const until = later === 0 ? null : (parts.at(-1)?.until ?? null);
  const isMeasured = left === 0 ? known > 0 : answered >= Math.min(LEAST_DRAWN, left + answered);
  return { pages: known + left, later, until, answered, skipped, onTopic, known, isMeasured, ...estimated(described, parts) };
}

/** Sums of the same weights in another order differ by less. */
const ROUNDING = 1e-9;

/** @param parts with the pages that have no answer, each with an answer of its own unless none has one */
function estimated(
  { known, knownOnTopic, left, answered, onTopic }: Counted,
  parts: readonly Part[],
): Pick<ShareEstimate, 'share' | 'interval' | 'effective'> {
  const pages = known + left;
  if (pages === 0 || (left > 0 && answered === 0)) return { share: null, interval: { low: 0, high: 1 }, effective: 0 };
  if (left === 0) return { share: knownOnTopic / pages, interval: point(knownOnTopic / pages), effective: answered };
  const weighed = parts.filter((part) => part.left > 0).map((part) => ({ ...part, weight: part.left / left }));
  const sum = (of: (part: (typeof weighed)[number]) => number) => weighed.reduce((total, part) => total + of(part), 0);
  const effective = 1 / sum((part) => part.weight ** 2 / part.answered);
  // A page without an answer is no average: the fewer there are, the more their own share varies.
  const trials = 1 / sum((part) => part.weight ** 2 * (1 / part.answered + 1 / part.left));
  const ofLeft =
    onTopic === answered
      ? 1
      : Math.min(
          1,
          sum((part) => part.weight * (part.onTopic / part.answered)),
        );
  const { low, high } = wilson(ofLeft * trials, trials);
  const whole = (onTopicOfLeft: number) => (knownOnTopic + onTopicOfLeft) / pages;
  // A number of pages is whole: of one page, none or all are on topic.
  const interval = { low: whole(Math.floor(left * low + ROUNDING)), high: whole(Math.ceil(left * high - ROUNDING)) };
  return { share: whole(left * ofLeft), interval, effective };
}

function point(share: Unit): Interval {
  return { low: share, high: share };
}

/** Half the width of an interval that `label audit` works toward: ten points. */
export const AUDIT_MARGIN: Unit = 0.1;

/**
 * The number of further answers y or n after which the interval of a share is at most twice the margin wide. This assumes that the later answers have
 * the same share of y as the earlier ones; without any answer, that half of them are y, which takes the most answers. O(answers).
 */
export function missingForMargin({ pages, later, known, share, effective }: ShareEstimate, margin: Unit): number {
  const all = pages + later;
  const left = all - known;
  const before = all === 0 ? 0 : effective * (pages / all);
  for (let more = 0; more < left; more++) {
    const trials = before + more === 0 ? 0 : 1 / (1 / (before + more) + 1 / (left - more));
    const { low, high } = wilson((share ?? 0.5) * trials, trials);
    if (((left - more) / all) * (high - low) <= 2 * margin) return more;
  }
  return left;
}

function together(strata: readonly ShareEstimate[]): WholeEstimate | null {
  const pages = strata.reduce((sum, stratum) => sum + stratum.pages + stratum.later, 0);
  const sums = { share: 0, below: 0, above: 0 };
  for (const stratum of strata) {
    if (stratum.share === null) return null;
    const weight = (stratum.pages + stratum.later) / pages;
    sums.share += weight * stratum.share;
    sums.below += (weight * (stratum.share - stratum.interval.low)) ** 2;
    sums.above += (weight * (stratum.interval.high - stratum.share)) ** 2;
  }
  if (pages === 0) return null;
  const interval = { low: Math.max(0, sums.share - Math.sqrt(sums.below)), high: Math.min(1, sums.share + Math.sqrt(sums.above)) };
  return { pages, share: sums.share, interval };
}
