/** Traps in the methods of the crawl's parts. */
import type { CorpusOffsets, Frontier } from '../../dist/base/core/parts/queueing.js';
import { FileCorpusWriter } from '../../dist/corpus/records/corpus-writer.js';
import { HttpFetcher } from '../../dist/crawling/fetch/http-fetcher.js';
import { RobotsCache } from '../../dist/crawling/fetch/robots-cache.js';
import { openMemoryFrontier } from '../../dist/crawling/frontier/frontier.js';
import { LmdbStore } from '../../dist/crawling/frontier/lmdb-store.js';
import type { CrashPoint } from './crash-plan.ts';

type At = (point: CrashPoint) => void;

/** @param warcBytes size that WARC files roll at; the crawl's own where left out */
export function trapParts(at: At, warcBytes: number | undefined): void {
  trapFetching(at);
  trapFrontier(at);
  trapStore(at);
  trapCorpus(at, warcBytes);
}

function trapFetching(at: At): void {
  const { fetch } = HttpFetcher.prototype;
  HttpFetcher.prototype.fetch = async function (...args) {
    const outcome = await fetch.apply(this, args);
    at('fetched');
    return outcome;
  };
  const { load } = RobotsCache.prototype;
  RobotsCache.prototype.load = function (...args) {
    const loading = load.apply(this, args);
    // The request leaves with this turn of the event loop; the server answers no sooner than its latency.
    setImmediate(() => at('robots.txt loading'));
    return loading;
  };
}

function trapFrontier(at: At): void {
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const frontier: Frontier = Object.getPrototypeOf(openMemoryFrontier({ clock, delay: 0, maxPagesPerHost: 1 }));
  const { next, settle } = frontier;
  frontier.next = function (...args) {
    const lease = next.apply(this, args);
    if (lease.kind === 'lease') at('leased');
    return lease;
  };
  frontier.settle = function (...args) {
    settle.apply(this, args);
    at('settled');
  };
}

function trapStore(at: At): void {
  const { open } = LmdbStore;
  LmdbStore.open = (...args) => {
    const store = open.apply(LmdbStore, args);
    at('frontier opened');
    return store;
  };
  const { appendDiscovery, commit, putRejudgement } = LmdbStore.prototype;
  LmdbStore.prototype.appendDiscovery = function (...args) {
    appendDiscovery.apply(this, args);
    at('outlinks inserted');
  };
  LmdbStore.prototype.commit = async function (offsets, after) {
    await commit.call(this, trappedOffsets(offsets, at), after);
    at('committed');
  };
  LmdbStore.prototype.putRejudgement = async function (...args) {
    at('model saved');
    await putRejudgement.apply(this, args);
    at('rejudgement stored');
  };
}

/** The offsets are put into the transaction last: whoever reads them to encode them is in it. */
function trappedOffsets(offsets: CorpusOffsets, at: At): CorpusOffsets {
  const [first] = Object.entries(offsets);
  if (first === undefined) return offsets;
  const [name, size] = first;
  let reads = 0;
  return Object.defineProperty({ ...offsets }, name, {
    enumerable: true,
    get: () => {
      if (reads++ === 0) at('in transaction');
      return size;
    },
  });
}

function trapCorpus(at: At, warcBytes: number | undefined): void {
  const { open } = FileCorpusWriter;
  FileCorpusWriter.open = async (dir, committed, info, options) => {
    const maxWarcBytes = warcBytes === undefined ? {} : { maxWarcBytes: warcBytes };
    const writer = await open.call(FileCorpusWriter, dir, committed, info, { ...options, ...maxWarcBytes });
    at('corpus opened');
    return writer;
  };
  const { append, flush } = FileCorpusWriter.prototype;
  FileCorpusWriter.prototype.append = function (...args) {
    append.apply(this, args);
    at('appended');
  };
  FileCorpusWriter.prototype.flush = async function (...args) {
    await flush.apply(this, args);
    at('flushed');
  };
}
