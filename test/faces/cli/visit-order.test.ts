import { createHash } from 'node:crypto';
import { readFileSync, truncateSync } from 'node:fs';
import type { Why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sample, size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

/** Where runs are stopped: a third and two thirds of the way. */
const PAGES = size(260, 50);
const STOPS = sample([Math.round(0.27 * PAGES), Math.round(0.67 * PAGES), PAGES], [1, 2]);
const small = smallWeb(2 * PAGES);
let model: string;

beforeAll(async () => {
  model = await trainedOn(small);
});
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

wholeTest('the same web, one request at a time: the same order of visits, twice, in several runs, and after kill -9', async () => {
  const served = await small.serve({ latency: 5 });
  await done(...crawlArgs('once', served, PAGES));
  const once = await orderOf('once');
  expect(once.visits).toBeGreaterThanOrEqual(PAGES);

  await done(...crawlArgs('twice', served, PAGES));
  expect(await orderOf('twice')).toEqual(once);

  for (const pages of STOPS) await done(...crawlArgs('stopped', served, pages));
  expect(await orderOf('stopped')).toEqual(once);

  for (const after of sample([0.23 * PAGES, 0.35 * PAGES], [1])) {
    const before = served.pages.length;
    const { child, ended } = start(crawlArgs('killed', served, PAGES));
    await served.reached(before + after);
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
  }
  await done(...crawlArgs('killed', served, PAGES));
  expect(await orderOf('killed')).toEqual(once);
});

wholeTest(
  'by the graph of links: the same order in several runs and after kill -9, from the recording that such a crawl keeps',
  async () => {
    const served = await small.serve({ latency: 5 });
    const graphArgs = (dir: string, pages: number) => [...crawlArgs(dir, served, pages), '--strategy', 'authority'];
    await done(...graphArgs('graph', PAGES));
    const once = await orderOf('graph');
    const manifestOf = (dir: string): unknown => JSON.parse(readFileSync(small.path(dir, 'crawl.json'), 'utf8'));
    expect(manifestOf('graph')).toMatchObject({ strategy: 'authority', record: true, tunnel: 4 });
    await done(...crawlArgs('aimless', served, 3), '--strategy', 'opic');
    expect(manifestOf('aimless')).toMatchObject({ strategy: 'opic', record: true, tunnel: null });

    for (const pages of STOPS) await done(...graphArgs('graph-stopped', pages));
    expect(await orderOf('graph-stopped')).toEqual(once);

    const { child, ended } = start(graphArgs('graph-killed', PAGES));
    await served.reached(served.pages.length + PAGES / 2);
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    await done(...graphArgs('graph-killed', PAGES));
    expect(await orderOf('graph-killed')).toEqual(once);

    const ledger = jsonLines<{ url: string; priority: number; depth: number }>(await done('ledger', small.path('graph')));
    // A file of reservations has a priority of its own.
    const linked = ledger.filter(({ url, depth }) => depth > 0 && !url.endsWith('/tdmrep.json')).slice(-3);
    for (const { url, priority } of linked) {
      const { link } = JSON.parse(await done('why', small.path('graph'), url, '--json')) as Why;
      expect(link?.explanation.priority).toBe(priority);
    }
    truncateSync(small.path('graph', 'corpus', 'visits.jsonl.gz'), 1000);
    // Priorities are stored: only who explains one reads the recording.
    expect(await done('status', small.path('graph'))).toContain('visited');
    await refused(3, ['visits.jsonl.gz', 'restore the crawl directory from a copy'], 'why', small.path('graph'), linked[0]?.url ?? '');
  },
);

test('visits by chance are the same after a stop, and status tells what they say of what waits', async () => {
  const served = await small.serve();
  const explore = ['--explore', '20%'];
  await done(...crawlArgs('chance', served, PAGES), ...explore);
  for (const pages of [Math.round(0.75 * PAGES), PAGES])
    await done(...crawlArgs('chance-stopped', served, pages), ...(pages === PAGES ? [] : explore));
  expect(await orderOf('chance-stopped')).toEqual(await orderOf('chance'));

  const { explored, counts } = JSON.parse(await done('status', small.path('chance'), '--json'));
  expect(counts.visited).toBe(PAGES);
  expect(explored.visits).toBeGreaterThan(0.12 * PAGES);
  expect(explored.visits).toBeLessThan(0.28 * PAGES);
  expect(explored.onTopic).toBeLessThan(explored.visits);
  // The hosts of the examples are not known: no share is told in words.
  expect(await done('status', small.path('chance'))).toContain('rates and forecast are hidden');
  await refused(2, ['--explore 5: not a share'], ...crawlArgs('chance-none', served, PAGES), '--explore', '5');
});
