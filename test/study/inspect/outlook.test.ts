import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { CanonicalUrl, Fate, FrontierEntry } from '../../../src/base/core/types.ts';
import type { CrawlLedgerLine } from '../../../src/study/inspect/ledger-lines.ts';
import { LocalityCount } from '../../../src/study/inspect/locality.ts';
import { Prospect } from '../../../src/study/inspect/outlook.ts';
import { calibratePriorities } from '../../../src/study/inspect/priority-calibration.ts';
import { fate, hostOf, NO_TEXT, referrer, urlOf } from '../../support/frontier-values.ts';

const THRESHOLD = 0.5;
const ON = 0.9;
const OFF = 0.1;

function entry(nth: number, priority: number, from: string | null, ofReferrer = 1): FrontierEntry {
  const url = urlOf(`http://a.test/${nth}`);
  const edge = from === null ? null : { referrer: referrer(from, { relevance: ofReferrer }), link: NO_TEXT, learnedFrom: 0 };
  return { url, task: { kind: 'page' }, host: hostOf(url), priority, depth: 1, offTopicDepth: 0, edge, attempts: 0, redirects: 0 };
}

/** `share` of them on topic, spread evenly, all of one priority and from a page of long ago. */
function visits(count: number, share: number, priority = 0.5): { entry: FrontierEntry; fate: Fate }[] {
  const isOn = (i: number) => Math.floor((i + 1) * share) > Math.floor(i * share);
  return Array.from({ length: count }, (_, i) => ({
    entry: entry(i, priority, 'http://old.test/'),
    fate: fate(isOn(i) ? 'kept' : 'off-topic', { relevance: isOn(i) ? ON : OFF }),
  }));
}

function waiting(count: number, priority: number, from = 'http://old.test/', state: CrawlLedgerLine['state'] = 'waiting') {
  return Array.from({ length: count }, () => ({ state, priority, referrer: urlOf(from) }));
}

function outlookOf(settled: ReturnType<typeof visits>, lines: ReturnType<typeof waiting>) {
  const prospect = new Prospect(THRESHOLD);
  for (const [order, one] of settled.entries()) prospect.settled({ ...one, order });
  for (const line of lines) prospect.line(line);
  return prospect.outlook();
}

describe('the outlook', () => {
  test('is not given before 100 visits, whatever else was settled', () => {
    const refused = { entry: entry(5000, 1, null), fate: fate('refused', { visited: false }) };
    expect(outlookOf([...visits(99, 0.5), refused], waiting(5000, 0.5))).toBeNull();
    expect(outlookOf(visits(100, 0.5), waiting(5000, 0.5))).not.toBeNull();
  });

  test('goes on as it was where what waits is like what was followed', () => {
    for (const share of [0.02, 0.2, 0.5, 0.9]) {
      const { onTopic = 0, low = 0, high = 0, requests } = outlookOf(visits(250, share), waiting(5000, 0.5)) ?? {};
      expect(requests).toBe(1000);
      expect(Math.abs(onTopic - 1000 * share)).toBeLessThan(15);
      expect([low < onTopic, onTopic < high, low >= 0, high <= 1000]).toEqual([true, true, true, true]);
    }
  });

  test('falls where what waits is worse than what was followed', () => {
    const { onTopic = Number.NaN } = outlookOf(visits(250, 0.8, 0.9), waiting(5000, 0.2)) ?? {};
    expect(onTopic).toBeLessThan(200);
  });

  test('counts on as many good links as the last pages brought, for half of the way', () => {
    const settled = visits(250, 0.8, 0.9);
    // Two links as good as those that were followed for each five pages: a thousand visits bring 400, half of them in time.
    const found = waiting(100, 0.9, settled[200]?.entry.url);
    const without = outlookOf(settled, waiting(5000, 0.01))?.onTopic ?? 0;
    const withFound = outlookOf(settled, [...waiting(5000, 0.01), ...found])?.onTopic ?? 0;
    expect(withFound - without).toBeGreaterThan(0.8 * 300 * 0.9);
    expect(withFound - without).toBeLessThan(0.8 * 300 * 1.1);
  });

  test('counts what waits only, and no more than there is', () => {
    const some = outlookOf(visits(250, 1), waiting(40, 0.5))?.onTopic ?? 0;
    expect(some).toBeGreaterThan(30);
    expect(some).toBeLessThanOrEqual(40);
    const others = (['parked', 'refused', 'kept', 'failed'] as const).flatMap((state) => waiting(1000, 0.5, 'http://old.test/', state));
    expect(outlookOf(visits(250, 1), [...waiting(40, 0.5), ...others])?.onTopic).toBe(some);
    expect(outlookOf(visits(250, 1), waiting(40, 0.5, 'http://old.test/', 'waiting'))?.onTopic).toBe(some);
    expect(outlookOf(visits(250, 1), [])?.onTopic).toBe(0);
  });

  test('goes by the last 250 visits alone', () => {
    const earlier = visits(1000, 0.9);
    const { onTopic = 0 } = outlookOf([...earlier, ...visits(250, 0.1)], waiting(5000, 0.5)) ?? {};
    expect(Math.abs(onTopic - 100)).toBeLessThan(15);
  });
});

