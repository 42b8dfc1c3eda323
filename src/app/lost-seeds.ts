import type { Frontier } from '../core/parts.ts';
import type { CanonicalUrl, LedgerLine } from '../core/types.ts';
import { canonicalize } from '../web/url.ts';

/** A seed that led to no page, and how it ended. */
export interface LostSeed {
  readonly url: CanonicalUrl;
  readonly state: 'refused' | 'failed';
  readonly reason: string;
}

const REDIRECT = 'redirect:';

/** The seeds, or what they redirect to, that were refused or failed. O(seeds). */
export function lostSeeds(seeds: readonly CanonicalUrl[], frontier: Pick<Frontier, 'find'>): LostSeed[] {
  return seeds.flatMap((url) => {
    const end = endOf(url, frontier);
    return end?.state === 'refused' || end?.state === 'failed' ? [{ url, state: end.state, reason: end.reason }] : [];
  });
}

/** The ledger's word on the end of a chain of redirects. A chain that comes back to itself ends there. */
function endOf(seed: CanonicalUrl, frontier: Pick<Frontier, 'find'>): LedgerLine | null {
  const passed = new Set<CanonicalUrl>();
  let url: CanonicalUrl | null = seed;
  let line: LedgerLine | null = null;
  while (url !== null && !passed.has(url)) {
    passed.add(url);
    line = frontier.find(url)?.line ?? null;
    url = line?.reason.startsWith(REDIRECT) ? canonicalize(line.reason.slice(REDIRECT.length)) : null;
  }
  return line;
}
