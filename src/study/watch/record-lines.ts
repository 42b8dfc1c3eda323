/** The lines of the records of a crawl by page, without their texts. */
import { join } from 'node:path';
import { grown } from '../../base/core/columns.ts';
import { DamageError, type OnDamaged } from '../../base/core/errors.ts';
import type { Bytes, CrawlRecord, RecordId } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import { byteLines, RECORDS_FILE, recordOfFileAt } from '../../corpus/records/records.ts';

/** Forager writes id and URL first. */
const START = /^\{"id":"([^"\\]*)","url":"([^"\\]*)"/;
/** Longest start of a line that is looked at. */
const MOST_START: Bytes = 16 * 1024;

/** Some 50 bytes a record, outside of the heap. URLs and ids are compared by 64-bit hashes. */
export class VersionLines {
  readonly #path: string;
  readonly #pages = new UrlNumbers();
  readonly #ids = new UrlNumbers();
  #starts = new Float64Array(0);
  #lengths = new Int32Array(0);
  #pageOf = new Int32Array(0);
  #count = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  /** One pass over the file. @param end number of valid bytes. @param onDamaged receives lines without an id and a URL, which are skipped. @throws DataError */
  static async read(corpus: string, end: Bytes, onDamaged: OnDamaged | undefined, signal: AbortSignal): Promise<VersionLines> {
    const lines = new VersionLines(join(corpus, RECORDS_FILE));
    let start = 0;
    for await (const line of byteLines(lines.#path, end, onDamaged)) {
      signal.throwIfAborted();
      const [id, url] = namesIn(line) ?? [];
      if (id !== undefined && url !== undefined) lines.#add(id, url, start, line.length);
      else if (onDamaged) onDamaged(`${lines.#path}, byte ${start}: not a record`);
      else throw new DamageError(`${lines.#path}, byte ${start}: not a record; restore the file from a copy`);
      start += line.length + 1;
    }
    return lines;
  }

  /** Number of records. */
  get count(): number {
    return this.#count;
  }

  /** Number of pages. */
  get pages(): number {
    return this.#pages.size;
  }

  /** The number of a page; -1 for one without a record. */
  page(url: string): number {
    return this.#pages.find(url);
  }

  /** The number of the page of a record. */
  pageOf(line: number): number {
    return this.#pageOf[line] ?? -1;
  }

  /** The line of a record by its id; undefined for none. */
  lineOf(id: string): number | undefined {
    const line = this.#ids.find(id);
    return line < 0 ? undefined : line;
  }

  /** @throws DamageError */
  record(line: number): CrawlRecord {
    return recordOfFileAt(this.#path, { start: this.#starts[line] ?? 0, length: this.#lengths[line] ?? 0 });
  }

  /** Last line of each page below a line; -1 for a page without one. */
  newestBefore(line: number): Int32Array {
    const newest = new Int32Array(this.pages).fill(-1);
    for (let i = 0; i < line; i++) newest[this.pageOf(i)] = i;
    return newest;
  }

  #add(id: RecordId | string, url: string, start: Bytes, length: Bytes): void {
    const line = this.#ids.of(id);
    // A record is there once; a repair may have written it twice.
    if (line < this.#count) return;
    this.#count += 1;
    this.#starts = grown(this.#starts, this.#count, Float64Array);
    this.#lengths = grown(this.#lengths, this.#count, Int32Array);
    this.#pageOf = grown(this.#pageOf, this.#count, Int32Array);
    this.#starts[line] = start;
    this.#lengths[line] = length;
    this.#pageOf[line] = this.#pages.of(url);
  }
}

function namesIn(line: Buffer): readonly [id: string, url: string] | null {
  const [, id, url] = START.exec(line.toString('latin1', 0, MOST_START)) ?? [];
  if (id !== undefined && url !== undefined) return [id, url];
  try {
    const { id: named, url: at }: { id?: unknown; url?: unknown } = JSON.parse(line.toString('utf8'));
    return typeof named === 'string' && typeof at === 'string' ? [named, at] : null;
  } catch {
    return null;
  }
}
