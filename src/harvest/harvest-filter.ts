/** The interface of a filter of a harvest: one object in one file of `filters/`. `harvest-filters.ts` lists them. */
import type { CorpusRecord, Unit } from '../core/types.ts';
import type { Dedupe, Reserved } from './corpus-card.ts';
import type { ReservationCounts } from './harvest-facts.ts';
import type { HarvestedPage } from './harvested-page.ts';

/** The options of all filters. */
export interface FilterOptions {
  readonly minRelevance: Unit | null;
  /** Primary language subtags; empty for all languages. */
  readonly languages: readonly string[];
  readonly reserved: Reserved;
  readonly dedupe: Dedupe;
}

export interface FilterContext extends FilterOptions {
  /** Receives each page. */
  readonly reservations: ReservationCounts;
}

/** A page that a filter may leave out. */
export interface Candidate {
  /** Its place among the records that are read, from 0. */
  readonly ordinal: number;
  readonly record: CorpusRecord;
  /** As in `HarvestedPage`. */
  readonly lang: string;
}

/** The facts behind a decision, for `left-out.jsonl`: JSON, beside the id, URL and reason of the page. */
export type Grounds = Readonly<Record<string, unknown>>;

/** One filter in one harvest. */
export interface FilterRun {
  /** Called for each page that earlier filters did not omit by `see`, in their order. @returns why it is omitted, or null */
  see?(page: Candidate): Grounds | null;
  /**
   * Called once, after all pages and after the earlier filters have settled, for decisions that depend on other pages.
   * @param isIn is the page still in?
   * @returns the pages that are omitted, by ordinal
   */
  settle?(isIn: (ordinal: number) => boolean): ReadonlyMap<number, Grounds>;
  /** The columns that `present` adds. Absent for none. */
  readonly adds?: readonly (keyof HarvestedPage)[];
  /** Called for each page that is written, in their order: adds the columns of this filter. */
  present?(page: HarvestedPage, ordinal: number): HarvestedPage;
}

export interface HarvestFilter<Name extends string = string> {
  /** The reason in `left-out.jsonl` and on the card. */
  readonly name: Name;
  /** For the card: the pages that it leaves out, in a few words. */
  readonly leaves: string;
  /** @returns null if it has nothing to do in this harvest */
  begin(harvest: FilterContext): FilterRun | null;
}
