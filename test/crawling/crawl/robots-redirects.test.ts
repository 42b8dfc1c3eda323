/** A robots.txt that redirects: each host that is asked for it is asked by its own clock. */
import { describe, expect, test } from 'vitest';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { failure, redirect, type SmallCrawl, type SmallCrawlOptions, type SmallPage, smallCrawl } from './small-crawl.ts';

const ON = { relevance: 0.9 } satisfies SmallPage;
const DELAY = 2000;
const B = 'http://b.test';

/** Hosts `http://n0.test` … with one page each, whose robots.txt redirects. */
function hostsTo(count: number, target: (i: number) => string) {
  const hosts = Array.from({ length: count }, (_, i) => `http://n${i}.test`);
  return {
    seeds: hosts.map((host) => `${host}/`),
    web: Object.fromEntries(hosts.map((host) => [`${host}/`, ON])),
    robotsFiles: Object.fromEntries(hosts.map((host, i) => [`${host}/robots.txt`, redirect(target(i))])),
  };
}

function politely(options: SmallCrawlOptions): Promise<SmallCrawl> {
  return smallCrawl({ delay: DELAY, limits: { concurrency: 16 }, latency: () => 400, ...options });
}

function requestsTo({ requests }: SmallCrawl, host: string) {
  return requests.filter(({ url }) => hostKeyOf(urlOf(url)) === host);
}

/** No host is asked twice at a time, nor before it has rested. */
function expectRests(crawl: SmallCrawl, groupOf: (host: string) => string = (host) => host, delay = DELAY): void {
  const ends = new Map<string, number>();
  for (const { url, start, end } of crawl.requests) {
    const group = groupOf(hostKeyOf(urlOf(url)));
    expect(start - (ends.get(group) ?? Number.NEGATIVE_INFINITY), url).toBeGreaterThanOrEqual(delay);
    ends.set(group, end);
  }
  expect(crawl.stopped).toBe('drained');
}

const urlsOf = (requests: SmallCrawl['requests']) => requests.map(({ url }) => url);

describe('thirty hosts whose robots.txt redirects to one host', () => {
  test('that forbids the target: its robots.txt is its only request, and no page is asked for', async () => {
    const given = hostsTo(30, (i) => `${B}/private/${i}`);
    const crawl = await politely({ ...given, robotsFiles: { ...given.robotsFiles, [`${B}/robots.txt`]: 'User-agent: *\nDisallow: /' } });
    expectRests(crawl);
    expect(urlsOf(requestsTo(crawl, B))).toEqual([`${B}/robots.txt`]);
    expect(crawl.clock.now() - 1_000_000).toBeLessThan(12 * DELAY);
    expect(crawl.line('http://n7.test/')).toMatchObject({ state: 'refused', reason: 'robots-unreachable:robots' });
  });

  test('that has a file for each: one after the other, while other hosts are asked', async () => {
    const given = hostsTo(30, (i) => `${B}/rules/${i}`);
    const rules = Object.fromEntries(given.seeds.map((_, i) => [`${B}/rules/${i}`, i % 2 ? 'User-agent: *\nDisallow: /' : '']));
    const others = Array.from({ length: 20 }, (_, i) => `http://other${i}.test/`);
    const web = { ...given.web, ...Object.fromEntries(others.map((url) => [url, ON])) };
    const crawl = await politely({ seeds: [...given.seeds, ...others], web, robotsFiles: { ...given.robotsFiles, ...rules } });
    expectRests(crawl);
    expect(requestsTo(crawl, B)).toHaveLength(31);
    expect([crawl.line('http://n6.test/').state, crawl.line('http://n7.test/').reason]).toEqual(['kept', 'robots']);
    const lastOther = Math.max(...crawl.requests.filter(({ url }) => url.startsWith('http://other')).map(({ end }) => end));
    expect(lastOther - 1_000_000).toBeLessThan(10 * DELAY);
    expect(crawl.leased).toBeLessThan(300);
  });

  test('that is crawled itself: one clock, its Crawl-delay too', async () => {
    const given = hostsTo(6, (i) => `${B}/rules/${i}`);
    const own = Array.from({ length: 5 }, (_, i) => `${B}/page/${i}`);
    const web = { ...given.web, ...Object.fromEntries(own.map((url) => [url, ON])) };
    const robotsFiles = { ...given.robotsFiles, [`${B}/robots.txt`]: 'User-agent: *\nCrawl-delay: 9' };
    const crawl = await politely({ seeds: [...given.seeds, ...own], web, robotsFiles });
    expectRests(crawl);
    expectRests({ ...crawl, stopped: 'drained', requests: requestsTo(crawl, B) }, undefined, 9000);
    expect(own.map((url) => crawl.line(url).state)).toEqual(own.map(() => 'kept'));
  });

  test('whose first URL is found while it is asked: the same clock', async () => {
    const given = hostsTo(4, (i) => `${B}/rules/${i}`);
    const web = { ...given.web, 'http://z.test/': { ...ON, links: [`${B}/1`, `${B}/2`] }, [`${B}/1`]: ON, [`${B}/2`]: ON };
    const crawl = await politely({ seeds: [...given.seeds, 'http://z.test/'], web, robotsFiles: given.robotsFiles });
    expectRests(crawl);
    expect(crawl.line(`${B}/2`).state).toBe('kept');
  });
});

