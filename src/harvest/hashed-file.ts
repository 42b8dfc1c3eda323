import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { storeErrorFrom } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';
import { writeAll } from '../corpus/corpus-file.ts';

const BUFFER_BYTES: Bytes = 1024 * 1024;

/** A new file whose size and SHA-256 are known when it is finished. */
export class HashedFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #size: Bytes = 0;
  #crc = 0;

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

  /** CRC-32 of the bytes since the last call. */
  takeCrc(): number {
    const crc = this.#crc;
    this.#crc = 0;
    return crc;
  }

  /** The bytes must not change afterwards. @throws StoreError */
  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#crc = crc32(bytes, this.#crc);
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    this.#size += bytes.length;
    if (this.#heldBytes >= BUFFER_BYTES) await this.#writeHeld();
  }

  /** The same for bytes that change afterwards: they are on their way to the disk when this ends. @throws StoreError */
  async writeThrough(bytes: Uint8Array): Promise<void> {
    await this.write(bytes);
    if (this.#heldBytes > 0) await this.#writeHeld();
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

  async #writeHeld(): Promise<void> {
    const [only] = this.#held;
    const bytes = only !== undefined && this.#held.length === 1 ? only : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
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
    for await (const chunk of createReadStream(path, { highWaterMark: BUFFER_BYTES })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    throw storeErrorFrom(error, 'reading a file of the harvest', path);
  }
  return { bytes, sha256: hash.digest('hex') };
}
