import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import { BLAME_AFTER, FAILURE_POLICY, FIRST_HOST_PAUSE } from '../../../src/base/core/failure-policy.ts';
import { runCrawl } from '../../../src/crawling/crawl/loop.ts';
import { MAX_REDIRECTS } from '../../../src/crawling/crawl/page-records.ts';
import { runs } from '../../support/extent.ts';
import {
  failure,
  randomWeb,
  redirect,
  type SmallCrawl,
  type SmallCrawlOptions,
  type SmallPage,
  type SmallWeb,
  smallCrawl,
} from './small-crawl.ts';

const ON = { relevance: 0.9 } satisfies SmallPage;
const OFF = { relevance: 0.1 } satisfies SmallPage;
const A = 'http://a.test/';

/** Every lease that was taken ended once, and every record and fate belong together in each commit. */
function expectSound(crawl: SmallCrawl): void {
  expect(crawl.settlements).toHaveLength(crawl.leased);
  expect(new Set(crawl.settlements.map(({ lease }) => lease)).size).toBe(crawl.leased);
  expect(crawl.frontier.counts().leased).toBe(0);
  const { discovered, waiting, fetched, kept, offTopic, duplicate, refused, failed } = crawl.frontier.counts();
  expect(waiting + fetched + kept + offTopic + duplicate + refused + failed).toBe(discovered);
  const done = crawl.settlements.filter(({ settlement }) => settlement.kind === 'done').map(({ url }) => url);
  expect(crawl.passedOver).toEqual(done);
  for (const url of crawl.passedOver) expect(crawl.frontier.wants(url)).toBe(false);
  for (const { offsets, kept: keptSoFar } of crawl.commits) expect(offsets['records.jsonl']).toBe(keptSoFar.length);
}

function requestsOf(crawl: SmallCrawl): string[] {
  return crawl.requests.map(({ url }) => url);
}

/** `http://a.test/1` … each linking to the next. */
function chain(length: number, page: SmallPage): SmallWeb {
  return Object.fromEntries(Array.from({ length }, (_, i) => [`${A}${i + 1}`, { ...page, links: [`${A}${i + 2}`] }]));
}

describe('any web', () => {
  test('each lease is settled once, hosts are never asked twice at a time nor too soon, and the budget is never overshot', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.nat(),
          pages: fc.integer({ min: 5, max: 80 }),
          maxPages: fc.integer({ min: 1, max: 60 }),
          concurrency: fc.constantFrom(1, 3, 8),
          delay: fc.constantFrom(0, 100),
          robotsKnown: fc.boolean(),
        }),
        async ({ seed, pages, maxPages, concurrency, delay, robotsKnown }) => {
          const latency = (url: string) => 5 + (url.length * 7 + (url.charCodeAt(url.length - 1) % 5) * 11);
          const crawl = await smallCrawl({ ...randomWeb(pages, 5, seed), limits: { maxPages, concurrency }, delay, latency, robotsKnown });
          expectSound(crawl);
          expect(crawl.error).toBeNull();
          const { visited, waiting } = crawl.frontier.counts();
          expect(visited).toBeLessThanOrEqual(maxPages);
          if (crawl.stopped === 'max-pages') expect(visited).toBe(maxPages);
          else expect([crawl.stopped, waiting]).toEqual(['drained', 0]);
          expectPolite(crawl, delay);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('the same web, concurrency 1, twice: the same order, records and commits', async () => {
    const once = () => smallCrawl({ ...randomWeb(120, 6, 5), delay: 50, limits: { maxPages: 80 } });
    const [first, second] = [await once(), await once()];
    expect(requestsOf(second)).toEqual(requestsOf(first));
    expect(second.records).toEqual(first.records);
    expect(second.commits).toEqual(first.commits);
    expect(withPages(second)).toEqual(withPages(first));
    expect(first.records.length).toBeGreaterThan(10);
  });
});

/** Each event with the page that it gives on request. */
function withPages({ events }: SmallCrawl): unknown[] {
  return events.map((event) => (event.type === 'judged' ? { ...event, page: event.page() } : event));
}

function expectPolite({ requests }: SmallCrawl, delay: number): void {
  const lastEnd = new Map<string, number>();
  for (const { url, start, end } of requests) {
    const { host } = new URL(url);
    expect(start).toBeGreaterThanOrEqual((lastEnd.get(host) ?? Number.NEGATIVE_INFINITY) + (lastEnd.has(host) ? delay : 0));
    lastEnd.set(host, end);
  }
}

