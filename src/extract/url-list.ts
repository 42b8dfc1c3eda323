/** Sitemaps and feeds: from bytes to the URLs they list. */
import { TextDecoder } from 'node:util';
import { createInflateRaw } from 'node:zlib';
import type { Bytes, CanonicalUrl, ListKind } from '../core/types.ts';
import { GZIP_TRAILER, isGzip, memberStart } from '../web/content-coding.ts';
import { registrableDomain } from '../web/domain.ts';
import { canonicalize } from '../web/url.ts';
import { attributeOf, XmlScanner } from './xml-scanner.ts';

/** A page that a list names. */
export interface ListedPage {
  readonly url: CanonicalUrl;
  /** Title of a feed entry; '' in sitemaps, which have none. */
  readonly title: string;
}

export interface UrlList {
  readonly pages: readonly ListedPage[];
  /** Sitemaps of an index. */
  readonly lists: readonly CanonicalUrl[];
}

/** Largest size of a sitemap (sitemaps.org), decompressed; the rest is not read. */
const MAX_URLS = 50_000;
export const MAX_LIST_BYTES: Bytes = 50 * 1024 * 1024;
/** Number of sitemaps of one index, the first ones: each is a request, and an index may name 50,000. */
const MAX_LISTS = 20;
/** Feeds list new pages; the longest have a few hundred entries. */
const MAX_ENTRIES = 1000;
const MAX_TITLE_CHARS = 200;
/** Number of open elements whose names are known; deeper ones are in no list. */
const MAX_DEPTH = 64;
const SLICE: Bytes = 64 * 1024;

/**
 * The pages that a sitemap or feed lists, distinct. Sitemaps may be gzip, an index, or plain text with a URL a line; feeds are RSS or Atom. A sitemap
 * may only list URLs of its own registrable domain (sitemaps.org, "sitemap file location"); a feed may link anywhere, like pages. From damaged lists,
 * the readable part is returned. Never throws; O(bytes), of which at most 50 MB are read.
 */
export async function readUrlList(url: CanonicalUrl, bytes: Uint8Array, kind: ListKind): Promise<UrlList> {
  const reader = kind === 'sitemap' ? new SitemapReader(url) : new FeedReader(url);
  const scanner = new XmlScanner(reader);
  let decoder: TextDecoder | null = null;
  let form: 'unknown' | 'xml' | 'lines' = 'unknown';
  let rest = '';
  for await (const slice of slicesOf(bytes)) {
    if (reader.full || scanner.broken) break;
    decoder ??= decoderOf(slice);
    const text = decoder.decode(slice, { stream: true });
    if (form === 'unknown' && text.trim() !== '') form = text.trimStart().startsWith('<') ? 'xml' : 'lines';
    if (form === 'lines') rest = reader.lines(rest + text);
    else scanner.push(text);
  }
  reader.lines(`${rest}\n`);
  return reader.list();
}

