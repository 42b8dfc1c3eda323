import { expect, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import type { RightsStatement } from '../../../src/base/core/types.ts';
import { RightsLedger } from '../../../src/corpus/select/rights-ledger.ts';
import { recordWith } from '../harvest/selected.ts';

const stated = (over: Partial<RightsStatement>, day: number): RightsStatement => ({
  ...{ protocol: 'content-usage', from: 'robots', statement: 'train-ai=n', path: null, understood: true, uses: { 'train-ai': 'disallow' } },
  fetchedAt: isoTime(Date.UTC(2026, 0, day)),
  ...over,
});
const day = (n: number) => isoTime(Date.UTC(2026, 0, n));

function ledgerOf(pages: readonly (readonly [host: string, rights: readonly RightsStatement[]])[]): RightsLedger {
  const ledger = new RightsLedger();
  for (const [i, [host, rights]] of pages.entries()) ledger.add(recordWith('A page.', host, i, rights.length > 0 ? { rights } : {}));
  return ledger;
}

test('pages are counted by protocol and use; of several statements the stricter counts', () => {
  const allows = { statement: 'train-ai=y, search=y', uses: { 'train-ai': 'allow', search: 'allow' } } as const;
  const ledger = ledgerOf([
    ['a.example', [stated({}, 1), stated({ from: 'header', ...allows }, 1)]],
    ['a.example', [stated(allows, 2)]],
    [
      'b.example',
      [
        stated({ protocol: 'rsl', statement: 'x', understood: false, uses: {} }, 1),
        stated({ protocol: 'rsl', statement: 'y', uses: {} }, 1),
      ],
    ],
    ['c.example', []],
  ]);
  expect([ledger.pages, ledger.stating]).toEqual([4, 3]);
  expect(ledger.protocols()).toEqual([
    {
      ...{ protocol: 'content-usage', pages: 2, hosts: 1, notUnderstood: 0 },
      uses: { 'train-ai': { allow: 1, disallow: 1 }, search: { allow: 2, disallow: 0 } },
    },
    { protocol: 'rsl', pages: 1, hosts: 1, notUnderstood: 1, uses: {} },
  ]);
});

test('each statement of a host has its pages and its span; another one in the same file replaces it', () => {
  const other = { statement: 'train-ai=y', uses: { 'train-ai': 'allow' } } as const;
  const ledger = ledgerOf([
    ['a.example', [stated({}, 3)]],
    ['a.example', [stated({}, 1)]],
    ['a.example', [stated(other, 5)]],
    ['a.example', [stated({ ...other, path: '/x' }, 5)]],
    ['b.example', [stated(other, 7)]],
  ]);
  const brief = ledger
    .rows()
    .map(({ host, statement, path, pages, first, last, replaces }) => [host, statement, path, pages, first, last, replaces]);
  expect(brief).toEqual([
    ['http://a.example', 'train-ai=n', null, 2, day(1), day(3), null],
    ['http://a.example', 'train-ai=y', null, 1, day(5), day(5), 'train-ai=n'],
    ['http://a.example', 'train-ai=y', '/x', 1, day(5), day(5), null],
    ['http://b.example', 'train-ai=y', null, 1, day(7), day(7), null],
  ]);
  expect(ledger.rows('b.example')).toHaveLength(1);
  expect(ledger.rows('none.example')).toEqual([]);
});

test('pages that differ are no change, nor are statements of overlapping times', () => {
  const other = { statement: 'train-ai=y' } as const;
  const overlapping = ledgerOf([
    ['a.example', [stated({}, 1)]],
    ['a.example', [stated(other, 2)]],
    ['a.example', [stated({}, 3)]],
  ]);
  expect(overlapping.rows().map(({ replaces }) => replaces)).toEqual([null, null]);
  const ofPages = ledgerOf([
    ['a.example', [stated({ from: 'header' }, 1)]],
    ['a.example', [stated({ from: 'header', ...other }, 2)]],
  ]);
  expect(ofPages.rows().map(({ replaces }) => replaces)).toEqual([null, null]);
});
