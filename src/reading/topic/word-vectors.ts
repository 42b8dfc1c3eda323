import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { ModelError } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';
import { hashWord } from '../../base/text/tokens.ts';
import { wordBucket } from './features.ts';
import { placesOfBuckets } from './meaning-tables.ts';
import { readBytes, readJson } from './schema.ts';

/** Directions of words: words of like use have like directions. */
export interface WordVectors {
  /** Name on model cards: `bundled`, or a file. */
  readonly name: string;
  /** SHA-256, hex, of words and vectors. */
  readonly sha256: string;
  readonly dimensions: number;
  /** ISO 639-1 codes of the languages that the words are of; null if unknown. */
  readonly languages: readonly string[] | null;
  /** The words, in order of frequency, the most frequent first. */
  readonly words: readonly string[];
  /** Word buckets with a vector, ascending. */
  readonly buckets: Int32Array;
  /** The vector of each of them, shorter for a bucket of several words than for others. Shape [buckets, dimensions]. */
  readonly table: Int8Array;
  /** Place of each word bucket among `buckets`; -1 without a vector. Shape [WORD_BUCKETS]. */
  readonly rows: Int32Array;
}

/** Words in order of frequency, the most frequent first, with their vectors in one table. */
export interface WordTable {
  readonly words: readonly string[];
  /** Shape [words, dimensions]. */
  readonly vectors: Int8Array;
}

/** Source of the bundled vectors. */
export interface WordVectorOrigin {
  readonly model: string;
  readonly package: string;
  readonly version: string;
  /** SHA-256, hex, of the package. */
  readonly packageSha256: string;
  readonly licence: string;
}

/**
 * The vector of each word bucket. Several words of a bucket have the mean of their vectors, each weighted by 1 / rank: by Zipf's law, this is the
 * expected vector of a word that is met in the bucket. Of the 22,700 bundled words, one in six shares its bucket with another.
 */
export function bucketVectors({ words, vectors }: WordTable, dimensions: number): Map<number, Int8Array> {
  const vectorOf = (row: number) => vectors.subarray(row * dimensions, (row + 1) * dimensions);
  const places = new Map<number, number[]>();
  words.forEach((word, row) => {
    const bucket = wordBucket(hashWord(word));
    const rows = places.get(bucket);
    if (rows === undefined) places.set(bucket, [row]);
    else rows.push(row);
  });
  return new Map([...places].map(([bucket, rows]) => [bucket, rows.length === 1 ? vectorOf(rows[0] ?? 0) : expected(rows, vectorOf)]));
}

function expected(rows: readonly number[], vectorOf: (row: number) => Int8Array): Int8Array {
  const whole = rows.reduce((sum, row) => sum + 1 / (row + 1), 0);
  const mean = Float64Array.from(vectorOf(0), () => 0);
  for (const row of rows) {
    const share = 1 / (row + 1) / whole;
    vectorOf(row).forEach((part, d) => {
      mean[d] = (mean[d] as number) + share * part;
    });
  }
  return Int8Array.from(mean, Math.round);
}

const VERSION = 1;
const INFO_FILE = 'word-vectors.json';
const TABLE_FILE = 'word-vectors.bin';
const REMEDY = 'install the program again, or build the vectors again with npm run data -- word-vectors-build';

const infoSchema = z.strictObject({
  format: z.literal('forager-word-vectors'),
  version: z.number(),
  description: z.string(),
  language: z.string(),
  words: z.number().int().positive(),
  dimensions: z.number().int().positive(),
  origin: z.strictObject({
    model: z.string(),
    package: z.string(),
    version: z.string(),
    packageSha256: z.string(),
    licence: z.string(),
  }),
  /** SHA-256 of the table. */
  sha256: z.string(),
});
type WordVectorInfo = z.infer<typeof infoSchema>;

/** The vectors in the package. */
export const BUNDLED_WORD_VECTORS = fileURLToPath(packageFile('models/word-vectors/'));

/** @throws ModelError naming the file: missing, damaged, or of another version */
export async function loadWordVectors(dir: string = BUNDLED_WORD_VECTORS): Promise<WordVectors> {
  const path = join(dir, INFO_FILE);
  const info = await readJson(path, infoSchema, REMEDY);
  if (info.version !== VERSION) throw new ModelError(`${path}: was made for another version of this program; ${REMEDY}`);
  const tablePath = join(dir, TABLE_FILE);
  const bytes = await readBytes(tablePath, REMEDY);
  if (sha256Of(bytes) !== info.sha256) throw new ModelError(`${tablePath}: does not match the checksum in ${INFO_FILE}; ${REMEDY}`);
  const table = decodedTable(bytes, info);
  if (table === null)
    throw new ModelError(`${path}: has ${info.words} words of ${info.dimensions} dimensions, its table has not; ${REMEDY}`);
  const { sha256, dimensions, language } = info;
  return wordVectors(table, { name: 'bundled', sha256, dimensions, languages: [language] });
}

/** Vectors by word bucket. O(size of the table). */
export function wordVectors(table: WordTable, facts: Pick<WordVectors, 'name' | 'sha256' | 'dimensions' | 'languages'>): WordVectors {
  const vectors = [...bucketVectors(table, facts.dimensions)].sort(([a], [b]) => a - b);
  const flat = new Int8Array(vectors.length * facts.dimensions);
  vectors.forEach(([, vector], row) => {
    flat.set(vector, row * facts.dimensions);
  });
  const buckets = Int32Array.from(vectors, ([bucket]) => bucket);
  return { ...facts, words: table.words, buckets, table: flat, rows: placesOfBuckets(buckets) };
}

/** The two files of bundled vectors, ready to be written. The table has the bytes of the vectors, then the words, each with a line feed. */
export function encodeWordVectors(
  { words, vectors }: WordTable,
  { description, language, origin }: { readonly description: string; readonly language: string; readonly origin: WordVectorOrigin },
): { readonly info: string; readonly table: Uint8Array } {
  const { bytes, sha256 } = tableOf({ words, vectors });
  const info: WordVectorInfo = {
    format: 'forager-word-vectors',
    version: VERSION,
    description,
    language,
    words: words.length,
    dimensions: vectors.length / words.length,
    origin,
    sha256,
  };
  return { info: `${JSON.stringify(info, null, 2)}\n`, table: bytes };
}

/** The stored bytes of words and vectors, and their SHA-256, hex. */
export function tableOf({ words, vectors }: WordTable): { readonly bytes: Uint8Array; readonly sha256: string } {
  const text = words.map((word) => `${word}\n`).join('');
  const bytes = Buffer.concat([Buffer.from(vectors.buffer, vectors.byteOffset, vectors.length), Buffer.from(text)]);
  return { bytes, sha256: sha256Of(bytes) };
}

/** Null if the table has another size than `info` says. */
function decodedTable(bytes: Buffer, { words: count, dimensions }: WordVectorInfo): WordTable | null {
  const end = count * dimensions;
  if (end > bytes.length) return null;
  const words = bytes.toString('utf8', end).split('\n');
  if (words.pop() !== '' || words.length !== count) return null;
  return { words, vectors: new Int8Array(bytes.buffer, bytes.byteOffset, end) };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
