/** Recall of a crawl by pages known to be on topic, which it had to find by itself. */
import type { Ledger, Standing } from '../../base/core/parts/queueing.ts';
import { reasonText } from '../../base/core/reason.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import type { MissingCause, RecallShares } from '../../corpus/select/recall-facts.ts';
import type { KnownPages } from '../../crawling/crawl-dir/known-pages.ts';
import type { Interval } from '../../reading/topic/wilson.ts';
import { clopperPearson, leastSuccesses } from './binomial.ts';
import { endOfRedirects } from './lost-seeds.ts';

export interface MissingPage {
  readonly url: CanonicalUrl;
  readonly cause: MissingCause;
  /** Reason as in the ledger; '' without one. */
  readonly reason: string;
}

export interface KnownRecall extends RecallShares {
  readonly missing: readonly MissingPage[];
  /** Known pages that no crawl with these rules can keep, which do not count: out of scope, excluded by their sites, gone. */
  readonly excluded: readonly MissingPage[];
}

const KEPT: ReadonlySet<Standing['state']> = new Set(['kept', 'duplicate']);
/** Refusals by a rule of the crawl or of the site. */
const RULED: ReadonlySet<string> = new Set(['scope', 'robots', 'robots-unreachable', 'opt-out', 'private-address', 'noindex', 'max-depth']);
/** A page that is gone is no page on topic. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** @param isOutside is a URL that the crawl has not found outside of its scope? O(known pages) */
export function knownRecall(
  known: KnownPages,
  frontier: Pick<Ledger, 'standing'>,
  keptPages: number,
  isOutside: (url: CanonicalUrl) => boolean,
): KnownRecall {
  const missing: MissingPage[] = [];
  const excluded: MissingPage[] = [];
  let kept = 0;
  for (const url of known.urls) {
    const { standing: end } = endOfRedirects(url, frontier);
    if (end !== null && (KEPT.has(end.state) || end.reason === 'unchanged')) kept += 1;
    else if (isExcluded(url, end, isOutside)) excluded.push(missingPage(url, end));
    else missing.push(missingPage(url, end));
  }
  const counted = kept + missing.length;
  const { low, high } = clopperPearson(kept, counted);
  const share = counted === 0 ? null : kept / counted;
  const isListed = known.origin === 'listed';
  const [recall, ofListed] = isListed ? [null, share] : [share, null];
  const left = isListed || counted === 0 ? null : leftOf(keptPages, { low, high });
  const { origin, from, drawn = null } = known;
  return { origin, from, drawn, known: counted, kept, recall, ofListed, low, high, left, missing, excluded };
}

function leftOf(kept: number, { low, high }: Interval): NonNullable<KnownRecall['left']> {
  const missed = (recall: Unit) => Math.round(kept * (1 / recall - 1));
  return { low: missed(high), high: low > 0 ? missed(low) : null };
}

function isExcluded(url: CanonicalUrl, end: Standing | null, isOutside: (url: CanonicalUrl) => boolean): boolean {
  if (end === null) return isOutside(url);
  if (end.state === 'refused') return RULED.has(reasonText(end.reason).split(':', 1)[0] ?? '');
  return end.state === 'failed' && end.status !== null && GONE.has(end.status);
}

function missingPage(url: CanonicalUrl, end: Standing | null): MissingPage {
  return { url, cause: causeOf(end), reason: end === null ? '' : reasonText(end.reason) };
}

function causeOf(end: Standing | null): MissingCause {
  if (end === null) return 'undiscovered';
  if (end.state === 'off-topic' || end.state === 'refused' || end.state === 'failed') return end.state;
  return 'waiting';
}

/** Watches a running crawl for the moment at which enough known pages are kept. */
export class RecallWatch {
  readonly #known: KnownPages;
  readonly #target: Unit;
  readonly #frontier: Pick<Ledger, 'standing'>;
  readonly #look: () => KnownRecall;
  /** The known pages, and those to which they redirect. */
  #pages: ReadonlySet<CanonicalUrl> = new Set();
  #isReached = false;

  /** @param look the recall at the moment; asked only after a visit that may have changed it */
  constructor(known: KnownPages, target: Unit, frontier: Pick<Ledger, 'standing'>, look: () => KnownRecall) {
    [this.#known, this.#target, this.#frontier, this.#look] = [known, target, frontier, look];
    this.#check();
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** A URL was settled. */
  settled(url: CanonicalUrl): void {
    if (!this.#isReached && this.#pages.has(url)) this.#check();
  }

  #check(): void {
    this.#pages = new Set(this.#known.urls.flatMap((url) => [url, endOfRedirects(url, this.#frontier).url]));
    const { kept, known } = this.#look();
    const least = leastSuccesses(known, this.#target);
    this.#isReached = least !== null && kept >= least;
  }
}
