/**
 * The command line with a trap in it: the process kills itself at the n-th passing of a named point. What is trapped are methods of the built
 * program's classes and functions of `node:fs`, so the program itself knows nothing of it.
 *
 *   node --import tsx tools/soak/crash-run.ts '<CrashPlan as JSON>' crawl <dir> …
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import { runCommand } from '../../dist/faces/cli/cli.js';
import type { CrashPlan, CrashPoint } from './crash-plan.ts';
import { trapFiles } from './trapped-files.ts';
import { trapParts } from './trapped-parts.ts';

const [plan = '{}', ...args] = process.argv.slice(2);
const { kill, copy, counts, warcBytes } = JSON.parse(plan) as CrashPlan;
const passed = new Map<CrashPoint, number>();

/** The program is at a point. @returns whether this is where it is to die: the caller may leave something half done before `die`. */
function isDue(point: CrashPoint): boolean {
  const times = (passed.get(point) ?? 0) + 1;
  passed.set(point, times);
  if (copy?.point === point && copy.nth === times) copyFileSync(copy.from, copy.to);
  return kill?.point === point && kill.nth === times;
}

/** Outright: nothing is flushed, closed or told. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('SIGKILL came back');
}

function at(point: CrashPoint): void {
  if (isDue(point)) die();
}

if (counts !== undefined) process.on('exit', () => writeFileSync(counts, JSON.stringify(Object.fromEntries(passed))));
trapParts(at, warcBytes);
trapFiles(at, isDue, die);
process.exitCode = await runCommand(args);
