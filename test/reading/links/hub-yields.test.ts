import { expect, test } from 'vitest';
import { HubYields } from '../../../src/reading/links/hub-yields.ts';
import { urlOf } from '../../support/frontier-values.ts';

const page = (name: string) => urlOf(`http://a.test/${name}`);
const START = page('start');

/** Links of `good` lead to relevant pages, those of `poor` do not. */
function seen(): HubYields {
  const yields = new HubYields(2 ** 12);
  for (const way of ['good', 'poor']) {
    yields.add(START, 0.1);
    yields.add(page(`to-${way}`), 0.1);
    for (let i = 0; i < 10; i++) yields.add(page(way), way === 'good' ? 0.9 : 0.05);
  }
  return yields;
}

test('pages whose links proved good are better than others, and what no link was followed of is neither', () => {
  const yields = seen();
  expect(yields.of(yields.placeOf(page('good')))).toBeGreaterThan(0.5);
  expect(yields.of(yields.placeOf(page('poor')))).toBeLessThan(-0.5);
  expect(yields.of(yields.placeOf(page('unknown')))).toBe(0);
});

test('a page further up the way has no credit of it', () => {
  const yields = seen();
  expect(yields.of(yields.placeOf(page('to-good')))).toBe(yields.of(yields.placeOf(page('to-poor'))));
});
