/** The examples of docs/guides/openings.md: short, and each run by a crawl of a few pages. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CorpusRecord,
  type CrawlEvent,
  type CrawlOptions,
  type CrawlReport,
  crawl,
  harvest,
  type LedgerLine,
  ledger,
  why,
} from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonLines } from '../faces/cli/forager.ts';
import { smallWeb, trainedOn } from '../faces/cli/small-web.ts';

const LONGEST = 20;
const small = smallWeb();
const { path } = small;
const page = readFileSync(new URL('../../docs/guides/openings.md', import.meta.url), 'utf8');
const examples = new Map(
  [...page.matchAll(/<!-- (?:hooks|sink|judge|strategy|parts): (\S+) -->\n```js\n([\s\S]*?)```/g)].map(([, name = '', code = '']) => [
    name,
    code,
  ]),
);

/** Pages of one host, each on topic by the text of another example page. */
const HOST = 'http://hooks.example';
const [a = '', b = '', c = '', d = '', e = ''] = small.web.examples(small.topic, 20).slice(12);
const LINKS = ['/table', '/plain', '/page?print=1', '/tag/x', '/archive/1'].map((to) => `<p><a href="${to}">${to} page</a></p>`).join('');
const within = (html: string, more: string) => html.replace('</body>', `${more}</body>`);
const PAGES = new Map([
  ['/', within(a, LINKS)],
  ['/table', within(b, '<p>Subscribe to our newsletter</p><table><tr><td>1</td></tr><tr><td>2</td></tr></table>')],
  ['/plain', c.replace('<p>', '<p>The moss of the bog, the moss of the wood: sphagnum, peat moss and feather moss. ')],
  ['/archive/1', d],
  ['/all', e],
  ['/tag/x', '<title>Tags</title><p>none</p>'],
  ['/page?print=1', '<title>Print</title><p>none</p>'],
]);

let proxy: string;
let asked: readonly string[];
let topic: string;

beforeAll(async () => {
  const served = await small.serve({ extra: new Map([...PAGES].map(([to, html]) => [HOST + to, html])) });
  [proxy, asked] = [served.proxy, served.pages];
  topic = await trainedOn(small);
});
afterAll(() => small.close());

/** Runs an example. @returns the ledger by path, and the kept records by path */
async function crawled(
  name: string,
  given = (file: string): Partial<CrawlOptions> => ({ hooks: file }),
): Promise<{
  readonly dir: string;
  readonly lines: Map<string, LedgerLine>;
  readonly records: Map<string, CorpusRecord>;
  readonly sent: Map<string, unknown>;
}> {
  const folder = path(name);
  mkdirSync(folder);
  const file = join(folder, 'example.mjs');
  writeFileSync(file, examples.get(name) ?? '');
  const dir = join(folder, 'crawl');
  const sent = new Map<string, unknown>();
  const onEvent = (event: CrawlEvent) => {
    if (event.type === 'judged') sent.set(event.url.slice(HOST.length), Object.fromEntries(event.page().response.requestHeaders));
  };
  await crawl({
    onEvent,
    dir,
    topic,
    seeds: [`${HOST}/`],
    scope: ['host:hooks.example'],
    ...given(file),
    proxy,
    delay: 0,
    concurrency: 1,
    sitemaps: 'never',
  });
  const lines: LedgerLine[] = [];
  for await (const line of ledger(dir)) lines.push(line as unknown as LedgerLine);
  await harvest({ dir, out: join(folder, 'corpus'), formats: ['jsonl'], dedupe: 'none' });
  const records = jsonLines<CorpusRecord>(readFileSync(join(folder, 'corpus/corpus.jsonl'), 'utf8'));
  const byPath = <T extends { readonly url: string }>(all: readonly T[]) => new Map(all.map((one) => [one.url.slice(HOST.length), one]));
  return { dir, lines: byPath(lines), records: byPath(records), sent };
}

