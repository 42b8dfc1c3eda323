/** A page as a row of text blocks, with what stood between and inside them. */

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
  readonly commas: number;
  readonly sentenceEnds: number;
  /** `FLAG` bits where the text began. */
  readonly flags: number;
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

/** A `<meta>` element: the lower-cased name, property, itemprop or http-equiv, and its content. */
export interface MetaTag {
  readonly name: string;
  readonly content: string;
}

/** What the streaming pass leaves of a page. */
export interface PageContent {
  /** Blocks one a line, white space collapsed. */
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly links: readonly LinkSighting[];
  readonly metas: readonly MetaTag[];
  readonly title: string;
  readonly heading: string;
  readonly lang: string | null;
  readonly baseHref: string | null;
  readonly canonicalHref: string | null;
  readonly firstTime: string | null;
  readonly warnings: readonly string[];
}
