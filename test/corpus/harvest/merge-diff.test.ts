/** Several corpora merged, and the differences of two: laws by drawn corpora, and each rule by an example. */
import '../../support/property-seed.ts';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type CorpusChange, compareCorpora, mergeCorpora, type OnePage, search } from 'forager';
import { expect, onTestFinished, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import { DataError, UsageError } from '../../../src/base/core/errors.ts';
import type { RecordId } from '../../../src/base/core/types.ts';
import type { CorpusCard } from '../../../src/corpus/describe/corpus-card.ts';
import { MAX_EDITS, wordDiff } from '../../../src/corpus/search/word-diff.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { runs, size } from '../../support/extent.ts';
import { T0 } from '../records/samples.ts';
import { readBack } from '../records/warcio-oracle.ts';
import { CRAWL, harvestOf, type WrittenPage, writtenCrawl } from './written-crawl.ts';

/** The build under test has its own classes, so errors are told by their names. */
const isNamed = (name: string) => (error: unknown) => error instanceof Error && error.constructor.name === name;

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'merge-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** One version of one page: equal ones have equal ids wherever they are. */
function pageOfVersion(page: number, version: number, text = `Text ${(page * 7 + version) % 5}`): WrittenPage {
  const hex = `${page}${version}`.padStart(12, '0');
  return {
    at: `http://host-${page % 3}.example/${page}`,
    id: `urn:uuid:00000000-0000-4000-8000-${hex}` as RecordId,
    fetchedAt: isoTime(T0 + version * 1000),
    text,
    html: `<p>${text}</p><a href="/${page + 1}">next</a>`,
  };
}

async function harvested(
  root: string,
  name: string,
  pages: readonly WrittenPage[],
  over: Parameters<typeof harvestOf>[2] = {},
): Promise<string> {
  const crawl = await writtenCrawl(join(root, `crawl-of-${name}`), pages);
  const out = join(root, name);
  await harvestOf(crawl, out, { formats: ['jsonl', 'warc'], ...over });
  return out;
}

async function pagesOf(dir: string): Promise<HarvestedPage[]> {
  const lines = (await readFile(join(dir, 'corpus.jsonl'), 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as HarvestedPage);
}

async function cardOf(dir: string): Promise<CorpusCard> {
  return JSON.parse(await readFile(join(dir, 'corpus-card.json'), 'utf8')) as CorpusCard;
}

async function changesOf(from: string, to: string) {
  const changes: CorpusChange[] = [];
  return { found: await compareCorpora(from, to, { onChange: (change) => changes.push(change) }), changes };
}

const corpus = fc
  .uniqueArray(fc.record({ page: fc.nat(7), version: fc.nat(2) }), { selector: ({ page }) => page, maxLength: 8 })
  .map((pages) => pages.map(({ page, version }) => pageOfVersion(page, version)));

test('merge(A, B) = merge(B, A), merge(A, A) = A, diff(A, A) is empty, and diff(A, B) mirrors diff(B, A)', async () => {
  await fc.assert(
    fc.asyncProperty(corpus, corpus, fc.constantFrom('exact' as const, 'none' as const), async (a, b, dedupe) => {
      const root = mkdtempSync(join(tmpdir(), 'merge-law-'));
      try {
        const [A, B] = [
          await harvested(root, 'A', a, { dedupe, formats: ['jsonl'] }),
          await harvested(root, 'B', b, { dedupe, formats: ['jsonl'] }),
        ];
        const merged = async (name: string, ...corpora: string[]) => (await mergeCorpora({ corpora, out: join(root, name), dedupe })).card;
        const [ab, ba] = [await merged('AB', A, B), await merged('BA', B, A)];
        expect(ba.version).toBe(ab.version);
        expect(await readFile(join(root, 'BA', 'corpus.jsonl'), 'utf8')).toBe(await readFile(join(root, 'AB', 'corpus.jsonl'), 'utf8'));
        expect(ba.crawl).toEqual(ab.crawl);
        const versionOfA = (await cardOf(A)).version;
        expect((await merged('AA', A, A)).version).toBe(versionOfA);
        // A copy of the folder elsewhere is the same corpus.
        const copy = await harvested(root, 'copy', a, { dedupe, formats: ['jsonl'] });
        expect((await merged('AC', copy, A)).version).toBe(versionOfA);
        const self = await changesOf(A, copy);
        expect([self.changes, self.found.same, self.found.from]).toEqual([[], self.found.to.pages, self.found.to]);
        const [there, back] = [await changesOf(A, B), await changesOf(B, A)];
        expect([there.found.added, there.found.gone, there.found.changed, there.found.refetched]).toEqual([
          back.found.gone,
          back.found.added,
          back.found.changed,
          back.found.refetched,
        ]);
        const { added, changed, refetched, same, to } = there.found;
        expect(added + changed + refetched + same).toBe(to.pages);
        if (dedupe === 'none') expect((await pagesOf(join(root, 'AB'))).map(({ id }) => id).sort()).toEqual(newestIds(a, b));
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    }),
    { numRuns: size(60, 2) },
  );
});

/** The newest version of each URL, by sorting; code of its own. */
function newestIds(...corpora: readonly (readonly WrittenPage[])[]): string[] {
  const all = corpora.flat().sort((a, b) => ((a.fetchedAt ?? '') < (b.fetchedAt ?? '') ? -1 : 1));
  return [...new Map(all.map(({ at, id }) => [at, String(id)])).values()].sort();
}

test('a version is the SHA-256 of the sorted ids, and each page names its corpus', async () => {
  const root = scratch();
  const A = await harvested(root, 'may', [pageOfVersion(1, 0), pageOfVersion(2, 1)]);
  const B = await harvested(root, 'june', [pageOfVersion(2, 2), pageOfVersion(3, 0)], {
    crawl: { ...CRAWL, topicName: 'moss', modelId: 'ffff' },
  });
  const { card } = await mergeCorpora({ corpora: [A, B], out: join(root, 'out'), formats: ['jsonl'], dedupe: 'none' });
  const pages = await pagesOf(join(root, 'out'));
  expect(new Map(pages.map(({ url, corpus: name }) => [url.slice(-1), name]))).toEqual(
    new Map([
      ['1', 'may'],
      ['2', 'june'],
      ['3', 'june'],
    ]),
  );
  const ids = pages.map(({ id }) => id).sort();
  expect(card.version).toBe(
    createHash('sha256')
      .update(`${ids.join('\n')}\n`)
      .digest('hex'),
  );
  expect(new Map(card.corpora?.map(({ name, topic, pages: count }) => [name, [topic.name, topic.modelId, count]]))).toEqual(
    new Map([
      ['may', ['orchards', CRAWL.modelId, 2]],
      ['june', ['moss', 'ffff', 2]],
    ]),
  );
  expect([card.topic.name, card.topic.modelId]).toEqual(['moss + orchards', `${CRAWL.modelId}+ffff`]);
  expect(card.precision).toBe(null);
  expect(await readFile(join(root, 'out', 'corpus-card.md'), 'utf8')).toContain(card.version ?? '-');
  // Merged once more, pages keep their origin.
  await mergeCorpora({ corpora: [join(root, 'out')], out: join(root, 'again'), dedupe: 'none' });
  expect((await pagesOf(join(root, 'again'))).map(({ corpus: name }) => name)).toEqual(pages.map(({ corpus: name }) => name));
});

test('copies of all corpora are omitted together, and WARC records are copied once', async () => {
  const root = scratch();
  const A = await harvested(root, 'A', [pageOfVersion(1, 0, 'same'), pageOfVersion(2, 0, 'two')]);
  const B = await harvested(root, 'B', [pageOfVersion(5, 1, 'same'), pageOfVersion(2, 0, 'two'), pageOfVersion(3, 0, 'three')]);
  const { card } = await mergeCorpora({ corpora: [A, B], out: join(root, 'out'), formats: ['jsonl', 'warc', 'links'] });
  expect(card.records).toMatchObject({ read: 4, kept: 3, leftOut: { exact: 1 } });
  const ids = (await pagesOf(join(root, 'out'))).map(({ id }) => id).sort();
  const warcs = (await readdir(join(root, 'out'))).filter((name) => name.endsWith('.warc.gz'));
  const records = (await Promise.all(warcs.map((name) => readBack(join(root, 'out', name))))).flat();
  expect(records.flatMap(({ type, id }) => (type === 'response' ? [id] : [])).sort()).toEqual(ids);
  for (const type of ['request', 'metadata'])
    expect(records.flatMap((record) => (record.type === type ? [record.concurrentTo] : [])).sort()).toEqual(ids);
  expect(card.links).toMatchObject({ links: 3, pagesWithout: 0 });
});

test('a part without WARC files, a folder that is no corpus, and an output among the inputs are refused', async () => {
  const root = scratch();
  const A = await harvested(root, 'A', [pageOfVersion(1, 0)]);
  const B = await harvested(root, 'B', [pageOfVersion(2, 0)], { formats: ['jsonl'] });
  const text = await harvested(root, 'text', [pageOfVersion(2, 0)], { formats: ['text'] });
  const merge = (corpora: string[], out = join(root, 'out')) => mergeCorpora({ corpora, out, formats: ['jsonl', 'warc'], force: true });
  await expect(merge([A, B])).rejects.toThrow(/1 of 2 pages have no WARC record/);
  await expect(merge([A, text])).rejects.toThrow(/has no corpus\.jsonl; harvest again with --format jsonl/);
  await expect(merge([A, join(root, 'none')])).rejects.toSatisfy(isNamed(UsageError.name));
  await expect(merge([])).rejects.toSatisfy(isNamed(UsageError.name));
  await expect(merge([A, B], A)).rejects.toSatisfy(isNamed(UsageError.name));
  await writeFile(join(B, 'corpus-card.json'), '{"format":');
  await expect(merge([A, B])).rejects.toSatisfy((error) => isNamed('DamageError')(error) || isNamed(DataError.name)(error));
  expect(existsSync(join(root, 'out'))).toBe(false);
  expect((await readdir(root)).some((name) => name.includes('partial'))).toBe(false);
});

test('a damaged line is an error, or one page less', async () => {
  const root = scratch();
  const A = await harvested(root, 'A', [pageOfVersion(1, 0), pageOfVersion(2, 0)], { formats: ['jsonl'] });
  const lines = (await readFile(join(A, 'corpus.jsonl'), 'utf8')).split('\n');
  await writeFile(join(A, 'corpus.jsonl'), [lines[0]?.slice(5), ...lines.slice(1)].join('\n'));
  await expect(mergeCorpora({ corpora: [A], out: join(root, 'out') })).rejects.toThrow(/corpus\.jsonl: has \d+ bytes and had \d+/);
  const told: string[] = [];
  const { card } = await mergeCorpora({ corpora: [A], out: join(root, 'out'), onDamaged: (message) => told.push(message) });
  expect([card.records.kept, card.damaged.records]).toEqual([1, 1]);
  expect(told[0]).toContain('has changed since it was written');
  expect(told[1]).toContain('corpus.jsonl:1: not JSON');
});

test('a merge that is stopped leaves nothing', async () => {
  const root = scratch();
  const A = await harvested(root, 'A', [pageOfVersion(1, 0, 'one'), pageOfVersion(2, 0, 'two'), pageOfVersion(3, 1, 'three')]);
  for (const stage of ['compare', 'select', 'write', 'warc']) {
    const stop = new AbortController();
    const progress = (at: { readonly stage: string; readonly done: number }) => {
      if (at.stage === stage && at.done === 2) stop.abort(new Error('stopped'));
    };
    const merging = mergeCorpora({
      corpora: [A],
      out: join(root, 'out'),
      formats: ['jsonl', 'warc', 'sqlite'],
      progress,
      signal: stop.signal,
    });
    await expect(merging).rejects.toThrow('stopped');
    expect((await readdir(root)).sort()).toEqual(['A', 'crawl-of-A']);
  }
});

test('a difference names the page, the words, and the rule that omits it', async () => {
  const root = scratch();
  const long = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
  const before = [
    pageOfVersion(1, 0, long),
    pageOfVersion(2, 0, 'stays'),
    pageOfVersion(3, 0, 'again'),
    pageOfVersion(4, 0, 'low'),
    pageOfVersion(6, 0, 'lost'),
  ];
  const edited = long.replace('word10 ', '').replace('word50', 'changed fifty').replace('word199', 'word199 end');
  const after = [
    { ...pageOfVersion(1, 1, edited), title: 'New title' },
    pageOfVersion(2, 0, 'stays'),
    pageOfVersion(3, 2, 'again'),
    { ...pageOfVersion(4, 0, 'low'), relevance: 0.1 },
    pageOfVersion(5, 0, 'new'),
  ];
  const [A, B] = [await harvested(root, 'A', before), await harvested(root, 'B', after, { minRelevance: 0.5 })];
  const { changes, found } = await changesOf(A, B);
  expect(found).toMatchObject({ added: 1, gone: 2, changed: 1, refetched: 1, same: 1, from: { pages: 5 }, to: { pages: 4 } });
  expect([found.from.version, found.to.version]).toEqual([(await cardOf(A)).version, (await cardOf(B)).version]);
  expect(changes.find(({ change }) => change === 'changed')).toMatchObject({
    url: 'http://host-1.example/1',
    title: { from: 'Grafting apple trees', to: 'New title' },
    wordsRemoved: 2,
    wordsAdded: 3,
    editCount: 3,
    edits: [
      { at: 10, removed: 'word10', added: '' },
      { at: 49, removed: 'word50', added: 'changed fifty' },
      { at: 200, removed: '', added: 'end' },
    ],
  });
  const alone = changes.filter((change): change is OnePage => 'omittedFor' in change);
  expect(alone.map(({ change, url, omittedFor }) => [change, url.slice(-1), omittedFor])).toEqual([
    ['added', '5', null],
    ['gone', '4', 'relevance'],
    ['gone', '6', null],
  ]);
  const back = (await changesOf(B, A)).changes.filter((change): change is OnePage => 'omittedFor' in change);
  expect(back.find(({ url }) => url.endsWith('4'))).toMatchObject({ change: 'added', omittedFor: 'relevance' });
  await writeFile(join(B, 'left-out.jsonl'), 'not json\n');
  await expect(changesOf(A, B)).rejects.toThrow(/left-out\.jsonl: has \d+ bytes and had/);
});

test('the edits of a text lead from one to the other', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', '我们', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(words, words, (before, after) => {
      const { edits, wordsAdded, wordsRemoved } = wordDiff(before.join(' '), after.join(' \n'));
      expect(applied(before, edits)).toEqual(after);
      expect(after.length - before.length).toBe(wordsAdded - wordsRemoved);
    }),
    { numRuns: runs(1000) },
  );
  expect(wordDiff('科学家研究水位', '科学家研究土壤').edits).toMatchObject([{ removed: '水位', added: '土壤' }]);
});

