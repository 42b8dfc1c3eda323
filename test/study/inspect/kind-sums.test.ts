/** Contributions by kind: the sums are the whole reason, whatever the parts are called. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindSums, linkKindOf, pageKindOf } from '../../../src/study/inspect/kind-sums.ts';

const MAIN = 'words of the main text';
const SITE = 'words of the site: its name, menus and footers';
const kindOf = pageKindOf({
  text: 'The raised bog of Ireland grows. 苔 Grass can print it for any org.',
  url: 'https://grass.example.org/manual/bog.html',
});

test.each([
  ['bog', MAIN],
  ['raised bog', MAIN],
  ['character:苔', MAIN],
  ['imprint', SITE],
  ['privacy notice', SITE],
  // Of the main text, and the name of the site.
  ['grass', SITE],
  ['org', MAIN],
  ['title:bog', 'title'],
  ['url:manual', 'URL'],
])('%s of a page: %s', (feature, kind) => {
  expect(kindOf(feature)).toBe(kind);
});

test.each([
  ['anchor:bog', 'words of the link'],
  ['image:bog', 'words of the link'],
  ['context:raised bog', 'words around the link'],
  ['dir:/manual/', 'URL of the link'],
  ['host:bog.example', 'host of the link'],
  ['yield of the place', 'referrer and place of the link'],
  ['cash from http://a.example/', 'referrer and place of the link'],
])('%s of a link: %s', (feature, kind) => {
  expect(linkKindOf(feature)).toBe(kind);
});

test('hundreds of small parts are told, with both sides', () => {
  const contributions = Array.from({ length: 841 }, (_, i) => ({ feature: `word${i}`, contribution: i % 2 === 0 ? 0.02 : -0.01 }));
  const [sum] = kindSums({ contributions }, () => MAIN);
  expect(sum).toMatchObject({ kind: MAIN, for: { count: 421 }, against: { count: 420 } });
  expect(sum?.sum).toBeCloseTo(421 * 0.02 - 420 * 0.01, 9);
});

test('nothing is lost or counted twice, the largest come first', () => {
  const part = fc.record({
    feature: fc.constantFrom('bog', 'imprint', 'title:bog', 'url:x'),
    contribution: fc.double({ min: -9, max: 9, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 50 }), (contributions) => {
      const sums = kindSums({ contributions }, kindOf);
      const total = contributions.reduce((sum, { contribution }) => sum + contribution, 0);
      expect(sums.reduce((sum, one) => sum + one.sum, 0)).toBeCloseTo(total, 9);
      expect(sums.map(({ sum }) => Math.abs(sum))).toEqual(sums.map(({ sum }) => Math.abs(sum)).sort((a, b) => b - a));
    }),
  );
});
