/** Pages that lead elsewhere for a cookie, and back: by redirects and refreshes, on one host or two, with cookies and without. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { CookieJars } from '../../../src/crawling/fetch/cookies.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { refreshOf } from '../../../src/crawling/fetch/page-refresh.ts';
import { urlOf } from '../../support/frontier-values.ts';

type Answer = (request: {
  readonly path: string;
  readonly cookie: string;
  readonly host: string;
}) => readonly [status: number, fields: Readonly<Record<string, string>>, body?: string];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A site, and the paths that were asked for. */
async function site(answer: Answer) {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
    asked.push(url);
    const [status, fields, body = '<p>moss on every stone'] = answer({ path: url, cookie: headers.cookie ?? '', host: headers.host ?? '' });
    response.writeHead(status, { 'content-type': 'text/html', ...fields }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, at: (path: string) => urlOf(`http://127.0.0.1:${port}${path}`) };
}

function fetcherOf(cookies: boolean): HttpFetcher {
  return new HttpFetcher({
    ...{ userAgent: 'x', contact: null, clock: systemClock, allowPrivate: true },
    ...(cookies && { cookies: new CookieJars() }),
  });
}

/** What a crawl does: each URL is settled once; what is to be asked again waits behind the others. */
async function walk(first: CanonicalUrl, cookies: boolean): Promise<Map<string, string>> {
  const fetcher = fetcherOf(cookies);
  const queue = [first];
  const seen = new Set<CanonicalUrl>(queue);
  const ends = new Map<string, string>();
  for (let turn = 0; queue.length > 0; turn++) {
    if (turn > 40) throw new Error('it never ends');
    const url = queue.shift() as CanonicalUrl;
    const outcome = await fetcher.fetch(url, new AbortController().signal);
    // The target of a refresh is a link of its page.
    const next = outcome.kind === 'redirect' ? outcome.to : outcome.kind === 'page' ? refreshOf(outcome.page) : null;
    if (next !== null && !seen.has(next)) queue.push(next);
    if (next !== null) seen.add(next);
    if (outcome.kind === 'redirect' && (outcome.again || outcome.later)) queue.push(url);
    else
      ends.set(
        new URL(url).pathname,
        outcome.kind === 'failed' ? outcome.code : outcome.kind === 'refused' ? outcome.reason : outcome.kind,
      );
  }
  await fetcher.close();
  return ends;
}

const OPEN = 'ok=1; path=/';
const to = (location: string, fields: Readonly<Record<string, string>> = {}) => [302, { location, ...fields }] as const;
const refresh = (target: string, fields: Readonly<Record<string, string>> = {}, wait = '0') =>
  [200, fields, `<title>One moment</title><meta http-equiv="refresh" content="${wait}; url=${target}"><p>One moment`] as const;

/** Walls that a cookie opens. */
const OPENED: readonly (readonly [string, Answer])[] = [
  [
    'a path of consent with the way back in its query',
    ({ path, cookie }) =>
      path.startsWith('/consent') ? to('/page', { 'set-cookie': OPEN }) : cookie === 'ok=1' ? [200, {}] : to('/consent?back=%2Fpage'),
  ],
  [
    'a path that tells nothing',
    ({ path, cookie }) =>
      path === '/x' ? to('/page', { 'set-cookie': OPEN }) : cookie.includes('ok=1') ? [200, {}] : to('/x', { 'set-cookie': 's=7' }),
  ],
  [
    'three pages on the way',
    ({ path, cookie }) => {
      if (path === '/1') return to('/2');
      if (path === '/2') return to('/3', { 'set-cookie': OPEN });
      return path === '/3' ? to('/page') : cookie === 'ok=1' ? [200, {}] : to('/1');
    },
  ],
  [
    'a page on the way that refreshes back',
    ({ path, cookie }) => (path === '/gate' ? refresh('/page', { 'set-cookie': OPEN }) : cookie === 'ok=1' ? [200, {}] : to('/gate')),
  ],
  [
    'a page that refreshes to a path with the way back',
    ({ path, cookie }) =>
      path.startsWith('/gate') ? to('/page', { 'set-cookie': OPEN }) : cookie === 'ok=1' ? [200, {}] : refresh('/gate?to=/page', {}, '2'),
  ],
  [
    'a page that refreshes to a path of cookies, which refreshes back by its header',
    ({ path, cookie }) =>
      path === '/set-cookie'
        ? [200, { refresh: '0;url=/page', 'set-cookie': OPEN }, '<p>Wait']
        : cookie === 'ok=1'
          ? [200, {}]
          : refresh('/set-cookie'),
  ],
  [
    'a page that refreshes itself with a cookie',
    ({ cookie }) => (cookie === 'ok=1' ? [200, {}] : refresh('/page', { 'set-cookie': OPEN })),
  ],
];

