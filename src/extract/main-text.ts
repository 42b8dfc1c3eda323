import { blockFeatures } from './block-features.ts';
import type { BlockModel } from './block-model.ts';
import type { Block, PageContent } from './blocks.ts';
import { blockScores, isFurniture, maxSegment, type Segment, SLOPE_WEIGHTS, type SlopeWeights } from './slope.ts';
import { BOILERPLATE, FLAG } from './tags.ts';

/** Windows looked at beside the best one; pages with more worth keeping fall under the share anyway. */
const MAX_WINDOWS = 64;

/** What a block is to the main segment: outside it; a run of links inside it, not part of the text; its text. */
export const ROLE = { outside: 0, links: 1, text: 2 } as const;

/** What gave a block its role. */
export const RULE = {
  /** In none of the slope's segments, or outside the run of densest text. */
  outside: 0,
  /** In the best low-slope segment; in a further one in the body of the page. */
  segment: 1,
  'second-segment': 2,
  /** In a segment, but mostly linked and without a sentence. */
  'run-of-links': 3,
  /** By its element or role; by a class name or id, where all else is text. */
  furniture: 4,
  'furniture-by-name': 5,
  /** The best segment is next to nothing: all but the furniture is text. */
  'no-segment': 6,
  /** There is nothing but furniture: all that is not hidden is text. */
  'all-furniture': 7,
  hidden: 8,
  /** The method takes all visible text. */
  visible: 9,
  /** In the run of densest text. */
  densest: 10,
  /** The block model's probability, against its threshold. */
  model: 11,
  /** The model left it out, but it is code or a table between blocks of text; a short gap between them. */
  'code-or-table': 12,
  gap: 13,
  /** The model finds no text on the page: as the slope has it. */
  slope: 14,
} as const;
export type Rule = keyof typeof RULE;

/** How a method sees the blocks of a page; arrays of shape [blocks.length]. */
export interface Decision {
  /** The `ROLE` and the `RULE` of each block. */
  readonly roles: Uint8Array;
  readonly rules: Uint8Array;
  /** What the slope saw, null where it was not asked. */
  readonly slope: SlopeDecision | null;
  /** What the block model saw, null where it was not asked. */
  readonly model: ModelView | null;
}

/** The slope's own roles and rules, and the score of each block. */
export interface SlopeDecision {
  readonly roles: Uint8Array;
  readonly rules: Uint8Array;
  readonly scores: Float64Array;
}

export interface ModelView {
  readonly model: BlockModel;
  /** Rows of `blockFeatures`. */
  readonly features: Float32Array;
  readonly probabilities: Float32Array;
  /** Least probability of main text on this page. */
  readonly threshold: number;
}

/**
 * The slope's look at a page.
 * The best low-slope window, further ones in the body of the page (forum posts, sections; after the windows of
 * Pinto et al. 2002, "QuASM"), furniture and runs of links left out. Where that is next to nothing, all but the furniture;
 * where the page is all furniture, everything that is not hidden.
 */
export function slopeDecision(blocks: readonly Block[], weights: SlopeWeights = SLOPE_WEIGHTS): SlopeDecision {
  const scores = blockScores(blocks, weights);
  const best = maxSegment(scores);
  if (!isBelievable(blocks, best, weights)) return { ...allButFurniture(blocks), scores };
  const roles = new Uint8Array(blocks.length);
  const rules = new Uint8Array(blocks.length);
  for (let i = 0; i < blocks.length; i += 1) if (((blocks[i]?.flags ?? 0) & BOILERPLATE) !== 0) rules[i] = RULE.furniture;
  for (const window of windowsAround(blocks, scores, best, weights)) {
    mark(blocks, window, { roles, rules }, window === best ? RULE.segment : RULE['second-segment'], weights);
  }
  return { roles, rules, scores };
}

/** The `ROLE` of each block by the slope, shape [blocks.length]. */
export function mainBlocks(blocks: readonly Block[], weights: SlopeWeights = SLOPE_WEIGHTS): Uint8Array {
  return slopeDecision(blocks, weights).roles;
}

/** A block the model left out is kept between kept ones, at most two blocks away on either side, from this probability on. */
const GAP_PROBABILITY = 0.3;
const GAP_REACH = 2;

