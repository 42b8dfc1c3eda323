import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DamageError, DataError, damageIn } from '../core/errors.ts';
import { type FrozenLink, type FrozenVisit, frozenContent, frozenEnd } from '../core/frozen-visit.ts';
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import { redirectIn } from '../core/reason.ts';
import { Turns } from '../core/turns.ts';
import type { CanonicalUrl, Fate } from '../core/types.ts';
import { VISITS_FILE } from '../corpus/corpus-writer.ts';
import type { FrozenFile } from '../corpus/frozen-file.ts';
import { FrozenWeb } from '../corpus/frozen-web.ts';
import { type KeptPage, readKeptPages } from '../corpus/kept-pages.ts';
import { RECORDS_FILE, readRecords } from '../corpus/records.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import type { PageExtractor } from '../extract/extractor.ts';
import type { StoredVisit, StoredVisits } from '../frontier/stored-visits.ts';
import { textDigest } from '../label/judged-pages.ts';

/** What a frozen web holds, in URLs. */
export interface FrozenCounts {
  /** Pages with all their links. */
  readonly complete: number;
  /** Pages with those of their links only that were new to the crawl, or better than what it knew, when they were read. */
  readonly partial: number;
  readonly redirects: number;
  /** By robots.txt, content type, size or address. */
  readonly refused: number;
  readonly failed: number;
}

export interface FreezingWatch {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** One freezing of a crawl: recorded visits as they stand, the rest from corpus and frontier. */
export class Freezing {
  readonly #paths: CrawlPaths;
  readonly #visits: StoredVisits;
  readonly #offsets: CorpusOffsets;
  readonly #extractor: PageExtractor;
  readonly #out: FrozenFile;
  readonly #watch: FreezingWatch;
  readonly #counts: { -readonly [Key in keyof FrozenCounts]: number } = { complete: 0, partial: 0, redirects: 0, refused: 0, failed: 0 };
  /** Record id of each kept page, by its URL and by the digest of its payload; by that of later versions, too, where a duplicate has it. */
  readonly #records = new Map<string, string>();
  /** Pages whose bytes or text the corpus has, by record id: the kept one, and those that are the same. */
  readonly #inCorpus = new Map<string, StoredVisit[]>();
  readonly #turns = new Turns();
  #done = 0;

  constructor(paths: CrawlPaths, visits: StoredVisits, extractor: PageExtractor, out: FrozenFile, watch: FreezingWatch) {
    this.#paths = paths;
    this.#visits = visits;
    this.#offsets = visits.offsets;
    this.#extractor = extractor;
    this.#out = out;
    this.#watch = watch;
  }

  /** @throws DataError when nothing was visited, or something is damaged; StoreError; what `signal` was aborted with */
  async run(): Promise<FrozenCounts> {
    if (this.#visits.size === 0) throw new DataError(`${this.#paths.dir}: has visited nothing yet; go on with the crawl first`);
    await this.#findRecords();
    const recorded = await this.#recorded();
    try {
      for (const visit of this.#visits) {
        if (this.#take(visit, recorded)) await this.#tick();
      }
    } finally {
      recorded?.close();
    }
    for await (const page of readKeptPages(this.#paths.corpus, this.#offsets)) if (this.#extract(page)) await this.#tick();
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

  /** null for a crawl that was not recorded. */
  #recorded(): Promise<FrozenWeb> | null {
    const length = this.#offsets[VISITS_FILE] ?? 0;
    return length === 0
      ? null
      : FrozenWeb.open(join(this.#paths.corpus, VISITS_FILE), length).catch((error: unknown) => {
          throw damageIn(error);
        });
  }

  /** @returns false for a page that is to be had from the corpus, later. */
  #take(visit: StoredVisit, recorded: FrozenWeb | null): boolean {
    const { url, fate } = visit;
    const end = frozenEnd(url, fate, redirectIn(fate.reason));
    const at = recorded?.indexOf(url) ?? -1;
    if (recorded !== null && at >= 0) {
      this.#out.copy(recorded.member(at));
      this.#count(end, 'complete');
    } else if (fate.state === 'kept' || fate.state === 'duplicate') return this.#leave(visit);
    else if (end !== null) this.#add(end, 'complete');
    else if (fate.state === 'off-topic' || fate.reason === 'noindex') this.#addStored(visit, visit.page());
    return true;
  }

  #leave(visit: StoredVisit): false {
    const { url, fate } = visit;
    const id = fate.recordId ?? this.#records.get(fate.payloadSha256 ?? originalOf(fate) ?? url);
    if (id === undefined) throw lost(this.#paths, url);
    this.#inCorpus.set(id, [...(this.#inCorpus.get(id) ?? []), visit]);
    return false;
  }

  /** Read a kept page again as it was read then, for itself and for those that are the same. @returns false for one that is not asked for, or is not what was read */
  #extract({ recordId, headers, body }: KeptPage): boolean {
    const visits = this.#inCorpus.get(recordId) ?? [];
    const payloadSha256 = createHash('sha256').update(body).digest('hex');
    const [kept] = visits;
    // What was cut when it was unpacked unpacks to something else now.
    if (kept === undefined || (kept.fate.payloadSha256 ?? payloadSha256) !== payloadSha256) return false;
    for (const { url, fate } of visits) {
      const { outlinks, ...read } = this.#extractor.extract({ url, headers, body });
      const links = outlinks.map(({ url: target, ...words }) => ({ url: target, text: words }));
      this.#add({ url, status: fate.status, kind: 'page', content: frozenContent(read, links, payloadSha256) }, 'complete');
    }
    return this.#inCorpus.delete(recordId);
  }

  /** Pages that could not be unpacked: their text is in the corpus records, their links as far as the frontier has them. */
  async #addFromRecords(): Promise<void> {
    for await (const { id, title, text, lang } of readRecords(this.#paths.corpus, this.#offsets[RECORDS_FILE] ?? 0)) {
      for (const visit of this.#inCorpus.get(id) ?? []) this.#addStored(visit, { title, text, lang });
      this.#inCorpus.delete(id);
    }
    for (const [visit] of this.#inCorpus.values()) throw lost(this.#paths, visit?.url ?? '');
  }

  /** @param page null for one that asked not to be kept */
  #addStored({ url, fate, links }: StoredVisit, page: ReturnType<StoredVisit['page']>): void {
    const { title, text, lang } = page ?? { title: '', text: '', lang: null };
    const read = { title, text, lang, noindex: fate.reason === 'noindex', nofollow: false };
    // Without the bytes, pages of one title and text count as the same; of those without a text each is its own.
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

/** A page visited twice has two lists of links. */
function distinct(links: readonly FrozenLink[]): FrozenLink[] {
  return [...new Map(links.map((link) => [link.url, link])).values()];
}

/** The page it is a copy of; null for one that is none. */
function originalOf({ reason }: Fate): CanonicalUrl | null {
  return typeof reason === 'object' && reason.kind === 'copy' ? reason.of : null;
}

function lost({ corpus }: CrawlPaths, url: string): DataError {
  return new DamageError(`${url}: was kept, but is not in ${corpus}; restore the crawl directory from a copy`);
}
