/** The statements that a crawl keeps are those that its servers sent when it fetched the pages. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CorpusRecord, RightsReport } from 'forager';
import { afterAll, afterEach, expect, test } from 'vitest';
import { notFound, type PageAnswer, type PageSource } from '../../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import type { RightsStatement } from '../../../src/base/core/types.ts';
import type { CorpusCard } from '../../../src/corpus/describe/corpus-card.ts';
import { readWarcResponses } from '../../../src/corpus/records/warc-reader.ts';
import { NODE, PACKAGE } from '../../support/tested-package.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
let web: RunningWeb | null = null;
afterEach(async () => web?.close());
afterAll(() => small.close());

/** A request as the server answered it. */
interface Sent {
  readonly host: string;
  readonly path: string;
  readonly version: number;
}

const RSL = (version: number) =>
  `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">${version === 1 ? 'search' : 'ai-train'}</prohibits></license></content></rsl>`;

/** A web whose servers use all protocols, and name the version of their statements in them. @param changesAt number of answers of the first version */
function statingWeb(changesAt: number) {
  const sent: Sent[] = [];
  const get = (host: string, path: string): PageAnswer | null => {
    const version = sent.length < changesAt ? 1 : 2;
    const answer = answerOf(host, path, version);
    if (answer !== null) sent.push({ host, path, version });
    return answer;
  };
  return { sent, source: { get } satisfies PageSource };
}

function answerOf(host: string, path: string, version: number): PageAnswer | null {
  const text = (body: string): PageAnswer => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(body) });
  if (path === '/robots.txt')
    return text(
      `License: http://${host}/licence-${version}.xml\nUser-agent: *\nContent-Usage: train-ai=n;v=${version}\nContent-Signal: ai-input=no, version=${version}\n`,
    );
  if (path === '/.well-known/tdmrep.json') return text('[{"location":"/","tdm-reservation":0}]');
  const licence = /^\/licence-(\d)\.xml$/.exec(path);
  if (licence) return text(RSL(Number(licence[1])));
  const page = small.web.source.get(host, path);
  if (page === null) return notFound();
  const head = `<head><meta name="tdm-policy" content="http://${host}/policy-${version}">`;
  return {
    ...page,
    headers: { ...page.headers, 'content-usage': `search=y;v=${version}`, 'x-robots-tag': `noai, note: ${version}` },
    body: Buffer.from(Buffer.from(page.body).toString().replace('<head>', head)),
  };
}

/** The statements of a record with the version that each names. */
function versionsOf({ rights = [] }: CorpusRecord): readonly string[] {
  return rights.map(versionIn);
}

function versionIn({ protocol, from, statement }: Pick<RightsStatement, 'protocol' | 'from' | 'statement'>): string {
  return `${protocol} ${from} ${/(?:v=|version=|licence-|policy-)(\d)/.exec(statement)?.[1] ?? '-'}`;
}

/** What the server sent: the page in one version, after a robots.txt of its host in one. */
function expectedOf(sent: readonly Sent[], url: string): readonly string[] {
  const { host, pathname, search } = new URL(url);
  const at = sent.findLastIndex((one) => one.host === host && one.path === pathname + search);
  const page = sent[at]?.version;
  const robots = sent.slice(0, at).findLast((one) => one.host === host && one.path === '/robots.txt')?.version;
  return [
    `content-usage header ${page}`,
    'noai header -',
    `tdm meta ${page}`,
    `content-usage robots ${robots}`,
    `content-signal robots ${robots}`,
    `rsl robots ${robots}`,
    ...(sent.some((one) => one.host === host && one.path === '/.well-known/tdmrep.json') ? ['tdm file -'] : []),
  ];
}

async function recordsOf(dir: string, out: string): Promise<CorpusRecord[]> {
  await done('harvest', dir, '--out', out, '--dedupe', 'none', '--min-relevance', '0', '--reserved', 'include');
  return jsonLines<CorpusRecord>(readFileSync(join(out, 'corpus.jsonl'), 'utf8'));
}

async function argsFor(dir: string, pages: number): Promise<string[]> {
  const seeds = small.seeds.flatMap((url) => ['--seeds', url]);
  return [
    'crawl',
    dir,
    '--topic',
    await trainedOn(small),
    ...seeds,
    '--proxy',
    web?.proxy ?? '',
    '--concurrency',
    '1',
    '--delay',
    '0',
    '--max-pages',
    String(pages),
  ];
}

