import { createHash } from 'node:crypto';
import { UsageError } from '../../base/core/errors.ts';
import type { Bytes, EpochMs, Unit } from '../../base/core/types.ts';
import { WITHDRAWN_FILE } from '../../base/disk/own-names.ts';
import { type CorpusCard, corpusCard } from '../describe/corpus-card.ts';
import { DESCRIPTIONS } from '../describe/descriptions.ts';
import { type PublicationOptions, publicationOf } from '../describe/publication.ts';
import { withoutWithdrawn } from '../describe/without-withdrawn.ts';
import { DEFAULT_CHUNK_WORDS } from '../formats/chunks.ts';
import { codecOf } from '../formats/compression.ts';
import { csvCells } from '../formats/csv-cells.ts';
import { FORMAT_NAMES, type HarvestFormat } from '../formats/format-names.ts';
import type { HarvestFolder } from '../formats/harvest-folder.ts';
import { WarcPass } from '../formats/harvest-warc.ts';
import { LINKS_FILE } from '../formats/link-rows.ts';
import type { FormatOptions } from '../formats/output-format.ts';
import { isMasked } from '../personal/personal-names.ts';
import type { Withdrawals } from '../records/withdrawals.ts';
import type { HarvestColumns } from '../select/corpus-columns.ts';
import type { CorpusSource } from '../select/corpus-source.ts';
import type { CrawlFacts } from '../select/crawl-facts.ts';
import { CrawlSource, type CrawlSourceOptions } from '../select/crawl-source.ts';
import {
  type CorpusFileFacts,
  type CorpusPart,
  type HarvestFacts,
  type RecordTallies,
  ReservationCounts,
} from '../select/harvest-facts.ts';
import { type FilterOptions, filterOptionsOf } from '../select/harvest-filter.ts';
import { HARVEST_FILTERS } from '../select/harvest-filters.ts';
import { type DetectLanguage, type Selection, selectRecords } from '../select/harvest-selection.ts';
import { tallyAtThresholds } from '../select/harvest-thresholds.ts';
import type { MeasuredValues } from '../select/measured-facts.ts';
import { MeasuredSelection, type MeasurePrecision } from '../select/measured-selection.ts';
import { type ContinuedCorpus, continuedFacts, omittedBefore } from './continued-corpus.ts';
import type { OpenSink, SinkOptions } from './harvest-sink.ts';
import { sinkOf } from './harvest-sinks.ts';
import { type ExpectedRecords, MissingRecords } from './missing-records.ts';
import { PageOutput } from './page-output.ts';
import { LinkCandidates, linksFor, readLinks, withRanks } from './selected-links.ts';

export interface HarvestProgress {
  readonly stage: 'compare' | 'select' | 'links' | 'write' | 'warc' | 'upload';
  /** Records or pages; bytes of `upload`. */
  readonly done: number;
  /** null while it is unknown. */
  readonly total: number | null;
}

/** A corpus to write. */
export interface WritingOptions extends ExpectedRecords, FilterOptions, FormatOptions, PublicationOptions {
  readonly to: SinkOptions;
  /** Formats to write, at least one. */
  readonly formats: readonly HarvestFormat[];
  /** Language detector for pages that declare no language; null for none. */
  readonly detectLanguage: DetectLanguage | null;
  readonly crawl: CrawlFacts;
  /** Measures the precision of the corpus. Absent if it is not measured. */
  readonly measure?: MeasurePrecision;
  /** Measures the precision of the pages on each of several topics, by its name. */
  readonly measureTopics?: ReadonlyMap<string, MeasurePrecision>;
  /** Numbers of the pages for the columns of `columns`. Default: none. */
  readonly measured?: MeasuredValues;
  /** The corpus whose pages these are, without those that were taken back. Absent for a corpus of its own. */
  readonly continues?: ContinuedCorpus;
  /** The corpora that the source merges. If absent, it is one. */
  readonly corpora?: readonly CorpusPart[];
  readonly now: EpochMs;
  readonly progress?: (progress: HarvestProgress) => void;
  /** Ends the harvest with the reason of the signal, and removes its files. */
  readonly signal?: AbortSignal;
  /** Size at which a new WARC file starts. Default 1 GB. */
  readonly maxWarcBytes?: Bytes;
}

export interface CrawlHarvestOptions extends WritingOptions, CrawlSourceOptions {}

export interface HarvestReport {
  readonly outDir: string;
  readonly card: CorpusCard;
  /** Number of pages omitted because of their language, by its code; `und` if it is unknown. */
  readonly otherLanguages: ReadonlyMap<string, number>;
}

const MAX_WARC_BYTES: Bytes = 1_000_000_000;

/** Makes a corpus from the folder of a crawl: see `writeCorpus`. @throws as `writeCorpus` */
export async function harvestCorpus(options: CrawlHarvestOptions): Promise<HarvestReport> {
  refuseBadOptions(options);
  return writeCorpus(await CrawlSource.open(options), options);
}

