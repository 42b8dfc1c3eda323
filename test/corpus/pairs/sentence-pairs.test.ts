/** The whole way from a corpus to sentence pairs: places, counts, reasons, formats, splits. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sentencePairs, verify, withdraw } from 'forager';
import { DOMParser } from 'linkedom';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { oneLineOf } from '../../../src/base/text/segments.ts';
import type { PairsCard } from '../../../src/corpus/pairs/pairs-card.ts';
import { withdrawalOf } from '../../../src/corpus/records/withdrawals.ts';
import { bilingualPages } from '../../support/bilingual-pages.ts';
import { withDuckDb } from '../harvest/duckdb.ts';
import { has, run } from '../harvest/harvest-samples.ts';
import type { WrittenPage } from '../harvest/written-crawl.ts';
import { corpusOf, linesIn, pairLinesIn, recordOfPage, rowsIn, textsOf } from './bilingual-corpus.ts';

const HAS_POCOUNT = await has('pocount', '--version');
if (!HAS_POCOUNT) console.log('The test of TMX by pocount is left out: it is not installed (Debian: translate-toolkit)');

const root = mkdtempSync(join(tmpdir(), 'sentence-pairs-'));
const out = join(root, 'out');
const made = [...bilingualPages({ pagePairs: 12, sentences: 20, lost: 0.1 })];
const pages = made.map((page) => recordOfPage(page));
const ODD: readonly WrittenPage[] = [
  { at: 'http://valley.example/de/seite', lang: 'de', text: 'Der Gärtner sucht am Morgen einen Korb mit Äpfeln hinter dem Bahnhof.' },
  {
    at: 'http://valley.example/en/alone',
    lang: 'en',
    text: 'Nothing of this page stands anywhere else; it is about submarines, copper mines and the price of tin.',
  },
  { at: 'http://valley.example/en/empty', lang: 'en', text: '' },
];
let corpus: string;
let card: PairsCard;

beforeAll(async () => {
  corpus = await corpusOf(root, [...pages, ...ODD]);
  ({ card } = await sentencePairs({ corpus, out, langs: ['en', 'fr'], formats: ['tmx', 'tsv', 'jsonl', 'parquet'] }));
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Pairs of other pages, in a folder of their own. */
async function pairsOf(written: readonly WrittenPage[], over: Partial<Parameters<typeof sentencePairs>[0]> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'sentence-pairs-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const own = await corpusOf(dir, written);
  const report = await sentencePairs({ corpus: own, out: join(dir, 'out'), langs: ['en', 'fr'], formats: ['jsonl'], ...over });
  return { card: report.card, out: join(dir, 'out') };
}

test('the texts of a pair are those at its places in the main texts', () => {
  const texts = textsOf(corpus);
  const lines = pairLinesIn(out);
  expect(lines.length).toBeGreaterThan(150);
  for (const { left, right, leftId, leftStart, leftEnd, rightId, rightStart, rightEnd } of lines) {
    expect(left).toBe(oneLineOf((texts.get(leftId) ?? '').slice(leftStart, leftEnd)));
    expect(right).toBe(oneLineOf((texts.get(rightId) ?? '').slice(rightStart, rightEnd)));
  }
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});

test('sentences are paired with their translations', () => {
  const twins = new Set(made.flatMap((page) => page.twins.map((both) => both.join('\n'))));
  const ones = pairLinesIn(out).filter(({ kind }) => kind === '1-1');
  const right = ones.filter((line) => twins.has(`${line.left}\n${line.right}`));
  expect(right.length / ones.length).toBeGreaterThan(0.97);
});

