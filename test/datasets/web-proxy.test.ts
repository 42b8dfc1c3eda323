import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { PageCache } from '../../datasets/page-cache.ts';
import { virtualSource } from '../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy, type WebProxyOptions } from '../../datasets/web-proxy.ts';
import { rawExchange, viaProxy } from './proxy-client.ts';

const PAGES = new Map([
  ['a.example', new Map([['/', '<title>A</title>'], ['/x.html', '<title>X</title>']])],
  ['b.example:8080', new Map([['/', '<title>B</title>'], ['/robots.txt', 'User-agent: *\nDisallow: /own\n']])],
]); // biome-ignore format: one host a line
const folder = mkdtempSync(join(tmpdir(), 'web-proxy-'));
const open: RunningWeb[] = [];

async function start(options: WebProxyOptions = {}): Promise<RunningWeb> {
  const web = await startWebProxy(virtualSource(PAGES), options);
  open.push(web);
  return web;
}

afterEach(async () => {
  for (const web of open.splice(0)) await web.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

test('absolute-form requests are answered, host names in any case, queries ignored, port 80 left out', async () => {
  const { port } = await start();
  const reply = await viaProxy(port, 'http://A.Example:80/x.html?q=1');
  expect([reply.status, reply.body.toString(), reply.headers['content-type']]).toEqual([200, '<title>X</title>', 'text/html']);
  expect((await viaProxy(port, 'http://a.example')).body.toString()).toBe('<title>A</title>');
  expect((await viaProxy(port, 'http://a.example?q=1')).body.toString()).toBe('<title>A</title>');
  expect((await viaProxy(port, 'http://b.example:8080/')).body.toString()).toBe('<title>B</title>');
});

test('missing page 404, unknown host 502, other methods 405, HEAD without body but with its length', async () => {
  const { port } = await start();
  expect((await viaProxy(port, 'http://a.example/nothing')).status).toBe(404);
  expect((await viaProxy(port, 'http://b.example/')).status).toBe(502);
  expect((await viaProxy(port, 'http://a.example/', 'POST')).status).toBe(405);
  const head = await viaProxy(port, 'http://a.example/', 'HEAD');
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '16', 0]);
});

test('with gzip, a body is compressed for who accepts it, and the log says so; else never', async () => {
  const web = await start({ gzip: true });
  const asked = (field: string, method = 'GET') => viaProxy(web.port, 'http://a.example/', method, { 'accept-encoding': field });
  for (const field of ['gzip', 'br, GZIP;q=0.5', 'deflate,gzip']) {
    const { headers, body } = await asked(field);
    expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual(['gzip', 'accept-encoding', `${body.length}`]);
    expect(gunzipSync(body).toString()).toBe('<title>A</title>');
  }
  for (const field of ['', 'br', 'gzip;q=0, br', 'xgzip']) expect((await asked(field)).body.toString()).toBe('<title>A</title>');
  expect((await asked('gzip', 'HEAD')).body).toHaveLength(0);
  expect(web.log.map(({ gzip }) => gzip)).toEqual([true, true, true, false, false, false, false, true]);
  const plain = await start();
  const { headers } = await viaProxy(plain.port, 'http://a.example/', 'GET', { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBeUndefined();
});

test('CONNECT is refused with 501', async () => {
  const { port } = await start();
  expect(await rawExchange(port, 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n')).toMatch(/^HTTP\/1\.1 501 /);
});

test('robots.txt: allow all, else what the source has, else what the options say; 502 for unknown hosts', async () => {
  const { port } = await start({ robots: new Map([['a.example', 'User-agent: *\nCrawl-delay: 3\n']]) });
  const other = await start();
  const body = async (at: number, url: string) => (await viaProxy(at, url)).body.toString();
  expect(await body(other.port, 'http://a.example/robots.txt')).toBe('User-agent: *\nAllow: /\n');
  expect(await body(port, 'http://a.example/robots.txt')).toContain('Crawl-delay: 3');
  expect(await body(port, 'http://b.example:8080/robots.txt')).toContain('Disallow: /own');
  expect((await viaProxy(port, 'http://c.example/robots.txt')).status).toBe(502);
});

test('each request is in the log with monotonic times, in memory and in the file', async () => {
  const logFile = join(folder, 'requests.jsonl');
  const web = await start({ logFile });
  await viaProxy(web.port, 'http://a.example/x.html');
  await viaProxy(web.port, 'http://a.example/gone');
  expect(web.log.map(({ host, path, status }) => [host, path, status])).toEqual([
    ['a.example', '/x.html', 200],
    ['a.example', '/gone', 404],
  ]);
  const times = web.log.flatMap((line) => [line.start, line.end]);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  const inMemory = [...web.log];
  await web.close();
  open.length = 0;
  const written = readFileSync(logFile, 'utf8').trim().split('\n');
  expect(written.map((line): unknown => JSON.parse(line))).toEqual(inMemory);
});

test('latency is waited before each answer', async () => {
  const web = await start({ latency: 60 });
  await Promise.all([viaProxy(web.port, 'http://a.example/'), viaProxy(web.port, 'http://a.example/x.html')]);
  expect(web.log).toHaveLength(2);
  for (const line of web.log) expect(line.end - line.start).toBeGreaterThanOrEqual(59);
});

test('a client that leaves during the latency leaves a closed line with status 0', async () => {
  const web = await start({ latency: 60_000 });
  const left = new Promise<void>((resolve) => {
    const sent = get({ host: '127.0.0.1', port: web.port, path: 'http://a.example/', agent: false }).on('error', () => resolve());
    sent.on('socket', (socket) => socket.once('connect', () => setImmediate(() => sent.destroy())));
  });
  await left;
  await expect.poll(() => web.log.every((line) => line.status === 0 && line.end >= line.start)).toBe(true);
});

test('a taken port is an environment error', async () => {
  const { port } = await start();
  await expect(startWebProxy(virtualSource(PAGES), { port })).rejects.toMatchObject({ code: 'ENVIRONMENT' });
});

test('the cache never holds more than its bytes, and gives back what it was given', () => {
  const answers = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 900 })), { maxLength: 200 });
  fc.assert(
    fc.property(answers, (list) => {
      const cache = new PageCache(4000);
      for (const [key, size] of list) {
        const answer = { status: 200, headers: {}, body: new Uint8Array(size) };
        cache.set(String(key), answer);
        expect(cache.get(String(key))).toBe(answer);
        expect(cache.bytes).toBeLessThanOrEqual(4000);
      }
    }),
  );
});

test('the least recently used answer goes first', () => {
  const cache = new PageCache(2 * (512 + 100));
  const answer = { status: 200, headers: {}, body: new Uint8Array(100) };
  cache.set('a', answer);
  cache.set('b', answer);
  cache.get('a');
  cache.set('c', answer);
  expect(['a', 'b', 'c'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c']);
});
