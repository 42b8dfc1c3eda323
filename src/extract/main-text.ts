import { blockFeatures } from './block-features.ts';
import type { BlockModel } from './block-model.ts';
import type { Block, PageContent } from './blocks.ts';
import { blockScores, isFurniture, maxSegment, type Segment, SLOPE_WEIGHTS, type SlopeWeights } from './slope.ts';
import { FLAG } from './tags.ts';

/** Windows looked at beside the best one; pages with more worth keeping fall under the share anyway. */
const MAX_WINDOWS = 64;

/** What a block is to the main segment: outside it; a run of links inside it, not part of the text; its text. */
export const ROLE = { outside: 0, links: 1, text: 2 } as const;

/**
 * The `ROLE` of each block, shape [blocks.length].
 * The best low-slope window, further ones in the body of the page (forum posts, sections; after the windows of
 * Pinto et al. 2002, "QuASM"), furniture and runs of links left out. Where that is next to nothing, all but the furniture;
 * where the page is all furniture, everything that is not hidden.
 */
export function mainBlocks(blocks: readonly Block[], weights: SlopeWeights = SLOPE_WEIGHTS): Uint8Array {
  const scores = blockScores(blocks, weights);
  const best = maxSegment(scores);
  if (!isBelievable(blocks, best, weights)) return allButFurniture(blocks);
  const roles = new Uint8Array(blocks.length);
  for (const window of windowsAround(blocks, scores, best, weights)) mark(blocks, window, roles, weights);
  return roles;
}

/** A block the model left out is kept between kept ones, at most two blocks away on either side, from this probability on. */
const GAP_PROBABILITY = 0.3;
const GAP_REACH = 2;

/**
 * The `ROLE` of each block by the block model. What the model leaves out of the slope's segments counts as its links, for the links of it
 * are the page's own; but code and tables between blocks of text, and short gaps, are text. Where the model finds nothing, the slope decides.
 */
export function modelledBlocks(page: PageContent, model: BlockModel): Uint8Array {
  const { blocks } = page;
  const roles = mainBlocks(blocks);
  const probabilities = model.probabilities(blockFeatures(page, roles));
  /** How many blocks the model takes for text before each. */
  const before = new Int32Array(blocks.length + 1);
  for (let i = 0; i < blocks.length; i += 1) before[i + 1] = (before[i] ?? 0) + ((probabilities[i] ?? 0) >= model.threshold ? 1 : 0);
  const count = (from: number, to: number) => (before[Math.min(blocks.length, to)] ?? 0) - (before[Math.max(0, from)] ?? 0);
  const all = count(0, blocks.length);
  if (all === 0) return roles;
  for (let i = 0; i < blocks.length; i += 1) {
    if (count(i, i + 1) > 0) roles[i] = ROLE.text;
    else if (roles[i] === ROLE.text) {
      const isInside = (before[i] ?? 0) > 0 && (before[i] ?? 0) < all;
      const isKept = ((blocks[i]?.flags ?? 0) & (FLAG.pre | FLAG.table)) !== 0;
      const isGap = (probabilities[i] ?? 0) >= GAP_PROBABILITY && count(i - GAP_REACH, i) > 0 && count(i + 1, i + 1 + GAP_REACH) > 0;
      if (!isInside || !(isKept || isGap)) roles[i] = ROLE.links;
    }
  }
  return roles;
}

/** Every block that is not hidden is text. */
export function visibleBlocks(blocks: readonly Block[]): Uint8Array {
  return Uint8Array.from(blocks, (block) => (block.flags & FLAG.hidden ? ROLE.outside : ROLE.text));
}

/** The lines of the blocks whose role is text. */
export function textOf(page: PageContent, roles: Uint8Array): string {
  const { text, blocks } = page;
  const runs: string[] = [];
  for (let i = 0; i < blocks.length; i += 1) {
    if (roles[i] !== ROLE.text) continue;
    const start = blocks[i]?.start ?? 0;
    while (roles[i + 1] === ROLE.text) i += 1;
    runs.push(text.slice(start, blocks[i]?.end ?? start));
  }
  return runs.join('\n');
}

function isBelievable(blocks: readonly Block[], best: Segment, weights: SlopeWeights): boolean {
  let all = 0;
  let inside = 0;
  let sentences = 0;
  blocks.forEach((block, i) => {
    if (isFurniture(block)) return;
    all += block.words;
    if (i < best.start || i >= best.end) return;
    inside += block.words;
    sentences += block.sentenceEnds;
  });
  if (inside < weights.minWords) return false;
  return inside >= weights.minShare * all || sentences >= weights.fewSentences;
}

function allButFurniture(blocks: readonly Block[]): Uint8Array {
  const roles = Uint8Array.from(blocks, (block) => (isFurniture(block) || block.flags & FLAG.furniture ? ROLE.outside : ROLE.text));
  return roles.includes(ROLE.text) ? roles : visibleBlocks(blocks);
}

function windowsAround(blocks: readonly Block[], scores: Float64Array, best: Segment, weights: SlopeWeights): Segment[] {
  const windows = [best];
  const gaps: [number, number][] = [
    [0, best.start],
    [best.end, blocks.length],
  ];
  for (let gap = gaps.pop(); gap !== undefined && windows.length < MAX_WINDOWS; gap = gaps.pop()) {
    const window = maxSegment(scores, gap[0], gap[1]);
    if (window.score <= 0 || window.score < weights.secondWindow * best.score || !isInBody(blocks, window)) continue;
    windows.push(window);
    gaps.push([gap[0], window.start], [window.end, gap[1]]);
  }
  return windows;
}

function isInBody(blocks: readonly Block[], { start, end }: Segment): boolean {
  let inBody = 0;
  for (let i = start; i < end; i += 1) if ((blocks[i]?.flags ?? 0) & (FLAG.main | FLAG.body)) inBody += 1;
  return inBody * 2 > end - start;
}

function mark(blocks: readonly Block[], window: Segment, roles: Uint8Array, weights: SlopeWeights): void {
  for (let i = window.start; i < window.end; i += 1) {
    const block = blocks[i];
    if (block === undefined || isFurniture(block)) continue;
    const isLinks = block.sentenceEnds === 0 && block.linkWords > weights.maxLinked * block.words;
    roles[i] = isLinks ? ROLE.links : ROLE.text;
  }
}
