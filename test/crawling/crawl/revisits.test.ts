/** Kept pages asked for again: what each answer comes to, and what it must not touch. */
import { expect, test } from 'vitest';
import type { RecordId, StoredResponse } from '../../../src/base/core/types.ts';
import { anchorNumbers, failure, redirect, type SmallCrawlOptions, type SmallPage, smallCrawl } from './small-crawl.ts';

const A = 'http://a.test/';
const B = 'http://b.test/';
const NEW = 'http://new.test/';
const GOOD: SmallPage = { relevance: 0.9 };
const STORED: StoredResponse = { etag: '"1"', lastModified: null, date: '2026-01-01T00:00:00Z', payloadDigest: 'sha1:X' };

/** A page that answers so the first time, and so the second. */
const twice = (second: NonNullable<SmallCrawlOptions['web'][string]>, more: Partial<SmallCrawlOptions> = {}) =>
  smallCrawl({ web: { [A]: [GOOD, second].flat() as SmallPage[], [NEW]: { relevance: 0.8 } }, seeds: [A], revisit: { age: 0 }, ...more });

test('304 and the same payload are revisit records of the stored response; nothing is read, judged or kept anew', async () => {
  const stored = new Map([['urn:uuid:1' as RecordId, STORED]]);
  const not = await twice({ ...GOOD, notModified: true, readThrows: new Error('read') }, { revisit: { age: 0, stored } });
  expect(not.again).toEqual([{ profile: 'server-not-modified', of: 'urn:uuid:1', stored: STORED, url: A, status: 304 }]);
  expect(not.conditions.get(A)).toEqual(STORED);
  const same = await twice({ ...GOOD, readThrows: new Error('read') });
  expect(same.again).toEqual([{ profile: 'identical-payload-digest', of: 'urn:uuid:1', stored: null, url: A, status: 200 }]);
  for (const [run, result] of [
    [not, 'not-modified'],
    [same, 'same'],
  ] as const) {
    expect(run.line(A)).toMatchObject({ state: 'kept', revisit: { result, version: null } });
    expect(run.line(A).revisit?.at).toBe(run.requests.at(-1)?.start);
    expect([run.records.length, run.frontier.counts().visited, run.stopped]).toEqual([1, 1, 'drained']);
  }
});

test('another payload is judged and kept whatever it is on, its links are followed, and the first visit stays what it was', async () => {
  const run = await twice({ relevance: 0.2, body: 'other', links: [NEW] });
  const { records, frontier, settlements, recorded, again } = run;
  expect(records.map(({ url, relevance }) => [url, relevance])).toEqual([
    [A, 0.9],
    [A, 0.2],
    [NEW, 0.8],
  ]);
  const times = records.map(({ fetchedAt }) => Date.parse(fetchedAt));
  expect(times[1]).toBeGreaterThan(times[0] ?? 0);
  expect(run.line(A)).toMatchObject({
    state: 'kept',
    order: 1,
    relevance: 0.2,
    revisit: { result: 'changed', version: { recordId: records[1]?.id, modelId: 'small' } },
  });
  expect(run.fate(A)).toMatchObject({ state: 'kept', relevance: 0.9, recordId: records[1]?.id, fetchedAt: times[0] });
  expect([...frontier.settled()].map(({ entry, fate: { relevance } }) => [entry.url, relevance])).toEqual([
    [A, 0.9],
    [NEW, 0.8],
  ]);
  expect(frontier.counts()).toMatchObject({ kept: 2, visited: 2, discovered: 2 });
  expect(recorded.map(({ url }) => url)).toEqual([A, NEW]);
  expect(settlements.map(({ settlement }) => settlement.kind)).toEqual(['done', 'revisited', 'done']);
  expect(again).toEqual([]);
});

test('in a run that may visit nothing new, each page is asked for behind its robots.txt', async () => {
  const web = Object.fromEntries([1, 2, 3].map((i) => [`http://h${i}.test/`, GOOD]));
  const limits = { maxPages: 3, concurrency: 8 };
  const run = await smallCrawl({ web, seeds: Object.keys(web), limits, robotsKnown: false, revisit: { age: 0 } });
  expect(run.again.map(({ profile }) => profile)).toEqual(Array(3).fill('identical-payload-digest'));
  expect([run.frontier.due, run.stopped]).toEqual([0, 'max-pages']);
});