/**
 * Makes a corpus of the selected pages of a source, in one or more formats, with a corpus card. Everything is written next to a folder and moved there
 * at the end, or written to a temporary folder and sent to an object store. Reads the records twice and the WARC files once; no page is held in memory after it is written.
 * @throws UsageError about the place or the options; DataError about the files of the source; StoreError
 */
export async function writeCorpus(source: CorpusSource, options: WritingOptions): Promise<HarvestReport> {
  refuseBadOptions(options);
  const { to, now, signal, progress } = options;
  const sink = await sinkOf(to.out).open({ ...to, sources: source.dirs, now, fingerprint: fingerprintOf(options), signal });
  try {
    const refuse = (tallies: RecordTallies) => refuseToEmpty(sink, tallies);
    const filled = await fill(sink.folder, source, { ...options, now: sink.now }, refuse);
    signal?.throwIfAborted();
    await sink.publish((done, total) => progress?.({ stage: 'upload', done, total }));
    return { outDir: sink.place, ...filled };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** Fingerprint of the crawl and of all options that files depend on. */
function fingerprintOf({ to: _, now: __, signal: ___, expected, ...options }: WritingOptions): string {
  const plain = Object.entries({ ...options, expected: expected?.size }).filter(([, value]) => typeof value !== 'function');
  return createHash('sha256')
    .update(JSON.stringify(plain.sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
}

/** The records of a crawl, for a look at them before a harvest. */
export type HarvestSource = CrawlSourceOptions & Pick<WritingOptions, 'onDamaged' | 'obey'>;

/** The numbers of harvests with the defaults and each threshold; writes nothing. One pass over the records. @param thresholds in ascending order */
export async function previewCorpus(
  options: HarvestSource,
  thresholds: readonly Unit[],
  onRecord: (done: number) => void,
): Promise<RecordTallies[]> {
  const source = await CrawlSource.open(options);
  return tallyAtThresholds(
    source.records(options.onDamaged),
    thresholds,
    { reservations: new ReservationCounts(source.reservations, options.obey), withdrawals: source.withdrawals },
    onRecord,
  );
}

function refuseBadOptions(options: WritingOptions): void {
  const { formats, minRelevance, compression } = options;
  if (compression !== undefined) codecOf(compression);
  if (formats.length === 0) throw new UsageError(`harvest: no format asked for; name at least one of ${FORMAT_NAMES.join(', ')}`);
  refuseReceivedBytes(options);
  if (minRelevance !== null && !(minRelevance >= 0 && minRelevance <= 1)) {
    throw new UsageError(`harvest: minimum relevance ${minRelevance} is not between 0 and 1`);
  }
}

/** WARC records are the bytes as received, which no mask reaches: also of a page that has no such data in its texts. @throws UsageError */
function refuseReceivedBytes({ formats, personal }: WritingOptions): void {
  const received = formats.find((name) => name === 'warc' || name === 'wacz');
  if (received === undefined || !isMasked(personal)) return;
  throw new UsageError(
    `--personal ${personal}: the format ${received} holds pages as they were received, with their personal data; leave it out of --format, or use --personal mark`,
  );
}

/** A scheduled harvest must not lose its corpus to an option that no page satisfies. @throws UsageError */
function refuseToEmpty({ place, replacesPages }: OpenSink, { read, kept, leftOut }: RecordTallies): void {
  if (kept > 0 || !replacesPages) return;
  const reasons = HARVEST_FILTERS.flatMap(({ name, leaves }) => (leftOut[name] > 0 ? [`${leftOut[name]} ${leaves}`] : []));
  const why = read === 0 ? 'nothing was kept' : `of ${read} pages, ${reasons.join(', ')}`;
  throw new UsageError(
    `${place}: the new corpus has no page (${why}), so the earlier one stays; change the options that choose pages (--min-relevance, --lang and others) or undo a training with labels, or give another --out`,
  );
}

/** @param onSelected receives the counts of the selection before anything is written */
async function fill(
  folder: HarvestFolder,
  source: CorpusSource,
  options: WritingOptions,
  onSelected: (tallies: RecordTallies) => void,
): Promise<Omit<HarvestReport, 'outDir'>> {
  const onWork = () => options.signal?.throwIfAborted();
  const step = (stage: HarvestProgress['stage'], total: number | null) => (done: number) => {
    onWork();
    options.progress?.({ stage, done, total });
  };
  const reservations = new ReservationCounts(source.reservations, options.obey);
  const found = new MissingRecords(source.dir, options);
  const linked = linksFor(options.formats);
  const candidates = new LinkCandidates(linked !== null);
  const { measure, measureTopics = new Map<string, MeasurePrecision>() } = options;
  const measured = new MeasuredSelection(measure !== undefined || measureTopics.size > 0);
  const selection = await selectRecords(
    measured.noted(candidates.noted(found.noted(source.records(found.onDamaged)))),
    { ...options, withdrawals: source.withdrawals, reservations, scratchDir: folder.scratchDir, onWork },
    options.detectLanguage,
    step('select', null),
  );
  try {
    onSelected(selection.tallies);
    const lost = found.lost();
    const { kept } = selection.tallies;
    const pages = candidates.pages((ordinal) => selection.leftOut(ordinal) === null);
    const links = linked && (await readLinks(folder, source, options, linked, pages, step('links', kept)));
    const presented = withRanks(selection, links);
    const columns = presented.columns();
    const warcPass = warcPassOf(folder, source, options, step('warc', kept));
    const output = await PageOutput.open({ ...options, ...columns, source, folder, links, warcPass }, options.formats);
    const omitted = await output.writeOmitted(omittedBefore(options.continues, source.withdrawals));
    await output.writeAll(source.records(options.onDamaged && (() => undefined)), presented, step('write', kept));
    const facts = await output.finish();
    if (links && linked !== 'needed') await folder.remove(LINKS_FILE);
    const own: HarvestFacts = {
      at: options.now,
      formats: options.formats,
      filters: filterOptionsOf(options),
      notes: [...selection.notes, ...(options.formats.includes('chunks') ? [chunksText(options)] : [])],
      records: selection.tallies,
      ...precisionsOf(measured, selection, measure, measureTopics),
      damaged: { records: lost, warc: facts.lost },
      ...output.counts.facts(),
      version: output.version.digest(),
      ...(options.corpora && { corpora: options.corpora }),
      reservations: reservations.facts(),
      files: await withList(folder, source.withdrawals),
      textFiles: facts.textFiles,
      ...(links && { links: links.facts }),
    };
    const card = await describe(folder, source, options, continuedFacts(own, options.continues, omitted), columns);
    return { card, otherLanguages: selection.otherLanguages };
  } finally {
    selection.close();
  }
}

/** Writes the list of the pages that were taken back, which goes with each corpus. @returns all files @throws StoreError */
async function withList(folder: HarvestFolder, withdrawals: Withdrawals): Promise<HarvestFacts['files']> {
  if (withdrawals.size === 0) return folder.files;
  await (await folder.file(WITHDRAWN_FILE)).write(withdrawals.lines());
  await folder.finish(WITHDRAWN_FILE);
  return folder.files;
}

/** The precision of the chosen pages, on all topics and on each. */
function precisionsOf(
  measured: MeasuredSelection,
  selection: Selection,
  measure: MeasurePrecision | undefined,
  measureTopics: ReadonlyMap<string, MeasurePrecision>,
): Pick<HarvestFacts, 'precision' | 'topicPrecisions'> {
  const topicPrecisions = new Map(
    [...measureTopics].flatMap(([name, of]) => {
      const precision = measured.precision(selection, of);
      return precision === null ? [] : [[name, precision] as const];
    }),
  );
  return { precision: measure ? measured.precision(selection, measure) : null, topicPrecisions };
}

function warcPassOf(folder: HarvestFolder, source: CorpusSource, options: WritingOptions, onPage: (done: number) => void): WarcPass {
  const { crawl, expected, now, maxWarcBytes = MAX_WARC_BYTES, onDamaged } = options;
  const description = `Harvest of the crawl “${crawl.topicName}”: chosen pages, copied with their requests, metadata and revisits`;
  const info = { software: crawl.software, robots: crawl.robots, description, userAgent: crawl.userAgent };
  const scratch = (name: string) => folder.scratch(name);
  return new WarcPass({ source, ...(expected && { expected }), info, at: now, maxWarcBytes, scratch, onPage, onDamaged });
}

function chunksText({ chunk = DEFAULT_CHUNK_WORDS, chunkBy = 'paragraph' }: FormatOptions): string {
  return `chunks: at most ${chunk} words, cut ${chunkBy === 'words' ? 'between words' : `between ${chunkBy}s where they fit`}`;
}

/** The card, in all its forms. @throws StoreError */
async function describe(
  folder: HarvestFolder,
  { withdrawals }: CorpusSource,
  options: WritingOptions,
  harvest: HarvestFacts,
  columns: HarvestColumns,
): Promise<CorpusCard> {
  const card = corpusCard({ crawl: withoutWithdrawn(options.crawl, withdrawals), harvest });
  const corpus = { ...columns, card, publication: publicationOf(card, options), csvCells: csvCells(columns, options.csvText ?? false) };
  const earlier: CorpusFileFacts[] = [];
  for (const { file: name, content } of DESCRIPTIONS) {
    const bytes = Buffer.from(content({ ...corpus, earlier }));
    await folder.write(name, bytes);
    earlier.push({ name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return card;
}
