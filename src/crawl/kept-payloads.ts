import { isOnTopic } from '../core/on-topic.ts';
import { ownString } from '../core/own-string.ts';
import type { KeptPayloads } from '../core/parts/keeping.ts';
import type { Ledger } from '../core/parts/queueing.ts';
import type { CanonicalUrl, Topic, Unit } from '../core/types.ts';

/**
 * The payloads of all kept pages of a crawl, from its committed fates. About 150 bytes a page, plus some for each further topic of the page.
 * @param topics of a crawl with several topics
 */
export function keptPayloads(
  frontier: Pick<Ledger, 'settled' | 'revisits'>,
  topics: readonly Pick<Topic, 'threshold'>[] = [],
): KeptPayloads {
  const byKey = new Map<string, CanonicalUrl>();
  const keysOf = (sha256: string, relevances: readonly Unit[] | undefined) =>
    relevances === undefined
      ? [sha256]
      : topics.flatMap(({ threshold }, i) => (isOnTopic(relevances[i], threshold) ? [`${i} ${sha256}`] : []));
  const take = (keys: readonly string[], url: CanonicalUrl) => {
    for (const key of keys) if (!byKey.has(key)) byKey.set(ownString(key), ownString(url));
  };
  const versions = new Map([...frontier.revisits()].flatMap(({ url, revisit: { version } }) => (version ? [[url, version] as const] : [])));
  for (const { entry, fate } of frontier.settled()) {
    const payloadSha256 = fate.state !== 'kept' || versions.has(entry.url) ? null : fate.payloadSha256;
    if (payloadSha256) take(keysOf(payloadSha256, fate.relevances), entry.url);
  }
  for (const [url, { payloadSha256, relevances }] of versions) take(keysOf(payloadSha256, relevances), url);
  return {
    claim(sha256, url, relevances) {
      const keys = keysOf(sha256, relevances);
      const [first] = keys.map((key) => byKey.get(key));
      const isCopy = keys.every((key) => (byKey.get(key) ?? url) !== url);
      if (isCopy && first !== undefined) return first;
      take(keys, url);
      return null;
    },
    release(sha256, url) {
      for (const key of [sha256, ...topics.map((_, i) => `${i} ${sha256}`)]) if (byKey.get(key) === url) byKey.delete(key);
    },
  };
}
