/** The SQLite file of a corpus: read by Debian's sqlite3, and searched. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DataError, UsageError } from '../../../src/base/core/errors.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import { withWordBreaks, wordsOfRun } from '../../../src/base/text/word-breaks.ts';
import { MARK, searchDatabase } from '../../../src/corpus/search/corpus-search.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { size } from '../../support/extent.ts';
import { freshDir } from '../records/samples.ts';
import { SENTENCES } from './five-languages.ts';
import { harvestOf, type WrittenPage, writtenCrawl } from './written-crawl.ts';

const HAS_SQLITE3 = spawnSync('sqlite3', ['--version']).status === 0;
const LANGUAGES = Object.keys(SENTENCES);

/** Answers of Debian's own program, which shares no code with the one that wrote the file. */
function sqlite3(path: string, sql: string): Record<string, unknown>[] {
  const answer = execFileSync('sqlite3', ['-json', path], { input: sql, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return answer.trim() === '' ? [] : (JSON.parse(answer) as Record<string, unknown>[]);
}

function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Pages of three sentences each, in five languages. */
function pagesOfSentences(count: number): WrittenPage[] {
  const draw = chance(7);
  return Array.from({ length: count }, (_, i) => {
    const lang = LANGUAGES[i % LANGUAGES.length] ?? 'en';
    const all = SENTENCES[lang] ?? [];
    const [title = '', ...text] = Array.from({ length: 4 }, () => all[draw(all.length)] ?? '');
    return { at: `http://${lang}.example/${i}`, lang, title, text: text.join(lang === 'zh' || lang === 'th' ? '' : '\n') };
  });
}

/** Case and the diacritics of Latin letters do not count, as in the index. */
function folded(word: string): string {
  return word.toLowerCase().replace(/\p{sc=Latin}/gu, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** The words of a text: `Intl.Segmenter` over the whole of it, with no regard to scripts or runs. Words with an apostrophe are two, as in the index. */
function scannedWords(text: string): string[] {
  const segments = [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text)];
  return segments.filter(({ isWordLike }) => isWordLike).flatMap(({ segment }) => folded(segment).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []);
}

const WORDS = size(50, 10);

describe.skipIf(!HAS_SQLITE3)("by Debian's sqlite3 (left out where it is not installed)", () => {
  test(`counts of ${WORDS} words in each of five languages are those of a scan of the texts`, async () => {
    const dir = freshDir();
    const pages = pagesOfSentences(300);
    await harvestOf(await writtenCrawl(dir, pages), join(dir, 'out'), { formats: ['jsonl', 'sqlite'] });
    const path = join(dir, 'out', 'corpus.sqlite');
    const scanned = pages.map(({ lang, title, text }) => ({ lang, words: new Set(scannedWords(`${title}\n${text}`)) }));
    const ofTwo: string[] = [];
    for (const lang of LANGUAGES) {
      const all = [...new Set(scanned.filter((page) => page.lang === lang).flatMap(({ words }) => [...words]))].sort();
      const twice = all.filter((word) => word.length === 2 && /\p{sc=Han}/u.test(word));
      const chosen = [
        ...new Set([...twice.slice(0, WORDS / 2), ...all.filter((_, i) => i % Math.max(1, Math.floor(all.length / WORDS)) === 0)]),
      ].slice(0, WORDS);
      expect(chosen.length).toBe(WORDS);
      ofTwo.push(...twice.slice(0, WORDS / 2));
      const counts = chosen.map(
        (word) => `SELECT '${word}' AS word, (SELECT count(*) FROM search WHERE search MATCH '{title text} : "${word}"') AS pages`,
      );
      const answers = sqlite3(path, counts.join(' UNION ALL '));
      expect(answers).toEqual(chosen.map((word) => ({ word, pages: scanned.filter(({ words }) => words.has(word)).length })));
      expect(answers.every((answer) => Number(answer['pages']) > 0)).toBe(true);
    }
    expect(ofTwo.length).toBe(WORDS / 2);
  });

  test('tables have what the records have, and the index is sound', async () => {
    const dir = freshDir();
    const html = '<a href="http://a.example/1">one &amp; <b>two</b></a> <a href="http://x.example/" rel="nofollow ugc">x</a>';
    const crawl = await writtenCrawl(dir, [
      { at: 'http://a.example/0', html, title: `A "title"; it's 'quoted'`, lang: 'en', metadata: { ...NO_METADATA, authors: ['A', 'B'] } },
      {
        at: 'http://a.example/1',
        text: 'nul \0 and lone \ud800 surrogate',
        lang: null,
        reservation: { reserved: false, by: 'meta', policy: null },
      },
    ]);
    await harvestOf(crawl, join(dir, 'out'), { formats: ['jsonl', 'sqlite', 'links'] });
    const path = join(dir, 'out', 'corpus.sqlite');
    const lines = (await readFile(join(dir, 'out', 'corpus.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as HarvestedPage);
    const rows = sqlite3(path, 'SELECT * FROM pages ORDER BY n');
    expect(rows.length).toBe(2);
    for (const [i, { metadata, fields, reservation, topics, text, ...plain }] of lines.entries()) {
      expect(rows[i]).toMatchObject(plain);
      expect(rows[i]?.['text']).toBe(text.replace(/[\0\ud800]/g, '\ufffd'));
      expect([rows[i]?.['metadata'], rows[i]?.['fields']].map((cell) => JSON.parse(String(cell)))).toEqual([metadata, fields]);
      expect(rows[i]?.['reservation']).toBe(reservation ? JSON.stringify(reservation) : null);
      expect([rows[i]?.['topics'], topics]).toEqual([undefined, undefined]);
    }
    expect(
      sqlite3(
        path,
        'SELECT p.url, l.target, t.url AS inside, l.anchorText, l.rel, l.nofollow FROM links l JOIN pages p ON p.n = l.page LEFT JOIN pages t ON t.n = l.targetPage',
      ),
    ).toEqual([
      {
        url: 'http://a.example/0',
        target: 'http://a.example/1',
        inside: 'http://a.example/1',
        anchorText: 'one & two',
        rel: '[]',
        nofollow: 0,
      },
      { url: 'http://a.example/0', target: 'http://x.example/', inside: null, anchorText: 'x', rel: '["nofollow","ugc"]', nofollow: 1 },
    ]);
    expect(sqlite3(path, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    await copyFile(path, join(dir, 'copy.sqlite'));
    expect(sqlite3(join(dir, 'copy.sqlite'), "INSERT INTO search(search) VALUES ('integrity-check')")).toEqual([]);
    expect(sqlite3(path, "SELECT snippet(search, 1, '<', '>', '…', 4) AS snippet FROM search WHERE search MATCH 'surrogate'")).toHaveLength(
      1,
    );
  });

  test('columns that filters add are columns; nested ones are JSON', async () => {
    const dir = freshDir();
    const pages = [0, 1, 2].map((i) => ({ at: `http://a.example/${i}`, lang: 'en', text: `Page ${i} on a peat bog` }));
    const formats = ['jsonl', 'sqlite'] as const;
    await harvestOf(await writtenCrawl(dir, pages), join(dir, 'out'), { formats, qualityColumns: true, split: [50, 50], sample: 2 });
    const rows = sqlite3(
      join(dir, 'out', 'corpus.sqlite'),
      "SELECT id, split, weight, quality ->> '$.gopher.measures.words' AS words FROM pages",
    );
    const lines = (await readFile(join(dir, 'out', 'corpus.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(rows).toEqual(
      lines.map((line) => JSON.parse(line) as HarvestedPage).map(({ id, split, weight }) => ({ id, split, weight, words: 6 })),
    );
  });
});

async function searchable(pages: readonly WrittenPage[]): Promise<string> {
  const dir = freshDir();
  await harvestOf(await writtenCrawl(dir, pages), join(dir, 'out'), { formats: ['sqlite'] });
  return join(dir, 'out');
}

const PAGES: readonly WrittenPage[] = [
  { at: 'http://a.example/1', lang: 'en', title: 'Peat', text: 'Bogs are flooded. A bog stores carbon.' },
  { at: 'http://a.example/2', lang: 'en', title: 'Gardens', text: 'The gardener floods his garden; peat is not needed.' },
  { at: 'http://b.example/3', lang: 'de-AT', title: 'Häuser', text: 'In den Häusern am Moor.' },
  { at: 'http://b.example/4', lang: 'zh', title: '湿地', text: '我们喜欢在秋天去公园散步。科学家研究沼泽。' },
  { at: 'http://b.example/5', lang: 'en', title: 'Raised bog', text: 'A raised bog is fed by rain.' },
  { at: 'http://b.example/6', lang: 'en', title: 'Other', text: 'A bog was raised by a metre.' },
];

const QUERIES: readonly (readonly [query: string, urls: readonly number[]])[] = [
  ['bog', [1, 5, 6]],
  ['bogs', [1, 5, 6]],
  ['"bogs"', [1]],
  ['flood', [1, 2]],
  ['"raised bog"', [5]],
  ['raised bog', [5, 6]],
  ['bog -carbon', [5, 6]],
  ['peat -"bog"', [2]],
  ['carbon OR rain', [1, 5]],
  ['peat carbon OR garden', [1, 2]],
  ['gard*', [2]],
  ['haus', [3]],
  ['hauser', [3]],
  ['公园', [4]],
  ['喜欢 沼泽', [4]],
  ['科学家研究', [4]],
  ['湿地 公园', [4]],
  ['nothing', []],
  ['a"b OR ) NEAR( title: * ^', []],
];

test.each(QUERIES)('query %s', async (query, wanted) => {
  const corpus = await searchable(PAGES);
  const { hits, total } = await searchDatabase(corpus, { query, languages: [], top: 10 });
  expect(hits.map(({ url }) => Number(url.slice(-1))).sort()).toEqual(wanted);
  expect(total).toBe(wanted.length);
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
});

test('language, host and number of pages limit the answer; total counts all', async () => {
  const corpus = await searchable(PAGES);
  const urls = async (over: object) =>
    (await searchDatabase(corpus, { query: 'haus OR bog', languages: [], top: 10, ...over })).hits
      .map(({ url }) => Number(url.slice(-1)))
      .sort();
  expect(await urls({ languages: ['de'] })).toEqual([3]);
  expect(await urls({ languages: ['de', 'en'], host: 'b.example' })).toEqual([3, 5, 6]);
  expect(await urls({ host: 'c.example' })).toEqual([]);
  const { total, hits } = await searchDatabase(corpus, { query: 'bog', languages: [], top: 1 });
  expect([total, hits.length, hits[0]?.title]).toEqual([3, 1, 'Raised bog']);
});

test('snippets mark matches, also those of a stem, without the marks of word boundaries', async () => {
  const corpus = await searchable(PAGES);
  const snippet = async (query: string) =>
    (await searchDatabase(corpus, { query, languages: [], top: 10 })).hits[0]?.snippet
      .replaceAll(MARK.start, '[')
      .replaceAll(MARK.end, ']');
  expect(await snippet('carbon')).toContain('stores [carbon]');
  expect(await snippet('flooding -gardener')).toBe('Bogs are [flooded]. A bog stores carbon.');
  expect(await snippet('公园')).toBe('我们喜欢在秋天去[公园]散步。科学家研究沼泽。');
  expect(await snippet('湿地')).toBe('湿地');
});

test('a corpus without the file, another file, a damaged one, and queries without words: each message says what to do', async () => {
  const dir = freshDir();
  await harvestOf(await writtenCrawl(dir, PAGES), join(dir, 'out'));
  const ask = (corpus: string, query = 'bog') => searchDatabase(corpus, { query, languages: [], top: 1 });
  await expect(ask(join(dir, 'out'))).rejects.toThrow(/has no corpus\.sqlite to search; harvest again with --format jsonl,sqlite/);
  await expect(ask(join(dir, 'none'))).rejects.toBeInstanceOf(UsageError);
  await writeFile(join(dir, 'other'), 'no database '.repeat(1000));
  await expect(ask(join(dir, 'other'))).rejects.toBeInstanceOf(DataError);
  await writeFile(join(dir, 'empty'), '');
  await expect(ask(join(dir, 'empty'))).rejects.toBeInstanceOf(DataError);
  const corpus = await searchable(PAGES);
  await expect(ask(corpus, ' -bog ... ')).rejects.toThrow(/has no word to search for/);
  await expect(ask(corpus, 'x'.repeat(1001))).rejects.toThrow(/at most 1000/);
  await expect(ask(corpus, 'x '.repeat(51))).rejects.toThrow(/at most 50/);
});

test('searches at one time change neither the file nor its folder, where SQLite would put its lock', async () => {
  const corpus = await searchable(PAGES);
  const file = join(corpus, 'corpus.sqlite');
  const times = async () => [(await stat(corpus)).mtimeMs, (await stat(file)).mtimeMs];
  const before = await times();
  const answers = await Promise.all([1, 2, 3].map(() => searchDatabase(file, { query: 'bog', languages: [], top: 5 })));
  expect(answers.map(({ total }) => total)).toEqual([3, 3, 3]);
  expect(await times()).toEqual(before);
});

test('an interrupted harvest leaves neither file nor lock', async () => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, pagesOfSentences(40));
  const stop = new AbortController();
  const progress = ({ stage, done }: { readonly stage: string; readonly done: number }) => {
    if (stage === 'write' && done === 20) stop.abort(new Error('stopped'));
  };
  await expect(harvestOf(crawl, join(dir, 'out'), { formats: ['sqlite', 'links'], signal: stop.signal, progress })).rejects.toThrow(
    'stopped',
  );
  expect(await readdir(dir)).toEqual(['corpus']);
  await harvestOf(crawl, join(dir, 'out'), { formats: ['sqlite', 'links'] });
  expect((await readdir(join(dir, 'out'))).sort()).toEqual(
    expect.arrayContaining(['corpus-card.json', 'corpus-card.md', 'corpus.sqlite', 'in-links.jsonl', 'left-out.jsonl', 'links.jsonl']),
  );
});

test('the same corpus gives the same file, byte for byte, and the card has its hash', async () => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, pagesOfSentences(60));
  const made = [];
  for (const name of ['first', 'second'])
    made.push((await harvestOf(crawl, join(dir, name), { formats: ['sqlite'] })).card.files.find((file) => file.name === 'corpus.sqlite'));
  expect(made[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(made[1]).toEqual(made[0]);
});

test('words of a run of any length join to the run, and a cut changes none', () => {
  const sentence = (SENTENCES['zh'] ?? []).join('').replace(/[，。、]/g, '');
  const long = sentence.repeat(30);
  const words = wordsOfRun(long);
  expect(words.join('')).toBe(long);
  const whole = [...new Intl.Segmenter('und', { granularity: 'word' }).segment(long)].map(({ segment }) => segment);
  const same = words.filter((word) => whole.includes(word)).length;
  expect(same / words.length).toBeGreaterThan(0.99);
  expect(withWordBreaks('no such script, café')).toBe(null);
  expect(withWordBreaks('用Node写代码')?.split('\u200b')).toEqual(['用', 'Node', '写', '代码']);
});
