import { expect, test } from 'vitest';
import { HubYields } from '../../src/links/hub-yields.ts';
import { urlOf } from '../support/frontier-values.ts';

const page = (name: string) => urlOf(`http://a.test/${name}`);
const START = page('start');

/** Links of `good` lead to relevant pages, those of `poor` do not. */
function seen(gamma: number): HubYields {
  const yields = new HubYields(2 ** 12, gamma);
  for (const way of ['good', 'poor']) {
    yields.add(page(`to-${way}`), START, 0.1);
    yields.add(page(way), page(`to-${way}`), 0.1);
    for (let i = 0; i < 10; i++) yields.add(page(`${way}/${i}`), page(way), way === 'good' ? 0.9 : 0.05);
  }
  return yields;
}

test('pages whose links proved good are better than others, and what no link was followed of is neither', () => {
  const yields = seen(0);
  expect(yields.of(yields.placeOf(page('good')))).toBeGreaterThan(0.5);
  expect(yields.of(yields.placeOf(page('poor')))).toBeLessThan(-0.5);
  expect(yields.of(yields.placeOf(page('unknown')))).toBe(0);
});

test('without gamma only the referrer has the credit; with it the pages on the way have some, less for each hop', () => {
  const [alone, ahead] = [seen(0), seen(0.5)];
  expect(alone.of(alone.placeOf(page('to-good')))).toBe(alone.of(alone.placeOf(page('to-poor'))));
  expect(ahead.of(ahead.placeOf(page('to-good')))).toBeGreaterThan(ahead.of(ahead.placeOf(page('to-poor'))));
  expect(ahead.of(ahead.placeOf(page('good')))).toBeGreaterThan(ahead.of(ahead.placeOf(page('to-good'))));
});

test('a circle of referrers ends', () => {
  const yields = new HubYields(2 ** 12, 0.9);
  yields.add(page('a'), page('b'), 1);
  yields.add(page('b'), page('a'), 1);
  expect(Number.isFinite(yields.of(yields.placeOf(page('a'))))).toBe(true);
});
