/** Requests outside of the loop of a crawl are as polite as those in it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import { PRODUCT_TOKEN } from '../../../src/base/core/version.ts';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { RobotsCache } from '../../../src/crawling/fetch/robots-cache.ts';
import { PoliteRequests } from '../../../src/faces/app/polite-requests.ts';
import { sitemapUrls } from '../../../src/faces/app/sitemap-urls.ts';
import { urlOf } from '../../support/frontier-values.ts';

const DELAY = 60;
const SIGNAL = new AbortController().signal;
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

interface Asked {
  readonly path: string;
  readonly at: number;
}

/** A host of these pages. A text that begins with `>` is the target of a redirect. */
async function hostOf(pages: Readonly<Record<string, string>>, optedOut = '/none') {
  const asked: Asked[] = [];
  const server: Server = createServer(({ url = '' }, response) => {
    asked.push({ path: url, at: performance.now() });
    const page = pages[url];
    if (page === undefined) response.writeHead(404).end();
    else if (page.startsWith('>')) response.writeHead(302, { location: page.slice(1) }).end();
    else response.writeHead(200, { 'content-type': url.endsWith('.txt') ? 'text/plain' : 'text/html' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetcher = new HttpFetcher({ userAgent: 'test', contact: null, clock: systemClock, allowPrivate: true });
  closers.push(
    () => fetcher.close(),
    () => server.close(),
  );
  const robots = new RobotsCache(fetcher, PRODUCT_TOKEN, systemClock);
  const hostPolicy = { optedOut: (url: string) => url.endsWith(optedOut), groupsOf: async () => [] };
  const requests = new PoliteRequests({ fetcher, robots, hostPolicy }, { delay: DELAY, scope: [], documents: [] });
  return { base, asked, requests, page: (path: string) => requests.page(urlOf(`${base}${path}`), SIGNAL) };
}

test('robots.txt comes first and once, and the host rests before each further request', async () => {
  const { asked, page } = await hostOf({ '/robots.txt': 'User-agent: *\nDisallow: /no', '/a': 'a', '/b': '>/c', '/c': 'c' });
  expect((await page('/a')).page?.status).toBe(200);
  expect(await page('/no/way')).toEqual({ page: null, reason: 'robots' });
  expect((await page('/b')).page?.url).toMatch(/\/c$/);
  expect(await page('/gone')).toEqual({ page: null, reason: 'http-4xx (404)' });
  expect(asked.map(({ path }) => path)).toEqual(['/robots.txt', '/a', '/b', '/c', '/gone']);
  // Timers of Node may be a millisecond early.
  for (const [i, { at }] of asked.entries()) expect(i === 0 || at - (asked[i - 1]?.at ?? 0) >= DELAY - 2).toBe(true);
});

test('a host that opted out is not asked, not even for its rules; endless redirects end', async () => {
  const { asked, page } = await hostOf({ '/round': '>/round?', '/round?': '>/round' }, '/mine');
  expect(await page('/mine')).toEqual({ page: null, reason: 'opt-out' });
  expect(asked).toEqual([]);
  expect((await page('/round')).page).toBeNull();
  expect(asked.length).toBeLessThan(10);
});

test('the delay of the robots.txt counts, and the signal ends the wait', async () => {
  const { asked, requests, base } = await hostOf({ '/robots.txt': 'User-agent: *\nCrawl-delay: 200', '/a': 'a' });
  const stop = new AbortController();
  const page = requests.page(urlOf(`${base}/a`), stop.signal);
  const ended = expect(page).rejects.toThrow();
  await wait(4 * DELAY);
  stop.abort();
  await ended;
  expect(asked.map(({ path }) => path)).toEqual(['/robots.txt']);
});

test('sitemaps behind an index are read; those that are not there are named', async () => {
  const pages: Record<string, string> = {};
  const { base, requests } = await hostOf(pages);
  const sitemap = (...paths: string[]) => `<urlset>${paths.map((path) => `<url><loc>${base}${path}</loc></url>`).join('')}</urlset>`;
  pages['/robots.txt'] = `User-agent: *\nSitemap: ${base}/index.xml\nSitemap: ${base}/lost.xml`;
  pages['/index.xml'] =
    `<sitemapindex><sitemap><loc>${base}/one.xml</loc></sitemap><sitemap><loc>${base}/index.xml</loc></sitemap></sitemapindex>`;
  pages['/one.xml'] = sitemap('/a', '/b');
  const warnings: string[] = [];
  const found: string[] = [];
  for await (const url of sitemapUrls([hostKeyOf(urlOf(`${base}/`))], requests, SIGNAL, (message) => warnings.push(message)))
    found.push(url);
  expect(found).toEqual([`${base}/a`, `${base}/b`]);
  expect(warnings).toEqual([`${base}/lost.xml: is not read (http-4xx (404))`]);
});
