import { expect, test } from 'vitest';
import type { CanonicalUrl, FetchedPage } from '../../../src/base/core/types.ts';
import { ResourceCache } from '../../../src/crawling/render/resource-cache.ts';

const NOW = Date.parse('2026-03-01T00:00:00Z');

function response(headers: Record<string, string>, more: Partial<FetchedPage> = {}): FetchedPage {
  const body = new Uint8Array(1000);
  return {
    ...{ url: 'http://a.example/app.js' as CanonicalUrl, status: 200, statusText: 'OK', rawHeaders: [], headers, requestHeaders: [] },
    ...{ body, wireBody: body, truncated: false, startedAt: NOW, endedAt: NOW, ip: null },
    ...more,
  };
}

function atTime() {
  let now = NOW;
  const cache = new ResourceCache({ now: () => now });
  return {
    cache,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test.each([
  ['max-age', { 'cache-control': 'public, max-age=60' }, 60_000],
  ['no-cache', { 'cache-control': 'no-cache, max-age=60' }, 0],
  ['Expires', { expires: 'Sun, 01 Mar 2026 00:02:00 GMT', date: 'Sun, 01 Mar 2026 00:00:00 GMT' }, 120_000],
  ['a tenth of its age', { 'last-modified': 'Sat, 28 Feb 2026 00:00:00 GMT' }, 8_640_000],
  ['nothing stated', {}, 0],
])('a response of data is fresh as long as %s says', (_, headers, lifetime) => {
  const { cache, pass } = atTime();
  cache.remember('k', response(headers), false);
  if (lifetime > 0) pass(lifetime - 1);
  expect(cache.fresh('k') !== null).toBe(lifetime > 0);
  pass(1);
  expect(cache.fresh('k')).toBeNull();
});

test('scripts and style sheets are fresh for ten minutes at least', () => {
  const { cache, pass } = atTime();
  cache.remember('k', response({ 'cache-control': 'max-age=0' }), true);
  pass(599_999);
  expect(cache.fresh('k')).not.toBeNull();
  pass(1);
  expect(cache.fresh('k')).toBeNull();
});

test('a server that confirms a response makes the same object fresh again', () => {
  const { cache, pass } = atTime();
  const page = response({ etag: '"1"', 'cache-control': 'max-age=1' });
  cache.remember('k', page, false);
  pass(2000);
  expect(cache.validators('k')).toEqual({ etag: '"1"', lastModified: null });
  expect(cache.confirmed('k', response({ 'cache-control': 'max-age=5' }, { status: 304 }), false)).toBe(page);
  expect(cache.fresh('k')).toBe(page);
  expect(cache.confirmed('other', page, false)).toBeNull();
});

test.each([
  ['no-store', response({ 'cache-control': 'no-store' })],
  ['Vary: *', response({ vary: '*' })],
  ['an error', response({}, { status: 404 })],
  ['a cut body', response({}, { truncated: true })],
])('%s is not remembered', (_, page) => {
  const { cache } = atTime();
  cache.remember('k', page, true);
  expect([cache.fresh('k'), cache.validators('k')]).toEqual([null, null]);
});

test('bodies of 64 MB are remembered; the one used longest ago is dropped first', () => {
  const { cache } = atTime();
  const large = () => ({ body: new Uint8Array(20 * 2 ** 20), wireBody: new Uint8Array(0) });
  for (const key of ['a', 'b', 'c']) cache.remember(key, response({}, large()), true);
  cache.fresh('a');
  cache.remember('d', response({}, large()), true);
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.fresh(key) !== null)).toEqual(['a', 'c', 'd']);
});
