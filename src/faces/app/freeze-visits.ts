import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DamageError, DataError, damageIn } from '../../base/core/errors.ts';
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import { type FrozenLink, type FrozenVisit, frozenContent, frozenEnd } from '../../base/core/frozen-visit.ts';
import { pageTexts } from '../../base/core/page-texts.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import { isReadRefusal, isWall, redirectIn } from '../../base/core/reason.ts';
import type { CanonicalUrl, Fate } from '../../base/core/types.ts';
import { VISITS_FILE } from '../../corpus/records/corpus-writer.ts';
import type { FrozenFile } from '../../corpus/records/frozen-file.ts';
import { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { type KeptPage, readKeptPages } from '../../corpus/records/kept-pages.ts';
import { RECORDS_FILE, readRecords } from '../../corpus/records/records.ts';
import { storedPage } from '../../corpus/select/stored-document.ts';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { StoredVisit, StoredVisits } from '../../crawling/frontier/stored-visits.ts';
import type { PageExtractor } from '../../reading/extract/extractor.ts';
import { textDigest } from '../../study/label/judged-pages.ts';

/** Numbers of URLs in a frozen web. */
export interface FrozenCounts {
  /** Pages with all their links. */
  readonly complete: number;
  /** Pages with only those links that, when the crawl read them, were new to it or better than the known ones. */
  readonly partial: number;
  readonly redirects: number;
  /** Refused for robots.txt, content type, size or address. */
  readonly refused: number;
  readonly failed: number;
}

export interface FreezingWatch {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** One freezing of a crawl: recorded visits are copied, the others come from corpus and frontier. */
export class Freezing {
  readonly #paths: CrawlPaths;
  readonly #visits: StoredVisits;
  readonly #offsets: CorpusOffsets;
  readonly #extractor: PageExtractor;
  readonly #out: FrozenFile;
  readonly #watch: FreezingWatch;
  readonly #counts: { -readonly [Key in keyof FrozenCounts]: number } = { complete: 0, partial: 0, redirects: 0, refused: 0, failed: 0 };
  /** Record id of each kept page, by its URL and by the digest of its payload; also by digests of later versions that a duplicate has. */
  readonly #records = new Map<string, string>();
  /** Pages whose bytes or text the corpus has, by record id: the kept page and its copies. */
  readonly #inCorpus = new Map<string, StoredVisit[]>();
  readonly #turns = new EventLoopYielder();
  #done = 0;

  constructor(paths: CrawlPaths, visits: StoredVisits, extractor: PageExtractor, out: FrozenFile, watch: FreezingWatch) {
    this.#paths = paths;
    this.#visits = visits;
    this.#offsets = visits.offsets;
    this.#extractor = extractor;
    this.#out = out;
    this.#watch = watch;
  }

  /** @throws DataError if nothing was visited, or if something is damaged; StoreError; the abort reason of `signal` */
  async run(): Promise<FrozenCounts> {
    if (this.#visits.size === 0) throw new DataError(`${this.#paths.dir}: has visited nothing yet; resume the crawl first`);
    await this.#findRecords();
    const recorded = await this.#recorded();
    try {
      for (const visit of this.#visits) {
        if (this.#take(visit, recorded)) await this.#tick();
      }
    } finally {
      recorded?.close();
    }
    for await (const page of readKeptPages(this.#paths.corpus, this.#offsets)) if (await this.#extract(page)) await this.#tick();
    if (this.#inCorpus.size > 0) await this.#addFromRecords();
    return this.#counts;
  }

  async #findRecords(): Promise<void> {
    const copied = new Set<string>();
    for (const { url, fate } of this.#visits) {
      if (fate.state === 'duplicate' && fate.payloadSha256 !== null) copied.add(fate.payloadSha256);
      if (fate.recordId === null) continue;
      this.#records.set(url, fate.recordId);
      if (fate.payloadSha256 !== null) this.#records.set(fate.payloadSha256, fate.recordId);
    }
    if ([...copied].every((payload) => this.#records.has(payload))) return;
    for await (const { id, payloadSha256 } of readRecords(this.#paths.corpus, this.#offsets[RECORDS_FILE] ?? 0))
      if (copied.has(payloadSha256)) this.#records.set(payloadSha256, id);
  }

  /** null for a crawl without a recording. */
  #recorded(): Promise<FrozenWeb> | null {
    const length = this.#offsets[VISITS_FILE] ?? 0;
    return length === 0
      ? null
      : FrozenWeb.open(join(this.#paths.corpus, VISITS_FILE), length).catch((error: unknown) => {
          throw damageIn(error);
        });
  }

  /** @returns false for a page that the corpus supplies later. */
  #take(visit: StoredVisit, recorded: FrozenWeb | null): boolean {
    const { url, fate } = visit;
    const end = frozenEnd(url, fate, redirectIn(fate.reason));
    const at = recorded?.indexOf(url) ?? -1;
    if (recorded !== null && at >= 0) {
      this.#out.copy(recorded.member(at));
      this.#count(end, 'complete');
    } else if (fate.state === 'kept' || fate.state === 'duplicate') return this.#leave(visit);
    else if (end !== null) this.#add(end, 'complete');
    else if (fate.state === 'off-topic' || isReadRefusal(fate.reason) || isWall(fate.reason)) this.#addStored(visit, visit.page());
    return true;
  }

  #leave(visit: StoredVisit): false {
    const { url, fate } = visit;
    const id = fate.recordId ?? this.#records.get(fate.payloadSha256 ?? originalOf(fate) ?? url);
    if (id === undefined) throw lost(this.#paths, url);
    this.#inCorpus.set(id, [...(this.#inCorpus.get(id) ?? []), visit]);
    return false;
  }

  /**
   * Read a kept page again in the same way as before, for itself and its copies.
   * @returns false for a page that is not needed, or whose bytes differ from those read then
   */
  async #extract(stored: KeptPage): Promise<boolean> {
    const { recordId } = stored;
    const visits = this.#inCorpus.get(recordId) ?? [];
    const payloadSha256 = createHash('sha256').update(stored.body).digest('hex');
    const [kept] = visits;
    // A body that was cut while it was unpacked may unpack differently now.
    if (kept === undefined || (kept.fate.payloadSha256 ?? payloadSha256) !== payloadSha256) return false;
    for (const { url, fate } of visits) {
      const page = await storedPage({ ...stored, url });
      if (page === null) return false;
      const { outlinks, ...read } = this.#extractor.extract(page);
      const links = outlinks.map(({ url: target, ...words }) => ({ url: target, text: words }));
      this.#add({ url, status: fate.status, kind: 'page', content: frozenContent(read, links, payloadSha256) }, 'complete');
    }
    return this.#inCorpus.delete(recordId);
  }

  /** Pages that could not be unpacked: the corpus records have their text, and the frontier has some of their links. */
  async #addFromRecords(): Promise<void> {
    for await (const record of readRecords(this.#paths.corpus, this.#offsets[RECORDS_FILE] ?? 0)) {
      for (const visit of this.#inCorpus.get(record.id) ?? []) this.#addStored(visit, pageTexts(record));
      this.#inCorpus.delete(record.id);
    }
    for (const [visit] of this.#inCorpus.values()) throw lost(this.#paths, visit?.url ?? '');
  }

  /** @param page null for a wall, and for a page that asked not to be kept */
  #addStored({ url, fate, links }: StoredVisit, page: ReturnType<StoredVisit['page']>): void {
    const texts = page ?? { title: '', text: '', lang: null };
    const { title, text } = texts;
    const read = { ...texts, noindex: fate.reason === 'noindex', nofollow: false };
    // Without the bytes, pages with the same title and text count as the same; a page without text is only the same as itself.
    const payloadSha256 = fate.payloadSha256 ?? textDigest({ title: text === '' ? url : title, text });
    this.#add(
      {
        url,
        status: fate.status,
        kind: 'page',
        content: frozenContent(read, distinct(links().filter(({ task }) => task.kind === 'page')), payloadSha256),
      },
      'partial',
    );
  }

  #add(visit: FrozenVisit, links: 'complete' | 'partial'): void {
    this.#out.add(visit);
    this.#count(visit.kind === 'page' ? null : visit, links);
  }

  /** @param end null for a page */
  #count(end: FrozenVisit | null, links: 'complete' | 'partial'): void {
    if (end === null) this.#counts[links] += 1;
    else if (end.kind === 'redirect') this.#counts.redirects += 1;
    else if (end.kind === 'refused') this.#counts.refused += 1;
    else this.#counts.failed += 1;
  }

  async #tick(): Promise<void> {
    this.#done += 1;
    this.#watch.onProgress?.(this.#done, this.#visits.size);
    await this.#turns.take();
    this.#watch.signal?.throwIfAborted();
  }
}

/** A page that was visited twice has two lists of links. */
function distinct(links: readonly FrozenLink[]): FrozenLink[] {
  return [...new Map(links.map((link) => [link.url, link])).values()];
}

/** The page that this one is a copy of; null if it is no copy. */
function originalOf({ reason }: Fate): CanonicalUrl | null {
  return typeof reason === 'object' && reason.kind === 'copy' ? reason.of : null;
}

function lost({ corpus }: CrawlPaths, url: string): DataError {
  return new DamageError(`${url}: was kept, but is not in ${corpus}; restore the crawl directory from a copy`);
}