test('calibration finds the line that outcomes were drawn from', () => {
  const rng = seededRng(1);
  const truth = (p: number) => 1 / (1 + Math.exp(-(3 * Math.log(p / (1 - p)) + 1)));
  const links = Array.from({ length: 4000 }, () => {
    const priority = 0.02 + 0.96 * rng();
    return { priority, onTopic: rng() < truth(priority) };
  });
  const worth = calibratePriorities(links);
  for (const p of [0.1, 0.3, 0.5, 0.7, 0.9]) expect(Math.abs(worth(p) - truth(p))).toBeLessThan(0.05);
});

test('where better priorities came to less, none counts for more than another', () => {
  const links = Array.from({ length: 2000 }, (_, i) => ({ priority: i % 2 === 0 ? 0.9 : 0.1, onTopic: i % 2 === 1 }));
  const worth = calibratePriorities(links);
  expect(worth(0.9)).toBe(worth(0.1));
});

test('calibrated or not, a better priority is never worth less, and every worth is a probability', () => {
  const link = fc.record({ priority: fc.double({ min: 0, max: 1, noNaN: true }), onTopic: fc.boolean() });
  const priorities = [0, 1e-9, 0.1, 0.5, 0.9, 1];
  fc.assert(
    fc.property(fc.array(link, { maxLength: 60 }), (links) => {
      const worths = priorities.map(calibratePriorities(links));
      for (const [i, worth] of worths.entries()) {
        expect(worth).toBeGreaterThanOrEqual(worths[i - 1] ?? 0);
        expect(worth).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('locality counts pages by the link they were followed by; what is no page is off topic, a redirect is its target', () => {
  const count = new LocalityCount(THRESHOLD);
  const from = (relevance: number) => entry(1, 0.5, 'http://old.test/', relevance);
  count.add(from(ON), fate('kept', { relevance: ON }));
  count.add(from(ON), fate('duplicate', { relevance: THRESHOLD }));
  count.add(from(THRESHOLD), fate('off-topic', { relevance: OFF }));
  count.add(from(ON), fate('failed', { reason: 'http-4xx' }));
  count.add(from(OFF), fate('kept', { relevance: ON }));
  count.add(from(OFF), fate('off-topic', { relevance: OFF }));
  count.add(from(ON), fate('fetched', { reason: { kind: 'redirect', to: 'http://b.test/' as CanonicalUrl } }));
  count.add(from(ON), fate('refused', { reason: 'robots', visited: false }));
  count.add(entry(1, 1, null), fate('kept', { relevance: ON }));
  expect(count.measured()).toEqual({
    ofOnTopicPages: { followed: 4, onTopic: 2 },
    ofOffTopicPages: { followed: 2, onTopic: 1 },
  });
});
