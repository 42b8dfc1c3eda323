import type { JudgedText } from '../../base/core/parts/reading.ts';
import { squeezedHead } from '../../base/text/squeeze.ts';
import { combineHashes, scanWords } from '../../base/text/tokens.ts';
import { SEGMENTED_OF_PAGE } from '../../base/text/unspaced-words.ts';

/** The judged parts of a page. The path of its address is read too, because it also describes the subject; its language is for rules. */
export type PageText = JudgedText;

/** Kinds in the order of their buckets. */
export const FEATURE_KINDS = ['word', 'bigram', 'character', 'title', 'url'] as const;
/** Words, pairs of neighbouring words and Han characters of the visible text, words of the title, words of the URL's path. */
export type FeatureKind = (typeof FEATURE_KINDS)[number];

/**
 * Number of buckets of the hashed feature space, 2^18, divided into a range for each kind. So kinds never collide with each other, and the bucket of
 * a feature shows its kind.
 */
export const BUCKETS = 262_144;
export const WORD_BUCKETS = 131_072;
/** Written Chinese uses some 3,500 characters commonly (Table of General Standard Chinese Characters, level 1). */
const CHARACTER_BUCKETS = 8192;
export const TITLE_BUCKETS = 16_384;
export const URL_BUCKETS = 8192;
export const BIGRAM_BASE = WORD_BUCKETS;
export const URL_BASE = BUCKETS - URL_BUCKETS;
export const TITLE_BASE = URL_BASE - TITLE_BUCKETS;
export const CHARACTER_BASE = TITLE_BASE - CHARACTER_BUCKETS;
export const BIGRAM_SCALE = (CHARACTER_BASE - BIGRAM_BASE) / 4_294_967_296;

/**
 * Number of words read of one page. Longer pages are whole books or logs in one file: their first 20,000 words (about 120 kB of English) determine
 * the topic.
 */
export const MAX_WORDS = 20_000;
/** Titles are cut here: RFC-style titles are far shorter, and a page that repeats its text as a title gains nothing. */
export const MAX_TITLE_WORDS = 64;
/** Number of words read of a path: longer ones are queries or tokens. */
export const MAX_URL_WORDS = 32;

/** Number of characters given to the tokeniser: 20 for each word that counts, so that a text of a few endless words cannot stall a crawl. */
export const MAX_CHARS = 20 * MAX_WORDS;

/** Most distinct features of a page. */
export const SLOTS = 2 * MAX_WORDS + CHARACTER_BUCKETS + MAX_TITLE_WORDS + MAX_URL_WORDS;

/** The number of a bucket's kind in `FEATURE_KINDS`. */
export function kindNumber(bucket: number): number {
  if (bucket < BIGRAM_BASE) return 0;
  if (bucket < CHARACTER_BASE) return 1;
  if (bucket < TITLE_BASE) return 2;
  return bucket < URL_BASE ? 3 : 4;
}

/** The kind of feature in a bucket. */
export function kindOf(bucket: number): FeatureKind {
  return FEATURE_KINDS[kindNumber(bucket)] as FeatureKind;
}

/** The bucket of a word of the visible text, from its 32-bit hash. */
export function wordBucket(hash: number): number {
  return hash & (WORD_BUCKETS - 1);
}

/** The bucket of two neighbouring words of the visible text, from their combined hash. */
export function bigramBucket(hash: number): number {
  return BIGRAM_BASE + Math.trunc((hash >>> 0) * BIGRAM_SCALE);
}

/** The bucket of a Han character of the visible text, from its 32-bit hash. */
export function characterBucket(hash: number): number {
  return CHARACTER_BASE + (hash & (CHARACTER_BUCKETS - 1));
}

/** The bucket of a title word, from its 32-bit hash. */
export function titleBucket(hash: number): number {
  return TITLE_BASE + (hash & (TITLE_BUCKETS - 1));
}

/** The bucket of a word of the URL's path, from its 32-bit hash. */
export function urlBucket(hash: number): number {
  return URL_BASE + (hash & (URL_BUCKETS - 1));
}

/**
 * The part of a URL that is read: the path, without the extension of its last part. The host is omitted, because knowledge about one host says
 * nothing about the next.
 */
