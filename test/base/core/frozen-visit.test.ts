import { expect, test } from 'vitest';
import { frozenEnd } from '../../../src/base/core/frozen-visit.ts';
import type { CanonicalUrl, Fate } from '../../../src/base/core/types.ts';
import { fate, urlOf } from '../../support/frontier-values.ts';

const url = urlOf('http://a.test/');
const to = urlOf('http://b.test/');

test.each<[string, Fate, object | null]>([
  [
    'a redirect',
    fate('fetched', { reason: { kind: 'redirect', to: 'http://b.test/' as CanonicalUrl }, status: 302 }),
    { status: 302, kind: 'redirect', to },
  ],
  ['a failure', fate('failed', { reason: 'http-5xx', status: 503 }), { status: 503, kind: 'failed', code: 'http-5xx' }],
  ['a failure by a name of every object', fate('failed', { reason: 'constructor' as 'internal' }), null],
  ['robots.txt', fate('refused', { reason: 'robots', status: null, visited: false }), { status: null, kind: 'refused', reason: 'robots' }],
  ['a picture', fate('refused', { reason: 'content-type' }), { status: 200, kind: 'refused', reason: 'content-type' }],
  ['a redirect to mail', fate('refused', { reason: 'scope', status: 301 }), { status: 301, kind: 'refused', reason: 'scope' }],
  ['what is out of the scope of the crawl', fate('refused', { reason: 'scope', status: null, visited: false }), null],
  ['what is too deep for the crawl', fate('refused', { reason: 'max-depth', visited: false }), null],
  ['a page that asks not to be kept', fate('refused', { reason: 'noindex' }), null],
  ['a page that was kept', fate('kept'), null],
  ['a page off topic', fate('off-topic'), null],
  ['a duplicate', fate('duplicate', { reason: { kind: 'copy', of: 'http://b.test/' as CanonicalUrl } }), null],
])('%s', (_, ended, expected) => {
  expect(frozenEnd(url, ended, to)).toEqual(expected && { url, ...expected });
});

test('a redirect that leads nowhere known is no end', () => {
  expect(frozenEnd(url, fate('fetched', { reason: { kind: 'redirect', to: '?' as CanonicalUrl } }), null)).toBeNull();
});
