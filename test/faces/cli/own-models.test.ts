import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerLine } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sample } from '../../support/extent.ts';
import { done, forager, jsonLines } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

/** A labelled crawl: its first model is in `model/`, the active one in `models/`. Each copy of it is damaged in another way. */
const small = smallWeb(120);
const whole = small.path('whole');
let proxy: string;
let active: string;

beforeAll(async () => {
  ({ proxy } = await small.serve());
  await done('crawl', whole, '--topic', await trainedOn(small), '--proxy', proxy, '--delay', '0', '--max-pages', '30', ...seeds());
  const judged = jsonLines<LedgerLine>(await done('ledger', whole)).filter(({ relevance }) => relevance !== null);
  const answers = judged.map(({ url }) => `${url},${small.web.topicOf(url) === small.topic ? 'y' : 'n'}\n`);
  writeFileSync(small.path('labels.csv'), `url,label\n${answers.join('')}`);
  await done('label', 'import', whole, small.path('labels.csv'), '--even-if-worse');
  active = join('models', readdirSync(join(whole, 'models'))[0] ?? '');
});
afterAll(() => small.close());

function seeds(): string[] {
  return small.seeds.flatMap((seed) => ['--seeds', seed]);
}

function flipped(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x41;
  writeFileSync(path, bytes);
}

const edited = (path: string, from: RegExp, to: string) => writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));

/** A copy of the crawl, damaged by `damage`. */
function damagedCopy(damage: (dir: string) => void): string {
  const dir = small.path('copy');
  rmSync(dir, { recursive: true, force: true });
  cpSync(whole, dir, { recursive: true });
  damage(dir);
  return dir;
}

const DAMAGES: readonly (readonly [string, (dir: string) => void, string])[] = [
  ['other weights', (dir) => flipped(join(dir, active, 'weights.bin')), 'do not match the checksum'],
  ['weights without their end', (dir) => truncateSync(join(dir, active, 'weights.bin'), 1000), 'weights.bin: has 1000 bytes'],
  ['half a model.json', (dir) => truncateSync(join(dir, active, 'model.json'), 100), 'model.json: is not JSON'],
  ['another threshold', (dir) => edited(join(dir, active, 'model.json'), /"threshold": [\d.]+/, '"threshold": 0.5'), 'checksum'],
  ['no folder', (dir) => rmSync(join(dir, active), { recursive: true }), 'model.json'],
  ['the first model in its place', (dir) => cpSync(join(dir, 'model'), join(dir, active), { recursive: true }), 'is model '],
  ['other training data', (dir) => flipped(join(dir, active, 'training.bin.gz')), 'training.bin.gz'],
  ['other training data of the first model', (dir) => flipped(join(dir, 'model', 'training.bin.gz')), 'training.bin.gz'],
];

test.each(sample(DAMAGES, [0, 4, 6]))('a resumed crawl asks the witnesses of its models: %s', async (_name, damage, named) => {
  const dir = damagedCopy(damage);
  const before = readFileSync(join(dir, 'crawl.json'), 'utf8');
  const { code, stderr } = await forager('crawl', dir, '--proxy', proxy, '--max-pages', '40');
  expect(stderr).toContain(named);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(3);
  expect(readFileSync(join(dir, 'crawl.json'), 'utf8')).toBe(before);
});

test('commands that judge with the damaged model end with 3 as well, and one of another version with 2', async () => {
  const dir = damagedCopy((copy) => flipped(join(copy, active, 'weights.bin')));
  const url = jsonLines<LedgerLine>(await done('ledger', dir)).find(({ state }) => state === 'kept')?.url ?? '';
  expect(await forager('why', dir, url)).toMatchObject({ code: 3 });
  expect(await forager('label', 'train', dir)).toMatchObject({ code: 3 });
  const newer = damagedCopy((copy) => edited(join(copy, active, 'model.json'), /"version": \d+/, '"version": 99'));
  expect(await forager('crawl', newer, '--proxy', proxy, '--max-pages', '40')).toMatchObject({ code: 2 });
});

test('a crawl whose models are whole goes on, also without the training data that it may lack', async () => {
  const dir = damagedCopy((copy) => rmSync(join(copy, active, 'training.bin.gz')));
  expect(await forager('crawl', dir, '--proxy', proxy, '--max-pages', '32')).toMatchObject({ code: 0 });
});
