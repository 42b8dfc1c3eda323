/** The questions of the page about a crawl. Each is a function that the command line has too, so that no number is computed twice. */
import { systemClock } from '../../base/core/clock.ts';
import { UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl, HostKey, Unit } from '../../base/core/types.ts';
import type { LabelFacts } from '../../corpus/select/crawl-facts.ts';
import { readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { NotedOutlook } from '../../crawling/crawl-dir/outlook-file.ts';
import { OptOutList, optOutLine } from '../../crawling/fetch/opt-out.ts';
import { type CrawlComparison, compareCrawls } from '../../study/inspect/compare-crawls.ts';
import { precisionsAbove } from '../../study/inspect/grounds.ts';
import { diffOf, historyOf, type PageHistory, pastIn, type VersionDiff } from '../../study/inspect/page-history.ts';
import { shortened } from '../../study/inspect/survey.ts';
import type { Why } from '../../study/inspect/why.ts';
import { CrawlCache, crawlStamp, type DatedSurvey } from './crawl-cache.ts';
import { type HostLine, type HostPage, type HostQuery, hostPage } from './host-page.ts';
import { type LedgerPage, type LedgerQuery, ledgerPage } from './ledger-page.ts';

export type { DatedSurvey };

/** Counts may be of a little while ago while the crawl fetches: see `CrawlCache.surveyed`. */
export interface Fetching {
  readonly fetches: boolean;
}

/** Lines of the ledger, and the numbers that its filters offer. */
export interface LedgerReading extends LedgerPage {
  readonly discovered: number;
  readonly states: Readonly<Record<string, number>>;
  /** Words of the reasons, without the patterns and URLs that some have. */
  readonly reasons: readonly string[];
}

/** Hosts, and the file of hosts never to ask. */
export interface HostReading extends Omit<HostPage, 'hosts'> {
  /** `optedOut`: the file has the host. */
  readonly hosts: readonly (HostLine & { readonly optedOut: boolean })[];
  /** null if the crawl has no such file. */
  readonly optOut: string | null;
}

export interface Readings {
  readonly survey: (given: Fetching) => Promise<DatedSurvey>;
  /** Always of now: lines and counts are of one moment. */
  readonly ledger: (given: LedgerQuery) => Promise<LedgerReading>;
  readonly hosts: (given: HostQuery & Fetching) => Promise<HostReading>;
  /** Precision of the kept pages at or above each relevance; null where it is not measured. */
  readonly precisions: (given: readonly Unit[]) => Promise<readonly LabelFacts['precision'][]>;
  readonly comparison: (given: { readonly other: string }) => Promise<CrawlComparison>;
  /** States of some URLs, in that order; null for one that the crawl has not stored. */
  readonly states: (given: readonly string[]) => Promise<readonly (string | null)[]>;
  /** Outlook for `noteOutlook`; null before there is one. */
  readonly outlook: (given: Fetching) => Promise<NotedOutlook | null>;
  readonly why: (given: { readonly url: string; readonly topicName?: string }) => Promise<Why>;
  /** null for a page without a version. */
  readonly history: (given: { readonly url: string }) => Promise<PageHistory | null>;
  readonly versionDiff: (given: { readonly url: string; readonly between: readonly string[] }) => Promise<VersionDiff>;
}

export type ReadingName = keyof Readings;
export type ReadingOf<N extends ReadingName> = Awaited<ReturnType<Readings[N]>>;

/** @returns the questions of the page; `close` ends them */
export function readingsOf(dir: string): Readings & { close(): Promise<void> } {
  const open = new CrawlCache(dir);
  const comparisons = new ComparisonCache(dir);
  /** A crawl that could not be read is opened again next time. Bad input of the user says nothing about the crawl. */
  const reading =
    <G, A>(read: (given: G) => Promise<A>) =>
    (given: G): Promise<A> =>
      read(given).catch(async (error: unknown) => {
        if (!(error instanceof UsageError)) await open.close();
        throw error;
      });
  return {
    survey: reading(async ({ fetches }) => {
      const { survey } = await open.surveyed(fetches);
      return { ...shortened(survey), at: survey.at, next: survey.next };
    }),
    ledger: reading(async (query) => ledgerReading(open, query)),
    hosts: reading(async ({ fetches, ...query }) => hostReading(dir, hostPage((await open.surveyed(fetches, 'lines')).survey, query))),
    states: reading(async (urls) => {
      const { frontier } = await open.crawl();
      return urls.map((url) => frontier.standing(url as CanonicalUrl)?.state ?? null);
    }),
    outlook: reading(async ({ fetches }) => {
      const { counts, outlook } = (await open.surveyed(fetches)).survey.status;
      return outlook && { visits: counts.visited, ...outlook };
    }),
    precisions: reading(async (relevances) => precisionsAbove(await open.crawl(), relevances)),
    close: () => open.close(),
    comparison: ({ other }) => comparisons.newest(other),
    why: reading(({ url, topicName }) => open.why(url, topicName === undefined ? {} : { topicName })),
    history: reading(({ url }) => historyReading(open, url)),
    versionDiff: reading(async ({ url, between }) => diffOf(await pastIn(await open.crawl(), url), between)),
  };
}

async function historyReading(open: CrawlCache, url: string): Promise<PageHistory | null> {
  try {
    return historyOf(await pastIn(await open.crawl(), url));
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

async function ledgerReading(open: CrawlCache, query: LedgerQuery): Promise<LedgerReading> {
  const { survey, columns, crawl } = await open.surveyed(false, 'lines');
  const { states, reasons, parked, counts } = survey.status;
  // A reason of the status has its state before it.
  const words = [...Object.keys(reasons).map((key) => key.slice(key.indexOf(':') + 1)), ...Object.keys(parked)].map(
    (reason) => reason.split(':', 1)[0] ?? '',
  );
  return {
    ...ledgerPage(crawl, columns, query),
    discovered: counts.discovered,
    states,
    reasons: [...new Set(words.filter((word) => /^[a-z0-9-]+$/.test(word)))].sort(),
  };
}

function hostReading(dir: string, page: HostPage): HostReading {
  const { optOut } = readManifest(dir);
  const list = optOut === null ? null : openList(optOut);
  const hosts = page.hosts.map((host) => ({ ...host, optedOut: list?.has(optOutLine(host.host as HostKey)) ?? false }));
  return { ...page, hosts, optOut };
}

/** null if the file cannot be used: the crawl warns of that, and opting out a host gives the reason. */
function openList(path: string): OptOutList | null {
  try {
    return new OptOutList(path, systemClock, () => undefined);
  } catch {
    return null;
  }
}

/** The last comparison, as long as neither directory has changed. */
class ComparisonCache {
  readonly #dir: string;
  #last: { readonly stamp: string; readonly comparison: CrawlComparison } | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async newest(other: string): Promise<CrawlComparison> {
    const stamp = [other, crawlStamp(this.#dir), crawlStamp(other)].join('\n');
    if (this.#last?.stamp !== stamp) this.#last = { stamp, comparison: await compareCrawls(this.#dir, other) };
    return this.#last.comparison;
  }
}
