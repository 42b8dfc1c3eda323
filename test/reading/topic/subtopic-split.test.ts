import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import { FeatureCounter } from '../../../src/reading/topic/features.ts';
import { subtopicTerms } from '../../../src/reading/topic/subtopic-names.ts';
import { splitPages } from '../../../src/reading/topic/subtopic-split.ts';
import { subtopicFinder } from '../../../src/reading/topic/subtopic-words.ts';

const PHRASES = ['peat land', 'string quartet', 'ice sheet'];
const SUBJECTS = [
  'sphagnum bog moss mire raised water table acid rain',
  'violin viola cello orchestra bow concert hall',
  'glacier moraine snow line fjord valley crevasse melt',
];

/** Pages of each subject: half of its words in an order of chance, and a phrase. */
function pagesOf(each: number): { readonly title: string; readonly text: string; readonly subject: number }[] {
  const rng = seededRng(5);
  return SUBJECTS.flatMap((words, subject) =>
    Array.from({ length: each }, () => {
      const text = shuffled(words.split(' '), rng).slice(0, 7).join(' ');
      return { title: 'page', text: `${text}. ${PHRASES[subject]}`, subject };
    }),
  );
}

function countsOf(pages: readonly { readonly title: string; readonly text: string }[]) {
  const counter = new FeatureCounter();
  return pages.map((page) => counter.snapshot(page));
}

test('pages of three subjects become three subtopics, which assign further pages', () => {
  const pages = pagesOf(12);
  const subtopics = splitPages(countsOf(pages), null, 1);
  expect(subtopics).toHaveLength(3);
  const find = subtopicFinder(subtopics);
  const places = countsOf(pages).map((counts) => find(counts)?.place);
  for (const subject of [0, 1, 2]) expect(new Set(places.filter((_, i) => pages[i]?.subject === subject)).size).toBe(1);
  expect(new Set(places).size).toBe(3);
  const [other] = countsOf([{ title: '', text: 'the moraine of a glacier below the snow line' }]);
  expect(other && find(other)?.place).toBe(places[24]);
  const [none] = countsOf([{ title: '', text: 'nothing alike' }]);
  expect(none && find(none)).toBeNull();
});

test('the number of subtopics may be given, equal seeds give equal ones, and pages without words give none', () => {
  const counts = countsOf(pagesOf(12));
  expect(splitPages(counts, 2, 1)).toHaveLength(2);
  expect(splitPages(counts, null, 7)).toEqual(splitPages(counts, null, 7));
  expect(splitPages([], null, 1)).toEqual([]);
  expect(splitPages(countsOf([{ title: '', text: '' }]), 3, 1)).toEqual([]);
});

test('any pages give at most as many subtopics as asked for, with numbers as weights', () => {
  const word = fc.constantFrom('bog', 'moss', 'ice', 'bow', 'snow', 'hall', '');
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), fc.nat(9), (texts, groups, seed) => {
      const found = splitPages(countsOf(texts.map((one) => ({ title: '', text: one }))), groups, seed);
      expect(found.length).toBeLessThanOrEqual(groups);
      for (const { buckets, weights } of found) {
        expect(weights).toHaveLength(buckets.length);
        expect(weights.every((weight) => Number.isFinite(weight) && weight > 0)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

test('names are the terms that tell a subtopic from the others, as phrases where the words go together', () => {
  const pages = pagesOf(12).map(({ title, text, subject }) => ({ title, text, subtopic: subject }));
  const terms = subtopicTerms([...pages, { title: '', text: 'bog', subtopic: null }], 3, () => false);
  expect(terms[0]).toContain('peat land');
  expect(terms[1]).toContain('string quartet');
  expect(terms.flat()).not.toContain('page');
  const words = terms.map((own) => own.flatMap((term) => term.split(' ')));
  for (const own of words) expect(new Set(own).size).toBe(own.length);
});

test('a word that is common in pages about anything is in no name', () => {
  const pages = pagesOf(5).map(({ title, text, subject }) => ({ title, text, subtopic: subject }));
  expect(subtopicTerms(pages, 3, () => true).flat()).toEqual([]);
});
