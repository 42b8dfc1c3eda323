/** The numbers of a harvest at each of several thresholds, in one pass over the records. */
import type { CorpusRecord, Unit } from '../core/types.ts';
import type { RecordTallies } from './corpus-card.ts';
import type { ReservationCounts } from './harvest-facts.ts';
import { textKey } from './harvest-selection.ts';

/**
 * The counts of `selectRecords` with each threshold, all languages, reserved pages omitted and copies omitted. Of equal texts one is kept wherever one
 * of them passes, so the greatest relevance of a text says at which thresholds it counts. Memory: a hash for each text.
 * @param thresholds in ascending order
 */
export async function tallyAtThresholds(
  records: AsyncIterable<CorpusRecord>,
  thresholds: readonly Unit[],
  reservations: ReservationCounts,
  onRecord: (done: number) => void,
): Promise<RecordTallies[]> {
  const passed: number[] = [];
  const reserved: number[] = [];
  const texts = new Map<string, number>();
  for await (const record of records) {
    const passes = thresholds.filter((threshold) => record.relevance >= threshold).length;
    passed.push(passes);
    if (passes > 0 && reservations.add(record)) reserved.push(passes);
    else if (passes > 0) {
      const key = textKey(record);
      texts.set(key, Math.max(passes, texts.get(key) ?? 0));
    }
    onRecord(passed.length);
  }
  return thresholds.map((_, i) => talliesOf(passed, reserved, [...texts.values()], i));
}

/** Of each page, reserved page and text: how many of the thresholds it passes. @param i which of the thresholds */
function talliesOf(passed: readonly number[], reserved: readonly number[], texts: readonly number[], i: number): RecordTallies {
  const beyond = (passes: readonly number[]) => passes.reduce((sum, one) => sum + (one > i ? 1 : 0), 0);
  const [passing, omitted, kept] = [beyond(passed), beyond(reserved), beyond(texts)];
  return {
    read: passed.length,
    kept,
    belowRelevance: passed.length - passing,
    otherLanguage: 0,
    reserved: omitted,
    duplicates: passing - omitted - kept,
  };
}
