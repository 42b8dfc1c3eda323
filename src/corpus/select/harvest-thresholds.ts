/** The numbers of a harvest at each of several thresholds, in one pass over the records. */
import type { CorpusRecord, Unit } from '../../base/core/types.ts';
import type { Withdrawals } from '../records/withdrawals.ts';
import { exact, textKey } from './filters/exact.ts';
import { relevance } from './filters/relevance.ts';
import { rights } from './filters/rights.ts';
import { withdrawn } from './filters/withdrawn.ts';
import type { RecordTallies, ReservationCounts } from './harvest-facts.ts';
import { noOmissions } from './harvest-selection.ts';

/** The filters that are counted. The others compare pages, or wait for a choice that the numbers do not have. */
export const COUNTED_FILTERS = [withdrawn, rights, relevance, exact] as const;

/**
 * The counts of `selectRecords` with each threshold, all languages, reserved pages omitted and copies omitted. Of equal texts one is kept wherever one
 * of them passes, so the greatest relevance of a text says at which thresholds it counts. Memory: a hash for each text.
 * @param thresholds in ascending order
 */
export async function tallyAtThresholds(
  records: AsyncIterable<CorpusRecord>,
  thresholds: readonly Unit[],
  { reservations, withdrawals }: { readonly reservations: ReservationCounts; readonly withdrawals: Withdrawals },
  onRecord: (done: number) => void,
): Promise<RecordTallies[]> {
  const passed: number[] = [];
  let [read, reserved, gone] = [0, 0, 0];
  const texts = new Map<string, number>();
  for await (const record of records) {
    onRecord(++read);
    if (withdrawals.has(record.url)) {
      gone++;
      continue;
    }
    if (reservations.add(record) !== null) {
      reserved++;
      continue;
    }
    const passes = thresholds.filter((threshold) => record.relevance >= threshold).length;
    passed.push(passes);
    const key = textKey(record);
    if (passes > 0) texts.set(key, Math.max(passes, texts.get(key) ?? 0));
  }
  return thresholds.map((_, i) => {
    const [passing, kept] = [beyond(passed, i), beyond(texts.values(), i)];
    return {
      read,
      leftOut: { ...noOmissions(), withdrawn: gone, rights: reserved, relevance: passed.length - passing, exact: passing - kept },
      kept,
    };
  });
}

/** Number of pages that pass more than `i` thresholds, which is threshold `i`, counted from 0. */
function beyond(passes: Iterable<number>, i: number): number {
  let count = 0;
  for (const one of passes) if (one > i) count++;
  return count;
}