export function pathText(url: string | null): string {
  if (url === null) return '';
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '';
  return decoded(path.replace(/\.[a-z0-9]{1,5}$/i, ''));
}

/** Percent-encoded UTF-8 as text; otherwise the path unchanged. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Distinct features of one page in order of first occurrence, with their counts. */
export interface FeatureCounts {
  readonly buckets: Int32Array;
  readonly counts: Uint16Array;
}

/** See `eachPunctuation`. */
type VisitPunctuation = (page: PageText, visit: (bucket: number) => void) => void;

/** The part of a text that is read. Its lines do not count. */
export function clipped(text: string): string {
  return text.length > MAX_CHARS ? squeezedHead(text, MAX_CHARS) : text;
}

/** 1 + ln(tf), the sublinear term frequency of Salton and Buckley (1988); a table, because most counts are small. */
const SUBLINEAR = Float64Array.from({ length: 256 }, (_, tf) => (tf === 0 ? 0 : 1 + Math.log(tf)));
/** Sublinear term frequency of a count ≥ 1. */
export function sublinear(tf: number): number {
  return SUBLINEAR[tf] ?? 1 + Math.log(tf);
}

/**
 * Counts the features of one page at a time in permanent scratch memory (about 1 MB), so that judging allocates nothing. After `count(page)`, the
 * first `size` entries of `touched` are the page's buckets, and `counts[bucket]` is the count of each; `reset()` must follow before the next page.
 */
export class FeatureCounter {
  readonly counts = new Uint16Array(BUCKETS);
  readonly touched = new Int32Array(SLOTS);
  size = 0;
  #words = 0;
  #previous = 0;

  /**
   * Counts the features of `page`: its main text first, then its other text.
   * @param segmented of each of these texts
   * @param punctuation visits the punctuation of the page; null for none
   * @returns the number of distinct ones
   */
  count(page: PageText, segmented = SEGMENTED_OF_PAGE, punctuation: VisitPunctuation | null = null): number {
    this.#words = 0;
    scanWords(clipped(page.text), this.#onWord, segmented, this.#onHan);
    if (page.otherText) scanWords(clipped(page.otherText), this.#onWord, segmented, this.#onHan);
    punctuation?.(page, this.#onPunctuation);
    this.#words = 0;
    scanWords(clipped(page.title), this.#onTitleWord);
    this.#words = 0;
    scanWords(clipped(pathText('url' in page ? page.url : null)), this.#onUrlWord);
    return this.size;
  }

  /** Clears the counts of the page. */
  reset(): void {
    const { counts, touched, size } = this;
    for (let i = 0; i < size; i++) counts[touched[i] as number] = 0;
    this.size = 0;
  }

  /** A permanent copy of the page's features. */
  snapshot(page: PageText, punctuation: VisitPunctuation | null = null): FeatureCounts {
    const size = this.count(page, SEGMENTED_OF_PAGE, punctuation);
    const buckets = this.touched.slice(0, size);
    const counts = new Uint16Array(size);
    for (let i = 0; i < size; i++) counts[i] = this.counts[buckets[i] as number] as number;
    this.reset();
    return { buckets, counts };
  }

  #onWord = (hash: number): void => {
    const seen = this.#words++;
    if (seen >= MAX_WORDS) return;
    this.#add(wordBucket(hash));
    if (seen > 0) this.#add(bigramBucket(combineHashes(this.#previous, hash)));
    this.#previous = hash;
  };

  #onHan = (hash: number): void => {
    if (this.#words <= MAX_WORDS) this.#add(characterBucket(hash));
  };

  #onPunctuation = (bucket: number): void => this.#add(bucket);

  #onTitleWord = (hash: number): void => {
    if (this.#words++ < MAX_TITLE_WORDS) this.#add(titleBucket(hash));
  };

  #onUrlWord = (hash: number): void => {
    if (this.#words++ < MAX_URL_WORDS) this.#add(urlBucket(hash));
  };

  #add(bucket: number): void {
    const count = this.counts[bucket] as number;
    if (count === 0) this.touched[this.size++] = bucket;
    this.counts[bucket] = count + 1;
  }
}
