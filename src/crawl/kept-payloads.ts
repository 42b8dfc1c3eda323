import { ownString } from '../core/own-string.ts';
import type { Frontier, KeptPayloads } from '../core/parts.ts';
import type { CanonicalUrl, Topic, Unit } from '../core/types.ts';

/**
 * The payloads of a crawl's kept pages, from its committed fates on. About 150 bytes a page, and for each topic more that it is on.
 * @param topics of a crawl of several
 */
export function keptPayloads(
  frontier: Pick<Frontier, 'settled' | 'revisits'>,
  topics: readonly Pick<Topic, 'threshold'>[] = [],
): KeptPayloads {
  const byKey = new Map<string, CanonicalUrl>();
  const keysOf = (sha256: string, relevances: readonly Unit[] | undefined) =>
    relevances === undefined
      ? [sha256]
      : topics.flatMap(({ threshold }, i) => ((relevances[i] ?? 0) >= threshold ? [`${i} ${sha256}`] : []));
  const take = (keys: readonly string[], url: CanonicalUrl) => {
    for (const key of keys) if (!byKey.has(key)) byKey.set(ownString(key), ownString(url));
  };
  for (const { entry, fate } of frontier.settled()) if (fate.payloadSha256) take(keysOf(fate.payloadSha256, fate.relevances), entry.url);
  for (const { url, revisit } of frontier.revisits())
    if (revisit.version) take(keysOf(revisit.version.payloadSha256, revisit.version.relevances), url);
  return {
    claim(sha256, url, relevances) {
      const keys = keysOf(sha256, relevances);
      const [first] = keys.map((key) => byKey.get(key));
      const isCopy = keys.every((key) => (byKey.get(key) ?? url) !== url);
      if (isCopy && first !== undefined) return first;
      take(keys, url);
      return null;
    },
  };
}
