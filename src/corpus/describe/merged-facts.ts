import type { Topic } from '../../base/core/types.ts';
import type { CrawlFacts, LabelFacts } from '../select/crawl-facts.ts';
import type { CorpusCard } from './corpus-card.ts';

/** Seeds to name on a card. */
const CARD_SEEDS = 1000;

/** The crawl of a harvest, as its card has it. */
export function crawlFactsOf({ topic, topics, crawl }: CorpusCard): CrawlFacts {
  return {
    ...crawl,
    topicName: topic.name,
    modelId: topic.modelId,
    threshold: topic.threshold,
    ...(topics && { topics: topics.map(({ name, modelId, threshold, precision }) => ({ name, id: modelId, threshold, precision })) }),
  };
}

/**
 * Several crawls as one: numbers are sums, names are joined, and the precision is not known, since the labels of each are of its own pages. Each model that
 * is on a card stays. Pure; the order of the crawls makes no difference.
 */
export function mergedFacts(crawls: readonly CrawlFacts[]): CrawlFacts {
  const distinct = (of: (crawl: CrawlFacts) => string | null) => [...new Set(crawls.flatMap((crawl) => of(crawl) ?? []))].sort();
  const sum = (of: (crawl: CrawlFacts) => number) => crawls.reduce((total, crawl) => total + of(crawl), 0);
  const seeds = [...new Set(crawls.flatMap((crawl) => crawl.seeds))].sort();
  const unnamed = sum(({ seeds: named, seedCount = named.length }) => seedCount - named.length);
  const lost = new Map(crawls.flatMap(({ seedsWithoutPage }) => seedsWithoutPage.map((seed) => [seed.url, seed])));
  const served = new Set(crawls.flatMap((crawl) => crawl.seeds.filter((seed) => !crawl.seedsWithoutPage.some(({ url }) => url === seed))));
  const shown = seeds.slice(0, CARD_SEEDS);
  const queries = distinct(({ query }) => query);
  const topics = topicsOf(crawls);
  return {
    topicName: distinct(({ topicName }) => topicName).join(' + '),
    modelId: distinct(({ modelId }) => modelId).join('+'),
    threshold: Math.min(...crawls.map(({ threshold }) => threshold)),
    ...(topics.length > 0 && { topics }),
    query: queries.length === 0 ? null : queries.join(' | '),
    labels: null,
    ...trainingOf(crawls),
    refusals: countsOf(crawls.map(({ refusals }) => refusals)),
    failures: countsOf(crawls.map(({ failures }) => failures)),
    excludedByNot: {
      pages: sum(({ excludedByNot }) => excludedByNot?.pages ?? 0),
      of: sum(({ excludedByNot }) => excludedByNot?.of ?? 0),
    },
    seeds: shown,
    seedsWithoutPage: shown.flatMap((url) => (served.has(url) ? [] : (lost.get(url) ?? []))),
    ...(seeds.length + unnamed > shown.length && { seedCount: seeds.length + unnamed }),
    strategy: distinct(({ strategy }) => strategy).join(', '),
    runs: crawls.flatMap(({ runs }) => runs).sort((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0)),
    visited: sum(({ visited }) => visited),
    reopened: sum(({ reopened }) => reopened),
    reservationFiles: sum(({ reservationFiles }) => reservationFiles),
    budget: { pages: null, ms: null, bytes: null },
    stopReason: distinct(({ stopReason }) => stopReason).join(', '),
    ledger: ledgerOf(crawls),
    robots: distinct(({ robots }) => robots).join(', '),
    robotsRefusals: sum(({ robotsRefusals }) => robotsRefusals),
    software: distinct(({ software }) => software).join(', '),
    userAgent: distinct(({ userAgent }) => userAgent).join(', '),
  };
}

/** Cards of training. The card of a model that several crawls used stands once. */
function trainingOf(crawls: readonly CrawlFacts[]): Pick<CrawlFacts, 'training'> {
  const byId = new Map(crawls.flatMap(({ training = [] }) => training.map((one) => [one.modelId, one])));
  return byId.size === 0 ? {} : { training: [...byId.values()].sort((a, b) => (a.modelId < b.modelId ? -1 : 1)) };
}

type Counts = Readonly<Partial<Record<string, number>>>;

/** The sums, largest first. */
function countsOf(all: readonly (Counts | undefined)[]): Counts {
  const sums = new Map<string, number>();
  for (const counts of all) for (const [name, count] of Object.entries(counts ?? {})) sums.set(name, (sums.get(name) ?? 0) + (count ?? 0));
  return Object.fromEntries([...sums].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

function topicsOf(crawls: readonly CrawlFacts[]): (Topic & Pick<LabelFacts, 'precision'>)[] {
  const byId = new Map(crawls.flatMap(({ topics = [] }) => topics.map((topic) => [topic.id, { ...topic, precision: null }])));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function ledgerOf(crawls: readonly CrawlFacts[]): CrawlFacts['ledger'] {
  const counts: Record<string, number> = {};
  for (const { ledger } of crawls) for (const [state, count] of Object.entries(ledger)) counts[state] = (counts[state] ?? 0) + (count ?? 0);
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
