import { createServer as createTlsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { HttpFetcher, type HttpFetcherOptions } from '../../../src/crawling/fetch/http-fetcher.ts';
import { type HostileWeb, SAMPLE_HTML, startHostileWeb } from '../../support/hostile-web.ts';
import { type LoopbackProxy, type ProxyUpstreams, startLoopbackProxy } from '../../support/loopback-proxy.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls.ts';

/** For those that wait in vain. All others have the time of a crawl: beside other load a second is soon over. */
const SHORT = { headersTimeoutMs: 1000 };

let web: HostileWeb;
let secure: Server;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  web = await startHostileWeb();
  secure = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, ({ url }, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>secret ${url}</p>`),
  );
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});
afterAll(async () => {
  await web.close();
  secure.closeAllConnections();
  secure.close();
});

async function proxied(
  upstreams: Partial<ProxyUpstreams> = {},
  user = '',
  options: Partial<HttpFetcherOptions> = {},
): Promise<{ proxy: LoopbackProxy; fetcher: HttpFetcher }> {
  const proxy = await startLoopbackProxy({
    http: Number(new URL(web.origin).port),
    connect: (secure.address() as AddressInfo).port,
    ...upstreams,
  });
  return { proxy, fetcher: fetcherBy(proxy.address.replace('//', `//${user}`), options, proxy) };
}

function fetcherBy(proxy: string, options: Partial<HttpFetcherOptions> = {}, ...others: { close(): Promise<void> }[]): HttpFetcher {
  const fetcher = new HttpFetcher({
    userAgent: 'Forager/0',
    contact: null,
    clock: systemClock,
    proxy,
    proxyConnections: 4,
    ca: TEST_CERTIFICATE,
    ...options,
  });
  open.push(...others, fetcher);
  return fetcher;
}

function get(fetcher: HttpFetcher, address: string) {
  const url = canonicalize(address);
  if (url === null) throw new Error(address);
  return fetcher.fetch(url, new AbortController().signal);
}

test('http goes through the proxy in absolute form, for any number of hosts, over shared connections', async () => {
  const { proxy, fetcher } = await proxied();
  const hosts = Array.from({ length: 40 }, (_, i) => `http://host${i}.example`);
  const outcomes = await Promise.all(hosts.map((host) => get(fetcher, `${host}/page?q=1`)));
  for (const outcome of outcomes) {
    if (outcome.kind !== 'page') throw new Error(JSON.stringify(outcome));
    expect(Buffer.from(outcome.page.body).toString()).toBe(SAMPLE_HTML);
    expect(outcome.page.ip).toBeNull();
  }
  expect(proxy.log.map(({ method, target, host }) => `${method} ${target} ${host}`).sort()).toEqual(
    hosts.map((host) => `GET ${host}/page?q=1 ${host.slice(7)}`).sort(),
  );
  expect(proxy.peak()).toBeGreaterThan(1);
  expect(proxy.peak()).toBeLessThanOrEqual(4);
  const [first] = outcomes;
  expect(first?.kind === 'page' && first.page.requestHeaders[0]).toEqual(['host', 'host0.example']);
});

test.each([
  ['plain', 'http://host.example/silent', 'http://host.example/page'],
  ['plain, for a tunnel', 'http://host.example/silent', 'https://secure.test/a'],
])('waiting for a connection of the proxy is no delay of the host: %s', async (_name, silent, next) => {
  const { fetcher } = await proxied({}, '', { ...SHORT, proxyConnections: 1 });
  const [first, second] = await Promise.all([get(fetcher, silent), get(fetcher, next)]);
  expect(first).toMatchObject({ kind: 'failed', code: 'timeout' });
  expect(second).toMatchObject({ kind: 'page' });
  if (second.kind === 'page') expect(second.page.endedAt - second.page.startedAt).toBeLessThan(SHORT.headersTimeoutMs);
});

test('behind a tunnel that is never opened, the next request still has all of its time; one that is aborted meanwhile is not made', async () => {
  const { proxy, fetcher } = await proxied({ connect: 'silent' }, '', { ...SHORT, proxyConnections: 1 });
  const stop = new AbortController();
  const url = canonicalize('http://host.example/late');
  if (url === null) throw new Error('no URL');
  const aborted = expect(Promise.all([get(fetcher, 'https://secure.test/'), fetcher.fetch(url, stop.signal)])).rejects.toThrow('enough');
  const next = get(fetcher, 'http://host.example/page');
  stop.abort(new Error('enough'));
  await aborted;
  expect(await next).toMatchObject({ kind: 'page' });
  expect(proxy.log.map(({ target }) => target)).toEqual(['secure.test:443', 'http://host.example/page']);
});

test('https goes through a CONNECT tunnel, which is kept alive, and is verified end to end', async () => {
  const { proxy, fetcher } = await proxied();
  for (const path of ['/a', '/b']) {
    const outcome = await get(fetcher, `https://secure.test${path}`);
    if (outcome.kind !== 'page') throw new Error(JSON.stringify(outcome));
    expect(Buffer.from(outcome.page.body).toString()).toBe(`<p>secret ${path}</p>`);
    expect(outcome.page.ip).toBeNull();
  }
  expect(proxy.log).toEqual([{ method: 'CONNECT', target: 'secure.test:443', host: 'secure.test:443', authorization: undefined }]);
  expect(await get(fetcher, 'https://imposter.test/')).toMatchObject({ kind: 'failed', code: 'certificate-name' });
});

test('the name and password of the proxy are sent to it, and not recorded', async () => {
  const { proxy, fetcher } = await proxied({}, 'me:p%40ss@');
  const outcome = await get(fetcher, 'http://host.example/page');
  await get(fetcher, 'https://secure.test/');
  const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  expect(proxy.log.map((entry) => entry.authorization)).toEqual([authorization, authorization]);
  expect(JSON.stringify(outcome)).not.toContain('Basic');
});

test('an unreachable proxy is blamed itself', async () => {
  const fetcher = fetcherBy('http://127.0.0.1:1');
  expect(await get(fetcher, 'http://host.example/')).toMatchObject({ kind: 'failed', code: 'proxy', status: null });
  expect(await get(fetcher, 'https://host.example/')).toMatchObject({ kind: 'failed', code: 'proxy', status: null });
});

test.each([
  [{ connect: { status: 407 } }, 'proxy'],
  [{ connect: { status: 502 } }, 'connect'],
  [{ connect: 'silent' }, 'timeout'],
] as const)('CONNECT answered with %j fails as %s', async (upstreams, code) => {
  const { fetcher } = await proxied(upstreams, '', SHORT);
  expect(await get(fetcher, 'https://secure.test/')).toMatchObject({ kind: 'failed', code });
});

test('407 to a plain request is the proxy speaking', async () => {
  const { fetcher } = await proxied({ status: 407 });
  expect(await get(fetcher, 'http://host.example/')).toMatchObject({ kind: 'failed', code: 'proxy', status: 407 });
});

test('faults come through a proxy as what they are', async () => {
  const { fetcher } = await proxied({}, '', SHORT);
  expect(await get(fetcher, 'http://host.example/redirect-relative')).toMatchObject({
    kind: 'redirect',
    to: 'http://host.example/elsewhere/?q=1',
  });
  expect(await get(fetcher, 'http://host.example/silent')).toMatchObject({ kind: 'failed', code: 'timeout' });
  expect(await get(fetcher, 'http://host.example/pdf')).toMatchObject({ kind: 'refused', reason: 'content-type' });
});

test('private literals and localhost are refused; the proxy itself may be private', async () => {
  const { proxy, fetcher } = await proxied();
  for (const address of ['http://127.0.0.1/page', 'https://[::1]/', 'http://localhost/page', 'http://0x0a000001/']) {
    expect(await get(fetcher, address)).toMatchObject({ kind: 'refused', reason: 'private-address' });
  }
  expect(proxy.log).toEqual([]);
});
