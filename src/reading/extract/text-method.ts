/** The interface of a method that finds main text: one object in one file of `methods/`. `text-methods.ts` lists them. */
import type { PageContent } from './blocks.ts';
import type { Decision } from './main-text.ts';
import type { HtmlParser, PageParser } from './page-parser.ts';

export interface TextMethod<Name extends string = string> {
  /** Name in `--extractor` and in the files of topic models. */
  readonly name: Name;
  /** Principle of the method, in one line. */
  readonly help: string;
  /** Does it read all details that the parser can record of a block? Then pages take longer to parse. */
  readonly detailed: boolean;
  /** Decides which blocks are main text. @param parser has parsed `html`, or may do so */
  decide(content: PageContent, html: string, parser: PageParser): Decision;
  /** The roles of that decision by another parser, which has parsed the page; null to leave them to `decide`. */
  rolesBy?(parser: HtmlParser, content: PageContent): Uint8Array | null;
}
