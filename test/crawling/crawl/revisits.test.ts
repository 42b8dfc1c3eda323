/** Kept pages asked for again: what each answer comes to, and what it must not touch. */
import { expect, test } from 'vitest';
import type { RecordId, StoredResponse } from '../../../src/base/core/types.ts';
import { runCrawl } from '../../../src/crawling/crawl/loop.ts';
import { withAnswer } from '../../../src/crawling/revisits/change-evidence.ts';
import { urlOf } from '../../support/frontier-values.ts';
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
  ['a gate that may set a cookie', { kind: 'redirect', status: 302, to: urlOf(NEW), ms: 10, later: 1000 } as const],
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

const WORDS = Array.from({ length: 400 }, (_, i) => `word${i}`);
const text = (...others: readonly string[]) => `${WORDS.slice(0, 200).join(' ')}\n${others.join(' ')}\n${WORDS.slice(200).join(' ')}`;

test('another payload with the same main text, a clock in it or not, is no other version; its links are followed', async () => {
  const run = await twice(
    { ...GOOD, text: text('it', 'is', '10:42'), body: 'other', links: [NEW] },
    {
      web: {
        [A]: [
          { ...GOOD, text: text('it', 'is', '9:17') },
          { ...GOOD, text: text('it', 'is', '10:42'), body: 'other', links: [NEW] },
        ],
        [NEW]: { relevance: 0.8 },
      },
    },
  );
  expect(run.line(A)).toMatchObject({ state: 'kept', revisit: { result: 'alike', version: null } });
  expect(run.records.map(({ url }) => url)).toEqual([A, NEW]);
  expect([run.again, run.absences]).toEqual([[], []]);
});

test('a sentence more is another version, and so is one at the end of a long text', async () => {
  const long = (end: string) => `${Array.from({ length: 900 }, (_, i) => `line ${i} of a long text`).join('\n')}\n${end}`;
  for (const [before, now] of [
    [text(), text('a', 'new', 'sentence', 'says', 'something', 'else', 'altogether', 'here')],
    [long('the last line of the page ends with a quiet word'), long('the last line of the page ends with a loud word')],
    ['Closed', 'Open'],
  ]) {
    const pages = [
      { ...GOOD, text: before ?? '' },
      { ...GOOD, text: now ?? '', body: 'other' },
    ];
    const run = await smallCrawl({ web: { [A]: pages }, seeds: [A], revisit: { age: 0 } });
    expect(run.line(A)).toMatchObject({ revisit: { result: 'changed' } });
    expect(run.records.map((record) => record.text)).toEqual([before, now]);
  }
});

test('small changes add up to another version, since each text is compared with the newest stored one', async () => {
  const rounds = Array.from({ length: 40 }, (_, i) => text(WORDS.slice(0, i).join('\n')));
  const pages = rounds.map((one, i) => ({ ...GOOD, text: one, body: `round ${i}` }));
  const run = await smallCrawl({ web: { [A]: pages }, seeds: [A] });
  for (let i = 1; i < rounds.length; i++) {
    await run.clock.sleep(1000, new AbortController().signal);
    run.frontier.revisit(run.clock.now());
    await runCrawl(run.parts, { maxPages: 9, maxTime: 1e9, patience: null, stopYield: null, concurrency: 1 }, new AbortController().signal);
  }
  expect(run.records.length).toBeGreaterThan(1);
  expect(run.records.length).toBeLessThan(rounds.length);
});

test('a page that is gone is noted once, and once more when it is back; another version says so itself', async () => {
  const gone = failure('http-4xx', 404);
  const answers = [GOOD, gone, gone, GOOD, redirect(NEW), gone, { ...GOOD, body: 'other' }, { ...GOOD, body: 'other', noindex: true }];
  const run = await smallCrawl({ web: { [A]: answers, [NEW]: { relevance: 0.1 } }, seeds: [A] });
  for (let i = 1; i < answers.length; i++) {
    await run.clock.sleep(1000, new AbortController().signal);
    run.frontier.revisit(run.clock.now());
    await runCrawl(run.parts, { maxPages: 9, maxTime: 1e9, patience: null, stopYield: null, concurrency: 1 }, new AbortController().signal);
  }
  expect(run.absences.map(({ url, state, status, to }) => [url, state, status, to])).toEqual([
    [A, 'gone', 404, null],
    [A, 'back', 200, null],
    [A, 'moved', 301, NEW],
    [A, 'gone', 404, null],
  ]);
  expect(run.absences.map(({ recordId }) => recordId)).toEqual(Array(4).fill(run.records[0]?.id));
  expect(run.records.filter(({ url }) => url === A)).toHaveLength(2);
});

test('evidence of a change and its date is folded with each answer', async () => {
  const dated = { ...GOOD, body: 'other', lastModified: 'Thu, 01 Jan 1970 00:50:00 GMT' };
  const run = await twice(dated);
  const [revisit] = [...run.frontier.revisits()].map((one) => one.revisit);
  expect(revisit?.evidence).toEqual(
    withAnswer(undefined, {
      seenAt: run.requests[0]?.start ?? 0,
      at: run.requests[1]?.start ?? 0,
      changed: true,
      modified: 3_000_000,
      claims: { sitemap: null, feed: null },
    }),
  );
});
