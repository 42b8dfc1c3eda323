/** The interface of a filter of a harvest: one object in one file of `filters/`. `harvest-filters.ts` lists them. */
import type { CorpusRecord, Unit, Use } from '../../base/core/types.ts';
import type { PersonalAction } from '../personal/personal-names.ts';
import type { Withdrawals } from '../records/withdrawals.ts';
import type { ReservationCounts } from './harvest-facts.ts';
import type { HarvestedPage } from './harvested-page.ts';
import type { MeasuredColumn } from './measured-column-names.ts';
import type { MeasuredValues } from './measured-facts.ts';
import type { NearIndex } from './near-index.ts';
import type { Obeyable } from './obeyed-names.ts';
import type { VersionChoice } from './page-versions.ts';
import type { QualityRules } from './quality-names.ts';
import type { SamePages } from './same-pages.ts';

/** `near` includes `exact`, and `contained` includes `near`. */
export type Dedupe = 'exact' | 'near' | 'contained' | 'none';
/** Pages with reserved mining rights: omit or include them. */
export type Reserved = 'omit' | 'include';
/** Paragraphs that are found stay, or stay and are marked by a column, or are cut. */
export type ParagraphAction = 'keep' | 'mark' | 'drop';
export type SampleBy = 'none' | 'host' | 'language';
export type SplitBy = 'cluster' | 'host';

/** Two dates, `YYYY[-MM[-DD]]`, inclusive; null for no limit. */
export interface DateSpan {
  readonly from: string | null;
  readonly to: string | null;
}

/** The options of all filters. */
export interface FilterOptions {
  readonly minRelevance: Unit | null;
  /** Primary language subtags; empty for all languages. */
  readonly languages: readonly string[];
  readonly reserved: Reserved;
  /** Protocols by which a page is reserved. Default: those of 0.2. */
  readonly obey?: readonly Obeyable[];
  /** Pages whose owners disallow one of these uses are omitted. Default: none. */
  readonly withoutUse?: readonly Use[];
  readonly dedupe: Dedupe;
  /** Versions of pages. Default: newest. */
  readonly versions?: VersionChoice;
  /** Only pages that state a date in this span. Default: all pages. */
  readonly published?: DateSpan;
  /** Share of shingles from which pages are near-duplicates. Default .8. */
  readonly near?: Unit;
  /** Rules that omit pages. Default: none. */
  readonly quality?: readonly QualityRules[];
  /** Write the measures of all quality rules as a column. Default: false. */
  readonly qualityColumns?: boolean;
  /** Columns that other commands measured. Default: none. */
  readonly columns?: readonly MeasuredColumn[];
  /** Paragraphs in another language than their page. Default: keep. */
  readonly langParagraphs?: ParagraphAction;
  /** Paragraphs that several pages have. Default: keep. */
  readonly repeated?: ParagraphAction;
  /** Personal data. Default: keep. */
  readonly personal?: PersonalAction;
  /** Most pages of a host. Default: all. */
  readonly perHost?: number;
  /** Number of pages to draw at random. Default: all. */
  readonly sample?: number;
  /** Default: none. */
  readonly sampleBy?: SampleBy;
  /** Parts of a split in percent: two for train and test, three for train, validation and test. Default: no split. */
  readonly split?: readonly number[];
  /** Pages that stay together. Default: cluster. */
  readonly splitBy?: SplitBy;
  /** Seed of samples and splits. Default 1. */
  readonly rngSeed?: number;
}

/** The options alone, for the card. */
export function filterOptionsOf(options: FilterOptions): FilterOptions {
  const { minRelevance, languages, reserved, dedupe, near, quality, qualityColumns, columns, langParagraphs, repeated } = options;
  const { perHost, sample, sampleBy, split, splitBy, rngSeed, published, obey, withoutUse, personal, versions } = options;
  const given = {
    obey,
    withoutUse,
    versions,
    published,
    near,
    quality,
    qualityColumns,
    columns,
    langParagraphs,
    repeated,
    personal,
    perHost,
    sample,
    sampleBy,
    split,
    splitBy,
    rngSeed,
  };
  return { minRelevance, languages, reserved, dedupe, ...withoutUndefined(given) };
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

export interface FilterContext extends FilterOptions {
  /** The numbers of those columns. */
  readonly measured?: MeasuredValues;
  /** Pages that were taken back. Absent if there are none. */
  readonly withdrawals?: Withdrawals;
  /** Receives each page. */
  readonly reservations: ReservationCounts;
  /** A folder for temporary files, on the disk of the corpus. Created by those who use it. */
  readonly scratchDir: string;
  /** Called often during long work. It throws when the harvest is to end. */
  readonly onWork: () => void;
  /** Near-duplicates. The filter of them adds the pages. */
  readonly index: NearIndex;
  /** Records of one page. */
  readonly pages: SamePages;
}

/** A page that a filter may leave out. */
export interface Candidate {
  /** Number of the record among those that are read, from 0. */
  readonly ordinal: number;
  readonly record: CorpusRecord;
  /** Language of the page, as in `HarvestedPage`. */
  readonly lang: string;
}

/** The facts behind a decision, for `left-out.jsonl`: JSON, beside the id, URL and reason of the page. */
export type OmissionGrounds = Readonly<Record<string, unknown>>;

/** One filter in one harvest. */
export interface FilterRun {
  /** Called for each page that earlier filters did not omit by `see`, in their order. @returns why it is omitted, or null */
  see?(page: Candidate): OmissionGrounds | null;
  /**
   * Called once, after all pages and after the earlier filters have settled, for decisions that depend on other pages.
   * @param isIn is the page still in?
   * @returns the pages that are omitted, by ordinal
   */
  settle?(isIn: (ordinal: number) => boolean): ReadonlyMap<number, OmissionGrounds> | Promise<ReadonlyMap<number, OmissionGrounds>>;
  /** The columns that `present` adds. Absent for none. */
  readonly adds?: readonly (keyof HarvestedPage)[];
  /** Called for each page that is written, in their order: adds the columns of this filter. */
  present?(page: HarvestedPage, ordinal: number): HarvestedPage;
  /** Called after all pages are settled: facts for the card that are known only then, one line each. */
  notes?(): readonly string[];
  /** Called at the end, also after an error. */
  close?(): void;
}

export interface HarvestColumn<Name extends string = string> {
  readonly name: Name;
  /** Describes for the card how the options apply, in one line; null if they ask nothing of it. Absent if the card always describes it. */
  describe?(options: FilterOptions): string | null;
  /** @returns null if it has nothing to do in this harvest */
  begin(harvest: FilterContext): FilterRun | null | Promise<FilterRun>;
}

/** Filter that omits pages. Its name is the reason in `left-out.jsonl` and on the card. */
export interface HarvestFilter<Name extends string = string> extends HarvestColumn<Name> {
  /** Pages that the filter omits, in a few words, for the card. */
  readonly leaves: string;
}
