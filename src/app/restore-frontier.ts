/** A frontier given what corpus and recording know and it does not. No request is made. */
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FrozenVisit } from '../core/frozen-visit.ts';
import { NO_METADATA } from '../core/no-metadata.ts';
import type { Frontier, LinkJudgement, LinkScorer, ReadOutcome } from '../core/parts.ts';
import { Turns } from '../core/turns.ts';
import type { CanonicalUrl, CorpusRecord, FetchedPage, FrontierEntry, RecordId } from '../core/types.ts';
import { corpusSizes, VISITS_FILE } from '../corpus/corpus-writer.ts';
import { FrozenWeb } from '../corpus/frozen-web.ts';
import { type KeptPage, readKeptPages } from '../corpus/kept-pages.ts';
import { RECORDS_FILE, readRecords, storedRecordLine } from '../corpus/records.ts';
import { newRecordId } from '../corpus/warc-record.ts';
import { keptPayloads } from '../crawl/kept-payloads.ts';
import { payloadDigest, toRecord } from '../crawl/records.ts';
import { type RestoredJudgement, type RestoringParts, restoreKept, restoreVisit } from '../crawl/restore.ts';
import { PageExtractor } from '../extract/extractor.ts';
import { judgeWords } from '../links/link-words.ts';
import { simhash } from '../text/simhash.ts';
import { Committee } from '../topic/committee.ts';
import { hostKeyOf } from '../web/url.ts';
import { recordsOf } from './corpus-soundness.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';
import { expansionOf, scopeOf } from './crawl-parts.ts';
import { openFieldRules } from './field-rules.ts';
import { commonMethod, loadOwnModels } from './load-topic.ts';
import { type PageLanguage, pageLanguage } from './page-language.ts';
import { readPage } from './read-page.ts';
import type { RepairOptions } from './repair.ts';
import { taughtScorer } from './taught-scorer.ts';
import { PRODUCT_TOKEN } from './version.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

export interface Restored {
  /** Pages of the corpus that the frontier did not know as kept. */
  readonly kept: number;
  /** Other visits, from the recording. */
  readonly others: number;
  /** Lines of records.jsonl written anew from WARC records. */
  readonly records: number;
  /** Kept pages of the frontier that nothing is left of in the corpus. */
  readonly lost: ReadonlySet<CanonicalUrl>;
}

/**
 * @param frontier as its last commit left it; with its seeds
 * @param isNew it knows of no visit: records without a WARC record are taken too. An older one would take another crawl's records by them
 */
export async function restoreFrontier(
  frontier: Frontier,
  manifest: CrawlManifest,
  paths: CrawlPaths,
  isNew: boolean,
  { onProgress, signal }: Pick<RepairOptions, 'onProgress' | 'signal'>,
): Promise<Restored> {
  const restoring = await Restoring.begin(frontier, manifest, paths);
  const turns = new Turns();
  let done = 0;
  const tick = async (step: 'reading the recording' | 'reading kept pages') => {
    onProgress?.(step, ++done);
    await turns.take();
    signal?.throwIfAborted();
  };
  for await (const _ of restoring.recorded()) await tick('reading the recording');
  for await (const _ of restoring.inWarc()) await tick('reading kept pages');
  if (isNew) restoring.withoutBytes();
  return restoring.restored;
}

class Restoring {
  readonly #manifest: CrawlManifest;
  readonly #paths: CrawlPaths;
  readonly #parts: RestoringParts;
  readonly #reader: CrawlReader;
  /** Kept pages of the frontier whose record is not found yet. */
  readonly #missing: Map<RecordId, CanonicalUrl>;
  /** Records of pages that the frontier has not kept, without their texts; of a page with several versions the last. */
  readonly #unknown = new Map<CanonicalUrl, CorpusRecord>();
  readonly #inRecords = new Set<RecordId>();
  /** Models that ever judged pages of this crawl. */
  readonly #models: ReadonlySet<string>;
  #kept = 0;
  #others = 0;
  #records = 0;

