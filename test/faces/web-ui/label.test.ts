/** Labels by keys in a browser are those of the library: questions, answers, model; and how soon the next page is there. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLabelling, status } from 'forager';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { HAS_CHROMIUM, launched, PATIENT } from '../../support/chromium.ts';
import { size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf } from './tables.ts';

const LABELS = size(30, 20);
const small = smallWeb();
let made: string;

beforeAll(async () => {
  made = (await crawlToLabel(small, 100)).dir;
});
afterAll(() => small.close());

function copy(name: string): string {
  const dir = small.path(name);
  cpSync(made, dir, { recursive: true });
  return dir;
}

const isOnTopic = (url: string) => small.web.topicOf(url) === small.topic;

/** Lines of the label file without their times and checksums. */
function labelsOf(dir: string): object[] {
  const [, ...lines] = readFileSync(join(dir, 'labels.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { at: _, crc32: __, ...label } = JSON.parse(line) as Record<string, unknown>;
    return label;
  });
}

wholeTest('without scripts: question, answer, undo, estimate, training and taking it back, by forms alone', async () => {
  const dir = copy('forms');
  const page = await openPage({ dir, address: '0', run: null });
  const client = await PageClient.of(page.url);
  const asked = async () => {
    const screen = await client.screen('/label');
    return { screen, url: screen.querySelector('.question .url')?.textContent ?? '' };
  };
  const first = await asked();
  await client.post('/label/answer', { url: first.url, answer: 'n' });
  // The same form once more is about a page that is answered.
  await client.post('/label/answer', { url: first.url, answer: 'y' });
  expect((await asked()).screen.querySelector('aside')?.textContent).toContain('0 yes, 1 no, 0 skipped.');
  await client.post('/label/undo');
  expect((await asked()).url).toBe(first.url);
  for (let i = 0; i < LABELS; i++) {
    const { url } = await asked();
    await client.post('/label/answer', { url, answer: isOnTopic(url) ? 'y' : 'n' });
  }
  const { topic } = await status(dir);
  await client.post('/label/train');
  const trained = (await asked()).screen;
  expect(trained.querySelector('aside')?.textContent).toMatch(/held-out labels/);
  const changes = new Map(cellsOf(trained, 'Judged pages').map(([name = '', count = '']) => [name, Number(count)]));
  for (const name of ['newly on topic', 'no longer on topic'])
    expect(cellsOf(trained, `Random examples: ${name}`)).toHaveLength(Math.min(10, changes.get(name) ?? Number.NaN));
  const now = (await status(dir)).topic;
  if (now.id !== topic.id) {
    await client.post('/label/undo-training');
    expect((await status(dir)).topic.id).toBe(topic.id);
  }
  await client.post('/label/leave');
  // The session has released the crawl.
  await (await openLabelling({ dir })).close();
  await page.close();
});

const inBrowser = HAS_CHROMIUM ? test : test.skip;
const wholeInBrowser = HAS_CHROMIUM ? wholeTest : test.skip;
let browser: Browser | null = null;
afterAll(() => browser?.close());

async function opened(dir: string): Promise<{ page: OpenPage; tab: Page; errors: string[] }> {
  browser ??= await launched();
  const page = await openPage({ dir, address: '0', run: null });
  const tab = await browser.newPage(PATIENT);
  const errors: string[] = [];
  tab.on('console', (message) => errors.push(message.text()));
  tab.on('pageerror', ({ message }) => errors.push(message));
  await tab.goto(page.url);
  await tab.goto(`${new URL(page.url).origin}/label`);
  return { page, tab, errors };
}

wholeInBrowser('thirty pages by keys: the questions, labels and model of the library; the time to the next page is printed', async () => {
  const [byKeys, byLibrary] = [copy('keys'), copy('library')];
  const { page, tab, errors } = await opened(byKeys);
  const times: number[] = [];
  const questions: string[] = [];
  for (let i = 0; i < LABELS; i++) {
    const url = (await tab.textContent('.question .url')) ?? '';
    questions.push(url);
    times.push(await timeOf(tab, isOnTopic(url) ? 'y' : 'n'));
  }
  const labelling = await openLabelling({ dir: byLibrary });
  const expected: string[] = [];
  for (let i = 0; i < LABELS; i++) {
    const { url } = (await labelling.next()) ?? { url: '' };
    expected.push(url);
    await labelling.answer(isOnTopic(url) ? 'y' : 'n');
  }
  expect(questions).toEqual(expected);
  await labelling.next();
  await tab.click('text=Train with the labels');
  await tab.waitForSelector('text=held-out labels', { timeout: 120_000 });
  await labelling.relabel();
  await labelling.close();
  await page.close();
  expect(labelsOf(byKeys)).toEqual(labelsOf(byLibrary));
  expect((await status(byKeys)).topic).toEqual((await status(byLibrary)).topic);
  expect(errors).toEqual([]);
  const median = times.sort((a, b) => a - b)[LABELS / 2] ?? 0;
  console.log(`from a key to the next page: median ${median.toFixed(0)} ms, longest ${(times.at(-1) ?? 0).toFixed(0)} ms`);
  // The goal is 50 ms; a busy machine takes several times as long.
  expect(median).toBeLessThan(250);
});

inBrowser('the grid by keys: Space unchecks a card, Enter stores all answers, u takes them back; a key in a field is text', async () => {
  const { page, tab, errors } = await opened(copy('grid'));
  await tab.goto(`${new URL(page.url).origin}/label/grid`);
  await tab.locator('.cards input[type="checkbox"]').nth(1).focus();
  await tab.keyboard.press('Space');
  await tab.keyboard.press('Enter');
  await tab.waitForSelector('text=11 yes, 1 no, 0 skipped.');
  await tab.keyboard.press('u');
  await tab.waitForSelector('text=0 yes, 0 no, 0 skipped.');
  await tab.goto(`${new URL(page.url).origin}/label`);
  await tab.locator('textarea').fill('');
  await tab.locator('textarea').pressSequentially('yn');
  expect(await tab.locator('textarea').inputValue()).toBe('yn');
  expect(await tab.locator('aside').innerText()).toContain('0 yes, 0 no, 0 skipped.');
  await tab.close();
  await page.close();
  expect(errors).toEqual([]);
});

/** From the press of a key until another page is asked about, in the browser's own clock. */
function timeOf(tab: Page, key: string): Promise<number> {
  return tab.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now();
    new MutationObserver((_, observer) => {
      observer.disconnect();
      resolve(performance.now() - began);
    }).observe(document.querySelector('main'), { childList: true });
    document.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }));
  })`);
}
