/** Responses that a strict parser refuses and that browsers show. */
import { type AddressInfo, createServer, type LookupFunction, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { FetchOutcome } from '../../../src/base/core/types.ts';
import type { HttpHead } from '../../../src/base/web/http-head.ts';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import { MalformedResponseError } from '../../../src/crawling/fetch/failures.ts';
import { HttpFetcher, type HttpFetcherOptions } from '../../../src/crawling/fetch/http-fetcher.ts';
import { LenientResponse } from '../../../src/crawling/fetch/lenient-response.ts';
import { RobotsCache } from '../../../src/crawling/fetch/robots-cache.ts';
import { directRoute } from '../../../src/crawling/fetch/routes.ts';
import { PrivateAddressError } from '../../../src/crawling/fetch/ssrf.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { startLoopbackProxy } from '../../support/loopback-proxy.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls.ts';

const never = new AbortController().signal;
const OPTIONS: HttpFetcherOptions = {
  userAgent: 'Forager/0',
  contact: null,
  clock: systemClock,
  allowPrivate: true,
  headersTimeoutMs: 2000,
};

interface RawServer {
  readonly origin: string;
  /** The heads of the requests. */
  readonly asked: string[];
  close(): void;
}

/** Answers every request with these bytes, and closes the connection if `ends`. */
function serve(answer: string, { ends = false, tls = false } = {}): Promise<RawServer> {
  const asked: string[] = [];
  const onSocket = (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      asked.push(data.toString('latin1'));
      socket.write(Buffer.from(answer, 'latin1'), () => ends && socket.end());
    });
  };
  const server = tls ? createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, onSocket) : createServer(onSocket);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
      resolve({ origin, asked, close: () => server.close() });
    });
  });
}

/** The outcomes of requests until one is final. */
async function outcomesOf(url: string, options: Partial<HttpFetcherOptions> = {}): Promise<FetchOutcome[]> {
  const fetcher = new HttpFetcher({ ...OPTIONS, ...options });
  const outcomes: FetchOutcome[] = [];
  for (let again = true; again; ) {
    const outcome = await fetcher.fetch(urlOf(url), never);
    outcomes.push(outcome);
    again = outcome.kind === 'failed' && outcome.again === true;
  }
  await fetcher.close();
  return outcomes;
}

const BODY = '<title>Sluice</title><p>The sluice of Harrow.</p>';
const SIZE = `Content-Length: ${BODY.length}`;
const TYPE = 'Content-Type: text/html';

