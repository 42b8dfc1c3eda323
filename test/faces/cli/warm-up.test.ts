/** `crawl --warm-up`: every fourth visit at the start is a step of a random walk, and these pages teach the topic what it is not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { status, verify } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { turnsOfWarmUp } from '../../../src/crawling/frontier/exploration.ts';
import { size } from '../../support/extent.ts';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, type Running, refused, start } from './forager.ts';
import { type Served, smallWeb, trainedOn, trainedOnAll } from './small-web.ts';

const small = smallWeb(size(600, 400));
let topic: string;
beforeAll(async () => {
  topic = await trainedOn(small);
});
afterAll(() => small.close());

const WARM_UP = 16;
/** Visits after which it is over. */
const TURNS = turnsOfWarmUp(WARM_UP);
const MAX_PAGES = size(120, 90);
/** Of an answer while the training is awaited: the crawl must not end before. */
const SLOW = 400;
/** 21 crawls, of half a minute each on a busy machine. */
const KILLS_TIMEOUT = 900_000;

interface Manifest {
  readonly topic: { readonly id: string };
  readonly relabelled: readonly { readonly from: string; readonly to: string; readonly labels: number; readonly pool?: number }[];
  readonly keptBeside: { readonly pool?: number } | null;
}

function manifestOf(dir: string): Manifest {
  return JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8')) as Manifest;
}

/** A model of keywords. */
function ofKeywords(): Promise<string> {
  return trainedOnce({ examples: [], keywords: 'bread, sourdough', out: small.path('keywords') });
}

interface WarmCrawl {
  readonly dir: string;
  readonly args: string[];
  readonly served: Served;
  readonly pace: { latency: number };
}

async function warmCrawl(name: string, seeds: readonly string[] = small.seeds): Promise<WarmCrawl> {
  const pace = { latency: 0 };
  const served = await small.serve(pace);
  const dir = small.path(name);
  const options = ['--proxy', served.proxy, '--delay', '0ms', '--concurrency', '1', '--max-pages', String(MAX_PAGES)];
  return { dir, args: ['crawl', dir, '--topic', topic, '--seeds', ...seeds, '--warm-up', String(WARM_UP), ...options], served, pace };
}

