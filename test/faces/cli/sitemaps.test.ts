import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { LedgerLine } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notFound, type PageAnswer, type PageSource } from '../../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import { sample } from '../../support/extent.ts';
import { done, forager, jsonLines } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

/** Pages of the small web that nothing links to here: only sitemaps and feeds lead to them. */
const small = smallWeb();
const dir = small.path('crawl');
const onTopic = small.web.urlsOf(small.topic).slice(0, 8);
const [seed = '', zipped = '', nested = '', fed = '', denied = ''] = onTopic;
const HOST = 'moss.example';
/** Of a crawl that was without lists: what is stored. */
const LATER_WORDS = [
  ['--sitemaps=on', 'auto'],
  ['--sitemaps=always', 'always'],
  ['--sitemaps', 'auto'],
] as const;
/** In a file: what is stored. */
const WRITTEN = [
  ['always', 'always'],
  ['off', 'never'],
  ['true', 'auto'],
  ['false', 'never'],
  ['auto', 'auto'],
] as const;
let web: RunningWeb;
let args: string[];
let lines: Map<string, LedgerLine>;

/** The HTML of a page without its links, at an address of its own. */
function bare(url: string, head = ''): PageAnswer {
  const { host, pathname } = new URL(url);
  const html = Buffer.from(small.web.source.get(host, pathname)?.body ?? []).toString();
  return {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(html.replace(/ href="[^"]*"/g, '').replace('<head>', `<head>${head}`)),
  };
}

function file(type: string, content: string | Uint8Array): PageAnswer {
  return { status: 200, headers: { 'content-type': type }, body: Buffer.from(content) };
}

function at(path: string): string {
  return `http://${HOST}${path}`;
}

function urlset(...paths: string[]): string {
  return `<urlset>${paths.map((path) => `<url><loc>${at(path)}</loc></url>`).join('')}</urlset>`;
}

const answers: Readonly<Record<string, PageAnswer>> = {
  '/': bare(seed, '<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="next" href="/next">'),
  '/sitemap.xml': file('application/xml', gzipSync(urlset('/zipped', '/picture.png'))),
  '/index.xml': file('text/xml', `<sitemapindex><sitemap><loc>${at('/nested.xml.gz')}</loc></sitemap></sitemapindex>`),
  '/nested.xml.gz': file('application/gzip', gzipSync(urlset('/nested', '/closed/page', '/missing'))),
  '/feed': file('application/rss+xml', `<rss><channel><item><title>All of it</title><link>${at('/fed')}</link></item></channel></rss>`),
  '/zipped': bare(zipped),
  '/nested': bare(nested),
  '/fed': bare(fed),
  '/next': bare(denied),
  '/list.txt': file('text/plain', `${at('/zipped')}\n${at('/fed')}\n`),
  '/as-html.xml': file('text/html', urlset('/zipped')),
  '/opml.xml': file('text/xml', '<opml><body/></opml>'),
  '/empty.xml': file('text/xml', '<urlset></urlset>'),
};
const source: PageSource = { get: (host, path) => (host === HOST ? (answers[path] ?? notFound()) : null) };

beforeAll(async () => {
  const robots = `User-agent: *\nDisallow: /closed/\nSitemap: ${at('/index.xml')}\nSitemap: http://127.0.0.1:9/private.xml\nSitemap: /sitemap.xml\n`;
  web = await startWebProxy(source, { robots: new Map([[HOST, robots]]) });
  const topic = await trainedOn(small);
  args = ['crawl', dir, '--topic', topic, '--seeds', at('/'), '--proxy', web.proxy, '--delay', '0', '--concurrency', '1', '--record'];
  await done(...args, '--sitemaps', '--max-pages', '2');
  await done('crawl', dir, '--proxy', web.proxy);
  lines = new Map(jsonLines<LedgerLine>(await done('ledger', dir)).map((line) => [line.url, line]));
});
afterAll(async () => {
  await web.close();
  await small.close();
});

function line(path: string) {
  const { state, reason, referrer } = lines.get(at(path)) ?? {};
  return [state, reason, referrer];
}

test('sitemaps of the seed and of robots.txt, indexes, gzip and a feed lead to pages; a resumed crawl goes on with it', () => {
  expect(line('/')).toEqual(['kept', '', null]);
  expect(line('/sitemap.xml')).toEqual(['fetched', 'sitemap:2', at('/')]);
  expect(line('/index.xml')).toEqual(['fetched', 'sitemap:1', at('/')]);
  expect(line('/nested.xml.gz')).toEqual(['fetched', 'sitemap:3', at('/index.xml')]);
  expect(line('/feed')).toEqual(['fetched', 'feed:1', at('/')]);
  expect(line('/zipped')).toEqual(['kept', '', at('/sitemap.xml')]);
  expect(line('/nested')).toEqual(['kept', '', at('/nested.xml.gz')]);
  expect(line('/fed')).toEqual(['kept', '', at('/feed')]);
  expect(lines.get(at('/fed'))?.anchorText).toBe('All of it');
  expect(line('/next')).toEqual(['kept', '', at('/')]);
});

test('robots.txt, media endings and dead links count as ever; private addresses are not asked', () => {
  expect(line('/closed/page')).toEqual(['refused', 'robots', at('/nested.xml.gz')]);
  expect(line('/picture.png')).toEqual(['refused', 'content-type', at('/sitemap.xml')]);
  expect(line('/missing')).toEqual(['failed', 'http-4xx', at('/nested.xml.gz')]);
  expect(lines.get('http://127.0.0.1:9/private.xml')).toMatchObject({ state: 'refused', reason: 'private-address' });
  expect(web.log.filter(({ host }) => host !== HOST)).toEqual([]);
});

test('each file is asked for once', () => {
  const paths = web.log.map(({ path }) => path).filter((path) => path !== '/robots.txt');
  expect(paths.sort()).toEqual([
    '/',
    '/.well-known/tdmrep.json',
    '/fed',
    '/feed',
    '/index.xml',
    '/missing',
    '/nested',
    '/nested.xml.gz',
    '/next',
    '/sitemap.xml',
    '/zipped',
  ]);
});

test('why explains a list and what it led to; status counts neither as a followed link', async () => {
  expect(await done('why', dir, at('/nested.xml.gz'))).toContain('a sitemap or feed has priority 1, halved for each index on the way');
  expect(await done('why', dir, at('/nested'))).toContain(`Link from ${at('/nested.xml.gz')}`);
  const { locality } = JSON.parse(await done('status', dir, '--json')) as { locality: unknown };
  expect(locality).toEqual({ ofOnTopicPages: { followed: 1, onTopic: 1 }, ofOffTopicPages: { followed: 0, onTopic: 0 } });
});

test('a frozen web has no lists', async () => {
  const { redirects } = JSON.parse(await done('freeze', dir, '--out', small.path('web.jsonl.gz'), '--json')) as { redirects: number };
  expect(redirects).toBe(0);
});

test('with --sitemaps never, or as it was turned off in 0.2, none is asked for; a crawl of 0.2 goes on as it was', async () => {
  const before = web.log.length;
  const other = args.map((word) => (word === dir ? small.path('plain') : word));
  await done(...other, '--sitemaps', 'never');
  const asked = (from: number) =>
    web.log
      .slice(from)
      .map(({ path }) => path)
      .sort();
  const without = ['/', '/.well-known/tdmrep.json', '/next', '/robots.txt'];
  expect(asked(before)).toEqual(without);
  const file = `${small.path('plain')}/crawl.json`;
  const stored = () => JSON.parse(readFileSync(file, 'utf8')) as object;
  expect(stored()).toMatchObject({ sitemaps: 'never' });
  for (const former of sample([['--no-sitemaps'], ['--sitemaps', 'off'], ['--sitemaps=false']], [0])) {
    const again = web.log.length;
    await done(...other, '--force', ...former);
    expect([asked(again), stored()]).toMatchObject([without, { sitemaps: 'never' }]);
  }
  const { crc32: _, ...manifest } = stored() as { crc32: string };
  writeFileSync(file, JSON.stringify({ ...manifest, sitemaps: false }));
  await done('crawl', small.path('plain'), '--proxy', web.proxy);
  expect(stored()).toMatchObject({ sitemaps: 'never' });
  for (const [word, value] of sample(LATER_WORDS, [1])) {
    await done('crawl', small.path('plain'), '--proxy', web.proxy, word);
    expect(stored()).toMatchObject({ sitemaps: value });
  }
});

test('a file has the values of the option, and the states of its former switch', async () => {
  const config = (value: string) => {
    writeFileSync(small.path('forager.yaml'), `crawl:\n  sitemaps: ${value}\n`);
    return ['crawl', small.path('by-file'), '--config', small.path('forager.yaml'), '--proxy', web.proxy];
  };
  await done(...args.map((word) => (word === dir ? small.path('by-file') : word)), '--max-pages', '1');
  const stored = () => (JSON.parse(readFileSync(`${small.path('by-file')}/crawl.json`, 'utf8')) as { sitemaps: string }).sitemaps;
  expect(stored()).toBe('auto');
  for (const [written, value] of sample(WRITTEN, [1])) {
    await done(...config(written));
    expect([written, stored()]).toEqual([written, value]);
  }
  expect(await forager(...config('sometimes'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('sitemaps sometimes: not one of auto, always, never'),
  });
});

/** A crawl with --sitemaps never from these seeds. */
async function from(name: string, seeds: readonly string[], ...more: string[]) {
  const to = small.path(`seeds-${name}`);
  const ended = await forager(
    ...args.map((word) => (word === dir ? to : word)).filter((word) => word !== '--seeds' && word !== at('/')),
    ...['--sitemaps', 'never', '--seeds', ...seeds.map(at), ...more],
  );
  const found = jsonLines<LedgerLine>(await done('ledger', to)).map(({ url, state, reason }) => [url.slice(at('').length), state, reason]);
  return { ...ended, found };
}

test('a seed may be a list, with --sitemaps never: packed, an index, a feed, a text of URLs, one that is called HTML', async () => {
  const seeds = ['/sitemap.xml', '/index.xml', '/feed', '/list.txt', '/as-html.xml'];
  // A scope is about pages: the addresses of lists need not be in it.
  const { code, stdout, found } = await from('lists', seeds, '--scope', 'regex:/(zipped|nested|fed|list\\.txt)$');
  expect(found.filter(([, state]) => state !== 'refused')).toEqual(
    expect.arrayContaining([
      ['/sitemap.xml', 'fetched', 'sitemap:2'],
      ['/index.xml', 'fetched', 'sitemap:1'],
      ['/feed', 'fetched', 'feed:1'],
      ['/list.txt', 'fetched', 'sitemap:2'],
      ['/as-html.xml', 'fetched', 'sitemap:1'],
      ['/nested.xml.gz', 'fetched', 'sitemap:3'],
      ['/zipped', 'kept', ''],
      ['/nested', 'kept', ''],
      ['/fed', 'kept', ''],
    ]),
  );
  expect({ code, told: stdout.includes('no seed gave a page'), next: found.some(([path]) => path === '/next') }).toEqual({
    code: 0,
    told: false,
    next: false,
  });
});

test('other XML, and a list of nothing, are no start', async () => {
  const { code, stderr, found } = await from('none', ['/opml.xml', '/empty.xml']);
  expect(code).toBe(1);
  expect(found).toEqual([
    ['/opml.xml', 'refused', 'content-type'],
    ['/empty.xml', 'fetched', 'sitemap:0'],
  ]);
  expect(stderr).toContain('opml.xml');
});
