import { expect, test } from 'vitest';
import { FAILURE_POLICY } from '../../../src/base/core/failure-policy.ts';
import { type Reason, reasonText, redirectIn, storedReason, wordOf } from '../../../src/base/core/reason.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';

const to = 'http://b.test/?a=redirect:http://c.test/&b=sitemap:3' as CanonicalUrl;
const REASONS: readonly (readonly [Reason, text: string, word: string])[] = [
  ['', '', ''],
  ['robots', 'robots', 'robots'],
  ['robots-unreachable', 'robots-unreachable', 'robots-unreachable'],
  [{ kind: 'redirect', to }, `redirect:${to}`, 'redirect'],
  [{ kind: 'copy', of: to }, `payload of ${to}`, 'copy'],
  [{ kind: 'robots-unreachable', cause: 'http-5xx' }, 'robots-unreachable:http-5xx', 'robots-unreachable'],
  [{ kind: 'list', list: 'sitemap', links: 0 }, 'sitemap:0', 'list'],
  [{ kind: 'list', list: 'feed', links: 50_000 }, 'feed:50000', 'list'],
  [{ kind: 'hook', hook: 'afterRead', word: 'no table: see b' }, 'hook:afterRead:no table: see b', 'hook'],
  [{ kind: 'reservations', rules: 3 }, 'reservations:3', 'reservations'],
];

test.each(REASONS)('%j is written as %s, and read again', (reason, text, word) => {
  expect(reasonText(reason)).toBe(text);
  expect(storedReason(text)).toEqual(reason);
  expect(wordOf(reason)).toBe(word);
  expect(redirectIn(reason)).toBe(word === 'redirect' ? to : null);
});

test('failures are words', () => {
  for (const code of Object.keys(FAILURE_POLICY)) expect(storedReason(code)).toBe(code);
});

test('what no version wrote stays as it is', () => {
  for (const text of ['sitemap:', 'sitemap:x', 'feed:1:2', 'payload', 'redirect', 'pattern http://a.test/#: 3'])
    expect(storedReason(text)).toBe(text);
});
