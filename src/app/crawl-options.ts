/** What a crawl is asked for, and what it tells when it has ended. */
import type { OnDamaged } from '../core/errors.ts';
import type { FrontierCounts, RunningVisit, Strategy } from '../core/parts.ts';
import type { Ms, Unit } from '../core/types.ts';
import type { StopReason } from '../crawl/crawl.ts';
import type { YieldLimit } from '../crawl/recent-yield.ts';
import type { DiskLimits } from './disk-watch.ts';
import type { FailureCounts } from './failures.ts';
import type { Grounds } from './grounds.ts';
import type { Environment } from './host-settings.ts';
import type { SeedEnds } from './lost-seeds.ts';
import type { OperationsOptions } from './operations.ts';
import type { RevisitCounts } from './revisits.ts';
import type { TopicYield } from './topic-yields.ts';

export interface CrawlOptions extends OperationsOptions {
  /** Crawl directory; one that holds a crawl is resumed. */
  readonly dir: string;
  /** Folder of the topic model, or of each of several (20 at the most, read in the same way); needed for a new crawl. */
  readonly topic?: string | readonly string[];
  /** URLs, or files with one URL a line; needed for a new crawl. */
  readonly seeds?: readonly string[];
  /** URLs to visit in all, earlier runs included. Default: no limit. */
  readonly maxPages?: number;
  /** How long this run may lease new URLs. Default: no limit. */
  readonly maxTime?: Ms;
  /** Stop when fewer of the last visits were on topic, earlier runs included; `none` takes back what the crawl was begun with. Default: never. */
  readonly stopYield?: YieldLimit | 'none';
  /** Requests in flight at once, over all hosts. Default 16. */
  readonly concurrency?: number;
  /** Rest of a host between two requests. Default 1,000 ms. */
  readonly delay?: Ms;
  /** A host rests at least this many times as long as its last answer took, up to 30 s. Default 1; 0 for a crawl that is begun with a delay of 0. */
  readonly delayFactor?: number;
  /** Do hosts of one IP address share their delay? Not those on loopback addresses, nor any by way of a proxy. Default on. */
  readonly perIp?: 'on' | 'off';
  /** Hosts of one registrable domain share their delay; a crawl where they do goes on so. Default false. */
  readonly perDomain?: boolean;
  /** Text file of hosts, domains and beginnings of URLs that are never asked, read again when it changes; `none` drops that of a crawl. */
  readonly optOut?: string;
  /** YAML file of header fields, credentials and doubtful certificates by host, read at each run; `none` drops that of a crawl. */
  readonly hosts?: string;
  /** What `${NAME}` stands for in the file of `hosts`. Default: nothing, so that such a value is an error. */
  readonly environment?: Environment;
  /** Ask again, before all else, for kept pages that were last asked for longer ago than this; they do not count as visits. Default: none are. */
  readonly revisit?: Ms;
  /** Told of damaged WARC records of pages that are asked for again: these are asked for as if for the first time. Without it they end the crawl. */
  readonly onDamaged?: OnDamaged;
  /** Keep cookies while the crawl runs, and send them back. A crawl that does so goes on doing it. Default false. */
  readonly cookies?: boolean;
  /** Offer HTTP/2 to servers under TLS. A crawl that does so goes on doing it. Default false. */
  readonly http2?: boolean;
  /** `host:`, `domain:`, `prefix:` and `regex:` rules, with `not:` in front to exclude. Default: everywhere. */
  readonly scope?: readonly string[];
  readonly maxDepth?: number;
  readonly maxPagesPerHost?: number;
  /** YAML file of field rules; a crawl keeps those it was begun with. */
  readonly fieldRules?: string;
  /** Default apprentice. */
  readonly strategy?: Strategy;
  /** What the apprentice of another crawl learned, from a file of `exportLinkModel`, to begin with. The crawl keeps a copy. */
  readonly linkModel?: string;
  /** `hard` follows no link of an off-topic page; the same as `tunnel: 0`. Default soft. */
  readonly focus?: 'soft' | 'hard';
  /** Off-topic pages in a row that are passed through. Default 4; without limit for opic, pagerank, bfs, dfs and random, which do not look. */
  readonly tunnel?: number;
  /** Longest wait for a busy or resting host with a clearly better URL; 0 never waits. `auto` is the default, also of a crawl that was begun with another: with `maxPages` up to 20 s, with `maxTime` too no longer than the time left for a page; else 0. */
  readonly patience?: Ms | 'auto';
  readonly userAgent?: string;
  /** URL or mail address; a crawl that may go everywhere needs one. */
  readonly contact?: string;
  /** `http://host:port`; `none` goes without the one a crawl was begun with. */
  readonly proxy?: string;
  /** Seed of chance. Default 1. */
  readonly rngSeed?: number;
  /** Of the apprentice: credit that a page has for what its links led to a hop further ahead, from 0 to below 1. Default 0: its own links alone. */
  readonly gamma?: Unit;
  /** Share of the visits that go to URLs drawn from all that waits, whatever their priority: `status` estimates by them what waits. Default 0. */
  readonly explore?: Unit;
  /** `off`: ask also for URLs of patterns that brought nothing for long. Default on. */
  readonly traps?: 'on' | 'off';
  /** Parked patterns to let go, by name, or `all`; for a crawl that is resumed. */
  readonly unpark?: readonly string[];
  /** Write down every visit with all its links, for `freeze`. A crawl that is recorded stays so. Default false; true for opic, pagerank, hub and authority. */
  readonly record?: boolean;
  /** Ask also for the sitemaps and feeds of hosts that have given on-topic pages. A crawl that does so goes on doing it. Default false. */
  readonly sitemaps?: boolean;
  /** May loopback and private addresses be asked? Default false. */
  readonly allowPrivate?: boolean;
  /** Replace a crawl that is there. Default false: it is resumed. */
  readonly force?: boolean;
  /** Threads that read pages. Default: one less than there are processors, at least 1. */
  readonly workers?: number;
  /** Space to be left on the disk: below it the crawl waits, and ends after a while. Default: 200 MB or a twentieth of a small disk, and ten minutes. */
  readonly minFree?: DiskLimits;
  /** Told the state of the frontier when the crawl opens, a way to ask for it again, and the visits under way. */
  readonly onOpen?: (counts: () => FrontierCounts, resumed: boolean, visits: () => Iterable<RunningVisit>) => void;
}

export interface CrawlReport extends SeedEnds, Grounds {
  readonly dir: string;
  readonly stopReason: StopReason;
  readonly resumed: boolean;
  readonly counts: FrontierCounts;
  /** By the model, and meaningless where there are `doubts`: on-topic visits / visits: pages kept, kept elsewhere already (duplicates) or not kept for `noindex`, of all visited. After `relabel`, as its model sees them. */
  readonly harvestRate: number;
  /** What each of several topics came to; empty where there is one. */
  readonly topics: readonly TopicYield[];
  /** What kept pages that this run asked for again were found to be; {} where it asked for none. */
  readonly revisited: RevisitCounts;
  /** URLs refused because they lead to loopback or private addresses. */
  readonly privateAddresses: number;
  /** Failed URLs by what came of asking for them, e.g. `HTTP 404`, `timeout`; most first. */
  readonly failures: FailureCounts;
  readonly ms: Ms;
}