test('a page that has what another had before is no copy of it', async () => {
  const web = {
    [A]: [
      { ...GOOD, body: 'first' },
      { ...GOOD, body: 'second', links: [NEW] },
    ],
    [NEW]: { ...GOOD, body: 'first' },
  };
  const run = await smallCrawl({ web, seeds: [A], revisit: { age: 0 } });
  expect(run.line(NEW)).toMatchObject({ state: 'kept' });
});

test('its payload counts as kept: the same under another URL is a duplicate', async () => {
  const run = await smallCrawl({
    web: { [A]: [GOOD, { ...GOOD, body: 'other', links: [NEW] }], [NEW]: { ...GOOD, body: 'other' } },
    seeds: [A],
    revisit: { age: 0 },
  });
  expect(run.line(NEW)).toMatchObject({ state: 'duplicate', reason: `payload of ${A}` });
});

test('the link scorer is told of each page once, whatever a second visit finds or leads to', async () => {
  const told: string[] = [];
  const scorer = {
    ...anchorNumbers(),
    learn: ({ url }: { url: string }) => void told.push(`learn ${url}`),
    observer: {
      page: ({ url }: { url: string }) => void told.push(`see ${url}`),
      redirect: ({ url }: { url: string }) => void told.push(`see ${url} redirected`),
    },
  };
  const web = { [A]: [{ ...GOOD, links: [B] }, redirect(NEW)], [B]: [GOOD, { relevance: 0.1, body: 'other' }], [NEW]: GOOD };
  const { records } = await smallCrawl({ web, seeds: [A], scorer, revisit: { age: 0 } });
  expect(records.map(({ url }) => url)).toEqual([A, B, B, NEW]);
  expect(told).toEqual([A, B, NEW].flatMap((url) => [`see ${url}`, `learn ${url}`]));
});

test.each([
  ['404', failure('http-4xx', 404), 'gone'],
  ['410', failure('http-4xx', 410), 'gone'],
  ['a page that asks not to be kept', { relevance: 0.9, body: 'other', noindex: true }, 'noindex'],
  ['a redirect', redirect(NEW), 'moved'],
] as const)('%s is noted as such, and what is in the corpus stays', async (_what, second, result) => {
  const run = await twice(second);
  expect(run.line(A)).toMatchObject({ state: 'kept', relevance: 0.9, revisit: { result, version: null } });
  expect(run.fate(A)?.recordId).toBe('urn:uuid:1');
  expect(run.records.map(({ url }) => url)).toEqual(result === 'moved' ? [A, NEW] : [A]);
});

test.each([
  ['403', failure('http-4xx', 403)],
  ['a server error', failure('http-5xx', 503, 5000)],
  ['a timeout', failure('timeout')],
  ['another media type', { kind: 'refused', reason: 'content-type', status: 200, ms: 10 } as const],
  ['a page that cannot be read', { relevance: 0.9, body: 'other', readFails: 'read-crash' } as const],
  ['our bug', { throws: new Error('bug') }],
])('%s says nothing of the page: it is asked once in this run, and due again in the next', async (_what, second) => {
  const run = await twice(second);
  const { frontier, records, clock, requests, stopped } = run;
  expect(run.line(A)).toMatchObject({ state: 'kept', relevance: 0.9 });
  expect(run.line(A)).not.toHaveProperty('revisit');
  expect([records.length, requests.length, stopped]).toEqual([1, 2, 'drained']);
  expect(frontier.revisit(clock.now())).toEqual(['urn:uuid:1']);
});

test('robots.txt, who opted out and the scope hold for these too: no request, nothing noted', async () => {
  const deny: string[] = [];
  const fetched = () => deny.length > 0;
  const rules: readonly Partial<SmallCrawlOptions>[] = [
    { robots: { 'http://a.test': { deny } } },
    { optedOut: fetched },
    { refuses: () => (fetched() ? 'scope' : null) },
  ];
  for (const rule of rules) {
    deny.length = 0;
    const run = await smallCrawl({ web: { [A]: GOOD }, seeds: [A], revisit: { age: 0 }, onFetch: () => void deny.push('/'), ...rule });
    expect(run.requests.filter(({ url }) => url === A)).toHaveLength(1);
    expect([run.line(A).state, run.stopped, run.settlements.at(-1)?.settlement.kind]).toEqual(['kept', 'drained', 'revisited']);
    expect(run.line(A)).not.toHaveProperty('revisit');
  }
});

