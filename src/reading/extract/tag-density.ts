import type { Block } from './blocks.ts';
import { BOILERPLATE, FLAG } from './tags.ts';

/** A run [start, end) and its sum. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/**
 * The run of `scores` within [from, to) with the largest sum: the first of the best, the shortest of those with the same start; empty if nothing is
 * positive. O(n), Kadane's algorithm (Bentley 1984, Programming Pearls).
 */
export function maxSegment(scores: ArrayLike<number>, from = 0, to = scores.length): Segment {
  let best: Segment = { start: from, end: from, score: 0 };
  let sum = 0;
  let start = from;
  for (let i = from; i < to; i += 1) {
    if (sum <= 0) {
      sum = 0;
      start = i;
    }
    sum += scores[i] ?? 0;
    if (sum > best.score) best = { start, end: i + 1, score: sum };
  }
  return best;
}

/** The weights of the slope: the contribution of one word, tag or sentence to the score of a block. One unit is one unlinked word. */
export interface SlopeWeights {
  readonly blockTag: number;
  readonly inlineTag: number;
  /** Largest cost of the tags before and in one block: a text continues after one advertisement in it. */
  readonly maxTagCost: number;
  readonly linkWord: number;
  /** Weight of a block with more linked than unlinked words, and no sentence. */
  readonly linkBlock: number;
  /** Weight of each sentence end, at most four a block. */
  readonly sentence: number;
  /** Boilerplate by element (nav, footer, aside, hidden, page header): each block, and each of its words. */
  readonly boilerplateBlock: number;
  readonly boilerplateWord: number;
  /** Weight of each word, if only a class name or id marks boilerplate. */
  readonly boilerplateHintWord: number;
  readonly pre: number;
  readonly list: number;
  /** Weight of a block in `main`, `article` or a class name that marks the body; each of the two counts once. */
  readonly body: number;
  /** Multiplied by (share of unlinked words in words and tag costs around the block - pivot), `windowReach` blocks on either side. */
  readonly window: number;
  readonly pivot: number;
  readonly windowReach: number;
  /** A further window is kept if it is in the body and has this share of the best window's score. */
  readonly secondWindow: number;
  /** Share of linked words above which a block without a sentence inside a window is omitted. */
  readonly maxLinked: number;
  /** The best window is rejected if it contains less than this share of the words outside boilerplate, and few sentences… */
  readonly minShare: number;
  readonly fewSentences: number;
  /** …or fewer words than this. */
  readonly minWords: number;
}

/**
 * Tuned by random search on two thirds of the pages of `tools/quality/extract-f1.ts`, split by registrable domain, then rounded. The density windows
 * bring no measurable gain there; they have small weights, for pages without helpful markup.
 */
export const SLOPE_WEIGHTS: SlopeWeights = {
  blockTag: 1.6,
  inlineTag: 0.5,
  maxTagCost: 8,
  linkWord: 0.8,
  linkBlock: 2.5,
  sentence: 5,
  boilerplateBlock: 8,
  boilerplateWord: 1,
  boilerplateHintWord: 0.75,
  pre: 5,
  list: 1.2,
  body: 1.6,
  window: 3,
  pivot: 0.25,
  windowReach: 1,
  secondWindow: 0.15,
  maxLinked: 0.5,
  minShare: 0.15,
  fewSentences: 5,
  minWords: 25,
};

/** Boilerplate by element or role. */
export function isBoilerplate(block: Block): boolean {
  return (block.flags & BOILERPLATE) !== 0;
}

function tagCost(block: Block, weights: SlopeWeights): number {
  return Math.min(weights.maxTagCost, weights.blockTag * block.blockTags + weights.inlineTag * block.inlineTags);
}

function ownScore(block: Block, weights: SlopeWeights): number {
  const { words, linkWords, flags } = block;
  if (isBoilerplate(block)) return -weights.boilerplateBlock - weights.boilerplateWord * words;
  const plain = words - linkWords;
  let score = plain - weights.linkWord * linkWords - tagCost(block, weights) + weights.sentence * Math.min(4, block.sentenceEnds);
  if (linkWords > plain && block.sentenceEnds === 0) score -= weights.linkBlock;
  if (flags & FLAG.boilerplateHint) score -= weights.boilerplateHintWord * words;
  if (flags & FLAG.pre) score += weights.pre;
  if (flags & FLAG.list) score += weights.list;
  if (flags & FLAG.main) score += weights.body;
  if (flags & FLAG.body) score += weights.body;
  return score;
}

/** The contribution of each block to a main segment that contains it, shape [blocks.length], in unlinked words. O(blocks). */
export function blockScores(blocks: readonly Block[], weights: SlopeWeights = SLOPE_WEIGHTS): Float64Array {
  const n = blocks.length;
  const plain = new Float64Array(n + 1);
  const all = new Float64Array(n + 1);
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    const block = blocks[i];
    if (block === undefined) break;
    scores[i] = ownScore(block, weights);
    plain[i + 1] = (plain[i] ?? 0) + (isBoilerplate(block) ? 0 : block.words - block.linkWords);
    all[i + 1] = (all[i] ?? 0) + block.words + tagCost(block, weights);
  }
  for (let i = 0; i < n; i += 1) {
    const from = Math.max(0, i - weights.windowReach);
    const to = Math.min(n, i + weights.windowReach + 1);
    const total = (all[to] ?? 0) - (all[from] ?? 0);
    const density = total > 0 ? ((plain[to] ?? 0) - (plain[from] ?? 0)) / total : 0;
    scores[i] = (scores[i] ?? 0) + weights.window * (density - weights.pivot);
  }
  return scores;
}
