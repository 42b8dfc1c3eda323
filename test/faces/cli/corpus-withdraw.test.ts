/** `corpus withdraw`: a page leaves every format of a corpus, and later harvests and runs of the crawl. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CorpusRecord } from 'forager';
import { crawl, ledger, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../../dist/base/core/errors.js';
import type { CorpusCard } from '../../../src/corpus/describe/corpus-card.ts';
import { FORMAT_NAMES } from '../../../src/corpus/formats/format-names.ts';
import { urlSha256, type Withdrawal } from '../../../src/corpus/records/withdrawals.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { filesWith, packedFilesWith, storedTexts } from '../../support/words-in-files.ts';
import { done, forager, jsonLines, refused, start } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
const dir = path('crawl');
/** In title, text, links and metadata of the page that is taken back, and in its URL. */
const WORD = 'zymurgquix';
const URL_WORD = 'takenbackpage';
const host = new URL(small.seeds[0] ?? '').host;
const gone = `http://${host}/${URL_WORD}.html`;
const found = `http://${host}/found-there.html`;

function pages(): ReadonlyMap<string, string> {
  const [first = '', second = ''] = small.web.examples(small.topic, 2);
  const head = `<title>${WORD} title</title><meta name="description" content="${WORD} description"><meta name="author" content="${WORD} author">`;
  const [seed] = small.seeds;
  const marked = first
    .replaceAll(/<\/?a\b[^>]*>/g, '')
    .replace(/<title>.*?<\/title>/s, head)
    .replace(/<p>/, `<p>${WORD} `)
    .replace(/<\/body>/i, `<p>${WORD} and <a href="${found}">${WORD} link</a> <a href="${seed}">more</a></p></body>`);
  return new Map([
    [gone, marked],
    [found, second.replace(/<p>/, '<p>One more page. ')],
  ]);
}

beforeAll(async () => {
  const { proxy } = await small.serve({ extra: pages() });
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: [gone], proxy, delay: 0, maxPages: 25, record: true });
  await done('harvest', dir, '--out', path('all'), '--format', FORMAT_NAMES.join(','), '--split', '50/50', '--csv-text', '--wacz-text');
});
afterAll(() => small.close());

const recordsOf = (name: string) => jsonLines<CorpusRecord>(readFileSync(path(name, 'corpus.jsonl'), 'utf8'));
const cardOf = (name: string) => JSON.parse(readFileSync(path(name, 'corpus-card.json'), 'utf8')) as CorpusCard;
const listOf = (name: string) => jsonLines<Withdrawal>(readFileSync(path(name, 'withdrawn.jsonl'), 'utf8'));
const idOf = (url: string) => recordsOf('all').find((page) => page.url === url)?.id ?? '';

/** Forms in which the page is seen before: the test can fail. */
const FORMS = [
  ...['corpus.jsonl', 'corpus.csv', 'links.parquet!rows', 'corpus.sqlite!pages', 'corpus-00000.warc.gz!', 'links.jsonl'],
  ...['corpus.conllu', 'corpus.vert', 'corpus.tei.xml', 'chunks.jsonl', 'pages.bib', 'pages.csl.json', 'metadata.csv'],
];

test('the page is in no byte of the new corpus, whose other pages are the same', async () => {
  const before = await filesWith(path('all'), WORD);
  for (const form of FORMS) expect.soft(before, form).toContain(form);
  expect(before.some((name) => name.startsWith('corpus.wacz!'))).toBe(true);
  expect(before.some((name) => name.startsWith('text/'))).toBe(true);
  expect(before.some((name) => /^data\/.*parquet!rows/.test(name))).toBe(true);
  expect(before.some((name) => name.startsWith('texts.zip!'))).toBe(true);

  const said = await done('corpus', 'withdraw', path('all'), '--url', gone, '--reason', 'asked by the author', '--out', path('less'));
  expect(said).toContain('1 page taken back');
  expect(await filesWith(path('less'), WORD)).toEqual([]);
  expect(await filesWith(path('less'), URL_WORD)).toEqual([]);

  const others = recordsOf('all').filter(({ url }) => url !== gone);
  const without = others.map((page) => (page.referrer === gone ? { ...page, referrer: null, anchorText: '' } : page));
  const ranked = ({ pageRank: _, ...page }: CorpusRecord & { pageRank?: number }) => page;
  expect(others.some(({ url, referrer }) => url === found && referrer === gone)).toBe(true);
  expect(recordsOf('less').map(ranked)).toEqual(without.map(ranked));
  const [old, card] = [cardOf('all'), cardOf('less')];
  expect(card.version).not.toBe(old.version);
  expect(card.harvest.formats).toEqual(old.harvest.formats);
  expect(card.harvest.filters).toEqual(old.harvest.filters);
  expect(card.records).toEqual({
    read: old.records.read,
    leftOut: { ...old.records.leftOut, withdrawn: 1 },
    kept: old.records.kept - 1,
  });
  expect(listOf('less')).toMatchObject([{ id: idOf(gone), urlSha256: urlSha256(gone), reason: 'asked by the author' }]);
  await done('verify', path('less'));
});

