/** The dates of a sitemap in a continuous crawl, with the threads that read it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const HOST = 'http://dated.example';
const SITEMAP = `${HOST}/sitemap.xml`;
const bodies = small.web.urlsOf(small.topic).map((url) => {
  const { hostname, pathname } = new URL(url);
  return String(small.web.source.get(hostname, pathname)?.body);
});
const pages = bodies.slice(0, 20).map((_, i) => `${HOST}/${i}.html`);
const dates = new Map<string, string>();
const asked: string[] = [];
const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  const page = bodies[pages.indexOf(url)];
  const listed = pages.map((one) => `<url><loc>${one}</loc><lastmod>${dates.get(one) ?? '2026-01-01T00:00:00Z'}</lastmod></url>`);
  if (url === SITEMAP)
    response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${listed.join('')}</urlset>`);
  else if (page === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
});
let topic: string;
beforeAll(async () => {
  topic = await trainedOn(small);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await small.close();
});

wholeTest('the page of which the sitemap has a new date is asked next after it', async () => {
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { dir: small.path('dated'), proxy, delay: 0, workers: 1, concurrency: 1, scope: ['host:dated.example'] };
  const { counts } = await crawl({ ...options, topic, seeds: [SITEMAP, ...pages], sitemaps: 'always' });
  expect(counts.kept).toBeGreaterThan(10);
  const changed = pages[13] ?? '';
  dates.set(changed, new Date().toISOString());
  const from = asked.length;
  // A request in two seconds.
  await crawl({ ...options, maxTime: 12_000, continuous: true, revisitBudget: { kind: 'a-day', count: 43_200 } });
  const order = asked.slice(from).filter((url) => url === SITEMAP || pages.includes(url));
  expect(order).toContain(SITEMAP);
  // One may have been due before the sitemap was read.
  expect(order.slice(order.indexOf(SITEMAP) + 1).slice(0, 2)).toContain(changed);
});
