/** Pages that were taken back, and the pages that name them. */
import { expect, test } from 'vitest';
import { Withdrawals, withdrawalOf } from '../../../src/corpus/records/withdrawals.ts';
import { recordWith, selected } from './selected.ts';

test('are omitted, and no other page names them as the page it was found on, or is an alternate of', async () => {
  const [gone, other] = [recordWith('Gone.', 'a.example', 0), recordWith('Other.', 'a.example', 1)];
  const found = recordWith('Found there.', 'a.example', 2, { referrer: gone.url, anchorText: 'more', alternateOf: gone.url });
  const of = recordWith('Found elsewhere.', 'a.example', 3, { referrer: other.url, anchorText: 'more', alternateOf: other.url });
  const withdrawals = new Withdrawals([withdrawalOf(gone, '2026-01-01T00:00:00.000Z', 'asked')]);
  const { pages, leftOut } = await selected([gone, other, found, of], { withdrawals });
  expect(leftOut.map(({ id, reason }) => [id, reason])).toEqual([[gone.id, 'withdrawn']]);
  expect(pages.map(({ referrer, anchorText, alternateOf }) => [referrer, anchorText, alternateOf])).toEqual([
    [other.referrer, other.anchorText, undefined],
    [null, '', undefined],
    [other.url, 'more', other.url],
  ]);
});
