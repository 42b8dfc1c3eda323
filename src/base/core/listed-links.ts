import type { LinkText } from './types.ts';

/** The element whose text or attribute is the URL, with its ancestors, as the tag path of a link: scorers learn the value of such links from it. */
export const LIST_TAG_PATHS = { sitemap: 'urlset>url>loc', feed: 'feed>entry>link', 'url-list': 'url-list>line' } as const;
const LISTED: readonly string[] = Object.values(LIST_TAG_PATHS);

/** Was a link found in a sitemap, a feed or a list of the user? */
export function isListed({ tagPath }: Pick<LinkText, 'tagPath'>): boolean {
  return LISTED.includes(tagPath);
}
