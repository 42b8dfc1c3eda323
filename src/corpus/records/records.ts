import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOf, checksummedLine } from '../../base/core/checksum.ts';
import { isoTime } from '../../base/core/clock.ts';
import { DamageError, DataError, messageOf, type OnDamaged } from '../../base/core/errors.ts';
import { NO_METADATA } from '../../base/core/no-metadata.ts';
import type { RenderCost, RenderingRecords } from '../../base/core/rendering.ts';
import type {
  ApiDescription,
  BlockVotes,
  Bytes,
  CorpusRecord,
  CrawlRecord,
  CreditSources,
  EpochMs,
  PageDocument,
  PageMetadata,
  PageProduct,
  Post,
  ProductOffer,
  ProductProperty,
  RecordId,
  Reservation,
  ReservedBy,
  RightsStatement,
  SpareBlocks,
  TopicJudgement,
} from '../../base/core/types.ts';

/** One CrawlRecord a line, in the order of keeping. */
export const RECORDS_FILE = 'records.jsonl';
/** No page's text comes near this: pages are cut far below, and JSON triples a text at worst. */
const MAX_LINE_BYTES: Bytes = 64 * 1024 * 1024;
const TOO_LONG = `a line of over ${MAX_LINE_BYTES} bytes is too long for a corpus record`;
const LINE_FEED = 10;
/** Read at once. More takes no less time. */
const CHUNK: Bytes = 256 * 1024;
/** First read when a line is searched from its end: most records fit. */
const LINE_STEP: Bytes = 64 * 1024;
/** ECMA-262, "Time Values and Time Range". */
const MAX_DATE: EpochMs = 8.64e15;

/** A record as a line of JSONL, with its line feed. Field names and their order are those of CorpusRecord. */
export function recordLine(record: CorpusRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Line of a record as a crawl stores it: with the checksum of the line. */
export function storedRecordLine(record: CrawlRecord): Buffer {
  return checksummedLine(record);
}

/**
 * The records of a corpus folder, in file order; needs the memory of one line.
 * @param end number of valid bytes in the file: the committed offset of a crawl that is running or died
 * @param onDamaged receives damaged lines, which are omitted; without it they are errors
 * @throws DataError naming file, line and record if the file cannot be read or is too short, or if a line is damaged
 */
export async function* readRecords(dir: string, end: Bytes = Number.POSITIVE_INFINITY, onDamaged?: OnDamaged): AsyncGenerator<CrawlRecord> {
  yield* recordsOfFile(join(dir, RECORDS_FILE), end, onDamaged);
}

/** Records of any file of records, such as that of a harvest. @throws DataError */
export async function* recordsOfFile(
  path: string,
  end: Bytes = Number.POSITIVE_INFINITY,
  onDamaged?: OnDamaged,
): AsyncGenerator<CrawlRecord> {
  for await (const { record } of placedRecordsOf(path, end, onDamaged)) yield record;
}

/** The records whose lines have these bytes, such as the start of a URL: the others are not parsed. Damaged ones are omitted. @throws DataError */
export async function* recordsWith(dir: string, words: string, end: Bytes): AsyncGenerator<CrawlRecord> {
  for await (const line of byteLines(join(dir, RECORDS_FILE), end, () => undefined)) {
    const record = line.includes(words) ? undamagedRecord(line) : null;
    if (record !== null) yield record;
  }
}

/** The bytes of a line in a records file, without its line feed. */
export interface RecordPlace {
  readonly start: Bytes;
  readonly length: Bytes;
}

/** Records of a crawl in order, each with its place. @throws DataError */
export function placedRecords(
  dir: string,
  end: Bytes = Number.POSITIVE_INFINITY,
  onDamaged?: OnDamaged,
): AsyncGenerator<{ readonly record: CrawlRecord; readonly place: RecordPlace }> {
  return placedRecordsOf(join(dir, RECORDS_FILE), end, onDamaged);
}

/** Records of any file of records, each with its place. @param from the first byte of a line; lines are counted from there @throws DataError */
export async function* placedRecordsOf(
  path: string,
  end: Bytes,
  onDamaged?: OnDamaged,
  from: Bytes = 0,
): AsyncGenerator<{ readonly record: CrawlRecord; readonly place: RecordPlace }> {
  const lines = new RecordLines(from === 0 ? path : `${path}, from byte ${from}`);
  let start = from;
  for await (const line of byteLines(path, end, onDamaged, from)) {
    const record = lines.parse(line, onDamaged);
    if (record) yield { record, place: { start, length: line.length } };
    start += line.length + 1;
  }
}

/** The record of a line that was undamaged when it was found. @param where its name in an error @throws DataError if it no longer is */
export function recordAt(dir: string, place: RecordPlace, where?: string): CrawlRecord {
  return recordOfFileAt(join(dir, RECORDS_FILE), place, where);
}

/** Record at a place of any file of records. @throws DataError */
export function recordOfFileAt(path: string, { start, length }: RecordPlace, where?: string): CrawlRecord {
  const line = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    readSync(file, line, 0, length, start);
  } finally {
    closeSync(file);
  }
  return parseRecord(line, where ?? `${path}, byte ${start}`, checkOf(line) !== 'wrong');
}

