/** What is remembered of URLs for long must not hold the records they were decoded from. */
import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { LruMap } from '../../../src/crawling/frontier/lru-map.ts';
import { TrapGuard } from '../../../src/crawling/frontier/trap-guard.ts';
import { fate, hostOf, NO_TEXT, referrer } from '../../support/frontier-values.ts';
import { cutText, heapKeptBy } from '../../support/heap.ts';

const COUNT = 2000;
/** Some seventy characters, twice over, and the place in a map. */
const MOST_A_TEXT = 1000;

function cutUrl(n: number): CanonicalUrl {
  return cutText('http://a.test/', n) as CanonicalUrl;
}

test('keys that were used', () => {
  const kept = heapKeptBy(() => {
    const recently = new LruMap<number>(COUNT);
    for (let n = 0; n < COUNT; n++) recently.use(cutText('host ', n), () => n);
    return recently;
  });
  expect(kept).toBeLessThan(COUNT * MOST_A_TEXT);
});

test('places of settled URLs, with their referrers', () => {
  const kept = heapKeptBy(() => {
    const guard = new TrapGuard(() => null);
    for (let n = 0; n < COUNT; n++) {
      const edge = { referrer: { ...referrer('http://a.test/'), url: cutUrl(n) }, link: NO_TEXT, learnedFrom: 0 };
      const entry = {
        url: cutUrl(n),
        host: hostOf('http://a.test/'),
        priority: 1,
        depth: 1,
        offTopicDepth: 0,
        task: { kind: 'page' } as const,
        redirects: 0,
        attempts: 0,
        edge,
      };
      guard.settled(entry, { fate: fate('fetched'), order: n, traces: { ledToNew: false, within: 0 } });
    }
    return guard;
  });
  expect(kept).toBeLessThan(2 * COUNT * MOST_A_TEXT);
});
