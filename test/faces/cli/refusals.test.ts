/** A command that refuses has changed nothing: all files before and after, by their sums. */
import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLI_COMMANDS } from '../../../src/faces/cli/cli.ts';
import { sample } from '../../support/extent.ts';
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

const pageOf = (corpus: string) =>
  (JSON.parse(readFileSync(path(corpus, 'corpus.jsonl'), 'utf8').split('\n', 1)[0] ?? '') as { url: string }).url;
const CRAWL = () => ['--topic', topic, '--seeds', small.seeds[0] ?? '', '--contact', 'a@b.example'];
/** Commands that read a crawl or a corpus, with the words behind it. */
const READERS: readonly (readonly string[])[] = [
  ...['status', 'ledger', 'verify', 'seeds', 'compact', 'repair', 'label', 'watch'].map((name) => [name]),
  ['why', 'http://a.example/'],
  ['versions', 'http://a.example/'],
  ['diff', 'http://a.example/'],
  ['label decide'],
  ['label export', 'labels.csv'],
];
/** Exit code, and words of the command line. */
const REFUSALS: readonly (readonly [number, () => readonly string[]])[] = [
  ...['c', 'c/corpus', 'c/corpus/new', 'c/model', 'to-corpus/new', 'h', 'mixed', 'thesis', 'plain', 'plain/below'].map(
    (out) => [2, () => ['harvest', c, '--out', path(out)]] as const,
  ),
  ...['mixed', 'thesis', 'plain', 'm', 'c', '.'].map((out) => [2, () => ['harvest', c, '--out', path(out), '--force']] as const),
  [2, () => ['harvest', path('h'), '--out', path('new')]],
  [2, () => ['harvest', c, '--out', path('new'), '--lang', 'klingon']],
  [2, () => ['harvest', c, '--out', path('new'), '--published', '2005..1990']],
  [2, () => ['harvest', c, '--out', path('new'), '--published', 'lately']],
  [2, () => ['harvest', c, '--out', path('new'), '--versions', 'at=lately']],
  [2, () => ['corpus', 'merge', path('h'), c, '--out', path('h'), '--force']],
  [2, () => ['corpus', 'merge', path('h'), '--out', path('c', 'frontier', 'x')]],
  [2, () => ['corpus', 'merge', path('gone'), '--out', path('deep', 'new')]],
  ...['h', 'mixed', 'thesis', 'plain', 'c/corpus/x'].map(
    (out) => [2, () => ['corpus', 'withdraw', path('h'), '--url', pageOf('h'), '--reason', 'x', '--out', path(out)]] as const,
  ),
  [2, () => ['corpus', 'withdraw', path('h'), '--url', 'http://none.example/', '--reason', 'x', '--out', path('deep', 'new')]],
  [2, () => ['corpus', 'withdraw', c, '--host', 'none.example', '--reason', 'x']],
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
  [2, () => ['crawl', path('deep', 'new'), ...CRAWL(), '--render', 'auto', '--browser', path('gone')]],
  [2, () => ['crawl', c, '--render', 'always', '--browser', path('plain')]],
  [2, () => ['crawl', c, '--log', path('c', 'corpus', 'records.jsonl')]],
  [2, () => ['crawl', c, '--log', path('h', 'corpus.jsonl')]],
  [2, () => ['label', 'export', c, path('c', 'crawl.json')]],
  [2, () => ['label', 'import', c, path('bad.csv')]],
  [2, () => ['label', 'audit', c, '--count', '0']],
  [2, () => ['label', c, '--no-retrain', '--even-if-worse']],
  [2, () => ['label', 'none-of', c, 'a.example', '--even-if-worse', '--no-retrain']],
  [2, () => ['label', 'none-of', path('thesis'), 'a.example']],
  [2, () => ['label', 'judge', c, '--judge-url', 'http://127.0.0.1:1/v1']],
  [2, () => ['label', 'train', path('thesis')]],
  [2, () => ['known', path('thesis'), '--from', path('plain'), '--out', path('k')]],
  [2, () => ['known', c, '--from', path('gone'), '--out', path('k')]],
  [2, () => ['known', c, '--from', path('plain'), '--out', path('c', 'crawl.json')]],
  [2, () => ['stability', path('thesis')]],
  [2, () => ['topics', path('thesis')]],
  [2, () => ['stability', c, '--pages', path('c', 'crawl.json')]],
  [2, () => ['corpus', 'bias', path('h'), '--frame', path('gone')]],
  [2, () => ['corpus', 'bias', path('h'), '--frame', 'random', '--weights', path('h', 'corpus.jsonl')]],
  [2, () => ['label', 'undo', c]],
  [2, () => ['init', path('c', 'corpus'), '--subject', 'x', '--examples', small.examples, '--seeds', 'http://a.example/', '--yes']],
  [2, () => ['repair', path('thesis')]],
  [2, () => ['compact', path('thesis')]],
  // A file, a path below one, and a folder of something else as a crawl or corpus.
  ...['plain', 'plain/below', 'thesis'].flatMap((dir) =>
    READERS.map(([command = '', ...words]) => [2, () => [...command.split(' '), path(dir), ...words]] as const),
  ),
  ...['plain', 'plain/below', 'thesis'].flatMap((dir) => [
    [2, () => ['harvest', path(dir), '--out', path('new')]] as const,
    [2, () => ['freeze', path(dir), '--out', path('new')]] as const,
    [2, () => ['link-model', path(dir), '--out', path('new')]] as const,
    [2, () => ['corpus', 'diff', path(dir), path('h')]] as const,
    [2, () => ['corpus', 'merge', path(dir), '--out', path('new')]] as const,
    [2, () => ['judge', path(dir), small.examples]] as const,
  ]),
  ...(['thesis', 'gone'] as const).map((dir) => [2, () => ['search', path(dir), 'peat']] as const),
  ...['plain', 'thesis', 'gone'].map((dir) => [2, () => ['rights', path(dir)]] as const),
  ...['plain', 'thesis', 'gone'].map((dir) => [2, () => ['pairs', path(dir), '--langs', 'en,fr', '--out', path('new')]] as const),
  ...['h', 'thesis', 'plain', 'c/corpus/x'].map((out) => [2, () => ['pairs', path('h'), '--langs', 'en,fr', '--out', path(out)]] as const),
  ...['en', 'en,en', 'en,fr,de', 'en,french'].map(
    (langs) => [2, () => ['pairs', path('h'), '--langs', langs, '--out', path('new')]] as const,
  ),
  // A file may be a database.
  [3, () => ['search', path('plain'), 'peat']],
  [2, () => ['crawl', path('plain')]],
  [2, () => ['open', path('plain')]],
  [2, () => ['gather', path('plain'), '--at', 'mysql://nobody']],
  [2, () => ['workers', 'pause', '--at', 'mysql://nobody']],
  [2, () => ['workers', 'explode', '--at', 'postgres://a@127.0.0.1:1/b?crawl=c']],
  [2, () => ['label', c, '--at', 'mysql://nobody']],
  [2, () => ['extract', path('gone')]],
  [2, () => ['links', path('gone')]],
  [2, () => ['sign-key', '--out', path('plain')]],
  [2, () => ['hunt', 'a b', 'x']],
  [2, () => ['eval', '--web', path('gone'), '--out', path('deep', 'eval')]],
  [2, () => ['config', '--config', path('gone.yaml')]],
  [2, () => ['completion', 'cmd.exe']],
];

/** `npm test` takes every second one. */
function everySecond<T>(refusals: readonly T[]): readonly T[] {
  return sample(
    refusals,
    refusals.map((_, i) => 2 * i),
  );
}

test('each command is refused at least once', () => {
  const named = new Set(REFUSALS.flatMap(([, words]) => [words()[0], words().slice(0, 2).join(' ')]));
  expect([...CLI_COMMANDS.map(({ name }) => name), 'config'].filter((name) => !named.has(name))).toEqual([]);
});

test.each(everySecond(REFUSALS.map(([code, words], i) => [i, code, words] as const)))(
  'refusal %i leaves all files equal',
  async (_, code, words) => {
    const before = sums();
    await refused(code, [], ...words());
    expect(sums()).toEqual(before);
  },
);
