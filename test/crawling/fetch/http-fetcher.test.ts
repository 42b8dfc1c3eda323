import { getEventListeners } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import { UsageError } from '../../../src/base/core/errors.ts';
import type { CanonicalUrl, FetchedPage, FetchOutcome } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { HttpFetcher, type HttpFetcherOptions } from '../../../src/crawling/fetch/http-fetcher.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { brief, FAULT_OUTCOMES } from '../../support/fault-outcomes.ts';
import { FAULT_PATHS, type HostileWeb, SAMPLE_HTML, startHostileWeb } from '../../support/hostile-web.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls.ts';

const MB = 1024 * 1024;
const never = new AbortController().signal;
const OPTIONS: HttpFetcherOptions = {
  userAgent: 'Forager/0 (+https://example.org/)',
  contact: 'crawl@example.org',
  clock: systemClock,
  allowPrivate: true,
  totalDeadlineMs: 900,
  headersTimeoutMs: 300,
  rateWindowMs: 200,
  maxWireBytes: MB,
  maxBodyBytes: 4 * MB,
};

let web: HostileWeb;
let fetcher: HttpFetcher;
beforeAll(async () => {
  web = await startHostileWeb();
  fetcher = new HttpFetcher(OPTIONS);
});
afterAll(async () => {
  await fetcher.close();
  await web.close();
});

function urlOf(address: string): CanonicalUrl {
  const url = canonicalize(address);
  if (url === null) throw new Error(`not a URL: ${address}`);
  return url;
}

function get(path: string): Promise<FetchOutcome> {
  return fetcher.fetch(urlOf(web.origin + path), never);
}

