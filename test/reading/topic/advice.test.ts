import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { ADVICE_CODES, type Advice, type AdviceInput, adviceLine, adviceOn, refusedBy } from '../../../src/reading/topic/advice.ts';
import type { TrainingPage } from '../../../src/reading/topic/training-set.ts';
import { runs } from '../../support/extent.ts';
import { compared } from './compared.ts';
import { syntheticPages, type Topic } from './synthetic.ts';

const GOOD = { folds: 'by-host', rocAuc: 0.99, separates: true, refusedExamples: 0, missed: null, unlabelled: null } as const;

/** Pages of four hosts. */
function pagesOf(topic: Topic, count: number, from = 0): TrainingPage[] {
  return syntheticPages(topic, from, count).map((page, i) => ({
    ...page,
    url: `https://host${i % 4}.example/${topic}/${i}`,
    language: 'en',
  }));
}

function advised(
  examples: readonly TrainingPage[],
  run: Partial<Pick<AdviceInput, 'folds' | 'rocAuc' | 'separates' | 'hidden' | 'refusedExamples' | 'missed' | 'unlabelled'>> = {},
  irrelevant: readonly TrainingPage[] = [],
): Advice[] {
  return adviceOn({ ...compared(examples, irrelevant), hidden: new Set(), ...GOOD, ...run, rng: seededRng(1) });
}

const codesOf = (advice: readonly Advice[]) => advice.map(({ code, severity }) => `${code} ${severity}`);

test('nothing is to be said of 20 pages of one topic, one language and several hosts', () => {
  expect(advised(pagesOf('bread', 20))).toEqual([]);
});

test.each([
  [4, 'few-examples danger'],
  [5, 'few-examples warning'],
  [19, 'few-examples warning'],
])('%i examples: %s', (count, expected) => {
  const advice = advised(pagesOf('bread', count));
  expect(codesOf(advice)).toEqual([expected]);
  expect(advice[0]?.message).toBe(`only ${count} examples`);
});

test('pages of one host are warned of, unless there are irrelevant ones', () => {
  const pages = syntheticPages('bread', 0, 20);
  expect(codesOf(advised(pages))).toEqual(['one-host warning']);
  expect(codesOf(advised(pages, {}, syntheticPages('sailing', 0, 5)))).toEqual([]);
});

test.each([
  [30, []],
  [31, ['rich-pool warning']],
])('%i of 100 unlabelled pages look on topic: %j', (onTopic, expected) => {
  expect(codesOf(advised(pagesOf('bread', 20), { unlabelled: { pages: 100, onTopic } }))).toEqual(expected);
});

test('a rule that refuses examples is warned of, with how many; one that refuses all is of no use', () => {
  const pages = pagesOf('bread', 20);
  const [some] = advised(pages, { refusedExamples: 3 });
  expect(some).toMatchObject({ code: 'rule-refuses-examples', severity: 'warning' });
  expect(some?.message).toContain('refuses 3 of 20 examples');
  expect(codesOf(advised(pages, { refusedExamples: 20 }))).toEqual(['rule-refuses-examples danger']);
});

test('a precision that no threshold reaches is a warning, with how many pages would show it', () => {
  const [missed] = advised(pagesOf('bread', 20), { missed: { asked: 0.9, lowerBound: 0.8812 } });
  expect(missed).toMatchObject({ code: 'precision-not-reached', severity: 'warning' });
  expect(adviceLine(missed as Advice)).toContain('a precision of 0.9 by its 95 % lower bound; the best is 0.88');
  expect(missed?.remedy).toContain('25 held-out pages show it if none of them is wrong, and there are 20 examples');
});

test('near-duplicates are named, three pairs of them', () => {
  const pages = pagesOf('bread', 24);
  const repeats = pages.slice(0, 4).map((page) => ({ ...page, id: `${page.id}-again`, text: `${page.text} once` }));
  const [advice] = advised([...pages, ...repeats]);
  expect(advice).toMatchObject({ code: 'near-duplicates', severity: 'note' });
  expect(advice?.message).toBe(
    '4 of 28 examples are nearly the same as another: bread-0 and bread-0-again, bread-1 and bread-1-again, bread-2 and bread-2-again, …',
  );
});

test('where more than a quarter of the examples are repeats, that is a warning', () => {
  const pages = pagesOf('bread', 20);
  const repeats = pages.slice(0, 10).map((page) => ({ ...page, id: `${page.id}-again`, text: `${page.text} once` }));
  expect(codesOf(advised([...pages, ...repeats]))).toEqual(['near-duplicates warning']);
});

