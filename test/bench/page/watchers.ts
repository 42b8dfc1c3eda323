/** A crawl with a page that tabs watch, and the same crawl without one, by turns: pages per CPU-second of all its processes. */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { status } from 'forager';
import { type LoopbackSite, loopbackSite, pageAddress } from './loopback-site.ts';
import { Watcher } from './watcher.ts';

export interface WatchersOptions {
  readonly pages: number;
  readonly pairs: number;
  readonly watchers: number;
}

interface Measured {
  /** Pages per CPU-second. */
  readonly rate: number;
  readonly seconds: number;
  /** Screens that the watchers got. */
  readonly screens: number;
}

/** Requests at once, as in `npm run bench -- crawl`. */
const CONCURRENCY = 64;
/** Of the clock in /proc (sysconf(_SC_CLK_TCK), 100 on Linux). */
const TICKS = 100;

export async function measureWatchers(folder: string, { pages, pairs, watchers }: WatchersOptions): Promise<void> {
  const site = await loopbackSite(folder, pages);
  console.log(
    `\n${pages} pages, ${watchers} watchers\n\n| without: pages/CPU-s | with | ratio | seconds with | screens |\n|${' ---: |'.repeat(5)}`,
  );
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // By turns, so that neither is always the first.
    const counts = pair % 2 === 0 ? [0, watchers] : [watchers, 0];
    const found = new Map<number, Measured>();
    for (const count of counts) found.set(count, await measured(folder, site, pages, count));
    const [without, watched] = [found.get(0), found.get(watchers)];
    if (without === undefined || watched === undefined) throw new Error('give a number of watchers above 0');
    ratios.push(watched.rate / without.rate);
    const cells = [without.rate, watched.rate].map((rate) => rate.toFixed(1));
    console.log(
      `| ${cells.join(' | ')} | ${(watched.rate / without.rate).toFixed(3)} | ${watched.seconds.toFixed(1)} | ${watched.screens} |`,
    );
  }
  ratios.sort((a, b) => a - b);
  const [least = 0, median = 0, most = 0] = [ratios[0], medianOf(ratios), ratios.at(-1)];
  console.log(`\nratio: median ${median.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)}) of ${pairs} pairs; goal: 0.97`);
  await site.close();
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
  return { rate: counts.visited / (cpuOfEndedChildren() - before), seconds, screens };
}

/** In seconds: of all children that have ended, with theirs (proc(5), cutime and cstime). */
function cpuOfEndedChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}
