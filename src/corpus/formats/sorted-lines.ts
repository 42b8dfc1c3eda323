import type { Bytes } from '../../base/core/types.ts';
import { byteLines } from '../records/records.ts';
import type { HashedFile } from '../select/hashed-file.ts';

/** Lines in memory. A file of sorted lines is written when they are more. */
const MEMORY: Bytes = 16 * 1024 * 1024;
/** Memory of a line, apart from its bytes: the object and its place in a list. */
const LINE_COST: Bytes = 50;

/**
 * Sorts lines by their bytes, as `LC_ALL=C sort` does: an external merge sort. Memory is that of 16 MB of lines, and 256 KB for each temporary file.
 * After `sort`, the lines can be read more than once.
 */
export class SortedLines {
  readonly #memory: Bytes;
  readonly #scratch: (name: string) => Promise<HashedFile>;
  readonly #files: string[] = [];
  /** A character for each byte, so that strings compare as bytes do. Small Buffers would keep the blocks that Node cuts them of. */
  #held: string[] = [];
  #heldBytes: Bytes = 0;
  #count = 0;

  /** @param scratch makes a temporary file, which the caller removes */
  constructor(scratch: (name: string) => Promise<HashedFile>, memory: Bytes = MEMORY) {
    this.#scratch = scratch;
    this.#memory = memory;
  }

  get count(): number {
    return this.#count;
  }

  /** @param line without a line feed @throws StoreError */
  async add(line: string): Promise<void> {
    const bytes = Buffer.from(line).toString('latin1');
    this.#held.push(bytes);
    this.#heldBytes += bytes.length + LINE_COST;
    this.#count++;
    if (this.#heldBytes >= this.#memory) await this.#spill();
  }

  /** The lines in their order, without line feeds; each is valid until the next one is asked for. No line may be added afterwards. @throws StoreError; DataError if a temporary file is damaged */
  async *lines(): AsyncGenerator<Buffer> {
    if (this.#files.length === 0) {
      for (const line of this.#held.sort()) yield Buffer.from(line, 'latin1');
      return;
    }
    if (this.#held.length > 0) await this.#spill();
    yield* merged(this.#files.map((path) => byteLines(path, Number.POSITIVE_INFINITY)));
  }

  async #spill(): Promise<void> {
    const file = await this.#scratch(`lines-${this.#files.length}`);
    for (const line of this.#held.sort()) await file.write(Buffer.from(`${line}\n`, 'latin1'));
    await file.finish();
    this.#files.push(file.path);
    this.#held = [];
    this.#heldBytes = 0;
  }
}

interface Head {
  readonly rest: AsyncGenerator<Buffer>;
  line: Buffer;
}

async function* merged(sources: readonly AsyncGenerator<Buffer>[]): AsyncGenerator<Buffer> {
  const heads: Head[] = [];
  try {
    for (const rest of sources) {
      const first = await rest.next();
      if (!first.done) heads.push({ rest, line: first.value });
    }
    while (heads.length > 0) {
      let least = 0;
      heads.forEach(({ line }, i) => {
        if (Buffer.compare(line, (heads[least] as Head).line) < 0) least = i;
      });
      const head = heads[least] as Head;
      yield head.line;
      const next = await head.rest.next();
      if (next.done) heads.splice(least, 1);
      else head.line = next.value;
    }
  } finally {
    for (const source of sources) await source.return(undefined);
  }
}