async function page(path: string): Promise<FetchedPage> {
  const outcome = await get(path);
  if (outcome.kind !== 'page') throw new Error(`${path}: ${JSON.stringify(outcome)}`);
  return outcome.page;
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test('every fault of the hostile web has an expected outcome', () => {
  expect(Object.keys(FAULT_OUTCOMES).sort()).toEqual([...FAULT_PATHS].sort());
});

test.each(FAULT_PATHS)('%s ends as expected and in time', async (path) => {
  const started = performance.now();
  // A fetcher of its own: it reads the host leniently after the first of some faults.
  const own = new HttpFetcher(OPTIONS);
  const outcome = await own.fetch(urlOf(web.origin + path), never);
  const isAgain = outcome.kind === 'failed' && outcome.again;
  expect(brief(isAgain ? await own.fetch(urlOf(web.origin + path), never) : outcome)).toBe(FAULT_OUTCOMES[path]);
  expect(performance.now() - started).toBeLessThan(HANGS);
  await own.close();
});

describe('a page', () => {
  test('carries both heads as they went over the wire', async () => {
    const { status, statusText, rawHeaders, headers, requestHeaders, ip, body, wireBody, startedAt, endedAt } = await page('/page');
    expect({ status, statusText, ip }).toEqual({ status: 200, statusText: 'OK', ip: '127.0.0.1' });
    expect(rawHeaders.map(([name]) => name)).toEqual(['Content-Type', 'X-Case', 'Content-Length']);
    expect(headers).toMatchObject({ 'x-case': 'Kept', 'content-type': 'text/html; charset=utf-8' });
    expect(textOf(body)).toBe(SAMPLE_HTML);
    expect(wireBody).toBe(body);
    expect(body.byteLength).toBe(body.buffer.byteLength);
    expect(endedAt).toBeGreaterThanOrEqual(startedAt);
    const sent = web.log.at(-1);
    expect(sent?.headers).toEqual(requestHeaders);
    expect(new Map(requestHeaders)).toEqual(
      new Map([
        ['host', new URL(web.origin).host],
        ['connection', 'keep-alive'],
        ['user-agent', 'Forager/0 (+https://example.org/)'],
        ['from', 'crawl@example.org'],
        ['accept', 'text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1'],
        ['accept-language', '*'],
        ['accept-encoding', 'gzip, br, deflate'],
      ]),
    );
  });

  test.each(['/gzip', '/br', '/deflate', '/raw-deflate', '/twice'])('%s is decoded, and kept as it came', async (path) => {
    const { body, wireBody } = await page(path);
    expect(textOf(body)).toBe(SAMPLE_HTML);
    expect(wireBody.byteLength).toBeLessThan(body.byteLength);
  });

  test('over 256 kB on the wire is decoded off the main thread, to the same bytes', async () => {
    expect(textOf((await page('/big-gzip')).body)).toBe(SAMPLE_HTML.repeat(100));
  });

  test.each(['/corrupt-gzip', '/truncated-gzip', '/corrupt-br'])('%s keeps the part before the damage', async (path) => {
    const { body } = await page(path);
    expect(body.byteLength).toBeGreaterThan(1500);
    // What a decoder makes of damaged bytes may differ from the sample at its very end.
    const sound = textOf(body).slice(0, 1000);
    expect(SAMPLE_HTML.startsWith(sound)).toBe(true);
  });

  test('is cut by the wire cap', async () => {
    const { body } = await page('/endless');
    expect(body.byteLength).toBe(MB);
  });

  test.each(['/gzip-bomb', '/deflate-bomb', '/br-bomb', '/nested-bomb', '/nested-br-bomb'])(
    '%s gives no more than a hundredfold, or a megabyte',
    async (path) => {
      const { body, wireBody } = await page(path);
      expect(body.byteLength).toBeLessThanOrEqual(Math.max(MB, 100 * wireBody.byteLength));
      expect(body.byteLength).toBeGreaterThanOrEqual(MB);
    },
  );

  test('ends where its Content-Length says', async () => {
    expect(textOf((await page('/short-length')).body)).toBe('<p>cut</p');
    expect(textOf((await page('/page')).body)).toBe(SAMPLE_HTML);
  });

  test.each(['/no-content-with-body', '/not-modified-with-body'])('has nothing of the body of %s before it', async (path) => {
    expect(brief(await get(path))).toBe('failed protocol');
    expect(textOf((await page('/page')).body)).toBe(SAMPLE_HTML);
  });
});

describe('connections', () => {
  test('are kept alive, one to a host, and survive redirects and errors', async () => {
    const own = new HttpFetcher(OPTIONS);
    const from = web.log.length;
    for (const path of ['/page', '/status?code=404', '/redirect-loop', '/gzip', '/status?code=503'])
      await own.fetch(urlOf(web.origin + path), never);
    await Promise.all(['/page', '/page'].map((path) => own.fetch(urlOf(web.origin + path), never)));
    expect(new Set(web.log.slice(from).map(({ connection }) => connection)).size).toBe(1);
    await own.close();
  });

  test('that went stale are replaced once without a failure; a fresh one that is reset is not', async () => {
    const own = new HttpFetcher(OPTIONS);
    const from = web.log.length;
    for (const path of ['/page', '/stale', '/stale']) expect(brief(await own.fetch(urlOf(web.origin + path), never))).toBe('page');
    const turns = web.log.slice(from);
    expect(turns.map(({ target }) => target)).toEqual(['/page', '/stale', '/stale', '/stale', '/stale']);
    expect(new Set(turns.map(({ connection }) => connection)).size).toBe(3);
    await own.close();
    const fresh = new HttpFetcher(OPTIONS);
    const before = web.log.length;
    expect(brief(await fresh.fetch(urlOf(`${web.origin}/reset`), never))).toBe('failed reset');
    expect(web.log.length - before).toBe(1);
    await fresh.close();
  });

  test('that cannot be made fail as connect, reset or dns', async () => {
    expect(brief(await fetcher.fetch(urlOf(`${web.resetOrigin}/`), never))).toBe('failed reset');
    expect(brief(await fetcher.fetch(urlOf('http://127.0.0.1:1/'), never))).toBe('failed connect');
    const missing = new HttpFetcher({
      ...OPTIONS,
      lookup: (name, _options, callback) => callback(Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' }), ''),
    });
    expect(brief(await missing.fetch(urlOf('http://nowhere.example/'), never))).toBe('failed dns');
    await missing.close();
  });

  test('wait for the name server no longer than for a header', async () => {
    const mute = new HttpFetcher({ ...OPTIONS, lookup: () => {} });
    expect(await mute.fetch(urlOf('http://slow.example/'), never)).toMatchObject({ kind: 'failed', code: 'timeout', status: null });
    await mute.close();
  });

  test('under TLS are verified', async () => {
    const server = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>secret</p>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const trusting = new HttpFetcher({ ...OPTIONS, ca: TEST_CERTIFICATE });
    const url = urlOf(`https://127.0.0.1:${port}/`);
    expect(brief(await fetcher.fetch(url, never))).toBe('failed certificate-self-signed');
    expect(brief(await trusting.fetch(url, never))).toBe('page');
    // The certificate names 127.0.0.1 and secure.test only.
    const local = new HttpFetcher({
      ...OPTIONS,
      ca: TEST_CERTIFICATE,
      lookup: (_name, _options, callback) => callback(null, '127.0.0.1', 4),
    });
    expect(brief(await local.fetch(urlOf(`https://other.test:${port}/`), never))).toBe('failed certificate-name');
    expect(brief(await local.fetch(urlOf(`https://secure.test:${port}/`), never))).toBe('page');
    await Promise.all([trusting.close(), local.close()]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

test.each([
  ['/silent', 'no response header within 300 ms'],
  ['/slow-headers', 'no response header within 300 ms'],
  ['/stall', /^only \d{1,2} bytes in 200 ms$/],
  ['/drip', /^only \d{1,2} bytes in 200 ms$/],
  ['/steady-drip', 'response not complete within 900 ms'],
])('the deadline that ends %s: %s', async (path, detail) => {
  const outcome = await get(path);
  expect(outcome.kind === 'failed' && outcome.detail).toMatch(detail);
});

test('a challenge names the field that says so, and the pause it asks for', async () => {
  const retryAfter = null;
  expect(await get('/challenge')).toMatchObject({
    status: 403,
    detail: 'a challenge instead of the page (cf-mitigated: challenge)',
    retryAfter,
  });
  expect(await get('/captcha')).toMatchObject({ status: 405, retryAfter: 90_000 });
});

test.each(['/pdf', '/binary-as-html', '/zip-as-html', '/image', '/video'])('of %s no more is read than tells what it is', async (path) => {
  const own = new HttpFetcher(OPTIONS);
  const before = web.sent();
  await own.fetch(urlOf(web.origin + path), never);
  await own.close();
  // What the two kernels hold between them is sent whether it is read or not.
  expect(web.sent() - before).toBeLessThan(5 * MB);
});

describe('a status', () => {
  test.each([
    [200, 'page'],
    [203, 'page'],
    [204, 'failed protocol'],
    [206, 'failed protocol'],
    [304, 'failed protocol'],
    [305, 'failed protocol'],
    [401, 'failed http-4xx'],
    [404, 'failed http-4xx'],
    [407, 'failed http-4xx'],
    [418, 'failed http-4xx'],
    [429, 'failed http-429'],
    [500, 'failed http-5xx'],
    [503, 'failed http-5xx'],
    [999, 'failed protocol'],
  ])('%i is %s', async (code, expected) => {
    expect(brief(await get(`/status?code=${code}`))).toBe(expected);
  });

  test.each([
    ['bytes 0-15/16', 'page'],
    ['Bytes  0-15/16 ', 'page'],
    ['bytes 0-0/1', 'page'],
    ['bytes 0-15/*', 'failed protocol'],
    ['bytes 1-15/16', 'failed protocol'],
    ['bytes 0-14/16', 'failed protocol'],
    ['lines 0-15/16', 'failed protocol'],
    ['', 'failed protocol'],
  ])('206 with the range %s is %s', async (is, expected) => {
    expect(brief(await get(`/content-range?is=${encodeURIComponent(is)}`))).toBe(expected);
  });

  test.each([
    [429, '120', 120_000],
    [503, '7', 7_000],
    [503, '0', null],
    [429, 'soon', null],
    [429, '999999999', 3_600_000],
  ])('%i with Retry-After %s gives %s ms', async (code, value, retryAfter) => {
    expect(await get(`/status?code=${code}&retry-after=${value}`)).toMatchObject({ kind: 'failed', status: code, retryAfter });
  });

  test('3xx leads to the canonical target', async () => {
    expect(await get('/redirect-relative')).toMatchObject({ kind: 'redirect', status: 301, to: `${web.origin}/elsewhere/?q=1` });
    expect(await get('/redirect-utf8')).toMatchObject({ to: `${web.origin}/caf%C3%A9` });
    expect(await get('/redirect-latin1')).toMatchObject({ to: `${web.origin}/caf%C3%A9` });
  });
});

describe('an abort', () => {
  test('rejects with its reason, before and during the request', async () => {
    const reason = new Error('enough');
    await expect(fetcher.fetch(urlOf(`${web.origin}/page`), AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const own = new HttpFetcher({ ...OPTIONS, headersTimeoutMs: 10_000 });
    const pending = own.fetch(urlOf(`${web.origin}/silent`), controller.signal);
    queueMicrotask(() => controller.abort(reason));
    await expect(pending).rejects.toBe(reason);
    await own.close();
  });

  test('reaches all requests of a signal through one listener, and none is left behind', async () => {
    const { signal } = new AbortController();
    await fetcher.fetch(urlOf(`${web.origin}/page`), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const controller = new AbortController();
    const pending = Array.from({ length: 30 }, (_, i) => fetcher.fetch(urlOf(`${web.origin}/silent?${i}`), controller.signal));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort();
    const ends = await Promise.allSettled(pending);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('of some requests leaves the next ones to the same host alone', async () => {
    const controller = new AbortController();
    const stuck = fetcher.fetch(urlOf(`${web.origin}/silent`), controller.signal);
    const next = page('/page');
    controller.abort();
    await expect(stuck).rejects.toThrow();
    expect(textOf((await next).body)).toBe(SAMPLE_HTML);
  });
});

describe('fetchFile', () => {
  test('takes any media type, up to its own cap', async () => {
    const whole = await fetcher.fetchFile(urlOf(`${web.origin}/small-binary-as-html`), 1000, never);
    expect(whole).toMatchObject({ kind: 'page', page: { truncated: false } });
    const capped = await fetcher.fetchFile(urlOf(`${web.origin}/pdf`), 1000, never);
    if (capped.kind !== 'page') throw new Error(brief(capped));
    expect(capped.page.body.byteLength).toBe(1000);
    expect(capped.page.truncated).toBe(true);
  });
});

describe('fetchResource', () => {
  const resource = async (path: string, fields: readonly string[] = []) => {
    const outcome = await fetcher.fetchResource(urlOf(web.origin + path), { fields, maxBytes: 1000, hasCredentials: true }, never);
    return outcome.kind === 'page' ? outcome.page : outcome;
  };

  test('is the response as a browser gets it: a redirect, an error, a file of any type', async () => {
    expect(await resource('/redirect-chain')).toMatchObject({ status: 302, headers: { location: expect.anything() } });
    expect(await resource('/404')).toMatchObject({ status: 404 });
    expect(await resource('/pdf')).toMatchObject({ status: 200, truncated: true });
  });

  test('sends the fields that it is given, and has the deadlines of any request', async () => {
    const { requestHeaders } = (await resource('/pdf', ['accept', 'application/json', 'x-own', '1'])) as FetchedPage;
    expect(requestHeaders).toContainEqual(['accept', 'application/json']);
    expect(requestHeaders).toContainEqual(['x-own', '1']);
    expect(requestHeaders.filter(([name]) => name === 'accept').length).toBe(1);
    expect(await resource('/silent')).toMatchObject({ kind: 'failed', code: 'timeout' });
  });
});

test('values that cannot stand in a header are a usage error', () => {
  expect(() => new HttpFetcher({ ...OPTIONS, userAgent: 'Forager\r\nX-Evil: 1' })).toThrow(UsageError);
  expect(() => new HttpFetcher({ ...OPTIONS, proxy: 'socks5://127.0.0.1:1' })).toThrow(UsageError);
});

test('what is written of a page is the date, whatever the clock that waiting goes by says', async () => {
  const date = Date.UTC(2031, 4, 6);
  const own = new HttpFetcher({ ...OPTIONS, clock: { ...systemClock, date: () => date } });
  const outcome = await own.fetch(urlOf(`${web.origin}/page`), never);
  await own.close();
  if (outcome.kind !== 'page') throw new Error(outcome.kind);
  expect(outcome.page.endedAt).toBe(date);
  expect(date - outcome.page.startedAt).toBeLessThan(HANGS);
});
