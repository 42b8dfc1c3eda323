/** Hosts that are real on loopback, and what the server's log says of how they were treated. */
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { virtualSource } from '../../../datasets/page-source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import { size } from '../../support/extent.ts';
import { politeCrawl } from '../../support/polite-web.ts';
import { politenessOf, summed } from '../../support/politeness.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { type SmallWeb, smallWeb, trainedOn } from '../cli/small-web.ts';

const small: SmallWeb = smallWeb();
let topic: string;
beforeAll(async () => {
  topic = await trainedOn(small);
});
afterAll(() => small.close());

const HOSTS = size(200, 30);

test(`${HOSTS} hosts on loopback: no overlap, no gap under the delay, Retry-After and Crawl-delay obeyed`, async () => {
  const options = { hosts: HOSTS, pagesPerHost: 3, delay: 100, concurrency: 32 };
  const { report, politeness, pauses, brokenPauses } = await politeCrawl({ ...options, dir: small.path('polite'), topic });
  expect(report).toMatchObject({ stopReason: 'drained', counts: { visited: HOSTS * 3, failed: 0, waiting: 0, hosts: HOSTS } });
  expect(politeness).toHaveLength(HOSTS);
  // Besides the pages a robots.txt and a sitemap each, which no host has.
  expect(summed(politeness)).toMatchObject({ requests: HOSTS * (3 + 2) + HOSTS / 5, overlaps: 0, short: 0 });
  expect([pauses, brokenPauses]).toEqual([HOSTS / 5, 0]);
});

wholeTest('hosts of one registrable domain share their delay with perDomain, and when the crawl is gone on with', async () => {
  const names = ['a.one.example', 'b.one.example', 'one.example', 'a.two.example'];
  const page = (name: string) =>
    `<!doctype html><title>${name}</title><p>This is a page of the host ${name}.</p><p><a href="/2">more</a></p>`;
  const pages = new Map(names.map((name) => [name, new Map(['/', '/2'].map((path) => [path, page(`${name} ${path}`)]))]));
  const web = await startWebProxy(virtualSource(pages));
  const dir = small.path('domain');
  const domainOf = (host: string) => host.split('.').slice(-2).join('.');
  try {
    const seeds = names.map((name) => `http://${name}/`);
    await crawl({ dir, topic, seeds, proxy: web.proxy, delay: 100, perDomain: true, maxPages: 4, workers: 1 });
    const { counts } = await crawl({ dir, workers: 1 });
    expect(counts).toMatchObject({ visited: 8, waiting: 0 });
    const politeness = politenessOf(
      web.log.map((line) => ({ ...line, host: domainOf(line.host) })),
      () => 100,
    );
    expect(politeness.map(({ host, requests, overlaps, short }) => [host, requests > 6, overlaps, short])).toEqual([
      ['one.example', true, 0, 0],
      ['two.example', false, 0, 0],
    ]);
  } finally {
    await web.close();
  }
});
