/** `crawl --since`: only pages that are new or changed are kept, and the crawl goes where it would go without. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CorpusRecord, type CrawlLedgerLine, crawl, harvest, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused } from '../cli/forager.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
const { path, seeds } = small;
const PAGES = 40;
const ETAG = '"one"';
const SENTENCE = 'A paragraph that was not there before, about the weather of the last week and the repairs of the old bridge by the mill.';
/** A page in the later crawl: its server says that it is the same; it has another counter, other text, or is as it was. */
const KINDS = ['not-modified', 'same', 'changed', 'counter'] as const;
const kindOf = (url: string) => KINDS[(createHash('sha256').update(url).digest()[0] ?? 0) % KINDS.length] ?? 'same';

let later = false;
let visits = 0;
const log: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly status: number }[] = [];
const server = createServer(({ url = '', headers }, response) => {
  const { host, pathname } = new URL(url);
  const found = small.web.source.get(host, pathname);
  const kind = kindOf(url);
  const fields = { 'content-type': 'text/html', ...(kind === 'not-modified' && { etag: ETAG }) };
  const isSame = kind === 'not-modified' && headers['if-none-match'] === ETAG;
  const code = found?.status !== 200 ? 404 : isSame ? 304 : 200;
  log.push({ url, headers, status: code });
  const html = found?.body.toString() ?? '';
  const counter = kind === 'counter' ? `<footer>Visitors: ${visits++}</footer></body>` : '</body>';
  const text = later && kind === 'changed' ? html.replaceAll('</p>', ` ${SENTENCE}</p>`) : html;
  response.writeHead(code, fields).end(code === 200 ? text.replace('</body>', counter) : '');
});
let topic: string;
let proxy: string;
beforeAll(async () => {
  topic = await trainedOn(small);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await crawled('before', {});
  later = true;
  await crawled('plain', {});
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await small.close();
});

const crawled = (dir: string, more: Partial<Parameters<typeof crawl>[0]>) =>
  // Two crawls go the same way, whatever a counter says: one request at a time, and breadth first.
  crawl({
    dir: path(dir),
    topic,
    seeds,
    proxy,
    delay: 0,
    strategy: 'bfs',
    sitemaps: 'never',
    maxPages: PAGES,
    workers: 1,
    concurrency: 1,
    ...more,
  });
const ledgerOf = async (dir: string) =>
  jsonLines<CrawlLedgerLine>(await done('ledger', path(dir))).filter(({ url }) => !url.endsWith('/tdmrep.json'));
const recordsOf = (dir: string) => jsonLines<CorpusRecord>(readFileSync(path(dir, 'corpus', 'records.jsonl'), 'utf8'));
const keptIn = (dir: string) => new Map(recordsOf(dir).map((record) => [record.url as string, record]));

/** A crawl since another goes the way of a plain one, and keeps its new and changed pages. */
async function expectSince(dir: string, before: ReadonlyMap<string, CorpusRecord>) {
  const lines = await ledgerOf(dir);
  const plain = await ledgerOf('plain');
  expect(lines.map(({ url, order }) => [url, order])).toEqual(plain.map(({ url, order }) => [url, order]));
  const isKnown = (url: string) => before.has(url) && kindOf(url) !== 'changed';
  for (const [i, { url, state, reason }] of plain.entries()) {
    const { state: now, reason: why } = lines[i] ?? {};
    if (state === 'kept' && isKnown(url)) expect([url, now, why]).toEqual([url, 'refused', 'unchanged']);
    else expect([url, now, why]).toEqual([url, state, reason]);
  }
  return lines;
}

test('pages with the same text are not kept, their links are followed, and records of changed pages name the one before', async () => {
  const before = keptIn('before');
  const from = log.length;
  const report = await crawled('after', { since: path('before') });
  const asked = log.slice(from);
  const lines = await expectSince('after', before);
  const unchanged = lines.filter(({ reason }) => reason === 'unchanged');
  const seedUrls = new Set(seeds);
  // A seed is requested without conditions.
  const confirmed = unchanged.filter(({ url }) => kindOf(url) === 'not-modified' && !seedUrls.has(url));
  expect(confirmed.length).toBeGreaterThan(1);
  expect(confirmed.map(({ status: code }) => code)).toEqual(confirmed.map(() => 304));
  const notModified = asked.filter(({ status: code }) => code === 304);
  expect(notModified.map(({ url }) => url).sort()).toEqual(confirmed.map(({ url }) => url).sort());
  expect(unchanged.filter(({ url }) => kindOf(url) === 'counter').length).toBeGreaterThan(1);

  const records = recordsOf('after');
  const changed = records.filter(({ changedFrom }) => changedFrom !== undefined);
  expect(changed.length).toBeGreaterThan(1);
  for (const { url, changedFrom } of changed) expect([kindOf(url), changedFrom]).toEqual(['changed', before.get(url)?.id]);
  for (const { url, changedFrom } of records) expect([url, changedFrom !== undefined]).toEqual([url, before.has(url)]);

  const since = { since: path('before'), unchanged: unchanged.length, changed: changed.length, added: records.length - changed.length };
  expect(report.since).toEqual(since);
  expect((await status(path('after'))).since).toEqual(since);
  const line = `since ${path('before')}: ${since.added} new, ${since.changed} changed, ${since.unchanged} unchanged and not kept`;
  expect(await done('status', path('after'))).toContain(line);
  expect(await done('ledger', path('after'), '--reason', 'unchanged')).toContain('"status":304');
  expect(await done('why', path('after'), unchanged[0]?.url ?? '')).toContain('state refused (unchanged)');

  await harvest({ dir: path('after'), out: path('after-corpus'), formats: ['jsonl', 'csv'] });
  expect(keptInFile(path('after-corpus', 'corpus.jsonl'))).toEqual(changed.map(({ changedFrom }) => changedFrom).sort());
});

