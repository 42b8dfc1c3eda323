import { expect, test } from 'vitest';
import { Yields } from '../../../src/reading/links/yields.ts';

const places = (...of: number[]) => Uint32Array.from(of);
const HOST = 1;
const GOOD = 2;
const POOR = 3;

test('nothing is said of places where no page was read', () => {
  const yields = new Yields(8);
  expect(yields.of(places(HOST, GOOD), 0, 2)).toBe(0);
  yields.add(places(HOST, GOOD), 0, 2, 0.9);
  expect(yields.of(places(5, 6), 0, 2)).toBe(0);
});

test('the deepest place that is known speaks, and its host where it is not', () => {
  const yields = new Yields(8);
  for (let i = 0; i < 20; i++) {
    yields.add(places(HOST, GOOD), 0, 2, 0.9);
    yields.add(places(HOST, POOR), 0, 2, 0.02);
    yields.add(places(4), 0, 1, 0.02);
  }
  const [good, poor, unknown] = [GOOD, POOR, 7].map((place) => yields.of(places(HOST, place), 0, 2)) as [number, number, number];
  expect(good).toBeGreaterThan(unknown);
  expect(unknown).toBeGreaterThan(0);
  expect(poor).toBeLessThan(0);
});

test('few pages say less than many', () => {
  const after = (pages: number) => {
    const yields = new Yields(8);
    for (let i = 0; i < 50; i++) yields.add(places(6), 0, 1, 0.1);
    for (let i = 0; i < pages; i++) yields.add(places(HOST), 0, 1, 0.9);
    return yields.of(places(HOST), 0, 1);
  };
  expect(after(1)).toBeGreaterThan(0);
  expect(after(3)).toBeGreaterThan(after(1));
});

test('finite at the ends, and only the places from start to end count', () => {
  const yields = new Yields(8);
  for (let i = 0; i < 5; i++) yields.add(places(HOST, GOOD), 0, 1, 1);
  for (let i = 0; i < 500; i++) yields.add(places(5), 0, 1, 0);
  expect(Number.isFinite(yields.of(places(HOST), 0, 1))).toBe(true);
  expect(yields.of(places(GOOD), 0, 1)).toBe(0);
});