/** Number of lines of a records file from a byte on, before byte `end`. O(file). @throws DataError */
export async function countLines(dir: string, from: Bytes, end: Bytes = Number.POSITIVE_INFINITY): Promise<number> {
  let count = 0;
  for await (const chunk of chunksOf(join(dir, RECORDS_FILE), end, from))
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}

/** One record by its id, or null. The file is searched as bytes, and one line of it parsed. O(file), a gigabyte a second. @throws DataError */
export async function findRecord(dir: string, id: RecordId, end: Bytes): Promise<CrawlRecord | null> {
  const path = join(dir, RECORDS_FILE);
  const place = await placeOf(path, id, end);
  if (place === null) return null;
  try {
    return recordAt(dir, place);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    // A reader of all lines names it so too.
    return recordAt(dir, place, `${path}:${(await countLines(dir, 0, place.start)) + 1}`);
  }
}

/** Place of the line that has these bytes, such as the id of its record; null for none. O(file), a gigabyte a second. @throws DataError */
export async function recordPlace(dir: string, text: string, end: Bytes): Promise<RecordPlace | null> {
  return placeOf(join(dir, RECORDS_FILE), text, end);
}

async function placeOf(path: string, text: string, end: Bytes): Promise<RecordPlace | null> {
  // A line whose end is not read yet. Its parts are joined at its end: to join them at each chunk takes the square of its length.
  let [start, length, parts]: [Bytes, Bytes, Buffer[]] = [0, 0, []];
  for await (const chunk of chunksOf(path, end)) {
    parts.push(chunk);
    length += chunk.length;
    if (chunk.includes(LINE_FEED)) {
      const held = Buffer.concat(parts);
      const at = held.indexOf(text);
      const first = held.lastIndexOf(LINE_FEED, at < 0 ? undefined : at) + 1;
      const last = at < 0 ? -1 : held.indexOf(LINE_FEED, at);
      if (last >= 0) return { start: start + first, length: last - first };
      [start, length, parts] = [start + first, length - first, [held.subarray(first)]];
    }
    if (length > MAX_LINE_BYTES) throw new DamageError(`${path}, byte ${start}: ${TOO_LONG}`);
  }
  if (Buffer.concat(parts).includes(text)) return { start, length };
  if (Number.isFinite(end) && start + length < end) throw new DamageError(tooShort(path, start + length, end));
  return null;
}

/** The record whose line ends at byte `end`; null if no undamaged one ends there. Needs the memory of the line. @throws Error if the file cannot be read */
export async function recordBefore(dir: string, end: Bytes): Promise<CrawlRecord | null> {
  const file = await open(join(dir, RECORDS_FILE), 'r');
  try {
    for (let length = LINE_STEP; length <= MAX_LINE_BYTES; length *= 2) {
      const start = Math.max(0, end - length);
      const bytes = Buffer.alloc(end - start);
      await file.read(bytes, 0, bytes.length, start);
      if (bytes.at(-1) !== LINE_FEED) return null;
      const before = bytes.lastIndexOf(LINE_FEED, -2);
      if (before >= 0 || start === 0) return undamagedRecord(bytes.subarray(before + 1, -1));
    }
    return null;
  } finally {
    await file.close();
  }
}

