/** The crawl of the soak, by the built library in a process of its own that looks at itself every ten seconds. Needs `--expose-gc`. */
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { crawl } from 'forager';
import type { Bytes, Ms } from '../../src/base/core/types.ts';

/** What the parent asks for. */
export interface SoakCrawlOptions {
  readonly dir: string;
  readonly topic: string;
  readonly seeds: readonly string[];
  readonly maxTime: Ms;
}

/** A look at the process, after a garbage collection of the main thread. */
export interface Look {
  /** Since the crawl began. */
  readonly at: Ms;
  readonly visited: number;
  readonly kept: number;
  readonly discovered: number;
  /** Resident: all; what is the process's own; pages of mapped files, which the system takes back as it likes. */
  readonly rss: Bytes;
  readonly own: Bytes;
  readonly mapped: Bytes;
  /** Of the main thread: JavaScript objects, the heap they are in, and what they hold outside it. */
  readonly heap: Bytes;
  readonly committed: Bytes;
  readonly external: Bytes;
  readonly buffers: Bytes;
  readonly descriptors: number;
  readonly threads: number;
  readonly timers: number;
  /** All else that keeps the event loop going: sockets, ports, requests. */
  readonly handles: number;
}

/** The last word: looks before the crawl and after it, and why it ended. */
export interface SoakEnd {
  readonly before: Look;
  readonly after: Look;
  readonly stopReason: string;
}

const SECOND: Ms = 1000;
/** While it finds its URLs it is looked at each second, to tell what each costs; then every ten. */
const CLOSELY: Ms = 60 * SECOND;
const EVERY = 10;

const nothing = () => ({ visited: 0, kept: 0, discovered: 0 });

process.once('message', (options: SoakCrawlOptions) => void soak(options));

async function soak({ dir, topic, seeds, maxTime }: SoakCrawlOptions): Promise<void> {
  const settings = { topic, allowPrivate: true, delay: 0, delayFactor: 0, contact: 'soak@forager.test' };
  // What is made once for a process (thread pools, compiled modules) is made by a first crawl.
  await crawl({ ...settings, dir: `${dir}-first`, seeds: seeds.slice(0, 1), maxPages: 50 });
  const startedAt = performance.now();
  const before = look(startedAt, nothing());
  let counts: () => ReturnType<typeof nothing> = nothing;
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    const isTime = seconds * SECOND <= CLOSELY || seconds % EVERY === 0;
    // Once its time is over it sums up what it did, which is no longer crawling.
    if (isTime && performance.now() - startedAt < maxTime - SECOND) process.send?.(look(startedAt, counts()));
  }, SECOND);
  const onStart = (running: { readonly counts: typeof counts }) => {
    counts = running.counts;
  };
  const { stopReason } = await crawl({ ...settings, dir, seeds, maxTime, onStart });
  clearInterval(timer);
  await new Promise((resolve) => setTimeout(resolve, SECOND));
  const end: SoakEnd = { before, after: look(startedAt, nothing()), stopReason };
  process.send?.(end, () => process.exit(0));
}

function look(startedAt: Ms, { visited, kept, discovered }: ReturnType<typeof nothing>): Look {
  globalThis.gc?.();
  const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  const status = readFileSync('/proc/self/status', 'utf8');
  const numberIn = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const active = process.getActiveResourcesInfo();
  const timers = active.filter((kind) => kind === 'Timeout' || kind === 'Immediate').length;
  return {
    at: performance.now() - startedAt,
    visited,
    kept,
    discovered,
    rss: numberIn('VmRSS') * 1024,
    own: numberIn('RssAnon') * 1024,
    mapped: numberIn('RssFile') * 1024,
    heap: heapUsed,
    committed: heapTotal,
    external,
    buffers: arrayBuffers,
    // Less the one that lists them.
    descriptors: readdirSync('/proc/self/fd').length - 1,
    threads: numberIn('Threads'),
    timers,
    handles: active.length - timers,
  };
}