test('each hook, the sink, the judge, the strategy and the parts have an example of at most twenty lines, and the rule about tables ten', () => {
  expect([...examples.keys()]).toEqual([
    'tables',
    'refuse',
    'judge',
    'links',
    'change',
    'kept',
    'store',
    'names',
    'program',
    'moss',
    'counted',
  ]);
  for (const [name, code] of examples) expect([name, code.trimEnd().split('\n').length <= LONGEST]).toEqual([name, true]);
  expect(examples.get('tables')?.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
});

test('tables: only pages with a table are kept, with a tag and a field; the links of the others are followed', async () => {
  const { lines, records } = await crawled('tables');
  expect([...records.keys()]).toEqual(['/table']);
  expect(records.get('/table')).toMatchObject({ tags: ['table'], fields: { rows: '2' } });
  for (const to of ['/', '/plain', '/archive/1'])
    expect(lines.get(to)).toMatchObject({ state: 'refused', reason: 'hook:afterRead:no table' });
});

test('refuse: no request for a print view, and a header field for the others', async () => {
  const before = asked.length;
  const { lines, sent } = await crawled('refuse');
  expect(lines.get('/page?print=1')).toMatchObject({ state: 'refused', reason: 'hook:beforeFetch:print view', order: null });
  expect(asked.slice(before)).toContain(`${HOST}/table`);
  expect(sent.get('/')).toMatchObject({ 'accept-language': '*' });
  expect(sent.get('/table')).toMatchObject({ 'accept-language': 'de' });
  expect(asked.slice(before)).not.toContain(`${HOST}/page?print=1`);
});

test('judge: the relevance of the hook counts, and why has both', async () => {
  const { dir, lines, records } = await crawled('judge');
  expect(records.has('/plain')).toBe(true);
  const found = await why(dir, `${HOST}/tag/x`);
  expect(found.page?.hook?.because).toMatch(/^\d+ words$/);
  expect(found.page?.hook?.modelRelevance).toBeCloseTo(10 * (lines.get('/tag/x')?.relevance ?? 0), 6);
});

test('links: filtered, weighed and added', async () => {
  const { dir, lines } = await crawled('links');
  expect(lines.has('/tag/x')).toBe(false);
  expect(lines.get('/all')).toMatchObject({ state: 'kept', anchorText: 'all articles' });
  const { link } = await why(dir, `${HOST}/archive/1`);
  const [own, weight] = link?.explanation.contributions ?? [];
  expect(weight?.feature).toBe('weight by the hook onLinks');
  expect(link?.explanation.priority).toBeCloseTo(0.1 * (own?.contribution ?? 0), 6);
  expect(lines.get('/archive/1')?.priority).toBeCloseTo(link?.explanation.priority ?? 0, 6);
});

test('change: another text and a tag are stored', async () => {
  const { records } = await crawled('change');
  expect(records.get('/table')?.tags).toEqual(['cleaned']);
  for (const { text } of records.values()) expect(text).not.toContain('Subscribe to our newsletter');
});

test('kept: a line for each kept page', async () => {
  const { records } = await crawled('kept');
  const written = readFileSync(path('kept', 'kept.tsv'), 'utf8').trimEnd().split('\n');
  expect(written.map((line) => line.split('\t')[1]).sort()).toEqual([...records.values()].map(({ url }) => url).sort());
});

test('store: a line for each kept page, with its id', async () => {
  const { records } = await crawled('store', (file) => ({ sink: file }));
  const lines = jsonLines<CorpusRecord>(readFileSync(path('store', 'kept.jsonl'), 'utf8'));
  expect(lines.map(({ id }) => id).sort()).toEqual([...records.values()].map(({ id }) => id).sort());
});

test('names: a judge in place of the topic model', async () => {
  const { dir, lines, records } = await crawled('names', (file) => ({ judgeBy: file }));
  const judged = [...lines.values()].filter(({ relevance }) => relevance !== null);
  expect(judged.length).toBeGreaterThan(3);
  expect([...records.keys()]).toEqual(['/plain']);
  for (const { relevance, hooked } of judged)
    expect(Math.min(1, Number.parseInt(hooked?.because ?? '', 10) / 5)).toBeCloseTo(relevance ?? Number.NaN, 12);
  const found = await why(dir, `${HOST}/plain`);
  expect(found.page?.hook).toMatchObject({ judgedBy: 'judge', modelRelevance: found.page?.relevance });
});

test('program: a command that judges', async () => {
  const { lines } = await crawled('program', (file) => ({ judgeBy: `node ${file}` }));
  for (const { relevance, hooked } of lines.values()) {
    if (relevance === null) continue;
    const words = Number.parseInt(hooked?.because ?? '', 10);
    expect(relevance).toBeCloseTo(words / (words + 100), 12);
  }
  expect(lines.get('/tag/x')?.hooked?.because).toMatch(/^\d+ words$/);
});

test('moss: a strategy whose terms add up', async () => {
  const { dir, lines } = await crawled('moss', (file) => ({ strategy: file as `${string}.mjs` }));
  const root = lines.get('/')?.relevance ?? Number.NaN;
  for (const to of ['/table', '/plain', '/archive/1']) {
    expect(lines.get(to)?.priority).toBeCloseTo(0.5 * root, 6);
    const { link } = await why(dir, `${HOST}${to}`);
    expect(link?.explanation.contributions.map(({ feature }) => feature)).toEqual(['relevance of the page', 'the words name a moss']);
    expect(link?.explanation.logit).toBeCloseTo(0.5 * root, 6);
  }
});

test('counted: a crawl with its fetcher replaced', async () => {
  const folder = path('counted');
  mkdirSync(folder);
  const file = join(folder, 'example.mjs');
  const parts = new URL('../../dist/bin/part-exports.js', import.meta.url).href;
  writeFileSync(file, (examples.get('counted') ?? '').replace("'forager/parts'", JSON.stringify(parts)));
  const { countedCrawl } = (await import(pathToFileURL(file).href)) as {
    readonly countedCrawl: (
      options: CrawlOptions,
    ) => Promise<{ readonly report: CrawlReport; readonly requests: ReadonlyMap<string, number> }>;
  };
  const seeds = [`${HOST}/`];
  const options = { dir: join(folder, 'crawl'), topic, seeds, scope: ['host:hooks.example'], proxy, delay: 0, sitemaps: 'never' } as const;
  const { report, requests } = await countedCrawl(options);
  expect(report.counts.visited).toBeGreaterThan(3);
  expect([...requests]).toEqual([['hooks.example', report.counts.visited]]);
});