test('a second withdrawal keeps the first; a merge with the old corpus obeys both', async () => {
  const ids = path('ids.txt');
  writeFileSync(ids, `# one page\n${idOf(found)}\n`);
  await done('corpus', 'withdraw', path('less'), '--id', ids, '--reason', 'personal data', '--out', path('least'));
  expect(listOf('least').map(({ reason }) => reason)).toEqual(['asked by the author', 'personal data']);
  await done('verify', path('least'));
  await done('corpus', 'merge', path('all'), path('least'), '--out', path('merged'), '--format', 'jsonl,warc', '--dedupe', 'none');
  expect(
    recordsOf('merged')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(
    recordsOf('least')
      .map(({ id }) => id)
      .sort(),
  );
  expect(await filesWith(path('merged'), WORD)).toEqual([]);
  expect(await filesWith(path('merged'), URL_WORD)).toEqual([]);
  expect(listOf('merged')).toEqual(listOf('least'));
  expect(cardOf('merged').version).toBe(cardOf('least').version);
  expect(cardOf('merged').records.leftOut.withdrawn).toBe(2);
  await done('verify', path('merged'));
});

test('a corpus without any of its pages is written, with its list', async () => {
  const hosts = [...new Set(recordsOf('least').map(({ url }) => new URL(url).host))].flatMap((name) => ['--host', name]);
  const ended = await forager('corpus', 'withdraw', path('least'), ...hosts, '--reason', 'all', '--out', path('none'));
  expect(ended.code).toBe(EXIT.noPage);
  expect(listOf('none')).toHaveLength(cardOf('all').records.kept);
  await done('verify', path('none'));
});

test('a crawl keeps the list: harvests omit the page, and no run requests it', async () => {
  await done('corpus', 'withdraw', dir, '--url', gone, '--reason', 'asked by the author');
  const [one] = jsonLines<Withdrawal>(readFileSync(path('crawl', 'withdrawn.jsonl'), 'utf8'));
  expect(one).toMatchObject({ id: idOf(gone), urlSha256: urlSha256(gone) });
  await done('harvest', dir, '--out', path('later'), '--format', FORMAT_NAMES.join(','));
  expect(await filesWith(path('later'), WORD)).toEqual([]);
  expect(await filesWith(path('later'), URL_WORD)).toEqual([]);
  expect(cardOf('later').records.leftOut.withdrawn).toBe(1);
  expect(jsonLines<object>(readFileSync(path('later', 'left-out.jsonl'), 'utf8'))).toContainEqual({
    id: idOf(gone),
    reason: 'withdrawn',
    urlSha256: urlSha256(gone),
    date: one?.date,
    because: 'asked by the author',
  });
  await done('verify', path('later'));
  await done('verify', dir);
  expect(await done('corpus', 'withdraw', dir, '--url', gone, '--reason', 'again')).toContain('0 pages taken back');
  expect(jsonLines(readFileSync(path('crawl', 'withdrawn.jsonl'), 'utf8'))).toEqual([one]);
  const { proxy, pages: asked } = await small.serve({ extra: pages() });
  await crawl({ dir, proxy, delay: 0, maxPages: 28, revisit: 0 });
  expect(asked).toContain(found);
  expect(asked).not.toContain(gone);
  for await (const line of ledger(dir)) if (line.url === gone) expect(line.state).toBe('kept');
});

test('a purge leaves no byte of the page in the crawl, which verifies, harvests and runs as before', async () => {
  const copy = path('purged');
  cpSync(dir, copy, { recursive: true });
  expect((await packedFilesWith(copy, WORD)).length).toBeGreaterThan(3);
  await done('harvest', dir, '--out', path('before-purge'), '--format', 'jsonl,warc', '--dedupe', 'none');
  await done('corpus', 'withdraw', copy, '--url', gone, '--reason', 'asked', '--purge');
  expect(await packedFilesWith(copy, WORD)).toEqual([]);
  cpSync(copy, path('purged-only'), { recursive: true });
  await done('verify', copy);
  await done('harvest', copy, '--out', path('after-purge'), '--format', 'jsonl,warc', '--dedupe', 'none');
  expect(cardOf('after-purge').version).toBe(cardOf('before-purge').version);
  expect(recordsOf('after-purge')).toEqual(recordsOf('before-purge'));
  const { proxy, pages: asked } = await small.serve({ extra: pages() });
  await crawl({ dir: copy, proxy, delay: 0, maxPages: 32 });
  expect(asked.length).toBeGreaterThan(0);
  expect(asked).not.toContain(gone);
  for await (const line of ledger(copy)) if (line.url === gone) expect(line).toMatchObject({ state: 'refused', reason: 'withdrawn' });
  await done('verify', copy);
  await done('corpus', 'withdraw', copy, '--url', gone, '--reason', 'again', '--purge');
  await done('verify', copy);
});

test('the text of a page that was read and not kept leaves the frontier too', async () => {
  const copy = path('off-topic');
  cpSync(dir, copy, { recursive: true });
  let read = '';
  for await (const { url, state } of ledger(copy)) if (state === 'off-topic') read = url;
  expect(read).not.toBe('');
  const before = await storedTexts(copy);
  await done('corpus', 'withdraw', copy, '--url', read, '--reason', 'asked', '--purge');
  expect(await storedTexts(copy)).toBe(before - 1);
  for await (const line of ledger(copy)) if (line.url === read) expect(line).toMatchObject({ state: 'refused', reason: 'withdrawn' });
  await done('verify', copy);
});

test('the last step of a killed purge is ended by the next command', async () => {
  for (const moved of [[], ['corpus'], ['corpus', 'frontier']]) {
    const copy = path(`ended-${moved.length}`);
    cpSync(dir, copy, { recursive: true });
    mkdirSync(join(copy, '.purged'));
    for (const name of ['corpus', 'frontier']) {
      const to = moved.includes(name) ? join(copy, name) : join(copy, '.purged', name);
      rmSync(to, { recursive: true, force: true });
      cpSync(path('purged-only', name), to, { recursive: true });
    }
    await expect(status(copy)).rejects.toThrow('this command ends it');
    await done('verify', copy);
    expect(existsSync(join(copy, '.purged'))).toBe(false);
    expect(await packedFilesWith(copy, WORD)).toEqual([]);
  }
});

wholeTest('killed at any moment, a purge has happened or not', async () => {
  const states = new Set<string>();
  for (let ms = 300; ms <= 1300; ms += 100) {
    const copy = path(`killed-${ms}`);
    cpSync(dir, copy, { recursive: true });
    const purge = start(['corpus', 'withdraw', copy, '--url', gone, '--reason', 'asked', '--purge']);
    await sleep(ms);
    purge.child.kill('SIGKILL');
    await purge.ended;
    await done('verify', copy);
    const left = existsSync(join(copy, '.purging')) ? ['.purging'] : [];
    const found = (await packedFilesWith(copy, WORD)).filter((name) => !name.startsWith('.purging'));
    states.add(`${found.length > 0 ? 'before' : 'after'} ${left}`);
    await done('corpus', 'withdraw', copy, '--url', gone, '--reason', 'asked', '--purge');
    expect(await packedFilesWith(copy, WORD)).toEqual([]);
    await done('verify', copy);
  }
  expect(states.size).toBeGreaterThan(1);
});

test('faults of the call are named, and nothing is written', async () => {
  const call = (...words: string[]) => ['corpus', 'withdraw', path('all'), '--reason', 'x', ...words];
  await refused(
    EXIT.usage,
    ['--url http://nowhere.example/', 'no page of'],
    ...call('--url', 'http://nowhere.example/', '--out', path('x')),
  );
  await refused(EXIT.usage, ['--host nowhere.example'], ...call('--host', 'nowhere.example', '--out', path('x')));
  await refused(EXIT.usage, ['--id 7'], ...call('--id', '7', '--out', path('x')));
  await refused(EXIT.usage, ['no page is named'], ...call('--out', path('x')));
  await refused(EXIT.usage, ['is the corpus itself'], ...call('--url', gone, '--out', path('all'), '--force'));
  await refused(EXIT.usage, ['--purge is of a crawl'], ...call('--url', gone, '--purge'));
  await refused(EXIT.usage, ['--out is missing'], ...call('--url', gone));
  await refused(EXIT.usage, ['--reason'], 'corpus', 'withdraw', path('all'), '--url', gone, '--out', path('x'));
  await refused(EXIT.usage, ['is a crawl'], 'corpus', 'withdraw', dir, '--url', gone, '--reason', 'x', '--out', path('x'));
});
