import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import type { CanonicalUrl, LinkZone, Outlink } from '../../base/core/types.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { type LinkBase, resolveLink } from '../../base/web/link-query.ts';
import { LinkResolver } from '../../base/web/link-resolver.ts';
import { refreshTarget } from '../../base/web/refresh.ts';
import { LINE, LINE_SIZE, type LinkSighting, type PageContent } from './blocks.ts';
import { isUnspaced } from './character-classes.ts';
import { ROLE } from './main-text.ts';
import { FLAG } from './tags.ts';

/** Number of distinct outlinks kept of one page. Real pages with more are sitemaps and traps. */
export const MAX_OUTLINKS = 5_000;
/** The warning about a page with more. */
export const TOO_MANY = `more than ${MAX_OUTLINKS} outlinks; the rest is omitted`;
const MAX_ANCHOR_CHARS = 200;
/** Ten words on either side; a character of an unspaced script is half a word. */
const CONTEXT_HALF_WORDS = 20;
/** Limits the context in text without spaces. */
const MAX_CONTEXT_CHARS = 300;
const SPACE = 32;
const NEWLINE = 10;

/** The place of a page: its URL, and the charset in which it writes queries of links. */
export interface PagePlace extends LinkBase {
  readonly url: CanonicalUrl;
  /** Links to routes of an application keep them: its scripts ran. Default: false. */
  readonly withRoutes?: boolean;
}

/** The base of relative links: the first `<base href>` if it is a web address, else the page itself. */
export function baseOf(place: PagePlace, baseHref: string | null): string {
  const base = baseHref === null ? null : resolveLink(baseHref, place);
  return base?.protocol === 'http:' || base?.protocol === 'https:' ? base.href : place.url;
}

/** The base of the links of a page. */
export function linkBaseOf(page: PageContent, place: PagePlace): LinkBase {
  return { url: baseOf(place, page.baseHref), charset: place.charset };
}

/** The resolver that was made last: several readers of a page ask for the same. */
let made: LinkResolver | null = null;

/** Resolves the links of a page. */
export function resolverOf(page: PageContent, place: PagePlace): LinkResolver {
  const base = baseOf(place, page.baseHref);
  if (!made?.isFor(base, place.charset, place.withRoutes)) made = new LinkResolver(base, place.charset, place.withRoutes);
  return made;
}

/** RSS and Atom feeds that the head declares, distinct, in order. */
export function feedsOf(page: PageContent, place: PagePlace): CanonicalUrl[] {
  if (page.feedHrefs.length === 0) return [];
  const resolver = resolverOf(page, place);
  return [...new Set(page.feedHrefs.flatMap((href) => resolver.resolve(href) ?? []))];
}

/** Is a link unwanted, by the fingerprint of its URL? */
export interface IsSettled {
  (print: Readonly<Fingerprint>): boolean;
  /** See `SettledUrls.touch`. Absent where the answers need no large memory. */
  readonly touch?: (lo: number) => number;
}

/** The outlinks of a page, and for each of the body its places, as `outlinksOf` gives both. */
export interface FoundLinks {
  readonly outlinks: Outlink[];
  readonly places: ArrayLike<number>;
}

/** Equal to `outlinksOf`; null where that has to do it. */
export type FindLinks = (
  page: PageContent,
  place: PagePlace,
  roles: Uint8Array,
  warnings: string[],
  isSettled?: IsSettled,
) => FoundLinks | null;

const PRINT: Fingerprint = { hi: 0, lo: 0 };

interface Candidate {
  readonly url: CanonicalUrl;
  readonly sighting: LinkSighting;
  readonly anchorStart: number;
  readonly anchorText: string;
  readonly zone: LinkZone;
}

/**
 * The distinct links of a page in document order, without the page itself; at most `MAX_OUTLINKS`, with a warning if there were more. Of two
 * occurrences of a URL, one in the main segment wins, then the longer anchor text. `rel=next` and `rel=alternate` of the head come last. `roles` has
 * the `ROLE` of each block. O(links + their text).
 * @param isSettled unwanted links: they are only counted
 * @param places receives six places in the page's text for each link of the body: start and end of its anchor, of the context before and after it
 */