  private constructor(manifest: CrawlManifest, paths: CrawlPaths, parts: RestoringParts, reader: CrawlReader) {
    this.#manifest = manifest;
    this.#paths = paths;
    this.#parts = parts;
    this.#reader = reader;
    this.#missing = recordsOf(parts);
    const { topic, topics, relabelled } = manifest;
    this.#models = new Set([topic, ...topics].map(({ id }) => id).concat(relabelled.flatMap(({ from, to }) => [from, to])));
  }

  static async begin(frontier: Frontier, manifest: CrawlManifest, paths: CrawlPaths): Promise<Restoring> {
    const scorer = taughtScorer(manifest, paths, frontier);
    const reader = await CrawlReader.of(manifest, paths, scorer.judgement);
    const restoring = new Restoring(manifest, paths, partsOf(frontier, manifest, scorer), reader);
    await restoring.#readRecords();
    return restoring;
  }

  get restored(): Restored {
    return { kept: this.#kept, others: this.#others, records: this.#records, lost: new Set(this.#missing.values()) };
  }

  async #readRecords(): Promise<void> {
    const isKept = (url: CanonicalUrl) => this.#parts.frontier.find(url)?.fate?.state === 'kept';
    for await (const record of readRecords(this.#paths.corpus, undefined, () => undefined)) {
      this.#inRecords.add(record.id);
      // Of another crawl.
      if (!this.#models.has(record.modelId)) continue;
      if (!this.#missing.delete(record.id) && !isKept(record.url)) this.#unknown.set(record.url, { ...record, text: '' });
    }
  }

  /** The visits of the recording, in their order. */
  async *recorded(): AsyncGenerator<void> {
    const path = join(this.#paths.corpus, VISITS_FILE);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
    const web = await FrozenWeb.open(path).catch(() => null);
    // It holds no visit any more.
    if (web === null) return;
    try {
      for (let i = 0; i < web.size; i++) {
        this.#restoreVisit(web.visit(i));
        yield;
      }
    } finally {
      web.close();
    }
  }

  #restoreVisit(visit: FrozenVisit): void {
    const record = this.#unknown.get(visit.url);
    const read = visit.kind === 'page' ? this.#reader.ofContent(visit.url, visit.content) : null;
    if (record) this.#keep(record, read);
    else if (restoreVisit(visit, read, Date.parse(this.#manifest.createdAt), this.#parts)) this.#others += 1;
  }

  /** The pages of the WARC files: those without a record are given one. */
  async *inWarc(): AsyncGenerator<void> {
    const sizes = await corpusSizes(this.#paths.corpus);
    for await (const page of readKeptPages(this.#paths.corpus, sizes, () => undefined)) {
      this.#takePage(page);
      yield;
    }
  }

  #takePage(page: KeptPage): void {
    const { url, recordId } = page;
    if (!this.#inRecords.has(recordId)) this.#makeRecord(page);
    const record = this.#unknown.get(url);
    if (record?.id === recordId) this.#keep(record, this.#reader.ofPage(page));
  }

  /** A line for a page that has lost its own, unless its page is kept by another record. */
  #makeRecord(page: KeptPage): void {
    const { url, recordId } = page;
    const known = this.#parts.frontier.find(url);
    const isWanted = this.#missing.delete(recordId) || (known?.fate?.state !== 'kept' && !this.#unknown.has(url));
    if (!isWanted) return;
    const read = this.#reader.ofPage(page);
    const parts = { ...this.#parts, newRecordId: () => recordId };
    const fetched = fetchedPageOf(page);
    const record = toRecord(known?.entry ?? entryWithoutWay(url), fetched, read.extraction, read, payloadDigest(fetched), parts);
    appendFileSync(join(this.#paths.corpus, RECORDS_FILE), storedRecordLine(record), { flush: true });
    this.#inRecords.add(recordId);
    this.#records += 1;
    if (known?.fate?.state !== 'kept') this.#unknown.set(url, { ...record, text: '' });
  }

  /** Pages whose bytes are lost: their links are not known. */
  withoutBytes(): void {
    for (const record of [...this.#unknown.values()]) this.#keep(record, null);
  }

  #keep(record: CorpusRecord, read: Read | null): void {
    this.#unknown.delete(record.url);
    if (restoreKept(record, this.#judgementOf(record, read), read, this.#parts)) this.#kept += 1;
  }

  /** As the model of that time judged it; after a relabelling as the model in force does, where there is a text to judge. */
  #judgementOf(record: CorpusRecord, read: Read | null): RestoredJudgement {
    if (read && (this.#manifest.relabelled.length > 0 || this.#manifest.topics.length > 0))
      return { relevance: read.relevance, ...(read.relevances && { relevances: read.relevances }) };
    const relevances = record.topics?.map(({ relevance }) => relevance);
    return { relevance: record.relevance, ...(relevances && { relevances }) };
  }
}

/** Reads pages as the crawl does, on this thread. */
class CrawlReader {
  readonly #extractor: PageExtractor;
  readonly #committee: Committee;
  readonly #judgement: LinkJudgement;
  readonly #languageOf: PageLanguage;

  private constructor(extractor: PageExtractor, committee: Committee, judgement: LinkJudgement, languageOf: PageLanguage) {
    this.#extractor = extractor;
    this.#committee = committee;
    this.#judgement = judgement;
    this.#languageOf = languageOf;
  }

  static async of(manifest: CrawlManifest, paths: CrawlPaths, judgement: LinkJudgement): Promise<CrawlReader> {
    const models = await loadOwnModels(paths, manifest);
    const extractor = commonMethod(
      models,
      models.map(({ name }) => name),
    );
    const fields = manifest.fieldRules === null ? null : (await openFieldRules(paths.fieldRules)).reader;
    const pages = new PageExtractor({ productToken: PRODUCT_TOKEN, extractor, fields });
    return new CrawlReader(pages, new Committee(models), judgement, await pageLanguage(...models));
  }

  ofPage({ url, headers, body }: KeptPage): Read {
    return readPage({ url, headers, body }, this.#extractor, this.#committee, this.#judgement, this.#languageOf);
  }

  /** Of a page of the recording, which has no markup any more. */
  ofContent(url: CanonicalUrl, { title, text, lang, noindex, links }: Extract<FrozenVisit, { kind: 'page' }>['content']): Read {
    const wanted = { anchor: this.#judgement === 'anchor-and-context', context: this.#judgement !== 'none' };
    const judged = this.#committee.judge({ title, text, url, lang: this.#languageOf({ lang, text }) });
    const read = links.map((link) => ({ url: link.url, text: { ...link.text, ...judgeWords(link.text, this.#committee, wanted) } }));
    const extraction = { title, text, lang, noindex, nofollow: false, metadata: NO_METADATA, fields: {}, charset: 'utf-8', warnings: [] };
    return { kind: 'read', extraction, links: read, ...judged, simhash: simhash(text) };
  }
}

/** What settling needs; nothing is fetched, and nothing is written to the corpus but records. */
function partsOf(frontier: Frontier, manifest: CrawlManifest, scorer: LinkScorer): RestoringParts {
  const { topic, topics } = manifest;
  return {
    frontier,
    scorer,
    topic: topics.length === 0 ? topic : { ...topic, topics },
    scope: scopeOf(manifest),
    expansion: expansionOf(manifest),
    kept: keptPayloads(frontier, topics),
    newRecordId,
    hostKeyOf,
  };
}

/** What is not stored of a fetched page is not known. */
function fetchedPageOf({ url, status, headers, body, date }: KeptPage): FetchedPage {
  const unknown = { statusText: '', rawHeaders: [], requestHeaders: [], truncated: false, ip: null };
  return { ...unknown, url, status, headers, body, wireBody: body, startedAt: date, endedAt: date };
}

/** Of a page whose way here is lost. */
function entryWithoutWay(url: CanonicalUrl): FrontierEntry {
  return { url, host: hostKeyOf(url), priority: 1, depth: 0, offTopicDepth: 0, edge: null, attempts: 0, redirects: 0 };
}
