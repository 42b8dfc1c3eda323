/** Explains, in names and numbers, why each block of a page is main text or not. */
import type { Unit } from '../../base/core/types.ts';
import type { BlockReason } from './block-model.ts';
import { spareBlocks } from './block-votes.ts';
import type { Block, PageContent } from './blocks.ts';
import { linedBlock, lineEndsBefore } from './line-notes.ts';
import { type Decision, ROLE, RULE, type RuleName } from './main-text.ts';
import { FLAG } from './tags.ts';

export type RoleName = keyof typeof ROLE;
export type FlagName = keyof typeof FLAG;

/** The cause of a block's role: a `Rule` of the method, or `left-out` and `added` if `TextParts` options decide. */
export type BlockRule = RuleName | 'left-out' | 'added';

export interface BlockExplanation {
  /** Place on the page, from 0. */
  readonly index: number;
  /** `text`: in the main text. `links`: not in it, but its links count as the page's own. `outside`: neither. */
  readonly role: RoleName;
  readonly rule: BlockRule;
  /** True if it is not in the text of the page alone, but in that of a harvest if the siblings of the page keep theirs at the same place. */
  readonly spare: boolean;
  readonly words: number;
  readonly linkWords: number;
  readonly sentences: number;
  /** Flags of the elements around it, and of their class names and ids. */
  readonly flags: readonly FlagName[];
  /** The slope's decision about it; null for methods without a slope. */
  readonly slope: { readonly role: RoleName; readonly rule: RuleName; readonly score: number } | null;
  /** The block model's decision about it; null for other methods. */
  readonly model: ModelExplanation | null;
  /** Text of the block with its lines, as in the text of the page. */
  readonly text: string;
  /** Number of line ends before it in that text: 2 for a paragraph. Between two blocks of the text, the largest number of those from one to the other counts. */
  readonly lineEnds: number;
}

export interface ModelExplanation {
  readonly probability: Unit;
  /** Sum of `bias` and the contributions of all `reasons`, in natural-log odds. */
  readonly logit: number;
  readonly bias: number;
  /** Largest first. */
  readonly reasons: readonly BlockReason[];
}

export interface PageExplanation {
  /** Least probability of main text; null for methods without a model. */
  readonly threshold: Unit | null;
  readonly blocks: readonly BlockExplanation[];
}

/** The roles of a page's blocks: by the method, and with the wanted parts only. */
export interface Verdict {
  readonly decision: Decision;
  readonly chosen: Uint8Array;
}

const ROLES = Object.keys(ROLE) as RoleName[];
const RULES = Object.keys(RULE) as RuleName[];
const FLAGS = Object.keys(FLAG) as FlagName[];

/** The verdict on each block, with its reasons. O(blocks × reasons). */
export function explainBlocks(page: PageContent, verdict: Verdict): PageExplanation {
  const spare = spareBlocks(page, verdict.chosen);
  return {
    threshold: verdict.decision.model?.threshold ?? null,
    blocks: page.blocks.map((block, index) => ({ ...explainBlock(page, block, index, verdict), spare: spare.has(index) })),
  };
}

function explainBlock(page: PageContent, block: Block, index: number, verdict: Verdict): Omit<BlockExplanation, 'spare'> {
  return {
    index,
    role: roleAt(verdict.chosen, index),
    rule: ruleOf(verdict, index),
    words: block.words,
    linkWords: block.linkWords,
    sentences: block.sentenceEnds,
    flags: FLAGS.filter((name) => block.flags & FLAG[name]),
    slope: slopeAt(verdict.decision, index),
    model: modelAt(verdict.decision, index),
    text: linedBlock(page, index),
    lineEnds: lineEndsBefore(page.lineNotes, index),
  };
}

/** The last step that changed the role. */
function ruleOf({ decision, chosen }: Verdict, index: number): BlockRule {
  if (chosen[index] !== decision.roles[index]) return chosen[index] === ROLE.text ? 'added' : 'left-out';
  return ruleAt(decision.rules, index);
}

function slopeAt({ slope }: Decision, index: number): BlockExplanation['slope'] {
  return slope === null ? null : { role: roleAt(slope.roles, index), rule: ruleAt(slope.rules, index), score: slope.scores[index] ?? 0 };
}

function modelAt({ model }: Decision, index: number): ModelExplanation | null {
  return model === null ? null : { probability: model.probabilities[index] ?? 0, ...model.model.explain(model.features, index) };
}

function roleAt(roles: Uint8Array, index: number): RoleName {
  return ROLES[roles[index] ?? ROLE.outside] ?? 'outside';
}

function ruleAt(rules: Uint8Array, index: number): RuleName {
  return RULES[rules[index] ?? RULE.outside] ?? 'outside';
}
