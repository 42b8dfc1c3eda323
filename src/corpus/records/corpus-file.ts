import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storeErrorFrom } from '../../base/core/errors.ts';
import { flush } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';

/**
 * A file that only grows. Bytes appended since the last write are held in memory. If a write fails, they stay in memory, and the next attempt writes
 * them at the same place.
 */
export class CorpusFile {
  readonly #path: string;
  #onDisk: Bytes;
  #size: Bytes;
  #held: Uint8Array[] = [];
  #handle: FileHandle | null = null;

  /** `onDisk` bytes of the file are valid; the caller has cut off the rest. */
  constructor(path: string, onDisk: Bytes) {
    this.#path = path;
    this.#onDisk = onDisk;
    this.#size = onDisk;
  }

  /** Size with all appended bytes. */
  get size(): Bytes {
    return this.#size;
  }

  append(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#size += bytes.length;
  }

  /** All bytes appended before this call are on disk when it resolves. Calls must not overlap. @throws StoreError */
  async write(): Promise<void> {
    const count = this.#held.length;
    if (count === 0) return;
    const bytes = Buffer.concat(this.#held);
    try {
      this.#handle ??= await this.#open();
      await writeAll(this.#handle, bytes, this.#onDisk);
      await this.#handle.datasync();
    } catch (error) {
      throw storeErrorFrom(error, 'writing the corpus', this.#path);
    }
    this.#onDisk += bytes.length;
    this.#held.splice(0, count);
  }

  /** Closes the file; a later `write` opens it again. */
  async release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.#path, constants.O_WRONLY | constants.O_CREAT, 0o644);
    try {
      if (this.#onDisk === 0) await flush(dirname(this.#path));
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  }
}

/** Writes all of `bytes` from `position` on, in as many calls as needed. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: Bytes): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
