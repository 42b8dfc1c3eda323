import { readFileSync } from 'node:fs';
import type { CorpusRecord, LedgerLine, Why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notFound, type PageAnswer, type PageSource } from '../../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import type { CorpusCard } from '../../../src/corpus/describe/corpus-card.ts';
import { noOmissions } from '../../../src/corpus/select/harvest-selection.ts';
import { done, jsonLines, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

/** On-topic pages of the small web, on hosts that reserve the rights to mine some of them. */
const small = smallWeb();
const dir = small.path('crawl');
const FILE = '/.well-known/tdmrep.json';
const POLICY = 'http://open.example/policy';
const rules = [{ location: '/*closed', 'tdm-reservation': 1, 'tdm-policy': POLICY }];
let web: RunningWeb;

type Over = { readonly head?: string; readonly headers?: Readonly<Record<string, string>> };
const pages: readonly (readonly [url: string, over: Over])[] = [
  ['http://open.example/', {}],
  ['http://open.example/meta', { head: '<meta name="tdm-reservation" content="1">' }],
  ['http://open.example/header', { headers: { 'tdm-reservation': '1', 'tdm-policy': POLICY } }],
  ['http://open.example/noai', { headers: { 'x-robots-tag': 'Forager: noai, noimageai' } }],
  ['http://open.example/others', { headers: { 'x-robots-tag': 'otherbot: noai' } }],
  ['http://filed.example/closed/1', {}],
  ['http://filed.example/closed/2', { head: '<meta name="tdm-reservation" content="0">' }],
  ['http://filed.example/', {}],
];

/** The text of a page of the topic, one for each address, without its links. */
function pageOf(nth: number, { head = '', headers = {} }: Over): PageAnswer {
  const { host, pathname } = new URL(small.web.urlsOf(small.topic)[nth] ?? '');
  const html = Buffer.from(small.web.source.get(host, pathname)?.body ?? []).toString();
  const body = html.replace(/ href="[^"]*"/g, '').replace('<head>', `<head>${head}`);
  return { status: 200, headers: { 'content-type': 'text/html', ...headers }, body: Buffer.from(body) };
}

const answers = new Map(pages.map(([url, over], i) => [url, pageOf(i, over)]));
answers.set(`http://filed.example${FILE}`, { status: 200, headers: {}, body: Buffer.from(JSON.stringify(rules)) });
const source: PageSource = {
  get: (host, path) => (['open.example', 'filed.example'].includes(host) ? (answers.get(`http://${host}${path}`) ?? notFound()) : null),
};

beforeAll(async () => {
  web = await startWebProxy(source, {});
  const topic = await trainedOn(small);
  const seeds = pages.flatMap(([url]) => ['--seeds', url]);
  await done('crawl', dir, '--topic', topic, ...seeds, '--proxy', web.proxy, '--delay', '0', '--concurrency', '1');
});
afterAll(async () => {
  await web.close();
  await small.close();
});

test('why has the priority of such a file as a sum of one part', async () => {
  const { link } = JSON.parse(await done('why', dir, `http://filed.example${FILE}`, '--json')) as Why;
  expect(link?.explanation).toMatchObject({
    priority: 1,
    logit: 1,
    bias: 0,
    contributions: [{ feature: 'file of reservations', contribution: 1 }],
  });
});

async function harvested(name: string, ...args: string[]): Promise<CorpusCard> {
  return JSON.parse(await done('harvest', dir, '--out', small.path(name), '--json', '--dedupe', 'none', ...args)) as CorpusCard;
}

function recordsOf(name: string): CorpusRecord[] {
  return jsonLines<CorpusRecord>(readFileSync(small.path(name, 'corpus.jsonl'), 'utf8'));
}

test('the crawl keeps all, and asks each host once for its file', async () => {
  const lines = jsonLines<LedgerLine>(await done('ledger', dir));
  expect(
    lines
      .filter(({ state }) => state === 'kept')
      .map(({ url }) => url)
      .sort(),
  ).toEqual(pages.map(([url]) => url).sort());
  const files = lines.filter(({ url }) => url.endsWith(FILE)).map(({ url, state, reason }) => [url, state, reason]);
  expect(files.sort()).toEqual([
    [`http://filed.example${FILE}`, 'fetched', 'reservations:1'],
    [`http://open.example${FILE}`, 'fetched', 'reservations:0'],
  ]);
  expect(web.log.filter(({ path }) => path === FILE)).toHaveLength(2);
});

test('a harvest leaves reserved pages out and tells how many, and why', async () => {
  const card = await harvested('open');
  expect(card.records).toEqual({ read: 8, leftOut: { ...noOmissions(), rights: 4 }, kept: 4 });
  expect(card.reservations).toEqual({
    by: { file: 1, header: 1, meta: 1, noai: 1 },
    policies: { [POLICY]: 2 },
    notAsked: { hosts: 0, pages: 0 },
  });
  expect(recordsOf('open').map(({ url, reservation }) => [new URL(url).pathname, reservation?.reserved])).toEqual([
    ['/', undefined],
    ['/others', undefined],
    ['/closed/2', false],
    ['/', undefined],
  ]);
  const told = await done('harvest', dir, '--out', small.path('warn'), '--dedupe', 'none');
  expect(told).toContain('4 pages of 8, ');
  expect(told).toContain('rights to mine them reserved, omitted: 1 by tdmrep.json, 1 by headers, 1 by meta elements, 1 by noai');
});

test('--reserved include takes them, and the card warns', async () => {
  const card = await harvested('all', '--reserved', 'include');
  expect(card.records).toMatchObject({ kept: 8, leftOut: { rights: 0 } });
  expect(card.harvest.filters.reserved).toBe('include');
  expect(readFileSync(small.path('all', 'corpus-card.md'), 'utf8')).toContain('CAUTION: 4 pages reserve their rights');
  const closed = recordsOf('all').find(({ url }) => url === 'http://filed.example/closed/1');
  expect(closed?.reservation).toEqual({ reserved: true, by: 'file', policy: POLICY });
  const noai = recordsOf('all').find(({ url }) => url.endsWith('/noai'));
  expect(noai?.metadata.robots).toEqual(['noai', 'noimageai']);
  await refused(2, ['--reserved', 'maybe'], 'harvest', dir, '--out', small.path('bad'), '--reserved', 'maybe');
});
