/** A page as a row of text blocks, with what stood between and inside them. */
import type { Declarations } from './declarations.ts';

/** Where a block stands, and what it is made of. */
export interface BlockDetails {
  /** Name of the innermost block-level element around the text; '' outside all. */
  readonly tag: string;
  /** Its index in `PageContent.parents`. */
  readonly node: number;
  /** Block-level elements around the text. */
  readonly depth: number;
  /** Hash of the names of the innermost block-level elements, and of those with their classes: repeated parts of a page share them. */
  readonly tagPath: number;
  readonly classPath: number;
  /** How near the elements are whose class names say what it is: `Place.near`. */
  readonly near: number;
  /** Characters that are upper-case ASCII letters, and that are neither letters, digits nor spaces. */
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

/** Text between two block-level tags. Offsets are into `PageContent.text`; counts of words are in words, fractions allowed. */
export interface Block {
  readonly start: number;
  readonly end: number;
  /** A character of an unspaced script counts half. */
  readonly words: number;
  /** Words inside links; at most `words`. */
  readonly linkWords: number;
  /** Block-level start and end tags since the text of the previous block ended. */
  readonly blockTags: number;
  /** Inline start and end tags since then, those inside the block included. */
  readonly inlineTags: number;
  readonly sentenceEnds: number;
  /** `FLAG` bits where the text began. */
  readonly flags: number;
  /** What only the block model reads; `NO_DETAILS` unless the parser was made for it. */
  readonly details: BlockDetails;
}

/** One sighting of a link, before it is resolved. */
export interface LinkSighting {
  readonly href: string;
  /** Offsets of the anchor in `PageContent.text`. */
  readonly start: number;
  end: number;
  /** Index of the block the anchor begins in. */
  readonly block: number;
  readonly flags: number;
  readonly tagPath: string;
  readonly rel: readonly string[];
  imageAlt: string;
}

/** What the streaming pass leaves of a page. */
export interface PageContent extends Declarations {
  /** Blocks one a line, white space collapsed. */
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Tree of the block-level elements that hold text: the parent of each, before it in the list; -1 for the page. */
  readonly parents: readonly number[];
  readonly links: readonly LinkSighting[];
  readonly title: string;
  readonly heading: string;
  readonly warnings: readonly string[];
}
