/** The age of a crawl's pages: counts of what was seen, and estimates by the rates of change. */
import { expect, test } from 'vitest';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { CanonicalUrl, RecordId, RevisitResult } from '../../../src/base/core/types.ts';
import { ageLines } from '../../../src/corpus/describe/age-words.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { pageAges } from '../../../src/study/inspect/page-ages.ts';
import { fate, link, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const DAY = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');

/** Pages of two hosts, kept on the first day and asked again every ten days. */
function crawled(answer: (url: string) => RevisitResult, revisits: number): { readonly frontier: Frontier; readonly clock: VirtualClock } {
  const clock = new VirtualClock(BEGIN);
  const frontier = openMemoryFrontier({ clock, delay: 0, maxPagesPerHost: 1e9 });
  const urls = [...Array.from({ length: 6 }, (_, i) => `http://a.test/${i}`), 'http://b.test/'];
  frontier.add(seeds(...urls.map((url) => link(url, 0.5))));
  const settle = (use: (lease: Extract<ReturnType<Frontier['next']>, { kind: 'lease' }>['lease']) => void) => {
    for (let next = frontier.next(); next.kind === 'lease'; next = frontier.next()) use(next.lease);
  };
  settle((lease) => {
    const kept = { fetchedAt: clock.now(), recordId: lease.entry.url as string as RecordId, payloadSha256: lease.entry.url };
    frontier.settle(lease, { kind: 'done', fate: fate('kept', kept), discovered: null, host: WELL });
  });
  for (let i = 0; i < revisits; i++) {
    clock.advance(10 * DAY);
    frontier.revisit(clock.now());
    settle((lease) => {
      const result = answer(lease.entry.url);
      const version = result === 'changed' ? { recordId: `v${i}` as RecordId, payloadSha256: `v${i}`, relevance: 1, modelId: 'm' } : null;
      const revisit = { at: clock.now(), status: 200, result, version };
      frontier.settle(lease, { kind: 'revisited', revisit, discovered: null, host: WELL });
    });
  }
  return { frontier, clock };
}

test('a crawl without revisits has none', () => {
  const { frontier } = crawled(() => 'same', 0);
  expect(pageAges(frontier, BEGIN + DAY)).toBeNull();
});

test('pages that changed or are gone are counted, in all and by host, with the times of the last answers', () => {
  const { frontier } = crawled((url) => (url.endsWith('/1') ? 'gone' : url.startsWith('http://b') ? 'changed' : 'same'), 3);
  const at = BEGIN + 30 * DAY;
  expect(pageAges(frontier, at)).toMatchObject({
    pages: 7,
    revisited: 7,
    changed: 2,
    longestUnseen: Array.from({ length: 7 }, () => ({ seenAt: '2026-01-31T00:00:00.000Z' })),
    seen: { oldest: '2026-01-31T00:00:00.000Z', median: '2026-01-31T00:00:00.000Z', newest: '2026-01-31T00:00:00.000Z' },
    hosts: [
      { host: 'http://a.test', pages: 6, revisited: 6, changed: 1 },
      { host: 'http://b.test', pages: 1, revisited: 1, changed: 1 },
    ],
  });
});

test('the estimates are of the moment: all current at once, older as time passes, sooner if pages change', () => {
  const [still, busy] = [crawled(() => 'same', 6), crawled(() => 'changed', 6)].map(({ frontier }) => frontier);
  const at = (frontier: Frontier | undefined, days: number) => pageAges(frontier as Frontier, BEGIN + (60 + days) * DAY);
  expect(at(busy, 0)).toMatchObject({ freshness: 1, age: 0 });
  const [soon, later] = [at(busy, 5), at(busy, 50)];
  expect(later?.freshness).toBeLessThan(soon?.freshness ?? 0);
  expect(later?.age).toBeGreaterThan(soon?.age ?? 0);
  expect(at(still, 20)?.freshness).toBeGreaterThan((at(busy, 20)?.freshness ?? 1) + 0.3);
  // The card has the moment of the last answer, so that it is the same whenever it is written.
  expect(pageAges(busy as Frontier)?.at).toBe('2026-03-02T00:00:00.000Z');
});

test('in words: what was seen, what is estimated, and by what', () => {
  const { frontier } = crawled((url) => (url.startsWith('http://b') ? 'changed' : 'same'), 2);
  const ages = pageAges(frontier, BEGIN + 40 * DAY);
  expect(ages && ageLines(ages)).toEqual([
    '7 of 7 kept pages requested again, 1 of them changed or gone; last seen 2026-01-21 in the median (2026-01-21 to 2026-01-21)',
    expect.stringMatching(
      /^estimated for 2026-02-10 by the rates of change seen so far: \d+\.\d % of the pages are as in the corpus; mean age of the corpus \d+\.\d (days|hours)$/,
    ),
    '  http://a.test: 0 of 6 revisited pages changed or gone',
    '  http://b.test: 1 of 1 revisited page changed or gone',
  ]);
});

test('the ten pages that were seen longest ago are named, the oldest first', () => {
  const clock = new VirtualClock(BEGIN);
  const frontier = openMemoryFrontier({ clock, delay: 0, maxPagesPerHost: 1e9 });
  frontier.add(seeds(...Array.from({ length: 15 }, (_, i) => link(`http://h${i}.test/`, 1 - i / 100))));
  for (let next = frontier.next(); next.kind === 'lease'; next = frontier.next()) {
    const { url } = next.lease.entry;
    clock.advance(DAY);
    frontier.settle(next.lease, {
      kind: 'done',
      fate: fate('kept', { fetchedAt: clock.now(), recordId: url as string as RecordId, payloadSha256: url }),
      discovered: null,
      host: WELL,
    });
  }
  const again = frontier.lease('http://h3.test/' as CanonicalUrl, 'kept');
  if (again)
    frontier.settle(again, {
      kind: 'revisited',
      revisit: { at: clock.now(), status: 200, result: 'same', version: null },
      discovered: null,
      host: WELL,
    });
  const named = pageAges(frontier)?.longestUnseen.map(({ url }) => url);
  expect(named).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10].map((i) => `http://h${i}.test/`));
});
