import { type FileHandle, open } from 'node:fs/promises';
import { DataError, messageOf } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';

const READ_BYTES: Bytes = 64 * 1024;
const NOTHING = new Uint8Array(0);

/** A file read forwards, with the place of the next byte known. */
export class FileBytes {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #end: Bytes;
  #unread: Uint8Array = NOTHING;
  #readTo: Bytes = 0;
  #ended = false;

  private constructor(path: string, handle: FileHandle, end: Bytes) {
    this.path = path;
    this.#handle = handle;
    this.#end = end;
  }

  /** @param end bytes of the file that count. @throws DataError when it cannot be opened */
  static async open(path: string, end: Bytes): Promise<FileBytes> {
    try {
      return new FileBytes(path, await open(path, 'r'), end);
    } catch (error) {
      throw new DataError(`${path}: cannot be read (${messageOf(error)}); check the path`, { cause: error });
    }
  }

  /** Offset in the file of the first unread byte. */
  get position(): Bytes {
    return this.#readTo - this.#unread.length;
  }

  /** The unread bytes at hand: at least `atLeast` of them unless the file ends first; none at its end. */
  async peek(atLeast: Bytes = 1): Promise<Uint8Array> {
    while (this.#unread.length < atLeast && !this.#ended) await this.#read();
    return this.#unread;
  }

  take(count: Bytes): void {
    this.#unread = this.#unread.subarray(count);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #read(): Promise<void> {
    const want = Math.min(READ_BYTES, this.#end - this.#readTo);
    const into = Buffer.allocUnsafe(Math.max(0, want));
    const { bytesRead } = await this.#handle.read(into, 0, into.length, this.#readTo).catch((error: unknown) => {
      throw new DataError(`${this.path}: cannot be read at byte ${this.#readTo} (${messageOf(error)}); check the disk`, { cause: error });
    });
    this.#readTo += bytesRead;
    this.#ended = bytesRead === 0;
    if (bytesRead > 0)
      this.#unread = this.#unread.length === 0 ? into.subarray(0, bytesRead) : Buffer.concat([this.#unread, into.subarray(0, bytesRead)]);
  }
}

/** The one error of a WARC file that breaks off or makes no sense. */
export function damaged(path: string, at: Bytes, why: string): DataError {
  return new DataError(
    `${path}: damaged at byte ${at} (${why}); what stands before it was read, restore the file from a copy for the rest`,
  );
}
