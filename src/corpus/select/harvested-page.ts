import type { CorpusRecord, IsoTime, Unit } from '../../base/core/types.ts';
import type { SegmentRange } from '../../base/text/segments.ts';
import type { PersonalCounts, PersonalRange } from '../personal/personal-names.ts';
import type { PageQuality } from './quality-rules.ts';

/** A page as a harvest writes it, in all formats: its record, and the columns that filters add. */
export interface HarvestedPage extends CorpusRecord {
  /** Code of the language (ISO 639, e.g. `en`) as declared, else as detected; `und` for neither. */
  readonly lang: string;
  /** The declared tag in canonical case (BCP 47), e.g. `en-US`, `zh-Hant-TW`. Absent if it says no more than `lang`. */
  readonly langTag?: string;
  /** PageRank in the graph of the links between the pages of the corpus; all sum to 1. Absent if the harvest read no links. */
  readonly pageRank?: Unit;
  /** Name of the corpus from which the page of a merged corpus comes. Absent otherwise. */
  readonly corpus?: string;
  /** Number of near-duplicates that this page represents, itself included. Absent without `--dedupe near`. */
  readonly copies?: number;
  /** Paragraphs that other pages have too, as ranges of `text`. Absent if they are not marked. */
  readonly repeated?: readonly TextRange[];
  /** Paragraphs in another language, as ranges of `text`, each with its language. Absent if they are not marked. */
  readonly foreign?: readonly ForeignRange[];
  /** Personal data by kind, in all texts of the page. Absent if it is not searched for, or its pages are omitted. */
  readonly personal?: PersonalCounts;
  /** Personal data in `text`, or the masks in its place. Absent as `personal`. */
  readonly personalRanges?: readonly PersonalRange[];
  /** Measures of the text as the crawl kept it. Absent without `--quality-columns`. */
  readonly quality?: PageQuality;
  /** Number of pages that this one represents in a sample: the inverse of its probability to be drawn. Absent without a sample. */
  readonly weight?: number;
  /** Weight that evens out the bias against a frame. Absent without `--columns`, and for a page that was kept after the measurement. */
  readonly frameWeight?: number;
  /** Number of runs of `forager stability` that keep the page. Absent as `frameWeight`. */
  readonly keptInRuns?: number;
  /** Absent without a split. */
  readonly split?: SplitPart;
  /** Number of the version of the page, from 1. Absent unless the corpus has all versions. */
  readonly version?: number;
  /** Time since which the URL gives no page: it is gone (404, 410) or redirects. Only on the newest version; absent for other pages. */
  readonly gone?: IsoTime;
}

const ADDED: Readonly<Record<Exclude<keyof HarvestedPage, keyof CorpusRecord | 'corpus' | 'langTag'>, true>> = {
  pageRank: true,
  copies: true,
  repeated: true,
  foreign: true,
  personal: true,
  personalRanges: true,
  quality: true,
  weight: true,
  frameWeight: true,
  keptInRuns: true,
  split: true,
  version: true,
  gone: true,
};

/** A page of a harvest without the columns that hold for that harvest only: in another corpus, its split, weight and rank would be wrong. */
export function withoutColumns(page: CorpusRecord): CorpusRecord {
  return Object.fromEntries(Object.entries(page).filter(([name]) => !Object.hasOwn(ADDED, name))) as unknown as CorpusRecord;
}

/** Start and end, as offsets of UTF-16 code units in the text of a page; without the line feed. */
export type TextRange = SegmentRange;
export type ForeignRange = readonly [start: number, end: number, lang: string];
export type SplitPart = 'train' | 'validation' | 'test';
