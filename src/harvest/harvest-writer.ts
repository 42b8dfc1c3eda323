import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DamageError, type OnDamaged, UsageError } from '../core/errors.ts';
import { type Fingerprint, fingerprint } from '../core/fingerprint.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, EpochMs, RecordId, Unit } from '../core/types.ts';
import { RECORDS_FILE } from '../corpus/records.ts';
import { codecOf } from './compression.ts';
import {
  type CorpusCard,
  type CorpusFileFacts,
  type CorpusPart,
  type CrawlFacts,
  corpusCard,
  type HarvestFacts,
  type RecordTallies,
} from './corpus-card.ts';
import type { HarvestColumns } from './corpus-columns.ts';
import type { CorpusLinks } from './corpus-links.ts';
import type { CorpusSource } from './corpus-source.ts';
import { CorpusVersion } from './corpus-version.ts';
import { CrawlSource, type CrawlSourceOptions } from './crawl-source.ts';
import { csvCells } from './csv-cells.ts';
import { DESCRIPTIONS } from './descriptions.ts';
import { DEFAULT_CHUNK_WORDS } from './formats/chunks.ts';
import { LINKS_FILE } from './formats/link-rows.ts';
import { HarvestCounts, ReservationCounts } from './harvest-facts.ts';
import { type FilterOptions, filterOptionsOf } from './harvest-filter.ts';
import type { HarvestFolder } from './harvest-folder.ts';
import { type DetectLanguage, type Selection, selectRecords } from './harvest-selection.ts';
import type { SinkOptions } from './harvest-sink.ts';
import { sinkOf } from './harvest-sinks.ts';
import { tallyAtThresholds } from './harvest-thresholds.ts';
import { WarcPass } from './harvest-warc.ts';
import type { HarvestedPage } from './harvested-page.ts';
import { HashTable } from './hash-table.ts';
import { HeldStrings } from './held-strings.ts';
import { LeftOutFile } from './left-out-file.ts';
import {
  type FormatFacts,
  type FormatOptions,
  type FormatWriter,
  type HarvestContext,
  NO_FACTS,
  type OutputFormat,
} from './output-format.ts';
import { FORMAT_NAMES, type HarvestFormat, OUTPUT_FORMATS } from './output-formats.ts';
import { type PublicationOptions, publicationOf } from './publication.ts';
import { RecordSums } from './record-sums.ts';

export interface HarvestProgress {
  readonly stage: 'compare' | 'select' | 'links' | 'write' | 'warc' | 'upload';
  /** Records or pages; bytes of `upload`. */
  readonly done: number;
  /** null while it is unknown. */
  readonly total: number | null;
}

