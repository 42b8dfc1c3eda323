/** The training rows of a model, as hashes and counts in its own folder, so that it can be trained again with labels of a crawl. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { ModelError, ModelVersionError, messageOf } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Simhash, Unit } from '../../base/core/types.ts';
import { VarintReader, VarintWriter } from './feature-coding.ts';
import { tokenizerFingerprint } from './feature-names.ts';
import { BUCKETS, type FeatureCounts } from './features.ts';
import { textPrint } from './given-pages.ts';
import { readBytes, UNIT } from './schema.ts';
import type { LineHash } from './template.ts';
import type { TrainingRow } from './training-set.ts';
import { type Scale, weigh } from './weighting.ts';
import { type WordVectorSource, wordVectorSourceSchema } from './word-vector-source.ts';

/** Name of the file in the folder of a model. */
export const TRAINING_FILE = 'training.bin.gz';

/** One training page of a model; the text is not kept. */
export interface StoredRow {
  readonly role: 'example' | 'irrelevant' | 'extra';
  /** Name of the row in messages: a file, a URL, a line. */
  readonly id: string;
  /** null if unknown. */
  readonly url: string | null;
  /** null if unknown. */
  readonly host: string | null;
  /** ISO 639-1; null if unknown. */
  readonly language: string | null;
  readonly title: string;
  readonly counts: FeatureCounts;
  /** See `TrainingRow`. */
  readonly weight?: Unit;
  /** See `TrainingRow`. */
  readonly lines?: readonly LineHash[];
  /** See `TrainingRow`. */
  readonly punctuation?: FeatureCounts;
  /** Fingerprint of its text, see `GivenPages`. Absent for a short text, and in files of earlier versions. */
  readonly simhash?: Simhash;
}

/** The training data that another training of the model needs. */
export interface StoredTraining {
  /** Rows without those of the bundled background. */
  readonly rows: readonly StoredRow[];
  /** The precision that the threshold was chosen for; null without one. */
  readonly precision: Unit | null;
  /** The lines that the rows were counted without, ascending: see `templateOf`. */
  readonly template: readonly LineHash[];
  /** The word vectors of the training, also for later ones; `none` in files of earlier versions. */
  readonly wordVectors: WordVectorSource;
}

const FORMAT = 'forager-training-rows';
const VERSION = 3;
/** Version of files with word vectors, which earlier programs do not know. */
const VERSION_WITH_VECTORS = 4;
/** Version of files whose rows have punctuation, with word vectors or without. */
const VERSION_WITH_PUNCTUATION = 5;
const VERSIONS: readonly number[] = [VERSION, VERSION_WITH_VECTORS, VERSION_WITH_PUNCTUATION];
const NONE: FeatureCounts = { buckets: new Int32Array(0), counts: new Uint16Array(0) };
/** Number of rows kept: about the sum of the shares of examples, irrelevant and extra pages in a training set. */
const MAX_ROWS = 3000;
/**
 * Total number of features kept, at about three bytes each: 7 MB before compression. Each row has an equal share, but at least `MIN_FEATURES`, more
 * than a page of 400 words has. Up to 300 pages of 8,000 features, nothing is omitted.
 */
const MAX_FEATURES = 2_400_000;
const MIN_FEATURES = MAX_FEATURES / MAX_ROWS;
/** Titles and names are for messages. */
const MAX_TITLE_CHARS = 200;
const MAX_ID_CHARS = 2048;
/** Three times the largest size that the caps above allow. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 10;
const REMEDY = 'train the topic again';

/** Half of a simhash. */
const HALF = z.int().min(0).max(0xffff_ffff);

const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.number(),
  buckets: z.number(),
  tokenizer: z.number(),
  precision: UNIT.nullable(),
  wordVectors: wordVectorSourceSchema.optional(),
  rows: z
    .array(
      z.strictObject({
        role: z.enum(['example', 'irrelevant', 'extra']),
        id: z.string(),
        url: z.string().nullable(),
        host: z.string().nullable(),
        language: z.string().nullable(),
        title: z.string(),
        weight: UNIT.optional(),
        simhash: z.tuple([HALF, HALF]).readonly().optional(),
      }),
    )
    .max(MAX_ROWS),
  /** SHA-256 of the bytes after the head, hex. */
  sha256: z.string(),
});
type Head = z.infer<typeof headSchema>;

/**
 * The content of a training file: a line of JSON that names the rows, then their features as varints; gzipped. At most 3,000 rows, the first ones; of
 * a row with too many features the heaviest ones, see `MAX_FEATURES`.
 * @param scale determines the weight of a feature
 */
