/**
 * A crawl with a page that tabs watch, and the same crawl without one: pages per CPU-second of all its processes. Each block runs without, with, with, without
 * (ABBA): a machine that becomes slower from run to run is no cost of the page.
 */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { status } from 'forager';
import { type LoopbackSite, loopbackSite, pageAddress } from './loopback-site.ts';
import { Watcher } from './watcher.ts';

export interface WatchersOptions {
  readonly pages: number;
  readonly blocks: number;
  readonly watchers: number;
}

interface Measured {
  readonly pages: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
  /** Screens that the watchers got. */
  readonly screens: number;
}

/** Requests at once, as in `npm run bench -- crawl`. */
const CONCURRENCY = 64;
/** Of the clock in /proc (sysconf(_SC_CLK_TCK), 100 on Linux). */
const TICKS = 100;

export async function measureWatchers(folder: string, { pages, blocks, watchers }: WatchersOptions): Promise<void> {
  const site = await loopbackSite(folder, pages);
  console.log(
    `\n${pages} pages, ${watchers} watchers\n\n| without: pages/CPU-s | with | ratio | seconds with | screens |\n|${' ---: |'.repeat(5)}`,
  );
  const ratios: number[] = [];
  if (watchers < 1) throw new Error('give a number of watchers above 0');
  for (let block = 0; block < blocks; block++) {
    const runs: Measured[] = [];
    for (const count of [0, watchers, watchers, 0]) runs.push(await measured(folder, site, pages, count));
    const watched = runs.slice(1, 3);
    const without = rateOf(runs.filter((run) => !watched.includes(run)));
    const ratio = rateOf(watched) / without;
    ratios.push(ratio);
    const [seconds, screens] = [sumOf(watched, (run) => run.seconds) / 2, sumOf(watched, (run) => run.screens)];
    console.log(`| ${without.toFixed(1)} | ${rateOf(watched).toFixed(1)} | ${ratio.toFixed(3)} | ${seconds.toFixed(1)} | ${screens} |`);
  }
  ratios.sort((a, b) => a - b);
  const [least = 0, median = 0, most = 0] = [ratios[0], medianOf(ratios), ratios.at(-1)];
  console.log(
    `\nratio: median ${median.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)}) of ${blocks} blocks of four crawls; goal: 0.97`,
  );
  await site.close();
}

/** Pages per CPU-second. */
function rateOf(runs: readonly Measured[]): number {
  return sumOf(runs, ({ pages }) => pages) / sumOf(runs, ({ cpuSeconds }) => cpuSeconds);
}

function sumOf(runs: readonly Measured[], pick: (run: Measured) => number): number {
  return runs.reduce((sum, run) => sum + pick(run), 0);
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

async function measured(folder: string, site: LoopbackSite, pages: number, count: number): Promise<Measured> {
  const dir = join(folder, 'crawl');
  const before = cpuOfEndedChildren();
  const options = ['--max-pages', String(pages), '--concurrency', String(CONCURRENCY), '--delay', '0', '--json'];
  const startedAt = performance.now();
  const child = site.crawl(dir, [...options, ...(count > 0 ? ['--page', '0'] : [])]);
  child.stdout.resume();
  child.stderr.resume();
  const exit = once(child, 'exit');
  const address = count > 0 ? await pageAddress(child) : '';
  const watchers = await Promise.all(Array.from({ length: count }, () => Watcher.of(address)));
  const [code] = await exit;
  const seconds = (performance.now() - startedAt) / 1000;
  for (const watcher of watchers) watcher.close();
  if (code !== 0) throw new Error(`the crawl ended with ${code}`);
  const { counts } = await status(dir);
  rmSync(dir, { recursive: true });
  const screens = watchers.reduce((sum, { answers }) => sum + answers, 0);
  return { pages: counts.visited, cpuSeconds: cpuOfEndedChildren() - before, seconds, screens };
}

/** In seconds: of all children that have ended, with theirs (proc(5), cutime and cstime). */
function cpuOfEndedChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}
