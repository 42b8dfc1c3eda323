/** Looks for a keyword in a page, in the pages that it links to, and so on, level by level. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { failureText } from '../../base/core/failure-words.ts';
import type { CanonicalUrl, FetchedPage } from '../../base/core/types.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { decodeText } from '../../base/web/charset.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import { canonicalize } from '../../base/web/url.ts';
import { type FetchFailure, type FetchListOptions, ListRequests } from '../../crawling/input/fetch-list.ts';
import { pageUrls } from '../../reading/extract/page-urls.ts';

/** Level of the last pages; the start page is level 1. */
export const LAST_LEVEL = 5;
/** Most characters of a keyword. */
export const LONGEST_KEYWORD = 100;

export interface HuntOptions {
  /** `host:port/path`; `http://` and port 80 need not be written. */
  readonly start: string;
  readonly keyword: string;
  /** Folder for all pages that were fetched; absent or '' for none. */
  readonly outputDir?: string;
  readonly fetch?: Partial<FetchListOptions>;
  readonly signal?: AbortSignal;
  /** Called when a level begins. @param pages number of its pages */
  readonly onLevel?: (level: number, pages: number) => void;
}

export interface HuntReport {
  /** null if no page has the keyword. */
  readonly found: { readonly url: CanonicalUrl; readonly level: number; readonly line: number; readonly text: string } | null;
  /** Number of pages that were fetched. */
  readonly pages: number;
  /** Last level that was looked at. */
  readonly level: number;
}

/**
 * Fetches the start page; if the keyword is not in it, all pages it links to, then theirs, to level 5. A level is looked at in the order of its links, and
 * the hunt ends at the first page that has the keyword. Requests are as polite as those of a crawl. Capital and small letters are alike.
 * @throws UsageError for a start that is no URL, a start page that cannot be fetched, or a keyword that is empty or too long; StoreError; the reason of `signal`
 */
export async function huntKeyword(options: HuntOptions): Promise<HuntReport> {
  const start = startOf(options.start);
  const keyword = checkedKeyword(options.keyword);
  const outputDir = options.outputDir || null;
  if (outputDir !== null) openFolder(outputDir);
  return Hunt.run(start, keyword, outputDir, options);
}

/** @throws UsageError for a folder with files in it */
function openFolder(dir: string): void {
  makeDirectory(dir);
  if (readdirSync(dir).length > 0) throw new UsageError(`${dir}: is not empty; give an empty folder, or one that is not there yet`);
}

