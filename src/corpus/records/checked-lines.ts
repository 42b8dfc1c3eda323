/** Files of JSON lines with checksums that only grow. */

import { readFileSync, statSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { type CrawlerError, DamageError, messageOf, storeErrorFrom } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';

/** A line is about 400 bytes: half a million answers. */
const MAX_BYTES: Bytes = 256 * 1024 * 1024;

/** The bytes of a file; none if it does not exist. @throws DamageError */
export function contentOfFile(path: string): Buffer {
  if (!isThere(path)) return Buffer.alloc(0);
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new DamageError(`${path}: ${size} bytes is over the cap of ${MAX_BYTES}; move it elsewhere and start again`);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); mend or move it`, { cause: error });
  }
}

/** The lines of complete bytes of a file, without their line feeds. */
export function completeLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** The value of a line without its checksum. @param damaged makes the error for a line that is no JSON */
export function fieldsOf(line: string, damaged: (why: string) => CrawlerError): unknown {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('crc32' in value)) return value;
    const { crc32: _, ...rest } = value;
    return rest;
  } catch (error) {
    throw damaged(messageOf(error));
  }
}

/** Cuts off a line that a crash interrupted. @throws StoreError */
export async function cutTo(path: string, bytes: Bytes): Promise<void> {
  try {
    await truncate(path, bytes);
  } catch (error) {
    throw storeErrorFrom(error, 'cutting a broken line off', path);
  }
}
