/** A crawl of a few pages that live in a table: a memory frontier, a virtual clock and small real parts, everything written down. */
import type { FrozenVisit } from '../../../src/base/core/frozen-visit.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CrawlEvent } from '../../../src/base/core/parts/crawl-events.ts';
import type { Validators } from '../../../src/base/core/parts/fetching.ts';
import type { OwnPayloads } from '../../../src/base/core/parts/keeping.ts';
import type { CorpusOffsets, Frontier, Settlement } from '../../../src/base/core/parts/queueing.ts';
import type { AlternateSource, ListSource, ReadLink, ReadOutcome, ReservationSource } from '../../../src/base/core/parts/reading.ts';
import type { LinkScorer } from '../../../src/base/core/parts/scoring.ts';
import { type Headroom, NO_EXTRAS, type Parts } from '../../../src/base/core/parts.ts';
import type { RenderedDocument, Rendering } from '../../../src/base/core/rendering.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type {
  Absence,
  Alternate,
  CanonicalUrl,
  CorpusRecord,
  Discovery,
  FailureCode,
  Fate,
  FetchedPage,
  FetchOutcome,
  FollowedLanguages,
  HostKey,
  LedgerLine,
  ListsFollowed,
  Ms,
  RecordId,
  RefusalReason,
  Reservation,
  ReservationFile,
  ReservationRule,
  RevisitRecord,
  RobotsAnswer,
  StoredResponse,
} from '../../../src/base/core/types.ts';
import { simhash } from '../../../src/base/text/simhash.ts';
import { leadsToList, usualSitemapOf } from '../../../src/base/web/media-names.ts';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import { keptPayloads } from '../../../src/crawling/crawl/kept-payloads.ts';
import { type CrawlLimits, runCrawl, type StopReason } from '../../../src/crawling/crawl/loop.ts';
import { discoverSeeds } from '../../../src/crawling/crawl/page-records.ts';
import { RunningCrawl } from '../../../src/crawling/crawl/running.ts';
import { RobotsCache } from '../../../src/crawling/fetch/robots-cache.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export interface SmallPage {
  readonly relevance: number;
  /** URL and anchor text: the scorer reads a number in the anchor text as the link's priority. */
  readonly links?: readonly (string | readonly [url: string, anchorText: string])[];
  readonly noindex?: boolean;
  readonly nofollow?: boolean;
  readonly feeds?: readonly string[];
  /** Language of its text. Default: en. */
  readonly lang?: string;
  /** Its `rel=alternate` by language. */
  readonly alternates?: Readonly<Record<string, string>>;
  readonly reservation?: Reservation;
  /** The server says that it is as it was. */
  readonly notModified?: true;
  /** Payload; default is the URL, so that each page has its own. */
  readonly body?: string;
  /** Main text; without it the reader takes no simhash. */
  readonly text?: string;
  readonly lastModified?: string;
  readonly wall?: 'login';
  readonly shell?: true;
  /** A browser rendered it. */
  readonly rendering?: Rendering;
  readonly readFails?: 'read-timeout' | 'read-crash';
  /** The reader throws this. */
  readonly readThrows?: Error;
}

type Answer = SmallPage | Exclude<FetchOutcome, { kind: 'page' }> | { readonly throws: Error };

/** URL → its answer, or its answers one after the other (the last one stays). */
export type SmallWeb = Readonly<Record<string, Answer | readonly Answer[]>>;

/** A page of a list with the alternates that the list states. */
export interface ListedGroup {
  readonly url: string;
  readonly alternates: Readonly<Record<string, string>>;
}

export type SmallLists = Readonly<
  Record<
    string,
    { readonly pages?: readonly (string | ListedGroup)[]; readonly lists?: readonly string[] } | Exclude<FetchOutcome, { kind: 'page' }>
  >
>;