export function outlinksOf(
  page: PageContent,
  place: PagePlace,
  roles: Uint8Array,
  warnings: string[],
  isSettled: IsSettled = () => false,
  places: number[] = [],
): Outlink[] {
  const pageUrl = place.url;
  const resolver = resolverOf(page, place);
  const resolved = new Map<string, CanonicalUrl | null>();
  /** null for skipped links. */
  const best = new Map<CanonicalUrl, Candidate | null>();
  for (const sighting of refreshFirst(page)) {
    const url = resolve(sighting.href, resolver, resolved);
    if (url === null || url === pageUrl) continue;
    const known = best.get(url);
    if (known === null) continue;
    if (known === undefined && best.size >= MAX_OUTLINKS) {
      warnings.push(TOO_MANY);
      break;
    }
    const candidate = known === undefined && isSettled(fingerprint(url, PRINT)) ? null : candidateOf(url, sighting, page, roles);
    if (candidate === null || !known || isBetter(candidate, known)) best.set(url, candidate);
  }
  const outlinks: Outlink[] = [];
  for (const candidate of best.values()) if (candidate) outlinks.push(outlinkOf(candidate, page.text, places));
  outlinks.push(...outlinksOfHead(page, resolver, best.size, (url) => url === pageUrl || best.has(url), isSettled));
  return outlinks;
}

/** The links of the head that are no links of the body. @param count number of those @param isKnown is it one of those, or the page itself? */
export function outlinksOfHead(
  page: PageContent,
  resolver: LinkResolver,
  count: number,
  isKnown: (url: CanonicalUrl) => boolean,
  isSettled: IsSettled = () => false,
): Outlink[] {
  const outlinks: Outlink[] = [];
  const seen = new Set<CanonicalUrl>();
  for (const { href, rel } of headLinks(page)) {
    const url = resolver.resolve(href);
    if (url === null || seen.has(url) || count + seen.size >= MAX_OUTLINKS || isKnown(url)) continue;
    seen.add(url);
    if (!isSettled(fingerprint(url, PRINT))) outlinks.push({ ...WITHOUT_WORDS, url, rel: [rel] });
  }
  return outlinks;
}

const WITHOUT_WORDS = { anchorText: '', context: '', imageAlt: '', zone: 'other', tagPath: 'html>head>link' } as const;

/** Links of the head: the next page of a series, and the same page in other languages. */
function headLinks({ nextHrefs, alternates }: PageContent): { readonly href: string; readonly rel: string }[] {
  return [...nextHrefs.map((href) => ({ href, rel: 'next' })), ...alternates.map(({ href }) => ({ href, rel: 'alternate' }))];
}

function resolve(href: string, resolver: LinkResolver, resolved: Map<string, CanonicalUrl | null>): CanonicalUrl | null {
  const known = resolved.get(href);
  if (known !== undefined) return known;
  const url = resolver.resolve(href);
  resolved.set(href, url);
  return url;
}

function candidateOf(url: CanonicalUrl, sighting: LinkSighting, page: PageContent, roles: Uint8Array): Candidate {
  let start = sighting.start;
  while (start < sighting.end && isBreak(page.text.charCodeAt(start))) start += 1;
  return {
    url,
    sighting,
    anchorStart: start,
    anchorText: anchorOf(page.text, start, sighting.end),
    zone: zoneOf(sighting, start, page, roles),
  };
}

function isBetter(a: Candidate, b: Candidate): boolean {
  const aMain = a.zone === 'content';
  return aMain === (b.zone === 'content') ? a.anchorText.length > b.anchorText.length : aMain;
}

function zoneOf(sighting: LinkSighting, start: number, page: PageContent, roles: Uint8Array): LinkZone {
  if (sighting.flags & (FLAG.nav | FLAG.header)) return 'navigation';
  if (sighting.flags & FLAG.footer) return 'footer';
  let block = sighting.block;
  while (block + 1 < roles.length && (page.lines[LINE_SIZE * block + LINE.end] ?? 0) < start) block += 1;
  return (roles[block] ?? ROLE.outside) !== ROLE.outside ? 'content' : 'other';
}

