/** One count of what a crawl has come to, whether it is read from a ledger or follows a crawl that goes on. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOnTopic } from '../../../src/base/core/on-topic.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { shareOf } from '../../../src/base/core/share.ts';
import type { CanonicalUrl, Fate } from '../../../src/base/core/types.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { LineTally } from '../../../src/study/inspect/line-tally.ts';
import { FateTally, Tally } from '../../../src/study/inspect/tally.ts';
import { runs } from '../../support/extent.ts';
import { fate, link, outlinks, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const JUDGES = {
  threshold: 0.5,
  topics: [
    { name: 'moss', id: 'a', threshold: 0.5 },
    { name: 'peat', id: 'b', threshold: 0.75 },
  ],
};
const STATES = ['kept', 'off-topic', 'duplicate', 'failed', 'refused', 'fetched'] as const;

function randomFate(rng: () => number): Fate {
  const state = STATES[Math.floor(rng() * STATES.length)] ?? 'kept';
  const isJudged = state === 'kept' || state === 'off-topic' || state === 'duplicate';
  const relevances = [rng(), rng()];
  return fate(state, {
    reason: state === 'refused' ? 'private-address' : state === 'failed' ? 'timeout' : '',
    relevance: isJudged ? Math.max(...relevances) : null,
    ...(isJudged && { relevances }),
    visited: state !== 'refused' || rng() < 0.5,
  });
}

test('any crawl: counted as it goes on, and from its ledger, it comes to the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const rng = seededRng(seed);
      const explore = { share: 0.2, seed };
      const frontier = openMemoryFrontier({ clock: new VirtualClock(), delay: 0, maxPagesPerHost: 1000, explore });
      const live = new Tally(JUDGES);
      frontier.add(seeds(link('http://h0.test/', 1)));
      for (let step = 0; step < 60; step++) {
        const next = frontier.next();
        if (next.kind !== 'lease') break;
        const { lease } = next;
        const found = Array.from({ length: 4 }, () => link(`http://h${Math.floor(rng() * 4)}.test/${Math.floor(rng() * 90)}`, rng()));
        const discovered = outlinks(lease.entry.url, found, { offTopicDepth: Math.floor(rng() * 2) });
        if (rng() < 0.1) {
          frontier.settle(lease, { kind: 'retry', reason: 'timeout', notBefore: 0, host: WELL });
          continue;
        }
        const end = randomFate(rng);
        frontier.settle(lease, { kind: 'done', fate: end, discovered, host: WELL });
        live.settled({ entry: lease.entry, fate: end, order: step });
      }
      const read = Tally.of(frontier, JUDGES);
      expect(read.counts()).toEqual(live.counts());
      expect(FateTally.of(frontier, JUDGES).counts()).toEqual(live.fates.counts());
      const { visited, earlierVisits } = frontier.counts();
      const onTopic = [...frontier.fates()].filter(({ relevance }) => isOnTopic(relevance, JUDGES.threshold)).length;
      expect(read.counts().harvestRate).toBe(shareOf(onTopic, visited - earlierVisits));
    }),
    { numRuns: runs(100) },
  );
});

test('a page is on topic from its threshold on, and not where nobody judged it; of nothing the share is 0', () => {
  expect([0.5, 0.51, 0.49, null, undefined, Number.NaN].map((relevance) => isOnTopic(relevance, 0.5))).toEqual(
    [true, true, false, false, false, false], // in this order
  );
  expect([shareOf(0, 0), shareOf(1, 4)]).toEqual([0, 0.25]);
});

test('lines are counted by state and reason; a host that is tried again by who is next', () => {
  const tally = new LineTally();
  const line = (url: string, state: 'kept' | 'refused' | 'parked' | 'waiting', reason = '') => ({
    url: urlOf(url) as CanonicalUrl,
    state,
    reason,
    relevance: state === 'kept' ? 1 : null,
  });
  const retry = (notBefore: string) => ({ reason: 'timeout', attempts: 1, notBefore, givenUp: '2026-01-02T00:00:00.000Z' });
  tally.line(line('http://a.test/1', 'kept'));
  tally.line(line('http://a.test/2', 'refused', 'robots'));
  tally.line(line('http://b.test/1', 'parked', 'host-unreachable'));
  tally.line(line('http://c.test/1', 'waiting', 'reopened'));
  tally.line({ ...line('http://d.test/1', 'waiting'), retry: retry('2026-01-01T00:00:02.000Z') });
  tally.line({ ...line('http://d.test/2', 'waiting'), retry: retry('2026-01-01T00:00:01.000Z') });
  tally.line({ ...line('http://e.test/1', 'waiting'), retry: retry('2026-01-01T00:00:00.000Z') });
  expect(tally.counts()).toMatchObject({
    states: { kept: 1, refused: 1, parked: 1, waiting: 4 },
    reasons: { 'refused:robots': 1, 'waiting:reopened': 1 },
    parked: { 'host-unreachable': 1 },
    givenUp: [{ host: 'http://b.test', waiting: 1 }],
    retried: [
      { host: 'http://e.test', waiting: 1, notBefore: '2026-01-01T00:00:00.000Z' },
      { host: 'http://d.test', waiting: 2, notBefore: '2026-01-01T00:00:01.000Z' },
    ],
  });
});
