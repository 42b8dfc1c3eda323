import { expect, test } from 'vitest';
import type { RunningVisit } from '../../../src/base/core/parts/crawl-events.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { waitingText } from '../../../src/faces/cli/visits-text.ts';
import { link, seeds } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

function visits(count: number): RunningVisit[] {
  const frontier = openMemoryFrontier({ clock: new VirtualClock(0), delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY });
  frontier.add(seeds(...Array.from({ length: count }, (_, i) => link(`http://h${i}.test/`, 1))));
  return Array.from({ length: count }, (_, i) => {
    const next = frontier.next();
    if (next.kind !== 'lease') throw new Error('no lease');
    return { lease: next.lease, step: 'fetch', since: i * 1000 };
  });
}

test('what a stop waits for: the oldest visits, with their steps', () => {
  expect(waitingText(visits(1), 12_000)).toBe('waiting for 1 visit: http://h0.test/ (fetch, 12 s)');
  expect(waitingText(visits(5), 12_000)).toBe(
    'waiting for 5 visits: http://h0.test/ (fetch, 12 s), http://h1.test/ (fetch, 11 s), http://h2.test/ (fetch, 10 s), and 2 others',
  );
  expect(waitingText([], 12_000)).toBe('storing the results');
});
