/** The terms of an RSL document that apply to a page. */
import type { CanonicalUrl, StatedUses, UseTerms } from '../core/types.ts';
import { comparablePaths, matchesPath, parsePatterns } from './robots-pattern.ts';
import { hostKeyOf } from './url.ts';
import { combinedUses } from './use-words.ts';

/** An address, apart from its path: the path may have wildcards, which a URL would escape. */
const ADDRESS = /^(https?:\/\/[^/?#]+)(.*)$/i;

/**
 * The uses by the terms with the longest pattern that matches (RSL 1.0: matching as in RFC 9309); of several, combined. O(terms).
 * @returns null if no part of the document is about the page
 */
export function usesByTerms(terms: readonly UseTerms[], url: CanonicalUrl): StatedUses | null {
  const { pathname, search } = new URL(url);
  const paths = comparablePaths(pathname + search);
  let longest = -1;
  let found: StatedUses[] = [];
  for (const { location, uses } of terms) {
    const length = lengthOfMatch(location, url, paths);
    if (length < longest || length < 0) continue;
    if (length > longest) found = [];
    longest = length;
    found.push(uses);
  }
  return found.length === 0 ? null : combinedUses(found);
}

/** Length of a pattern that matches; -1 if it does not. A path without a host is of the host of the page. */
function lengthOfMatch(location: string, url: CanonicalUrl, paths: readonly string[]): number {
  const [, host, path = ''] = ADDRESS.exec(location) ?? [null, undefined, location];
  if (host !== undefined && (!URL.canParse(host) || new URL(host).origin !== new URL(hostKeyOf(url)).origin)) return -1;
  return Math.max(-1, ...parsePatterns(path || '/').map((one) => (paths.some((each) => matchesPath(one, each)) ? one.length : -1)));
}
