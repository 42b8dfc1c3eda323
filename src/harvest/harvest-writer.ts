import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DamageError, messageOf, type OnDamaged, UsageError } from '../core/errors.ts';
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, EpochMs, RecordId, Unit } from '../core/types.ts';
import { RECORDS_FILE, readRecords } from '../corpus/records.ts';
import { RESERVATIONS_FILE, ReservationFiles } from '../corpus/reservation-files.ts';
import { CARD_FILE } from './card-markdown.ts';
import { type CorpusCard, type CrawlFacts, corpusCard, type DamagedCounts, type RecordTallies } from './corpus-card.ts';
import { DEFAULT_CHUNK_WORDS } from './formats/chunks.ts';
import { HarvestCounts, ReservationCounts } from './harvest-facts.ts';
import { type FilterOptions, filterOptionsOf } from './harvest-filter.ts';
import { HarvestFolder } from './harvest-folder.ts';
import { type DetectLanguage, type Selection, selectRecords } from './harvest-selection.ts';
import { tallyAtThresholds } from './harvest-thresholds.ts';
import type { HarvestedPage } from './harvested-page.ts';
import { LeftOutFile } from './left-out-file.ts';
import { type FormatFacts, type FormatOptions, type FormatWriter, type HarvestContext, NO_FACTS } from './output-format.ts';
import { FORMAT_NAMES, type HarvestFormat, OUTPUT_FORMATS } from './output-formats.ts';

export interface HarvestProgress {
  readonly stage: 'select' | 'write' | 'warc';
  readonly done: number;
  /** null while it is unknown. */
  readonly total: number | null;
}

export interface HarvestOptions extends FilterOptions, FormatOptions {
  readonly corpusDir: string;
  readonly outDir: string;
  /** At least one. */
  readonly formats: readonly HarvestFormat[];
  /** Replace an earlier harvest at `outDir`. */
  readonly force: boolean;
  /** The frontier's committed offsets, so that the incomplete end of a crawl that died is not read; null for all bytes. */
  readonly committed: CorpusOffsets | null;
  /** For pages that declare no language; null without a detector. */
  readonly detectLanguage: DetectLanguage | null;
  readonly crawl: CrawlFacts;
  /** Records that must exist, with the URLs of their pages: those of the frontier. If absent, no record is missed. */
  readonly expected?: ReadonlyMap<RecordId, CanonicalUrl>;
  /** Receives damaged or missing records, which are omitted and counted on the card. Without it they are errors. */
  readonly onDamaged?: OnDamaged;
  /** Is it the newest version of its page? If absent, all are. */
  readonly isNewest?: (record: CorpusRecord) => boolean;
  /** Each record as it is selected and written, e.g. with the relevance by a later model. If absent, records stay as they are. */
  readonly present?: (record: CorpusRecord) => CorpusRecord;
  readonly now: EpochMs;
  readonly progress?: (progress: HarvestProgress) => void;
  /** Ends the harvest with the reason of the signal, and removes its files. */
  readonly signal?: AbortSignal;
  /** Size at which a new WARC file starts. Default 1 GB. */
  readonly maxWarcBytes?: Bytes;
}

export interface HarvestReport {
  readonly outDir: string;
  readonly card: CorpusCard;
  /** Number of pages omitted because of their language, by its code; `und` if it is unknown. */
  readonly otherLanguages: ReadonlyMap<string, number>;
}

const MAX_WARC_BYTES: Bytes = 1_000_000_000;
const CARD_MARKDOWN = 'corpus-card.md';

/**
 * Makes a corpus from the folder of a crawl: the selected pages as JSONL, WARC or text files, with a corpus card. Everything is written next to
 * `outDir` and moved there at the end. Reads the records twice and the WARC files once; no page is held in memory after it is written.
 * @throws UsageError about `outDir` or the options; DataError about the crawl's files; StoreError
 */
export async function harvestCorpus(options: HarvestOptions): Promise<HarvestReport> {
  refuseBadOptions(options);
  const end = await recordsEnd(options);
  const folder = await HarvestFolder.create(options.outDir, options.corpusDir, options.force);
  try {
    const filled = await fill(folder, options, end);
    await folder.publish();
    return { outDir: resolve(options.outDir), ...filled };
  } catch (error) {
    await folder.discard();
    throw error;
  }
}

/** The records of a harvest, for a look at it before. */
export type HarvestSource = Pick<HarvestOptions, 'corpusDir' | 'committed' | 'isNewest' | 'present' | 'onDamaged'>;

/** The numbers of harvests with the defaults and each threshold; writes nothing. One pass over the records. @param thresholds in ascending order */
export async function previewCorpus(
  source: HarvestSource,
  thresholds: readonly Unit[],
  onRecord: (done: number) => void,
): Promise<RecordTallies[]> {
  const files = await ReservationFiles.read(source.corpusDir, await reservationsEnd(source));
  const records = recordsOf(source, await recordsEnd(source), files, source.onDamaged);
  return tallyAtThresholds(records, thresholds, new ReservationCounts(files), onRecord);
}

