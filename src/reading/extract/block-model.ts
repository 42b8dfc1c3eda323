/** The block model: finds the blocks of main text by a few dozen small trees over `blockFeatures`. */

import { readFileSync } from 'node:fs';
import { InvariantError } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';
import { BLOCK_FEATURES, FEATURE_COUNT } from './block-features.ts';
import { LINE, LINE_SIZE, PART, type PageContent } from './blocks.ts';
import { FLAG } from './tags.ts';
import { treeConditions } from './tree-conditions.ts';

/** File of the model, as `datasets/extractor/train.ts` writes it. */
export interface BlockModelFile {
  readonly format: 'forager-block-model';
  readonly version: 1;
  /** Names of the features of the trees, in order. */
  readonly features: readonly string[];
  readonly bias: number;
  /** Least probability of a block of main text, on a page where every block is certain: see `thresholdFor`. */
  readonly threshold: number;
  /** Each tree as columns over its nodes, the root first. `feature` is -1 for a leaf; otherwise values up to `threshold` go left. `value` in log odds. */
  readonly trees: readonly Readonly<Record<'feature' | 'threshold' | 'left' | 'right' | 'value', readonly number[]>>[];
}

const BUNDLED = packageFile('models/extractor/block-model.json');

/** One reason for a block's score. */
export interface BlockReason {
  readonly feature: string;
  readonly value: number;
  /** Contribution in log odds. All contributions of a block and the bias sum to its logit. */
  readonly contribution: number;
}

/** Slots of a node; one is unused, so that no node crosses two cache lines. */
const NODE = 4;
const LEFT = 1;
const THRESHOLD = 2;
/** Number of steps in the search for a page's threshold. */
const STEPS = 100;
/**
 * Exponent of the expected F1. With this value, and .65 as the threshold for certain pages, the mean F1 by type was best on the development
 * pages.
 */
const EXPONENT = 1.5;

/** A page without a block of this probability has no main text that the model knows. Values up to .1 make no difference on the development pages. */
const LEAST_THRESHOLD = 0.1;

/**
 * Share of the threshold on a reference page, one with `LEAST_CODES` blocks of code or `LEAST_TERMS` different terms: almost all of its column is text, in short
 * blocks that the model is unsure of. On the development pages, by folds, every share between .6 and .85 is better for documentation; this one gives it
 * .006, and no other type loses .001. The sources of manuals (`npm run check -- manuals`) say the same.
 */
const REFERENCE_SHARE = 0.7;
const LEAST_CODES = 2;
const LEAST_TERMS = 3;
/** Different terms that are no profile of a member, however often a page repeats them. */
const ENOUGH_TERMS = 10;
/** Share of the blocks that class names mark as comments. */
const MOST_COMMENTS = 0.1;

/** Text and lines of a page. */
type RatedBlocks = Pick<PageContent, 'text' | 'lines'>;

/** The trees of a model as memory. */
export interface Trees {
  /** See `treeConditions`. */
  readonly conditions: Int32Array;
  readonly count: number;
  readonly bias: number;
}

export class BlockModel {
  readonly #certain: number;
  readonly #bias: number;
  /** Trees, one node after another, each of `NODE` slots: feature (-1 for a leaf), slot of the left child, and the threshold or the leaf's value. */
  readonly #ints: Int32Array;
  readonly #floats: Float32Array;
  readonly #roots: Int32Array;
  readonly #conditions: Int32Array;
  /** Mean output of the tree at a node, by the node's slot, so that each step down is a reason. */
  readonly #means: Float32Array;

  /** @throws InvariantError if the file has other features. */
  constructor(file: BlockModelFile) {
    if (file.features.join() !== BLOCK_FEATURES.join())
      throw new InvariantError('the block model was trained on other features: run npm run data -- train-extractor');
    this.#certain = file.threshold;
    this.#bias = file.bias;
    const size = NODE * file.trees.reduce((sum, tree) => sum + tree.feature.length, 0);
    const places = new ArrayBuffer(4 * size);
    this.#ints = new Int32Array(places);
    this.#floats = new Float32Array(places);
    this.#means = new Float32Array(size);
    this.#roots = new Int32Array(file.trees.length);
    this.#conditions = treeConditions(file.trees);
    let at = 0;
    for (const [t, tree] of file.trees.entries()) {
      this.#roots[t] = at;
      at = this.#plant(tree, at);
    }
  }

