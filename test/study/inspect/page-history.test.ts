/** The history of a page, and the differences of its versions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/base/core/errors.ts';
import type { RecordId } from '../../../src/base/core/types.ts';
import { wordDiff, wordParts } from '../../../src/corpus/search/word-diff.ts';
import { diffOf, type HistoryAbsence, historyOf, numbered, type PagePast } from '../../../src/study/inspect/page-history.ts';
import { pageOf, recordOf } from '../../corpus/records/samples.ts';

const PEAT = 'http://bog.example/peat';
const on = (date: number) => `2026-10-${String(date).padStart(2, '0')}T10:00:00.000Z`;
const version = (date: number, text: string, over: Partial<ReturnType<typeof recordOf>> = {}) =>
  recordOf(pageOf(PEAT, text), { id: `urn:uuid:${date}` as RecordId, fetchedAt: on(date), text, ...over });
const absence = (date: number, of: number, state: HistoryAbsence['state'], over: Partial<HistoryAbsence> = {}) => ({
  ...{ at: on(date), state, status: state === 'gone' ? 404 : 200, to: null, recordId: `urn:uuid:${of}` as RecordId },
  ...over,
});

function pastOf(records: Parameters<typeof numbered>[0], absences: PagePast['absences'] = []): PagePast {
  return { url: pageOf(PEAT, '').url, lastSeen: on(30), versions: numbered(records), absences };
}

test('versions and absences are in the order of time, each version with its words in and out', () => {
  const past = pastOf(
    [version(9, 'peat and moss grow'), version(1, 'peat grows'), version(20, 'cheap watches', { relevance: 0.2 })],
    [
      absence(15, 9, 'back'),
      absence(12, 9, 'gone'),
      absence(25, 20, 'moved', { to: pageOf('http://bog.example/new', '').url, status: 301 }),
    ],
  );
  const { entries, lastSeen } = historyOf(past);
  expect(lastSeen).toBe(on(30));
  expect(entries.map(({ at, state, version: number }) => [at, state, number])).toEqual([
    [on(1), 'kept', 1],
    [on(9), 'kept', 2],
    [on(12), 'gone', 2],
    [on(15), 'back', 2],
    [on(20), 'off-topic', 3],
    [on(25), 'moved', 3],
  ]);
  const words = entries.flatMap((entry) => ('words' in entry ? [[entry.words, entry.wordsAdded, entry.wordsRemoved]] : []));
  expect(words).toEqual([
    [2, null, null],
    [4, 3, 1],
    [2, 2, 4],
  ]);
});

const PAST = pastOf([
  version(1, 'peat grows', { title: 'Peat' }),
  version(9, 'peat and moss grow', { title: 'Peat' }),
  version(20, 'sold'),
]);

test.each<[readonly string[], number, number]>([
  [[], 2, 3],
  [['1'], 1, 3],
  [['1', '2'], 1, 2],
  [['3', '1'], 3, 1],
  [['2026-10-01', '2026-10-15'], 1, 2],
  [['2026-10-09T09:59Z', '2026-11'], 1, 3],
  [['2', '2'], 2, 2],
])('between %j', (between, from, to) => {
  const diff = diffOf(PAST, between);
  expect([diff.from.version, diff.to.version]).toEqual([from, to]);
});

test('a difference has both texts, and the titles if they differ', () => {
  const diff = diffOf(PAST, ['1', '2']);
  expect(diff).toMatchObject({ wordsAdded: 3, wordsRemoved: 1, from: { at: on(1) }, to: { at: on(9) } });
  expect(diff.title).toBeUndefined();
  expect(diff.parts).toEqual([
    { kind: 'same', words: ['peat'] },
    { kind: 'removed', words: ['grows'] },
    { kind: 'added', words: ['and', 'moss', 'grow'] },
  ]);
  expect(diffOf(PAST, ['2', '3']).title).toEqual({ from: 'Peat', to: 'Grafting apple trees' });
});

test.each<[readonly string[], RegExp]>([
  [['4'], /4: is not a version of .*; versions 1 to 3 are there/],
  [['0'], /0: is not a version/],
  [['2026-09-30'], /has no version by then; versions 1 to 3 are there, the first of 2026-10-01/],
  [['soon'], /neither the number of a version nor a date/],
  [['1', '2', '3'], /compares two versions, not 3/],
])('%j is refused', (between, message) => {
  expect(() => diffOf(PAST, between)).toThrow(UsageError);
  expect(() => diffOf(PAST, between)).toThrow(message);
});

test('a page with one version has nothing to compare', () => {
  expect(() => diffOf(pastOf([version(1, 'peat')]), [])).toThrow(/has one version, of 2026-10-01T10:00:00.000Z; crawl with --revisit/);
});

test('versions of a corpus keep their numbers', () => {
  const records = [2, 5].map((number) => ({ ...version(number, `text ${number}`), version: number }));
  expect(historyOf(pastOf(records)).entries.map(({ version: number }) => number)).toEqual([2, 5]);
  expect(diffOf(pastOf(records), ['5', '2']).to.at).toBe(on(2));
  expect(() => diffOf(pastOf(records), ['3'])).toThrow(/versions 2 to 5/);
});

test('runs of words make both texts, and those of one kind are not next to each other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordParts(before.join(' '), after.join('\n'));
      const without = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : part.words));
      expect([without('added'), without('removed')]).toEqual([before, after]);
      for (const [i, { kind, words }] of parts.entries()) {
        expect(words.length).toBeGreaterThan(0);
        expect(parts[i + 1]?.kind).not.toBe(kind);
        if (kind === 'added') expect(parts[i + 1]?.kind).not.toBe('removed');
      }
      const count = (kind: string) => parts.reduce((sum, part) => sum + (part.kind === kind ? part.words.length : 0), 0);
      expect(wordDiff(before.join(' '), after.join(' '))).toMatchObject({ wordsAdded: count('added'), wordsRemoved: count('removed') });
    }),
  );
});
