/** Facts about the recall of a crawl, by pages known to be on topic that it was not given. They come from outside the corpus. */
import type { Unit } from '../../base/core/types.ts';

/** Origin of known pages: `independent` of links, so that their share estimates the recall; `listed` somewhere, which popular pages are, so that it does not. */
export type KnownOrigin = 'independent' | 'listed';

/** Causes for which a known page is not in the corpus. */
export const MISSING_CAUSES = ['undiscovered', 'waiting', 'off-topic', 'refused', 'failed'] as const;
export type MissingCause = (typeof MISSING_CAUSES)[number];

/** A draw of known pages from a list, and its answers. */
export interface DrawFacts {
  /** `sitemap`, or the file that the list is of. */
  readonly from: string;
  /** URLs of the list, without those that the crawl was given. */
  readonly listed: number;
  /** Seed of the draw. */
  readonly seed: number;
  /** Pages drawn, and how they were answered. `unread`: pages without a text to ask about. The rest has no answer yet. */
  readonly drawn: number;
  readonly yes: number;
  readonly no: number;
  readonly skipped: number;
  readonly unread: number;
  readonly at: string;
  /** The persons who answered, where they gave names. */
  readonly names?: readonly string[];
  /** The crawl reads the sitemaps that the pages are of. */
  readonly followed?: true;
}

/** Shares of known pages. */
export interface RecallShares {
  readonly origin: KnownOrigin;
  readonly from: string;
  /** Facts of the draw, if `forager known` drew the pages; null otherwise. */
  readonly drawn: DrawFacts | null;
  /** Known pages that count. */
  readonly known: number;
  readonly kept: number;
  /** Share of the pages that are kept; null without any, and for listed pages. */
  readonly recall: Unit | null;
  /** Share of listed pages that are kept, which is no recall: a crawl finds popular pages first, and keeps no lists. null for pages drawn at random. */
  readonly ofListed: Unit | null;
  /** Interval around the share of the kept pages, at 90 % (Clopper and Pearson). */
  readonly low: Unit;
  readonly high: Unit;
  /** On-topic pages that are not found, by the number of kept pages and the interval; `high` is null if it may be any number. null for listed pages. */
  readonly left: { readonly low: number; readonly high: number | null } | null;
}

/** The recall on a card: known pages are counted, not named. */
export interface RecallFacts extends RecallShares {
  /** Known pages that are not kept, by cause. */
  readonly missing: MissingCounts;
  /** Known pages that no crawl with these rules can keep, which do not count. */
  readonly excluded: number;
}

export type MissingCounts = Readonly<Partial<Record<MissingCause, number>>>;
