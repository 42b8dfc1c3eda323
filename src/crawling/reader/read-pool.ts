import { Worker } from 'node:worker_threads';
import type { ListOutcome, PageReader, ReadOutcome } from '../../base/core/parts/reading.ts';
import { REPLIES } from '../../base/core/reply-line.ts';
import type { Bytes, CanonicalUrl, FetchedPage, Ms } from '../../base/core/types.ts';
import type { ListedPage } from '../../reading/extract/list-reader.ts';
import { type PackedLinks, unpackLinks } from './packed-links.ts';
import type { ListForm } from './read-list.ts';

export interface ReadPoolOptions {
  /** Module of the worker: it takes a `ReadRequest` and posts a `ReadReply` or `FaultReply`, or a `ListReply` for a list. */
  readonly worker: URL;
  /** Given to each worker as `workerData`. */
  readonly workerData: unknown;
  readonly workers: number;
  /** A page that takes longer fails, and its worker is replaced. */
  readonly maxReadTime: Ms;
  /** Heap of one worker. A page that needs more ends its worker, which is replaced. */
  readonly maxWorkerHeap: Bytes;
  /** Receives URLs whose links are not wanted any more. Absent if all links are wanted. */
  readonly markSettled?: (url: CanonicalUrl) => void;
}

export interface ReadRequest {
  readonly id: number;
  readonly url: FetchedPage['url'];
  readonly headers: FetchedPage['headers'];
  readonly body: Uint8Array;
  readonly rendered: boolean;
  /** The kind of list; null for a page. */
  readonly list: ListForm | null;
}

export interface ReadReply {
  readonly id: number;
  readonly read: Omit<Extract<ReadOutcome, { kind: 'read' }>, 'links'>;
  readonly links: PackedLinks;
}

/** A document that could not be read. */
export interface FaultReply {
  readonly id: number;
  readonly fault: Exclude<ReadOutcome, { kind: 'read' }>;
}

export interface ListReply {
  readonly id: number;
  readonly lists: readonly CanonicalUrl[];
  readonly links: PackedLinks;
}

type Reply = ReadReply | ListReply | FaultReply;

type ReadFile = Pick<FetchedPage, 'url' | 'headers' | 'body' | 'rendered'>;

type Failure = Extract<ListOutcome, { kind: 'failed' }>;

/** The garbage of a page is dropped when the next one is read: a young generation of this size drops most of it without copying. */
const YOUNG_GENERATION_MB = 32;

/** Lateness of a timer above which the process was stopped or got no processor time: SIGSTOP, a debugger, swapping. */
const STOPPED: Ms = 1000;

interface Waiting {
  readonly request: ReadRequest;
  readonly take: (reply: Reply) => void;
  readonly fail: (failure: Failure) => void;
}

/** Worker threads read the pages, so the main thread never parses HTML. A page can cost its worker, never the crawl. */
export class ReadPool implements PageReader {
  readonly markSettled?: (url: CanonicalUrl) => void;
  readonly #lanes: Lane[];
  #lastId = 0;

  constructor(options: ReadPoolOptions) {
    if (options.markSettled) this.markSettled = options.markSettled;
    this.#lanes = Array.from({ length: options.workers }, () => new Lane(options));
  }

  read(page: FetchedPage): Promise<ReadOutcome> {
    return new Promise((resolve) => {
      const take = (reply: Reply) => {
        if ('read' in reply) resolve({ ...reply.read, links: unpackLinks(reply.links) });
        if ('fault' in reply) resolve(reply.fault);
      };
      this.#give({ request: this.#request(page, null), take, fail: resolve });
    });
  }

  /** A sitemap or feed, in the same threads and with the same caps. */
  readList(page: ReadFile, kind: ListForm): Promise<ListOutcome> {
    return new Promise((resolve) => {
      const take = (reply: Reply) => {
        if ('lists' in reply) resolve({ kind: 'list', lists: reply.lists, links: unpackLinks(reply.links) });
      };
      this.#give({ request: this.#request(page, kind), take, fail: resolve });
    });
  }

  /** Judges the titles of pages that a file of the user names. */
  readTitles(pages: readonly ListedPage[]): Promise<ListOutcome> {
    const url = pages[0]?.url;
    if (url === undefined) return Promise.resolve({ kind: 'list', links: [], lists: [] });
    return this.readList({ url, headers: {}, body: Buffer.from(JSON.stringify(pages)) }, 'url-list');
  }

  #request({ url, headers, body, rendered }: ReadFile, list: ListForm | null): ReadRequest {
    return { id: ++this.#lastId, url, headers, body, rendered: rendered === true, list };
  }

  #give(waiting: Waiting): void {
    this.#lanes.reduce((least, other) => (other.load < least.load ? other : least)).take(waiting);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** One worker and its pages, read in order: the first is being read. */
class Lane {
  readonly #options: ReadPoolOptions;
  #worker: Worker;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: ReadPoolOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  get load(): number {
    return this.#waiting.length;
  }

  take(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#worker.postMessage(waiting.request);
    if (this.#waiting.length === 1) this.#watch();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #start(): Worker {
    const { worker: module, workerData, maxWorkerHeap } = this.#options;
    const worker = new Worker(module, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(maxWorkerHeap / 2 ** 20), maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    // A worker may answer at the moment its page is given up: such a reply does not belong to the next page.
    worker.on('message', (reply: Reply) => {
      if (reply.id === this.#waiting[0]?.request.id) this.#finish((first) => REPLIES.add(() => first.take(reply)));
    });
    let reason = 'the worker stopped';
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', () => {
      if (worker === this.#worker && !this.#closed) this.#replace({ kind: 'failed', code: 'read-crash', detail: reason });
    });
    return worker;
  }

  /** The first page is read: continue with the next. */
  #finish(end: (first: Waiting) => void): void {
    const first = this.#waiting.shift();
    this.#watch();
    if (first) end(first);
  }

  #watch(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    const { maxReadTime } = this.#options;
    const detail = `not read within ${maxReadTime} ms`;
    const due = performance.now() + maxReadTime;
    this.#timer = setTimeout(() => {
      // A process that was stopped in the meantime has neither read nor counted time.
      if (performance.now() > due + STOPPED) this.#watch();
      else this.#replace({ kind: 'failed', code: 'read-timeout', detail });
    }, maxReadTime);
  }

  /** The first page ended its worker: fail the page, and give the others to a new worker. */
  #replace(failure: Failure): void {
    const old = this.#worker;
    this.#worker = this.#start();
    void old.terminate();
    for (const { request } of this.#waiting.slice(1)) this.#worker.postMessage(request);
    this.#finish((first) => first.fail(failure));
  }
}