export interface SmallCrawlOptions {
  readonly web: SmallWeb;
  readonly seeds: readonly string[];
  readonly limits?: Partial<CrawlLimits>;
  readonly delay?: Ms;
  readonly delayFactor?: number;
  readonly latency?: (url: string) => Ms;
  readonly tunnel?: number;
  readonly maxDepth?: number;
  /** Is every wanted link given to the frontier, also one that changes nothing? */
  readonly makesAllLinks?: true;
  /** Do links to other hosts wait for the next round? */
  readonly byRounds?: boolean;
  /** Languages in which alternates of kept pages are followed. Default: none. */
  readonly alternates?: FollowedLanguages;
  readonly refuses?: (url: string) => RefusalReason | null;
  readonly optedOut?: (url: string) => boolean;
  readonly withdrawn?: (url: string) => boolean;
  /** Groups that hosts share their delay with. Default none. */
  readonly groupsOf?: (host: string) => readonly string[] | null;
  /** Hosts with a robots.txt of their own: paths it denies, or that it cannot be had this often. All others allow everything. */
  readonly robots?: Readonly<
    Record<
      string,
      {
        readonly deny?: readonly string[];
        readonly crawlDelay?: Ms;
        readonly unreachable?: number;
        /** Why it cannot be had. Default http-5xx. */
        readonly cause?: FailureCode;
        readonly sitemaps?: readonly string[];
      }
    >
  >;
  /** The robots.txt files and all URLs to which they redirect, each a text or another answer; all others are 404. With it, `robots` has no effect. */
  readonly robotsFiles?: Readonly<Record<string, string | Exclude<FetchOutcome, { kind: 'page' }>>>;
  /** Sitemaps and feeds by URL: what they list. Left out: the crawl does not follow them. */
  readonly lists?: SmallLists;
  /** Whose lists it follows. Default: `auto` with `lists`. */
  readonly followsLists?: ListsFollowed;
  /** `tdmrep.json` files by URL: their rules, or another answer; all others are 404. Left out: no host is asked. */
  readonly reservations?: Readonly<Record<string, readonly ReservationRule[] | Exclude<FetchOutcome, { kind: 'page' }>>>;
  /** Hosts whose robots.txt is known before the crawl: default all, so that only its own tests load any. */
  readonly robotsKnown?: boolean;
  readonly scorer?: LinkScorer;
  /** Asked before each lease; default: there is always room. */
  readonly headroom?: (clock: VirtualClock) => ReturnType<Headroom['verdict']>;
  /** Run once more when the first run has ended, an hour later, with all kept pages due that are older than this. */
  readonly revisit?: { readonly age: Ms; readonly stored?: ReadonlyMap<RecordId, StoredResponse>; readonly limits?: Partial<CrawlLimits> };
  readonly stop?: AbortSignal;
  /** Aborts when where the crawl is stored is another's. */
  readonly lost?: AbortSignal;
  readonly onFetch?: (url: string, nth: number, running: RunningCrawl) => void;
  readonly failCorpus?: { readonly onAppend?: (nth: number) => Error | null; readonly onFlush?: (nth: number) => Error | null };
}

export interface Commit {
  readonly offsets: CorpusOffsets;
  /** Kept URLs settled before the commit was called. */
  readonly kept: readonly string[];
}

export interface SmallCrawl {
  /** What `crawl` resolved or rejected with. */
  readonly stopped: StopReason | null;
  readonly error: unknown;
  readonly clock: VirtualClock;
  readonly running: RunningCrawl;
  readonly frontier: Frontier;
  /** What the crawl was made of. */
  readonly parts: Parts & { readonly kept: OwnPayloads };
  readonly events: readonly CrawlEvent[];
  /** Every request in order of its start, robots.txt too. */
  readonly requests: readonly { readonly url: string; readonly start: Ms; readonly end: Ms }[];
  readonly settlements: readonly { readonly url: string; readonly lease: number; readonly settlement: Settlement }[];
  readonly leased: number;
  readonly records: readonly CorpusRecord[];
  /** Rendered documents by which pages were kept, by the ids of their records. */
  readonly documents: ReadonlyMap<string, RenderedDocument>;
  readonly robotsAnswers: readonly RobotsAnswer[];
  readonly absences: readonly Absence[];
  readonly recorded: readonly FrozenVisit[];
  readonly reserved: readonly ReservationFile[];
  /** Revisit records, with the status of the page they came with. */
  readonly again: readonly (RevisitRecord & { readonly url: CanonicalUrl; readonly status: number })[];
  /** URLs that no link is wanted to any more, in the order this was told. */
  readonly passedOver: readonly CanonicalUrl[];
  /** Validators that were sent, by URL. */
  readonly conditions: ReadonlyMap<string, Validators>;
  /** Discoveries besides those of settlements, the seeds first. */
  readonly added: readonly Discovery[];
  readonly commits: readonly Commit[];
  readonly aborted: readonly string[];
  line(url: string): LedgerLine;
  fate(url: string): Fate | null;
}