test('of a web that changes half-way, page by page; and each robots.txt is a WARC record', async () => {
  const { sent, source } = statingWeb(40);
  web = await startWebProxy(source, {});
  const dir = small.path('crawl');
  await done(...(await argsFor(dir, 25)));
  await done(...(await argsFor(dir, 50)));
  const records = await recordsOf(dir, small.path('corpus'));
  expect(records.length).toBeGreaterThan(12);
  for (const record of records) expect([record.url, versionsOf(record)]).toEqual([record.url, expectedOf(sent, record.url)]);
  const seen = new Set(records.flatMap(versionsOf));
  for (const both of ['content-usage header', 'content-usage robots', 'tdm meta'])
    expect([seen.has(`${both} 1`), seen.has(`${both} 2`)]).toEqual([true, true]);

  // A licence has the sense of its document, if that was requested before the end.
  const licences = records.flatMap(({ rights = [] }) => rights.filter(({ protocol }) => protocol === 'rsl'));
  for (const { statement, uses } of licences) {
    const { host, pathname } = new URL(statement);
    const isRead = sent.some((one) => one.host === host && one.path === pathname);
    expect(uses).toEqual(!isRead ? {} : pathname === '/licence-1.xml' ? { search: 'disallow' } : { 'train-ai': 'disallow' });
  }
  expect(licences.filter(({ uses }) => Object.keys(uses).length > 0).length).toBeGreaterThan(10);

  // Each robots.txt, tdmrep.json and licence is in the WARC file, and each answer has a line.
  const stored: string[] = [];
  for await (const { url, body } of readWarcResponses(join(dir, 'corpus', 'rights.warc.gz')))
    stored.push(`${url} ${Buffer.from(body).length > 10}`);
  const files = (path: RegExp) => [
    ...new Set(sent.filter((one) => path.test(one.path)).map(({ host, path: one }) => `http://${host}${one}`)),
  ];
  expect(new Set(stored)).toEqual(new Set(files(/^\/(?:robots\.txt|\.well-known|licence)/).map((url) => `${url} true`)));
  const lines = jsonLines<{ url: string; outcome: string; sha256: string }>(readFileSync(join(dir, 'corpus', 'robots.jsonl'), 'utf8'));
  expect(lines.map(({ url, outcome }) => `${url} ${outcome}`)).toEqual(
    sent.filter(({ path }) => path === '/robots.txt').map(({ host }) => `http://${host}/robots.txt file`),
  );
  await done('verify', dir);

  // The ledger of rights has the statements of the servers, each with its pages.
  const rows = jsonLines<RightsReport['statements'][number]>(await done('rights', dir, '--format', 'jsonl'));
  const counted = new Map<string, number>();
  for (const { url } of records)
    for (const line of expectedOf(sent, url))
      counted.set(`${new URL(url).origin} ${line}`, (counted.get(`${new URL(url).origin} ${line}`) ?? 0) + 1);
  const ofLedger = rows.map(({ host, pages, ...row }) => [`${host} ${versionIn(row)}`, pages] as const);
  expect(new Map(ofLedger)).toEqual(counted);
  const changed = rows.filter(({ replaces }) => replaces !== null);
  expect(changed.length).toBeGreaterThan(2);
  for (const { statement, replaces } of changed)
    expect([statement, replaces].map((one) => /(?:v=|version=|licence-)(\d)/.exec(one ?? '')?.[1])).toEqual(['2', '1']);
  const [first] = rows;
  const host = new URL(first?.host ?? '').host;
  const ofHost = (await done('rights', dir, '--host', host, '--format', 'csv')).trimEnd().split('\n');
  expect(ofHost.length).toBe(rows.filter((row) => new URL(row.host).host === host).length + 1);
  expect(await done('rights', small.path('corpus'))).toContain(
    `${records.length} of ${records.length} pages have statements about rights and use`,
  );

  // The choice of the crawl holds for its harvests, which may have another. An empty corpus has exit code 1.
  let harvests = 0;
  const keptBy = async (...args: string[]) => {
    const out = small.path(`chosen-${++harvests}`);
    const card = JSON.parse(
      (await forager('harvest', dir, '--out', out, '--dedupe', 'none', '--min-relevance', '0', '--json', ...args)).stdout,
    ) as CorpusCard;
    return [card.records.kept, card.reservations.by];
  };
  const all = records.length;
  expect(await keptBy()).toEqual([0, { noai: all }]);
  expect(await keptBy('--obey', 'tdm')).toEqual([all, {}]);
  await done('crawl', dir, '--obey', 'none', '--max-pages', '50', '--proxy', web.proxy);
  expect(await keptBy()).toEqual([all, {}]);
  expect(await keptBy('--obey', 'content-signal,rsl')).toEqual([0, { 'content-signal': all }]);
  expect(await keptBy('--without-use', 'mining')).toEqual([all, {}]);
  expect(await keptBy('--without-use', 'ai-input')).toEqual([0, {}]);
});

wholeTest('killed at ten moments, of a web that changes half-way', async () => {
  const { sent, source } = statingWeb(150);
  web = await startWebProxy(source, { latency: 10 });
  const dir = small.path('killed');
  const args = await argsFor(dir, 200);
  for (let kill = 1; kill <= 10; kill++) {
    const child = spawn(NODE, [join(PACKAGE, 'src/faces/cli/forager.mjs'), ...args], { stdio: 'ignore' });
    const closed = new Promise((resolve) => child.on('close', resolve));
    const until = sent.length + 12 + 3 * kill;
    while (sent.length < until && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    await closed;
  }
  await done(...args);
  const records = await recordsOf(dir, small.path('killed-corpus'));
  expect(records.length).toBeGreaterThan(30);
  for (const record of records) expect([record.url, versionsOf(record)]).toEqual([record.url, expectedOf(sent, record.url)]);
  expect(new Set(records.flatMap(versionsOf)).has('content-usage robots 2')).toBe(true);
  await done('verify', dir);
});
