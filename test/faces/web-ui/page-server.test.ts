/** Who may use the page, and what a hostile or slow client can do to it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InProcessRun } from '../../../dist/faces/web-ui/in-process-run.js';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { ROUTES } from '../../../src/faces/web-ui/screens.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb } from '../cli/small-web.ts';
import { PageClient, sent } from './page-client.ts';

const PATHS = ['/', '/events', '/assets/style.css', '/metrics', '/health', '/visits', '/nothing', ...ROUTES.map(({ path }) => path)];
const small = smallWeb();
let page: OpenPage;
let run: InProcessRun;
let client: PageClient;

beforeAll(async () => {
  const { dir } = await crawlToLabel(small, 40);
  run = new InProcessRun({ maxPages: 40, endsAt: null, stop: () => undefined });
  run.opened({ counts: () => ({ visited: 0 }) as never, unpark: () => [], acted: () => undefined, addSeeds: () => undefined });
  page = await openPage({ dir, address: '0', run });
  client = await PageClient.of(page.url);
});
afterAll(async () => {
  await page.close();
  await small.close();
});

test('without the token nothing is told, on no path and by no method', async () => {
  for (const path of PATHS)
    for (const method of ['GET', 'POST', 'PUT', 'HEAD'])
      expect((await sent(client.origin, path, { method })).status, `${method} ${path}`).toBe(401);
  for (const path of ['/?token=', '/?token=x', `/?token=${'a'.repeat(43)}`]) expect((await sent(client.origin, path)).status).toBe(401);
  expect((await sent(client.origin, '/', { headers: { cookie: 'forager=x; other=y' } })).status).toBe(401);
});

test('the token of the address becomes a cookie that no script reads and no other site sends, and leaves the address', async () => {
  const { pathname, search } = new URL(page.url);
  const { status, headers } = await sent(client.origin, `${pathname}${search}`);
  expect(status).toBe(303);
  expect(headers['location']).toBe('/');
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^forager-[0-9a-f]{12}=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/),
    expect.stringMatching(/^forager-[0-9a-f]{12}-browser=[\w-]{16}; HttpOnly; SameSite=Strict; Path=\/$/),
  ]);
  const again = await sent(client.origin, `${pathname}${search}`, { headers: { cookie: client.cookie } });
  expect([again.headers['set-cookie']].flat(), 'the same browser').toHaveLength(1);
  expect((await client.get('/')).status).toBe(200);
  expect((await client.get('/')).text).not.toContain(/=([\w-]{43})/.exec(client.cookie)?.[1]);
});

test('machines use the token as a bearer', async () => {
  const token = new URL(page.url).searchParams.get('token') ?? '';
  const { status, text } = await sent(client.origin, '/metrics', { headers: { authorization: `Bearer ${token}` } });
  expect([status, text.includes('forager_')]).toEqual([200, true]);
});

test('another host name is refused, so that a second name for loopback reaches nothing', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.1', 'a b'])
    expect((await sent(client.origin, '/', { headers: { host, cookie: client.cookie } })).status, host).toBe(403);
  const { port } = new URL(client.origin);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
    expect((await sent(client.origin, '/', { headers: { host, cookie: client.cookie } })).status, host).toBe(200);
});

test('what changes something comes from our own form alone', async () => {
  const form = { method: 'POST', body: 'formToken=x' };
  const cookie = client.cookie;
  for (const headers of [
    { cookie },
    { cookie, origin: client.origin },
    { cookie, origin: 'http://evil.example' },
    { cookie, origin: 'null' },
  ] as Readonly<Record<string, string>>[])
    expect((await sent(client.origin, '/run/pause', { ...form, headers })).status).toBe(403);
  expect(run.state).toBe('running');
  expect((await client.post('/run/pause')).status).toBe(303);
  expect(run.state).toBe('paused');
  expect((await client.post('/run/resume')).headers['location']).toBe('/');
  expect(run.state).toBe('running');
});

test('the token of a form does not help another site, nor a request that does not say where it is from', async () => {
  const formToken = (await client.screen('/')).querySelector('meta[name="form-token"]')?.getAttribute('content') ?? '';
  const body = `formToken=${formToken}`;
  const { port } = new URL(client.origin);
  for (const origin of [undefined, 'null', 'http://evil.example', `https://127.0.0.1:${port}`, `http://127.0.0.1:${Number(port) + 1}`]) {
    const headers = { cookie: client.cookie, ...(origin !== undefined && { origin }) };
    expect((await sent(client.origin, '/run/pause', { method: 'POST', body, headers })).status, origin).toBe(403);
  }
  expect(run.state).toBe('running');
});

test('the token leads to no other site, however many slashes its address has', async () => {
  const token = new URL(page.url).searchParams.get('token') ?? '';
  for (const path of ['/.//evil.example/', `${client.origin}//evil.example/`, '/x/..//evil.example/', '/.//\\\\evil.example/']) {
    const { status, headers } = await sent(client.origin, `${path}?token=${token}`);
    expect([status, headers['location']], path).toEqual([303, '/evil.example/']);
  }
});

test('GET changes nothing: paths that do something know no GET', async () => {
  for (const { method, path } of ROUTES) if (method === 'POST') expect((await client.get(path)).status, path).toBe(405);
  expect(run.state).toBe('running');
});

test('a page may load its own scripts and styles, and nothing else; no answer is stored or told to another site', async () => {
  const { headers, text } = await client.get('/');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'/);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
  expect(text).not.toMatch(/<script(?![^>]*src="\/assets\/)|<style|\sstyle=|\son\w+=/i);
});

test('no path leads out of the assets', async () => {
  for (const path of ['/assets/../page-server.js', '/assets/%2e%2e%2fpage-server.js', '/assets/style.css.map', '/assets/', '/assets/.js'])
    expect((await client.get(path)).status, path).toBe(404);
});

test('a form of more than 4 MB is refused, and the page answers on', async () => {
  const headers = { cookie: client.cookie, origin: client.origin };
  const answer = await sent(client.origin, '/run/pause', { method: 'POST', headers, body: `formToken=${'x'.repeat(5_000_000)}` }).then(
    ({ status }) => status,
    () => 'cut',
  );
  expect([400, 'cut']).toContain(answer);
  expect((await client.get('/')).status).toBe(200);
});

/** @returns sockets that each sent the text, when all are connected */
async function floodOf(count: number, text: string): Promise<Socket[]> {
  const { hostname, port } = new URL(client.origin);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    }),
  );
}