describe('limits', () => {
  test('the page budget counts earlier runs and is met to the page at concurrency 8', async () => {
    const crawl = await smallCrawl({ ...randomWeb(200, 20, 3), limits: { maxPages: 37, concurrency: 8 }, robotsKnown: false });
    expect(crawl.stopped).toBe('max-pages');
    expect(crawl.frontier.counts().visited).toBe(37);
    expectSound(crawl);
  });

  test('after max-time nothing new is leased, what is in flight is finished', async () => {
    const crawl = await smallCrawl({ web: chain(100, ON), seeds: [`${A}1`], limits: { maxTime: 95 }, latency: () => 10 });
    expect(crawl.stopped).toBe('max-time');
    expect(crawl.requests).toHaveLength(10);
    expect(crawl.requests.at(-1)?.end).toBe(1_000_100);
    expect(crawl.records).toHaveLength(10);
    expectSound(crawl);
  });

  test('max-time ends a wait for a resting host', async () => {
    const crawl = await smallCrawl({ web: chain(5, ON), seeds: [`${A}1`], limits: { maxTime: 500 }, delay: 10_000 });
    expect([crawl.stopped, crawl.clock.now(), crawl.requests.length]).toEqual(['max-time', 1_000_500, 1]);
  });

  test('a stop signal ends leasing; visits in flight are finished, settled and committed', async () => {
    const stop = new AbortController();
    const web = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`http://h${i}.test/`, ON]));
    const crawl = await smallCrawl({
      web,
      seeds: Object.keys(web),
      limits: { concurrency: 3 },
      stop: stop.signal,
      onFetch: (url) => {
        if (url === 'http://h2.test/') stop.abort();
      },
    });
    expect(crawl.stopped).toBe('interrupted');
    expect(crawl.requests).toHaveLength(3);
    expect(crawl.aborted).toEqual([]);
    expect(crawl.commits.at(-1)).toEqual({ offsets: { 'records.jsonl': 3 }, kept: requestsOf(crawl) });
    expect(crawl.frontier.counts()).toMatchObject({ kept: 3, waiting: 6, leased: 0 });
  });
});

