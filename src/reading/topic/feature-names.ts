import { foldWord } from '../../base/text/letters.ts';
import { combineHashes, hashWord, scanWords } from '../../base/text/tokens.ts';
import {
  bigramBucket,
  characterBucket,
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
import { eachPunctuation } from './punctuation.ts';

/**
 * The names of a page's features by bucket: a word, `word word`, `character:字`, `title:word` or `url:word`, folded as they were hashed. Names that
 * share a bucket are joined with '|', in order of first occurrence. Follows `FeatureCounter.count` word for word. O(length of the page).
 * @param withPunctuation also `character:《`, see `eachPunctuation`
 */
export function featureNames(page: PageText, withPunctuation = false): Map<number, string> {
  const names = new Map<number, Set<string>>();
  const add = (bucket: number, name: string) => {
    const known = names.get(bucket);
    if (known === undefined) names.set(bucket, new Set([name]));
    else known.add(name);
  };
  addText(page, add);
  if (withPunctuation) eachPunctuation(page, (bucket, mark) => add(bucket, `character:${foldWord(mark)}`));
  eachWord(clipped(page.title), MAX_TITLE_WORDS, (hash, word) => add(titleBucket(hash), `title:${word}`));
  eachWord(clipped(pathText('url' in page ? page.url : null)), MAX_URL_WORDS, (hash, word) => add(urlBucket(hash), `url:${word}`));
  return new Map([...names].map(([bucket, set]) => [bucket, [...set].join('|')]));
}

type AddName = (bucket: number, name: string) => void;

/** The words, pairs of words and Han characters of the visible text. */
function addText({ text, otherText = '' }: PageText, add: AddName): void {
  let previous = { hash: 0, word: '' };
  let from = 0;
  for (const part of [clipped(text), clipped(otherText)]) {
    const addWord = (hash: number, word: string, index: number) => {
      add(wordBucket(hash), word);
      if (index > 0) add(bigramBucket(combineHashes(previous.hash, hash)), `${previous.word} ${word}`);
      previous = { hash, word };
    };
    from = eachWord(part, MAX_WORDS, addWord, from);
    for (const [han] of part.matchAll(/[\u3400-\u4dbf\u4e00-\u9fff]/g)) add(characterBucket(hashWord(han)), `character:${han}`);
  }
}

/** @returns the index of the next word */
function eachWord(text: string, limit: number, visit: (hash: number, word: string, index: number) => void, from = 0): number {
  let index = from;
  scanWords(text, (hash, start, end) => {
    if (index < limit) visit(hash, foldWord(text.slice(start, end)), index);
    index++;
  });
  return index;
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
    [characterBucket(1), titleBucket(1), urlBucket(1)].reduce(combineHashes),
  );
  return sum >>> 0;
}
