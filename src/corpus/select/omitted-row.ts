import * as z from 'zod';
import { DamageError } from '../../base/core/errors.ts';

const rowSchema = z.looseObject({
  id: z.string(),
  /** Absent for a page that was taken back: `urlSha256` is there instead. */
  url: z.string().optional(),
  urlSha256: z.string().optional(),
  reason: z.string(),
});

/** A line of `left-out.jsonl`. */
export type OmittedRow = Readonly<z.infer<typeof rowSchema>>;

/** @param where file and line, for the error @throws DamageError */
export function omittedRow(line: Buffer, where: string): OmittedRow {
  try {
    const row = rowSchema.parse(JSON.parse(line.toString('utf8')));
    if (row.url !== undefined || row.urlSha256 !== undefined) return row;
  } catch {
    // The same as for a line without a page.
  }
  throw new DamageError(`${where}: names no omitted page; restore the file from a copy, or harvest again`);
}
