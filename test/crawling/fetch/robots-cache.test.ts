import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/core/clock.ts';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { CanonicalUrl, FailureCode, FetchOutcome, RefusalReason } from '../../../src/base/core/types.ts';
import { canonicalize, hostKeyOf } from '../../../src/base/web/url.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { type FileFetcher, RobotsCache, type RobotsCacheOptions } from '../../../src/crawling/fetch/robots-cache.ts';
import { type HostileWeb, startHostileWeb } from '../../support/hostile-web.ts';

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const never = new AbortController().signal;

function urlOf(address: string): CanonicalUrl {
  const url = canonicalize(address);
  if (url === null) throw new Error(address);
  return url;
}

const file = (text: string | Uint8Array): FetchOutcome => {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  const head = { status: 200, statusText: 'OK', rawHeaders: [], headers: {}, requestHeaders: [] };
  return {
    kind: 'page',
    page: {
      ...head,
      url: urlOf('http://a.example/robots.txt'),
      body,
      wireBody: body,
      truncated: false,
      startedAt: 0,
      endedAt: 0,
      ip: null,
    },
  };
};
const failed = (code: FailureCode, status: number | null, retryAfter: number | null = null): FetchOutcome => ({
  kind: 'failed',
  code,
  status,
  detail: '',
  retryAfter,
  ms: 0,
});
const refused = (reason: RefusalReason): FetchOutcome => ({ kind: 'refused', reason, status: null, ms: 0 });
const redirect = (to: string): FetchOutcome => ({ kind: 'redirect', status: 301, to: urlOf(to), ms: 0 });

/** A web of robots.txt files in memory, a clock that stands still, and the cache between them. */
function world(answers: Readonly<Record<string, FetchOutcome>>, options?: RobotsCacheOptions) {
  const asked: string[] = [];
  const web = new Map(Object.entries(answers));
  let now = 1_000_000;
  const clock: Clock = { now: () => now, sleep: () => Promise.resolve() };
  const fetcher: FileFetcher = {
    fetchFile: (url) => {
      asked.push(url);
      return Promise.resolve(web.get(url) ?? failed('http-4xx', 404));
    },
  };
  const cache = new RobotsCache(fetcher, 'Forager', clock, options);
  return {
    asked,
    web,
    cache,
    pass: (ms: number) => {
      now += ms;
    },
    load: (address: string) => cache.load(hostKeyOf(urlOf(address)), never),
    /** Loads until the verdict is known. @returns the hosts asked, as told before each request */
    loadAll: async (address: string): Promise<string[]> => {
      const host = hostKeyOf(urlOf(address));
      const told: string[] = [];
      while (cache.verdict(urlOf(address)) === 'unknown' && told.length < 50) {
        told.push(cache.asks(host));
        await cache.load(host, never);
      }
      return told;
    },
    verdict: (address: string) => cache.verdict(urlOf(address)),
  };
}

const A = 'http://a.example/robots.txt';

test('RFC 9309 §2.3: nothing is known before a load, and each host, scheme and port is one of its own', async () => {
  const { load, verdict } = world({ [A]: file('User-agent: *\nDisallow: /private\nCrawl-delay: 3\nSitemap: http://a.example/map.xml') });
  expect(verdict('http://a.example/')).toBe('unknown');
  expect(await load('http://a.example/x')).toMatchObject({ crawlDelay: 3000, sitemaps: ['http://a.example/map.xml'] });
  expect(verdict('http://a.example/')).toBe('allow');
  expect(verdict('http://a.example/private/1')).toBe('deny');
  expect(verdict('https://a.example/')).toBe('unknown');
  expect(verdict('http://a.example:8080/')).toBe('unknown');
});