/** Page budget no test with a drained crawl reaches. */
const UNLIMITED: CrawlLimits = { maxPages: 10_000, maxTime: Number.POSITIVE_INFINITY, patience: null, stopYield: null, concurrency: 1 };

const HOUR = 3_600_000;

export async function smallCrawl(options: SmallCrawlOptions): Promise<SmallCrawl> {
  const run = new Recording(options);
  run.parts.frontier.add(discoverSeeds(options.seeds.map(urlOf), run.parts));
  let stopped: StopReason | null = null;
  let error: unknown = null;
  try {
    const stop = options.stop ?? new AbortController().signal;
    stopped = await runCrawl(run.parts, { ...UNLIMITED, ...options.limits }, stop, run.running);
    if (options.revisit) {
      const { age, stored, limits } = options.revisit;
      await run.clock.sleep(HOUR, stop);
      run.frontier.revisit(run.clock.now() - age);
      stopped = await runCrawl(
        { ...run.parts, robots: run.robots(), stored: stored ?? null },
        { ...UNLIMITED, ...options.limits, ...limits },
        stop,
        run.running,
      );
    }
  } catch (thrown) {
    error = thrown;
  }
  return Object.assign(run, { stopped, error });
}

class Recording {
  readonly clock = new VirtualClock(1_000_000, true);
  readonly running = new RunningCrawl(this.clock);
  readonly frontier: Frontier;
  readonly parts: Parts & { readonly kept: OwnPayloads };
  readonly events: CrawlEvent[] = [];
  readonly requests: { url: string; start: Ms; end: Ms }[] = [];
  readonly settlements: { url: string; lease: number; settlement: Settlement }[] = [];
  readonly records: CorpusRecord[] = [];
  readonly documents = new Map<string, RenderedDocument>();
  readonly recorded: FrozenVisit[] = [];
  readonly reserved: ReservationFile[] = [];
  readonly robotsAnswers: RobotsAnswer[] = [];
  readonly absences: Absence[] = [];
  readonly again: (RevisitRecord & { url: CanonicalUrl; status: number })[] = [];
  readonly conditions = new Map<string, Validators>();
  readonly added: Discovery[] = [];
  readonly commits: Commit[] = [];
  readonly aborted: string[] = [];
  readonly passedOver: CanonicalUrl[] = [];
  leased = 0;
  readonly #options: SmallCrawlOptions;
  readonly #asked = new Map<string, number>();
  #flushes = 0;
  #appends = 0;

