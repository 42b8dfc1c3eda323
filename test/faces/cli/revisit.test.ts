/** `crawl --revisit`: kept pages asked for again, what of that is in the corpus, and what a harvest takes. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CorpusRecord, type CrawlLedgerLine, crawl, harvest, status } from 'forager';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readBack } from '../../corpus/records/warcio-oracle.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { S3Server } from '../../support/s3-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused, start } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path, seeds } = small;
const PAGES = 40;
const CREDENTIALS = { accessKeyId: 'AKIAOFTHISTEST', secretAccessKey: 'secret' };
const ETAG = '"one"';
/** What a page does when it is asked for again. */
const KINDS = ['not-modified', 'same', 'changed', 'gone', 'noindex'] as const;
const kindOf = (url: string) => KINDS[(createHash('sha256').update(url).digest()[0] ?? 0) % KINDS.length] ?? 'same';

let later = false;
let latency = 0;
/** Answers to pages, held until the test gives them; null if none is held. */
let held: (() => void)[] | null = null;
const log: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
const server = createServer(({ url = '', headers }, response) => {
  log.push({ url, headers });
  const { host, pathname } = new URL(url);
  const found = small.web.source.get(host, pathname);
  const kind = kindOf(url);
  const html = found?.body.toString() ?? '';
  const fields = { 'content-type': 'text/html', ...(kind === 'not-modified' && { etag: ETAG }) };
  const answer = () => {
    if (found?.status !== 200 || (later && kind === 'gone')) response.writeHead(later && found?.status === 200 ? 410 : 404, fields).end();
    else if (headers['if-none-match'] === ETAG) response.writeHead(304, fields).end();
    else if (later && kind === 'changed')
      response.writeHead(200, fields).end(html.replace('</p>', ' A sentence that was not there before.</p>'));
    else if (later && kind === 'noindex') response.writeHead(200, fields).end(`<meta name="robots" content="noindex">${html}`);
    else response.writeHead(200, fields).end(html);
  };
  if (held !== null && isPage({ url })) held.push(answer);
  else setTimeout(answer, latency);
});
let topic: string;
let proxy: string;
beforeAll(async () => {
  topic = await trainedOn(small);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await small.close();
});

const isPage = ({ url }: { url: string }) => !/\/robots\.txt$|tdmrep\.json$/.test(url);
const ledgerOf = async (dir: string) => jsonLines<CrawlLedgerLine>(await done('ledger', path(dir)));
const recordsOf = (dir: string) => jsonLines<CorpusRecord>(readFileSync(path(dir, 'corpus', 'records.jsonl'), 'utf8'));
const tally = (values: readonly string[]) =>
  Object.fromEntries([...new Set(values)].sort().map((value) => [value, values.filter((one) => one === value).length]));

async function crawled(dir: string, slow = 0): Promise<CrawlLedgerLine[]> {
  later = false;
  latency = slow;
  // One request at a time: the order of answers would decide which kinds of pages are kept.
  await crawl({ dir: path(dir), topic, seeds, proxy, delay: 0, maxPages: PAGES, workers: 1, concurrency: slow > 0 ? 16 : 1 });
  later = true;
  return (await ledgerOf(dir)).filter(({ state }) => state === 'kept');
}

async function again(dir: string, revisit: number) {
  const from = log.length;
  const { revisited, stopReason } = await crawl({ dir: path(dir), revisitOnly: true, revisit, workers: 1 });
  return { revisited, stopReason, asked: log.slice(from).filter(isPage) };
}

async function warcOf(dir: string) {
  const names = readdirSync(path(dir, 'corpus')).filter((name) => name.endsWith('.warc.gz'));
  return (await Promise.all(names.map((name) => readBack(path(dir, 'corpus', name))))).flat();
}

