/** What a way of finding main text is: one object in one file of `methods/`. `text-methods.ts` has the list of them. */
import type { PageContent } from './blocks.ts';
import type { Decision } from './main-text.ts';
import type { PageParser } from './page-parser.ts';

export interface TextMethod<Name extends string = string> {
  /** As `--extractor` and the files of topic models have it. */
  readonly name: Name;
  /** What it goes by, in one line. */
  readonly help: string;
  /** Does it read all that the parser can note of a block? Pages take longer to parse then. */
  readonly detailed: boolean;
  /** Which blocks are main text. @param parser has parsed `html` just now, and may do so again */
  decide(content: PageContent, html: string, parser: PageParser): Decision;
}