  constructor(options: SmallCrawlOptions) {
    this.#options = options;
    const { clock } = this;
    const inner = openMemoryFrontier({
      clock,
      delay: options.delay ?? 0,
      delayFactor: options.delayFactor ?? 0,
      maxPagesPerHost: Number.POSITIVE_INFINITY,
    });
    this.frontier = inner;
    let id = 0;
    this.parts = {
      ...NO_EXTRAS,
      clock,
      frontier: this.#recorded(inner),
      robots: this.robots(),
      fetcher: { fetch: (url, signal, unless) => this.#fetch(url, signal, unless), close: async () => undefined },
      reader: { read: async (page) => this.#read(page), markSettled: (url) => this.passedOver.push(url), close: async () => undefined },
      lists: options.lists ? this.#lists(options.lists) : null,
      alternates: options.alternates === undefined ? null : alternatesIn(options.alternates),
      followsLists: options.followsLists ?? (options.lists === undefined ? 'never' : 'auto'),
      reservations: options.reservations ? this.#reservations(options.reservations) : null,
      topic: { id: 'small', threshold: 0.5 },
      scorer: options.scorer ?? anchorNumbers(),
      scope: { refuses: (url) => options.refuses?.(url) ?? null },
      hostPolicy: {
        optedOut: (url) => options.optedOut?.(url) ?? false,
        withdrawn: (url) => options.withdrawn?.(url) ?? false,
        groupsOf: async (host) => (options.groupsOf ? options.groupsOf(host) : []),
      },
      expansion: {
        maxDepth: options.maxDepth ?? Number.POSITIVE_INFINITY,
        tunnel: options.tunnel ?? Number.POSITIVE_INFINITY,
        byRounds: options.byRounds ?? false,
      },
      kept: keptPayloads(inner),
      corpus: this.#corpus(),
      newRecordId: () => `urn:uuid:${++id}` as RecordId,
      hostKeyOf,
      emit: (event) => this.events.push(event),
      headroom: options.headroom ? { verdict: () => options.headroom?.(clock) ?? 'go' } : null,
      lost: options.lost ?? null,
    };
  }

  line(url: string): LedgerLine {
    const found = this.frontier.find(urlOf(url));
    if (!found) throw new Error(`${url} was never discovered`);
    return found.line;
  }

  fate(url: string): Fate | null {
    return this.frontier.find(urlOf(url))?.fate ?? null;
  }

  #recorded(inner: Frontier): Frontier {
    return {
      add: (discovery) => {
        this.added.push(discovery);
        return inner.add(discovery);
      },
      knows: (url) => inner.knows(url),
      wants: (url) => inner.wants(url),
      alternatesOf: (url) => inner.alternatesOf(url),
      improves: (...args) => this.#options.makesAllLinks === true || inner.improves(...args),
      ofHost: (host) => inner.ofHost(host),
      requested: () => inner.requested(),
      plain: () => inner.plain(),
      discoveriesOn: (pages) => inner.discoveriesOn(pages),
      linkTexts: (from) => inner.linkTexts(from),
      next: (only, patience) => {
        const next = inner.next(only, patience);
        if (next.kind === 'lease') this.leased += 1;
        return next;
      },
      lease: (url, only) => inner.lease(url, only),
      join: (lease, groups) => inner.join(lease, groups),
      turnTo: (...args) => inner.turnTo(...args),
      settle: (lease, settlement) => {
        inner.settle(lease, settlement);
        this.settlements.push({ url: lease.entry.url, lease: lease.id, settlement });
      },
      setHostDelay: (host, delay) => inner.setHostDelay(host, delay),
      rescore: (...args) => inner.rescore(...args),
      earlierVisits: () => inner.earlierVisits(),
      rescoring: (...args) => inner.rescoring(...args),
      unpark: (pattern) => inner.unpark(pattern),
      readmitHosts: () => inner.readmitHosts(),
      revisit: (...args) => inner.revisit(...args),
      refresh: (plan) => inner.refresh(plan),
      hint: (...args) => inner.hint(...args),
      revisits: () => inner.revisits(),
      get due() {
        return inner.due;
      },
      counts: () => inner.counts(),
      get visits() {
        return inner.visits;
      },
      commit: (offsets, after) => {
        const kept = this.settlements.filter(({ settlement }) => settlement.kind === 'done' && settlement.fate.state === 'kept');
        this.commits.push({ offsets, kept: kept.map(({ url }) => url) });
        return inner.commit(offsets, after);
      },
      storePriorities: () => inner.storePriorities(),
      runs: inner.runs,
      noteRuns: (runs) => inner.noteRuns(runs),
      get notes() {
        return inner.notes;
      },
      note: (notes) => inner.note(notes),
      held: () => inner.held(),
      lastCommit: () => inner.lastCommit(),
      committedOffsets: () => inner.committedOffsets(),
      scoredBy: null,
      noteScoredBy: (modelId) => inner.noteScoredBy(modelId),
      ledger: () => inner.ledger(),
      find: (url) => inner.find(url),
      standing: (url) => inner.standing(url),
      refusals: () => inner.refusals(),
      fates: () => inner.fates(),
      settled: () => inner.settled(),
      close: () => inner.close(),
    };
  }

  #corpus(): Parts['corpus'] {
    const { failCorpus } = this.#options;
    return {
      recorded: true,
      append: (entry) => {
        if (entry.kind === 'visit') this.recorded.push(entry.visit);
        else if (entry.kind === 'reservations') this.reserved.push(entry.file);
        else if (entry.kind === 'robots') this.robotsAnswers.push(entry.answer);
        else if (entry.kind === 'absence') this.absences.push(entry.absence);
        else if (entry.kind === 'revisit') this.again.push({ ...entry.record, url: entry.page.url, status: entry.page.status });
        else {
          const error = failCorpus?.onAppend?.(++this.#appends);
          if (error) throw error;
          this.records.push(entry.record);
          if (entry.document) this.documents.set(entry.record.id, entry.document);
        }
      },
      offsets: () => ({ 'records.jsonl': this.records.length }),
      flush: async () => {
        const error = failCorpus?.onFlush?.(++this.#flushes);
        if (error) throw error;
      },
      close: async () => undefined,
    };
  }

  #cacheOf(files: NonNullable<SmallCrawlOptions['robotsFiles']>): RobotsCache {
    const fetchFile = async (url: CanonicalUrl, _most: number, signal: AbortSignal): Promise<FetchOutcome> => {
      const start = this.clock.now();
      await this.#timed(url, signal);
      const answer = files[url] ?? failure('http-4xx', 404);
      return typeof answer === 'string' ? { kind: 'page', page: pageOf(url, answer, start, this.clock.now()) } : answer;
    };
    return new RobotsCache({ fetchFile }, 'Forager', this.clock);
  }

  /** As at the beginning of a run. */
  robots(): Parts['robots'] {
    const { robotsFiles } = this.#options;
    if (robotsFiles) return this.#cacheOf(robotsFiles);
    const known = new Set<HostKey>();
    const failed = new Map<HostKey, number>();
    const until = new Map<HostKey, number>();
    const rules = this.#options.robots ?? {};
    const ofHost = (host: HostKey) => rules[host];
    return {
      verdict: (url) => {
        const host = hostKeyOf(url);
        const retry = until.get(host);
        if (retry !== undefined) return this.clock.now() >= retry ? 'unknown' : 'deny';
        if (!known.has(host) && this.#options.robotsKnown === false) return 'unknown';
        if (!known.has(host) && ofHost(host)) return 'unknown';
        return ofHost(host)?.deny?.includes(new URL(url).pathname) ? 'deny' : 'allow';
      },
      load: async (host, signal) => {
        await this.#timed(`${host}/robots.txt`, signal);
        const tries = (failed.get(host) ?? 0) + 1;
        failed.set(host, tries);
        if (tries <= (ofHost(host)?.unreachable ?? 0)) {
          until.set(host, this.clock.now() + 60_000 * 2 ** (tries - 1));
          return { crawlDelay: null, sitemaps: [] };
        }
        until.delete(host);
        known.add(host);
        return { crawlDelay: ofHost(host)?.crawlDelay ?? null, sitemaps: [] };
      },
      unreachable: (host) => {
        const at = until.get(host);
        return at === undefined ? null : { until: at, cause: ofHost(host)?.cause ?? 'http-5xx' };
      },
      sitemaps: (host) => (known.has(host) ? (ofHost(host)?.sitemaps ?? []).map(urlOf) : []),
    };
  }

  #reservations(files: NonNullable<SmallCrawlOptions['reservations']>): ReservationSource {
    return {
      urlsFor: (host) => [urlOf(`${host}/.well-known/tdmrep.json`)],
      fetch: async (url, signal) => {
        const start = this.clock.now();
        await this.#timed(url, signal);
        const file = files[url] ?? failure('http-4xx', 404);
        return 'kind' in file ? file : { kind: 'page', page: pageOf(url, JSON.stringify(file), start, this.clock.now()) };
      },
      read: (body) => ({ rules: JSON.parse(Buffer.from(body).toString()) as ReservationRule[] }),
    };
  }

  #lists(lists: SmallLists): ListSource {
    return {
      usualPlaceOf: usualSitemapOf,
      mayBeList: leadsToList,
      linksTo: async () => ({ kind: 'list', links: [], lists: [] }),
      fetch: async (url, signal) => {
        const start = this.clock.now();
        await this.#timed(url, signal);
        const list = lists[url] ?? failure('http-4xx', 404);
        return 'kind' in list ? list : { kind: 'page', page: pageOf(url, url, start, this.clock.now()) };
      },
      read: async ({ url }) => {
        const list = lists[url];
        if (list === undefined || 'kind' in list) throw new Error(`${url} is no list`);
        const text = {
          anchorText: '',
          context: '',
          imageAlt: '',
          zone: 'other',
          tagPath: 'loc',
          anchorScore: null,
          contextScore: null,
        } as const;
        const links = (list.pages ?? []).map((page) =>
          typeof page === 'string' ? { url: urlOf(page), text } : { url: urlOf(page.url), text, alternates: alternatesOf(page.alternates) },
        );
        return { kind: 'list', links, lists: (list.lists ?? []).map(urlOf) };
      },
    };
  }