/**
 * The block model's look at a page. What the model leaves out of the slope's segments counts as its links, for the links of it
 * are the page's own; but code and tables between blocks of text, and short gaps, are text. Where the model finds nothing, the slope decides.
 */
export function modelDecision(page: PageContent, model: BlockModel): Decision {
  const { blocks } = page;
  const slope = slopeDecision(blocks);
  const features = blockFeatures(page, slope);
  const probabilities = model.probabilities(features);
  const threshold = model.thresholdFor(blocks, probabilities);
  const view = { slope, model: { model, features, probabilities, threshold } };
  /** How many blocks the model takes for text before each. */
  const before = new Int32Array(blocks.length + 1);
  for (let i = 0; i < blocks.length; i += 1) before[i + 1] = (before[i] ?? 0) + ((probabilities[i] ?? 0) >= threshold ? 1 : 0);
  const count = (from: number, to: number) => (before[Math.min(blocks.length, to)] ?? 0) - (before[Math.max(0, from)] ?? 0);
  const all = count(0, blocks.length);
  if (all === 0) return { roles: slope.roles, rules: new Uint8Array(blocks.length).fill(RULE.slope), ...view };
  const roles = slope.roles.slice();
  const rules = new Uint8Array(blocks.length).fill(RULE.model);
  for (let i = 0; i < blocks.length; i += 1) {
    if (count(i, i + 1) > 0) roles[i] = ROLE.text;
    else if (roles[i] === ROLE.text) {
      const isInside = (before[i] ?? 0) > 0 && (before[i] ?? 0) < all;
      const isKept = ((blocks[i]?.flags ?? 0) & (FLAG.pre | FLAG.table)) !== 0;
      const isGap = (probabilities[i] ?? 0) >= GAP_PROBABILITY && count(i - GAP_REACH, i) > 0 && count(i + 1, i + 1 + GAP_REACH) > 0;
      if (isInside && (isKept || isGap)) rules[i] = isKept ? RULE['code-or-table'] : RULE.gap;
      else roles[i] = ROLE.links;
    }
  }
  return { roles, rules, ...view };
}

/** The `ROLE` of each block by the block model, shape [blocks.length]. */
export function modelledBlocks(page: PageContent, model: BlockModel): Uint8Array {
  return modelDecision(page, model).roles;
}

/** Every block that is not hidden is text. */
export function visibleBlocks(blocks: readonly Block[]): Uint8Array {
  return Uint8Array.from(blocks, (block) => (block.flags & FLAG.hidden ? ROLE.outside : ROLE.text));
}

/** A look at a page that knows two rules only: one of its text, one of the rest. */
export function plainDecision(roles: Uint8Array, text: Rule, rest: Rule): Decision {
  return { roles, rules: rulesBy(roles, text, rest), slope: null, model: null };
}

function rulesBy(roles: Uint8Array, text: Rule, rest: Rule): Uint8Array {
  return roles.map((role) => (role === ROLE.text ? RULE[text] : RULE[rest]));
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

function allButFurniture(blocks: readonly Block[]): Pick<Decision, 'roles' | 'rules'> {
  const rules = Uint8Array.from(blocks, (block) => {
    if (isFurniture(block)) return RULE.furniture;
    return block.flags & FLAG.furniture ? RULE['furniture-by-name'] : RULE['no-segment'];
  });
  if (rules.includes(RULE['no-segment'])) {
    return { roles: rules.map((rule) => (rule === RULE['no-segment'] ? ROLE.text : ROLE.outside)), rules };
  }
  const roles = visibleBlocks(blocks);
  return { roles, rules: rulesBy(roles, 'all-furniture', 'hidden') };
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

function mark(
  blocks: readonly Block[],
  window: Segment,
  { roles, rules }: Pick<Decision, 'roles' | 'rules'>,
  rule: number,
  weights: SlopeWeights,
): void {
  for (let i = window.start; i < window.end; i += 1) {
    const block = blocks[i];
    if (block === undefined || isFurniture(block)) continue;
    const isLinks = block.sentenceEnds === 0 && block.linkWords > weights.maxLinked * block.words;
    roles[i] = isLinks ? ROLE.links : ROLE.text;
    rules[i] = isLinks ? RULE['run-of-links'] : rule;
  }
}
