import { cpSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import {
  type CrawlEvent,
  CrawlerError,
  type CrawlReport,
  crawl,
  DataError,
  EnvironmentError,
  freeze,
  gather,
  harvest,
  judgePages,
  ModelError,
  openModel,
  repair,
  StoreError,
  status,
  train,
  UsageError,
  why,
} from 'forager';
import { ledgerOf, openCrawl } from 'forager/parts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { saveModel } from '../../../src/reading/topic/files.ts';
import { trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { OPTIONS, smallBackground, syntheticPages } from '../../reading/topic/synthetic.ts';
import { sample } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { type Served, smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
const dir = small.path('crawl');
const events: CrawlEvent[] = [];
let served: Served;
let topic: string;
let report: CrawlReport;

beforeAll(async () => {
  served = await small.serve();
  topic = await trainedOn(small);
  report = await crawl({
    dir,
    topic,
    seeds: small.seeds,
    proxy: served.proxy,
    delay: 0,
    maxPages: 40,
    onEvent: (event) => events.push(event),
  });
});
afterAll(() => small.close());

test('train, crawl and harvest: every count agrees with every other', async () => {
  const { counts } = report;
  expect(report).toMatchObject({ dir, stopReason: 'max-pages', resumed: false, lostSeeds: [], privateAddresses: 0 });
  expect(counts.visited).toBe(40);
  expect(served.pages.length).toBe(40);
  const { waiting, leased, fetched, kept, offTopic, duplicate, refused, failed } = counts;
  expect(waiting + leased + fetched + kept + offTopic + duplicate + refused + failed).toBe(counts.discovered);
  expect(leased).toBe(0);
  expect(report.harvestRate).toBeCloseTo((kept + duplicate) / 40, 9);
  expect(events.filter((event) => event.type === 'judged' && event.onTopic).length).toBe(kept + duplicate);
  expect(events.filter((event) => event.type === 'settled' && event.fate === 'kept').length).toBe(kept);

  const opened = openCrawl(dir);
  const ledger = [...ledgerOf(opened)];
  await opened.close();
  expect(ledger.length).toBe(counts.discovered);
  expect((await status(dir)).counts).toEqual(counts);

  const { outDir, card } = await harvest({ dir, out: small.path('corpus'), formats: ['jsonl', 'warc'] });
  expect(card.records).toMatchObject({ read: kept, kept });
  const lines = readFileSync(`${outDir}/corpus.jsonl`, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBe(kept);

  const judged = [];
  for await (const page of judgePages(topic, `${outDir}/corpus-00000.warc.gz`, {})) judged.push(page);
  expect(judged.every(({ onTopic }) => onTopic)).toBe(true);
  expect(judged.map(({ url }) => url).sort()).toEqual(
    ledger
      .filter(({ state }) => state === 'kept')
      .map(({ url }) => url)
      .sort(),
  );
  const [seed = ''] = small.seeds;
  expect((await why(dir, seed)).line).toMatchObject({ url: seed, depth: 0 });
});

test('a crawl resolves, goes on and adds up over its runs', async () => {
  const began: unknown[] = [];
  const more = await crawl({ dir, maxPages: 50, onStart: ({ resumed, counts }) => began.push([resumed, counts().visited]) });
  expect(began).toEqual([[true, 40]]);
  expect(more).toMatchObject({ resumed: true, stopReason: 'max-pages', counts: { visited: 50 } });
  expect(new Set(served.pages).size).toBe(50);
  expect(served.pages.length).toBe(50);
});

test('an aborted crawl resolves as interrupted, with everything stored', async () => {
  const stop = new AbortController();
  const dir = small.path('aborted');
  const stopped = await crawl({
    dir,
    topic,
    seeds: small.seeds,
    proxy: served.proxy,
    delay: 0,
    signal: stop.signal,
    onEvent: ({ type }) => type === 'judged' && stop.abort(),
  });
  expect(stopped.stopReason).toBe('interrupted');
  expect(stopped.counts.visited).toBeGreaterThan(0);
  expect((await status(dir)).counts).toEqual(stopped.counts);
  expect(existsSync(`${dir}/lock`)).toBe(false);
});

test('every run has one stop reason', async () => {
  const { runs } = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8')) as {
    runs: { endedAt: string | null; stopReason: string | null }[];
  };
  expect(runs.map(({ stopReason }) => stopReason)).toEqual(['max-pages', 'max-pages']);
  expect(runs.map(({ endedAt }) => endedAt)).not.toContain(null);
});

test('the main thread parses no page: a crawl starts no core of WebAssembly there', async () => {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: { Instance: new (...args: unknown[]) => object } };
  const { Instance } = WebAssembly;
  const started = vi.fn();
  class Watched extends Instance {
    constructor(...args: unknown[]) {
      super(...args);
      started();
    }
  }
  WebAssembly.Instance = Watched;
  try {
    const { counts } = await crawl({ dir: small.path('unparsed'), topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages: 10 });
    expect(counts).toMatchObject({ visited: 10, failed: 0 });
    expect(started).not.toHaveBeenCalled();
    (await openModel(topic)).judge('<p>a page');
    expect(started).toHaveBeenCalledTimes(1);
  } finally {
    WebAssembly.Instance = Instance;
  }
});

test.each<[string, () => Promise<unknown>, new (...args: never[]) => CrawlerError, string, number]>([
  ['no seeds', () => crawl({ dir: small.path('x'), topic }), UsageError, 'USAGE', 2],
  ['no topic model', () => crawl({ dir: small.path('x'), topic: small.path('none'), seeds: small.seeds }), UsageError, 'USAGE', 2],
  ['a scope of no form', () => crawl({ dir: small.path('x'), topic, seeds: small.seeds, scope: ['moon'] }), UsageError, 'USAGE', 2],
  ['examples that are not there', () => train({ examples: [small.path('none')], out: small.path('x') }), UsageError, 'USAGE', 2],
  ['examples that are no pages', () => train({ examples: [`${topic}/weights.bin`], out: small.path('x') }), DataError, 'DATA', 2],
  ['--out that is the crawl', () => harvest({ dir, out: dir }), UsageError, 'USAGE', 2],
  [
    'a proxy that is not there',
    () => crawl({ dir: small.path('x'), topic, seeds: small.seeds, proxy: 'http://127.0.0.1:1' }),
    EnvironmentError,
    'ENVIRONMENT',
    3,
  ],
  ['a place that cannot be written to', () => harvest({ dir, out: '/proc/forager/corpus' }), StoreError, 'STORE_IO', 3],
])('%s: rejects with code and exitCode', async (_, run, type, code, exitCode) => {
  const error: unknown = await run().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CrawlerError);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ code, exitCode, name: type.name, message: expect.stringMatching(/^[^\n]+$/) });
  expect(existsSync(small.path('x'))).toBe(false);
});

