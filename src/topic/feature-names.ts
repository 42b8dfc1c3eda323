import { foldWord } from '../text/letters.ts';
import { combineHashes, hashWord, scanWords } from '../text/tokens.ts';
import {
  bigramBucket,
  clipped,
  MAX_TITLE_WORDS,
  MAX_URL_WORDS,
  MAX_WORDS,
  type PageText,
  pathText,
  titleBucket,
  urlBucket,
  wordBucket,
} from './features.ts';

/**
 * The names of a page's features by bucket: a word, `word word`, `title:word` or `url:word`, folded as they were hashed. Names that share a bucket
 * are joined with '|', in order of first occurrence. Follows `FeatureCounter.count` word for word. O(length of the page).
 */
export function featureNames(page: PageText): Map<number, string> {
  const names = new Map<number, Set<string>>();
  const add = (bucket: number, name: string) => {
    const known = names.get(bucket);
    if (known === undefined) names.set(bucket, new Set([name]));
    else known.add(name);
  };
  let previous = { hash: 0, word: '' };
  eachWord(clipped(page.text), MAX_WORDS, (hash, word, index) => {
    add(wordBucket(hash), word);
    if (index > 0) add(bigramBucket(combineHashes(previous.hash, hash)), `${previous.word} ${word}`);
    previous = { hash, word };
  });
  eachWord(clipped(page.title), MAX_TITLE_WORDS, (hash, word) => add(titleBucket(hash), `title:${word}`));
  eachWord(clipped(pathText('url' in page ? page.url : null)), MAX_URL_WORDS, (hash, word) => add(urlBucket(hash), `url:${word}`));
  return new Map([...names].map(([bucket, set]) => [bucket, [...set].join('|')]));
}

function eachWord(text: string, limit: number, visit: (hash: number, word: string, index: number) => void): void {
  let index = 0;
  scanWords(text, (hash, start, end) => {
    if (index < limit) visit(hash, foldWord(text.slice(start, end)), index);
    index++;
  });
}

/** One word of each kind that the tokeniser treats separately. */
const PROBES = ['crawler', 'Größe', 'état', 'Σοφός', 'город', 'ﬁle', '网页', 'ウェブ', '１２３'];

/**
 * A number that changes if words are hashed or bucketed differently. A model or background made with another tokeniser must not be used with this
 * one, because its weights would belong to other words.
 */
export function tokenizerFingerprint(): number {
  const sum = PROBES.map(hashWord).reduce(
    (so, hash) => combineHashes(combineHashes(so, wordBucket(hash)), bigramBucket(hash)),
    combineHashes(titleBucket(1), urlBucket(1)),
  );
  return sum >>> 0;
}
