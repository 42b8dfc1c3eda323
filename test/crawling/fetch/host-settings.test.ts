/** What is sent to certain hosts alone, and whose certificates are let pass. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { FetchedPage } from '../../../src/base/core/types.ts';
import { type HostSetting, HostSettings, originsOf } from '../../../src/crawling/fetch/host-settings.ts';
import { HttpFetcher, type HttpFetcherOptions } from '../../../src/crawling/fetch/http-fetcher.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { startLoopbackProxy } from '../../support/loopback-proxy.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls.ts';

const never = new AbortController().signal;
const SECRET = 'hunter2-s3cret';
const BASIC = `Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`;
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

function settings(...entries: readonly (readonly [pattern: string, setting: Partial<HostSetting>])[]): HostSettings {
  const byOrigin = entries.flatMap(([pattern, setting]) =>
    (originsOf(pattern) ?? []).map((origin) => [origin, { fields: [], unverified: false, ...setting }] as const),
  );
  return new HostSettings(new Map(byOrigin));
}

const OPTIONS: HttpFetcherOptions = { userAgent: 'Forager/0', contact: null, clock: systemClock, allowPrivate: true };

function fetcherWith(hosts: HostSettings, more: Partial<HttpFetcherOptions> = {}): HttpFetcher {
  const fetcher = new HttpFetcher({ ...OPTIONS, hosts, lookup: (_name, _options, tell) => tell(null, '127.0.0.1', 4), ...more });
  closers.push(() => fetcher.close());
  return fetcher;
}

interface Listener {
  readonly port: number;
  readonly seen: { readonly host: string; readonly url: string; readonly headers: IncomingHttpHeaders }[];
}

async function listen(location: ((url: string) => string | null) | null = null, secure = false): Promise<Listener> {
  const seen: Listener['seen'] = [];
  const answer: Parameters<typeof createServer>[1] = (request, response) => {
    seen.push({ host: request.headers.host ?? '', url: request.url ?? '', headers: request.headers });
    const to = location?.(request.url ?? '') ?? null;
    if (to !== null) response.writeHead(302, { location: to }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>here</p>');
  };
  const server = secure ? createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

async function pageOf(fetcher: HttpFetcher, address: string): Promise<FetchedPage> {
  const outcome = await fetcher.fetch(urlOf(address), never);
  if (outcome.kind !== 'page') throw new Error(JSON.stringify(outcome));
  return outcome.page;
}

test.each([
  ['example.org', ['http://example.org', 'https://example.org']],
  ['Bücher.Example:8080', ['http://xn--bcher-kva.example:8080', 'https://xn--bcher-kva.example:8080']],
  ['HTTPS://example.org:443/', ['https://example.org']],
  ['http://127.0.0.1:8080', ['http://127.0.0.1:8080']],
  ['[::1]:8080', ['http://[::1]:8080', 'https://[::1]:8080']],
  ['*.example.org', ['http://*.example.org', 'https://*.example.org']],
  ['https://*.example.org:8443', ['https://*.example.org:8443']],
])('%s stands for %j', (pattern, origins) => {
  expect(originsOf(pattern)).toEqual(origins);
});

test.each([
  '',
  '*',
  'a.*.org',
  'https://example.org/path',
  'ftp://example.org',
  'me:pw@example.org',
  'https://',
  'exa mple.org',
  'a:b',
  '*.',
  'x:99999',
])('"%s" is no pattern', (pattern) => {
  expect(originsOf(pattern)).toBeNull();
});

test('the setting of a host itself counts, else that of the nearest name above it; another port is another host', () => {
  const set = settings(
    ['*.example.org', { fields: ['x', 'all'] }],
    ['*.lab.example.org', { fields: ['x', 'lab'] }],
    ['www.example.org', { fields: ['x', 'www'] }],
    ['https://s.example.org:8443', { fields: ['x', 's'] }],
  );
  const of = (url: string) => set.of(new URL(url))?.fields[1] ?? null;
  expect(
    ['https://www.example.org/a', 'http://a.www.example.org/', 'http://a.b.lab.example.org/', 'http://lab.example.org/'].map(of),
  ).toEqual(['www', 'all', 'lab', 'all']);
  expect(['http://example.org/', 'http://www.example.org:81/', 'http://notexample.org/', 'http://example.org.evil.test/'].map(of)).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(['https://s.example.org:8443/', 'http://s.example.org:8443/', 'https://s.example.org/'].map(of)).toEqual(['s', null, 'all']);
});

test('a resource of a rendered page has the fields of its host only with credentials', async () => {
  const { port, seen } = await listen();
  const fetcher = fetcherWith(settings([`http://in.test:${port}`, { fields: ['authorization', BASIC] }]));
  for (const hasCredentials of [true, false])
    await fetcher.fetchResource(urlOf(`http://in.test:${port}/x.js`), { fields: [], maxBytes: 1000, hasCredentials }, never);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([BASIC, undefined]);
});

test('fields go to their host alone, robots.txt too, in the place of those of the same name; no secret is in what is kept of the request', async () => {
  const { port, seen } = await listen();
  const fields = ['authorization', BASIC, 'x-key', SECRET, 'accept-language', 'de'];
  const fetcher = fetcherWith(settings([`http://in.test:${port}`, { fields }]));
  const { requestHeaders } = await pageOf(fetcher, `http://in.test:${port}/`);
  await fetcher.fetchFile(urlOf(`http://in.test:${port}/robots.txt`), 1000, never);
  for (const other of [`http://other.test:${port}/`, `http://a.in.test:${port}/`]) await pageOf(fetcher, other);
  await fetcher.fetchFile(urlOf(`http://other.test:${port}/robots.txt`), 1000, never);
  const sent = seen.map(({ headers }) => [headers.authorization, headers['x-key'], headers['accept-language']]);
  expect(sent.slice(0, 2)).toEqual([
    [BASIC, SECRET, 'de'],
    [BASIC, SECRET, 'de'],
  ]);
  expect(sent.slice(2)).toEqual([1, 2, 3].map(() => [undefined, undefined, '*']));
  const written = new Map(requestHeaders);
  expect([...written.keys()].sort()).toEqual(Object.keys(seen[0]?.headers ?? {}).sort());
  expect(['authorization', 'x-key', 'accept-language', 'user-agent'].map((name) => written.get(name))).toEqual([
    '[redacted]',
    '[redacted]',
    '[redacted]',
    'Forager/0',
  ]);
});

test('a redirect to another host, port or scheme takes no secret along', async () => {
  const other = await listen();
  const secure = await listen(null, true);
  const from = await listen(
    (url) =>
      ({
        '/port': `http://in.test:${other.port}/`,
        '/host': `http://other.test:${other.port}/`,
        '/tls': `https://in.test:${secure.port}/`,
      })[url] ?? null,
  );
  const fetcher = fetcherWith(settings([`http://in.test:${from.port}`, { fields: ['authorization', BASIC] }]), {
    ca: TEST_CERTIFICATE,
    lookup: (_name, _options, tell) => tell(null, '127.0.0.1', 4),
  });
  for (const path of ['/port', '/host', '/tls']) {
    const outcome = await fetcher.fetch(urlOf(`http://in.test:${from.port}${path}`), never);
    if (outcome.kind !== 'redirect') throw new Error(outcome.kind);
    await fetcher.fetch(outcome.to, never);
  }
  expect(from.seen.map(({ headers }) => headers.authorization)).toEqual([BASIC, BASIC, BASIC]);
  expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
});

test('what is for https is not sent over plain http', async () => {
  const plain = await listen();
  const fetcher = fetcherWith(settings([`https://in.test:${plain.port}`, { fields: ['authorization', BASIC] }]));
  await pageOf(fetcher, `http://in.test:${plain.port}/`);
  expect(plain.seen[0]?.headers.authorization).toBeUndefined();
});

test('a certificate that cannot be verified is let pass for its host alone, again and again, and the page says why it is not to be trusted', async () => {
  const { port, seen } = await listen(null, true);
  const hosts = settings([`https://self.test:${port}`, { unverified: true }], [`https://secure.test:${port}`, { unverified: true }]);
  const fetcher = fetcherWith(hosts);
  for (let i = 0; i < 2; i++) {
    const own = fetcherWith(hosts);
    expect((await pageOf(own, `https://self.test:${port}/`)).certificate).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect((await pageOf(fetcher, `https://self.test:${port}/${i}`)).certificate).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await fetcher.fetch(urlOf(`https://other.test:${port}/${i}`), never)).toMatchObject({
      kind: 'failed',
      code: expect.stringMatching(/^certificate-/),
    });
  }
  expect(seen.some(({ host }) => host.startsWith('other'))).toBe(false);
  const trusting = fetcherWith(hosts, { ca: TEST_CERTIFICATE });
  expect(await pageOf(trusting, `https://secure.test:${port}/`)).not.toHaveProperty('certificate');
  expect((await pageOf(trusting, `https://self.test:${port}/`)).certificate).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
});

test('by way of a proxy it is the same: fields and certificates by the origin behind it', async () => {
  const plain = await listen();
  const secure = await listen(null, true);
  const proxy = await startLoopbackProxy({ http: plain.port, connect: secure.port });
  closers.push(() => proxy.close());
  const hosts = settings(
    ['http://in.example', { fields: ['x-key', SECRET] }],
    ['https://self.example', { fields: ['x-key', SECRET], unverified: true }],
  );
  const fetcher = new HttpFetcher({ ...OPTIONS, proxy: proxy.address, hosts });
  closers.push(() => fetcher.close());
  await pageOf(fetcher, 'http://in.example/');
  await pageOf(fetcher, 'http://other.example/');
  expect(plain.seen.map(({ headers }) => headers['x-key'])).toEqual([SECRET, undefined]);
  expect(await pageOf(fetcher, 'https://self.example/')).toMatchObject({ certificate: 'DEPTH_ZERO_SELF_SIGNED_CERT', ip: null });
  expect(await fetcher.fetch(urlOf('https://other.example/'), never)).toMatchObject({
    kind: 'failed',
    code: expect.stringMatching(/^certificate-/),
  });
  expect(secure.seen.map(({ headers }) => headers['x-key'])).toEqual([SECRET]);
});
