import type { HostReport } from '../../src/base/core/parts/queueing.ts';
import {
  type CanonicalUrl,
  type DiscoveredLink,
  type Discovery,
  type Fate,
  type HostKey,
  type LinkTask,
  type LinkText,
  type Ms,
  PAGE,
  type Patience,
  type Referrer,
  type RefusalReason,
} from '../../src/base/core/types.ts';
import { canonicalize, hostKeyOf } from '../../src/base/web/url.ts';

/** Values for tests of the frontier and of what uses it. */
export function urlOf(text: string): CanonicalUrl {
  const url = canonicalize(text);
  if (!url) throw new Error(`${text} is no URL`);
  return url;
}

export function hostOf(text: string): HostKey {
  return hostKeyOf(urlOf(text));
}

export const NO_TEXT: LinkText = { anchorText: '', context: '', imageAlt: '', zone: 'other', tagPath: '', anchorScore: 0, contextScore: 0 };

export function link(
  url: string,
  priority: number,
  refusal: RefusalReason | null = null,
  text: Partial<LinkText> = {},
  task: LinkTask = PAGE,
): DiscoveredLink {
  return { url: urlOf(url), host: hostOf(url), priority, refusal, text: { ...NO_TEXT, ...text }, task };
}

export function seeds(...links: DiscoveredLink[]): Discovery {
  return { referrer: null, depth: 0, offTopicDepth: 0, redirects: 0, learnedFrom: 0, links };
}

export function referrer(url: string, known: Partial<Referrer> = {}): Referrer {
  return { url: urlOf(url), title: '', relevance: 1, depth: 0, offTopicDepth: 0, ...known };
}

export function outlinks(from: string, links: readonly DiscoveredLink[], known: Partial<Discovery> = {}): Discovery {
  return { referrer: referrer(from), depth: 1, offTopicDepth: 0, redirects: 0, learnedFrom: 0, links, ...known };
}

/** Patience that takes its time, whatever a page takes. */
export function upTo(longest: Ms): Patience {
  return { longest, pace: Number.POSITIVE_INFINITY };
}

/** What a request told of its host: by default that it answered at once. */
export function report(sign: HostReport['sign'], known: Partial<HostReport> = {}): HostReport {
  return { ms: 0, sign, retryAfter: null, ...known };
}

export const WELL = report('well');

export function fate(state: Fate['state'], known: Partial<Fate> = {}): Fate {
  return {
    state,
    reason: '',
    relevance: null,
    status: 200,
    fetchedAt: 1,
    recordId: null,
    payloadSha256: null,
    page: null,
    visited: true,
    ...known,
  };
}

/** The name of any URL, for steps that are found by their numbers. */
export const NAME = { url: urlOf('http://a.test/'), host: hostOf('http://a.test/') };

/** The task of an alternate of a kept page. */
export const ALTERNATE: LinkTask = { kind: 'alternate', of: 'en', hops: 0 };