function undamagedRecord(line: Buffer): CrawlRecord | null {
  try {
    return parseRecord(line, '', checkOf(line) !== 'wrong');
  } catch (error) {
    if (error instanceof DataError) return null;
    throw error;
  }
}

/** Did a crawl write this line? Lines of Forager 0.1 have no checksum. */
export function isRecordLine(line: Buffer): boolean {
  return undamagedRecord(line) !== null;
}

/** The lines of a file in order, each checked against its checksum. */
class RecordLines {
  readonly #path: string;
  #number = 0;
  /** Lines of Forager 0.1 have no checksum, and come before all others. */
  #haveChecksums = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns null for a damaged line, if there is an `onDamaged`. @throws DataError without one */
  parse(line: Buffer, onDamaged?: OnDamaged): CrawlRecord | null {
    this.#number += 1;
    try {
      return parseRecord(line, `${this.#path}:${this.#number}`, this.#isWhole(line));
    } catch (error) {
      if (!(error instanceof DataError) || !onDamaged) throw error;
      onDamaged(error.message);
      return null;
    }
  }

  #isWhole(line: Buffer): boolean {
    const check = checkOf(line);
    if (check === 'right') this.#haveChecksums = true;
    return check === 'right' || (check === 'none' && !this.#haveChecksums);
  }
}

/**
 * The lines of a file, without their line feeds; the last may lack one. A line is valid until the next one is asked for: all are parts of one buffer,
 * since a buffer for each piece of the file is garbage that the collector finds late.
 * @param onDamaged receives an early end of the file; without it that is an error
 */
export async function* byteLines(path: string, end: Bytes, onDamaged?: OnDamaged, start: Bytes = 0): AsyncGenerator<Buffer> {
  if (end <= start) return;
  let bytes = start;
  let number = 1;
  let buffer = Buffer.allocUnsafeSlow(CHUNK);
  /** Bytes of a line whose end is not read yet. */
  let held = 0;
  const file = await open(path, 'r').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    for (;;) {
      const read = await readInto(file, buffer.subarray(held, held + Math.min(buffer.length - held, end - bytes)), bytes, path);
      if (read === 0) break;
      bytes += read;
      const filled = buffer.subarray(0, held + read);
      let from = 0;
      for (let at = filled.indexOf(LINE_FEED, held); at >= 0; at = filled.indexOf(LINE_FEED, from)) {
        yield filled.subarray(from, at);
        number++;
        from = at + 1;
      }
      held = filled.copyWithin(0, from).length - from;
      if (held > MAX_LINE_BYTES) throw new DamageError(`${path}:${number}: ${TOO_LONG}`);
      if (held === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * held, MAX_LINE_BYTES + CHUNK));
    }
    if (held > 0) yield buffer.subarray(0, held);
  } finally {
    await file.close();
  }
  if (!Number.isFinite(end) || bytes >= end) return;
  const message = tooShort(path, bytes, end);
  if (!onDamaged) throw new DamageError(message);
  onDamaged(message);
}

