import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { ModelError, messageOf } from '../core/errors.ts';
import { tokenizerFingerprint } from './feature-names.ts';
import { BUCKETS, type FeatureCounts } from './features.ts';
import { UNSTATED_EXTRACTOR } from './model.ts';
import { readBytes, readJson } from './schema.ts';
import type { IdfTable } from './weighting.ts';

/** A generic page as hashes and counts; the text is not kept. */
export interface BackgroundPage {
  /** Of a page of a package: `corpus:` and the package's name. */
  readonly host: string;
  /** ISO 639-1; null when not known. */
  readonly language: string | null;
  readonly counts: FeatureCounts;
}

/** What the web outside the topic looks like: how many pages hold each feature, and a sample of pages to tell examples from. */
export interface Background {
  /** Pages the document frequencies were counted on. */
  readonly documents: number;
  readonly idf: IdfTable;
  readonly sample: readonly BackgroundPage[];
}

const VERSION = 1;
const INFO_FILE = 'background.json';
const TABLE_FILE = 'background.bin.gz';
const REMEDY = 'install the program again, or build the background again with datasets/background/build.ts';
/** Far above the bundled background (2 MB unpacked), far below what would hurt. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

const infoSchema = z.strictObject({
  format: z.literal('forager-background'),
  version: z.number(),
  description: z.string(),
  documents: z.number().int().positive(),
  sample: z.number().int().nonnegative(),
  idfStep: z.number().positive(),
  buckets: z.number(),
  tokenizer: z.number(),
  /** How main text was found in its pages. To be known, not to be matched: see datasets/background/README.md. */
  extractor: z.string().default(UNSTATED_EXTRACTOR),
  /** One entry for the pages of a host in a language. `documents` are behind the document frequencies, `sampled` in the sample. */
  hosts: z.array(
    z.strictObject({
      host: z.string(),
      language: z.string().nullable().default(null),
      documents: z.number(),
      sampled: z.number(),
    }),
  ),
  /** Packages the pages of `corpus:` hosts come from, with their versions. */
  packages: z.array(z.strictObject({ name: z.string(), version: z.string(), licence: z.string() })).default([]),
  /** Of the unpacked table. */
  sha256: z.string(),
});
type BackgroundInfo = z.infer<typeof infoSchema>;
/** What is said of a background besides what it holds. */
export type BackgroundOrigin = Pick<BackgroundInfo, 'description' | 'extractor' | 'hosts' | 'packages'>;

/** The background that comes with the program. The path holds for src/topic and for dist/topic alike. */
export const BUNDLED_BACKGROUND = fileURLToPath(new URL('../../models/background/', import.meta.url));

/** @throws ModelError naming the file at fault: missing, damaged, or made with another tokeniser. */
export async function loadBackground(dir: string = BUNDLED_BACKGROUND): Promise<Background> {
  const path = join(dir, INFO_FILE);
  const info = await readJson(path, infoSchema, REMEDY);
  if (info.version !== VERSION || info.buckets !== BUCKETS || info.tokenizer !== tokenizerFingerprint())
    throw new ModelError(`${path}: was made for another version of this program; ${REMEDY}`);
  const tablePath = join(dir, TABLE_FILE);
  const table = await unpack(tablePath);
  if (sha256(table) !== info.sha256) throw new ModelError(`${tablePath}: does not match the checksum in ${INFO_FILE}; ${REMEDY}`);
  const codes = Uint8Array.from(table.subarray(0, BUCKETS));
  return { documents: info.documents, idf: { codes, step: info.idfStep }, sample: decodeSample(table.subarray(BUCKETS), info) };
}

async function unpack(path: string): Promise<Buffer> {
  const packed = await readBytes(path, REMEDY);
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw new ModelError(`${path}: is damaged (${messageOf(error)}); ${REMEDY}`, { cause: error });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The two files of a background, ready to be written: the table still unpacked. */
export function encodeBackground(
  background: Background,
  { description, extractor, hosts, packages }: BackgroundOrigin,
): { readonly info: string; readonly table: Uint8Array } {
  const table = Buffer.concat([background.idf.codes, encodeSample(background.sample, hosts)]);
  const info: BackgroundInfo = {
    format: 'forager-background',
    version: VERSION,
    description,
    documents: background.documents,
    sample: background.sample.length,
    idfStep: background.idf.step,
    buckets: BUCKETS,
    tokenizer: tokenizerFingerprint(),
    extractor,
    hosts,
    packages,
    sha256: sha256(table),
  };
  return { info: `${JSON.stringify(info, null, 2)}\n`, table };
}

/** Each page: number of its entry in `hosts`, number of features, then for each feature in order of bucket the distance to the one before and its count, all as varints (LEB128). */
function encodeSample(sample: readonly BackgroundPage[], hosts: BackgroundInfo['hosts']): Uint8Array {
  const numberOf = new Map(hosts.map((entry, i) => [entryKey(entry), i]));
  const out: number[] = [];
  for (const { counts, ...page } of sample) {
    const order = [...counts.buckets.keys()].sort((a, b) => (counts.buckets[a] ?? 0) - (counts.buckets[b] ?? 0));
    const number = numberOf.get(entryKey(page));
    if (number === undefined) throw new Error(`a page of ${page.host} in ${page.language} has no entry in hosts`);
    pushVarint(out, number);
    pushVarint(out, order.length);
    let previous = 0;
    for (const i of order) {
      const bucket = counts.buckets[i] ?? 0;
      pushVarint(out, bucket - previous);
      pushVarint(out, counts.counts[i] ?? 0);
      previous = bucket;
    }
  }
  return Uint8Array.from(out);
}

function entryKey({ host, language }: Pick<BackgroundPage, 'host' | 'language'>): string {
  return JSON.stringify([host, language]);
}

function decodeSample(bytes: Uint8Array, info: BackgroundInfo): BackgroundPage[] {
  const read = varintReader(bytes);
  return Array.from({ length: info.sample }, () => {
    const { host = '', language = null } = info.hosts[read()] ?? {};
    const size = read();
    const counts = { buckets: new Int32Array(size), counts: new Uint16Array(size) };
    let bucket = 0;
    for (let i = 0; i < size; i++) {
      bucket += read();
      counts.buckets[i] = bucket;
      counts.counts[i] = read();
    }
    return { host, language, counts };
  });
}

function pushVarint(out: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    out.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  out.push(rest);
}

function varintReader(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
}
