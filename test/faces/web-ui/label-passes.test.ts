/** Ways to label on the page other than one question after the other, each compared with the library. */
import { cpSync } from 'node:fs';
import { openLabelling, records } from 'forager';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { wholeTest } from '../../support/whole-test.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import type { Screen } from './tables.ts';

const small = smallWeb();
let made: string;
let copies = 0;
let page: OpenPage | null = null;

beforeAll(async () => {
  made = (await crawlToLabel(small, 60)).dir;
});
afterEach(() => page?.close());
afterAll(() => small.close());

function copy(): string {
  const dir = small.path(`copy-${copies++}`);
  cpSync(made, dir, { recursive: true });
  return dir;
}

async function opened(dir: string): Promise<PageClient> {
  page = await openPage({ dir, address: '0', run: null });
  return PageClient.of(page.url);
}

const askedOf = (screen: Screen) => screen.querySelector('.question .url')?.textContent ?? '';

wholeTest('new hosts: the questions of the library, until every page is answered', async () => {
  const [dir, other] = [copy(), copy()];
  const client = await opened(dir);
  const labelling = await openLabelling({ dir: other, newHosts: true });
  for (let i = 0; i < 8; i++) {
    const question = await labelling.next();
    const screen = await client.screen('/label?mode=new-hosts');
    expect(askedOf(screen)).toBe(question?.url);
    expect(question?.queue).toBe('new-host');
    expect(screen.querySelector('[aria-current="true"]')?.textContent).toBe('New hosts');
    await client.post('/label/answer', { url: question?.url ?? '', answer: 'n', mode: 'new-hosts' });
    await labelling.answer('n');
  }
  await labelling.close();
});

async function keptHost(dir: string): Promise<string> {
  for await (const { url } of records(dir)) return new URL(url).hostname;
  throw new Error('the crawl kept a page');
}

wholeTest('nothing of this host: one answer a page, all taken back by one undo; a draw of such a page still asks', async () => {
  const dir = copy();
  const client = await opened(dir);
  const screen = await client.screen('/label');
  const url = askedOf(screen);
  const { hostname } = new URL(url);
  const shown = screen.querySelector('[data-key="h"]')?.textContent ?? '';
  const pages = Number(/\d+/.exec(shown)?.[0]);
  expect(pages).toBeGreaterThan(1);
  await client.post('/label/none-of', { url: 'http://other.test/', place: hostname });
  // Hundreds of pages are not answered by one key.
  const asks = client.parsed((await client.post('/label/none-of', { url, place: hostname, pages: '668' })).text);
  expect(asks.querySelector('[data-key="enter"]')?.textContent).toBe('Yes, 668 pages off topic (Enter)');
  expect((await client.screen('/label')).querySelector('aside')?.textContent).toContain('0 yes, 0 no, 0 skipped.');
  await client.post('/label/none-of', { url, place: hostname, pages: '668', sure: 'yes' });
  expect((await client.screen('/label')).querySelector('aside')?.textContent).toContain(`0 yes, ${pages} no, 0 skipped.`);
  await client.post('/label/undo');
  expect((await client.screen('/label')).querySelector('aside')?.textContent).toContain('0 yes, 0 no, 0 skipped.');
  await client.post('/label/leave');
  const labelling = await openLabelling({ dir });
  expect(labelling.unansweredOf(hostname)).toBe(pages);
  expect(await labelling.noneOf(hostname)).toBe(pages);
  expect(labelling.counts).toEqual({ yes: 0, no: pages, skipped: 0 });
  // Only kept pages are drawn.
  const kept = await keptHost(dir);
  await labelling.noneOf(kept);
  await labelling.close();
  const audit = await openLabelling({ dir, audit: 60 });
  const drawn = new Set<string>();
  for (let question = await audit.next(); question !== null; question = await audit.next()) {
    drawn.add(new URL(question.url).hostname);
    await audit.answer('y');
  }
  expect(drawn).toContain(kept);
  await audit.close();
});

/** The checked cards but those that are unchecked, as a browser sends the form of the grid. */
function gridForm(screen: Screen, isUnchecked: (url: string) => boolean): [string, string][] {
  const urls = [...screen.querySelectorAll('.cards input[type="checkbox"]')].map((box) => box.getAttribute('value') ?? '');
  return [
    ...urls.map((url): [string, string] => ['url', url]),
    ...urls.filter((url) => !isUnchecked(url)).map((url): [string, string] => ['yes', url]),
  ];
}