describe('a page', () => {
  const HEADS: readonly (readonly [string, string])[] = [
    ['a folded line', `HTTP/1.1 200 OK\r\n${TYPE};\r\n\tcharset=utf-8\r\n${SIZE}\r\n\r\n${BODY}`],
    ['control characters', `HTTP/1.1 200 OK\r\n${TYPE}\r\nX-Bell: \x07 and \x1b[0m\r\n${SIZE}\r\n\r\n${BODY}`],
    ['a NUL', `HTTP/1.1 200 OK\r\n${TYPE}\r\nX-Nul: a\x00b\r\n${SIZE}\r\n\r\n${BODY}`],
    ['a space before the colon', `HTTP/1.1 200 OK\r\nContent-Type : text/html\r\n${SIZE}\r\n\r\n${BODY}`],
    ['a line without a colon', `HTTP/1.1 200 OK\r\n${TYPE}\r\nServed with love\r\n${SIZE}\r\n\r\n${BODY}`],
    ['a field without a name', `HTTP/1.1 200 OK\r\n${TYPE}\r\n: nothing\r\n${SIZE}\r\n\r\n${BODY}`],
    ['bare line feeds', `HTTP/1.0 200 OK\n${TYPE}\n${SIZE}\n\n${BODY}`],
    ['bare line feeds here and there', `HTTP/1.1 200 OK\r\n${TYPE}\n${SIZE}\r\n\n${BODY}`],
    ['an equal length twice', `HTTP/1.1 200 OK\r\n${TYPE}\r\n${SIZE}\r\n${SIZE}\r\n\r\n${BODY}`],
    ['a list of equal lengths', `HTTP/1.1 200 OK\r\n${TYPE}\r\n${SIZE}, ${BODY.length}\r\n\r\n${BODY}`],
    [
      'length and chunks',
      `HTTP/1.1 200 OK\r\n${TYPE}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n31\r\n${BODY}\r\n0\r\n\r\n`,
    ],
    ['a size behind spaces', `HTTP/1.1 200 OK\r\n${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n  31\t \r\n${BODY}\r\n0   \r\n\r\n`],
    ['chunks with bare line feeds', `HTTP/1.1 200 OK\r\n${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n31\n${BODY}\n0\n\n`],
    [
      'two unrequested 100s',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Go on\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\n${TYPE}\r\n${SIZE}\r\n\r\n${BODY}`,
    ],
    [
      '100, then 103',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200\r\n${TYPE}\r\n${SIZE}\r\n\r\n${BODY}`,
    ],
    ['no version', `HTTP 200 OK\r\n${TYPE}\r\n${SIZE}\r\n\r\n${BODY}`],
    ['a version of one digit, no reason', `HTTP/1 200\r\n${TYPE}\r\n${SIZE}\r\n\r\n${BODY}`],
    ['small letters', `http/1.1 200 ok\r\n${TYPE}\r\n${SIZE}\r\n\r\n${BODY}`],
    ['an empty line before it', `\r\nHTTP/1.1 200 OK\r\n${TYPE}\r\n${SIZE}\r\n\r\n${BODY}`],
  ];

  test.each(HEADS)('with %s is read, at the second request at the latest', async (_, answer) => {
    const server = await serve(answer);
    const outcomes = await outcomesOf(`${server.origin}/`);
    server.close();
    expect(outcomes.length).toBeLessThanOrEqual(2);
    const last = outcomes.at(-1);
    expect(last?.kind === 'page' && Buffer.from(last.page.body).toString()).toBe(BODY);
    expect(last?.kind === 'page' && [last.page.status, last.page.truncated, last.page.headers['content-type']?.slice(0, 9)]).toEqual([
      200,
      false,
      'text/html',
    ]);
  });

  test('of a length that is none ends with the connection', async () => {
    const server = await serve(`HTTP/1.1 200 OK\r\n${TYPE}\r\nContent-Length: -1\r\n\r\n${BODY}`, { ends: true });
    const outcomes = await outcomesOf(`${server.origin}/`);
    server.close();
    expect(outcomes.at(-1)).toMatchObject({ kind: 'page', page: { truncated: false } });
  });

  test('whose later chunk has no size is kept as far as it goes, marked', async () => {
    const server = await serve(`HTTP/1.1 200 OK\r\n${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n31\r\n${BODY}\r\nzz\r\n`);
    const outcomes = await outcomesOf(`${server.origin}/`);
    server.close();
    const last = outcomes.at(-1);
    expect(last?.kind === 'page' && [last.page.truncated, Buffer.from(last.page.body).toString()]).toEqual([true, BODY]);
  });

  test('is stored as received: fields in their order, names in their own form', async () => {
    const server = await serve(`HTTP/1.1 200 Fine\nX Powered By: a wheel\nX-Note: a\n  b\nX-Note: \x01c\n${TYPE}\n${SIZE}\n\n${BODY}`);
    const last = (await outcomesOf(`${server.origin}/`)).at(-1);
    server.close();
    if (last?.kind !== 'page') throw new Error(JSON.stringify(last));
    expect(last.page.rawHeaders).toEqual([
      ['X Powered By', 'a wheel'],
      ['X-Note', 'a b'],
      ['X-Note', '\x01c'],
      ['Content-Type', 'text/html'],
      ['Content-Length', String(BODY.length)],
    ]);
    expect(last.page.statusText).toBe('Fine');
    expect(last.page.ip).toBe('127.0.0.1');
    // What is stored of the request is what was sent.
    const sent = last.page.requestHeaders.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    expect(server.asked.at(-1)).toBe(`GET / HTTP/1.1\r\n${sent}\r\n\r\n`);
    expect(sent).toContain('connection: close');
  });

  test.each([
    ['lengths that differ', `HTTP/1.1 200 OK\r\n${TYPE}\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nabcdefg`],
    ['no status line', `SSH-2.0-OpenSSH_9.2\r\n\r\n`],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nA : b\r\nUpgrade: chat\r\nConnection: upgrade\r\n\r\n'],
    ['chunks that are none', `HTTP/1.1 200 OK\r\n${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n<p>${'x'.repeat(2000)}`],
  ])('with %s fails as protocol', async (_, answer) => {
    const server = await serve(answer);
    const outcomes = await outcomesOf(`${server.origin}/`);
    server.close();
    expect(outcomes.length).toBeLessThanOrEqual(2);
    expect(outcomes.at(-1)).toMatchObject({ kind: 'failed', code: 'protocol' });
  });
});

const ODD = `HTTP/1.1 200 OK\n${TYPE}\n${SIZE}\n\n${BODY}`;

