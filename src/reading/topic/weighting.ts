import type { Unit } from '../../base/core/types.ts';
import { BUCKETS, FEATURE_KINDS, type FeatureCounts, type FeatureKind, kindNumber, sublinear } from './features.ts';

/** Inverse document frequencies of all buckets, one byte each: idf = code × step. */
export interface IdfTable {
  /** Shape [BUCKETS]. */
  readonly codes: Uint8Array;
  readonly step: number;
}

/** The total weight of the features of a kind, relative to the words of the visible text, which have 1. */
export type KindFactors = Readonly<Record<Exclude<FeatureKind, 'word'>, number>>;

/**
 * Chosen on topics that `npm run bench -- topic` does not report: sub-topics inside 22 hosts of the Debian web, every other subject of it by host,
 * and the small genres of the Brown corpus. Titles help inside a host (.2: +.02, .5: +.05 average precision with 5 examples) and mislead on unseen
 * hosts (.3: −.02 with 30 examples, .5: −.04), because they follow templates; words of URLs at .15 change nothing on new hosts. Rejected: stemming
 * (−.003 to +.003). On 26 sub-topics inside 13 hosts and 14 subjects by host of that web, with 5 and 15 examples, also rejected: the text outside the
 * main text as a separate kind instead of among the words (−.03 to +.01), headings as a separate kind (+.006 inside a host, −.02 on new hosts), factors
 * chosen for each topic by cross-validation (−.02 on new hosts). Han characters beside words: +.002 to +.005 on Chinese and Japanese manuals by book
 * with 5, 10 and 30 examples; characters among the words, or with factor 1: −.06 to +.005 there.
 */
export const KIND_FACTORS: KindFactors = { bigram: 0.5, character: 0.5, title: 0.2, url: 0.15 };

/** A page in the feature space: of Euclidean length 1 if it has features of all kinds, otherwise shorter. */
export interface SparseVector {
  readonly buckets: Int32Array;
  readonly values: Float32Array;
}

/**
 * Smoothed inverse document frequency ln((N + 1) / (df + 1)) + 1, as a byte a bucket. It is never 0, so a word of every background page still counts
 * a little. Quantised in 255 steps: an error of at most 2 % of the largest idf.
 */
export function idfTable(documentFrequency: ArrayLike<number>, documents: number): IdfTable {
  const step = (Math.log(documents + 1) + 1) / 255;
  const codes = new Uint8Array(BUCKETS);
  for (let b = 0; b < BUCKETS; b++) {
    const idf = Math.log((documents + 1) / ((documentFrequency[b] ?? 0) + 1)) + 1;
    codes[b] = Math.round(idf / step);
  }
  return { codes, step };
}

/** Share of the pages with a feature, by the definition of `idfTable`; 0 for a feature without an idf. */
export function pageShare({ codes, step }: IdfTable, documents: number, bucket: number): Unit {
  const code = codes[bucket] ?? 0;
  return code === 0 ? 0 : Math.max(0, Math.exp(1 - code * step) * (documents + 1) - 1) / documents;
}

/** Converts feature counts to vectors. */
export interface Scale {
  /** The factor of a sublinear term frequency, for each bucket: its idf. Shape [BUCKETS]. */
  readonly idf: Float32Array;
  /** The Euclidean length of the features of each of `FEATURE_KINDS`; their squares sum to 1. */
  readonly lengths: Float64Array;
}

export function scaleTable(idf: IdfTable, factors: KindFactors): Scale {
  const all: Record<FeatureKind, number> = { word: 1, ...factors };
  const lengths = Float64Array.from(FEATURE_KINDS, (kind) => all[kind]);
  const whole = Math.hypot(...lengths);
  const idfs = new Float32Array(BUCKETS);
  for (let bucket = 0; bucket < BUCKETS; bucket++) idfs[bucket] = (idf.codes[bucket] as number) * idf.step;
  return { idf: idfs, lengths: lengths.map((length) => length / whole) };
}

/**
 * Sublinear tf × idf; the features of each kind are divided by their Euclidean length and multiplied by the length of their kind. Each kind is
 * normalised separately, so that a title counts as much with a long text as with a short one.
 */
export function weigh({ buckets, counts }: FeatureCounts, scale: Scale): SparseVector {
  const raw = new Float64Array(buckets.length);
  const squares = new Float64Array(FEATURE_KINDS.length);
  for (let i = 0; i < raw.length; i++) {
    const bucket = buckets[i] as number;
    const value = sublinear(counts[i] as number) * (scale.idf[bucket] as number);
    raw[i] = value;
    const kind = kindNumber(bucket);
    squares[kind] = (squares[kind] as number) + value * value;
  }
  const factors = squares.map((square, kind) => (square > 0 ? (scale.lengths[kind] as number) / Math.sqrt(square) : 0));
  const values = new Float32Array(raw.length);
  for (let i = 0; i < values.length; i++) values[i] = (raw[i] as number) * (factors[kindNumber(buckets[i] as number)] as number);
  return { buckets, values };
}
