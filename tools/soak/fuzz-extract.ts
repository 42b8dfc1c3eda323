/**
 * The extractor on a million mutated pages: no throw, no page over the time cap, no growing memory, and every result as its types promise.
 * Exit code 1 on any violation, which is printed with the number that makes it again.
 *
 *   npm run check -- fuzz [--count 1000000] [--seed 1] [--minutes M] [--threads 2] [--cap 150]
 *   npm run check -- fuzz --seed 1 --only 1234     that one input, alone and made small
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { replay } from './fuzz-extract-replay.ts';
import { type FuzzReport, type FuzzStretch, heapTrend, runFuzz } from './fuzz-extract-run.ts';

/** An input that is not done after this long hangs. */
const HANG_MS = 30_000;
const PROGRESS_MS = 15_000;
const MEGABYTE = 1024 * 1024;

/** A thread of Node 20 does not take over `--import tsx`. */
const BOOT = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(import.meta.url)}); });`;

interface Thread {
  readonly stretch: Omit<FuzzStretch, 'onInput'>;
  /** Number of the input that is being read, and how many were begun. */
  readonly position: Int32Array;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

if (isMainThread) {
  await main().catch((error: unknown) => {
    say(`FAILED ${error instanceof Error ? error.message : String(error)}`);
    // Another thread may still be running, or hang as well.
    process.exit(1);
  });
} else await fuzzOnThread(workerData as Thread);

async function fuzzOnThread({ stretch, position }: Thread): Promise<void> {
  const onInput = (n: number) => {
    Atomics.store(position, 0, n);
    Atomics.add(position, 1, 1);
  };
  parentPort?.postMessage(await runFuzz({ ...stretch, onInput }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '600' },
      threads: { type: 'string', default: String(availableParallelism()) },
      cap: { type: 'string', default: '150' },
      only: { type: 'string' },
    },
  });
  const [seed, count, threads, cap] = [wanted(values.seed), wanted(values.count), wanted(values.threads), wanted(values.cap)];
  if (values.only !== undefined) {
    process.exitCode = (await replay(seed, wanted(values.only), cap, say)) ? 0 : 1;
    return;
  }
  const from = Date.now();
  const until = from + wanted(values.minutes) * 60_000;
  const stretch = { seed, step: threads, count, until, cap, samples: 60 };
  say(`seed ${seed}, up to ${count} inputs, ${threads} threads, cap ${cap} ms`);
  const reports = await Promise.all(Array.from({ length: threads }, (_, first) => onThread({ ...stretch, first }, from)));
  process.exitCode = print(reports, seed, (Date.now() - from) / 1000) ? 0 : 1;
}

/** @throws for what is no number, or a negative one. */
function wanted(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) throw new Error(`${text} is no number; give one from 0 up`);
  return number;
}

/** @throws when the thread dies or hangs: no report then is worth more than the number it stood at. */
async function onThread(stretch: Thread['stretch'], from: number): Promise<FuzzReport> {
  const position = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(BOOT, { eval: true, workerData: { stretch, position } satisfies Thread });
  let begun = 0;
  let movedAt = Date.now();
  let saidAt = Date.now();
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      clearInterval(watch);
      void worker.terminate();
      reject(
        new Error(`${what} at input ${Atomics.load(position, 0)}; again with --seed ${stretch.seed} --only ${Atomics.load(position, 0)}`),
      );
    };
    const watch = setInterval(() => {
      const now = Atomics.load(position, 1);
      if (now !== begun) [begun, movedAt] = [now, Date.now()];
      else if (begun > 0 && Date.now() - movedAt > HANG_MS) fail('HANG');
      if (stretch.first === 0 && Date.now() - saidAt > PROGRESS_MS) {
        saidAt = Date.now();
        say(`${begun * stretch.step} inputs, ${Math.round((begun * stretch.step * 1000) / (Date.now() - from))}/s`);
      }
    }, 1000);
    worker.once('message', (report: FuzzReport) => {
      clearInterval(watch);
      resolve(report);
    });
    worker.once('error', (error) => fail(`DIED of ${error instanceof Error ? error.message : String(error)}`));
  });
}

/** @returns true when nothing was violated. */
function print(reports: readonly FuzzReport[], seed: number, seconds: number): boolean {
  const inputs = reports.reduce((sum, report) => sum + report.inputs, 0);
  const bytes = reports.reduce((sum, report) => sum + report.bytes, 0);
  say(`${inputs} inputs, ${Math.round(bytes / inputs)} bytes each, ${seconds.toFixed(0)} s, ${Math.round(inputs / seconds)} a second`);
  const slowest = reports.flatMap((report) => report.slowest).sort((a, b) => b.ms - a.ms);
  for (const page of slowest.slice(0, 5)) {
    say(`slow: ${page.ms.toFixed(1)} ms, ${page.mode}, ${page.bytes} bytes: --seed ${seed} --only ${page.n}`);
  }
  const trends = reports.map((report) => heapTrend(report.heap));
  for (const { middle, last, grows } of trends) {
    say(
      `heap: ${(middle / MEGABYTE).toFixed(2)} MB in the middle third, ${(last / MEGABYTE).toFixed(2)} MB in the last${grows ? ': GROWS' : ''}`,
    );
  }
  for (const { n, mode, what } of reports.flatMap((report) => report.violations))
    say(`VIOLATION ${mode}: ${what}: --seed ${seed} --only ${n}`);
  for (const [kind, count] of kinds(reports)) say(`${count} × ${kind}`);
  const clean = kinds(reports).size === 0 && inputs > 0;
  if (clean) say('no violation');
  return clean && trends.every(({ grows }) => !grows);
}

function kinds(reports: readonly FuzzReport[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const report of reports) for (const [kind, count] of report.kinds) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return sums;
}
