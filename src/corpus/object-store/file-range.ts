import { open } from 'node:fs/promises';
import { storeErrorFrom } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';

/** A part of a file, to be sent. @throws StoreError also if the file ends before */
export async function readRange(path: string, start: Bytes, bytes: Bytes): Promise<Buffer> {
  const range = Buffer.alloc(bytes);
  try {
    const file = await open(path, 'r');
    try {
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await file.read(range, at, bytes - at, start + at);
        if (bytesRead === 0) throw new Error('the file became shorter');
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw storeErrorFrom(error, 'reading a file to send', path);
  }
  return range;
}
