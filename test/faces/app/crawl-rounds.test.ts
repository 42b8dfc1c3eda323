/** A crawl by rounds that is stopped and resumed within its rounds has the rounds of one that is not. */
import { type CrawlOptions, crawl, type LedgerLine, ledger, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done } from '../cli/forager.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb(60);
let base: Omit<CrawlOptions, 'dir'>;

beforeAll(async () => {
  const { proxy } = await small.serve();
  const seeds = small.seeds.slice(0, 1);
  base = { topic: await trainedOn(small), seeds, proxy, delay: 0, strategy: 'bfs', sitemaps: 'never', traps: false };
});
afterAll(() => small.close());

async function visited(name: string): Promise<{ readonly urls: readonly string[]; readonly held: number }> {
  const lines: LedgerLine[] = [];
  for await (const line of ledger(small.path(name))) lines.push(line as unknown as LedgerLine);
  const urls = lines.flatMap(({ url, order }) => (order === null ? [] : url)).sort();
  return { urls, held: lines.filter(({ reason }) => reason === 'next-round').length };
}

test('stopped after each few visits and resumed, and with another round later', async () => {
  const dir = small.path('once');
  const one = await crawl({ ...base, dir, rounds: 1 });
  expect(one).toMatchObject({ stopReason: 'rounds', round: { round: 1, of: 1 } });
  const first = await visited('once');
  expect(new Set(first.urls.map((url) => new URL(url).hostname)).size).toBe(1);
  expect(one.round?.held).toBe(first.held);
  expect((await status(dir)).round).toEqual(one.round);
  expect(await done('status', dir)).toContain(`round 1 of 1: ${first.held} URL`);
  await crawl({ ...base, dir, rounds: 3 });

  let visits = 0;
  for (let stopReason = ''; stopReason !== 'rounds' && stopReason !== 'drained'; visits += 5)
    ({ stopReason } = await crawl({ ...base, dir: small.path('steps'), rounds: 3, maxPages: visits + 5 }));
  expect(visits).toBeGreaterThan(15);
  expect(await visited('steps')).toEqual(await visited('once'));
});

wholeTest('with enough rounds it visits the pages of a plain crawl', async () => {
  const rounds = await crawl({ ...base, dir: small.path('all'), rounds: 1000 });
  await crawl({ ...base, dir: small.path('plain') });
  expect(rounds.stopReason).toBe('drained');
  expect((await visited('all')).urls).toEqual((await visited('plain')).urls);
});