/** @returns 0 at the end of the file @throws DataError */
async function readInto(file: FileHandle, part: Buffer, at: Bytes, path: string): Promise<Bytes> {
  if (part.length === 0) return 0;
  try {
    return (await file.read(part, 0, part.length, at)).bytesRead;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): DamageError {
  return new DamageError(`${path}: cannot be read (${messageOf(error)}); is this the folder of a crawl's corpus?`, { cause: error });
}

function tooShort(path: string, bytes: Bytes, end: Bytes): string {
  return `${path}: has ${bytes} bytes, but ${end} were committed; ${REMEDY}`;
}

async function* chunksOf(path: string, end: Bytes, start: Bytes = 0): AsyncGenerator<Buffer> {
  if (end <= 0) return;
  const stream = createReadStream(path, { start, end: end - 1, highWaterMark: CHUNK });
  try {
    for await (const chunk of stream) {
      const bytes: Buffer = chunk;
      yield bytes;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** A remedy for users of every command. */
const REMEDY = 'restore the file from a copy, or leave damaged records out with --skip-damaged';

type Check = (value: unknown) => boolean;
type Parts = Readonly<Record<string, unknown>>;
const string: Check = (value) => typeof value === 'string';
const stringOrNull: Check = (value) => value === null || typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const object: Check = (value) => typeof value === 'object' && value !== null;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const hasAll = (checks: Readonly<Record<string, Check>>, value: unknown) =>
  object(value) && Object.entries(checks).every(([name, check]) => check((value as Parts)[name]));

const METADATA: Record<keyof PageMetadata, Check> = {
  canonical: stringOrNull,
  description: stringOrNull,
  authors: listOf(string),
  siteName: stringOrNull,
  published: stringOrNull,
  modified: stringOrNull,
  licences: listOf(string),
  rights: stringOrNull,
  alternates: listOf(object),
  robots: listOf(string),
};

const JUDGEMENT: Record<keyof TopicJudgement, Check> = {
  name: string,
  modelId: string,
  relevance: number,
  threshold: number,
  onTopic: (value) => typeof value === 'boolean',
};

const SOURCES: Record<ReservedBy, true> = { meta: true, header: true, file: true, noai: true };
const RESERVATION: Record<keyof Reservation, Check> = {
  reserved: (value) => typeof value === 'boolean',
  by: (value) => typeof value === 'string' && Object.hasOwn(SOURCES, value),
  policy: stringOrNull,
};

const USE_WORDS: ReadonlySet<unknown> = new Set(['allow', 'disallow']);
const STATEMENT: Record<keyof RightsStatement, Check> = {
  protocol: string,
  from: string,
  statement: string,
  path: stringOrNull,
  fetchedAt: string,
  understood: (value) => typeof value === 'boolean',
  uses: (value) => object(value) && Object.values(value as Parts).every((word) => USE_WORDS.has(word)),
};

const CREDIT_SOURCES: Record<keyof CreditSources, Check> = { authors: stringOrNull, published: stringOrNull, modified: stringOrNull };

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const PAIR: Record<keyof ProductProperty, Check> = { name: string, value: string, unit: optional(string) };
const OFFER: Record<keyof ProductOffer, Check> = {
  name: optional(string),
  sku: optional(string),
  price: optional(number),
  lowPrice: optional(number),
  highPrice: optional(number),
  currency: optional(string),
  availability: optional(string),
  condition: optional(string),
  seller: optional(string),
  url: optional(string),
};
const PRODUCT: Record<keyof PageProduct, Check> = {
  name: optional(string),
  description: optional(string),
  brand: optional(string),
  sku: optional(string),
  gtin: optional(string),
  mpn: optional(string),
  category: optional(string),
  properties: optional(listOf((pair) => hasAll(PAIR, pair))),
  offers: optional(listOf((offer) => hasAll(OFFER, offer))),
  sources: listOf(string),
};
const POST: Record<keyof Post, Check> = { author: stringOrNull, published: stringOrNull, text: string, depth: number, url: stringOrNull };

const OPERATION: Record<keyof ApiDescription['operations'][number], Check> = { method: string, path: string, summary: stringOrNull };
const API: Record<keyof ApiDescription, Check> = {
  name: string,
  version: stringOrNull,
  operations: listOf((operation) => hasAll(OPERATION, operation)),
  endpoints: listOf(string),
};
const numberOrNull: Check = (value) => value === null || number(value);
const DOCUMENT: Record<keyof PageDocument, Check> = {
  kind: string,
  pages: numberOrNull,
  declaredTitle: stringOrNull,
  producer: stringOrNull,
  language: stringOrNull,
  pageOffsets: listOf(number),
  cut: (value) => typeof value === 'boolean',
  api: optional((value) => hasAll(API, value)),
  items: optional(number),
};

const SPARE: Record<keyof SpareBlocks, Check> = {
  places: listOf(number),
  lines: listOf(number),
  after: listOf(number),
  before: listOf(number),
  gapsBefore: listOf(number),
  gapsBehind: listOf(number),
  others: listOf(number),
  heights: listOf(number),
  texts: listOf(string),
};
const VOTES: Record<keyof BlockVotes, Check> = {
  kept: listOf(number),
  left: listOf(number),
  lines: listOf(number),
  spare: (value) => hasAll(SPARE, value),
};

const RENDER_COST: Record<keyof RenderCost, Check> = { ms: number, requests: number, bytes: number };
const RENDERING: Record<keyof RenderingRecords, Check> = { document: string, resources: listOf(string) };

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const FIELDS: Record<keyof CrawlRecord, Check> = {
  id: string,
  url: (value) => typeof value === 'string' && URL.canParse(value),
  fetchedAt: (value) => typeof value === 'string' && ISO_TIME.test(value),
  title: string,
  text: string,
  otherText: (value) => value === undefined || string(value),
  lang: stringOrNull,
  relevance: number,
  threshold: number,
  modelId: string,
  topics: (value) => value === undefined || listOf((topic) => hasAll(JUDGEMENT, topic))(value),
  depth: number,
  referrer: stringOrNull,
  anchorText: string,
  payloadSha256: string,
  metadata: (value) => hasAll(METADATA, value),
  fields: (value) => object(value) && Object.values(value as Parts).every((field) => string(field) || listOf(string)(field)),
  tags: optional(listOf(string)),
  reservation: (value) => value === undefined || hasAll(RESERVATION, value),
  rights: optional(listOf((statement) => hasAll(STATEMENT, statement))),
  creditSources: (value) => value === undefined || hasAll(CREDIT_SOURCES, value),
  product: optional((value) => hasAll(PRODUCT, value)),
  textSource: optional(string),
  posts: (value) => value === undefined || listOf((post) => hasAll(POST, post))(value),
  document: optional((value) => hasAll(DOCUMENT, value)),
  rendered: optional((value) => hasAll(RENDER_COST, value)),
  rendering: optional((value) => hasAll(RENDERING, value)),
  certificate: (value) => value === undefined || string(value),
  changedFrom: optional(string),
  alternateOf: optional(string),
  votes: optional((value) => hasAll(VOTES, value)),
};

function parseRecord(line: Buffer, where: string, isWhole: boolean): CrawlRecord {
  if (!isWhole) throw new DamageError(`${where}: has changed since it was written (its checksum is wrong${nameIn(line)}); ${REMEDY}`);
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch (error) {
    throw new DamageError(`${where}: not JSON (${messageOf(error)}${nameIn(line)}); ${REMEDY}`, { cause: error });
  }
  const record = complete((object(value) ? value : {}) as Parts);
  for (const [name, check] of Object.entries(FIELDS)) {
    if (!check(record[name])) throw new DamageError(`${where}: field ${name} is missing or of the wrong type${nameIn(line)}; ${REMEDY}`);
  }
  return record as unknown as CrawlRecord;
}

/** The record of a damaged line, if the line still shows it. */
function nameIn(line: Buffer): string {
  const [, url] = /"url":"([^"\\]{1,2000})"/.exec(line.toString('utf8', 0, 4096)) ?? [];
  return url === undefined ? '' : `; the record of ${url}`;
}

/** Corpora of Forager 0.1 have less metadata, no fields, and times in milliseconds since 1970. */
function complete(record: Parts): Parts {
  const { crc32: _, ...rest } = record;
  const { metadata, fields = {}, fetchedAt } = rest;
  const at = typeof fetchedAt === 'number' && Math.abs(fetchedAt) <= MAX_DATE ? isoTime(fetchedAt) : fetchedAt;
  return { ...rest, fetchedAt: at, metadata: object(metadata) ? { ...NO_METADATA, ...(metadata as Parts) } : metadata, fields };
}
