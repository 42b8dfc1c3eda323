/** Each kind of value: the words that it takes, what it makes of them, and why it refuses others. */
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/core/errors.ts';
import * as crawlKinds from '../../../src/crawling/settings/crawl-kinds.ts';
import * as harvestKinds from '../../../src/crawling/settings/harvest-kinds.ts';
import type { Kind } from '../../../src/crawling/settings/kinds.ts';
import * as kinds from '../../../src/crawling/settings/kinds.ts';

const INFINITE = Number.POSITIVE_INFINITY;
const { SPACE_PATIENCE } = crawlKinds;

interface Row {
  readonly name: string;
  readonly kind: Kind<unknown>;
  readonly takes: readonly (readonly [words: string | readonly string[], value: unknown])[];
  readonly refuses: readonly (readonly [words: string | readonly string[], why: string])[];
  /** Values of the library. */
  readonly fits: readonly unknown[];
  readonly fitsNot: readonly unknown[];
}

const NO_COUNT = 'not a whole number of at least 2';
const NO_UNIT = 'not a number from 0 to 1';
const NO_SPAN = 'not a span of time; write e.g. 500ms, 1s, 10m or 2h';

const ROWS: readonly Row[] = [
  {
    name: 'text',
    kind: kinds.text,
    takes: [['moss', 'moss']],
    refuses: [
      [['moss', 'peat'], 'test: given more than once'],
      [[], 'test: given more than once'],
    ],
    fits: ['moss'],
    fitsNot: ['', 3, null],
  },
  { name: 'any text', kind: kinds.anyText, takes: [['', '']], refuses: [], fits: ['', 'moss'], fitsNot: [3] },
  {
    name: 'person',
    kind: kinds.person,
    takes: [
      ['Ann B. O-Neil_2', 'Ann B. O-Neil_2'],
      ['7', '7'],
      ['é'.repeat(40), 'é'.repeat(40)],
    ],
    refuses: ['', ' Ann', '-Ann', 'Ann,Bob', '"Ann"', 'a'.repeat(41), 'Ann\n'].map(
      (word) => [word, 'is not a name; write at most 40 letters'] as const,
    ),
    fits: ['Ann'],
    fitsNot: ['', '_a', 7, 'a'.repeat(41)],
  },
  {
    name: 'texts',
    kind: kinds.texts(),
    takes: [
      [
        ['a,b', 'c'],
        ['a,b', 'c'],
      ],
      [[], []],
    ],
    refuses: [],
    fits: [[], ['a']],
    fitsNot: ['a', [''], [1]],
  },
  {
    name: 'texts with commas',
    kind: kinds.texts(true),
    takes: [
      [
        ['a, b', ',c,,'],
        ['a', 'b', 'c'],
      ],
    ],
    refuses: [],
    fits: [['a']],
    fitsNot: ['a'],
  },
  {
    name: 'one text or several',
    kind: kinds.textOrTexts,
    takes: [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    ],
    refuses: [],
    fits: ['a', ['a', 'b']],
    fitsNot: ['', [''], 1],
  },
  {
    name: 'choice',
    kind: kinds.choice(['best', 'worst']),
    takes: [['worst', 'worst']],
    refuses: [
      ['wurst', 'test wurst: not one of best, worst; did you mean worst?'],
      ['xylophone', 'test xylophone: not one of best, worst'],
      ['Best', 'not one of'],
    ],
    fits: ['best'],
    fitsNot: ['other', ['best']],
  },
  {
    name: 'choices',
    kind: kinds.choices(['kept', 'failed'], { lost: 'failed' }),
    takes: [
      [['kept,lost'], ['kept', 'failed']],
      [
        ['failed', ' kept '],
        ['failed', 'kept'],
      ],
    ],
    refuses: [
      [['kept,keptt'], 'test keptt: not one of kept, failed; did you mean kept?'],
      // A name that every object has is no old word.
      [['toString'], 'test toString: not one of'],
    ],
    fits: [['kept'], []],
    fitsNot: ['kept', ['lost']],
  },
  {
    name: 'flag',
    kind: kinds.flag,
    takes: [
      ['on', true],
      ['true', true],
      ['off', false],
      ['false', false],
    ],
    refuses: [
      ['yes', 'test yes: not on or off'],
      ['', 'not on or off'],
      [['on', 'off'], 'given more than once'],
    ],
    fits: [true, false],
    fitsNot: ['on', 1],
  },
  {
    name: 'count',
    kind: kinds.count(2, 9),
    takes: [
      ['2', 2],
      ['9', 9],
      ['007', 7],
    ],
    refuses: [
      ...['1', '-3', '0x10', '1e3', '2.5', '', ' 3', 'none'].map((word) => [word, NO_COUNT] as const),
      ['10', 'test 10: more than the most, which is 9'],
      ['9'.repeat(400), 'more than the most, which is 9'],
    ],
    fits: [2, 9],
    fitsNot: [1, 10, 2.5, '3', INFINITE, Number.NaN],
  },
  {
    name: 'count without a most of its own',
    kind: kinds.count(0),
    takes: [
      ['0', 0],
      ['1000000000000', 1e12],
    ],
    refuses: [['1000000000001', 'more than the most, which is 1,000,000,000,000']],
    fits: [1e12],
    fitsNot: [1e12 + 1],
  },
  {
    name: 'limit',
    kind: kinds.limit(2),
    takes: [
      ['2', 2],
      ['none', INFINITE],
    ],
    refuses: [
      ['1', NO_COUNT],
      ['None', NO_COUNT],
      ['1000000000001', 'write none for no limit'],
      ['9'.repeat(400), 'write none for no limit'],
    ],
    fits: [2, INFINITE],
    fitsNot: [1, -INFINITE, 1e13, 'none', Number.NaN],
  },
  {
    name: 'number of at least 0',
    kind: kinds.atLeast0,
    takes: [
      ['0', 0],
      ['2.50', 2.5],
    ],
    refuses: ['-1', '.5', '5.', '1e3', 'NaN', ''].map((word) => [word, 'not a number of at least 0'] as const),
    fits: [0, 2.5],
    fitsNot: [-0.1, INFINITE, Number.NaN, '1'],
  },
  {
    name: 'unit',
    kind: kinds.unit,
    takes: [
      ['0', 0],
      ['1', 1],
      ['.25', 0.25],
      ['1.', 1],
    ],
    refuses: ['1.01', '-0.1', '50%', '', '.', '1e-1'].map((word) => [word, NO_UNIT] as const),
    fits: [0, 1],
    fitsNot: [1.01, -0.1, Number.NaN, '0.5'],
  },
  {
    name: 'share',
    kind: kinds.share,
    takes: [
      ['2%', 0.02],
      ['0.5%', 0.005],
      ['100%', 1],
    ],
    refuses: ['2', '101%', '.5%', '%', '2 %'].map((word) => [word, 'not a share; write e.g. 2%'] as const),
    fits: [0, 1],
    fitsNot: [2],
  },
  {
    name: 'span',
    kind: kinds.span,
    takes: [
      ['500ms', 500],
      ['3', 3000],
      ['1.5s', 1500],
      ['10m', 600_000],
      ['2h', 7_200_000],
      ['1d', 86_400_000],
      ['0', 0],
    ],
    refuses: ['1w', '-1s', '1 s', 's', '', 'none', '1S'].map((word) => [word, NO_SPAN] as const),
    fits: [0, 1500],
    fitsNot: [-1, INFINITE, Number.NaN, '1s'],
  },
  {
    name: 'long span',
    kind: kinds.longSpan,
    takes: [
      ['none', INFINITE],
      ['0', 0],
    ],
    refuses: [['never', NO_SPAN]],
    fits: [INFINITE, 0],
    fitsNot: [-1, Number.NaN],
  },
  {
    name: 'span of a run',
    kind: kinds.runSpan,
    takes: [
      ['none', INFINITE],
      ['1ms', 1],
    ],
    refuses: [
      ['0', 'is 0, so the run would do nothing; write e.g. 90s, 30m or 8h'],
      ['0ms', 'is 0, so the run would do nothing'],
      ['soon', NO_SPAN],
    ],
    fits: [INFINITE, 1],
    fitsNot: [0, -1],
  },
  {
    name: 'least yield',
    kind: crawlKinds.stopYield,
    takes: [
      ['2%/500', { share: 0.02, visits: 500 }],
      ['0.5%/1', { share: 0.005, visits: 1 }],
      ['100%/1000000', { share: 1, visits: 1_000_000 }],
      ['none', 'none'],
    ],
    refuses: [
      ['2/500', 'not a share of visits; write e.g. 2%/500, or none'],
      ['2%', 'not a share of visits'],
      ['2%/5.5', 'not a share of visits'],
      ['0%/500', 'is not above 0 and at most 100 %'],
      ['100.1%/500', 'is not above 0 and at most 100 %'],
      ['2%/0', '0 is not a whole number of visits from 1 to 1,000,000'],
      ['2%/1000001', '1000001 is not a whole number of visits'],
    ],
    fits: [{ share: 0.1, visits: 5 }, 'none'],
    fitsNot: ['2%/500', { share: 0.1 }, { share: 0.1, visits: 5, more: 1 }],
  },
  {
    name: 'budget of revisits',
    kind: crawlKinds.revisitBudget,
    takes: [
      ['2000/day', { kind: 'a-day', count: 2000 }],
      ['3/hour', { kind: 'a-day', count: 72 }],
      ['14/week', { kind: 'a-day', count: 2 }],
      ['5%/day', { kind: 'of-pages-a-day', share: 0.05 }],
      ['70%/week', { kind: 'of-pages-a-day', share: 70 / 100 / 7 }],
      ['10%', { kind: 'of-requests', share: 0.1 }],
    ],
    refuses: ['2000', '0/day', '0%', '100%', '5/month', 'many', '-3/day', ''].map(
      (word) => [word, 'not a number of revisits; write e.g. 2000/day'] as const,
    ),
    fits: [
      { kind: 'a-day', count: 1 },
      { kind: 'of-requests', share: 0.5 },
    ],
    fitsNot: ['2000/day', { kind: 'a-day', count: 0 }, { kind: 'of-requests', share: 1 }, { kind: 'a-day', share: 1 }],
  },
  {
    name: 'questions at visits',
    kind: crawlKinds.ask,
    takes: [
      ['15@80', [{ questions: 15, visits: 80 }]],
      [
        '3@20, 4@10 ',
        [
          { questions: 3, visits: 20 },
          { questions: 4, visits: 10 },
        ],
      ],
      ['none', 'none'],
    ],
    refuses: ['15', '15@', '@80', '15@80,', '1.5@80', '15@80;3@9', ''].map(
      (word) => [word, 'not questions at visits; write e.g. 15@80'] as const,
    ),
    fits: [[], [{ questions: 1, visits: 2 }], 'none'],
    fitsNot: ['15@80', [{ questions: 1 }]],
  },
  {
    name: 'free space',
    kind: crawlKinds.minFree,
    takes: [
      ['0', { minFree: 0, patience: SPACE_PATIENCE }],
      ['1GB', { minFree: 1e9, patience: SPACE_PATIENCE }],
      ['1.5 kb/30m', { minFree: 1500, patience: 1_800_000 }],
      ['2TB/0', { minFree: 2e12, patience: 0 }],
      ['3mb', { minFree: 3e6, patience: SPACE_PATIENCE }],
      ['7B', { minFree: 7, patience: SPACE_PATIENCE }],
    ],
    refuses: [
      ['GB', 'not a size; write e.g. 500MB, 1GB or 1GB/30m, or 0'],
      ['-1GB', 'not a size'],
      ['1PB', 'not a size'],
      ['1GB/', 'test : not a span of time; write e.g. 1GB/30m'],
      ['1GB/soon', 'test soon: not a span of time'],
    ],
    fits: [
      { minFree: 0, patience: 0 },
      { minFree: 1, patience: INFINITE },
    ],
    fitsNot: [{ minFree: -1, patience: 0 }, { minFree: 1, patience: -1 }, { minFree: 1 }, 1],
  },
  {
    name: 'patience',
    kind: crawlKinds.patience,
    takes: [
      ['off', 0],
      ['auto', 'auto'],
      ['20s', 20_000],
    ],
    refuses: [['none', 'not a span of time; write e.g. 20s, off or auto']],
    fits: [0, 20_000, 'auto'],
    fitsNot: [-1, INFINITE, 'off'],
  },
  {
    name: 'nearness',
    kind: harvestKinds.nearSimilarity,
    takes: [
      ['0.5', 0.5],
      ['1', 1],
    ],
    refuses: ['0.49', '1.01', 'near', '80%'].map((word) => [word, 'not a number from 0.5 to 1'] as const),
    fits: [0.5, 1],
    fitsNot: [0.49, 1.01, '0.8'],
  },
  {
    name: 'versions',
    kind: harvestKinds.versionChoice,
    takes: [
      ['newest', 'newest'],
      ['all', 'all'],
      ['at=2026-11-01', { at: '2026-11-01' }],
      ['at=2026-11-01T12:00Z', { at: '2026-11-01T12:00Z' }],
    ],
    refuses: [
      ['oldest', 'not newest, all or at=DATE'],
      ['at=', 'not newest, all or at=DATE'],
      ['2026-11-01', 'not newest, all or at=DATE'],
      ['at=soon', 'not a date'],
      ['at=2026-02-31', 'not a date'],
    ],
    fits: ['newest', 'all', { at: '2026' }],
    fitsNot: ['at=2026', { at: 'soon' }, { from: '2026' }],
  },
  {
    name: 'parts',
    kind: harvestKinds.splitShares,
    takes: [
      ['80/20', [80, 20]],
      ['90/5/5', [90, 5, 5]],
      ['33.3/33.3/33.4', [33.3, 33.3, 33.4]],
    ],
    refuses: ['100', '80/21', '100/0', '25/25/25/25', '80/-20/40', '80/20/', 'a/b'].map(
      (word) => [word, 'not two or three parts that add up to 100'] as const,
    ),
    fits: [[80, 20]],
    fitsNot: [[100], [100, 0], [25, 25, 25, 25], '80/20', ['80', '20']],
  },
];

