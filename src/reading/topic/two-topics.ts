import { type Rng, shuffled } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import { type Comparison, cosine } from './comparison.ts';
import { rocAuc } from './evaluate.ts';
import { kindOf } from './features.ts';
import type { TrainingRow } from './training-set.ts';
import type { SparseVector } from './weighting.ts';

/** A group of similar examples. */
export interface ExampleGroup {
  /** Row numbers. */
  readonly rows: readonly number[];
  /** Words that distinguish it from the other group, the strongest first. */
  readonly terms: readonly string[];
}

/** Fewer examples cannot be separated: groups of three are the smallest. */
const MIN_EXAMPLES = 10;
const MIN_GROUP = 3;
/** A random sample of more examples: two groups of 100 are separated as well as two of 1,000, at a hundredth of the cost. */
const MAX_EXAMPLES = 200;
/** Least number of background pages. With fewer, the figures below would be chance. */
const MIN_BACKGROUND = 50;
/**
 * Two groups are two topics if each finds its own pages this well and the other's this badly. Chosen from .8 to .95 and from .65 to .85 on pairs of
 * hosts of the Debian web, against single hosts and single topics of the other sets of `npm run bench -- topic`.
 */
const FINDS_ITSELF = 0.9;
const FINDS_OTHER = 0.75;
/** Spherical 2-means ends in a few rounds; ten starts find the same halves as thirty. */
const STARTS = 10;
const MAX_ROUNDS = 30;
const TERMS = 6;

/**
 * The two topics of the examples; null if the examples look like one topic, or like many. Spherical 2-means halves the examples. A group finds pages
 * like a prototype does: by mean cosine with its members. The ROC-AUC of those pages against the background measures how well. Two groups that each
 * find their own pages but not the other's are useless to each other in training. The cleanness of the halves (silhouette, share of similarity
 * within) shows less: reference and prose of one manual are as far apart as two topics, but each finds the other.
 *
 * It says nothing about a topic wide enough to contain two. If the background has the style of the examples, it distinguishes finer topics than with
 * another background: two genres of fiction against a background of manuals are one.
 *
 * Deterministic for equal `rng`. Cost: at most 300 × 200² and rows × 200 products.
 */
export function twoTopics(comparison: Comparison, rng: Rng): readonly [ExampleGroup, ExampleGroup] | null {
  const { rows } = comparison;
  const all = [...rows.keys()].filter((i) => rows[i]?.role === 'example');
  const background = comparableBackground(comparison);
  if (all.length < MIN_EXAMPLES || background.length < MIN_BACKGROUND) return null;
  const examples = shuffled(all, rng).slice(0, MAX_EXAMPLES);
  const [a, b] = halved(comparison, examples, rng);
  if (Math.min(a.length, b.length) < MIN_GROUP) return null;
  const finds = (group: readonly number[], wanted: readonly number[]) => separation(comparison, group, wanted, background);
  if (Math.min(finds(a, a), finds(b, b)) < FINDS_ITSELF || (finds(a, b) + finds(b, a)) / 2 >= FINDS_OTHER) return null;
  return [
    { rows: a, terms: termsOf(comparison, a, b, background) },
    { rows: b, terms: termsOf(comparison, b, a, background) },
  ];
}

/**
 * Background pages in the languages of the examples, because other pages differ from both groups in every word; not of their hosts, because those
 * share their boilerplate.
 */
function comparableBackground({ rows, hidden }: Comparison): number[] {
  const examples = rows.filter(({ role }) => role === 'example');
  const hosts = new Set(examples.map(({ host }) => host));
  const languages = new Set(examples.map(({ language }) => language));
  const isComparable = ({ role, host, language }: TrainingRow) =>
    role === 'background' && !hosts.has(host) && (language === null || languages.has(null) || languages.has(language));
  return rows.flatMap((row, i) => (isComparable(row) && !hidden.has(i) ? [i] : []));
}

