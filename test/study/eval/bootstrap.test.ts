import { expect, test } from 'vitest';
import { bootstrapMean, bootstrapMeanOfKinds, type Observation } from '../../../src/study/eval/bootstrap.ts';

const observed = (topic: string, differences: readonly number[]): Observation[] =>
  differences.map((difference, draw) => ({ topic, draw, difference }));

test('every topic counts once, however many draws and sizes it has', () => {
  expect(bootstrapMean([...observed('a', [1, 1, 1, 1]), ...observed('b', [0])]).mean).toBe(0.5);
  expect(
    bootstrapMean([
      { topic: 'a', draw: 1, difference: 0 },
      { topic: 'a', draw: 1, difference: 1 },
      { topic: 'a', draw: 2, difference: 1 },
    ]).mean,
  ).toBe(0.75);
});

test('the interval holds the mean, and is nothing wide where nothing varies', () => {
  const { mean, low, high } = bootstrapMean([...observed('a', [0.1, 0.3]), ...observed('b', [-0.2, 0]), ...observed('c', [0.05, 0.1])]);
  expect(low).toBeLessThan(mean);
  expect(high).toBeGreaterThan(mean);
  expect(bootstrapMean(observed('a', [0.5, 0.5]))).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
});

test('more draws of the same topics do not make topics alike', () => {
  const widthWith = (draws: number) => {
    const { low, high } = bootstrapMean([0.4, -0.3, 0.1, 0].flatMap((value, at) => observed(`t${at}`, Array(draws).fill(value))));
    return high - low;
  };
  expect(widthWith(50)).toBeCloseTo(widthWith(1), 1);
  expect(widthWith(50)).toBeGreaterThan(0.2);
});

test('each kind counts once for any number of topics, and topics vary inside their kind', () => {
  const many = [0.1, 0.1, 0.1, 0.1].flatMap((value, at) => observed(`t${at}`, [value]));
  expect(bootstrapMeanOfKinds([many, observed('s', [0.3]), []])).toEqual({ mean: 0.2, low: 0.2, high: 0.2 });
  const mixed = [...observed('a', [0]), ...observed('b', [1])];
  const { mean, low, high } = bootstrapMeanOfKinds([mixed, observed('c', [0])]);
  expect([mean, low, high]).toEqual([0.25, 0, 0.5]);
  expect(bootstrapMeanOfKinds([mixed])).toEqual(bootstrapMean(mixed));
});

test('none is no number', () => {
  expect(bootstrapMeanOfKinds([[], []]).mean).toBeNaN();
  expect(bootstrapMean([]).mean).toBeNaN();
});
