import { expect, test, vi } from 'vitest';
import { FetchProgress, fetchingText, lineOf } from '../../../src/faces/cli/progress.ts';
import { reportLines } from '../../../src/faces/cli/report-lines.ts';
import { progressLine } from '../../../src/faces/cli/runs/crawl.ts';
import { failedVisitsText } from '../../../src/study/inspect/failed-visits.ts';
import { FailureTally } from '../../../src/study/inspect/failure-counts.ts';

test('a terminal that does not know its size, and says 0, has 80 columns', () => {
  const text = 'x'.repeat(200);
  expect([0, undefined, 40].map((columns) => lineOf(text, columns).length)).toEqual([79, 79, 39]);
});

test('one thing is named in the singular', () => {
  expect(fetchingText(0, 1)).toBe('fetching, 0 of 1 URL');
});

test('fetching is shown once it has taken two seconds, and no longer than it takes', () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    const progress = new FetchProgress();
    progress.onProgress(0, 3);
    vi.advanceTimersByTime(1900);
    progress.onProgress(1, 3);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(written.join('')).toContain('fetching, 1 of 3 URLs; 0:02');
    progress.onProgress(3, 3);
    written.length = 0;
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual([]);
  } finally {
    write.mockRestore();
    vi.useRealTimers();
  }
});

test('failures are counted by their status, or by their code where no answer came; the most frequent causes are named', () => {
  const tally = new FailureTally();
  const failed = (reason: string, status: number | null, times: number) => {
    for (let i = 0; i < times; i++) tally.add({ state: 'failed', reason, status });
  };
  failed('timeout', null, 10);
  failed('http-4xx', 404, 280);
  failed('http-4xx', 403, 2);
  failed('decode', 200, 6);
  tally.add({ state: 'kept', reason: '', status: 200 });
  tally.add({ state: null, reason: '', status: null });
  const kinds = tally.counts();
  expect(Object.entries(kinds)).toEqual([
    ['HTTP 404', 280],
    ['timeout', 10],
    ['decode', 6],
    ['HTTP 403', 2],
  ]);
  expect(failedVisitsText(617, kinds)).toBe('298 of 617 visits failed (48.3 %): 280 HTTP 404, 10 timeout, 6 decode, 2 others');
  expect(failedVisitsText(1617, { timeout: 2, dns: 1 }, ' of this run')).toBe(
    '3 of 1,617 visits of this run failed (0.2 %): 2 timeout, 1 dns',
  );
  expect(failedVisitsText(0, { dns: 1 })).toBe('1 of 1 visit failed (100.0 %): 1 dns');
  expect(failedVisitsText(617, {})).toBeNull();
});

test.each([80, 100, 120])('at %d columns the time left of a crawl is in the line, whatever failed', (columns) => {
  const failures = { 'HTTP 404': 1239, timeout: 12, dns: 3 };
  for (const [visited, maxPages] of [
    [50, 500],
    [1239, 2000],
    [123_456, 1_000_000],
    [9_876_543, 99_999_999],
  ] as const) {
    const line = progressLine({ visited, kept: 12_345, waiting: 2_345_678 }, 0, maxPages, 7_654_321, failures);
    expect(lineOf(line, columns)).toMatch(/about [\d:]+ left;/);
    expect(line).toContain('visits failed (');
  }
});

test('a report breaks at words, and a command stays whole: it can be pasted', () => {
  const line =
    'rates and forecast are hidden: these pages look unlike your examples. Remedy: answer 30 pages: npx forager label audit crawls/moss --count 30; or wait';
  const lines = reportLines(line, 60);
  expect(lines.join(' ').replace(/ +/g, ' ')).toBe(line);
  for (const one of lines) expect(one.length).toBeLessThanOrEqual(60);
  expect(lines.some((one) => one.includes('npx forager label audit crawls/moss --count 30'))).toBe(true);
  expect(reportLines("look: npx forager status 'a folder with a very long name and spaces' --json", 40)).toEqual([
    'look:',
    "  npx forager status 'a folder with a very long name and spaces' --json",
  ]);
  expect(reportLines('    1,234  kept of   5,678  visited', 80)).toEqual(['    1,234  kept of   5,678  visited']);
  expect(reportLines('two\nlines', 80)).toEqual(['two', 'lines']);
});
