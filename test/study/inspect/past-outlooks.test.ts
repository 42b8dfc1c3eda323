/** Earlier outlooks against the visits that followed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { noteOutlook, readOutlooks } from '../../../src/crawling/crawl-dir/outlook-file.ts';
import { nextOutlookAt, OutlookCheck } from '../../../src/study/inspect/past-outlooks.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-outlooks-'));
const paths = { outlooks: join(dir, 'outlooks.json') };
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const outlook = (visits: number, low: number, high: number) => ({ visits, requests: 10, onTopic: low, low, high });

test('found are the on-topic visits after it, bounds included; unfinished ones are open', () => {
  const check = new OutlookCheck([outlook(2, 5, 9), outlook(4, 6, 9), outlook(6, 0, 4), outlook(11, 0, 9)], 0.5);
  // Every second of the visits is on topic; what is not visited counts nowhere.
  for (let visit = 1; visit <= 20; visit++) {
    check.settled({ order: 2 * visit - 1, fate: { visited: true, relevance: visit % 2 } });
    check.settled({ order: 2 * visit, fate: { visited: false, relevance: 1 } });
  }
  const { compared, held, open } = check.past();
  expect(compared.map(({ visits, found }) => [visits, found])).toEqual([
    [2, 5],
    [4, 5],
    [6, 5],
  ]);
  expect({ held, open }).toEqual({ held: 1, open: 1 });
});

test('a training that reopened pages moves no outlook: their earlier visits keep their places, by the verdict that reopened them', () => {
  const noted = [outlook(2, 5, 9), outlook(4, 0, 4), outlook(11, 0, 9)];
  // Of twenty visits, the 3rd, the 5th and the last were of pages that were reopened; the 2nd settlement was no visit.
  const check = new OutlookCheck(noted, 0.5, [4, 6, 21]);
  for (const order of Array.from({ length: 20 }, (_, i) => i + 1).filter((order) => order !== 4 && order !== 6))
    check.settled({ order, fate: { visited: order !== 2, relevance: 0 } });
  const { compared, open } = check.past();
  expect(compared.map(({ visits, found }) => [visits, found])).toEqual([
    [2, 2],
    [4, 1],
  ]);
  expect(open).toBe(1);
  const unknown = new OutlookCheck(noted, 0.5, [null]);
  for (let order = 1; order <= 20; order++) unknown.settled({ order, fate: { visited: true, relevance: 1 } });
  expect(unknown.past()).toMatchObject({ compared: [], held: 0, open: 0 });
});

test('the file: bounded, oldest first; a broken one is as none', () => {
  expect(readOutlooks(paths)).toEqual([]);
  for (let i = 0; i < 103; i++) noteOutlook(paths, outlook(i, 0, 1));
  expect(readOutlooks(paths).map(({ visits }) => visits)).toEqual(Array.from({ length: 100 }, (_, i) => i + 3));
  writeFileSync(paths.outlooks, readFileSync(paths.outlooks, 'utf8').slice(0, 50));
  expect(readOutlooks(paths)).toEqual([]);
  writeFileSync(paths.outlooks, '[{"visits":"many"}]');
  expect(readOutlooks(paths)).toEqual([]);
});

test('the next one: after 100 visits, then after 250 or a quarter', () => {
  expect([[], [outlook(100, 0, 1)], [outlook(4000, 0, 1)]].map(nextOutlookAt)).toEqual([100, 350, 5000]);
});
