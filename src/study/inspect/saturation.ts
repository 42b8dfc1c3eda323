/** Signs that a model no longer distinguishes the pages of its crawl, so that only answers of a person show how good the crawl is. */
import { statSync } from 'node:fs';
import { CrawlerError } from '../../base/core/errors.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { Unit } from '../../base/core/types.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import { RecentYield } from '../../crawling/crawl/recent-yield.ts';
import { activeModel, type CrawlManifest, type CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadBackground } from '../../reading/topic/background.ts';
import { commonTerms } from '../../reading/topic/common-terms.ts';
import type { Doubt } from '../../reading/topic/doubts.ts';
import { loadCard } from '../../reading/topic/files.ts';
import { LEAST_DRAWN } from '../label/label-estimate.ts';
import { LabelLog } from '../label/label-log.ts';
import type { Grounds } from './grounds.ts';

/**
 * - `nearly-all`: the model finds more than 85 % of the last 200 judged pages on topic.
 * - `unlike-training`: the doubt of that name, see `Doubt`.
 * - `common-terms`: at least four of the ten strongest terms of the model are function words, or words of templates and registers. On public labelled
 *   sets, models of subjects had at most two, a model of spam five and six, one of humour four.
 */
export type SaturationSign = 'nearly-all' | 'unlike-training' | 'common-terms';

/** The last pages that the model judged. */
export interface LastJudged {
  /** Number of the last judged pages, at most 200. */
  readonly pages: number;
  /** Number of these pages that the model finds on topic. */
  readonly onTopic: number;
}

/** The model may no longer distinguish pages, and no labels say how good it is. */
export interface Saturation {
  /** Signs of saturation, at least one. */
  readonly signs: readonly SaturationSign[];
  readonly last: LastJudged;
  /** Terms among the ten strongest that say nothing about a subject. */
  readonly terms: readonly string[];
}

const WINDOW = 200;
const NEARLY_ALL: Unit = 0.85;
const MANY_COMMON = 4;

/** Counts the last judged pages. Visits without a judgement, such as failures, do not count. */
export class JudgedWindow {
  readonly #recent: RecentYield;

  constructor(threshold: Unit) {
    this.#recent = new RecentYield(WINDOW, threshold);
  }

  add(relevance: Unit | null): void {
    if (relevance !== null) this.#recent.add({ visited: true, relevance, state: 'kept' });
  }

  get last(): LastJudged {
    return { pages: this.#recent.visits, onTopic: this.#recent.onTopic };
  }
}

export function isNearlyAll({ pages, onTopic }: LastJudged): boolean {
  return pages >= WINDOW && onTopic > NEARLY_ALL * pages;
}

/** The facts behind the signs. */
interface Observed {
  readonly last: LastJudged;
  readonly doubts: readonly Doubt[];
  readonly precision: Grounds['precision'];
  /** Terms, as in `Saturation.terms`. */
  readonly terms: readonly string[];
}

/** null without a sign, and if the precision is measured: then the crawl needs no signs. Pure. */
export function saturationOf({ last, doubts, precision, terms }: Observed): Saturation | null {
  if (precision !== null) return null;
  const signs: SaturationSign[] = [];
  if (isNearlyAll(last)) signs.push('nearly-all');
  if (doubts.includes('unlike-training')) signs.push('unlike-training');
  if (last.pages >= WINDOW && terms.length >= MANY_COMMON) signs.push('common-terms');
  return signs.length === 0 ? null : { signs, last, terms };
}

/** Saturation of a crawl, as `saturationOf` finds it; reads the crawl's model if it may matter. */
export async function saturationIn(
  crawl: { readonly manifest: CrawlManifest; readonly paths: CrawlPaths },
  last: LastJudged,
  { doubts, precision }: Pick<Grounds, 'doubts' | 'precision'>,
): Promise<Saturation | null> {
  const terms = precision === null && last.pages >= WINDOW ? await termsOf(crawl) : [];
  return saturationOf({ last, doubts, precision, terms });
}

/** Empty for several topics, and for a card that cannot be read: other commands report that. */
async function termsOf({ manifest, paths }: { readonly manifest: CrawlManifest; readonly paths: CrawlPaths }): Promise<string[]> {
  if (manifest.topics.length > 0) return [];
  try {
    const { termsFor } = await loadCard(activeModel(paths, manifest));
    return commonTerms(
      termsFor.map(({ feature }) => feature),
      await loadBackground(),
    );
  } catch (error) {
    if (error instanceof CrawlerError) return [];
    throw error;
  }
}

/** Watches a running crawl for `nearly-all`, over the pages that this run judged. */
export class SaturationWatch {
  readonly #window: JudgedWindow;
  readonly #labels: string;
  readonly #frontier: Pick<Ledger, 'standing'>;
  /** The size of the label file that `#isMeasured` is about. */
  #size = 0;
  #isMeasured = false;

  constructor(threshold: Unit, { labels }: Pick<CrawlPaths, 'labels'>, frontier: Pick<Ledger, 'standing'>) {
    this.#window = new JudgedWindow(threshold);
    this.#labels = labels;
    this.#frontier = frontier;
  }

  add(relevance: Unit | null): void {
    this.#window.add(relevance);
  }

  get last(): LastJudged {
    return this.#window.last;
  }

  /** The last judged pages if nearly all are on topic by the model, and no answers measure the precision; null otherwise. */
  saturated(): LastJudged | null {
    const { last } = this;
    return isNearlyAll(last) && !this.#measured() ? last : null;
  }

  /** Cheaper than `estimateShares`, which reads all pages. A damaged label file measures nothing. */
  #measured(): boolean {
    const size = statSync(this.#labels, { throwIfNoEntry: false })?.size ?? 0;
    if (size === this.#size) return this.#isMeasured;
    this.#size = size;
    this.#isMeasured = this.#drawnAnswers() >= LEAST_DRAWN;
    return this.#isMeasured;
  }

  #drawnAnswers(): number {
    try {
      const { answers, drawn } = LabelLog.open(this.#labels, undefined, () => undefined).state;
      const kept = [...answers].filter(([url, answer]) => answer !== 'skip' && drawn.has(url) && this.#isKept(url));
      return kept.length;
    } catch (error) {
      if (error instanceof CrawlerError) return 0;
      throw error;
    }
  }

  #isKept(url: string): boolean {
    const known = canonicalizeWithRoute(url);
    return known !== null && this.#frontier.standing(known)?.state === 'kept';
  }
}
