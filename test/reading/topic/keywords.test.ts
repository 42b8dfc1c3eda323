import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ModelError, UsageError } from '../../../src/base/core/errors.ts';
import { sigmoid } from '../../../src/base/core/odds.ts';
import { combineHashes, hashWord } from '../../../src/base/text/tokens.ts';
import { type Background, loadBackground } from '../../../src/reading/topic/background.ts';
import { tokenizerFingerprint } from '../../../src/reading/topic/feature-names.ts';
import { BUCKETS, bigramBucket, FeatureCounter, type PageText, titleBucket, wordBucket } from '../../../src/reading/topic/features.ts';
import { keywordModelWeights, keywordTerms } from '../../../src/reading/topic/keywords.ts';
import { LinearTopicModel } from '../../../src/reading/topic/model.ts';
import { parseRule } from '../../../src/reading/topic/rule.ts';
import { idfTable, KIND_FACTORS, scaleTable, weigh } from '../../../src/reading/topic/weighting.ts';
import { syntheticPage } from './synthetic.ts';

const background = await loadBackground();
const counter = new FeatureCounter();
const termsOf = (query: string) => keywordTerms(parseRule(query));
const weightsOf = (query: string, from: Background = background) => keywordModelWeights(termsOf(query), from);

function modelOf(query: string, from: Background = background): LinearTopicModel {
  const { weights, bias } = weightsOf(query, from);
  const settings = {
    name: query,
    bias,
    threshold: 0.5,
    factors: KIND_FACTORS,
    idfStep: from.idf.step,
    tokenizer: tokenizerFingerprint(),
    template: [],
    extractor: 'slope',
    rule: null,
  };
  return new LinearTopicModel(settings, { weights, idfCodes: from.idf.codes });
}

test('terms are those that stand under no NOT, or under two', () => {
  const named = (query: string) => termsOf(query).map(({ term }) => term);
  expect(named('corn, Maize AND NOT (pop OR NOT wheat), corn AND lang:en, title:crop')).toEqual(['corn', 'maize', 'wheat', 'title:crop']);
  expect(named('"peat bog", moss*')).toEqual(['"peat bog"', 'moss*']);
});

test('a term is its words, its pairs of words, and the words in the title', () => {
  const [peat, bog] = [hashWord('peat'), hashWord('bog')];
  expect(termsOf('Peat')).toEqual([
    { term: 'peat', inText: [{ bucket: wordBucket(peat), share: 1 }], inTitle: [{ bucket: titleBucket(peat), share: 1 }] },
  ]);
  expect(termsOf('peat bog')[0]?.inText).toEqual([
    { bucket: bigramBucket(combineHashes(peat, bog)), share: 1 },
    { bucket: wordBucket(peat), share: 0.25 },
    { bucket: wordBucket(bog), share: 0.25 },
  ]);
  expect(termsOf('title:peat')[0]).toMatchObject({ inText: [], inTitle: [{ bucket: titleBucket(peat) }] });
  expect(termsOf('peat bog*')[0]?.inText).toEqual([{ bucket: wordBucket(peat), share: 0.25 }]);
});

test.each([
  ['NOT corn', 'needs at least one word that is wanted'],
  ['-(corn, maize) AND url:/crops/', 'needs at least one word that is wanted'],
  ['lang:de', 'needs at least one word that is wanted'],
  ['corn AND model', 'model stands for a trained topic model'],
  ['moss*, bog*', 'add one without *'],
])('%s is no topic', (query, why) => {
  expect(() => termsOf(query)).toThrow(UsageError);
  expect(() => termsOf(query)).toThrow(why);
});

const BREAD = 'bread, sourdough, rye, yeast';

test('pages with the words are on topic, others are below', () => {
  const model = modelOf(BREAD);
  for (let seed = 0; seed < 20; seed++) {
    expect(model.judge(syntheticPage('bread', seed))).toBeGreaterThan(0.8);
    expect(model.judge(syntheticPage('chess', seed))).toBeLessThan(0.5);
  }
  const none = sigmoid(-1);
  expect(model.judge({ title: 'Notes', text: 'nothing of the kind' })).toBeCloseTo(none, 6);
  expect(model.judge({ title: '', text: '' })).toBeCloseTo(none, 6);
});

test('more of the words, rarer words and fewer others make a page more relevant', () => {
  const filler = (words: number) => Array.from({ length: words }, (_, i) => `filler${i}`).join(' ');
  const model = modelOf('rye, sourdough, page');
  const logit = (page: Partial<PageText>) => model.logit({ title: '', text: '', ...page });
  const one = logit({ text: `rye ${filler(200)}` });
  expect(logit({ text: `rye rye ${filler(199)}` })).toBeGreaterThan(one);
  expect(logit({ text: `rye sourdough ${filler(199)}` })).toBeGreaterThan(logit({ text: `rye rye ${filler(199)}` }));
  expect(logit({ text: `rye ${filler(400)}` })).toBeLessThan(one);
  expect(logit({ text: `page ${filler(200)}` })).toBeLessThan(one);
  expect(logit({ title: 'Rye', text: `rye ${filler(200)}` })).toBeGreaterThan(one);
});

