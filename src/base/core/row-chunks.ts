import { InvariantError } from './errors.ts';
import type { Bytes } from './types.ts';

const CHUNK_BITS = 16;
/** A new chunk of 28-byte rows takes 1.8 MB: the system fills it with zeros in a third of a millisecond. */
const ROWS_IN_CHUNK = 2 ** CHUNK_BITS;
const FIRST_ROWS = 1024;

/** Some rows of a table, as views of one memory. Numbers have the byte order of the machine. */
export class RowChunk {
  readonly bytes: Uint8Array;
  readonly halves: Uint16Array;
  readonly words: Uint32Array;
  readonly floats: Float32Array;

  /** @param bytes all of its own memory, a multiple of 4 */
  constructor(bytes: Uint8Array) {
    const { buffer } = bytes;
    this.bytes = bytes;
    this.halves = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
    this.floats = new Float32Array(buffer);
  }
}

/**
 * A table of rows of equal length, that grows by chunks: no growth copies more than half a chunk, however long the table. Only the first chunk is
 * copied, since it doubles until it has its full size. All numbers of a row are next to each other, so a row that is used after long costs one or two
 * loads from memory.
 */
export class RowChunks {
  readonly #chunks: RowChunk[] = [];
  readonly #bytesARow: Bytes;
  #room = 0;

  /** @param bytesARow a multiple of 4 */
  constructor(bytesARow: Bytes) {
    this.#bytesARow = bytesARow;
  }

  /** The chunk of a row. Its place there is `placeInChunk(row)`. @throws InvariantError for a row without room */
  of(row: number): RowChunk {
    const chunk = this.#chunks[row >> CHUNK_BITS];
    if (!chunk) throw new InvariantError(`row ${row} is not in the table`);
    return chunk;
  }

  /** Makes room for rows below `size`. New rows are zero. */
  reserve(size: number): void {
    while (this.#room < size) this.#grow();
  }

  /** The bytes of the rows below `size`, a chunk at a time. They share memory with the table. */
  parts(size: number): Uint8Array[] {
    return this.#chunks
      .map(({ bytes }, i) => bytes.subarray(0, Math.max(0, size - i * ROWS_IN_CHUNK) * this.#bytesARow))
      .filter(({ length }) => length > 0);
  }

  /** Fills an empty table with the parts of another one. It keeps those of whole chunks, each of which has a memory of its own. @returns the number of rows */
  restore(parts: readonly Uint8Array[]): number {
    const size = parts.reduce((sum, { length }) => sum + length, 0) / this.#bytesARow;
    for (const part of parts) {
      if (part.length === ROWS_IN_CHUNK * this.#bytesARow) {
        this.#chunks.push(new RowChunk(part));
        this.#room += ROWS_IN_CHUNK;
      } else {
        this.reserve(size);
        this.of(size - 1).bytes.set(part);
      }
    }
    return size;
  }

  #grow(): void {
    const [first] = this.#chunks;
    const isCopied = first !== undefined && this.#room < ROWS_IN_CHUNK;
    const rows = first === undefined ? FIRST_ROWS : Math.min(2 * this.#room, ROWS_IN_CHUNK);
    const fresh = new RowChunk(new Uint8Array(rows * this.#bytesARow));
    if (isCopied) fresh.bytes.set(first.bytes);
    if (isCopied) this.#chunks[0] = fresh;
    else this.#chunks.push(fresh);
    this.#room = isCopied || first === undefined ? rows : this.#room + rows;
  }
}

/** The place of a row in its chunk, counted in rows. */
export function placeInChunk(row: number): number {
  return row & (ROWS_IN_CHUNK - 1);
}