test.each([
  ['a header without its end', 'GET / HTTP/1.1\r\nX: '],
  ['nothing at all', ''],
  ['a form whose body never comes', 'POST /run/pause HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n'],
])('%s on 300 connections without a token shuts nobody out: the oldest make room', async (_, text) => {
  const sockets = await floodOf(300, text);
  const closed = () => sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;
  for (const socket of sockets) socket.resume();
  await expect.poll(closed, { timeout: 3000 }).toBeGreaterThanOrEqual(44);
  for (let i = 0; i < 3; i++) expect((await client.get('/label/people')).status).toBe(404);
  for (const socket of sockets) socket.destroy();
});

wholeTest('a header that does not end is waited for some seconds, not a minute', async () => {
  const [socket] = await floodOf(1, 'GET / HTTP/1.1\r\nX: ');
  socket?.resume();
  const begun = Date.now();
  await once(socket as Socket, 'close');
  expect(Date.now() - begun).toBeLessThan(15_000);
});

test('a flood of a thousand streams and readers that never read: the page answers on', async () => {
  const { hostname, port } = new URL(client.origin);
  const ask = `GET /events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${client.cookie}\r\n\r\n`;
  const first: string[] = [];
  const sockets = Array.from({ length: 1000 }, (_, i) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      first[i] = data.toString().split('\r\n')[0] ?? '';
      socket.pause();
    });
    socket.write(ask);
    return socket;
  });
  await expect.poll(() => first.filter((line) => line === 'HTTP/1.1 200 OK').length, { timeout: 20_000 }).toBe(64);
  for (let i = 0; i < 50; i++) page.take({ type: 'committed', at: 0, settlements: 1, ms: 1 });
  for (const socket of sockets.slice(200)) socket.destroy();
  await expect.poll(async () => (await client.get('/').catch(() => ({ status: 0 }))).status, { timeout: 20_000 }).toBe(200);
  for (const socket of sockets) socket.destroy();
});
