/**
 * A crawl with a page that tabs watch, and the same crawl without one, at the same time: pages per CPU-second of all processes of each. The speed of a machine
 * changes by a tenth from minute to minute, for both alike.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
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

/** Of each crawl. Two at the same time have as many requests open as `npm run bench -- crawl`. */
const CONCURRENCY = 32;
/** Runs a command and prints the time in user and system mode of it and its children (bash(1), TIMEFORMAT). */
const CLOCK = ['bash', '-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'clock'];

export async function measureWatchers(folder: string, { pages, pairs, watchers }: WatchersOptions): Promise<void> {
  const site = await loopbackSite(folder, pages);
  console.log(
    `\n${pages} pages, ${watchers} watchers\n\n| without: pages/CPU-s | with | ratio | seconds with | screens |\n|${' ---: |'.repeat(5)}`,
  );
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const [without, watched] = await Promise.all([measured(folder, site, pages, 0), measured(folder, site, pages, watchers)]);
    const ratio = watched.rate / without.rate;
    ratios.push(ratio);
    const cells = [without.rate.toFixed(1), watched.rate.toFixed(1), ratio.toFixed(3), watched.seconds.toFixed(1), watched.screens];
    console.log(`| ${cells.join(' | ')} |`);
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
  const dir = join(folder, `crawl-${count}`);
  const options = ['--max-pages', String(pages), '--concurrency', String(CONCURRENCY), '--delay', '0', '--json'];
  const startedAt = performance.now();
  const child = site.crawl(dir, [...options, ...(count > 0 ? ['--page', '0'] : [])], CLOCK);
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-1000);
  });
  const exit = once(child, 'exit');
  const address = count > 0 ? await pageAddress(child) : '';
  const watchers = await Promise.all(Array.from({ length: count }, () => Watcher.of(address)));
  const [code] = await exit;
  const seconds = (performance.now() - startedAt) / 1000;
  for (const watcher of watchers) watcher.close();
  const [, user, system] = /^cpu (\S+) (\S+)$/m.exec(said) ?? [];
  if (code !== 0 || user === undefined) throw new Error(`the crawl ended with ${code}: ${said}`);
  const { counts } = await status(dir);
  rmSync(dir, { recursive: true });
  const screens = watchers.reduce((sum, { answers }) => sum + answers, 0);
  return { rate: counts.visited / (Number(user) + Number(system)), seconds, screens };
}