test('a phrase counts more than its words apart, and those more than nothing', () => {
  const model = modelOf('rye sourdough');
  const filler = 'filler '.repeat(50);
  const [phrase, apart, half, none] = [`rye sourdough ${filler}`, `sourdough ${filler} rye`, `rye ${filler}`, filler].map((text) =>
    model.logit({ title: '', text }),
  );
  expect(phrase).toBeGreaterThan(apart ?? 0);
  expect(apart).toBeGreaterThan(half ?? 0);
  expect(half).toBeGreaterThan(none ?? 0);
});

test('a topic in a script without spaces', () => {
  const model = modelOf('面包, 酵母');
  expect(model.judge(syntheticPage('面包', 1))).toBeGreaterThan(0.8);
  expect(model.judge({ title: '', text: '酸面包需要酵母和面粉，烘焙的时间很长。' })).toBeGreaterThan(0.5);
  expect(model.judge(syntheticPage('帆船', 1))).toBeLessThan(0.3);
});

/** Nine hosts with ten pages each, all of 20 words that no other page has. */
const words = (from: number, count: number) => Array.from({ length: count }, (_, i) => `filler${from + i}`).join(' ');
const counted = (host: string, text: string) => ({ host, language: 'en', counts: counter.snapshot({ title: '', text }) });
const generic = Array.from({ length: 90 }, (_, i) => counted(`h${i % 9}.example`, words(20 * i, 20)));
const made: Background = { documents: 100, idf: idfTable([], 100), languages: new Map([['en', 100]]), sample: generic };

test('one term twice on a page of the middling length is just on topic, where the background does not have it; once is too little', () => {
  const { zero, slope, bias, reached } = weightsOf('rye', made);
  expect(reached).toBe(0);
  expect(bias).toBe(-1);
  expect(slope * zero).toBeCloseTo(-bias, 9);
  const judge = (text: string) => modelOf('rye', made).judge({ title: '', text });
  expect(judge(`rye rye ${words(0, 19)}`)).toBeCloseTo(0.5, 1);
  expect(judge(`rye ${words(0, 19)}`)).toBeLessThan(0.45);
  expect(judge(`rye ${words(0, 5)}`)).toBeGreaterThan(0.5);
  expect(judge(`rye rye ${words(0, 40)}`)).toBeLessThan(0.45);
  expect(judge(`rye rye rye rye rye ${words(0, 40)}`)).toBeGreaterThan(0.5);
});

const ECOLOGY = 'ecology, pollution, biodiversity, climate change, wetland';
const rest = (count: number) => words(0, count);
const LADDER: readonly (readonly [what: string, page: PageText])[] = [
  ['one mention in a book of 47,000 words', { title: 'Manual', text: `${rest(23_000)} pollution ${rest(24_000)}` }],
  ['one mention on a page of usual length', { title: 'Notes', text: `pollution ${rest(600)}` }],
  ['the short page of a download that names it', { title: 'Download', text: `pollution model ${rest(60)} pollution ${rest(85)}` }],
  ['a short text on one of the words', { title: 'Pollution', text: `${'pollution of the river '.repeat(8)} ${rest(100)}` }],
  ['a short text on all of them', { title: 'Ecology', text: `${`${ECOLOGY} `.repeat(8)} ${rest(100)}` }],
];

test('relevance rises with density and with how many of the words, and does not saturate on the way', () => {
  const model = modelOf(ECOLOGY);
  const found = LADDER.map(([, page]) => model.judge(page));
  expect(found).toEqual([...found].sort((a, b) => a - b));
  for (const [i, relevance] of found.entries()) expect(relevance - (found[i - 1] ?? 0)).toBeGreaterThan(i === 4 ? 0.005 : 0.03);
  expect(found.slice(0, 2).every((relevance) => relevance < 0.5)).toBe(true);
  expect(found[2]).toBeLessThan(0.9);
});

test.each([
  ['German', 'Moor, Torf', (n: number) => `${'Torf und Moor '.repeat(n)}${rest(300)}`],
  ['Russian', 'болото, торф', (n: number) => `${'торф и болото '.repeat(n)}${rest(300)}`],
  ['Chinese', '沼泽, 泥炭', (n: number) => `${'沼泽里的泥炭。'.repeat(n)}${rest(300)}`],
  ['a phrase', '"peat bog", sphagnum', (n: number) => `${'the peat bog '.repeat(n)}${rest(300)}`],
])('more mentions are more relevance, up to many of them: %s', (_, query, textOf) => {
  const model = modelOf(query);
  const found = [0, 1, 2, 4, 8, 16].map((n) => model.judge({ title: '', text: textOf(n) }));
  for (let i = 1; i < found.length; i++) expect(found[i]).toBeGreaterThan(found[i - 1] ?? 1);
  expect(found[1]).toBeLessThan(0.95);
});