test('a continuous crawl asks by its budget until its time is over, and by what is left of it in the next run', async () => {
  const beganAt = Date.now();
  const kept = await crawled('continuous');
  const from = log.length;
  // Each page twice in five seconds.
  const perSecond = (2 * kept.length) / 5;
  const budget = { kind: 'a-day', count: perSecond * 86_400 } as const;
  const options = { dir: path('continuous'), maxPages: PAGES, continuous: true, workers: 1, maxTime: 5000 };
  const most = () => (perSecond * (Date.now() - beganAt)) / 1000;
  const asked = () => log.slice(from).filter(isPage);
  const { stopReason, revisited, counts } = await crawl({ ...options, revisitBudget: budget });
  expect([stopReason, counts.visited]).toEqual(['max-time', PAGES]);
  expect(asked().length).toBeLessThanOrEqual(most());
  expect(asked().length).toBeGreaterThan(kept.length);
  expect(new Set(asked().map(({ url }) => url)).size).toBeGreaterThan(kept.length / 2);
  expect(Object.values(revisited).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(kept.length / 2);
  // A version has a record, and a page that has not changed since has no other one.
  const versions = tally(recordsOf('continuous').map(({ url }) => url));
  expect(Math.max(...Object.values(versions))).toBe(2);
  const next = await crawl({ ...options, revisitBudget: budget });
  expect(asked().length).toBeLessThanOrEqual(most());
  expect(next.stopReason).toBe('max-time');
});

test('each kept page is asked for once more, what it came to is noted and told, and a harvest takes the newest version', async () => {
  const kept = await crawled('again');
  const before = await status(path('again'));
  const expected = tally(kept.map(({ url }) => kindOf(url)));
  expect(Object.keys(expected)).toHaveLength(KINDS.length);
  const first = recordsOf('again');

  const run = await again('again', 0);
  expect(run.asked.map(({ url }) => url).sort()).toEqual(kept.map(({ url }) => url).sort());
  expect(run.asked.filter(({ headers }) => headers['if-none-match'] === ETAG)).toHaveLength(expected['not-modified'] ?? 0);
  expect([run.revisited, run.stopReason]).toEqual([expected, 'revisited']);
  const after = await status(path('again'));
  expect(before.ages).toBeNull();
  expect(after.ages).toMatchObject({ pages: kept.length, revisited: kept.length });
  expect({ ...after, revisited: {}, ages: null, outlook: null, stopReason: '' }).toEqual({
    ...before,
    stopReason: '',
    outlook: null,
    counts: after.counts,
    states: after.states,
  });
  expect(after.counts).toMatchObject({ kept: before.counts.kept, visited: before.counts.visited });
  expect(after.revisited).toEqual(expected);
  expect(await done('status', path('again'))).toContain(`requested ${kept.length} kept pages again`);

  const lines = (await ledgerOf('again')).filter(({ state }) => state === 'kept');
  expect(lines.map(({ url, revisit }) => [url, revisit?.result])).toEqual(kept.map(({ url }) => [url, kindOf(url)]));
  const records = recordsOf('again');
  const changed = records.slice(first.length);
  expect(tally(changed.map(({ url }) => kindOf(url)))).toEqual({ changed: expected['changed'] });
  const warc = await warcOf('again');
  expect(tally(warc.map(({ type, fields }) => fields.get('warc-profile') ?? type))).toMatchObject({
    response: records.length,
    'http://netpreserve.org/warc/1.1/revisit/server-not-modified': expected['not-modified'],
    'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest': expected['same'],
  });

  const { card } = await harvest({ dir: path('again'), out: path('again-corpus'), formats: ['jsonl', 'warc', 'text'], dedupe: 'none' });
  const corpus = jsonLines<CorpusRecord>(readFileSync(path('again-corpus', 'corpus.jsonl'), 'utf8'));
  expect([corpus.length, card.records.read]).toEqual([kept.length, kept.length]);
  for (const { url, id, text } of corpus) {
    const newest = records.findLast((record) => record.url === url);
    expect([url, id]).toEqual([url, newest?.id]);
    expect(text.includes('was not there before')).toBe(kindOf(url) === 'changed');
  }
  const one = changed[0]?.url ?? '';
  expect(await done('why', path('again'), one)).toContain('kept');
});

wholeTest('the next run asks by what the last one learned, and only for what is old enough', async () => {
  const kept = await crawled('later');
  const expected = tally(kept.map(({ url }) => kindOf(url)));
  await again('later', 0);
  expect((await again('later', 86_400_000)).asked).toEqual([]);
  const { revisited } = await again('later', 0);
  const same = (expected['same'] ?? 0) + (expected['changed'] ?? 0);
  const { 'not-modified': notModified, gone, noindex } = expected;
  expect(revisited).toEqual({ 'not-modified': notModified, gone, noindex, same });
  await refused(2, ['--revisit soon', 'not a span of time'], 'crawl', path('later'), '--revisit', 'soon');
  await refused(2, ['--revisit-only: needs --revisit'], 'crawl', path('later'), '--revisit-only');
  await refused(
    2,
    ['a new crawl has no pages'],
    'crawl',
    path('new'),
    '--topic',
    topic,
    '--seeds',
    ...seeds,
    '--proxy',
    proxy,
    '--revisit',
    '0s',
    '--revisit-only',
  );
});

wholeTest('a harvest that began before new versions were committed has every page, as it was', async () => {
  const kept = await crawled('beside');
  const answers: (() => void)[] = [];
  held = answers;
  const run = start(['crawl', path('beside'), '--max-pages', `${PAGES}`, '--revisit', '0s', '--concurrency', '1']);
  await vi.waitUntil(() => answers.length > 0, { timeout: HANGS, interval: 5 });
  // The harvest asks its bucket before it reads the records. No page is answered before, and the bucket answers once a new version is stored.
  const store = await S3Server.start();
  const records = path('beside', 'corpus', 'records.jsonl');
  const before = statSync(records).size;
  const grows = () => {
    answers.shift()?.();
    return statSync(records).size > before;
  };
  store.hold = vi.waitUntil(() => store.requests.length > 0 && grows(), { timeout: HANGS, interval: 20 }).then(() => undefined);
  const out = { out: 's3://corpora/beside', s3Endpoint: store.endpoint, s3Credentials: CREDENTIALS };
  const corpus = harvest({ dir: path('beside'), ...out, dedupe: 'none' });
  expect((await corpus).card.records.read).toBe(kept.length);
  expect(store.objects.get('beside/corpus.jsonl')?.bytes.toString()).not.toContain('was not there before');
  await store.close();
  held = null;
  for (const answer of answers) answer();
  expect((await run.ended).code).toBe(0);
  expect((await status(path('beside'))).revisited.changed).toBeGreaterThan(0);
});

wholeTest('killed in the middle, what was committed is whole: records, revisits and ledger agree, and it goes on', async () => {
  const kept = await crawled('killed');
  latency = 150;
  const from = log.length;
  const run = start(['crawl', path('killed'), '--max-pages', `${PAGES}`, '--revisit', '0s', '--concurrency', '2']);
  await vi.waitUntil(() => log.slice(from).filter(isPage).length > kept.length / 2, { timeout: HANGS, interval: 5 });
  run.child.kill('SIGKILL');
  await run.ended;
  latency = 0;
  await crawl({ dir: path('killed'), maxPages: PAGES, workers: 1 });
  const lines = (await ledgerOf('killed')).filter(({ state }) => state === 'kept');
  expect(lines).toHaveLength(kept.length);
  const results = lines.flatMap(({ revisit }) => (revisit ? [revisit.result] : []));
  expect(results.length).toBeGreaterThan(0);
  expect(results.length).toBeLessThan(kept.length);
  const records = recordsOf('killed');
  const { changed = 0, 'not-modified': notModified = 0, same = 0 } = tally(results);
  expect(records).toHaveLength(kept.length + changed);
  const ids = new Set(records.map(({ id }) => id));
  for (const { revisit } of lines) if (revisit?.version) expect(ids.has(revisit.version.recordId)).toBe(true);
  const types = tally((await warcOf('killed')).map(({ type }) => type));
  expect([types['response'], types['revisit'] ?? 0]).toEqual([records.length, notModified + same]);
  const { revisited } = await again('killed', 0);
  expect(Object.values(revisited).reduce((sum, count) => sum + count, 0)).toBe(kept.length);
});

wholeTest(
  'ledger, records and WARC records of one request give one moment, and the same words for it: when the request began',
  async () => {
    const asked = Date.now();
    // So that beginning and end are two moments.
    const kept = await crawled('moments', 20);
    await again('moments', 0);
    const records = new Map(recordsOf('moments').map((record) => [record.id as string, record]));
    const lines = new Map((await ledgerOf('moments')).map((line) => [line.url as string, line]));
    const warc = (await warcOf('moments')).filter(({ type }) => type !== 'warcinfo');
    const dateOf = (fields: ReadonlyMap<string, string>) => fields.get('warc-date') ?? '';
    const answers = new Map(warc.map(({ fields }) => [fields.get('warc-record-id')?.slice(1, -1) ?? '', dateOf(fields)]));
    for (const [id, { fetchedAt }] of records) expect([id, fetchedAt]).toEqual([id, answers.get(id)]);
    for (const { type, fields } of warc) {
      const url = fields.get('warc-target-uri') ?? '';
      const line = lines.get(url);
      expect(Date.parse(dateOf(fields))).toBeGreaterThanOrEqual(asked);
      if (type === 'revisit') expect([url, line?.revisit?.at]).toEqual([url, dateOf(fields)]);
      if (fields.has('warc-concurrent-to')) expect(dateOf(fields)).toBe(answers.get(fields.get('warc-concurrent-to')?.slice(1, -1) ?? ''));
    }
    for (const { url, fetchedAt } of kept) {
      const versions = [...records.values()].filter((record) => record.url === url);
      expect([url, versions[0]?.fetchedAt]).toEqual([url, fetchedAt]);
      if (versions.length > 1) expect(versions[1]?.fetchedAt).toBe(lines.get(url)?.revisit?.at);
    }
    expect(warc.filter(({ type }) => type === 'revisit').length).toBeGreaterThan(0);
    expect(records.size).toBeGreaterThan(kept.length);
    const out = path('moments-corpus');
    await harvest({ dir: path('moments'), out, formats: ['jsonl'], dedupe: 'none' });
    for (const { id, fetchedAt } of jsonLines<CorpusRecord>(readFileSync(`${out}/corpus.jsonl`, 'utf8')))
      expect(fetchedAt).toBe(answers.get(id));
  },
);
