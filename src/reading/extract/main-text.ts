import { blockFeatures, type SlopeView } from './block-features.ts';
import type { BlockModel } from './block-model.ts';
import { type Block, LINE, LINE_SIZE, type PageContent } from './blocks.ts';
import { refineRoles } from './choice-rules.ts';
import { blockScores, isBoilerplate, maxSegment, type Segment, SLOPE_WEIGHTS, type SlopeWeights } from './tag-density.ts';
import { BOILERPLATE, FLAG } from './tags.ts';

/** Number of windows considered after the best one; on pages with more, the others are below the share anyway. */
const MAX_WINDOWS = 64;

/** The role of a block: outside the main segment; in a run of links inside it, which is not part of the text; in its text. */
export const ROLE = { outside: 0, links: 1, text: 2 } as const;

/** The cause of a block's role. */
export const RULE = {
  /** Block in none of the slope's segments, or outside the run of densest text. */
  outside: 0,
  /** Block in the best low-slope segment; in a further one in the body of the page. */
  segment: 1,
  'second-segment': 2,
  /** Block in a segment, but mostly linked and without a sentence. */
  'run-of-links': 3,
  /** Boilerplate by its element or role; by a class name or id, if everything else is text. */
  boilerplate: 4,
  'boilerplate-by-name': 5,
  /** The best segment is almost empty: everything except boilerplate is text. */
  'no-segment': 6,
  /** Page with boilerplate only: everything that is not hidden is text. */
  'all-boilerplate': 7,
  hidden: 8,
  /** The method takes all visible text. */
  visible: 9,
  /** Block in the run of densest text. */
  densest: 10,
  /** The block model's probability, compared with its threshold. */
  model: 11,
  /** The model excluded it, but inside the text it is code or a table; a single block between two blocks of text; a heading or a term directly above text. */
  'code-or-table': 12,
  gap: 13,
  heading: 14,
  /** The model finds no text on the page: the slope decides. */
  slope: 15,
  /** The model excluded it: an item of a list between two blocks of text. */
  list: 16,
  /** The model kept it: hidden, and a copy of another block of the text. */
  copy: 17,
  /** The model excluded it: a part of a list or a table of which the text has other parts. */
  whole: 18,
  /** The model excluded it: in a section of a manual page. */
  manual: 19,
  /** The model excluded it: sentences between the main heading and the text; a footnote. */
  opening: 20,
  note: 21,
  /** Stated description or specification of the product that the page is about; teasers of other products. */
  stated: 22,
  related: 23,
  /** The block is of a thread: of the body of a post, or of the rest of it. */
  post: 24,
  /** The model excluded it: title of a box whose text is kept; name or caption of code, of a table, of a quote. */
  title: 25,
  caption: 26,
} as const;
export type RuleName = keyof typeof RULE;

/** A method's decision about the blocks of a page; arrays of shape [blocks.length]. */
export interface Decision {
  /** The `ROLE` and the `RULE` of each block. */
  readonly roles: Uint8Array;
  readonly rules: Uint8Array;
  /** The slope's decision; null if the method has no slope. */
  readonly slope: SlopeDecision | null;
  /** The block model's decision; null if the method has no block model. */
  readonly model: ModelView | null;
}

/** The slope's own roles and rules, and their reasons. */
export interface SlopeDecision extends SlopeView {
  readonly rules: Uint8Array;
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
 * The slope's decision about a page. Text is the best low-slope window and further ones in the body of the page (forum posts, sections; after the
 * windows of Pinto et al. 2002, "QuASM"), without boilerplate and runs of links. If that is almost empty, everything except boilerplate is text. If
 * the page is all boilerplate, everything that is not hidden is text.
 */
export function slopeDecision(blocks: readonly Block[], weights: SlopeWeights = SLOPE_WEIGHTS): SlopeDecision {
  const scores = blockScores(blocks, weights);
  const best = maxSegment(scores);
  if (!isBelievable(blocks, best, weights)) return { ...withoutBoilerplate(blocks), scores, best };
  const roles = new Uint8Array(blocks.length);
  const rules = new Uint8Array(blocks.length);
  for (let i = 0; i < blocks.length; i += 1) if (((blocks[i]?.flags ?? 0) & BOILERPLATE) !== 0) rules[i] = RULE.boilerplate;
  for (const window of windowsAround(blocks, scores, best, weights)) {
    mark(blocks, window, { roles, rules }, window === best ? RULE.segment : RULE['second-segment'], weights);
  }
  return { roles, rules, scores, best };
}

/** A block that the model excluded stays between two kept blocks from this probability on. */
export const GAP_PROBABILITY = 0.4;
/**
 * Text that a page hides until a click (tabs, answers) is main text about half the time, but the model is too certain of it. With this least
 * probability, the mean F1 of the development pages was best, by .014 on listings; .003 are lost if hidden text is never kept.
 */
const HIDDEN_PROBABILITY = 0.7;

/** Least probability of main text of a hidden block. @param threshold that of the page */
export function thresholdForHidden(threshold: number): number {
  return Math.max(threshold, HIDDEN_PROBABILITY);
}

/**
 * The block model's decision about a page. A part of the slope's segments that the model excludes counts as links, because its links are the page's
 * own. Inside the text, three parts of the slope's segments are text nevertheless: code and tables, single blocks between two blocks of text, and the
 * headings directly above text. If the model finds no text, the slope decides.
 */
