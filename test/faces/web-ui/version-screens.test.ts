/** The screen of a URL shows its versions, and a screen of its own the words that differ. */
import { crawl, pageHistory, versionDiff } from 'forager';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { isoTime } from '../../../src/base/core/clock.ts';
import type { RecordId } from '../../../src/base/core/types.ts';
import { urlOf } from '../../corpus/records/samples.ts';
import { HAS_CHROMIUM, launched, PATIENT, seriousViolations } from '../../support/chromium.ts';
import { commitAbsences } from '../../support/committed-absences.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf } from './tables.ts';

const small = smallWeb(80);
const dir = small.path('crawl');
const [url = '', other = ''] = small.seeds;
const added = `${Array.from({ length: 60 }, (_, i) => `quixot${i}`).join(' ')} &lt;script&gt;`;
let page: OpenPage;
let client: PageClient;
let browser: Browser | null = null;

beforeAll(async () => {
  const extra = new Map<string, string>();
  const { proxy } = await small.serve({ extra });
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 10, concurrency: 1 });
  const { html = '' } = small.web.page(url) ?? {};
  extra.set(url, html.replace('</p>', ` ${added}.</p>`));
  await crawl({ dir, proxy, delay: 0, maxPages: 10, concurrency: 1, revisit: 0 });
  const { lastSeen, entries } = await pageHistory(dir, url);
  const at = isoTime(Date.parse(lastSeen) + 1000);
  const { recordId } = entries.at(-1) ?? expect.fail('no version');
  const absence = { url: urlOf(url), at, recordId: recordId as string as RecordId };
  await commitAbsences(dir, [
    { ...absence, status: 301, state: 'moved', to: urlOf(other) },
    { ...absence, at: isoTime(Date.parse(at) + 1000), status: 404, state: 'gone', to: null },
  ]);
  page = await openPage({ dir, address: '0', run: null });
  client = await PageClient.of(page.url);
  if (HAS_CHROMIUM) browser = await launched();
});
afterAll(async () => {
  await browser?.close();
  await page.close();
  await small.close();
});

const whyOf = (of: string) => client.screen(`/why?url=${encodeURIComponent(of)}`);

test('the versions of a page and its absences are those of the command, each change with its words', async () => {
  const screen = await whyOf(url);
  const { entries, lastSeen } = await pageHistory(dir, url);
  expect(entries.map(({ state }) => state)).toEqual(['kept', 'kept', 'moved', 'gone']);
  const words = entries.flatMap((entry) => ('words' in entry ? [entry] : []));
  const rows = cellsOf(screen, 'History');
  expect(rows.map(([, at]) => at)).toEqual(entries.map(({ at }) => at));
  expect(rows.map(([version]) => version)).toEqual(['1', '2', '–', '–']);
  expect(rows.map(([, , state]) => state)).toEqual(['kept', 'kept', `moved to ${other}`, 'gone, HTTP 404']);
  expect(rows[1]?.[4]).toBe(`+${words[1]?.wordsAdded} −${words[1]?.wordsRemoved} words`);
  expect(screen.querySelector('main')?.textContent).toContain(`Last answer at ${lastSeen}`);
  const link = [...screen.querySelectorAll('main a')].find((one) => one.textContent?.includes('words'));
  expect(link?.getAttribute('href')).toBe(`/diff?url=${encodeURIComponent(url).replaceAll('%20', '+')}&from=1&to=2`);
});

test('words of one version alone are marked by elements that say so, and are text', async () => {
  const screen = await client.screen(`/diff?url=${encodeURIComponent(url)}&from=1&to=2`);
  const { wordsAdded, parts } = await versionDiff(dir, url);
  expect(wordsAdded).toBeGreaterThanOrEqual(60);
  const inserted = [...screen.querySelectorAll('main ins')].map((one) => one.textContent);
  expect(inserted).toEqual(parts.filter(({ kind }) => kind === 'added').map(({ words }) => `added: ${words.join(' ')}`));
  expect(inserted.join(' ')).toContain('quixot59 <script>');
  expect(screen.querySelectorAll('main script')).toHaveLength(0);
  expect(screen.querySelectorAll('main del')).toHaveLength(parts.filter(({ kind }) => kind === 'removed').length);
  expect([...screen.querySelectorAll('main option')].map((one) => one.getAttribute('value'))).toEqual(['1', '2', '1', '2']);
  const back = await client.screen(`/diff?url=${encodeURIComponent(url)}&from=2&to=1`);
  expect([...back.querySelectorAll('main del')].map((one) => one.textContent).join(' ')).toContain('removed: ');
});

test('a page with one version has no table, and a version that is not there is named', async () => {
  const screen = await whyOf(other);
  expect(cellsOf(screen, 'History').length).toBeLessThanOrEqual(1);
  const answer = await client.get(`/diff?url=${encodeURIComponent(url)}&from=7`);
  expect(answer.text).toContain('7: is not a version of');
  expect((await client.get('/diff?url=http://nowhere.example/')).text).toContain('this crawl never discovered it');
});

test.skipIf(!HAS_CHROMIUM)('both screens can be used without a mouse and without colours, on a phone too', async () => {
  const { origin } = new URL(page.url);
  const context = await (browser as Browser).newContext({ ...PATIENT, bypassCSP: true, viewport: { width: 400, height: 500 } });
  const tab = await context.newPage();
  await tab.goto(page.url);
  for (const path of [`/why?url=${encodeURIComponent(url)}`, `/diff?url=${encodeURIComponent(url)}&from=1&to=2`]) {
    await tab.goto(`${origin}${path}`);
    expect(await seriousViolations(tab), path).toEqual([]);
    expect(await tab.evaluate('document.documentElement.scrollWidth'), path).toBe(400);
  }
  await context.close();
});
