/** Pages are read for a topic model as those it was trained on: by judge, by a crawl, and by a crawl that goes on. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { canonicalUrl, crawl, extractPages, judgePages, records, why } from 'forager';
import { openCrawl } from 'forager/parts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sample } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
type Method = 'slope' | 'none';
const METHODS = sample<Method>(['slope', 'none'], [0]);
/** A relevance that changes by less is no visible difference. */
const VISIBLE = 0.15;
const URLS = ['http://links.example/1.html', 'http://links.example/2.html'] as const;
/** They take longer than the rest of a training. */
const NO_VECTORS = ['--word-vectors', 'none'] as const;
const reports = new Map<Method, string>();
let served: Served;

beforeAll(async () => {
  served = await small.serve({ extra: new Map(URLS.map((url, i) => [url, htmlOf(i)])) });
  for (const [i] of URLS.entries()) writeFileSync(path(`${i}.html`), htmlOf(i));
  for (const method of METHODS)
    reports.set(method, await done('train', small.examples, '--out', path(method), '--extractor', method, ...NO_VECTORS));
});
afterAll(() => small.close());

/** A little text of another topic beside many links in words of the topic: only who reads all visible text sees those. Without a title. */
function htmlOf(i: number): string {
  const topical =
    paragraphsOf(small.topic, i)
      .join(' ')
      .replaceAll(/<[^>]*>/g, ' ')
      .match(/[a-z]{6,}/gi) ?? [];
  const links = topical.map((word, at) => `<li><a href="/l${at}.html">${word}</a></li>`);
  const text = paragraphsOf('topic-2', i).slice(0, 2);
  return `<html><body><nav><ul>${links.join('\n')}</ul></nav><main>${text.join('\n')}</main></body></html>`;
}

function paragraphsOf(topic: string, i: number): string[] {
  return (
    small.web
      .examples(topic, 20 + i)
      .at(-1)
      ?.match(/<p>[\s\S]*?<\/p>/g) ?? []
  );
}

async function judged(model: string, input: string): Promise<number> {
  for await (const { relevance } of judgePages(model, input, {})) return relevance;
  throw new Error(`${input}: has no page`);
}

/** The page's main text as one method finds it. */
async function textBy(i: number, extractor: Method): Promise<string> {
  for await (const { extraction } of extractPages(path(`${i}.html`), { extractor })) return extraction.text;
  throw new Error(`${i}.html: has no page`);
}

/** Relevance of a text by itself. */
async function ofText(model: string, text: string): Promise<number> {
  writeFileSync(path('text.jsonl'), `${JSON.stringify({ text })}\n`);
  return judged(model, path('text.jsonl'));
}

function jsonOf(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

async function crawlOn(dir: string, i: number, topic?: string): Promise<void> {
  const given = topic === undefined ? {} : { topic };
  const { counts } = await crawl({ dir, seeds: [URLS[i] ?? ''], maxPages: i + 1, delay: 0, proxy: served.proxy, ...given });
  expect(counts.visited).toBe(i + 1);
}

/** The text that the crawl stored of a page, and its relevance. */
async function storedOf(dir: string, url: string): Promise<{ text: string | undefined; relevance: number | null }> {
  const opened = openCrawl(dir);
  const fate = opened.frontier.find(canonicalUrl(url) ?? fail(url))?.fate;
  await opened.close();
  for await (const record of records(dir)) if (record.url === url) return { text: record.text, relevance: fate?.relevance ?? null };
  return { text: fate?.page?.text, relevance: fate?.relevance ?? null };
}

function fail(url: string): never {
  throw new Error(`${url}: no URL`);
}

test('model and card say how main text was found, and so does the report', async () => {
  for (const method of METHODS) {
    expect(jsonOf(path(method, 'model.json'))).toMatchObject({ extractor: method });
    expect(jsonOf(path(method, 'card.json'))).toMatchObject({ extractor: method });
  }
  for (const [method, report] of reports) expect(report).toContain(`main text by ${method}`);
});

wholeTest('without the option it is the block model', async () => {
  await done('train', small.examples, '--out', path('default'));
  expect(jsonOf(path('default', 'model.json'))).toMatchObject({ extractor: 'block' });
});

test.each(METHODS)('a model trained with %s judges all visible text', async (method) => {
  const model = path(method);
  const [main, all] = [await ofText(model, await textBy(0, 'slope')), await ofText(model, await textBy(0, 'none'))];
  expect(all - main).toBeGreaterThan(VISIBLE);
  expect(Math.abs((await judged(model, path('0.html'))) - all)).toBeLessThan(VISIBLE / 4);
  const [page] = jsonLines<{ relevance: number }>(await done('judge', model, path('0.html')));
  expect(page?.relevance).toBeCloseTo(await judged(model, path('0.html')), 6);
});

test.each(METHODS)('a crawl with a model trained with %s reads pages so, also when it goes on', async (method) => {
  const dir = path(`crawl-${method}`);
  await crawlOn(dir, 0, path(method));
  await crawlOn(dir, 1);
  for (const [i, url] of URLS.entries()) {
    const { text, relevance } = await storedOf(dir, url);
    expect(text).toBe(await textBy(i, method));
    expect((await why(dir, url)).page?.relevance).toBeCloseTo(relevance ?? Number.NaN, 6);
  }
});

test('a crawl does not go on with the same pages read another way', async () => {
  const other = await trainedOn(small);
  await refused(2, [path('crawl-slope'), 'started with another topic model'], 'crawl', path('crawl-slope'), '--topic', other);
});

test('a method that is none: exit 2, and nothing made', async () => {
  await refused(2, ['--extractor slop', 'did you mean slope?'], 'train', small.examples, '--out', path('new'), '--extractor', 'slop');
  expect(existsSync(path('new'))).toBe(false);
});