describe('RFC 9309 §2.3.1: an answer that is', () => {
  test.each<[string, FetchOutcome, 'allow' | 'deny']>([
    ['an HTML page', file('<!doctype html><title>Welcome</title><p>Disallow: me not'), 'allow'],
    ['binary', file(new Uint8Array([0, 255, 1, 254, 10, 0, 13])), 'allow'],
    ['empty', file(''), 'allow'],
    ['401', failed('http-4xx', 401), 'allow'],
    ['403', failed('http-4xx', 403), 'allow'],
    ['404', failed('http-4xx', 404), 'allow'],
    ['410', failed('http-4xx', 410), 'allow'],
    ['204', failed('protocol', 204), 'allow'],
    ['a 301 to nowhere', failed('protocol', 301), 'allow'],
    ['a redirect to another scheme', refused('scope'), 'allow'],
    ['429', failed('http-429', 429), 'deny'],
    ['500', failed('http-5xx', 500), 'deny'],
    ['503', failed('http-5xx', 503), 'deny'],
    ['999', failed('protocol', 999), 'deny'],
    ['a challenge', failed('blocked', 403), 'deny'],
    ['a timeout', failed('timeout', null), 'deny'],
    ['a reset in the middle', failed('reset', 200), 'deny'],
    ['no connection', failed('connect', null), 'deny'],
    ['no name', failed('dns', null), 'deny'],
    ['a bad certificate', failed('tls', null), 'deny'],
    ['an undecodable body', failed('decode', 200), 'deny'],
  ])('%s', async (_name, outcome, expected) => {
    const { load, verdict } = world({ [A]: outcome });
    await load(A);
    expect(verdict('http://a.example/page')).toBe(expected);
  });
});

