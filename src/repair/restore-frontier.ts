/** A frontier given what corpus and recording know and it does not. No request is made. */
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvariantError, StoreError } from '../core/errors.ts';
import type { FrozenVisit } from '../core/frozen-visit.ts';
import { NO_METADATA } from '../core/no-metadata.ts';
import type { Frontier } from '../core/parts/queueing.ts';
import type { LinkJudgement, ReadOutcome } from '../core/parts/reading.ts';
import type { LinkScorer } from '../core/parts/scoring.ts';
import { Turns } from '../core/turns.ts';
import {
  type CanonicalUrl,
  type CorpusRecord,
  type EpochMs,
  type FetchedPage,
  type FrontierEntry,
  PAGE,
  type RecordId,
} from '../core/types.ts';
import { PRODUCT_TOKEN } from '../core/version.ts';
import { corpusSizes, VISITS_FILE } from '../corpus/corpus-writer.ts';
import { FrozenWeb } from '../corpus/frozen-web.ts';
import { type KeptPage, readKeptPages, responseOfNone } from '../corpus/kept-pages.ts';
import { placedRecords, RECORDS_FILE, type RecordPlace, recordAt, storedRecordLine } from '../corpus/records.ts';
import { newRecordId } from '../corpus/warc-record.ts';
import { keptPayloads } from '../crawl/kept-payloads.ts';
import { payloadDigest, toRecord } from '../crawl/page-records.ts';
import { type RestoredJudgement, type RestoringParts, restoreKept, restoreVersion, restoreVisit } from '../crawl/restore.ts';
import { recordsOf } from '../crawl-dir/corpus-soundness.ts';
import type { CrawlManifest, CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { expansionOf, scopeOf } from '../crawl-dir/crawl-parts.ts';
import { resumeLinkScorer } from '../crawl-dir/crawl-scorer.ts';
import { openFieldRules } from '../crawl-dir/field-rules-file.ts';
import { commonMethod, loadOwnModels } from '../crawl-dir/load-topic.ts';
import { PageExtractor } from '../extract/extractor.ts';
import { judgeWords } from '../links/link-words.ts';
import { type PageLanguage, pageLanguage } from '../reader/page-language.ts';
import { readPage } from '../reader/read-page.ts';
import { simhash } from '../text/simhash.ts';
import { Committee } from '../topic/committee.ts';
import { hostKeyOf } from '../web/url.ts';
import type { RepairOptions } from './repair-crawl.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

export interface Restored {
  /** Pages of the corpus that the frontier did not know as kept. */
  readonly kept: number;
  /** Kept pages of which it named another version than the newest of the corpus. */
  readonly versions: number;
  /** Other visits, from the recording. */
  readonly others: number;
  /** Lines of records.jsonl written anew from WARC records. */
  readonly records: number;
  /** Kept pages whose WARC record is lost: their text is in records.jsonl. */
  readonly withoutResponse: number;
  /** Kept pages of the frontier that nothing is left of in the corpus. */
  readonly lost: ReadonlySet<CanonicalUrl>;
  /** Is it of a page that the frontier has kept? All others are another crawl's. */
  readonly isKnown: (record: CorpusRecord) => boolean;
}

/** Of what restoring does, besides the crawl. */
export interface RestoreOptions extends Pick<RepairOptions, 'onProgress' | 'signal'> {
  /** It knows of no visit: records without a WARC record are taken too. An older one would take another crawl's records by them. */
  readonly isNew: boolean;
  /** Called right before anything is written: it throws where the crawl is no longer this process's. */
  readonly mayWrite: () => void;
  /** Visits in a commit. Default 2,000. */
  readonly commitEvery?: number;
}

/** Visits that memory holds easily: some 10 KB each. */
const COMMITTED_AT_ONCE = 2000;

/**
 * The frontier is committed now and then, and is to be at the end: what is held in memory is some 500 bytes a kept page, besides what opening the frontier takes.
 * @param frontier as its last commit left it; with its seeds
 * @throws StoreError where the corpus is of two crawls
 */
export async function restoreFrontier(
  frontier: Frontier,
  manifest: CrawlManifest,
  paths: CrawlPaths,
  options: RestoreOptions,
): Promise<Restored> {
  const { onProgress, signal } = options;
  const turns = new Turns();
  const step = async (name: 'reading the records' | 'reading the recording' | 'reading kept pages', steps: AsyncIterable<void>) => {
    let done = 0;
    for await (const _ of steps) {
      onProgress?.(name, ++done);
      await turns.take();
      signal?.throwIfAborted();
    }
  };
  const restoring = await Restoring.begin(frontier, manifest, paths, options);
  await step('reading the records', restoring.records());
  await step('reading the recording', restoring.recorded());
  await step('reading kept pages', restoring.inWarc());
  // Visits by links that only a page without a record had were passed over: that page is restored by now.
  if (restoring.restored.records > 0) await step('reading the recording', restoring.recorded());
  await step('reading kept pages', restoring.byRecordAlone());
  return restoring.restored;
}

/** A record of the corpus: one version of its page. */
interface Version {
  readonly id: RecordId;
  readonly at: EpochMs;
  readonly place: RecordPlace;
  /** Was its line lost, and written anew at the end of the file? */
  readonly isRewritten: boolean;
  /** Do the WARC files have its response? */
  hasResponse: boolean;
}

class Restoring {
  readonly #manifest: CrawlManifest;
  readonly #paths: CrawlPaths;
  readonly #parts: RestoringParts;
  readonly #reader: CrawlReader;
  readonly #options: RestoreOptions;
  /** The newest version of each kept page, as far as the frontier knows. */
  readonly #inForce: Map<CanonicalUrl, RecordId>;
  /** Those whose record is not found yet. */
  readonly #missing: Map<RecordId, CanonicalUrl>;
  /** The records of each page, in the order of the file. */
  readonly #versions = new Map<CanonicalUrl, Version[]>();
  /** Models that ever judged pages of this crawl. */
  readonly #models: ReadonlySet<string>;
  #kept = 0;
  readonly #newer = new Set<CanonicalUrl>();
  #others = 0;
  #records = 0;
  #uncommitted = 0;

  private constructor(manifest: CrawlManifest, paths: CrawlPaths, parts: RestoringParts, reader: CrawlReader, options: RestoreOptions) {
    this.#manifest = manifest;
    this.#paths = paths;
    this.#parts = parts;
    this.#reader = reader;
    this.#options = options;
    this.#missing = recordsOf(parts);
    this.#inForce = new Map([...this.#missing].map(([id, url]) => [url, id]));
    const { topic, topics, relabelled } = manifest;
    this.#models = new Set([topic, ...topics].map(({ id }) => id).concat(relabelled.flatMap(({ from, to }) => [from, to])));
  }

  static async begin(frontier: Frontier, manifest: CrawlManifest, paths: CrawlPaths, options: RestoreOptions): Promise<Restoring> {
    const scorer = resumeLinkScorer(manifest, paths, frontier);
    const reader = await CrawlReader.of(manifest, paths, scorer.judgement);
    return new Restoring(manifest, paths, partsOf(frontier, manifest, scorer), reader, options);
  }

  get restored(): Restored {
    let withoutResponse = 0;
    for (const url of this.#inForce.keys()) if (this.#versionInForce(url)?.hasResponse === false) withoutResponse += 1;
    const lost = new Set(this.#missing.values());
    const isKnown = ({ url, id }: CorpusRecord) => this.#inForce.has(url) && !lost.has(url) && this.#versionOf(url, id) !== null;
    return { isKnown, kept: this.#kept, versions: this.#newer.size, others: this.#others, records: this.#records, withoutResponse, lost };
  }

  /** With the corpus as it is now. */
  async #commitNowAndThen(): Promise<void> {
    if (this.#uncommitted < (this.#options.commitEvery ?? COMMITTED_AT_ONCE)) return;
    this.#options.mayWrite();
    await this.#parts.frontier.commit(await corpusSizes(this.#paths.corpus), Promise.resolve());
    this.#uncommitted = 0;
  }

  /** What records there are; their texts are read when they are wanted. */
  async *records(): AsyncGenerator<void> {
    for await (const { record, place } of placedRecords(this.#paths.corpus, undefined, () => undefined)) {
      // Of another crawl.
      if (this.#models.has(record.modelId)) this.#know(record, place);
      yield;
    }
    await this.#passOverOtherRecords();
  }

  #know({ id, url, fetchedAt }: CorpusRecord, place: RecordPlace, isRewritten = false): void {
    this.#missing.delete(id);
    const version = { id, at: Date.parse(fetchedAt), place, isRewritten, hasResponse: false };
    const known = this.#versions.get(url);
    if (known) known.push(version);
    else this.#versions.set(url, [version]);
  }

  /** Where the frontier knows of none of the records, it passes them over. @throws StoreError where nothing says which of the two is the crawl's, or the WARC files are not */
  async #passOverOtherRecords(): Promise<void> {
    const ids = new Set([...this.#versions.values()].flatMap((versions) => versions.map(({ id }) => id)));
    const warc = ids.size === 0 ? null : await responseOfNone(this.#paths.corpus, ids);
    if (warc === null) return;
    const areKnown = [...this.#inForce.values()].some((id) => ids.has(id));
    if (!this.#options.isNew && !areKnown) return this.#versions.clear();
    const records = join(this.#paths.corpus, RECORDS_FILE);
    const [url] = this.#versions.keys();
    throw new StoreError(
      'STORE_CORRUPT',
      `${records}: has ${ids.size} records, the first of ${url}, and ${warc} has the response of none of them: the two are of different crawls; ${
        areKnown
          ? `restore ${warc} from a copy, or put it elsewhere and run forager repair again`
          : `restore the right one from a copy, or put ${records} elsewhere and run forager repair again: it writes records anew from the WARC files`
      }`,
    );
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
        await this.#commitNowAndThen();
        yield;
      }
    } finally {
      web.close();
    }
  }

  #restoreVisit(visit: FrozenVisit): void {
    const first = this.#inForce.has(visit.url) ? null : this.#firstOf(visit.url);
    const read = visit.kind === 'page' ? this.#reader.ofContent(visit.url, visit.content) : null;
    if (first) this.#keep(visit.url, first, read);
    else if (restoreVisit(visit, read, Date.parse(this.#manifest.createdAt), this.#parts)) {
      this.#others += 1;
      this.#uncommitted += 1;
    }
  }

  /** The pages of the WARC files: those without a record are given one. */
  async *inWarc(): AsyncGenerator<void> {
    const sizes = await corpusSizes(this.#paths.corpus);
    for await (const page of readKeptPages(this.#paths.corpus, sizes, () => undefined)) {
      this.#takePage(page);
      await this.#commitNowAndThen();
      yield;
    }
  }

  #takePage(page: KeptPage): void {
    const { url, recordId } = page;
    const version = this.#versionOf(url, recordId) ?? this.#makeRecord(page);
    version.hasResponse = true;
    if (!this.#inForce.has(url)) this.#keep(url, version, this.#reader.ofPage(page));
    else if (this.#isNewer(url, version)) this.#makeCurrent(url, version, this.#reader.ofPage(page));
  }

  /** A line for a page that has lost its own. */
  #makeRecord(page: KeptPage): Version {
    const { url, recordId } = page;
    const known = this.#parts.frontier.find(url);
    const read = this.#reader.ofPage(page);
    const parts = { ...this.#parts, newRecordId: () => recordId };
    const fetched = fetchedPageOf(page);
    const record = toRecord(known?.entry ?? entryWithoutWay(url), fetched, read.extraction, read, payloadDigest(fetched), parts);
    const line = storedRecordLine(record);
    const path = join(this.#paths.corpus, RECORDS_FILE);
    this.#options.mayWrite();
    appendFileSync(path, line, { flush: true });
    this.#records += 1;
    this.#know(record, { start: statSync(path).size - line.length, length: line.length - 1 }, true);
    return this.#known(this.#versionOf(url, recordId), url);
  }

  /** Pages whose bytes are lost, whose links are not known; and versions that the frontier does not know. */
  async *byRecordAlone(): AsyncGenerator<void> {
    for (const [url, versions] of this.#versions) {
      if (!this.#inForce.has(url) && this.#options.isNew) this.#keep(url, this.#known(this.#firstOf(url), url), null);
      const newest = this.#inForce.has(url) ? this.#newestOf(url, versions) : null;
      if (newest !== null) this.#makeCurrent(url, newest, null);
      await this.#commitNowAndThen();
      yield;
    }
  }

  #versionOf(url: CanonicalUrl, id: RecordId): Version | null {
    return this.#versions.get(url)?.find((version) => version.id === id) ?? null;
  }

  #versionInForce(url: CanonicalUrl): Version | null {
    const id = this.#inForce.get(url);
    return id === undefined ? null : this.#versionOf(url, id);
  }

  #firstOf(url: CanonicalUrl): Version | null {
    return this.#versions.get(url)?.reduce((first, version) => (version.at < first.at ? version : first)) ?? null;
  }

  /** What is newer than the version in force; the newest of all where that is lost; null where it is to stay. */
  #newestOf(url: CanonicalUrl, versions: readonly Version[]): Version | null {
    const newer = this.#versionInForce(url) === null ? versions : versions.filter((version) => this.#isNewer(url, version));
    return newer.reduce<Version | null>((newest, version) => (newest === null || version.at >= newest.at ? version : newest), null);
  }

  /** A clock that was set back dates a later line earlier: only what is later by both is newer. */
  #isNewer(url: CanonicalUrl, { at, place, isRewritten }: Version): boolean {
    const inForce = this.#versionInForce(url);
    if (inForce === null || at <= inForce.at) return false;
    return isRewritten || inForce.isRewritten || place.start > inForce.place.start;
  }

  #keep(url: CanonicalUrl, version: Version, read: Read | null): void {
    const record = recordAt(this.#paths.corpus, version.place);
    if (!restoreKept(record, this.#judgementOf(record, read), read, this.#parts)) return;
    this.#inForce.set(url, version.id);
    this.#kept += 1;
    this.#uncommitted += 1;
  }

  #makeCurrent(url: CanonicalUrl, version: Version, read: Read | null): void {
    const record = recordAt(this.#paths.corpus, version.place);
    if (!restoreVersion(record, this.#judgementOf(record, read), read, this.#parts)) return;
    const before = this.#inForce.get(url);
    if (before !== undefined) this.#missing.delete(before);
    this.#inForce.set(url, version.id);
    this.#newer.add(url);
    this.#uncommitted += 1;
  }

  #known(version: Version | null, url: CanonicalUrl): Version {
    if (version === null) throw new InvariantError(`repair: ${url} has a record, and no version`);
    return version;
  }

  /** As the model of that time judged it; after a relabelling as the model in force does, where there is a text to judge. */
  #judgementOf(record: CorpusRecord, read: Read | null): RestoredJudgement {
    if (read && (this.#manifest.relabelled.length > 0 || this.#manifest.topics.length > 0))
      return { modelId: this.#manifest.topic.id, relevance: read.relevance, ...(read.relevances && { relevances: read.relevances }) };
    const relevances = record.topics?.map(({ relevance }) => relevance);
    return {
      modelId: relevances ? this.#manifest.topic.id : record.modelId,
      relevance: record.relevance,
      ...(relevances && { relevances }),
    };
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
    const pages = new PageExtractor({ productToken: PRODUCT_TOKEN, extractor, ...(fields && { fields }) });
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
  return { url, task: PAGE, host: hostKeyOf(url), priority: 1, depth: 0, offTopicDepth: 0, edge: null, attempts: 0, redirects: 0 };
}
