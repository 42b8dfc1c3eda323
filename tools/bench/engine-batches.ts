/**
 * The commits of workers of a shared crawl, made in advance: each worker has a frontier of its own, which visits pages of a web without end, and passes links to
 * the others on. Everything is made by the classes of a crawl, but for the log, which is a file a worker.
 */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { systemClock } from '../../src/base/core/clock.ts';
import type { Lesson } from '../../src/base/core/parts/scoring.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import {
  type CanonicalUrl,
  type DiscoveredLink,
  type Discovery,
  type Fate,
  type FrontierEntry,
  type HostKey,
  PAGE,
  type RecordId,
} from '../../src/base/core/types.ts';
import { packLessons } from '../../src/crawling/cluster/lesson-rows.ts';
import { partitionsOf } from '../../src/crawling/cluster/partition-of.ts';
import type { Batch } from '../../src/crawling/cluster/worker.ts';
import { openLoggedFrontier } from '../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../src/crawling/frontier/frontier-parts.ts';
import { logRowsOf, type PassedOn, packPassedOn, unpackPassedOn } from '../../src/crawling/frontier/log-rows.ts';
import type { LoggedFrontier } from '../../src/crawling/frontier/logged-frontier.ts';

/** What a worker commits at once: `COMMIT_EVERY` of the committer. */
export const GROUP = 100;
export const LINKS = 40;
/** Of the links of a page, those that were seen before: as in the bench of the frontier. */
const KNOWN_SHARE = 0.25;
/** Main text of a page, in words: some 6 KB. */
const WORDS = 1_000;
export const FRONTIER: FrontierOptions = { clock: systemClock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY, traps: true };

/** A commit, and the payloads that were claimed for its pages. */
export interface MadeBatch extends Pick<Batch, 'rows' | 'passedOn' | 'lessons' | 'visits'> {
  readonly payloads: readonly (readonly [sha256: string, url: CanonicalUrl])[];
}

export interface BatchOptions {
  readonly folder: string;
  readonly workers: number;
  readonly partitions: number;
  readonly hosts: number;
  /** Until so many URLs are discovered. */
  readonly urls: number;
  /** Of the links of a page, those to any host. The others lead to the page's own. */
  readonly abroad: number;
}

export interface MadeBatches {
  /** By worker. */
  readonly files: readonly string[];
  readonly urls: number;
  readonly settlements: number;
  /** Links that were passed on. */
  readonly passedOn: number;
}

/** The partitions that a worker holds when each has an equal part: those that `tend` gives the workers in their order. */
export function shareOf(worker: number, { workers, partitions }: Pick<BatchOptions, 'workers' | 'partitions'>): readonly number[] {
  const quotas = Array.from({ length: workers }, (_, i) => Math.floor(partitions / workers) + (i < partitions % workers ? 1 : 0));
  const first = quotas.slice(0, worker).reduce((sum, one) => sum + one, 0);
  return Array.from({ length: quotas[worker] ?? 0 }, (_, i) => first + i);
}

export async function makeBatches(options: BatchOptions): Promise<MadeBatches> {
  const { workers, partitions } = options;
  const web = new EndlessWeb(options.hosts, options.abroad);
  const ownerOf = new Map(Array.from({ length: workers }, (_, i) => shareOf(i, options).map((no) => [no, i] as const)).flat());
  const mail: PassedOn[][] = Array.from({ length: workers }, () => []);
  const makers = mail.map(
    (_, i) =>
      new BatchMaker(join(options.folder, `made-${i}`), join(options.folder, `made-${i}.batches`), shareOf(i, options), partitions, web),
  );
  let urls = 0;
  let settlements = 0;
  let passedOn = 0;
  while (urls < options.urls) {
    urls = 0;
    for (const [i, maker] of makers.entries()) {
      const received = mail[i]?.splice(0) ?? [];
      const made = await maker.make(received);
      for (const letter of made.passedOn) mail[ownerOf.get(letter.partition) ?? 0]?.push(letter);
      settlements += made.visits;
      passedOn += maker.foreign;
      urls += maker.urls;
    }
  }
  return { files: await Promise.all(makers.map((maker) => maker.close())), urls, settlements, passedOn };
}

/** A worker that visits pages and writes its commits to a file. */
class BatchMaker {
  readonly #file: string;
  readonly #output: number;
  readonly #frontier: LoggedFrontier;
  readonly #web: EndlessWeb;
  #rows: Batch['rows'] = [];
  #passedOn: readonly PassedOn[] = [];
  /** Links that the last commit passed on. */
  foreign = 0;

