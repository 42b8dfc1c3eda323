import { join, resolve } from 'node:path';
import { DamageError, type OnDamaged, UsageError } from '../core/errors.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, EpochMs, RecordId, Unit } from '../core/types.ts';
import { RECORDS_FILE } from '../corpus/records.ts';
import { CARD_FILE } from './card-markdown.ts';
import { type CorpusCard, type CrawlFacts, corpusCard, type DamagedCounts, type RecordTallies } from './corpus-card.ts';
import type { CorpusSource } from './corpus-source.ts';
import { CrawlSource, type CrawlSourceOptions } from './crawl-source.ts';
import { HarvestCounts, ReservationCounts } from './harvest-facts.ts';
import type { FilterOptions } from './harvest-filter.ts';
import { HarvestFolder } from './harvest-folder.ts';
import { type DetectLanguage, type Selection, selectRecords } from './harvest-selection.ts';
import { tallyAtThresholds } from './harvest-thresholds.ts';
import { WarcPass } from './harvest-warc.ts';
import type { HarvestedPage } from './harvested-page.ts';
import { LeftOutFile } from './left-out-file.ts';
import { type FormatFacts, type FormatWriter, type HarvestContext, NO_FACTS } from './output-format.ts';
import { FORMAT_NAMES, type HarvestFormat, OUTPUT_FORMATS } from './output-formats.ts';

export interface HarvestProgress {
  readonly stage: 'select' | 'write' | 'warc';
  readonly done: number;
  /** null while it is unknown. */
  readonly total: number | null;
}

/** A corpus to write, and its place. */
export interface WritingOptions extends FilterOptions {
  readonly outDir: string;
  /** At least one. */
  readonly formats: readonly HarvestFormat[];
  /** Replace an earlier harvest at `outDir`. */
  readonly force: boolean;
  /** For pages that declare no language; null without a detector. */
  readonly detectLanguage: DetectLanguage | null;
  readonly crawl: CrawlFacts;
  /** Records that must exist, with the URLs of their pages: those of the frontier. If absent, no record is missed. */
  readonly expected?: ReadonlyMap<RecordId, CanonicalUrl>;
  /** Receives damaged or missing records, which are omitted and counted on the card. Without it they are errors. */
  readonly onDamaged?: OnDamaged;
  readonly now: EpochMs;
  readonly progress?: (progress: HarvestProgress) => void;
  /** Ends the harvest with the reason of the signal, and removes its files. */
  readonly signal?: AbortSignal;
  /** Adds the texts of pages to the list of pages of a WACZ file. Default false. */
  readonly waczText?: boolean;
  /** Size at which a new WARC file starts. Default 1 GB. */
  readonly maxWarcBytes?: Bytes;
}

export interface HarvestOptions extends WritingOptions, CrawlSourceOptions {}

export interface HarvestReport {
  readonly outDir: string;
  readonly card: CorpusCard;
  /** Number of pages omitted because of their language, by its code; `und` if it is unknown. */
  readonly otherLanguages: ReadonlyMap<string, number>;
}

const MAX_WARC_BYTES: Bytes = 1_000_000_000;
const CARD_MARKDOWN = 'corpus-card.md';

/** Makes a corpus from the folder of a crawl: see `writeCorpus`. @throws as `writeCorpus` */
export async function harvestCorpus(options: HarvestOptions): Promise<HarvestReport> {
  refuseBadOptions(options);
  return writeCorpus(await CrawlSource.open(options), options);
}

/**
 * Makes a corpus of the selected pages of a source, in one or more formats, with a corpus card. Everything is written next to `outDir` and moved there
 * at the end. Reads the records twice and the WARC files once; no page is held in memory after it is written.
 * @throws UsageError about `outDir` or the options; DataError about the files of the source; StoreError
 */
export async function writeCorpus(source: CorpusSource, options: WritingOptions): Promise<HarvestReport> {
  refuseBadOptions(options);
  const folder = await HarvestFolder.create(options.outDir, source.dirs, options.force);
  try {
    const filled = await fill(folder, source, options);
    await folder.publish();
    return { outDir: resolve(options.outDir), ...filled };
  } catch (error) {
    await folder.discard();
    throw error;
  }
}

/** The records of a crawl, for a look at them before a harvest. */
export type HarvestSource = CrawlSourceOptions & Pick<WritingOptions, 'onDamaged'>;

/** The numbers of harvests with the defaults and each threshold; writes nothing. One pass over the records. @param thresholds in ascending order */
export async function previewCorpus(
  options: HarvestSource,
  thresholds: readonly Unit[],
  onRecord: (done: number) => void,
): Promise<RecordTallies[]> {
  const source = await CrawlSource.open(options);
  return tallyAtThresholds(source.records(options.onDamaged), thresholds, new ReservationCounts(source.reservations), onRecord);
}

function refuseBadOptions({ formats, minRelevance, waczText }: WritingOptions): void {
  if (waczText && !formats.includes('wacz')) throw new UsageError('harvest: --wacz-text is for the format wacz; add wacz to --format');
  if (formats.length === 0) throw new UsageError(`harvest: no format asked for; name at least one of ${FORMAT_NAMES.join(', ')}`);
  if (minRelevance !== null && !(minRelevance >= 0 && minRelevance <= 1)) {
    throw new UsageError(`harvest: minimum relevance ${minRelevance} is not between 0 and 1`);
  }
}

