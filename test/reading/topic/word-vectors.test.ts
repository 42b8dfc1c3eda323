import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ModelError } from '../../../src/base/core/errors.ts';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { wordBucket } from '../../../src/reading/topic/features.ts';
import { unitVectors } from '../../../src/reading/topic/unit-vectors.ts';
import {
  BUNDLED_WORD_VECTORS,
  bucketVectors,
  encodeWordVectors,
  loadWordVectors,
  type WordTable,
} from '../../../src/reading/topic/word-vectors.ts';
import { vectorOf } from './vector-of.ts';

const root = mkdtempSync(join(tmpdir(), 'word-vectors-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const bucketOf = (word: string) => wordBucket(hashWord(word));
const TABLE: WordTable = { words: ['rye', 'oats', 'lathe'], vectors: Int8Array.from([3, -4, 127, 0, -128, 5]) };
const FACTS = {
  description: 'test',
  language: 'en',
  origin: { model: 'm', package: 'p', version: '1', packageSha256: 'ab', licence: 'Apache-2.0' },
};
const [INFO, BYTES] = ['word-vectors.json', 'word-vectors.bin'].map((name) => join(root, name)) as [string, string];

function write(): void {
  const { info, table } = encodeWordVectors(TABLE, FACTS);
  writeFileSync(INFO, info);
  writeFileSync(BYTES, table);
}
const changed = (from: RegExp, to: string) => writeFileSync(INFO, readFileSync(INFO, 'utf8').replace(from, to));

test('vectors that are written are read again, by the bucket of their word', async () => {
  write();
  const read = await loadWordVectors(root);
  expect(read).toMatchObject({ name: 'bundled', dimensions: 2, words: TABLE.words, languages: ['en'] });
  expect(TABLE.words.map((word) => [...(vectorOf(read, word) ?? [])])).toEqual([
    [3, -4],
    [127, 0],
    [-128, 5],
  ]);
  expect(vectorOf(read, 'barley')).toBeNull();
});

test.each([
  ['a missing table', BYTES, () => rmSync(BYTES)],
  ['a missing description', INFO, () => rmSync(INFO)],
  ['an empty table', BYTES, () => writeFileSync(BYTES, '')],
  ['a table that lacks its last byte', BYTES, () => writeFileSync(BYTES, readFileSync(BYTES).subarray(0, -1))],
  ['a changed vector', BYTES, () => writeFileSync(BYTES, readFileSync(BYTES).fill(9, 0, 1))],
  ['a changed word', BYTES, () => writeFileSync(BYTES, readFileSync(BYTES).fill('R', 6, 7))],
  ['a description that is cut', INFO, () => writeFileSync(INFO, readFileSync(INFO, 'utf8').slice(0, 90))],
  ['another number of words', INFO, () => changed(/"words": 3/, '"words": 2')],
  ['another number of dimensions', INFO, () => changed(/"dimensions": 2/, '"dimensions": 600')],
  ['a later version', INFO, () => changed(/"version": 1/, '"version": 7')],
])('%s is a model error with the file and the remedy', async (_name, named, damage) => {
  write();
  damage();
  const error = await loadWordVectors(root).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  const { message } = error as ModelError;
  expect([message.includes(named), message.includes('install the program again'), message.includes('\n')]).toEqual([true, true, false]);
});

describe('words of one bucket', () => {
  /** Words of one bucket, found by trying. */
  const [first, second, third] = (() => {
    const byBucket = new Map<number, string[]>();
    for (let i = 0; ; i++) {
      const word = `w${i}`;
      const others = byBucket.get(bucketOf(word)) ?? [];
      if (others.push(word) === 3) return others as [string, string, string];
      byBucket.set(bucketOf(word), others);
    }
  })();
  const vectorOf = (words: readonly string[], vectors: readonly number[]) => [
    ...(bucketVectors({ words, vectors: Int8Array.from(vectors) }, 2).get(bucketOf(first)) ?? []),
  ];

  test('have their mean, weighted by 1 / rank', () => {
    expect(vectorOf([first, second], [90, 0, 0, 90])).toEqual([60, 30]);
    expect(vectorOf([first, 'rye', second], [80, 0, 1, 1, 0, 80])).toEqual([60, 20]);
    expect(vectorOf([first, second, third], [110, 0, 0, 110, -110, 0])).toEqual([40, 30]);
  });

  test('are also the case variants and Unicode forms of one word', () => {
    const table = { words: ['Über', 'über', 'u\u0308ber'], vectors: Int8Array.from([110, 0, 0, 110, 110, 0]) };
    const vectors = bucketVectors(table, 2);
    expect([...vectors.keys()]).toEqual([bucketOf('über')]);
    expect([...(vectors.get(bucketOf('ÜBER')) ?? [])]).toEqual([80, 30]);
  });

  test('keep their own vectors where they are alone', () => {
    expect(vectorOf([first, 'rye', 'oats'], [1, 2, 3, 4, 5, 6])).toEqual([1, 2]);
  });
});

describe('the form of vectors', () => {
  test('is centred, of equal length, and uses the whole range of a byte', () => {
    const values = Float32Array.from([9, 1, 1, 1, 5, 6, 5, -4, 20, 1, -10, 1]);
    const vectors = unitVectors(values, 2);
    const lengths = [0, 1, 2, 3, 4, 5].map((row) => Math.hypot(vectors[2 * row] ?? 0, vectors[2 * row + 1] ?? 0));
    expect(lengths.map(Math.round)).toEqual([127, 127, 127, 127, 127, 127]);
    expect([...vectors]).toEqual([127, 0, -127, 0, 0, 127, 0, -127, 127, 0, -127, 0]);
  });

  test('of a vector that is the mean, and of vectors that are all equal, is 0', () => {
    expect([...unitVectors(Float32Array.from([1, 2, 3]), 1)]).toEqual([-127, 0, 127]);
    expect([...unitVectors(Float32Array.from([7, 8, 7, 8]), 2)]).toEqual([0, 0, 0, 0]);
    expect(unitVectors(new Float32Array(0), 4)).toHaveLength(0);
  });
});

describe('the bundled vectors', () => {
  const loaded = loadWordVectors();
  const vector = async (word: string) => vectorOf(await loaded, word) ?? new Int8Array(256);
  const nearness = async (a: string, b: string) => {
    const [one, other] = [await vector(a), await vector(b)];
    const dot = (x: Int8Array, y: Int8Array) => x.reduce((sum, part, d) => sum + part * (y[d] ?? 0), 0);
    return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
  };

  test('are small, English, and have the papers that their licence asks for', async () => {
    const { words, dimensions, languages } = await loaded;
    expect({ dimensions, languages }).toEqual({ dimensions: 256, languages: ['en'] });
    expect(words.length).toBeGreaterThan(20_000);
    expect(statSync(join(BUNDLED_WORD_VECTORS, 'word-vectors.bin')).size).toBeLessThan(6_200_000);
    expect(readFileSync(join(BUNDLED_WORD_VECTORS, 'LICENSE'), 'utf8')).toMatch(/Apache License\s+Version 2\.0/);
    expect(readFileSync(join(BUNDLED_WORD_VECTORS, 'NOTICE'), 'utf8')).toContain('all-MiniLM-L6-v2');
    expect(await Promise.all(['网页', 'город', 'xqzzy'].map(async (word) => vectorOf(await loaded, word)))).toEqual([null, null, null]);
  });

  test.each([
    ['violin', 'orchestra', 'diesel'],
    ['flour', 'bread', 'parliament'],
    ['glacier', 'ice', 'lawyer'],
    ['surgeon', 'hospital', 'keyboard'],
  ])('put %s nearer to %s than to %s', async (word, near, far) => {
    expect(await nearness(word, near)).toBeGreaterThan((await nearness(word, far)) + 0.1);
  });
});