describe('what breaks', () => {
  test('a part that throws costs one URL, the crawl goes on', async () => {
    const web: SmallWeb = {
      [`${A}1`]: { throws: new TypeError('a bug in the fetcher') },
      [`${A}2`]: { ...ON, readThrows: new RangeError('a bug in the reader') },
      [`${A}3`]: { ...ON, readFails: 'read-timeout' },
      [`${A}4`]: ON,
    };
    const crawl = await smallCrawl({ web, seeds: Object.keys(web) });
    expect(crawl.stopped).toBe('drained');
    expect(Object.keys(web).map((url) => [crawl.line(url).state, crawl.line(url).reason])).toEqual([
      ['failed', 'internal'],
      ['failed', 'internal'],
      ['failed', 'read-timeout'],
      ['kept', ''],
    ]);
    expectSound(crawl);
  });

  test('a store that fails in a visit ends the crawl with its error; the others are aborted and released', async () => {
    const web: SmallWeb = { [`${A}1`]: { throws: new StoreError('STORE_FULL', 'no space') }, 'http://b.test/': ON, 'http://c.test/': ON };
    const latency = (url: string) => (url.startsWith(A) ? 10 : 1000);
    const crawl = await smallCrawl({ web, seeds: Object.keys(web), limits: { concurrency: 3 }, latency });
    expect(crawl.error).toBeInstanceOf(StoreError);
    expect(crawl.aborted).toEqual(['http://b.test/', 'http://c.test/']);
    expect(crawl.clock.now()).toBeLessThan(1_000_100);
    expect(crawl.line(`${A}1`).state).toBe('waiting');
    expect(crawl.commits).toEqual([]);
  });

  test('a corpus that cannot be flushed ends the crawl with its error, and nothing more is committed', async () => {
    const full = new StoreError('STORE_FULL', 'no space');
    const crawl = await smallCrawl({
      web: chain(200, ON),
      seeds: [`${A}1`],
      failCorpus: { onFlush: (nth) => (nth === 2 ? full : null) },
    });
    expect(crawl.error).toBe(full);
    expect(crawl.commits).toHaveLength(2);
    expect(crawl.frontier.committedOffsets()).toEqual(crawl.commits[0]?.offsets);
    expect(crawl.requests.length).toBeLessThan(100);
  });

  test('a corpus that cannot take a record ends the crawl; no commit has the page', async () => {
    const broken = new StoreError('STORE_IO', 'cannot write');
    const crawl = await smallCrawl({
      web: chain(20, ON),
      seeds: [`${A}1`],
      failCorpus: { onAppend: (nth) => (nth === 3 ? broken : null) },
    });
    expect(crawl.error).toBe(broken);
    expect(crawl.records).toHaveLength(2);
    expect(crawl.frontier.find(crawl.line(`${A}3`).url)?.fate ?? null).toBeNull();
  });

  test('a directory that was lost to another process ends the crawl at once: nothing is leased or committed any more', async () => {
    const lost = new AbortController();
    const why = new StoreError('STORE_LOCKED', 'lost');
    const crawl = await smallCrawl({
      web: { ...chain(20, ON), 'http://slow.test/': ON },
      seeds: [`${A}1`, 'http://slow.test/'],
      limits: { concurrency: 2 },
      latency: (url) => (url.startsWith(A) ? 10 : 30_000),
      lost: lost.signal,
      onFetch: (url) => {
        if (url === `${A}5`) lost.abort(why);
      },
    });
    expect(crawl.error).toBe(why);
    expect(crawl.requests.length).toBeLessThanOrEqual(7);
    expect(crawl.aborted).toContain('http://slow.test/');
    expect(crawl.commits).toEqual([]);
  });

  test('a commit that fails while the crawl waits for a resting host ends it then, not when the host is rested', async () => {
    const crawl = await smallCrawl({
      web: chain(3, ON),
      seeds: [`${A}1`],
      delay: 3_600_000,
      failCorpus: { onFlush: () => new StoreError('STORE_FULL', 'no space') },
    });
    expect(crawl.error).toBeInstanceOf(StoreError);
    expect(crawl.clock.now()).toBeLessThan(1_000_000 + 10_000);
  });
});

test('a page that is just at the threshold is on topic, for its links too', async () => {
  for (const [relevance, state, offTopicDepth] of [
    [0.5, 'kept', 0],
    [0.499, 'off-topic', 1],
  ] as const) {
    const crawl = await smallCrawl({ web: { [A]: { relevance, links: ['http://b.test/'] } }, seeds: [A] });
    expect(crawl.line(A).state).toBe(state);
    expect(crawl.frontier.find(crawl.line('http://b.test/').url)?.entry.offTopicDepth).toBe(offTopicDepth);
    expect(crawl.events.flatMap((event) => (event.type === 'judged' ? [event.onTopic] : []))).toEqual([state === 'kept']);
  }
});

test('a crawl ends as well with parts that want to be told of nothing', async () => {
  const { parts, line, frontier } = await smallCrawl({ web: chain(3, ON), seeds: [`${A}1`], limits: { maxPages: 0 }, reservations: {} });
  const { read, close } = parts.reader;
  const { append, offsets, flush } = parts.corpus;
  const { learn: _, ...scorer } = parts.scorer;
  const quiet = {
    ...parts,
    reader: { read, close },
    corpus: { recorded: false, append, offsets, flush, close },
    scorer: { ...scorer, learnedFrom: 0 },
  };
  const limits = { maxPages: 9, maxTime: Number.POSITIVE_INFINITY, patience: null, stopYield: null, concurrency: 1 };
  expect(await runCrawl(quiet, limits, new AbortController().signal)).toBe('drained');
  expect([1, 2, 3].map((n) => line.call({ frontier }, `${A}${n}`).state)).toEqual(['kept', 'kept', 'kept']);
});

