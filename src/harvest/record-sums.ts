/**
 * The places and checksums of the records in the files of a corpus, so that damage in a file can be named by its record. One line a record: its id, with a `-`
 * before that of an omitted page, then for each file that got bytes `number:end:crc`, with the byte after its last one and the CRC-32 of its bytes in hex. Each place begins where the one before
 * ends. The first line has no id, and the beginnings of files. The last lines give the names of the numbers.
 */
import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamageError, messageOf } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';
import { byteLines } from '../corpus/records.ts';
import type { HarvestFolder } from './harvest-folder.ts';
import type { HashedFile } from './hashed-file.ts';

export const RECORD_SUMS_FILE = 'record-checksums.tsv';

export class RecordSums {
  readonly #folder: HarvestFolder;
  readonly #file: HashedFile;
  /** Number and last end, by the name that a file was opened with. */
  readonly #seen = new Map<string, { readonly number: number; end: Bytes }>();

  private constructor(folder: HarvestFolder, file: HashedFile) {
    this.#folder = folder;
    this.#file = file;
  }

  /** Called when the other files are open. @throws StoreError */
  static async open(folder: HarvestFolder): Promise<RecordSums> {
    const sums = new RecordSums(folder, await folder.file(RECORD_SUMS_FILE));
    await sums.add('');
    return sums;
  }

  /** Called after each record is written. @param omitted is it one of the pages that the corpus lacks? @throws StoreError */
  async add(id: string, omitted = false): Promise<void> {
    let line = omitted ? `-${id}` : id;
    for (const [name, file] of this.#folder.openFiles) {
      if (file === this.#file) continue;
      const seen = this.#seen.get(name) ?? { number: this.#seen.size, end: 0 };
      this.#seen.set(name, seen);
      if (file.size === seen.end) continue;
      seen.end = file.size;
      line += `\t${seen.number}:${seen.end}:${file.takeCrc().toString(16)}`;
    }
    await this.#file.write(`${line}\n`);
  }

  /** Called after all other files have their names. @throws StoreError */
  async finish(): Promise<void> {
    for (const [name, { number }] of this.#seen) await this.#file.write(`#${number}\t${this.#folder.finalName(name)}\n`);
    await this.#folder.finish(RECORD_SUMS_FILE);
  }
}

/** A part of a file, and the records of whose bytes it consists. */
interface Place {
  readonly end: Bytes;
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
  const number = await numberOf(sums, name);
  if (number === null) return [];
  const damaged: string[] = [];
  const places = placesOf(sums, number);
  let place = (await places.next()).value ?? null;
  let at = 0;
  let crc = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      const bytes: Buffer = chunk;
      for (let from = 0; place !== null && from < bytes.length && damaged.length < most; ) {
        const part = bytes.subarray(from, from + place.end - at);
        crc = crc32(part, crc);
        at += part.length;
        from += part.length;
        if (at < place.end) break;
        if (crc !== place.crc) damaged.push(...place.ids);
        crc = 0;
        place = (await places.next()).value ?? null;
      }
      if (place === null || damaged.length >= most) break;
    }
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); restore the file from a copy`, { cause: error });
  } finally {
    await places.return(undefined);
  }
  // The file is shorter than it was.
  if (place !== null && damaged.length < most) damaged.push(...place.ids);
  return damaged.slice(0, most);
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

async function* placesOf(sums: string, number: string): AsyncGenerator<Place> {
  let before: string[] = [];
  for await (const line of byteLines(sums, Number.POSITIVE_INFINITY)) {
    if (line[0] === HASH) return;
    const [id = '', ...cells] = line.toString('utf8').split('\t');
    const omitted = id.startsWith('-');
    if (id !== '' && !omitted && before.length < MOST_TOGETHER) before.push(id);
    const [, end, crc] = cells.map((cell) => cell.split(':')).find(([of]) => of === number) ?? [];
    if (end === undefined || crc === undefined) continue;
    yield { end: Number(end), crc: Number.parseInt(crc, 16), ids: omitted ? [id.slice(1)] : before };
    if (!omitted) before = [];
  }
}
