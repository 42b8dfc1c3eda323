/** The CRC-32 of the files of a growing corpus: of the bytes that each commit adds, read from the disk when they are there. */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StoreError } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Bytes } from '../../base/core/types.ts';
import { readRange } from '../../corpus/object-store/file-range.ts';
import type { CorpusSums } from './database-texts.ts';

const READ_AT_ONCE: Bytes = 8 * 2 ** 20;

/** @param before the CRC-32 of the bytes before `start`. @throws StoreError also if the file ends before */
export async function crcOf(path: string, start: Bytes, end: Bytes, before = 0): Promise<number> {
  let crc = before;
  for (let at = start; at < end; at += READ_AT_ONCE) crc = crc32(await readRange(path, at, Math.min(READ_AT_ONCE, end - at)), crc);
  return crc;
}

export class CorpusChecksums {
  readonly #folder: string;
  #sizes: CorpusOffsets = {};
  #sums: CorpusSums = {};

  /** @param known sizes and sums of a commit; files without a sum are read from their beginning */
  constructor(folder: string, known: { readonly sizes: CorpusOffsets; readonly sums: CorpusSums | null } | null) {
    this.#folder = folder;
    if (known?.sums) [this.#sizes, this.#sums] = [known.sizes, known.sums];
  }

  /** Calls must not overlap, and sizes never fall. @throws StoreError also if a file is shorter */
  async upTo(sizes: CorpusOffsets): Promise<CorpusSums> {
    const sums: Record<string, number> = {};
    for (const [name, size] of Object.entries(sizes)) {
      const [from, before] = name in this.#sums ? [this.#sizes[name] ?? 0, this.#sums[name]] : [0, 0];
      if (size < from)
        throw new StoreError('STORE_CORRUPT', `${join(this.#folder, name)}: shrank from ${from} to ${size} bytes; restore it`);
      sums[name] = await crcOf(join(this.#folder, name), from, size, before);
    }
    [this.#sizes, this.#sums] = [sizes, sums];
    return sums;
  }
}