test('a stop is heard at once: while a host rests, and while all requests are under way', async () => {
  const stopWhile = async (options: Partial<SmallCrawlOptions>, waitsFor: string) => {
    const stop = new AbortController();
    const heard: string[] = [];
    const crawl = await smallCrawl({
      web: chain(9, ON),
      seeds: [`${A}1`],
      delay: 3_600_000,
      stop: stop.signal,
      onFetch: (_url, _nth, running) => {
        // Once the loop has nothing to do but to wait.
        const look = () => {
          if (running.waiting?.for !== waitsFor) return void setImmediate(look);
          heard.push(running.waiting.for);
          stop.abort();
        };
        setImmediate(look);
      },
      ...options,
    });
    return { stopped: crawl.stopped, at: crawl.clock.now() - 1_000_000, heard, requests: crawl.requests.length };
  };
  expect(await stopWhile({}, 'hosts')).toEqual({ stopped: 'interrupted', at: 10, heard: ['hosts'], requests: 1 });
  expect(await stopWhile({}, 'visits')).toMatchObject({ stopped: 'interrupted', heard: ['visits'], requests: 1 });
});

describe('robots.txt', () => {
  test('is a lease of its own, counts as no visit, and rests the host', async () => {
    const crawl = await smallCrawl({ web: { [`${A}1`]: ON }, seeds: [`${A}1`], robotsKnown: false, delay: 500, latency: () => 10 });
    expect(requestsOf(crawl)).toEqual([`${A}robots.txt`, `${A}1`]);
    expect(crawl.settlements.map(({ settlement }) => settlement.kind)).toEqual(['released', 'done']);
    expect(crawl.frontier.counts().visited).toBe(1);
    expectPolite(crawl, 500);
  });

  test('what it denies is refused without a request, and the host need not rest for it', async () => {
    const web = { [`${A}1`]: ON, [`${A}2`]: ON };
    const crawl = await smallCrawl({ web, seeds: Object.keys(web), robots: { 'http://a.test': { deny: ['/1'] } } });
    expect(requestsOf(crawl)).toEqual([`${A}robots.txt`, `${A}2`]);
    expect(crawl.line(`${A}1`)).toMatchObject({ state: 'refused', reason: 'robots' });
    expect(crawl.fate(`${A}1`)?.visited).toBe(false);
  });

  test('its Crawl-delay is kept, up to five minutes', async () => {
    const gapFor = async (crawlDelay: number) => {
      const web = { [`${A}1`]: ON, [`${A}2`]: ON };
      const { requests } = await smallCrawl({ web, seeds: Object.keys(web), robots: { 'http://a.test': { crawlDelay } }, delay: 100 });
      return (requests[2]?.start ?? 0) - (requests[1]?.end ?? 0);
    };
    expect(await gapFor(7_000)).toBe(7_001);
    expect(await gapFor(5)).toBe(101);
    expect(await gapFor(10_000_000)).toBe(300_001);
  });

  test('that cannot be had is asked for again; a URL is refused when that has failed for a quarter of an hour', async () => {
    const back = await smallCrawl({ web: { [`${A}1`]: ON }, seeds: [`${A}1`], robots: { 'http://a.test': { unreachable: 3 } } });
    expect(back.line(`${A}1`).state).toBe('kept');
    expect(requestsOf(back).filter((url) => url.endsWith('robots.txt'))).toHaveLength(4);

    const gone = await smallCrawl({ web: { [`${A}1`]: ON }, seeds: [`${A}1`], robots: { 'http://a.test': { unreachable: 99 } } });
    expect(gone.line(`${A}1`)).toMatchObject({ state: 'refused', reason: 'robots-unreachable:http-5xx' });
    expect(gone.fate(`${A}1`)?.visited).toBe(false);
    expect(gone.clock.now() - 1_000_000).toBeGreaterThanOrEqual(15 * 60_000);
    expectSound(gone);
  });

  test('that cannot be had is told of at once for a seed, with its cause and the next try; for a link it is not', async () => {
    const web = { [`${A}1`]: ON, 'http://b.test/1': { ...ON, links: ['http://c.test/1'] }, 'http://c.test/1': ON };
    const unreachable = { unreachable: 2 };
    const crawl = await smallCrawl({
      web,
      seeds: [`${A}1`, 'http://b.test/1'],
      robots: { 'http://a.test': unreachable, 'http://c.test': unreachable },
    });
    const told = crawl.events.flatMap((event) => (event.type === 'seed-failed' ? [event] : []));
    expect(told.map(({ url, reason }) => [url, reason])).toEqual(Array(2).fill([`${A}1`, 'robots-unreachable:http-5xx']));
    const first = told[0];
    if (first?.until == null) throw new Error('it waits');
    expect(first.at - 1_000_000).toBeLessThan(10_000);
    expect(first.until - first.at).toBeGreaterThan(50_000);
    expect(crawl.line(`${A}1`).state).toBe('kept');
  });

  test('that never can be had is given up on when its first failure said so, or a little later', async () => {
    const crawl = await smallCrawl({ web: { [`${A}1`]: ON }, seeds: [`${A}1`], robots: { 'http://a.test': { unreachable: 99 } } });
    const told = crawl.events.flatMap((event) => (event.type === 'seed-failed' ? [event] : []));
    const end = told.at(-1);
    expect(end).toMatchObject({ until: null, givenUp: null });
    expect(told.length).toBe(5);
    for (const { givenUp } of told.slice(0, -1)) {
      expect(end?.at).toBeGreaterThanOrEqual(givenUp ?? Number.NaN);
      expect((end?.at ?? Number.NaN) - (givenUp ?? Number.NaN)).toBeLessThan(60_000);
    }
  });

  test('of a URL that waits, why and until when stands in its line of the ledger', async () => {
    const crawl = await smallCrawl({
      web: { [`${A}1`]: ON },
      seeds: [`${A}1`],
      robots: { 'http://a.test': { unreachable: 99 } },
      limits: { maxTime: 100_000 },
    });
    const { state, retry } = crawl.line(`${A}1`);
    expect({ state, retry }).toMatchObject({ state: 'waiting', retry: { reason: 'robots-unreachable:http-5xx', attempts: 2 } });
    expect(retry?.notBefore).toBeGreaterThan(crawl.clock.now());
  });
});

