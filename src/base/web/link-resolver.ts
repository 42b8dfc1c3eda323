import { ownString } from '../core/own-string.ts';
import type { CanonicalUrl } from '../core/types.ts';
import { withEncodedQuery } from './link-query.ts';
import { canonicalize, canonicalizeWithRoute, MAX_URL_CHARS } from './url.ts';

/** Number of origins remembered over all pages; the links of a crawl lead to few. When it is reached, the memory is cleared. */
const MAX_ORIGINS = 4096;
const origins = new Map<string, string | null>();

/** Codes that every canonical path contains unchanged: letters, digits, `-` `_` `~` `.` `/`. */
export const PLAIN = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~./') PLAIN[character.charCodeAt(0)] = 1;
const DOT = 46;
const SLASH = 47;

/**
 * `canonicalize` for the many links of one page: plain links, which most are, are assembled without parsing a URL. The result is always the same;
 * only queries are escaped in the charset of the page. About 0.2 µs for a plain link, 1 µs for another.
 */
export class LinkResolver {
  readonly base: string;
  readonly #charset: string;
  readonly #withRoutes: boolean;
  /** Canonical origin of the base and its folder; null if plain links cannot be resolved by the base. */
  readonly origin: string | null;
  readonly folder: string | null;

  /** @param base an absolute URL. @param charset of the page, as `decodeText` names it. @param withRoutes keeps routes of applications */
  constructor(base: string, charset = 'utf-8', withRoutes = false) {
    [this.base, this.#charset, this.#withRoutes] = [base, charset, withRoutes];
    const root = base.indexOf('/', 8);
    const folderEnd = lastSlash(base) + 1;
    this.origin = (root < 0 ? null : originOf(base.slice(0, root))) ?? prefixOf('/', base);
    // Most pages have a plain folder, which needs no parsing.
    const isPlainFolder = this.origin !== null && root > 0 && isPlain(base, root, folderEnd);
    this.folder = isPlainFolder ? `${this.origin}${base.slice(root, folderEnd)}` : prefixOf('', base);
  }

  /** Would a resolver of these be equal? */
  isFor(base: string, charset = 'utf-8', withRoutes = false): boolean {
    return this.base === base && this.#charset === charset && this.#withRoutes === withRoutes;
  }

  /** @returns null for anything other than a usable http(s) URL, like `canonicalize`. */
  resolve(href: string): CanonicalUrl | null {
    if (this.#withRoutes && href.includes('#')) return canonicalizeWithRoute(withEncodedQuery(href, this.#charset), this.base);
    return this.#plain(href) ?? canonicalize(withEncodedQuery(href, this.#charset), this.base);
  }

  #plain(href: string): CanonicalUrl | null {
    const hash = href.indexOf('#');
    const end = hash < 0 ? href.length : hash;
    // An empty link is the page itself, with its query.
    if (end === 0) return null;
    const pathStart = href.startsWith('http://') || href.startsWith('https://') ? href.indexOf('/', 8) : 0;
    if (pathStart < 0 || !isPlain(href, pathStart, end)) return null;
    const prefix = pathStart > 0 ? originOf(href.slice(0, pathStart)) : href.charCodeAt(0) === SLASH ? this.origin : this.folder;
    if (prefix === null) return null;
    const url = prefix + href.slice(pathStart, end);
    return url.length > MAX_URL_CHARS ? null : (url as CanonicalUrl);
  }
}

/** The last slash of the path of a URL. */
function lastSlash(url: string): number {
  const end = url.search(/[?#]/);
  return url.lastIndexOf('/', end < 0 ? url.length : end);
}

/** Only plain codes, no empty segment, and none that starts with a dot: it may be a dot segment. */
function isPlain(href: string, start: number, end: number): boolean {
  let before = start === 0 ? SLASH : 0;
  // The first slash of a path does not follow another.
  if (href.charCodeAt(start) === SLASH) before = 0;
  for (let i = start; i < end; i++) {
    const code = href.charCodeAt(i);
    if (code > 127 || PLAIN[code] === 0 || (before === SLASH && (code === DOT || code === SLASH))) return false;
    before = code;
  }
  return true;
}

/** The part that precedes a link which starts with `lead`, in canonical form. */
function prefixOf(lead: string, base: string): string | null {
  const probe = canonicalize(`${lead}x`, base);
  return probe?.endsWith('/x') === true ? probe.slice(0, -lead.length - 1) : null;
}

/** The canonical form of an origin; null if there is none. */
export function originOf(origin: string): string | null {
  const known = origins.get(origin);
  if (known !== undefined) return known;
  if (origins.size >= MAX_ORIGINS) origins.clear();
  const prefix = /^https?:\/\/[a-z0-9.:-]+$/.test(origin) ? prefixOf('/', `${origin}/`) : null;
  origins.set(ownString(origin), prefix);
  return prefix;
}
