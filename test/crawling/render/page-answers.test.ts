import { expect, test } from 'vitest';
import type { CanonicalUrl, FetchedPage, FetchOutcome, HostKey } from '../../../src/base/core/types.ts';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import { PageAnswers, RENDER_LIMITS } from '../../../src/crawling/render/page-answers.ts';
import { ResourceSource } from '../../../src/crawling/render/resource-source.ts';

const PAGE = 'http://a.example/page' as CanonicalUrl;
const live = new AbortController().signal;

function responseTo(url: CanonicalUrl, size = 10, status = 200): FetchedPage {
  const body = new Uint8Array(size);
  return {
    ...{ url, status, statusText: '', rawHeaders: [], headers: {}, requestHeaders: [], body, wireBody: body },
    ...{ truncated: false, startedAt: 0, endedAt: 0, ip: null },
  };
}

interface World {
  readonly outcome?: (url: CanonicalUrl) => FetchOutcome;
  readonly denied?: string;
  readonly optedOut?: string;
  readonly withdrawn?: string;
  readonly delays?: Readonly<Record<string, number>>;
}

function opened({ outcome, denied = 'no path', optedOut = 'no host', withdrawn = 'no page', delays = {} }: World = {}) {
  const [asked, loaded]: [string[], HostKey[]] = [[], [hostKeyOf(PAGE)]];
  const trusted: string[] = [];
  let [open, most, now] = [0, 0, 1000];
  const source = new ResourceSource({
    clock: {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
      },
    },
    hostPolicy: { optedOut: (url) => url.includes(optedOut), withdrawn: (url) => url.includes(withdrawn) },
    robots: {
      verdict: (url) => (loaded.includes(hostKeyOf(url)) ? (url.includes(denied) ? 'deny' : 'allow') : 'unknown'),
      load: async (host) => {
        loaded.push(host);
        return { crawlDelay: null, sitemaps: [] };
      },
      unreachable: () => null,
      crawlDelay: (host) => delays[host] ?? null,
    },
    fetcher: {
      fetchResource: async (url, { fields, hasCredentials }) => {
        asked.push([url, ...fields].join(' '));
        if (hasCredentials) trusted.push(url);
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return outcome?.(url) ?? { kind: 'page', page: responseTo(url) };
      },
    },
  });
  const answersFor = () => new PageAnswers(source, responseTo(PAGE), live);
  return {
    asked,
    loaded,
    trusted,
    answersFor,
    now: () => now,
    most: () => most,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const get = (url: string, type = 'Script', headers = {}) => ({ url, method: 'GET', type, headers });

test('the own host is asked for code and data, another host for scripts and data, nobody for more', async () => {
  const { asked, answersFor, loaded } = opened();
  const answers = answersFor();
  const types = ['Script', 'Stylesheet', 'XHR', 'Fetch', 'Image', 'Media', 'Font', 'Ping', 'Manifest', 'Other', 'Prefetch', 'EventSource'];
  for (const host of ['a', 'b']) for (const type of types) await answers.answer(get(`http://${host}.example/${type}`, type));
  const wanted = [
    'a.example/Script',
    'a.example/Stylesheet',
    'a.example/XHR',
    'a.example/Fetch',
    'b.example/Script',
    'b.example/XHR',
    'b.example/Fetch',
  ];
  expect(asked).toEqual(wanted.map((path) => `http://${path}`));
  expect(loaded).toEqual(['http://a.example', 'http://b.example']);
  expect(answers.used.map(({ url }) => url)).toEqual(asked);
});

test('nobody is asked ahead of a visit, or for events without end', async () => {
  const { asked, answersFor } = opened();
  const answers = answersFor();
  const needless = [{ 'Sec-Purpose': 'prefetch' }, { purpose: 'prefetch' }, { Accept: 'text/event-stream' }];
  for (const headers of needless) expect(await answers.answer(get('http://a.example/x', 'Fetch', headers))).toBeNull();
  expect(asked).toEqual([]);
});

test('only GET over http is asked, with the fields that a server may need', async () => {
  const { asked, answersFor } = opened();
  const answers = answersFor();
  for (const method of ['POST', 'PUT', 'HEAD']) expect(await answers.answer({ ...get('http://a.example/x', 'XHR'), method })).toBeNull();
  for (const url of ['file:///etc/passwd', 'ws://a.example/', 'data:,x', 'nothing'])
    expect(await answers.answer(get(url, 'XHR'))).toBeNull();
  const headers = {
    Accept: 'application/json',
    'X-Requested-With': 'XMLHttpRequest',
    Cookie: 'a=b',
    Referer: 'r',
    'User-Agent': 'u',
    'X-Client-Data': 'c',
    Range: '0-',
  };
  await answers.answer(get('http://a.example/d.json#part', 'XHR', headers));
  expect(asked).toEqual(['http://a.example/d.json accept application/json x-requested-with XMLHttpRequest']);
});

test('robots.txt, owners who opted out, and long Crawl-delays of other hosts are obeyed', async () => {
  const { asked, answersFor } = opened({
    denied: '/private',
    optedOut: 'out.example',
    delays: { 'http://slow.example': 5000, 'http://a.example': 5000 },
  });
  const answers = answersFor();
  const urls = ['http://a.example/private/x.js', 'http://b.example/private/x.js', 'http://out.example/x.js', 'http://slow.example/x.js'];
  for (const url of urls) expect(await answers.answer(get(url))).toBeNull();
  expect(await answers.answer(get('http://a.example/x.js'))).not.toBeNull();
  expect(asked).toEqual(['http://a.example/x.js']);
});

test('a page has thirty requests and five megabytes', async () => {
  const many = opened();
  const answers = many.answersFor();
  for (let n = 0; n < 40; n += 1) await answers.answer(get(`http://a.example/${n}.js`));
  expect(many.asked.length).toBe(RENDER_LIMITS.requests);
  expect(answers.cost).toEqual({ requests: 30, bytes: 300 });
  const heavy = opened({ outcome: (url) => ({ kind: 'page', page: responseTo(url, 2 * 2 ** 20) }) });
  const others = heavy.answersFor();
  for (let n = 0; n < 5; n += 1) await others.answer(get(`http://a.example/${n}.js`));
  expect(heavy.asked.length).toBe(3);
});

test('a host has one request at a time, and pages share the answers', async () => {
  const { asked, answersFor, most } = opened();
  const [one, two] = [answersFor(), answersFor()];
  const urls = [1, 2, 3].map((n) => get(`http://a.example/${n}.js`));
  const found = await Promise.all([...urls.map((url) => one.answer(url)), ...urls.map((url) => two.answer(url))]);
  expect(asked).toEqual(urls.map(({ url }) => url));
  expect(most()).toBe(1);
  expect(found[3]).toBe(found[0]);
  expect([one.cost.requests, two.cost.requests]).toEqual([3, 0]);
  expect(two.used).toEqual(one.used);
});

test('a host that fails is left alone for a minute', async () => {
  let fails = true;
  const outcome = (url: CanonicalUrl): FetchOutcome =>
    fails
      ? { kind: 'failed', code: 'timeout', status: null, detail: '', retryAfter: null, ms: 1 }
      : { kind: 'page', page: responseTo(url) };
  const { asked, answersFor, pass } = opened({ outcome });
  const answers = answersFor();
  expect(await answers.answer(get('http://b.example/1.js'))).toBeNull();
  expect(await answers.answer(get('http://b.example/2.js'))).toBeNull();
  expect(asked.length).toBe(1);
  fails = false;
  pass(60_001);
  expect(await answers.answer(get('http://b.example/2.js'))).not.toBeNull();
});

test('an error of a server is an answer, a response that was cut is none', async () => {
  const outcome = (url: CanonicalUrl): FetchOutcome => ({
    kind: 'page',
    page: { ...responseTo(url, 10, 404), truncated: url.endsWith('cut.js') },
  });
  const { answersFor } = opened({ outcome });
  expect(await answersFor().answer(get('http://a.example/gone.js'))).toMatchObject({ status: 404 });
  expect(await answersFor().answer(get('http://a.example/cut.js'))).toBeNull();
});

test('one page asks ten other hosts at most, and requests for robots.txt count', async () => {
  const { asked, loaded, answersFor } = opened();
  const answers = answersFor();
  await Promise.all(Array.from({ length: 500 }, (_, n) => answers.answer(get(`http://h${n}.example/x.js`))));
  expect(asked.length).toBe(10);
  expect(loaded.length).toBe(11);
  expect(answers.cost.requests).toBe(20);
});

test('an error of one URL leaves the other URLs of its host alone; a busy host rests as long as it asks for', async () => {
  const answer = (url: CanonicalUrl, status: number) => ({
    ...responseTo(url, 10, status),
    headers: status === 429 ? { 'retry-after': '600' } : {},
  });
  const outcome = (url: CanonicalUrl): FetchOutcome => ({
    kind: 'page',
    page: answer(url, url.endsWith('me') ? 500 : url.endsWith('busy') ? 429 : 200),
  });
  const { asked, answersFor, pass } = opened({ outcome });
  const answers = answersFor();
  for (const path of ['me', 'item', 'me']) await answers.answer(get(`http://a.example/${path}`, 'XHR'));
  expect(asked).toEqual(['http://a.example/me', 'http://a.example/item']);
  for (const path of ['busy', 'other']) await answers.answer(get(`http://b.example/${path}`, 'XHR'));
  pass(599_000);
  await answers.answer(get('http://b.example/other', 'XHR'));
  expect(asked.filter((url) => url.includes('b.example'))).toEqual(['http://b.example/busy']);
  pass(2000);
  expect(await answers.answer(get('http://b.example/other', 'XHR'))).not.toBeNull();
});

test('cookies and fields of the user are for the site of the page; fields that turn a request into another are not passed', async () => {
  const { asked, trusted, answersFor } = opened();
  const answers = answersFor();
  const headers = {
    'X-HTTP-Method-Override': 'DELETE',
    'x-method-override': 'PUT',
    'X-Forwarded-For': '127.0.0.1',
    'X-Real-IP': '1',
    'X-Api-Key': 'k',
  };
  for (const host of ['a.example', 'api.a.example', 'other.example']) await answers.answer(get(`http://${host}/x`, 'XHR', headers));
  expect(asked).toEqual(['a.example', 'api.a.example', 'other.example'].map((host) => `http://${host}/x x-api-key k`));
  expect(trusted).toEqual(['http://a.example/x', 'http://api.a.example/x']);
});

test('a page that was withdrawn is no resource, and the Crawl-delay of another host is kept', async () => {
  const { asked, answersFor, now } = opened({ withdrawn: '/gone', delays: { 'http://b.example': 1500 } });
  const answers = answersFor();
  expect(await answers.answer(get('http://a.example/gone', 'XHR'))).toBeNull();
  const startedAt = now();
  for (const n of [1, 2, 3]) await answers.answer(get(`http://b.example/${n}.js`));
  expect(asked.length).toBe(3);
  expect(now() - startedAt).toBe(3000);
});
