import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkOf, checksummedLine } from '../core/checksum.ts';
import { DamageError, type DataError, messageOf } from '../core/errors.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, HostKey, ReservationFile, ReservationRule } from '../core/types.ts';
import { reservationsUrlOf, reservationWithFile, ruleFinder } from '../web/reservation.ts';
import { hostKeyOf } from '../web/url.ts';

/** One `ReservationFile` a line, in the order they were asked for. Lines of earlier versions have `fetchedAt` in milliseconds since 1970; nothing goes by it. */
export const RESERVATIONS_FILE = 'reservations.jsonl';
/** As many as of a robots.txt (RFC 9309 §2.3.1.2). */
const MAX_REDIRECTS = 5;

/** With its checksum, and the line's end. */
export function reservationLine(file: ReservationFile): Buffer {
  return checksummedLine(file);
}

type Finder = (url: CanonicalUrl) => ReservationRule | null;

/** What the hosts of a crawl reserve by their files, as far as they were asked. */
export class ReservationFiles {
  readonly #files: ReadonlyMap<CanonicalUrl, ReservationFile>;
  /** null for a host that was not asked, or gave no answer. */
  readonly #finders = new Map<HostKey, Finder | null>();

  private constructor(files: ReadonlyMap<CanonicalUrl, ReservationFile>) {
    this.#files = files;
  }

  /** Those of a corpus folder; none where it has no such file, as of crawls that did not ask. @param end bytes that count. @throws DataError */
  static async read(dir: string, end: Bytes): Promise<ReservationFiles> {
    const files = new Map<CanonicalUrl, ReservationFile>();
    if (end > 0) for await (const file of filesIn(join(dir, RESERVATIONS_FILE), end)) files.set(file.url, file);
    return new ReservationFiles(files);
  }

  /** Is it known what the host of a URL reserves by a file, or that it has none? */
  knows(url: CanonicalUrl): boolean {
    return this.#finderOf(hostKeyOf(url)) !== null;
  }

  /** A record with what its host's file says joined to what its page says. */
  present(record: CorpusRecord): CorpusRecord {
    const rule = this.#finderOf(hostKeyOf(record.url))?.(record.url) ?? null;
    const reservation = reservationWithFile(record.reservation ?? null, rule);
    return reservation ? { ...record, reservation } : record;
  }

  #finderOf(host: HostKey): Finder | null {
    const known = this.#finders.get(host);
    if (known !== undefined) return known;
    const file = this.#fileOf(host);
    const finder = file && ruleFinder(file.rules);
    this.#finders.set(host, finder);
    return finder;
  }

  #fileOf(host: HostKey): ReservationFile | null {
    let file = this.#files.get(reservationsUrlOf(host));
    for (let hop = 0; file?.to && hop < MAX_REDIRECTS; hop++) file = this.#files.get(file.to);
    return file && file.to === null ? file : null;
  }
}

/**
 * For each line what is wrong with it, naming it, or null: as far as bytes count.
 * @throws DataError when the file cannot be read
 */
export async function* reservationFaults(dir: string, end: Bytes): AsyncGenerator<string | null> {
  const path = join(dir, RESERVATIONS_FILE);
  let number = 0;
  for await (const line of linesIn(path, end)) {
    number++;
    try {
      fileIn(line);
      yield null;
    } catch (error) {
      yield unreadable(`${path}:${number}`, error).message;
    }
  }
}

function fileIn(line: string): ReservationFile {
  if (checkOf(Buffer.from(line)) === 'wrong') throw new TypeError('its checksum is wrong');
  const file = JSON.parse(line) as ReservationFile;
  if (!URL.canParse(file.url) || !Array.isArray(file.rules)) throw new TypeError('no answer for a file of reservations');
  return file;
}

async function* filesIn(path: string, end: Bytes): AsyncGenerator<ReservationFile> {
  let number = 0;
  for await (const line of linesIn(path, end)) {
    number++;
    try {
      yield fileIn(line);
    } catch (error) {
      throw unreadable(`${path}:${number}`, error);
    }
  }
}

async function* linesIn(path: string, end: Bytes): AsyncGenerator<string> {
  const input = createReadStream(path, { end: end - 1 });
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    // The interface closes itself alone.
    input.destroy();
  }
}

function unreadable(where: string, error: unknown): DataError {
  return new DamageError(`${where}: cannot be read (${messageOf(error)}); restore the file from a copy`, { cause: error });
}