/** ROC-AUC of `wanted` against `background` by mean cosine with `group`, excluding the page itself. */
function separation(comparison: Comparison, group: readonly number[], wanted: readonly number[], background: readonly number[]): Unit {
  const scored = (onTopic: boolean) => (row: number) => ({ score: meanCosine(comparison, row, group), onTopic });
  return rocAuc([...wanted.map(scored(true)), ...background.map(scored(false))]);
}

function meanCosine(comparison: Comparison, row: number, group: readonly number[]): number {
  const others = group.filter((other) => other !== row);
  return others.reduce((sum, other) => sum + cosine(comparison, row, other), 0) / others.length;
}

/** Two groups of the most similar pages: spherical k-means (Dhillon, Modha 2001) on inner products, the best of several starts. */
function halved(comparison: Comparison, examples: readonly number[], rng: Rng): [number[], number[]] {
  let best: Halving = { inFirst: examples.map(() => true), quality: 0 };
  for (let start = 0; start < STARTS; start++) {
    const found = halvedFrom(comparison, examples, shuffled(examples, rng).slice(0, 2));
    if (found.quality > best.quality) best = found;
  }
  return [examples.filter((_, i) => best.inFirst[i]), examples.filter((_, i) => !best.inFirst[i])];
}

interface Halving {
  readonly inFirst: readonly boolean[];
  /** Sum of the cosines of all pages with their group's mean. */
  readonly quality: number;
}

/** Each round moves every page to the group with the nearer mean, which never lowers the quality. */
function halvedFrom(comparison: Comparison, examples: readonly number[], [a = 0, b = 0]: readonly number[]): Halving {
  let inFirst = examples.map((i) => i !== b && (i === a || cosine(comparison, i, a) >= cosine(comparison, i, b)));
  let quality = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const sums = examples.map((i) => sumsWith(examples, inFirst, (j) => cosine(comparison, i, j)));
    const [first, second] = [true, false].map((own) => meanLength(sums, inFirst, own)) as [number, number];
    if (first + second <= quality) break;
    quality = first + second;
    inFirst = sums.map((sum) => sum.first * second >= sum.second * first);
  }
  return { inFirst, quality };
}

/** Sums of the cosines of a page with the members of each group, including itself. */
interface Sums {
  readonly first: number;
  readonly second: number;
}

function sumsWith(examples: readonly number[], inFirst: readonly boolean[], cosineWith: (example: number) => number): Sums {
  let [first, second] = [0, 0];
  examples.forEach((example, at) => {
    if (inFirst[at]) first += cosineWith(example);
    else second += cosineWith(example);
  });
  return { first, second };
}

/** Length of a group's sum, which is also the sum of its pages' cosines with its mean. */
function meanLength(sums: readonly Sums[], inFirst: readonly boolean[], first: boolean): number {
  return Math.sqrt(sums.reduce((sum, own, at) => (inFirst[at] === first ? sum + (first ? own.first : own.second) : sum), 0));
}

/** Words whose mean value is most above that in the other group and in the background, which contains the words of all pages. */
function termsOf({ vectors, nameOf }: Comparison, group: readonly number[], ...others: readonly (readonly number[])[]): string[] {
  const elsewhere = others.map((rows) => meanWords(vectors, rows));
  const excess = [...meanWords(vectors, group)].map(([bucket, mean]) => {
    return { bucket, by: mean - Math.max(...elsewhere.map((words) => words.get(bucket) ?? 0)) };
  });
  return excess
    .sort((a, b) => b.by - a.by || a.bucket - b.bucket)
    .flatMap(({ bucket }) => nameOf(bucket) ?? [])
    .slice(0, TERMS);
}

/** Mean value of each word bucket. */
function meanWords(vectors: readonly SparseVector[], rows: readonly number[]): Map<number, number> {
  const means = new Map<number, number>();
  for (const row of rows) {
    vectors[row]?.buckets.forEach((bucket, k) => {
      if (kindOf(bucket) === 'word') means.set(bucket, (means.get(bucket) ?? 0) + (vectors[row]?.values[k] ?? 0) / rows.length);
    });
  }
  return means;
}
