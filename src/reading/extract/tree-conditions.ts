/**
 * Trees as lists of conditions (Lucchese et al. 2015, "QuickScorer"): each condition that holds excludes the leaves to its left, and the leftmost leaf
 * that is left over is that of the row. The reading core checks all conditions for several rows at a time, without branches that depend on them.
 */
import { InvariantError } from '../../base/core/errors.ts';

/** Columns over the nodes of a tree: see `BlockModelFile`. */
type TreeColumns = Readonly<Record<'feature' | 'threshold' | 'left' | 'right' | 'value', readonly number[]>>;

/** Leaves of a tree have a bit each. */
const MAX_LEAVES = 32;

/**
 * The trees one after another. A tree has the numbers of its conditions and of its leaves; for each condition its feature, its threshold, f32, and a bit for
 * each leaf that a higher value excludes; and the value of each leaf from the left, f32.
 * @throws InvariantError for a tree of more than 32 leaves
 */
export function treeConditions(trees: readonly TreeColumns[]): Int32Array {
  return Int32Array.from(trees.flatMap(conditionsOf));
}

function conditionsOf({ feature, threshold, left, right, value }: TreeColumns): number[] {
  const conditions: number[] = [];
  const leaves: number[] = [];
  leavesBelow(0);
  if (leaves.length > MAX_LEAVES) throw new InvariantError(`a tree of ${leaves.length} leaves: the most are ${MAX_LEAVES}`);
  return [conditions.length / 3, leaves.length, ...conditions, ...leaves];

  /** Writes a node and all below. @returns a bit for each of its leaves */
  function leavesBelow(node: number): number {
    const own = feature[node] ?? -1;
    if (own < 0) return 1 << (leaves.push(floatBits(value[node] ?? 0)) - 1);
    const lower = leavesBelow(left[node] ?? 0);
    conditions.push(own, floatBits(threshold[node] ?? 0), lower);
    return lower | leavesBelow(right[node] ?? 0);
  }
}

function floatBits(value: number): number {
  return new Int32Array(Float32Array.of(value).buffer)[0] as number;
}
