import { ModelError, UsageError } from '../core/errors.ts';
import { combineHashes } from '../text/tokens.ts';
import type { Background } from './background.ts';
import { BUCKETS, bigramBucket, type FeatureKind, kindOf, sublinear, titleBucket, wordBucket } from './features.ts';
import type { Phrase, PhraseWord } from './phrase.ts';
import { mentionsModel, type Rule, ruleText } from './rule.ts';
import { type RuleAtom, type RuleNode, textOf } from './rule-node.ts';
import { KIND_FACTORS, type SparseVector, scaleTable, weigh } from './weighting.ts';

/** A feature of a term. */
export interface TermFeature {
  readonly bucket: number;
  /** How many times its idf it counts, in (0, 1]. */
  readonly share: number;
}

/** A word or phrase that is wanted, as features. Without any where it has no whole word: `moss*` is for rules alone, as no hash stands for it. */
export interface KeywordTerm {
  /** As `ruleText` writes it. */
  readonly term: string;
  /** Of the main text; empty for `title:` terms. */
  readonly inText: readonly TermFeature[];
  readonly inTitle: readonly TermFeature[];
}

/** A linear model that keywords alone make: relevance = σ(bias + w·x), for x as `LinearTopicModel` has it. Its threshold is ½. */
export interface KeywordModel {
  /** Shape [BUCKETS]; 0 but for features of the terms. */
  readonly weights: Float32Array;
  readonly bias: number;
  /** What the weights were multiplied by: logit = bias + slope × score. */
  readonly slope: number;
  /** The score at which relevance is ½. */
  readonly zero: number;
  /** Share of the background's sample that is on topic by this model, in [0, 1]. */
  readonly reached: number;
  /** Hosts of the background that hold the terms on so many pages that they are taken to be on the topic. */
  readonly topicHosts: readonly string[];
}

/**
 * What the single words of a phrase count beside the phrase, all together, where the phrase itself may be missing. Mean average precision of
 * 32 queries on Reuters, Brown, spam and the Debian web (`npm run data -- topics-build`): a half .436, none .426; BM25 .425, ties broken by lot.
 */
const WORDS_OF_PHRASE = 0.5;
/** What a term in the title counts beside one in the text: as much again. On the same queries nothing gave .433, a half and twice that .435; words of the URL as well .432. */
const IN_TITLE = 1;

/**
 * The words and phrases a keyword query wants, in order and each once: those of its rule that stand under no NOT, or under two.
 * @throws UsageError when the rule has none that a page can be scored by, or speaks of `model`, which a keyword query has not yet.
 */
export function keywordTerms(rule: Rule): KeywordTerm[] {
  if (mentionsModel(rule))
    throw new UsageError(
      `keywords "${ruleText(rule)}": model stands for a trained topic model; write "model" in quotation marks for the word`,
    );
  const terms = new Map(wanted(rule.root, true).map((term) => [term.term, term]));
  if (terms.size === 0)
    throw new UsageError(`keywords "${ruleText(rule)}": a topic needs at least one word that is wanted; add words without NOT`);
  if ([...terms.values()].every(({ inText, inTitle }) => inText.length + inTitle.length === 0))
    throw new UsageError(`keywords "${ruleText(rule)}": pages are scored by whole words; add one without *`);
  return [...terms.values()];
}

function wanted(node: RuleNode, yes: boolean): KeywordTerm[] {
  switch (node.kind) {
    case 'not':
      return wanted(node.child, !yes);
    case 'and':
    case 'or':
      return node.children.flatMap((child) => wanted(child, yes));
    case 'words':
      return yes ? [termOf(node, textFeatures(node.phrase.words))] : [];
    case 'title':
      return yes ? [termOf(node, [])] : [];
    default:
      return [];
  }
}

/** A single word, or the bigrams of a phrase and, for less, its words. */
function textFeatures(words: readonly PhraseWord[]): TermFeature[] {
  const share = words.length === 1 ? 1 : WORDS_OF_PHRASE / words.length;
  const single = words.filter(isWhole).map(({ hash }) => ({ bucket: wordBucket(hash), share }));
  const pairs = words.flatMap((word, i) => {
    const before = words[i - 1];
    const whole = before !== undefined && isWhole(before) && isWhole(word);
    return whole ? [{ bucket: bigramBucket(combineHashes(before.hash, word.hash)), share: 1 / (words.length - 1) }] : [];
  });
  return [...pairs, ...single];
}

/** Titles have no bigrams. */
function termOf(atom: Extract<RuleAtom, { readonly phrase: Phrase }>, inText: readonly TermFeature[]): KeywordTerm {
  const { words } = atom.phrase;
  const inTitle = words.filter(isWhole).map(({ hash }) => ({ bucket: titleBucket(hash), share: IN_TITLE / words.length }));
  return { term: textOf(atom), inText, inTitle };
}

function isWhole({ prefix }: PhraseWord): boolean {
  return !prefix;
}

/** Relevance of a page without any of the words, and the share of the background that may be on topic. */
const RARE = 0.01;
/** A host with the terms on more of its pages in a language than this is on the topic itself. Mean F1 at the threshold of the same queries: .436, at a half .425, without .392. */
const TOPIC_HOST_SHARE = 0.25;
/** But one or two pages say nothing of a host. */
const MIN_TOPIC_PAGES = 3;
/** But when less than this of the background is left, the words are common, not the hosts on the topic. */
const MIN_LEFT = 0.5;
/** Above the score that may not be reached, by more than single precision. */
const ABOVE = 1 + 1e-4;
/** Languages of fewer pages have no one per cent. Without languages mean precision at the threshold is .52 instead of .60, F1 the same. */
const MIN_LANGUAGE_PAGES = 100;

