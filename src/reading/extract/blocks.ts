/** A page as a list of text blocks, with the elements between and inside them. */
import type { Declarations } from './declarations.ts';
import type { LineNotes } from './line-notes.ts';
import { BOILERPLATE } from './tags.ts';

/** The place of a block, and its characters. */
export interface BlockDetails {
  /** Name of the innermost block-level element around the text; '' outside all. */
  readonly tag: string;
  /** Index of its element in `PageContent.parents`. */
  readonly node: number;
  /** Number of block-level elements around the text. */
  readonly depth: number;
  /** Hash of the names of the innermost block-level elements, and of those with their classes: repeated parts of a page share them. */
  readonly tagPath: number;
  readonly classPath: number;
  /** Distance of the elements whose class names give it hints: `Place.near`. */
  readonly near: number;
  /** Number of upper-case ASCII letters, and of characters other than letters, digits and spaces. */
  readonly capitals: number;
  readonly marks: number;
  /** Hash of the text. */
  readonly hash: number;
}

export const NO_DETAILS: BlockDetails = {
  tag: '',
  node: 0,
  depth: 0,
  tagPath: 0,
  classPath: 0,
  near: 0,
  capitals: 0,
  marks: 0,
  hash: 0,
};

/** Text between two block-level tags. Offsets refer to `PageContent.text`; counts of words may be fractions. */
export interface Block {
  readonly start: number;
  readonly end: number;
  /** A character of an unspaced script counts half. */
  readonly words: number;
  /** Words inside links; at most `words`. */
  readonly linkWords: number;
  /** Number of block-level start and end tags since the text of the previous block ended. */
  readonly blockTags: number;
  /** Number of inline start and end tags since then, those inside the block included. */
  readonly inlineTags: number;
  readonly sentenceEnds: number;
  /** `FLAG` bits at the start of the text. */
  readonly flags: number;
  /** Details that only the block model reads; `NO_DETAILS` unless the parser provides them. */
  readonly details: BlockDetails;
}

/**
 * Places of a block's numbers in `PageContent.lines`. Much needs nothing else of a block, and the reading core makes blocks only when asked. Words
 * are counted in halves; `part` is a `PART`, `whole` the node of the list or table that it is a part of; `place` is its `templatePathOf`.
 */
export const LINE = { start: 0, end: 1, flags: 2, halfWords: 3, linkHalfWords: 4, part: 5, whole: 6, place: 7 } as const;
export const LINE_SIZE = 8;

/** A number of one block in `lines`; 0 beyond the last. */
export function lineNumber(lines: Int32Array, block: number, what: (typeof LINE)[keyof typeof LINE]): number {
  return lines[LINE_SIZE * block + what] ?? 0;
}

/** The text of one block, on one line. */
export function lineText({ text, lines }: Pick<PageContent, 'text' | 'lines'>, block: number): string {
  return text.slice(lineNumber(lines, block, LINE.start), lineNumber(lines, block, LINE.end));
}

/** Is a block the author's by its element, and mostly outside of links? */
export function isProper(lines: Int32Array, block: number): boolean {
  return !isLinked(lines, block) && (lineNumber(lines, block, LINE.flags) & BOILERPLATE) === 0;
}

/** Is it mostly links, by its words? */
export function isLinked(lines: Int32Array, block: number): boolean {
  return 2 * lineNumber(lines, block, LINE.linkHalfWords) > lineNumber(lines, block, LINE.halfWords);
}

/** Signs that end a sentence. */
export const STOPS = '.!?…。！？';

/** Elements that are parts of a larger one, by their blocks. */
export const PART = { none: 0, term: 1, definition: 2, item: 3, cell: 4 } as const;
export type ListPart = (typeof PART)[keyof typeof PART];

/** The `PART` of a block, by the name of its element. */
export function listPartOf(tag: string): ListPart {
  return PARTS.get(tag) ?? PART.none;
}

const PARTS: ReadonlyMap<string, ListPart> = new Map<string, ListPart>([
  ['dt', PART.term],
  ['dd', PART.definition],
  ['li', PART.item],
  ['td', PART.cell],
  ['th', PART.cell],
]);

/** The node of the list or the table around a block: a cell is in a row. @param node that of the block @param parents see `PageContent.parents` */
export function wholeOf(part: ListPart, node: number, parents: ArrayLike<number>): number {
  const above = parents[node] ?? 0;
  return part === PART.cell ? (parents[above] ?? 0) : above;
}

/** The path of classes, by which pages of one template are alike; 0 if none of its elements has a class: then it says nothing of a template. */
export function templatePathOf(tagPath: number, classPath: number): number {
  return classPath === tagPath ? 0 : classPath;
}

/** The `lines` of blocks. */
export function blockLines(blocks: readonly Block[], parents: readonly number[]): Int32Array {
  const lines = new Int32Array(LINE_SIZE * blocks.length);
  for (const [i, { start, end, flags, words, linkWords, details }] of blocks.entries()) {
    const part = listPartOf(details.tag);
    const place = templatePathOf(details.tagPath, details.classPath);
    lines.set([start, end, flags, 2 * words, 2 * linkWords, part, wholeOf(part, details.node, parents), place], LINE_SIZE * i);
  }
  return lines;
}

/** One occurrence of a link, before it is resolved. */
export interface LinkSighting {
  readonly href: string;
  /** Offsets of the anchor in `PageContent.text`. */
  readonly start: number;
  end: number;
  /** Index of the block in which the anchor starts. */
  readonly block: number;
  readonly flags: number;
  readonly tagPath: string;
  readonly rel: readonly string[];
  imageAlt: string;
}

/** The result of the streaming pass over a page. */
export interface PageContent extends Declarations {
  /** One block a line, with collapsed white space. */
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Lines of the blocks, `LINE_SIZE` numbers for each: see `LINE`. */
  readonly lines: Int32Array;
  readonly lineNotes: LineNotes;
  /** Tree of the block-level elements that contain text: the parent of each, which comes earlier in the list; -1 for the page. */
  readonly parents: readonly number[];
  readonly links: readonly LinkSighting[];
  readonly title: string;
  readonly heading: string;
  readonly warnings: readonly string[];
  /** Bits of `SIGN`. */
  readonly signs: number;
}
