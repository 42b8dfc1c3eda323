import { LIST_TAG_PATHS } from '../../base/core/listed-links.ts';
import type { LinkJudgement, ReadLink, TopicModel } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, LinkText, ListKind } from '../../base/core/types.ts';
import type { ListedPage, UrlList } from '../../reading/extract/list-reader.ts';
import { readUrlList } from '../../reading/extract/url-list.ts';
import { judgeWords } from '../../reading/links/link-words.ts';

type Words = Pick<LinkText, 'anchorText' | 'context' | 'imageAlt'>;
type Scores = Pick<LinkText, 'anchorScore' | 'contextScore'>;

/** `url-list`: pages that a file of the user names, as JSON. */
export type ListForm = ListKind | 'url-list';

/**
 * Reads a sitemap or feed, and judges the titles of feed entries if asked to: they are the anchor texts of its links. Sitemaps have none.
 * @param withAlternates whether links have the alternates of their pages
 */
export async function readListBytes(
  { url, body }: { readonly url: CanonicalUrl; readonly body: Uint8Array },
  form: ListForm,
  model: Pick<TopicModel, 'judgeText'>,
  judgement: LinkJudgement,
  withAlternates = false,
): Promise<{ readonly links: readonly ReadLink[]; readonly lists: readonly CanonicalUrl[] }> {
  const { pages, lists } = form === 'url-list' ? givenIn(body) : await readUrlList(url, body, form);
  const wanted = { anchor: judgement === 'anchor-and-context', context: judgement !== 'none' };
  const judge = (words: Words) => judgeWords(words, model, wanted);
  return {
    links: pages.map(({ alternates, ...page }) =>
      linkOfList({ ...page, ...(withAlternates && alternates && { alternates }) }, form, judge),
    ),
    lists,
  };
}

function givenIn(body: Uint8Array): UrlList {
  return { pages: JSON.parse(Buffer.from(body).toString()) as ListedPage[], lists: [] };
}

const UNJUDGED = { anchorScore: null, contextScore: null } as const;

/** A page of a list, as a link. @param judge scores its title, if it has one */
export function linkOfList(
  { url, title, modified, alternates }: ListedPage,
  form: ListForm,
  judge: (words: Words) => Scores = () => UNJUDGED,
): ReadLink {
  const words = { anchorText: title, context: '', imageAlt: '' };
  const scores = title === '' ? UNJUDGED : judge(words);
  const text = { ...words, zone: 'other', tagPath: LIST_TAG_PATHS[form], ...scores } as const;
  return { url, text, ...(modified !== undefined && { modified }), ...(alternates && { alternates }) };
}
