/** Where pages state what, and how each statement is read. */
import { isoDate } from '../text/iso-date.ts';
import { normaliseLang } from '../text/language.ts';
import { squeeze } from '../text/squeeze.ts';
import type { MetaTag } from './declarations.ts';
import { type StructuredData, structuredData } from './json-ld.ts';

/** Longest text kept of one statement, in characters. */
const MAX_CHARS = 1_000;
/** Longer than any name; a sentence is none. */
const MAX_NAME_CHARS = 200;
/** Values kept of metas of one name: `citation_author` stands once for each. */
const MAX_VALUES = 20;

/** Stands among the names of metas for what JSON-LD says. */
const JSON_LD = 'json-ld';

/**
 * The sources of each statement, the best first: names made for that one thing, JSON-LD, then general names.
 * One that cannot be read (a date that is none, an author that is a URL) is passed over for the next.
 */
const SOURCES = {
  description: ['description', 'og:description', 'twitter:description', 'dc.description', 'dcterms.description', JSON_LD],
  authors: words(`citation_author ${JSON_LD} dcterms.creator dc.creator parsely-author sailthru.author author article:author book:author`),
  siteName: ['og:site_name', JSON_LD, 'application-name', 'dcterms.publisher', 'dc.publisher'],
  published: words(
    `article:published_time og:published_time ${JSON_LD} datepublished citation_publication_date citation_online_date citation_date ` +
      'dcterms.issued dc.date.issued dcterms.available dcterms.created dc.date.created book:release_date parsely-pub-date sailthru.date ' +
      'pubdate publishdate publish_date published dcterms.date dc.date date',
  ),
  modified: words(
    `article:modified_time og:modified_time ${JSON_LD} datemodified dcterms.modified dc.date.modified og:updated_time last-modified ` +
      'lastmod revised http-equiv:last-modified',
  ),
  licences: ['dcterms.license', 'dc.rights.license', JSON_LD, 'dcterms.rights', 'dc.rights', 'license'],
  rights: ['dcterms.rights', 'dc.rights', 'dcterms.license', 'copyright', 'rights', JSON_LD],
  lang: [JSON_LD, 'dcterms.language', 'dc.language', 'og:locale'],
} as const satisfies Partial<Record<keyof StructuredData, readonly string[]>>;

/** What clocks say that were never set: those of .NET, MySQL and Unix. */
const UNSET = /^(?:000[01]|1970-01-01)/;

/** What metas and JSON-LD of one page say. */
export class Statements {
  readonly #metas = new Map<string, string[]>();
  readonly #data: StructuredData | null;

  constructor(metas: readonly MetaTag[], jsonLd: readonly string[]) {
    for (const { name, content } of metas) {
      const key = name.replace(/^(dc|dcterms):/, '$1.');
      const values = this.#metas.get(key);
      if (values === undefined) this.#metas.set(key, [content]);
      else if (values.length < MAX_VALUES) values.push(content);
    }
    this.#data = jsonLd.length === 0 ? null : structuredData(jsonLd);
  }

  /** The first meta of that name that says anything. */
  meta(name: string): string | null {
    return firstOf(this.#metas.get(name) ?? [], textOf);
  }

  /** The first statement that `read` makes something of; null when there is none. */
  first<T>(what: keyof typeof SOURCES, read: (written: string) => T | null): T | null {
    return firstOf(SOURCES[what], (source) => firstOf(this.#values(what, source), read));
  }

  /** All that the first source says of which `read` makes anything. */
  all<T>(what: keyof typeof SOURCES, read: (written: string) => T | null): T[] {
    for (const source of SOURCES[what]) {
      const found = this.#values(what, source).flatMap((written) => read(written) ?? []);
      if (found.length > 0) return [...new Set(found)];
    }
    return [];
  }

  #values(what: keyof typeof SOURCES, source: string): readonly string[] {
    if (source !== JSON_LD) return this.#metas.get(source) ?? [];
    const said = this.#data?.[what] ?? [];
    return typeof said === 'string' ? [said] : said;
  }
}

/** The first that `read` makes something of. */
export function firstOf<T, R>(values: readonly T[], read: (value: T) => R | null): R | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

/** White space collapsed, at most 1,000 characters; null when nothing is left. */
export function textOf(written: string): string | null {
  return squeeze(written.slice(0, MAX_CHARS)) || null;
}

/** A person's or a body's name, `By` left out; null for a URL and for what is too long to be one. */
export function nameOf(written: string): string | null {
  const name = textOf(written)?.replace(/^by:? /i, '') ?? null;
  return name === null || name.length > MAX_NAME_CHARS || isAddress(name) ? null : name;
}

/** A statement in words: no URL. */
export function wordsOf(written: string): string | null {
  const text = textOf(written);
  return text === null || isAddress(text) ? null : text;
}

/** ISO 8601; null for what is no date, and for the zero of a clock. */
export function dateOf(written: string): string | null {
  const date = isoDate(written);
  return date === null || UNSET.test(date) ? null : date;
}

/** BCP 47. */
export function langOf(written: string): string | null {
  return normaliseLang(written);
}

/** Begins with a scheme, or with the host of most addresses written without one. */
export function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)/i.test(text);
}

function words(list: string): readonly string[] {
  return list.split(' ');
}
