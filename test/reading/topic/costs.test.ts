/** What an error on each page costs, and which unlabelled pages are examples in hiding. */
import { expect, test } from 'vitest';
import { hiddenShares, rowCosts } from '../../../src/reading/topic/costs.ts';
import type { Role, TrainingRow } from '../../../src/reading/topic/training-set.ts';

const row = (role: Role): TrainingRow => ({
  role,
  host: null,
  language: null,
  counts: { buckets: new Int32Array(0), counts: new Uint16Array(0) },
  page: null,
});
const sum = (costs: Float32Array, rows: readonly TrainingRow[], role: Role) =>
  costs.reduce((total, cost, i) => total + (rows[i]?.role === role ? cost : 0), 0);

test('examples and all others cost a half each, whatever the weights', () => {
  const rows = (['example', 'example', 'extra', 'extra', 'extra', 'background'] as const).map(row);
  const weights = [1, 1, 1, 0.5, 0, 1];
  const costs = rowCosts(rows, (i) => weights[i] ?? 0);
  expect(sum(costs, rows, 'example')).toBeCloseTo(0.5);
  expect(sum(costs, rows, 'extra')).toBeCloseTo(0.45);
  expect(sum(costs, rows, 'background')).toBeCloseTo(0.05);
  expect(costs[3]).toBeCloseTo((costs[2] ?? 0) / 2);
  expect(costs[4]).toBe(0);
});

test('an unlabelled page like the median example is one in hiding; the odds fall with its logit; other roles are never', () => {
  const rows = (['example', 'example', 'example', 'extra', 'extra', 'extra', 'irrelevant', 'background'] as const).map(row);
  const shares = hiddenShares(rows, [1, 2, 3, 5, 2, 1, 9, 9]);
  expect([...shares.slice(0, 5)]).toEqual([0, 0, 0, 1, 1]);
  expect(shares[5]).toBeCloseTo(Math.exp(-1));
  expect([...shares.slice(6)]).toEqual([0, 0]);
});

test('without an example nothing is in hiding', () => {
  expect([...hiddenShares([row('extra')], [4])]).toEqual([0]);
});

test('the own weight of a row is a factor: a guessed role teaches less', () => {
  const rows = (['example', 'example', 'irrelevant', 'irrelevant'] as const).map((role, i) => ({
    ...row(role),
    ...(i % 2 === 1 && { weight: 0.25 }),
  }));
  const costs = [...rowCosts(rows, () => 1)];
  expect(costs[0]).toBeCloseTo(0.4);
  expect(costs[1]).toBeCloseTo(0.1);
  expect(costs[3]).toBeCloseTo((costs[2] ?? 0) / 4);
  expect(rowCosts(rows, (i) => (i === 1 ? 0 : 1))[0]).toBeCloseTo(0.5);
});
