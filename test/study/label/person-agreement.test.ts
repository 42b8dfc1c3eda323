import { expect, test } from 'vitest';
import { labelsCsv } from '../../../src/study/label/label-export.ts';
import { labelsIn } from '../../../src/study/label/label-import.ts';
import type { LabelEntry } from '../../../src/study/label/label-log.ts';
import { personAgreements } from '../../../src/study/label/person-agreement.ts';

type Given = Pick<LabelEntry, 'answer' | 'name'>;

function entry(url: string, { answer, name }: Given, sha256 = 'text'): LabelEntry {
  const at = '2026-01-01T00:00:00.000Z';
  return { url, answer, queue: 'random', ...(name !== undefined && { name }), relevance: 0.5, modelId: 'model', sha256, at };
}

/** Pages with these answers of two people. */
const both = (pairs: readonly string[]) =>
  pairs.flatMap((pair, i) => [
    entry(`http://a.test/${i}`, { name: 'Ben', answer: pair[1] === 'y' ? 'y' : 'n' }),
    entry(`http://a.test/${i}`, { name: 'Anna', answer: pair[0] === 'y' ? 'y' : 'n' }),
  ]);

test('kappa of two people, by hand: 7 of 10 equal, 5 expected by chance', () => {
  // Anna says y to 5 of 10, Ben to 6: by chance .5 × .6 + .5 × .4 = .5, so kappa = (.7 - .5) / .5.
  const entries = both(['yy', 'yy', 'yy', 'yy', 'yn', 'ny', 'ny', 'nn', 'nn', 'nn']);
  const [agreement] = personAgreements(entries);
  expect(agreement).toMatchObject({ names: ['Anna', 'Ben'], pages: 10, yesYes: 4, yesNo: 1, noYes: 2, noNo: 3 });
  expect(agreement?.kappa).toBeCloseTo(0.4, 12);
});

test('complete agreement is 1, agreement by chance alone 0, and one kind of answer has none', () => {
  const pairs = [
    ['yy', 'nn'],
    ['yy', 'yn', 'ny', 'nn'],
    ['yy', 'yy'],
  ];
  expect(pairs.map((one) => personAgreements(both(one))[0]?.kappa)).toEqual([1, 0, null]);
});

test('skips, other texts and answers without a name do not count; the last answer of a person does', () => {
  const anna = (i: number, answer: Given['answer'], sha256?: string) => entry(`http://a.test/${i}`, { name: 'Anna', answer }, sha256);
  const ben = (i: number) => entry(`http://a.test/${i}`, { name: 'Ben', answer: 'y' });
  const nobody = entry('http://a.test/4', { answer: 'y' });
  const entries = [anna(1, 'skip'), ben(1), anna(2, 'y', 'other'), ben(2), ben(3), anna(3, 'n'), anna(3, 'y'), nobody, ben(4)];
  expect(personAgreements(entries)).toMatchObject([{ pages: 1, yesYes: 1 }]);
  expect(personAgreements([nobody, ben(4)])).toEqual([]);
});

test('CSV: one line for each person and page, which an import reads', () => {
  const entries = [entry('http://a.test/1,2', { answer: 'y' }), ...both(['yn']), entry('http://a.test/0', { name: 'Ben', answer: 'y' })];
  const csv = labelsCsv(entries);
  expect(csv.split('\n')).toEqual([
    'url,name,queue,relevance,model,at,answer',
    '"http://a.test/1,2",,random,0.500000,model,2026-01-01T00:00:00.000Z,y',
    'http://a.test/0,Anna,random,0.500000,model,2026-01-01T00:00:00.000Z,y',
    'http://a.test/0,Ben,random,0.500000,model,2026-01-01T00:00:00.000Z,y',
    '',
  ]);
  expect(labelsIn(csv, 'labels')).toEqual([
    { url: 'http://a.test/1,2', answer: 'y' },
    { url: 'http://a.test/0', answer: 'y', name: 'Anna' },
    { url: 'http://a.test/0', answer: 'y', name: 'Ben' },
  ]);
});
