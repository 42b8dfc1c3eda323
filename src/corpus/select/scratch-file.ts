import { closeSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { storeErrorFrom } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';

const BUFFER_BYTES: Bytes = 1024 * 1024;

/**
 * A file for data of a harvest that do not fit in memory, and that no reader of the corpus needs: it is removed before the corpus appears.
 * Created with the first write. Needs the memory of a megabyte.
 */
export class ScratchFile {
  readonly #path: string;
  #descriptor: number | null = null;
  #buffer: Buffer | null = null;
  #buffered: Bytes = 0;
  #written: Bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get size(): Bytes {
    return this.#written + this.#buffered;
  }

  /** Appends a copy of the bytes. @throws StoreError */
  append(bytes: Uint8Array): void {
    if (this.#buffered + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) this.#write(bytes);
    else {
      this.#buffer ??= Buffer.allocUnsafeSlow(BUFFER_BYTES);
      this.#buffer.set(bytes, this.#buffered);
      this.#buffered += bytes.length;
    }
  }

  /** Fills `into` with the bytes from `at` on. @throws StoreError; also beyond the end */
  read(into: Uint8Array, at: Bytes): void {
    this.#flush();
    try {
      for (let done = 0; done < into.length; ) {
        const bytes = readSync(this.#open(), into, done, into.length - done, at + done);
        if (bytes === 0) throw new Error('the file is too short');
        done += bytes;
      }
    } catch (error) {
      throw storeErrorFrom(error, 'reading temporary data of the harvest', this.#path);
    }
  }

  /** Closes the file, which must not be used afterwards. */
  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #flush(): void {
    if (this.#buffer === null || this.#buffered === 0) return;
    const held = this.#buffer.subarray(0, this.#buffered);
    this.#buffered = 0;
    this.#write(held);
  }

  #write(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#open(), bytes, done, bytes.length - done, this.#written + done);
    } catch (error) {
      throw storeErrorFrom(error, 'writing temporary data of the harvest', this.#path);
    }
    this.#written += bytes.length;
  }

  #open(): number {
    if (this.#descriptor === null) {
      mkdirSync(dirname(this.#path), { recursive: true });
      this.#descriptor = openSync(this.#path, 'w+');
    }
    return this.#descriptor;
  }
}
