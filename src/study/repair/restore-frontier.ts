/** Adds to a frontier the visits that only corpus and recording contain. Makes no request. */

import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT_KIND_NAMES } from '../../base/core/document-kind-names.ts';
import { InvariantError, StoreError } from '../../base/core/errors.ts';
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import { type FrozenContent, type FrozenVisit, frozenExtraction } from '../../base/core/frozen-visit.ts';
import { pageTexts } from '../../base/core/page-texts.ts';
import type { Frontier } from '../../base/core/parts/queueing.ts';
import type { LinkJudgement, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import {
  type Absence,
  type CanonicalUrl,
  type CorpusRecord,
  type EpochMs,
  type FetchedPage,
  type FrontierEntry,
  PAGE,
  type RecordId,
} from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { simhash } from '../../base/text/simhash.ts';
import { hostKeyOf, routeOf } from '../../base/web/url.ts';
import { ABSENCES_FILE, readAbsences } from '../../corpus/records/absences.ts';
import { corpusSizes, VISITS_FILE } from '../../corpus/records/corpus-writer.ts';
import { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { type KeptPage, readKeptPages, responseOfNone } from '../../corpus/records/kept-pages.ts';
import { placedRecords, RECORDS_FILE, type RecordPlace, recordAt, storedRecordLine } from '../../corpus/records/records.ts';
import { StoredRobots } from '../../corpus/records/stored-robots.ts';
import { newRecordId } from '../../corpus/records/warc-record.ts';
import { judgedAsAlternate } from '../../crawling/crawl/alternates.ts';
import { keptPayloads } from '../../crawling/crawl/kept-payloads.ts';
import { payloadDigest, toRecord } from '../../crawling/crawl/page-records.ts';
import {
  type RestoredJudgement,
  type RestoringParts,
  restoreAbsence,
  restoreKept,
  restoreVersion,
  restoreVisit,
} from '../../crawling/crawl/restore.ts';
import { recordsOf } from '../../crawling/crawl-dir/corpus-soundness.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { expansionOf, scopeOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { resumeLinkScorer } from '../../crawling/crawl-dir/crawl-scorer.ts';
import { openFieldRules } from '../../crawling/crawl-dir/field-rules-file.ts';
import { commonMethod, loadOwnModels } from '../../crawling/crawl-dir/load-topic.ts';
import { alternateSource } from '../../crawling/reader/alternate-source.ts';
import { type PageReading, pageReading } from '../../crawling/reader/page-reading.ts';
import { readAny } from '../../crawling/reader/read-page.ts';
import { judgeWords } from '../../reading/links/link-words.ts';
import type { RepairOptions } from './repair-crawl.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

export interface Restored {
  /** Pages of the corpus that the frontier did not know as kept. */
  readonly kept: number;
  /** Kept pages for which it named a version other than the newest of the corpus. */
  readonly versions: number;
  /** Kept pages whose last absence it did not know: gone, moved, not to be kept, or back. */
  readonly absences: number;
  /** Other visits, from the recording. */
  readonly others: number;
  /** Lines of records.jsonl written again from WARC records. */
  readonly records: number;
  /** Kept pages whose WARC record is lost: their text is in records.jsonl. */
  readonly withoutResponse: number;
  /** Kept pages of the frontier of which the corpus contains nothing. */
  readonly lost: ReadonlySet<CanonicalUrl>;
  /** Does it belong to a page that the frontier has kept? All others belong to another crawl. */
  readonly isKnown: (record: CorpusRecord) => boolean;
}

/** Options of restoring, apart from the crawl. */
export interface RestoreOptions extends Pick<RepairOptions, 'onProgress' | 'signal'> {
  /** The frontier contains no visits: records without a WARC record are accepted too. In an older frontier they could belong to another crawl. */
  readonly isNew: boolean;
  /** Called immediately before anything is written: it throws if the crawl no longer belongs to this process. */
  readonly mayWrite: () => void;
  /** Number of visits in a commit. Default 2,000. */
  readonly commitEvery?: number;
}

/** Number of visits that fit in memory easily: about 10 KB each. */
const COMMITTED_AT_ONCE = 2000;

/**
 * Commits the frontier from time to time, and the caller commits at the end: needs about 500 bytes of memory a kept page, in addition to an open
 * frontier.
 * @param frontier as its last commit left it, with its seeds
 * @throws StoreError if the corpus contains two crawls
 */
export async function restoreFrontier(
  frontier: Frontier,
  manifest: CrawlManifest,
  paths: CrawlPaths,
  options: RestoreOptions,
): Promise<Restored> {
  const { onProgress, signal } = options;
  const turns = new EventLoopYielder();
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
  // Visits through links that only a page without a record had were skipped; that page is restored now.
  if (restoring.restored.records > 0) await step('reading the recording', restoring.recorded());
  await step('reading kept pages', restoring.byRecordAlone());
  await step('reading the records', restoring.absent());
  return restoring.restored;
}

/** A record of the corpus: one version of its page. */
interface Version {
  readonly id: RecordId;
  readonly at: EpochMs;
  readonly place: RecordPlace;
  /** Was its line lost, and written again at the end of the file? */
  readonly isRewritten: boolean;
  /** Do the WARC files contain its response? */
  hasResponse: boolean;
}

class Restoring {
  readonly #manifest: CrawlManifest;
  readonly #paths: CrawlPaths;
  readonly #parts: RestoringParts;
  readonly #reader: CrawlReader;
  readonly #options: RestoreOptions;
  readonly #robots: StoredRobots;
  /** The newest version of each kept page, as the frontier knows it. */
  readonly #active: Map<CanonicalUrl, RecordId>;
  /** Pages whose record is not found yet. */
  readonly #missing: Map<RecordId, CanonicalUrl>;
  /** The records of each page, in the order of the file. */
  readonly #versions = new Map<CanonicalUrl, Version[]>();
  /** URLs of the records whose responses have them without their route. */
  readonly #routed = new Map<RecordId, CanonicalUrl>();
  /** All models that ever judged pages of this crawl. */
  readonly #models: ReadonlySet<string>;
  #kept = 0;
  readonly #newer = new Set<CanonicalUrl>();
  #absences = 0;
  #others = 0;
  #records = 0;
  #uncommitted = 0;

  private constructor(
    manifest: CrawlManifest,
    paths: CrawlPaths,
    parts: RestoringParts,
    reader: CrawlReader,
    robots: StoredRobots,
    options: RestoreOptions,
  ) {
    this.#manifest = manifest;
    this.#robots = robots;
    this.#paths = paths;
    this.#parts = parts;
    this.#reader = reader;
    this.#options = options;
    this.#missing = recordsOf(parts);
    this.#active = new Map([...this.#missing].map(([id, url]) => [url, id]));
    const { topic, topics, relabelled } = manifest;
    this.#models = new Set([topic, ...topics].map(({ id }) => id).concat(relabelled.flatMap(({ from, to }) => [from, to])));
  }

  static async begin(frontier: Frontier, manifest: CrawlManifest, paths: CrawlPaths, options: RestoreOptions): Promise<Restoring> {
    const scorer = resumeLinkScorer(manifest, paths, frontier);
    const reader = await CrawlReader.of(manifest, paths, scorer.judgement);
    const robots = await StoredRobots.read(paths.corpus, PRODUCT_TOKEN);
    const parts = { ...partsOf(frontier, manifest, scorer), alternates: await alternateSource(manifest.alternates) };
    return new Restoring(manifest, paths, parts, reader, robots, options);
  }

  get restored(): Restored {
    let withoutResponse = 0;
    for (const url of this.#active.keys()) if (this.#activeVersion(url)?.hasResponse === false) withoutResponse += 1;
    const lost = new Set(this.#missing.values());
    const isKnown = ({ url, id }: CorpusRecord) => this.#active.has(url) && !lost.has(url) && this.#versionOf(url, id) !== null;
    const counts = { kept: this.#kept, versions: this.#newer.size, absences: this.#absences, others: this.#others, records: this.#records };
    return { isKnown, ...counts, withoutResponse, lost };
  }

  /** Commits with the current state of the corpus. */
  async #commitNowAndThen(): Promise<void> {
    if (this.#uncommitted < (this.#options.commitEvery ?? COMMITTED_AT_ONCE)) return;
    this.#options.mayWrite();
    await this.#parts.frontier.commit(await corpusSizes(this.#paths.corpus), Promise.resolve());
    this.#uncommitted = 0;
  }

  /** Finds all records; their texts are read on demand. */
  async *records(): AsyncGenerator<void> {
    for await (const { record, place } of placedRecords(this.#paths.corpus, undefined, () => undefined)) {
      // Otherwise it belongs to another crawl.
      if (this.#models.has(record.modelId)) this.#know(record, place);
      yield;
    }
    await this.#skipOtherRecords();
  }

  #know({ id, url, fetchedAt }: CorpusRecord, place: RecordPlace, isRewritten = false): void {
    if (routeOf(url) !== '') this.#routed.set(id, url);
    this.#missing.delete(id);
    const version = { id, at: Date.parse(fetchedAt), place, isRewritten, hasResponse: false };
    const known = this.#versions.get(url);
    if (known) known.push(version);
    else this.#versions.set(url, [version]);
  }

  /**
   * Ignores the records if the frontier knows none of them.
   * @throws StoreError if nothing shows which of the two belongs to the crawl, or if the WARC files do not
   */
  async #skipOtherRecords(): Promise<void> {
    const ids = new Set([...this.#versions.values()].flatMap((versions) => versions.map(({ id }) => id)));
    const warc = ids.size === 0 ? null : await responseOfNone(this.#paths.corpus, ids);
    if (warc === null) return;
    const areKnown = [...this.#active.values()].some((id) => ids.has(id));
    if (!this.#options.isNew && !areKnown) return this.#versions.clear();
    const records = join(this.#paths.corpus, RECORDS_FILE);
    const [url] = this.#versions.keys();
    throw new StoreError(
      'STORE_CORRUPT',
      `${records}: has ${ids.size} records, the first of ${url}, and ${warc} has the response of none of them: the two are of different crawls; ${
        areKnown
          ? `restore ${warc} from a copy, or put it elsewhere and run ${foragerCommand('repair')} again`
          : `restore the right one from a copy, or move ${records} elsewhere and run ${foragerCommand('repair')} again: it writes the records from the WARC files`
      }`,
    );
  }

  /** The visits of the recording, in their order. */
  async *recorded(): AsyncGenerator<void> {
    const path = join(this.#paths.corpus, VISITS_FILE);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
    const web = await FrozenWeb.open(path).catch(() => null);
    // It contains no visits any more.
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
    const first = this.#active.has(visit.url) ? null : this.#firstOf(visit.url);
    const read = visit.kind === 'page' ? this.#reader.ofContent(visit.url, visit.content) : null;
    if (first) this.#keep(visit.url, first, read);
    else if (restoreVisit(visit, read, Date.parse(this.#manifest.createdAt), this.#parts)) {
      this.#others += 1;
      this.#uncommitted += 1;
    }
  }

  /** The pages of the WARC files: those without a record get one. */
  async *inWarc(): AsyncGenerator<void> {
    const sizes = await corpusSizes(this.#paths.corpus);
    for await (const page of readKeptPages(this.#paths.corpus, sizes, () => undefined)) {
      await this.#takePage(page);
      await this.#commitNowAndThen();
      yield;
    }
  }

  async #takePage(stored: KeptPage): Promise<void> {
    const { recordId } = stored;
    const url = this.#routed.get(recordId) ?? stored.url;
    const page = { ...stored, url };
    const known = this.#versionOf(url, recordId);
    const read = known === null || !this.#active.has(url) || this.#isNewer(url, known) ? await this.#reader.ofPage(page) : null;
    const version = known ?? (read && this.#makeRecord(page, read));
    // A damaged document without a record.
    if (version === null) return;
    version.hasResponse = true;
    if (!this.#active.has(url)) this.#keep(url, version, read);
    else if (this.#isNewer(url, version)) this.#makeCurrent(url, version, read);
  }

  /** A line for a page that has lost its own. */
  #makeRecord(page: KeptPage, read: Read): Version {
    const { url, recordId } = page;
    const known = this.#parts.frontier.find(url);
    const fetched = fetchedPageOf(page);
    const statements = (of: CanonicalUrl) => this.#robots.statements(of, fetched.startedAt);
    const parts = { ...this.#parts, newRecordId: () => recordId, robots: { statements } };
    const entry = known?.entry ?? entryWithoutWay(url);
    const record = toRecord(entry, fetched, read.extraction, judgedAsAlternate(entry, read, parts), payloadDigest(fetched), parts);
    const line = storedRecordLine({ ...record, ...page.rendering });
    const path = join(this.#paths.corpus, RECORDS_FILE);
    this.#options.mayWrite();
    appendFileSync(path, line, { flush: true });
    this.#records += 1;
    this.#know(record, { start: statSync(path).size - line.length, length: line.length - 1 }, true);
    return this.#known(this.#versionOf(url, recordId), url);
  }

  /** Pages whose bytes are lost, so that their links are unknown; and versions that the frontier does not know. */
  async *byRecordAlone(): AsyncGenerator<void> {
    for (const [url, versions] of this.#versions) {
      if (!this.#active.has(url) && this.#options.isNew) this.#keep(url, this.#known(this.#firstOf(url), url), null);
      const newest = this.#active.has(url) ? this.#newestOf(url, versions) : null;
      if (newest !== null) this.#makeCurrent(url, newest, null);
      await this.#commitNowAndThen();
      yield;
    }
  }

  /** Absences of newest versions that are later than the last answer which the frontier knows. */
  async *absent(): AsyncGenerator<void> {
    const { corpus } = this.#paths;
    const last = new Map<CanonicalUrl, Absence>();
    for await (const absence of readAbsences(corpus, (await corpusSizes(corpus))[ABSENCES_FILE] ?? 0)) {
      const before = last.get(absence.url);
      if (before === undefined || Date.parse(absence.at) >= Date.parse(before.at)) last.set(absence.url, absence);
      yield;
    }
    for (const [url, absence] of last) {
      const known = this.#parts.frontier.find(url)?.line.revisit;
      const isNews = this.#active.get(url) === absence.recordId && (known === undefined || known.at < Date.parse(absence.at));
      if (isNews && restoreAbsence(absence, this.#parts)) {
        this.#absences += 1;
        this.#uncommitted += 1;
      }
      await this.#commitNowAndThen();
      yield;
    }
  }

  #versionOf(url: CanonicalUrl, id: RecordId): Version | null {
    return this.#versions.get(url)?.find((version) => version.id === id) ?? null;
  }

  #activeVersion(url: CanonicalUrl): Version | null {
    const id = this.#active.get(url);
    return id === undefined ? null : this.#versionOf(url, id);
  }

  #firstOf(url: CanonicalUrl): Version | null {
    return this.#versions.get(url)?.reduce((first, version) => (version.at < first.at ? version : first)) ?? null;
  }

  /** The version that is newer than the current one; the newest of all if that is lost; null if the current one stays. */
  #newestOf(url: CanonicalUrl, versions: readonly Version[]): Version | null {
    const newer = this.#activeVersion(url) === null ? versions : versions.filter((version) => this.#isNewer(url, version));
    return newer.reduce<Version | null>((newest, version) => (newest === null || version.at >= newest.at ? version : newest), null);
  }

  /** True if a version is newer by date and by place. If the clock was set back, a later line may have an earlier date. */
  #isNewer(url: CanonicalUrl, { at, place, isRewritten }: Version): boolean {
    const active = this.#activeVersion(url);
    if (active === null || at <= active.at) return false;
    return isRewritten || active.isRewritten || place.start > active.place.start;
  }

  #keep(url: CanonicalUrl, version: Version, read: Read | null): void {
    const record = recordAt(this.#paths.corpus, version.place);
    if (!restoreKept(record, this.#judgementOf(record, read), read, this.#parts)) return;
    this.#active.set(url, version.id);
    this.#kept += 1;
    this.#uncommitted += 1;
  }

  #makeCurrent(url: CanonicalUrl, version: Version, read: Read | null): void {
    const record = recordAt(this.#paths.corpus, version.place);
    if (!restoreVersion(record, this.#judgementOf(record, read), read, this.#parts)) return;
    const before = this.#active.get(url);
    if (before !== undefined) this.#missing.delete(before);
    this.#active.set(url, version.id);
    this.#newer.add(url);
    this.#uncommitted += 1;
  }

  #known(version: Version | null, url: CanonicalUrl): Version {
    if (version === null) throw new InvariantError(`repair: ${url} has a record, and no version`);
    return version;
  }

  /** The judgement of the model of that time; after a relabelling, that of the active model, if there is a text that it can judge. */
  #judgementOf(record: CorpusRecord, read: Read | null): RestoredJudgement {
    if (read && record.alternateOf === undefined && (this.#manifest.relabelled.length > 0 || this.#manifest.topics.length > 0))
      return { modelId: this.#manifest.topic.id, relevance: read.relevance, ...(read.relevances && { relevances: read.relevances }) };
    const relevances = record.topics?.map(({ relevance }) => relevance);
    return {
      modelId: relevances ? this.#manifest.topic.id : record.modelId,
      relevance: record.relevance,
      ...(relevances && { relevances }),
    };
  }
}

/** Reads pages like the crawl does, on this thread. */
class CrawlReader {
  readonly #reading: PageReading;

  private constructor(reading: PageReading) {
    this.#reading = reading;
  }

  static async of(manifest: CrawlManifest, paths: CrawlPaths, judgement: LinkJudgement): Promise<CrawlReader> {
    const models = await loadOwnModels(paths, manifest);
    const extractor = commonMethod(
      models,
      models.map(({ name }) => name),
    );
    const fields = manifest.fieldRules === null ? null : (await openFieldRules(paths.fieldRules)).reader;
    const options = { productToken: PRODUCT_TOKEN, extractor, ...(fields && { fields }) };
    return new CrawlReader(await pageReading(models, judgement, options, false, DOCUMENT_KIND_NAMES));
  }

  /** null for a document that is damaged now. */
  async ofPage({ url, headers, body, rendered }: KeptPage): Promise<Read | null> {
    const read = await readAny({ url, headers, body, ...(rendered && { rendered }) }, this.#reading);
    return read.kind === 'read' ? read : null;
  }

  /** Reads a page of the recording, whose markup is not stored. */
  ofContent(url: CanonicalUrl, content: FrozenContent): Read {
    const { committee, judgement, languageOf } = this.#reading;
    const wanted = { anchor: judgement === 'anchor-and-context', context: judgement !== 'none' };
    const judged = committee.judge({ ...pageTexts(content), url, lang: languageOf(content) });
    const read = content.links.map((link) => ({ url: link.url, text: { ...link.text, ...judgeWords(link.text, committee, wanted) } }));
    return { kind: 'read', extraction: frozenExtraction(content), links: read, ...judged, simhash: simhash(content.text) };
  }
}

/** The parts that settling needs; fetches nothing, and writes only records to the corpus. */
function partsOf(frontier: Frontier, manifest: CrawlManifest, scorer: LinkScorer): Omit<RestoringParts, 'alternates'> {
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

/** Facts about a fetched page that are not stored are unknown. */
function fetchedPageOf({ url, status, headers, body, date }: KeptPage): FetchedPage {
  const unknown = { statusText: '', rawHeaders: [], requestHeaders: [], truncated: false, ip: null };
  return { ...unknown, url, status, headers, body, wireBody: body, startedAt: date, endedAt: date };
}

/** An entry for a page whose path to it is lost. */
function entryWithoutWay(url: CanonicalUrl): FrontierEntry {
  return { url, task: PAGE, host: hostKeyOf(url), priority: 1, depth: 0, offTopicDepth: 0, edge: null, attempts: 0, redirects: 0 };
}
