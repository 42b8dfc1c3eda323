/** Samples, splits and chunks. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { CHUNK_UNITS, chunksOf } from '../../../src/base/text/text-chunks.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { clustersOf, shingleStrings, similarPairs } from './all-pairs.ts';
import { recordWith, selected } from './selected.ts';
import { templatedPages } from './templated-pages.ts';

const HOSTS = { 'big.example': 60, 'middle.example': 20, 'small.example': 3 };
const records = Object.entries(HOSTS).flatMap(([host, count]) =>
  Array.from({ length: count }, (_, i) => recordWith(`Page ${i} of ${host}`, host, i, { lang: i % 4 === 0 ? 'de' : 'en' })),
);
const byHost = (pages: readonly { readonly url: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { url } of pages) counts[new URL(url).host] = (counts[new URL(url).host] ?? 0) + 1;
  return counts;
};
const weightOf = (pages: readonly { readonly weight?: number }[]) => pages.reduce((sum, { weight = 0 }) => sum + weight, 0);

describe('pages of a span of dates', () => {
  const dates = ['1989', '1990', '1990-01-01', '1997-06', '2004-12-31', '2005', '2005-07-01', '2006-01', null, 'last week'];
  const dated = dates.map((published, i) => recordWith(`Page ${i}`, 'a.example', i, { metadata: { ...NO_METADATA, published } }));

  test.each([
    [{ from: '1990', to: '2005' }, ['1990', '1990-01-01', '1997-06', '2004-12-31', '2005', '2005-07-01']],
    [{ from: '2004-12-31', to: '2005-06' }, ['2004-12-31', '2005']],
    [{ from: '2005-07', to: null }, ['2005', '2005-07-01', '2006-01']],
    [{ from: null, to: '1990-01' }, ['1989', '1990', '1990-01-01']],
  ])('%j has those that may be of it, and none without a date', async (published, expected) => {
    const { pages, leftOut } = await selected(dated, { published });
    expect(pages.map(({ metadata }) => metadata.published)).toEqual(expected);
    expect(leftOut).toHaveLength(dates.length - expected.length);
    expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['published']));
    expect(leftOut.at(-1)?.grounds).toEqual({ published: null });
  });
});

describe('samples', () => {
  test('of a host at most so many, each of which represents the same number', async () => {
    const { pages, leftOut } = await selected(records, { perHost: 15 });
    expect(byHost(pages)).toEqual({ 'big.example': 15, 'middle.example': 15, 'small.example': 3 });
    expect(new Set(pages.map(({ weight }) => weight))).toEqual(new Set([4, 20 / 15, 1]));
    expect(weightOf(pages)).toBeCloseTo(83, 9);
    expect(leftOut.every(({ reason, grounds }) => reason === 'per-host' && String(grounds['host']).endsWith('.example'))).toBe(true);
  });

  test('of the whole have that size, and are equal among hosts or languages where these have so many pages', async () => {
    expect((await selected(records, { sample: 40 })).pages).toHaveLength(40);
    const { pages } = await selected(records, { sample: 40, sampleBy: 'host' });
    expect(byHost(pages)).toEqual({ 'big.example': 19, 'middle.example': 18, 'small.example': 3 });
    expect(weightOf(pages)).toBeCloseTo(83, 9);
    const byLanguage = await selected(records, { sample: 20, sampleBy: 'language' });
    expect(byLanguage.pages.filter(({ lang }) => lang === 'de')).toHaveLength(10);
    expect(weightOf(byLanguage.pages)).toBeCloseTo(83, 9);
    expect((await selected(records, { sample: 1000, sampleBy: 'host' })).pages).toHaveLength(83);
  });

  test('after a limit for hosts have the product of both weights', async () => {
    const { pages } = await selected(records, { perHost: 10, sample: 12 });
    expect(pages).toHaveLength(12);
    const ofHost: Record<string, number> = { 'big.example': 60 / 10, 'middle.example': 20 / 10, 'small.example': 1 };
    for (const { url, weight } of pages) expect(weight).toBeCloseTo((ofHost[new URL(url).host] ?? 0) * (23 / 12), 9);
  });

  test('with more hosts than pages are of hosts drawn at random, and weights are right on average', async () => {
    const sums = await Promise.all(
      Array.from({ length: 120 }, async (_, rngSeed) =>
        weightOf((await selected(records, { sample: 2, sampleBy: 'host', rngSeed })).pages),
      ),
    );
    // Of two of the three hosts, each page represents 3/2 of its host: 60 and 20 give 120.
    expect(new Set(sums)).toEqual(new Set([120, 94.5, 34.5]));
    expect(sums.reduce((a, b) => a + b, 0) / sums.length).toBeCloseTo(83, -1);
  });

  test('follow from the seed and the URLs, not from the order of pages', async () => {
    const drawn = async (from: typeof records, rngSeed: number) =>
      (await selected(from, { sample: 30, sampleBy: 'language', rngSeed })).pages.map(({ url }) => url).sort();
    expect(await drawn([...records].reverse(), 5)).toEqual(await drawn(records, 5));
    expect(await drawn(records, 6)).not.toEqual(await drawn(records, 5));
  });

  test('draw each page equally often', async () => {
    const times = new Map<string, number>();
    for (let rngSeed = 0; rngSeed < 100; rngSeed++)
      for (const { url } of (await selected(records, { sample: 20, rngSeed })).pages) times.set(url, (times.get(url) ?? 0) + 1);
    // Binomial, 100 draws of 20/83: mean 24, standard deviation 4.3; five of them to either side.
    for (const { url } of records) expect(Math.abs((times.get(url) ?? 0) - 24.1)).toBeLessThan(21.5);
  });
});

describe('splits', () => {
  const texts = templatedPages(400, seededRng(5), 40);
  const copies = texts.map((text, i) => recordWith(text, `h${i % 23}.example`, i));
  const clusters = clustersOf(texts.length, similarPairs(texts.map(shingleStrings), 0.8));
  const partsBy = (pages: readonly { readonly split?: string }[], groupOf: (i: number) => unknown) => {
    const parts = new Map<unknown, Set<string | undefined>>();
    for (const [i, { split }] of pages.entries()) parts.set(groupOf(i), (parts.get(groupOf(i)) ?? new Set()).add(split));
    return [...parts.values()];
  };
  const share = (pages: readonly { readonly split?: string }[], part: string) =>
    pages.filter(({ split }) => split === part).length / pages.length;

  test('have no cluster in two parts, though all its pages stay, and nearly the shares that were asked for', async () => {
    expect(new Set(clusters).size).toBeLessThan(300);
    const { pages, selection } = await selected(copies, { split: [80, 10, 10] });
    expect(pages).toHaveLength(400);
    for (const parts of partsBy(pages, (i) => clusters[i])) expect(parts.size).toBe(1);
    for (const [part, wanted] of [
      ['train', 0.8],
      ['validation', 0.1],
      ['test', 0.1],
    ] as const)
      expect(Math.abs(share(pages, part) - wanted)).toBeLessThan(0.02);
    expect(selection.notes).toEqual([
      `pages of the split: ${['train', 'validation', 'test'].map((part) => `${part} ${Math.round(share(pages, part) * 400)}`).join(', ')}`,
    ]);
  });

  test('by host have no host and no cluster in two parts', async () => {
    // Copies on two hosts join them: few enough that hosts stay apart.
    const few = copies.map((record, i) =>
      i % 23 < 5
        ? record
        : {
            ...record,
            text: `Alone ${i} ${'abcdefgh'
              .split('')
              .map((c) => c + i)
              .join(' ')}`,
          },
    );
    const { pages } = await selected(few, { split: [50, 50], splitBy: 'host' });
    const own = clustersOf(
      few.length,
      similarPairs(
        few.map(({ text }) => shingleStrings(text)),
        0.8,
      ),
    );
    for (const parts of partsBy(pages, (i) => own[i])) expect(parts.size).toBe(1);
    for (const parts of partsBy(pages, (i) => i % 23)) expect(parts.size).toBe(1);
    expect(new Set(pages.map(({ split }) => split))).toEqual(new Set(['train', 'test']));
    expect(Math.abs(share(pages, 'test') - 0.5)).toBeLessThan(0.1);
  });

  test('follow from the seed, and differ by it', async () => {
    const parts = async (rngSeed: number) => (await selected(copies, { split: [90, 5, 5], rngSeed })).pages.map(({ split }) => split);
    expect(await parts(3)).toEqual(await parts(3));
    expect(await parts(4)).not.toEqual(await parts(3));
  });

  test('of no pages, and of one', async () => {
    expect((await selected([], { split: [90, 10] })).pages).toEqual([]);
    expect((await selected(copies.slice(0, 1), { split: [90, 10] })).pages.map(({ split }) => split)).toEqual(['train']);
  });
});

describe('chunks', () => {
  const TEXT = 'One two three. Four five?\n\nSix seven eight nine ten eleven.\n 苔藓园的四季。 Last — one';
  const cut = (most: number, unit: (typeof CHUNK_UNITS)[number]) =>
    [...chunksOf(TEXT, most, unit)].map(({ start, end, words }) => [TEXT.slice(start, end), words]);

  test('end with paragraphs where these fit, then with sentences, then with words', () => {
    expect(cut(6, 'paragraph')).toEqual([
      ['One two three. Four five?', 5],
      ['Six seven eight nine ten eleven.', 6],
      ['苔藓园的四季。', 6],
      ['Last — one', 2],
    ]);
    expect(cut(11, 'paragraph')).toEqual([
      ['One two three. Four five?\n\nSix seven eight nine ten eleven.', 11],
      ['苔藓园的四季。 Last — one', 8],
    ]);
    expect(cut(4, 'sentence')).toEqual([
      ['One two three.', 3],
      ['Four five?', 2],
      ['Six seven eight nine', 4],
      ['ten eleven.', 2],
      ['苔藓园的', 4],
      ['四季。 Last — one', 4],
    ]);
    expect(cut(4, 'words')[1]).toEqual(['five?\n\nSix seven eight', 4]);
  });

  test('of any text are in order, within bounds, and have all that is not white space', () => {
    const piece = fc.constantFrom('moss', 'peat.', 'Bog? ', '\n', '\n\n', ' ', '苔藓。', 'ตะไคร่', '—', '…', '😀', 'e\u0301');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(...CHUNK_UNITS),
        (parts, most, unit) => {
          const text = parts.join('');
          let at = 0;
          let all = '';
          for (const { start, end, words } of chunksOf(text, most, unit)) {
            expect(start).toBeGreaterThanOrEqual(at);
            expect(words).toBeLessThanOrEqual(most);
            expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
            all += text.slice(start, end);
            at = end;
          }
          expect(all.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        },
      ),
    );
  });

  test('of a line of a million characters take less than a few seconds', () => {
    expectWithin(6000, () => {
      const spaced = [...chunksOf('moss '.repeat(200_000), 512, 'sentence')].map(({ words }) => words);
      expect(spaced.reduce((a, b) => a + b, 0)).toBe(200_000);
      expect(spaced.length).toBeLessThanOrEqual(400);
      expect([...chunksOf('苔'.repeat(1_000_000), 512, 'paragraph')].length).toBeGreaterThan(1953);
    });
  });
});