  async #timed(url: string, signal: AbortSignal): Promise<void> {
    const request = { url, start: this.clock.now(), end: Number.POSITIVE_INFINITY };
    this.requests.push(request);
    await this.clock.sleep(this.#options.latency?.(url) ?? 10, signal);
    request.end = this.clock.now();
    if (signal.aborted) this.aborted.push(url);
  }

  async #fetch(url: CanonicalUrl, signal: AbortSignal, unless: Validators | null = null): Promise<FetchOutcome> {
    if (unless) this.conditions.set(url, unless);
    const nth = (this.#asked.get(url) ?? 0) + 1;
    this.#asked.set(url, nth);
    this.#options.onFetch?.(url, nth, this.running);
    const start = this.clock.now();
    await this.#timed(url, signal);
    const answer = this.#answer(url, nth);
    if ('throws' in answer) throw answer.throws;
    if ('kind' in answer) return answer;
    const headers = answer.lastModified === undefined ? {} : { 'last-modified': answer.lastModified };
    const page = { ...pageOf(url, answer.body ?? url, start, this.clock.now()), headers };
    if (!answer.notModified) return { kind: 'page', page };
    return { kind: 'page', page: { ...page, status: 304, body: Buffer.alloc(0), wireBody: Buffer.alloc(0) } };
  }

