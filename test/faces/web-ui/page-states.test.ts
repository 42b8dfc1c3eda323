/** States that end: stopped work, the process of a run, labels that no count has yet, moments of another day. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BackgroundJobs } from '../../../dist/faces/web-ui/background-jobs.js';
import { ChildProcessRun } from '../../../dist/faces/web-ui/child-process-run.js';
import { LateLabels } from '../../../src/faces/web-ui/late-labels.ts';
import { STRINGS, timeText } from '../../../src/faces/web-ui/strings.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-states-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A test fails on its own before. */
const HANGS = 60_000;

test('stopped work is neither running nor failed, and another begins only once its process has ended', async () => {
  const jobs = new BackgroundJobs(dir, () => undefined, { environment: {} });
  jobs.start('seeds', { top: 5 });
  expect(jobs.last('seeds')?.state).toBe('running');
  jobs.stop('seeds');
  expect(jobs.last('seeds')).toMatchObject({ state: 'stopped', given: { top: 5 } });
  expect(() => jobs.start('seeds', { top: 5 })).toThrow(STRINGS.jobs.busy);
  await jobs.close();
  expect(jobs.last('seeds')?.state).toBe('stopped');
  jobs.start('seeds', { top: 5 });
  // There is no crawl.
  await expect.poll(() => jobs.last('seeds')?.state, { timeout: HANGS }).toBe('failed');
  await jobs.close();
});

test('the process of a run ends with the run, and the run stays told; the next run has another process', async () => {
  const aside = new ChildProcessRun(dir);
  for (let run = 0; run < 2; run++) {
    await aside.start({ config: null, environment: {} });
    expect(aside.hasProcess).toBe(true);
    // There is no topic.
    await expect.poll(async () => (await aside.now()).state, { timeout: HANGS }).toBe('ended');
    expect(aside.hasProcess).toBe(false);
    expect((await aside.now()).warnings).toHaveLength(1);
  }
  await aside.close();
});

test('a label is late for the surveys before it, of the last hundred pages', () => {
  const labels = new LateLabels();
  labels.note('a', 10);
  expect([9, 10, 11].map((at) => labels.isLaterThan('a', at))).toEqual([true, false, false]);
  expect(labels.isLaterThan('b', 0)).toBe(false);
  for (let i = 0; i < 100; i++) labels.note(`${i}`, 20);
  expect(labels.isLaterThan('a', 0)).toBe(false);
  expect(labels.isLaterThan('0', 0)).toBe(true);
});

test('a moment of another day has its date: the failures of a crawl at rest may be of last week', () => {
  const now = new Date(2026, 1, 10, 12, 0, 0).getTime();
  expect(timeText(now - 3_600_000, now)).toBe('11:00:00');
  expect(timeText(new Date(2026, 1, 9, 23, 59, 58).getTime(), now)).toBe('2026-02-09 23:59:58');
});
