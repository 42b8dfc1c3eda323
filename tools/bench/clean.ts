/**
 * Clean corpora: near-duplicates against all pairs, speed, memory, and what the quality rules say of real pages. The oracle of pairs has no code of ours
 * (test/corpus/harvest/all-pairs.ts).
 *
 *   npm run bench -- clean                        # templated pages, speed, memory of harvests of 20,000 and 100,000 pages, a million pages
 *   npm run bench -- clean memory --sizes 100000 --only everything   # one harvest: its name in HARVESTS
 *   npm run bench -- clean pairs rules --pages .cache/debian-web     # real pages: a folder, file or WARC that forager extract reads
 *
 * Ten minutes for all; harvests and the million write up to 3 GB to the system's temporary folder, and remove them.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { extractPages } from 'forager';
import { NO_METADATA } from '../../src/base/core/no-metadata.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import type { CanonicalUrl, CorpusRecord, RecordId } from '../../src/base/core/types.ts';
import { shinglesOf } from '../../src/base/text/shingles.ts';
import { type CrawlHarvestOptions, harvestCorpus } from '../../src/corpus/harvest/harvest-writer.ts';
import { KeptRecords } from '../../src/corpus/records/kept-records.ts';
import { storedRecordLine } from '../../src/corpus/records/records.ts';
import { estimatedJaccard, minHash, PERMUTATIONS } from '../../src/corpus/select/min-hash.ts';
import { NearIndex } from '../../src/corpus/select/near-index.ts';
import { QUALITY_RULE_SETS, qualityOf } from '../../src/corpus/select/quality-rules.ts';
import { clustersOf, jaccardOf, shingleStrings, similarPairs } from '../../test/corpus/harvest/all-pairs.ts';
import { templatedPages } from '../../test/corpus/harvest/templated-pages.ts';

const PARTS = ['pairs', 'rules', 'speed', 'memory', 'million'] as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string' },
    count: { type: 'string', default: '6000' },
    sizes: { type: 'string', default: '20000,100000' },
    only: { type: 'string' },
    child: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'bench-clean-'));

interface Page {
  readonly text: string;
  readonly lang: string;
}

function recordOf(text: string, place: number): CorpusRecord {
  return {
    id: `urn:uuid:00000000-0000-4000-8000-${String(place).padStart(12, '0')}` as RecordId,
    url: `http://h${place % 500}.example/${place}` as CanonicalUrl,
    fetchedAt: '2026-01-01T00:00:00.000Z' as CorpusRecord['fetchedAt'],
    title: `Page ${place}`,
    text,
    lang: 'en',
    relevance: 0.9,
    threshold: 0.5,
    modelId: '0123456789abcdef',
    depth: 1,
    referrer: null,
    anchorText: '',
    payloadSha256: String(place).padStart(64, '0'),
    metadata: NO_METADATA,
    fields: {},
  };
}

async function realPages(from: string): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const { extraction: page } of extractPages(from)) {
    if (page.text !== '') pages.push({ text: page.text, lang: page.lang?.split('-', 1)[0] ?? 'en' });
  }
  return pages;
}

const cpu = (work: () => void) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};
const thousands = (count: number) => count.toLocaleString('en');

/** Recall and precision of pairs and clusters, and the error of estimates. */
async function pairs(name: string, texts: readonly string[]): Promise<void> {
  const strings = texts.map(shingleStrings);
  const all = similarPairs(strings, 0.5);
  const signatures = texts.map((text) => minHash(shinglesOf(text), new Int32Array(PERMUTATIONS)));
  const square = ({ a, b, similarity }: (typeof all)[number]) =>
    (estimatedJaccard(signatures[a] as Int32Array, signatures[b] as Int32Array) - similarity) ** 2;
  const rmse = Math.sqrt(all.reduce((sum, pair) => sum + square(pair), 0) / all.length);
  console.log(
    `${name}: ${thousands(texts.length)} pages, ${thousands(all.length)} pairs of .5 or more, RMSE of estimates ${rmse.toFixed(4)}`,
  );
  for (const threshold of [0.8, 0.9]) {
    const index = new NearIndex(join(folder, `pairs-${threshold}`));
    for (const [place, text] of texts.entries()) index.add(place, recordOf(text, place));
    await index.cluster(threshold, () => undefined);
    const alike = all.filter(({ similarity }) => similarity >= threshold);
    const found = alike.filter(({ a, b }) => index.clusters.find(a) === index.clusters.find(b)).length;

    const copied = texts.flatMap((_, page) => (index.copyOf(page) === null ? [] : [[page, index.copyOf(page) as number] as const]));
    const right = copied.filter(([a, b]) => jaccardOf(strings[a] ?? new Set(), strings[b] ?? new Set()) >= threshold).length;
    const same = clustersOf(texts.length, alike).filter((cluster, page) => cluster === index.clusters.find(page)).length;
    index.close();
    console.log(
      `  at ${threshold}: ${thousands(alike.length)} pairs, recall ${(found / alike.length).toFixed(4)}; ${thousands(copied.length)} pages joined, precision ${(right / copied.length).toFixed(4)}; cluster as by all pairs: ${thousands(same)} of ${thousands(texts.length)} pages`,
    );
  }
}