export async function encodeTraining({ rows, precision, template, wordVectors }: StoredTraining, scale: Scale): Promise<Uint8Array> {
  const kept = rows.slice(0, MAX_ROWS);
  const share = Math.max(MIN_FEATURES, Math.floor(MAX_FEATURES / Math.max(1, kept.length)));
  const writer = new VarintWriter();
  writer.pushAscending(template);
  const isPunctuated = kept.some(({ punctuation }) => punctuation !== undefined);
  for (const { counts, lines, punctuation = NONE } of kept) {
    writer.pushCounts(heaviest(counts, scale, share));
    writer.pushAscending(lines ?? []);
    if (isPunctuated) writer.pushCounts(punctuation);
  }
  const head: Head = {
    format: FORMAT,
    version: isPunctuated ? VERSION_WITH_PUNCTUATION : wordVectors === 'none' ? VERSION : VERSION_WITH_VECTORS,
    buckets: BUCKETS,
    tokenizer: tokenizerFingerprint(),
    precision,
    ...(wordVectors !== 'none' && { wordVectors }),
    rows: kept.map(({ role, id, url, host, language, title, weight, simhash }) => ({
      role,
      id: id.slice(0, MAX_ID_CHARS),
      url,
      host,
      language,
      title: title.slice(0, MAX_TITLE_CHARS),
      ...(weight !== undefined && { weight }),
      ...(simhash && { simhash }),
    })),
    sha256: sha256(writer.bytes),
  };
  return promisify(gzip)(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), writer.bytes]));
}

/** The features with the largest values in a page's vector, in the given order; the first of equal ones. */
function heaviest(counted: FeatureCounts, scale: Scale, most: number): FeatureCounts {
  const { buckets, counts } = counted;
  if (buckets.length <= most) return counted;
  const weights = weigh(counted, scale).values;
  const least = weights.slice().sort()[weights.length - most] ?? 0;
  let equal = most - weights.filter((weight) => weight > least).length;
  const taken = weights.map((weight) => Number(weight > least || (weight === least && equal-- > 0)));
  return { buckets: buckets.filter((_, i) => taken[i] === 1), counts: counts.filter((_, i) => taken[i] === 1) };
}

/** A row as it is stored; null for one of the bundled background, and for one without a known page. */
export function storedRow({ page, role, name: _, ...row }: TrainingRow): StoredRow | null {
  if (role === 'background' || page === null) return null;
  const simhash = textPrint(page.text);
  return { role, id: page.id, url: page.url, title: page.title, ...row, ...(simhash && { simhash }) };
}

/** The part of a training that a file stores. */
export function storedTraining(
  rows: readonly TrainingRow[],
  template: readonly LineHash[],
  precision: Unit | null,
  wordVectors: WordVectorSource,
): StoredTraining {
  return { rows: rows.flatMap((row) => storedRow(row) ?? []), precision, template, wordVectors };
}

/**
 * The training rows of a model, features in order of bucket; null if its folder does not contain them, as for models of Forager 0.1.
 * @param remedy the next step for a damaged file: the end of the message
 * @throws ModelError naming the file: damaged, of another version, or made with another tokeniser
 */
export async function readTraining(dir: string, remedy = REMEDY): Promise<StoredTraining | null> {
  const path = join(dir, TRAINING_FILE);
  if (!isThere(path)) return null;
  const bytes = await unpacked({ path, remedy });
  const end = bytes.indexOf(LINE_FEED);
  const head = headOf({ path, remedy }, bytes.subarray(0, Math.max(0, end)).toString('utf8'));
  const body = bytes.subarray(end + 1);
  if (sha256(body) !== head.sha256) throw damaged({ path, remedy }, 'does not match its checksum');
  return { ...contentOf({ path, remedy }, head, body), precision: head.precision, wordVectors: head.wordVectors ?? 'none' };
}

/** A file, and the next step if it is damaged. */
interface Source {
  readonly path: string;
  readonly remedy: string;
}

async function unpacked(file: Source): Promise<Buffer> {
  const packed = await readBytes(file.path, file.remedy);
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw damaged(file, messageOf(error), error);
  }
}

function headOf(file: Source, line: string): Head {
  const head = headSchema.safeParse(jsonOf(file, line));
  if (!head.success) throw damaged(file, head.error.issues[0]?.message ?? 'not understood', head.error);
  const { version, buckets, tokenizer } = head.data;
  if (!VERSIONS.includes(version) || buckets !== BUCKETS || tokenizer !== tokenizerFingerprint())
    throw new ModelVersionError(`${file.path}: was made for another version of this program; ${file.remedy}`);
  return head.data;
}

function jsonOf(file: Source, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw damaged(file, messageOf(error), error);
  }
}

function contentOf(file: Source, { rows, version }: Head, body: Uint8Array): Pick<StoredTraining, 'rows' | 'template'> {
  const reader = new VarintReader(body);
  const whole = <T>(read: T | null): T => {
    if (read === null) throw damaged(file, 'its features break off');
    return read;
  };
  const template = whole(reader.nextAscending());
  const read = rows.map(({ weight, simhash, ...row }): StoredRow => {
    const counts = whole(reader.nextCounts());
    const lines = whole(reader.nextAscending());
    const punctuation = version === VERSION_WITH_PUNCTUATION ? whole(reader.nextCounts()) : NONE;
    return {
      ...row,
      counts,
      ...(weight !== undefined && { weight }),
      ...(lines.length > 0 && { lines }),
      ...(punctuation.buckets.length > 0 && { punctuation }),
      ...(simhash && { simhash }),
    };
  });
  if (!reader.atEnd) throw damaged(file, 'it has more features than rows');
  return { rows: read, template };
}

function damaged({ path, remedy }: Source, why: string, cause?: unknown): ModelError {
  return new ModelError(`${path}: is damaged (${why}); ${remedy}`, { cause });
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