/**
 * A model of the terms before there is any example, calibrated on the background's sample alone.
 *
 * The score is a BM25-like sum: each feature counts (1 + ln tf) × idf × share, as much less or more as the page's vector is longer or
 * shorter than is typical of the background, kind of feature by kind. Log tf and vector length do what BM25's saturation and length
 * normalisation do (Robertson and Zaragoza 2009, §3.4). idf counts once, where a cosine with the query would square it.
 *
 * Relevance is ½ at the score of the lightest term that stands once in the text of a page of typical length; or above the score that 1 % of
 * the background, or of its pages in one language, reaches, where that is higher, hosts left out that are on the topic themselves. It is 1 %
 * where no term stands. O(features of the sample).
 * @throws ModelError when the background has no sample.
 */
export function keywordModelWeights(terms: readonly KeywordTerm[], background: Background): KeywordModel {
  if (background.sample.length === 0) throw new ModelError('the background has no pages to compare with; build it again with some');
  const scale = scaleTable(background.idf, KIND_FACTORS);
  const vectors = background.sample.map(({ counts }) => weigh(counts, scale));
  const unscaled = termWeights(terms, typicalFactors(background, vectors));
  const pages = background.sample.map(({ host, language }, i) => ({ host, language, score: scoreOf(vectors[i], unscaled) }));
  const once = lightest(terms, background.idf);
  const topicHosts = hostsOnTopic(pages, once);
  const zero = Math.max(once, barOf(pages.filter(({ host }) => !topicHosts.includes(host))));
  const bias = Math.log(RARE / (1 - RARE));
  const slope = -bias / zero;
  const reached = pages.filter(({ score }) => score >= zero).length / pages.length;
  return { weights: unscaled.map((weight) => weight * slope), bias, slope, zero, reached, topicHosts };
}

/** The median, over the pages that have features of a kind, of what tf × idf of such a feature is multiplied by. */
function typicalFactors({ sample, idf }: Background, vectors: readonly SparseVector[]): Map<FeatureKind, number> {
  const factors = sample.flatMap(({ counts }, page) => {
    const ofPage = new Map<FeatureKind, number>();
    vectors[page]?.values.forEach((value, i) => {
      const bucket = counts.buckets[i] ?? 0;
      const kind = kindOf(bucket);
      if (value > 0 && !ofPage.has(kind)) ofPage.set(kind, value / (sublinear(counts.counts[i] ?? 0) * idfOf(idf, bucket)));
    });
    return [...ofPage];
  });
  const byKind = grouped(factors, ([kind]) => kind);
  return new Map([...byKind].map(([kind, found]) => [kind, median(found.map(([, factor]) => factor))]));
}

/** What a feature weighs before calibration: its share, whatever its kind's place in the vector. Of terms that share a bucket the heavier counts, not both. */
function termWeights(terms: readonly KeywordTerm[], typical: ReadonlyMap<FeatureKind, number>): Float32Array {
  const weights = new Float32Array(BUCKETS);
  for (const { bucket, share } of terms.flatMap(({ inText, inTitle }) => [...inText, ...inTitle])) {
    const factor = typical.get(kindOf(bucket)) ?? typical.get('word') ?? 1;
    weights[bucket] = Math.max(weights[bucket] ?? 0, share / factor);
  }
  return weights;
}

function idfOf({ codes, step }: Background['idf'], bucket: number): number {
  return (codes[bucket] ?? 0) * step;
}

/** What the lightest term scores that stands once on a typical page. */
function lightest(terms: readonly KeywordTerm[], idf: Background['idf']): number {
  const worths = terms.map(({ inText, inTitle }) =>
    (inText.length > 0 ? inText : inTitle).reduce((sum, { bucket, share }) => sum + share * idfOf(idf, bucket), 0),
  );
  return Math.min(...worths.filter((worth) => worth > 0));
}

interface ScoredPage {
  readonly host: string;
  readonly language: string | null;
  readonly score: number;
}

function scoreOf(vector: SparseVector | undefined, weights: Float32Array): number {
  let score = 0;
  for (let i = 0; i < (vector?.buckets.length ?? 0); i++) score += (vector?.values[i] ?? 0) * (weights[vector?.buckets[i] ?? 0] ?? 0);
  return score;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 1;
}

/** Hosts with the terms on many of their pages in a language; none when hardly a page were left. */
function hostsOnTopic(pages: readonly ScoredPage[], once: number): string[] {
  const found = [...grouped(pages, ({ host, language }) => `${language} ${host}`).values()].filter((own) => {
    const reaching = own.filter(({ score }) => score >= once).length;
    return reaching >= MIN_TOPIC_PAGES && reaching > TOPIC_HOST_SHARE * own.length;
  });
  const hosts = [...new Set(found.flatMap((own) => own.slice(0, 1)).map(({ host }) => host))];
  const left = pages.filter(({ host }) => !hosts.includes(host)).length;
  return left < MIN_LEFT * pages.length ? [] : hosts;
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** A score that no more than `RARE` of the pages reach, nor of those in any one language. */
function barOf(pages: readonly ScoredPage[]): number {
  const languages = [...grouped(pages, ({ language }) => language).values()].filter(({ length }) => length >= MIN_LANGUAGE_PAGES);
  return Math.max(...[pages, ...languages].map((some) => rarelyReached(some.map(({ score }) => score))));
}

function rarelyReached(scores: readonly number[]): number {
  return ABOVE * ([...scores].sort((a, b) => b - a)[Math.floor(RARE * scores.length)] ?? 0);
}
