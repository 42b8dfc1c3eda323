import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as z from 'zod';
import { InvariantError, ModelError, messageOf } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';
import { VarintReader, VarintWriter } from './feature-coding.ts';
import { tokenizerFingerprint } from './feature-names.ts';
import { BUCKETS, type FeatureCounts } from './features.ts';
import { readBytes, readJson } from './schema.ts';
import type { IdfTable } from './weighting.ts';

/** A generic page as hashes and counts; the text is not kept. */
export interface BackgroundPage {
  /** Host of the page; for a page of a package, `corpus:` and the package's name. */
  readonly host: string;
  /** ISO 639-1; null if unknown. */
  readonly language: string | null;
  readonly counts: FeatureCounts;
}

/** The web outside the topic: the number of pages that contain each feature, and a sample of pages to distinguish examples from. */
export interface Background {
  /** Number of pages behind the document frequencies. */
  readonly documents: number;
  readonly idf: IdfTable;
  /** Number of them by language (ISO 639-1; null: unknown). */
  readonly languages: ReadonlyMap<string | null, number>;
  readonly sample: readonly BackgroundPage[];
}

const VERSION = 2;
const INFO_FILE = 'background.json';
const TABLE_FILE = 'background.bin.gz';
const REMEDY = 'install the program again, or build the background again with datasets/background/build.ts';
/** Far above the bundled background (2 MB unpacked), far below a harmful size. */
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
  /** Method that found the main text of its pages. Informative only, it need not match: see datasets/background/README.md. */
  extractor: z.string(),
  /** One entry for the pages of a host in a language. `documents` are counted in the document frequencies, `sampled` in the sample. */
  hosts: z.array(
    z.strictObject({
      host: z.string(),
      language: z.string().nullable().default(null),
      documents: z.number(),
      sampled: z.number(),
    }),
  ),
  /** Packages that the pages of `corpus:` hosts come from, with their versions. */
  packages: z.array(z.strictObject({ name: z.string(), version: z.string(), licence: z.string() })).default([]),
  /** SHA-256 of the unpacked table. */
  sha256: z.string(),
});
type BackgroundInfo = z.infer<typeof infoSchema>;
/** The description of a background, without its contents. */
export type BackgroundOrigin = Pick<BackgroundInfo, 'description' | 'extractor' | 'hosts' | 'packages'>;

/** The background in the package. */
export const BUNDLED_BACKGROUND = fileURLToPath(packageFile('models/background/'));

/** @throws ModelError naming the file: missing, damaged, or made with another tokeniser. */
export async function loadBackground(dir: string = BUNDLED_BACKGROUND): Promise<Background> {
  const path = join(dir, INFO_FILE);
  const info = await readJson(path, infoSchema, REMEDY);
  if (info.version !== VERSION || info.buckets !== BUCKETS || info.tokenizer !== tokenizerFingerprint())
    throw new ModelError(`${path}: was made for another version of this program; ${REMEDY}`);
  const tablePath = join(dir, TABLE_FILE);
  const table = await unpack(tablePath);
  if (sha256(table) !== info.sha256) throw new ModelError(`${tablePath}: does not match the checksum in ${INFO_FILE}; ${REMEDY}`);
  const codes = Uint8Array.from(table.subarray(0, BUCKETS));
  const sample = decodeSample(table.subarray(BUCKETS), info, tablePath);
  return { documents: info.documents, idf: { codes, step: info.idfStep }, languages: pagesByLanguage(info.hosts), sample };
}

/** Number of the documents by language. */
export function pagesByLanguage(hosts: BackgroundInfo['hosts']): ReadonlyMap<string | null, number> {
  const pages = new Map<string | null, number>();
  for (const { language, documents } of hosts) pages.set(language, (pages.get(language) ?? 0) + documents);
  return pages;
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

/** The two files of a background, ready to be written; the table is still unpacked. */
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

/** Encodes each page as the number of its entry in `hosts`, then its features, see `VarintWriter`. */
function encodeSample(sample: readonly BackgroundPage[], hosts: BackgroundInfo['hosts']): Uint8Array {
  const numberOf = new Map(hosts.map((entry, i) => [entryKey(entry), i]));
  const writer = new VarintWriter();
  for (const { counts, ...page } of sample) {
    const number = numberOf.get(entryKey(page));
    if (number === undefined) throw new InvariantError(`a page of ${page.host} in ${page.language} has no entry in hosts`);
    writer.push(number);
    writer.pushCounts(counts);
  }
  return writer.bytes;
}

function entryKey({ host, language }: Pick<BackgroundPage, 'host' | 'language'>): string {
  return JSON.stringify([host, language]);
}

/** @throws ModelError if there are fewer pages than `info` says. */
function decodeSample(bytes: Uint8Array, info: BackgroundInfo, path: string): BackgroundPage[] {
  const reader = new VarintReader(bytes);
  return Array.from({ length: info.sample }, () => {
    const { host = '', language = null } = info.hosts[reader.next() ?? -1] ?? {};
    const counts = reader.nextCounts();
    if (counts === null) throw new ModelError(`${path}: ends before its ${info.sample} pages do; ${REMEDY}`);
    return { host, language, counts };
  });
}
