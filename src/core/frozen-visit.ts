/** What asking for one URL came to, as a frozen web has it: enough to crawl it again without asking. */

import { FAILURE_POLICY } from './failure-policy.ts';
import { type Reason, wordOf } from './reason.ts';
import type { CanonicalUrl, Extraction, FailureCode, Fate, LinkText, RefusalReason } from './types.ts';

/** An outlink as it is stored: its words, and nobody's opinion of them. */
export interface FrozenLink {
  readonly url: CanonicalUrl;
  readonly text: Omit<LinkText, 'anchorScore' | 'contextScore'>;
}

/** A page without its markup. */
export interface FrozenContent {
  /** SHA-256 of the payload, hex: two URLs with the same are one page. */
  readonly payloadSha256: string;
  readonly title: string;
  readonly text: string;
  readonly lang: string | null;
  readonly noindex: boolean;
  /** None of a page that asks for none of its links to be followed. */
  readonly links: readonly FrozenLink[];
}

export type FrozenVisit = { readonly url: CanonicalUrl; readonly status: number | null } & (
  | { readonly kind: 'page'; readonly content: FrozenContent }
  | { readonly kind: 'redirect'; readonly to: CanonicalUrl }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'failed'; readonly code: FailureCode }
);

/** Refusals that tell of the web. The others are rules of one crawl, by which another does not go. */
const OF_THE_WEB = [
  'robots',
  'robots-unreachable',
  'private-address',
  'content-type',
  'too-large',
] as const satisfies readonly RefusalReason[];

/** What a frozen web keeps of a page that was read. @param links its outlinks, scored or not */
export function frozenContent(
  { title, text, lang, noindex, nofollow }: Pick<Extraction, 'title' | 'text' | 'lang' | 'noindex' | 'nofollow'>,
  links: readonly FrozenLink[],
  payloadSha256: string,
): FrozenContent {
  return { payloadSha256, title, text, lang, noindex, links: nofollow ? [] : links.map(wordsOnly) };
}

/** The end of a URL that gave no page, by its fate; null for a page, for a list of URLs, and for what the rules of the crawl alone refused. @param to where it redirects */
export function frozenEnd(
  url: CanonicalUrl,
  { state, reason, status, visited }: Pick<Fate, 'state' | 'reason' | 'status' | 'visited'>,
  to: CanonicalUrl | null,
): FrozenVisit | null {
  if (state === 'fetched') return to && { url, status, kind: 'redirect', to };
  if (state === 'failed') return isFailure(reason) ? { url, status, kind: 'failed', code: reason } : null;
  if (state !== 'refused') return null;
  // A redirect to another scheme than http(s) is refused as `scope` too, but by asking.
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
