/** A crawl of an archive settles each URL as the live crawl that the archive was made from, without a network. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type CrawlEvent, crawl, evaluate, freeze, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { htmlAnswer, notFound, type PageAnswer, type PageSource } from '../../../datasets/page-source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import { cdxjBy, type Recorded, recording, writtenRecord } from '../../support/recorded-web.ts';
import { zipFile } from '../../support/zip-file.ts';
import { forager, MAIN } from '../cli/forager.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
afterAll(() => small.close());

const VISITS = 80;
const settings = () => ({ seeds: small.seeds, maxPages: VISITS, concurrency: 1 });
let topic = '';
let live: readonly string[] = [];
let answers: readonly Recorded[] = [];
const warc = small.path('web.warc.gz');

/** Every so many pages are not plain ones. */
function withTroubles(source: PageSource): PageSource {
  const image: PageAnswer = { status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.from([0x89, 0x50, 0x4e, 0x47]) };
  return {
    get: (host, path) => {
      const page = source.get(host, path);
      if (page === null || path === '/robots.txt') return page;
      const kind = [...path].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 23;
      if (kind === 0) return notFound();
      if (kind === 1) return image;
      if (kind === 2) return { status: 302, headers: { location: '/' }, body: Buffer.from('') };
      if (kind === 3) return htmlAnswer(page.body);
      return page;
    },
  };
}

/** What happened to each URL, in the order of the settlements. */
async function fatesOf(options: Parameters<typeof crawl>[0]): Promise<{ fates: string[]; warnings: string[] }> {
  const [fates, warnings]: [string[], string[]] = [[], []];
  const onEvent = (event: CrawlEvent) => {
    if (event.type === 'settled')
      fates.push([event.url, event.settlement, event.fate, event.reason, event.status, event.relevance].join(' '));
    if (event.type === 'warning') warnings.push(event.message);
  };
  await crawl({ ...options, onEvent });
  return { fates, warnings };
}

beforeAll(async () => {
  topic = await trainedOn(small);
  const web = recording(withTroubles({ get: (host, path) => small.web.source.get(host, path) ?? notFound() }));
  const server = await startWebProxy(web.source);
  live = (await fatesOf({ ...settings(), dir: small.path('live'), topic, proxy: server.proxy, delay: 0 })).fates;
  await server.close();
  answers = web.answers;
  const records = await Promise.all(
    answers.map((one, i) => writtenRecord({ ...one, date: new Date(Date.UTC(2004, 4, 1, 0, 0, i)).toISOString() })),
  );
  writeFileSync(warc, Buffer.concat(records));
});

