/**
 * What a crawl survives: death by SIGKILL at each named point and at random moments, power cuts, a full disk, being put to sleep, and a
 * second process in its directory. After each the same command is run again, and in the end ledger, corpus, WARC and recording must be those
 * of a crawl left alone: nothing lost, nothing twice. Exit code 1 on any difference, which is printed. Five minutes.
 *
 *   npm run check -- crash [--seed N] [--only "SIGKILL at random"] [--kills 50] [--pages 200] [--lanes 2]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type CheckReport, CrashBench } from './crash-bench.ts';
import { diskFull } from './full-disk.ts';
import { killedCrawl } from './killed-crawl.ts';
import { killedRelabel } from './killed-relabel.ts';
import { killedAtPoints, type Passings, passingsOf, STORIES } from './named-kills.ts';
import { committedBytesLost, powerLost } from './power-loss.ts';
import { putToSleep } from './stopped-crawl.ts';
import { firstUnharmed, twoAtOnce } from './two-crawls.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    kills: { type: 'string', default: '50' },
    pages: { type: 'string', default: '200' },
    latency: { type: 'string', default: '20' },
    lanes: { type: 'string', default: '2' },
  },
});
const seed = Number(values.seed);
/** A crawl that is killed at random is longer and slower, so that each of so many moments may fall into its work. */
const LONGER = 4;
const RANDOM_LATENCY = 50;
const KILLS_A_CRAWL = 10;

interface Check {
  readonly name: string;
  /** @returns null when it cannot be done here */
  readonly run: (dir: string) => Promise<CheckReport | null>;
  /** Why it cannot be done. */
  readonly needs?: string;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'forager-crash-'));
const startedAt = performance.now();
say(`seed ${seed} (repeat with --seed ${seed})`);
try {
  const failures = await checkAll();
  say(failures === 0 ? `all as left alone, ${since(startedAt)}` : `${failures} checks FAILED, ${since(startedAt)}`);
  process.exitCode = failures === 0 ? 0 : 1;
} catch (error) {
  say(`FAILED ${messageOf(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns how many checks failed */
async function checkAll(): Promise<number> {
  const bench = await benchOf('short', Number(values.pages), Number(values.latency));
  const longer = await benchOf('long', LONGER * Number(values.pages), RANDOM_LATENCY);
  const { passings, differences } = await passingsOf(bench, join(folder, 'passed'));
  if (differences.length > 0) throw new Error(`a crawl with traps in it is another: ${differences.slice(0, 3).join('; ')}`);
  const checks = checksOf(bench, longer, passings).filter(({ name }) => name.startsWith(values.only));
  let failures = 0;
  const lane = async () => {
    for (let check = checks.shift(); check; check = checks.shift()) if (!(await passes(check))) failures += 1;
  };
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
  return failures;
}

async function benchOf(name: string, pages: number, latency: number): Promise<CrashBench> {
  const own = join(folder, name);
  mkdirSync(own);
  const bench = await CrashBench.make({ folder: own, pages, seed, latency });
  const { visited, kept, discovered } = bench.alone;
  say(`left alone: ${visited} visited, ${kept} kept, ${discovered} discovered, ${bench.needed} pages asked for`);
  return bench;
}

/** The longest first. */
function checksOf(bench: CrashBench, longer: CrashBench, passings: Passings): Check[] {
  const crawls = Math.ceil(Number(values.kills) / KILLS_A_CRAWL);
  return [
    { name: 'SIGSTOP for 35 s, answers waiting', run: (dir) => putToSleep(bench, dir, 'answered') },
    { name: 'SIGSTOP for 35 s, connections broken', run: (dir) => putToSleep(bench, dir, 'broken') },
    {
      name: 'full disk',
      run: (dir) => diskFull(bench, dir),
      needs: 'a tmpfs cannot be mounted here: be root, in a container with CAP_SYS_ADMIN',
    },
    { name: 'SIGKILL of label', run: (dir) => killedRelabel(bench, dir) },
    ...Array.from({ length: crawls }, (_, i) => randomKills(longer, i)),
    ...Object.entries(STORIES).map(([name, deaths]) => ({
      name: `SIGKILL at ${name}`,
      run: (dir: string) => killedAtPoints(bench, dir, deaths, passings),
    })),
    { name: 'power cut, older database', run: (dir) => powerLost(bench, dir, 'older database', passings, seed) },
    { name: 'power cut, last meta page lost', run: (dir) => powerLost(bench, dir, 'meta page', passings, seed) },
    { name: 'committed bytes lost', run: (dir) => committedBytesLost(bench, dir, passings) },
    { name: 'two processes, and a stale lock', run: (dir) => twoAtOnce(bench, dir) },
    { name: 'two processes, the first goes on', run: (dir) => firstUnharmed(bench, dir) },
  ];
}

function randomKills(bench: CrashBench, i: number): Check {
  const done = i * KILLS_A_CRAWL;
  const kills = Math.min(KILLS_A_CRAWL, Number(values.kills) - done);
  const run = (dir: string) => killedCrawl(bench, { dir, kills, seed: seed + i, latency: RANDOM_LATENCY });
  return { name: `SIGKILL at random moments ${done + 1} to ${done + kills}`, run };
}

async function passes({ name, run, needs }: Check): Promise<boolean> {
  const from = performance.now();
  const dir = join(folder, name.replaceAll(/\W+/g, '-'));
  const report = await run(dir).catch((error: unknown): CheckReport => ({ differences: [messageOf(error)], said: '' }));
  if (report === null) say(`skip ${name}: ${needs}`);
  else say(`${report.differences.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${since(from)}): ${report.said}`);
  for (const line of report?.differences ?? []) say(`     ${line}`);
  rmSync(dir, { recursive: true, force: true });
  return (report?.differences.length ?? 0) === 0;
}

function since(from: number): string {
  return `${((performance.now() - from) / 1000).toFixed(0)} s`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
