/** Finds an entry in a ZIP file that `ZipWriter` wrote. */
import { type FileHandle, open } from 'node:fs/promises';
import { DamageError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { CENTRAL_HEADER, END, END64, LOCAL_HEADER, MAX_32, ZIP64 } from './zip-writer.ts';

/** Place of an entry's data in the file. */
export interface ZipPlace {
  readonly start: Bytes;
  readonly size: Bytes;
}

const END_SIZE: Bytes = 22;
const LOCATOR_SIZE: Bytes = 20;
/** The list of entries is in memory: a corpus has an entry for each gigabyte. */
const MAX_LIST: Bytes = 16 * 1024 * 1024;

/** @throws DamageError if the file cannot be read or has no such entry */
export async function zipEntryAt(path: string, name: string): Promise<ZipPlace> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, 'r');
    const found = entryIn(await listOf(handle), name);
    const header = await bytesAt(handle, found.offset, 30);
    expectSignature(header, 0, LOCAL_HEADER);
    return { start: found.offset + header.length + header.readUInt16LE(26) + header.readUInt16LE(28), size: found.size };
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); restore the file from a copy`, { cause: error });
  } finally {
    await handle?.close();
  }
}

/** The central directory (APPNOTE.TXT 6.3.10 §4.3.12). */
async function listOf(handle: FileHandle): Promise<Buffer> {
  const { size: fileSize } = await handle.stat();
  const end = await bytesAt(handle, fileSize - END_SIZE, END_SIZE);
  expectSignature(end, 0, END);
  let [size, start]: [Bytes, Bytes] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  if (start === MAX_32) {
    const locator = await bytesAt(handle, fileSize - END_SIZE - LOCATOR_SIZE, LOCATOR_SIZE);
    const end64 = await bytesAt(handle, Number(locator.readBigUInt64LE(8)), 56);
    expectSignature(end64, 0, END64);
    [size, start] = [Number(end64.readBigUInt64LE(40)), Number(end64.readBigUInt64LE(48))];
  }
  if (size > MAX_LIST) throw new Error(`its list of entries has ${size} bytes`);
  return bytesAt(handle, start, size);
}

function entryIn(list: Buffer, name: string): { readonly offset: Bytes; readonly size: Bytes } {
  for (let at = 0; at < list.length; ) {
    expectSignature(list, at, CENTRAL_HEADER);
    const [nameBytes, extraBytes] = [list.readUInt16LE(at + 28), list.readUInt16LE(at + 30)];
    const extra = at + 46 + nameBytes;
    if (list.toString('utf8', at + 46, extra) === name) {
      if (list.readUInt16LE(extra) !== ZIP64) throw new Error('its sizes are not in 64 bits');
      const near = list.readUInt32LE(at + 42);
      return { size: Number(list.readBigUInt64LE(extra + 4)), offset: near === MAX_32 ? Number(list.readBigUInt64LE(extra + 20)) : near };
    }
    at = extra + extraBytes + list.readUInt16LE(at + 32);
  }
  throw new Error(`it has no entry ${name}`);
}

function expectSignature(bytes: Buffer, at: Bytes, signature: number): void {
  if (bytes.readUInt32LE(at) !== signature) throw new Error('a header of it is damaged');
}

async function bytesAt(handle: FileHandle, at: Bytes, size: Bytes): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, at);
  if (bytesRead < size) throw new Error('it ends too early');
  return buffer;
}