/** The bytes, decompressed if needed. Ends silently at the cap, and at damage. */
async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (isGzip(bytes)) yield* gunzipped(bytes);
  else for (let at = 0; at < Math.min(bytes.length, MAX_LIST_BYTES); at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/** Each gzip member, up to bytes that are none. The checksums are not compared: all URLs that arrived count. */
async function* gunzipped(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  let size = 0;
  for (let at = 0; isGzip(bytes, at); ) {
    const start = memberStart(bytes, at);
    const inflate = createInflateRaw();
    inflate.end(bytes.subarray(start));
    try {
      for await (const chunk of inflate) {
        const slice = chunk as Uint8Array;
        yield slice;
        size += slice.byteLength;
        if (size >= MAX_LIST_BYTES) return;
      }
    } catch {
      return;
    }
    at = start + inflate.bytesWritten + GZIP_TRAILER;
  }
}

/** By the XML declaration (XML 1.0, appendix F); UTF-8 if it names no known encoding. */
function decoderOf(start: Uint8Array): TextDecoder {
  const label = /encoding\s*=\s*["']([\w.:-]+)["']/.exec(Buffer.from(start.subarray(0, 200)).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** The common part of both kinds: the position of the reader, and the text since the last relevant tag. */
abstract class ListReader {
  readonly base: CanonicalUrl;
  readonly pages = new Map<CanonicalUrl, string>();
  readonly #names: string[] = [];
  #rootPrefix: string | null = null;
  protected value = '';

  constructor(base: CanonicalUrl) {
    this.base = base;
  }

  abstract get full(): boolean;
  protected abstract opened(name: string, parent: string, tag: string): void;
  protected abstract closed(name: string, parent: string): void;

  /** Plain text: none in a feed. @returns the line that has not ended yet */
  lines(_text: string): string {
    return '';
  }

  lists(): readonly CanonicalUrl[] {
    return [];
  }

  list(): UrlList {
    return { pages: Array.from(this.pages, ([url, title]) => ({ url, title })), lists: this.lists() };
  }

  open(name: string, prefix: string, tag: string): void {
    this.#rootPrefix ??= prefix;
    this.value = '';
    const known = this.#known(name, prefix);
    if (!this.full) this.opened(known, this.#names.at(-1) ?? '', tag);
    if (this.#names.length < MAX_DEPTH) this.#names.push(known);
  }

  close(name: string, prefix: string): void {
    if (this.#names.at(-1) !== this.#known(name, prefix)) return;
    const own = this.#names.pop() ?? '';
    if (!this.full) this.closed(own, this.#names.at(-1) ?? '');
    this.value = '';
  }

  /** Elements of a namespace other than the root's, such as `image:loc`, keep their prefix. */
  #known(name: string, prefix: string): string {
    return prefix === '' || prefix === this.#rootPrefix ? name : `${prefix}:${name}`;
  }

  text(text: string): void {
    if (this.value.length < MAX_VALUE) this.value += text;
  }

  protected resolve(written: string): CanonicalUrl | null {
    return canonicalize(written.trim(), this.base);
  }
}

/** More than the longest URL that is followed. */
const MAX_VALUE = 4096;

class SitemapReader extends ListReader {
  readonly #lists = new Set<CanonicalUrl>();
  readonly #domain: string;

  constructor(base: CanonicalUrl) {
    super(base);
    this.#domain = registrableDomain(base);
  }

  get full(): boolean {
    return this.pages.size >= MAX_URLS || this.#lists.size >= MAX_LISTS;
  }

  protected opened(): void {}

  protected closed(name: string, parent: string): void {
    if (name !== 'loc') return;
    if (parent === 'url') this.#add(this.value);
    const list = parent === 'sitemap' ? this.resolve(this.value) : null;
    if (list !== null && list !== this.base) this.#lists.add(list);
  }

  override lists(): readonly CanonicalUrl[] {
    return [...this.#lists];
  }

  override lines(text: string): string {
    const lines = text.split(/\r?\n/);
    const rest = lines.pop() ?? '';
    for (const line of lines) if (!this.full && /^\s*https?:\/\//i.test(line)) this.#add(line);
    return rest.slice(0, MAX_VALUE);
  }

  #add(written: string): void {
    const url = this.resolve(written);
    if (url !== null && registrableDomain(url) === this.#domain) this.pages.set(url, '');
  }
}

class FeedReader extends ListReader {
  #title = '';
  #url: CanonicalUrl | null = null;

  get full(): boolean {
    return this.pages.size >= MAX_ENTRIES;
  }

  protected opened(name: string, parent: string, tag: string): void {
    if (isEntry(name)) {
      this.#title = '';
      this.#url = null;
    }
    const href = name === 'link' && parent === 'entry' ? attributeOf(tag, 'href') : null;
    if (href !== null && (attributeOf(tag, 'rel') ?? 'alternate') === 'alternate') this.#url ??= this.resolve(href);
  }

  protected closed(name: string, parent: string): void {
    if (isEntry(name)) this.#add();
    if (!isEntry(parent)) return;
    if (name === 'title') this.#title = this.value.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS);
    if (name === 'link' && parent === 'item' && this.value.trim() !== '') this.#url = this.resolve(this.value);
  }

  #add(): void {
    if (this.#url !== null && !this.pages.has(this.#url)) this.pages.set(this.#url, this.#title);
  }
}

function isEntry(name: string): boolean {
  return name === 'item' || name === 'entry';
}
