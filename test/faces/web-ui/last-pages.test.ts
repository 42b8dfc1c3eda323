/** The last pages: the button of each stores the label that the command stores. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLabelling, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockState } from '../../../dist/base/disk/lock.js';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { HAS_CHROMIUM, launched, PATIENT } from '../../support/chromium.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { start } from '../cli/forager.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb, stored } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import type { Screen } from './tables.ts';

const small = smallWeb();
let made: string;
let topic: string;

beforeAll(async () => {
  ({ dir: made, topic } = await crawlToLabel(small, 60));
});
afterAll(() => small.close());

/** Lines of the label file without their times and checksums. */
function labelsOf(dir: string): object[] {
  const [, ...lines] = readFileSync(join(dir, 'labels.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { at: _, crc32: __, ...label } = JSON.parse(line) as Record<string, unknown>;
    return label;
  });
}

const rowsOf = (screen: Screen) =>
  [...screen.querySelectorAll('.last tbody tr')].map((row) => ({
    url: row.querySelector('.url')?.textContent ?? '',
    relevance: Number(row.querySelector('td')?.textContent),
    cells: [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? ''),
    offered: row.querySelector('input[name="answer"]')?.getAttribute('value') ?? null,
  }));

test('wrong: the opposite of the verdict, as a line of a file of labels; the crawl is free again', async () => {
  const [byPage, byLibrary] = [small.path('by-page'), small.path('by-library')];
  for (const dir of [byPage, byLibrary]) cpSync(made, dir, { recursive: true });
  const page = await openPage({ dir: byPage, address: '0', run: null });
  const client = await PageClient.of(page.url);
  const { threshold } = (await status(byPage)).topic;
  const rows = rowsOf(await client.screen('/'));
  const [first, second] = rows.filter(({ offered }) => offered !== null);
  if (first === undefined || second === undefined) throw new Error('two of the last pages were judged');
  for (const { relevance, offered } of rows) if (offered !== null) expect(offered).toBe(relevance >= threshold ? 'n' : 'y');
  for (const { url, offered } of [first, second]) {
    await client.post('/label/page', { url, answer: offered ?? '' });
    expect(lockState(join(byPage, 'lock'))).toBe('free');
  }
  const labelling = await openLabelling({ dir: byLibrary });
  for (const { url, offered } of [first, second]) {
    writeFileSync(small.path('label.csv'), `url,label\n${url},${offered}\n`);
    await labelling.import(small.path('label.csv'));
  }
  await labelling.close();
  expect(labelsOf(byPage)).toEqual(labelsOf(byLibrary));
  const now = rowsOf(await client.screen('/')).find(({ url }) => url === first.url);
  expect(now?.cells.at(-1)).toMatch(first.offered === 'y' ? /^on topic\s+Change$/ : /^off topic\s+Change$/);
  expect(now?.offered).toBe(first.offered === 'y' ? 'n' : 'y');
  expect((await client.post('/label/page', { url: 'http://nowhere.example/', answer: 'y' })).status).toBe(400);
  expect((await client.post('/label/page', { url: first.url, answer: 'maybe' })).status).toBe(400);
  await page.close();
  expect(labelsOf(byPage)).toHaveLength(2);
});

wholeTest('while the crawl runs: pages that were judged after the session began too', async () => {
  const served = await small.serve({ latency: 100 });
  const dir = small.path('running');
  const seeds = small.seeds.flatMap((seed) => ['--seeds', seed]);
  const rest = ['--proxy', served.proxy, '--delay', '0', '--concurrency', '1', '--contact', 'test@example.org', '--page', '0'];
  const running = start(['crawl', dir, '--topic', topic, ...seeds, ...rest]);
  await running.says('page: http');
  const client = await PageClient.of(/http:\S+token=\S+/.exec(running.said())?.[0] ?? '');
  const labelled: string[] = [];
  // A session that stays open, as that of the screen Label.
  await stored(dir, 10);
  await client.screen('/label');
  for (const visits of [30, 60]) {
    await stored(dir, visits);
    const { url = '', offered } = rowsOf(await client.screen('/')).find((row) => row.offered !== null) ?? {};
    expect((await client.post('/label/page', { url, answer: offered ?? '' })).status).toBe(303);
    labelled.push(url);
    // Not offered again before a count has the label.
    expect(rowsOf(await client.screen('/')).filter((row) => row.url === url && row.offered === offered)).toEqual([]);
  }
  running.child.kill('SIGKILL');
  await running.ended;
  expect(labelsOf(dir).map((label) => (label as { url: string }).url)).toEqual(labelled);
});

(HAS_CHROMIUM ? wholeTest : test.skip)('j, k and w: the row with the focus is labelled', async () => {
  const dir = small.path('by-keys');
  cpSync(made, dir, { recursive: true });
  const page = await openPage({ dir, address: '0', run: null });
  const browser = await launched();
  const tab = await browser.newPage(PATIENT);
  await tab.goto(page.url);
  const rows = rowsOf(await (await PageClient.of(page.url)).screen('/'));
  const at = rows.findIndex(({ offered }) => offered !== null);
  for (let row = 0; row <= at + 1; row++) await tab.keyboard.press('j');
  await tab.keyboard.press('k');
  await tab.keyboard.press('w');
  await tab.waitForSelector('.last td:has-text("Change")', { timeout: 60_000 });
  expect(labelsOf(dir)).toMatchObject([{ url: rows[at]?.url, answer: rows[at]?.offered }]);
  await browser.close();
  await page.close();
});
