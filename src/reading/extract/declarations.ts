import { CREDITS } from './microdata.ts';
import type { TagReader } from './tags.ts';

/** The attributes of a start tag; null for one that it does not have. */
export interface AttributeValues {
  get(name: string): string | null;
}

/** Limits on the memory for one page; each is far above the needs of real pages. */
const MAX_METAS = 500;
const MAX_HREFS = 50;
/** hreflang lists grow to languages times regions; `PageMetadata.alternates` takes fewer of them. */
const MAX_ALTERNATES = 500;
/** Longest JSON-LD read of a page, in UTF-16 units: the mean is 2 kB, catalogues of hundreds of products reach 200 kB. */
const MAX_JSON_LD = 512 * 1024;
/** Longest RSL read of a page, in UTF-16 units: examples of the recommendation have 1,000. */
const MAX_RSL = 64 * 1024;

/** RSS 0.9x to 2.0 and Atom, as pages declare them (HTML Standard, feed autodiscovery). */
const FEED_TYPES: ReadonlySet<string> = new Set(['application/rss+xml', 'application/atom+xml']);

/** A `<meta>` element: the lower-cased name, property, itemprop or http-equiv, and its content. */
export interface MetaTag {
  readonly name: string;
  readonly content: string;
}

/** The declarations of a page, as written. */
export interface Declarations {
  readonly metas: readonly MetaTag[];
  readonly lang: string | null;
  readonly baseHref: string | null;
  readonly canonicalHref: string | null;
  /** Links of `<link rel=license>`; those of `<a>` are among the links. */
  readonly licenceLinks: readonly LicenceLink[];
  /** Versions in other languages, from `<link rel=alternate hreflang>` and `<a rel=alternate hreflang>`. */
  readonly alternates: readonly { readonly lang: string; readonly href: string }[];
  /** Links of `<link rel=next>`. */
  readonly nextHrefs: readonly string[];
  /** Links of `<link rel=alternate>` with the media type of RSS or Atom. */
  readonly feedHrefs: readonly string[];
  /** Contents of `<script type="application/ld+json">`. */
  readonly jsonLd: readonly string[];
  /** Contents of `<script type="application/rsl+xml">`. */
  readonly rsl: readonly string[];
}

/** A licence to which the head or a `Link` header links. */
export interface LicenceLink {
  readonly href: string;
  readonly from: 'link' | 'header';
  /** True for a document of Really Simple Licensing, by its media type. */
  readonly isRsl: boolean;
}

type Collected = { -readonly [K in keyof Declarations]: Declarations[K] extends readonly (infer T)[] ? T[] : Declarations[K] };

/** Collects the declarations of one page as its tags arrive. */
export class DeclarationReader {
  #page: Collected = blank();
  #script: 'jsonLd' | 'rsl' | null = null;
  readonly #left = { jsonLd: MAX_JSON_LD, rsl: MAX_RSL };

  /** Starts a page. */
  start(): void {
    this.#page = blank();
    this.#script = null;
    this.#left.jsonLd = MAX_JSON_LD;
    this.#left.rsl = MAX_RSL;
  }

  /** The start tag of an element with such a reader. */
  read(reader: TagReader, attributes: AttributeValues): void {
    const page = this.#page;
    if (reader === 'meta') this.#meta(attributes);
    else if (reader === 'linkrel') this.#link(attributes);
    else if (reader === 'link') this.#alternate(attributes);
    else if (reader === 'script') this.#script = scriptOf(attributes.get('type'));
    else if (reader === 'base') page.baseHref ??= attributes.get('href');
    else if (reader === 'html') page.lang ??= attributes.get('lang') ?? attributes.get('xml:lang');
  }

  /** Text of an element that is not shown, `html[start, end)`: JSON-LD or RSL if it is in such a script. */
  unseenText(html: string, start: number, end: number): void {
    const script = this.#script;
    this.#script = null;
    // Incomplete JSON cannot be parsed.
    if (script === null || end - start > this.#left[script]) return;
    this.#left[script] -= end - start;
    this.#page[script].push(html.slice(start, end));
  }

  finish(): Declarations {
    return this.#page;
  }

  #meta(attributes: AttributeValues): void {
    const { metas } = this.#page;
    const content = attributes.get('content');
    if (content === null || metas.length >= MAX_METAS) return;
    for (const key of ['name', 'property', 'itemprop']) {
      const name = attributes.get(key)?.trim().toLowerCase();
      if (name !== undefined && (key !== 'itemprop' || !CREDITS.has(name))) metas.push({ name, content });
    }
    const equiv = attributes.get('http-equiv');
    if (equiv !== null) metas.push({ name: `http-equiv:${equiv.trim().toLowerCase()}`, content });
  }

  #link(attributes: AttributeValues): void {
    const page = this.#page;
    const href = attributes.get('href');
    const rel = attributes.get('rel');
    if (href === null || rel === null) return;
    const tokens = relTokens(rel);
    if (tokens.includes('canonical')) page.canonicalHref ??= href;
    if (tokens.includes('license') && page.licenceLinks.length < MAX_HREFS)
      page.licenceLinks.push({ href, from: 'link', isRsl: isRsl(attributes.get('type')) });
    if (tokens.includes('next') && page.nextHrefs.length < MAX_HREFS) page.nextHrefs.push(href);
    const isFeed = tokens.includes('alternate') && FEED_TYPES.has(attributes.get('type')?.trim().toLowerCase() ?? '');
    if (isFeed && page.feedHrefs.length < MAX_HREFS) page.feedHrefs.push(href);
    this.#alternate(attributes);
  }

  /** Links of the head and of the body have the same words for other languages (HTML, 4.6.6.1). */
  #alternate(attributes: AttributeValues): void {
    const { alternates } = this.#page;
    const [lang, href, rel] = ['hreflang', 'href', 'rel'].map((name) => attributes.get(name)) as [
      string | null,
      string | null,
      string | null,
    ];
    if (lang === null || href === null || rel === null || alternates.length >= MAX_ALTERNATES) return;
    if (relTokens(rel).includes('alternate')) alternates.push({ lang, href });
  }
}

function blank(): Collected {
  return {
    metas: [],
    lang: null,
    baseHref: null,
    canonicalHref: null,
    licenceLinks: [],
    alternates: [],
    nextHrefs: [],
    feedHrefs: [],
    jsonLd: [],
    rsl: [],
  };
}

function scriptOf(type: string | null): 'jsonLd' | 'rsl' | null {
  if (isRsl(type)) return 'rsl';
  return type?.trim().toLowerCase().startsWith('application/ld+json') ? 'jsonLd' : null;
}

function isRsl(type: string | null): boolean {
  return type?.trim().toLowerCase().startsWith('application/rsl+xml') ?? false;
}

/** Lower-case words of a `rel` attribute, at most 20. */
export function relTokens(rel: string): readonly string[] {
  return rel === '' ? NO_REL : rel.toLowerCase().trim().split(/\s+/, 20);
}

/** Shared by the links without one. */
export const NO_REL: readonly string[] = [];
