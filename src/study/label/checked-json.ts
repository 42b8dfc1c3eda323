/** Files of JSON with a checksum that are replaced as a whole. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { checkOf, checksummed } from '../../base/core/checksum.ts';
import { DamageError, messageOf, storeErrorFrom } from '../../base/core/errors.ts';
import { flushAtOnce, isThere } from '../../base/core/on-disk.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';

/** Words for messages: the kind of file, and the next step if it is damaged. */
export interface CheckedFile {
  readonly what: string;
  readonly remedy: string;
}

/** null without a file. @throws DamageError */
export function readChecked<T>(path: string, schema: z.ZodType<T>, { what, remedy }: CheckedFile): T | null {
  if (!isThere(path)) return null;
  try {
    const bytes = readFileSync(path);
    if (checkOf(bytes) !== 'right') throw new Error('its checksum is wrong');
    const { crc32: _, ...content } = JSON.parse(bytes.toString('utf8')) as { readonly crc32: unknown };
    return schema.parse(content);
  } catch (error) {
    throw new DamageError(`${path}: is not a file of ${what} (${messageOf(error)}); ${remedy}`, { cause: error });
  }
}

/** A crash leaves the old content or the new one. Makes the folder of the file. @throws StoreError */
export function writeChecked(path: string, content: object, { what }: Pick<CheckedFile, 'what'>): void {
  makeDirectory(dirname(path));
  try {
    replaceFile(path, checksummed(content));
    flushAtOnce(dirname(path));
  } catch (error) {
    throw storeErrorFrom(error, `writing ${what}`, path);
  }
}
