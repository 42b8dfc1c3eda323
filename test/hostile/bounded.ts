/** Holds a test to the bounds of its line in the table of faults. */
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { expect, type TestContext } from 'vitest';
import { HANGS } from '../support/cpu-time.ts';
import { FAULT_TESTS, type FaultTest } from './faults.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Most that resident memory grew while the test ran, in MB. */
    growthMb?: number;
  }
}

type Task = TestContext['task'];

const KB_PER_MB = 1024;
const collectGarbage = garbageCollector();
const peakKb = new Int32Array(new SharedArrayBuffer(4));
/** Looks at the memory of the whole process every few milliseconds, on a thread of its own: most of what is measured blocks this one. */
const LOOKOUT = `
const { workerData } = require('node:worker_threads');
const look = () => Atomics.store(workerData, 0, Math.max(Atomics.load(workerData, 0), process.memoryUsage.rss() / 1024));
setInterval(look, 3);
`;
const lookout = new Worker(LOOKOUT, { eval: true, workerData: peakKb });
lookout.unref();
await once(lookout, 'online');

/**
 * Run `work` within the memory that the table allows the test, and note what it took for the table that is printed. `npm run check -- hostile` holds it to
 * its time; here time only guards against hanging.
 */
export async function bounded<T>(task: Task, work: () => T | Promise<T>): Promise<T> {
  const { mb } = boundsOf(task.name);
  const { value, took, growthMb } = await measured(work);
  task.meta.growthMb = growthMb;
  expect(took).toBeLessThan(HANGS);
  if (mb !== undefined) expect(growthMb).toBeLessThan(mb);
  return value;
}

function boundsOf(name: string): Pick<FaultTest, 'ms' | 'mb'> {
  const found = FAULT_TESTS.find(({ test }) => test === name);
  if (!found) return { ms: 60000, mb: 10000 };
  return found;
}

async function measured<T>(work: () => T | Promise<T>): Promise<{ readonly value: T; readonly took: number; readonly growthMb: number }> {
  collectGarbage();
  const before = process.memoryUsage.rss() / 1024;
  Atomics.store(peakKb, 0, before);
  const started = performance.now();
  const value = await work();
  const took = performance.now() - started;
  const after = process.memoryUsage.rss() / 1024;
  return { value, took, growthMb: Math.round((Math.max(Atomics.load(peakKb, 0), after) - before) / KB_PER_MB) };
}

/** Gives what is free back to the system, so that growth is not hidden in room that an earlier test had needed. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: (options: object) => void = runInNewContext('gc');
  return () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
