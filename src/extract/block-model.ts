/** The block model: which blocks are main text, by a few dozen small trees over `blockFeatures`. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { InvariantError } from '../core/errors.ts';
import { BLOCK_FEATURES, FEATURE_COUNT } from './block-features.ts';

const numbers = z.array(z.number());
const schema = z.object({
  format: z.literal('forager-block-model'),
  version: z.literal(1),
  /** Names of the features the trees were grown on, in order. */
  features: z.array(z.string()),
  bias: z.number(),
  /** Least probability of a block of main text. */
  threshold: z.number(),
  /** Each as columns over its nodes, the root first. `feature` is -1 for a leaf; else values up to `threshold` go left. `value` in log odds. */
  trees: z.array(z.object({ feature: numbers, threshold: numbers, left: numbers, right: numbers, value: numbers })),
});

export type BlockModelFile = z.infer<typeof schema>;

const BUNDLED = new URL('../../models/extractor/block-model.json', import.meta.url);

/** One reason of a block's score. */
export interface BlockReason {
  readonly feature: string;
  readonly value: number;
  /** In log odds. All of a block's and the bias sum to its logit. */
  readonly contribution: number;
}

export class BlockModel {
  readonly threshold: number;
  readonly #bias: number;
  readonly #roots: Int32Array;
  readonly #feature: Int16Array;
  readonly #threshold: Float32Array;
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  /** Leaves: their value. Inner nodes: the mean the tree would give there, so that a step down is a reason. */
  readonly #value: Float64Array;

  /** @throws InvariantError when the file is of other features. */
  constructor(file: BlockModelFile) {
    if (file.features.join() !== BLOCK_FEATURES.join())
      throw new InvariantError('the block model was trained on other features: run npm run train:extractor');
    this.threshold = file.threshold;
    this.#bias = file.bias;
    const size = file.trees.reduce((sum, tree) => sum + tree.feature.length, 0);
    this.#roots = new Int32Array(file.trees.length);
    this.#feature = new Int16Array(size);
    this.#threshold = new Float32Array(size);
    this.#left = new Int32Array(size);
    this.#right = new Int32Array(size);
    this.#value = new Float64Array(size);
    let base = 0;
    for (const [t, tree] of file.trees.entries()) {
      this.#roots[t] = base;
      for (let node = 0; node < tree.feature.length; node += 1) {
        this.#feature[base + node] = tree.feature[node] ?? -1;
        this.#threshold[base + node] = tree.threshold[node] ?? 0;
        this.#left[base + node] = base + (tree.left[node] ?? 0);
        this.#right[base + node] = base + (tree.right[node] ?? 0);
        this.#value[base + node] = tree.value[node] ?? 0;
      }
      base += tree.feature.length;
    }
  }

  /** The model that comes with the package. */
  static bundled(): BlockModel {
    return new BlockModel(schema.parse(JSON.parse(readFileSync(BUNDLED, 'utf8'))));
  }

  /** Probability of main text for each block, from rows of `blockFeatures`. O(blocks × trees). */
  probabilities(features: Float32Array): Float32Array {
    const out = new Float32Array(features.length / FEATURE_COUNT);
    for (let i = 0; i < out.length; i += 1) out[i] = 1 / (1 + Math.exp(-this.#logit(features, i * FEATURE_COUNT)));
    return out;
  }

  /** Why a block has its probability: each feature's steps down the trees, summed (Saabas 2014), most first. */
  explain(
    features: Float32Array,
    block: number,
  ): { readonly logit: number; readonly bias: number; readonly reasons: readonly BlockReason[] } {
    const row = block * FEATURE_COUNT;
    const contributions = new Float64Array(FEATURE_COUNT);
    let bias = this.#bias;
    for (const root of this.#roots) {
      let node = root;
      bias += this.#value[node] as number;
      for (let feature = this.#feature[node] as number; feature >= 0; feature = this.#feature[node] as number) {
        const next = this.#step(features, row, node, feature);
        contributions[feature] = (contributions[feature] as number) + (this.#value[next] as number) - (this.#value[node] as number);
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
    let logit = this.#bias;
    for (let t = 0; t < this.#roots.length; t += 1) {
      let node = this.#roots[t] as number;
      for (let feature = this.#feature[node] as number; feature >= 0; feature = this.#feature[node] as number)
        node = this.#step(features, row, node, feature);
      logit += this.#value[node] as number;
    }
    return logit;
  }

  #step(features: Float32Array, row: number, node: number, feature: number): number {
    return (features[row + feature] as number) <= (this.#threshold[node] as number)
      ? (this.#left[node] as number)
      : (this.#right[node] as number);
  }
}