  /** Writes a tree, starting at `root`, with the two children of a node next to each other. @returns the slot after it. */
  #plant(tree: BlockModelFile['trees'][number], root: number): number {
    let free = root + NODE;
    const waiting: [node: number, at: number][] = [[0, root]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [node, at] = next;
      const feature = tree.feature[node] ?? -1;
      const value = tree.value[node] ?? 0;
      this.#means[at] = value;
      this.#ints[at] = feature;
      this.#floats[at + THRESHOLD] = feature < 0 ? value : (tree.threshold[node] ?? 0);
      if (feature < 0) continue;
      this.#ints[at + LEFT] = free;
      waiting.push([tree.left[node] ?? 0, free], [tree.right[node] ?? 0, free + NODE]);
      free += 2 * NODE;
    }
    return free;
  }

  /** The model in the package. */
  static bundled(): BlockModel {
    return new BlockModel(JSON.parse(readFileSync(BUNDLED, 'utf8')) as BlockModelFile);
  }

  /** Probability of main text for each block, from rows of `blockFeatures`. O(blocks × trees). */
  probabilities(features: Float32Array): Float32Array {
    const out = new Float32Array(features.length / FEATURE_COUNT);
    for (let i = 0; i < out.length; i += 1) out[i] = probabilityOf(this.#logit(features, i * FEATURE_COUNT));
    return out;
  }

  get trees(): Trees {
    return { conditions: this.#conditions, count: this.#roots.length, bias: this.#bias };
  }

  /**
   * Least probability of main text on one page. For the best expected F1 it would be half of that F1 (Lipton, Elkan, Naryanaswamy 2014, "Optimal
   * Thresholding of Classifiers to Maximize F1 Measure"): lower on an uncertain page, such as a listing, than on an article. This one is `threshold`
   * · F1^`EXPONENT`, which is higher at the certain end, and lower on a reference page. O(blocks).
   */
  thresholdFor(page: RatedBlocks & { readonly blocks: readonly { readonly words: number }[] }, probabilities: Float32Array): number {
    return this.thresholdAt(bestExpectedF1(page.blocks, probabilities), page);
  }

  /** @param best see `bestExpectedF1` */
  thresholdAt(best: number, page: RatedBlocks): number {
    const certain = this.#certain * (isReference(page) ? REFERENCE_SHARE : 1);
    return Math.max(LEAST_THRESHOLD, certain * best ** EXPONENT);
  }

  /** The reasons for a block's probability: each feature's steps down the trees, summed (Saabas 2014), largest first. */
  explain(
    features: Float32Array,
    block: number,
  ): { readonly logit: number; readonly bias: number; readonly reasons: readonly BlockReason[] } {
    const row = block * FEATURE_COUNT;
    const contributions = new Float64Array(FEATURE_COUNT);
    let bias = this.#bias;
    for (const root of this.#roots) {
      let node = root;
      bias += this.#means[node] as number;
      for (let feature = this.#ints[node] as number; feature >= 0; feature = this.#ints[node] as number) {
        const next = this.#step(features, row, node, feature);
        contributions[feature] = (contributions[feature] as number) + (this.#means[next] as number) - (this.#means[node] as number);
        node = next;
      }
    }
    const reasons = BLOCK_FEATURES.map((feature, i) => ({
      feature,
      value: features[row + i] ?? 0,
      contribution: contributions[i] ?? 0,
    })).filter(({ contribution }) => contribution !== 0);
    reasons.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
    return { logit: this.#logit(features, row), bias, reasons };
  }

  #logit(features: Float32Array, row: number): number {
    const ints = this.#ints;
    let logit = this.#bias;
    for (let t = 0; t < this.#roots.length; t += 1) {
      let node = this.#roots[t] as number;
      for (let feature = ints[node] as number; feature >= 0; feature = ints[node] as number)
        node = this.#step(features, row, node, feature);
      logit += this.#floats[node + THRESHOLD] as number;
    }
    return logit;
  }

  #step(features: Float32Array, row: number, node: number, feature: number): number {
    const isRight = (features[row + feature] as number) > (this.#floats[node + THRESHOLD] as number);
    return (this.#ints[node + LEFT] as number) + (isRight ? NODE : 0);
  }
}

/** Computes the probability in this form, to the bit: thresholds were chosen with it, and the reading core uses it as well. */
export function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** The F1 that is to be expected at the best threshold for these probabilities. O(blocks). */
function bestExpectedF1(blocks: readonly { readonly words: number }[], probabilities: Float32Array): number {
  const words = new Float64Array(STEPS + 1);
  const hits = new Float64Array(STEPS + 1);
  let all = 0;
  for (let i = 0; i < blocks.length; i += 1) {
    const own = (blocks[i] as { readonly words: number }).words;
    const p = probabilities[i] as number;
    const step = Math.floor(p * STEPS);
    words[step] = (words[step] as number) + own;
    hits[step] = (hits[step] as number) + own * p;
    all += own * p;
  }
  let best = 0;
  for (let step = STEPS, found = 0, right = 0; step >= 0; step -= 1) {
    found += words[step] as number;
    right += hits[step] as number;
    if (found > 0) best = Math.max(best, (2 * right) / (found + all));
  }
  return best;
}

/** Tells a page of reference. A thread has code in its posts, and terms that each post repeats (`Joined`, `Posts`), and is none. */
function isReference({ text, lines }: RatedBlocks): boolean {
  let codes = 0;
  let all = 0;
  let comments = 0;
  const terms = new Set<string>();
  for (let at = 0; at < lines.length; at += LINE_SIZE) {
    const flags = lines[at + LINE.flags] ?? 0;
    if (flags & FLAG.pre) codes += 1;
    if (flags & FLAG.comments) comments += 1;
    if (lines[at + LINE.part] !== PART.term) continue;
    all += 1;
    if (terms.size < ENOUGH_TERMS) terms.add(text.slice(lines[at + LINE.start], lines[at + LINE.end]));
  }
  const hasTerms = terms.size >= ENOUGH_TERMS || (terms.size >= LEAST_TERMS && 2 * terms.size > all);
  return (codes >= LEAST_CODES || hasTerms) && comments * LINE_SIZE <= MOST_COMMENTS * lines.length;
}
