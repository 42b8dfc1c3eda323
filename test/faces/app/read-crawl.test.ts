/** The library in memory and as iterables: events of a crawl, its records and ledger, one page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CrawlEvent,
  canonicalUrl,
  crawl,
  DataError,
  extract,
  harvest,
  isForagerError,
  ledger,
  openModel,
  readInput,
  records,
  status,
  tokens,
  train,
  UsageError,
} from 'forager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { type Served, smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
const dir = small.path('crawl');
let served: Served;
let topic: string;
const options = () => ({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0 });

beforeAll(async () => {
  served = await small.serve();
  topic = await trainedOn(small);
  await crawl({ ...options(), dir, maxPages: 40 });
});
afterAll(() => small.close());

async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterable) items.push(item);
  return items;
}

describe('a crawl as an iterable', () => {
  test('gives the events that onEvent gets, in their order, with the page of each judgement; awaited, its report', async () => {
    const told: CrawlEvent[] = [];
    const run = crawl({ ...options(), dir: small.path('events'), maxPages: 30, onEvent: (event) => told.push(event) });
    const read = await all(run);
    expect(read).toEqual(told);
    const judged = read.filter((event) => event.type === 'judged');
    expect(judged.length).toBeGreaterThan(10);
    for (const { url, page } of judged) {
      expect(page().response.url).toBe(url);
      expect(extract(page().response.body, { url }).title).toBe(page().extraction.title);
    }
    expect((await run).counts.visited).toBe(30);
  });

  test('ends the crawl where the loop is left, with all stored', async () => {
    const left = small.path('left');
    let kept = 0;
    for await (const event of crawl({ ...options(), dir: left, maxPages: 40 })) {
      if (event.type === 'settled' && event.fate === 'kept') kept += 1;
      if (kept === 3) break;
    }
    const { stopReason, counts } = await status(left);
    expect(stopReason).toBe('interrupted');
    expect(counts.kept).toBeGreaterThanOrEqual(3);
    expect(counts.visited).toBeLessThan(40);
    expect(await all(records(left))).toHaveLength(counts.kept);
  });

  test('throws what ends the crawl, to the loop and to who awaits', async () => {
    const run = crawl({ ...options(), dir: small.path('refused'), maxpages: 3 } as never);
    await expect(all(run)).rejects.toThrow(UsageError);
    await expect(run).rejects.toThrow('did you mean maxPages?');
  });

  wholeTest('begins no request while a thousand events wait to be read', async () => {
    const run = crawl({ ...options(), dir: small.path('slow') });
    const events = run[Symbol.asyncIterator]();
    let most = 0;
    const first = await events.next();
    expect(first.done).toBe(false);
    // Nobody reads on: the crawl comes to rest before its web of some 400 pages is read.
    for (let before = -1; most !== before; ) {
      before = most;
      await new Promise((resolve) => setTimeout(resolve, 1500));
      most = served.pages.length;
    }
    const rest = [];
    for (let next = await events.next(); !next.done; next = await events.next()) rest.push(next.value);
    expect(rest.length).toBeGreaterThan(1000);
    expect(served.pages.length).toBeGreaterThan(most);
    expect((await run).stopReason).toBe('drained');
  });
});

test('mayFetch holds a crawl as long as it answers false', async () => {
  let asked = 0;
  const before = served.pages.length;
  const report = await crawl({
    ...options(),
    dir: small.path('held'),
    maxPages: 5,
    mayFetch: () => {
      asked += 1;
      if (asked <= 2) expect(served.pages.length).toBe(before);
      return asked > 2;
    },
  });
  expect(report.counts.visited).toBe(5);
});

test('records are those of a harvest, of the crawl and of the corpus', async () => {
  const out = small.path('corpus');
  await harvest({ dir, out, formats: ['jsonl'] });
  const lines = readFileSync(join(out, 'corpus.jsonl'), 'utf8').trimEnd().split('\n');
  const ofCorpus = await all(records(out));
  expect(ofCorpus.map(({ id, text }) => ({ id, text }))).toEqual(
    lines.map((line) => JSON.parse(line)).map(({ id, text }) => ({ id, text })),
  );
  expect(await all(records(dir))).toEqual(ofCorpus);
});

test('the ledger has a line for each URL, as status counts them', async () => {
  const lines = await all(ledger(dir));
  const { counts } = await status(dir);
  expect(lines).toHaveLength(counts.discovered);
  expect(lines.filter(({ state }) => state === 'kept')).toHaveLength(counts.kept);
});

test.each([
  ['records', () => records(small.path('nothing')), /no crawl is here/],
  ['ledger', () => ledger(small.path('nothing')), /no crawl/],
  ['records', () => records(dir, { sgnal: 1 } as never), /did you mean signal/],
] as const)('%s of what is no crawl, or by an option that is none', async (_, read, message) => {
  const error = await all<unknown>(read()).catch((thrown: unknown) => thrown);
  expect(isForagerError(error) && error.code).toBe('USAGE');
  expect(String(error)).toMatch(message);
});

describe('an aborted signal ends', () => {
  const signal = AbortSignal.abort(new Error('enough'));
  test.each([
    ['records', () => all(records(dir, { signal }))],
    ['ledger', () => all(ledger(dir, { signal }))],
    ['readInput', () => all(readInput(small.path('crawl/corpus'), { signal }))],
    ['train', () => train({ examples: [small.path('crawl/corpus')], out: small.path('aborted'), signal })],
  ] as const)('%s with its reason', async (_, run) => {
    await expect(run()).rejects.toThrow('enough');
  });
});

describe('a page in memory', () => {
  const html = '<title>Москва</title><main><p>Столица стоит на реке, и в ней живут миллионы людей. <a href="/o">О городе</a></p></main>';

  test('is read by its URL, its charset and in parts', () => {
    const page = extract(html, { url: 'HTTP://Example.org:80/a/', markdown: 'with-links' });
    expect(page).toMatchObject({ title: 'Москва', charset: 'utf-8' });
    expect(page.outlinks.map(({ url }) => url)).toEqual(['http://example.org/o']);
    expect(page.markdown).toContain('[О городе](http://example.org/o)');
    expect(extract(html).markdown).toBeNull();
    const koi8 = Uint8Array.from([...'Мир'].map((letter) => ({ М: 0xed, и: 0xc9, р: 0xd2 })[letter] ?? 0));
    expect(extract(koi8, { contentType: 'text/plain; charset=koi8-r' }).text).toBe('Мир');
    expect(extract('a < b', { contentType: 'text/plain; charset=koi8-r' }).text).toBe('a < b');
  });

  test.each([
    ['a PDF', () => extract(Buffer.from('%PDF-1.7 …')), DataError, /is a PDF/],
    ['no page', () => extract(7 as never), UsageError, /string or bytes/],
    ['a wrong URL', () => extract(html, { url: 'ftp://x' }), UsageError, /is not an http\(s\) URL/],
    ['a wrong option', () => extract(html, { extractr: 'block' } as never), UsageError, /did you mean extractor/],
  ] as const)('%s is refused', (_, run, type, message) => {
    expect(run).toThrow(type);
    expect(run).toThrow(message);
  });

  test('is judged as the crawl judged it, from its bytes and from its record', async () => {
    const model = await openModel(topic);
    const events: CrawlEvent[] = [];
    for await (const event of crawl({ ...options(), dir: small.path('judged'), maxPages: 20 })) events.push(event);
    const judged = events.filter((event) => event.type === 'judged');
    for (const { url, relevance, onTopic, page } of judged)
      expect(model.judge(page().response.body, { url, contentType: page().response.headers['content-type'] ?? 'text/html' })).toEqual({
        relevance,
        threshold: model.threshold,
        onTopic,
      });
    const [record] = await all(records(small.path('judged')));
    expect(record).toBeDefined();
    if (record) {
      const { lang: _, ...texts } = record;
      expect(model.judge(texts).relevance).toBe(record.relevance);
    }
    const explained = model.explain(judged[0]?.page().response.body ?? '');
    expect(explained.bias + explained.contributions.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(
      explained.logit,
      5,
    );
  });

  test('tokens and URLs are in their normal forms', () => {
    expect(tokens('Zwei Bäume, ZWEI!')).toEqual(['zwei', 'bäume', 'zwei']);
    expect(canonicalUrl('HTTPS://Example.ORG:443/a/../b?x#y')).toBe('https://example.org/b?x');
    expect(canonicalUrl('/b', 'http://a.org/c')).toBe('http://a.org/b');
    expect(canonicalUrl('mailto:a@b.org')).toBeNull();
  });
});
