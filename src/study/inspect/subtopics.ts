/** Subtopics of a crawl: groups of its kept pages, each with name, terms, example pages, yield, hosts and years. */
import { isOnTopic } from '../../base/core/on-topic.ts';
import { shareOf } from '../../base/core/share.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { hostNameOf } from '../../base/web/url.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { NamedSubtopic } from '../../crawling/crawl-dir/subtopics-file.ts';
import { loadBackground } from '../../reading/topic/background.ts';
import { subtopicTerms } from '../../reading/topic/subtopic-names.ts';
import { splitPages } from '../../reading/topic/subtopic-split.ts';
import { type FoundSubtopic, subtopicFinder } from '../../reading/topic/subtopic-words.ts';
import { pageShare } from '../../reading/topic/weighting.ts';
import type { SubtopicPage } from './subtopic-pages.ts';

export interface Subtopic extends Pick<NamedSubtopic, 'id' | 'name' | 'terms'> {
  /** Pages of it among those read. */
  readonly pages: number;
  /** Share of the pages read. */
  readonly share: Unit;
  readonly yield: SubtopicYield;
  /** Pages with the most of its words, at most two of a host. */
  readonly examples: readonly { readonly url: CanonicalUrl; readonly title: string }[];
  /** Hosts with the most of its pages, and their shares of its pages. */
  readonly hosts: readonly { readonly host: string; readonly pages: number; readonly share: Unit }[];
  /** Pages by the year of publication that they declare, oldest first. */
  readonly years: readonly { readonly year: number; readonly pages: number }[];
}

/** The visits that followed a link on a page of the subtopic. */
export interface SubtopicYield {
  readonly visits: number;
  /** Number of those that gave an on-topic page. */
  readonly onTopic: number;
  /** Number of those that gave a page of the same subtopic. */
  readonly same: number;
}

/** A word of more pages about anything names nothing: those words are function words and words of menus. */
const COMMON: Unit = 0.1;
/** Terms in a name. */
const NAMED = 3;
const EXAMPLES = 5;
const EXAMPLES_OF_HOST = 2;
const HOSTS = 5;

/** Groups pages, and names the groups. Deterministic for equal pages, seed and number. @param groups null for the number that `splitPages` chooses */
export async function findSubtopics(pages: readonly SubtopicPage[], groups: number | null, seed: number): Promise<NamedSubtopic[]> {
  const words = splitPages(
    pages.map(({ counts }) => counts),
    groups,
    seed,
  );
  const find = subtopicFinder(words);
  const background = await loadBackground();
  const grouped = pages.map((page) => ({ ...page, subtopic: find(page.counts)?.place ?? null }));
  const terms = subtopicTerms(grouped, words.length, (bucket) => pageShare(background.idf, background.documents, bucket) > COMMON);
  const ids = idsOf(terms);
  return words.map(({ buckets, weights }, i) => ({
    id: ids[i] ?? '',
    name: (terms[i] ?? []).slice(0, NAMED).join(', ') || `group ${i + 1}`,
    terms: terms[i] ?? [],
    buckets: [...buckets],
    weights: [...weights],
  }));
}

/** The first term of each that no other has, as one word. */
function idsOf(terms: readonly (readonly string[])[]): string[] {
  const used = new Set<string>();
  return terms.map((own, i) => {
    const words = own.map((term) => term.replaceAll(' ', '-'));
    const id = words.find((word) => !used.has(word)) ?? `group-${i + 1}`;
    used.add(id);
    return id;
  });
}

/** The facts of each subtopic, those with most pages first. O(settled URLs + words of the pages). */
export function describeSubtopics(
  pages: readonly SubtopicPage[],
  named: readonly NamedSubtopic[],
  { frontier, manifest }: Pick<OpenCrawl, 'frontier' | 'manifest'>,
): Subtopic[] {
  const find = subtopicFinder(named);
  const found = new Map<CanonicalUrl, FoundSubtopic>();
  for (const { url, counts } of pages) {
    const own = find(counts);
    if (own !== null) found.set(url, own);
  }
  const yields = named.map(() => ({ visits: 0, onTopic: 0, same: 0 }));
  for (const { entry, fate } of frontier.settled()) {
    const source = entry.edge === null ? undefined : found.get(entry.edge.referrer.url);
    const sum = source && yields[source.place];
    if (!sum || !fate.visited || entry.task.kind !== 'page') continue;
    sum.visits += 1;
    if (isOnTopic(fate.relevance ?? undefined, manifest.topic.threshold)) sum.onTopic += 1;
    if (found.get(entry.url)?.place === source.place) sum.same += 1;
  }
  return named
    .map(({ id, name, terms }, place) => {
      const own = pages.filter(({ url }) => found.get(url)?.place === place);
      const facts = {
        pages: own.length,
        share: shareOf(own.length, pages.length),
        yield: yields[place] ?? { visits: 0, onTopic: 0, same: 0 },
      };
      return { id, name, terms, ...facts, examples: examplesOf(own, found), hosts: hostsOf(own), years: yearsOf(own) };
    })
    .sort((a, b) => b.pages - a.pages);
}

function examplesOf(pages: readonly SubtopicPage[], found: ReadonlyMap<CanonicalUrl, FoundSubtopic>): Subtopic['examples'] {
  const perHost = new Map<string, number>();
  return [...pages]
    .sort((a, b) => (found.get(b.url)?.score ?? 0) - (found.get(a.url)?.score ?? 0))
    .filter(({ url }) => {
      const host = hostNameOf(url);
      perHost.set(host, (perHost.get(host) ?? 0) + 1);
      return (perHost.get(host) ?? 0) <= EXAMPLES_OF_HOST;
    })
    .slice(0, EXAMPLES)
    .map(({ url, title }) => ({ url, title }));
}

function hostsOf(pages: readonly SubtopicPage[]): Subtopic['hosts'] {
  return countsOf(pages.map(({ url }) => hostNameOf(url)))
    .sort(([, a], [, b]) => b - a)
    .slice(0, HOSTS)
    .map(([host, count]) => ({ host, pages: count, share: shareOf(count, pages.length) }));
}

function yearsOf(pages: readonly SubtopicPage[]): Subtopic['years'] {
  return countsOf(pages.flatMap(({ year }) => (year === null ? [] : [year])))
    .sort(([a], [b]) => a - b)
    .map(([year, count]) => ({ year, pages: count }));
}

function countsOf<K>(keys: readonly K[]): [K, number][] {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts];
}