function applied(
  before: readonly string[],
  edits: readonly { readonly at: number; readonly removed: string; readonly added: string }[],
): string[] {
  const out: string[] = [];
  let rest = [...before];
  for (const { at, removed, added } of edits) {
    while (out.length < at) out.push(rest.shift() ?? '(nothing left)');
    const gone = removed === '' ? [] : removed.split(' ');
    expect(rest.slice(0, gone.length)).toEqual(gone);
    rest = rest.slice(gone.length);
    if (added !== '') out.push(...added.split(' '));
  }
  return [...out, ...rest];
}

test('texts of a hundred thousand words without a common one take little time, and few edits are listed', () => {
  const many = (word: string) => Array.from({ length: 100_000 }, (_, i) => `${word}${i}`).join(' ');
  const [before, after] = [`start ${many('a')} end`, `start ${many('b')} end`];
  expectWithin(5000, () => {
    const { editCount, wordsAdded, wordsRemoved } = wordDiff(before, after);
    expect([editCount, wordsAdded, wordsRemoved]).toEqual([1, 100_000, 100_000]);
  });
  const half = Array.from({ length: 600 }, (_, i) => (i % 2 === 0 ? 'same' : `x${i}`)).join(' ');
  const other = half.replaceAll('x', 'y');
  const cut = wordDiff(half, other);
  expect([cut.edits.length, cut.editCount]).toEqual([MAX_EDITS, 300]);
});