describe('RFC 9309 §2.3.1.2: redirects', () => {
  const hops = (count: number) => {
    const answers: Record<string, FetchOutcome> = { [A]: redirect('http://h1.example/r') };
    for (let i = 1; i < count; i++) answers[`http://h${i}.example/r`] = redirect(`http://h${i + 1}.example/r`);
    answers[`http://h${count}.example/r`] = file('User-agent: *\nDisallow: /');
    return answers;
  };

  const own = (count: number) => Array.from({ length: count }, (_, i) => `http://h${i + 1}.example/robots.txt`);

  test('five are followed, one request a load, and the rules hold for the first host', async () => {
    const { asked, loadAll, verdict } = world(hops(5));
    const told = await loadAll(A);
    expect(asked.filter((url) => !own(5).includes(url))).toHaveLength(6);
    expect(told).toEqual(asked.map((url) => hostKeyOf(urlOf(url))));
    expect(verdict('http://a.example/page')).toBe('deny');
    expect(verdict('http://h5.example/page')).toBe('allow');
  });

  test('six are too many: allow', async () => {
    const { asked, loadAll, verdict } = world(hops(6));
    await loadAll(A);
    expect(asked.filter((url) => !own(6).includes(url))).toHaveLength(6);
    expect(verdict('http://a.example/page')).toBe('allow');
  });

  test('the robots.txt of the host of a target is asked first, and one that forbids it leaves the file unreachable', async () => {
    const rules = file('User-agent: *\nDisallow: /private/');
    const { asked, cache, loadAll, verdict } = world({
      [A]: redirect('http://h.example/private/a'),
      'http://b.example/robots.txt': redirect('http://h.example/private/b'),
      'http://c.example/robots.txt': redirect('http://h.example/open'),
      'http://h.example/robots.txt': rules,
      'http://h.example/open': file('User-agent: *\nDisallow: /c'),
    });
    for (const name of ['a', 'b', 'c']) await loadAll(`http://${name}.example/`);
    const first = ['a', 'h', 'b', 'c'].map((name) => `http://${name}.example/robots.txt`);
    expect(asked).toEqual([...first, 'http://h.example/open']);
    expect(cache.unreachable(hostKeyOf(urlOf(A)))?.cause).toBe('robots');
    expect(['a', 'b', 'c', 'h'].map((name) => verdict(`http://${name}.example/x`))).toEqual(['deny', 'deny', 'allow', 'allow']);
    expect(verdict('http://c.example/c')).toBe('deny');
  });

  test('a thousand hosts with one file cost it one request, and it is the file of its own host too', async () => {
    const target = 'https://h.example/robots.txt';
    const names = Array.from({ length: 1000 }, (_, i) => `http://n${i}.example/robots.txt`);
    const answers = Object.fromEntries(names.map((url) => [url, redirect(target)]));
    const { asked, cache, loadAll, verdict } = world({ ...answers, [target]: file('User-agent: *\nCrawl-delay: 7\nDisallow: /no') });
    for (const url of names) await loadAll(url);
    expect(asked.filter((url) => url === target)).toHaveLength(1);
    expect(verdict('https://h.example/no')).toBe('deny');
    expect([cache.crawlDelay(hostKeyOf(urlOf(target))), cache.crawlDelay(hostKeyOf(urlOf(names[5] ?? A)))]).toEqual([7000, 7000]);
  });

  test.each<[string, Readonly<Record<string, FetchOutcome>>]>([
    ['to itself', { [A]: redirect(A) }],
    ['to and fro', { [A]: redirect('http://b.example/robots.txt'), 'http://b.example/robots.txt': redirect(A) }],
    [
      'through files that need each other',
      { [A]: redirect('http://b.example/y'), 'http://b.example/robots.txt': redirect('http://a.example/x') },
    ],
  ])('a circle %s ends: allow', async (_name, answers) => {
    const { asked, loadAll, verdict } = world(answers);
    await loadAll(A);
    expect(new Set(asked).size).toBe(asked.length);
    expect(verdict('http://a.example/page')).toBe('allow');
  });

  test('a row of hosts that each need the next one ends', async () => {
    const answers = Array.from(
      { length: 60 },
      (_, i) => [`http://n${i}.example/robots.txt`, redirect(`http://n${i + 1}.example/y`)] as const,
    );
    const { asked, loadAll, verdict } = world(Object.fromEntries(answers));
    await loadAll('http://n0.example/');
    expect(asked.length).toBeLessThan(20);
    expect(verdict('http://n0.example/')).not.toBe('unknown');
  });

  test('a target in trouble is asked for again alone, and rules known before outlive the trouble', async () => {
    const target = 'http://h.example/robots.txt';
    const { asked, cache, web, loadAll, verdict, pass } = world({ [A]: redirect(target), [target]: failed('timeout', null) });
    await loadAll(A);
    expect([verdict('http://a.example/no'), cache.unreachable(hostKeyOf(urlOf(A)))?.cause]).toEqual(['deny', 'timeout']);
    pass(60 * SECOND);
    web.set(target, file('User-agent: *\nDisallow: /no'));
    await loadAll(A);
    expect(asked).toEqual([A, target, target]);
    pass(2 * DAY);
    web.set(A, failed('http-5xx', 503));
    await loadAll(A);
    expect([verdict('http://a.example/no'), verdict('http://a.example/yes')]).toEqual(['deny', 'allow']);
  });

  test('into a private network deny; a private host itself is left to its own refusal', async () => {
    for (const inside of ['http://10.0.0.1/r', 'http://10.0.0.1/robots.txt']) {
      const answers = {
        [A]: redirect(inside),
        'http://10.0.0.1/robots.txt': refused('private-address'),
        [inside]: refused('private-address'),
      };
      const inward = world(answers);
      await inward.loadAll(A);
      expect(inward.verdict('http://a.example/page')).toBe('deny');
    }
    const own = world({ [A]: refused('private-address') });
    await own.load(A);
    expect(own.verdict('http://a.example/page')).toBe('allow');
  });
});

