/** Parked patterns on the screen of the frontier: their counts, the command that releases them, and the button of a running crawl. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawl, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningGeneratedWeb, startGeneratedWeb } from '../../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../../datasets/generated-web/web.ts';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { start } from '../cli/forager.ts';
import { PageClient } from './page-client.ts';
import { allCells, cellsOf, counted } from './tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-release-'));
const dir = join(folder, 'crawl');
let web: RunningGeneratedWeb;

beforeAll(async () => {
  web = await startGeneratedWeb(generateWeb({ seed: 5, pages: 300, hosts: 6, facetTrap: true, sessionTrap: true }));
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  for (const [i, html] of web.web.examples('topic-1', 12).entries()) writeFileSync(join(examples, `${i}.html`), html);
  const topic = await trainedOnce({ examples: [examples], out: join(folder, 'model') });
  const seeds = [...web.web.seeds('topic-1', 2), 'http://shop.example/list'];
  await crawl({ dir, topic, seeds, proxy: web.proxy, strategy: 'random', maxPages: 200, delay: 0, concurrency: 1 });
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true, force: true });
});

const byCount = (parked: Readonly<Record<string, number>>) => Object.entries(parked).sort(([, a], [, b]) => b - a);

test('without a run: reasons with their counts as in status, their lines in the ledger, and the command', async () => {
  const page = await openPage({ dir, address: '0', run: null });
  const client = await PageClient.of(page.url);
  const { parked } = await status(dir);
  const screen = await client.screen('/frontier');
  expect(cellsOf(screen, 'Parked URLs')).toEqual(byCount(parked).map(([reason, urls]) => [counted(urls), reason]));
  const [[reason = '', urls = 0] = []] = byCount(parked);
  const link = [...screen.querySelectorAll('a')].find(({ textContent }) => textContent === reason)?.getAttribute('href') ?? '';
  const lines = await allCells((path) => client.screen(path), link);
  expect(lines.map((line) => line.slice(1, 3))).toEqual(Array.from({ length: urls }, () => ['parked', reason]));
  const [, pattern = ''] = /^pattern (\S+): /.exec(reason) ?? [];
  expect(screen.querySelector('code')?.textContent).toBe(`npx forager crawl ${dir} --unpark ${pattern} --max-pages 400`);
  expect((await client.post('/frontier/release', { pattern })).status).toBe(400);
  expect((await status(dir)).parked).toEqual(parked);
  await page.close();
});

wholeTest('with a run: the button releases the pattern, and its URLs are asked for again', async () => {
  const { parked } = await status(dir);
  const [, pattern = ''] = /^pattern (\S+): /.exec(byCount(parked)[0]?.[0] ?? '') ?? [];
  const { host } = new URL(pattern.replace(/[{}*].*$/, ''));
  const requests = () => web.log.filter((one) => one.host === host && one.path !== '/robots.txt').length;
  const running = start([
    'crawl',
    dir,
    '--max-pages',
    '5000',
    '--proxy',
    web.proxy,
    '--delay',
    '100ms',
    '--concurrency',
    '1',
    '--page',
    '0',
  ]);
  await running.says('page: http');
  const client = await PageClient.of(/http:\S+token=\S+/.exec(running.said())?.[0] ?? '');
  await expect
    .poll(async () => (await client.screen('/')).querySelector('.state')?.getAttribute('data-state'), { timeout: 20_000 })
    .toBe('running');
  await client.post('/run/pause');
  const before = requests();
  const button = (await client.screen('/frontier')).querySelector(`input[name="pattern"][value="${pattern}"]`);
  expect(button).not.toBeNull();
  expect((await client.post('/frontier/release', { pattern: 'http://nowhere.example/' })).status).toBe(400);
  expect((await client.post('/frontier/release', { pattern })).headers['location']).toBe('/frontier');
  expect((await client.screen('/frontier')).querySelector('main')?.textContent).toContain(`Released in this run: ${pattern}`);
  await client.post('/run/resume');
  await expect.poll(() => requests() - before, { timeout: 60_000 }).toBeGreaterThan(10);
  await client.post('/run/stop');
  expect((await running.ended).code).toBe(130);
});
