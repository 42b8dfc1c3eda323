import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { storeErrorFrom } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { writeAll } from '../records/corpus-file.ts';

const BUFFER_BYTES: Bytes = 256 * 1024;
const CHUNK: Bytes = 1024 * 1024;
/** UTF-8 takes at most three bytes for a UTF-16 unit (RFC 3629 §3). */
const BYTES_A_UNIT = 3;

/**
 * A new file whose size and SHA-256 are known when it is finished. Written bytes wait in one buffer, which is used again: a buffer for each page
 * would be garbage that the collector finds late.
 */
export class HashedFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  /** Made with the first write. */
  #buffer = Buffer.alloc(0);
  #held: Bytes = 0;
  #size: Bytes = 0;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** @throws StoreError; also if the file exists */
  static async create(path: string): Promise<HashedFile> {
    try {
      return new HashedFile(path, await open(path, 'wx'));
    } catch (error) {
      throw storeErrorFrom(error, 'making a file of the harvest', path);
    }
  }

  get size(): Bytes {
    return this.#size;
  }

  /** @param data text becomes UTF-8, and a lone surrogate U+FFFD. Bytes may change when this has ended @throws StoreError */
  async write(data: Uint8Array | string): Promise<void> {
    const room = typeof data === 'string' ? BYTES_A_UNIT * data.length : data.length;
    if (this.#held + room > BUFFER_BYTES) await this.#writeHeld();
    if (room > BUFFER_BYTES) return this.#writeLarge(typeof data === 'string' ? Buffer.from(data) : data);
    if (this.#buffer.length === 0) this.#buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    const start = this.#held;
    if (typeof data === 'string') this.#held += this.#buffer.write(data, start);
    else {
      this.#buffer.set(data, start);
      this.#held += data.length;
    }
    this.#count(this.#buffer.subarray(start, this.#held));
  }

  /** Writes the rest to disk and closes. @throws StoreError */
  async finish(): Promise<{ readonly bytes: Bytes; readonly sha256: string }> {
    await this.#writeHeld();
    try {
      await this.#handle.datasync();
      await this.#handle.close();
    } catch (error) {
      throw storeErrorFrom(error, 'finishing a file of the harvest', this.path);
    }
    return { bytes: this.#size, sha256: this.#hash.digest('hex') };
  }

  /** Closes without finishing; after `finish` it does nothing. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }

  #count(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#size += bytes.length;
  }

  async #writeLarge(bytes: Uint8Array): Promise<void> {
    this.#count(bytes);
    await this.#toDisk(bytes);
  }

  async #writeHeld(): Promise<void> {
    const held = this.#buffer.subarray(0, this.#held);
    this.#held = 0;
    await this.#toDisk(held);
  }

  /** @param bytes the last ones that were counted */
  async #toDisk(bytes: Uint8Array): Promise<void> {
    try {
      await writeAll(this.#handle, bytes, this.#size - bytes.length);
    } catch (error) {
      throw storeErrorFrom(error, 'writing the harvest', this.path);
    }
  }
}

/** Size and SHA-256 of a file that something else has written. @throws StoreError */
export async function hashOfFile(path: string): Promise<{ readonly bytes: Bytes; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes: Bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    throw storeErrorFrom(error, 'reading a file of the harvest', path);
  }
  return { bytes, sha256: hash.digest('hex') };
}
