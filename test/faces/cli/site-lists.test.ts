/** Ten hosts and their sitemaps, good and bad: the requests by the server's own log, the memory, the ledger. `IS_WHOLE` has a million URLs. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { LedgerLine } from 'forager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_WHOLE, size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, start } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const onTopic = small.web.urlsOf(small.topic);
/** URLs of one sitemap, of which the large host has twenty. */
const OF_LARGE = size(50_000, 100);
const urlset = (...entries: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('')}</urlset>`;
const loc = (url: string, more = '') => `<url><loc>${url}</loc>${more}</url>`;
const index = (...urls: string[]) => `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
const at = (host: string, path: string) => `http://${host}.example${path}`;

const asked: string[] = [];
type Answer = (response: ServerResponse) => void;
const send =
  (body: string | Uint8Array, type = 'text/xml', status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);
const to =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location }).end();

/** Spaces without end, as long as the client listens. */
const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/xml' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

/** A page on topic, without links. */
function page(nth: number): Answer {
  const { host, pathname } = new URL(onTopic[nth % onTopic.length] ?? '');
  const html = Buffer.from(small.web.source.get(host, pathname)?.body ?? []).toString();
  return send(html.replace(/ href="[^"]*"/g, '').replace('<body', `<body data-nth="${nth}"`), 'text/html');
}

const large = Array.from({ length: 20 }, (_, i) => at('large', `/maps/${i}.xml.gz`));
const names = ['index', 'large', 'alternates', 'lying', 'greedy', 'bomb', 'entities', 'endless', 'away', 'without'];
const files: Record<string, Answer> = {
  [at('index', '/robots.txt')]: send(`Sitemap: ${at('index', '/main.xml')}\nUser-agent: *\nDisallow: /closed\n`, 'text/plain'),
  // An index that names itself, another index that names it, and an index below three others.
  [at('index', '/main.xml')]: send(index(at('index', '/main.xml'), at('index', '/a.xml'), at('index', '/pages.xml.gz'))),
  [at('index', '/a.xml')]: send(index(at('index', '/main.xml'), at('index', '/b.xml'))),
  [at('index', '/b.xml')]: send(index(at('index', '/c.xml'))),
  [at('index', '/pages.xml.gz')]: send(gzipSync(urlset(loc(at('index', '/1')), loc(at('index', '/closed/2')))), 'application/gzip'),
  [at('large', '/robots.txt')]: send(`sitemap: ${at('large', '/maps/index.xml')}\n`, 'text/plain'),
  [at('large', '/maps/index.xml')]: send(index(...large)),
  [at('alternates', '/sitemap.xml')]: send(
    urlset(
      loc(at('alternates', '/en'), `<xhtml:link rel="alternate" hreflang="de" href="${at('alternates', '/de')}"/>`),
      loc(at('alternates', '/fr'), `<xhtml:link rel="stylesheet" href="${at('alternates', '/style')}"/>`),
    ),
  ),
  [at('lying', '/sitemap.xml')]: send(
    urlset(
      loc(at('lying', '/old'), '<lastmod>9999-99-99</lastmod><priority>17</priority>'),
      loc(at('lying', '/new'), '<lastmod>-1</lastmod>'),
    ),
  ),
  [at('greedy', '/sitemap.xml')]: send(
    urlset(loc('http://victim.example/1'), loc('http://www.greedy.example/own'), loc(at('greedy', '/own')), loc('javascript:alert(1)')),
  ),
  [at('bomb', '/sitemap.xml')]: send(
    gzipSync(urlset(loc(at('bomb', '/before'))).replace('</urlset>', ' '.repeat(size(300_000_000, 3_000_000)))),
  ),
  [at('entities', '/sitemap.xml')]: send(
    `<!DOCTYPE urlset [<!ENTITY a "${'ha'.repeat(50)}"><!ENTITY b "${'&a;'.repeat(50)}"><!ENTITY c "${'&b;'.repeat(50)}"><!ENTITY x SYSTEM "http://victim.example/entity">]>${urlset(
      loc(at('entities', '/&c;')),
      loc('&x;'),
      loc(at('entities', '/kept')),
    )}`,
  ),
  [at('endless', '/sitemap.xml')]: IS_WHOLE ? endless : send(urlset().replace('</urlset>', '<url>'.repeat(10_000))),
  [at('away', '/robots.txt')]: send(`Sitemap: ${at('away', '/moved.xml')}\nSitemap: ${at('away', '/home.xml')}\n`, 'text/plain'),
  [at('away', '/moved.xml')]: to('http://other.example/list.xml'),
  [at('away', '/home.xml')]: to(at('away', '/start')),
  'http://other.example/list.xml': send(urlset(loc('http://other.example/1'), loc(at('away', '/1')))),
};
for (const [i, url] of large.entries()) {
  const urls = Array.from({ length: OF_LARGE }, (_, k) => loc(at('large', `/${i}/${k}`)));
  files[url] = send(gzipSync(urlset(...urls)), 'application/gzip');
}
for (const [i, name] of names.entries()) files[at(name, '/')] = page(i);
for (const [i, url] of [at('index', '/1'), at('alternates', '/de'), at('lying', '/old'), at('away', '/start')].entries())
  files[url] = page(20 + i);

const server = createServer((request, response) => {
  const url = request.url ?? '';
  if (!url.endsWith('/tdmrep.json')) asked.push(url);
  (files[url] ?? send('no such page', 'text/html', 404))(response);
});
let proxy = '';
let lines: Map<string, LedgerLine>;
let peak = 0;

/** @returns the requests of the crawl */
async function crawled(name: string, seeds: readonly string[], ...more: string[]): Promise<string[]> {
  const before = asked.length;
  const args = ['--topic', await trainedOn(small), '--seeds', ...seeds.map((host) => at(host, '/')), '--delay', '0', '--concurrency', '4'];
  await done('crawl', small.path(name), '--proxy', proxy, ...args, ...more);
  return asked.slice(before);
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - before);
  }, 50);
  await crawled('lists', names, '--max-pages', '30');
  clearInterval(watch);
  lines = new Map(jsonLines<LedgerLine>(await done('ledger', small.path('lists'))).map((line) => [line.url, line]));
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await small.close();
});

