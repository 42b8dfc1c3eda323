/**
 * Gradient boosted trees for a yes-or-no target: logistic loss, second-order steps, trees grown leaf by leaf over binned features
 * (Friedman 2001; Ke et al. 2017, "LightGBM"). Deterministic. Small on purpose: it trains the block model and nothing else.
 */
import type { BlockModelFile } from '../../src/reading/extract/block-model.ts';

type Tree = BlockModelFile['trees'][number];

export interface BoostingOptions {
  readonly trees: number;
  readonly leaves: number;
  readonly rate: number;
  /** L2 penalty on leaf values, in units of summed second derivatives. */
  readonly penalty: number;
  /** Least summed second derivative in a leaf. */
  readonly minWeight: number;
}

export interface TrainingRows {
  /** Shape [rows, width]. */
  readonly features: Float32Array;
  readonly width: number;
  /** 0 to 1. */
  readonly labels: Float32Array;
  readonly weights: Float32Array;
}

export interface Boosted {
  readonly bias: number;
  readonly trees: readonly Tree[];
}

const BINS = 64;

/** Train. O(trees · leaves · rows · width) at worst. @param skip features by index that may not be used. */
export function boost(rows: TrainingRows, options: BoostingOptions, skip: ReadonlySet<number> = new Set()): Boosted {
  const count = rows.labels.length;
  const binned = bin(rows, skip);
  const bias = startingLogit(rows);
  const logits = new Float64Array(count).fill(bias);
  const gradients = new Float64Array(count);
  const hessians = new Float64Array(count);
  const trees: Tree[] = [];
  for (let t = 0; t < options.trees; t++) {
    for (let i = 0; i < count; i++) {
      const p = 1 / (1 + Math.exp(-(logits[i] as number)));
      const weight = rows.weights[i] as number;
      gradients[i] = weight * (p - (rows.labels[i] as number));
      hessians[i] = weight * Math.max(1e-6, p * (1 - p));
    }
    trees.push(new TreeGrower(binned, gradients, hessians, options).grow(logits));
  }
  return { bias, trees };
}

function startingLogit({ labels, weights }: TrainingRows): number {
  let yes = 0;
  let all = 0;
  for (let i = 0; i < labels.length; i++) {
    yes += (weights[i] as number) * (labels[i] as number);
    all += weights[i] as number;
  }
  return Math.log(Math.max(1e-9, yes) / Math.max(1e-9, all - yes));
}

interface Binned {
  /** The bin of each row, for each feature that may be used. */
  readonly columns: readonly { readonly feature: number; readonly bins: Uint8Array; readonly edges: Float32Array }[];
  readonly count: number;
}

function bin({ features, width, labels }: TrainingRows, skip: ReadonlySet<number>): Binned {
  const count = labels.length;
  const columns = [];
  for (let feature = 0; feature < width; feature++) {
    if (skip.has(feature)) continue;
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++) values[i] = features[i * width + feature] as number;
    const edges = edgesOf(values);
    columns.push({ feature, edges, bins: Uint8Array.from(values, (value) => binOf(value, edges)) });
  }
  return { columns, count };
}

/** Upper edges of all bins but the last: quantiles of the distinct values. A value belongs to the first bin whose edge it does not exceed. */
function edgesOf(values: Float32Array): Float32Array {
  const sorted = values.slice().sort();
  const edges = new Set<number>();
  for (let b = 1; b < BINS; b++) edges.add(sorted[Math.floor((b * sorted.length) / BINS)] as number);
  const distinct = [...edges].sort((a, b) => a - b);
  const last = sorted.at(-1) as number;
  return Float32Array.from(distinct.filter((edge) => edge < last));
}