function startOf(start: string): CanonicalUrl {
  const url = canonicalize(/^https?:\/\//i.test(start) ? start : `http://${start}`);
  if (url === null) throw new UsageError(`${start}: not a usable URL; write host:port/path, e.g. example.org/index.html`);
  return url;
}

function checkedKeyword(keyword: string): string {
  if (keyword.trim() === '') throw new UsageError('keyword: is empty; give the words to look for');
  if ([...keyword].length > LONGEST_KEYWORD)
    throw new UsageError(`keyword: has ${[...keyword].length} characters, more than ${LONGEST_KEYWORD}; give a shorter one`);
  return keyword.toLowerCase();
}

/** The hit and the links of a page. */
interface Looked {
  readonly hit: { readonly line: number; readonly text: string } | null;
  readonly links: readonly CanonicalUrl[];
}

class Hunt {
  readonly #keyword: string;
  readonly #outputDir: string | null;
  readonly #looked = new Map<CanonicalUrl, Looked>();
  /** Pages of the level, in the order of their links. */
  #order: readonly CanonicalUrl[] = [];
  #stop = new AbortController();
  #failure: unknown = null;

  static async run(start: CanonicalUrl, keyword: string, outputDir: string | null, options: HuntOptions): Promise<HuntReport> {
    const hunt = new Hunt(keyword, outputDir);
    const requests = await ListRequests.open(options.fetch ?? {}, (page) => hunt.#take(page));
    try {
      return await hunt.#levels(start, requests, options);
    } finally {
      await requests.close();
    }
  }

  private constructor(keyword: string, outputDir: string | null) {
    [this.#keyword, this.#outputDir] = [keyword, outputDir];
  }

  async #levels(start: CanonicalUrl, requests: ListRequests, { signal, onLevel }: HuntOptions): Promise<HuntReport> {
    const seen = new Set([start]);
    this.#order = [start];
    let level = 1;
    for (; ; level += 1) {
      onLevel?.(level, this.#order.length);
      const before = this.#looked.size;
      await requests.request(this.#order, signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]));
      if (this.#failure !== null) throw this.#failure;
      signal?.throwIfAborted();
      if (level === 1 && this.#looked.size === 0) throw notFetched(start, requests.failures());
      const pages = this.#pagesOfLevel(before);
      const hit = pages.find((url) => this.#looked.get(url)?.hit);
      const found = hit === undefined ? null : this.#looked.get(hit)?.hit;
      if (hit !== undefined && found) return { found: { url: hit, level, ...found }, pages: this.#looked.size, level };
      const next = [...new Set(pages.flatMap((url) => this.#looked.get(url)?.links ?? []))].filter((url) => !seen.has(url));
      if (level === LAST_LEVEL || next.length === 0) return { found: null, pages: this.#looked.size, level };
      for (const url of next) seen.add(url);
      this.#order = next;
    }
  }

  /** Pages that came since; those of redirects last. */
  #pagesOfLevel(before: number): CanonicalUrl[] {
    const came = [...this.#looked.keys()].slice(before);
    const placeOf = new Map(this.#order.map((url, i) => [url, i]));
    return came.sort((a, b) => (placeOf.get(a) ?? this.#order.length) - (placeOf.get(b) ?? this.#order.length));
  }

  #take({ url, headers, body }: FetchedPage): void {
    const { mime, charset: declared } = parseContentType(headers['content-type']);
    const { text, charset } = decodeText(body, declared, mime !== 'text/plain');
    const hit = lineWith(this.#keyword, text);
    const links = mime === 'text/plain' ? [] : pageUrls(text, { url, charset }).filter(({ tag }) => FOLLOWED.has(tag));
    this.#looked.set(url, { hit, links: links.flatMap((link) => canonicalize(link.url) ?? []) });
    this.#save(url, body);
    // Pages in front of it may still come, but one that has the keyword is enough.
    if (hit !== null) this.#stop.abort();
  }

  #save(url: CanonicalUrl, body: Uint8Array): void {
    if (this.#outputDir === null) return;
    const path = join(this.#outputDir, fileNameOf(url, this.#looked.size));
    try {
      writeFileSync(path, body, { flag: 'wx' });
    } catch (error) {
      this.#failure ??= storeErrorFrom(error, 'saving a page', path);
      this.#stop.abort();
    }
  }
}

const FOLLOWED: ReadonlySet<string> = new Set(['a', 'area', 'frame', 'iframe']);

function lineWith(keyword: string, text: string): Looked['hit'] {
  const place = text.toLowerCase().indexOf(keyword);
  if (place < 0) return null;
  const start = text.lastIndexOf('\n', place - 1) + 1;
  const end = text.indexOf('\n', place);
  const line = text.slice(0, start).split('\n').length;
  return { line, text: text.slice(start, end < 0 ? undefined : end).trim() };
}

/** `0012-example.org-a-page.html`: the number of the page, its host and path. */
function fileNameOf(url: CanonicalUrl, number: number): string {
  const { host, pathname } = new URL(url);
  const words = `${host}${pathname}`.replaceAll(/[^a-z0-9.]+/gi, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  const bare = words.replace(/\.x?html?$/i, '').slice(0, 100);
  return `${String(number).padStart(4, '0')}-${bare}.html`;
}

function notFetched(start: CanonicalUrl, failures: readonly FetchFailure[]): UsageError {
  const why = failures.find(({ url }) => url === start) ?? failures[0];
  return new UsageError(`${start}: cannot be fetched: ${failureText(why?.reason ?? 'connect', why?.status)}; check the address`);
}
