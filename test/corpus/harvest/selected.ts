import { onTestFinished } from 'vitest';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import type { Withdrawals } from '../../../src/corpus/records/withdrawals.ts';
import { ReservationCounts } from '../../../src/corpus/select/harvest-facts.ts';
import type { FilterOptions } from '../../../src/corpus/select/harvest-filter.ts';
import { type Omission, type Selection, selectRecords } from '../../../src/corpus/select/harvest-selection.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { freshDir, pageOf, recordOf } from '../records/samples.ts';

/** A record of a page with that text, on that host. */
export function recordWith(text: string, host: string, place: number, over: Partial<CorpusRecord> = {}): CorpusRecord {
  return recordOf(pageOf(`http://${host}/${place}`, text), { text, ...over });
}

export interface Selected {
  readonly selection: Selection;
  readonly pages: readonly HarvestedPage[];
  readonly leftOut: readonly (Omission & { readonly id: string })[];
}

/** The pages of a harvest without its files; all languages and relevances, copies stay unless the options say otherwise. */
export async function selected(
  records: readonly CorpusRecord[],
  options: Partial<FilterOptions & { withdrawals: Withdrawals }>,
): Promise<Selected> {
  const given = { minRelevance: null, languages: [], reserved: 'omit', dedupe: 'none', ...options } as const;
  const context = {
    ...given,
    reservations: new ReservationCounts({ knows: () => true }),
    scratchDir: `${freshDir()}/scratch`,
    onWork: () => undefined,
  };
  const selection = await selectRecords(each(records), context, null, () => undefined);
  onTestFinished(() => selection.close());
  const all = records.map((record, ordinal) => ({ record, ordinal, out: selection.leftOut(ordinal) }));
  return {
    selection,
    pages: all.flatMap(({ record, ordinal, out }) => (out ? [] : [selection.present(ordinal, record)])),
    leftOut: all.flatMap(({ record, out }) => (out ? [{ id: record.id, ...out }] : [])),
  };
}

async function* each(records: readonly CorpusRecord[]): AsyncGenerator<CorpusRecord> {
  yield* records;
}
