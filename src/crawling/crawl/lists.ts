/** Sitemaps and feeds in a crawl: where the crawl finds them, and the links they contain. */

import type { ReadLink, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl, DiscoveredLink, Discovery, FrontierEntry, LinkTask, LinkText, Referrer, Unit } from '../../base/core/types.ts';
import { priorityOf } from './list-priority.ts';
import { discoverLinks, referrerOf } from './page-records.ts';

/** An index may not name an index (sitemaps.org). Forager follows one that does for one more level. */
const MAX_LEVEL = 2;
/** Number of sitemaps of one robots.txt that are requested, the first ones; each may be an index. */
const MAX_SITEMAPS = 20;
/**
 * The relevance of a list for the frontier and the link scorers: that of an unknown page. It is the assumed share of on-topic pages (`ASSUMED_PRIOR`
 * of reading/topic/calibrate.ts), so the pages of a list rank below pages that an on-topic page links to.
 */
const RELEVANCE: Unit = 0.1;
/** Links stored as one discovery. A lease decodes whole discoveries; a page has some hundreds of links. */
const LINKS_AT_ONCE = 500;

type ListTask = Extract<LinkTask, { kind: 'list' }>;

const NO_WORDS = { anchorText: '', context: '', imageAlt: '', zone: 'other', anchorScore: null, contextScore: null } as const;

/**
 * The lists that an on-topic page makes worth a request: the sitemaps of its host's robots.txt, and its first feed. null if there are none, or if
 * lists are not followed.
 */
export function listsOfPage(
  entry: FrontierEntry,
  { extraction, relevance }: Extract<ReadOutcome, { kind: 'read' }>,
  parts: Parts,
): Discovery | null {
  if (!parts.followsLists) return null;
  const sitemaps = (parts.robots.sitemaps?.(entry.host) ?? []).slice(0, MAX_SITEMAPS);
  // Other feeds contain comments, or belong to one page each.
  const feeds = extraction.nofollow ? [] : (extraction.feeds ?? []).slice(0, 1);
  const links = [
    ...listsAt(sitemaps, { kind: 'list', list: 'sitemap', level: 0 }, parts),
    ...listsAt(feeds, { kind: 'list', list: 'feed', level: 0 }, parts),
  ];
  return discoveryOf(referrerOf(entry, extraction.title, relevance, true), links, parts);
}

/** A sitemap that the host of a seed may have. null if it is known already, or if lists are not followed. */
export function listOfSeed(seed: CanonicalUrl, sitemap: CanonicalUrl, parts: Parts): Discovery | null {
  if (!parts.followsLists) return null;
  const referrer: Referrer = { url: seed, title: '', relevance: RELEVANCE, depth: 0, offTopicDepth: 0 };
  return discoveryOf(referrer, listsAt([sitemap], { kind: 'list', list: 'sitemap', level: 0 }, parts), parts);
}

/**
 * The links of a list, its pages in pieces. They are one hop further from the seeds than the list, and count as links of an off-topic page: a list
 * says nothing about its pages, so their pattern may be parked. `tunnel` does not count the list.
 */
export function linksOfList(
  entry: FrontierEntry,
  { list, level }: ListTask,
  { links, lists }: { readonly links: readonly ReadLink[]; readonly lists: readonly CanonicalUrl[] },
  parts: Parts,
): Discovery[] {
  const { url, depth, offTopicDepth } = entry;
  const named = { url, title: '', relevance: RELEVANCE, depth, offTopicDepth };
  const nested = level < MAX_LEVEL ? discoveryOf(named, listsAt(lists, { kind: 'list', list, level: level + 1 }, parts), parts) : null;
  const wanted = links.filter((link) => parts.frontier.wants(link.url));
  const behind = { ...named, offTopicDepth: offTopicDepth + 1 };
  const found = nested === null ? [] : [nested];
  for (let at = 0; at < wanted.length; at += LINKS_AT_ONCE)
    found.push(discoverLinks(behind, wanted.slice(at, at + LINKS_AT_ONCE), offTopicDepth, parts));
  return found;
}

/** The reservations file of the host of `referrer`. null if it is known already. */
export function reservationsAt(referrer: Referrer, url: CanonicalUrl, parts: Parts): Discovery | null {
  return discoveryOf(referrer, listsAt([url], { kind: 'reservations' }, parts), parts);
}

/** Lists of one level, as links without words. A scope is about pages: a list is exempt from it, like a robots.txt, but the URLs in a list are not. */
function listsAt(urls: readonly CanonicalUrl[], task: LinkTask, parts: Parts): DiscoveredLink[] {
  const text: LinkText = { ...NO_WORDS, tagPath: task.kind === 'list' ? task.list : task.kind };
  const priority = priorityOf(task) ?? 0;
  const one = (url: CanonicalUrl) => ({ url, host: parts.hostKeyOf(url), priority, refusal: null, text, task });
  return urls.filter((url) => parts.frontier.wants(url)).map(one);
}

/** A list is as far from the seeds as the page or list that names it. null if there are none. */
function discoveryOf(referrer: Referrer, links: readonly DiscoveredLink[], { scorer }: Parts): Discovery | null {
  const { depth, offTopicDepth } = referrer;
  return links.length === 0 ? null : { referrer, depth, offTopicDepth, redirects: 0, learnedFrom: scorer.learnedFrom, links };
}