const found = (url: string) => {
  const { state, reason, referrer } = lines.get(url) ?? {};
  return [state, reason, referrer];
};

describe('ten hosts', () => {
  test('each list is asked for once, before any page that is not a seed; loops of indexes end', () => {
    const lists = asked.filter((url) => /\.xml(\.gz)?$/.test(url));
    expect(lists.length).toBe(new Set(lists).size);
    expect(lists).not.toContain(at('index', '/c.xml'));
    for (const name of names) expect(lists.filter((url) => new URL(url).host === `${name}.example`).length).toBeLessThanOrEqual(25);
    const pages = asked.filter((url) => !lists.includes(url) && !url.endsWith('/robots.txt'));
    expect(new Set(pages.slice(0, 10))).toEqual(new Set(names.map((name) => at(name, '/'))));
  });

  test('the ledger has every URL with the list that named it', () => {
    expect(found(at('index', '/main.xml'))).toEqual(['fetched', 'sitemap:2', at('index', '/')]);
    expect(lines.get(at('index', '/1'))).toMatchObject({ referrer: at('index', '/pages.xml.gz') });
    expect(lines.get(at('large', '/19/7'))).toMatchObject({ referrer: large[19] });
    expect([...lines.keys()].filter((url) => /large\.example\/\d/.test(url))).toHaveLength(20 * OF_LARGE);
    expect([at('alternates', '/en'), at('alternates', '/de'), at('alternates', '/fr')].every((url) => lines.has(url))).toBe(true);
    expect(lines.has(at('alternates', '/style'))).toBe(false);
    expect(found(at('lying', '/sitemap.xml'))).toEqual(['fetched', 'sitemap:2', at('lying', '/')]);
  });

  test('a hostile list costs its host alone: no other host is asked for it, and no more is unpacked or read than the cap', () => {
    expect(asked.filter((url) => url.startsWith('http://victim.example'))).toEqual([]);
    expect(found(at('greedy', '/sitemap.xml'))).toEqual(['fetched', 'sitemap:2', at('greedy', '/')]);
    expect(found(at('bomb', '/sitemap.xml'))).toEqual(['fetched', 'sitemap:1', at('bomb', '/')]);
    expect(lines.has(at('entities', '/kept'))).toBe(true);
    expect([...lines.keys()].filter((url) => url.includes('haha') || url.includes('victim'))).toEqual([]);
    expect(found(at('endless', '/sitemap.xml'))[0]).toMatch(/fetched|failed/);
    // The target of a redirect has a host of its own, whose pages alone it may list; a front page is not taken for a list.
    expect(lines.get('http://other.example/1')).toMatchObject({ referrer: 'http://other.example/list.xml' });
    expect(lines.has(at('away', '/1'))).toBe(false);
    expect(found(at('away', '/home.xml'))).toEqual(['fetched', `redirect:${at('away', '/start')}`, at('away', '/')]);
  });

  test('memory is bounded', () => {
    // The whole extent: 50 MB of a list at a time, and a frontier of a million URLs.
    expect(peak).toBeLessThan(size(1_500, 700) * 1024 * 1024);
  });
});

test('a crawl of hosts without sitemaps asks each for one URL more than one that asks for none', async () => {
  const seeds = ['without', 'nothing'];
  files[at('nothing', '/')] = page(40);
  const plain = await crawled('never', seeds, '--sitemaps', 'never');
  const auto = await crawled('auto', seeds);
  const more = auto.filter((url) => !plain.includes(url));
  expect(more.sort()).toEqual([at('nothing', '/sitemap.xml'), at('without', '/sitemap.xml')]);
  expect(auto.length).toBe(plain.length + 2);
});

wholeTest(
  'a crawl that is killed between the lists of a site, or while it reads one, goes on to the state of one that was not',
  async () => {
    const args = async (name: string) => [
      ...['crawl', small.path(name), '--topic', await trainedOn(small), '--seeds', at('large', '/'), '--proxy', proxy],
      ...['--delay', '0', '--concurrency', '1', '--max-pages', '4'],
    ];
    const facts = async (name: string) =>
      jsonLines<LedgerLine>(await done('ledger', small.path(name))).map((line) =>
        [line.url, line.state, line.reason, line.referrer, line.depth, line.priority, line.order].join(' '),
      );
    await done(...(await args('whole')));
    for (const nth of [0, 7]) {
      const name = `killed-${nth}`;
      const before = asked.length;
      const killed = start(await args(name));
      while (killed.child.exitCode === null && !asked.slice(before).includes(large[nth] ?? ''))
        await new Promise((resolve) => setTimeout(resolve, 2));
      killed.child.kill('SIGKILL');
      await killed.ended;
      await done(...(await args(name)));
      expect(await facts(name)).toEqual(await facts('whole'));
    }
  },
);