  constructor(view: string, file: string, held: readonly number[], partitions: number, web: EndlessWeb) {
    const partitionOf = partitionsOf(partitions);
    const own = new Set(held);
    this.#file = file;
    this.#output = openSync(file, 'w');
    this.#web = web;
    const log = {
      begin: ({ entries, passedOn }: Parameters<Parameters<typeof openLoggedFrontier>[3]['begin']>[0]) => {
        this.#rows = logRowsOf(entries, partitionOf, held);
        this.#passedOn = packPassedOn(passedOn, partitionOf);
        this.foreign = passedOn.reduce((sum, { links }) => sum + links.length, 0);
        return async () => ({ commit: 0, id: null });
      },
    };
    const share = { isAway: (host: HostKey) => !own.has(partitionOf(host)), held: () => held };
    this.#frontier = openLoggedFrontier(view, FRONTIER, null, log, share);
    this.#frontier.add({
      referrer: null,
      depth: 0,
      offTopicDepth: 0,
      redirects: 0,
      learnedFrom: 0,
      links: web.seeds().filter(({ host }) => !share.isAway(host)),
    });
  }

  get urls(): number {
    return this.#frontier.counts().discovered;
  }

  /** One commit of `GROUP` settlements. @param received links of the others */
  async make(received: readonly PassedOn[]): Promise<MadeBatch> {
    for (const discovery of received.flatMap(({ body }) => unpackPassedOn(body))) this.#frontier.add(discovery);
    const lessons: Lesson[] = [];
    const payloads: [string, CanonicalUrl][] = [];
    for (let i = 0; i < GROUP; i++) {
      const next = this.#frontier.next();
      if (next.kind !== 'lease') throw new Error(`expected a lease, got ${next.kind}`);
      const { entry } = next.lease;
      const fate = this.#web.fateOf(entry);
      const discovered = this.#web.discoveryOf(entry);
      this.#frontier.settle(next.lease, { kind: 'done', fate, discovered, host: { ms: 0, sign: 'well', retryAfter: null } });
      lessons.push({ entry, relevance: fate.relevance ?? 0 });
      payloads.push([fate.payloadSha256 ?? '', entry.url]);
    }
    await this.#frontier.commit({}, Promise.resolve());
    const made = { rows: this.#rows, passedOn: this.#passedOn, lessons: packLessons(lessons), visits: GROUP, payloads };
    const bytes = packr.pack(made);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    writeSync(this.#output, length);
    writeSync(this.#output, bytes);
    return made;
  }

  /** @returns the file */
  async close(): Promise<string> {
    closeSync(this.#output);
    await this.#frontier.close();
    return this.#file;
  }
}

const packr = new Packr({});

/** The commits of a file, in their order. */
export function* readBatches(file: string): Generator<MadeBatch> {
  const input = openSync(file, 'r');
  const head = Buffer.alloc(4);
  try {
    while (readSync(input, head) === head.length) {
      const bytes = Buffer.alloc(head.readUInt32LE());
      readSync(input, bytes);
      yield packr.unpack(bytes) as MadeBatch;
    }
  } finally {
    closeSync(input);
  }
}

/** Pages of hosts, each of a domain of its own. */
class EndlessWeb {
  readonly #rng: Rng = seededRng(1);
  readonly #abroad: number;
  /** By host, how many of its pages are known. */
  readonly #pages: Uint32Array;
  readonly #words = Array.from({ length: 2_000 }, (_, i) => wordOf(i));

  constructor(hosts: number, abroad: number) {
    this.#pages = new Uint32Array(hosts).fill(1);
    this.#abroad = abroad;
  }

  /** One page of each host. */
  seeds(): DiscoveredLink[] {
    return Array.from(this.#pages, (_, host) => this.#link(host, 0));
  }

  discoveryOf({ url, depth }: FrontierEntry): Discovery {
    const own = Number(/-(\d+)\./.exec(url)?.[1]);
    const links = Array.from({ length: LINKS }, () => {
      const host = this.#rng() < this.#abroad ? this.#below(this.#pages.length) : own;
      const known = this.#pages[host] ?? 0;
      if (this.#rng() < KNOWN_SHARE) return this.#link(host, this.#below(known));
      this.#pages[host] = known + 1;
      return this.#link(host, known);
    });
    const referrer = { url, title: this.#text(5), relevance: this.#rng(), depth, offTopicDepth: 0 };
    return { referrer, depth: depth + 1, offTopicDepth: 0, redirects: 0, learnedFrom: 0, links };
  }

  fateOf({ url }: FrontierEntry): Fate {
    return {
      state: 'kept',
      reason: '',
      relevance: this.#rng(),
      status: 200,
      fetchedAt: systemClock.now(),
      recordId: `urn:uuid:${randomUUID()}` as RecordId,
      payloadSha256: createHash('sha256').update(url).digest('hex'),
      page: { title: this.#text(5), text: this.#text(WORDS), lang: 'en' },
      visited: true,
    };
  }

  #link(host: number, page: number): DiscoveredLink {
    const key = `https://www.site-${host}.example` as HostKey;
    return {
      url: `${key}/articles/${page % 97}/page-${page}.html` as CanonicalUrl,
      host: key,
      priority: this.#rng(),
      refusal: null,
      text: {
        anchorText: this.#text(5),
        context: this.#text(10),
        imageAlt: '',
        zone: 'content',
        tagPath: 'ul>li>a',
        anchorScore: null,
        contextScore: this.#rng(),
      },
      task: PAGE,
    };
  }

  #below(limit: number): number {
    return Math.floor(this.#rng() * limit);
  }

  /** Words by Zipf's law, nearly: the square of an even draw. */
  #text(words: number): string {
    const drawn: string[] = [];
    for (let i = 0; i < words; i++) drawn.push(this.#words[Math.floor(this.#rng() ** 2 * this.#words.length)] ?? '');
    return drawn.join(' ');
  }
}

/** Three to eight letters, as of a language that nobody speaks. */
function wordOf(i: number): string {
  const rng = seededRng(i + 2);
  return Array.from({ length: 3 + Math.floor(rng() * 6) }, (_, at) =>
    (at % 2 === 0 ? 'bdfghklmnprstvw' : 'aeiou').charAt(rng() * (at % 2 === 0 ? 15 : 5)),
  ).join('');
}
