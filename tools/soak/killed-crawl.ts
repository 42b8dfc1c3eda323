/** A crawl killed outright at random moments, and resumed each time by the same command. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { RunningWeb } from '../../datasets/web-proxy.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { status } from '../../src/study/inspect/status.ts';
import { differencesFrom } from './compare-crawls.ts';
import { type CheckReport, CONCURRENCY, type CrashBench, pagesAsked, pause, startCli, succeeded } from './crash-bench.ts';

export interface KilledCrawlOptions {
  /** Of the crawl, which is new. */
  readonly dir: string;
  readonly kills: number;
  /** Of the moments. */
  readonly seed: number;
  /** Of the server. */
  readonly latency: Ms;
}

export interface KilledCrawlReport extends CheckReport {
  /** Visits committed at each kill. */
  readonly killedAt: readonly number[];
}

/** A kill comes up to this long after the request that calls for it: commits are a quarter of a second apart. */
const JITTER: Ms = 300;

/** Crawl with kills, and compare with the crawl left alone. */
export async function killedCrawl(bench: CrashBench, options: KilledCrawlOptions): Promise<KilledCrawlReport> {
  const server = await bench.serve(options.latency);
  try {
    const killedAt = await killAgainAndAgain(bench, server, options);
    await succeeded(startCli(bench.crawlArgs(options.dir, server)));
    const differences = [...(await differencesFrom(bench.alone, options.dir)), ...killsInTime(killedAt, bench.alone.visited)];
    const again = pagesAsked(server, 0) - bench.needed;
    return { differences, killedAt, said: `killed at ${killedAt.join(', ')} visits; ${again} pages asked for again` };
  } finally {
    await server.close();
  }
}

async function killAgainAndAgain(bench: CrashBench, server: RunningWeb, { dir, kills, seed, latency }: KilledCrawlOptions) {
  const killedAt: number[] = [];
  const rng = seededRng(seed);
  // What a run may fetch between the request that calls for its kill and the kill, with its requests in flight.
  const slack = Math.ceil((CONCURRENCY * JITTER) / latency) + 2 * CONCURRENCY;
  for (let kill = 1; kill <= kills; kill++) {
    const left = bench.alone.visited - (killedAt.at(-1) ?? 0);
    await runAndKill(bench.crawlArgs(dir, server), server, {
      pages: shareOf(left, kills - kill + 1, slack, rng),
      within: Math.round(rng() * JITTER),
      growing: kill % 2 === 0 ? join(dir, 'corpus', 'records.jsonl') : null,
    });
    killedAt.push((await status(dir)).counts.visited);
  }
  return killedAt;
}

/** How many pages this run may get: at random, so that the rest is used up evenly by the kills still to come, and none comes too late. */
function shareOf(left: number, killsLeft: number, slack: number, rng: Rng): number {
  const even = 1 + Math.floor((rng() * 2 * left) / (killsLeft + 1));
  return Math.max(1, Math.min(even, left - killsLeft * slack));
}

/** When a run is to be killed: once it has asked for `pages` pages, and `within` has passed or a file grows. */
interface Moment {
  readonly pages: number;
  readonly within: Ms;
  /** Killed as this file grows, a crawl has bytes on disk that no commit knows; waited for at most `JITTER`. null: do not look. */
  readonly growing: string | null;
}

/** Start the crawl, and kill it outright. */
async function runAndKill(args: readonly string[], server: RunningWeb, { pages, within, growing }: Moment): Promise<void> {
  const before = server.log.length;
  const child = startCli(args);
  child.stderr?.resume();
  const exited = once(child, 'exit');
  const ended = { yet: false };
  void exited.then(() => {
    ended.yet = true;
  });
  while (!ended.yet && pagesAsked(server, before) < pages) await pause(5);
  if (growing === null) await pause(within);
  else await growth(growing, performance.now() + JITTER);
  child.kill('SIGKILL');
  const [, signal] = await exited;
  if (signal !== 'SIGKILL') throw new Error(`the crawl ended before it was killed, after ${pagesAsked(server, before)} of ${pages} pages`);
}

async function growth(file: string, until: number): Promise<void> {
  const sizeOf = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const before = sizeOf();
  while (sizeOf() === before && performance.now() < until) await pause(0);
}

/** A kill before the first commit or after the last visit proves little: at least half must fall between. */
function killsInTime(killedAt: readonly number[], visited: number): string[] {
  const within = killedAt.filter((count) => count > 0 && count < visited).length;
  return within >= killedAt.length / 2 ? [] : [`only ${within} of ${killedAt.length} kills fell into the crawl's work`];
}
