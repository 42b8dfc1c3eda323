/**
 * Builds models/background from a folder of pages laid out as <web>/<host>/…: hashed document frequencies over all pages taken and a
 * sample of hashed pages. No text is kept.
 *
 *   npx tsx datasets/background/build.ts <web> [<out>] [--extractor <method>]
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exit } from 'node:process';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { seededRng, shuffled } from '../../src/core/rng.ts';
import { DEFAULT_MAIN_TEXT_METHOD, MAIN_TEXT_METHODS } from '../../src/extract/extractor.ts';
import { detectLanguage } from '../../src/text/language.ts';
import { type BackgroundPage, BUNDLED_BACKGROUND, encodeBackground } from '../../src/topic/background.ts';
import { BUCKETS, FeatureCounter, type FeatureCounts, sublinear } from '../../src/topic/features.ts';
import { type IdfTable, idfTable, KIND_FACTORS, scaleTable } from '../../src/topic/weighting.ts';
import { htmlFiles, PageFiles } from './pages.ts';

/** Hosts the benches crawl or train on: a background that had seen their pages would know the answers. */
const BENCH_HOSTS = ['en.cppreference.com', 'doc.sagemath.org', 'docs.kernel.org', 'macaulay2.com'];
/** Hosts about databases, the topic of the demonstration. */
const DATABASE_HOSTS = [
  'www.postgresql.org',
  'www.sqlite.org',
  'docs.oracle.com',
  'docs.sqlalchemy.org',
  'db.apache.org',
  'groonga.org',
  'postgis.net',
];
const EXCLUDED = new Set([...BENCH_HOSTS, ...DATABASE_HOSTS]);

/** Pages of one host and language that count for document frequencies, so that no host's vocabulary passes for common words. */
const COUNTED = { english: 60, other: 30 };
/**
 * Pages of one host and language in the sample: training compares every pair, so the sample is what training time hangs on. The
 * translations are in it lest every Chinese or German page look unlike the background and so like a Chinese or German topic.
 */
const SAMPLED = { english: 16, other: 8 };
/** Files read of one host in search of translations. */
const READ_PER_HOST = 600;
/** The heaviest features of a sampled page that are kept: they hold nearly all of its length, and the file stays small. */
const FEATURES_PER_PAGE = 800;
/** Shorter pages are redirects, frames and empty indexes. */
const MIN_FEATURES = 60;
const SEED = 20_240_607;

const counter = new FeatureCounter();

interface HostPages {
  readonly host: string;
  /** By language; the pages of no certain language are with the English ones. */
  readonly byLanguage: ReadonlyMap<string, readonly FeatureCounts[]>;
}

const limitOf = (limits: typeof COUNTED, language: string) => (language === 'en' ? limits.english : limits.other);

async function readHost(files: PageFiles, host: string): Promise<HostPages> {
  const seen = new Set<string>();
  const byLanguage = new Map<string, FeatureCounts[]>();
  const paths = shuffled(htmlFiles(join(files.root, host)), seededRng(SEED)).slice(0, READ_PER_HOST);
  for (const path of paths) {
    const { title, text } = files.read(host, path);
    const digest = createHash('sha256').update(text).digest('base64');
    const counts = counter.snapshot({ title, text });
    if (counts.buckets.length < MIN_FEATURES || seen.has(digest)) continue;
    seen.add(digest);
    const language = (await detectLanguage(text)) ?? 'en';
    const pages = byLanguage.get(language) ?? [];
    if (pages.length < limitOf(COUNTED, language)) pages.push(counts);
    byLanguage.set(language, pages);
  }
  return { host, byLanguage };
}

/** All pages of a host that count, whatever their language. */
function countedOf({ byLanguage }: HostPages): FeatureCounts[] {
  return [...byLanguage.values()].flat();
}

function documentFrequencies(hosts: readonly HostPages[]): Int32Array {
  const frequencies = new Int32Array(BUCKETS);
  for (const { buckets } of hosts.flatMap(countedOf)) for (const bucket of buckets) frequencies[bucket] = (frequencies[bucket] ?? 0) + 1;
  return frequencies;
}

/** The features with the largest tf-idf. */
function heaviest(counted: FeatureCounts, scale: Float32Array): FeatureCounts {
  const weightOf = (i: number) => sublinear(counted.counts[i] ?? 0) * (scale[counted.buckets[i] ?? 0] ?? 0);
  const order = [...counted.buckets.keys()].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, FEATURES_PER_PAGE);
  return {
    buckets: Int32Array.from(order, (i) => counted.buckets[i] ?? 0),
    counts: Uint16Array.from(order, (i) => counted.counts[i] ?? 0),
  };
}

function sampleOf(hosts: readonly HostPages[], idf: IdfTable): BackgroundPage[] {
  const scale = scaleTable(idf, KIND_FACTORS);
  return hosts.flatMap(({ host, byLanguage }) =>
    [...byLanguage].flatMap(([language, pages]) =>
      pages.slice(0, limitOf(SAMPLED, language)).map((counts) => ({ host, counts: heaviest(counts, scale) })),
    ),
  );
}

const {
  positionals: [web, out = BUNDLED_BACKGROUND],
  values,
} = parseArgs({ allowPositionals: true, options: { extractor: { type: 'string', default: DEFAULT_MAIN_TEXT_METHOD } } });
const method = MAIN_TEXT_METHODS.find((name) => name === values.extractor);
if (web === undefined || method === undefined) {
  console.error(
    'usage: npx tsx datasets/background/build.ts <web> [<out>] [--extractor <method>]   (<web>/<host>/…html; see README.md beside this file)',
  );
  exit(2);
}
const files = new PageFiles(web, method);
const names = readdirSync(web, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !EXCLUDED.has(entry.name))
  .map((entry) => entry.name)
  .sort();
const hosts: HostPages[] = [];
for (const name of names) hosts.push(await readHost(files, name));
const documents = hosts.flatMap(countedOf).length;
const idf = idfTable(documentFrequencies(hosts), documents);
const sample = sampleOf(hosts, idf);
const { info, table } = encodeBackground(
  { documents, idf, sample },
  'Generic pages as hashed features: one idf byte a bucket, then a sample of pages. Made by datasets/background/build.ts; no text.',
  method,
  hosts.map((pages) => ({
    host: pages.host,
    documents: countedOf(pages).length,
    sampled: sample.filter(({ host }) => host === pages.host).length,
  })),
);
mkdirSync(out, { recursive: true });
const packed = gzipSync(table, { level: 9 });
writeFileSync(join(out, 'background.bin.gz'), packed);
writeFileSync(join(out, 'background.json'), info);
console.log(`${hosts.length} hosts, ${documents} pages, ${sample.length} sampled; ${table.length} bytes, packed ${packed.length}`);
for (const { host, byLanguage } of hosts)
  console.log(host, [...byLanguage].map(([language, pages]) => `${language} ${pages.length}`).join(', '));
