/** The interface of a parser of HTML, and the limits that every one of them keeps. */
import type { DecodeUtf8 } from '../../base/web/charset.ts';
import type { BlockModel } from './block-model.ts';
import type { PageContent } from './blocks.ts';
import type { FindLinks } from './links.ts';
import type { TextSpans } from './markup-sink.ts';
import type { PageElements } from './page-elements.ts';

/** Limits on the memory for one page; each is far above the needs of real pages and gives a warning when reached. */
export const MAX_SIGHTINGS = 20_000;
export const MAX_TITLE = 1_000;
/** Largest number of blocks on one page; far more than real pages have. */
export const MAX_BLOCKS = 50_000;
/** Elements nested deeper than this are read as if they were at this depth (browsers stop at 512). */
export const MAX_DEPTH = 4_096;

/** Parses pages, one after another. */
export interface HtmlParser {
  /**
   * @returns the content of the page, for any markup
   * @throws DataError if the parser itself fails, as from each of the others; it is new for the next page
   */
  parse(html: string): PageContent;
  /** Notes of the last parse, for a second pass over the tags. */
  spans(): TextSpans;
  /** The elements of the page parsed last. @param html that page */
  elements(html: string): PageElements;
  /** The roles that `modelDecision` gives the blocks of the page parsed last; null to leave them to JavaScript. */
  readonly rolesBy?: (model: BlockModel, page: PageContent) => Uint8Array | null;
  /** The outlinks of the page parsed last; null to leave them to JavaScript. */
  readonly findLinks?: FindLinks;
  /** The text of bytes that are valid UTF-8. */
  readonly decodeUtf8?: DecodeUtf8;
}
