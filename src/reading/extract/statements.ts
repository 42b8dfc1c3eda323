/** The sources of each statement on a page, and how to read it. */
import { isoDate } from '../../base/text/iso-date.ts';
import { normaliseLang } from '../../base/text/language.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import type { MetaTag } from './declarations.ts';
import { type StructuredData, structuredData } from './json-ld.ts';

/** Longest text kept of one statement, in characters. */
const MAX_CHARS = 1_000;
/** Number of values kept of metas with one name: `citation_author` occurs once for each author. */
const MAX_VALUES = 20;

/** The names for JSON-LD and microdata among the names of metas. */
const JSON_LD = 'json-ld';
const MICRODATA = 'microdata';

/**
 * The sources of each statement, best first: names for exactly that statement, JSON-LD, microdata, then general names. An unreadable source (an invalid date, an
 * author that is a URL) is skipped for the next.
 */
const SOURCES = {
  description: ['description', 'og:description', 'twitter:description', 'dc.description', 'dcterms.description', JSON_LD],
  authors: words(
    `citation_author ${JSON_LD} ${MICRODATA} dcterms.creator dc.creator parsely-author sailthru.author author article:author book:author`,
  ),
  siteName: ['og:site_name', JSON_LD, MICRODATA, 'application-name', 'dcterms.publisher', 'dc.publisher'],
  published: words(
    `article:published_time og:published_time ${JSON_LD} ${MICRODATA} citation_publication_date citation_online_date citation_date ` +
      'dcterms.issued dc.date.issued dcterms.available dcterms.created dc.date.created book:release_date parsely-pub-date sailthru.date ' +
      'pubdate publishdate publish_date published dcterms.date dc.date date',
  ),
  modified: words(
    `article:modified_time og:modified_time ${JSON_LD} ${MICRODATA} dcterms.modified dc.date.modified og:updated_time last-modified ` +
      'lastmod revised http-equiv:last-modified',
  ),
  licences: ['dcterms.license', 'dc.rights.license', JSON_LD, MICRODATA, 'dcterms.rights', 'dc.rights', 'license'],
  rights: ['dcterms.rights', 'dc.rights', 'dcterms.license', 'copyright', 'rights', JSON_LD],
  lang: [JSON_LD, 'dcterms.language', 'dc.language', 'og:locale'],
} as const satisfies Partial<Record<keyof StructuredData, readonly string[]>>;

/** Dates of clocks that were never set: those of .NET, MySQL and Unix. */
const UNSET = /^(?:000[01]|1970-01-01)/;

/** The statements of one page's metas and JSON-LD. */
export class Statements {
  readonly #metas = new Map<string, string[]>();
  readonly #data: StructuredData | null;
  readonly #microdata: (() => StructuredData) | null;
  /** Many pages of documentation state nothing: their sources are not asked one by one. */
  readonly #isSilent: boolean;

  /** @param microdata that of the page; asked for when the sources before it say nothing. null without any */
  constructor(metas: readonly MetaTag[], jsonLd: readonly string[], microdata: (() => StructuredData) | null = null) {
    for (const { name, content } of metas) {
      const key = name.replace(/^(dc|dcterms):/, '$1.');
      const values = this.#metas.get(key);
      if (values === undefined) this.#metas.set(key, [content]);
      else if (values.length < MAX_VALUES) values.push(content);
    }
    this.#data = jsonLd.length === 0 ? null : structuredData(jsonLd);
    this.#microdata = microdata;
    this.#isSilent = this.#metas.size === 0 && this.#data === null && microdata === null;
  }

  /** The first meta of that name with a value. */
  meta(name: string): string | null {
    return firstOf(this.#metas.get(name) ?? [], statedText);
  }

  /** The first statement that `read` accepts; null if there is none. */
  first<T>(what: keyof typeof SOURCES, read: (written: string) => T | null): T | null {
    return this.#isSilent ? null : firstOf(SOURCES[what], (source) => firstOf(this.#values(what, source), read));
  }

  /** All values of the first source with a value that `read` accepts. */
  all<T>(what: keyof typeof SOURCES, read: (written: string) => T | readonly T[] | null): readonly T[] {
    return this.found(what, read).values;
  }

  /** The values of `all`, and whether metas or data have them. */
  found<T>(
    what: keyof typeof SOURCES,
    read: (written: string) => T | readonly T[] | null,
  ): { readonly values: readonly T[]; readonly from: 'meta' | 'data' } {
    if (this.#isSilent) return { values: [], from: 'meta' };
    for (const source of SOURCES[what]) {
      const found = this.#values(what, source).flatMap((written): readonly T[] | T => read(written) ?? []);
      if (found.length > 0) return { values: [...new Set(found)], from: source === JSON_LD || source === MICRODATA ? 'data' : 'meta' };
    }
    return { values: [], from: 'meta' };
  }

  #values(what: keyof typeof SOURCES, source: string): readonly string[] {
    if (source !== JSON_LD && source !== MICRODATA) return this.#metas.get(source) ?? [];
    const said = (source === JSON_LD ? this.#data : this.#microdata?.())?.[what] ?? [];
    return typeof said === 'string' ? [said] : said;
  }
}

/** The first value that `read` accepts. */
export function firstOf<T, R>(values: readonly T[], read: (value: T) => R | null): R | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

/** White space collapsed, at most 1,000 characters; null if nothing is left. */
export function statedText(written: string): string | null {
  return squeeze(written.slice(0, MAX_CHARS)) || null;
}

/** A statement in words, not a URL. */
export function statedWords(written: string): string | null {
  const text = statedText(written);
  return text === null || isAddress(text) ? null : text;
}

/** ISO 8601; null for an invalid date, and for the zero of a clock. */
export function statedDate(written: string): string | null {
  const date = isoDate(written);
  return date === null || UNSET.test(date) ? null : date;
}

/** BCP 47. */
export function langOf(written: string): string | null {
  return normaliseLang(written);
}

/** Starts with a scheme, or with the host of most addresses written without one. */
export function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)/i.test(text);
}

function words(list: string): readonly string[] {
  return list.split(' ');
}
