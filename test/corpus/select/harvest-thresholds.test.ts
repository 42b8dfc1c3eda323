/** The numbers at several thresholds are those that the selection of a harvest counts at each. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { urlSha256, Withdrawals } from '../../../src/corpus/records/withdrawals.ts';
import { ReservationCounts } from '../../../src/corpus/select/harvest-facts.ts';
import { selectRecords } from '../../../src/corpus/select/harvest-selection.ts';
import { tallyAtThresholds } from '../../../src/corpus/select/harvest-thresholds.ts';
import { pageOf, recordOf } from '../records/samples.ts';

const THRESHOLDS = [0, 0.3, 0.5, 0.5, 0.9, 1];
const GONE = 'http://b.example/';
const withdrawals = new Withdrawals([{ id: null, urlSha256: urlSha256(GONE), date: '2026-01-01T00:00:00.000Z', reason: 'x' }]);
const counts = () => new ReservationCounts({ knows: () => true });

async function* each(records: readonly CorpusRecord[]): AsyncGenerator<CorpusRecord> {
  yield* records;
}

/** Few texts and relevances, so that copies stand on both sides of thresholds. */
const drawn = fc.record({
  relevance: fc.constantFrom(0, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1),
  text: fc.constantFrom('moss', ' moss  ', 'peat', 'bog and\nfen', 'bog and fen', ''),
  payloadSha256: fc.constantFrom('a', 'b'),
  fetchedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
  reserved: fc.boolean(),
  gone: fc.boolean(),
});

test('each threshold counts as a harvest with it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { maxLength: 30 }), async (made) => {
      const records = made.map(({ reserved, gone, ...fields }) => {
        const reservation = { reserved: true, by: 'meta', policy: null } as const;
        return recordOf(pageOf(gone ? GONE : 'http://a.example/', ''), { ...fields, ...(reserved && { reservation }) });
      });
      const tallies = await tallyAtThresholds(each(records), THRESHOLDS, { reservations: counts(), withdrawals }, () => undefined);
      for (const [i, minRelevance] of THRESHOLDS.entries()) {
        const filters = { minRelevance, languages: [], reserved: 'omit', dedupe: 'exact' } as const;
        const selection = await selectRecords(
          each(records),
          { ...filters, withdrawals, reservations: counts(), scratchDir: '/nowhere', onWork: () => undefined },
          null,
          () => undefined,
        );
        expect(tallies[i]).toEqual(selection.tallies);
      }
    }),
  );
});
