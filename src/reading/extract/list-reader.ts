/** The elements of sitemaps and feeds as the scanner meets them. */
import type { Alternate, CanonicalUrl, EpochMs } from '../../base/core/types.ts';
import { normaliseLang } from '../../base/text/language.ts';
import { registrableDomain } from '../../base/web/domain.ts';
import { canonicalize } from '../../base/web/url.ts';
import { attributeOf, type XmlHandlers } from './xml-scanner.ts';

/** A page that a list names. */
export interface ListedPage {
  readonly url: CanonicalUrl;
  /** Title of a feed entry; '' in sitemaps, which have none. */
  readonly title: string;
  /** Time of its last change by the list: `lastmod` of a sitemap, date of a feed entry. Absent if the list states none. */
  readonly modified?: EpochMs;
  /** The page in other languages by a sitemap, itself perhaps among them, at most `MAX_ALTERNATES`. Absent without any. */
  readonly alternates?: readonly Alternate[];
}

export interface UrlList {
  readonly pages: readonly ListedPage[];
  /** Sitemaps of an index. */
  readonly lists: readonly CanonicalUrl[];
}

/** Number of URLs of one sitemap (sitemaps.org). */
const MAX_URLS = 50_000;
/** Number of sitemaps of one index, the first ones: each is a request, and an index may name 50,000. */
const MAX_LISTS = 20;
/** Alternates of one page, as many as the metadata of a page have. */
const MAX_ALTERNATES = 100;
/** Number of open elements whose names are known; deeper ones are in no list. */
const MAX_DEPTH = 64;
/** More than the longest URL that is followed. */
const MAX_VALUE = 4096;

/** The common part of both kinds: the position of the reader, and the text since the last relevant tag. */
export abstract class ListReader implements XmlHandlers {
  readonly url: CanonicalUrl;
  readonly pages = new Map<CanonicalUrl, string>();
  protected readonly alternates = new Map<CanonicalUrl, readonly Alternate[]>();
  readonly #modified = new Map<CanonicalUrl, EpochMs>();
  readonly #names: string[] = [];
  /** Base of the links of each open element. */
  readonly #bases: string[] = [];
  #rootPrefix: string | null = null;
  protected value = '';
  /** Base of the element that opens or closes. */
  #base: string;

  constructor(url: CanonicalUrl) {
    this.url = url;
    this.#base = url;
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
    const pages = Array.from(this.pages, ([url, title]) => {
      const modified = this.#modified.get(url);
      const alternates = this.alternates.get(url);
      return { url, title, ...(modified !== undefined && { modified }), ...(alternates && { alternates }) };
    });
    return { pages, lists: this.lists() };
  }

  /** The list states when a page changed last. @param written a day or moment as in ISO 8601 or RFC 822; anything else states nothing */
  protected note(url: CanonicalUrl, written: string | null): void {
    const at = Date.parse(written?.trim() ?? '');
    if (!Number.isNaN(at)) this.#modified.set(url, at);
  }

  open(name: string, prefix: string, tag: string): void {
    this.#rootPrefix ??= prefix;
    this.value = '';
    const known = this.#known(name, prefix);
    this.#base = this.#baseIn(tag);
    if (!this.full) this.opened(known, this.#names.at(-1) ?? '', tag);
    if (this.#names.length >= MAX_DEPTH) return;
    this.#names.push(known);
    this.#bases.push(this.#base);
  }

  /** Each `xml:base` is relative to that of the element around it (XML Base, RFC 4287 §2). */
  #baseIn(tag: string): string {
    const around = this.#bases.at(-1) ?? this.url;
    const written = tag.includes('xml:base') ? attributeOf(tag, 'xml:base')?.trim() : undefined;
    return written !== undefined && URL.canParse(written, around) ? new URL(written, around).href : around;
  }

  close(name: string, prefix: string): void {
    if (this.#names.at(-1) !== this.#known(name, prefix)) return;
    const own = this.#names.pop() ?? '';
    this.#base = this.#bases.pop() ?? this.url;
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
    return canonicalize(written.trim(), this.#base);
  }
}

export class SitemapReader extends ListReader {
  readonly #lists = new Set<CanonicalUrl>();
  readonly #domain: string;
  /** Page and date of the open element `url`. */
  #page: CanonicalUrl | null = null;
  #lastmod: string | null = null;
  #stated: Alternate[] = [];

  constructor(url: CanonicalUrl) {
    super(url);
    this.#domain = registrableDomain(url);
  }

  get full(): boolean {
    return this.pages.size >= MAX_URLS || this.#lists.size >= MAX_LISTS;
  }

  /** The page in another language, as search engines read it: `<xhtml:link rel="alternate" hreflang="de" href="…"/>`. Others are the page for telephones. */
  protected opened(name: string, parent: string, tag: string): void {
    if (parent !== 'url' || !/(?:^|:)link$/.test(name) || attributeOf(tag, 'rel')?.toLowerCase() !== 'alternate') return;
    const lang = attributeOf(tag, 'hreflang');
    const href = lang === null ? null : attributeOf(tag, 'href');
    const url = href === null ? null : this.#add(href);
    const written = normaliseLang(lang);
    if (url !== null && written !== null && this.#stated.length < MAX_ALTERNATES) this.#stated.push({ lang: written, url });
  }

  protected closed(name: string, parent: string): void {
    if (name === 'url') this.#close();
    if (name === 'lastmod' && parent === 'url') this.#lastmod = this.value;
    if (name !== 'loc') return;
    if (parent === 'url') this.#page = this.#add(this.value);
    const list = parent === 'sitemap' ? this.resolve(this.value) : null;
    if (list !== null && list !== this.url) this.#lists.add(list);
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

  #close(): void {
    if (this.#page !== null) this.note(this.#page, this.#lastmod);
    if (this.#page !== null && this.#stated.length > 0) this.alternates.set(this.#page, this.#stated);
    [this.#page, this.#lastmod, this.#stated] = [null, null, []];
  }

  #add(written: string): CanonicalUrl | null {
    const url = this.resolve(written);
    if (url === null || registrableDomain(url) !== this.#domain) return null;
    this.pages.set(url, '');
    return url;
  }
}
