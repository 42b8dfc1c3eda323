/**
 * Evidence without which `findThread` finds nothing, looked for on the pages that pass the gate. Most of them have no thread: documentation with days and
 * the word `from`. It is cheaper than `findThread`, and does not change its answer.
 */
import { LINE_SIZE, lineText, type PageContent } from '../blocks.ts';
import type { PageElements } from '../page-elements.ts';
import { isUserLink, mayMark, nameAuthor } from './head-marks.ts';
import { ClassLists, type ClassNames } from './name-test.ts';
import { isInlineTag, PageElement } from './page-tree.ts';
import { groupKeysOf, isPostKey, LEAST_POSTS, LEAST_UNNAMED, NEVER } from './post-groups.ts';
import { mayBeMail } from './single-mail.ts';

/** Attributes that name an author. */
const AUTHOR = /data-(?:author|username)|itemprop\s*=\s*["']?\s*(?:author|creator)|rel\s*=\s*["']?[^"'>]*author/gi;
/** Attributes beside `class` with a name of posts: on most pages none has one, and they are not read. */
const POST_ATTRIBUTE =
  /(?:id|itemtype|itemprop)\s*=\s*["']?[^"'>]*(?:comment|repl|answer|post|message|msg|topic|question|entry|review|e-?mail|article)/i;

/** May a page have posts that are only declared, a mail, or a group of elements that are posts? O(elements + length of the page). */
export function mayFindThread(elements: PageElements, page: PageContent): boolean {
  return page.jsonLd.length > 0 || mayBeMail(page) || mayHaveGroup(elements, page);
}

/** Do several elements share a name of posts; or has the page authors or signs for a group without one? Each of its members has one. */
function mayHaveGroup(elements: PageElements, page: PageContent): boolean {
  const withAttributes = POST_ATTRIBUTE.test(elements.html);
  const lists = new ClassLists();
  const counts = new Map<string, number>();
  let left = LEAST_UNNAMED;
  for (let index = 0; index < elements.count && left > 0; index += 1) {
    const names = lists.of(elements.className(index));
    if (nameAuthor(names)) left -= 1;
    const tag = elements.tag(index);
    if (elements.last(index) < elements.first(index) || NEVER.has(tag.name) || isInlineTag(tag)) continue;
    for (const key of withAttributes ? groupKeysOf(new PageElement(elements, index, names)) : keysByClass(tag.name, names)) {
      if (!isPostKey(key)) continue;
      const count = (counts.get(key) ?? 0) + 1;
      if (count >= LEAST_POSTS) return true;
      counts.set(key, count);
    }
  }
  return left <= 0 || hasMarks(elements.html, page, left);
}

function keysByClass(tag: string, names: ClassNames): readonly string[] {
  const keys = names.keysOf(tag);
  return keys.length > 0 ? keys : [`>${tag}`];
}

/** Are there so many lines, links and attributes that name an author, or lines that are signs? */
function hasMarks(html: string, page: PageContent, least: number): boolean {
  let left = least;
  for (let at = 0; at < page.lines.length && left > 0; at += LINE_SIZE) if (mayMark(lineText(page, at / LINE_SIZE))) left -= 1;
  for (let link = 0; link < page.links.length && left > 0; link += 1) if (isUserLink(page.links[link]?.href)) left -= 1;
  return left <= 0 || (html.match(AUTHOR)?.length ?? 0) >= left;
}
