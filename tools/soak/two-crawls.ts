/** Two processes on one crawl directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningWeb } from '../../datasets/web-proxy.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { differencesFrom } from './compare-crawls.ts';
import { type CheckReport, type CrashBench, ended, pagesAsked, pause, requireDone, startCli } from './crash-bench.ts';

/** Slow enough that the first still runs while others are turned away. */
const LATENCY: Ms = 150;

/** A second crawl is turned away, also one that would replace the first; a killed one leaves a lock that one of two takes over. */
export async function twoAtOnce(bench: CrashBench, dir: string): Promise<CheckReport> {
  const server = await bench.serve(LATENCY);
  try {
    const args = bench.crawlArgs(dir, server);
    const first = startCli(args);
    const killed = ended(first);
    await begun(server, 0);
    const wrong = [...(await turnedAway(args, dir, first.pid)), ...(await turnedAway([...args, '--force'], dir, first.pid))];
    if (first.exitCode !== null) throw new Error('the first ended before the others were turned away');
    first.kill('SIGKILL');
    await killed;
    if (!existsSync(join(dir, 'lock'))) wrong.push('a killed crawl left no lock: nothing to take over');
    const codes = (await Promise.all([ended(startCli(args)), ended(startCli(args))])).map(({ code }) => code).sort();
    if (codes.join() !== '0,3') wrong.push(`of two that found the lock, exit codes ${codes.join(' and ')}`);
    return {
      differences: [...wrong, ...(await differencesFrom(bench.alone, dir))],
      said: 'two turned away, a stale lock taken over by one of two',
    };
  } finally {
    await server.close();
  }
}

/** The first is not disturbed by those that are turned away. */
export async function firstUnharmed(bench: CrashBench, dir: string): Promise<CheckReport> {
  const server = await bench.serve(LATENCY);
  try {
    const args = bench.crawlArgs(dir, server);
    const first = startCli(args);
    const done = ended(first);
    await begun(server, 0);
    const wrong = await turnedAway(args, dir, first.pid);
    requireDone(await done);
    const again = pagesAsked(server, 0) - bench.needed;
    if (again > 0) wrong.push(`${again} pages were asked for again`);
    return { differences: [...wrong, ...(await differencesFrom(bench.alone, dir))], said: 'the first asked for no page twice' };
  } finally {
    await server.close();
  }
}

async function begun(server: RunningWeb, before: number): Promise<void> {
  while (pagesAsked(server, before) < 10) await pause(5);
}

async function turnedAway(args: readonly string[], dir: string, pid: number | undefined): Promise<string[]> {
  const { code, stderr } = await ended(startCli(args));
  const expected = `forager: ${dir}: process ${pid} is working on it; wait for it to end, or stop it (kill -INT ${pid})\n`;
  return code === 3 && stderr === expected ? [] : [`a second process: exit code ${code}, ${stderr}`];
}
