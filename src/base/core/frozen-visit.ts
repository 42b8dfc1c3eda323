/** The outcome of the request for one URL, as a frozen web stores it: enough to crawl the URL again offline. */

import { FAILURE_POLICY } from './failure-policy.ts';
import { NO_METADATA } from './no-metadata.ts';
import { pageTexts } from './page-texts.ts';
import { type Reason, wordOf } from './reason.ts';
import type { CanonicalUrl, Extraction, FailureCode, Fate, LinkText, PageTexts, RefusalReason } from './types.ts';

/** A stored outlink: its words, without scores. */
export interface FrozenLink {
  readonly url: CanonicalUrl;
  readonly text: Omit<LinkText, 'anchorScore' | 'contextScore'>;
}

/** A page without its markup. */
export interface FrozenContent extends PageTexts {
  /** SHA-256 of the payload, hex: two URLs with the same digest are one page. */
  readonly payloadSha256: string;
  readonly noindex: boolean;
  /** Empty if the page asks crawlers not to follow its links. */
  readonly links: readonly FrozenLink[];
}

export type FrozenVisit = { readonly url: CanonicalUrl; readonly status: number | null } & (
  | { readonly kind: 'page'; readonly content: FrozenContent }
  | { readonly kind: 'redirect'; readonly to: CanonicalUrl }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'failed'; readonly code: FailureCode }
);

/** Refusals that are facts about the web. The others are rules of one crawl, which do not apply to another. */
const OF_THE_WEB = [
  'robots',
  'robots-unreachable',
  'private-address',
  'content-type',
  'too-large',
] as const satisfies readonly RefusalReason[];

/** The content of a page that a frozen web stores. @param links its outlinks, with or without scores */
export function frozenContent(
  { noindex, nofollow, ...page }: PageTexts & Pick<Extraction, 'noindex' | 'nofollow'>,
  links: readonly FrozenLink[],
  payloadSha256: string,
): FrozenContent {
  return { payloadSha256, ...pageTexts(page), noindex, links: nofollow ? [] : links.map(wordsOnly) };
}

/** A stored page as an extraction. Parts that are not stored are empty. */
export function frozenExtraction({ title, text, otherText = '', lang, noindex }: FrozenContent): Omit<Extraction, 'outlinks'> {
  const known = { title, text, otherText, lang, noindex, nofollow: false };
  return { ...known, metadata: NO_METADATA, fields: {}, charset: 'utf-8', warnings: [] };
}

/**
 * The outcome of a URL that returned no page, from its fate. null for a page, a URL list, and a URL that only the rules of the crawl refused.
 * @param to where it redirects
 */
export function frozenEnd(
  url: CanonicalUrl,
  { state, reason, status, visited }: Pick<Fate, 'state' | 'reason' | 'status' | 'visited'>,
  to: CanonicalUrl | null,
): FrozenVisit | null {
  if (state === 'fetched') return to && { url, status, kind: 'redirect', to };
  if (state === 'failed') return isFailure(reason) ? { url, status, kind: 'failed', code: reason } : null;
  if (state !== 'refused') return null;
  // A redirect to a scheme other than http(s) is refused as `scope` too, but only after a request.
  const known = OF_THE_WEB.find((refusal) => refusal === wordOf(reason)) ?? (visited && reason === 'scope' ? 'scope' : null);
  return known && { url, status, kind: 'refused', reason: known };
}

function wordsOnly({ url, text }: FrozenLink): FrozenLink {
  const { anchorText, context, imageAlt, zone, tagPath } = text;
  return { url, text: { anchorText, context, imageAlt, zone, tagPath } };
}

function isFailure(reason: Reason): reason is FailureCode {
  return typeof reason === 'string' && Object.hasOwn(FAILURE_POLICY, reason);
}
