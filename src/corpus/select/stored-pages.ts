import { grown } from '../../base/core/columns.ts';
import { DataError } from '../../base/core/errors.ts';
import type { Bytes, RecordId } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import { isPartOfPage, type KeptPage, keptPageOf } from '../records/kept-pages.ts';
import { type PageEntry, pageEntries } from '../records/page-entries.ts';
import { walkWarcBehindDamage } from '../records/warc-recovery.ts';
import { type Wants, walkWarc } from '../records/warc-stream.ts';
import type { WarcFile } from './corpus-source.ts';

/**
 * The pages of WARC files by their ids. Pages that are asked for in the order of the files take one pass over them, since each file is read up to the
 * page that is asked for; a page before that place is read again from its own place. Memory: one page, and some 50 bytes for each page that was passed.
 */
export class StoredPages {
  readonly #files: readonly WarcFile[];
  readonly #entries: AsyncGenerator<{ readonly file: number; readonly entry: PageEntry }>;
  readonly #ids = new UrlNumbers();
  /** Number of the file of each page that the reading has passed, and its place in that file. */
  #fileOf = new Uint32Array(0);
  #starts = new Float64Array(0);
  #asked: RecordId | null = null;

  constructor(files: readonly WarcFile[]) {
    this.#files = files;
    this.#entries = this.#walk();
  }

  /** @returns null if there is no such page, or if it is damaged or cannot be unpacked */
  async page(id: RecordId): Promise<KeptPage | null> {
    const passed = this.#ids.find(id);
    this.#asked = id;
    if (passed >= 0) return this.#readAt(this.#fileOf[passed] ?? 0, this.#starts[passed] ?? 0);
    for (let next = await this.#entries.next(); !next.done; next = await this.#entries.next()) {
      const { file, entry } = next.value;
      this.#note(entry.id, file, entry.response.start);
      // Behind a lost rendered document, the response was read before it was asked for.
      if (entry.id === id) return keptPageOf(entry) ?? this.#readAt(file, entry.response.start);
    }
    return null;
  }

  async close(): Promise<void> {
    await this.#entries.return(undefined);
  }

  async *#walk(): AsyncGenerator<{ readonly file: number; readonly entry: PageEntry }> {
    for (const [file, { path, end }] of this.#files.entries())
      for await (const entry of pageEntries(walkWarcBehindDamage(path, this.#wants, end, () => undefined))) yield { file, entry };
  }

  readonly #wants: Wants = (fields, length) => isPartOfPage(fields, length, (id) => id === this.#asked);

  #note(id: RecordId, file: number, start: Bytes): void {
    const { size } = this.#ids;
    const entry = this.#ids.of(id);
    if (entry < size) return;
    this.#fileOf = grown(this.#fileOf, entry + 1, Uint32Array);
    this.#starts = grown(this.#starts, entry + 1, Float64Array);
    this.#fileOf[entry] = file;
    this.#starts[entry] = start;
  }

  async #readAt(file: number, start: Bytes): Promise<KeptPage | null> {
    const { path = '', end = 0 } = this.#files[file] ?? {};
    try {
      for await (const entry of pageEntries(walkWarc(path, this.#wants, end, start))) return keptPageOf(entry);
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
    }
    return null;
  }
}
