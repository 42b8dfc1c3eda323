/** Whole harvests with every filter and column at once: counts, files, repetition, interruption. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { CorpusRecord, RightsStatement } from '../../../src/base/core/types.ts';
import { type CrawlHarvestOptions, harvestCorpus } from '../../../src/corpus/harvest/harvest-writer.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { Withdrawals, withdrawalOf } from '../../../src/corpus/records/withdrawals.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { freshDir, INFO, pageOf, recordOf, T0 } from '../records/samples.ts';
import { templatedPages } from './templated-pages.ts';
import { CRAWL } from './written-crawl.ts';

const EVERYTHING: Partial<CrawlHarvestOptions> = {
  formats: ['jsonl', 'text', 'chunks'],
  minRelevance: 0.3,
  languages: ['en'],
  versions: 'all',
  published: { from: '1991', to: null },
  reserved: 'omit',
  withoutUse: ['train-ai'],
  dedupe: 'contained',
  near: 0.8,
  quality: ['gopher', 'c4', 'fineweb'],
  qualityColumns: true,
  langParagraphs: 'mark',
  repeated: 'mark',
  personal: 'omit',
  perHost: 16,
  sample: 90,
  sampleBy: 'host',
  split: [80, 10, 10],
  splitBy: 'host',
  chunk: 40,
  chunkBy: 'sentence',
  rngSeed: 7,
};

const NO_TRAINING: RightsStatement = {
  ...{ protocol: 'content-signal', from: 'robots', statement: 'ai-train=no', path: null, fetchedAt: isoTime(T0), understood: true },
  uses: { 'train-ai': 'disallow' },
};

interface Made {
  readonly dir: string;
  readonly records: readonly CorpusRecord[];
}

/** A crawl of templated pages on ten hosts, some in German, some of another time, some irrelevant, some reserved, some copied or cut short. */
async function crawl(): Promise<Made> {
  const dir = join(freshDir(), 'corpus');
  const rng = seededRng(9);
  const writer = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes: 1e9 });
  const sentences = (text: string) => `Of the ${text.replaceAll(/((?:\S+ ){14}\S+) /g, '$1.\n')}.\nAll rights are reserved by us.`;
  const texts = templatedPages(300, rng, 60).map(sentences);
  for (let i = 0; i < 40; i++) texts.push(texts[i] ?? '', (texts[i + 40] ?? '').slice(0, 1200 + 20 * i), `short page ${i}`);
  for (let i = 0; i < 6; i++) texts[i + 50] += `\nWrite to reader${i}@debian.org.`;
  const records = texts.map((text, i) => {
    const page = pageOf(`http://h${i % 10}.example/${i}`, text, { startedAt: T0 + i });
    const record = recordOf(page, {
      id: `urn:uuid:00000000-0000-4000-8000-${String(i).padStart(12, '0')}` as CorpusRecord['id'],
      text,
      relevance: i % 17 === 0 ? 0.1 : 0.5 + (i % 7) / 20,
      lang: i % 13 === 0 ? 'de' : 'en',
      metadata: { ...NO_METADATA, published: i % 31 === 0 ? '1985-01-01' : '2004-05-01' },
      ...(i % 37 === 0 && { rights: [NO_TRAINING] }),
      ...(i % 29 === 0 && { reservation: { reserved: true, by: 'meta', policy: null } }),
    });
    writer.append({ kind: 'page', record, page });
    return record;
  });
  await writer.close();
  return { dir, records };
}

function options({ dir }: Made, over: Partial<CrawlHarvestOptions>): CrawlHarvestOptions {
  return {
    corpusDir: dir,
    to: { out: join(dir, '..', 'harvest'), force: true },
    formats: ['jsonl'],
    minRelevance: null,
    languages: [],
    reserved: 'omit',
    dedupe: 'exact',
    committed: null,
    detectLanguage: null,
    crawl: CRAWL,
    now: T0,
    ...over,
  };
}

