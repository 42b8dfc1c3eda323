import { createHash } from 'node:crypto';
import { InvariantError } from '../../base/core/errors.ts';
import { sigmoid } from '../../base/core/odds.ts';
import type { Contribution, TopicExplanation, TopicModel } from '../../base/core/parts/reading.ts';
import type { Unit } from '../../base/core/types.ts';
import { SEGMENTED_OF_LINK, SEGMENTED_OF_PAGE } from '../../base/text/unspaced-words.ts';
import { featureNames } from './feature-names.ts';
import {
  BIGRAM_BASE,
  BUCKETS,
  CHARACTER_BASE,
  FEATURE_KINDS,
  FeatureCounter,
  kindNumber,
  type PageText,
  SLOTS,
  sublinear,
} from './features.ts';
import { MeaningScorer, type MeaningTables, type MeaningTerm, meaningBytes, meaningFrom, meaningTerms } from './meaning-tables.ts';
import { eachPunctuation } from './punctuation.ts';
import { evaluateRule, explainRule, parseRule, type Rule, type RulePage, ruleText, withoutExclusions } from './rule.ts';
import { type Steer, type SteeredAs, SteeringJudge } from './steering.ts';
import { type LineHash, withoutTemplate } from './template.ts';
import { type KindFactors, type Scale, scaleTable } from './weighting.ts';

/** Everything in a model except its tables. */
export interface ModelSettings {
  readonly name: string;
  /** Calibrated, in natural-log odds. */
  readonly bias: number;
  readonly threshold: Unit;
  readonly factors: KindFactors;
  readonly idfStep: number;
  /** `tokenizerFingerprint()` at the time of training. */
  readonly tokenizer: number;
  /** The name of the extractor that found the main text of its training pages. Pages to be judged should be read in the same way. */
  readonly extractor: string;
  /** The rule that has the last word on a page, as `ruleText` writes it; it contains `model`. null for the model alone. */
  readonly rule: string | null;
  /** The lines of other text that are not judged: see `templateOf`. */
  readonly template: readonly LineHash[];
  /** Is punctuation of pages in Han characters judged? See `eachPunctuation`. Absent: no. */
  readonly punctuation?: true;
  /** The word vectors that it learned from. Absent without any. */
  readonly wordVectors?: VectorFacts;
  /** Wishes about subtopics, the first one first. Absent without any. */
  readonly steering?: readonly Steer[];
}

/** The word vectors of a model. It judges without them. */
export interface VectorFacts {
  /** `bundled`, or the name of a file. */
  readonly name: string;
  /** SHA-256, hex. */
  readonly sha256: string;
  /** See `LengthCodes`. */
  readonly step: number;
}

export interface ModelTables {
  /** Calibrated weight of each bucket, shape [BUCKETS]. */
  readonly weights: Float32Array;
  /** Shape [BUCKETS]; idf = code × settings.idfStep. */
  readonly idfCodes: Uint8Array;
  /** Weights by the directions of words. Absent without word vectors. */
  readonly meaning?: MeaningTables;
}

/** A thread judges one page at a time, so all its models share the scratch memory. */
const counter = new FeatureCounter();
/** Sums w·x and x·x of each kind before division by its length. */
const dots = new Float64Array(FEATURE_KINDS.length);
const squares = new Float64Array(FEATURE_KINDS.length);
/** Words of the page, and their frequencies, for `MeaningScorer`. */
const words = new Int32Array(SLOTS);
const frequencies = new Float64Array(SLOTS);

/**
 * Logistic model over hashed words and bigrams of the main text and words of title and URL: relevance = σ(bias + w·x), where `weigh` computes x from
 * a page. Inference uses plain typed arrays; TF.js is only needed to train.
 */
export class LinearTopicModel implements TopicModel {
  readonly id: string;
  readonly sha256: string;
  readonly name: string;
  readonly threshold: Unit;
  readonly settings: ModelSettings;
  readonly tables: ModelTables;
  readonly rule: Rule | null;
  /**
   * Idf of each bucket, and its weight times the length of its kind, next to each other, because they are always read together. Shape
   * [BUCKETS, 2].
   */
  readonly paired: Float32Array;
  readonly template: ReadonlySet<LineHash>;
  /** null without a rule that excludes. */
  readonly #inclusive: Rule | null;
  /** null without word vectors. */
  readonly #meaning: MeaningScorer | null;
  /** null if it judges none. */
  readonly #punctuation: typeof eachPunctuation | null;
  /** null without wishes about subtopics. */
  readonly #steering: SteeringJudge | null;

