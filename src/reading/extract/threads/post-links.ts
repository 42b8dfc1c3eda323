/** The address of a post on its page. */
import { isUserLink } from './head-marks.ts';
import type { PageElement, PageTree } from './page-tree.ts';
import type { PostElement } from './post-groups.ts';

/** Texts of links to a post itself. */
const LINK_TEXT = /^(?:permalink|permanent link|link|#\s?\d+|#)$/i;
const LINK_NAME = /permalink|postlink|post-link|share-?link|postanchor/;
const FRAGMENT = /^(?:p|post|comment|msg|message|c|reply|answer|pid|entry|findcomment)[-_]?\d+$/i;

/** The link to itself that a post has outside of the posts inside it, else the fragment of its number; null without either. O(elements). */
export function hrefOfPost({ part, inner }: PostElement, tree: PageTree): string | null {
  const id = part.attribute('id');
  const ends = new Map(inner.map((post) => [post.part.index, post.part.end]));
  let anchor = id !== undefined && /\d/.test(id) ? id : null;
  for (let at = part.index; at < part.end; at = ends.get(at) ?? at + 1) {
    if (ends.has(at)) continue;
    const element = tree.parts[at] as PageElement;
    const name = element.attribute('name') ?? '';
    if (element.tag === 'a' && anchor === null && /\d/.test(name)) anchor = name;
    const href = element.attribute('href');
    if (href !== undefined && !isUserLink(href) && isOfPost(element, href, id, tree)) return href;
  }
  return anchor === null ? null : `#${anchor}`;
}

function isOfPost(element: PageElement, href: string, id: string | undefined, tree: PageTree): boolean {
  return (
    element.attribute('itemprop') === 'url' ||
    /(?:^|\s)bookmark(?:\s|$)/.test(element.attribute('rel') ?? '') ||
    (element.names.names.some((name) => LINK_NAME.test(name)) && !href.startsWith('javascript')) ||
    isFragment(href, id) ||
    LINK_TEXT.test(tree.textOf(element))
  );
}

function isFragment(href: string, id: string | undefined): boolean {
  const fragment = href.slice(href.indexOf('#') + 1);
  return href.includes('#') && fragment !== '' && (fragment === id || FRAGMENT.test(fragment));
}