test('columns that hold for one harvest only are not in the merged corpus', async () => {
  const root = scratch();
  const pages = [0, 1, 2, 3].map((page) => pageOfVersion(page, 0, `Text of page ${page}`));
  const A = await harvested(root, 'A', pages, { split: [50, 50], sample: 3, qualityColumns: true, formats: ['jsonl', 'warc', 'links'] });
  expect((await pagesOf(A))[0]).toMatchObject({ split: expect.any(String), weight: expect.any(Number), pageRank: expect.any(Number) });
  await mergeCorpora({ corpora: [A], out: join(root, 'merged') });
  for (const page of await pagesOf(join(root, 'merged')))
    for (const name of ['split', 'weight', 'pageRank', 'quality']) expect(page).not.toHaveProperty(name);
});

/** Rewrites a harvest as Forager 0.2 wrote it: the declared tag in lower case is the language, and there are no sums. */
async function asEarlier(dir: string): Promise<void> {
  const path = join(dir, 'corpus.jsonl');
  const pages = (await pagesOf(dir)).map(({ langTag, lang, ...page }) => ({ ...page, lang: langTag?.toLowerCase() ?? lang }));
  const text = pages.map((page) => `${JSON.stringify(page)}\n`).join('');
  await writeFile(path, text);
  await rm(join(dir, 'SHA256SUMS'));
  const card = JSON.parse(await readFile(join(dir, 'corpus-card.json'), 'utf8')) as CorpusCard;
  const files = card.files.map((file) => (file.name === 'corpus.jsonl' ? { ...file, bytes: Buffer.byteLength(text) } : file));
  await writeFile(join(dir, 'corpus-card.json'), JSON.stringify({ ...card, files }));
}

