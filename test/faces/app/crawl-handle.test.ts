import { expect, test } from 'vitest';
import type { CrawlEvent } from '../../../src/base/core/parts/crawl-events.ts';
import { type CrawlHandle, handOver, reporter } from '../../../src/faces/app/crawl-handle.ts';

const HANDLE: CrawlHandle = {
  resumed: true,
  counts: () => ({ visited: 7 }) as ReturnType<CrawlHandle['counts']>,
  visits: () => [],
  needs: () => ({ saturated: null, questions: 3 }),
  unpark: (pattern) => [pattern],
  addSeeds: () => undefined,
  acted: () => undefined,
};

test('the caller gets one handle, and by the option of 0.2 its members one by one', () => {
  const given: unknown[] = [];
  handOver(HANDLE, {
    onStart: (crawl) => given.push(crawl),
    onOpen: (...members) => given.push(members),
  });
  const { counts, visits, needs, unpark } = HANDLE;
  expect(given).toEqual([HANDLE, [counts, true, visits, needs, unpark, HANDLE]]);
  handOver(HANDLE, {});
  expect(given.length).toBe(2);
});

test.each([
  ['a few subjects', 3, 3],
  ['as many as an event names', 20, 20],
  ['a pasted list', 5000, 20],
  ['no subject', 0, 0],
])('an action with %s: the event counts all and names at most 20', (_, count, named) => {
  const events: CrawlEvent[] = [];
  const subjects = Array.from({ length: count }, (_, i) => `http://s${i}.test/`);
  reporter(
    (event) => events.push(event),
    () => 5,
  )('seeds', 'page', subjects);
  expect(events).toEqual([{ type: 'action', at: 5, action: 'seeds', origin: 'page', count, subjects: subjects.slice(0, named) }]);
});
