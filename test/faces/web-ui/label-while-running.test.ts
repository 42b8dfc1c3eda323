/** Labels on the page of a crawl that runs: its questions, its training, and answers to pages that are no longer asked about. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLabelling, status, verify } from 'forager';
import { afterAll, beforeAll, expect } from 'vitest';
import { lockState } from '../../../dist/base/disk/lock.js';
import { InProcessRun } from '../../../dist/faces/web-ui/in-process-run.js';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { wholeTest } from '../../support/whole-test.ts';
import { start } from '../cli/forager.ts';
import { smallWeb, stored, trainedOnAll } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';

/** Of an answer of the web, once the crawl has asked for as many pages as the test wants. */
const SLOW = 1000;
const QUESTIONS = 12;
const small = smallWeb(600);
let topic: string;

beforeAll(async () => {
  topic = await trainedOnAll(small);
});
afterAll(() => small.close());

const truth = (url: string) => (small.web.topicOf(url) === small.topic ? 'y' : 'n');

/** A crawl that soon has asked for `limit.pages` pages, and then goes slowly. */
async function crawlWithPage(dir: string, limit: { pages: number }, ...more: string[]) {
  const web = await small.serve({
    get latency() {
      return web === undefined || web.pages.length < limit.pages ? 0 : SLOW;
    },
  });
  const options = ['--proxy', web.proxy, '--delay', '0ms', '--concurrency', '1', '--max-pages', '500', '--page', '0'];
  const run = start(['crawl', dir, '--topic', topic, '--seeds', ...small.seeds, ...options, ...more]);
  await run.says('page: http');
  return { run, client: await PageClient.of(/http:\S+token=\S+/.exec(run.said())?.[0] ?? '') };
}

async function askedOn(client: PageClient): Promise<string | null> {
  return (await client.screen('/label')).querySelector('.question .url')?.textContent ?? null;
}

/** The first screen, counted at this moment. */
async function overviewOf(client: PageClient): Promise<string> {
  await client.post('/run/pause');
  const text = (await client.screen('/')).querySelector('main')?.textContent ?? '';
  await client.post('/run/resume');
  return text;
}

wholeTest('while the crawl is being opened, no session takes its lock', async () => {
  const dir = small.path('opening');
  const limit = { pages: 20 };
  const { run: first } = await crawlWithPage(dir, limit);
  await stored(dir, 15);
  first.child.kill('SIGKILL');
  await first.ended;
  const run = new InProcessRun({ maxPages: null, endsAt: null, stop: () => undefined });
  const page = await openPage({ dir, address: '0', run });
  const client = await PageClient.of(page.url);
  for (const path of ['/label', '/label/grid', '/label/labels.csv']) {
    const { status: code, text } = await client.get(path);
    expect([code, text.includes('the crawl is being opened')]).toEqual([400, true]);
  }
  expect((await client.post('/label/page', { url: small.seeds[0] ?? '', answer: 'y' })).status).toBe(400);
  expect(lockState(join(dir, 'lock'))).toBe('free');
  const { counts } = await status(dir);
  run.opened({ counts: () => counts, unpark: () => [], acted: () => undefined, addSeeds: () => undefined });
  expect((await client.get('/label')).status).toBe(200);
  await page.close();
});

wholeTest('questions of --ask: in their order on the page, counted by the overview; the crawl trains with the answers', async () => {
  const dir = small.path('asking');
  const limit = { pages: 2 };
  const { run, client } = await crawlWithPage(dir, limit, '--ask', `${QUESTIONS}@40`);
  await stored(dir, 1);
  // The session begins with one or two pages, and asks about newer ones once these have answers.
  for (let answered = 0; answered < 5; answered++) {
    await expect.poll(() => askedOn(client), { timeout: 60_000, interval: 200 }).not.toBeNull();
    const url = (await askedOn(client)) ?? '';
    await client.post('/label/answer', { url, answer: truth(url) });
  }
  limit.pages = 30;
  await stored(dir, 25);
  const before = (await askedOn(client)) ?? '';
  limit.pages = 45;
  await run.says(`${QUESTIONS} questions wait for answers`);
  const { batches } = JSON.parse(readFileSync(join(dir, 'labelling', 'questions.json'), 'utf8')) as {
    batches: { questions: { url: string }[] }[];
  };
  const questions = batches.flatMap((batch) => batch.questions.map(({ url }) => url));
  expect(questions).toHaveLength(QUESTIONS);
  expect(await overviewOf(client)).toContain(`${QUESTIONS} questions wait for answers`);
  // Meanwhile the crawl asks about another page.
  expect(await askedOn(client)).toBe(questions[0]);
  await client.post('/label/answer', { url: before, answer: truth(before) });
  const expected = questions.filter((url) => url !== before);
  const shown: string[] = [];
  for (const _ of expected) {
    const url = (await askedOn(client)) ?? '';
    shown.push(url);
    await client.post('/label/answer', { url, answer: truth(url) });
  }
  expect(shown).toEqual(expected);
  expect((await status(dir)).questions).toBe(0);
  expect(await overviewOf(client)).not.toContain('Questions of the crawl');
  await client.post('/label/train');
  limit.pages = 120;
  await run.says('trained again with');
  await expect.poll(async () => (await status(dir)).relabelled.length, { timeout: 60_000 }).toBe(1);
  const { topic: active } = await status(dir);
  expect(await overviewOf(client)).toContain(`The topic was trained again. Model ${active.id} is active since`);
  await client.post('/run/stop');
  expect((await run.ended).code).toBe(130);
  expect((await verify({ dir })).faults).toBe(0);
  const labelling = await openLabelling({ dir });
  for (const url of [before, ...expected]) expect(labelling.csv).toContain(`${url},`);
  await labelling.close();
});