test('a grid of twelve: the next questions of the library, one form, the labels of twelve single answers, one undo', async () => {
  const [dir, other] = [copy(), copy()];
  const client = await opened(dir);
  const isOff = (url: string) => small.web.topicOf(url) !== small.topic;
  const screen = await client.screen('/label/grid');
  const form = gridForm(screen, isOff);
  expect(form.filter(([name]) => name === 'url')).toHaveLength(12);
  expect(screen.querySelectorAll('.cards mark').length).toBeGreaterThan(0);
  await client.post('/label/answers', form);
  // The same form once more: none of its pages is asked about.
  await client.post('/label/answers', form);
  await client.post('/label/undo', { back: 'grid' });
  const again = await client.screen('/label/grid');
  expect(gridForm(again, isOff)).toEqual(form);
  await client.post('/label/answers', form);
  await client.post('/label/leave');
  const labelling = await openLabelling({ dir: other });
  for (let i = 0; i < 12; i++) {
    const question = await labelling.next();
    expect(form[i]).toEqual(['url', question?.url]);
    await labelling.answer(isOff(question?.url ?? '') ? 'n' : 'y');
  }
  const { counts } = labelling;
  expect(counts.yes).toBeGreaterThan(0);
  expect(counts.no).toBeGreaterThan(0);
  await labelling.close();
  const byGrid = await openLabelling({ dir });
  expect(byGrid.counts).toEqual(counts);
  expect(byGrid.estimate()).toEqual(await estimateOf(other));
  await byGrid.close();
});

async function estimateOf(dir: string) {
  const labelling = await openLabelling({ dir });
  const estimate = labelling.estimate();
  await labelling.close();
  return estimate;
}

wholeTest(
  'labels as CSV, in and out: another crawl takes the downloaded ones; two names that answered the same pages have a kappa',
  async () => {
    const [dir, other] = [copy(), copy()];
    const first = await opened(dir);
    await first.post('/label/name', { name: 'Anna' });
    const urls: string[] = [];
    for (let i = 0; i < 6; i++) {
      urls.push(askedOf(await first.screen('/label')));
      await first.post('/label/answer', { url: urls.at(-1) ?? '', answer: i < 3 ? 'y' : 'n' });
    }
    const { text, headers } = await first.get('/label/labels.csv');
    expect(headers['content-disposition']).toContain('labels.csv');
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    expect(rows.map(([url, name, ...cells]) => [url, name, cells.at(-1)])).toEqual([
      ['url', 'name', 'answer'],
      ...urls.map((url, i) => [url, 'Anna', i < 3 ? 'y' : 'n']),
    ]);
    await page?.close();
    const client = await opened(other);
    expect((await client.post('/label/name', { name: 'a,b' })).status).toBe(400);
    await client.post('/label/name', { name: 'Anna' });
    await client.post('/label/import', { labels: `${text}http://nowhere.test/,y\n` });
    expect((await client.screen('/label')).querySelector('aside')?.textContent).toContain(
      '6 labels stored, 0 were stored already, 1 are of',
    );
    await client.post('/label/name', { name: 'Ben' });
    await client.post('/label/import', { labels: urls.map((url, i) => `${url},${i < 2 ? 'y' : 'n'}`).join('\n') });
    // 5 of 6 equal; by chance 3/6 × 2/6 + 3/6 × 4/6 = 1/2; kappa = (5/6 - 1/2) / (1/2).
    const shown = [...(await client.screen('/label')).querySelectorAll('.agreement')].map(({ textContent }) => textContent);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(
      /^Anna and Ben: 6 pages that both answered, 5 equally; Cohen's kappa 0\.67 \(95 % interval -?0\.\d\d to 0\.\d\d\)\.$/,
    );
    await client.post('/label/leave');
    const labelling = await openLabelling({ dir: other });
    expect(labelling.agreements).toMatchObject([{ names: ['Anna', 'Ben'], pages: 6, yesYes: 2, yesNo: 1, noYes: 0, noNo: 3 }]);
    expect(labelling.csv.match(/,Ben,/g)).toHaveLength(6);
    await labelling.close();
  },
);
