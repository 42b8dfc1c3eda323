/** A crawl that is led to private addresses in every way there is: not one request leaves for any of them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/core/clock.ts';
import { HttpFetcher } from '../../src/crawling/fetch/http-fetcher.ts';
import { hostnameIsPrivate } from '../../src/crawling/fetch/ssrf.ts';
import { type LoopbackProxy, startLoopbackProxy } from '../support/loopback-proxy.ts';
import { type HostileCrawl, hostileCrawl } from './hostile-crawl.ts';

/** Spellings of addresses that are not on the public internet, one of each kind of block and of literal. */
const LITERALS = [
  ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0', '10.0.0.1', '172.16.0.1', '192.168.0.1'],
  ...['169.254.169.254', '100.64.0.1', '192.0.0.8', '198.18.0.1', '224.0.0.1', '255.255.255.255', 'localhost', 'a.localhost'],
  ...['[::]', '[::1]', '[::ffff:10.0.0.1]', '[::7f00:1]', '[fc00::1]', '[fe80::1]', '[ff02::1]', '[64:ff9b::7f00:1]'],
  ...['[64:ff9b:1::808:808]', '[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]'],
];
const HTML = { 'content-type': 'text/html' };

type Answer = readonly [status: number, headers: Readonly<Record<string, string>>, body?: string];

/** By host and path; all else is 404. */
const SITES: Readonly<Record<string, Answer>> = {
  'start.example/': [200, HTML, `<p>start</p>${LITERALS.map((host) => `<a href="http://${host}/from-page">x</a>`).join('')}`],
  'redirect.example/': [302, { location: 'http://10.0.0.2/from-redirect' }],
  'robots.example/robots.txt': [302, { location: 'http://127.0.0.2/from-robots' }],
  'robots.example/': [200, HTML, '<p>never asked for</p>'],
  'map.example/robots.txt': [200, {}, 'Sitemap: http://map.example/map.xml\nSitemap: http://192.168.0.2/from-robots'],
  'map.example/': [200, HTML, '<p>mapped</p>'],
  'map.example/map.xml': [302, { location: 'http://[::1]/from-sitemap.xml' }],
  'feed.example/': [200, HTML, '<link rel="alternate" type="application/rss+xml" href="http://169.254.0.2/from-page"><p>fed</p>'],
  'rights.example/': [200, HTML, '<p>reserved</p>'],
  'rights.example/.well-known/tdmrep.json': [301, { location: 'http://[fd00::2]/from-rights' }],
};

const site = createServer((request, response) => {
  const [status, headers, body = ''] = SITES[`${request.headers.host}${request.url}`] ?? [404, {}];
  response.writeHead(status, headers).end(body);
});
let proxy: LoopbackProxy;
let crawl: HostileCrawl;

// The guard would refuse a loopback server itself: only a proxy, which may be private, lets a whole crawl run with the guard on.
beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  proxy = await startLoopbackProxy({ http: port, connect: port });
  const fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, proxy: proxy.address });
  const hosts = [...new Set(Object.keys(SITES).map((place) => place.split('/', 1)[0]))];
  crawl = await hostileCrawl({ fetcher, seeds: hosts.map((host) => `http://${host}/`) });
  await fetcher.close();
});
afterAll(async () => {
  await proxy.close();
  site.closeAllConnections();
  site.close();
});

describe('a private address is refused before any connection', () => {
  test.each(LITERALS)('written %s', (host) => {
    expect(crawl.end(`http://${host}/from-page`)).toBe('refused private-address');
  });

  test.each([
    ['a redirect', 'http://10.0.0.2/from-redirect'],
    ['a sitemap’s redirect', 'http://[::1]/from-sitemap.xml'],
    ['a robots.txt’s list of sitemaps', 'http://192.168.0.2/from-robots'],
    ['a page’s feed', 'http://169.254.0.2/from-page'],
    ['the redirect of a file of reservations', 'http://[fd00::2]/from-rights'],
  ])('that %s leads to', (_way, url) => {
    expect(crawl.end(url)).toBe('refused private-address');
  });

  test('that a robots.txt redirects to: its host is left alone', () => {
    expect(crawl.end('http://robots.example/')).toBe('refused robots-unreachable:private-address');
  });

  test('and none was asked for, nor looked up by the proxy', () => {
    expect(proxy.log.length).toBeGreaterThan(12);
    expect(proxy.log.filter(({ target }) => hostnameIsPrivate(new URL(target).hostname))).toEqual([]);
    expect(crawl.end('http://start.example/')).toBe('kept');
  });
});
