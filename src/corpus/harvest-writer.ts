import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DamageError, messageOf, type OnDamaged, UsageError } from '../core/errors.ts';
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, EpochMs, RecordId } from '../core/types.ts';
import { CARD_FILE } from './card-markdown.ts';
import { type CorpusCard, type CrawlFacts, corpusCard, type DamagedCounts, type HarvestFilters } from './corpus-card.ts';
import { HarvestCounts, ReservationCounts } from './harvest-facts.ts';
import { HarvestFolder } from './harvest-folder.ts';
import { type DetectLanguage, type Selection, selectRecords } from './harvest-selection.ts';
import { type FormatFacts, type FormatWriter, type HarvestContext, NO_FACTS } from './output-format.ts';
import { FORMAT_NAMES, type HarvestFormat, OUTPUT_FORMATS } from './output-formats.ts';
import { RECORDS_FILE, readRecords } from './records.ts';
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
  if (formats.length === 0) throw new UsageError(`harvest: no format asked for; name at least one of ${FORMAT_NAMES.join(', ')}`);
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
  const { maxWarcBytes = MAX_WARC_BYTES } = options;
  const harvest = { ...options, folder, maxWarcBytes, onCopied: step('warc', kept) };
  const output = await PageOutput.open(harvest, options.formats);
  await output.writeAll(recordsOf(options, end, files, options.onDamaged && (() => undefined)), selection, step('write', kept));
  const facts = await output.finish();
  damaged.warc = facts.lost;
  const card = await writeCard(folder, options, selection, output.counts, facts, reservations, damaged);
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

/** Chosen pages on their way into each format. */
class PageOutput {
  readonly counts = new HarvestCounts();
  readonly #writers: readonly FormatWriter[];
  #written = 0;

  private constructor(writers: readonly FormatWriter[]) {
    this.#writers = writers;
  }

  static async open(harvest: HarvestContext, formats: readonly HarvestFormat[]): Promise<PageOutput> {
    const writers: FormatWriter[] = [];
    const inOrder = OUTPUT_FORMATS.toSorted((a, b) => Number(a.copies) - Number(b.copies));
    for (const format of inOrder) if (formats.includes(format.name)) writers.push(await format.open(harvest));
    return new PageOutput(writers);
  }

  async writeAll(records: AsyncIterable<CorpusRecord>, selection: Selection, onPage: (done: number) => void): Promise<void> {
    let ordinal = 0;
    for await (const record of records) {
      if (selection.keeps(ordinal)) await this.#write(record, selection.languageOf(ordinal, record), onPage);
      ordinal++;
    }
  }

  async finish(): Promise<FormatFacts> {
    let facts = NO_FACTS;
    for (const writer of this.#writers) {
      const { lost, textFiles } = await writer.finish();
      facts = { lost: facts.lost + lost, textFiles: facts.textFiles ?? textFiles };
    }
    return facts;
  }

  async #write(record: CorpusRecord, language: string, onPage: (done: number) => void): Promise<void> {
    this.counts.add(record, language);
    for (const writer of this.#writers) await writer.write(record, language);
    onPage(++this.#written);
  }
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
