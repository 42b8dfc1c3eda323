import { ModelError, UsageError } from '../../base/core/errors.ts';
import { combineHashes } from '../../base/text/tokens.ts';
import type { Background } from './background.ts';
import { BUCKETS, bigramBucket, type FeatureKind, kindOf, sublinear, titleBucket, wordBucket } from './features.ts';
import type { Phrase, PhraseWord } from './phrase.ts';
import { mentionsModel, type Rule, ruleText } from './rule.ts';
import { nodeText, type RuleAtom, type RuleNode } from './rule-node.ts';
import { KIND_FACTORS, type SparseVector, scaleTable, weigh } from './weighting.ts';

/** A feature of a term. */
export interface TermFeature {
  readonly bucket: number;
  /** Weight as a multiple of its idf, in (0, 1]. */
  readonly share: number;
}

/** A wanted word or phrase, as features. A term without a whole word has none: `moss*` is only for rules, because it has no hash. */
export interface KeywordTerm {
  /** Term as `ruleText` writes it. */
  readonly term: string;
  /** Features of the main text; empty for `title:` terms. */
  readonly inText: readonly TermFeature[];
  readonly inTitle: readonly TermFeature[];
}

/** A linear model from keywords alone: relevance = σ(bias + w·x), with x as in `LinearTopicModel`. Its threshold is ½. */
export interface KeywordModel {
  /** Shape [BUCKETS]; 0 except for features of the terms. */
  readonly weights: Float32Array;
  readonly bias: number;
  /** The factor of the weights: logit = bias + slope × score. */
  readonly slope: number;
  /** The score with relevance ½. */
  readonly zero: number;
  /** Share of the background's sample that is on topic by this model, in [0, 1]. */
  readonly reached: number;
  /** Hosts of the background with the terms on so many pages that they count as on topic. */
  readonly topicHosts: readonly string[];
}

/**
 * Total weight of the single words of a phrase relative to the phrase, for pages that may lack the phrase itself. Mean average precision of 32
 * queries on Reuters, Brown, spam and the Debian web (`npm run data -- topics-build`): a half .436, none .426; BM25 .425, ties broken at random.
 */
const WORDS_OF_PHRASE = 0.5;
/**
 * Weight of a term in the title relative to one in the text: the same. On the same queries nothing gave .433, a half and double .435; words of the
 * URL as well .432.
 */
const IN_TITLE = 1;

/**
 * The wanted words and phrases of a keyword query, in order and each once: those of its rule under no NOT, or under two.
 * @throws UsageError if the rule has no word that a page can be scored by, or contains `model`, which a keyword query does not have yet
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

/** A single word, or the bigrams of a phrase and, with less weight, its words. */
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
  return { term: nodeText(atom), inText, inTitle };
}

function isWhole({ prefix }: PhraseWord): boolean {
  return !prefix;
}

/**
 * Log-odds of relevance between a page without any term and one at the threshold. `npm run bench -- keywords`: log loss on Reuters and Brown .36 and
 * .61 with 1, .38 and .63 with ½, .54 and .63 with 2.2, .89 and .87 with 4.6; on mails, which chose nothing, .60, .62, .63 and .85. Of the accepted
 * texts of Reuters, 18 % are above .99 with 1, 78 % with 4.6.
 */
const STEEPNESS = 1;
/** A term twice: one mention on a page of typical length is not yet a subject. F1 is that of one mention (.78, .35 and .47), log loss .36 for .48 on Reuters. */
const TWICE = sublinear(2);
/** Share of the background that may be on topic. */
const RARE = 0.01;
/**
 * A host with the terms on a larger share of its pages in a language is itself on the topic. Mean F1 at the threshold of the same queries: .436, with
 * a half .425, without .392.
 */
const TOPIC_HOST_SHARE = 0.25;
/** One or two pages say nothing about a host. */
const MIN_TOPIC_PAGES = 3;
/** Share of the background that has to be left. If less is, the words are common, and the hosts are not on the topic. */
const MIN_LEFT = 0.5;
/** Factor above the highest allowed score, by more than single precision. */
const ABOVE = 1 + 1e-4;
/** Languages with fewer pages have no one per cent. Without languages, mean precision at the threshold is .52 instead of .60, and F1 is the same. */
const MIN_LANGUAGE_PAGES = 100;

/**
 * A model from the terms before there is any example, calibrated on the background's sample alone.
 *
 * The score is a BM25-like sum: each feature counts (1 + ln tf) × idf × share, scaled by the length of the page's vector relative to the typical one
 * of the background, for each kind of feature. Log tf and vector length replace BM25's saturation and length normalisation (Robertson and Zaragoza
 * 2009, §3.4). idf counts once, where a cosine with the query would square it.
 *
 * Relevance is ½ at the score of the lightest term that occurs twice in the text of a page of typical length. If it is higher, the score that 1 % of
 * the background, or of its pages in one language, reaches takes its place; hosts that are on the topic themselves are omitted there. From there,
 * relevance rises with the density of the terms and with how many of them a page has: it is .73 at twice this score, .95 at four times, and .27
 * without any term. O(features of the sample).
 * @throws ModelError if the background has no sample
 */
export function keywordModelWeights(terms: readonly KeywordTerm[], background: Background): KeywordModel {
  if (background.sample.length === 0) throw new ModelError('the background has no pages to compare with; build it again with some');
  const scale = scaleTable(background.idf, KIND_FACTORS);
  const vectors = background.sample.map(({ counts }) => weigh(counts, scale));
  const unscaled = termWeights(terms, typicalFactors(background, vectors));
  const pages = background.sample.map(({ host, language }, i) => ({ host, language, score: scoreOf(vectors[i], unscaled) }));
  const once = lightest(terms, background.idf);
  const topicHosts = hostsOnTopic(pages, once);
  const zero = Math.max(TWICE * once, barOf(pages.filter(({ host }) => !topicHosts.includes(host))));
  const bias = -STEEPNESS;
  const slope = -bias / zero;
  const reached = pages.filter(({ score }) => score >= zero).length / pages.length;
  return { weights: unscaled.map((weight) => weight * slope), bias, slope, zero, reached, topicHosts };
}

/** The median factor of tf × idf of a feature, over the pages with features of that kind. */
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

/**
 * The weight of a feature before calibration: its share, regardless of its kind's place in the vector. Of terms that share a bucket, only the heavier
 * counts.
 */
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

/** The score of the lightest term that occurs once on a typical page. */
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

/** Hosts with the terms on many of their pages in a language; none if hardly a page would be left. */
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

/** A score that at most the share `RARE` of the pages reaches, and of those in any one language. */
function barOf(pages: readonly ScoredPage[]): number {
  const languages = [...grouped(pages, ({ language }) => language).values()].filter(({ length }) => length >= MIN_LANGUAGE_PAGES);
  return Math.max(...[pages, ...languages].map((some) => rarelyReached(some.map(({ score }) => score))));
}

function rarelyReached(scores: readonly number[]): number {
  return ABOVE * ([...scores].sort((a, b) => b - a)[Math.floor(RARE * scores.length)] ?? 0);
}
