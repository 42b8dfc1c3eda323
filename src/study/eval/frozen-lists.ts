/** Sitemaps of a frozen web: each host has one of all its pages, as if its owner had made it. */
import type { ListSource } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, FetchedPage, HostKey } from '../../base/core/types.ts';
import { leadsToList, usualSitemapOf } from '../../base/web/media-names.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { linkOfList } from '../../crawling/reader/read-list.ts';

/** @param pageAt the response to a request for a sitemap */
export function listsOf(web: FrozenWeb, pageAt: (url: CanonicalUrl) => FetchedPage): ListSource {
  const byHost = new Map<HostKey, CanonicalUrl[]>();
  for (const [index, url] of web.urls.entries()) {
    if (!web.isPage(index)) continue;
    const host = hostKeyOf(url);
    const known = byHost.get(host);
    if (known) known.push(url);
    else byHost.set(host, [url]);
  }
  return {
    usualPlaceOf: usualSitemapOf,
    mayBeList: leadsToList,
    fetch: (url) => Promise.resolve({ kind: 'page', page: pageAt(url) }),
    linksTo: (pages) => Promise.resolve({ kind: 'list', links: pages.map((page) => linkOfList(page, 'url-list')), lists: [] }),
    read: ({ url }) => {
      // The order of the file is that in which a crawl found the pages. An alphabetical one gives nothing away.
      const pages = (byHost.get(hostKeyOf(url)) ?? []).toSorted();
      return Promise.resolve({ kind: 'list', links: pages.map((page) => linkOfList({ url: page, title: '' }, 'sitemap')), lists: [] });
    },
  };
}
