import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { CorpusRecord, LedgerLine } from 'forager';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../../dist/base/core/version.js';
import type { CorpusCard } from '../../../src/corpus/describe/corpus-card.ts';
import { readWarcResponses } from '../../../src/corpus/records/warc-reader.ts';
import { noOmissions } from '../../../src/corpus/select/harvest-selection.ts';
import type { ModelCard } from '../../../src/reading/topic/card.ts';
import { withDuckDb } from '../../corpus/harvest/duckdb.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines, refused, start } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
const dir = path('crawl');
const german = 'http://mirror.example/german.html';
const copy = 'http://mirror.example/copy.html';
const gone = 'http://site-1.example/a/999999.html';
const seeds = [...small.seeds, german, copy, gone];
let topic: string;
let proxy: string;
let kept: LedgerLine[];

beforeAll(async () => {
  const [page = ''] = small.web.examples(small.topic, 1);
  const html = page.replace(/<html lang="en">/, '<html lang="de">');
  expect(html).not.toBe(page);
  // The copy has the same words in other bytes, so that only its main text tells.
  const extra = new Map([
    [german, html],
    [copy, html.replace('<body', '<body class="copy"')],
  ]);
  const robots = new Map([['site-7.example', 'User-agent: *\nDisallow: /a/\n']]);
  ({ proxy } = await small.serve({ robots, extra }));
  topic = await trainedOn(small);
  await crawl({ dir, topic, seeds, proxy, delay: 0, maxPages: 60 });
  kept = jsonLines<LedgerLine>(await done('ledger', dir, '--state', 'kept'));
  expect(kept.map(({ url }) => url)).toEqual(expect.arrayContaining([german, copy]));
});
afterAll(() => small.close());

async function harvested(name: string, ...args: string[]): Promise<CorpusCard> {
  return JSON.parse(await done('harvest', dir, '--out', path(name), '--json', ...args)) as CorpusCard;
}

function recordsOf(name: string): CorpusRecord[] {
  return jsonLines<CorpusRecord>(readFileSync(path(name, 'corpus.jsonl'), 'utf8'));
}

/** Every file below a folder with the hash of its content; LMDB's table of readers changes with every look. */
function contents(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'lock.mdb',
  );
  return new Map(names.map(({ parentPath, name }) => [`${parentPath}/${name}`, sha256(readFileSync(`${parentPath}/${name}`))]));
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

test('the card shows the training of the topic, politeness and the size of texts; creators and address are in the descriptions', async () => {
  const args = ['--creator', 'Jane Doe', '--creator', 'Team, Inc.', '--corpus-url', 'https://corpus.example/small'];
  const { crawl: facts, topic: of, texts, hosts, languages } = await harvested('described', ...args);
  const model = JSON.parse(readFileSync(`${topic}/card.json`, 'utf8')) as ModelCard;
  expect(facts.training).toHaveLength(1);
  expect(facts.training?.[0]).toMatchObject({
    modelId: of.modelId,
    examples: model.counts.examples,
    dataSha256: model.dataSha256,
    // Against the bundled background alone, which any model passes, there is no figure.
    validation: { pages: model.validation.count, averagePrecision: null },
  });
  expect(facts.politeness).toEqual({ contact: null, delay: 0, delayFactor: 0 });
  const records = recordsOf('described');
  expect(texts.characters).toBe(records.reduce((sum, record) => sum + record.text.length, 0));
  expect(Object.keys(texts.languages)).toEqual(Object.keys(languages));
  expect(hosts.top.reduce((sum, { words }) => sum + words, 0)).toBe(texts.words);
  expect(readFileSync(path('described', 'CITATION.cff'), 'utf8')).toMatch(
    /name: Jane Doe\n[\s\S]*name: Team, Inc\.\n[\s\S]*url: https:\/\/corpus\.example\/small\n/,
  );
  await refused(2, ['--corpus-url nowhere: is not an http(s) URL'], 'harvest', dir, '--out', path('no'), '--corpus-url', 'nowhere');
});

