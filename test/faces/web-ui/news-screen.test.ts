/** The screen of new pages: the reports of a watch, the newest first, and one of them. */
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawlPaths } from '../../../dist/crawling/crawl-dir/crawl-directory.js';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { storeReport } from '../../../dist/study/watch/watch-files.js';
import { madeReport } from '../../support/made-reports.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf } from './tables.ts';

const small = smallWeb(80);
const dir = small.path('crawl');
let page: OpenPage;
let client: PageClient;

beforeAll(async () => {
  const { proxy } = await small.serve();
  await crawl({ dir, topic: await trainedOn(small), seeds: small.seeds, proxy, delay: 0, maxPages: 5, concurrency: 1 });
  page = await openPage({ dir, address: '0', run: null });
  client = await PageClient.of(page.url);
});
afterAll(async () => {
  await page.close();
  await small.close();
});

const mainOf = async (path: string) => (await client.screen(path)).querySelector('main');

test('without a report it names the command that makes one', async () => {
  expect((await mainOf('/new'))?.textContent).toContain(`watch ${dir} --every 7d`);
  storeReport(crawlPaths(dir), madeReport(0));
  expect((await mainOf('/new'))?.textContent).toContain('There is no report.');
});

test('it lists twenty reports, shows the newest or the one asked for, and leads to older ones', async () => {
  for (let number = 1; number <= 25; number++) storeReport(crawlPaths(dir), madeReport(number));
  const first = await client.screen('/new');
  const listed = cellsOf(first, 'Reports, the newest first');
  expect(listed.map(([number]) => Number(number))).toEqual(Array.from({ length: 20 }, (_, i) => 25 - i));
  expect(listed[0]?.slice(2)).toEqual(['3', '2', '1', '1']);
  expect(first.querySelector('main h2')?.textContent).toBe('Report 25');
  const main = first.querySelector('main')?.textContent ?? '';
  for (const words of ['13 words added, 10 removed', 'and 4 more edits', 'off topic now', 'HTTP 410', 'drought', 'of 340 before'])
    expect(main).toContain(words);
  expect(first.querySelector('a[href^="/diff?"]')?.getAttribute('href')).toContain(encodeURIComponent('http://bog.example/a/25-3.html'));
  const older = first.querySelector('a[href*="before="]')?.getAttribute('href') ?? '';
  expect(cellsOf(await client.screen(older), 'Reports, the newest first').map(([number]) => Number(number))).toEqual([5, 4, 3, 2, 1]);
  expect((await mainOf('/new?report=3'))?.querySelector('h2')?.textContent).toBe('Report 3');
  expect((await mainOf('/new?report=26'))?.textContent).toContain('report 26 is not here');
});

test('words of the web are text on the screen, and leads to its pages tell nothing of it', async () => {
  storeReport(crawlPaths(dir), madeReport(26, '<img src=x onerror=alert(1)>'));
  const main = await mainOf('/new');
  expect(main?.querySelector('img')).toBeNull();
  expect(main?.textContent).toContain('<img src=x onerror=alert(1)>, part 0');
  for (const link of main?.querySelectorAll('a[target]') ?? []) expect(link.getAttribute('rel')).toBe('noreferrer noopener');
});
