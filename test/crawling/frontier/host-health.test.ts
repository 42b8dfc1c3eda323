import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLAME_AFTER, FIRST_HOST_PAUSE, HOST_PATIENCE, MAX_PAUSE } from '../../../src/base/core/failure-policy.ts';
import type { HostReport } from '../../../src/base/core/parts/queueing.ts';
import { HEALTHY, type HostHealth, healthAfter, healthRestored, readmitted } from '../../../src/crawling/frontier/host-health.ts';
import { runs } from '../../support/extent.ts';
import { report, WELL } from '../../support/frontier-values.ts';

const FAULT = report('fault');
const BUSY = report('busy');
const MINUTE = 60_000;

/** Requests that each begin as soon as the host may be asked, and end at once. */
function inTurn(reports: readonly HostReport[], begin: HostHealth = HEALTHY, at = 1_000_000): { health: HostHealth; pauses: number[] } {
  const pauses: number[] = [];
  let health = begin;
  let now = at;
  for (const one of reports) {
    now = Math.max(now, health.backoffUntil);
    health = healthAfter(health, one, now, now);
    pauses.push(Math.max(0, health.backoffUntil - now - 1));
  }
  return { health, pauses };
}

const times = (count: number, one: HostReport): HostReport[] => Array.from({ length: count }, () => one);

describe('a host', () => {
  test('is blamed from its third failure in a row on; anything it answers wipes the slate, what tells nothing does not', () => {
    expect(BLAME_AFTER).toBe(3);
    expect(inTurn([FAULT, FAULT, WELL, FAULT, FAULT]).pauses).toEqual([0, 0, 0, 0, 0]);
    expect(inTurn([FAULT, report('unclear'), FAULT, FAULT]).pauses).toEqual([0, 0, 0, FIRST_HOST_PAUSE]);
  });

  test('that is open is tried with one request: when that fails too the pause doubles, up to an hour; when it succeeds all is forgotten', () => {
    const { pauses } = inTurn([...times(3, FAULT), ...times(9, FAULT), WELL, FAULT]);
    const doubled = Array.from({ length: 10 }, (_, i) => Math.min(FIRST_HOST_PAUSE * 2 ** i, MAX_PAUSE));
    expect(pauses).toEqual([0, 0, ...doubled, 0, 0]);
    expect(pauses.at(-3)).toBe(MAX_PAUSE);
  });

  test('that asks for a pause has it at once: what it names, else a doubling one', () => {
    expect(inTurn([BUSY, report('busy', { retryAfter: 5000 }), BUSY, report('busy', { retryAfter: 10 ** 12 })]).pauses).toEqual([
      FIRST_HOST_PAUSE,
      5000,
      4 * FIRST_HOST_PAUSE,
      MAX_PAUSE,
    ]);
  });

  test('is given up on when it is in trouble after five pauses and a quarter of an hour, and may be tried anew', () => {
    expect(HOST_PATIENCE).toEqual({ pauses: 5, trouble: 15 * MINUTE, fruitless: 2 });
    expect(inTurn(times(3 + 4, FAULT)).health.givenUp).toBe(false);
    const { health } = inTurn(times(3 + 5, FAULT));
    expect(health.givenUp).toBe(true);
    expect(readmitted(health)).toEqual({ ...HEALTHY, backoffUntil: health.backoffUntil });
    const hasty = report('busy', { retryAfter: 1000 });
    expect(inTurn(times(60, hasty)).health.givenUp).toBe(false);
    expect(inTurn(times(1000, hasty)).health.givenUp).toBe(true);
  });
});

test('a burst of fifty 429s, of requests that began before the pause was over, is one event and one step', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: FIRST_HOST_PAUSE }), { minLength: 49, maxLength: 49 }), (ends) => {
      const began = 1_000_000;
      const first = healthAfter(HEALTHY, BUSY, began, began);
      const burst = ends.sort((a, b) => a - b).reduce((health, end) => healthAfter(health, BUSY, began, began + end), first);
      expect(burst).toEqual(first);
      const { backoffUntil } = burst;
      expect(healthAfter(burst, BUSY, backoffUntil, backoffUntil)).toMatchObject({
        pauses: 2,
        backoffUntil: backoffUntil + 2 * FIRST_HOST_PAUSE + 1,
      });
    }),
    { numRuns: runs(50) },
  );
});

test('an early answer can only make the pause longer, and does not end it', () => {
  const now = 1_000_000;
  const paused = healthAfter(HEALTHY, BUSY, now, now);
  expect(healthAfter(paused, WELL, now, now + 10)).toEqual(paused);
  const longer = healthAfter(paused, report('busy', { retryAfter: 10 * MINUTE }), now, now + 10);
  expect(longer).toEqual({ ...paused, backoffUntil: now + 10 + 10 * MINUTE + 1 });
  expect(healthAfter(longer, report('busy', { retryAfter: 1000 }), now, now + 20)).toEqual(longer);
});

test('trouble that a clock wrote that was ahead began now: a host is given up on as soon as any other', () => {
  const ahead = 400 * 24 * 60 * MINUTE;
  const stored = { ...HEALTHY, faults: 7, pauses: HOST_PATIENCE.pauses, since: ahead, backoffUntil: ahead };
  const restored = healthRestored(stored, 1_000_000);
  expect(restored.since).toBe(1_000_000);
  const later = 1_000_000 + MAX_PAUSE + 1;
  expect(healthAfter(restored, FAULT, later, later).givenUp).toBe(true);
  expect(healthRestored(HEALTHY, 1_000_000).since).toBeNull();
});

test('a clock that was set back by a day makes no pause of a day', () => {
  const paused = healthAfter(HEALTHY, BUSY, 10 ** 9, 10 ** 9);
  expect(healthRestored(paused, 10 ** 9).backoffUntil).toBe(paused.backoffUntil);
  expect(healthRestored(paused, 10 ** 9 - 24 * 60 * MINUTE).backoffUntil).toBe(10 ** 9 - 24 * 60 * MINUTE + MAX_PAUSE + 1);
});
