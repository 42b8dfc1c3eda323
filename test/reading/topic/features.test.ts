import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { featureNames, tokenizerFingerprint } from '../../../src/reading/topic/feature-names.ts';
import { BUCKETS, FeatureCounter, kindOf, MAX_WORDS, titleBucket, wordBucket } from '../../../src/reading/topic/features.ts';
import { idfTable, KIND_FACTORS, scaleTable, weigh } from '../../../src/reading/topic/weighting.ts';
import { runs } from '../../support/extent.ts';

const counter = new FeatureCounter();
const countOf = (page: { title: string; text: string }, bucket: number) => {
  const { buckets, counts } = counter.snapshot(page);
  return counts[buckets.indexOf(bucket)] ?? 0;
};

test('words, bigrams and title words are counted apart', () => {
  const { buckets, counts } = counter.snapshot({ title: 'Bread', text: 'Sour bread, sour BREAD' });
  const kinds = Array.from(buckets, kindOf);
  expect(kinds.filter((kind) => kind === 'word')).toHaveLength(2);
  expect(kinds.filter((kind) => kind === 'bigram')).toHaveLength(2);
  expect(kinds.filter((kind) => kind === 'title')).toHaveLength(1);
  expect(counts.reduce((a, b) => a + b, 0)).toBe(4 + 3 + 1);
  expect(countOf({ title: '', text: 'bread and Bread' }, wordBucket(hashWord('bread')))).toBe(2);
  expect(countOf({ title: 'Bread bread', text: 'bread' }, titleBucket(hashWord('bread')))).toBe(2);
});

test('the scratch memory is clean after every page', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string({ maxLength: 40 }), (text, title) => {
      counter.snapshot({ title, text });
      expect(counter.size).toBe(0);
      expect(counter.counts.every((count) => count === 0)).toBe(true);
    }),
    { numRuns: runs(30) },
  );
});

test('every feature of any text has a name, and every name a feature', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.lorem(), fc.string({ unit: 'grapheme' }), (text, title, otherText) => {
      const { buckets } = counter.snapshot({ title, text, otherText });
      expect([...featureNames({ title, text, otherText }).keys()].sort()).toEqual([...buckets].sort());
    }),
  );
});

test('a page is read up to the cap, whatever its length', () => {
  const long = 'word '.repeat(MAX_WORDS + 500);
  expect(countOf({ title: '', text: long }, wordBucket(hashWord('word')))).toBe(MAX_WORDS);
  const distinct = Array.from({ length: MAX_WORDS * 2 }, (_, i) => `w${i}`).join(' ');
  expect(counter.snapshot({ title: distinct, text: distinct }).buckets.length).toBeLessThanOrEqual(2 * MAX_WORDS + 64);
  expect(countOf({ title: '', text: 'after' }, wordBucket(hashWord('after')))).toBe(1);
});

test('Chinese text gives words and bigrams', () => {
  const { buckets } = counter.snapshot({ title: '面包', text: '面包需要酵母和面粉' });
  expect(buckets.length).toBeGreaterThan(5);
  expect([...featureNames({ title: '面包', text: '面包需要酵母和面粉' }).values()]).toContain('面包');
});

test('each Han character of the visible text counts by itself as well', () => {
  const page = { title: '面包', text: '面包需要面粉', otherText: '目录 Index 目' };
  const names = featureNames(page);
  const { buckets, counts } = counter.snapshot(page);
  const characters = [...buckets].flatMap((bucket, i) => (kindOf(bucket) === 'character' ? [[names.get(bucket), counts[i]]] : []));
  expect(Object.fromEntries(characters)).toEqual({
    'character:面': 2,
    'character:包': 1,
    'character:需': 1,
    'character:要': 1,
    'character:粉': 1,
    'character:目': 2,
    'character:录': 1,
  });
});

test('the other text counts like the main text, after it', () => {
  const apart = counter.snapshot({ title: 'Bread', text: 'sour bread', otherText: 'all recipes' });
  expect(apart).toEqual(counter.snapshot({ title: 'Bread', text: 'sour bread all recipes' }));
  const long = 'word '.repeat(MAX_WORDS);
  expect(counter.snapshot({ title: '', text: long, otherText: 'after 尾' })).toEqual(counter.snapshot({ title: '', text: long }));
});

test('each kind of feature has its length in a vector, and rarer words weigh more', () => {
  const frequencies = new Float64Array(BUCKETS);
  frequencies[wordBucket(hashWord('the'))] = 1000;
  const scale = scaleTable(idfTable(frequencies, 1000), KIND_FACTORS);
  const vector = weigh(counter.snapshot({ title: '', text: 'the levain' }), scale);
  const of = (word: string) => vector.values[vector.buckets.indexOf(wordBucket(hashWord(word)))] ?? 0;
  const { lengths } = scale;
  expect(vector.values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo((lengths[0] ?? 0) ** 2 + (lengths[1] ?? 0) ** 2, 6);
  expect(of('levain')).toBeGreaterThan(3 * of('the'));
  expect(weigh(counter.snapshot({ title: '', text: '' }), scale).values).toHaveLength(0);
});

test('quantised idf is within half a step of the true one', () => {
  const frequencies = Float64Array.from({ length: BUCKETS }, (_, i) => i % 2001);
  const { codes, step } = idfTable(frequencies, 2000);
  for (let b = 0; b < 2001; b++)
    expect(Math.abs((codes[b] ?? 0) * step - (Math.log(2001 / (b + 1)) + 1))).toBeLessThanOrEqual(step / 2 + 1e-9);
});

test('the fingerprint of the tokeniser is stable within a run', () => expect(tokenizerFingerprint()).toBe(tokenizerFingerprint()));
