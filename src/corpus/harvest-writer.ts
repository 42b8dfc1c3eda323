import { createHash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DamageError, messageOf, type OnDamaged, storeErrorFrom, UsageError } from '../core/errors.ts';
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, EpochMs, RecordId, Topic } from '../core/types.ts';
import { CARD_FILE } from './card-markdown.ts';
import {
  type CorpusCard,
  type CrawlFacts,
  corpusCard,
  type DamagedCounts,
  type HarvestFilters,
  type HarvestFormat,
} from './corpus-card.ts';
import { HarvestCounts, ReservationCounts } from './harvest-facts.ts';
import { HarvestFolder } from './harvest-folder.ts';
import { type DetectLanguage, type Selection, selectRecords } from './harvest-selection.ts';
import { copyWarcRecords } from './harvest-warc.ts';
import type { HashedFile } from './hashed-file.ts';
import { RECORDS_FILE, readRecords, recordLine } from './records.ts';
import { RESERVATIONS_FILE, ReservationFiles } from './reservation-files.ts';

export interface HarvestProgress {
  readonly stage: 'select' | 'write' | 'warc';
  readonly done: number;
  /** null while it is not known. */
  readonly total: number | null;
}

export interface HarvestOptions extends HarvestFilters {
  readonly corpusDir: string;
  readonly outDir: string;
  /** At least one. */
  readonly formats: readonly HarvestFormat[];
  /** Replace an earlier harvest at `outDir`. */
  readonly force: boolean;
  /** The frontier's committed offsets, so that the torn tail of a crawl that died is not read; null for all that is there. */
  readonly committed: CorpusOffsets | null;
  /** For pages that declare no language; null when there is no detector. */
  readonly detectLanguage: DetectLanguage | null;
  readonly crawl: CrawlFacts;
  /** Records that must be there, with the URLs of their pages: those of the frontier. None is missed when left out. */
  readonly expected?: ReadonlyMap<RecordId, CanonicalUrl>;
  /** Told of what is damaged or missing, which is left out and counted on the card. Without it that is thrown. */
  readonly onDamaged?: OnDamaged;
  /** Is it the newest version of its page? All are when left out. */
  readonly isNewest?: (record: CorpusRecord) => boolean;
  /** Each record as it is to be selected and written, e.g. with the relevance a later model gives it; the records as they are when left out. */
  readonly present?: (record: CorpusRecord) => CorpusRecord;
  readonly now: EpochMs;
  readonly progress?: (progress: HarvestProgress) => void;
  /** Ends the harvest with the signal's reason, leaving nothing behind. */
  readonly signal?: AbortSignal;
  /** Size at which WARC files roll; 1 GB unless told. */
  readonly maxWarcBytes?: Bytes;
}

export interface HarvestReport {
  readonly outDir: string;
  readonly card: CorpusCard;
  /** Pages left out for their language, by its code; `und` where it is not known. */
  readonly otherLanguages: ReadonlyMap<string, number>;
}

const MAX_WARC_BYTES: Bytes = 1_000_000_000;
const CARD_MARKDOWN = 'corpus-card.md';

/**
 * Make a corpus out of a crawl's folder: the chosen pages as JSONL, WARC or text files, with a corpus
 * card. All is written beside `outDir` and put in place at the end. Two passes over the records and one
 * over the WARC files; no page is held longer than it is written.
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

function refuseBadOptions({ formats, minRelevance }: HarvestOptions): void {
  if (formats.length === 0) throw new UsageError('harvest: no format asked for; name at least one of jsonl, warc, text');
  if (minRelevance !== null && !(minRelevance >= 0 && minRelevance <= 1)) {
    throw new UsageError(`harvest: minimum relevance ${minRelevance} is not between 0 and 1`);
  }
}

/** Fixed before the first pass, so that both passes read the same lines though the crawl goes on. */
async function recordsEnd({ corpusDir, committed }: HarvestOptions): Promise<Bytes> {
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
    options,
    options.detectLanguage,
    step('select', null),
    reservations,
  );
  const damaged = { records: found.lost(), warc: 0 };
  const { kept } = selection.tallies;
  const output = await PageOutput.create(folder, options.formats, options.crawl.topics ?? []);
  await output.writeAll(recordsOf(options, end, files, options.onDamaged && (() => undefined)), selection, step('write', kept));
  if (options.formats.includes('warc')) {
    const { corpusDir, committed, crawl, now: at, maxWarcBytes = MAX_WARC_BYTES, onDamaged } = options;
    const description = `Harvest of the crawl “${crawl.topicName}”: chosen pages, copied with their requests and metadata`;
    const info = { software: crawl.software, robots: crawl.robots, description, userAgent: crawl.userAgent };
    const urls = options.expected;
    const copy = {
      corpusDir,
      committed,
      ids: output.ids,
      ...(urls && { urls }),
      info,
      at,
      maxWarcBytes,
      onPage: step('warc', kept),
      onDamaged,
    };
    damaged.warc = await copyWarcRecords(copy, folder);
  }
  const card = await writeCard(folder, options, selection, output, reservations, damaged);
  return { card, otherLanguages: selection.otherLanguages };
}

