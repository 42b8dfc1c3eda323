import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LedgerColumns } from '../../../src/faces/web-ui/ledger-columns.ts';
import type { CrawlLedgerLine } from '../../../src/study/inspect/ledger-lines.ts';
import { runs } from '../../support/extent.ts';

const ALL = { state: '', reason: '', host: '', text: '', least: null, most: null };
const lineOf = (path: string, anchorText: string) =>
  ({ url: `http://a.test/${path}`, state: 'kept', reason: '', relevance: 0.5, anchorText }) as unknown as CrawlLedgerLine;

function columnsOf(lines: readonly CrawlLedgerLine[]): LedgerColumns {
  const columns = new LedgerColumns(lines.length);
  for (const line of lines) columns.line(line);
  return columns;
}

/** Few characters, of one to four bytes: many lines match, in part or whole. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '沼', '🌱'), maxLength: 12 });

test('the filter by text finds the lines whose URL or anchor text has it, in any case, each once', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 40 }), word, (pairs, text) => {
      const lines = pairs.map(([path, anchorText]) => lineOf(path, anchorText));
      const has = (value: string) => value.toLowerCase().includes(text.toLowerCase());
      const expected = lines.flatMap(({ url, anchorText }, place) => (has(url) || has(anchorText) ? [place] : []));
      expect(columnsOf(lines).matching({ ...ALL, text })).toEqual(expected);
    }),
    { numRuns: runs(500) },
  );
});

test('a text does not match over the end of a line', () => {
  const columns = columnsOf([lineOf('one', 'peat'), lineOf('two', 'moss')]);
  expect(columns.matching({ ...ALL, text: 'peathttp' })).toEqual([]);
  expect(columns.matching({ ...ALL, text: 'onepeat' })).toEqual([]);
  expect(columns.matching({ ...ALL, text: 'HTTP://A' })).toEqual([0, 1]);
});
