/** The agreement of runs: equal ones agree wholly, and the counts follow from the sets. */
import { expect, test } from 'vitest';
import { keptInRuns, type StableRun, stabilityOf } from '../../../src/study/eval/stability.ts';
import { urlOf } from '../../support/frontier-values.ts';

const run = (paths: string, words: Readonly<Record<string, number>> = {}): StableRun => ({
  kept: new Set([...paths].map((path) => urlOf(`https://a.example/${path}`))),
  terms: new Map(Object.entries(words)),
  hosts: new Map([['a.example', paths.length]]),
});

test('eight equal runs give 1', () => {
  const equal = Array.from({ length: 8 }, () => run('abc', { moss: 3, peat: 2, bog: 1 }));
  expect(stabilityOf(equal)).toEqual({ runs: 8, kept: { inAll: 3, inMost: 0, inSome: 0 }, overlap: 1, terms: 1, hosts: 1 });
  expect(stabilityOf([run(''), run('')])).toMatchObject({ overlap: 1, terms: 1, hosts: 1 });
});

test('pages are counted by the runs that keep them', () => {
  const runs = [run('abc'), run('abd'), run('ab'), run('ae')];
  expect(stabilityOf(runs).kept).toEqual({ inAll: 1, inMost: 1, inSome: 3 });
  expect([...keptInRuns(runs)].map(([url, times]) => [url.at(-1), times])).toEqual([
    ['a', 4],
    ['b', 3],
    ['c', 1],
    ['d', 1],
    ['e', 1],
  ]);
  expect(stabilityOf([run('ab'), run('bc')]).overlap).toBeCloseTo(1 / 3);
  expect(stabilityOf([run('ab'), run('cd')]).overlap).toBe(0);
});

test('the order of words is compared, with those that one run lacks', () => {
  const terms = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) => stabilityOf([run('a', a), run('a', b)]).terms;
  expect(terms({ a: 3, b: 2, c: 1 }, { a: 30, b: 20, c: 10 })).toBeCloseTo(1);
  expect(terms({ a: 3, b: 2, c: 1 }, { a: 1, b: 2, c: 3 })).toBeCloseTo(-1);
  expect(terms({ a: 3, b: 2 }, { a: 3, c: 2 })).toBeLessThanOrEqual(0.5);
});