/** @returns 0 for a corpus of a crawl that asked no host */
async function reservationsEnd({ corpusDir, committed }: HarvestOptions): Promise<Bytes> {
  if (committed !== null) return committed[RESERVATIONS_FILE] ?? 0;
  return stat(join(corpusDir, RESERVATIONS_FILE)).then(
    ({ size }) => size,
    () => 0,
  );
}

async function* recordsOf(
  { corpusDir, present, isNewest = () => true }: HarvestOptions,
  end: Bytes,
  files: ReservationFiles,
  onDamaged: OnDamaged | undefined,
): AsyncGenerator<CorpusRecord> {
  for await (const record of readRecords(corpusDir, end, onDamaged))
    if (isNewest(record)) yield files.present(present ? present(record) : record);
}

/** Which of the expected records a first pass found. */
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

  /** Records that cannot be had. @throws DataError where there are some and nobody is told */
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

/** What is written of each page as it goes by; WARC records come after, when all ids are known. */
class PageOutput {
  readonly ids = new Set<string>();
  readonly counts = new HarvestCounts();
  readonly #folder: HarvestFolder;
  readonly #jsonl: HashedFile | null;
  readonly #index: HashedFile | null;
  readonly #topics: readonly Topic[];
  #texts = 0;
  #textBytes: Bytes = 0;

  private constructor(folder: HarvestFolder, jsonl: HashedFile | null, index: HashedFile | null, topics: readonly Topic[]) {
    this.#folder = folder;
    this.#topics = topics;
    this.#jsonl = jsonl;
    this.#index = index;
  }

  /** @param topics each has a column of its own in the index of texts: the relevance to it */
  static async create(folder: HarvestFolder, formats: readonly HarvestFormat[], topics: readonly Topic[]): Promise<PageOutput> {
    const jsonl = formats.includes('jsonl') ? await folder.file('corpus.jsonl') : null;
    const index = formats.includes('text') ? await folder.file('text/index.tsv') : null;
    const columns = topics.map(({ name }) => `relevance:${name}`);
    await index?.write(Buffer.from(tsv(['file', 'url', 'title', 'lang', 'relevance', 'fetchedAt', 'sha256', 'id', ...columns])));
    return new PageOutput(folder, jsonl, index, topics);
  }

  get textFiles(): { readonly count: number; readonly bytes: Bytes } | null {
    return this.#index === null ? null : { count: this.#texts, bytes: this.#textBytes };
  }

  async writeAll(records: AsyncIterable<CorpusRecord>, selection: Selection, onPage: (done: number) => void): Promise<void> {
    let ordinal = 0;
    for await (const record of records) {
      if (selection.keeps(ordinal)) await this.#write(record, selection.languageOf(ordinal, record), onPage);
      ordinal++;
    }
    if (this.#jsonl !== null) await this.#folder.finish('corpus.jsonl');
    if (this.#index !== null) await this.#folder.finish('text/index.tsv');
  }

  async #write(record: CorpusRecord, language: string, onPage: (done: number) => void): Promise<void> {
    this.ids.add(record.id);
    this.counts.add(record, language);
    await this.#jsonl?.write(Buffer.from(recordLine(record)));
    if (this.#index !== null) await this.#writeText(record, language, this.#index);
    onPage(this.ids.size);
  }

  /** Named by the hash of the URL: of each page there is one version, so each has a file of its own. */
  async #writeText(record: CorpusRecord, language: string, index: HashedFile): Promise<void> {
    const name = `${sha256(record.url).slice(0, 32)}.txt`;
    const bytes = Buffer.from(`${record.text}\n`);
    await writeWhole(this.#folder.path(`text/${name}`), bytes);
    this.#texts++;
    this.#textBytes += bytes.length;
    const relevances = this.#topics.map(({ id }) => String(record.topics?.find(({ modelId }) => modelId === id)?.relevance ?? ''));
    const cells = [name, record.url, record.title, language, String(record.relevance), record.fetchedAt, sha256(bytes), record.id];
    await index.write(Buffer.from(tsv([...cells, ...relevances])));
  }
}

async function writeCard(
  folder: HarvestFolder,
  options: HarvestOptions,
  selection: Selection,
  output: PageOutput,
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
      ...output.counts.facts(),
      reservations: reservations.facts(),
      files: folder.files,
      textFiles: output.textFiles,
    },
  });
  await writeWhole(folder.path(CARD_MARKDOWN), Buffer.from(markdown));
  await writeWhole(folder.path(CARD_FILE), Buffer.from(`${JSON.stringify(json, null, 2)}\n`));
  return json;
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes, { flag: 'wx' }).catch((error: unknown) => {
    throw storeErrorFrom(error, 'writing the harvest', path);
  });
}

function tsv(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.replace(/\s+/g, ' ')).join('\t')}\n`;
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
