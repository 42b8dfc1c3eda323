import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { ModelError } from '../../../src/base/core/errors.ts';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { BUNDLED_BACKGROUND, encodeBackground, loadBackground } from '../../../src/reading/topic/background.ts';
import { FeatureCounter, wordBucket } from '../../../src/reading/topic/features.ts';
import { idfTable } from '../../../src/reading/topic/weighting.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-background-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const counter = new FeatureCounter();
const page = { host: 'b.example', language: 'de', counts: counter.snapshot({ title: 'Rye', text: 'rye bread '.repeat(300) }) };
const ORIGIN = {
  description: 'test',
  extractor: 'slope',
  hosts: [
    { host: 'a.example', language: 'de', documents: 2, sampled: 0 },
    { host: 'b.example', language: 'de', documents: 1, sampled: 1 },
    { host: 'b.example', language: 'ja', documents: 0, sampled: 0 },
  ],
  packages: [{ name: 'p', version: '1', licence: 'MIT' }],
};
function write(dir: string): void {
  const { info, table } = encodeBackground(
    { documents: 3, idf: idfTable([1, 2, 3], 3), languages: new Map([['en', 3]]), sample: [page] },
    ORIGIN,
  );
  writeFileSync(join(dir, 'background.json'), info);
  writeFileSync(join(dir, 'background.bin.gz'), gzipSync(table));
}

test('what is written is read again', async () => {
  write(root);
  const { documents, idf, sample } = await loadBackground(root);
  expect(documents).toBe(3);
  expect(idf).toEqual(idfTable([1, 2, 3], 3));
  expect(sample[0]).toMatchObject({ host: 'b.example', language: 'de' });
  const pairs = (counts: typeof page.counts) => Array.from(counts.buckets, (bucket, i) => [bucket, counts.counts[i]]).sort();
  expect(pairs(sample[0]?.counts ?? page.counts)).toEqual(pairs(page.counts));
  expect(sample).toHaveLength(1);
});

test('a background that says nothing of languages is read', async () => {
  write(root);
  const file = join(root, 'background.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\s*"language": "..",/g, ''));
  expect((await loadBackground(root)).sample[0]).toMatchObject({ host: 'b.example', language: null });
});

test('a page of a host and language that are not listed is refused', () => {
  const background = { documents: 1, idf: idfTable([1], 1), languages: new Map([['fr', 1]]), sample: [{ ...page, language: 'fr' }] };
  expect(() => encodeBackground(background, ORIGIN)).toThrow('b.example in fr');
});

test.each([
  ['a missing table', 'background.bin.gz', () => rmSync(join(root, 'background.bin.gz'))],
  ['a table that is not gzip', 'background.bin.gz', () => writeFileSync(join(root, 'background.bin.gz'), 'plain')],
  ['another table', 'checksum', () => writeFileSync(join(root, 'background.bin.gz'), gzipSync('short'))],
  ['a broken info file', 'background.json', () => writeFileSync(join(root, 'background.json'), '[')],
  [
    'another tokeniser',
    'another version',
    () =>
      writeFileSync(
        join(root, 'background.json'),
        readFileSync(join(root, 'background.json'), 'utf8').replace(/"tokenizer": \d+/, '"tokenizer": 1'),
      ),
  ],
])('%s is a model error that names it', async (_name, named, damage) => {
  write(root);
  damage();
  const error = await loadBackground(root).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  expect((error as ModelError).message).toContain(named);
});

test('the bundled background is small, many-voiced, and knows common words from rare ones', async () => {
  const { documents, idf, sample } = await loadBackground();
  expect(statSync(join(BUNDLED_BACKGROUND, 'background.bin.gz')).size).toBeLessThan(4_000_000);
  expect(documents).toBeGreaterThan(1000);
  expect(sample.length).toBeGreaterThan(500);
  expect(sample.length).toBeLessThanOrEqual(2500);
  const idfOf = (word: string) => (idf.codes[wordBucket(hashWord(word))] ?? 0) * idf.step;
  expect(idfOf('the')).toBeLessThan(2);
  expect(idfOf('sourdough')).toBeGreaterThan(5);
});

test('the bundled background has not seen what is measured', async () => {
  const hosts = new Set((await loadBackground()).sample.map(({ host }) => host));
  expect(hosts.size).toBeGreaterThan(20);
  for (const host of [
    'en.cppreference.com',
    'doc.sagemath.org',
    'docs.kernel.org',
    'macaulay2.com',
    'www.postgresql.org',
    'www.sqlite.org',
  ])
    expect(hosts.has(host)).toBe(false);
});
