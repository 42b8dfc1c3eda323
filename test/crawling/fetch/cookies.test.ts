import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { CookieJars } from '../../../src/crawling/fetch/cookies.ts';
import { HostSettings } from '../../../src/crawling/fetch/host-settings.ts';
import { HttpFetcher, type HttpFetcherOptions } from '../../../src/crawling/fetch/http-fetcher.ts';
import { urlOf } from '../../support/frontier-values.ts';

const never = new AbortController().signal;
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** A jar that has been sent this. */
function jarWith(url: string, ...setCookies: string[]): CookieJars {
  const jars = new CookieJars();
  receive(jars, url, ...setCookies);
  return jars;
}

const receive = (jars: CookieJars, url: string, ...setCookies: string[]) =>
  jars.received(
    urlOf(url),
    setCookies.map((value) => ['Set-Cookie', value] as const),
  );

test('a cookie goes back to its host, path and scheme, as RFC 6265bis has it', () => {
  const jars = jarWith(
    'https://www.shop.example/a/b',
    'sid=1',
    'deep=2; Path=/a',
    'safe=3; Secure; Path=/',
    'all=4; Domain=shop.example; Path=/',
  );
  const to = (url: string) => jars.sentTo(urlOf(url)).split('; ').sort().join('; ');
  expect(to('https://www.shop.example/a/c')).toBe('all=4; deep=2; safe=3; sid=1');
  expect(to('https://www.shop.example/')).toBe('all=4; safe=3');
  expect(to('http://www.shop.example/a/')).toBe('all=4; deep=2; sid=1');
  expect(to('https://pay.shop.example/a/')).toBe('all=4');
  expect(to('https://other.example/')).toBe('');
});

test('none crosses registrable domains, whatever it asks for, and none is for a public suffix', () => {
  const jars = jarWith('https://a.co.uk/', 'x=1; Domain=co.uk', 'y=2; Domain=b.co.uk', 'z=3; Domain=uk');
  receive(jars, 'https://one.github.io/', 'w=4; Domain=github.io');
  receive(jars, 'http://127.0.0.1:8080/', 'v=5; Domain=0.0.1', 'own=6');
  const urls = [
    'https://a.co.uk/',
    'https://b.co.uk/',
    'https://one.github.io/',
    'https://two.github.io/',
    'http://127.0.0.1:8081/',
    'http://128.0.0.1/',
  ];
  expect(urls.map((url) => jars.sentTo(urlOf(url)))).toEqual(['', '', '', '', 'own=6', '']);
});