function binOf(value: number, edges: Float32Array): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (edges[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Split {
  readonly gain: number;
  readonly column: number;
  /** Rows whose bin is at most this go left. */
  readonly bin: number;
}

/** Sums of gradients and second derivatives by column and bin, shape [columns, BINS, 2]. */
type Histogram = Float64Array;

interface Leaf {
  readonly node: number;
  readonly rows: Int32Array;
  readonly gradient: number;
  readonly hessian: number;
  readonly histogram: Histogram;
  readonly split: Split | null;
}

class TreeGrower {
  readonly #binned: Binned;
  readonly #gradients: Float64Array;
  readonly #hessians: Float64Array;
  readonly #options: BoostingOptions;
  readonly #tree = {
    feature: [] as number[],
    threshold: [] as number[],
    left: [] as number[],
    right: [] as number[],
    value: [] as number[],
  };

  constructor(binned: Binned, gradients: Float64Array, hessians: Float64Array, options: BoostingOptions) {
    this.#binned = binned;
    this.#gradients = gradients;
    this.#hessians = hessians;
    this.#options = options;
  }

  /** Grow a tree, add its values to `logits`. */
  grow(logits: Float64Array): Tree {
    const all = Int32Array.from({ length: this.#binned.count }, (_, i) => i);
    const leaves: Leaf[] = [this.#leaf(all, this.#histogram(all))];
    while (leaves.length < this.#options.leaves) {
      const best = leaves.reduce((a, b) => ((b.split?.gain ?? 0) > (a.split?.gain ?? 0) ? b : a));
      if (best.split === null || best.split.gain <= 0) break;
      leaves.splice(leaves.indexOf(best), 1, ...this.#divide(best, best.split));
    }
    for (const leaf of leaves) {
      const value = this.#tree.value[leaf.node] as number;
      for (const row of leaf.rows) logits[row] = (logits[row] as number) + value;
    }
    return this.#tree;
  }

  #leaf(rows: Int32Array, histogram: Histogram): Leaf {
    let gradient = 0;
    let hessian = 0;
    for (const row of rows) {
      gradient += this.#gradients[row] as number;
      hessian += this.#hessians[row] as number;
    }
    const { feature, threshold, left, right, value } = this.#tree;
    const node = feature.length;
    feature.push(-1);
    threshold.push(0);
    left.push(-1);
    right.push(-1);
    // An inner node keeps what it would have given: an explanation is the steps from there.
    value.push(this.#value(gradient, hessian) * this.#options.rate);
    return { node, rows, gradient, hessian, histogram, split: this.#bestSplit(histogram, gradient, hessian) };
  }

  /** Only the smaller side is counted: the other is what is left of the whole. */
  #divide(leaf: Leaf, { column, bin: last }: Split): Leaf[] {
    const { feature, edges, bins } = this.#binned.columns[column] as Binned['columns'][number];
    const leftRows = leaf.rows.filter((row) => (bins[row] as number) <= last);
    const rightRows = leaf.rows.filter((row) => (bins[row] as number) > last);
    const smaller = this.#histogram(leftRows.length < rightRows.length ? leftRows : rightRows);
    const larger = leaf.histogram.map((sum, i) => sum - (smaller[i] as number));
    const [ofLeft, ofRight] = leftRows.length < rightRows.length ? [smaller, larger] : [larger, smaller];
    const left = this.#leaf(leftRows, ofLeft);
    const right = this.#leaf(rightRows, ofRight);
    const tree = this.#tree;
    tree.feature[leaf.node] = feature;
    tree.threshold[leaf.node] = edges[last] as number;
    tree.left[leaf.node] = left.node;
    tree.right[leaf.node] = right.node;
    return [left, right];
  }

  #histogram(rows: Int32Array): Histogram {
    const count = rows.length;
    const gradients = new Float64Array(count);
    const hessians = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      gradients[i] = this.#gradients[rows[i] as number] as number;
      hessians[i] = this.#hessians[rows[i] as number] as number;
    }
    const { columns } = this.#binned;
    const out = new Float64Array(columns.length * BINS * 2);
    for (let c = 0; c < columns.length; c++) {
      const { bins } = columns[c] as Binned['columns'][number];
      const base = c * BINS * 2;
      for (let i = 0; i < count; i++) {
        const at = base + 2 * (bins[rows[i] as number] as number);
        out[at] = (out[at] as number) + (gradients[i] as number);
        out[at + 1] = (out[at + 1] as number) + (hessians[i] as number);
      }
    }
    return out;
  }

  #bestSplit(histogram: Histogram, gradient: number, hessian: number): Split | null {
    let best: Split | null = null;
    const whole = this.#gain(gradient, hessian);
    for (const [column, { edges }] of this.#binned.columns.entries()) {
      let g = 0;
      let h = 0;
      for (let b = 0; b < edges.length; b++) {
        const at = 2 * (column * BINS + b);
        g += histogram[at] as number;
        h += histogram[at + 1] as number;
        if (h < this.#options.minWeight || hessian - h < this.#options.minWeight) continue;
        const gain = this.#gain(g, h) + this.#gain(gradient - g, hessian - h) - whole;
        if (gain > (best?.gain ?? 0)) best = { gain, column, bin: b };
      }
    }
    return best;
  }

  #gain(gradient: number, hessian: number): number {
    return (gradient * gradient) / (hessian + this.#options.penalty);
  }

  #value(gradient: number, hessian: number): number {
    return -gradient / (hessian + this.#options.penalty);
  }
}