describe('a lenient request', () => {
  test('is made at once for the next page of the host, which costs one request', async () => {
    const server = await serve(ODD);
    const fetcher = new HttpFetcher(OPTIONS);
    const kinds: string[] = [];
    for (const path of ['/a', '/a', '/b', '/c']) kinds.push((await fetcher.fetch(urlOf(server.origin + path), never)).kind);
    await fetcher.close();
    server.close();
    expect(kinds).toEqual(['failed', 'page', 'page', 'page']);
    expect(server.asked).toHaveLength(4);
  });

  test('passes the guard against private addresses', async () => {
    const server = await serve(ODD);
    const lookup: LookupFunction = (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const route = directRoute({ connectTimeoutMs: 1000, allowPrivate: false, lookup });
    await expect(route.lenient(new URL(`http://rebind.test:${new URL(server.origin).port}/`)).open()).rejects.toThrow(PrivateAddressError);
    await expect(route.lenient(new URL(server.origin)).open()).rejects.toThrow(PrivateAddressError);
    await route.close();
    server.close();
    expect(server.asked).toEqual([]);
  });

  test('goes over TLS, with the certificate verified', async () => {
    const server = await serve(ODD, { tls: true });
    const outcomes = await outcomesOf(`${server.origin}/`, { ca: TEST_CERTIFICATE, http2: true });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'page']);
    expect((await outcomesOf(`${server.origin}/`)).at(-1)).toMatchObject({ kind: 'failed', code: 'certificate-self-signed' });
    server.close();
  });

  test('goes through a proxy: in absolute form, and through a tunnel', async () => {
    const plain = await serve(ODD);
    const outcomes = await outcomesOf('http://mill.test/wheel', { proxy: plain.origin.replace('//', '//me:secret@') });
    plain.close();
    expect(outcomes.at(-1)).toMatchObject({ kind: 'page', page: { ip: null } });
    expect(plain.asked.at(-1)).toMatch(/^GET http:\/\/mill\.test\/wheel HTTP\/1\.1\r\nhost: mill\.test\r\nproxy-authorization: Basic /);
    expect(JSON.stringify(outcomes)).not.toMatch(/Basic|secret/);

    const server = await serve(ODD, { tls: true });
    const proxy = await startLoopbackProxy({ http: 9, connect: Number(new URL(server.origin).port) });
    const tunnelled = await outcomesOf(`${server.origin}/`, { proxy: proxy.address, ca: TEST_CERTIFICATE });
    await proxy.close();
    server.close();
    expect(tunnelled.at(-1)).toMatchObject({ kind: 'page', page: { ip: null } });
  });

  test('is ended by its deadlines, by its signal, and by closing the fetcher', async () => {
    const server = await serve('HTTP/1.1 200 OK\nContent-Type');
    const fetcher = new HttpFetcher({ ...OPTIONS, headersTimeoutMs: 150, totalDeadlineMs: 400 });
    const url = urlOf(`${server.origin}/`);
    expect(await fetcher.fetch(url, never)).toMatchObject({ kind: 'failed', again: true });
    expect(await fetcher.fetch(url, never)).toMatchObject({ kind: 'failed', code: 'timeout' });
    const stop = new AbortController();
    const stopped = fetcher.fetch(url, stop.signal);
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
    const closed = fetcher.fetch(url, never);
    await fetcher.close();
    expect(await closed).toMatchObject({ kind: 'failed' });
    server.close();
  });
});

test('a robots.txt that undici refuses is asked for once more, and obeyed', async () => {
  const rules = 'User-agent: *\nDisallow: /closed\n';
  const server = await serve(
    `HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Encoding: none\r\nContent-Length: ${rules.length}\r\n\r\n${rules}`,
  );
  const fetcher = new HttpFetcher(OPTIONS);
  const robots = new RobotsCache(fetcher, 'Forager', systemClock);
  const host = hostKeyOf(urlOf(`${server.origin}/`));
  await robots.load(host, never);
  expect(robots.verdict(urlOf(`${server.origin}/closed`))).toBe('unknown');
  expect(robots.unreachable(host)).toBeNull();
  await robots.load(host, never);
  expect(robots.verdict(urlOf(`${server.origin}/closed`))).toBe('deny');
  expect(robots.verdict(urlOf(`${server.origin}/open`))).toBe('allow');
  await fetcher.close();
  server.close();
});

test('a response is the same however its bytes are cut', () => {
  const whole = Buffer.from(
    `\r\nHTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\r\nA: b\r\n c\nTransfer-Encoding: chunked\r\n\r\n 5 \r\nmosse\n6;x=y\r\ns and \r\n0\r\n\r\nHTTP/1.1 200`,
  );
  const read = (cuts: readonly number[]) => {
    const heads: HttpHead[] = [];
    let body = '';
    const response = new LenientResponse({ head: (head) => heads.push(head), data: (chunk) => (body += chunk.toString()) });
    for (const [i, cut] of [...cuts, whole.byteLength].entries()) response.push(whole.subarray(cuts[i - 1] ?? 0, cut));
    return { heads, body, done: response.done };
  };
  const expected = read([]);
  expect(expected).toMatchObject({ body: 'mosses and ', done: true, heads: [{ status: 100 }, { status: 200 }] });
  for (let cut = 1; cut < whole.byteLength; cut++) expect(read([cut, Math.min(cut + 3, whole.byteLength)])).toEqual(expected);
});

test('any number of interim heads', () => {
  const heads: number[] = [];
  const response = new LenientResponse({ head: ({ status }) => heads.push(status), data: () => undefined });
  response.push(Buffer.from(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20_000)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`));
  expect([heads.length, heads.at(-1), response.done]).toEqual([20_001, 200, true]);
});

test('a header without end is refused, and bytes that cannot be HTTP at once', () => {
  const response = new LenientResponse({ head: () => undefined, data: () => undefined });
  expect(() => response.push(Buffer.from('GARBAGE'))).toThrow(MalformedResponseError);
  const long = new LenientResponse({ head: () => undefined, data: () => undefined });
  expect(() => long.push(Buffer.from(`HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(12_000)}`))).toThrow(MalformedResponseError);
});