async function fill(folder: HarvestFolder, source: CorpusSource, options: WritingOptions): Promise<Omit<HarvestReport, 'outDir'>> {
  const step = (stage: HarvestProgress['stage'], total: number | null) => (done: number) => {
    options.signal?.throwIfAborted();
    options.progress?.({ stage, done, total });
  };
  const reservations = new ReservationCounts(source.reservations);
  const found = new FoundRecords(source.dir, options);
  const selection = await selectRecords(
    found.noted(source.records(found.onDamaged)),
    { ...options, reservations },
    options.detectLanguage,
    step('select', null),
  );
  const damaged = { records: found.lost(), warc: 0 };
  const { kept } = selection.tallies;
  const harvest = { ...options, source, folder, warcPass: warcPassOf(folder, source, options, step('warc', kept)) };
  const output = await PageOutput.open(harvest, options.formats);
  await output.writeAll(source.records(options.onDamaged && (() => undefined)), selection, step('write', kept));
  const facts = await output.finish();
  damaged.warc = facts.lost;
  const card = await writeCard(folder, options, selection, output.counts, facts, reservations, damaged);
  return { card, otherLanguages: selection.otherLanguages };
}

function warcPassOf(folder: HarvestFolder, source: CorpusSource, options: WritingOptions, onPage: (done: number) => void): WarcPass {
  const { crawl, expected, now, maxWarcBytes = MAX_WARC_BYTES, onDamaged } = options;
  const description = `Harvest of the crawl “${crawl.topicName}”: chosen pages, copied with their requests, metadata and revisits`;
  const info = { software: crawl.software, robots: crawl.robots, description, userAgent: crawl.userAgent };
  const scratch = (name: string) => folder.scratch(name);
  return new WarcPass({ source, ...(expected && { urls: expected }), info, at: now, maxWarcBytes, scratch, onPage, onDamaged });
}

/** The expected records that a first pass found. */
class FoundRecords {
  readonly #dir: string;
  readonly #options: WritingOptions;
  readonly #found = new Set<string>();
  #damaged = 0;
  readonly onDamaged: OnDamaged | undefined;

  constructor(dir: string, options: WritingOptions) {
    this.#dir = dir;
    this.#options = options;
    const { onDamaged } = options;
    this.onDamaged =
      onDamaged &&
      ((message) => {
        this.#damaged += 1;
        onDamaged(message);
      });
  }

  async *noted(records: AsyncIterable<CorpusRecord>): AsyncGenerator<CorpusRecord> {
    for await (const record of records) {
      this.#found.add(record.id);
      yield record;
    }
  }

  /** Number of records that are not available. @throws DataError if there are some and no `onDamaged` */
  lost(): number {
    const { expected, onDamaged } = this.#options;
    if (expected === undefined) return this.#damaged;
    const missing = [...expected].flatMap(([id, url]) => (this.#found.has(id) ? [] : [url]));
    const [first] = missing;
    if (first === undefined) return 0;
    const more = missing.length > 1 ? `, and those of ${missing.length - 1} more pages` : '';
    if (!onDamaged)
      throw new DamageError(
        `${join(this.#dir, RECORDS_FILE)}: the record of ${first} is missing${more}; restore the file from a copy, or leave them out with --skip-damaged`,
      );
    for (const url of missing) onDamaged(`${url}: its record is damaged or missing`);
    return missing.length;
  }
}

/** Passes selected pages to each format. */
class PageOutput {
  readonly counts = new HarvestCounts();
  readonly #writers: readonly FormatWriter[];
  readonly #leftOut: LeftOutFile;
  #written = 0;

  private constructor(writers: readonly FormatWriter[], leftOut: LeftOutFile) {
    this.#writers = writers;
    this.#leftOut = leftOut;
  }

  static async open(harvest: HarvestContext, formats: readonly HarvestFormat[]): Promise<PageOutput> {
    const writers: FormatWriter[] = [];
    const inOrder = OUTPUT_FORMATS.toSorted((a, b) => Number(a.copies) - Number(b.copies));
    for (const format of inOrder) if (formats.includes(format.name)) writers.push(await format.open(harvest));
    return new PageOutput(writers, await LeftOutFile.open(harvest.folder));
  }

  async writeAll(records: AsyncIterable<CorpusRecord>, selection: Selection, onPage: (done: number) => void): Promise<void> {
    let ordinal = 0;
    for await (const record of records) {
      const leftOut = selection.leftOut(ordinal);
      if (leftOut === null) await this.#write(selection.present(ordinal, record), onPage);
      else await this.#leftOut.write(record, leftOut);
      ordinal++;
    }
  }

  async finish(): Promise<FormatFacts> {
    let facts = NO_FACTS;
    for (const writer of this.#writers) {
      const { lost, textFiles } = await writer.finish();
      // Formats with WARC records lack the same pages.
      facts = { lost: Math.max(facts.lost, lost), textFiles: facts.textFiles ?? textFiles };
    }
    await this.#leftOut.finish();
    return facts;
  }

  async #write(page: HarvestedPage, onPage: (done: number) => void): Promise<void> {
    this.counts.add(page);
    for (const writer of this.#writers) await writer.write(page);
    onPage(++this.#written);
  }
}

async function writeCard(
  folder: HarvestFolder,
  options: WritingOptions,
  selection: Selection,
  counts: HarvestCounts,
  facts: FormatFacts,
  reservations: ReservationCounts,
  damaged: DamagedCounts,
): Promise<CorpusCard> {
  const { json, markdown } = corpusCard({
    crawl: options.crawl,
    harvest: {
      at: options.now,
      formats: options.formats,
      filters: { minRelevance: options.minRelevance, languages: options.languages, reserved: options.reserved, dedupe: options.dedupe },
      records: selection.tallies,
      damaged,
      ...counts.facts(),
      reservations: reservations.facts(),
      files: folder.files,
      textFiles: facts.textFiles,
    },
  });
  await folder.write(CARD_MARKDOWN, Buffer.from(markdown));
  await folder.write(CARD_FILE, Buffer.from(`${JSON.stringify(json, null, 2)}\n`));
  return json;
}
