/** Examples that are URLs as seeds, and the end of a crawl that never visited a host of its examples. */
import { readFileSync, writeFileSync } from 'node:fs';
import { crawl, train } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalize } from '../../../src/base/web/url.ts';
import { forager, refused } from '../cli/forager.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
const { path } = small;
const FOREIGN = 'http://foreign.example/page';
let proxy = '';

/** A model whose examples have the URLs of pages, and one of a host that nobody links to. */
beforeAll(async () => {
  ({ proxy } = await small.serve());
  const urls = [...small.web.seeds('topic-1', 11), FOREIGN];
  const lines = small.web.examples('topic-1', 12).map((html, i) => JSON.stringify({ url: urls[i], html }));
  writeFileSync(path('examples.jsonl'), lines.join('\n'));
  await train({ examples: [path('examples.jsonl')], out: path('with-urls'), wordVectors: 'none' });
});
afterAll(() => small.close());

const seedsOf = (dir: string) => (JSON.parse(readFileSync(path(dir, 'crawl.json'), 'utf8')) as { readonly seeds: string[] }).seeds;

test('the URLs of the examples are seeds, with others and alone, and later for a crawl that has begun', async () => {
  const options = { topic: path('with-urls'), proxy, delay: 0, maxPages: 2, contact: 'a@b.example' };
  await crawl({ ...options, dir: path('alone'), seedsFromExamples: true });
  expect(seedsOf('alone')).toHaveLength(12);
  expect(seedsOf('alone')).toContain(FOREIGN);
  const [seed = ''] = small.seeds;
  await crawl({ ...options, dir: path('later'), seeds: [seed] });
  expect(seedsOf('later')).toEqual([canonicalize(seed)]);
  await crawl({ dir: path('later'), proxy, maxPages: 3, seedsFromExamples: true });
  expect(new Set(seedsOf('later'))).toEqual(new Set([canonicalize(seed), ...seedsOf('alone')]));
});

test('without it, the end of a crawl names hosts of the examples that it never visited', async () => {
  const words = ['--topic', path('with-urls'), '--proxy', proxy, '--delay', '0', '--contact', 'a@b.example', '--max-pages', '20'];
  const { stdout, code } = await forager('crawl', path('ends'), ...words, '--seeds', ...small.seeds);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\d+ of \d+ example hosts? (?:was|were) not visited: .*foreign\.example/);
});

test('examples without a URL are refused, before anything is written', async () => {
  const topic = await trainedOn(small);
  await refused(
    2,
    ['--seeds-from-examples: no example of', 'has a URL; give --seeds'],
    'crawl',
    path('none'),
    '--topic',
    topic,
    '--seeds-from-examples',
  );
  await refused(
    2,
    ['a new crawl needs seeds; give --seeds <url or file>, or --seeds-from-examples'],
    'crawl',
    path('none'),
    '--topic',
    topic,
  );
  expect(() => readFileSync(path('none', 'crawl.json'))).toThrow(/ENOENT/);
});
