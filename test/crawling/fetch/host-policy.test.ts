import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import { isFinal } from '../../../src/base/core/failure-policy.ts';
import { hostPolicyOf } from '../../../src/crawling/fetch/host-policy.ts';
import { HttpFetcher, type HttpFetcherOptions } from '../../../src/crawling/fetch/http-fetcher.ts';
import { RobotsCache } from '../../../src/crawling/fetch/robots-cache.ts';
import { hostOf, urlOf } from '../../support/frontier-values.ts';

const BOTH = { perIp: true, perDomain: true };
const FETCHER: HttpFetcherOptions = { userAgent: 'test', contact: null, clock: systemClock };
const addressed = (addresses: readonly string[]) => ({ addressesOf: async () => addresses });
const groups = (host: string, addresses: readonly string[], shared = BOTH) =>
  hostPolicyOf(shared, addressed(addresses), { optOut: null, withdrawn: null }).groupsOf(hostOf(host));

test('hosts of the same addresses are one group, whatever the order; so are those of one registrable domain, when asked', async () => {
  expect(await groups('http://www.a.example/', ['198.51.100.7', '198.51.100.10'])).toEqual(['domain a.example', 'ip 198.51.100.10']);
  expect(await groups('https://b.example/', ['198.51.100.10', '198.51.100.7'])).toEqual(['domain b.example', 'ip 198.51.100.10']);
  expect(await groups('http://b.example/', ['2001:db8::1'], { perIp: true, perDomain: false })).toEqual(['ip 2001:db8::1']);
  expect(await groups('http://b.example/', ['198.51.100.7'], { perIp: false, perDomain: false })).toEqual([]);
});

test('loopback addresses and proxies make no group; of a name that leads nowhere it is not known yet', async () => {
  const perIp = { perIp: true, perDomain: false };
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    expect(await groups('http://a.example/', [address], perIp)).toEqual([]);
  expect(await groups('http://a.example/', ['10.0.0.5', '127.0.0.1'], perIp)).toEqual(['ip 10.0.0.5']);
  const proxied = new HttpFetcher({ ...FETCHER, proxy: 'http://127.0.0.1:1' });
  const nowhere = new HttpFetcher({ ...FETCHER, lookup: (_name, _options, tell) => tell(new Error('none'), []) });
  expect(await hostPolicyOf(perIp, proxied, { optOut: null, withdrawn: null }).groupsOf(hostOf('http://a.example/'))).toEqual([]);
  expect(await hostPolicyOf(perIp, nowhere, { optOut: null, withdrawn: null }).groupsOf(hostOf('http://a.example/'))).toBeNull();
  await Promise.all([proxied.close(), nowhere.close()]);
});

test('addresses are those the connection will go to: one lookup a name, address literals as they are', async () => {
  const asked: string[] = [];
  const fetcher = new HttpFetcher({
    ...FETCHER,
    lookup: (name, _options, tell) => {
      asked.push(name);
      tell(null, [{ address: '198.51.100.7', family: 4 }]);
    },
  });
  const book = (host: string) => fetcher.addressesOf(hostOf(host));
  expect(await book('http://a.example/')).toEqual(['198.51.100.7']);
  expect(await book('https://a.example:8443/')).toEqual(['198.51.100.7']);
  expect(await book('http://[2001:db8::1]:80/')).toEqual(['2001:db8::1']);
  expect(await book('http://203.0.113.9/')).toEqual(['203.0.113.9']);
  expect(asked).toEqual(['a.example']);
  await fetcher.close();
});

test.each([
  ['at once', ['http://a.example/robots.txt'], { 'http://a.example/robots.txt': 'http://out.example/robots.txt' }],
  [
    'after two hops',
    ['http://a.example/robots.txt', 'http://b.example/robots.txt'],
    { 'http://a.example/robots.txt': 'http://b.example/robots.txt', 'http://b.example/robots.txt': 'http://out.example/robots.txt' },
  ],
  ['to another file there', ['http://a.example/robots.txt'], { 'http://a.example/robots.txt': 'http://out.example/rules/all.txt' }],
])(
  'a robots.txt that redirects %s to somebody who opted out: not asked, and the rules that nobody knows allow nothing',
  async (_, expected, redirects) => {
    const asked: string[] = [];
    const to = new Map<string, string>(Object.entries(redirects));
    const redirecting = {
      fetchFile: async (url: string) => {
        if (url.startsWith('http://out.example/')) return { kind: 'refused', reason: 'opt-out', status: null, ms: 0 } as const;
        asked.push(url);
        return { kind: 'redirect', status: 301, to: urlOf(to.get(url) ?? ''), ms: 1 } as const;
      },
    };
    const robots = new RobotsCache(redirecting, 'Forager', systemClock);
    const page = urlOf('http://a.example/page');
    for (let request = 0; request < 6 && robots.verdict(page) === 'unknown'; request++)
      await robots.load(hostOf('http://a.example/'), new AbortController().signal);
    expect(asked).toEqual(expected);
    expect(robots.verdict(page)).toBe('deny');
    const unreachable = robots.unreachable(hostOf('http://a.example/'));
    expect(isFinal(unreachable?.cause ?? 'dns')).toBe(true);
  },
);