describe('time', () => {
  test('RFC 9309 §2.4: rules hold for 24 hours', async () => {
    const { load, verdict, pass } = world({ [A]: file('') });
    await load(A);
    pass(DAY - 1);
    expect(verdict('http://a.example/')).toBe('allow');
    pass(1);
    expect(verdict('http://a.example/')).toBe('unknown');
  });

  test('RFC 9309 §2.3.1.4: an unreachable file is due again after a minute, then twice as long each time, up to a day', async () => {
    const { cache, load, verdict, pass } = world({ [A]: failed('timeout', null) });
    for (const wait of [60, 120, 240, 480, 960, 1920, 3840, 7680, 15360, 30720, 61440, 86400, 86400].map((seconds) => seconds * SECOND)) {
      await load(A);
      expect(cache.unreachable(hostKeyOf(urlOf(A)))?.cause).toBe('timeout');
      pass(wait - 1);
      expect(verdict('http://a.example/')).toBe('deny');
      pass(1);
      expect(verdict('http://a.example/')).toBe('unknown');
    }
  });

  test.each([429, 503])('RFC 9110 §10.2.3: a %i that names a pause is not asked again before it is over', async (status) => {
    const code = status === 429 ? 'http-429' : 'http-5xx';
    const { web, load, verdict, pass } = world({ [A]: failed(code, status, 3600 * SECOND) });
    await load(A);
    pass(3600 * SECOND - 1);
    expect(verdict('http://a.example/')).toBe('deny');
    pass(1);
    expect(verdict('http://a.example/')).toBe('unknown');
    // A short one makes the wait no shorter than it would be.
    web.set(A, failed(code, status, SECOND));
    await load(A);
    pass(120 * SECOND - 1);
    expect(verdict('http://a.example/')).toBe('deny');
  });

  test('RFC 9309 §2.3.1.4: after thirty days without an answer there is no file', async () => {
    const { load, verdict, pass } = world({ [A]: failed('http-5xx', 500) });
    await load(A);
    pass(30 * DAY - 1);
    await load(A);
    expect(verdict('http://a.example/')).toBe('deny');
    pass(DAY);
    await load(A);
    expect(verdict('http://a.example/')).toBe('allow');
  });

  test('RFC 9309 §2.3.1.4, §2.4: known rules outlive an outage, and an answer ends it', async () => {
    const { cache, web, load, verdict, pass } = world({ [A]: file('User-agent: *\nDisallow: /no') });
    await load(A);
    pass(DAY);
    web.set(A, failed('http-5xx', 503));
    await load(A);
    expect([verdict('http://a.example/yes'), verdict('http://a.example/no')]).toEqual(['allow', 'deny']);
    pass(60 * SECOND);
    web.set(A, file(''));
    await load(A);
    expect(verdict('http://a.example/no')).toBe('allow');
    expect(cache.unreachable(hostKeyOf(urlOf(A)))).toBeNull();
  });
});

describe('memory', () => {
  test('holds so many hosts, the latest loaded', async () => {
    const { load, verdict } = world({}, { maxHosts: 3 });
    for (const name of ['a', 'b', 'c', 'a', 'd']) await load(`http://${name}.example/`);
    expect(['a', 'b', 'c', 'd'].map((name) => verdict(`http://${name}.example/`))).toEqual(['allow', 'unknown', 'allow', 'allow']);
  });

  test('holds so many bytes, but always the latest', async () => {
    const big = file(`# ${'x'.repeat(1000)}`);
    const { load, verdict } = world(
      { [A]: big, 'http://b.example/robots.txt': big, 'http://c.example/robots.txt': big },
      { maxBytes: 2100 },
    );
    for (const name of ['a', 'b', 'c']) await load(`http://${name}.example/`);
    expect(['a', 'b', 'c'].map((name) => verdict(`http://${name}.example/`))).toEqual(['unknown', 'allow', 'allow']);
    const tiny = world({ [A]: big }, { maxBytes: 10 });
    await tiny.load(A);
    expect(tiny.verdict('http://a.example/')).toBe('allow');
  });
});

