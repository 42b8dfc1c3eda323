/** The machine's clock set on or back by a day while a crawl runs. */
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/core/clock.ts';
import { openMemoryFrontier } from '../../src/crawling/frontier/frontier.ts';
import { HANGS } from '../support/cpu-time.ts';
import { link, seeds, WELL } from '../support/frontier-values.ts';

const DAY = 24 * 3600 * 1000;
const DELAY = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Set the date, and nothing else, on or back. */
function setClock(by: number): void {
  const now = Date.now() + by;
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now);
}

test('the clock of a crawl starts with the machine’s and goes by its monotonic one', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(HANGS);
  const before = systemClock.now();
  for (const by of [DAY, -2 * DAY]) {
    setClock(by);
    expect(systemClock.now() - before).toBeLessThan(HANGS);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
    vi.useRealTimers();
  }
});

test.each([
  ['on', DAY],
  ['back', -DAY],
])('a host rests as long as it would when the clock is set %s by a day', (_direction, by) => {
  const frontier = openMemoryFrontier({ clock: systemClock, delay: DELAY, maxPagesPerHost: Number.POSITIVE_INFINITY });
  frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 1)));
  const first = frontier.next();
  if (first.kind !== 'lease') throw new Error(first.kind);
  const before = performance.now();
  frontier.settle(first.lease, { kind: 'released', host: WELL });
  setClock(by);
  const next = frontier.next();
  if (next.kind !== 'wait') throw new Error(next.kind);
  const left = next.until - systemClock.now();
  const since = performance.now() - before;
  expect(left).toBeLessThan(DELAY + 100);
  expect(left).toBeGreaterThan(DELAY - since - 100);
});