  /** @throws InvariantError if a table has the wrong length; UsageError if the rule cannot be read. */
  constructor(settings: ModelSettings, tables: ModelTables) {
    if (tables.weights.length !== BUCKETS || tables.idfCodes.length !== BUCKETS)
      throw new InvariantError('a model table has the wrong length');
    this.settings = settings;
    this.tables = tables;
    this.#punctuation = settings.punctuation === true ? eachPunctuation : null;
    this.#meaning = tables.meaning === undefined ? null : new MeaningScorer(tables.meaning);
    this.#steering = settings.steering === undefined ? null : new SteeringJudge(settings.steering);
    this.sha256 = modelDigest(settings, tables);
    this.id = this.sha256.slice(0, 16);
    this.name = settings.name;
    this.threshold = settings.threshold;
    this.rule = settings.rule === null ? null : parseRule(settings.rule, true);
    this.#inclusive = this.rule && withoutExclusions(this.rule);
    this.template = new Set(settings.template);
    const { idf, lengths } = this.scale;
    this.paired = new Float32Array(2 * BUCKETS);
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.paired[2 * bucket] = idf[bucket] as number;
      this.paired[2 * bucket + 1] = (tables.weights[bucket] as number) * (lengths[kindNumber(bucket)] as number);
    }
  }

  /** The scale of page vectors. Computed at each call, because judging has the parts it needs. O(BUCKETS). */
  get scale(): Scale {
    return scaleTable({ codes: this.tables.idfCodes, step: this.settings.idfStep }, this.settings.factors);
  }

  judge(page: PageText): Unit {
    return this.relevanceAt(this.logit(page), page);
  }

  /** Relevance of a page whose logit is known. 0 for an on-topic page of a subtopic that a person wants none of. */
  relevanceAt(logit: number, page: PageText): Unit {
    const relevance = this.#unsteered(logit, page);
    return this.#steering !== null && relevance >= this.threshold && this.#steering.of(page) === 'unwanted' ? 0 : relevance;
  }

  #unsteered(logit: number, page: PageText): Unit {
    const relevance = sigmoid(logit);
    return this.rule === null ? relevance : evaluateRule(this.rule, rulePageOf(page), relevance);
  }

  /** The wish about a page that is on topic without it. @param relevance as `judge` returns it */
  steeredAs(page: PageText, relevance: Unit): SteeredAs {
    const wish = this.#steering?.of(page) ?? null;
    if (wish === null || relevance >= this.threshold) return wish;
    return wish === 'unwanted' && this.#unsteered(this.logit(page), page) >= this.threshold ? wish : null;
  }

  excludes(page: PageText): boolean {
    const rest = this.#inclusive;
    const given = rulePageOf(page);
    // The model need not judge a page that the rest of the rule does not admit either.
    if (rest === null || this.rule === null || evaluateRule(rest, given, 1) < this.threshold) return false;
    const relevance = sigmoid(this.logit(page));
    return evaluateRule(this.rule, given, relevance) < this.threshold && evaluateRule(rest, given, relevance) >= this.threshold;
  }

  /** Relevance of a short text by itself, such as a link's anchor text and context, without the rule, which is about pages. */
  judgeText(text: string): Unit {
    return sigmoid(this.logit({ title: '', text }, SEGMENTED_OF_LINK));
  }

  /** bias + w·x, and the share of meanings, in natural-log odds. O(words); allocates nothing. */
  logit(page: PageText, segmented = SEGMENTED_OF_PAGE): number {
    const size = counter.count(withoutTemplate(page, this.template), segmented, this.#punctuation);
    const { counts, touched } = counter;
    const paired = this.paired;
    const scorer = this.#meaning;
    let count = 0;
    // Most features are words and bigrams. Sums in variables are a tenth faster than in an array.
    let wordDot = 0;
    let wordSquare = 0;
    let bigramDot = 0;
    let bigramSquare = 0;
    dots.fill(0);
    squares.fill(0);
    for (let i = 0; i < size; i++) {
      const bucket = touched[i] as number;
      const tf = sublinear(counts[bucket] as number);
      const value = tf * (paired[2 * bucket] as number);
      const share = value * (paired[2 * bucket + 1] as number);
      if (bucket < BIGRAM_BASE) {
        words[count] = bucket;
        frequencies[count++] = tf;
        wordDot += share;
        wordSquare += value * value;
      } else if (bucket < CHARACTER_BASE) {
        bigramDot += share;
        bigramSquare += value * value;
      } else {
        const kind = kindNumber(bucket);
        dots[kind] = (dots[kind] as number) + share;
        squares[kind] = (squares[kind] as number) + value * value;
      }
    }
    [dots[0], dots[1], squares[0], squares[1]] = [wordDot, bigramDot, wordSquare, bigramSquare];
    const meaning = scorer?.score(words, frequencies, count) ?? 0;
    counter.reset();
    let logit = this.settings.bias;
    for (let kind = 0; kind < dots.length; kind++) {
      const square = squares[kind] as number;
      if (square > 0) logit += (dots[kind] as number) / Math.sqrt(square);
    }
    return logit + meaning;
  }

  explain(page: PageText): TopicExplanation {
    const own = withoutTemplate(page, this.template);
    const { buckets, counts } = counter.snapshot(own, this.#punctuation);
    const names = featureNames(own, this.settings.punctuation);
    const meaning = this.tables.meaning === undefined ? [] : meaningTerms({ buckets, counts }, this.tables.meaning);
    const values = Array.from(buckets, (bucket, i) => sublinear(counts[i] ?? 0) * (this.paired[2 * bucket] ?? 0));
    const sums = new Float64Array(FEATURE_KINDS.length);
    buckets.forEach((bucket, i) => {
      sums[kindNumber(bucket)] = (sums[kindNumber(bucket)] ?? 0) + (values[i] ?? 0) ** 2;
    });
    const contributions = values
      .map((value, i): Contribution => {
        const bucket = buckets[i] ?? 0;
        const length = Math.sqrt(sums[kindNumber(bucket)] ?? 0) || 1;
        const ofWord = (value * (this.paired[2 * bucket + 1] ?? 0)) / length;
        return { feature: names.get(bucket) ?? `bucket ${bucket}`, ...withMeaning(ofWord, meaning[i] ?? null) };
      })
      .filter(({ contribution }) => contribution !== 0)
      .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
    const { bias } = this.settings;
    const logit = contributions.reduce((sum, { contribution }) => sum + contribution, bias);
    return {
      logit,
      bias,
      contributions,
      ...(this.rule === null ? {} : { rule: explainedRule(this.rule, this.#inclusive, page, sigmoid(logit)) }),
      ...this.#explainedSteering(logit, page),
    };
  }

  #explainedSteering(logit: number, page: PageText): Pick<TopicExplanation, 'steering'> {
    const wish = this.#unsteered(logit, page) >= this.threshold ? (this.#steering?.wishOf(page) ?? null) : null;
    return wish === null ? {} : { steering: { way: wish.way, subtopic: wish.name } };
  }
}

/** The share of a word, and that of its direction. */
function withMeaning(ofWord: number, meaning: MeaningTerm | null): Omit<Contribution, 'feature'> {
  if (meaning === null) return { contribution: ofWord };
  return { contribution: ofWord + meaning.share, ...(meaning.shown === 0 && { unshown: true }) };
}

function rulePageOf(page: PageText): RulePage {
  const { title, text } = page;
  if (!('url' in page)) return { title, text, url: null, language: null, document: null };
  return { title, text, url: page.url, language: page.lang, document: page.document?.kind ?? null };
}

function explainedRule(rule: Rule, inclusive: Rule | null, page: PageText, relevance: Unit): NonNullable<TopicExplanation['rule']> {
  const given = rulePageOf(page);
  const conditions = explainRule(rule, given, relevance).map(({ atom, value }) => ({ condition: atom, value }));
  const rest = inclusive && { withoutNot: evaluateRule(inclusive, given, relevance) };
  return { text: ruleText(rule), relevance: evaluateRule(rule, given, relevance), conditions, ...rest };
}

/** The stored bytes of a model's tables: Float32 weights, little-endian, then one idf byte a bucket; then those of `meaningBytes`, if it has any. */
export function tableBytes(tables: ModelTables): Uint8Array {
  const meaning = tables.meaning === undefined ? new Uint8Array(0) : meaningBytes(tables.meaning);
  const bytes = new Uint8Array(TABLE_BYTES + meaning.length);
  const view = new DataView(bytes.buffer);
  for (let bucket = 0; bucket < BUCKETS; bucket++) view.setFloat32(4 * bucket, tables.weights[bucket] as number, true);
  bytes.set(tables.idfCodes, 4 * BUCKETS);
  bytes.set(meaning, TABLE_BYTES);
  return bytes;
}

/** Length of `tableBytes` without word vectors. */
const TABLE_BYTES = 5 * BUCKETS;

/** Inverse of `tableBytes`; null for bytes of another length. @param vectors of the model's settings */
export function tablesFrom(bytes: Uint8Array, vectors: Pick<VectorFacts, 'step'> | undefined): ModelTables | null {
  const meaning = vectors && bytes.length > TABLE_BYTES ? meaningFrom(bytes.subarray(TABLE_BYTES), vectors.step) : undefined;
  if (meaning === null || (vectors === undefined ? bytes.length !== TABLE_BYTES : meaning === undefined)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const weights = new Float32Array(BUCKETS);
  for (let bucket = 0; bucket < BUCKETS; bucket++) weights[bucket] = view.getFloat32(4 * bucket, true);
  return { weights, idfCodes: bytes.slice(4 * BUCKETS, TABLE_BYTES), ...(meaning && { meaning }) };
}

/** SHA-256, hex, of the settings (as JSON in the order written here) followed by the tables. */
function modelDigest(settings: ModelSettings, tables: ModelTables): string {
  const { name, bias, threshold, factors, idfStep, tokenizer, extractor, rule, template, punctuation, wordVectors, steering } = settings;
  const { bigram, character, title, url } = factors;
  const own = [name, bias, threshold, bigram, character, title, url, idfStep, tokenizer, extractor, rule, template];
  const vectors = wordVectors === undefined ? [] : [wordVectors.name, wordVectors.sha256, wordVectors.step];
  return createHash('sha256')
    .update(JSON.stringify([...own, ...(punctuation ? ['punctuation'] : []), ...vectors, ...(steering ? [steering.map(wishDigest)] : [])]))
    .update(tableBytes(tables))
    .digest('hex');
}

/** All fields of a wish, in one order. */
function wishDigest({ way, id, name, place, subtopics }: Steer): unknown {
  return [way, id, name, place, subtopics.map(({ buckets, weights }) => [buckets, weights])];
}
