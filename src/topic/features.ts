import { combineHashes, scanWords } from '../text/tokens.ts';

/** What is judged of a page. */
export interface PageText {
  readonly title: string;
  readonly text: string;
}

/**
 * Buckets of the hashed feature space, 2^18, cut into three ranges so that words, bigrams and title words never
 * collide with each other and the kind of a feature can be read from its bucket: [0, 2^17) words of the main text,
 * then bigrams of the main text, and the last 2^14 words of the title.
 */
export const BUCKETS = 262_144;
const WORD_BUCKETS = 131_072;
const TITLE_BUCKETS = 16_384;
const BIGRAM_BUCKETS = BUCKETS - WORD_BUCKETS - TITLE_BUCKETS;
const TITLE_BASE = BUCKETS - TITLE_BUCKETS;
const BIGRAM_SCALE = BIGRAM_BUCKETS / 4_294_967_296;

/** Words read of one page. Longer pages are whole books or logs in one file: their first 20,000 words (some 120 kB of English) settle the topic. */
export const MAX_WORDS = 20_000;
/** Titles are cut here: RFC-style titles stay well below, and a page that repeats its text as a title gains nothing. */
export const MAX_TITLE_WORDS = 64;

/** Characters given to the tokeniser: 20 for each word that counts, so that a text of a few endless words cannot stall a crawl. */
const MAX_CHARS = 20 * MAX_WORDS;

const SLOTS = 2 * MAX_WORDS + MAX_TITLE_WORDS;

export type FeatureKind = 'word' | 'bigram' | 'title';

/** The kind of feature a bucket holds. */
export function kindOf(bucket: number): FeatureKind {
  if (bucket < WORD_BUCKETS) return 'word';
  return bucket < TITLE_BASE ? 'bigram' : 'title';
}

/** The bucket of a word of the main text, from its 32-bit hash. */
export function wordBucket(hash: number): number {
  return hash & (WORD_BUCKETS - 1);
}

/** The bucket of two neighbouring words of the main text, from their combined hash. */
export function bigramBucket(hash: number): number {
  return WORD_BUCKETS + Math.trunc((hash >>> 0) * BIGRAM_SCALE);
}

/** The bucket of a title word, from its 32-bit hash. */
export function titleBucket(hash: number): number {
  return TITLE_BASE + (hash & (TITLE_BUCKETS - 1));
}

/** Distinct features of one page in order of first sight, with how often each occurs. */
export interface FeatureCounts {
  readonly buckets: Int32Array;
  readonly counts: Uint16Array;
}

/** The part of a text that is read. */
export function clipped(text: string): string {
  return text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text;
}

/** 1 + ln(tf), the sublinear term frequency of Salton and Buckley (1988); a table, for most counts are small. */
const SUBLINEAR = Float64Array.from({ length: 256 }, (_, tf) => (tf === 0 ? 0 : 1 + Math.log(tf)));
/** Sublinear term frequency of a count ≥ 1. */
export function sublinear(tf: number): number {
  return SUBLINEAR[tf] ?? 1 + Math.log(tf);
}

/**
 * Counts the features of one page at a time into scratch memory it keeps (about 1 MB), so that judging allocates nothing.
 * After `count(page)` the first `size` entries of `touched` are the page's buckets and `counts[bucket]` how often each was seen;
 * `reset()` must follow before the next page.
 */
export class FeatureCounter {
  readonly counts = new Uint16Array(BUCKETS);
  readonly touched = new Int32Array(SLOTS);
  size = 0;
  #words = 0;
  #previous = 0;

  /** Count the features of `page`. @returns how many distinct ones there are. */
  count(page: PageText): number {
    this.#words = 0;
    scanWords(clipped(page.text), this.#onWord);
    this.#words = 0;
    scanWords(clipped(page.title), this.#onTitleWord);
    return this.size;
  }

  /** Forget the page. */
  reset(): void {
    const { counts, touched, size } = this;
    for (let i = 0; i < size; i++) counts[touched[i] as number] = 0;
    this.size = 0;
  }

  /** The page's features as a copy that stays. */
  snapshot(page: PageText): FeatureCounts {
    const size = this.count(page);
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

  #onTitleWord = (hash: number): void => {
    if (this.#words++ < MAX_TITLE_WORDS) this.#add(titleBucket(hash));
  };

  #add(bucket: number): void {
    const count = this.counts[bucket] as number;
    if (count === 0) this.touched[this.size++] = bucket;
    this.counts[bucket] = count + 1;
  }
}