/** How many pages each rule would omit. */
function rules(pages: readonly Page[]): void {
  const failed = new Map<string, number>();
  const failing = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  let judged = 0;
  for (const { text, lang } of pages) {
    const outcomes = Object.entries(qualityOf(text, lang));
    if (outcomes.every(([, outcome]) => outcome === null)) continue;
    judged++;
    for (const [name, outcome] of outcomes) {
      if (outcome && outcome.failed.length > 0) add(failing, name);
      for (const measure of outcome?.failed ?? []) add(failed, `${name} ${measure}`);
    }
  }
  const share = (count: number) => `${((100 * count) / judged).toFixed(1)} %`;
  console.log(`rules: ${thousands(judged)} of ${thousands(pages.length)} pages in a language with rules`);
  for (const { name, bounds } of QUALITY_RULE_SETS) {
    console.log(`  ${name}: ${share(failing.get(name) ?? 0)} of the pages fail`);
    for (const measure of Object.keys(bounds)) console.log(`    ${measure.padEnd(24)} ${share(failed.get(`${name} ${measure}`) ?? 0)}`);
  }
}

/** Pages of 1,000 words, a CPU-second. */
async function speed(): Promise<void> {
  const rng = seededRng(4);
  const vocabulary = Array.from({ length: 20_000 }, (_, i) => `w${((i * 7919) % 1e6).toString(36)}`);
  const text = () =>
    Array.from({ length: 20 }, () => `${Array.from({ length: 50 }, () => vocabulary[Math.floor(rng() ** 3 * 20_000)]).join(' ')}.`).join(
      '\n',
    );
  const texts = Array.from({ length: 3000 }, text);
  for (const _ of [1, 2, 3]) {
    const index = new NearIndex(join(folder, 'speed'));
    const added = cpu(() => {
      for (const [place, one] of texts.entries()) index.add(place, recordOf(one, place));
    });
    const before = process.cpuUsage();
    await index.cluster(0.8, () => undefined);
    const { user, system } = process.cpuUsage(before);
    index.close();
    const measured = cpu(() => {
      for (const one of texts) qualityOf(one, 'en');
    });
    const rate = texts.length / (added + (user + system) / 1e6);
    console.log(
      `speed: near-duplicates ${thousands(Math.round(rate))} pages of 1,000 words a CPU-second; quality rules ${((1e6 * measured) / texts.length).toFixed(0)} µs a page`,
    );
  }
}

