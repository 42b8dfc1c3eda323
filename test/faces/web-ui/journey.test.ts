/** From an empty folder to a harvested corpus on the generated web, with the keyboard alone; and the same steps without JavaScript. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { status } from 'forager';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { HAS_CHROMIUM, launched, PATIENT, seriousViolations } from '../../support/chromium.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { type Served, smallWeb } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';

const inBrowser = HAS_CHROMIUM ? wholeTest : test.skip;
const small = smallWeb();
const isOnTopic = (url: string) => small.web.topicOf(url) === small.topic;
const pages = small.web.seeds(small.topic, 15);
const [examples, seeds] = [pages.slice(0, 12), pages.slice(12)];
let served: Served;
let browser: Browser | null = null;

beforeAll(async () => {
  served = await small.serve();
  if (HAS_CHROMIUM) browser = await launched();
});
afterAll(async () => {
  await browser?.close();
  await small.close();
});

/** Presses Tab until the focus is on it: what no key reaches, nobody without a mouse can use. */
async function tabTo(tab: Page, selector: string): Promise<void> {
  await tab.waitForSelector(selector, { timeout: HANGS });
  for (let i = 0; i < 150; i += 1) {
    const there = await tab.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`);
    if (there) return;
    await tab.keyboard.press('Tab');
  }
  throw new Error(`no key leads to ${selector}`);
}

async function write(tab: Page, name: string, text: string): Promise<void> {
  await tabTo(tab, `[name="${name}"]`);
  await tab.keyboard.insertText(text);
}

async function press(tab: Page, selector: string): Promise<void> {
  await tabTo(tab, selector);
  await tab.keyboard.press('Enter');
}

/** The button of a step. */
const stepButton = (path: string) => `form[action="${path}"] button`;

inBrowser('by keys: examples, advice, the check of their sites, seeds, a crawl, its labels, a corpus', { timeout: 4 * HANGS }, async () => {
  const folder = small.path('by-keys');
  mkdirSync(folder);
  const page = await openPage({ dir: folder, address: '0', run: null });
  const tab = await (browser as Browser).newPage(PATIENT);
  tab.setDefaultTimeout(HANGS);
  await tab.goto(page.url);
  expect(new URL(tab.url()).pathname).toBe('/start');
  const aside = await (
    await (browser as Browser).newContext({ ...PATIENT, bypassCSP: true, viewport: { width: 400, height: 800 } })
  ).newPage();
  await aside.goto(page.url);
  expect(await seriousViolations(aside)).toEqual([]);
  await write(tab, 'subject', 'peat moss');
  await write(tab, 'contact', 'you@example.org');
  await write(tab, 'examples', examples.join('\n'));
  await write(tab, 'seeds', seeds.join('\n'));
  await write(tab, 'maxPages', '60');
  await press(tab, '.fields summary');
  await write(tab, 'delay', '0ms');
  await write(tab, 'proxy', served.proxy);
  await press(tab, 'form[action="/start/command"] .actions button:last-child');
  await tab.waitForSelector('code:has-text("forager init --yes --subject")');
  await press(tab, 'button[formaction="/start/project"]');
  await press(tab, stepButton('/start/train'));
  await tab.waitForSelector('text=Strongest terms for:');
  await press(tab, stepButton('/start/check'));
  await press(tab, `form[action="/start/show"]:has([value="check"]) button`);
  const asked = () => tab.locator('.question a.url').allTextContents();
  await tab.waitForSelector('.question');
  for (let question = await asked(); question.length > 0; question = await asked()) {
    await tab.keyboard.press(isOnTopic(question[0] ?? '') ? 'y' : 'n');
    await expect.poll(asked, { timeout: HANGS }).not.toEqual(question);
  }
  await press(tab, 'nav a[href="/start"]');
  await press(tab, stepButton('/start/adopt'));
  await tab.waitForSelector('text=/is used now|trained no better model/');
  await press(tab, stepButton('/start/crawl'));
  await press(tab, `form[action="/start/show"]:has([value="crawl"]) button`);
  const dir = join(folder, 'crawls/peat-moss');
  await tab.waitForSelector('.state[data-state="max-pages"]');
  expect((await status(dir)).counts.visited).toBe(60);
  await aside.goto(new URL('/start', page.url).href);
  expect(await seriousViolations(aside)).toEqual([]);
  expect(await aside.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
  await press(tab, 'nav a[href="/corpus"]');
  await press(tab, stepButton('/corpus/harvest'));
  await tab.waitForSelector('text=/pages are in /');
  const records = readFileSync(join(folder, 'crawls/peat-moss-corpus/corpus.jsonl'), 'utf8').trim().split('\n');
  expect(records.length).toBeGreaterThan(10);
  await tab.close();
  await page.close();
});

wholeTest('without JavaScript: keywords to a crawl; the page may be closed after each step', { timeout: 4 * HANGS }, async () => {
  const folder = small.path('by-forms');
  mkdirSync(folder);
  const opened = async () => {
    const page = await openPage({ dir: folder, address: '0', run: null });
    return { page, client: await PageClient.of(page.url) };
  };
  let { page, client } = await opened();
  const shows = (text: string) =>
    expect.poll(async () => (await client.screen('/start')).querySelector('main')?.textContent ?? '', { timeout: HANGS }).toContain(text);
  const fields = {
    subject: 'Peat',
    contact: 'you@example.org',
    keywords: small.topic,
    seeds: small.seeds.join(' '),
    maxPages: '20',
    delay: '0ms',
  };
  expect((await client.post('/start/crawl')).text).toContain('there is no topic model');
  expect((await client.post('/start/command', { ...fields, maxPages: 'many' })).status).toBe(400);
  expect((await client.post('/start/command', { ...fields, subject: '<b>&' })).text).toContain('&lt;b&gt;&amp;');
  await client.post('/start/project', { ...fields, contact: '' });
  await shows('contact "": is empty');
  expect((await client.screen('/start')).querySelector('[name="seeds"]')?.textContent).toBe(small.seeds.join('\n'));
  await client.post('/start/project', { ...fields, seeds: 'http://127.0.0.1:9/' });
  await shows('no seed can be requested');
  expect(readdirSync(folder)).toEqual([]);
  await client.post('/start/project', { ...fields, subject: 'Peat/Bog', proxy: served.proxy });
  await shows('may be requested');
  expect((await client.screen('/start')).querySelector('[name="subject"]')?.getAttribute('value')).toBe('Peat/Bog');
  await client.post('/start/project', { ...fields, proxy: served.proxy });
  await shows('may be requested');
  // A file with more than the form knows stays, and no form has its secrets.
  const file = join(folder, 'forager.yaml');
  const written = readFileSync(file, 'utf8');
  for (const more of ['strategy: bfs\n', written.replace(served.proxy, 'http://user:secret@127.0.0.1:9')]) {
    writeFileSync(file, more.startsWith('strategy') ? written + more : more);
    await shows('was edited by hand');
    expect((await client.get('/start')).text).not.toContain('secret');
    expect((await client.post('/start/project', fields)).status).toBe(400);
  }
  writeFileSync(file, 'train: [');
  await shows('cannot be read');
  writeFileSync(file, written);
  await page.close();
  ({ page, client } = await opened());
  await client.post('/start/train');
  await shows('training method keywords');
  await shows('No example has a URL');
  await page.close();
  ({ page, client } = await opened());
  expect((await client.get('/pages')).headers['location']).toBe('/start');
  await client.post('/start/crawl');
  await shows('Watch the crawl');
  const dir = join(folder, 'crawls/peat');
  await expect.poll(async () => existsSync(dir) && (await status(dir)).counts.visited, { timeout: HANGS }).toBe(20);
  await expect
    .poll(async () => (await client.screen('/')).querySelector('.state')?.getAttribute('data-state'), { timeout: HANGS })
    .toBe('max-pages');
  await client.post('/run/start', { maxPages: '30' });
  await expect.poll(async () => (await status(dir)).counts.visited, { timeout: HANGS }).toBe(30);
  await page.close();
});
