import { type FileHandle, open, stat } from 'node:fs/promises';
import { DataError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { fileKindOf, refusal } from '../../base/text/given-file.ts';

const READ_BYTES: Bytes = 64 * 1024;
const NOTHING = new Uint8Array(0);

/** Returns the next bytes; nothing at the end. */
interface ByteSource {
  read(at: Bytes): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A file or a stream that is read forwards, with the position of the next byte. */
export class FileBytes {
  /** The name of the file in errors. */
  readonly path: string;
  readonly #source: ByteSource;
  #unread: Uint8Array = NOTHING;
  #readTo: Bytes = 0;
  #ended = false;

  private constructor(path: string, source: ByteSource, begin: Bytes = 0) {
    this.path = path;
    this.#source = source;
    this.#readTo = begin;
  }

  /**
   * @param end number of valid bytes in the file. @param begin position of the first byte to read
   * @throws DataError if it cannot be opened, or is no regular file: a pipe may never end
   */
  static async open(path: string, end: Bytes, begin: Bytes = 0): Promise<FileBytes> {
    const kind = fileKindOf(await stat(path).catch((error: unknown) => refused(error, path)));
    if (kind !== null) throw new DataError(`${path}: cannot be read (it is ${kind}, not a file); write its content to a file`);
    return new FileBytes(path, fileSource(path, await open(path, 'r').catch((error: unknown) => refused(error, path)), end), begin);
  }

  /** A stream of chunks; its errors are passed on. `close` ends it. */
  static from(name: string, chunks: AsyncIterable<Uint8Array>): FileBytes {
    return new FileBytes(name, streamSource(chunks));
  }

  /** Offset in the file of the first unread byte. */
  get position(): Bytes {
    return this.#readTo - this.#unread.length;
  }

  /** The unread bytes in memory: at least `atLeast`, unless the file ends first; none at its end. */
  async peek(atLeast: Bytes = 1): Promise<Uint8Array> {
    while (this.#unread.length < atLeast && !this.#ended) await this.#read();
    return this.#unread;
  }

  take(count: Bytes): void {
    this.#unread = this.#unread.subarray(count);
  }

  async close(): Promise<void> {
    await this.#source.close();
  }

  async #read(): Promise<void> {
    const bytes = await this.#source.read(this.#readTo);
    this.#readTo += bytes.length;
    this.#ended = bytes.length === 0;
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
  }
}

/** @throws always */
function refused(error: unknown, path: string): never {
  throw new DataError(refusal(error, path, 'check the path').message, { cause: error });
}

function fileSource(path: string, handle: FileHandle, end: Bytes): ByteSource {
  return {
    read: async (at) => {
      const into = Buffer.allocUnsafe(Math.max(0, Math.min(READ_BYTES, end - at)));
      const { bytesRead } = await handle.read(into, 0, into.length, at).catch((error: unknown) => {
        throw new DataError(`${path}: cannot be read at byte ${at} (${messageOf(error)}); check the disk`, { cause: error });
      });
      return into.subarray(0, bytesRead);
    },
    close: () => handle.close(),
  };
}

function streamSource(chunks: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  return {
    read: async () => {
      for (;;) {
        const next = await iterator.next();
        if (next.done) return NOTHING;
        if (next.value.length > 0) return next.value;
      }
    },
    close: async () => {
      await iterator.return?.();
    },
  };
}

/** A WARC file ends too early or cannot be parsed. */
export class DamagedWarc extends DataError {
  /** The place without the remedy. */
  readonly where: string;

  constructor(path: string, at: Bytes, why: string) {
    const where = `${path}: damaged at byte ${at} (${why})`;
    super(`${where}; the part before that byte was read; take the rest from an undamaged copy`);
    this.where = where;
  }
}

export function damaged(path: string, at: Bytes, why: string): DamagedWarc {
  return new DamagedWarc(path, at, why);
}