const wordsOf = (given: string | readonly string[]) => (typeof given === 'string' ? [given] : given);

describe.each(ROWS)('$name', ({ kind, takes, refuses, fits, fitsNot }) => {
  test('takes words', () => {
    for (const [words, value] of takes) expect(kind.read(wordsOf(words), 'test')).toEqual(value);
  });

  test('refuses others, with the option and the reason', () => {
    for (const [words, why] of refuses) {
      const read = () => kind.read(wordsOf(words), 'test');
      expect(read, JSON.stringify(words)).toThrow(UsageError);
      expect(read, JSON.stringify(words)).toThrow(why);
    }
  });

  test('the library accepts and refuses the same', () => {
    for (const value of fits) expect(kind.check.safeParse(value), JSON.stringify(value)).toMatchObject({ success: true, data: value });
    for (const value of fitsNot) expect(kind.check.safeParse(value).success, JSON.stringify(value)).toBe(false);
  });

  test('what crawl.json has is written as words that are read as the same', () => {
    for (const [, value] of takes) {
      if (!kind.write || typeof value === 'string') continue;
      expect(kind.read([kind.write(value)], 'test')).toEqual(value);
    }
  });
});

test('a stored value that is none is no word', () => {
  expect(crawlKinds.patience.write?.(null)).toBe('auto');
  expect(crawlKinds.ask.write?.([])).toBe('none');
  expect(() => crawlKinds.ask.write?.('15@80')).toThrow();
  expect(() => crawlKinds.stopYield.write?.('2%/500')).toThrow();
  expect(kinds.share.write?.(0.07)).toBe('7%');
});

