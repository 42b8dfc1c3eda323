/** Built manuals: a JSON line an entry, a file a language. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError, messageOf, UsageError } from '../../src/base/core/errors.ts';

/** Folder of the built manuals; git-ignored. */
export const DEFAULT_DIR = '.cache/parallel-text';

const entrySchema = z.strictObject({ page: z.string(), left: z.string(), right: z.string() });

/** A paragraph of a page and its translation, as plain text. */
export type ParallelEntry = z.infer<typeof entrySchema>;

/** @returns the text that was written */
export function writeEntries(dir: string, name: string, entries: readonly ParallelEntry[]): string {
  mkdirSync(dir, { recursive: true });
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  writeFileSync(join(dir, `${name}.jsonl`), text);
  return text;
}

/** @throws UsageError if it is not built; DataError with the line that is not an entry */
export function readEntries(dir: string, name: string): ParallelEntry[] {
  const file = join(dir, `${name}.jsonl`);
  if (!existsSync(file)) throw new UsageError(`${file}: not there; run npm run data -- parallel-text-build --out ${dir} first`);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line, i) => {
    try {
      return entrySchema.parse(JSON.parse(line));
    } catch (error) {
      throw new DataError(`${file}:${i + 1}: not an entry (${messageOf(error).replaceAll(/\s+/g, ' ')}); build the manuals again`, {
        cause: error,
      });
    }
  });
}