function refuseBadOptions(options: HarvestOptions): void {
  const { formats, minRelevance } = options;
  if (formats.length === 0) throw new UsageError(`harvest: no format asked for; name at least one of ${FORMAT_NAMES.join(', ')}`);
  if (minRelevance !== null && !(minRelevance >= 0 && minRelevance <= 1)) {
    throw new UsageError(`harvest: minimum relevance ${minRelevance} is not between 0 and 1`);
  }
  if (!formats.includes('chunks') && (options.chunk !== undefined || options.chunkBy !== undefined))
    throw new UsageError('harvest: --chunk and --chunk-by need the format chunks; add it, as in --format jsonl,chunks');
  if (options.sampleBy !== undefined && options.sample === undefined)
    throw new UsageError('harvest: --sample-by needs a number of pages; give --sample too');
  if (options.splitBy !== undefined && options.split === undefined)
    throw new UsageError('harvest: --split-by needs the parts; give --split too, e.g. --split 90/5/5');
  if (options.near !== undefined && options.dedupe !== 'near' && options.dedupe !== 'contained' && options.split === undefined)
    throw new UsageError('harvest: --near needs --dedupe near, --dedupe contained or --split; give one of them too');
}

/** Fixed before the first pass, so that both passes read the same lines even if the crawl continues. */
async function recordsEnd({ corpusDir, committed }: HarvestSource): Promise<Bytes> {
  if (committed !== null) return committed[RECORDS_FILE] ?? 0;
  const path = join(corpusDir, RECORDS_FILE);
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); is this the folder of a crawl's corpus?`, { cause: error });
  }
}

async function fill(folder: HarvestFolder, options: HarvestOptions, end: Bytes): Promise<Omit<HarvestReport, 'outDir'>> {
  const step = (stage: HarvestProgress['stage'], total: number | null) => (done: number) => {
    options.signal?.throwIfAborted();
    options.progress?.({ stage, done, total });
  };
  const files = await ReservationFiles.read(options.corpusDir, await reservationsEnd(options));
  const reservations = new ReservationCounts(files);
  const found = new FoundRecords(options);
  const selection = await selectRecords(
    found.noted(recordsOf(options, end, files, found.onDamaged)),
    { ...options, reservations, scratchDir: folder.scratchDir, onWork: () => options.signal?.throwIfAborted() },
    options.detectLanguage,
    step('select', null),
  );
  try {
    const damaged = { records: found.lost(), warc: 0 };
    const { kept } = selection.tallies;
    const { maxWarcBytes = MAX_WARC_BYTES } = options;
    const harvest = { ...options, folder, maxWarcBytes, onCopied: step('warc', kept) };
    const output = await PageOutput.open(harvest, options.formats);
    await output.writeAll(recordsOf(options, end, files, options.onDamaged && (() => undefined)), selection, step('write', kept));
    const facts = await output.finish();
    damaged.warc = facts.lost;
    const card = await writeCard(folder, options, selection, output.counts, facts, reservations, damaged);
    return { card, otherLanguages: selection.otherLanguages };
  } finally {
    selection.close();
  }
}

/** @returns 0 for a corpus of a crawl that asked no host */
async function reservationsEnd({ corpusDir, committed }: HarvestSource): Promise<Bytes> {
  if (committed !== null) return committed[RESERVATIONS_FILE] ?? 0;
  return stat(join(corpusDir, RESERVATIONS_FILE)).then(
    ({ size }) => size,
    () => 0,
  );
}

async function* recordsOf(
  { corpusDir, present, isNewest = () => true }: HarvestSource,
  end: Bytes,
  files: ReservationFiles,
  onDamaged: OnDamaged | undefined,
): AsyncGenerator<CorpusRecord> {
  for await (const record of readRecords(corpusDir, end, onDamaged))
    if (isNewest(record)) yield files.present(present ? present(record) : record);
}

/** The expected records that a first pass found. */
class FoundRecords {
  readonly #options: HarvestOptions;
  readonly #found = new Set<string>();
  #damaged = 0;
  readonly onDamaged: OnDamaged | undefined;

  constructor(options: HarvestOptions) {
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
    const { expected, corpusDir, onDamaged } = this.#options;
    if (expected === undefined) return this.#damaged;
    const missing = [...expected].flatMap(([id, url]) => (this.#found.has(id) ? [] : [url]));
    const [first] = missing;
    if (first === undefined) return 0;
    const more = missing.length > 1 ? `, and those of ${missing.length - 1} more pages` : '';
    if (!onDamaged)
      throw new DamageError(
        `${join(corpusDir, RECORDS_FILE)}: the record of ${first} is missing${more}; restore the file from a copy, or leave them out with --skip-damaged`,
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
      facts = { lost: facts.lost + lost, textFiles: facts.textFiles ?? textFiles };
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

function chunksText({ chunk = DEFAULT_CHUNK_WORDS, chunkBy = 'paragraph' }: FormatOptions): string {
  return `chunks: at most ${chunk} words, cut ${chunkBy === 'words' ? 'between words' : `between ${chunkBy}s where they fit`}`;
}

async function writeCard(
  folder: HarvestFolder,
  options: HarvestOptions,
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
      filters: filterOptionsOf(options),
      notes: [...selection.notes, ...(options.formats.includes('chunks') ? [chunksText(options)] : [])],
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
