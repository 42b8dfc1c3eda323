import { expect, test } from 'vitest';
import { domainCensus, type GoldPage, thirdOf } from '../../datasets/extractor/gold.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { textOfHtml } from '../bench/extract-html-text.ts';
import { pairedBootstrap } from './paired-bootstrap.ts';
import { headlineScore, headlineTerms, type PageScore, pooledScore, scorePage } from './score.ts';

function goldPage(url: string, file = 'a'): GoldPage {
  return { file, id: url, url, type: 'article', html: '', text: '' };
}

test('words are compared as a multiset', () => {
  const { f1, precision, recall } = scorePage('the cat, the cat', 'The cat sat', 'words');
  expect([precision, recall, f1]).toEqual([2 / 4, 2 / 3, 4 / 7]);
});

test('a text found in vain or not at all scores nothing, an empty one for an empty one all', () => {
  expect(scorePage('', 'text', 'words').f1).toBe(0);
  expect(scorePage('text', '', 'words').f1).toBe(0);
  expect(scorePage('—', '', 'words').f1).toBe(1);
});

test('Chinese is compared by characters, so one more does not spoil a clause', () => {
  expect(scorePage('我是安东尼人', '我是安东尼', 'characters').f1).toBeCloseTo(10 / 11);
  expect(scorePage('我是安东尼人', '我是安东尼', 'words').f1).toBe(0);
});

test('runs of four words; a shorter text is one run', () => {
  expect(scorePage('a b c d e', 'a b c d x', 'shingles')).toMatchObject({ hit: 1, found: 2, gold: 2 });
  expect(scorePage('a b', 'a b', 'shingles').f1).toBe(1);
});

test('pooling weighs pages by their union, as article-extraction-benchmark does', () => {
  const scores = [scorePage('a b c d', 'a b c d', 'shingles'), scorePage('', 'a b c d', 'shingles')];
  expect(pooledScore(scores)).toEqual({ f1: 2 / 3, precision: 1, recall: 1 / 2 });
});

test.each(['words', 'shingles'] as const)('the terms of %s sum to the headline', (metric) => {
  const scores = [scorePage('a b c d e', 'a b c d', metric), scorePage('a b c d x', 'a b c d e f', metric)];
  const [over, under] = scores.map((score) => headlineTerms(score, metric)).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  expect(over / under).toBeCloseTo(headlineScore(scores, metric).f1, 12);
});

const right: PageScore = scorePage('a', 'a', 'words');
const wrong: PageScore = scorePage('b', 'a', 'words');

test('a bootstrap’s interval is as wide as theory has it', () => {
  const rng = seededRng(7);
  const pairs = Array.from({ length: 400 }, (_, i) => ({
    domain: `d${i}`,
    ours: rng() < 0.8 ? right : wrong,
    theirs: rng() < 0.6 ? right : wrong,
  }));
  const { low, high, difference } = pairedBootstrap(pairs, 'words', seededRng(1));
  // The standard error of the difference of two such means is sqrt((.16 + .24) / 400) = .032.
  const half = 1.96 * Math.sqrt((0.16 + 0.24) / 400);
  for (const side of [high - difference, difference - low]) {
    expect(side / half).toBeGreaterThan(0.8);
    expect(side / half).toBeLessThan(1.2);
  }
});

test('pages of one domain are drawn together: a hundred of them are one witness', () => {
  const pairs = Array.from({ length: 100 }, () => ({ domain: 'one', ours: right, theirs: wrong }));
  pairs.push({ domain: 'other', ours: wrong, theirs: right });
  const { low } = pairedBootstrap(pairs, 'words', seededRng(1));
  expect(low).toBe(-1);
});

test('the split goes by registrable domain and never changes', () => {
  const urls = ['https://example.com/', 'https://www.debian.org/a', 'https://www.ietf.org/'];
  expect(urls.map((url) => thirdOf(goldPage(url)))).toEqual([2, 0, 1]);
  expect(thirdOf(goldPage('https://a.b.example.com/x'))).toBe(thirdOf(goldPage('http://example.com')));
  const census = domainCensus([
    goldPage('https://a.example.com/'),
    goldPage('https://b.example.com/', 'b'),
    goldPage('https://bbc.co.uk/'),
  ]);
  expect(census).toEqual({ domains: 2, inTwoFiles: 1, inTwoThirds: [] });
});

test('peers’ HTML becomes text with blocks apart and inline elements together', () => {
  const html = '<div>one<p>t<b>w</b>o</p>three<br>four<script>no</script></div><table><tr><td>a<td>b</table>&eacute;';
  expect(textOfHtml(html).trim().split('\n')).toEqual(['one', 'two', 'three', 'four', 'a', 'b', 'é']);
});