async function jsonLines<T>(...path: string[]): Promise<T[]> {
  const text = await readFile(join(...path), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}

test('with every filter, each page is in the corpus or omitted for one reason, and the counts add up', async () => {
  const made = await crawl();
  const withdrawals = new Withdrawals(made.records.slice(-1).map((page) => withdrawalOf(page, '2026-01-01T00:00:00.000Z', 'asked')));
  const { outDir, card } = await harvestCorpus(options(made, { ...EVERYTHING, withdrawals }));
  const pages = await jsonLines<HarvestedPage>(outDir, 'corpus.jsonl');
  const leftOut = await jsonLines<{ id: string; reason: string }>(outDir, 'left-out.jsonl');
  const ids = [...pages, ...leftOut].map(({ id }) => id);
  expect(ids.toSorted()).toEqual(made.records.map(({ id }) => id).toSorted());
  const { read, leftOut: counts, kept } = card.records;
  expect(kept).toBe(pages.length);
  expect(Object.values(counts).reduce((sum, n) => sum + n, kept)).toBe(read);
  for (const [reason, count] of Object.entries(counts)) {
    expect([reason, leftOut.filter((one) => one.reason === reason).length]).toEqual([reason, count]);
    expect([reason, count > 0]).toEqual([reason, true]);
  }
  expect(await readdir(outDir)).toEqual(
    expect.arrayContaining(['chunks.jsonl', 'corpus-card.json', 'corpus-card.md', 'corpus.jsonl', 'left-out.jsonl', 'text']),
  );

  for (const page of pages)
    expect(Object.keys(page)).toEqual(expect.arrayContaining(['copies', 'quality', 'foreign', 'repeated', 'weight', 'split', 'version']));
  const hosts = new Map<string, Set<string | undefined>>();
  for (const { url, split } of pages) hosts.set(new URL(url).host, (hosts.get(new URL(url).host) ?? new Set()).add(split));
  expect([...hosts.values()].every((parts) => parts.size === 1)).toBe(true);

  const texts = new Map(pages.map(({ id, text }) => [id as string, text]));
  const chunks = await jsonLines<{ page: string; start: number; end: number; text: string; words: number }>(outDir, 'chunks.jsonl');
  expect(new Set(chunks.map(({ page }) => page))).toEqual(new Set(texts.keys()));
  for (const { page, start, end, text, words } of chunks) {
    expect(texts.get(page)?.slice(start, end)).toBe(text);
    expect(words).toBeLessThanOrEqual(40);
  }
});

wholeTest('the card has the options that were active, and how they applied', async () => {
  const made = await crawl();
  const { outDir, card } = await harvestCorpus(options(made, EVERYTHING));
  const { formats: _, chunk: __, chunkBy: ___, ...filters } = EVERYTHING;
  expect(card.harvest.filters).toEqual(filters);
  const markdown = await readFile(join(outDir, 'corpus-card.md'), 'utf8');
  for (const line of [
    'versions: all of each page',
    'near-duplicates: 0.8 or more',
    'shortened copies: 0.9 or more',
    'quality rules: omits pages that fail gopher (Rae et al. 2021), c4 (Raffel et al. 2020), fineweb (Penedo et al. 2024)',
    'paragraphs of 60 or more characters in another language',
    'pages with personal data omitted: mail addresses',
    'paragraphs that 3 pages of a host or 10 in all have',
    'pages of a host: at most 16, drawn at random with seed 7',
    'sample: 90 pages drawn at random, the same number of each host',
    'split: train 80 %, validation 10 %, test 10 %',
    'pages of the split: train ',
    'chunks: at most 40 words, cut between sentences where they fit',
    'omitted: nearly the same text as another page',
  ])
    expect(markdown).toContain(line);
  const plain = await harvestCorpus(options(made, {}));
  expect(plain.card.harvest.notes).toBeUndefined();
  expect(await readFile(join(plain.outDir, 'corpus-card.md'), 'utf8')).not.toMatch(/near-dup|quality|sample|split|chunks/);
});

wholeTest('the same seed gives the same bytes, another seed others', async () => {
  const made = await crawl();
  const bytes = async (over: Partial<CrawlHarvestOptions>) => {
    const { outDir, card } = await harvestCorpus(options(made, { ...EVERYTHING, ...over }));
    return [...card.files.map(({ sha256 }) => sha256), await readFile(join(outDir, 'corpus-card.md'), 'utf8')];
  };
  const first = await bytes({});
  expect(await bytes({})).toEqual(first);
  expect(await bytes({ rngSeed: 8 })).not.toEqual(first);
});

test('columns are absent unless they are asked for', async () => {
  const { outDir } = await harvestCorpus(options(await crawl(), {}));
  for (const page of await jsonLines<HarvestedPage>(outDir, 'corpus.jsonl'))
    for (const column of ['copies', 'quality', 'foreign', 'repeated', 'weight', 'split', 'version', 'gone'])
      expect(page).not.toHaveProperty(column);
});

wholeTest('a harvest that is interrupted at any step leaves nothing', async () => {
  const made = await crawl();
  const steps: string[] = [];
  await harvestCorpus(options(made, { ...EVERYTHING, progress: ({ stage, done }) => steps.push(`${stage} ${done}`) }));
  for (const at of ['select 1', 'select 420', 'write 1', steps.at(-1) ?? '']) {
    const stop = new AbortController();
    const outDir = join(made.dir, '..', 'stopped');
    const harvesting = harvestCorpus(
      options(made, {
        ...EVERYTHING,
        to: { out: outDir },
        signal: stop.signal,
        progress: ({ stage, done }) => {
          if (`${stage} ${done}` === at) stop.abort(new Error('stopped'));
        },
      }),
    );
    await expect(harvesting).rejects.toThrow('stopped');
    expect((await readdir(join(made.dir, '..'))).filter((name) => name.startsWith('stopped'))).toEqual([]);
  }
});