test('a cookie that is over, deleted or too large is not kept; what cannot be read is passed over', () => {
  const jars = jarWith(
    'https://a.example/',
    'gone=1; Max-Age=0',
    'kept=2',
    'big='.padEnd(4200, 'x'),
    'long=1; X='.padEnd(9000, 'x'),
    '',
    '=;=;',
    '\u0000',
    'kept2=é',
  );
  expect(jars.sentTo(urlOf('https://a.example/'))).toBe('kept=2; kept2=é');
  receive(jars, 'https://a.example/', 'kept=; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
  expect(jars.sentTo(urlOf('https://a.example/'))).toBe('kept2=é');
});

test('a domain keeps its 50 latest, whether they come at once or one by one', () => {
  const jars = new CookieJars();
  const cookies = Array.from({ length: 70 }, (_, i) => `c${i}=1`);
  receive(jars, 'https://a.example/', ...cookies.slice(0, 45));
  for (const cookie of cookies.slice(45)) receive(jars, 'https://a.example/', cookie);
  const names = jars.sentTo(urlOf('https://a.example/')).split('; ');
  expect(names).toHaveLength(50);
  expect(names.sort()).toEqual(cookies.slice(20).sort());
});

test('all jars together have a bound: those not used for longest go', () => {
  const jars = new CookieJars(10_000);
  for (let i = 0; i < 9; i++) receive(jars, `https://h${i}.example/`, 'a=1');
  expect(jars.sentTo(urlOf('https://h0.example/'))).toBe('a=1');
  receive(jars, 'https://h9.example/', 'a=1');
  const has = (i: number) => jars.sentTo(urlOf(`https://h${i}.example/`)) !== '';
  expect([0, 1, 2, 9].map(has)).toEqual([true, false, true, true]);
});

interface Site {
  readonly port: number;
  readonly sent: (string | undefined)[];
}

/** Sets a cookie with each answer, be it a page, a redirect or an error. */
async function site(): Promise<Site> {
  const sent: Site['sent'] = [];
  const server = createServer(({ headers, url }, response) => {
    sent.push(headers.cookie);
    const status = url === '/to' ? 302 : url === '/gone' ? 404 : 200;
    response
      .writeHead(status, {
        'content-type': 'text/html',
        'set-cookie': [`n${sent.length}=1; Path=/`],
        ...(url === '/to' && { location: '/' }),
      })
      .end('<p>x</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sent };
}

function fetcherWith(more: Partial<HttpFetcherOptions>): HttpFetcher {
  const fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, allowPrivate: true, ...more });
  closers.push(() => fetcher.close());
  return fetcher;
}

test('a fetcher takes cookies from redirects and errors too, and keeps what it sent to itself', async () => {
  const { port, sent } = await site();
  const origin = `http://127.0.0.1:${port}`;
  const fetcher = fetcherWith({ cookies: new CookieJars() });
  for (const path of ['/to', '/gone']) await fetcher.fetch(urlOf(origin + path), never);
  const outcome = await fetcher.fetch(urlOf(`${origin}/`), never);
  expect(sent).toEqual([undefined, 'n1=1', 'n1=1; n2=1']);
  if (outcome.kind !== 'page') throw new Error(outcome.kind);
  expect(new Map(outcome.page.requestHeaders).get('cookie')).toBe('[redacted]');
  // A response is archived as it came.
  expect(new Map(outcome.page.rawHeaders).get('Set-Cookie') ?? new Map(outcome.page.rawHeaders).get('set-cookie')).toBe('n3=1; Path=/');
});

test('a cookie of the settings is sent besides those of the jar', async () => {
  const { port, sent } = await site();
  const hosts = new HostSettings(new Map([[`http://127.0.0.1:${port}`, { fields: ['cookie', 'set=1'], unverified: false }]]));
  const fetcher = fetcherWith({ cookies: new CookieJars(), hosts });
  for (let i = 0; i < 2; i++) await fetcher.fetch(urlOf(`http://127.0.0.1:${port}/`), never);
  expect(sent).toEqual(['set=1', 'set=1; n1=1']);
});

test('without the option none is sent', async () => {
  const { port, sent } = await site();
  const fetcher = fetcherWith({});
  for (let i = 0; i < 2; i++) await fetcher.fetch(urlOf(`http://127.0.0.1:${port}/`), never);
  expect(sent).toEqual([undefined, undefined]);
});

/** A page that wants its cookie back: each request that does not have the last one is redirected. */
async function cookieWall(
  answer: (cookie: string, request: number) => { readonly status: number; readonly fields: Readonly<Record<string, string>> },
) {
  const asked: string[] = [];
  const server = createServer(({ headers, url = '' }, response) => {
    asked.push(headers.cookie ?? '');
    const { status, fields } = answer(headers.cookie ?? '', asked.length);
    response.writeHead(status, { 'content-type': 'text/html', location: url, ...fields }).end('<p>moss');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: urlOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/wall`), asked, server };
}

async function kindsOf(url: CanonicalUrl, count: number, cookies: CookieJars | null): Promise<string[]> {
  const fetcher = new HttpFetcher({ userAgent: 'x', contact: null, clock: systemClock, allowPrivate: true, ...(cookies && { cookies }) });
  const kinds: string[] = [];
  for (let i = 0; i < count; i++) {
    const outcome = await fetcher.fetch(url, new AbortController().signal);
    const again = outcome.kind !== 'page' && outcome.kind !== 'refused' && outcome.again ? ' again' : '';
    kinds.push(`${outcome.kind === 'failed' ? outcome.code : outcome.kind}${again}`);
  }
  await fetcher.close();
  return kinds;
}

const once = (cookie: string) =>
  cookie === 'seen=1' ? { status: 200, fields: {} } : { status: 302, fields: { 'set-cookie': 'seen=1; path=/' } };

test.each([
  ['with its cookie is asked once more', once, ['redirect again', 'page', 'page']],
  [
    'with a new cookie each time is asked once more only',
    (_: string, n: number) => ({ status: 302, fields: { 'set-cookie': `n=${n}` } }),
    ['redirect again', 'refused', 'refused'],
  ],
  [
    'with a cookie that is not kept is not asked again',
    () => ({ status: 307, fields: { 'set-cookie': 'a=b; Domain=other.example' } }),
    ['refused', 'refused', 'refused'],
  ],
  ['without a cookie is not asked again', () => ({ status: 301, fields: {} }), ['refused', 'refused', 'refused']],
])('a page that redirects to itself %s', async (_, answer, kinds) => {
  const { url, server } = await cookieWall(answer);
  expect(await kindsOf(url, 3, new CookieJars())).toEqual(kinds);
  server.close();
});

test('without cookies, a page that redirects to itself with one says that it needs them', async () => {
  const { url, asked, server } = await cookieWall(once);
  expect(await kindsOf(url, 2, null)).toEqual(['needs-cookies', 'needs-cookies']);
  expect(asked).toEqual(['', '']);
  server.close();
});
