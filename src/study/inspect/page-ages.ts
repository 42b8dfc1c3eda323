import { isoTime } from '../../base/core/clock.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { type CanonicalUrl, type EpochMs, type HostKey, isAbsence, type Revisit } from '../../base/core/types.ts';
import type { AgeFacts, HostChanges } from '../../corpus/select/age-facts.ts';
import { RefreshOrder } from '../../crawling/revisits/refresh-order.ts';
import { refreshPattern } from '../../crawling/revisits/refresh-pattern.ts';

const TOP_HOSTS = 10;
const OLDEST = 10;

interface SeenPage {
  readonly url: CanonicalUrl;
  readonly seenAt: EpochMs;
}

/**
 * Estimates how current the kept pages are. null for a crawl without revisits. O(settled URLs).
 * @param now moment of the estimates. Default: that of the last answer
 */
export function pageAges(frontier: Pick<Ledger, 'settled' | 'revisits'>, now?: EpochMs): AgeFacts | null {
  const revisits = new Map<CanonicalUrl, Revisit>();
  for (const { url, revisit } of frontier.revisits()) revisits.set(url, revisit);
  if (revisits.size === 0) return null;
  const order = new RefreshOrder('age');
  const hosts = new Map<HostKey, { number: number } & { -readonly [K in keyof HostChanges]: HostChanges[K] }>();
  const seen: EpochMs[] = [];
  const unseen: SeenPage[] = [];
  let changed = 0;
  for (const { entry, fate, place } of frontier.settled()) {
    if (fate.state !== 'kept') continue;
    const revisit = revisits.get(entry.url);
    const host = hosts.get(entry.host) ?? { number: hosts.size, host: entry.host, pages: 0, revisited: 0, changed: 0 };
    hosts.set(entry.host, host);
    const seenAt = revisit?.at ?? fate.fetchedAt ?? 0;
    seen.push(seenAt);
    noteUnseen(unseen, { url: entry.url, seenAt });
    host.pages += 1;
    if (revisit) host.revisited += 1;
    if (revisit && (revisit.version !== null || isAbsence(revisit.result))) {
      host.changed += 1;
      changed += 1;
    }
    const evidence = revisit?.evidence;
    order.set(place, { seenAt, host: host.number, pattern: refreshPattern(entry.url), ...(evidence && { evidence }) });
  }
  const times = Float64Array.from(seen).sort();
  const timeAt = (share: number) => isoTime(times[Math.floor(share * (times.length - 1))] ?? 0);
  const at = now ?? times.at(-1) ?? 0;
  const { pages, freshness, age } = order.estimates(at);
  return {
    at: isoTime(at),
    ...{ pages, revisited: revisits.size, changed, freshness, age },
    seen: { oldest: timeAt(0), median: timeAt(0.5), newest: timeAt(1) },
    longestUnseen: unseen.map(({ url, seenAt }) => ({ url, seenAt: isoTime(seenAt) })),
    hosts: [...hosts.values()]
      .sort((a, b) => b.pages - a.pages || (a.host < b.host ? -1 : 1))
      .slice(0, TOP_HOSTS)
      .map(({ number: _, ...host }) => host),
  };
}

/** Keeps the pages that were seen longest ago, the oldest first. */
function noteUnseen(oldest: SeenPage[], page: SeenPage): void {
  const place = oldest.findIndex(({ seenAt }) => seenAt > page.seenAt);
  if (place >= 0) oldest.splice(place, 0, page);
  else if (oldest.length < OLDEST) oldest.push(page);
  if (oldest.length > OLDEST) oldest.pop();
}