test('a damaged model rejects with a ModelError', async () => {
  cpSync(topic, small.path('damaged'), { recursive: true });
  truncateSync(small.path('damaged', 'weights.bin'), 10);
  const pages = judgePages(small.path('damaged'), small.examples, {});
  await expect(pages.next()).rejects.toMatchObject({ code: 'MODEL', exitCode: 2 });
  await expect(judgePages(small.path('damaged'), small.examples, {}).next()).rejects.toBeInstanceOf(ModelError);
});

test('a model whose pages were read in a way this version does not know is refused, and named', async () => {
  const dir = small.path('later');
  const trained = await trainTopic(syntheticPages('bread', 0, 6), { ...OPTIONS, extractor: 'eyes', background: await smallBackground() });
  await saveModel(dir, trained.model, trained.card);
  const refusal = { code: 'MODEL', message: expect.stringContaining(`${dir}: was trained on text of the extractor "eyes"`) };
  await expect(judgePages(dir, small.examples, {}).next()).rejects.toMatchObject(refusal);
  await expect(crawl({ dir: small.path('x'), topic: dir, seeds: small.seeds })).rejects.toMatchObject(refusal);
  expect(existsSync(small.path('x'))).toBe(false);
});

wholeTest('a model that 0.2 trained with bte goes on: it judges, explains, and crawls with a model of block', async () => {
  const [dir, crawled] = [small.path('former'), small.path('former-crawl')];
  const trained = await trainTopic(syntheticPages('bread', 0, 6), { ...OPTIONS, extractor: 'bte', background: await smallBackground() });
  await saveModel(dir, trained.model, trained.card);
  const former = await openModel(dir);
  expect(former.judge('<p>bread with yeast').relevance).toBe(
    trained.model.judge({ title: '', text: 'bread with yeast', url: null, lang: null }),
  );
  expect((await judgePages(dir, small.examples, {}).next()).value).toMatchObject({ relevance: expect.any(Number) });
  const options = { dir: crawled, proxy: served.proxy, delay: 0 };
  expect(await crawl({ ...options, topic: [dir, topic], seeds: small.seeds, maxPages: 5 })).toMatchObject({
    counts: { visited: 5, failed: 0 },
  });
  expect(await crawl({ ...options, maxPages: 8 })).toMatchObject({ resumed: true, counts: { visited: 8, failed: 0 } });
});

test.each(sample(['toString', '', 'BLOCK', '__proto__'], [3]))('a model of the extractor %j is refused', async (extractor) => {
  const dir = small.path(`odd-${extractor}`);
  const trained = await trainTopic(syntheticPages('bread', 0, 6), { ...OPTIONS, extractor, background: await smallBackground() });
  await saveModel(dir, trained.model, trained.card);
  await expect(openModel(dir)).rejects.toThrow(`was trained on text of the extractor ${JSON.stringify(extractor)}`);
});

test('`told`, the name of `warn` in 0.2, is still an option; another unknown one is not', async () => {
  const dir = small.path('absent');
  const told = { dir, told: () => undefined };
  const calls = [
    () => freeze({ ...told, out: `${dir}.gz` }),
    () => gather({ ...told, at: 'postgres://127.0.0.1:1/x' }),
    () => repair(told),
  ];
  for (const call of calls) await expect(call()).rejects.not.toThrow(/no option/);
  await expect(repair({ dir, tolt: () => undefined } as { dir: string })).rejects.toThrow('no option tolt');
});