test('a young page is not asked again; an old one is, before what waits, and whatever the page budget says', async () => {
  const web = { [A]: { ...GOOD, links: [B, NEW] }, [B]: GOOD, [NEW]: GOOD };
  const old = await smallCrawl({ web, seeds: [A], limits: { maxPages: 2 }, revisit: { age: 1000 } });
  expect(old.requests.map(({ url }) => url)).toEqual([A, B, A, B]);
  expect([old.stopped, old.frontier.counts().visited]).toEqual(['max-pages', 2]);
  const young = await smallCrawl({ web, seeds: [A], limits: { maxPages: 2 }, revisit: { age: 4_000_000 } });
  expect(young.requests.map(({ url }) => url)).toEqual([A, B]);
  const more = await smallCrawl({ web, seeds: [A], limits: { maxPages: 2 }, revisit: { age: 0, limits: { maxPages: 3 } } });
  expect(more.requests.map(({ url }) => url)).toEqual([A, B, A, B, NEW]);
});

test('many at a time: the budget of new pages is kept to, and every page asked again once', async () => {
  const urls = Array.from({ length: 40 }, (_, i) => `http://h${i}.test/`);
  const web = Object.fromEntries(urls.map((url, i) => [url, { ...GOOD, links: urls.slice(i + 1, i + 5) }]));
  const limits = { maxPages: 20, concurrency: 8 };
  const run = await smallCrawl({ web, seeds: urls.slice(0, 3), limits, revisit: { age: 0, limits: { maxPages: 30 } } });
  expect([run.stopped, run.frontier.counts().visited, run.requests.length]).toEqual(['max-pages', 30, 50]);
  expect([...run.frontier.revisits()].map(({ revisit }) => revisit.result)).toEqual(Array.from({ length: 20 }, () => 'same'));
});

test('a page asked for again takes nothing of the budget of new pages: one of those is asked for beside it', async () => {
  const run = await smallCrawl({
    web: { [A]: { ...GOOD, links: [B] }, [B]: GOOD },
    seeds: [A],
    limits: { maxPages: 1, concurrency: 2 },
    latency: (url) => (url === A ? 500 : 10),
    revisit: { age: 0, limits: { maxPages: 2 } },
  });
  const [first, again, fresh] = run.requests;
  expect([first?.url, again?.url, fresh?.url]).toEqual([A, A, B]);
  expect(fresh?.start).toBe(again?.start);
  expect(run.frontier.counts()).toMatchObject({ visited: 2, kept: 2 });
});

test('a version that is just on topic leads on as an on-topic page does', async () => {
  for (const [relevance, offTopicDepth] of [
    [0.5, 0],
    [0.49, 1],
  ] as const) {
    const run = await twice({ relevance, body: 'other', links: [NEW] });
    expect(run.frontier.find(run.line(NEW).url)?.entry).toMatchObject({ offTopicDepth, edge: { referrer: { offTopicDepth } } });
    const judged = run.events.flatMap((event) => (event.type === 'judged' && event.url === A ? [event.onTopic] : []));
    expect(judged).toEqual([true, offTopicDepth === 0]);
  }
});

test('a version that came later is what the next visit is held against', async () => {
  const second: SmallPage = { relevance: 0.9, body: 'other' };
  const once = await twice([second, second] as never);
  expect(once.records).toHaveLength(2);
  const third = await smallCrawl({ web: { [A]: [GOOD, second, second] }, seeds: [A], revisit: { age: 0 } });
  third.frontier.revisit(third.clock.now() + 1);
  const next = third.frontier.next();
  expect(next.kind === 'lease' && next.lease.entry.task).toMatchObject({ kind: 'revisit', kept: { recordId: third.records[1]?.id } });
});