test.each([
  [[{ questions: 0, visits: 3 }], '--ask: 0 is not a number of questions from 1 to 1000'],
  [[{ questions: 1001, visits: 3 }], '--ask: 1001 is not a number of questions'],
  [[{ questions: 1.5, visits: 3 }], '--ask: 1.5 is not a number of questions'],
  [[{ questions: 1, visits: 0 }], '--ask: 0 is not a number of visits from 1'],
  [[{ questions: 1, visits: 2.5 }], '--ask: 2.5 is not a number of visits'],
  [
    [
      { questions: 1, visits: 2 },
      { questions: 3, visits: 2 },
    ],
    '--ask: names one number of visits twice',
  ],
])('moments %j are refused', (moments, why) => {
  expect(() => crawlKinds.checkedAsk(moments)).toThrow(why);
});

test('moments are in the order of their visits, and those given are as they were', () => {
  const given = [
    { questions: 1000, visits: 20 },
    { questions: 1, visits: 1 },
  ];
  expect(crawlKinds.checkedAsk(given)).toEqual([given[1], given[0]]);
  expect(given[0]?.visits).toBe(20);
});

test.each([
  [kinds.count(1), [], 'n'],
  [kinds.unit, [], 'n'],
  [kinds.limit(1), [], 'n'],
  [harvestKinds.nearSimilarity, [], 'n'],
  [kinds.span, [], 'time'],
  [kinds.longSpan, [], 'time'],
  [kinds.share, [], 'share'],
  [harvestKinds.splitShares, [], 'parts'],
  [harvestKinds.versionChoice, [], 'versions'],
  [kinds.text, [], 'value'],
  [kinds.flag, [], 'value'],
  [kinds.texts(), [], 'value'],
  [kinds.choice(['a', 'b']), ['a', 'b'], 'value'],
  [kinds.choices(['a', 'b']), ['a', 'b'], 'value'],
])('help and completion know the words of a kind (%#)', (kind: Kind<unknown>, words, placeholder) => {
  expect(kinds.acceptedWords(kind)).toEqual(words);
  expect(kinds.placeholderOf(kind)).toBe(placeholder);
});

test('what only the library takes: functions, signals, objects', () => {
  const accepts = (check: { safeParse(value: unknown): { success: boolean } }, value: unknown) => check.safeParse(value).success;
  expect([() => 1, {}, null].map((value) => accepts(kinds.call, value))).toEqual([true, false, false]);
  expect([new AbortController().signal, {}, null].map((value) => accepts(kinds.signal, value))).toEqual([true, false, false]);
  expect([{}, null, 'a'].map((value) => accepts(kinds.anObject('pages'), value))).toEqual([true, false, false]);
  expect(kinds.anObject('pages').safeParse(null).error?.issues[0]?.message).toBe('not an object of pages');
});
