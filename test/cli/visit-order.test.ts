import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, jsonLines, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(500);
const PAGES = 260;
let model: string;

beforeAll(async () => {
  model = await trainedOn(small);
}, 60_000);
afterAll(() => small.close());

/** One request at a time, and no host rests: nothing but the frontier orders the visits. */
function crawlArgs(dir: string, { proxy }: Served, pages: number): string[] {
  const limits = ['--max-pages', String(pages), '--delay', '0ms', '--concurrency', '1'];
  return ['crawl', small.path(dir), '--topic', model, '--seeds', ...small.seeds, '--proxy', proxy, ...limits];
}

/** Digest of the URLs in order of settlement; and of the priorities they were visited with. */
async function orderOf(dir: string): Promise<{ readonly urls: string; readonly priorities: string; readonly visits: number }> {
  const lines = jsonLines<{ url: string; order: number | null; priority: number }>(await done('ledger', small.path(dir)));
  const settled = lines.filter(({ order }) => order !== null).sort((a, b) => Number(a.order) - Number(b.order));
  const digest = (of: (line: (typeof settled)[number]) => string) => createHash('sha256').update(settled.map(of).join('\n')).digest('hex');
  return { urls: digest(({ url }) => url), priorities: digest(({ priority }) => String(priority)), visits: settled.length };
}

test('the same web, one request at a time: the same order of visits, twice, in three runs, and after kill -9', {
  timeout: 120_000,
}, async () => {
  const served = await small.serve({ latency: 5 });
  await done(...crawlArgs('once', served, PAGES));
  const once = await orderOf('once');
  expect(once.visits).toBeGreaterThanOrEqual(PAGES);

  await done(...crawlArgs('twice', served, PAGES));
  expect(await orderOf('twice')).toEqual(once);

  for (const pages of [70, 175, PAGES]) await done(...crawlArgs('stopped', served, pages));
  expect(await orderOf('stopped')).toEqual(once);

  for (const after of [60, 90]) {
    const before = served.pages.length;
    const { child, ended } = start(crawlArgs('killed', served, PAGES));
    await served.reached(before + after);
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
  }
  await done(...crawlArgs('killed', served, PAGES));
  expect(await orderOf('killed')).toEqual(once);
});
