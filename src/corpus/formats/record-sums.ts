/**
 * The places and checksums of the records in the files of a corpus, so that damage in a file can be named by its record. One line a page: its id, then for
 * each file that got bytes `number:end:crc`, with the byte after its last one and the CRC-32 of its bytes in hex. Each place begins where the one before
 * ends. A line without an id has the beginnings of files, and row groups of the pages before it. A line with `-` has the place of something else: a page that
 * is omitted, a page in a file that is written by another order, or lines of a file. The last lines give the names of the numbers.
 */
import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamageError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { byteLines } from '../records/records.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import type { HarvestFolder } from './harvest-folder.ts';

export const RECORD_SUMS_FILE = 'record-checksums.tsv';

/** Something that bytes are written to, such as a `HashedFile`. */
export interface Summed {
  /** Size of the file, which never shrinks. */
  readonly size: number;
  /** CRC-32 of the bytes since the last call. */
  takeCrc(): number;
}

/** Lines of a file without records that are named together. */
const LINES = 100;

export class RecordSums {
  readonly #folder: HarvestFolder;
  readonly #file: HashedFile;
  /** Number and last end, by the name that a file was opened with. */
  readonly #seen = new Map<string, { readonly number: number; end: Bytes }>();
  readonly #tables = new Map<string, Summed>();

  private constructor(folder: HarvestFolder, file: HashedFile) {
    this.#folder = folder;
    this.#file = file;
  }

  /** @throws StoreError */
  static async open(folder: HarvestFolder): Promise<RecordSums> {
    return new RecordSums(folder, await folder.file(RECORD_SUMS_FILE));
  }

  /** Adds places in something that is no file of its own: their ends are row numbers of a table. */
  table(name: string, rows: Summed): void {
    this.#tables.set(name, rows);
  }

  /** Called after each page is written; with '' after the beginnings of files, and after the last row groups. @throws StoreError */
  async page(id: string): Promise<void> {
    await this.#write(`${id}${this.#places()}`);
  }

  /**
   * Called after anything else is written.
   * @param what an id, or words such as `lines 1 to 100`
   * @param files default: all open files
   * @throws StoreError
   */
  async part(what: string, files?: Iterable<readonly [string, Summed]>): Promise<void> {
    const places = this.#places(files);
    if (places !== '') await this.#write(`-${what}${places}`);
  }

  /** Writes the lines to the only open file that grows, and names them by their numbers. @throws StoreError */
  async lines<L>(lines: AsyncIterable<L>, write: (line: L) => Promise<void>): Promise<void> {
    let number = 0;
    for await (const line of lines) {
      await write(line);
      if (++number % LINES === 0) await this.part(`lines ${number - LINES + 1} to ${number}`);
    }
    await this.part(`lines ${number - (number % LINES) + 1} to ${number}`);
  }

  /** Called after all other files have their names. @throws StoreError */
  async finish(): Promise<void> {
    for (const [name, { number }] of this.#seen) await this.#file.write(`#${number}\t${this.#folder.finalName(name)}\n`);
    await this.#folder.finish(RECORD_SUMS_FILE);
  }

  #places(files: Iterable<readonly [string, Summed]> = [...this.#folder.openFiles, ...this.#tables]): string {
    let places = '';
    for (const [name, file] of files) {
      if (file === this.#file) continue;
      const seen = this.#seen.get(name) ?? { number: this.#seen.size, end: 0 };
      this.#seen.set(name, seen);
      if (file.size === seen.end) continue;
      seen.end = file.size;
      places += `\t${seen.number}:${seen.end}:${file.takeCrc().toString(16)}`;
    }
    return places;
  }

  #write(line: string): Promise<void> {
    return this.#file.write(`${line}\n`);
  }
}

/** A part of a file or table, and the records of whose bytes it consists. */
interface Place {
  readonly end: number;
  readonly crc: number;
  readonly ids: readonly string[];
}

/** The ids of the pages of the corpus, in the order of writing. Needs the memory of one line. @throws DataError */
export async function* idsOfSums(path: string): AsyncGenerator<string> {
  for await (const line of byteLines(path, Number.POSITIVE_INFINITY)) {
    const [id = ''] = line.toString('utf8').split('\t', 1);
    if (id !== '' && !/^[-#]/.test(id)) yield id;
  }
}

/**
 * The records in whose bytes a damaged file differs from the written one, at most `most`, in the order of the file. Several records may be written
 * together, as rows of Parquet are: then all of them. Reads both files once.
 * @throws DataError if a file cannot be read
 */
export async function damagedRecords(sums: string, path: string, name: string, most: number): Promise<string[]> {
  const damaged = new Set<string>();
  const places = placesOf(sums, name);
  let place = (await places.next()).value ?? null;
  let at = 0;
  let crc = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      const bytes: Buffer = chunk;
      for (let from = 0; place !== null && from < bytes.length && damaged.size < most; ) {
        const part = bytes.subarray(from, from + place.end - at);
        crc = crc32(part, crc);
        at += part.length;
        from += part.length;
        if (at < place.end) break;
        if (crc !== place.crc) for (const id of place.ids) damaged.add(id);
        crc = 0;
        place = (await places.next()).value ?? null;
      }
      if (place === null || damaged.size >= most) break;
    }
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); restore the file from a copy`, { cause: error });
  } finally {
    await places.return(undefined);
  }
  // The file is shorter than it was.
  if (place !== null && damaged.size < most) for (const id of place.ids) damaged.add(id);
  return [...damaged].slice(0, most);
}

/** The rows of a table that a page wrote: after the row number `from`, up to `to`. */
export interface RowPlace {
  readonly from: number;
  readonly to: number;
  readonly crc: number;
  readonly ids: readonly string[];
}

/** The places in a table. @throws DataError */
export async function* rowPlaces(sums: string, name: string): AsyncGenerator<RowPlace> {
  let from = 0;
  for await (const { end, crc, ids } of placesOf(sums, name)) {
    yield { from, to: end, crc, ids };
    from = end;
  }
}

async function numberOf(sums: string, name: string): Promise<string | null> {
  for await (const line of byteLines(sums, Number.POSITIVE_INFINITY)) {
    if (line[0] !== HASH) continue;
    const [number = '', named] = line.toString('utf8').slice(1).split('\t');
    if (named === name) return number;
  }
  return null;
}

const HASH = '#'.charCodeAt(0);
/** Records that are named for one place: a row group of Parquet has a thousand. */
const MOST_TOGETHER = 1001;

async function* placesOf(sums: string, name: string): AsyncGenerator<Place> {
  const number = await numberOf(sums, name);
  if (number === null) return;
  const isGrouped = name.endsWith('.parquet');
  let pages: string[] = [];
  for await (const line of byteLines(sums, Number.POSITIVE_INFINITY)) {
    if (line[0] === HASH) return;
    const [id = '', ...cells] = line.toString('utf8').split('\t');
    const isPage = !id.startsWith('-');
    if (isPage && !isGrouped) pages = [];
    if (isPage && id !== '' && pages.length < MOST_TOGETHER) pages.push(id);
    const [, end, crc] = cells.map((cell) => cell.split(':')).find(([of]) => of === number) ?? [];
    if (end === undefined || crc === undefined) continue;
    yield { end: Number(end), crc: Number.parseInt(crc, 16), ids: isPage ? pages : [id.slice(1)] };
    if (isPage) pages = [];
  }
}
