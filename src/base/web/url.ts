import { basename } from 'node:path';
import type { CanonicalUrl, HostKey } from '../core/types.ts';

/** Longest canonical URL, in characters: the limit of sitemaps.org, and of servers and proxies in practice. */
export const MAX_URL_CHARS = 2048;
/** Longer inputs are not even parsed: room for white space, credentials and a fragment around the longest URL that is kept. */
const MAX_INPUT_CHARS = 4 * MAX_URL_CHARS;

/** Parameters that say how a visitor came, and never change the page: the core of Firefox's query-stripping list, and Google's `utm_*`. */
const TRACKING = new Set(
  (
    'gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ysclid twclid ttclid igshid igsh _openstat _ga _gl srsltid ' +
    'mc_cid mc_eid mkt_tok __hsfp __hssc __hstc _hsenc _hsmi hsctatracking oly_anon_id oly_enc_id rb_clickid vero_conv vero_id wickedid'
  ).split(' '),
);
/** Session ids by names that no page uses for content (Heritrix's StripSessionIDs, osCommerce, Zen Cart). */
const SESSION = new Set(['jsessionid', 'phpsessid', 'cfid', 'cftoken', 'oscsid', 'zenid']);
/** `sid` is also a name for content, so it is removed only if its value looks like a hash: 26 to 64 letters and digits (PHP and phpBB write 26 to 40). */
const SESSION_HASH = /^[0-9a-z]{26,64}$/i;

/**
 * The canonical form of a link: WHATWG-parsed, without fragment, credentials, default port, trailing host dot, tracking parameters, session ids and
 * empty query parts; percent-encoding in RFC 3986 §6.2.2 normal form. Other parameters keep their order. Idempotent.
 * @returns null for other schemes than http(s), for hosts with empty labels, and for URLs that cannot be parsed or are longer than `MAX_URL_CHARS`.
 */
export function canonicalize(input: string, base?: string | URL): CanonicalUrl | null {
  if (input.length > MAX_INPUT_CHARS) return null;
  const href = hrefOf(input, base);
  if (href === null) return null;
  const hostStart = href.startsWith('https://') ? 8 : href.startsWith('http://') ? 7 : 0;
  if (hostStart === 0) return null;
  const pathStart = href.indexOf('/', hostStart);
  const authority = plainAuthority(href.slice(hostStart, pathStart));
  if (authority === null) return null;
  const canonical = href.slice(0, hostStart) + authority + plainTarget(href, pathStart);
  return canonical.length > MAX_URL_CHARS ? null : (canonical as CanonicalUrl);
}

/** A fragment that names a page of an application: `#/page/7`, `#!/page/7`, `#!page`. */
const ROUTE = /^#(?:!?\/|!)[^#]*[^#/!]/;

/**
 * The canonical form of a link with its route, if it has one: for documents whose scripts ran, and for URLs that a person writes. A server never
 * sees a route: its one response is as many pages as the application has routes.
 * @param route of the page that `input` redirects from, which the target inherits (RFC 9110 §10.2.2). Default: none
 */
export function canonicalizeWithRoute(input: string, base?: string | URL, route = ''): CanonicalUrl | null {
  const url = canonicalize(input, base);
  if (url === null) return null;
  const hash = input.indexOf('#');
  const own = hash >= 0 && ROUTE.test(input.slice(hash).trimEnd()) ? new URL(input, base).hash : '';
  const routed = url + (own === '' ? route : own);
  return routed.length > MAX_URL_CHARS ? url : (routed as CanonicalUrl);
}

/** Route of a canonical URL, with its `#`; '' without one. */
export function routeOf(url: CanonicalUrl): string {
  const hash = url.indexOf('#');
  return hash < 0 ? '' : url.slice(hash);
}

/** The URL as its server sees it. */
export function withoutRoute(url: CanonicalUrl): CanonicalUrl {
  const hash = url.indexOf('#');
  return hash < 0 ? url : (url.slice(0, hash) as CanonicalUrl);
}

/** Stands for a file of the user where the URL of a list is named: without its folders, which concern nobody. */
export function fileUrlOf(path: string): CanonicalUrl {
  return `file:///${encodeURIComponent(basename(path))}` as CanonicalUrl;
}

/** The politeness unit of a URL: `scheme://host[:port]`. */
export function hostKeyOf(url: CanonicalUrl): HostKey {
  return url.slice(0, url.indexOf('/', 8)) as HostKey;
}

