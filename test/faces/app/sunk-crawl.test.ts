/** Crawls with a sink: one that works, one that fails, one that is slow. */
import { readFileSync } from 'node:fs';
import { type CorpusRecord, type CrawlOptions, type CrawlReport, harvest, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { htmlAnswer, notFound, type PageAnswer } from '../../../datasets/page-source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import { done, jsonLines, refused } from '../cli/forager.ts';
import { smallWeb } from '../cli/small-web.ts';
import { type CodeCrawlBase, codeCrawlBase, moduleIn, warnedCrawl } from './code-crawls.ts';

const small = smallWeb();
const { path } = small;
let base: CodeCrawlBase;
let warnings: string[] = [];

beforeAll(async () => {
  base = await codeCrawlBase(small);
});
afterAll(() => small.close());

const moduleOf = (name: string, code: string) => moduleIn(small, name, code);

/** A module that appends the records to a list. */
function listing(name: string): string {
  return moduleOf(
    name,
    `import { appendFileSync } from 'node:fs';
    export const onRecords = (records) => appendFileSync(${JSON.stringify(path(`${name}.list`))}, records.map((one) => JSON.stringify(one) + '\\n').join(''));`,
  );
}

const listed = (name: string) => jsonLines<CorpusRecord>(readFileSync(path(`${name}.list`), 'utf8'));

async function crawled(name: string, more: Partial<CrawlOptions>): Promise<CrawlReport> {
  const run = await warnedCrawl({ ...base, dir: path(name), ...more });
  warnings = run.warnings;
  return run.report;
}

test('the sink has each kept record once, as onKept has it; a resumed crawl delivers only the new ones', async () => {
  const hooks = moduleOf(
    'kept',
    `import { appendFileSync } from 'node:fs';
    export const onKept = (record) => appendFileSync(${JSON.stringify(path('kept.list'))}, JSON.stringify(record) + '\\n');`,
  );
  const first = await crawled('well', { hooks, sink: listing('well') });
  expect(first.sink).toEqual({ ...first.sink, records: first.counts.kept, waiting: 0, failures: 0, failure: null });
  const { counts, sink } = await crawled('well', { maxPages: 12 });
  expect(counts.kept).toBeGreaterThan(first.counts.kept);
  expect(sink?.records).toBe(counts.kept);
  expect(listed('well')).toEqual(listed('kept'));
  await harvest({ dir: path('well'), out: path('corpus'), formats: ['jsonl'], dedupe: 'none', minRelevance: 0 });
  const harvested = jsonLines<CorpusRecord>(readFileSync(path('corpus', 'corpus.jsonl'), 'utf8'));
  expect(new Set(listed('well').map(({ id }) => id))).toEqual(new Set(harvested.map(({ id }) => id)));
  expect((await status(path('well'))).sink).toEqual(sink);
});

test('a crawl that kept pages before it had a sink delivers them too', async () => {
  await crawled('late', {});
  const { sink, counts } = await crawled('late', { sink: listing('late'), maxPages: 7 });
  expect([sink?.records, listed('late').length]).toEqual([counts.kept, counts.kept]);
});

test('a sink that fails is named in warning, report and status; the crawl visits all pages, and the next run delivers all', async () => {
  const sink = moduleOf('broken', 'export function onRecord() { throw new Error("no database"); }');
  const report = await crawled('broken', { sink });
  expect(report.counts.visited).toBe(6);
  expect(report.sink).toMatchObject({ records: 0, waiting: report.counts.kept, failure: 'onRecord threw: Error: no database' });
  expect(warnings).toEqual([expect.stringContaining(`--sink ${sink}: onRecord threw: Error: no database, at record `)]);
  expect(await done('status', path('broken'))).toContain(
    `sink ${sink}: 0 records delivered, ${report.counts.kept} more wait for delivery by a run; ${report.sink?.failures} deliveries failed, the last one: onRecord threw: Error: no database`,
  );
  listing('broken');
  const again = await crawled('broken', { maxPages: 8 });
  expect(again.sink).toMatchObject({ records: again.counts.kept, waiting: 0, failure: null });
  expect(listed('broken')).toHaveLength(again.counts.kept);
});

test('a slow sink does not hold the crawl', async () => {
  const sink = moduleOf('slow', 'export const onRecord = () => new Promise((resolve) => setTimeout(resolve, 300));');
  let visitedAt = 0;
  const startedAt = performance.now();
  const report = await crawled('slow', {
    sink,
    onEvent: ({ type }) => {
      if (type === 'settled') visitedAt = performance.now();
    },
  });
  expect(report.sink).toMatchObject({ records: report.counts.kept, waiting: 0 });
  // Each record takes the sink 300 ms, and the visits have ended long before.
  expect(performance.now() - visitedAt).toBeGreaterThan(300 * (report.counts.kept - 1) - (visitedAt - startedAt));
});

test('a sink is refused before anything is written; none removes it', async () => {
  const args = ['--topic', String(base.topic), '--seeds', ...small.seeds, '--proxy', String(base.proxy)];
  const wrong = moduleOf('wrong', 'export const onRecord = (');
  await refused(2, ['cannot be loaded as a sink (SyntaxError'], 'crawl', path('none'), ...args, '--sink', wrong);
  expect(() => readFileSync(path('none', 'crawl.json'))).toThrow('ENOENT');
  await crawled('removed', { sink: 'exit 1' });
  // A directory of somebody else runs no command.
  expect(readFileSync(path('removed', 'crawl.json'), 'utf8')).not.toContain('exit 1');
  await expect(crawled('removed', { maxPages: 7 })).rejects.toThrow(/commands are not stored; give --sink again, or --sink none$/);
  expect((await crawled('removed', { sink: 'none', maxPages: 7 })).sink).toBeNull();
});

test('a new version of a revisited page is a record of its own', async () => {
  let version = 1;
  const page = (): PageAnswer => {
    const { host, pathname } = new URL(small.seeds[0] ?? '');
    const html = Buffer.from(small.web.source.get(host, pathname)?.body ?? []).toString();
    const sentence = ` Version ${version} of the page has a sentence of its own.</p>`;
    return htmlAnswer(Buffer.from(html.replace(/ href="[^"]*"/g, '').replace('</p>', sentence)));
  };
  const server = await startWebProxy({ get: (_, at) => (at === '/' ? page() : notFound()) });
  const sink = listing('versions');
  const settings = { seeds: ['http://page.example/'], proxy: server.proxy, maxPages: 1 };
  await crawled('versions', { ...settings, sink });
  version = 2;
  await crawled('versions', { ...settings, seeds: [], revisit: 0 });
  await server.close();
  const ids = listed('versions').map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
});
