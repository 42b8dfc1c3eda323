import { isOnTopic } from '../../base/core/on-topic.ts';
import { ownString } from '../../base/core/own-string.ts';
import type { OwnPayloads } from '../../base/core/parts/keeping.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, Topic, Unit } from '../../base/core/types.ts';

/** A payload under the names by which it is claimed: one for each of several topics that its page is on. */
export function payloadKeys(
  sha256: string,
  relevances: readonly Unit[] | undefined,
  topics: readonly Pick<Topic, 'threshold'>[],
): readonly string[] {
  if (relevances === undefined) return [sha256];
  return topics.flatMap(({ threshold }, i) => (isOnTopic(relevances[i], threshold) ? [`${i} ${sha256}`] : []));
}

/** The page of which one with these keys is a copy: another page has each of them. @param other the other page that has a key */
export function copiedFrom(keys: readonly string[], other: (key: string) => CanonicalUrl | null): CanonicalUrl | null {
  const others = keys.map(other);
  return others.every((one) => one !== null) ? (others[0] ?? null) : null;
}

/**
 * The payloads of all kept pages of a crawl, from its committed fates. About 150 bytes a page, plus some for each further topic of the page.
 * @param topics of a crawl with several topics
 */
export function keptPayloads(
  frontier: Pick<Ledger, 'settled' | 'revisits'>,
  topics: readonly Pick<Topic, 'threshold'>[] = [],
): OwnPayloads {
  const byKey = new Map<string, CanonicalUrl>();
  const keysOf = (sha256: string, relevances: readonly Unit[] | undefined) => payloadKeys(sha256, relevances, topics);
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
      const first = copiedFrom(keys, (key) => {
        const other = byKey.get(key);
        return other === undefined || other === url ? null : other;
      });
      if (first === null) take(keys, url);
      return first;
    },
    release(sha256, url) {
      for (const key of [sha256, ...topics.map((_, i) => `${i} ${sha256}`)]) if (byKey.get(key) === url) byKey.delete(key);
    },
  };
}