/** Lets the crawl end once it has trained itself. */
async function ended(run: Running, { served, pace }: WarmCrawl): Promise<string> {
  await served.reached(TURNS);
  pace.latency = SLOW;
  await run.says('trained again with');
  pace.latency = 0;
  const { code, stderr, stdout } = await run.ended;
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test('after the warm-up the crawl trains itself once, without an answer of anybody, and continues under the new model', async () => {
  const crawl = await warmCrawl('once');
  const { dir, args } = crawl;
  const run = start(args);
  expect(await ended(run, crawl)).toContain('the page budget is spent');
  const { relabelled, topic: active } = manifestOf(dir);
  expect(relabelled).toMatchObject([{ to: active.id, labels: 0 }]);
  const pool = relabelled[0]?.pool ?? 0;
  expect(pool).toBeGreaterThan(WARM_UP / 2);
  expect(run.said()).toContain(`trained again with ${pool} unlabelled pages of the warm-up: model ${active.id} replaces`);
  expect((await status(dir)).counts.visited).toBe(MAX_PAGES);
  expect((await verify({ dir })).faults).toBe(0);
  // Turns without a drawable URL go to the best one, and seeds are named as seeds.
  const turns = Array.from({ length: WARM_UP - 1 }, (_, i) => turnsOfWarmUp(i + 2) - 1);
  let told = '';
  for (const turn of turns) if (!told.includes('drawn at random')) told += await done('why', dir, crawl.served.pages[turn] ?? '');
  expect(told).toContain('drawn at random');

  await done(...args.map((arg) => (arg === String(MAX_PAGES) ? String(MAX_PAGES + 20) : arg)));
  expect(manifestOf(dir).relabelled).toHaveLength(1);
});

/** The training after the warm-up of a crawl. Its model has the id of the pages that it learned from. */
function trainingOf({ dir }: WarmCrawl): Manifest['relabelled'] {
  return manifestOf(dir).relabelled.map(({ from, to, pool = 0 }) => ({ from, to, labels: 0, pool }));
}

wholeTest(
  'kill -9 at 20 moments of the warm-up: the next run walks on, and trains the same model after it',
  async () => {
    const whole = await warmCrawl('not-killed');
    await ended(start(whole.args), whole);
    const expected = trainingOf(whole);
    expect(expected).toHaveLength(1);
    for (let moment = 1; moment <= 20; moment++) {
      const crawl = await warmCrawl(`killed-${moment}`);
      const begun = start(crawl.args);
      await crawl.served.reached(Math.round((moment * (TURNS - 2)) / 20));
      begun.child.kill('SIGKILL');
      await begun.ended;
      expect(manifestOf(crawl.dir).relabelled).toEqual([]);
      await ended(start(crawl.args), crawl);
      expect(trainingOf(crawl), `killed at moment ${moment}`).toEqual(expected);
      expect((await verify({ dir: crawl.dir })).faults).toBe(0);
    }
  },
  KILLS_TIMEOUT,
);

wholeTest('a warm-up that looks on topic for the most part is no sample: the new model is stored and not activated', async () => {
  const { dir, args, ...crawl } = await warmCrawl('rich');
  const all = await trainedOnAll(small);
  const run = start(args.map((arg) => (arg === topic ? all : arg)));
  await ended(run, { dir, args, ...crawl });
  expect(run.said()).toContain('the new model is not activated, since it finds most pages of the warm-up on topic');
  const { relabelled, keptBeside } = manifestOf(dir);
  expect(relabelled).toEqual([]);
  expect(keptBeside?.pool).toBeGreaterThan(0);
  expect(await done('status', dir)).toContain(`with ${keptBeside?.pool} unlabelled pages of the warm-up and not activated`);
  const [, command = ''] = /to activate it anyway: (?:npx )?forager (label train \S+ --even-if-worse)/.exec(run.said()) ?? [];
  expect(await done(...command.split(' '))).toMatch(/unlabelled pages of the warm-up: model [0-9a-f]{16} replaces/);
  const after = manifestOf(dir);
  expect(after.keptBeside).toBeNull();
  // Pages of the warm-up that came after its training are in this one.
  expect(after.relabelled.map(({ pool }) => pool ?? 0)).toEqual([expect.toSatisfy((pool: number) => pool >= (keptBeside?.pool ?? 0))]);
});

test.each([
  ['seeds of one host', 1, ['--max-pages', '200'], 10],
  ['seeds of several hosts', 3, ['--max-pages', '200'], 0],
  ['a budget too small', 1, ['--max-pages', '199'], 0],
  ['none wanted', 1, ['--max-pages', '200', '--warm-up', '0'], 0],
])('without --warm-up, %s: the default fits', async (name, seeds, more, expected) => {
  const { served } = await warmCrawl(name);
  const dir = small.path(`default-${name.replaceAll(' ', '-')}`);
  const given = [...new Set(small.seeds.map((seed) => new URL(seed).origin))].slice(0, seeds);
  expect(given).toHaveLength(seeds);
  await forager('crawl', dir, '--topic', topic, '--seeds', ...given, '--proxy', served.proxy, '--max-time', '1ms', ...more);
  expect(manifestOf(dir)).toMatchObject({ warmUp: expected });
});

test('a crawl for a topic of keywords, or for several topics, has no warm-up by default', async () => {
  const { served } = await warmCrawl('words');
  const words = await ofKeywords();
  for (const topics of [[words], [topic, words]]) {
    const dir = small.path(`words-${topics.length}`);
    const options = ['--seeds', small.seeds[0] ?? '', '--proxy', served.proxy, '--max-time', '1ms'];
    await forager('crawl', dir, ...topics.flatMap((one) => ['--topic', one]), ...options);
    expect(manifestOf(dir)).toMatchObject({ warmUp: 0 });
  }
});

test('a warm-up needs one topic, and that of example pages', async () => {
  const { args } = await warmCrawl('refused');
  const keywords = await ofKeywords();
  await refused(2, ['--warm-up: needs a topic of example pages'], ...args.map((arg) => (arg === topic ? keywords : arg)));
  const dirs = args.map((arg) => (arg === small.path('refused') ? small.path('two') : arg));
  await refused(2, ['--warm-up: trains one topic again'], ...dirs.flatMap((arg) => (arg === topic ? [topic, keywords] : [arg])));
});
