import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { type CrawlerError, DataError, UsageError } from '../../../src/base/core/errors.ts';
import { BUCKETS, FEATURE_KINDS } from '../../../src/reading/topic/features.ts';
import { encodeTraining, readTraining, TRAINING_FILE } from '../../../src/reading/topic/training-file.ts';
import { openWordVectors, rememberedWordVectors, type WordVectorSource } from '../../../src/reading/topic/word-vector-source.ts';
import { vectorOf } from './vector-of.ts';

const root = mkdtempSync(join(tmpdir(), 'word-vector-source-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const ROWS = 'rye 1 0 0\nspelt 0.9 0.1 0\nanchor 0 1 0.5\nhull 0 0.9 0.4\n';
const write = (name: string, content: string) => {
  writeFileSync(join(root, name), content);
  return join(root, name);
};
const thrown = async (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error as CrawlerError);

describe('the vectors that are asked for', () => {
  test('none and bundled are words', async () => {
    expect(await openWordVectors('none')).toEqual({ source: 'none', vectors: null, notes: [] });
    const { source, vectors } = await openWordVectors('bundled');
    expect([source, vectors?.name, vectors?.dimensions]).toEqual(['bundled', 'bundled', 256]);
  });

  test('a file is remembered by its absolute path and its content', async () => {
    const path = write('grain.vec', ROWS);
    const { source, vectors } = await openWordVectors(relative('.', path));
    expect(source).toEqual({ path: resolve(path), sha256: vectors?.sha256 });
    expect(vectors && vectorOf(vectors, 'rye')).not.toBeNull();
  });

  test.each([
    ['a row of another length', `${ROWS}keel 1 2\n`, ':5: '],
    ['not a number', ROWS.replace('0.9 0.1', 'NaN 0.1'), ':2: '],
    ['a word given twice', `${ROWS}rye 1 1 1\n`, ':5: '],
    ['a word of 1 MB', `${ROWS}${'q'.repeat(1_000_000)} 1 1 1\n`, ':5: '],
    ['no vectors', 'rye\nspelt\n', ':1: '],
  ])('%s is an error with its line', async (name, content, line) => {
    const path = write(`${name}.vec`, content);
    const error = await thrown(openWordVectors(path));
    expect(error).toBeInstanceOf(DataError);
    expect(error?.message.startsWith(`${path}${line}`), error?.message).toBe(true);
    expect(error?.message).not.toContain('\n');
  });
});

describe('the vectors that a model remembers', () => {
  test('are the same again', async () => {
    for (const word of ['none', 'bundled', write('again.vec', ROWS)]) {
      const { source, vectors } = await openWordVectors(word);
      expect((await rememberedWordVectors(source))?.sha256).toBe(vectors?.sha256);
    }
  });

  test.each([
    ['is gone', (path: string) => rmSync(path), UsageError],
    ['was moved', (path: string) => renameSync(path, `${path}.old`), UsageError],
    ['has another vector', (path: string) => writeFileSync(path, ROWS.replace('0.4', '0.3')), DataError],
    ['has a word more', (path: string) => writeFileSync(path, `${ROWS}keel 0 1 1\n`), DataError],
    ['has another word', (path: string) => writeFileSync(path, ROWS.replace('hull', 'mast')), DataError],
  ])('a file that %s: the way out is named', async (name, change, kind) => {
    const path = write(`${name}.vec`, ROWS);
    const { source } = await openWordVectors(path);
    change(path);
    const error = await thrown(rememberedWordVectors(source));
    expect(error).toBeInstanceOf(kind);
    expect(error?.message).toContain(path);
    expect(error?.message).toContain('--word-vectors');
  });
});

test.each<[WordVectorSource, number]>([
  ['none', 3],
  ['bundled', 4],
  [{ path: '/data/wiki.vec', sha256: 'ab' }, 4],
])('training data remember %j, and earlier programs refuse those with vectors', async (wordVectors, version) => {
  const scale = { idf: new Float32Array(BUCKETS).fill(1), lengths: new Float64Array(FEATURE_KINDS.length).fill(1) };
  const bytes = await encodeTraining({ rows: [], precision: null, template: [], wordVectors }, scale);
  writeFileSync(join(root, TRAINING_FILE), bytes);
  expect((await readTraining(root))?.wordVectors).toEqual(wordVectors);
  const head = gunzipSync(bytes).toString('utf8').split('\n')[0] ?? '';
  expect(head.includes(`"version":${version},`)).toBe(true);
  expect(head.includes('wordVectors')).toBe(version === 4);
});