describe('redirects', () => {
  test('are followed as links of their own, up to the limit', async () => {
    const hops = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${A}${i}`, redirect(`${A}${i + 1}`)] as const));
    const within = await smallCrawl({ web: { ...hops(MAX_REDIRECTS), [`${A}${MAX_REDIRECTS}`]: ON }, seeds: [`${A}0`] });
    expect(within.line(`${A}${MAX_REDIRECTS}`)).toMatchObject({ state: 'kept', depth: 0 });
    expect(within.line(`${A}0`)).toMatchObject({ state: 'fetched', reason: `redirect:${A}1`, status: 301 });

    const beyond = await smallCrawl({ web: hops(MAX_REDIRECTS + 5), seeds: [`${A}0`] });
    expect(beyond.line(`${A}${MAX_REDIRECTS + 1}`)).toMatchObject({ state: 'refused', reason: 'redirect-limit' });
    expect(beyond.requests).toHaveLength(MAX_REDIRECTS + 1);
  });

  test('out of scope are refused', async () => {
    const crawl = await smallCrawl({
      web: { [`${A}1`]: redirect('http://b.test/') },
      seeds: [`${A}1`],
      refuses: (url) => (url.startsWith(A) ? null : 'scope'),
    });
    expect(crawl.line('http://b.test/')).toMatchObject({ state: 'refused', reason: 'scope' });
    expect(crawl.requests).toHaveLength(1);
  });

  test('in a circle end', async () => {
    const crawl = await smallCrawl({ web: { [`${A}1`]: redirect(`${A}2`), [`${A}2`]: redirect(`${A}1`) }, seeds: [`${A}1`] });
    expect([crawl.stopped, crawl.requests.length]).toEqual(['drained', 2]);
  });
});

describe('failures', () => {
  test('Retry-After of a 429 rests the whole host', async () => {
    const web: SmallWeb = { [`${A}1`]: [failure('http-429', 429, 90_000), ON], [`${A}2`]: ON };
    const { requests, line } = await smallCrawl({ web, seeds: Object.keys(web), latency: () => 10 });
    expect(requests).toHaveLength(3);
    expect((requests[1]?.start ?? 0) - (requests[0]?.end ?? 0)).toBeGreaterThanOrEqual(90_000);
    expect(line).toBeDefined();
  });

  test('a URL whose host goes on naming short pauses waits longer each time, and others are tried meanwhile', async () => {
    const web: SmallWeb = { [`${A}1`]: [failure('http-429', 429, 2000), failure('http-429', 429, 2000), ON], [`${A}2`]: ON };
    const { requests } = await smallCrawl({ web, seeds: Object.keys(web) });
    expect(requests.map(({ url }) => url)).toEqual([`${A}1`, `${A}1`, `${A}2`, `${A}1`]);
    expect((requests[1]?.start ?? 0) - (requests[0]?.end ?? 0)).toBe(2001);
    expect((requests[3]?.start ?? 0) - (requests[1]?.end ?? 0)).toBe(2 * FAILURE_POLICY['http-429'].backoff);
  });

  test('Retry-After is cut at an hour', async () => {
    const { requests } = await smallCrawl({
      web: { [`${A}1`]: [failure('http-5xx', 503, 10 ** 12), ON] },
      seeds: [`${A}1`],
    });
    expect((requests[1]?.start ?? 0) - (requests[0]?.end ?? 0)).toBe(3_600_001);
  });

  test('rest the host from the third in a row on, not before', async () => {
    const dead = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${A}${i + 1}`, failure('tls')] as const));
    const web = { ...dead(BLAME_AFTER), [`${A}9`]: ON, [`${A}10`]: ON };
    const crawl = await smallCrawl({ web, seeds: Object.keys(web) });
    expect(gapsOf(crawl)).toEqual([0, 0, FIRST_HOST_PAUSE + 1, 0]);
  });

  test('a success between them clears the host', async () => {
    const web: SmallWeb = {
      [`${A}1`]: [failure('timeout'), ON],
      [`${A}2`]: [failure('timeout'), ON],
      [`${A}3`]: ON,
      [`${A}4`]: [failure('timeout'), ON],
      [`${A}5`]: [failure('timeout'), ON],
    };
    const crawl = await smallCrawl({ web, seeds: Object.keys(web) });
    expect(Math.max(...gapsOf(crawl))).toBeLessThan(FIRST_HOST_PAUSE);
    expect(crawl.frontier.counts().kept).toBe(5);
  });

  test('are tried again with doubled pauses, then succeed or fail for good', async () => {
    const lucky = await smallCrawl({ web: { [`${A}1`]: [failure('reset'), failure('reset'), ON] }, seeds: [`${A}1`] });
    expect(lucky.line(`${A}1`).state).toBe('kept');
    const [first, second, third] = lucky.requests;
    expect((second?.start ?? 0) - (first?.end ?? 0)).toBe(FAILURE_POLICY.reset.backoff);
    expect((third?.start ?? 0) - (second?.end ?? 0)).toBe(2 * FAILURE_POLICY.reset.backoff);

    const unlucky = await smallCrawl({ web: { [`${A}1`]: failure('reset') }, seeds: [`${A}1`] });
    expect(unlucky.line(`${A}1`)).toMatchObject({ state: 'failed', reason: 'reset' });
    expect(unlucky.requests).toHaveLength(1 + FAILURE_POLICY.reset.retries);
    expect(unlucky.frontier.counts().visited).toBe(1);
  });
});