test('the languages of a corpus of 0.2 join those of today: one code, and the tag beside it', async () => {
  const root = scratch();
  const tags = ['en-us', 'en', 'zh-hant-tw', 'de-ch', 'x-moss', 'eng-gb'];
  const some = (first: number) => tags.map((lang, i) => ({ ...pageOfVersion(first + i, 0, `Text of page ${first + i}`), lang }));
  const [old, now] = [await harvested(root, 'old', some(0)), await harvested(root, 'now', some(6))];
  await asEarlier(old);
  expect((await pagesOf(old)).map(({ lang }) => lang)).toContain('en-us');
  const out = join(root, 'both');
  await mergeCorpora({ corpora: [old, now], out, formats: ['jsonl', 'sqlite'] });
  const pages = await pagesOf(out);
  const of = (name: string) => pages.filter(({ corpus: one }) => one === name).map(({ lang, langTag }) => [lang, langTag]);
  expect(of('old')).toHaveLength(tags.length);
  expect(of('old')).toEqual(of('now'));
  const found = await search({ corpus: out, query: 'page', languages: ['en'], top: 20 });
  expect(found.total).toBe(pages.filter(({ lang }) => lang === 'en').length);
  const english = join(root, 'english');
  await mergeCorpora({ corpora: [old, now], out: english, languages: ['en'] });
  expect((await pagesOf(english)).map(({ lang }) => lang)).toEqual(Array.from({ length: found.total }, () => 'en'));
});
