/** A crawl killed at named points, and resumed each time by the same command. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningWeb } from '../../datasets/web-proxy.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import { differencesFrom } from './compare-crawls.ts';
import { type CheckReport, type CrashBench, type Ended, ended, requireDone, startCli, succeeded } from './crash-bench.ts';
import type { CrashPlan, CrashPoint } from './crash-plan.ts';

const RUNNER = fileURLToPath(new URL('./crash-run.ts', import.meta.url));
/** Some ten files for a crawl of 200 pages. */
const WARC_BYTES: Bytes = 50_000;

/** When a run dies: at the `nth` passing of a point, or after a share of as many passings as a crawl left alone makes. */
export interface Death {
  readonly point: CrashPoint;
  readonly when: { readonly nth: number } | { readonly share: number };
}

export type Passings = Readonly<Partial<Record<CrashPoint, number>>>;

/** At the first passing; then halfway; then halfway through what was left, which is three quarters through the crawl. */
function firstMiddleLate(point: CrashPoint): readonly Death[] {
  return [{ point, when: { nth: 1 } }, halfway(point), { point, when: { share: 0.25 } }];
}

function halfway(point: CrashPoint): Death {
  return { point, when: { share: 0.5 } };
}

function times(point: CrashPoint, ...passings: readonly number[]): readonly Death[] {
  return passings.map((nth) => ({ point, when: { nth } }));
}

/** Each is a crawl of its own: one run after the other dies, the one after the last goes on to the end. */
export const STORIES: Readonly<Record<string, readonly Death[]>> = {
  // A lock that its process had no time to take, and one that it had no time to let go.
  'lock written': times('lock written', 1, 1),
  'lock taken': times('lock taken', 1, 1),
  // A new crawl writes its manifest at once, as its run begins, and as it ends; one that goes on writes the last two.
  'manifest half written': times('manifest half written', 1, 2, 2),
  'manifest written': times('manifest written', 1, 2, 2),
  'manifest renamed': times('manifest renamed', 1, 1, 2),
  leased: firstMiddleLate('leased'),
  'robots.txt loading': firstMiddleLate('robots.txt loading'),
  fetched: firstMiddleLate('fetched'),
  appended: firstMiddleLate('appended'),
  'outlinks inserted': firstMiddleLate('outlinks inserted'),
  settled: firstMiddleLate('settled'),
  'WARC half written': firstMiddleLate('WARC half written'),
  'WARC written': firstMiddleLate('WARC written'),
  'records half written': firstMiddleLate('records half written'),
  'WARC rolled': firstMiddleLate('WARC rolled'),
  'WARC released': firstMiddleLate('WARC released'),
  'mark half written': firstMiddleLate('mark half written'),
  'mark written': firstMiddleLate('mark written'),
  flushed: firstMiddleLate('flushed'),
  'in transaction': firstMiddleLate('in transaction'),
  committed: firstMiddleLate('committed'),
  // A resume has something to cut where a flush was not committed, and something to delete where a file was rolled before that.
  'tail put aside': [halfway('flushed'), ...times('tail put aside', 1, 2)],
  'corpus file cut': [halfway('flushed'), ...times('corpus file cut', 1, 1)],
  'corpus file deleted': [halfway('WARC rolled'), ...times('corpus file deleted', 1), halfway('flushed')],
  'resume, again and again': [halfway('flushed'), ...times('frontier opened', 1), ...times('corpus opened', 1), ...times('leased', 1)],
};

/** The command line with a trap in it. */
export function runTrapped(plan: CrashPlan, args: readonly string[]): Promise<Ended> {
  const trapped = ['--import', 'tsx', RUNNER, JSON.stringify({ warcBytes: WARC_BYTES, ...plan }), ...args];
  return ended(spawn(process.execPath, trapped, { stdio: ['ignore', 'ignore', 'pipe'] }));
}

/** How often each point is passed by a crawl that nothing happens to. It must come to the same as one without traps. */
export async function passingsOf(bench: CrashBench, dir: string): Promise<CheckReport & { readonly passings: Passings }> {
  const server = await bench.serve();
  try {
    const counts = join(bench.folder, 'passings.json');
    requireDone(await runTrapped({ counts }, bench.crawlArgs(dir, server)));
    const passings = JSON.parse(readFileSync(counts, 'utf8')) as Passings;
    return { passings, differences: await differencesFrom(bench.alone, dir), said: 'no kill' };
  } finally {
    await server.close();
  }
}

/** Crawl, dying each death in turn, then to the end; and compare with the crawl left alone. */
export async function killedAtPoints(bench: CrashBench, dir: string, deaths: readonly Death[], passings: Passings): Promise<CheckReport> {
  const server = await bench.serve();
  try {
    const died: string[] = [];
    for (const death of deaths) died.push(await die(bench, dir, server, death, passings));
    await succeeded(startCli(bench.crawlArgs(dir, server)));
    return { differences: await differencesFrom(bench.alone, dir), said: died.join(', ') };
  } finally {
    await server.close();
  }
}

/** @throws Error when the crawl never came to that point, or ended otherwise: the check would prove nothing */
async function die(bench: CrashBench, dir: string, server: RunningWeb, { point, when }: Death, passings: Passings): Promise<string> {
  const nth = 'nth' in when ? when.nth : Math.max(1, Math.round((passings[point] ?? 0) * when.share));
  const { code, signal, stderr } = await runTrapped({ kill: { point, nth } }, bench.crawlArgs(dir, server));
  if (signal !== 'SIGKILL') throw new Error(`"${point}" was not passed ${nth} times; the run ended with ${code ?? signal}: ${stderr}`);
  return `${point} ${nth}`;
}
