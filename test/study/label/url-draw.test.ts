/** A draw from a list is simple random sampling, repeatable, and a larger one contains a smaller one. */
import { expect, test } from 'vitest';
import { UrlDraw } from '../../../src/study/label/url-draw.ts';
import { urlOf } from '../../support/frontier-values.ts';

const URLS = Array.from({ length: 400 }, (_, i) => urlOf(`https://h${i % 7}.example/p${i}`));
const drawnBy = (seed: number, count: number, urls = URLS) => {
  const draw = new UrlDraw(seed, count);
  for (const url of urls) draw.offer(url);
  return draw;
};

test('the order of the list and repeats make no difference; another seed does', () => {
  const { drawn, listed } = drawnBy(3, 25);
  expect([listed, drawn.length, new Set(drawn).size]).toEqual([400, 25, 25]);
  const mixed = drawnBy(
    3,
    25,
    [...URLS].reverse().flatMap((url) => [url, url]),
  );
  expect([mixed.drawn, mixed.listed]).toEqual([drawn, 400]);
  expect(drawnBy(4, 25).drawn).not.toEqual(drawn);
  expect(drawnBy(3, 60).drawn.slice(0, 25)).toEqual(drawn);
  expect(drawnBy(3, 1000).drawn).toHaveLength(400);
});

test('each page is drawn as often as any other', () => {
  const times = new Map<string, number>();
  const draws = 2000;
  for (let seed = 0; seed < draws; seed += 1)
    for (const url of drawnBy(seed, 20, URLS.slice(0, 80)).drawn) times.set(url, (times.get(url) ?? 0) + 1);
  // 79 degrees of freedom: 99.99 % of fair draws have a sum below 134.
  const expected = (draws * 20) / 80;
  const sum = [...times.values()].reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
  expect(times.size).toBe(80);
  expect(sum).toBeLessThan(134);
});
