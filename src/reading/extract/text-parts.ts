/** The wanted parts of a page's main text. */
import type { Block, PageContent } from './blocks.ts';
import { ROLE } from './main-text.ts';
import { isBoilerplate, SLOPE_WEIGHTS } from './tag-density.ts';
import { FLAG } from './tags.ts';

/** A part that is nearly all of a page's main text stays in it: see `chosenParts`. */
export interface TextParts {
  /** Default true, like `tables` and `code`. */
  readonly headings?: boolean;
  readonly tables?: boolean;
  /** Preformatted text; code inside a line stays. */
  readonly code?: boolean;
  /** Readers' comments: true adds those that the extractor omitted, false omits all. Default: the extractor decides. */
  readonly comments?: boolean;
  /** The page's title: true makes it the first line of the text, false removes it from the Markdown. Default: only the Markdown has it, as a heading. */
  readonly title?: boolean;
  /** Heads of the posts of a thread: true puts a line with author and date before each. Default false. */
  readonly postHeads?: boolean;
}

const PARTS = [
  ['headings', FLAG.heading],
  ['code', FLAG.pre],
  ['tables', FLAG.table],
  ['comments', FLAG.comments],
] as const;

/** A smaller share of the prose is almost nothing compared with the rest. Chosen by hand: layout tables leave a slogan or a footer outside. */
const MIN_SHARE = 0.2;
/** Words of prose that are a text, however many comments follow: the minimum that the slope needs for a segment. */
const MIN_WORDS = SLOPE_WEIGHTS.minWords;

/**
 * The roles without the unwanted parts, and with added comments.
 *
 * A part is removed only if a text is left without it: comments are the page on a forum, a table may be the layout of the page, `pre` a mail archive,
 * and a heading may never have been closed. Without the part, at least `MIN_SHARE` of the prose must be left. It is measured in words; for code in
 * sentences, because code has few. For comments, only the prose before them counts, because anything may follow a forum's posts; `MIN_WORDS` words of
 * it are also enough. Comments do not count as text without a part, unless there is nothing else. On a page without prose, all its words count.
 * @param roles not changed
 * @returns `roles` itself if nothing changes. O(blocks).
 */
export function chosenParts(page: PageContent, roles: Uint8Array, parts: TextParts): Uint8Array {
  if (parts.comments !== true && PARTS.every((part) => parts[part[0]] !== false)) return roles;
  const { blocks } = page;
  const dropped = droppedParts(blocks, roles, parts);
  if (dropped === 0 && parts.comments !== true) return roles;
  const chosen = roles.slice();
  for (const [i, block] of blocks.entries()) {
    if (roles[i] === ROLE.text) {
      if (block.flags & dropped) chosen[i] = ROLE.links;
    } else if (parts.comments === true && isComment(block) && (block.flags & dropped) === 0) chosen[i] = ROLE.text;
  }
  return chosen;
}

/** The flags of the removed parts. One after another, so that a page of code in a table keeps one of the two. */
function droppedParts(blocks: readonly Block[], roles: Uint8Array, parts: TextParts): number {
  let dropped = 0;
  for (const [name, flag] of PARTS) {
    if (parts[name] === false && hasOtherText(blocks, roles, flag, dropped)) dropped |= flag;
  }
  return dropped;
}

/** @param dropped flags of parts that are already removed */
function hasOtherText(blocks: readonly Block[], roles: Uint8Array, part: number, dropped: number): boolean {
  const isComments = part === FLAG.comments;
  const text = blocks.filter((block, i) => roles[i] === ROLE.text && (block.flags & dropped) === 0);
  const own = text.filter((block) => (block.flags & FLAG.comments) === 0);
  const whole = isComments || !own.some(isProse) ? text : own;
  const end = isComments ? text.findLastIndex(({ flags }) => flags & part) : whole.length;
  const others = whole.filter(({ flags }, i) => i < end && (flags & part) === 0);
  const prose = wordsIn(whole.filter(isProse));
  if (prose === 0) return wordsIn(others) >= MIN_SHARE * wordsIn(whole);
  const sentences = part === FLAG.pre ? sentencesIn(whole) : 0;
  if (sentences > 0) return sentencesIn(others) >= MIN_SHARE * sentences;
  const otherProse = wordsIn(others.filter(isProse));
  return otherProse >= MIN_SHARE * prose || (isComments && otherProse >= MIN_WORDS);
}

function wordsIn(blocks: readonly Block[]): number {
  return blocks.reduce((words, block) => words + block.words, 0);
}

function sentencesIn(blocks: readonly Block[]): number {
  return blocks.reduce((sentences, block) => sentences + block.sentenceEnds, 0);
}

/** Whether a block is prose. Long blocks need no sentence end: not every script marks it. */
function isProse(block: Block): boolean {
  return block.linkWords * 2 <= block.words && (block.sentenceEnds > 0 || block.words >= MIN_WORDS);
}

function isComment(block: Block): boolean {
  return (block.flags & FLAG.comments) !== 0 && isProse(block) && !isBoilerplate(block) && (block.flags & FLAG.boilerplateHint) === 0;
}
