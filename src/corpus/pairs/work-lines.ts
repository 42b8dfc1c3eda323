import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { checkOf, checksummedLine } from '../../base/core/checksum.ts';
import { storeErrorFrom } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';
import { byteLines } from '../records/records.ts';

/** A file of finished work, a line of JSON with its checksum for each part. A killed command leaves it, and the next one continues behind its last whole line. */
export class WorkLines<T extends object> {
  readonly #path: string;
  readonly #descriptor: number;
  #size: Bytes;
  #count: number;

  private constructor(path: string, size: Bytes, count: number) {
    [this.#path, this.#size, this.#count] = [path, size, count];
    this.#descriptor = openSync(path, 'a');
    ftruncateSync(this.#descriptor, size);
  }

  /** Opens the file, which need not exist, without a line that is not whole and those behind it. @throws StoreError */
  static async open<T extends object>(path: string): Promise<WorkLines<T>> {
    let [size, count]: [Bytes, number] = [0, 0];
    if (isThere(path))
      for await (const line of byteLines(path, Number.POSITIVE_INFINITY)) {
        if (checkOf(line) !== 'right') break;
        size += line.length + 1;
        count++;
      }
    try {
      return new WorkLines<T>(path, size, count);
    } catch (error) {
      throw storeErrorFrom(error, 'continuing the work', path);
    }
  }

  /** Number of lines. */
  get count(): number {
    return this.#count;
  }

  /** A process that is killed afterwards keeps the line. @throws StoreError */
  append(value: T): void {
    const bytes = checksummedLine(value);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
    } catch (error) {
      throw storeErrorFrom(error, 'storing finished work', this.#path);
    }
    this.#size += bytes.length;
    this.#count++;
  }

  /** The lines so far. @throws DataError */
  async *values(): AsyncGenerator<T> {
    for await (const line of byteLines(this.#path, this.#size)) yield JSON.parse(line.toString('utf8')) as T;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