/** From the end of each request to the start of the next. */
function gapsOf({ requests }: SmallCrawl): number[] {
  return requests.slice(1).map(({ start }, i) => start - (requests[i]?.end ?? 0));
}

describe('focus', () => {
  test('soft focus passes through as many off-topic pages in a row as the tunnel is long', async () => {
    const through = async (offTopic: number) => {
      const pages = Array.from({ length: offTopic }, (_, i) => [`${A}off${i}`, { ...OFF, links: [`${A}off${i + 1}`] }] as const);
      const web = { [`${A}seed`]: { ...ON, links: [`${A}off0`] }, ...Object.fromEntries(pages), [`${A}off${offTopic}`]: ON };
      const crawl = await smallCrawl({ web, seeds: [`${A}seed`], tunnel: 2 });
      return crawl.line(`${A}off${offTopic}`);
    };
    expect((await through(2)).state).toBe('kept');
    expect(await through(3)).toMatchObject({ state: 'refused', reason: 'tunnel' });
  });

  test('an on-topic page on the way starts the count anew', async () => {
    const web = {
      [`${A}1`]: { ...OFF, links: [`${A}2`] },
      [`${A}2`]: { ...ON, links: [`${A}3`] },
      [`${A}3`]: { ...OFF, links: [`${A}4`] },
      [`${A}4`]: ON,
    };
    const crawl = await smallCrawl({ web, seeds: [`${A}1`], tunnel: 1 });
    expect(crawl.line(`${A}4`).state).toBe('kept');
  });

  test('hard focus follows no link of an off-topic page', async () => {
    const web = { [`${A}1`]: { ...OFF, links: [`${A}2`] }, [`${A}3`]: { ...ON, links: [`${A}4`] }, [`${A}4`]: ON, [`${A}2`]: ON };
    const crawl = await smallCrawl({ web, seeds: [`${A}1`, `${A}3`], tunnel: 0 });
    expect(crawl.line(`${A}2`)).toMatchObject({ state: 'refused', reason: 'tunnel' });
    expect(crawl.line(`${A}4`).state).toBe('kept');
  });

  test('links deeper than max-depth are refused', async () => {
    const crawl = await smallCrawl({ web: chain(10, ON), seeds: [`${A}1`], maxDepth: 2 });
    expect(crawl.requests).toHaveLength(3);
    expect(crawl.line(`${A}4`)).toMatchObject({ state: 'refused', reason: 'max-depth', depth: 3 });
  });

  test('the link with the higher priority goes first, over all hosts', async () => {
    const web = {
      [`${A}1`]: {
        ...ON,
        links: [
          ['http://b.test/', '0.2'],
          ['http://c.test/', '0.9'],
          [`${A}2`, '0.5'],
          ['http://c.test/2', '0.3'],
        ],
      },
      'http://b.test/': ON,
      'http://c.test/': ON,
      'http://c.test/2': ON,
      [`${A}2`]: ON,
    } satisfies SmallWeb;
    const crawl = await smallCrawl({ web, seeds: [`${A}1`] });
    expect(requestsOf(crawl)).toEqual([`${A}1`, 'http://c.test/', `${A}2`, 'http://c.test/2', 'http://b.test/']);
  });
});

