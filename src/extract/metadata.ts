import type { CanonicalUrl, PageMetadata } from '../core/types.ts';
import { robotsDirectives } from '../web/robots-meta.ts';
import { canonicalize } from '../web/url.ts';
import type { MetaTag, PageContent } from './blocks.ts';
import { baseOf } from './links.ts';
import { squeeze } from './page-parser.ts';

/** Longest description, author or date kept, in characters. */
const MAX_CHARS = 1_000;

/** Names under which pages state one thing, the most exact first. */
const NAMES = {
  description: ['description', 'og:description', 'twitter:description', 'dc.description', 'dcterms.description'],
  author: ['author', 'dc.creator', 'dcterms.creator', 'citation_author', 'parsely-author', 'article:author'],
  siteName: ['og:site_name', 'application-name'],
  published: [
    'article:published_time',
    'og:published_time',
    'datepublished',
    'citation_publication_date',
    'citation_date',
    'dcterms.issued',
    'dc.date.issued',
    'dc.date',
    'dcterms.date',
    'parsely-pub-date',
    'sailthru.date',
    'pubdate',
    'publishdate',
    'date',
  ],
} as const;

/** What the page says of itself in its head, and in its first `<time>`. */
export function metadataOf(page: PageContent, pageUrl: CanonicalUrl): PageMetadata {
  const metas = firstOfEach(page.metas);
  const canonical = page.canonicalHref === null ? null : canonicalize(page.canonicalHref, baseOf(pageUrl, page.baseHref));
  return {
    canonical,
    description: stated(metas, NAMES.description),
    author: stated(metas, NAMES.author),
    siteName: stated(metas, NAMES.siteName),
    published: stated(metas, NAMES.published) ?? (page.firstTime === null ? null : squeeze(page.firstTime.slice(0, MAX_CHARS)) || null),
  };
}

/** `<title>`, else og:title, else the first `h1`, else ''. */
export function titleOf(page: PageContent): string {
  return page.title || (stated(firstOfEach(page.metas), ['og:title', 'twitter:title']) ?? page.heading);
}

/** What robots metas and the X-Robots-Tag header ask of the crawler called `productToken`. */
export function robotsOf(
  page: PageContent,
  robotsHeader: string | undefined,
  productToken: string,
): { noindex: boolean; nofollow: boolean } {
  const token = productToken.toLowerCase();
  const values = page.metas.filter((meta) => meta.name === 'robots' || meta.name === token).map((meta) => meta.content);
  return robotsDirectives(robotsHeader === undefined ? values : [...values, robotsHeader], productToken);
}

function firstOfEach(metas: readonly MetaTag[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { name, content } of metas) if (!first.has(name)) first.set(name, content);
  return first;
}

function stated(metas: ReadonlyMap<string, string>, names: readonly string[]): string | null {
  for (const name of names) {
    const text = squeeze((metas.get(name) ?? '').slice(0, MAX_CHARS));
    if (text !== '') return text;
  }
  return null;
}