describe.each(OPENED)('%s', (_, answer) => {
  test('with cookies the page comes, and is asked twice', async () => {
    const { at, asked } = await site(answer);
    expect((await walk(at('/page'), true)).get('/page')).toBe('page');
    expect(asked.filter((path) => path === '/page')).toHaveLength(2);
  });

  test('without cookies, one visit says that it needs them, and nothing is asked twice', async () => {
    const { at, asked } = await site(answer);
    expect([...(await walk(at('/page'), false)).values()]).toContain('needs-cookies');
    expect(new Set(asked).size).toBe(asked.length);
  });
});

test.each<readonly [string, Answer, page: string, asked: number]>([
  [
    'a wall that its cookie does not open',
    ({ path }) => (path === '/gate' ? to('/page', { 'set-cookie': OPEN }) : to('/gate')),
    'consent-wall',
    2,
  ],
  [
    'a wall with another cookie each time',
    ({ path }) => (path === '/gate' ? to('/page') : to('/gate', { 'set-cookie': `n=${Math.random()}; path=/` })),
    'consent-wall',
    2,
  ],
  [
    'a wall by refresh that its cookie does not open',
    ({ path }) => (path.startsWith('/gate') ? to('/page', { 'set-cookie': OPEN }) : refresh('/gate?/page')),
    'consent-wall',
    2,
  ],
  ['two pages that redirect to each other', ({ path }) => to(path === '/page' ? '/b' : '/page'), 'redirect', 1],
  ['a page that moved', ({ path }) => (path === '/page' ? to('/new') : [200, {}]), 'redirect', 1],
  [
    'a page that moved, on a site of sessions',
    ({ path }) => (path === '/page' ? to('/new') : [200, { 'set-cookie': 's=1; path=/' }]),
    'redirect',
    2,
  ],
  [
    'the same page with a slash, on a site of sessions',
    ({ path }) => (path === '/page' ? to('/page/', { 'set-cookie': 's=1; path=/' }) : [200, {}]),
    'redirect',
    1,
  ],
  ['a page of text that loads again', () => refresh('/page', { 'set-cookie': 's=1; path=/' }, '300'), 'page', 1],
  [
    'a page with a text that leads elsewhere',
    ({ path }) => [200, {}, `<meta http-equiv=refresh content="0;url=/consent?${path}"><p>${'moss '.repeat(80)}`],
    'page',
    1,
  ],
])('%s', async (_, answer, page, times) => {
  const { at, asked } = await site(answer);
  expect((await walk(at('/page'), true)).get('/page')).toBe(page);
  expect(asked.filter((path) => path === '/page')).toHaveLength(times);
});

test('a site of sessions costs four requests more, however many pages moved', async () => {
  let session = 0;
  const { at, asked } = await site(({ path }) =>
    path.startsWith('/old') ? to(path.replace('old', 'new')) : [200, { 'set-cookie': `s=${++session}; path=/` }],
  );
  const fetcher = fetcherOf(true);
  for (let page = 0; page < 20; page++) {
    const [old, moved] = [at(`/old/${page}`), at(`/new/${page}`)];
    const { signal } = new AbortController();
    if (((await fetcher.fetch(old, signal)) as { later?: number }).later === undefined) continue;
    await fetcher.fetch(moved, signal);
    expect(await fetcher.fetch(old, signal)).toEqual(expect.objectContaining({ kind: 'redirect', to: moved }));
  }
  expect(asked.filter((path) => path.startsWith('/old'))).toHaveLength(24);
  await fetcher.close();
});

test('a page whose way is never asked for ends its waits', async () => {
  const { at, asked } = await site(() => to('/elsewhere'));
  const fetcher = fetcherOf(true);
  const waits: (number | undefined)[] = [];
  for (let i = 0; i < 6; i++) waits.push(((await fetcher.fetch(at('/page'), new AbortController().signal)) as { later?: number }).later);
  expect(waits).toEqual([2000, 2000, 4000, 8000, 16000, undefined]);
  expect(asked).toEqual(['/page']);
  await fetcher.close();
});
