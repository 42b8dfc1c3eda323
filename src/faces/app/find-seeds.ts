/** Finds new seeds: hosts and pages that the on-topic pages of a crawl cite and the crawl has not visited. */

import type { OnDamaged } from '../../base/core/errors.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { CanonicalUrl, HostKey, RecordId, StateName, Unit } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { recordsOf, refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { type OpenCrawl, openCrawl, stopReasonOf } from '../../crawling/crawl-dir/open-crawl.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { Citations, type Cited } from '../../study/inspect/citations.ts';
import { stateAndReason } from '../../study/inspect/ledger-lines.ts';
import { type LedgerVisitor, type SettledUrl, walkSettled } from '../../study/inspect/ledger-walk.ts';
import { keptLinks } from './kept-links.ts';

/** The crawl may be running. */
export interface FindSeedsOptions extends Pick<OptionsOf<typeof COMMANDS.seeds>, 'at' | 'top'> {
  readonly dir: string;
  /** On-topic pages read so far, and their total. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** Receives damaged pages of the corpus, whose links are not counted. Without it, damage ends the search. */
  readonly onDamaged?: OnDamaged;
}

const { dir, at, top } = checksOf(COMMANDS.seeds);
const FIND_SEEDS: OptionTable<FindSeedsOptions> = {
  dir,
  at,
  top,
  onDamaged: call,
  onProgress: call,
  signal,
};

/** Reason why a URL was not visited: its ledger line in short. `undiscovered` if the crawl did not follow links of the citing pages. */
export interface Unvisited {
  readonly state: StateName | 'undiscovered';
  readonly reason: string;
}

export interface CitedPage extends Omit<Cited, 'first'>, Unvisited {
  readonly url: CanonicalUrl;
}

export interface CitedHost extends Omit<Cited, 'first'> {
  readonly host: HostKey;
  /** The host's most cited page: a seed to start with. */
  readonly seed: CanonicalUrl;
  /** Number of the host's cited URLs, at most 1,000, by the reason why they were not visited: `refused: scope`, `waiting: max-pages`, … */
  readonly unvisited: Readonly<Record<string, number>>;
}

export interface FoundSeeds {
  readonly dir: string;
  /** On-topic pages whose links were counted. */
  readonly read: number;
  /** On-topic pages whose links are not counted: the corpus lacks them (copies, `noindex`), or they cannot be read from it. */
  readonly unread: number;
  /** Hosts without a visited page, the most cited first: by citing hosts, then by citing pages. */
  readonly hosts: readonly CitedHost[];
  /** Pages that were not visited, in the same order, including pages of hosts in `hosts`. */
  readonly pages: readonly CitedPage[];
}

const TOP = 20;
/** Ledger lines to look up for one host. */
const LOOKED_UP = 1000;

/** See `findSeeds` of the library. */
export async function findSeeds(options: FindSeedsOptions): Promise<FoundSeeds> {
  checkOptions('findSeeds', FIND_SEEDS, options, 'dir');
  const crawl = openCrawl(options.dir, options.onDamaged);
  try {
    refuseUnsoundCorpus(crawl);
    return await new Search(crawl, options).run();
  } finally {
    await crawl.close();
  }
}

class Search implements LedgerVisitor {
  readonly #crawl: OpenCrawl;
  readonly #options: FindSeedsOptions;
  readonly #visited = new Set<CanonicalUrl>();
  readonly #hosts = new Set<HostKey>();
  /** On-topic pages of the corpus by the ids of their newest records. */
  readonly #kept: Map<RecordId, CanonicalUrl>;
  /** Relevance of the newest version of pages that have one. */
  readonly #changed = new Map<CanonicalUrl, Unit>();
  /** Pages of the corpus that are off topic. */
  readonly #offTopic = new Set<CanonicalUrl>();
  #onTopic = 0;

  constructor(crawl: OpenCrawl, options: FindSeedsOptions) {
    this.#crawl = crawl;
    this.#options = options;
    for (const { url, revisit } of crawl.frontier.revisits()) if (revisit.version) this.#changed.set(url, revisit.version.relevance);
    walkSettled(crawl.frontier, [this]);
    this.#kept = new Map([...recordsOf(crawl)].filter(([, url]) => !this.#offTopic.has(url)));
  }

  settled({ entry, fate }: SettledUrl): void {
    if (fate.visited) this.#visit(entry.url);
    if (isOnTopic(this.#changed.get(entry.url) ?? fate.relevance, this.#crawl.manifest.topic.threshold)) this.#onTopic += 1;
    else if (fate.recordId !== null) this.#offTopic.add(entry.url);
  }

  async run(): Promise<FoundSeeds> {
    const citations = new Citations(
      (url) => this.#visited.has(url),
      (host) => this.#hosts.has(host),
    );
    const read = await this.#count(citations);
    const top = this.#options.top ?? TOP;
    const cited = citations.pages();
    return {
      dir: this.#options.dir,
      read,
      unread: this.#onTopic - read,
      hosts: this.#hostsOf(citations.hosts().slice(0, top), cited),
      pages: cited.slice(0, top).map(([url, { pages, hosts, examples }]) => ({ url, pages, hosts, ...this.#unvisited(url), examples })),
    };
  }

  #visit(url: CanonicalUrl): void {
    this.#visited.add(url);
    this.#hosts.add(hostKeyOf(url));
  }

  /** @returns how many pages were read */
  async #count(citations: Citations): Promise<number> {
    let read = 0;
    for await (const { url, outlinks } of keptLinks(this.#crawl, this.#kept, this.#options)) {
      citations.add(url, outlinks);
      read += 1;
    }
    return read;
  }

  /** @param cited all unvisited pages, the most cited first */
  #hostsOf(hosts: readonly (readonly [HostKey, Cited])[], cited: readonly (readonly [CanonicalUrl, Cited])[]): CitedHost[] {
    const urls = new Map<HostKey, CanonicalUrl[]>(hosts.map(([host]) => [host, []]));
    for (const [url] of cited) urls.get(hostKeyOf(url))?.push(url);
    return hosts.map(([host, { first, pages, hosts: citing, examples }]) => {
      const own = urls.get(host) ?? [];
      return { host, pages, hosts: citing, seed: own[0] ?? first, unvisited: this.#reasonsOf(own), examples };
    });
  }

  #reasonsOf(urls: readonly CanonicalUrl[]): Record<string, number> {
    const reasons: Record<string, number> = {};
    for (const url of urls.slice(0, LOOKED_UP)) {
      const { state, reason } = this.#unvisited(url);
      const why = reason === '' ? state : `${state}: ${reason}`;
      reasons[why] = (reasons[why] ?? 0) + 1;
    }
    return reasons;
  }

  #unvisited(url: CanonicalUrl): Unvisited {
    const line = this.#crawl.frontier.find(url)?.line;
    if (line === undefined) return { state: 'undiscovered', reason: '' };
    const { state, reason } = line;
    return stateAndReason({ state, reason }, this.#crawl.running ? null : stopReasonOf(this.#crawl));
  }
}