export function modelDecision(page: PageContent, model: BlockModel): Decision {
  const { blocks } = page;
  const slope = slopeDecision(blocks);
  const features = blockFeatures(page, slope);
  const probabilities = model.probabilities(features);
  const threshold = model.thresholdFor(page, probabilities);
  const view = { slope, model: { model, features, probabilities, threshold } };
  const hidden = thresholdForHidden(threshold);
  const isKept = (i: number) => (probabilities[i] ?? 0) >= ((blocks[i]?.flags ?? 0) & FLAG.hidden ? hidden : threshold);
  const first = probabilities.findIndex((_, i) => isKept(i));
  const roles = slope.roles.slice();
  if (first < 0) {
    const rules = new Uint8Array(blocks.length).fill(RULE.slope);
    refineRoles(page, roles, probabilities, rules);
    return { roles, rules, ...view };
  }
  const last = probabilities.findLastIndex((_, i) => isKept(i));
  const rules = new Uint8Array(blocks.length).fill(RULE.model);
  // From the end: a block above text that a rule has kept is also above text.
  for (let i = blocks.length - 1; i >= 0; i -= 1) {
    if (isKept(i)) roles[i] = ROLE.text;
    else if (roles[i] === ROLE.text) {
      const isInside = i > first && i < last;
      const rule = isInside
        ? ruleBetween(blocks[i] as Block, probabilities[i] ?? 0, isKept(i - 1), roles[i + 1] === ROLE.text)
        : RULE.model;
      if (rule === RULE.model) roles[i] = ROLE.links;
      rules[i] = rule;
    }
  }
  refineRoles(page, roles, probabilities, rules);
  return { roles, rules, ...view };
}

/** The rule that keeps a block of the slope's segment inside the text although the model excluded it; `RULE.model` if none does. */
function ruleBetween({ flags, details }: Block, probability: number, isAfterText: boolean, isBeforeText: boolean): number {
  if (flags & (FLAG.pre | FLAG.table)) return RULE['code-or-table'];
  if (!isBeforeText) return RULE.model;
  if (flags & FLAG.heading || details.tag === 'dt') return RULE.heading;
  return isAfterText && probability >= GAP_PROBABILITY ? RULE.gap : RULE.model;
}

/** Every block that is not hidden is text. */
export function visibleBlocks(blocks: readonly Block[]): Uint8Array {
  return Uint8Array.from(blocks, (block) => (block.flags & FLAG.hidden ? ROLE.outside : ROLE.text));
}

/** The roles of the visible text that is not in the main text: `ROLE.text` for its blocks, `ROLE.outside` for the others. */
export function otherVisible({ lines }: PageContent, roles: Uint8Array): Uint8Array {
  const others = new Uint8Array(roles.length);
  for (let i = 0; i < others.length; i += 1) {
    const isHidden = ((lines[LINE_SIZE * i + LINE.flags] as number) & FLAG.hidden) !== 0;
    if (roles[i] !== ROLE.text && !isHidden) others[i] = ROLE.text;
  }
  return others;
}

/** A decision with only two rules: one for its text, one for the rest. */
export function plainDecision(roles: Uint8Array, text: RuleName, rest: RuleName): Decision {
  return { roles, rules: rulesBy(roles, text, rest), slope: null, model: null };
}

function rulesBy(roles: Uint8Array, text: RuleName, rest: RuleName): Uint8Array {
  return roles.map((role) => (role === ROLE.text ? RULE[text] : RULE[rest]));
}

/** The lines of the blocks whose role is text. */
export function textOf(page: PageContent, roles: Uint8Array): string {
  const { text, lines } = page;
  const runs: string[] = [];
  for (let i = 0; i < roles.length; i += 1) {
    if (roles[i] !== ROLE.text) continue;
    const start = lines[LINE_SIZE * i + LINE.start];
    while (roles[i + 1] === ROLE.text) i += 1;
    runs.push(text.slice(start, lines[LINE_SIZE * i + LINE.end]));
  }
  return runs.join('\n');
}

function isBelievable(blocks: readonly Block[], best: Segment, weights: SlopeWeights): boolean {
  let all = 0;
  let inside = 0;
  let sentences = 0;
  blocks.forEach((block, i) => {
    if (isBoilerplate(block)) return;
    all += block.words;
    if (i < best.start || i >= best.end) return;
    inside += block.words;
    sentences += block.sentenceEnds;
  });
  if (inside < weights.minWords) return false;
  return inside >= weights.minShare * all || sentences >= weights.fewSentences;
}

function withoutBoilerplate(blocks: readonly Block[]): Pick<Decision, 'roles' | 'rules'> {
  const rules = Uint8Array.from(blocks, (block) => {
    if (isBoilerplate(block)) return RULE.boilerplate;
    return block.flags & FLAG.boilerplateHint ? RULE['boilerplate-by-name'] : RULE['no-segment'];
  });
  if (rules.includes(RULE['no-segment'])) {
    return { roles: rules.map((rule) => (rule === RULE['no-segment'] ? ROLE.text : ROLE.outside)), rules };
  }
  const roles = visibleBlocks(blocks);
  return { roles, rules: rulesBy(roles, 'all-boilerplate', 'hidden') };
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
    if (block === undefined || isBoilerplate(block)) continue;
    const isLinks = block.sentenceEnds === 0 && block.linkWords > weights.maxLinked * block.words;
    roles[i] = isLinks ? ROLE.links : ROLE.text;
    rules[i] = isLinks ? RULE['run-of-links'] : rule;
  }
}
