import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { failure, redirect, type SmallCrawl, type SmallPage, smallCrawl } from './small-crawl.ts';

const ON = { relevance: 0.9 } satisfies SmallPage;
const OFF = { relevance: 0.1 } satisfies SmallPage;
const A = 'http://a.test/';
const FILE = 'http://a.test/.well-known/tdmrep.json';
const RULES = [{ location: '/', reserved: true, policy: null }];

function requestsOf({ requests }: SmallCrawl): string[] {
  return requests.map(({ url }) => url);
}

describe('the tdmrep.json of a host', () => {
  const web = { [A]: { ...ON, links: [`${A}1`, `${A}2`, 'http://off.test/'] }, [`${A}1`]: ON, [`${A}2`]: ON, 'http://off.test/': OFF };

  test('is asked for once, by a lease of its own, after the first page kept of the host and before the others', async () => {
    const crawl = await smallCrawl({ web, seeds: [A], reservations: { [FILE]: RULES }, delay: 100 });
    expect(requestsOf(crawl).filter((url) => url.startsWith(A))).toEqual([A, FILE, `${A}1`, `${A}2`]);
    const ofHost = crawl.requests.filter(({ url }) => url.startsWith(A));
    for (const [i, { start }] of ofHost.entries())
      expect(start - (ofHost[i - 1]?.end ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(100);
    expect(crawl.reserved).toMatchObject([{ url: FILE, fetchedAt: isoTime(ofHost[1]?.start ?? 0), to: null, rules: RULES }]);
  });

  test('is no visit: it is in the ledger, and counts and teaches nothing', async () => {
    const scorer = linkScorer('apprentice', { threshold: 0.5, seed: 1 });
    const crawl = await smallCrawl({ web, seeds: [A], reservations: { [FILE]: RULES }, scorer });
    expect(crawl.line(FILE)).toMatchObject({ state: 'fetched', reason: 'reservations:1', referrer: A, status: 200, priority: 1 });
    expect(crawl.frontier.counts()).toMatchObject({ discovered: 5, visited: 4, kept: 3, fetched: 1 });
    expect(scorer.learnedFrom).toBe(4);
    expect(crawl.recorded.map(({ url }) => url)).not.toContain(FILE);
  });

  test('has no place in the order of visits; nor has what robots.txt refuses', async () => {
    const robots = { 'http://off.test': { deny: ['/'] } };
    const crawl = await smallCrawl({ web, seeds: [A], reservations: { [FILE]: RULES }, robots });
    const orders = [...crawl.frontier.ledger()].map(({ url, order }) => [url, order] as const).filter(([, order]) => order !== null);
    expect(crawl.line(FILE).order).toBeNull();
    expect(crawl.line('http://off.test/').order).toBeNull();
    expect(orders.sort(([, a], [, b]) => Number(a) - Number(b))).toEqual([
      [A, 1],
      [`${A}1`, 2],
      [`${A}2`, 3],
    ]);
    // All have one in the order of settlement, by which a resumed crawl goes.
    expect([...crawl.frontier.settled()].map(({ entry }) => entry.url)).toHaveLength(5);
    expect(crawl.frontier.find(urlOf(FILE))?.settled).toBe(2);
  });

  test('is not asked for where no page is kept, nor by a crawl that asks no host', async () => {
    const pages = { [A]: OFF, 'http://b.test/': { ...ON, noindex: true } };
    const crawl = await smallCrawl({ web: pages, seeds: Object.keys(pages), reservations: {} });
    expect(requestsOf(crawl)).toEqual(Object.keys(pages));
    expect(requestsOf(await smallCrawl({ web: { [A]: ON }, seeds: [A] }))).toEqual([A]);
  });

  test('that is not there reserves nothing', async () => {
    const crawl = await smallCrawl({ web: { [A]: ON }, seeds: [A], reservations: {} });
    expect(crawl.line(FILE)).toMatchObject({ state: 'fetched', reason: 'reservations:0', status: 404 });
    expect(crawl.reserved).toMatchObject([{ url: FILE, to: null, rules: [] }]);
  });

  test('that cannot be had is asked for again, and stays unknown when that fails', async () => {
    const crawl = await smallCrawl({ web: { [A]: ON }, seeds: [A], reservations: { [FILE]: failure('http-5xx', 500) } });
    expect(requestsOf(crawl).filter((url) => url === FILE).length).toBeGreaterThan(1);
    expect(crawl.line(FILE)).toMatchObject({ state: 'failed', reason: 'http-5xx' });
    expect(crawl.fate(FILE)?.visited).toBe(false);
    expect(crawl.reserved).toEqual([]);
  });

  test('that redirects is followed as leases of their own, outside of the scope too', async () => {
    const moved = 'http://cdn.test/rights.json';
    const crawl = await smallCrawl({
      web: { [A]: ON },
      seeds: [A],
      reservations: { [FILE]: redirect(moved), [moved]: RULES },
      refuses: (url) => (url.startsWith(A) ? null : 'scope'),
    });
    expect(requestsOf(crawl)).toEqual([A, FILE, moved]);
    expect(crawl.reserved).toMatchObject([
      { url: FILE, to: moved, rules: [] },
      { url: moved, to: null, rules: RULES },
    ]);
    expect(crawl.frontier.counts().visited).toBe(1);
  });

  test('obeys robots.txt', async () => {
    const robots = { 'http://a.test': { deny: ['/.well-known/tdmrep.json'] } };
    const crawl = await smallCrawl({ web: { [A]: ON }, seeds: [A], reservations: { [FILE]: RULES }, robots });
    expect(requestsOf(crawl)).not.toContain(FILE);
    expect(crawl.line(FILE)).toMatchObject({ state: 'refused', reason: 'robots' });
  });
});

test('what a page reserves is in its record, and the crawl keeps and follows it all the same', async () => {
  const reservation = { reserved: true, by: 'header', policy: urlOf('http://a.test/policy') } as const;
  const crawl = await smallCrawl({ web: { [A]: { ...ON, reservation, links: [`${A}1`] }, [`${A}1`]: ON }, seeds: [A] });
  expect(crawl.records.map((record) => record.reservation)).toEqual([reservation, undefined]);
  expect(crawl.line(`${A}1`).state).toBe('kept');
});
