import { expect, test } from 'vitest';
import { coderDisagreements } from '../../../src/study/label/coder-answers.ts';
import { labelsCsv } from '../../../src/study/label/label-export.ts';
import { labelsIn } from '../../../src/study/label/label-import.ts';
import type { LabelEntry } from '../../../src/study/label/label-log.ts';
import { alphaFrom, codingFacts, codingOf, personAgreements } from '../../../src/study/label/person-agreement.ts';

type Given = Pick<LabelEntry, 'answer' | 'name'> & { readonly queue?: LabelEntry['queue']; readonly at?: string; readonly known?: true };

function entry(url: string, given: Given, sha256 = 'text'): LabelEntry {
  const { answer, name, queue = 'random', at = '2026-01-01T00:00:00.000Z', known } = given;
  return { url, answer, queue, ...(known && { known }), ...(name !== undefined && { name }), relevance: 0.5, modelId: 'model', sha256, at };
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

const URL = 'http://a.test/0';

test('a draw of a labelled page, an answer to a whole host and a decision are no answers of a coder', () => {
  const anna = entry(URL, { name: 'Anna', answer: 'y' });
  const others = [{ known: true as const }, { queue: 'place' as const }, { queue: 'decision' as const }];
  for (const other of others) expect(personAgreements([anna, entry(URL, { name: 'Ben', answer: 'y', ...other })])).toEqual([]);
  expect(personAgreements([anna, entry(URL, { name: 'Ben', answer: 'y' })])).toHaveLength(1);
});

test('alpha of three people, by hand: 2 of 9 observed, 5 of 9 expected; and the published example of two', () => {
  const people = ['Anna', 'Ben', 'Carol'];
  const entries = ['yyy', 'yyn', 'nnn'].flatMap((answers, i) =>
    people.map((name, j) => entry(`http://a.test/${i}`, { name, answer: answers[j] === 'y' ? 'y' : 'n' })),
  );
  const { alpha } = codingOf(entries);
  expect(alpha).toMatchObject({ people: 3, pages: 3 });
  expect(alpha?.alpha).toBeCloseTo(0.6, 12);
  expect(alpha?.low).toBeLessThan(0.6);
  expect(codingOf(entries.filter(({ name }) => name !== 'Carol')).alpha).toBeNull();
  // Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example A: two observers, ten units, binary.
  const pairs = ['01', '11', '01', '00', '00', '01', '00', '00', '10', '00'];
  expect(alphaFrom(pairs.map((pair) => ({ all: 2, yes: [...pair].filter((one) => one === '1').length }))).alpha).toBeCloseTo(0.095, 3);
  expect(alphaFrom([{ all: 3, yes: 3 }]).alpha).toBeNull();
});

test('a disagreement is open until a decision, and again after a later answer that differs; the decision is not compared', () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
  const two = [entry(URL, { name: 'Anna', answer: 'y', at: at(1) }), entry(URL, { name: 'Ben', answer: 'n', at: at(2) })];
  const decision = entry(URL, { name: 'Carol', answer: 'y', at: at(3), queue: 'decision' });
  const answers = [
    { name: 'Anna', answer: 'y' },
    { name: 'Ben', answer: 'n' },
  ];
  expect(coderDisagreements(two)).toEqual([{ url: URL, answers, decision: null, isOpen: true }]);
  const decided = { name: 'Carol', answer: 'y', at: at(3) };
  expect(coderDisagreements([...two, decision])).toEqual([{ url: URL, answers, decision: decided, isOpen: false }]);
  const same = entry(URL, { name: 'Dora', answer: 'y', at: at(4) });
  expect(coderDisagreements([...two, decision, same])[0]?.isOpen).toBe(false);
  expect(coderDisagreements([...two, decision, { ...same, answer: 'n' }])[0]?.isOpen).toBe(true);
  expect(codingOf([...two, decision]).agreements).toEqual(codingOf(two).agreements);
  expect(codingFacts([...two, decision])).toMatchObject({ open: 0, decided: 1, decisions: { names: ['Carol'], first: at(3) } });
  expect(codingFacts(two)).toMatchObject({ open: 1, decided: 0, decisions: null });
});

test('a skip is no disagreement, and answers to the newest text alone are compared', () => {
  const anna = entry(URL, { name: 'Anna', answer: 'y' });
  expect(coderDisagreements([anna, entry(URL, { name: 'Ben', answer: 'skip' })])).toEqual([]);
  expect(coderDisagreements([anna, entry(URL, { name: 'Ben', answer: 'n' }, 'changed')])).toEqual([]);
});

test('CSV keeps a decision beside the answers of its person, and an import knows it', () => {
  const csv = labelsCsv([entry(URL, { name: 'Anna', answer: 'n' }), entry(URL, { name: 'Anna', answer: 'y', queue: 'decision' })]);
  expect(labelsIn(csv, 'labels')).toEqual([
    { url: URL, answer: 'n', name: 'Anna' },
    { url: URL, answer: 'y', name: 'Anna', decides: true },
  ]);
});
