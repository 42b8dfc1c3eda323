/** The fetcher over HTTP/2: the same outcomes, caps, deadlines and guards as over HTTP/1.1. */
import { createSecureServer, type Http2SecureServer, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { buildConnector } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { FetchedPage, FetchOutcome } from '../../../src/base/core/types.ts';
import { HttpFetcher, type HttpFetcherOptions } from '../../../src/crawling/fetch/http-fetcher.ts';
import { Connections, guardedConnector } from '../../../src/crawling/fetch/routes.ts';
import { PrivateAddressError } from '../../../src/crawling/fetch/ssrf.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { startLoopbackProxy } from '../../support/loopback-proxy.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls.ts';

const MB = 1024 * 1024;
const never = new AbortController().signal;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const SAMPLE = `<!doctype html><title>Sample</title>${'<p>Over two.</p>'.repeat(300)}`;
const OPTIONS: HttpFetcherOptions = {
  userAgent: 'Forager/0',
  contact: null,
  clock: systemClock,
  allowPrivate: true,
  ca: TEST_CERTIFICATE,
  http2: true,
  totalDeadlineMs: 1500,
  headersTimeoutMs: 300,
  rateWindowMs: 200,
  maxWireBytes: MB,
  maxBodyBytes: 4 * MB,
};

type Fault = (response: Http2ServerResponse) => void;

/** Write again and again, for as long as anybody listens. */
function dripping(chunk: string | Buffer, everyMs: number): Fault {
  return (response) => {
    response.writeHead(200, HTML);
    const timer = setInterval(() => response.write(chunk), everyMs);
    response.stream.on('close', () => clearInterval(timer));
  };
}

function endless(status: number): Fault {
  return (response) => {
    const { stream } = response;
    stream.respond({ ':status': status, ...HTML });
    stream.on('error', () => undefined);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      if (!stream.destroyed) stream.write(chunk, () => setImmediate(more));
    };
    more();
  };
}

/** Made before anything is timed. */
const BOMB = gzipSync(Buffer.alloc(64 * MB, 'x'));

const FAULTS: Readonly<Record<string, { readonly expected: string; readonly fault: Fault }>> = {
  '/page': { expected: 'page', fault: (response) => response.writeHead(200, { ...HTML, 'X-Case': 'lowered' }).end(SAMPLE) },
  '/gzip': {
    expected: 'page',
    fault: (response) => response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(gzipSync(SAMPLE)),
  },
  '/empty': { expected: 'page', fault: (response) => response.writeHead(200, HTML).end() },
  '/gzip-bomb': {
    expected: 'page cut',
    fault: (response) => response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(BOMB),
  },
  '/silent': { expected: 'failed timeout', fault: () => undefined },
  '/stall': { expected: 'failed timeout', fault: (response) => void response.writeHead(200, HTML).write('<p>') },
  '/drip': { expected: 'failed timeout', fault: dripping('x', 20) },
  '/slow': { expected: 'failed timeout', fault: dripping(Buffer.alloc(1000, 'x'), 50) },
  '/endless': { expected: 'page cut', fault: endless(200) },
  '/endless-error': { expected: 'failed http-5xx', fault: endless(500) },
  '/huge-length': {
    expected: 'refused too-large',
    fault: (response) => void response.writeHead(200, { ...HTML, 'content-length': 100 * MB }).write('<p>'),
  },
  '/pdf': {
    expected: 'refused content-type',
    fault: (response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-'),
  },
  '/binary': { expected: 'refused content-type', fault: (response) => response.writeHead(200, HTML).end(Buffer.alloc(1000)) },
  '/redirect': { expected: 'redirect', fault: (response) => response.writeHead(301, { location: '/page' }).end() },
  '/gone': { expected: 'failed http-4xx', fault: (response) => response.writeHead(404, HTML).end('<p>gone') },
  '/busy': { expected: 'failed http-429', fault: (response) => response.writeHead(429, { 'retry-after': '7' }).end() },
  '/early-hints': {
    expected: 'page',
    fault: (response) => {
      response.stream.additionalHeaders({ ':status': 103, link: '</a.css>' });
      response.writeHead(200, HTML).end(SAMPLE);
    },
  },
  '/many-headers': {
    expected: 'failed protocol',
    fault: (response) =>
      response.writeHead(200, { ...HTML, ...Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`x-${i}`, 'x'])) }).end(SAMPLE),
  },
  '/reset': { expected: 'failed reset', fault: (response) => response.stream.close(2) },
  '/cancel': { expected: 'failed reset', fault: (response) => response.stream.close(8) },
  '/reset-mid-body': {
    expected: 'failed reset',
    fault: (response) => {
      response.writeHead(200, HTML).write(SAMPLE);
      setTimeout(() => response.stream.close(2), 20);
    },
  },
  '/short-length': {
    expected: 'failed protocol',
    fault: (response) => response.writeHead(200, { ...HTML, 'content-length': 9999 }).end('<p>cut</p>'),
  },
  '/no-answer': { expected: 'failed reset', fault: (response) => response.stream.session?.destroy() },
};

