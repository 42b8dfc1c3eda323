/** A file on this machine, read by the parts that an object store gets. */
import { createHash } from 'node:crypto';
import type { Bytes } from '../../base/core/types.ts';
import type { LocalFile } from '../formats/harvest-folder.ts';
import type { ObjectDigests } from '../object-store/bucket.ts';
import { readRange } from '../object-store/file-range.ts';

export class FileParts {
  readonly #path: string;
  readonly #bytes: Bytes;
  readonly #size: Bytes;

  constructor({ path, bytes }: LocalFile, size: Bytes) {
    this.#path = path;
    this.#bytes = bytes;
    this.#size = size;
  }

  /** An empty file has one part. */
  get count(): number {
    return Math.max(1, Math.ceil(this.#bytes / this.#size));
  }

  /** @param number from 1. @throws StoreError */
  read(number: number): Promise<Buffer> {
    const start = (number - 1) * this.#size;
    return readRange(this.#path, start, Math.min(this.#size, this.#bytes - start));
  }

  /** Digests of an object that was written in these parts. */
  async digests(): Promise<ObjectDigests> {
    if (this.count === 1) return digestsOf(await this.read(1));
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    for (let number = 1; number <= this.count; number++) {
      const part = await this.read(number);
      md5.update(createHash('md5').update(part).digest());
      sha256.update(createHash('sha256').update(part).digest());
    }
    return { etag: `${md5.digest('hex')}-${this.count}`, sha256: `${sha256.digest('base64')}-${this.count}` };
  }
}

export function digestsOf(bytes: Buffer): ObjectDigests {
  return { etag: createHash('md5').update(bytes).digest('hex'), sha256: createHash('sha256').update(bytes).digest('base64') };
}

/** Compares by SHA-256 if the store reports it, otherwise by ETag: an ETag that is no MD5 equals none. */
export function isSame(stored: ObjectDigests, { etag, sha256 }: ObjectDigests): boolean {
  return stored.sha256 === null ? stored.etag === etag : stored.sha256 === sha256;
}
