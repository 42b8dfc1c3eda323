import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelError, UsageError } from '../../../src/base/core/errors.ts';
import { loadCard, loadModel, saveModel } from '../../../src/reading/topic/files.ts';
import { type TrainedTopic, trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { OPTIONS, smallBackground, syntheticPage, syntheticPages } from './synthetic.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-model-'));
let trained: TrainedTopic;
beforeAll(async () => {
  trained = await trainTopic(syntheticPages('bread', 0, 12), { ...OPTIONS, background: await smallBackground() });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
async function savedModel(): Promise<string> {
  const dir = join(root, `m${made++}`);
  await saveModel(dir, trained.model, trained.card);
  return dir;
}
const edited = (dir: string, change: (file: Record<string, unknown>) => void) => {
  const path = join(dir, 'model.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  change(file);
  writeFileSync(path, JSON.stringify(file));
};

test('a card of Forager 0.1 names its training method as `rung`', async () => {
  const dir = await savedModel();
  const { method, description, ...others } = trained.card;
  writeFileSync(join(dir, 'card.json'), JSON.stringify({ ...others, rung: method, method: description }));
  expect(await loadCard(dir)).toEqual(trained.card);
});

test('a saved model judges as before and has its card', async () => {
  const dir = await savedModel();
  const loaded = await loadModel(dir);
  expect(loaded.id).toBe(trained.model.id);
  expect(loaded.threshold).toBe(trained.model.threshold);
  for (const page of [syntheticPage('bread', 99), syntheticPage('sailing', 99)]) expect(loaded.judge(page)).toBe(trained.model.judge(page));
  expect(await loadCard(dir)).toEqual(trained.card);
  expect(readdirSync(dir).sort()).toEqual(['card.json', 'model.json', 'weights.bin']);
});

test('a model is replaced only when told so, and nothing is left beside it', async () => {
  const dir = await savedModel();
  await expect(saveModel(dir, trained.model, trained.card)).rejects.toThrow(UsageError);
  await saveModel(dir, trained.model, { ...trained.card, seed: 8 }, { force: true });
  expect((await loadCard(dir)).seed).toBe(8);
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a folder that is no model is never replaced', async () => {
  const dir = join(root, 'thesis');
  mkdirSync(dir);
  writeFileSync(join(dir, 'chapter1.txt'), 'years of work');
  await expect(saveModel(dir, trained.model, trained.card, { force: true })).rejects.toThrow(UsageError);
  expect(readFileSync(join(dir, 'chapter1.txt'), 'utf8')).toBe('years of work');
  const file = join(root, 'file');
  writeFileSync(file, '');
  await expect(saveModel(file, trained.model, trained.card, { force: true })).rejects.toThrow(UsageError);
});

test('an empty folder may become a model', async () => {
  const dir = join(root, 'empty');
  mkdirSync(dir);
  await saveModel(dir, trained.model, trained.card);
  expect((await loadModel(dir)).id).toBe(trained.model.id);
});

const DAMAGES: readonly (readonly [string, string, (dir: string) => void])[] = [
  ['no model.json', 'model.json', (dir) => rmSync(join(dir, 'model.json'))],
  ['no weights', 'weights.bin', (dir) => rmSync(join(dir, 'weights.bin'))],
  ['truncated weights', 'weights.bin', (dir) => truncateSync(join(dir, 'weights.bin'), 1000)],
  ['bad JSON', 'model.json', (dir) => writeFileSync(join(dir, 'model.json'), '{"format": ')],
  ['another format', 'model.json', (dir) => edited(dir, (file) => Object.assign(file, { format: 'onnx' }))],
  ['a later version', 'version 7', (dir) => edited(dir, (file) => Object.assign(file, { version: 7 }))],
  ['the version of models with word vectors', 'version 5', (dir) => edited(dir, (file) => Object.assign(file, { version: 5 }))],
  [
    'a model of Forager 0.1',
    'version 1',
    (dir) => edited(dir, (file) => Object.assign(file, { version: 1, rule: undefined, factors: { bigram: 0.2, title: 0.75 } })),
  ],
  ['a missing field', 'model.json', (dir) => edited(dir, (file) => Reflect.deleteProperty(file, 'bias'))],
  ['a threshold beyond 1', 'threshold', (dir) => edited(dir, (file) => Object.assign(file, { threshold: 1.5 }))],
  ['another tokeniser', 'splitting words', (dir) => edited(dir, (file) => Object.assign(file, { tokenizer: 1 }))],
  ['another extractor', 'checksum', (dir) => edited(dir, (file) => Object.assign(file, { extractor: 'none' }))],
  ['a rule that cannot be read', 'model.json', (dir) => edited(dir, (file) => Object.assign(file, { rule: 'model AND (' }))],
  ['a changed bias', 'checksum', (dir) => edited(dir, (file) => Object.assign(file, { bias: 3 }))],
  [
    'a flipped byte',
    'checksum',
    (dir) => {
      const bytes = readFileSync(join(dir, 'weights.bin'));
      bytes[700_001] = (bytes[700_001] ?? 0) ^ 1;
      writeFileSync(join(dir, 'weights.bin'), bytes);
    },
  ],
];

test.each(DAMAGES)('%s: an error names the fault and the way out', async (_name, named, damage) => {
  const dir = await savedModel();
  damage(dir);
  const error = await loadModel(dir).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  const { message } = error as ModelError;
  expect(message).toContain(dir);
  expect(message).toContain(named);
  expect(message).toContain('train the topic again');
  expect(message).not.toContain('\n');
});