/** A corpus to write, and its place. */
export interface WritingOptions extends FilterOptions, FormatOptions, PublicationOptions, SinkOptions {
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly outDir: string;
  /** At least one. */
  readonly formats: readonly HarvestFormat[];
  /** Replace an earlier harvest at `outDir`. */
  readonly force: boolean;
  /** For pages that declare no language; null without a detector. */
  readonly detectLanguage: DetectLanguage | null;
  readonly crawl: CrawlFacts;
  /** The corpora that the source merges. If absent, it is one. */
  readonly corpora?: readonly CorpusPart[];
  /** Records that must exist, with the URLs of their pages: those of the frontier. If absent, no record is missed. */
  readonly expected?: ReadonlyMap<RecordId, CanonicalUrl>;
  /** Receives damaged or missing records, which are omitted and counted on the card. Without it they are errors. */
  readonly onDamaged?: OnDamaged;
  readonly now: EpochMs;
  readonly progress?: (progress: HarvestProgress) => void;
  /** Ends the harvest with the reason of the signal, and removes its files. */
  readonly signal?: AbortSignal;
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

/** Makes a corpus from the folder of a crawl: see `writeCorpus`. @throws as `writeCorpus` */
export async function harvestCorpus(options: HarvestOptions): Promise<HarvestReport> {
  refuseBadOptions(options);
  return writeCorpus(await CrawlSource.open(options), options);
}

/**
 * Makes a corpus of the selected pages of a source, in one or more formats, with a corpus card. Everything is written next to `outDir` and moved there
 * at the end, or written to a temporary folder and sent to an object store. Reads the records twice and the WARC files once; no page is held in memory after it is written.
 * @throws UsageError about `outDir` or the options; DataError about the files of the source; StoreError
 */
export async function writeCorpus(source: CorpusSource, options: WritingOptions): Promise<HarvestReport> {
  refuseBadOptions(options);
  const { s3Credentials, ...written } = options;
  const { outDir, force, s3Endpoint, s3Region, s3PartBytes, signal, progress } = options;
  const sink = await sinkOf(outDir).open({
    ...{ out: outDir, sources: source.dirs, force, now: options.now, fingerprint: fingerprintOf(options), signal },
    ...(s3Endpoint !== undefined && { s3Endpoint }),
    ...(s3Region !== undefined && { s3Region }),
    ...(s3PartBytes !== undefined && { s3PartBytes }),
    ...(s3Credentials && { s3Credentials }),
  });
  try {
    const filled = await fill(sink.folder, source, { ...written, now: sink.now });
    signal?.throwIfAborted();
    await sink.publish((done, total) => progress?.({ stage: 'upload', done, total }));
    return { outDir: sink.place, ...filled };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** Of the crawl and all options that files depend on. */
function fingerprintOf({ now: _, outDir: __, s3Credentials: ___, detectLanguage: ____, expected, ...options }: WritingOptions): string {
  const plain = Object.entries({ ...options, expected: expected?.size }).filter(([, value]) => typeof value !== 'function');
  return createHash('sha256')
    .update(JSON.stringify(plain.filter(([name]) => !NOT_IN_FILES.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
}

const NOT_IN_FILES: ReadonlySet<string> = new Set(['signal', 'force', 's3Endpoint', 's3Region']);

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

function refuseBadOptions(options: WritingOptions): void {
  const { formats, minRelevance, compression, waczText } = options;
  if (compression !== undefined) codecOf(compression);
  if (waczText && !formats.includes('wacz')) throw new UsageError('harvest: --wacz-text is for the format wacz; add wacz to --format');
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

async function fill(folder: HarvestFolder, source: CorpusSource, options: WritingOptions): Promise<Omit<HarvestReport, 'outDir'>> {
  const step = (stage: HarvestProgress['stage'], total: number | null) => (done: number) => {
    options.signal?.throwIfAborted();
    options.progress?.({ stage, done, total });
  };
  const reservations = new ReservationCounts(source.reservations);
  const found = new FoundRecords(source.dir, options);
  const linked = linksFor(options.formats);
  const candidates = new LinkCandidates(linked !== null);
  const selection = await selectRecords(
    candidates.noted(found.noted(source.records(found.onDamaged))),
    { ...options, reservations, scratchDir: folder.scratchDir, onWork: () => options.signal?.throwIfAborted() },
    options.detectLanguage,
    step('select', null),
  );
  try {
    const damaged = { records: found.lost(), warc: 0 };
    const { kept } = selection.tallies;
    const isIn = (ordinal: number) => selection.leftOut(ordinal) === null;
    const links = linked && (await readLinks(folder, source, options, linked, candidates.pages(isIn), step('links', kept)));
    const presented = withRanks(selection, links);
    const columns = presented.columns();
    const warcPass = warcPassOf(folder, source, options, step('warc', kept));
    const harvest = { ...options, ...columns, source, folder, links, warcPass };
    const output = await PageOutput.open(harvest, options.formats);
    await output.writeAll(source.records(options.onDamaged && (() => undefined)), presented, step('write', kept));
    const facts = await output.finish();
    if (links && linked !== 'needed') await folder.remove(LINKS_FILE);
    damaged.warc = facts.lost;
    const harvested: HarvestFacts = {
      at: options.now,
      formats: options.formats,
      filters: filterOptionsOf(options),
      notes: [...selection.notes, ...(options.formats.includes('chunks') ? [chunksText(options)] : [])],
      records: selection.tallies,
      damaged,
      ...output.counts.facts(),
      version: output.version.digest(),
      ...(options.corpora && { corpora: options.corpora }),
      reservations: reservations.facts(),
      files: folder.files,
      textFiles: facts.textFiles,
      ...(links && { links: links.facts }),
    };
    const card = await describe(folder, options, harvested, columns);
    return { card, otherLanguages: selection.otherLanguages };
  } finally {
    selection.close();
  }
}

/** The strongest wish of the formats. */
function linksFor(formats: readonly HarvestFormat[]): 'needed' | 'used' | null {
  const wishes = OUTPUT_FORMATS.flatMap((format: OutputFormat) =>
    formats.some((name) => name === format.name) ? (format.links ?? []) : [],
  );
  return wishes.includes('needed') ? 'needed' : (wishes[0] ?? null);
}

/** The pages among which a harvest selects those whose links it reads. */
class LinkCandidates {
  readonly #wanted: boolean;
  #strings = new HeldStrings();
  #pages = 0;

  constructor(wanted: boolean) {
    this.#wanted = wanted;
  }

  async *noted(records: AsyncIterable<CorpusRecord>): AsyncGenerator<CorpusRecord> {
    for await (const record of records) {
      if (this.#wanted) {
        this.#strings.add(record.id);
        this.#strings.add(record.url);
        this.#pages++;
      }
      yield record;
    }
  }

  /** Called once: it forgets all afterwards. */
  *pages(isIn: (ordinal: number) => boolean): Generator<Pick<CorpusRecord, 'id' | 'url'>> {
    const strings = this.#strings;
    this.#strings = new HeldStrings();
    for (let page = 0; page < this.#pages; page++)
      if (isIn(page)) yield { id: strings.at(2 * page) as RecordId, url: strings.at(2 * page + 1) as CanonicalUrl };
  }
}

/** @returns null if the links are not needed and there are no WARC files */
async function readLinks(
  folder: HarvestFolder,
  source: CorpusSource,
  { onDamaged, formats }: WritingOptions,
  linked: 'needed' | 'used',
  selected: Iterable<Pick<CorpusRecord, 'id' | 'url'>>,
  onPage: (done: number) => void,
): Promise<CorpusLinks | null> {
  if (linked === 'used' && (await source.warcFiles()).length === 0) return null;
  // The extractor is loaded for those who ask for links.
  const { CorpusLinks, LinkedPages } = await import('./corpus-links.ts');
  const pages = new LinkedPages();
  for (const page of selected) pages.add(page);
  // The copy of the WARC files names damage also.
  const told = onDamaged && (formats.includes('warc') || formats.includes('wacz') ? () => undefined : onDamaged);
  return CorpusLinks.read({ source, pages, path: folder.path(LINKS_FILE), onPage, onDamaged: told });
}

function withRanks(selection: Selection, links: CorpusLinks | null): Selection {
  if (links === null) return selection;
  return {
    ...selection,
    columns: () => selection.columns(['pageRank']),
    present: (ordinal, record) => ({ ...selection.present(ordinal, record), pageRank: links.rankOf(record.id) }),
  };
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
  /** Hashes of the ids of expected records. */
  readonly #found = new HashTable();
  readonly #hash: Fingerprint = { hi: 0, lo: 0 };
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
      if (this.#options.expected) {
        const { hi, lo } = fingerprint(record.id, this.#hash);
        this.#found.place(hi, lo);
      }
      yield record;
    }
  }

  /** Number of records that are not available. @throws DataError if there are some and no `onDamaged` */
  lost(): number {
    const { expected, onDamaged } = this.#options;
    if (expected === undefined) return this.#damaged;
    const missing = this.#missing(expected);
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

  #missing(expected: ReadonlyMap<RecordId, CanonicalUrl>): CanonicalUrl[] {
    const urls: CanonicalUrl[] = [];
    for (const [id, url] of expected) {
      const { hi, lo } = fingerprint(id, this.#hash);
      if (this.#found.find(hi, lo) < 0) urls.push(url);
    }
    return urls;
  }
}

/** Passes selected pages to each format. */
class PageOutput {
  readonly counts = new HarvestCounts();
  readonly version = new CorpusVersion();
  readonly #writers: readonly FormatWriter[];
  readonly #leftOut: LeftOutFile;
  readonly #sums: RecordSums;
  #written = 0;

  private constructor(writers: readonly FormatWriter[], leftOut: LeftOutFile, sums: RecordSums) {
    this.#writers = writers;
    this.#leftOut = leftOut;
    this.#sums = sums;
  }

  static async open(harvest: HarvestContext, formats: readonly HarvestFormat[]): Promise<PageOutput> {
    const writers: FormatWriter[] = [];
    const inOrder = OUTPUT_FORMATS.toSorted((a, b) => Number(a.copies) - Number(b.copies));
    for (const format of inOrder) if (formats.includes(format.name)) writers.push(await format.open(harvest));
    const leftOut = await LeftOutFile.open(harvest.folder);
    return new PageOutput(writers, leftOut, await RecordSums.open(harvest.folder));
  }

  async writeAll(records: AsyncIterable<CorpusRecord>, selection: Selection, onPage: (done: number) => void): Promise<void> {
    let ordinal = 0;
    for await (const record of records) {
      const leftOut = selection.leftOut(ordinal);
      if (leftOut === null) await this.#write(selection.present(ordinal, record), onPage);
      else {
        await this.#leftOut.write(record, leftOut);
        await this.#sums.add(record.id, true);
      }
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
    await this.#sums.finish();
    return facts;
  }

  async #write(page: HarvestedPage, onPage: (done: number) => void): Promise<void> {
    this.counts.add(page);
    this.version.add(page.id);
    for (const writer of this.#writers) await writer.write(page);
    await this.#sums.add(page.id);
    onPage(++this.#written);
  }
}

function chunksText({ chunk = DEFAULT_CHUNK_WORDS, chunkBy = 'paragraph' }: FormatOptions): string {
  return `chunks: at most ${chunk} words, cut ${chunkBy === 'words' ? 'between words' : `between ${chunkBy}s where they fit`}`;
}

/** The card, in all its forms. @throws StoreError */
async function describe(
  folder: HarvestFolder,
  options: WritingOptions,
  harvest: HarvestFacts,
  columns: HarvestColumns,
): Promise<CorpusCard> {
  const card = corpusCard({ crawl: options.crawl, harvest });
  const corpus = { ...columns, card, publication: publicationOf(card, options), csvCells: csvCells(columns, options.csvText ?? false) };
  const earlier: CorpusFileFacts[] = [];
  for (const { file: name, content } of DESCRIPTIONS) {
    const bytes = Buffer.from(content({ ...corpus, earlier }));
    await folder.write(name, bytes);
    earlier.push({ name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return card;
}
