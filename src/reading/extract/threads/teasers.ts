/** Lists of teasers are no posts: each entry has a heading that leads to its page, and only the start of its text. */
import { lineText, type PageContent } from '../blocks.ts';
import { isUserLink } from './head-marks.ts';
import type { PageElement, PageTree } from './page-tree.ts';
import type { PostElement } from './post-groups.ts';

/** Least share of the members with a heading that is a link. */
const LEAST_SHARE = 0.6;
/** Words that a whole entry has on average. From the development pages: teasers have up to 60. */
const WHOLE_WORDS = 90;
const REPLY_TITLE = /^(?:re|aw|sv|antw)\s?:/i;
const HEADING = /^h[1-6]$/;
const MORE =
  /(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*$|\b(?:read (?:more|on|the (?:full|rest))|continue reading|keep reading|more »|learn more|weiterlesen|mehr lesen|lire la suite|leer más|leggi tutto|читать далее)\b/iu;

/** @param words of all members */
export function areTeasers(
  members: readonly PostElement[],
  words: number,
  page: Pick<PageContent, 'text' | 'lines'>,
  tree: PageTree,
): boolean {
  const targets = new Set(members.flatMap(({ part }) => headingTarget(part, tree) ?? []));
  if (targets.size < LEAST_SHARE * members.length) return false;
  const cut = members.filter(({ part }) => isCut(part, page)).length;
  return words < WHOLE_WORDS * members.length || cut > members.length / 2;
}

/** The page to which the heading of an entry leads; null for none. The heading of a post may be its author, or the title of the thread. */
function headingTarget({ index, end }: PageElement, { parts, textOf }: PageTree): string | null {
  for (let at = index + 1; at < end; at += 1) {
    const heading = parts[at] as PageElement;
    if (!HEADING.test(heading.tag)) continue;
    const link = [heading.parent, at + 1, at + 2].map((i) => parts[i]).find((part) => part?.tag === 'a');
    const href = link?.attribute('href')?.replace(/#.*/s, '') ?? '';
    return href === '' || isUserLink(href) || REPLY_TITLE.test(textOf(heading)) ? null : href;
  }
  return null;
}

/** Does one of its last lines lead to the rest? */
function isCut({ first, last }: PageElement, page: Pick<PageContent, 'text' | 'lines'>): boolean {
  for (let block = Math.max(first, last - 3); block <= last; block += 1) if (MORE.test(lineText(page, block).slice(-80))) return true;
  return false;
}