test('a slip in another language is a note, a fifth of the examples a warning; both are counted', () => {
  const pages = pagesOf('bread', 20);
  const slipped = pages.map((page, i) => ({ ...page, language: i < 2 ? 'de' : i === 2 ? 'fr' : i < 6 ? null : 'en' }));
  const [note] = advised(slipped);
  expect(note).toMatchObject({ code: 'mixed-languages', severity: 'note' });
  expect(note?.message).toBe('14 examples are in en, 3 in another language: de (2), fr (1)');
  const mixed = pages.map((page, i) => ({ ...page, language: i < 4 ? 'de' : 'en' }));
  expect(codesOf(advised(mixed))).toEqual(['mixed-languages warning']);
});

test('two topics are warned of with the words of each; not where they may be two languages', () => {
  const pages = [...pagesOf('bread', 12), ...pagesOf('sailing', 12)];
  const [warning] = advised(pages);
  expect(warning).toMatchObject({ code: 'two-topics', severity: 'warning' });
  expect(warning?.message).toMatch(/12 with “[^”]*(loaf|crumb|flour|gluten)[^”]*”/);
  expect(warning?.message).toMatch(/12 with “[^”]*(skipper|leeward|windward|deck)[^”]*”/);
  const foreign = pages.map((page) => ({ ...page, language: page.id.startsWith('bread') ? 'en' : 'nl' }));
  expect(codesOf(advised(foreign))).toEqual(['mixed-languages warning']);
});

test.each([
  [{ rocAuc: 0.849 }, 'weak-separation warning'],
  [{ rocAuc: 0.649 }, 'weak-separation danger'],
  [{ separates: false }, 'weak-separation danger'],
  [{ folds: 'none' }, 'not-held-out warning'],
  [{ folds: 'by-example' }, 'known-hosts-only note'],
  [{ hidden: new Set([21, 22]) }, 'hidden-examples note'],
] as const)('of a run with %o: %s', (run, expected) => {
  expect(codesOf(advised(pagesOf('bread', 20), run))).toEqual([expected]);
});

test('unknown hosts are told from few hosts', () => {
  const nowhere = pagesOf('bread', 20).map((page) => ({ ...page, url: null }));
  expect(advised(nowhere, { folds: 'by-example' })[0]?.message).toMatch(/hosts of some examples are not known/);
  expect(advised(pagesOf('bread', 20), { folds: 'by-example' })[0]?.message).toMatch(/fewer than 3 hosts/);
});

test('whatever the run: one piece of advice a code, one line each, the gravest first, and notes refuse nothing', () => {
  const example = fc.record({
    topic: fc.constantFrom<Topic>('bread', 'sailing', '面包'),
    seed: fc.nat(15),
    language: fc.constantFrom('en', 'de', 'zh', null),
    host: fc.constantFrom('https://a.example', 'https://b.example', null),
  });
  const run = fc.record({
    folds: fc.constantFrom('by-host', 'by-example', 'none'),
    rocAuc: fc.double({ min: 0, max: 1, noNaN: true }),
    separates: fc.boolean(),
    refusedExamples: fc.nat(3),
    missed: fc.option(fc.constant({ asked: 0.9, lowerBound: 0.5 })),
    hidden: fc.constantFrom(new Set<number>(), new Set([40])),
  });
  const rank = ['danger', 'warning', 'note'];
  fc.assert(
    fc.property(fc.array(example, { minLength: 2, maxLength: 25 }), run, (examples, outcome) => {
      fc.pre(new Set(examples.map(({ topic, seed }) => `${topic}${seed}`)).size > 1);
      const pages = examples.flatMap(({ topic, seed, language, host }) =>
        syntheticPages(topic, seed, 1).map((page) => ({ ...page, language, url: host && `${host}/${topic}/${seed}` })),
      );
      const advice = advised(pages, outcome);
      expect(new Set(advice.map(({ code }) => code)).size).toBe(advice.length);
      for (const each of advice) {
        expect(ADVICE_CODES).toContain(each.code);
        expect(adviceLine(each)).toMatch(/^[^\n]+; [^\n]+$/);
      }
      const ranks = advice.map(({ severity }) => rank.indexOf(severity));
      expect(ranks).toEqual([...ranks].sort());
      expect(refusedBy(advice)).toEqual(advice.filter(({ severity }) => severity !== 'note'));
    }),
    { numRuns: runs(25) },
  );
});
