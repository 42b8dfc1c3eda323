/** One crawl for several topics: each page is asked for once, and each topic gets what its model alone would keep. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  type CorpusRecord,
  type CrawlLedgerLine,
  type CrawlStatus,
  crawl,
  exportLinkModel,
  findSeeds,
  freeze,
  type HarvestOptions,
  harvest,
  train,
  type Why,
  why,
} from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CanonicalUrl, Extraction } from '../../../src/base/core/types.ts';
import type { CorpusCard } from '../../../src/corpus/describe/corpus-card.ts';
import { loadModel } from '../../../src/reading/topic/files.ts';
import type { LinearTopicModel } from '../../../src/reading/topic/model.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { IS_WHOLE, size } from '../../support/extent.ts';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused } from './forager.ts';
import { type Served, smallWeb } from './small-web.ts';

/** By name, the topics of the web its examples are of: the last overlaps two others. */
const TOPICS: Readonly<Record<string, readonly string[]>> = {
  one: ['topic-1'],
  two: ['topic-2'],
  ...(IS_WHOLE ? { three: ['topic-3'], four: ['topic-4'] } : {}),
  both: ['topic-1', 'topic-2'],
};
// Enough that each topic has some pages whatever the order of the answers.
const VISITS = size(140, 100);
const NAMES = Object.keys(TOPICS);

const small = smallWeb(240, 8);
const { path } = small;
const dir = path('crawl');
const folders = NAMES.map((name) => path('models', name));
const models = new Map<string, LinearTopicModel>();
let served: Served;
let ledger: CrawlLedgerLine[];

beforeAll(async () => {
  served = await small.serve();
  const others = examplesOf('others', ['topic-5', 'topic-6', 'topic-7', 'topic-8']);
  for (const [name, of] of Object.entries(TOPICS)) {
    // Examples of two subjects alone would make a topic of all that is no background.
    const how = of.length > 1 ? { irrelevant: [others] } : ({ method: 'prototype' } as const);
    await trainedOnce({ examples: [examplesOf(name, of)], out: path('models', name), ...how });
    models.set(name, await loadModel(path('models', name)));
  }
  await done(...crawlArgs(dir, 30, ...folders));
  // Another order is the same set, and none given is that of the crawl.
  await crawl({ dir, topic: folders.toReversed(), maxPages: 60 });
  await crawl({ dir, maxPages: VISITS });
  ledger = jsonLines<CrawlLedgerLine>(await done('ledger', dir));
});
afterAll(() => small.close());

/** Pages of topics of the web, each with its own. @returns their folder */
function examplesOf(name: string, topics: readonly string[]): string {
  const examples = path('examples-of', name);
  mkdirSync(examples, { recursive: true });
  for (const topic of topics)
    for (const [i, html] of small.web.examples(topic, 6).entries()) writeFileSync(`${examples}/${topic}-${i}.html`, html);
  return examples;
}

function crawlArgs(into: string, maxPages: number, ...topics: string[]): string[] {
  const limits = ['--max-pages', String(maxPages), '--delay', '0ms', '--proxy', served.proxy];
  return ['crawl', into, ...topics.flatMap((topic) => ['--topic', topic]), '--seeds', ...small.seeds, ...limits];
}

async function harvested(name: string, options: Partial<HarvestOptions>): Promise<{ card: CorpusCard; records: CorpusRecord[] }> {
  const out = path('corpora', name);
  const { card } = await harvest({ dir, out, dedupe: 'none', ...options });
  return { card, records: jsonLines<CorpusRecord>(readFileSync(`${out}/corpus.jsonl`, 'utf8')) };
}

const extractor = pageExtractor({ productToken: 'forager', extractor: 'block' });
const extractions = new Map<string, Extraction>();

function extracted(url: string): Extraction {
  const known = extractions.get(url);
  const page = small.web.page(url);
  if (known) return known;
  if (page === null) throw new Error(`no page ${url}`);
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  const extraction = extractor.extract({ url: url as CanonicalUrl, headers, body: Buffer.from(page.html) });
  extractions.set(url, extraction);
  return extraction;
}

/** What a model alone says of a page of the web. */
function judgedAlone(name: string, url: string): { readonly relevance: number; readonly threshold: number } {
  const model = models.get(name);
  if (model === undefined) throw new Error(`no topic ${name}`);
  return { relevance: model.judge({ ...extracted(url), url }), threshold: model.threshold };
}

test('every page is asked for once, over three runs', async () => {
  expect(new Set(served.pages).size).toBe(served.pages.length);
  const settled = ledger.filter(({ order }) => order !== null).map(({ url }) => url);
  const visited = settled.filter((url) => !url.endsWith('/tdmrep.json'));
  expect(visited.sort()).toEqual([...served.pages].sort());
  expect(visited).toHaveLength(VISITS);
});

