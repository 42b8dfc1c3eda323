/** Quotes of earlier posts. */
import { lineText, type PageContent } from '../blocks.ts';
import { nameTest } from './name-test.ts';
import type { PageElement, PageTree } from './page-tree.ts';

/** Names of the boxes in which forum programs put quotes. */
const QUOTE =
  /^(?:quote|bbcode[-_]?quote|mycode_quote|quotebox|quotecontainer|bb[-_]?quote|bbcodeblock--quote|quoted|gmail_quote|quoteheader|citation|zitat)$/;
/** Names of bodies that are written as quotes, to be indented. */
const CONTENT = /content|message|post-?text|body/;
const IS_QUOTE = nameTest(QUOTE);
const IS_CONTENT = nameTest(CONTENT);
/** The first line of a quote without such a name. */
const LEAD =
  /^(?:(?:quote|zitat|citation|cita|citazione|цитата)\s?:?$|(?:quote\s?:\s*)?(?:originally posted by|ursprünglich (?:geschrieben|verfasst) von|zitat von|envoyé par|publicado originalmente por|scritto da)\b)/iu;
/** Elements that may be such a box. */
const BOXES = new Set(['div', 'table', 'td', 'section', 'fieldset']);

/** Is an element the quote of an earlier post, by its name? */
export function isQuote({ tag, names }: Pick<PageElement, 'tag' | 'names'>): boolean {
  return (tag === 'blockquote' && !names.has(IS_CONTENT)) || names.has(IS_QUOTE);
}

/** The blocks of quotes in the elements of a body, whose first and last blocks are given. */
export function quotedBlocks(
  page: Pick<PageContent, 'text' | 'lines'>,
  { parts }: PageTree,
  body: readonly PageElement[],
  [first, last]: readonly [number, number],
): ReadonlySet<number> {
  const quoted = new Set<number>();
  for (const { index, end } of body)
    for (let at = index + 1; at < end; at += 1) {
      const inner = parts[at] as PageElement;
      const isBox = BOXES.has(inner.tag) && inner.last >= inner.first && inner.last < last && LEAD.test(lineText(page, inner.first));
      if (!isBox && !(isQuote(inner) && (inner.last < last || inner.first > first))) continue;
      for (let block = inner.first; block <= inner.last; block += 1) quoted.add(block);
      at = inner.end - 1;
    }
  return quoted;
}
