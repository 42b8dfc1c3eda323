/** Sitemaps and feeds in a crawl: where the crawl finds them, and the links they contain. */

import type { ReadLink, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type {
  CanonicalUrl,
  DiscoveredLink,
  Discovery,
  FrontierEntry,
  HostKey,
  LinkTask,
  LinkText,
  Referrer,
  Unit,
} from '../../base/core/types.ts';
import { alternatesOfKept, withFollowed } from './alternates.ts';
import { priorityOf } from './list-priority.ts';
import { discoverLinks, referrerOf } from './page-records.ts';

/** An index may not name an index (sitemaps.org). Forager follows one that does for one more level. */
const MAX_LEVEL = 2;
/** Number of sitemaps of one robots.txt that are requested, the first ones; each may be an index. */
const MAX_SITEMAPS = 20;
/**
 * Number of on-topic pages after which the lists of a host are worth a request, if no seed is of the host. Most hosts of a wide crawl give one or two, and
 * have no sitemap: so a request for one is at most a quarter of those that the crawl makes there.
 */
const ENOUGH_PAGES = 3;
/** Sitemaps and feeds of one host: an index and the twenty files of a million URLs, and some more. */
const MAX_LISTS_OF_HOST = 25;
/**
 * The relevance of a list for the frontier and the link scorers: that of an unknown page. It is the assumed share of on-topic pages (`ASSUMED_PRIOR`
 * of reading/topic/calibrate.ts), so the pages of a list rank below pages that an on-topic page links to.
 */
export const LIST_RELEVANCE: Unit = 0.1;
/** Links stored as one discovery. A lease decodes whole discoveries; a page has some hundreds of links. */
const LINKS_AT_ONCE = 500;

type ListTask = Extract<LinkTask, { kind: 'list' }>;

const NO_WORDS = { anchorText: '', context: '', imageAlt: '', zone: 'other', anchorScore: null, contextScore: null } as const;

/**
 * The lists that a page makes worth a request: the sitemaps of its host, and the first feed of an on-topic page. null if there are none, or if its
 * host has not given enough on-topic pages.
 */
export function listsOfPage(
  entry: FrontierEntry,
  { extraction, relevance, alternateOf }: Extract<ReadOutcome, { kind: 'read' }>,
  onTopic: boolean,
  parts: Parts,
): Discovery | null {
  const turn = alternateOf === undefined ? turnOf(entry, onTopic, parts) : 'none';
  if (turn === 'none') return null;
  // Other feeds contain comments, or belong to one page each.
  const feeds = turn === 'first' && onTopic && !extraction.nofollow ? (extraction.feeds ?? []).slice(0, 1) : [];
  const links = [
    ...listsAt(sitemapsOf(entry.host, parts), { kind: 'list', list: 'sitemap', level: 0 }, parts),
    ...listsAt(feeds, { kind: 'list', list: 'feed', level: 0 }, parts),
  ];
  return discoveryOf(referrerOf(entry, extraction.title, relevance, onTopic), links, parts);
}

/** `first`: this page makes the lists of its host worth a request. `later`: an earlier page did. */
function turnOf({ host, edge }: FrontierEntry, onTopic: boolean, { followsLists, frontier }: Parts): 'none' | 'first' | 'later' {
  if (followsLists === 'never') return 'none';
  const { kept, lists } = frontier.ofHost(host);
  if (followsLists === 'always') return lists === 0 ? 'first' : 'later';
  if (edge === null && kept === 0) return 'first';
  if (!onTopic || kept + 1 < ENOUGH_PAGES) return 'none';
  return kept + 1 === ENOUGH_PAGES ? 'first' : 'later';
}

/** Sitemaps that the robots.txt of a host names, otherwise the one at the usual place. */
function sitemapsOf(host: HostKey, { robots, lists }: Parts): readonly CanonicalUrl[] {
  const named = robots.sitemaps?.(host) ?? [];
  if (named.length > 0) return named.slice(0, MAX_SITEMAPS);
  return lists === null ? [] : [lists.usualPlaceOf(host)];
}

/** The sitemaps of the host of a seed that is gone. null if there are none, or if lists are not followed. */
export function listsOfLostSeed(entry: FrontierEntry, parts: Parts): Discovery | null {
  if (turnOf(entry, false, parts) === 'none') return null;
  return discoveryOf(
    referrerOf(entry, '', LIST_RELEVANCE, false),
    listsAt(sitemapsOf(entry.host, parts), { kind: 'list', list: 'sitemap', level: 0 }, parts),
    parts,
  );
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
  const named = { url, title: '', relevance: LIST_RELEVANCE, depth, offTopicDepth };
  const nested = level < MAX_LEVEL ? discoveryOf(named, listsAt(lists, { kind: 'list', list, level: level + 1 }, parts), parts) : null;
  const followed = parts.alternates === null ? links : links.map((link) => withFollowed(link, parts));
  const wanted = followed.filter((link) => parts.frontier.wants(link.url));
  const behind = { ...named, offTopicDepth: offTopicDepth + 1 };
  const found = [...(nested === null ? [] : [nested]), ...alternatesOfKept(followed, parts)];
  for (let at = 0; at < wanted.length; at += LINKS_AT_ONCE)
    found.push(discoverLinks(behind, wanted.slice(at, at + LINKS_AT_ONCE), offTopicDepth, parts));
  return found;
}

/** The links of a file of URLs that the user gave. @param source stands for the file */
export function linksOfFile(source: CanonicalUrl, links: readonly ReadLink[], parts: Parts): Discovery {
  const behind: Referrer = { url: source, title: '', relevance: LIST_RELEVANCE, depth: 0, offTopicDepth: 1 };
  return discoverLinks(
    behind,
    links.filter(({ url }) => parts.frontier.wants(url)),
    0,
    parts,
  );
}

/** Files about the rights of the page `referrer`. null if all are known already. */
export function reservationsAt(referrer: Referrer, urls: readonly CanonicalUrl[], parts: Parts): Discovery | null {
  return discoveryOf(referrer, listsAt(urls, { kind: 'reservations' }, parts), parts);
}

/** Lists of one level, as links without words. A scope is about pages: a list is exempt from it, like a robots.txt, but the URLs in a list are not. */
function listsAt(urls: readonly CanonicalUrl[], task: LinkTask, parts: Parts): DiscoveredLink[] {
  const { frontier, hostKeyOf } = parts;
  // Each page of a host names the same lists, which were settled with the first of them.
  const wanted = urls.filter((url) => frontier.wants(url));
  if (wanted.length === 0) return [];
  const text: LinkText = { ...NO_WORDS, tagPath: task.kind === 'list' ? task.list : task.kind };
  const priority = priorityOf(task, 0) ?? 0;
  const found = new Map<HostKey, number>();
  return wanted.flatMap((url) => {
    const host = hostKeyOf(url);
    if (task.kind === 'list' && frontier.standing(url) === null) {
      const earlier = found.get(host) ?? frontier.ofHost(host).lists;
      if (earlier >= MAX_LISTS_OF_HOST) return [];
      found.set(host, earlier + 1);
    }
    return [{ url, host, priority, refusal: null, text, task }];
  });
}

/** A list is as far from the seeds as the page or list that names it. null if there are none. */
function discoveryOf(referrer: Referrer, links: readonly DiscoveredLink[], { scorer }: Parts): Discovery | null {
  const { depth, offTopicDepth } = referrer;
  return links.length === 0 ? null : { referrer, depth, offTopicDepth, redirects: 0, learnedFrom: scorer.learnedFrom, links };
}
