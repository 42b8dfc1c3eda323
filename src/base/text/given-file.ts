/** The one door for files that a user names: of every option that reads a whole file. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { CrawlerError, DataError, messageOf, UsageError } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';

export interface GivenFile {
  /** A larger file is refused. */
  readonly maxBytes: Bytes;
  /** Kind of the content, for errors: `field rules`. */
  readonly what: string;
  /** Name of the file in errors. Default: its path. */
  readonly name?: string;
  /** The next step, for errors. Default: to give a file of `what`. */
  readonly remedy?: string;
}

/**
 * The bytes of a regular file. A pipe or a device may never end, and reading it would hold the thread, also against Ctrl-C: they are refused before
 * the first read.
 * @throws UsageError if there is no such file, or if it is not a regular one; DataError if it is too large, or if the machine refuses it
 */
export function readGivenFile(path: string, file: GivenFile): Buffer {
  return givenFile(path, file, (handle) => contentOf(handle, file, file.name ?? path));
}

/** The first bytes of a regular file that is too large to be read at once. @throws as `readGivenFile` */
export function readGivenStart(path: string, file: Omit<GivenFile, 'maxBytes'>): Buffer {
  return givenFile(path, file, (handle) => {
    const start = Buffer.alloc(START);
    return start.subarray(0, readSync(handle, start));
  });
}

function givenFile(path: string, file: Omit<GivenFile, 'maxBytes'>, read: (handle: number) => Buffer): Buffer {
  const { name = path, what, remedy = `give a file of ${what}` } = file;
  const refuse = (error: unknown) => refusal(error, name, remedy);
  const handle = guarded(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), refuse);
  try {
    const kind = fileKindOf(guarded(() => fstatSync(handle), refuse));
    if (kind !== null) throw new UsageError(`${name}: cannot be read (it is ${kind}, not a file); ${remedy}`);
    return guarded(() => read(handle), refuse);
  } finally {
    closeSync(handle);
  }
}

/** The text of a regular file in UTF-8, or in UTF-16 with a byte order mark; without the mark. Other bytes become U+FFFD. @throws as `readGivenFile` */
export function readGivenText(path: string, file: GivenFile): string {
  return textOfBytes(readGivenFile(path, file));
}

function textOfBytes(bytes: Uint8Array): string {
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(mark).decode(bytes);
}

/** The kind of a file other than a regular one: `a pipe`; null for a regular file. */
export function fileKindOf(stats: Stats): string | null {
  if (stats.isFile()) return null;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Reads no more than the cap: files of the system have a size of 0, and others grow. */
function contentOf(handle: number, { maxBytes, what }: GivenFile, name: string): Buffer {
  const parts: Buffer[] = [];
  let size: Bytes = fstatSync(handle).size;
  const tooLarge = () => new DataError(`${name}: is over the cap of ${maxBytes} bytes for ${what}; split or remove it`);
  if (size > maxBytes) throw tooLarge();
  size = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(CHUNK);
    const read = readSync(handle, part);
    if (read === 0) return Buffer.concat(parts, size);
    size += read;
    if (size > maxBytes) throw tooLarge();
    parts.push(part.subarray(0, read));
  }
}

const CHUNK: Bytes = 1024 * 1024;
const START: Bytes = 4096;

function guarded<T>(act: () => T, refuse: (error: unknown) => CrawlerError): T {
  try {
    return act();
  } catch (error) {
    throw refuse(error);
  }
}

/** The error for a file or folder that could not be opened or read; that of the machine if the machine is the cause. @param remedy the next step */
export function refusal(error: unknown, name: string, remedy: string): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const cause = { cause: error };
  if (code === 'ENOENT') return new UsageError(`${name}: cannot be read (no such file); ${remedy}`, cause);
  // The answer of a socket, which cannot be opened.
  if (code === 'ENXIO') return new UsageError(`${name}: cannot be read (it is a socket, not a file); ${remedy}`);
  if (code === 'EACCES' || code === 'EPERM') return new DataError(`${name}: may not be read by you (permission denied); ${remedy}`, cause);
  return new DataError(`${name}: cannot be read (${messageOf(error)}); ${remedy}`, cause);
}
