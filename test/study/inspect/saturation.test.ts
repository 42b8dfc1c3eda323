import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Standing } from '../../../src/base/core/parts/queueing.ts';
import { isNearlyAll, JudgedWindow, SaturationWatch, saturationOf } from '../../../src/study/inspect/saturation.ts';
import { LabelLog } from '../../../src/study/label/label-log.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-saturation-'));
const labels = join(dir, 'labels.jsonl');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => rmSync(labels, { force: true }));

const MANY = { pages: 200, onTopic: 171 };
const FEW = { pages: 200, onTopic: 170 };
const NOTHING = { last: FEW, doubts: [], precision: null, terms: [] };
const PRECISION = { share: 0.9, low: 0.7, high: 0.97, answers: 20, pages: 90, known: 20 };

test('nearly all is more than 85 % of the last 200 judged pages, and of no fewer', () => {
  expect(isNearlyAll(MANY)).toBe(true);
  expect(isNearlyAll(FEW)).toBe(false);
  expect(isNearlyAll({ pages: 199, onTopic: 199 })).toBe(false);
});

test('each sign alone is enough; without a sign, or with a measured precision, there is none', () => {
  expect(saturationOf(NOTHING)).toBeNull();
  expect(saturationOf({ ...NOTHING, last: MANY })?.signs).toEqual(['nearly-all']);
  expect(saturationOf({ ...NOTHING, doubts: ['one-host', 'unlike-training'] })?.signs).toEqual(['unlike-training']);
  expect(saturationOf({ ...NOTHING, terms: ['the', 'of', 'my', 'home'] })?.signs).toEqual(['common-terms']);
  expect(saturationOf({ ...NOTHING, terms: ['the', 'of', 'my'] })).toBeNull();
  expect(saturationOf({ ...NOTHING, last: { pages: 150, onTopic: 1 }, terms: ['the', 'of', 'my', 'home'] })).toBeNull();
  expect(saturationOf({ last: MANY, doubts: ['unlike-training'], precision: PRECISION, terms: ['the', 'of', 'my', 'home'] })).toBeNull();
});

test('the window has the last 200 judged pages; visits without a judgement do not count', () => {
  const window = new JudgedWindow(0.6);
  for (let i = 0; i < 200; i++) window.add(0.1);
  for (let i = 0; i < 50; i++) {
    window.add(0.6);
    window.add(null);
  }
  expect(window.last).toEqual({ pages: 200, onTopic: 50 });
});

function answer(page: number, queue: 'random' | 'uncertain', given: 'y' | 'skip' = 'y') {
  const url = `http://a.test/${page}`;
  return { url, answer: given, queue, relevance: 0.9, modelId: 'm', sha256: 'f'.repeat(64), at: '2026-01-02T03:04:05.000Z' } as const;
}

test('a running crawl is saturated until five answers to kept random pages are there, whoever writes them', async () => {
  const standing = (url: string) => ({ state: url.endsWith('/9') ? 'off-topic' : 'kept' }) as Standing;
  const watch = new SaturationWatch(0.5, { labels }, { standing });
  for (let i = 0; i < 199; i++) watch.add(0.9);
  expect(watch.saturated()).toBeNull();
  watch.add(0.9);
  expect(watch.saturated()).toEqual({ pages: 200, onTopic: 200 });
  const log = LabelLog.open(labels, undefined, () => undefined);
  await log.append([1, 2, 3, 4].map((page) => answer(page, 'random')));
  await log.append([answer(5, 'uncertain'), answer(6, 'random', 'skip'), answer(9, 'random')]);
  expect(watch.saturated()).not.toBeNull();
  await log.append([answer(7, 'random')]);
  expect(watch.saturated()).toBeNull();
  await log.close();
  writeFileSync(labels, 'damaged');
  expect(watch.saturated()).not.toBeNull();
});