test('the lightest term sets the bar', () => {
  const frequencies = new Float64Array(BUCKETS);
  frequencies[wordBucket(hashWord('barley'))] = 50;
  const lighter: Background = { ...made, idf: idfTable(frequencies, 100) };
  expect(weightsOf('rye, barley', lighter).zero).toBeCloseTo(weightsOf('barley', lighter).zero, 9);
  expect(weightsOf('barley', lighter).zero).toBeLessThan(weightsOf('rye', lighter).zero);
});

test('the bar rises where the background has the term', () => {
  const spread = generic.map((page, i) => (i < 9 ? counted(page.host, `rye rye rye ${words(20 * i, 19)}`) : page));
  const { zero, reached, topicHosts } = weightsOf('rye', { ...made, sample: spread });
  expect([reached, topicHosts]).toEqual([0, []]);
  expect(zero).toBeGreaterThan(weightsOf('rye', made).zero);
});

test('at most one per cent of the background is on topic, but for hosts that are on the topic', () => {
  const some: Background = { ...background, sample: background.sample.filter((_, i) => i % 8 === 0) };
  const scale = scaleTable(some.idf, KIND_FACTORS);
  const sample = some.sample.map(({ host, counts }) => ({ host, ...weigh(counts, scale) }));
  const word = fc.constantFrom(
    ...'the page file music kernel server database error print linux image star gene zzyzxian 的 und'.split(' '),
  );
  const query = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(query, (phrases) => {
      const { weights, bias, slope, zero, topicHosts, reached } = weightsOf(phrases.map((words) => words.join(' ')).join(), some);
      const logitOf = (buckets: Int32Array, values: Float32Array) =>
        buckets.reduce((sum, bucket, i) => sum + (values[i] ?? 0) * (weights[bucket] ?? 0), bias);
      const onTopic = sample.filter(({ buckets, values }) => logitOf(buckets, values) >= 0);
      const others = sample.filter(({ host }) => !topicHosts.includes(host));
      expect(onTopic.filter(({ host }) => !topicHosts.includes(host)).length).toBeLessThanOrEqual(0.01 * others.length);
      expect(others.length).toBeGreaterThanOrEqual(sample.length / 2);
      expect(Math.abs(onTopic.length / sample.length - reached)).toBeLessThanOrEqual(1 / sample.length);
      expect(weights.every((weight) => weight >= 0 && weight < Number.POSITIVE_INFINITY)).toBe(true);
      expect(slope * zero).toBeCloseTo(1, 9);
    }),
    { numRuns: 10 },
  );
});

test('the bar holds for each language by itself', () => {
  const english = Array.from({ length: 120 }, (_, i) =>
    counted(`h${i % 12}.example`, `${i < 3 ? 'rye rye rye ' : ''}${words(20 * i, 20)}`),
  );
  const other = Array.from({ length: 300 }, (_, i) => ({ ...counted(`f${i % 9}.example`, words(20 * i, 20)), language: 'fr' }));
  const apart = weightsOf('rye', { ...made, sample: [...english, ...other] });
  const together = weightsOf('rye', { ...made, sample: [...english, ...other].map((page) => ({ ...page, language: null })) });
  expect([apart.reached, together.reached]).toEqual([0, 3 / 420]);
});

test('a host of the background that is on the topic does not raise the bar', () => {
  const bakers = Array.from({ length: 10 }, (_, i) => counted('bakers.example', `rye rye rye ${words(20 * i, 19)}`));
  const { zero } = weightsOf('rye', made);
  const withBakers = weightsOf('rye', { ...made, sample: [...generic, ...bakers] });
  expect(withBakers).toMatchObject({ topicHosts: ['bakers.example'], reached: 0.1 });
  expect(withBakers.zero).toBeCloseTo(zero, 3);
  const apart = bakers.map((page, i) => ({ ...page, host: `one${i}.example` }));
  expect(weightsOf('rye', { ...made, sample: [...generic, ...apart] })).toMatchObject({ topicHosts: [], reached: 0 });
  expect(weightsOf('the').topicHosts).toEqual([]);
});

test('two terms in one bucket count once', () => {
  const seen = new Map<number, string>();
  let pair: [string, string] | null = null;
  for (let i = 0; pair === null; i++) {
    const bucket = wordBucket(hashWord(`w${i}`));
    const known = seen.get(bucket);
    if (known !== undefined) pair = [known, `w${i}`];
    seen.set(bucket, `w${i}`);
  }
  const bucket = wordBucket(hashWord(pair[0]));
  const [both, one] = [weightsOf(pair.join()), weightsOf(pair[0])];
  expect((both.weights[bucket] ?? 0) / both.slope).toBeCloseTo((one.weights[bucket] ?? 0) / one.slope, 6);
  expect(both.weights[bucket]).toBeGreaterThan(0);
});

test('explanations name the words', () => {
  const { contributions } = modelOf(BREAD).explain({ title: 'Rye', text: 'sourdough of rye flour' });
  expect(contributions.map(({ feature }) => feature).sort()).toEqual(['rye', 'sourdough', 'title:rye']);
});

test('weights have the shape of the feature space, and a background without pages is refused', () => {
  expect(weightsOf(BREAD).weights).toHaveLength(BUCKETS);
  expect(() => weightsOf(BREAD, { ...background, sample: [] })).toThrow(ModelError);
});