/** The host name of a URL: no port, IPv6 addresses in their brackets. */
export function hostNameOf(url: CanonicalUrl): string {
  const start = url.charCodeAt(4) === 0x3a ? 7 : 8;
  const end = url.indexOf('/', 8);
  const colon = url.lastIndexOf(':', end);
  // The colon of the scheme, or one inside the brackets of an IPv6 address, is not that of a port.
  const hasPort = colon > start && url.charCodeAt(end - 1) !== 0x5d;
  return url.slice(start, hasPort ? colon : end);
}

function hrefOf(input: string, base: string | URL | undefined): string | null {
  try {
    return new URL(input, base).href;
  } catch {
    return null;
  }
}

function plainAuthority(authority: string): string | null {
  const at = authority.lastIndexOf('@');
  let host = at < 0 ? authority : authority.slice(at + 1);
  const colon = host.indexOf(':');
  const nameEnd = colon < 0 || host.charCodeAt(0) === 0x5b ? host.length : colon;
  if (host.charCodeAt(nameEnd - 1) === 0x2e) host = host.slice(0, nameEnd - 1) + host.slice(nameEnd);
  // Empty labels never resolve; and stripping more than one dot could leave another spelling of an IPv4 address.
  if (host === '' || host.charCodeAt(0) === 0x2e || host.charCodeAt(0) === 0x3a || host.includes('..') || host.includes('.:')) return null;
  return host.endsWith('.') ? null : host;
}

/** Path and query of an href, in normal form, without the fragment. */
function plainTarget(href: string, pathStart: number): string {
  const hash = href.indexOf('#', pathStart);
  let target = href.slice(pathStart, hash < 0 ? href.length : hash);
  // Removing the text between two escapes can join them, so this repeats until nothing changes; the text only becomes shorter.
  for (let before = ''; before !== target; ) {
    before = target;
    if (target.includes('%')) target = normalizeEscapes(target);
    target = withoutNoise(target);
  }
  return target;
}

function withoutNoise(target: string): string {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const plainPath = path.includes(';') ? withoutPathSession(path) : path;
  if (question < 0) return plainPath;
  const query = withoutTracking(target.slice(question + 1));
  return query === '' ? plainPath : `${plainPath}?${query}`;
}

/**
 * Upper-case hex, unreserved characters decoded (RFC 3986 §6.2.2.1–2). A stray `%` stays, for servers that read `%u4E2D`; nothing is decoded
 * immediately after it, because that could make a new escape.
 */
export function normalizeEscapes(text: string): string {
  let out = '';
  let from = 0;
  let stray = -3;
  for (let i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
    const code = escapedByte(text, i);
    if (code < 0) {
      stray = i;
      continue;
    }
    const plain = isUnreserved(code) && i - stray > 2 ? String.fromCharCode(code) : text.slice(i, i + 3).toUpperCase();
    out += text.slice(from, i) + plain;
    // Positions are compared in the input: an escape kept after a stray `%` has three characters, so the distance only grows.
    from = i + 3;
    i += 2;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** The byte of the escape at `at`, or -1 if there is none. */
export function escapedByte(text: string, at: number): number {
  const high = hexDigit(text.charCodeAt(at + 1));
  const low = hexDigit(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** ALPHA / DIGIT / "-" / "." / "_" / "~" (RFC 3986 §2.3). */
export function isUnreserved(code: number): boolean {
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return true;
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e || code === 0x5f || code === 0x7e;
}

const PATH_SESSION = /;(?:jsessionid|phpsessid)=[^/;]*/gi;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

function withoutPathSession(path: string): string {
  const plain = path.replace(PATH_SESSION, '');
  // `/a/..;jsessionid=1` would become a dot segment, and mean another page.
  return DOT_SEGMENT.test(plain) ? path : plain;
}

function withoutTracking(query: string): string {
  let out = '';
  for (let from = 0; from <= query.length; ) {
    const ampersand = query.indexOf('&', from);
    const to = ampersand < 0 ? query.length : ampersand;
    if (to > from && !isNoise(query, from, to)) out += (out === '' ? '' : '&') + query.slice(from, to);
    from = to + 1;
  }
  return out;
}

function isNoise(query: string, from: number, to: number): boolean {
  const equals = query.indexOf('=', from);
  const nameEnd = equals < 0 || equals > to ? to : equals;
  const name = query.slice(from, nameEnd).toLowerCase();
  if (name.startsWith('utm_') || name.startsWith('aspsessionid')) return true;
  if (name === 'sid') return SESSION_HASH.test(query.slice(nameEnd + 1, to));
  return TRACKING.has(name) || SESSION.has(name);
}

/** The URL up to the last slash of its path. */
export function directoryOf(url: string): string {
  const path = url.replace(/[?#].*$/, '');
  return path.slice(0, path.lastIndexOf('/') + 1);
}