describe('over a real connection', () => {
  let web: HostileWeb;
  beforeAll(async () => {
    const head = 'User-agent: *\nDisallow: /no\n';
    const cut = 'Disallow: /x';
    const fill = `${'#'.repeat(500 * 1024 - head.length - cut.length - 1)}\n`;
    const body = `${head}${fill}${cut}/private\nDisallow: /late\n${'#'.repeat(100 * 1024)}`;
    web = await startHostileWeb({ '/robots.txt': { type: 'application/octet-stream', body } });
  });
  afterAll(() => web.close());

  test('RFC 9309 §2.5: a file of any type is read up to 500 KiB, a rule cut in two there left out, and an abort remembers nothing', async () => {
    const fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, allowPrivate: true });
    const cache = new RobotsCache(fetcher, 'Forager', systemClock);
    const host = hostKeyOf(urlOf(`${web.origin}/`));
    await expect(cache.load(host, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    expect(cache.verdict(urlOf(`${web.origin}/`))).toBe('unknown');
    await cache.load(host, never);
    const verdicts = ['/no', '/late', '/x/public', '/'].map((path) => cache.verdict(urlOf(web.origin + path)));
    expect(verdicts).toEqual(['deny', 'allow', 'allow', 'allow']);
    await fetcher.close();
  });
});

describe('what the corpus keeps of a robots.txt', () => {
  const text = 'User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: search=yes\n';

  test('each answer has its outcome; a text that did not change comes once', async () => {
    const { load, pass, web } = world({ [A]: file(text) });
    const first = (await load(A)).answer;
    expect(first?.answer).toMatchObject({ url: A, outcome: 'file', status: 200, to: null, cause: null });
    expect([first?.answer.sha256?.length, first?.page?.body.toString()]).toEqual([64, text]);
    pass(DAY + 1);
    const again = (await load(A)).answer;
    expect([again?.answer.sha256, again?.page]).toEqual([first?.answer.sha256, null]);
    pass(DAY + 1);
    web.set(A, file(`${text}Disallow: /x\n`));
    expect((await load(A)).answer?.page).not.toBeNull();
    pass(DAY + 1);
    web.set(A, failed('http-5xx', 503));
    expect((await load(A)).answer).toMatchObject({
      answer: { outcome: 'unreachable', cause: 'http-5xx', status: 503, sha256: null },
      page: null,
    });
  });

  test.each([
    ['absent', failed('http-4xx', 404), { outcome: 'absent', status: 404 }],
    ['elsewhere', redirect('http://b.example/r'), { outcome: 'redirect', status: 301, to: 'http://b.example/r' }],
  ])('%s', async (_name, outcome, answer) => {
    expect((await world({ [A]: outcome }).load(A)).answer).toMatchObject({ answer, page: null });
  });

  test('where nobody was asked there is no answer', async () => {
    expect((await world({ [A]: refused('private-address') }).load(A)).answer).toBeUndefined();
  });
});

describe('statements about use', () => {
  const of = async (answers: Record<string, FetchOutcome>, address = 'http://a.example/x') => {
    const { loadAll, cache } = world(answers);
    await loadAll(address);
    return cache.statements(urlOf(address)).map(({ protocol, statement, fetchedAt }) => [protocol, statement, fetchedAt]);
  };
  const EPOCH = '1970-01-01T00:00:00.000Z';

  test('are those of the file that is current, with its time; of a redirect those of its target', async () => {
    const stated = file('User-agent: forager\nContent-Usage: train-ai=n\nUser-agent: *\nContent-Signal: search=yes\n');
    const expected = [['content-usage', 'train-ai=n', EPOCH]];
    expect(await of({ [A]: stated })).toEqual(expected);
    expect(await of({ [A]: redirect('http://b.example/r'), 'http://b.example/r': stated })).toEqual(expected);
  });

  test('nothing is stated by an absent file, one that cannot be reached, and for a page that is forbidden', async () => {
    expect(await of({})).toEqual([]);
    expect(await of({ [A]: failed('http-5xx', 500) })).toEqual([]);
    expect(await of({ [A]: file('User-agent: *\nDisallow: /x\nContent-Usage: train-ai=n\n') })).toEqual([]);
  });

  test('the last known file counts while its host cannot be reached', async () => {
    const { load, pass, web, cache } = world({ [A]: file('User-agent: *\nContent-Usage: train-ai=n\n') });
    await load(A);
    web.set(A, failed('http-5xx', 500));
    pass(DAY + 1);
    await load(A);
    expect(cache.statements(urlOf('http://a.example/x'))).toMatchObject([{ statement: 'train-ai=n', fetchedAt: EPOCH }]);
  });
});
