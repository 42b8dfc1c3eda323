/** Word vectors of a user, in the text formats of word2vec, fastText and GloVe. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CrawlerError, DataError, messageOf, UsageError } from '../../base/core/errors.ts';
import { signalWithin } from '../../base/core/time-signal.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { fileKindOf, refusal } from '../../base/text/given-file.ts';
import { type RowLimits, WordVectorRows } from './word-vector-rows.ts';
import { tableOf, type WordVectors, wordVectors } from './word-vectors.ts';

export interface WordVectorLimits extends RowLimits {
  /** Bytes read, after unpacking. */
  readonly bytes: Bytes;
  readonly ms: Ms;
}

/**
 * 200,000 words are more than a topic model has buckets for, and 300 dimensions those of the vectors that fastText and GloVe publish. Such a file has
 * 500 MB, and takes some ten seconds.
 */
export const WORD_VECTOR_LIMITS: WordVectorLimits = { words: 200_000, dimensions: 300, bytes: 1024 ** 3, ms: 300_000 };

/** 300 numbers of 50 characters, and a word far longer than those that texts have. */
const MAX_LINE_BYTES: Bytes = 20_000;
const CHUNK: Bytes = 256 * 1024;
const REMEDY = 'give a file of word vectors';
const TEXT_REMEDY = 'unpack or convert it: word vectors are read as text (word2vec with binary=0, fastText .vec, GloVe), also with gzip';

export interface GivenWordVectors {
  readonly vectors: WordVectors;
  /** Number of rows read. Rows that are not one word, such as marks and phrases, count here only. */
  readonly rows: number;
  /** Does the file have more rows than are read? */
  readonly isCut: boolean;
}

/**
 * Reads a file of word vectors, also with gzip, up to its first 200,000 rows. The words are of unknown languages. Case variants of a word share its
 * bucket, the first of them with the greatest weight: see `bucketVectors`.
 * @throws UsageError if there is no such file, or it is not a regular one; DataError naming the line if its content is not word vectors, or too large
 */
export async function readWordVectors(path: string, limits: WordVectorLimits = WORD_VECTOR_LIMITS): Promise<GivenWordVectors> {
  const rows = new WordVectorRows(path, limits);
  let isCut = false;
  for await (const { text, number } of linesOf(path, limits)) {
    isCut = rows.isFull && text.trim() !== '';
    if (isCut) break;
    rows.add(text, number);
  }
  const table = rows.finish();
  const vectors = wordVectors(table, { name: basename(path), sha256: tableOf(table).sha256, dimensions: rows.dimensions, languages: null });
  return { vectors, rows: rows.rows, isCut };
}

interface Line {
  readonly text: string;
  /** Number of the line, from 1. */
  readonly number: number;
}

async function* linesOf(path: string, limits: WordVectorLimits): AsyncGenerator<Line> {
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(path, limits)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      yield lineOf(bytes.subarray(start, end), ++number, path);
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > MAX_LINE_BYTES) lineOf(rest, number + 1, path);
  }
  if (rest.length > 0) yield lineOf(rest, number + 1, path);
}

/** @throws DataError for a line that is too long, or not text */
function lineOf(bytes: Buffer, number: number, path: string): Line {
  if (bytes.includes(0)) throw new DataError(`${path}:${number}: is binary data; ${TEXT_REMEDY}`);
  if (bytes.length > MAX_LINE_BYTES)
    throw new DataError(`${path}:${number}: is over the cap of ${MAX_LINE_BYTES} bytes for a word and its numbers; remove it`);
  const text = bytes.toString('utf8');
  return { text: number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text, number };
}

/** Unpacked bytes of the file, in pieces. */
async function* chunksOf(path: string, { bytes: most, ms }: WordVectorLimits): AsyncGenerator<Buffer> {
  const signal = signalWithin(ms);
  const handle = await opened(path);
  let size: Bytes = 0;
  try {
    for await (const chunk of await unpacked(handle)) {
      if (signal.aborted) throw new DataError(`${path}: was not read within ${ms / 1000} s; give fewer words or dimensions`);
      size += (chunk as Buffer).length;
      if (size > most) throw new DataError(`${path}: is over the cap of ${most} bytes for word vectors; give fewer words or dimensions`);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw unreadable(error, path);
  } finally {
    await handle.close();
  }
}

async function opened(path: string): Promise<FileHandle> {
  // A pipe would hold the opening until somebody writes.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw refusal(error, path, REMEDY);
  });
  const kind = fileKindOf(await handle.stat());
  if (kind === null) return handle;
  await handle.close();
  throw new UsageError(`${path}: cannot be read (it is ${kind}, not a file); ${REMEDY}`);
}

/** First bytes of a gzip file (RFC 1952). */
const GZIP = 0x1f8b;

async function unpacked(handle: FileHandle): Promise<Readable> {
  const first = Buffer.alloc(2);
  await handle.read(first, 0, 2, 0);
  const file = handle.createReadStream({ start: 0, highWaterMark: CHUNK, autoClose: false });
  // An error of either ends both, and the reader of the last one gets it.
  return first.readUInt16BE(0) === GZIP ? pipeline(file, createGunzip({ chunkSize: CHUNK }), () => {}) : file;
}

function unreadable(error: unknown, path: string): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const isZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
  if (isZlib) return new DataError(`${path}: its gzip is damaged (${messageOf(error)}); fetch it again`, { cause: error });
  return refusal(error, path, REMEDY);
}
