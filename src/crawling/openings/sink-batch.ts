/** Kept records that wait for a sink, read from the corpus: none is held in memory. */
import { join } from 'node:path';
import type { OnDamaged } from '../../base/core/errors.ts';
import type { SinkMark } from '../../base/core/parts/queueing.ts';
import type { Bytes, RecordId } from '../../base/core/types.ts';
import { countLines, placedRecordsOf, RECORDS_FILE, recordBefore, recordPlace } from '../../corpus/records/records.ts';
import type { SinkRecord } from './sink-receivers.ts';

/** A record, and the place behind its line. */
export interface WaitingRecord {
  readonly record: SinkRecord;
  readonly after: Bytes;
}

/** More records need no fewer commands: a page has 4 kB of text. */
const MOST_BYTES: Bytes = 4 * 2 ** 20;

/** Records of a delivery. `behind`: the place behind them, and behind damaged lines that follow. */
export interface SinkBatch {
  readonly records: readonly WaitingRecord[];
  readonly behind: Bytes;
}

/** The next records behind a mark. @param end bytes of the last commit @param onDamaged receives damaged lines, which are omitted @throws DataError */
export async function nextBatch(
  corpus: string,
  { bytes }: Pick<SinkMark, 'bytes'>,
  { end, count, onDamaged }: { readonly end: Bytes; readonly count: number; readonly onDamaged: OnDamaged },
): Promise<SinkBatch> {
  const records: WaitingRecord[] = [];
  for await (const {
    record: { votes: _, ...record },
    place,
  } of placedRecordsOf(join(corpus, RECORDS_FILE), end, onDamaged, bytes)) {
    const after = place.start + place.length + 1;
    records.push({ record, after });
    if (records.length === count || after - bytes > MOST_BYTES) return { records, behind: after };
  }
  return { records, behind: end };
}

/** Number of records behind a mark. O(their bytes). @throws DataError */
export async function waitingRecords(corpus: string, { bytes }: Pick<SinkMark, 'bytes'>, end: Bytes): Promise<number> {
  return end > bytes ? countLines(corpus, bytes, end) : 0;
}

/** Place behind the record of a mark. A repair may have moved it. @returns null if the corpus has no such record @throws DataError */
export async function placeBehind(corpus: string, { bytes, id }: Pick<SinkMark, 'bytes' | 'id'>, end: Bytes): Promise<Bytes | null> {
  if (id === null) return 0;
  if (bytes <= end && (await recordBefore(corpus, bytes).catch(() => null))?.id === id) return bytes;
  const place = await recordPlace(corpus, idField(id), end);
  return place === null ? null : place.start + place.length + 1;
}

/** The first field of a line: a text may cite an id. */
function idField(id: RecordId): string {
  return `{"id":${JSON.stringify(id)}`;
}
