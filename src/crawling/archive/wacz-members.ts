/** The WARC files inside of a WACZ, where they lie: WACZ 1.1.1 stores them without a second compression, so that they can be read in place. */
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { DataError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { ZIP_METHOD, ZIP_SIGNATURE, ZIP_SIZE } from '../../base/disk/zip-format.ts';
import { type ZipEntryFacts, zipDirectory } from '../../reading/documents/zip-directory.ts';
import type { WarcPlace } from './archive-files.ts';

type Handle = Awaited<ReturnType<typeof open>>;

/** Bytes of the end of a file that are read first: room for the longest comment and some hundred entries. */
const TAIL: Bytes = 128 * 1024;
/** A directory of 65,535 entries with names of 1 KB; longer ones are no WACZ. */
const MAX_DIRECTORY: Bytes = 72 * 1024 * 1024;

/** O(entries) of memory and time: the size of the file does not matter. @throws DataError for a damaged file, one without WARC files, or with compressed ones */
export async function warcsOfWacz(path: string): Promise<readonly WarcPlace[]> {
  const handle = await open(path, 'r');
  try {
    const entries = (await directoryOf(handle, path)).filter(({ name }) => /^archive\/.*\.warc(\.gz)?$/i.test(name));
    if (entries.length === 0) throw new DataError(`${path}: has no WARC files in its folder archive/; is it a WACZ?`);
    return await Promise.all(entries.map((entry) => placeOf(handle, path, entry)));
  } finally {
    await handle.close();
  }
}

/** Reads a tail, and a longer one if the directory is longer. */
async function directoryOf(handle: Handle, path: string): Promise<readonly ZipEntryFacts[]> {
  const { size } = await handle.stat();
  let detail = '';
  for (const length of [TAIL, MAX_DIRECTORY]) {
    const before = Math.max(0, size - length);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - before), 0, size - before, before);
    const directory = zipDirectory(buffer.subarray(0, bytesRead), before);
    if (directory.kind === 'entries') return directory.entries;
    detail = directory.detail;
    if (before === 0) break;
  }
  throw new DataError(`${path}: cannot be read (${detail}); take it from an undamaged copy`);
}

/** Place of the data: behind the local header, whose name and extra field may have other lengths than those of the directory. */
async function placeOf(handle: Handle, path: string, { name, offset, packedSize, method }: ZipEntryFacts): Promise<WarcPlace> {
  if (method !== ZIP_METHOD.stored)
    throw new DataError(
      `${path}: ${name} is compressed in the ZIP, so its records cannot be read one by one; unpack it, and give its WARC files`,
    );
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(ZIP_SIZE.localHeader), 0, ZIP_SIZE.localHeader, offset);
  if (bytesRead < ZIP_SIZE.localHeader || buffer.readUInt32LE(0) !== ZIP_SIGNATURE.localHeader)
    throw new DataError(`${path}: ${name} does not begin where the directory says; take it from an undamaged copy`);
  const begin = offset + ZIP_SIZE.localHeader + buffer.readUInt16LE(26) + buffer.readUInt16LE(28);
  return { name: `${basename(path)}/${basename(name)}`, path, begin, end: begin + packedSize };
}
