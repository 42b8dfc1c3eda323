/** A recorded crawl is run again: equal runs agree wholly, varied ones do not, and nothing is requested. */
import { readFileSync } from 'node:fs';
import { crawl, harvest, stability } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, jsonLines, refused } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(200);
const dir = small.path('recorded');
let served: Served;
let topic: string;

beforeAll(async () => {
  served = await small.serve();
  topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages: 120, concurrency: 4, record: true, warmUp: 0 });
});
afterAll(() => small.close());

test('eight equal runs give 1.000', async () => {
  const before = served.pages.length;
  const shown = await done('stability', dir, '--vary', 'none', '--runs', '8', '--budget', '20');
  expect(shown).toContain('8 runs of 20 visits');
  expect(shown).toMatch(/kept in most runs +0\n +kept in some runs +0\n/);
  expect(shown).toContain('of those of either: 1.000');
  expect(shown).toContain('most frequent words: 1.000; of the hosts: 1.000');
  expect(served.pages.length).toBe(before);
});

test.each(['seeds', 'rng'])('runs with other %s can be repeated', async (vary) => {
  const args = ['stability', dir, '--vary', vary, '--runs', '2', '--budget', '40', '--json'];
  const first = JSON.parse(await done(...args)) as { kept: { inAll: number; inSome: number }; overlap: number };
  expect(JSON.parse(await done(...args))).toEqual(first);
  expect(first.kept.inAll).toBeGreaterThan(0);
  expect(first.overlap).toBeLessThanOrEqual(1);
});

test('runs with other examples train again', async () => {
  const report = await stability({ dir, runs: 2, vary: ['examples'], budget: 40 });
  expect(report.kept.inAll).toBeGreaterThan(0);
});

test('other seeds lead to other pages, and the file tells how many runs keep each', async () => {
  const pages = small.path('stable.csv');
  const report = await stability({ dir, runs: 4, vary: ['seeds', 'rng'], budget: 25, pages });
  expect(report.overlap).toBeLessThan(1);
  const rows = readFileSync(pages, 'utf8').trim().split('\n').slice(1);
  const { inAll, inMost, inSome } = report.kept;
  expect(rows).toHaveLength(inAll + inMost + inSome);
  expect(rows.filter((row) => row.endsWith(',4'))).toHaveLength(inAll);
  await refused(2, [pages], 'stability', dir, '--pages', pages, '--runs', '2', '--budget', '5', '--vary', 'none');
});

test('the stability is stored: the next harvest has it on its card, and the runs that keep each page as a column', async () => {
  const report = await stability({ dir, runs: 3, vary: ['seeds', 'rng'], budget: 25 });
  const out = small.path('stable');
  const { card } = await harvest({ dir, out, formats: ['jsonl', 'csv'], columns: ['keptInRuns'] });
  const pages = jsonLines<{ url: string; keptInRuns: number }>(readFileSync(`${out}/corpus.jsonl`, 'utf8'));
  expect(pages.filter(({ keptInRuns }) => keptInRuns === 3)).toHaveLength(report.kept.inAll);
  expect(pages.filter(({ keptInRuns }) => keptInRuns === 0).length).toBeGreaterThan(0);
  expect(card.crawl.stability).toMatchObject({ runs: 3, vary: ['seeds', 'rng'], budget: 25, overlap: report.overlap, visited: 120 });
  expect(readFileSync(`${out}/corpus-card.md`, 'utf8')).toContain(`pages kept in all runs: ${report.kept.inAll}, in most`);
  expect(readFileSync(`${out}/corpus.csv`, 'utf8').split('\n')[0]).toContain('keptInRuns');
  // A crawl that continues has pages that were not measured.
  await crawl({ dir, topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages: 200, concurrency: 4 });
  const later = await harvest({ dir, out: small.path('later'), formats: ['jsonl'], columns: ['keptInRuns'] });
  const lacking = jsonLines<{ keptInRuns?: number }>(readFileSync(`${small.path('later')}/corpus.jsonl`, 'utf8'));
  const pagesWithout = lacking.filter(({ keptInRuns }) => keptInRuns === undefined).length;
  expect(pagesWithout).toBeGreaterThan(0);
  expect(later.card.harvest.notes?.join()).toContain(`keptInRuns: ${pagesWithout} page`);
  expect(readFileSync(`${small.path('later')}/corpus-card.md`, 'utf8')).toContain('after 120 of 200 visits with npx forager stability');
});

test('a crawl without a recording is refused, and so is a single run', async () => {
  const plain = small.path('plain');
  await crawl({ dir: plain, topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages: 10, warmUp: 0 });
  await refused(2, ['no recording of all links', '--record'], 'stability', plain);
  await refused(2, ['--runs 1'], 'stability', dir, '--runs', '1');
  await refused(2, ['no crawl is here'], 'stability', small.path('nowhere'));
});
