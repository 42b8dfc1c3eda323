/** The distance of a corpus from a frame: nothing where the frame is drawn from it, and a planted difference otherwise. */
import { expect, test } from 'vitest';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { type Counts, facetBias, frameWeights } from '../../../src/corpus/search/frame-bias.ts';
import { facetsOf, facetsOfUrl } from '../../../src/corpus/search/page-facets.ts';
import { runs } from '../../support/extent.ts';
import { pageOf, recordOf } from '../records/samples.ts';

const countsOf = (values: readonly string[]): Counts => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};
const harmonic = (values: number) => Array.from({ length: values }, (_, i) => 1 / (i + 1)).reduce((a, b) => a + b, 0);
/** Pages whose values are as frequent as 1, 1/2, 1/3, … */
function pages(count: number, values: number, seed: number): string[] {
  const rng = seededRng(seed);
  return Array.from({ length: count }, () => {
    let left = rng() * harmonic(values);
    let value = 0;
    while (value < values - 1 && left > 1 / (value + 1)) {
      left -= 1 / (value + 1);
      value += 1;
    }
    return `v${value}`;
  });
}
const biasOf = (corpus: readonly string[], frame: readonly string[]) => facetBias(countsOf(corpus), countsOf(frame), seededRng(1));

test.each([
  [2000, 4],
  [1000, 60],
  // Most hosts have one page.
  [400, 500],
])('a frame drawn from a corpus of %i pages with %i values gives 0 within the interval', (count, values) => {
  const draws = runs(20);
  let holds = 0;
  let named = 0;
  for (let seed = 0; seed < draws; seed += 1) {
    const corpus = pages(count, values, seed);
    const found = biasOf(corpus, shuffled(corpus, seededRng(seed + 1)).slice(0, count / 5));
    holds += Number(found.low === 0);
    named += found.gaps.length;
  }
  expect(holds / draws).toBeGreaterThanOrEqual(0.95);
  expect(named / draws).toBeLessThan(0.2);
});

test.each(['de', '2019', 'pdf', 'big.example'])('a planted absence of %s is named first, and the interval covers its share', (absent) => {
  const frame = pages(1500, 12, 5).map((value, i) => (i % 5 === 0 ? absent : value));
  const { gaps, low, high, distance } = biasOf(pages(3000, 12, 6), frame);
  expect(gaps[0]).toMatchObject({ value: absent, corpus: 0 });
  expect(gaps[0]?.frame).toBeCloseTo(0.2, 5);
  expect([low <= 0.2, high >= 0.2]).toEqual([true, true]);
  expect(distance).toBeCloseTo(0.2, 1);
});

test('the interval covers a known difference', () => {
  let covered = 0;
  const draws = runs(20);
  // A quarter of the pages are moved to the most frequent value.
  const truth = 0.25 * (1 - 1 / harmonic(10));
  for (let seed = 0; seed < draws; seed += 1) {
    const corpus = pages(800, 10, seed).map((value, i) => (i % 4 === 0 ? 'v0' : value));
    const { low, high } = biasOf(corpus, pages(400, 10, seed + 1000));
    covered += Number(low <= truth && truth <= high);
  }
  expect(covered / draws).toBeGreaterThanOrEqual(0.9);
});

test('an empty side has no distance; rare values count as one', () => {
  expect(biasOf([], ['a'])).toMatchObject({ distance: 0, low: 0, high: 0 });
  expect(biasOf(['a', 'a', 'a', 'a', 'a', 'b'], ['a', 'a', 'c', 'd']).values).toBe(2);
});

test('weights even the shares out, within a cap', () => {
  const many = (count: number, value: string) => Array.from({ length: count }, () => value);
  const weights = frameWeights(countsOf([...many(80, 'a'), ...many(20, 'b'), 'c']), countsOf([...many(50, 'a'), ...many(50, 'b')]), 5);
  expect(weights.get('a')).toBeCloseTo(0.63, 1);
  expect(weights.get('b')).toBeCloseTo(2.5, 1);
  expect(weights.get('c')).toBe(0.2);
});

test('a page has one value of each property', () => {
  const at = (url: string) => canonicalize(url) as CorpusRecord['url'];
  expect(facetsOfUrl(at('https://www.moss.example.co.uk/a'), () => 12)).toEqual({
    tld: 'uk',
    host: 'www.moss.example.co.uk',
    hostSize: '10 to 99 pages',
  });
  expect(facetsOfUrl(at('http://127.0.0.1/'), () => 0)).toMatchObject({ tld: 'unknown', hostSize: 'not in the corpus' });
  const record = recordOf(pageOf('http://a.example/', ''), { lang: 'de-AT', text: 'ein Wort '.repeat(60) });
  const found = facetsOf(record, () => 1);
  expect(found).toMatchObject({ language: 'de', year: 'unknown', length: '100 to 299 words', kind: 'html', hostSize: '1 to 9 pages' });
  const dated = { ...record, lang: null, metadata: { ...record.metadata, published: '2019-05-02' } };
  expect(facetsOf(dated, () => 5000)).toMatchObject({ language: 'unknown', year: '2019', hostSize: '1000 pages or more' });
});
