/** A crawl on a disk that is full again and again: a tmpfs of 20 MB, nearly all of it taken by a file that gives way bit by bit. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, statfsSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningWeb } from '../../datasets/web-proxy.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import { differencesFrom } from './compare-crawls.ts';
import { type CheckReport, type CrashBench, ended, startCli } from './crash-bench.ts';

const DISK = '20m';
const MB: Bytes = 2 ** 20;
/** Less than the model needs; then so much more each time. */
const FIRST_ROOM: Bytes = MB;
const MORE_ROOM: Bytes = 400_000;
/** The disk is to be filled, not watched. */
const UNWATCHED = ['--delay', '0ms', '--record', '--min-free', '0'];
/** The whole disk is free after as many. */
const MOST_RUNS = 50;
const COMPLAINT = /forager: [^\n]+: no space left while ([^\n]+); free some and run the same command again\n$/;

/** @returns null where a tmpfs cannot be mounted */
export async function diskFull(bench: CrashBench, disk: string): Promise<CheckReport | null> {
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk]).status !== 0) return null;
  const server = await bench.serve();
  try {
    return await crawlInTheRoomThereIs(bench, disk, server);
  } finally {
    await server.close();
    spawnSync('umount', [disk]);
  }
}

async function crawlInTheRoomThereIs(bench: CrashBench, disk: string, server: RunningWeb): Promise<CheckReport> {
  const dir = join(disk, 'crawl');
  const ballast = join(disk, 'ballast');
  let taken = fill(ballast, disk);
  const stopped: string[] = [];
  const differences: string[] = [];
  for (let run = 1; run <= MOST_RUNS; run++) {
    const { code, stderr } = await ended(startCli(bench.crawlArgs(dir, server, UNWATCHED)));
    if (code === 0) {
      // To look at a crawl takes some room, too.
      truncateSync(ballast, 0);
      return { differences: [...differences, ...(await differencesFrom(bench.alone, dir))], said: toldOf(stopped) };
    }
    const doing = COMPLAINT.exec(stderr)?.[1];
    stopped.push(doing ?? 'something');
    if (code !== 3 || doing === undefined) differences.push(`run ${run}: exit code ${code}, ${stderr}`);
    if (existsSync(join(dir, 'lock'))) differences.push(`run ${run}: the lock was not let go`);
    taken = Math.max(0, taken - MORE_ROOM);
    truncateSync(ballast, taken);
  }
  return { differences: [...differences, `not done after ${MOST_RUNS} runs`], said: toldOf(stopped) };
}

/** @returns the size of the file, which leaves `FIRST_ROOM` */
function fill(ballast: string, disk: string): Bytes {
  const { bavail, bsize } = statfsSync(disk);
  const size = bavail * bsize - FIRST_ROOM;
  const file = openSync(ballast, 'w');
  for (let at = 0; at < size; at += MB) writeSync(file, Buffer.alloc(Math.min(MB, size - at)));
  closeSync(file);
  return size;
}

/** "3 runs stopped, 1 opening the frontier, 2 writing the corpus" */
function toldOf(stopped: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const doing of stopped) counts.set(doing, (counts.get(doing) ?? 0) + 1);
  return [`${stopped.length} runs stopped`, ...[...counts].map(([doing, count]) => `${count} ${doing}`)].join(', ');
}