  #answer(url: string, nth: number): Answer {
    const answers = this.#options.web[url];
    if (answers === undefined) return failure('http-4xx', 404);
    const list: readonly Answer[] = Array.isArray(answers) ? answers : [answers as Answer];
    return list[Math.min(nth, list.length) - 1] ?? failure('http-4xx', 404);
  }

  #read(page: FetchedPage): ReadOutcome {
    const answer = this.#answer(page.url, this.#asked.get(page.url) ?? 1);
    if (!('relevance' in answer)) throw new Error(`${page.url} is no page`);
    if (answer.readThrows) throw answer.readThrows;
    if (answer.readFails) return { kind: 'failed', code: answer.readFails, detail: 'as the table says' };
    return {
      kind: 'read',
      extraction: extractionOf(answer),
      links: linksOf(answer),
      relevance: answer.relevance,
      ...(answer.text !== undefined && { simhash: simhash(answer.text) }),
      ...(answer.rendering && { rendering: answer.rendering }),
    };
  }
}

export function failure(
  code: Extract<FetchOutcome, { kind: 'failed' }>['code'],
  status: number | null = null,
  retryAfter: Ms | null = null,
): Exclude<FetchOutcome, { kind: 'page' }> {
  return { kind: 'failed', code, status, detail: '', retryAfter, ms: 10 };
}

