/** Pages in other languages of kept pages: their links, and their judgement. */

import type { ReadLink, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import {
  type Alternate,
  type AlternateTask,
  alternateIn,
  type CanonicalUrl,
  type DiscoveredLink,
  type Discovery,
  type FrontierEntry,
  type Referrer,
  type Unit,
} from '../../base/core/types.ts';
import { NO_TEXT, referrerOf, refusalOf } from './page-records.ts';

/**
 * Alternates on the way from a kept page to the last alternate that is followed. A site has one page a language, so its alternates declare each other; more
 * hops lead only where pages declare ever new ones.
 */
const MAX_HOPS = 1;
/** Alternates of a page that are followed, the first ones; as many as its metadata have. */
const MAX_ALTERNATES = 100;

type Read = Extract<ReadOutcome, { kind: 'read' }>;
/** The parts that follow alternates. */
type AlternateParts = Pick<Parts, 'alternates' | 'frontier' | 'scorer' | 'scope' | 'expansion' | 'hostKeyOf'> &
  Partial<Pick<Parts, 'fileNames'>>;

/**
 * The page with the relevance that the kept page has now of which it is an alternate, if the model finds it off topic. A page in the language of that
 * page, or in none that is followed, is judged by itself, like any other; so is one about which a rule, a person or a hook has decided, and one without text.
 */
export function judgedAsAlternate(
  { edge, task }: Pick<FrontierEntry, 'edge' | 'task'>,
  read: Read,
  { alternates, frontier, topic }: Pick<Parts, 'alternates' | 'frontier' | 'topic'>,
): Read {
  const alternate = alternateIn(task);
  if (alternate === null || alternates === null || edge === null || read.relevance >= topic.threshold) return read;
  const { extraction, excluded, steered, hooked } = read;
  if (extraction.wall !== undefined || extraction.text === '') return read;
  if (excluded || steered === 'unwanted' || hooked?.modelRelevance !== undefined) return read;
  const lang = alternates.languageOf(extraction);
  if ((lang !== null && lang === alternate.of) || !alternates.mayTake(extraction)) return read;
  const { url } = edge.referrer;
  const line = frontier.find(url)?.line;
  // The link alone tells the relevance of a page of another worker.
  const { relevance, relevances } = line?.state === 'kept' ? line : { ...edge.referrer, ...alternate };
  return { ...read, relevance: relevance ?? edge.referrer.relevance, ...(relevances && { relevances }), alternateOf: url };
}

/** The alternates of a page that is kept: by itself, by lists that name it, and of an alternate those of its kept page. null if there are none to follow. */
export function alternatesOfPage(
  entry: FrontierEntry,
  read: Pick<Read, 'extraction' | 'relevance' | 'relevances' | 'alternateOf'>,
  parts: AlternateParts,
): Discovery | null {
  const { alternates, frontier } = parts;
  if (alternates === null) return null;
  const { extraction, relevance, relevances, alternateOf } = read;
  const stated = [...(extraction.nofollow ? [] : extraction.metadata.alternates), ...frontier.alternatesOf(entry.url)];
  if (stated.length === 0) return null;
  const own = alternates.languageOf(extraction);
  const task = alternateOf === undefined ? null : alternateIn(entry.task);
  if (task === null || entry.edge === null) {
    const referrer = referrerOf(entry, extraction.title, relevance, true);
    return discoverAlternates(
      referrer,
      { kind: 'alternate', of: own, hops: 0, ...(relevances && { relevances }) },
      stated,
      entry.priority,
      parts,
    );
  }
  const hops = task.hops + 1;
  const others = stated.filter(({ lang }) => alternates.primaryOf(lang) !== own);
  return hops > MAX_HOPS ? null : discoverAlternates(entry.edge.referrer, { ...task, hops }, others, entry.priority, parts);
}

/** A link of a list with the alternates that the crawl may follow later, and itself for its language; without any if there is none to follow. */
export function withFollowed({ alternates: stated = [], ...link }: ReadLink, { alternates }: Pick<Parts, 'alternates'>): ReadLink {
  const kept = stated.filter(({ lang, url }) => url === link.url || alternates?.follows(lang));
  return kept.some(({ url }) => url !== link.url) ? { ...link, alternates: kept.slice(0, MAX_ALTERNATES) } : link;
}

/** The alternates of pages of a list that are kept already. */
export function alternatesOfKept(links: readonly ReadLink[], parts: AlternateParts): Discovery[] {
  const { alternates: source, frontier } = parts;
  if (source === null) return [];
  return links.flatMap(({ url, alternates: stated }) => {
    if (stated === undefined || frontier.standing(url)?.state !== 'kept') return [];
    const found = frontier.find(url);
    // The kept page of an alternate is named by the list as well.
    if (!found?.fate || (typeof found.fate.reason === 'object' && found.fate.reason.kind === 'alternate')) return [];
    const { entry, line } = found;
    const lang = stated.find((one) => one.url === url)?.lang;
    const of = lang === undefined ? null : source.primaryOf(lang);
    const { relevance, relevances } = line;
    const task = { kind: 'alternate', of, hops: 0, ...(relevances && { relevances }) } as const;
    return discoverAlternates(referrerOf(entry, '', relevance ?? 0, true), task, stated, entry.priority, parts) ?? [];
  });
}

/** Alternates are as far from the seeds as their kept page, and have its priority. null if no sighting of them would change anything. */
function discoverAlternates(
  referrer: Referrer,
  task: AlternateTask,
  stated: readonly Alternate[],
  priority: Unit,
  parts: AlternateParts,
): Discovery | null {
  const { depth, offTopicDepth } = referrer;
  const urls = new Set<CanonicalUrl>();
  for (const { lang, url } of stated.slice(0, MAX_ALTERNATES)) {
    if (!parts.alternates?.follows(lang) || parts.alternates.primaryOf(lang) === task.of) continue;
    if (url !== referrer.url && mayBecome(url, parts)) urls.add(url);
  }
  const tried: CanonicalUrl[] = [];
  const links = [...urls].map((url): DiscoveredLink => {
    const link = { url, from: referrer.url, onTopic: true, words: '' };
    const refusal = refusalOf(link, depth, offTopicDepth, parts, () => tried.push(url));
    return { url, host: parts.hostKeyOf(url), priority, refusal, text: TEXT, task };
  });
  if (links.length === 0) return null;
  const discovery = { referrer, depth, offTopicDepth, redirects: 0, learnedFrom: parts.scorer.learnedFrom, links };
  for (const url of tried) parts.fileNames?.keep(url, discovery);
  return discovery;
}

/** Could the URL still be visited as an alternate? A page that was off topic by itself may. */
function mayBecome(url: CanonicalUrl, { frontier }: Pick<Parts, 'frontier'>): boolean {
  return frontier.wants(url) || frontier.standing(url)?.state === 'off-topic';
}

const TEXT = { ...NO_TEXT, tagPath: 'html>head>link' } as const;
