import { expect, test } from 'vitest';
import { combineHashes, hashWord } from '../../../src/base/text/tokens.ts';
import { commonTerms, STRONGEST } from '../../../src/reading/topic/common-terms.ts';
import { BUCKETS, bigramBucket, wordBucket } from '../../../src/reading/topic/features.ts';
import { idfTable } from '../../../src/reading/topic/weighting.ts';

/** Of a thousand pages: `that` and `of the` are in most, `moss` in ten. */
function background() {
  const pages = new Uint32Array(BUCKETS);
  pages[wordBucket(hashWord('that'))] = 760;
  pages[bigramBucket(combineHashes(hashWord('of'), hashWord('the')))] = 700;
  pages[wordBucket(hashWord('file'))] = 350;
  pages[wordBucket(hashWord('moss'))] = 10;
  return { idf: idfTable(pages, 1000), documents: 1000 };
}

test('function words, template words, registers and numbers are common; words of a subject are not', () => {
  const common = ['that', 'of the', 'cookies', 'privacy policy', 'my', 'said', '1986', 'title:home', 'url:index|that'];
  expect(commonTerms(common, background())).toEqual(common.slice(0, -1));
  expect(commonTerms(['moss', 'file', 'privacy moss', 'that moss', 'title:moss', 'url:that|moss'], background())).toEqual([
    'url:that|moss',
  ]);
});

test('only the strongest terms count, and a word that the model does not use is not a function word', () => {
  const terms = [...Array.from({ length: STRONGEST }, (_, i) => `moss${'x'.repeat(i + 1)}`), 'that'];
  expect(commonTerms(terms, background())).toEqual([]);
  const none = { idf: { codes: new Uint8Array(BUCKETS), step: 0.04 }, documents: 1000 };
  expect(commonTerms(['that', 'moss'], none)).toEqual([]);
  expect(commonTerms([], none)).toEqual([]);
});
