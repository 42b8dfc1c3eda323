/** What an output format of a harvest is: one object in one file of `formats/`. `output-formats.ts` has the list of them. */
import type { OnDamaged } from '../core/errors.ts';
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, EpochMs, RecordId } from '../core/types.ts';
import type { CorpusCard, CrawlFacts } from './corpus-card.ts';
import type { HarvestFolder } from './harvest-folder.ts';

/** The harvest that pages are written for. */
export interface HarvestContext {
  readonly folder: HarvestFolder;
  readonly crawl: CrawlFacts;
  readonly corpusDir: string;
  readonly committed: CorpusOffsets | null;
  /** URLs of the records that must be there. */
  readonly expected?: ReadonlyMap<RecordId, CanonicalUrl>;
  readonly onDamaged?: OnDamaged;
  readonly now: EpochMs;
  /** Size at which WARC files roll. */
  readonly maxWarcBytes: Bytes;
  /** Told how many pages were copied, by a format that copies them when all are chosen. */
  readonly onCopied: (done: number) => void;
}

/** What a card has of a format's files besides their hashes. */
export interface FormatFacts {
  /** Pages that it has not, since what is stored of them is damaged. */
  readonly lost: number;
  /** Files that are too many for the card to name each. */
  readonly textFiles: CorpusCard['textFiles'];
}

/** One format of one harvest. */
export interface FormatWriter {
  /** Called for each chosen page, in their order. @param language its code; `und` where it is not known. @throws StoreError */
  write(record: CorpusRecord, language: string): Promise<void>;
  /** All pages were given. @throws DataError about the crawl's files; StoreError */
  finish(): Promise<FormatFacts>;
}

export interface OutputFormat<Name extends string = string> {
  /** As `--format` has it. */
  readonly name: Name;
  /** What it writes, in one line. */
  readonly help: string;
  /** Does it copy what the crawl stored, when all pages are chosen? It is finished after those that write page by page. */
  readonly copies: boolean;
  /** @throws StoreError */
  open(harvest: HarvestContext): Promise<FormatWriter>;
}

export const NO_FACTS: FormatFacts = { lost: 0, textFiles: null };