test('as Parquet and CSV: the pages of corpus.jsonl; a codec that this Node lacks, and an unknown one, are refused', async () => {
  const args = ['--format', 'jsonl,parquet,csv', '--compression', 'gzip', '--csv-text', '--csv-bom'];
  const { files } = await harvested('tables', ...args);
  expect(files.map(({ name }) => name)).toEqual(['corpus.jsonl', 'data/train-00000-of-00001.parquet', 'corpus.csv', 'left-out.jsonl']);
  const urls = recordsOf('tables').map(({ url }) => url);
  await withDuckDb(async (ask) => {
    const rows = await ask(`SELECT url, text FROM read_parquet('${path('tables', 'data/*.parquet')}')`);
    expect(rows.map(({ url }) => url)).toEqual(urls);
    expect(await ask(`SELECT url, text FROM read_csv('${path('tables', 'corpus.csv')}', all_varchar = true)`)).toEqual(rows);
    expect(await ask(`SELECT DISTINCT compression FROM parquet_metadata('${path('tables', 'data/*.parquet')}')`)).toEqual([
      { compression: 'GZIP' },
    ]);
  });
  expect(readFileSync(path('tables', 'corpus.csv')).subarray(0, 3).toString('hex')).toBe('efbbbf');
  await refused(2, ['--compression lz4: not one of snappy, gzip'], 'harvest', dir, '--out', path('no'), '--compression', 'lz4');
});