let server: Http2SecureServer;
let origin: string;
let fetcher: HttpFetcher;
const sessions = new Set<ServerHttp2Session>();
const requests: { readonly path: string; readonly version: string; readonly session: unknown; readonly headers: object }[] = [];

beforeAll(async () => {
  server = createSecureServer(
    { cert: TEST_CERTIFICATE, key: TEST_KEY, allowHTTP1: true, maxHeaderListPairs: 1000 },
    (request, response) => {
      const { path = '/', session } = { path: request.url, session: request.httpVersion === '2.0' ? request.stream.session : null };
      requests.push({ path, version: request.httpVersion, session, headers: request.headers });
      response.on?.('error', () => undefined);
      FAULTS[path.replace(/\?.*/, '')]?.fault(response);
    },
  );
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fetcher = new HttpFetcher(OPTIONS);
});
afterAll(async () => {
  await fetcher.close();
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const get = (path: string, by = fetcher) => by.fetch(urlOf(origin + path), never);

async function page(path: string, by = fetcher): Promise<FetchedPage> {
  const outcome = await get(path, by);
  if (outcome.kind !== 'page') throw new Error(`${path}: ${JSON.stringify(outcome)}`);
  return outcome.page;
}

function brief(outcome: FetchOutcome): string {
  if (outcome.kind === 'page') return outcome.page.truncated ? 'page cut' : 'page';
  if (outcome.kind === 'redirect') return 'redirect';
  return outcome.kind === 'refused' ? `refused ${outcome.reason}` : `failed ${outcome.code}`;
}

test.each(Object.keys(FAULTS))('%s ends as expected and in time, and the next page comes', async (path) => {
  const started = performance.now();
  expect(brief(await get(path))).toBe(FAULTS[path]?.expected);
  expect(performance.now() - started).toBeLessThan(HANGS);
  expect(requests.at(-1)).toMatchObject({ path, version: '2.0' });
  expect(Buffer.from((await page('/page?next')).body).toString()).toBe(SAMPLE);
});

test('a page says by what protocol it came, and what was asked without the fields that HTTP/2 does not have', async () => {
  const { protocol, status, statusText, rawHeaders, requestHeaders, ip } = await page('/page');
  expect({ protocol, status, statusText, ip }).toEqual({ protocol: 'h2', status: 200, statusText: '', ip: '127.0.0.1' });
  expect(rawHeaders.slice(0, 2)).toEqual([
    ['content-type', 'text/html; charset=utf-8'],
    ['x-case', 'lowered'],
  ]);
  expect(requestHeaders.map(([name]) => name)).toEqual(['host', 'user-agent', 'accept', 'accept-language', 'accept-encoding']);
  expect(requests.at(-1)?.headers).toMatchObject({ ':authority': new URL(origin).host, 'user-agent': 'Forager/0', 'accept-language': '*' });
});

test('one session serves a host, request after request, whatever was broken off', async () => {
  const own = new HttpFetcher(OPTIONS);
  const from = requests.length;
  for (const path of ['/page', '/endless', '/gone', '/stall', '/page']) await get(path, own);
  await Promise.all([get('/page', own), get('/page', own)]);
  expect(new Set(requests.slice(from).map(({ session }) => session)).size).toBe(1);
  await own.close();
});

test('a session that the server ends while it is idle is replaced, unseen', async () => {
  const own = new HttpFetcher(OPTIONS);
  await page('/page', own);
  const used = requests.at(-1)?.session;
  for (const session of sessions) if (session === used) session.destroy();
  expect(brief(await get('/page', own))).toBe('page');
  await page('/page', own);
  for (const session of sessions) if (!session.destroyed) session.close();
  expect(brief(await get('/page', own))).toBe('page');
  await own.close();
});

test('an abort rejects with its reason, and leaves the next request to the host alone', async () => {
  const controller = new AbortController();
  const stuck = fetcher.fetch(urlOf(`${origin}/silent`), controller.signal);
  const next = page('/page');
  controller.abort(new Error('enough'));
  await expect(stuck).rejects.toThrow('enough');
  expect(Buffer.from((await next).body).toString()).toBe(SAMPLE);
});

test('through the tunnel of a proxy it is the same', async () => {
  const { port } = new URL(origin);
  const proxy = await startLoopbackProxy({ http: Number(port), connect: Number(port) });
  const own = new HttpFetcher({ ...OPTIONS, proxy: proxy.address });
  const outcome = await own.fetch(urlOf('https://secure.test/page'), never);
  expect(outcome).toMatchObject({ kind: 'page', page: { protocol: 'h2', ip: null } });
  expect(requests.at(-1)).toMatchObject({ version: '2.0', headers: { ':authority': 'secure.test' } });
  await own.close();
  await proxy.close();
});

test('a server that has no HTTP/2 is asked by HTTP/1.1; so is every server without the option', async () => {
  const old = createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, ({ httpVersion }, response) =>
    response.writeHead(200, HTML).end(httpVersion),
  );
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  const outcome = await fetcher.fetch(urlOf(`https://127.0.0.1:${(old.address() as AddressInfo).port}/`), never);
  if (outcome.kind !== 'page') throw new Error(JSON.stringify(outcome));
  expect(Buffer.from(outcome.page.body).toString()).toBe('1.1');
  expect(outcome.page).not.toHaveProperty('protocol');
  expect(new Map(outcome.page.requestHeaders).get('connection')).toBe('keep-alive');
  const plain = new HttpFetcher({ ...OPTIONS, http2: false });
  expect(await page('/page', plain)).not.toHaveProperty('protocol');
  expect(requests.at(-1)?.version).toBe('1.1');
  await plain.close();
  old.closeAllConnections();
  await new Promise((resolve) => old.close(resolve));
});

test('a name that leads to a private address is refused before anything is asked', async () => {
  const from = requests.length;
  const lookup: LookupFunction = (_name, _options, tell) => tell(null, [{ address: '127.0.0.1', family: 4 }]);
  const guarded = new HttpFetcher({ ...OPTIONS, allowPrivate: false, lookup });
  expect(brief(await guarded.fetch(urlOf(`https://secure.test:${new URL(origin).port}/page`), never))).toBe('refused private-address');
  await guarded.close();
  expect(requests).toHaveLength(from);
});

test('so is a connection that ended up at one all the same: no stream is opened on it', async () => {
  const from = requests.length;
  const connect = guardedConnector(buildConnector({ allowH2: true, ca: TEST_CERTIFICATE }));
  const lines = new Connections(connect, true);
  const line = await new Promise((resolve) =>
    lines.get(new URL(`${origin}/page`), [], {
      onRequestStart: () => resolve('started'),
      onResponseError: (_controller, cause) => resolve(cause),
    }),
  );
  expect(line).toBeInstanceOf(PrivateAddressError);
  await lines.close();
  expect(requests).toHaveLength(from);
});
