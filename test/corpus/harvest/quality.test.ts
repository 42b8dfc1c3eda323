import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QUALITY_LANGUAGES } from '../../../src/corpus/select/quality/quality-languages.ts';
import { repeatedRunChars, topRunChars } from '../../../src/corpus/select/quality/word-runs.ts';
import type { QualityRules } from '../../../src/corpus/select/quality-names.ts';
import { type Bound, QUALITY_RULE_SETS, qualityOf } from '../../../src/corpus/select/quality-rules.ts';
import { size } from '../../support/extent.ts';
import { recordWith, selected } from './selected.ts';

/** A word of letters that no other number has. */
const word = (i: number, length = 5) => [...String(i).padStart(length, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('');
const words = (count: number, from = 0, length = 5) => Array.from({ length: count }, (_, i) => word(from + i, length));

/** Stop words of a language, then words without repetition, in lines of ten words that end in a full stop. */
function good(lang: string, count = 90, from = 0): string[] {
  const { stopWords = [] } = QUALITY_LANGUAGES.get(lang) ?? {};
  return lines([...stopWords, ...words(count - stopWords.length, from)]);
}

const lines = (all: readonly string[], each = 10) =>
  Array.from({ length: Math.ceil(all.length / each) }, (_, i) => `${all.slice(i * each, (i + 1) * each).join(' ')}.`);
const withFirst = (all: readonly string[], count: number, change: (line: string, i: number) => string) =>
  all.map((line, i) => (i < count ? change(line, i) : line));
/** A run of words that repeats, then words of its own. The share of characters is that of the repetition. */
const repeating = (run: readonly string[], times: number, rest: number) =>
  lines([...Array.from({ length: times }, (_, i) => [...run, ...words(3, 50_000 + 3 * i)]).flat(), 'the', 'of', ...words(rest, 900)]);

type Sides = readonly [within: string, without: string];
/** A text within each bound, and one as near as possible beyond it, by rule set and measure; made for a language. */
const SIDES: Record<QualityRules, Record<string, (lang: string) => Sides>> = {
  gopher: {
    words: (lang) => [good(lang, 50).join('\n'), good(lang, 49).join('\n')],
    'words, too many': () => [
      lines(['the', 'of', ...words(99_998, 0, 6)]).join('\n'),
      lines(['the', 'of', ...words(99_999, 0, 6)]).join('\n'),
    ],
    meanWordLength: () => [lines(['the', 'and', ...words(98, 0, 3)]).join('\n'), lines(['the', 'of', ...words(98, 0, 3)]).join('\n')],
    'meanWordLength, too long': () => [
      lines(['the', 'of', ...words(98, 0, 10)]).join('\n'),
      lines(['the', 'of', ...words(98, 0, 11)]).join('\n'),
    ],
    hashesPerWord: (lang) => [good(lang, 90).join('\n') + '#'.repeat(9), good(lang, 90).join('\n') + '#'.repeat(10)],
    ellipsesPerWord: (lang) => [
      good(lang, 90).join('\n').replace(/^/, '... '.repeat(9)),
      good(lang, 90).join('\n').replace(/^/, '… '.repeat(10)),
    ],
    bulletLines: (lang) => [
      withFirst(good(lang, 100), 9, (line) => `• ${line}`).join('\n'),
      withFirst(good(lang, 100), 10, (line) => `- ${line}`).join('\n'),
    ],
    ellipsisLines: (lang) => [
      withFirst(good(lang, 100), 3, (line) => `${line}..`).join('\n'),
      withFirst(good(lang, 100), 4, (line) => `${line}..`).join('\n'),
    ],
    alphabeticWords: (lang) => [
      [...good(lang, 80), ...Array.from({ length: 20 }, (_, i) => String(i))].join(' '),
      [...good(lang, 80), ...Array.from({ length: 21 }, (_, i) => String(i))].join(' '),
    ],
    stopWords: (lang) => {
      const [first = '', second = ''] = QUALITY_LANGUAGES.get(lang)?.stopWords ?? [];
      return [lines([first, second, ...words(90)]).join('\n'), lines([first, first, ...words(90)]).join('\n')];
    },
    duplicateLines: (lang) => [
      [...good(lang, 70), ...Array(3).fill('abcde.')].join('\n').replace(/^/, 'abcde.\n'.repeat(1)),
      [...good(lang, 70), ...Array(5).fill('abcde.')].join('\n'),
    ],
    duplicateLineChars: (lang) => {
      const all = good(lang, 70);
      const line = all.at(-1) ?? '';
      return [[...all, line].join('\n'), [...all, line, line].join('\n')];
    },
    duplicateParagraphs: (lang) => [
      [...good(lang, 70), 'abcde.', 'abcde.', 'abcde.'].join('\n\n'),
      [...good(lang, 70), ...Array(5).fill('abcde.')].join('\n\n'),
    ],
    duplicateParagraphChars: (lang) => {
      const all = good(lang, 70);
      const line = all.at(-1) ?? '';
      return [[...all, line].join('\n\n'), [...all, line, line].join('\n\n')];
    },
    top2: () => [repeating(['again', 'again2'], 8, 46).join('\n'), repeating(['again', 'again2'], 12, 40).join('\n')],
    top3: () => [repeating(['one1', 'two2', 'three'], 5, 60).join('\n'), repeating(['one1', 'two2', 'three'], 12, 60).join('\n')],
    top4: () => [
      repeating(['one1', 'two2', 'three', 'four4'], 3, 60).join('\n'),
      repeating(['one1', 'two2', 'three', 'four4'], 10, 60).join('\n'),
    ],
    ...Object.fromEntries(
      [5, 6, 7, 8, 9, 10].map((n) => [
        `repeated${n}`,
        () => [repeating(words(n, 77_700), 2, 130).join('\n'), repeating(words(n, 77_700), 8, 40).join('\n')] as const,
      ]),
    ),
  },
  c4: {
    sentences: (lang) => [
      'Aaa bbb ccc. Ddd eee fff? Ggg!\nHhh iii jjj. Kkk lll.\nNo end here\nShort line.\nWe need javascript here.',
      `${'Aaa bbb ccc. Ddd eee fff? Ggg!\nHhh iii jjj.'}\nNo end here\nShort line.\nPlease enable JavaScript now.\nOur cookie policy is here.\nTo be continued...\n${'x'.repeat(1001)} aaa bbb.${lang === 'el' ? '' : '\nAaa bbb ccc;'}`,
    ],
    braces: (lang) => [good(lang).join('\n'), `${good(lang).join('\n')} {`],
    loremIpsum: (lang) => [`${good(lang).join('\n')} lorem`, `${good(lang).join('\n')} Lorem ipsum dolor.`],
  },
  fineweb: {
    punctuatedLines: (lang) => [
      withFirst(good(lang, 250), 21, (line) => line.slice(0, -1)).join('\n'),
      withFirst(good(lang, 250), 22, (line) => line.slice(0, -1)).join('\n'),
    ],
    shortLines: (lang) => [
      [...good(lang, 330), ...Array.from({ length: 67 }, (_, i) => `${words(3, 1000 + 3 * i).join(' ')}.`)].join('\n'),
      [
        ...good(lang, 330),
        ...Array.from(
          { length: 68 },
          (_, i) =>
            `${words(5, 1000 + 5 * i)
              .join(' ')
              .slice(0, 29)}.`,
        ),
      ].join('\n'),
    ],
    duplicateLineChars: (lang) => [[...good(lang, 240), 'Abcde.', 'Abcde.'].join('\n'), [...good(lang, 90), 'Abcde.', 'Abcde.'].join('\n')],
    lineFeedsPerWord: () => [lines(words(310), 4).join('\n'), lines(words(300), 3).join('\n')],
  },
};

const LANGUAGES = [...QUALITY_LANGUAGES.keys()];
const cases = QUALITY_RULE_SETS.flatMap(({ name }) => Object.keys(SIDES[name]).map((key) => [name, key] as const));

describe('each published bound has a text on either side', () => {
  test('and no bound lacks one', () => {
    for (const { name, bounds } of QUALITY_RULE_SETS) {
      const sides = new Set(Object.keys(SIDES[name]).map((key) => key.split(',', 1)[0]));
      expect(sides).toEqual(new Set(Object.keys(bounds)));
      const two = Object.entries(bounds as Record<string, Bound>).filter(
        ([, { least, most }]) => least !== undefined && most !== undefined,
      );
      for (const [measure] of two) expect(Object.keys(SIDES[name]).filter((key) => key.startsWith(measure))).toHaveLength(2);
    }
  });

  test.each(cases)('%s: %s', (name, key) => {
    const measure = key.split(',', 1)[0] ?? '';
    // Texts of 100,000 words take a second for all languages.
    for (const lang of key === 'words, too many' ? LANGUAGES.slice(0, size(LANGUAGES.length, 2)) : LANGUAGES) {
      const [within, without] = SIDES[name][key]?.(lang) ?? ['', ''];
      expect([lang, qualityOf(within, lang)[name]?.failed.includes(measure)]).toEqual([lang, false]);
      expect([lang, qualityOf(without, lang)[name]?.failed.includes(measure)]).toEqual([lang, true]);
    }
  });
});

test.each(LANGUAGES)('a good text in %s fails none of the rules', (lang) => {
  const outcomes = Object.values(qualityOf(good(lang, 120).join('\n'), lang));
  expect(outcomes.map((outcome) => outcome?.failed)).toEqual([[], [], []]);
});

test('measures of a text that can be counted by hand', () => {
  const { gopher, c4, fineweb } = qualityOf('The moss — and the peat.\nThe moss — and the peat.\n# To-do: 12 …', 'en');
  expect(gopher?.measures).toMatchObject({
    words: 12,
    stopWords: 2,
    ellipsesPerWord: 0.0833,
    hashesPerWord: 0.0833,
    duplicateLines: 0.3333,
  });
  // the moss and the peat: 3 + 4 + 3 + 3 + 4, twice; To-do and 12
  expect(gopher?.measures['meanWordLength']).toBeCloseTo((34 + 7) / 12, 4);
  // 16 tokens; those without a letter are two dashes, a hash, a number and the ellipsis
  expect(gopher?.measures['alphabeticWords']).toBeCloseTo(11 / 16, 4);
  expect(c4?.measures).toMatchObject({ sentences: 2, keptLines: 0.6667 });
  expect(fineweb?.measures).toMatchObject({ punctuatedLines: 0.6667, shortLines: 1, lineFeedsPerWord: 0.1667 });
});

test('an empty text has measures, and fails', () => {
  const { gopher } = qualityOf('', 'en');
  expect(gopher?.failed).toEqual(['words', 'meanWordLength', 'alphabeticWords', 'stopWords']);
  expect(Object.values(gopher?.measures ?? {}).every(Number.isFinite)).toBe(true);
});

describe('in a harvest', () => {
  const texts = [good('en').join('\n'), 'Too short.', `${good('en').join('\n')} {`, '苔藓园的四季。'];
  const langs = ['en-GB', 'en', 'en', 'zh'];
  const records = texts.map((text, i) => recordWith(text, 'a.example', i, { lang: langs[i] ?? null }));
  const rest = async (quality: readonly QualityRules[]) =>
    (await selected(records, { quality })).pages.map(({ id }) => records.findIndex((one) => one.id === id));

  test('rules omit pages only if they are asked for, and only in languages they know', async () => {
    expect(await rest([])).toEqual([0, 1, 2, 3]);
    expect(await rest(['gopher'])).toEqual([0, 2, 3]);
    expect(await rest(['c4'])).toEqual([0, 3]);
    const { selection, leftOut } = await selected(records, { quality: ['gopher', 'c4'] });
    expect(leftOut.map(({ reason, grounds }) => ({ reason, ...grounds }))).toEqual([
      { reason: 'quality', failed: { gopher: ['words', 'stopWords'], c4: ['sentences'] } },
      { reason: 'quality', failed: { c4: ['braces'] } },
    ]);
    expect(selection.notes).toEqual(['quality rules not applied, since there are none for the language: zh 1 pages']);
  });

  test('measures are a column only if they are asked for', async () => {
    expect((await selected(records, {})).pages.every((page) => !('quality' in page))).toBe(true);
    const { pages } = await selected(records, { qualityColumns: true });
    expect(pages.map(({ quality }) => quality?.gopher?.failed ?? null)).toEqual([[], ['words', 'stopWords'], [], null]);
    expect(pages[0]?.quality).toEqual(qualityOf(texts[0] ?? '', 'en'));
  });

  test('with both, a page is measured once, as it is judged, and the column is the same', async () => {
    const many = [...records, recordWith(good('en', 120).join('\n'), 'b.example', 0, { lang: 'en' })];
    const alone = await selected(many, { qualityColumns: true });
    const both = await selected(many, { quality: ['gopher', 'c4'], qualityColumns: true });
    expect(both.pages.map(({ url }) => url)).toHaveLength(3);
    const column = new Map(alone.pages.map(({ url, quality }) => [url, quality]));
    expect(both.pages.map(({ quality }) => quality)).toEqual(both.pages.map(({ url }) => column.get(url)));
    // A text that was not judged: to measure it again would give other numbers.
    const [first] = many;
    if (first === undefined) throw new Error('no record');
    expect(both.selection.present(0, { ...first, text: 'Other.' }).quality).toEqual(column.get(first.url));
  });
});

test('runs of words are counted as by strings', () => {
  const drawn = fc.array(fc.constantFrom('a', 'bb', 'ccc', 'dddd'), { maxLength: 60 });
  fc.assert(
    fc.property(drawn, fc.integer({ min: 2, max: 6 }), (all, n) => {
      const hashes = Int32Array.from(all, (one) => one.length * 7_919);
      const lengths = Uint32Array.from(all, (one) => one.length);
      const runs = all.slice(n - 1).map((_, i) => all.slice(i, i + n).join(' '));
      const counts = new Map<string, number>();
      for (const run of runs) counts.set(run, (counts.get(run) ?? 0) + 1);
      const most = Math.max(0, ...counts.values());
      const top = [...counts].find(([, count]) => count === most)?.[0] ?? '';
      expect(topRunChars(hashes, lengths, n)).toBe(most < 2 ? 0 : most * top.length);
      const seen = new Set<string>();
      let repeated = 0;
      for (let at = 0; at < runs.length; at++) {
        const run = runs[at] ?? '';
        if (seen.has(run)) {
          repeated += run.length;
          at += n - 1;
        } else seen.add(run);
      }
      expect(repeatedRunChars(hashes, lengths, n)).toBe(repeated);
    }),
  );
});