test('the corpus of each topic is what its model alone keeps of the pages fetched, with the very relevances', async () => {
  const seen = new Set(served.pages);
  const sizes: number[] = [];
  for (const name of NAMES) {
    const alone = new Map([...seen].map((url) => [url, judgedAlone(name, url)]));
    const expected = [...alone].filter(([, { relevance, threshold }]) => relevance >= threshold).map(([url]) => url);
    const { card, records } = await harvested(name, { topicName: name });
    expect(records.map(({ url }) => url).sort()).toEqual(expected.sort());
    const model = models.get(name);
    for (const { url, relevance, threshold, modelId } of records)
      expect({ url, relevance, threshold, modelId }).toEqual({ url, ...alone.get(url), modelId: model?.id });
    expect(card.topic).toEqual({ name, modelId: model?.id, threshold: model?.threshold });
    expect(card.records.kept).toBe(expected.length);
    sizes.push(expected.length);
  }
  // It would prove little of corpora that are empty, or all pages.
  expect(Math.min(...sizes)).toBeGreaterThan(3);
  expect(Math.max(...sizes)).toBeLessThan(seen.size);
});

test('without --topic-name all pages, each with every topic; the winner is furthest above its threshold', async () => {
  const { card, records } = await harvested('all', { formats: ['jsonl', 'text', 'warc'] });
  const kept = ledger.filter(({ state }) => state === 'kept');
  expect(records.map(({ url }) => url).sort()).toEqual(kept.map(({ url }) => url).sort());
  for (const { url, topics = [], relevance, modelId } of records) {
    expect(topics.map(({ name }) => name)).toEqual(NAMES);
    for (const { name, relevance: own, threshold, onTopic } of topics)
      expect({ relevance: own, threshold, onTopic }).toEqual({ ...judgedAlone(name, url), onTopic: own >= threshold });
    const margin = (p: number, t: number) => Math.log(p / (1 - p)) - Math.log(t / (1 - t));
    const best = topics.toSorted((a, b) => margin(b.relevance, b.threshold) - margin(a.relevance, a.threshold))[0];
    expect({ relevance, modelId }).toEqual({ relevance: best?.relevance, modelId: best?.modelId });
  }
  expect(records.some(({ topics = [] }) => topics.filter(({ onTopic }) => onTopic).length > 1)).toBe(true);
  const counts = NAMES.map((name) => records.filter(({ topics }) => topics?.some((one) => one.name === name && one.onTopic)).length);
  expect(card.topics?.map(({ name, pages }) => ({ name, pages }))).toEqual(NAMES.map((name, i) => ({ name, pages: counts[i] })));
  const [head = ''] = readFileSync(path('corpora/all/text/index.tsv'), 'utf8').split('\n');
  expect(head.split('\t').slice(-NAMES.length)).toEqual(NAMES.map((name) => `relevance:${name}`));
  expect(readFileSync(path('corpora/all/corpus-card.md'), 'utf8')).toContain('## Topics');
});

test('the ledger names the topics of a page, status tells of each', async () => {
  for (const { url, state, topics } of ledger.filter(({ relevance }) => relevance !== null)) {
    const on = NAMES.filter((name) => judgedAlone(name, url).relevance >= judgedAlone(name, url).threshold);
    expect({ url, topics, kept: state !== 'off-topic' }).toEqual({ url, topics: on, kept: on.length > 0 });
  }
  expect(ledger.filter(({ relevance }) => relevance === null).every((line) => !('topics' in line))).toBe(true);
  const status = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
  for (const { name, kept, harvestRate, meanRelevance } of status.topics) {
    const on = ledger.filter(({ topics }) => topics?.includes(name));
    const own = on.filter(({ state }) => state === 'kept').map(({ url }) => judgedAlone(name, url).relevance);
    expect({ name, kept, harvestRate }).toEqual({ name, kept: own.length, harvestRate: on.length / VISITS });
    expect(meanRelevance).toBeCloseTo(own.reduce((sum, relevance) => sum + relevance, 0) / own.length, 12);
  }
  expect(status.topics.map(({ name }) => name)).toEqual(NAMES);
  expect(await done('status', dir)).toMatch(
    new RegExp(
      `^.*: ${NAMES.length} topics, strategy apprentice.*\\n(.*\\n)?.* {2}topic one \\(model [0-9a-f]{16}, threshold 0\\.\\d{3}\\): kept \\d+`,
    ),
  );
});

