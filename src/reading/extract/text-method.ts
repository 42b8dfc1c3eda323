/** The interface of a method that finds main text: one object in one file of `methods/`. `text-methods.ts` lists them. */
import type { PageContent } from './blocks.ts';
import type { HtmlParser } from './html-parser.ts';
import type { Decision } from './main-text.ts';

export interface TextMethod<Name extends string = string> {
  /** Name in `--extractor` and in the files of topic models. */
  readonly name: Name;
  /** Principle of the method, in one line. */
  readonly help: string;
  /** Does it take all visible text? Then heads of posts are text, too. */
  readonly takesAll?: true;
  /** Decides which blocks are main text. */
  decide(content: PageContent): Decision;
  /** The roles of that decision by the parser that has parsed the page; null to leave them to `decide`. */
  rolesBy?(parser: HtmlParser, content: PageContent): Uint8Array | null;
}
