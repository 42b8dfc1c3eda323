import type { Frontier, KeptPayloads } from '../core/parts.ts';
import type { CanonicalUrl } from '../core/types.ts';

/** The payloads of a crawl's kept pages, from its committed fates on. About 150 bytes a page. */
export function keptPayloads(frontier: Pick<Frontier, 'settled'>): KeptPayloads {
  const byDigest = new Map<string, CanonicalUrl>();
  for (const { entry, fate } of frontier.settled()) if (fate.payloadSha256) byDigest.set(fate.payloadSha256, entry.url);
  return {
    claim(sha256, url) {
      const first = byDigest.get(sha256);
      if (first !== undefined && first !== url) return first;
      byDigest.set(sha256, url);
      return null;
    },
  };
}
