import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { pairScore } from '../../../src/corpus/align/pair-score.ts';
import { TableLearner } from '../../../src/corpus/align/table-learner.ts';
import { TranslationTable } from '../../../src/corpus/align/translation-table.ts';

const NOUNS = [
  ['house', 'maison'],
  ['tree', 'arbre'],
  ['water', 'eau'],
  ['bread', 'pain'],
  ['book', 'livre'],
  ['door', 'porte'],
  ['dog', 'chien'],
  ['sea', 'mer'],
  ['night', 'nuit'],
  ['milk', 'lait'],
  ['king', 'roi'],
  ['salt', 'sel'],
] as const;

/** A table of all pairs of two nouns. */
function learned(): TranslationTable {
  const learner = new TableLearner();
  for (const [left, right] of NOUNS)
    for (const [other, autre] of NOUNS) learner.add(`the ${left} and the ${other}`, `le ${right} et le ${autre}`);
  return learner.learn();
}

/** The most probable translation of a word. */
function translationOf({ columns }: TranslationTable, word: string): number | undefined {
  const at = columns.left.words.indexOf(hashWord(word));
  const entries = [...columns.targets.keys()].slice(columns.starts[at], columns.starts[at + 1]);
  const best = entries.sort((a, b) => (columns.forward[b] ?? 0) - (columns.forward[a] ?? 0))[0];
  return columns.right.words[columns.targets[best ?? -1] ?? -1];
}

test('words that go together are translations', () => {
  const table = learned();
  for (const [left, right] of NOUNS) expect(translationOf(table, left)).toBe(hashWord(right));
  expect(table.leftIndex(hashWord('unknown'))).toBe(-1);
  expect(table.leftShare(hashWord('the'))).toBeCloseTo(2 / 5);
  expect(table.rightShare(hashWord('inconnu'))).toBe(0);
});

test('a table is the same after it was written and read', () => {
  const table = learned();
  expect(TranslationTable.fromBytes(table.toBytes()).columns).toEqual(table.columns);
  expect(learned().toBytes()).toEqual(table.toBytes());
  for (const damaged of [new Uint8Array(3), table.toBytes().slice(0, -4), new Uint8Array(64)])
    expect(() => TranslationTable.fromBytes(damaged)).toThrow(DataError);
});

test('a learner that is full keeps every second pair', () => {
  const learner = new TableLearner(40);
  const held: number[] = [];
  for (let i = 0; i < 64; i++) {
    learner.add(`one ${i}`, `un ${i}`);
    held.push(learner.pairs);
  }
  expect(Math.max(...held)).toBeLessThanOrEqual(20);
  expect(learner.pairs).toBeGreaterThanOrEqual(10);
  const table = learner.learn();
  expect(table.leftShare(hashWord('one'))).toBe(1);
});

test('a learner without pairs knows nothing', () => {
  const table = new TableLearner().learn();
  expect(table.size).toBe(0);
  expect(TranslationTable.fromBytes(table.toBytes()).size).toBe(0);
});

test('a translation scores higher than another sentence', () => {
  const table = learned();
  const score = (text: string): number => pairScore({ text: 'the house and the tree', lang: 'en' }, { text, lang: 'fr' }, table);
  expect(score('le maison et le arbre')).toBeGreaterThan(0.3);
  expect(score('le livre et le pain')).toBeLessThan(score('le maison et le arbre') / 3);
});
