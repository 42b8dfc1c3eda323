/**
 * A process of the bench of the database: a writer, which sends commits that were made in advance, or a taker, which takes up the partitions of a worker from
 * an empty disk. The bench tells it by messages when to do what.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/core/clock.ts';
import type { CanonicalUrl } from '../../src/base/core/types.ts';
import { findEngineCrawl } from '../../src/crawling/cluster/crawl-list.ts';
import { readEngineAddress } from '../../src/crawling/cluster/engine-address.ts';
import { sharedPayloads } from '../../src/crawling/cluster/shared-payloads.ts';
import { SharedSession } from '../../src/crawling/cluster/shared-session.ts';
import { SqlClient } from '../../src/crawling/cluster/sql-client.ts';
import { EngineWorker, type ForwardedLinks } from '../../src/crawling/cluster/worker.ts';
import { Committer, commitAll } from '../../src/crawling/crawl/committer.ts';
import { openLoggedFrontier } from '../../src/crawling/frontier/frontier.ts';
import { FRONTIER, GROUP, readBatches } from './engine-batches.ts';

/** What the bench tells a process. `join` becomes a worker, `hold` takes its partitions, `run` does the work; each is answered by its own kind. */
export type Order =
  | { readonly kind: 'join'; readonly at: string; readonly corpus: string }
  | { readonly kind: 'hold'; readonly expected: readonly number[] }
  | { readonly kind: 'write'; readonly file: string }
  | { readonly kind: 'take'; readonly view: string };

export type Answer =
  | { readonly kind: 'join' | 'hold' }
  | Written
  | { readonly kind: 'take'; readonly seconds: number; readonly cpu: number; readonly urls: number }
  /** A taker's share of the partitions, whenever it changes. `at` is a date in milliseconds. */
  | { readonly kind: 'share'; readonly held: number; readonly at: number };

export interface Written {
  readonly kind: 'write';
  readonly commits: number;
  readonly settlements: number;
  /** Letters that were read from the inbox and deleted. */
  readonly letters: number;
  readonly lessons: number;
}

/** Visits of a worker in flight: the default of `--concurrency`. */
const IN_FLIGHT = 16;
/** Between looks at the crawl: that of the session. */
const LOOK_EVERY = 500;
const never = new AbortController().signal;
const BUSY = { best: null, wants: true, patience: 20_000 };

class BenchProcess {
  readonly #worker: EngineWorker;
  #held: ReadonlyMap<number, number> = new Map();

  constructor(worker: EngineWorker) {
    this.#worker = worker;
  }

  /** @throws Error if the partitions are not those for which the commits were made */
  async hold(expected: readonly number[]): Promise<void> {
    const { held } = await this.#worker.tend(0, null, false, true, BUSY);
    this.#held = new Map(held.map(([partition, epoch]) => [partition, epoch]));
    if ([...this.#held.keys()].join() !== expected.join())
      throw new Error(`holds ${[...this.#held.keys()].join()}, not ${expected.join()}`);
  }

  /** Sends commits as a worker does: payloads are claimed for the next one while one is stored, and the crawl is looked at twice a second. */
  async write(file: string): Promise<Written> {
    const worker = this.#worker;
    const payloads = sharedPayloads(worker, [], never, () => undefined);
    const done = { commits: 0, settlements: 0, letters: 0, lessons: 0 };
    const [partitions, known] = [[...this.#held.keys()], new Map<string, ForwardedLinks>()];
    let fresh: ForwardedLinks[] = [];
    let isDone = false;
    const looks = (async () => {
      while (!isDone) {
        const { lessons } = await worker.tend(done.settlements, null, false, true, BUSY);
        for (const letter of await worker.letters(partitions)) {
          const key = `${letter.partition} ${letter.commit} ${letter.place}`;
          if (known.has(key)) continue;
          known.set(key, letter);
          fresh.push(letter);
        }
        for (let more = done.lessons < lessons; more; ) {
          const rows = await worker.lessonsFrom(done.lessons + 1);
          done.lessons += rows.reduce((sum, { count }) => sum + count, 0);
          more = rows.length > 0;
        }
        await sleep(LOOK_EVERY);
      }
    })();
    let storing: Promise<unknown> = Promise.resolve();
    for (const { payloads: claims, ...batch } of readBatches(file)) {
      await claimed(payloads, claims);
      await storing;
      const read = fresh;
      fresh = [];
      storing = worker
        .commit(
          {
            ...batch,
            held: this.#held,
            read,
            models: 0,
            sizes: { 'records.jsonl': done.settlements },
            sums: { 'records.jsonl': done.settlements },
          },
          never,
        )
        .then(() => {
          for (const { partition, commit, place } of read) known.delete(`${partition} ${commit} ${place}`);
        });
      done.commits += 1;
      done.settlements += GROUP;
      done.letters += read.length;
    }
    await storing;
    isDone = true;
    await looks;
    await worker.leave();
    return { kind: 'write', ...done };
  }

  /** Takes the partitions into a new view, and stays a worker. */
  async take(view: string): Promise<Answer> {
    const clock = systemClock;
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    const session = new SharedSession(this.#worker, clock, {
      onShare: ({ held }) => tell({ kind: 'share', held, at: Date.now() }),
      onGone: (why) => console.error(why),
      onLost: fail,
    });
    const frontier = openLoggedFrontier(view, FRONTIER, null, session, session);
    const corpus = { offsets: () => ({}), flush: () => Promise.resolve() };
    const committer = new Committer({ clock, frontier, corpus, emit: () => undefined }, fail);
    await session.open({ frontier, busyHosts: () => [], added: () => committer.added(), commit: () => commitAll(frontier, corpus) });
    const { user, system } = process.cpuUsage(cpu);
    return { kind: 'take', seconds: (performance.now() - started) / 1_000, cpu: (user + system) / 1e6, urls: frontier.counts().discovered };
  }
}

async function claimed(payloads: ReturnType<typeof sharedPayloads>, claims: readonly (readonly [string, CanonicalUrl])[]): Promise<void> {
  const waiting = claims.values();
  const one = async () => {
    for (const [sha256, url] of waiting) if ((await payloads.claim(sha256, url)) !== null) throw new Error(`${url}: is a copy`);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
}

function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}

function tell(answer: Answer): void {
  process.send?.(answer);
}

async function joined({ at, corpus }: Order & { kind: 'join' }): Promise<BenchProcess> {
  const address = readEngineAddress(at);
  const client = await SqlClient.connect(address);
  const crawl = await findEngineCrawl(client, address.crawl);
  if (crawl === null) throw new Error(`${at}: there is no crawl`);
  return new BenchProcess(await EngineWorker.join(client, crawl, { id: corpus, host: 'bench', path: '/bench' }, `bench ${process.pid}`));
}

/** Obeys until the bench ends it. */
export async function obey(): Promise<never> {
  let self: BenchProcess | null = null;
  for (;;) {
    const [order] = (await once(process, 'message')) as [Order];
    if (order.kind === 'join') self = await joined(order);
    else if (order.kind === 'hold') await self?.hold(order.expected);
    const answer = order.kind === 'write' ? self?.write(order.file) : order.kind === 'take' ? self?.take(order.view) : { kind: order.kind };
    if (answer) tell(await answer);
  }
}
