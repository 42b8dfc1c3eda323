import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { PatternIndex, PatternLearner, urlChange } from '../../../src/corpus/pairs/page-url-patterns.ts';
import { PairLanguages } from '../../../src/corpus/pairs/pair-languages.ts';

const url = (text: string) => `http://${text}` as CanonicalUrl;

test.each([
  ['a.example/en/x.html', 'a.example/fr/x.html', 'en', 'fr'],
  ['a.example/x.html', 'a.example/fr/x.html', '', 'fr'],
  ['a.example/x.html', 'a.example/x.fr.html', '', 'fr'],
  ['a.example/x', 'a.example/x?lang=fr', '', 'lang fr'],
  ['a.example/en-US/x', 'a.example/pt-BR/x', 'en US', 'pt BR'],
  ['shop.co.uk/x', 'shop.fr/x', 'co uk', 'fr'],
  ['en.a.example/x', 'fr.a.example/x', 'en', 'fr'],
  ['a.example/de/x.de.html', 'a.example/fr/x.fr.html', 'de', 'fr'],
  ['a.example/x.en.html', 'a.example/fr/x.fr.html', 'en', 'fr'],
])('%s becomes %s by one replacement', (left, right, from, to) =>
  expect(urlChange(url(left), url(right))).toEqual({ left: from, right: to }),
);

test.each([
  ['a.example/en/about', 'a.example/fr/a-propos-de-nous'],
  ['a.example/en/x/1', 'a.example/fr/x/2'],
  ['a.example/x', 'a.example/x'],
])('%s becomes %s by more than one replacement, or none', (left, right) => expect(urlChange(url(left), url(right))).toBeNull());

test('a change is learned from three pairs, and only for the hosts it was seen on', () => {
  const learner = new PatternLearner();
  for (const i of [1, 2]) learner.add(url(`a.example/quirb/${i}`), url(`a.example/zorple/${i}`));
  expect(learner.patterns()).toEqual([]);
  learner.add(url('a.example/quirb/3'), url('a.example/zorple/3'));
  const patterns = learner.patterns();
  expect(patterns).toEqual([{ leftHost: 'a.example', rightHost: 'a.example', left: 'quirb', right: 'zorple', pairs: 3 }]);
  const index = new PatternIndex(patterns, new PairLanguages(['en', 'fr']));
  index.addRight(url('a.example/zorple/9'), 7);
  index.addRight(url('b.example/zorple/9'), 8);
  expect([...index.rightsOf(url('a.example/quirb/9'))]).toEqual([{ page: 7, pattern: 1, isNamed: false }]);
  expect([...index.rightsOf(url('b.example/quirb/9'))]).toEqual([]);
});

test('names of languages need no learning: codes, names, regions and fields of queries', () => {
  const index = new PatternIndex([], new PairLanguages(['en', 'fr']));
  for (const [i, right] of ['fr/1', 'fr-ca/2', 'french/3', '4?lang=fr', 'docs/5_FR.html'].entries())
    index.addRight(url(`a.example/${right}`), i);
  const found = (left: string) => [...index.rightsOf(url(`a.example/${left}`))].map(({ page }) => page);
  expect(['en/1', 'en-us/2', 'english/3', '4', 'docs/5_EN.html'].map(found)).toEqual([[0], [1], [2], [3], [4]]);
  expect(found('de/1')).toEqual([]);
});

test('any two URLs have a change that makes one rest of both, or none', () => {
  const path = fc
    .array(fc.constantFrom('en', 'fr', 'x', 'y', 'x.html', '%E4', '?a=fr'), { maxLength: 6 })
    .map((parts) => url(`a.example/${parts.join('/')}`));
  fc.assert(
    fc.property(path, path, (left, right) => {
      const change = urlChange(left, right);
      const back = urlChange(right, left);
      expect(back === null).toBe(change === null);
    }),
  );
});
