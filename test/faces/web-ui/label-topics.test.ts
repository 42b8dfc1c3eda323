/** Labels of a crawl of several topics on the page, by forms alone: each form is of the topic of its screen. */
import { existsSync, readFileSync } from 'node:fs';
import { crawl, status } from 'forager';
import { afterAll, beforeAll, expect } from 'vitest';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';

const small = smallWeb(240, 4);
const dir = small.path('crawl');
/** A name that addresses and forms have to escape. */
const OTHER = 'two & "three"';
let page: OpenPage;
let client: PageClient;

beforeAll(async () => {
  const served = await small.serve();
  const other = await trainedOnce({ examples: [], keywords: 'peat, moss, page', out: small.path(OTHER) });
  const topic = [await trainedOn(small), other];
  await crawl({ dir, topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages: 60, concurrency: 1 });
  page = await openPage({ dir, address: '0', run: null });
  client = await PageClient.of(page.url);
});
afterAll(async () => {
  await page.close();
  await small.close();
});

async function asked(topic: string) {
  const screen = await client.screen(`/label?topic=${encodeURIComponent(topic)}`);
  const form = screen.querySelector('form[action="/label/answer"]');
  return {
    screen,
    url: screen.querySelector('.question .url')?.textContent ?? '',
    topic: form?.querySelector('input[name="topic"]')?.getAttribute('value') ?? '',
  };
}

function answersIn(place: number): string[] {
  const file = `${dir}/labelling/topic-${place}/labels.jsonl`;
  if (!existsSync(file)) return [];
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { readonly url: string }).url);
}

wholeTest('without a topic the screen lists them; a form without one stores nothing', async () => {
  const names = (await status(dir)).topics.map(({ name }) => name);
  const screen = await client.screen('/label');
  expect(screen.querySelector('.question')).toBeNull();
  expect([...screen.querySelectorAll('nav.modes a')].map(({ textContent }) => textContent)).toEqual(names);
  const { status: code, text } = await client.post('/label/answer', { url: 'http://x.test/', answer: 'y' });
  expect(code).toBe(400);
  expect(text).toContain('labels are of one topic');
  expect([answersIn(1), answersIn(2)]).toEqual([[], []]);
});

wholeTest('two screens at once: each answer is one of the topic whose form it was', async () => {
  const [first = ''] = (await status(dir)).topics.map(({ name }) => name);
  const [one, two] = [await asked(first), await asked(OTHER)];
  expect(two.screen.querySelector('nav.modes a[aria-current]')?.textContent).toBe(OTHER);
  // The screen that was shown last is not that of the form.
  const [answer, other] = [
    await client.post('/label/answer', { url: one.url, answer: 'n', topic: one.topic }),
    await client.post('/label/answer', { url: two.url, answer: 'y', topic: two.topic }),
  ];
  expect(answer.headers['location']).toBe(`/label?topic=${encodeURIComponent(first)}`);
  expect(new URL(String(other.headers['location']), 'http://x.test').searchParams.get('topic')).toBe(OTHER);
  expect([answersIn(1), answersIn(2)]).toEqual([[one.url], [two.url]]);
  const after = await asked(OTHER);
  expect(after.screen.querySelector('aside')?.textContent).toContain('1 yes, 0 no, 0 skipped.');
  for (const link of after.screen.querySelectorAll('main a[href^="/label"]'))
    expect(new URL(link.getAttribute('href') ?? '', 'http://x.test').searchParams.get('topic')).not.toBeNull();
  const csv = await client.get(`/label/labels.csv?topic=${encodeURIComponent(OTHER)}`);
  expect(csv.text).toContain(two.url);
  expect(csv.text).not.toContain(one.url);
  const grid = await client.screen(`/label/grid?topic=${encodeURIComponent(OTHER)}`);
  expect(grid.querySelectorAll('.cards article').length).toBeGreaterThan(1);
});

wholeTest('the overview has the precision of each topic, or leads to its measuring', async () => {
  const overview = await client.screen('/');
  const links = [...overview.querySelectorAll('a[href^="/label?mode=measure"]')];
  const names = (await status(dir)).topics.map(({ name }) => name);
  expect(links.map((link) => new URL(link.getAttribute('href') ?? '', 'http://x.test').searchParams.get('topic'))).toEqual(names);
});