test('all formats have the same pairs', async () => {
  const lines = pairLinesIn(out);
  const rows = rowsIn(join(out, 'pairs.tsv'));
  expect(rows.map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
  expect(rows.map(({ left, right, score }) => [left, right, Number(score)])).toEqual(
    lines.map(({ left, right, score }) => [left, right, score]),
  );
  const table = await withDuckDb((ask) =>
    ask(`SELECT "id", "left", "right", "leftStart" FROM read_parquet('${join(out, 'pairs.parquet')}')`),
  );
  expect(table).toEqual(lines.map(({ id, left, right, leftStart }) => ({ id, left, right, leftStart })));
  const units = [...new DOMParser().parseFromString(readFileSync(join(out, 'pairs.tmx'), 'utf8'), 'text/xml').querySelectorAll('tu')];
  expect(units.map((unit) => [...unit.querySelectorAll('seg')].map((seg) => seg.textContent))).toEqual(
    lines.map(({ left, right }) => [left, right]),
  );
  expect(units.map((unit) => unit.getAttribute('tuid'))).toEqual(lines.map(({ id }) => id));
});

test.skipIf(!HAS_POCOUNT)("Debian's translate-toolkit counts the same pairs", async () => {
  const counted = await run('pocount', ['--csv', join(out, 'pairs.tmx')]);
  expect(counted.stdout.trim().split('\n').at(-1)?.split(',')[1]?.trim()).toBe(String(card.pairs.kept));
});

test('each page that is in no pair has one reason, and each sentence pair is kept or dropped for one', () => {
  const rows = rowsIn(join(out, 'pages.tsv'));
  expect(Object.fromEntries(rows.map(({ url, reason }) => [url?.split('/').at(-1), reason]))).toEqual({
    seite: 'other-language',
    alone: expect.stringMatching(/^(no-candidate|too-unlike|partner-taken)$/),
    empty: 'empty-text',
  });
  expect(rows.every(({ explanation = '' }) => explanation.length > 10)).toBe(true);
  const { read, paired, without } = card.pages;
  expect(read).toBe(27);
  expect(paired + Object.values(without).reduce((sum, count) => sum + (count ?? 0), 0)).toBe(read);
  const { aligned, dropped, kept } = card.pairs;
  expect(kept + Object.values(dropped).reduce((sum, count) => sum + (count ?? 0), 0)).toBe(aligned);
  expect(kept).toBe(pairLinesIn(out).length);
  const pairs = rowsIn(join(out, 'page-pairs.tsv'));
  expect(pairs).toHaveLength(12);
  expect(pairs.reduce((sum, row) => sum + Number(row['written']), 0)).toBe(kept);
  for (const { leftSentences, leftAlone, aligned: beads } of pairs)
    expect(Number(leftSentences) - Number(leftAlone)).toBeGreaterThanOrEqual(Number(beads));
});

test('the card describes filters, hosts and files, and what rests on the model alone', async () => {
  expect(card.hosts.top[0]).toMatchObject({ host: 'valley.example', pagePairs: 12, kept: card.pairs.kept });
  const markdown = readFileSync(join(out, 'README.md'), 'utf8');
  for (const title of ['By the model alone', 'Pages', 'Filters', 'Columns']) expect(markdown).toContain(`## ${title}`);
  expect(markdown).toContain('no person has checked them');
  const listed = linesIn(join(out, 'SHA256SUMS')).flatMap((line) => (line.startsWith('#') ? [] : [line.slice(66)]));
  expect([...listed, 'SHA256SUMS'].sort()).toEqual((await readdir(out)).sort());
});

test('few pairs teach no words, and the card says so', async () => {
  const prose = [
    ['Moss has no roots. It drinks with its leaves.', "La mousse n'a pas de racines. Elle boit avec ses feuilles."],
    [
      'Cranes rest there in October. The bog lies between two hills.',
      "Les grues s'y reposent en octobre. La tourbière se trouve entre deux collines.",
    ],
  ] as const;
  const few = prose.flatMap((sides, i) =>
    sides.map((text, side): WrittenPage => {
      const at = (which: number) => `http://moss.example/${which === 0 ? 'en' : 'fr'}/${i}`;
      const alternates = [{ lang: side === 0 ? 'fr' : 'en', url: at(1 - side) as CanonicalUrl }];
      return { at: at(side), lang: side === 0 ? 'en' : 'fr', text, metadata: { ...NO_METADATA, alternates } };
    }),
  );
  const small = await pairsOf(few);
  expect(small.card.learned).toBe(0);
  expect(small.card.byModelAlone.join()).toContain('no table of words');
  expect(small.card.pairs.kept).toBeGreaterThanOrEqual(2);
  expect(card.learned).toBeGreaterThan(100);
  expect(card.byModelAlone.join()).toContain(`learned from ${card.learned} pairs`);
});

test('verify finds the folder whole, and names a file that has changed', async () => {
  const { out: own } = await pairsOf(pages.slice(0, 6));
  expect((await verify({ dir: own })).faults).toBe(0);
  await appendFile(join(own, 'pairs.jsonl'), 'x');
  const { checks } = await verify({ dir: own });
  expect(checks.flatMap(({ faults }) => faults)).toEqual([expect.stringMatching(/pairs\.jsonl: has changed since it was written/)]);
});

test('pages that were taken back, or reserve their rights, are in no pair', async () => {
  const [english, french, second, ...rest] = pages as [WrittenPage, WrittenPage, WrittenPage, ...WrittenPage[]];
  const reservation = { reserved: true, by: 'meta', policy: null } as const;
  const dir = mkdtempSync(join(tmpdir(), 'sentence-pairs-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const own = await corpusOf(dir, [english, french, { ...second, reservation }, ...rest]);
  // A harvest omits them itself: here the list came later, and the harvest included reserved pages.
  const taken = withdrawalOf({ id: english.id ?? null, url: english.at as CanonicalUrl }, '2026-11-01T00:00:00Z', 'request of the author');
  await writeFile(join(own, 'withdrawn.jsonl'), `${JSON.stringify(taken)}\n`);
  await sentencePairs({ corpus: own, out: join(dir, 'out'), langs: ['en', 'fr'], formats: ['jsonl', 'tmx'] });
  for (const name of ['pairs.jsonl', 'pairs.tmx', 'pages.tsv', 'page-pairs.tsv', 'README.md', 'pairs-card.json'])
    expect(readFileSync(join(dir, 'out', name), 'utf8')).not.toContain(`${english.at}"`);
  const urls = new Set(pairLinesIn(join(dir, 'out')).flatMap(({ leftUrl, rightUrl }) => [leftUrl, rightUrl]));
  expect([english.at, french.at, second.at].filter((url) => urls.has(url))).toEqual([]);
  expect(existsSync(join(dir, 'out', 'withdrawn.jsonl'))).toBe(true);
  const reasons = rowsIn(join(dir, 'out', 'pages.tsv')).map(({ reason }) => reason);
  expect(reasons).toContain('withdrawn');
});

test('a page that a crawl kept as the alternate of another is declared by it', async () => {
  const plain = made.map((page) => recordOfPage(page, false));
  const kept = plain.map((page, i) => (i % 2 === 0 ? page : { ...page, alternateOf: plain[i - 1]?.at as CanonicalUrl }));
  expect((await pairsOf(plain)).card.pagePairs.by.hreflang).toBe(undefined);
  expect((await pairsOf(kept)).card.pagePairs.by).toEqual({ hreflang: 12 });
});

test('a split keeps a page pair, and near-duplicate pages, in one part', async () => {
  const copies = pages.slice(0, 4).map(
    (page, i): WrittenPage => ({
      ...page,
      at: page.at.replace('page-', 'copy-'),
      id: page.id?.replace('-8000-', '-9000-') as NonNullable<WrittenPage['id']>,
      text: `${page.text} ${i % 2 === 0 ? 'One more line is here.' : 'Une ligne de plus est ici.'}`,
      metadata: {
        ...(page.metadata as NonNullable<WrittenPage['metadata']>),
        alternates: page.metadata?.alternates.map((one) => ({ ...one, url: one.url.replace('page-', 'copy-') as CanonicalUrl })) ?? [],
      },
    }),
  );
  const found = await pairsOf([...pages, ...copies], { split: [50, 50] });
  const lines = pairLinesIn(found.out);
  const parts = new Map<string, Set<string>>();
  for (const { leftUrl, split = '' } of lines) {
    const page = leftUrl.replace('copy-', 'page-');
    parts.set(page, (parts.get(page) ?? new Set()).add(split));
  }
  expect([...parts.values()].every(({ size }) => size === 1)).toBe(true);
  expect(lines.some(({ leftUrl }) => leftUrl.includes('copy-'))).toBe(true);
  const { train = 0, test: tested = 0 } = found.card.split?.pairs ?? {};
  expect(train + tested).toBe(lines.length);
  expect(Math.min(train, tested)).toBeGreaterThan(lines.length / 4);
});

test('a higher least score gives fewer pairs, all of which were there before', async () => {
  const before = pairLinesIn(out);
  const scores = [...new Set(before.map(({ score }) => score))].sort((a, b) => a - b);
  const sure = await pairsOf(pages, { minScore: scores[Math.floor(scores.length / 2)] ?? 1 });
  const all = new Set(before.map(({ left }) => left));
  const lines = pairLinesIn(sure.out);
  expect(lines.length).toBeLessThan(all.size);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter(({ left }) => !all.has(left))).toEqual([]);
  expect(sure.card.pairs.dropped.score).toBeGreaterThan(card.pairs.dropped.score ?? 0);
});

test('pages that all pairs of a host repeat count as a template', async () => {
  const line = (page: WrittenPage) =>
    page.lang === 'en'
      ? 'All photographs belong to the museum of the valley.'
      : 'Toutes les photographies appartiennent au musée de la vallée.';
  const found = await pairsOf(pages.map((page) => ({ ...page, text: `${page.text}\n\n${line(page)}` })));
  expect(found.card.pairs.dropped.template).toBe(11);
  expect(pairLinesIn(found.out).filter(({ left }) => left.startsWith('All photographs'))).toHaveLength(1);
});

test('no page pair counts as declared by both pages without a declaration', async () => {
  const found = await pairsOf(made.map((page) => recordOfPage(page, false)));
  expect(found.card.pagePairs).toMatchObject({ count: 12, reciprocal: 0 });
});

test('a region that is asked for has the pages that declare it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sentence-pairs-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const regions = ['fr-ca', 'fr-ca', 'fr-fr', 'fr'];
  const regional = made.map((page, i) => ({ ...recordOfPage(page), ...(page.lang === 'fr' && { lang: regions[(i >> 1) % 4] ?? 'fr' }) }));
  const report = await sentencePairs({ corpus: await corpusOf(dir, regional), out: join(dir, 'out'), langs: ['en', 'fr_CA'] });
  expect(report.card).toMatchObject({ languages: ['en', 'fr-CA'], pages: { without: { 'other-region': 6 } }, pagePairs: { count: 6 } });
  expect(readFileSync(join(dir, 'out', 'pairs.tmx'), 'utf8')).toContain('<tuv xml:lang="fr-CA">');
});

test('the texts of pairs.tsv are those of the other formats, also behind signs of formulas', async () => {
  const signed = pages.map((page) => ({ ...page, text: (page.text ?? '').replaceAll(/^(?=.)/gmu, '- ') }));
  const found = await pairsOf(signed, { formats: ['jsonl', 'tsv'] });
  const lines = pairLinesIn(found.out);
  expect(lines.some(({ left }) => left.startsWith('-'))).toBe(true);
  expect(rowsIn(join(found.out, 'pairs.tsv')).map(({ left, right }) => [left, right])).toEqual(
    lines.map(({ left, right }) => [left, right]),
  );
});

test.each([
  [['und', 'fr'], 'und means an unknown language'],
  [['en', 'xx-tw'], 'is not a language code'],
  [['pt_BR', 'pt-br'], 'two different languages'],
  [['zh-hant', 'zh-TW'], 'two different languages'],
  [['en', 'pt-b'], 'does not name a region or script'],
  [['en', 'zh-taiwan'], 'does not name a region or script'],
])('languages %j are refused: %s', async (langs, message) => {
  await expect(sentencePairs({ corpus, out: join(root, 'refused'), langs })).rejects.toThrow(message);
});

test('a command that reads a harvest says what to give in place of sentence pairs', async () => {
  const url = ['http://valley.example/en/page-0'];
  await expect(withdraw({ corpus: out, urls: url, reason: 'asked', out: join(root, 'less') })).rejects.toThrow(
    'holds sentence pairs, not a harvest',
  );
});
