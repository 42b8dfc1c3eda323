import type { LinkJudgement, ReadLink, TopicModel } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, LinkText, ListKind } from '../../base/core/types.ts';
import { readUrlList } from '../../reading/extract/url-list.ts';
import { judgeWords } from '../../reading/links/link-words.ts';

/** The element whose text or attribute is the URL, with its ancestors, as the tag path of a link: scorers learn the value of such links from it. */
const TAG_PATHS = { sitemap: 'urlset>url>loc', feed: 'feed>entry>link' } as const;

/** Was a link found in a sitemap or feed? */
export function isListed({ tagPath }: Pick<LinkText, 'tagPath'>): boolean {
  return tagPath === TAG_PATHS.sitemap || tagPath === TAG_PATHS.feed;
}

/** Reads a sitemap or feed, and judges the titles of feed entries if asked to: they are the anchor texts of its links. Sitemaps have none. */
export async function readListBytes(
  { url, body }: { readonly url: CanonicalUrl; readonly body: Uint8Array },
  kind: ListKind,
  model: Pick<TopicModel, 'judgeText'>,
  judgement: LinkJudgement,
): Promise<{ readonly links: readonly ReadLink[]; readonly lists: readonly CanonicalUrl[] }> {
  const { pages, lists } = await readUrlList(url, body, kind);
  const wanted = { anchor: judgement === 'anchor-and-context', context: judgement !== 'none' };
  const links = pages.map((page): ReadLink => {
    const words = { anchorText: page.title, context: '', imageAlt: '' };
    const scores = page.title === '' ? { anchorScore: null, contextScore: null } : judgeWords(words, model, wanted);
    return { url: page.url, text: { ...words, zone: 'other', tagPath: TAG_PATHS[kind], ...scores } };
  });
  return { links, lists };
}