export function redirect(to: string): Exclude<FetchOutcome, { kind: 'page' }> {
  return { kind: 'redirect', status: 301, to: urlOf(to), ms: 10 };
}

/** Priority is the number in the anchor text, 0.5 without one; a seed has 1. Learns nothing but how often it was taught. */
export function anchorNumbers(): LinkScorer {
  let learnedFrom = 0;
  return {
    strategy: 'anchor',
    judgement: 'none',
    get learnedFrom() {
      return learnedFrom;
    },
    score: (links) => Float32Array.from(links, ({ edge }) => (edge ? Number(edge.link.anchorText || '0.5') : 1)),
    learn: () => {
      learnedFrom += 1;
    },
    explain: () => ({ logit: 0, bias: 0, contributions: [], priority: 0.5, rule: 'none' }),
  };
}

/** Pages of a random web on `hosts` hosts: links anywhere, one page in ten each a redirect, a failure, a dead page, a duplicate. */
export function randomWeb(pages: number, hosts: number, seed: number): { readonly web: SmallWeb; readonly seeds: readonly string[] } {
  const rng = seededRng(seed);
  const url = (i: number) => `http://h${i % hosts}.test/${i}`;
  const any = () => url(Math.floor(rng() * pages));
  const web: Record<string, Answer | readonly Answer[]> = {};
  for (let i = 0; i < pages; i++) {
    const links = Array.from({ length: 4 }, () => [any(), rng().toFixed(3)] as const);
    const page: SmallPage = { relevance: rng(), links };
    const kinds: readonly (Answer | readonly Answer[])[] = [
      redirect(any()),
      failure('protocol'),
      failure('http-4xx', 404),
      [failure('reset'), page],
      { ...page, body: 'the same' },
    ];
    web[url(i)] = kinds[Math.floor(rng() * 10)] ?? page;
  }
  return { web, seeds: [0, 1, 2, 3].map(url) };
}

function pageOf(url: CanonicalUrl, text: string, startedAt: number, endedAt: number): FetchedPage {
  const body = Buffer.from(text);
  return {
    url,
    status: 200,
    statusText: 'OK',
    rawHeaders: [],
    headers: {},
    requestHeaders: [],
    body,
    wireBody: body,
    truncated: false,
    startedAt,
    endedAt,
    ip: null,
  };
}

/** Languages are those that pages declare. */
function alternatesIn(followed: FollowedLanguages): AlternateSource {
  const primaryOf = (tag: string) => (tag === 'x-default' ? null : (tag.split('-', 1)[0] ?? null));
  const follows = (tag: string) => primaryOf(tag) !== null && (followed === 'all' || followed.includes(primaryOf(tag) ?? ''));
  return {
    follows,
    primaryOf,
    languageOf: ({ lang }) => lang,
    mayTake: ({ lang }) => lang === null || follows(lang),
  };
}

function alternatesOf(urls: Readonly<Record<string, string>>): readonly Alternate[] {
  return Object.entries(urls).map(([lang, url]) => ({ lang, url: urlOf(url) }));
}

function extractionOf({
  noindex = false,
  nofollow = false,
  feeds = [],
  reservation,
  wall,
  shell,
  text = 'its text',
  lang = 'en',
  alternates = {},
}: SmallPage): Extract<ReadOutcome, { kind: 'read' }>['extraction'] {
  return {
    title: 'a page',
    text,
    otherText: '',
    lang,
    noindex,
    nofollow,
    feeds: feeds.map(urlOf),
    ...(reservation && { reservation }),
    ...(wall && { wall }),
    ...(shell && { shell }),
    metadata: { ...NO_METADATA, alternates: alternatesOf(alternates) },
    fields: {},
    charset: 'utf-8',
    warnings: [],
  };
}

function linksOf({ links = [] }: SmallPage): ReadLink[] {
  return links.map((link) => {
    const [url, anchorText] = typeof link === 'string' ? [link, ''] : link;
    const text = { anchorText, context: '', imageAlt: '', zone: 'content', tagPath: 'p>a', anchorScore: 0.5, contextScore: 0.4 } as const;
    return { url: urlOf(url), text };
  });
}