/** A corpus of pages of 400 words, one in four of them a copy with some words changed, on 500 hosts with a notice each. */
async function corpusOf(pages: number): Promise<string> {
  const dir = join(folder, `corpus-${pages}`);
  mkdirSync(dir, { recursive: true });
  const file = createWriteStream(join(dir, 'records.jsonl'));
  for (let from = 0; from < pages; from += 400) {
    const texts = templatedPages(400, seededRng(from + 1), 300);
    const lines = texts.map((text, i) =>
      storedRecordLine(recordOf(`Of the ${text.replaceAll(/((?:\S+ ){19}\S+) /g, '$1.\n')}.\nNotice of h${(from + i) % 500}.`, from + i)),
    );
    if (!file.write(Buffer.concat(lines))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return dir;
}

const HARVESTS: Readonly<Record<string, Partial<CrawlHarvestOptions>>> = {
  'jsonl alone': {},
  'near-duplicates': { dedupe: 'near' },
  'shortened copies': { dedupe: 'contained' },
  'repeated paragraphs': { repeated: 'drop' },
  'quality columns': { qualityColumns: true },
  'sample and split': { dedupe: 'near', perHost: 100, sample: 15_000, sampleBy: 'host', split: [90, 5, 5], splitBy: 'host' },
  everything: {
    dedupe: 'contained',
    repeated: 'mark',
    langParagraphs: 'mark',
    quality: ['gopher'],
    qualityColumns: true,
    perHost: 100,
    split: [90, 5, 5],
    formats: ['jsonl', 'chunks'],
  },
};

function* versionsOf(pages: number): Generator<readonly [CanonicalUrl, RecordId]> {
  for (let place = 0; place < pages; place++) {
    const { url, id } = recordOf('', place);
    yield [url, id];
  }
}

/** One harvest, in a process of its own. */
async function harvested(corpusDir: string, name: string): Promise<void> {
  const before = process.cpuUsage();
  const expected = new KeptRecords(() => versionsOf(Number(/\d+$/.exec(corpusDir)?.[0])));
  const { card } = await harvestCorpus({
    ...({
      corpusDir,
      to: { out: join(folder, 'out'), force: true },
      formats: ['jsonl'],
      minRelevance: null,
      languages: [],
      reserved: 'omit',
    } as const),
    ...({ dedupe: 'exact', committed: null, detectLanguage: null, now: 0 } as const),
    crawl: { ...CRAWL },
    expected,
    ...HARVESTS[name],
  });
  const { user, system } = process.cpuUsage(before);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(
    `  ${name.padEnd(20)} ${card.records.kept} pages, ${((user + system) / 1e6).toFixed(1)} CPU-s, peak ${megabytes.toFixed(0)} MB`,
  );
}

const CRAWL: CrawlHarvestOptions['crawl'] = {
  ...{ topicName: 'bench', modelId: '0123456789abcdef', threshold: 0.5, query: null, labels: null, seeds: [], strategy: 'apprentice' },
  ...{ seedsWithoutPage: [], runs: [], visited: 0, reopened: 0, reservationFiles: 0, stopReason: 'none', ledger: {}, robots: 'obey' },
  ...{ budget: { pages: null, ms: null, bytes: null }, robotsRefusals: 0, software: 'forager', userAgent: 'forager' },
};

async function memory(): Promise<void> {
  for (const pages of values.sizes.split(',').map(Number)) {
    const dir = await corpusOf(pages);
    console.log(`memory: a harvest of ${thousands(pages)} pages of 400 words`);
    for (const name of values.only?.split(',') ?? Object.keys(HARVESTS))
      spawnSync(process.execPath, [...process.execArgv, process.argv[1] ?? '', name, '--child', dir], { stdio: 'inherit' });
    rmSync(dir, { recursive: true });
  }
}

/** 10^6 short pages, one in ten a copy of the one before. */
async function million(): Promise<void> {
  const index = new NearIndex(join(folder, 'million'));
  const rng = seededRng(8);
  let text = '';
  const before = process.cpuUsage();
  for (let place = 0; place < 1e6; place++) {
    if (place % 10 > 0) text = Array.from({ length: 60 }, () => Math.floor(rng() * 1e5).toString(36)).join(' ');
    index.add(place, recordOf(`${text} ${place % 10 === 0 ? 'once more' : ''}`, place));
  }
  await index.cluster(0.8, () => undefined);
  let copies = 0;
  for (let place = 0; place < 1e6; place++) if (index.copyOf(place) !== null) copies++;
  index.close();
  const { user, system } = process.cpuUsage(before);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(
    `million: ${thousands(copies)} pages of 1,000,000 in clusters, ${((user + system) / 1e6).toFixed(0)} CPU-s, peak ${megabytes.toFixed(0)} MB`,
  );
}

async function run(part: string): Promise<void> {
  const pages = values.pages === undefined ? null : await realPages(values.pages);
  if (part === 'pairs') {
    await pairs('templated pages', templatedPages(Number(values.count), seededRng(1), Math.ceil(Number(values.count) / 40)));
    if (pages)
      await pairs(
        'real pages',
        pages.map(({ text }) => text),
      );
  } else if (part === 'rules') {
    if (pages) rules(pages);
    else console.log('rules: left out; give --pages');
  } else if (part === 'speed') await speed();
  else if (part === 'memory') await memory();
  else if (part === 'million') await million();
  else throw new Error(`${part}: not one of ${PARTS.join(', ')}`);
}

try {
  if (values.child !== undefined) await harvested(values.child, positionals[0] ?? '');
  else for (const part of positionals.length > 0 ? positionals : PARTS) await run(part);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