test('why explains by the winner or by the topic asked for, and lists the others', async () => {
  const { records } = await harvested('for-why', {});
  const record = records.find(({ topics = [] }) => topics.filter(({ onTopic }) => onTopic).length > 1);
  if (record?.topics === undefined) throw new Error('no page is on two topics');
  const { page } = await why(dir, record.url);
  expect(page).toMatchObject({ relevance: record.relevance, threshold: record.threshold, topics: record.topics });
  expect(record.topics.find(({ name }) => name === page?.topic)?.modelId).toBe(record.modelId);
  const { page: second } = jsonLines<Why>(await done('why', dir, record.url, '--topic-name', 'two', '--json'))[0] ?? {};
  expect(second).toMatchObject({ topic: 'two', relevance: record.topics[1]?.relevance });
  expect(1 / (1 + Math.exp(-(second?.explanation.logit ?? 0)))).toBeCloseTo(second?.relevance ?? Number.NaN, 6);
  const text = await done('why', dir, record.url, '--topic-name', 'two');
  expect(text).toContain('topic two, relevance');
  for (const name of NAMES.filter((other) => other !== 'two'))
    expect(text).toMatch(new RegExp(`^ {4}${name}: relevance 0\\.\\d{4}, threshold`, 'm'));
  await refused(2, ['--topic-name nine', NAMES.join(', ')], 'why', dir, record.url, '--topic-name', 'nine');
});

test('a topic that the crawl has not, and what needs one topic, is refused in a line', async () => {
  await refused(2, ['--topic-name nine', NAMES.join(', ')], 'harvest', dir, '--out', path('nine'), '--topic-name', 'nine');
  expect(existsSync(path('nine'))).toBe(false);
  expect(await done('harvest', dir, '--out', path('second'), '--topic-name', 'two')).toMatch(
    new RegExp(`: \\d+ pages? of \\d+.*\\n(?: +\\d+ omitted.*\\n)*( +\\d+ on \\w+\\n){${NAMES.length}}`),
  );
  for (const part of [['train'], ['undo'], ['audit'], []])
    await refused(2, [dir, '--topic-name: labels are of one topic', NAMES.join(', ')], 'label', ...part, dir);
});

wholeTest('the topics of a crawl are those it was begun with', async () => {
  const [one = '', two = ''] = folders;
  await refused(2, [dir, 'started with other topic models', 'both, '], ...crawlArgs(dir, 100, ...folders.slice(1)));
  await refused(2, [dir, 'started with other topic models'], ...crawlArgs(dir, 100, one));
  await refused(2, ['the same model', 'give each topic once'], ...crawlArgs(path('new'), 5, one, two, one));
  await train({ examples: [], keywords: 'peat, moss', out: path('elsewhere/one') });
  await refused(2, ['with the same name, one', 'a name of its own'], ...crawlArgs(path('new'), 5, one, path('elsewhere/one')));
  await train({ examples: [], keywords: 'peat, moss', out: path('elsewhere/slope'), extractor: 'slope' });
  await refused(2, ['extractor slope', 'on text of block', '--extractor'], ...crawlArgs(path('new'), 5, one, path('elsewhere/slope')));
  await refused(2, ['21 topics are too many', '20'], ...crawlArgs(path('new'), 5, ...Array.from({ length: 21 }, () => one)));
  expect(existsSync(path('new'))).toBe(false);
  expect(jsonLines(await done('ledger', dir))).toEqual(ledger);
});

wholeTest('seeds, freeze, link-model and a background go by what is on any topic', async () => {
  const of = (state: string) => ledger.filter((line) => line.state === state).length;
  expect(await findSeeds({ dir })).toMatchObject({ read: of('kept'), unread: 0 });
  expect(await freeze({ dir, out: path('web.jsonl.gz') })).toMatchObject({ complete: of('kept'), partial: of('off-topic') });
  expect(await exportLinkModel({ dir, out: path('links.json.gz') })).toMatchObject({ lessons: VISITS });
  expect(of('off-topic')).toBeGreaterThan(3);
  const { card } = await train({ examples: [path('examples-of/one')], background: [dir], method: 'prototype', out: path('models/again') });
  expect(card.counts).toMatchObject({ extraBackground: of('off-topic') });
});

test('the crawl keeps a copy of each model, and says which is lost', async () => {
  expect(readdirSync(`${dir}/models`).sort()).toEqual([...models.values()].map(({ id }) => id).sort());
  expect(existsSync(`${dir}/model`)).toBe(false);
  const lost = `${dir}/models/${models.get('two')?.id}`;
  rmSync(`${lost}/weights.bin`);
  const before = served.pages.length;
  await refused(3, [`${lost}/weights.bin`, 'copy two (model', 'again'], ...crawlArgs(dir, VISITS + 10));
  expect(served.pages).toHaveLength(before);
});