test('a chain over several hosts rests each of them, and its file counts', async () => {
  const chain = ['a', 'b', 'c', 'd'].map((name) => `http://${name}.test/robots.txt`);
  const redirects = Object.fromEntries(chain.slice(1).map((to, i) => [chain[i], redirect(to)]));
  const crawl = await politely({
    seeds: ['http://a.test/no', 'http://a.test/yes', 'http://c.test/no'],
    web: { 'http://a.test/yes': ON },
    robotsFiles: { ...redirects, 'http://d.test/robots.txt': 'User-agent: *\nDisallow: /no' },
  });
  expectRests(crawl);
  expect(urlsOf(crawl.requests)).toEqual(expect.arrayContaining(chain));
  expect(crawl.requests).toHaveLength(5);
  expect(['http://a.test/no', 'http://a.test/yes', 'http://c.test/no'].map((url) => crawl.line(url).state)).toEqual([
    'refused',
    'kept',
    'refused',
  ]);
});

test('from http to https of one machine: one request each, with the delay of their group in between', async () => {
  const group = () => 'ip 192.0.2.1';
  const crawl = await politely({
    seeds: ['http://a.test/', 'https://a.test/', 'http://www.a.test/'],
    web: { 'http://a.test/': ON, 'https://a.test/': ON, 'http://www.a.test/': ON },
    groupsOf: () => [group()],
    robotsFiles: {
      'http://a.test/robots.txt': redirect('https://a.test/robots.txt'),
      'http://www.a.test/robots.txt': redirect('https://a.test/robots.txt'),
      'https://a.test/robots.txt': '',
    },
  });
  expectRests(crawl, group);
  expect(crawl.requests).toHaveLength(6);
});

test('to a host that is given up: no request, and the URLs wait for the next run', async () => {
  const tries = Array.from({ length: 40 }, (_, i) => `${B}/${i}`);
  const given = hostsTo(3, (i) => `${B}/rules/${i}`);
  const web = {
    ...Object.fromEntries(tries.map((url) => [url, failure('connect')])),
    'http://z.test/': { ...ON, links: given.seeds.map((url) => [url, '0.001'] as const) },
    ...given.web,
  };
  const crawl = await politely({
    seeds: [...tries, 'http://z.test/'],
    web,
    robotsFiles: given.robotsFiles,
    limits: { concurrency: 1, patience: 3_600_000 },
  });
  expectRests(crawl);
  if (crawl.line(`${B}/39`).state !== 'parked') throw new Error('the host was not given up');
  expect(urlsOf(requestsTo(crawl, B)).filter((url) => url.includes('/rules/'))).toEqual([]);
  expect(crawl.line(given.seeds[1] ?? '')).toMatchObject({ state: 'parked', reason: 'host-unreachable' });
});
