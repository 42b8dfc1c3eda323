import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { DataError, UsageError } from '../../../src/base/core/errors.ts';
import { readWordVectors, WORD_VECTOR_LIMITS } from '../../../src/reading/topic/word-vector-file.ts';
import { vectorOf } from './vector-of.ts';

const root = mkdtempSync(join(tmpdir(), 'word-vector-file-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let files = 0;
function written(content: string | Uint8Array): string {
  const path = join(root, `${++files}.vec`);
  writeFileSync(path, content);
  return path;
}
const read = (content: string | Uint8Array, limits: Partial<typeof WORD_VECTOR_LIMITS> = {}) =>
  readWordVectors(written(content), { ...WORD_VECTOR_LIMITS, ...limits });
async function vectorsOf(content: string | Uint8Array, ...words: string[]): Promise<(number[] | null)[]> {
  const { vectors } = await read(content);
  return words.map((word) => {
    const vector = vectorOf(vectors, word);
    return vector && [...vector];
  });
}
async function refused(content: string | Uint8Array, limits: Partial<typeof WORD_VECTOR_LIMITS> = {}): Promise<string> {
  const error = await read(content, limits).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DataError);
  const { message } = error as DataError;
  expect(message).toMatch(/^[^\n]*\d+\.vec(:\d+)?: [^\n]*; [^\n]+$/);
  return message.replace(/^.*?\.vec:? ?/, '');
}

const ROWS = ['чай 3 1', 'кофе -1 1', 'молоко 1 4', 'сахар 1 -2'];
const PLAIN = `${ROWS.join('\n')}\n`;
const WORDS = ['чай', 'Кофе', 'молоко', 'сахар', 'чайник'];
const EXPECTED = [[127, 0], [-127, 0], [0, 127], [0, -127], null];

describe('a file of word vectors', () => {
  test.each([
    ['of GloVe, without a header', PLAIN],
    ['of word2vec, with blanks at the ends of lines', `4 2\n${ROWS.map((row) => `${row} \n`).join('')}`],
    ['with tabs, or several blanks', PLAIN.replaceAll(' ', '\t').replace('кофе\t', 'кофе  ')],
    ['with the line ends of Windows', `4 2\r\n${ROWS.map((row) => `${row}\r\n`).join('')}`],
    ['without a last line feed', PLAIN.trimEnd()],
    ['with empty lines', `\n4 2\n\n${PLAIN}\n \n`],
    ['with a byte order mark', `\ufeff4 2\n${PLAIN}`],
    ['with exponents, signs and bare points', 'чай +3. 1e0\nкофе -10E-1 .1e+1\nмолоко 1.0 4\nсахар 1 -2.000\n'],
    ['with gzip', gzipSync(`4 2\n${PLAIN}`)],
    ['with marks, pieces of words and phrases among its words', `8 2\n</s> 9 9\n${PLAIN}##ing 8 8\nчёрный чай 7 7\nчай. 6 6\n`],
    ['with a word of blanks that are not ASCII, and one that no page can have', `${PLAIN}\u00a0 5 5\n${'ы'.repeat(41)} 4 4\n`],
    ['with a word that is a number', `${PLAIN}. 2 2\n2026 1 1\n`],
  ])('%s', async (_name, content) => {
    expect(await vectorsOf(content, ...WORDS)).toEqual(EXPECTED);
  });

  test('says how many rows and words it has, and nothing of languages', async () => {
    const given = await read(`6 2\n</s> 0 0\n, 1 1\n${PLAIN}`);
    expect(given).toMatchObject({
      rows: 6,
      isCut: false,
      vectors: { words: ['чай', 'кофе', 'молоко', 'сахар'], dimensions: 2, languages: null },
    });
    expect(given.vectors.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is read in pieces, whose ends may be in a word', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `ж${i}ж ${Math.cos(i).toFixed(5)} ${Math.sin(i).toFixed(5)} ${i % 7}`);
    const whole = await read(`${rows.join('\n')}\n`);
    expect([whole.rows, whole.vectors.words.length, whole.vectors.dimensions]).toEqual([30_000, 30_000, 3]);
  });

  test('is cut at the cap of words, also one that announces more', async () => {
    expect(await read(PLAIN, { words: 3 })).toMatchObject({
      rows: 3,
      isCut: true,
      vectors: { words: expect.objectContaining({ length: 3 }) },
    });
    expect(await read(`4 2\n${PLAIN}`, { words: 3 })).toMatchObject({ rows: 3, isCut: true });
    expect(await read(`${PLAIN}\n`, { words: 4 })).toMatchObject({ rows: 4, isCut: false });
  });

  test('gives the word that comes first more weight among case variants', async () => {
    const [tea] = await vectorsOf('Чай 1 0\nчай 0 1\nкофе -1 0\nмята 0 -1\n', 'чай');
    expect(tea).toEqual([85, 42]);
  });
});

describe('refused, with the line', () => {
  const row = (numbers: number, word = 'чай') => `${word}${' 0.5'.repeat(numbers)}\n`;
  test.each([
    ['a short row', `2 3\n${row(3)}${row(2, 'сок')}`, '3: has 2 numbers, not 3'],
    ['a long row', `2 3\n${row(3)}${row(4, 'сок')}`, '3: has 4 numbers, not 3'],
    ['a long row without a header', `${row(3)}${row(5, 'сок')}`, '2: has 5 numbers, not 3'],
    ['a row that is cut', `${row(3)}сок 0.5 0.`, '2: has 2 numbers, not 3'],
    ['NaN', 'чай 1 2\nсок 1 nan\n', '2: has "nan" in place of a number'],
    ['NaN in the first row', 'чай NaN 2\nсок 1 2\n', '1: has "NaN" in place of a number'],
    ['infinity', 'чай 1 2\nсок -Infinity 1\n', '2: has "-Infinity" in place of a number'],
    ['a number that overflows', 'чай 1 2\nсок 1e30 1\n', '2: has "1e30" in place of a number'],
    ['a decimal comma', 'чай 1 2\nсок 0,5 1\n', '2: has "0,5" in place of a number'],
    ['a blank that is not ASCII among the numbers', 'чай 1 2\nсок \u00a0 1\n', '2: has "\u00a0" in place of a number'],
    ['a word given twice', 'чай 1 2\nсок 1 1\nчай 2 1\n', '3: has the word "чай" of line 1 again'],
    ['a word given twice under a header', '3 2\nсок 1 1\nчай 1 2\nчай 1 2\n', '4: has the word "чай" of line 3 again'],
    ['a word of 1 MB', `чай 1 2\n${'м'.repeat(500_000)} 1 2\n`, '2: is over the cap of 20000 bytes'],
    ['a last word of 1 MB', `чай 1 2\n${'m'.repeat(1_000_000)}`, '2: is over the cap of 20000 bytes'],
    ['one dimension: words with their counts', 'и 4410\nв 3200\n', '1: has one number a word'],
    ['a list of words', 'чай\nсок\n', '1: has no numbers a word'],
    ['JSON', '{"чай":[1,2]}\n', '1: has no numbers a word'],
    ['a page', '<!DOCTYPE html>\n<p>\n', '1: has one number a word'],
    ['over 300 dimensions', `${row(301)}`, '1: has 301 dimensions, over the cap of 300'],
    ['over 300 announced dimensions', `9 4096\n`, '1: has 4096 dimensions, over the cap of 300'],
    ['a header of no words', '0 300\n', '1: announces no words'],
    ['more rows than announced', `1 2\nчай 1 2\nсок 2 1\n`, '3: is more than the 1 words that line 1 announces'],
    [
      'the binary form of word2vec',
      Buffer.concat([Buffer.from('2 3\nab '), Buffer.from(new Float32Array([1, 2, 3]).buffer)]),
      '2: is binary data',
    ],
    ['a ZIP archive', Buffer.from('504b0304140000000800', 'hex'), '1: is binary data'],
    ['UTF-16', Buffer.from('чай 1 2\n', 'utf16le'), '1: is binary data'],
  ])('%s', async (_name, content, message) => {
    expect(await refused(content)).toContain(message);
  });

  test.each([
    ['an empty file', '', 'has no row with a word'],
    ['a file of empty lines', '\n\n', 'has no row with a word'],
    ['rows without a word', '</s> 1 2\n, 2 1\n', 'has no row with a word'],
    ['a header alone', '400 300\n', 'ends after 0 of the 400 words'],
    ['fewer rows than announced', `5 2\n${PLAIN}`, 'ends after 4 of the 5 words'],
    ['vectors that are all equal', 'чай 1 2\nсок 1 2\n', 'all its vectors are equal'],
    ['gzip that ends early', gzipSync(PLAIN).subarray(0, 40), 'its gzip is damaged'],
    ['gzip with a changed byte', gzipSync(PLAIN).fill(0x55, 14, 20), 'its gzip is damaged'],
  ])('whole: %s', async (_name, content, message) => {
    expect(await refused(content)).toContain(message);
  });
});

describe('the caps', () => {
  const large = `${Array.from({ length: 20_000 }, (_, i) => `ж${i} ${'0.25 '.repeat(40)}${i}`).join('\n')}\n`;

  test('of bytes counts what gzip unpacks', async () => {
    expect(await refused(large, { bytes: 1_000_000 })).toContain('is over the cap of 1000000 bytes');
    expect(await refused(gzipSync(large), { bytes: 1_000_000 })).toContain('is over the cap of 1000000 bytes');
  });

  test('of time ends the reading', async () => {
    expect(await refused(large, { ms: 1 })).toContain('was not read within 0.001 s');
  });

  test('are not reached by a file of the greatest size that is published', () => {
    // 200,000 words, 300 numbers with a sign, six digits and a blank.
    expect(WORD_VECTOR_LIMITS.bytes).toBeGreaterThan(200_000 * (300 * 10 + 40));
  });
});

describe('not a file', () => {
  test.each([
    ['a missing one', () => {}, 'no such file'],
    ['a folder', (path: string) => mkdirSync(path), 'a folder, not a file'],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'a pipe, not a file'],
  ])('%s', async (name, make, message) => {
    const path = join(root, name);
    make(path);
    const error = await readWordVectors(path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(message);
  });
});
