/** The interface of an output format of a harvest: one object in one file of `formats/`. `output-formats.ts` lists them. */
import type { OnDamaged } from '../../base/core/errors.ts';
import type { Bytes, EpochMs } from '../../base/core/types.ts';
import type { ChunkUnit } from '../../base/text/text-chunks.ts';
import type { HarvestColumns } from '../select/corpus-columns.ts';
import type { CorpusLinks } from '../select/corpus-links.ts';
import type { CorpusSource } from '../select/corpus-source.ts';
import type { CrawlFacts } from '../select/crawl-facts.ts';
import type { FilterOptions } from '../select/harvest-filter.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import type { Compression } from './format-names.ts';
import type { HarvestFolder } from './harvest-folder.ts';
import type { WarcPass } from './harvest-warc.ts';

/** The options of single formats. */
export interface FormatOptions {
  /** Compression of Parquet files. Default: snappy. */
  readonly compression?: Compression;
  /** Texts of the pages in `corpus.csv`. Default: false. */
  readonly csvText?: boolean;
  /** A byte order mark at the start of `corpus.csv`. Default: false. */
  readonly csvBom?: boolean;
  /** Size at which a new Parquet file starts, after a row group. Default 512 MB. */
  readonly maxParquetBytes?: Bytes;
  /** The texts of pages in the list of pages of a WACZ file. Default: false. */
  readonly waczText?: boolean;
  /** Most words of a chunk. Default 512. */
  readonly chunk?: number;
  /** Default: paragraph. */
  readonly chunkBy?: ChunkUnit;
}

/** The harvest that the pages belong to. */
export interface HarvestContext extends FormatOptions, HarvestColumns, Pick<FilterOptions, 'personal'> {
  readonly folder: HarvestFolder;
  /** Names of all formats of the harvest. */
  readonly formats: readonly string[];
  readonly crawl: CrawlFacts;
  readonly source: CorpusSource;
  readonly onDamaged?: OnDamaged;
  readonly now: EpochMs;
  /** The links of the selected pages; null if no format wants them, or none needs them and the source has no WARC files. */
  readonly links: CorpusLinks | null;
  /** The one pass over the WARC files of the source, for all formats that copy them. */
  readonly warcPass: WarcPass;
}

/** The entry of a format's files on the card, apart from their hashes. */
export interface FormatFacts {
  /** Number of pages without a WARC record, because their stored data are damaged. */
  readonly lost: number;
  /** Files that are too numerous for the card to name each. */
  readonly textFiles: { readonly count: number; readonly bytes: Bytes } | null;
}

/** One format of one harvest. */
export interface FormatWriter {
  /** Called for each selected page, in their order. @throws StoreError */
  write(page: HarvestedPage): Promise<void>;
  /** Called after all pages. @throws DataError about the crawl's files; StoreError */
  finish(): Promise<FormatFacts>;
}

export interface OutputFormat<Name extends string = string> {
  /** Name in `--format`. */
  readonly name: Name;
  /** Output of the format, in one line. */
  readonly help: string;
  /** Does it copy stored records after all pages are selected? Then it is finished after the formats that write page by page. */
  readonly copies: boolean;
  /** Does it need `HarvestContext.links`, or use them if the source has WARC files? Absent: neither. */
  readonly links?: 'needed' | 'used';
  /** @throws StoreError */
  open(harvest: HarvestContext): Promise<FormatWriter>;
}

export const NO_FACTS: FormatFacts = { lost: 0, textFiles: null };