test('from a WARC file, a WACZ and the index of another program: the same order and the same fates', async () => {
  expect(live.length).toBeGreaterThan(VISITS);
  const folder = small.path('indexed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'other-name.warc.gz'), readFileSync(warc));
  writeFileSync(join(folder, 'index.cdxj'), await cdxjBy(warc, 'other-name.warc.gz'));
  writeFileSync(
    small.path('web.wacz'),
    zipFile([
      { name: 'datapackage.json', data: '{}' },
      { name: 'archive/data.warc.gz', data: readFileSync(warc), stored: true },
    ]),
  );
  for (const archive of [warc, small.path('web.wacz'), join(folder, 'index.cdxj')]) {
    const dir = small.path(`from-${archive.split('.').pop()}`);
    expect((await fatesOf({ ...settings(), dir, topic, archive: [archive] })).fates).toEqual(live);
  }
});

test('strategies are compared on an archive: by the recording of a crawl that reads it', async () => {
  const dir = small.path('recorded');
  await fatesOf({ ...settings(), dir, topic, archive: [warc], record: true });
  const web = small.path('archive-web.jsonl.gz');
  await freeze({ dir, out: web });
  const judge = small.path('labels.csv');
  const labels = small.web.urls().map((url) => `${url},${Number(small.web.isOnTopic(url, small.topic))}`);
  writeFileSync(judge, `url,on_topic\n${labels.join('\n')}\n`);
  const { evaluation } = await evaluate({ web, topic, judge, strategies: ['bfs', 'apprentice'], repeats: 1, budget: 30 });
  expect(evaluation.results.map(({ strategy }) => strategy)).toEqual(['bfs', 'apprentice', 'bound']);
});

test('http and https are one page, as in other web archives', async () => {
  const file = small.path('https.warc.gz');
  const moved = answers.map(({ url, answer }) => ({ url: url.replace(/^http:/, 'https:'), answer }));
  writeFileSync(file, Buffer.concat(await Promise.all(moved.map((one) => writtenRecord({ ...one, date: '2020-01-01T00:00:00Z' })))));
  const { fates } = await fatesOf({ ...settings(), dir: small.path('https'), topic, archive: [file] });
  const pages = (all: readonly string[]) => new Set(all.filter((fate) => / (?:kept|off-topic) /.test(fate)));
  expect(pages(fates).size).toBeGreaterThan(40);
  // Failures and redirects are not taken over, so the order differs; the pages do not.
  const known = new Map([...pages(live)].map((fate) => [fate.split(' ')[0], fate]));
  const again = [...pages(fates)].filter((fate) => known.has(fate.split(' ')[0]));
  expect(again.length).toBeGreaterThan(10);
  expect(again).toEqual(again.map((fate) => known.get(fate.split(' ')[0])));
});

test('from its own WARC files, a crawl keeps the same pages in the same order', async () => {
  // Pages that were read and not kept are in no WARC file, so this judge keeps all.
  const judgeBy = small.path('all.mjs');
  writeFileSync(judgeBy, 'export const judge = (pages) => pages.map(({ id }) => ({ id, relevance: 0.9 }));');
  const { proxy } = await small.serve({ robots: new Map(small.seeds.map((url) => [new URL(url).host, 'User-agent: *\nDisallow: /b\n'])) });
  const dir = small.path('own-live');
  const first = await fatesOf({ ...settings(), dir, topic, judgeBy, proxy, delay: 0, maxPages: 60 });
  const again = await fatesOf({
    ...settings(),
    dir: small.path('own-replay'),
    topic,
    judgeBy,
    archive: [join(dir, 'corpus')],
    maxPages: 60,
  });
  const pages = ({ fates }: typeof first) => fates.filter((fate) => / (?:kept|off-topic|duplicate|refused robots) /.test(fate));
  expect(pages(first).length).toBeGreaterThan(40);
  expect(pages(first).filter((fate) => / off-topic /.test(fate))).toEqual([]);
  expect(pages(again)).toEqual(pages(first));
});

test('the pages of an archive have the time of their capture, and the newest or the nearest capture counts', async () => {
  const later = small.path('later.warc.gz');
  const changed = await Promise.all(
    answers.map(({ url, answer }) =>
      writtenRecord({ url, answer, date: '2010-01-01T00:00:00Z', fields: { 'WARC-Payload-Digest': 'sha1:X' } }),
    ),
  );
  writeFileSync(later, Buffer.concat(changed));
  for (const [date, year] of [
    [undefined, '2010'],
    ['2004-06', '2004'],
  ] as const) {
    const dir = small.path(`of-${year}`);
    const archive = [warc, later];
    await fatesOf({ ...settings(), maxPages: 20, dir, topic, archive, ...(date && { archiveDate: date }) });
    const years = readFileSync(join(dir, 'corpus', 'records.jsonl'), 'utf8').match(/"fetchedAt":"\d{4}/g);
    expect([years?.length ?? 0, new Set(years)]).toEqual([years?.length, new Set([`"fetchedAt":"${year}`])]);
    expect(years?.length).toBeGreaterThan(3);
  }
});

test('what the archive does not have is not-in-archive; hosts without robots.txt in it are told', async () => {
  const some = small.path('some.warc.gz');
  const pages = answers.filter(({ url }) => !url.endsWith('/robots.txt')).slice(0, 12);
  writeFileSync(some, Buffer.concat(await Promise.all(pages.map((one) => writtenRecord({ ...one, date: '2004-01-01T00:00:00Z' })))));
  const dir = small.path('partly');
  const { fates, warnings } = await fatesOf({ ...settings(), dir, topic, archive: [some] });
  // They are no visits, and no page of the budget.
  const { counts } = await status(dir);
  expect([counts.visited < 13, counts.visited > 3]).toEqual([true, true]);
  expect(fates.filter((fate) => fate.includes('refused not-in-archive')).length).toBeGreaterThan(10);
  expect(warnings).toEqual([
    expect.stringMatching(/^robots\.txt of (\d+) of \1 hosts is not in the archive: these hosts count as having none$/),
  ]);
  // A host whose pages are absent is not given up.
  expect(fates.filter((fate) => / retry /.test(fate))).toEqual([]);
});

test('a stopped crawl goes on without its archive named again, and refuses another one', async () => {
  const dir = small.path('stopped');
  const first = await fatesOf({ ...settings(), maxPages: 30, dir, topic, archive: [warc] });
  const rest = await fatesOf({ dir, maxPages: VISITS, concurrency: 1 });
  // The order of the rest depends on the rules of hosts, which a new run asks for again.
  expect(first.fates).toEqual(live.slice(0, first.fates.length));
  expect(rest.fates.filter((fate) => / done (?:kept|off-topic) /.test(fate)).length).toBeGreaterThan(15);
  await expect(fatesOf({ dir, archive: [small.path('later.warc.gz')] })).rejects.toThrow(
    /web\.warc\.gz is missing, with which the crawl was started/,
  );
});

test.each([
  [{ revisit: 1000 }, '--revisit: is about servers, and the crawl reads an archive; omit --revisit'],
  [{ delay: 0 }, '--delay: is about servers, and the crawl reads an archive; omit --delay'],
  [{ archive: ['/nowhere.warc'] }, '--archive /nowhere.warc: no such file or folder; check the path'],
  [{ archive: undefined, archiveDate: '2004' }, 'crawl: --archive-date has no effect without --archive or --archive-index'],
  [{ archiveDate: 'May' }, 'archiveDate "May": not a date; write e.g. 2004'],
  [{ archiveIndex: 'x.cdxj' }, 'crawl: --archive-index has no effect without --archive-from'],
])('%j is refused', async (options, message) => {
  const given = { ...settings(), dir: small.path('refused'), topic, archive: [warc], ...options };
  if (given.archive === undefined) delete (given as { archive?: unknown }).archive;
  await expect(crawl(given as Parameters<typeof crawl>[0])).rejects.toThrow(message);
});

test('a crawl on the web does not become one of an archive', async () => {
  await expect(crawl({ dir: small.path('live'), archive: [warc] })).rejects.toThrow(/was started on the web; start a new crawl directory/);
});

test('it needs no network: it runs where there is no interface', async (context) => {
  if (spawnSync('unshare', ['-rn', 'true']).status !== 0)
    context.skip('needs unshare of util-linux, and the right to make a network namespace');
  const dir = small.path('alone');
  const args = ['crawl', dir, '--topic', topic, '--seeds', ...small.seeds, '--archive', warc, '--max-pages', '40', '--concurrency', '1'];
  const { status, stderr } = spawnSync('unshare', ['-rn', process.execPath, MAIN, ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
  const ledger = await forager('ledger', dir);
  const settled = ledger.stdout.split('\n').filter((line) => /"(?:kept|off-topic)"/.test(line)).length;
  expect(settled).toBeGreaterThan(10);
});

test('files at an address are read by ranges, one at a time, with the delay and robots.txt of that host', async () => {
  const bytes = readFileSync(warc);
  const asked: { at: number; range: string }[] = [];
  let rules = 'User-agent: *\nAllow: /\n';
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') {
      response.end(rules);
      return;
    }
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    asked.push({ at: performance.now(), range: `${request.url} ${from}` });
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${bytes.length}` });
    response.end(bytes.subarray(Number(from), Number(to) + 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const index = small.path('remote.cdxj');
  writeFileSync(index, await cdxjBy(warc, 'crawl-data/segment/web.warc.gz'));
  const remote = {
    archiveIndex: index,
    archiveFrom: `http://127.0.0.1:${port}/data`,
    allowPrivate: true,
    delay: 30,
    contact: 'me@example.org',
  };
  const { fates } = await fatesOf({ ...settings(), maxPages: 12, concurrency: 4, dir: small.path('remote'), topic, ...remote });
  expect(fates.filter((fate) => fate.includes(' kept ')).length).toBeGreaterThan(2);
  expect(new Set(asked.map(({ range }) => range.split(' ')[0]))).toEqual(new Set(['/data/crawl-data/segment/web.warc.gz']));
  const gaps = asked.slice(1).map(({ at }, i) => at - (asked[i]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(28);
  rules = 'User-agent: *\nDisallow: /data\n';
  await expect(fatesOf({ ...settings(), dir: small.path('denied'), topic, ...remote })).rejects.toThrow(
    /cannot be read \(robots\); run the command again later to continue/,
  );
  server.close();
  server.closeAllConnections();
});

test('a WACZ and an index are inputs of extract, as WARC files are', async () => {
  const of = async (path: string) => (await forager('extract', path, '--format', 'jsonl')).stdout.split('\n').length;
  const all = await of(warc);
  expect(all).toBeGreaterThan(30);
  expect([await of(small.path('web.wacz')), await of(small.path('indexed', 'index.cdxj'))]).toEqual([all, all]);
});

test('with --force, a new crawl indexes an archive of its own, and a lost index is made again', async () => {
  const dir = small.path('forced');
  await fatesOf({ ...settings(), maxPages: 5, dir, topic, archive: [warc] });
  await fatesOf({ ...settings(), maxPages: 5, dir, topic, archive: [small.path('later.warc.gz')], force: true });
  rmSync(join(dir, 'archive'), { recursive: true });
  expect((await fatesOf({ dir, maxPages: 10 })).fates.length).toBeGreaterThan(3);
});
