/** Makes the input of frontier and corpus from a read page. Pure, except for the lessons of the link scorer. */

import { hash } from 'node:crypto';
import { isoTime } from '../../base/core/clock.ts';
import { pageTexts } from '../../base/core/page-texts.ts';
import type { LinkOfPage } from '../../base/core/parts/file-names.ts';
import type { ReadLink, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import { costOf } from '../../base/core/rendering.ts';
import {
  alternateIn,
  type CanonicalUrl,
  type CrawlRecord,
  type DiscoveredLink,
  type Discovery,
  type FetchedPage,
  type FrontierEntry,
  type LinkText,
  PAGE,
  type Referrer,
  type RefusalReason,
  type Unit,
} from '../../base/core/types.ts';
import { showPage, showRedirect } from './all-links.ts';
import { priorityOf } from './list-priority.ts';
import { recordJudgement } from './topic-judgements.ts';

/** Redirects followed from one link. RFC 9110 §15.4 asks for a limit; browsers stop at 20, curl and Nutch far below. */
export const MAX_REDIRECTS = 10;
/** Longest title stored with every link of a page, in characters. A link scorer reads only its first words. */
const MAX_REFERRER_TITLE = 120;

type Read = Extract<ReadOutcome, { kind: 'read' }>;
/** The parts that score and refuse links. */
type LinkParts = Pick<Parts, 'frontier' | 'scorer' | 'scope' | 'expansion' | 'hostKeyOf'> & Partial<Pick<Parts, 'fileNames'>>;

/** The outlinks of a page. The link scorer sees all of them and scores the wanted ones; links that a rule excludes are refused. null if there are none. */
export function discoverOutlinks(entry: FrontierEntry, read: Read, onTopic: boolean, parts: LinkParts): Discovery | null {
  showPage(parts.scorer, entry, read);
  // The model cannot read the pages behind it.
  return read.alternateOf === undefined ? discoverFound(entry, read, onTopic, parts) : null;
}

/** Makes the discovery of a page without the link scorer: a resumed crawl shows the scorer only the links of the first visit. */
export function discoverFound(
  entry: FrontierEntry,
  { extraction, relevance, links: all }: Read,
  onTopic: boolean,
  parts: LinkParts,
): Discovery | null {
  const links = extraction.nofollow ? [] : all;
  // Most links of most pages are the navigation of the site, settled long ago.
  const wanted = links.filter(({ url }) => parts.frontier.wants(url) || isLifted(url, parts));
  if (wanted.length === 0) return null;
  const referrer = referrerOf(entry, extraction.title, relevance, onTopic);
  return discoverLinks(referrer, wanted, referrer.offTopicDepth, parts);
}

/** Links with their priorities, one hop behind `referrer`: those that can change the frontier. @param passed number of off-topic pages in a row that count against `tunnel` */
export function discoverLinks(referrer: Referrer, found: readonly ReadLink[], passed: number, parts: LinkParts): Discovery {
  const depth = referrer.depth + 1;
  const { offTopicDepth } = referrer;
  const { learnedFrom } = parts.scorer;
  const scores = parts.scorer.score(
    found.map(({ url, text: link }) => ({ url, depth, offTopicDepth, edge: { referrer, link, learnedFrom } })),
  );
  const way = { depth, offTopicDepth };
  const tried: CanonicalUrl[] = [];
  const links: DiscoveredLink[] = [];
  for (const [i, { url, text, alternates }] of found.entries()) {
    const priority = scores[i] ?? 0;
    // Most links of most pages lead to URLs that wait by a better link.
    if (!parts.frontier.improves(url, priority, way) && !isFileName(url, parts) && alternates === undefined) continue;
    const link = { url, from: referrer.url, onTopic: offTopicDepth === 0, words: text.anchorText };
    const refusal = refusalOf(link, depth, passed, parts, () => tried.push(url));
    links.push({ url, host: parts.hostKeyOf(url), priority, refusal, text, task: PAGE, ...(alternates && { alternates }) });
  }
  const discovery = { referrer, depth, offTopicDepth, redirects: 0, learnedFrom, links };
  for (const url of tried) parts.fileNames?.keep(url, discovery);
  return discovery;
}

/** A page as its links see it. */
export function referrerOf(
  { url, depth, offTopicDepth }: Pick<FrontierEntry, 'url' | 'depth' | 'offTopicDepth'>,
  title: string,
  relevance: Unit,
  onTopic: boolean,
): Referrer {
  return { url, title: title.slice(0, MAX_REFERRER_TITLE), relevance, depth, offTopicDepth: onTopic ? 0 : offTopicDepth + 1 };
}

/** The target of a redirect, with the edge that led to its source. It is scored as a link of its own, because its URL differs. */
export function discoverRedirect(entry: FrontierEntry, to: CanonicalUrl, parts: LinkParts): Discovery {
  showRedirect(parts.scorer, entry, to);
  return discoverRedirectFrom(entry, to, parts);
}

/** Makes the discovery of a redirect without the link scorer, as `discoverFound` does. */
export function discoverRedirectFrom(entry: FrontierEntry, to: CanonicalUrl, parts: LinkParts): Discovery {
  const { depth, offTopicDepth } = entry;
  const { learnedFrom } = parts.scorer;
  const redirects = entry.redirects + 1;
  const refusal = redirects > MAX_REDIRECTS ? 'redirect-limit' : (parts.scope.refuses(to) ?? heldIn(parts.expansion, entry.url, to));
  const edge = entry.edge && { ...entry.edge, learnedFrom };
  const task = alternateIn(entry.task) ?? (entry.task.kind === 'revisit' ? PAGE : entry.task);
  const priority = priorityOf(task, entry.priority) ?? parts.scorer.score([{ url: to, depth, offTopicDepth, edge }])[0] ?? 0;
  return {
    referrer: edge?.referrer ?? null,
    depth,
    offTopicDepth,
    redirects,
    learnedFrom,
    links: [{ url: to, host: parts.hostKeyOf(to), priority, refusal, text: edge?.link ?? NO_TEXT, task }],
  };
}

/** The seeds of a crawl, as a discovery without a referrer. */
export function discoverSeeds(seeds: readonly CanonicalUrl[], parts: Pick<Parts, 'hostKeyOf' | 'scope' | 'seeds'>): Discovery {
  const links = seeds.map((url) => ({
    url,
    host: parts.hostKeyOf(url),
    priority: 1,
    refusal: seedRefusal(url, parts),
    text: NO_TEXT,
    task: PAGE,
  }));
  return { referrer: null, depth: 0, offTopicDepth: 0, redirects: 0, learnedFrom: 0, links };
}

/** The scope's refusal of a seed; null if it is in scope, or may be a list. */
export function seedRefusal(url: CanonicalUrl, { scope, seeds }: Pick<Parts, 'scope' | 'seeds'>): RefusalReason | null {
  return seeds?.mayBeList(url) ? null : unlessName(scope.refuses(url));
}

/** A name like that of a file is refused when a link is found, or never: a person may name such a page, and its host may have others. */
export function unlessName(refusal: RefusalReason | null): RefusalReason | null {
  return refusal === 'content-type' ? null : refusal;
}

/** The text of a URL without a link: a seed, or the target of its redirect. */
export const NO_TEXT: LinkText = {
  anchorText: '',
  context: '',
  imageAlt: '',
  zone: 'other',
  tagPath: '',
  anchorScore: null,
  contextScore: null,
};

/** The rule that excludes a link; null if none does. @param onTry the link is to show whether names like that of a file are names of pages */
export function refusalOf(
  link: LinkOfPage,
  depth: number,
  offTopicDepth: number,
  parts: LinkParts,
  onTry: () => void,
): RefusalReason | null {
  const { scope, expansion, fileNames } = parts;
  const refused = scope.refuses(link.url);
  const tooFar = depth > expansion.maxDepth ? 'max-depth' : offTopicDepth > expansion.tunnel ? 'tunnel' : null;
  const ofTheWay = tooFar ?? heldIn(expansion, link.from, link.url);
  if (refused !== 'content-type') return refused ?? ofTheWay;
  if (fileNames?.mayBePage(link.url)) return ofTheWay;
  if (ofTheWay !== null || !fileNames?.tries(link)) return refused;
  onTry();
  return null;
}

/** The refusal of a link to another host, which ends with the round; null in the same host, and in a crawl without rounds. Scheme and port are no other host. */
function heldIn({ byRounds = false }: Parts['expansion'], from: CanonicalUrl, to: CanonicalUrl): 'next-round' | null {
  return byRounds && new URL(from).hostname !== new URL(to).hostname ? 'next-round' : null;
}

/** May it show that names like that of a file are names of pages? */
function isFileName(url: CanonicalUrl, { fileNames = null, scope }: LinkParts): boolean {
  return fileNames !== null && scope.refuses(url) === 'content-type';
}

/** Was it refused for its name, before its host was known to have pages under such names? */
function isLifted(url: CanonicalUrl, { fileNames = null, frontier }: LinkParts): boolean {
  if (!fileNames?.mayBePage(url)) return false;
  const standing = frontier.standing(url);
  return standing?.state === 'refused' && standing.reason === 'content-type' && standing.status === null;
}

/** SHA-256 of the decoded payload, hex: of the rendered document of a page that is kept by it, as all pages of an application have one shell. */
export function payloadDigest(page: FetchedPage, { rendering }: Pick<Read, 'rendering'> = {}): string {
  return hash('sha256', rendering?.document?.html ?? page.body);
}

/** @param robots absent if the robots.txt of that day is not known */
export function toRecord(
  entry: FrontierEntry,
  page: FetchedPage,
  extraction: Read['extraction'],
  judged: Pick<Read, 'relevance' | 'relevances' | 'votes' | 'tags' | 'rendering' | 'alternateOf'>,
  payloadSha256: string,
  { topic, newRecordId, robots }: Pick<Parts, 'topic' | 'newRecordId'> & { readonly robots?: Pick<Parts['robots'], 'statements'> },
): CrawlRecord {
  const { document: _, ...texts } = pageTexts(extraction);
  return {
    id: newRecordId(),
    url: entry.url,
    fetchedAt: isoTime(page.startedAt),
    ...texts,
    ...recordJudgement(topic, judged),
    depth: entry.depth,
    referrer: entry.edge?.referrer.url ?? null,
    anchorText: entry.edge?.link.anchorText ?? '',
    payloadSha256,
    metadata: extraction.metadata,
    fields: extraction.fields,
    ...(judged.tags && { tags: judged.tags }),
    ...(extraction.reservation && { reservation: extraction.reservation }),
    ...rightsOf(entry.url, page, extraction.rights, robots),
    ...(extraction.creditSources && { creditSources: extraction.creditSources }),
    ...(extraction.product && { product: extraction.product }),
    ...(extraction.textSource && { textSource: extraction.textSource }),
    ...(extraction.posts && { posts: extraction.posts }),
    ...(extraction.document && { document: extraction.document }),
    ...(judged.rendering?.document && { rendered: costOf(judged.rendering.visit) }),
    ...(page.certificate !== undefined && { certificate: page.certificate }),
    ...(judged.alternateOf !== undefined && { alternateOf: judged.alternateOf }),
    ...(judged.votes && { votes: judged.votes }),
  };
}

/** The statements of a page, and those of the robots.txt that was current when it was fetched. */
function rightsOf(
  url: CanonicalUrl,
  { startedAt }: FetchedPage,
  ofPage: Read['extraction']['rights'],
  robots: Pick<Parts['robots'], 'statements'> | undefined,
): Pick<CrawlRecord, 'rights'> {
  const ofHost = robots?.statements?.(url) ?? [];
  if (ofPage === undefined && ofHost.length === 0) return {};
  const fetchedAt = isoTime(startedAt);
  return { rights: [...(ofPage ?? []).map((statement) => ({ ...statement, fetchedAt })), ...ofHost] };
}
