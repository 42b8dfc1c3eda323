/** Small files of a crawl directory that hold a list, and on which no figure of the crawl depends. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { replaceFile } from '../../base/disk/replaced-file.ts';

/** Empty without a file, and for a file that cannot be read. */
export function readJsonList<T>(path: string, schema: z.ZodType<T>): readonly T[] {
  try {
    return z.array(schema).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return [];
  }
}

/** The whole file or none. @throws the error of the file system */
export function writeList(path: string, list: readonly unknown[]): void {
  replaceFile(path, JSON.stringify(list));
}
