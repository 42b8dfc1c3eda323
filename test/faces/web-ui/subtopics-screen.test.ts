/** The screen of subtopics: those of the command, and wishes about them. */
import { crawl, status, subtopics } from 'forager';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { HANGS } from '../../support/cpu-time.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf } from './tables.ts';

const small = smallWeb(200);
const dir = small.path('crawl');
let page: OpenPage;
let client: PageClient;

beforeAll(async () => {
  const { proxy } = await small.serve();
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 60, concurrency: 1, warmUp: 0 });
  page = await openPage({ dir, address: '0', run: null });
  client = await PageClient.of(page.url);
});
afterAll(async () => {
  await page.close();
  await small.close();
});

async function atRest() {
  return vi.waitFor(
    async () => {
      const screen = await client.screen('/topics');
      expect(screen.querySelector('main .job')).toBeNull();
      return screen;
    },
    { timeout: HANGS, interval: 50 },
  );
}

test('Subtopics: those of the command; a wish has its line, its effect and its undo', async () => {
  expect((await client.post('/topics/find')).status).toBe(303);
  const found = await atRest();
  const { subtopics: all, kept } = await subtopics({ dir });
  const rows = cellsOf(found, 'Subtopics');
  expect(rows.map(([name]) => name)).toEqual(all.map(({ name, terms }) => `${name}${terms.slice(3).join(', ')}`));
  expect(found.querySelector('main')?.textContent).toContain(`All ${kept} on-topic pages were read.`);

  const [first] = all;
  expect((await client.post('/topics/wish', { way: 'none', id: first?.id ?? '' })).status).toBe(303);
  const wished = await atRest();
  expect(wished.querySelector('main')?.textContent).toContain(`none of “${first?.name}”`);
  expect((await status(dir)).keptOffTopic).toBe(first?.pages);

  await client.post('/topics/wish', { way: 'undo' });
  expect((await atRest()).querySelector('main')?.textContent).not.toContain('none of “');
  expect((await status(dir)).keptOffTopic).toBe(0);
});