describe('keeping', () => {
  test('a noindex page is not kept nor its text stored, but its links are followed; of a nofollow page none is', async () => {
    const web = {
      [`${A}1`]: { ...ON, noindex: true, links: [`${A}2`] },
      [`${A}2`]: { ...ON, nofollow: true, links: [`${A}3`] },
      [`${A}3`]: ON,
    };
    const crawl = await smallCrawl({ web, seeds: [`${A}1`] });
    expect(crawl.line(`${A}1`)).toMatchObject({ state: 'refused', reason: 'noindex', relevance: 0.9 });
    expect(crawl.fate(`${A}1`)?.page).toBeNull();
    expect(requestsOf(crawl)).toEqual([`${A}1`, `${A}2`]);
    expect(crawl.records.map(({ url }) => url)).toEqual([`${A}2`]);
  });

  test('a payload is kept once, and the second URL says where', async () => {
    const web = { [`${A}1`]: { ...ON, body: 'x' }, [`${A}2`]: { ...ON, body: 'x', links: [`${A}3`] }, [`${A}3`]: ON };
    const crawl = await smallCrawl({ web, seeds: [`${A}1`, `${A}2`] });
    expect(crawl.line(`${A}2`)).toMatchObject({ state: 'duplicate', reason: `payload of ${A}1` });
    expect(crawl.records.map(({ url }) => url)).toEqual([`${A}1`, `${A}3`]);
  });

  test('a record and the settlement that keeps its page are of one commit, at concurrency 8', async () => {
    const crawl = await smallCrawl({ ...randomWeb(600, 40, 9), limits: { concurrency: 8 }, latency: (url) => 20 + (url.length % 7) * 30 });
    expect(crawl.commits.length).toBeGreaterThan(5);
    expectSound(crawl);
    expect(crawl.commits.at(-1)?.kept).toEqual(crawl.records.map(({ url }) => url));
    expect(crawl.records.every(({ url, id }) => crawl.fate(url)?.recordId === id)).toBe(true);
  });

  test('the record says by which link the page was found, and what it was judged by', async () => {
    const web = { [`${A}1`]: { ...ON, links: [[`${A}2`, '0.7']] }, [`${A}2`]: ON } satisfies SmallWeb;
    const { records } = await smallCrawl({ web, seeds: [`${A}1`] });
    expect(records[1]).toMatchObject({ url: `${A}2`, referrer: `${A}1`, anchorText: '0.7', depth: 1, relevance: 0.9, threshold: 0.5 });
    expect(records[0]).toMatchObject({ referrer: null, depth: 0, modelId: 'small' });
  });
});
