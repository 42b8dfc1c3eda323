import { expect, test } from 'vitest';
import { agreementOf, type SharedAnswers, taughtWeight, untaughtBy } from '../../../../src/study/label/judge/agreement.ts';

const shared = (yesYes: number, yesNo: number, noYes: number, noNo: number): SharedAnswers => ({ yesYes, yesNo, noYes, noNo });

test('kappa of published tables', () => {
  // Cohen's kappa of 20, 5, 10 and 15: equal answers .7, by chance .5.
  expect(agreementOf(shared(20, 5, 10, 15)).kappa).toBeCloseTo(0.4, 10);
  expect(agreementOf(shared(45, 15, 25, 15)).kappa).toBeCloseTo(0.1304, 4);
  expect(agreementOf(shared(25, 35, 5, 35)).kappa).toBeCloseTo(0.2593, 4);
});

test('complete agreement, complete disagreement, and answers of one kind', () => {
  expect(agreementOf(shared(10, 0, 0, 10)).kappa).toBe(1);
  expect(agreementOf(shared(0, 10, 10, 0)).kappa).toBe(-1);
  expect(agreementOf(shared(20, 0, 0, 0))).toMatchObject({ kappa: null, interval: { low: -1, high: 1 } });
  expect(agreementOf(shared(0, 0, 0, 0))).toMatchObject({ pages: 0, kappa: null });
});

test('the interval holds kappa and has a width even if all answers are equal', () => {
  const { kappa, interval } = agreementOf(shared(10, 0, 0, 10));
  expect(interval.low).toBeCloseTo(0.678, 3);
  expect(interval.high).toBe(kappa);
  const more = agreementOf(shared(100, 0, 0, 100)).interval;
  expect(more.low).toBeGreaterThan(interval.low);
});

test('answers teach from 20 shared pages on, with five of each kind, and a lower bound of kappa of .4', () => {
  const why = (...counts: Parameters<typeof shared>) => untaughtBy(agreementOf(shared(...counts)));
  expect(why(10, 0, 0, 9)).toBe('both answered 19 pages; needed: 20');
  expect(why(10, 0, 0, 10)).toBeNull();
  expect(why(26, 0, 0, 4)).toContain('answered 4 with one of y and n; needed: 5 of each');
  expect(why(10, 1, 0, 9)).toBeNull();
  expect(why(9, 1, 1, 9)).toBe('the lower bound of kappa is 0.398; needed: 0.4');
  expect(why(40, 10, 10, 40)).toBeNull();
  expect(why(50, 0, 50, 50)).toMatch(/^the lower bound of kappa is 0\.2/);
  expect(why(0, 50, 50, 0)).toMatch(/^the lower bound of kappa is -1\.\d/);
});

test('the weight is kappa, and there is none without the right to teach', () => {
  expect(taughtWeight(agreementOf(shared(40, 10, 10, 40)))).toBeCloseTo(0.6);
  expect(taughtWeight(agreementOf(shared(9, 1, 1, 9)))).toBeNull();
});
