import type { Block } from './blocks.ts';
import { BOILERPLATE, FLAG } from './tags.ts';

/** A run [start, end) and what it sums to. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/**
 * The run of `scores` with the largest sum: first of the best, shortest of those that start there; empty when nothing is positive.
 * O(n), Kadane's algorithm (Bentley 1984, Programming Pearls).
 */
export function maxSegment(scores: ArrayLike<number>): Segment {
  let best: Segment = { start: 0, end: 0, score: 0 };
  let sum = 0;
  let start = 0;
  for (let i = 0; i < scores.length; i += 1) {
    if (sum <= 0) {
      sum = 0;
      start = i;
    }
    sum += scores[i] ?? 0;
    if (sum > best.score) best = { start, end: i + 1, score: sum };
  }
  return best;
}

/**
 * Body Text Extraction, literally: the run [start, end) of tokens that maximises tags outside plus text tokens inside
 * (Finn, Kushmerick, Smyth 2001, "Fact or Fiction: Content Classification for Digital Libraries").
 * Tags outside = all tags - tags inside, so this is the maximum-sum run over +1 a text token, -1 a tag. `score` is the objective.
 */
export function bteSegment(isTag: readonly boolean[]): Segment {
  const { start, end, score } = maxSegment(isTag.map((tag) => (tag ? -1 : 1)));
  return { start, end, score: score + isTag.filter((tag) => tag).length };
}

/** The weights of the slope: what one word, tag or sentence adds to or takes from a block. One unit is one unlinked word. */
export interface SlopeWeights {
  readonly blockTag: number;
  readonly inlineTag: number;
  /** Most that the tags before and in one block can cost, so that a big gap ends a text only when little follows. */
  readonly maxTagCost: number;
  readonly linkWord: number;
  readonly furnitureWord: number;
  readonly furnitureBlock: number;
  /** For each sentence end, at most four a block. */
  readonly sentence: number;
  /** For a block with more linked words than not, and no sentence. */
  readonly linkBlock: number;
  readonly heading: number;
  readonly pre: number;
  readonly main: number;
  /** Times (density around the block - pivot), the density window being `windowReach` blocks either side. */
  readonly window: number;
  readonly pivot: number;
  readonly windowReach: number;
}

export const SLOPE_WEIGHTS: SlopeWeights = {
  blockTag: 1.5,
  inlineTag: 0.25,
  maxTagCost: 12,
  linkWord: 1,
  furnitureWord: 1,
  furnitureBlock: 4,
  sentence: 2,
  linkBlock: 2,
  heading: 0,
  pre: 2,
  main: 1,
  window: 4,
  pivot: 0.5,
  windowReach: 4,
};

/** Furniture by element; a page can wrap its all in one, so see `mainBlocks` for the way back. */
export function isFurniture(block: Block): boolean {
  return (block.flags & BOILERPLATE) !== 0;
}

function tagCost(block: Block, weights: SlopeWeights): number {
  return Math.min(weights.maxTagCost, weights.blockTag * block.blockTags + weights.inlineTag * block.inlineTags);
}

function ownScore(block: Block, weights: SlopeWeights): number {
  const cost = tagCost(block, weights);
  if (isFurniture(block)) return -weights.furnitureBlock - weights.furnitureWord * block.words - cost;
  const plain = block.words - block.linkWords;
  let score = plain - weights.linkWord * block.linkWords - cost + weights.sentence * Math.min(4, block.sentenceEnds);
  if (block.linkWords > plain && block.sentenceEnds === 0) score -= weights.linkBlock;
  if (block.flags & FLAG.heading) score += weights.heading;
  if (block.flags & FLAG.pre) score += weights.pre;
  if (block.flags & FLAG.main) score += weights.main;
  return score;
}

/** Unlinked words as a share of words and tag costs around each block: the local slope of text against tags, in [0, 1]. */
function densities(blocks: readonly Block[], weights: SlopeWeights): Float64Array {
  const n = blocks.length;
  const plain = new Float64Array(n + 1);
  const all = new Float64Array(n + 1);
  blocks.forEach((block, i) => {
    const words = isFurniture(block) ? 0 : block.words - block.linkWords;
    plain[i + 1] = (plain[i] ?? 0) + words;
    all[i + 1] = (all[i] ?? 0) + block.words + tagCost(block, weights);
  });
  return Float64Array.from(blocks, (_, i) => {
    const from = Math.max(0, i - weights.windowReach);
    const to = Math.min(n, i + weights.windowReach + 1);
    const total = (all[to] ?? 0) - (all[from] ?? 0);
    return total <= 0 ? 0 : ((plain[to] ?? 0) - (plain[from] ?? 0)) / total;
  });
}

/** What each block adds to a main segment that holds it, shape [blocks.length], in unlinked words. */
export function blockScores(blocks: readonly Block[], weights: SlopeWeights = SLOPE_WEIGHTS): Float64Array {
  const density = densities(blocks, weights);
  return Float64Array.from(blocks, (block, i) => ownScore(block, weights) + weights.window * ((density[i] ?? 0) - weights.pivot));
}