const keptInFile = (file: string) =>
  jsonLines<CorpusRecord>(readFileSync(file, 'utf8'))
    .flatMap(({ changedFrom }) => changedFrom ?? [])
    .sort();

wholeTest('since a harvest: by its records, and by its WARC files if it has some', async () => {
  await harvest({ dir: path('before'), out: path('corpus'), formats: ['jsonl', 'warc'], dedupe: 'none' });
  await harvest({ dir: path('before'), out: path('texts'), formats: ['jsonl'], dedupe: 'none' });
  for (const corpus of ['corpus', 'texts']) {
    const from = log.length;
    const { since } = await crawled(`since-${corpus}`, { since: path(corpus) });
    const before = new Map(
      jsonLines<CorpusRecord>(readFileSync(path(corpus, 'corpus.jsonl'), 'utf8')).map((one) => [one.url as string, one]),
    );
    await expectSince(`since-${corpus}`, before);
    expect(since?.unchanged).toBeGreaterThan(2);
    expect(log.slice(from).some(({ status: code }) => code === 304)).toBe(corpus === 'corpus');
  }
});

wholeTest('a run resumes with the corpus it began with; a lost, changed or wrong one is named with its remedy', async () => {
  const dir = path('resumed');
  await crawled('resumed', { since: path('before'), maxPages: 10 });
  const { since } = await crawl({ dir, maxPages: PAGES, workers: 1, concurrency: 1 });
  const before = keptIn('before');
  const lines = await ledgerOf('resumed');
  expect(lines.filter(({ reason }) => reason === 'unchanged')).toHaveLength(since?.unchanged ?? -1);
  for (const { url, state, reason } of lines)
    if (state === 'kept' || reason === 'unchanged')
      expect([url, state === 'kept']).toEqual([url, !before.has(url) || kindOf(url) === 'changed']);

  const resume = ['crawl', dir, '--max-pages', '50'];
  renameSync(path('before'), path('elsewhere'));
  await refused(2, [`--since ${path('before')}`, 'holds neither a crawl nor a harvest', '--since none'], ...resume);
  renameSync(path('plain'), path('before'));
  await refused(2, [`the corpus of --since ${path('before')} has changed since the last run`, 'give --since again'], ...resume);
  expect((await crawl({ dir, maxPages: PAGES, workers: 1, since: path('before') })).since?.since).toBe(path('before'));
  expect((await crawl({ dir, maxPages: PAGES, workers: 1, since: 'none' })).since).toBeNull();
  renameSync(path('before'), path('plain'));
  renameSync(path('elsewhere'), path('before'));
  await refused(2, [`--since ${dir}: is this crawl itself`, '--revisit 30d'], 'crawl', dir, '--since', dir);
});

test('a page whose stored response is damaged is requested without a condition', async () => {
  cpSync(path('before'), path('harmed'), { recursive: true });
  const warc = path('harmed', 'corpus', 'forager-00000.warc.gz');
  const bytes = readFileSync(warc);
  bytes.fill(0, bytes.length >> 2, bytes.length >> 1);
  writeFileSync(warc, bytes);
  const from = log.length;
  const { since } = await crawled('after-harmed', { since: path('harmed') });
  const { unchanged, changed, added } = (await status(path('after'))).since ?? {};
  expect(since).toEqual({ since: path('harmed'), unchanged, changed, added });
  const confirmed = (lines: typeof log) => lines.filter(({ status: code }) => code === 304).length;
  expect(confirmed(log.slice(from))).toBeGreaterThan(0);
  expect(confirmed(log.slice(from))).toBeLessThan((await ledgerOf('after')).filter(({ status: code }) => code === 304).length);
});

test('a continuous crawl since another is refused: it would not see a later change of a page that it does not keep', async () => {
  const endless = crawled('endless', { since: path('before'), continuous: true, maxTime: 3000 });
  await expect(endless).rejects.toThrow(/--continuous.*keeps no page that is unchanged.*--since none/);
});
