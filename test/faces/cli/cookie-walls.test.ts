/** A crawl of a site that leads each reader over a page of consent: with cookies it gets the pages, without it names the wall. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CrawlStatus, ledger, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done } from './forager.ts';
import { smallWeb } from './small-web.ts';

const small = smallWeb();
const asked: string[] = [];
const text = `<h1>Moss</h1><p>${'Moss grows on the bog, and sphagnum moss is a moss of the bog. '.repeat(12)}</p>`;
const server = createServer(({ url = '', headers: { cookie = '' } }, response) => {
  asked.push(url);
  if (url === '/robots.txt') return response.writeHead(404).end();
  if (url.startsWith('/privacy/')) {
    const back = decodeURIComponent(url.slice('/privacy/'.length));
    const field = back === '/closed' ? 'other=1; path=/' : `ok${back.length}=1; path=${back}`;
    return response.writeHead(303, { location: back, 'set-cookie': field }).end();
  }
  if (url === '/') return html(`${text}<a href="/one">moss</a> <a href="/second">moss</a> <a href="/closed">moss</a>`);
  if (/ok\d=1/.test(cookie)) return html(`${text}<p>${url}</p>`);
  if (url === '/second') return html(`<meta http-equiv=refresh content="1;url=/privacy/${encodeURIComponent(url)}">One moment`);
  return response.writeHead(302, { location: `/privacy/${encodeURIComponent(url)}` }).end();

  function html(body: string) {
    return response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Moss ${url}</title>${body}`);
  }
});
let at: string;
let args: string[];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await done('train', '--keywords', 'moss, sphagnum, bog', '--out', small.path('moss'));
  args = ['--topic', small.path('moss'), '--seeds', `${at}/`, '--allow-private', '--delay', '0', '--workers', '1'];
});
afterAll(async () => {
  server.close();
  await small.close();
});

async function endsOf(dir: string): Promise<Record<string, string>> {
  const ends: Record<string, string> = {};
  for await (const { url, state, reason } of ledger(dir)) ends[decodeURIComponent(new URL(url).pathname)] = `${state} ${reason}`.trim();
  return ends;
}

test('with cookies, what they open is kept, and the rest is named a wall', async () => {
  const dir = small.path('with');
  await done('crawl', dir, ...args, '--cookies');
  const ends = await endsOf(dir);
  expect(ends).toMatchObject({ '/': 'kept', '/one': 'kept', '/second': 'kept', '/closed': 'refused consent-wall' });
  expect(ends['/privacy//one']).toBe(`fetched redirect:${at}/one`);
  for (const path of ['/one', '/second', '/closed']) expect(asked.filter((one) => one === path)).toHaveLength(2);
  const { counts, walls }: CrawlStatus = await status(dir);
  expect(counts).toMatchObject({ visited: 7, kept: 3 });
  expect(walls).toEqual([{ host: at, wall: 'consent-wall', pages: 1, visited: 7 }]);
});

test('without, no page is asked twice, and the way back is named with its remedy', async () => {
  asked.length = 0;
  const dir = small.path('without');
  const told = await done('crawl', dir, ...args);
  const ends = await endsOf(dir);
  for (const path of ['/privacy//one', '/privacy//second', '/privacy//closed']) expect(ends[path]).toBe('failed needs-cookies');
  expect(ends['/one']).toBe(`fetched redirect:${at}/privacy/${encodeURIComponent('/one')}`);
  expect(new Set(asked).size).toBe(asked.length);
  expect(told).toContain('--cookies keeps cookies');
});