function outlinkOf({ url, sighting, anchorStart, anchorText, zone }: Candidate, text: string, places: number[]): Outlink {
  const beforeStart = contextEdge(text, anchorStart, -1);
  // A link that closes with its last block ends after the line break.
  const endsBlock = sighting.end > anchorStart && text.charCodeAt(sighting.end - 1) === NEWLINE;
  const afterEnd = endsBlock ? sighting.end : contextEdge(text, sighting.end, 1);
  places.push(anchorStart, anchorEnd(text, anchorStart, sighting.end), beforeStart, anchorStart, sighting.end, afterEnd);
  return {
    url,
    anchorText,
    context: contextOf(text, beforeStart, anchorStart, sighting.end, afterEnd),
    imageAlt: altOf(sighting.imageAlt),
    zone,
    tagPath: sighting.tagPath,
    rel: sighting.rel,
  };
}

/** The text before a link and after it, by their places. */
export function contextOf(text: string, beforeStart: number, beforeEnd: number, afterStart: number, afterEnd: number): string {
  const before = text.slice(beforeStart, beforeEnd).trim();
  const after = text.slice(afterStart, afterEnd).trim();
  return before === '' ? after : after === '' ? before : `${before} ${after}`;
}

/** The alternative text of a link, as it is kept. */
export function altOf(imageAlt: string): string {
  if (imageAlt === '') return '';
  const text = squeeze(imageAlt);
  return text.slice(0, anchorEnd(text, 0, text.length));
}

function isBreak(code: number): boolean {
  return code === SPACE || code === NEWLINE;
}

function anchorOf(text: string, start: number, end: number): string {
  const anchor = text.slice(start, anchorEnd(text, start, end));
  return (anchor.includes('\n') ? anchor.replaceAll('\n', ' ') : anchor).trim();
}

/** End of an anchor's text: at most `MAX_ANCHOR_CHARS` after `start`, without splitting a surrogate pair. */
function anchorEnd(text: string, start: number, end: number): number {
  if (end - start <= MAX_ANCHOR_CHARS) return end;
  const cut = start + MAX_ANCHOR_CHARS;
  const last = text.charCodeAt(cut - 1);
  return last >= 0xd800 && last < 0xdc00 ? cut - 1 : cut;
}

/** The other end of up to ten words of the same block, from `from` on. */
function contextEdge(text: string, from: number, step: 1 | -1): number {
  const look = step === 1 ? 0 : -1;
  const stop = step === 1 ? Math.min(text.length, from + MAX_CONTEXT_CHARS) : Math.max(0, from - MAX_CONTEXT_CHARS);
  let budget = CONTEXT_HALF_WORDS;
  let inWord = false;
  for (let at = from; at !== stop; at += step) {
    const code = text.charCodeAt(at + look);
    if (code === NEWLINE) return at;
    const unspaced = isUnspaced(code);
    if (code === SPACE || unspaced) {
      if (inWord) budget -= 2;
      inWord = false;
      if (budget <= 0) return at;
      if (unspaced) budget -= 1;
    } else inWord = true;
  }
  return wholeAt(text, stop, step);
}

/** `at`, or one further inside if it would split a surrogate pair. */
function wholeAt(text: string, at: number, step: 1 | -1): number {
  const isSplit = at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isSplit ? at - step : at;
}

/** The page's link occurrences, with the targets of `<meta http-equiv=refresh>` first, because they are in the head. A reload has no target. */
function refreshFirst({ metas, lines, links }: PageContent): readonly LinkSighting[] {
  const targets = metas.flatMap(({ name, content }) => (name === 'http-equiv:refresh' ? (refreshTarget(content) ?? []) : []));
  if (targets.length === 0) return links;
  const block = lines.length / LINE_SIZE;
  return [...targets.map((href) => ({ ...WITHOUT_TEXT, href, block })), ...links];
}

const WITHOUT_TEXT = { start: 0, end: 0, flags: 0, tagPath: 'html>head>meta', rel: [], imageAlt: '' } as const;
