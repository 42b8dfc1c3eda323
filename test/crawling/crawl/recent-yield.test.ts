import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecentYield } from '../../../src/crawling/crawl/recent-yield.ts';
import { fate } from '../../support/frontier-values.ts';
import { type SmallPage, type SmallWeb, smallCrawl } from './small-crawl.ts';

const A = 'http://a.test/';
const ON = { relevance: 0.9 } satisfies SmallPage;
const OFF = { relevance: 0.1 } satisfies SmallPage;

/** `http://a.test/0` … each linking to the next. */
function chain(pages: readonly SmallPage[]): SmallWeb {
  return Object.fromEntries(pages.map((page, i) => [`${A}${i}`, { ...page, links: [`${A}${i + 1}`], body: String(i) }]));
}

function alike(count: number, page: SmallPage): SmallPage[] {
  return Array.from({ length: count }, () => page);
}

test('a copy is no yield, though it is on topic', () => {
  const recent = new RecentYield(4, 0.5);
  for (const state of ['kept', 'duplicate', 'duplicate', 'kept', 'duplicate'] as const)
    recent.add(fate(state, { visited: true, relevance: 0.9 }));
  expect([recent.visits, recent.onTopic]).toEqual([4, 1]);
});

test('counts as a list of all visits would', () => {
  const visit = fc.record({ visited: fc.boolean(), relevance: fc.constantFrom(null, 0, 0.49, 0.5, 1) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(visit, { maxLength: 60 }), (window, visits) => {
      const recent = new RecentYield(window, 0.5);
      for (const one of visits) recent.add(fate('off-topic', one));
      const last = visits.filter(({ visited }) => visited).slice(-window);
      expect(recent.visits).toBe(last.length);
      expect(recent.onTopic).toBe(last.filter(({ relevance }) => (relevance ?? 0) >= 0.5).length);
    }),
  );
});

describe('a crawl', () => {
  test('stops with the visit that makes the last ones too poor, not before, and says so', async () => {
    const web = chain([...alike(20, ON), ...alike(40, OFF)]);
    const { stopped, frontier } = await smallCrawl({ web, seeds: [`${A}0`], limits: { stopYield: { share: 0.2, visits: 10 } } });
    // 20 on topic, then 9 off: one in ten is left.
    expect([stopped, frontier.counts().visited]).toEqual(['low-yield', 29]);
  });

  test('goes on where the yield is just what was asked', async () => {
    const web = chain(Array.from({ length: 60 }, (_, i) => (i % 5 === 0 ? ON : OFF)));
    const { stopped } = await smallCrawl({ web, seeds: [`${A}0`], limits: { maxPages: 60, stopYield: { share: 0.2, visits: 10 } } });
    expect(stopped).toBe('max-pages');
  });

  test('is given as many visits as the limit looks at', async () => {
    const { stopped, frontier } = await smallCrawl({
      web: chain(alike(60, OFF)),
      seeds: [`${A}0`],
      limits: { stopYield: { share: 0.5, visits: 40 } },
    });
    expect([stopped, frontier.counts().visited]).toEqual(['low-yield', 40]);
  });

  test('without a limit never stops for it', async () => {
    const { stopped } = await smallCrawl({ web: chain(alike(60, OFF)), seeds: [`${A}0`], limits: { stopYield: null } });
    expect(stopped).toBe('drained');
  });
});

test('what earlier runs visited counts: a crawl that was poor to its end asks for nothing more', async () => {
  const urls = Array.from({ length: 30 }, (_, i) => `http://a.test/${i}`);
  const web = Object.fromEntries(urls.map((url) => [url, { relevance: 0.1 }]));
  const again = (visits: number) =>
    smallCrawl({
      web,
      seeds: urls,
      limits: { maxPages: 10 },
      revisit: { age: 0, limits: { maxPages: 20, stopYield: { share: 0.5, visits } } },
    });
  const poor = await again(10);
  expect([poor.stopped, poor.requests.length]).toEqual(['low-yield', 10]);
  const later = await again(12);
  expect([later.stopped, later.requests.length]).toEqual(['low-yield', 12]);
});
