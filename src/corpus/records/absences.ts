/** Kept pages that were gone, moved or asked not to be kept when the crawl asked again: changes that made no version. */
import { join } from 'node:path';
import * as z from 'zod';
import { checksummedLine } from '../../base/core/checksum.ts';
import type { Absence, Bytes, CanonicalUrl, IsoTime, RecordId } from '../../base/core/types.ts';
import { lineFaults, linesRead } from './line-faults.ts';

/** One `Absence` a line, in the order of the requests of each worker. */
export const ABSENCES_FILE = 'absences.jsonl';

/** Line of a file with its checksum and line feed. */
export function absenceLine(absence: Absence): Buffer {
  return checksummedLine(absence);
}

/** The absences in a corpus folder; none in crawls that saw none. @param end number of valid bytes. @throws DataError */
export function readAbsences(dir: string, end: Bytes): AsyncGenerator<Absence> {
  return linesRead(join(dir, ABSENCES_FILE), end, absenceIn);
}

/** The fault of each line, or null. @throws DataError if the file cannot be read */
export function absenceFaults(dir: string, end: Bytes): AsyncGenerator<string | null> {
  return lineFaults(join(dir, ABSENCES_FILE), end, absenceIn);
}

const url = z.custom<CanonicalUrl>((value) => typeof value === 'string' && URL.canParse(value));
const schema = z.object({
  url,
  at: z.custom<IsoTime>((value) => typeof value === 'string' && !Number.isNaN(Date.parse(value))),
  status: z.number(),
  state: z.enum(['gone', 'moved', 'noindex', 'back']),
  to: url.nullable(),
  recordId: z.custom<RecordId>((value) => typeof value === 'string'),
});

function absenceIn(value: unknown): Absence {
  const absence = schema.safeParse(value);
  if (!absence.success) throw new TypeError('no absence of a page');
  return absence.data;
}
