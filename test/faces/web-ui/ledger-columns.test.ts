import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LedgerColumns } from '../../../src/faces/web-ui/ledger-columns.ts';
import type { CrawlLedgerLine } from '../../../src/study/inspect/ledger-lines.ts';
import { runs } from '../../support/extent.ts';

const ALL = { state: '', reason: '', host: '', text: '', least: null, most: null };
const lineOf = (path: string, anchorText: string) =>
  ({ url: `http://a.test/${path}`, state: 'kept', reason: '', relevance: 0.5, anchorText }) as unknown as CrawlLedgerLine;

/** Each text comes from a discovery of its own, after one that a better link replaced. */
function matching(lines: readonly CrawlLedgerLine[], text: string): number[] {
  const columns = new LedgerColumns();
  columns.grow(lines.length);
  for (const [place, line] of lines.entries()) columns.line(line, place);
  const texts = lines.flatMap(({ url, anchorText }, place) => [
    { place, url, anchorText: 'formerly', discovery: 2 * place },
    { place, url, anchorText, discovery: 2 * place + 1 },
  ]);
  const asked: number[] = [];
  const linkTexts = (from: number) => {
    asked.push(from);
    return texts.slice(from);
  };
  const ledger = { linkTexts };
  const found = columns.matching({ ...ALL, text }, ledger);
  expect(columns.matching({ ...ALL, text }, ledger)).toEqual(found);
  expect(asked).toEqual(text === '' ? [] : [0, texts.length]);
  return found;
}

/** Few characters, of one to four bytes: many lines match, in part or whole. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '沼', '🌱'), maxLength: 12 });

test('the filter by text finds the lines whose URL or anchor text has it, in any case, each once', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 40 }), word, (pairs, text) => {
      const lines = pairs.map(([path, anchorText]) => lineOf(path, anchorText));
      const has = (value: string) => value.toLowerCase().includes(text.toLowerCase());
      const expected = lines.flatMap(({ url, anchorText }, place) => (has(url) || has(anchorText) ? [place] : []));
      expect(matching(lines, text)).toEqual(expected);
    }),
    { numRuns: runs(500) },
  );
});

test('a text does not match over the end of a line', () => {
  const lines = [lineOf('one', 'peat'), lineOf('two', 'moss')];
  expect(matching(lines, 'peathttp')).toEqual([]);
  expect(matching(lines, 'onepeat')).toEqual([]);
  expect(matching(lines, 'HTTP://A')).toEqual([0, 1]);
});
