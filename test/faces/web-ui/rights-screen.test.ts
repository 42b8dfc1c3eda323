/** The screen of rights: the statements that the command prints. */
import { crawl, statedRights } from 'forager';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { HANGS } from '../../support/cpu-time.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf } from './tables.ts';

const small = smallWeb(80);
const dir = small.path('crawl');
let page: OpenPage;
let client: PageClient;

beforeAll(async () => {
  const robots = new Map(
    small.seeds.map((url) => [new URL(url).host, 'User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: <b>=no\n']),
  );
  const { proxy } = await small.serve({ robots });
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 15, concurrency: 1 });
  page = await openPage({ dir, address: '0', run: null });
  client = await PageClient.of(page.url);
});
afterAll(async () => {
  await page.close();
  await small.close();
});

test('Rights: nothing is read before the button, then the statements by protocol and host', async () => {
  expect((await client.screen('/rights')).querySelector('table')).toBeNull();
  expect((await client.post('/rights/read')).status).toBe(303);
  const found = await vi.waitFor(
    async () => {
      const screen = await client.screen('/rights');
      expect(screen.querySelector('main .job')).toBeNull();
      return screen;
    },
    { timeout: HANGS, interval: 50 },
  );
  const { statements, protocols, pages, stating } = await statedRights(dir);
  expect(found.querySelector('main')?.textContent).toContain(`${stating} of ${pages} pages have statements.`);
  expect(cellsOf(found, 'By protocol').map(([protocol, count]) => [protocol, Number(count)])).toEqual(
    protocols.map((one) => [one.protocol, one.pages]),
  );
  expect(cellsOf(found, 'By host').map(([host]) => host)).toEqual(statements.map(({ host }) => host));
  expect(found.querySelector('main')?.textContent).toContain('<b>=no not understood');
});
