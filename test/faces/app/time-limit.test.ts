import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TimeLimit } from '../../../src/faces/app/time-limit.ts';

const HOUR = 3_600_000;

/** A clock whose date is set by a person; its spans are not. */
function setClock() {
  let [now, date] = [1_000_000, 1_000_000];
  return { now: () => now, date: () => date, pass: (ms: number) => (now += ms), set: (at: number) => (date = at) };
}

test.each([
  ['on by a day', 24 * HOUR],
  ['back by a day', -24 * HOUR],
  ['to the year 1970', -1_000_000],
])('the date is set %s: the run has the time that it had', (_, by) => {
  const clock = setClock();
  const time = new TimeLimit(clock, HOUR);
  clock.pass(600_000);
  clock.set(clock.date() + by);
  expect([time.spent, time.left]).toEqual([600_000, HOUR - 600_000]);
});

test('a limit is never negative, and a run without one has no end', () => {
  const clock = setClock();
  const [short, endless] = [new TimeLimit(clock, 50), new TimeLimit(clock)];
  clock.pass(80);
  expect([short.left, endless.left, endless.spent]).toEqual([0, Number.POSITIVE_INFINITY, 80]);
});

/** Files of the run itself: what they take from `Date` would be a span that a person can change. */
test('nothing in a running crawl measures time by the date of the machine', () => {
  const src = join(import.meta.dirname, '../../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const ofRun = files.filter((name) =>
    /^crawling\/(crawl|fetch|frontier|reader|monitor|cluster)\/|^faces\/app\/(run-crawl|crawl-session|crawl-report|run-listeners)\.ts$/.test(
      name,
    ),
  );
  expect(ofRun.length).toBeGreaterThan(100);
  expect(ofRun.filter((name) => /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(src, name), 'utf8')))).toEqual([]);
});
