/** A command that refuses has changed nothing: all files before and after, by their sums. */
import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
let topic = '';
const c = path('c');

beforeAll(async () => {
  const { proxy } = await small.serve();
  topic = await trainedOn(small);
  await crawl({ dir: c, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 20 });
  await done('harvest', c, '--out', path('h'));
  cpSync(topic, path('m'), { recursive: true });
  cpSync(path('h'), path('mixed'), { recursive: true });
  writeFileSync(path('mixed', 'notes.txt'), 'mine');
  mkdirSync(path('thesis'));
  writeFileSync(path('thesis', 'chapter.txt'), 'years of work');
  writeFileSync(path('plain'), 'x');
  writeFileSync(path('bad.csv'), 'url,label\nhttp://a.example/,perhaps\n');
  symlinkSync(path('c', 'corpus'), path('to-corpus'));
});
afterAll(() => small.close());

/** LMDB's table of readers changes with each reader. */
const IGNORED = /(^|\/)lock\.mdb$/;

function sums(folder = small.dir, prefix = ''): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const [file, shown] = [join(folder, name), prefix + name];
      const stat = lstatSync(file);
      if (stat.isSymbolicLink()) return [`${shown} -> ${readlinkSync(file)}`];
      if (stat.isDirectory()) return [`${shown}/`, ...sums(file, `${shown}/`)];
      return IGNORED.test(shown) ? [] : [`${shown} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`];
    });
}

const CRAWL = () => ['--topic', topic, '--seeds', small.seeds[0] ?? '', '--contact', 'a@b.example'];
/** Exit code, and words of the command line. */
const REFUSALS: readonly (readonly [number, () => readonly string[]])[] = [
  ...['c', 'c/corpus', 'c/corpus/new', 'c/model', 'to-corpus/new', 'h', 'mixed', 'thesis', 'plain', 'plain/below'].map(
    (out) => [2, () => ['harvest', c, '--out', path(out)]] as const,
  ),
  ...['mixed', 'thesis', 'plain', 'm', 'c', '.'].map((out) => [2, () => ['harvest', c, '--out', path(out), '--force']] as const),
  [2, () => ['harvest', path('h'), '--out', path('new')]],
  [2, () => ['harvest', c, '--out', path('new'), '--lang', 'klingon']],
  [2, () => ['corpus', 'merge', path('h'), c, '--out', path('h'), '--force']],
  [2, () => ['corpus', 'merge', path('h'), '--out', path('c', 'frontier', 'x')]],
  [2, () => ['corpus', 'merge', path('gone'), '--out', path('deep', 'new')]],
  ...['c/crawl.json', 'c/frontier/data.mdb', 'c/labels.jsonl', 'h/SHA256SUMS', 'm/model.json', 'thesis'].flatMap((out) => [
    [2, () => ['freeze', c, '--out', path(out), '--force']] as const,
    [2, () => ['link-model', c, '--out', path(out), '--force']] as const,
  ]),
  [2, () => ['freeze', c, '--out', path('plain')]],
  [2, () => ['link-model', c, '--out', path('plain')]],
  ...['c/model', 'c/models/x', 'h/corpus.jsonl', 'thesis', 'plain'].map(
    (out) => [2, () => ['train', small.examples, '--out', path(out), '--force']] as const,
  ),
  [2, () => ['train', small.examples, '--out', path('m')]],
  [2, () => ['train', path('gone'), '--out', path('deep', 'm')]],
  [2, () => ['crawl', path('c', 'corpus', 'x'), ...CRAWL()]],
  [2, () => ['crawl', path('thesis'), ...CRAWL(), '--force']],
  [2, () => ['crawl', c, '--force', '--topic', path('gone'), '--seeds', small.seeds[0] ?? '', '--contact', 'a@b.example']],
  [2, () => ['crawl', c, '--log', path('c', 'corpus', 'records.jsonl')]],
  [2, () => ['crawl', c, '--log', path('h', 'corpus.jsonl')]],
  [2, () => ['label', c, '--export-labels', path('c', 'crawl.json')]],
  [2, () => ['label', c, '--labels', path('bad.csv')]],
  [2, () => ['init', path('c', 'corpus'), '--subject', 'x', '--examples', small.examples, '--seeds', 'http://a.example/', '--yes']],
  [2, () => ['repair', path('thesis')]],
  [2, () => ['compact', path('thesis')]],
];

test.each(REFUSALS.map(([code, words], i) => [i, code, words] as const))('refusal %i leaves all files equal', async (_, code, words) => {
  const before = sums();
  await refused(code, [], ...words());
  expect(sums()).toEqual(before);
});