test('as JSONL, WARC and text: the same pages in each', async () => {
  const { records, files, textFiles } = await harvested('all', '--format', 'jsonl,warc,text', '--dedupe', 'none');
  expect(records).toEqual({ read: kept.length, leftOut: noOmissions(), kept: kept.length });
  const jsonl = recordsOf('all');
  expect(jsonl.map(({ url }) => url).sort()).toEqual(kept.map(({ url }) => url).sort());
  const inWarc = new Map<string, string>();
  for await (const { url, body } of readWarcResponses(path('all', 'corpus-00000.warc.gz'))) inWarc.set(url, Buffer.from(body).toString());
  expect([...inWarc.keys()].sort()).toEqual(jsonl.map(({ url }) => url).sort());
  expect(inWarc.get(copy)).toContain('<body class="copy"');
  const warc = gunzipSync(readFileSync(path('all', 'corpus-00000.warc.gz'))).toString('latin1');
  const responses = warc.matchAll(/^WARC-Type: response\r\nWARC-Record-ID: <?([^>\r]+)>?\r$/gm);
  expect([...responses].map(([, id]) => id).sort()).toEqual(jsonl.map(({ id }) => id.replace(/[<>]/g, '')).sort());
  const [head, ...rows] = readFileSync(path('all', 'text', 'index.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(head?.split('\t').slice(0, 2)).toEqual(['file', 'url']);
  for (const row of rows) {
    const [file = '', url] = row.split('\t');
    expect(readFileSync(path('all', 'text', file), 'utf8').trimEnd()).toBe(jsonl.find((record) => record.url === url)?.text.trimEnd());
  }
  expect(rows.length).toBe(kept.length);
  expect(files.map(({ name }) => name).sort()).toEqual([
    'corpus-00000.warc.gz',
    'corpus.cdxj',
    'corpus.jsonl',
    'left-out.jsonl',
    'text/index.tsv',
  ]);
  expect(textFiles?.count).toBe(kept.length);
});

test('near-duplicates, quality, paragraphs, samples, splits and chunks by the command line', async () => {
  const args = ['--dedupe', 'near', '--near', '0.9', '--quality-columns', '--repeated', 'drop', '--lang-paragraphs', 'mark'];
  const shape = ['--sample', '20', '--sample-by', 'host', '--split', '80/20', '--split-by', 'host', '--seed-rng', '3'];
  const card = await harvested('clean', ...args, ...shape, '--format', 'jsonl,chunks', '--chunk', '50', '--chunk-by', 'sentence');
  expect(card.harvest.filters).toMatchObject({ dedupe: 'near', near: 0.9, sample: 20, split: [80, 20], splitBy: 'host', rngSeed: 3 });
  expect(card.records.kept).toBe(20);
  expect(card.records.leftOut.exact + card.records.leftOut.near).toBeGreaterThan(0);
  for (const record of recordsOf('clean'))
    expect(Object.keys(record)).toEqual(expect.arrayContaining(['copies', 'quality', 'foreign', 'weight', 'split']));
  const chunks = jsonLines<{ words: number }>(readFileSync(path('clean', 'chunks.jsonl'), 'utf8'));
  expect(chunks.length).toBeGreaterThan(20);
  expect(chunks.every(({ words }) => words <= 50)).toBe(true);
  const refusals = [
    [['--split', '90/5'], '--split 90/5: not two or three parts that add up to 100'],
    [['--dedupe', 'near', '--near', '0.3'], '--near 0.3: not a number from 0.5 to 1'],
    [['--chunk', '10'], '--chunk has no effect without --format chunks'],
  ] as const;
  for (const [wrong, message] of refusals) await refused(2, [message], 'harvest', dir, '--out', path('wrong'), ...wrong);
  expect(existsSync(path('wrong'))).toBe(false);
});

test('--min-relevance, --lang and --dedupe choose, and the card counts what they left out', async () => {
  const relevances = kept.map(({ relevance }) => relevance ?? 0).sort((a, b) => a - b);
  const least = relevances[Math.floor(relevances.length / 2)] ?? 1;
  const surest = await harvested('surest', '--min-relevance', String(least), '--dedupe', 'none');
  expect(surest.records.kept).toBe(relevances.filter((relevance) => relevance >= least).length);
  expect(surest.records.leftOut.relevance).toBe(relevances.filter((relevance) => relevance < least).length);
  for (const { relevance } of recordsOf('surest')) expect(relevance).toBeGreaterThanOrEqual(least);

  const unique = await harvested('unique');
  expect(unique.records).toMatchObject({ leftOut: { exact: 1 }, kept: kept.length - 1 });
  expect(recordsOf('unique').filter(({ url }) => url === german || url === copy).length).toBe(1);

  const deutsch = await harvested('deutsch', '--lang', 'de', '--dedupe', 'none');
  expect(
    recordsOf('deutsch')
      .map(({ url }) => url)
      .sort(),
  ).toEqual([copy, german]);
  expect(deutsch.languages).toEqual({ de: 2 });
  expect(deutsch.records.leftOut.language).toBe(kept.length - 2);
});

test.each([
  [['--lang', 'fi'], 'in other languages than --lang ('],
  [['--min-relevance', '1'], 'below --min-relevance (a smaller one takes more)'],
])('%j leaves nothing: exit code 1, and an empty corpus that says so, in place of no earlier one', async (args, why) => {
  const out = path('nothing');
  const ended = await forager('harvest', dir, '--out', out, ...args);
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.stderr).toContain('forager: the corpus has no page: ');
  expect(ended.stderr).toContain(why);
  expect(readFileSync(path('nothing', 'corpus.jsonl'), 'utf8')).toBe('');
  expect(JSON.parse(readFileSync(path('nothing', 'corpus-card.json'), 'utf8'))).toMatchObject({ records: { kept: 0, read: kept.length } });
  // An empty corpus may replace an empty one, and never one with pages.
  expect(await forager('harvest', dir, '--out', out, '--force', ...args)).toMatchObject({ code: 1 });
  await done('harvest', dir, '--out', out, '--force');
  const before = readFileSync(path('nothing', 'SHA256SUMS'), 'utf8');
  await refused(2, ['the new corpus has no page (of ', 'the earlier one stays'], 'harvest', dir, '--out', out, '--force', ...args);
  expect(readFileSync(path('nothing', 'SHA256SUMS'), 'utf8')).toBe(before);
  await done('verify', out);
  rmSync(out, { recursive: true });
});

test.each([
  ['english', 'did you mean en (English)?'],
  ['deutsch', 'did you mean de (German)?'],
  ['xx', 'give a code such as en or de'],
])('--lang %s: no code of a language, so no empty corpus', async (name, hint) => {
  await refused(2, [`--lang ${name}: is not a language code`, hint], 'harvest', dir, '--out', path('no-language'), '--lang', `en,${name}`);
  expect(existsSync(path('no-language'))).toBe(false);
});

test('codes of one language are the same: a harvest of ger is one of de', async () => {
  const card = await harvested('ger', '--lang', 'ger', '--dedupe', 'none');
  expect(card.languages).toEqual({ de: 2 });
  expect(card.harvest.filters.languages).toEqual(['de']);
});

test('the card says what the corpus is, for programs and for people', async () => {
  const card = await harvested('card');
  expect(JSON.parse(readFileSync(path('card', 'corpus-card.json'), 'utf8'))).toEqual(card);
  const model = JSON.parse(readFileSync(path('model', 'card.json'), 'utf8')) as { modelId: string; threshold: number };
  expect(card.topic).toEqual({ name: 'model', modelId: model.modelId, threshold: model.threshold });
  const states = (JSON.parse(await done('status', dir, '--json')) as { states: object; reasons: Record<string, number> }) ?? {};
  expect(card.crawl).toMatchObject({
    seeds,
    strategy: 'apprentice',
    seedsWithoutPage: [{ url: gone, state: 'failed', reason: 'http-4xx' }],
    runs: [{ maxPages: 60, maxTimeMs: null, stopReason: 'max-pages' }],
    visited: 60,
    reservationFiles: jsonLines<LedgerLine>(await done('ledger', dir, '--state', 'fetched')).filter(({ url }) =>
      url.endsWith('/tdmrep.json'),
    ).length,
    budget: { pages: 60 },
    stopReason: 'max-pages',
    robotsRefusals: states.reasons['refused:robots'],
    software: `forager/${VERSION}`,
    ledger: states.states,
  });
  expect(card.crawl.robotsRefusals).toBeGreaterThan(0);
  const records = recordsOf('card');
  expect(card.hosts.count).toBe(new Set(records.map(({ url }) => new URL(url).hostname)).size);
  expect(card.hosts.top.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  expect(card.hosts.top.reduce((sum, { pages }) => sum + pages, 0)).toBe(records.length);
  expect(card.languages).toEqual({ en: records.length - 1, de: 1 });
  const times = records.map(({ fetchedAt }) => fetchedAt).sort();
  expect(card.fetched).toEqual({ first: times[0], last: times.at(-1) });
  const text = readFileSync(path('card', 'corpus-card.md'), 'utf8');
  for (const part of [
    '# Corpus card: model',
    `topic model: ${model.modelId}, on topic from ${Number(model.threshold.toPrecision(3))}`,
    'budget 60 visits in all; ended: max-pages',
    'visits: 60 (pages, redirects and',
    `- ${gone}: failed (http-4xx)`,
    `robots.txt: obey, ${card.crawl.robotsRefusals} URLs refused`,
    `software: forager/${VERSION}`,
    ...seeds.map((seed) => `- ${seed}`),
    `| in this corpus | ${records.length} |`,
    `| en | ${records.length - 1} |`,
    card.fetched?.first ?? '',
    card.files[0]?.sha256 ?? '',
    ...card.hosts.top.map(({ host, pages, share }) => `| ${host} | ${pages} | ${(share * 100).toFixed(1)} % |`),
  ])
    expect(text).toContain(part);
});

test('--out that holds something else is left as it is; an earlier harvest needs --force', async () => {
  mkdirSync(path('thesis'));
  writeFileSync(path('thesis', 'chapter.txt'), 'years of work');
  await refused(2, [path('thesis'), 'other than a harvest'], 'harvest', dir, '--out', path('thesis'));
  await refused(2, [path('thesis'), 'other than a harvest'], 'harvest', dir, '--out', path('thesis'), '--force');
  expect(contents(path('thesis'))).toEqual(new Map([[path('thesis', 'chapter.txt'), sha256('years of work')]]));
  await harvested('twice', '--lang', 'de');
  const before = contents(path('twice'));
  await refused(2, [path('twice'), 'give another --out', '--force to replace it'], 'harvest', dir, '--out', path('twice'));
  expect(contents(path('twice'))).toEqual(before);
  const { records } = await harvested('twice', '--force');
  expect(records.kept).toBe(kept.length - 1);
  writeFileSync(path('plain'), 'x');
  await refused(2, [`${path('plain')} is a file`], 'harvest', dir, '--out', path('plain'), '--force');
});

test('--out that is the crawl, or in what is deleted with it, is refused; nothing of the crawl is touched', async () => {
  const before = contents(dir);
  for (const out of [dir, `${dir}/corpus`, `${dir}/corpus/mine`, `${dir}/model/mine`, `${dir}/frontier`, small.dir]) {
    for (const force of [[], ['--force']]) await refused(2, [out], 'harvest', dir, '--out', out, ...force);
  }
  expect(contents(dir)).toEqual(before);
});

wholeTest('a corpus beside them in the crawl directory does not stop the crawl from going on', async () => {
  const own = path('own');
  cpSync(dir, own, { recursive: true });
  await done('harvest', own, '--out', `${own}/harvest`);
  await done('crawl', own, '--max-pages', '62');
  expect(existsSync(`${own}/harvest/corpus-card.md`)).toBe(true);
});

wholeTest('while the crawl runs: a corpus of what is committed', async () => {
  const slow = await small.serve({ latency: 60 });
  const running = path('running');
  const run = start([
    'crawl',
    running,
    '--topic',
    topic,
    '--seeds',
    ...small.seeds,
    '--max-pages',
    '120',
    '--delay',
    '0ms',
    '--proxy',
    slow.proxy,
    '--concurrency',
    '2',
  ]);
  await slow.reached(40);
  const card = JSON.parse(await done('harvest', running, '--out', path('early'), '--format', 'jsonl,warc', '--json')) as CorpusCard;
  expect(run.child.exitCode).toBeNull();
  expect(card.crawl.stopReason).toBe('running');
  expect(card.records.kept).toBeGreaterThan(0);
  expect(recordsOf('early').length).toBe(card.records.kept);
  expect((await run.ended).code).toBe(0);
  const urls = new Set(jsonLines<LedgerLine>(await done('ledger', running, '--state', 'kept')).map(({ url }) => url));
  for (const { url } of recordsOf('early')) expect(urls).toContain(url);
});

test('a crawl of one topic, and one of a version that knew no others, is harvested by its name too', async () => {
  const older = path('older');
  cpSync(dir, older, { recursive: true });
  const {
    topics,
    id: _,
    crc32: __,
    ...manifest
  } = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8')) as Record<string, unknown> & {
    topic: { name: string };
  };
  expect(topics).toEqual([]);
  writeFileSync(`${older}/crawl.json`, JSON.stringify(manifest));
  const { name } = manifest.topic;
  const plain = await harvested('unnamed');
  const named = JSON.parse(await done('harvest', older, '--out', path('named'), '--json', '--topic-name', name)) as CorpusCard;
  expect(recordsOf('named')).toEqual(recordsOf('unnamed'));
  expect({ ...named, harvest: null, cite: null }).toEqual({ ...plain, harvest: null, cite: null });
  expect(named).not.toHaveProperty('topics');
  await refused(2, ['--topic-name moss', `it has ${name}`], 'harvest', dir, '--out', path('moss'), '--topic-name', 'moss');
});
