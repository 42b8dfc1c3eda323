/** Commands on corpora: harvest with links and SQLite, search, merge and diff, from the crawl of a small web. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { CorpusChange, CorpusDiff, CorpusRecord, SearchAnswer } from 'forager';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../../dist/base/core/errors.js';
import type { CorpusCard } from '../../../src/corpus/describe/corpus-card.ts';
import type { LinkRow } from '../../../src/corpus/select/corpus-links.ts';
import { done, forager, jsonLines, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
const dir = path('crawl');

beforeAll(async () => {
  const { proxy } = await small.serve();
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 25 });
  await done('harvest', dir, '--out', path('all'), '--format', 'jsonl,warc,links,sqlite', '--dedupe', 'none');
});
afterAll(() => small.close());

const recordsOf = (name: string) =>
  jsonLines<CorpusRecord & { pageRank?: number; corpus?: string }>(readFileSync(path(name, 'corpus.jsonl'), 'utf8'));

test('links of a crawl, and the same of a merge of its harvest alone', async () => {
  const links = jsonLines<LinkRow>(readFileSync(path('all', 'links.jsonl'), 'utf8'));
  const urls = new Set<string>(recordsOf('all').map(({ url }) => url));
  expect(links.length).toBeGreaterThan(urls.size);
  for (const { url, target, targetId } of links) expect([urls.has(url), urls.has(target)]).toEqual([true, targetId !== null]);
  expect(recordsOf('all').reduce((sum, { pageRank = 0 }) => sum + pageRank, 0)).toBeCloseTo(1, 9);
  await done('corpus', 'merge', path('all'), '--out', path('again'), '--format', 'jsonl,links', '--dedupe', 'none');
  for (const name of ['links.jsonl', 'in-links.jsonl'])
    expect(readFileSync(path('again', name), 'utf8')).toBe(readFileSync(path('all', name), 'utf8'));
});

test('search finds words of the pages, in the folder and in the file', async () => {
  const [page] = recordsOf('all');
  const word = /\p{L}{7,}/u.exec(page?.text ?? '')?.[0] ?? '';
  expect(word).not.toBe('');
  const found = JSON.parse(await done('search', path('all'), `"${word}"`, '--top', '100', '--json')) as SearchAnswer;
  const scanned = recordsOf('all').filter(({ title, text }) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu').test(`${title}\n${text}`),
  );
  expect(found.hits.map(({ url }) => url).sort()).toEqual(scanned.map(({ url }) => url).sort());
  const lines = await done('search', path('all', 'corpus.sqlite'), word, '--top', '1');
  expect(lines).toContain('[');
  expect(lines).toContain('http://');
  expect(await done('search', path('all'), word, '--host', 'nowhere.example')).toMatch(/^0 pages/);
  await refused(EXIT.usage, ['--format jsonl,sqlite'], 'search', path('again'), word);
  // A word that no page has.
  for (const options of [[], ['--top', '100'], ['--lang', 'en,de']]) {
    const [query, same] = [`-zzzz "${word}"`, `"${word}" -zzzz`];
    expect(await done('search', path('all'), ...options, '--json', '--', query)).toBe(
      await done('search', path('all'), same, ...options, '--json'),
    );
  }
  await refused(EXIT.usage, ['-zzzz: has no word to search for'], 'search', '--', path('all'), '-zzzz');
});

test('merge of a crawl and its harvest is the harvest; diff of the two is empty', async () => {
  const card = JSON.parse(
    await done('corpus', 'merge', dir, path('all'), '--out', path('merged'), '--dedupe', 'none', '--json'),
  ) as CorpusCard;
  const all = JSON.parse(readFileSync(path('all', 'corpus-card.json'), 'utf8')) as CorpusCard;
  expect(card.version).toBe(all.version);
  expect(card.corpora?.map(({ pages }) => pages)).toEqual([all.records.kept, all.records.kept]);
  expect(new Set(recordsOf('merged').map(({ corpus }) => corpus)).size).toBe(1);
  const [total, ...none] = jsonLines<CorpusDiff>(await done('corpus', 'diff', dir, path('merged'), '--json'));
  expect(none).toEqual([]);
  expect(total).toMatchObject({ same: all.records.kept, added: 0, gone: 0, changed: 0, refetched: 0 });
});

test('merge selects and shapes as harvest does, and says what it wrote', async () => {
  const said = await done(
    'corpus',
    'merge',
    path('all'),
    '--out',
    path('drawn'),
    '--sample',
    '7',
    '--split',
    '50/50',
    '--format',
    'jsonl,text',
  );
  const pages = recordsOf('drawn') as (CorpusRecord & { split?: string })[];
  expect(
    pages
      .map(({ split }) => split)
      .sort()
      .join(),
  ).toMatch(/^(test,)+(train,)*train$/);
  expect(pages).toHaveLength(7);
  expect(said).toMatch(/omitted: /);
  expect(said).toMatch(/^ {2}text\/\*\.txt \(7\) +[\d,]+ bytes$/m);
  expect(said).toContain('croissant.json');
});

test('diff names the rule that omits a page', async () => {
  const least =
    recordsOf('all')
      .map(({ relevance }) => relevance)
      .sort((a, b) => a - b)[5] ?? 1;
  await done('harvest', dir, '--out', path('few'), '--min-relevance', String(least), '--dedupe', 'none');
  const changes = jsonLines<CorpusChange>(await done('corpus', 'diff', path('all'), path('few'), '--json')).slice(0, -1);
  expect(changes.length).toBe(5);
  for (const change of changes) expect(change).toMatchObject({ change: 'gone', omittedFor: 'relevance' });
  expect(await done('corpus', 'diff', path('all'), path('few'))).toContain('(now omitted: relevance)');
});

test('words that make no sense are refused, and nothing is written', async () => {
  await refused(EXIT.usage, ['--out'], 'corpus', 'merge', path('all'));
  await refused(EXIT.usage, ['compares two corpora'], 'corpus', 'diff', path('all'));
  await refused(
    EXIT.usage,
    ['--out: corpus diff does not read it; omit it'],
    'corpus',
    'diff',
    path('all'),
    path('few'),
    '--out',
    path('x'),
  );
  await refused(EXIT.usage, ['merge, diff'], 'corpus', 'split', path('all'));
  await refused(EXIT.usage, ['nothing: holds no corpus'], 'corpus', 'merge', path('nothing'), '--out', path('x'));
  await refused(EXIT.usage, ['corpora to merge', 'another'], 'corpus', 'merge', path('all'), '--out', path('all'), '--force');
  await refused(EXIT.usage, ['corpus merge'], 'harvest', path('all'), '--out', path('x'));
  await refused(EXIT.usage, ['another'], 'corpus', 'merge', path('all'), '--out', dir);
  expect(existsSync(path('x'))).toBe(false);
  expect(readdirSync(path()).filter((name) => name.includes('partial'))).toEqual([]);
  expect((await forager('corpus', '--help')).stdout).toContain('merge');
});
