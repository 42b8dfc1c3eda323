/** Reads a stretch of the fuzzer's inputs on this thread and keeps the books: rate, slowest pages, violations, live heap. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Ms } from '../../src/base/core/types.ts';
import { FuzzReader, type Verdict } from './fuzz-extract-check.ts';
import { fuzzCorpus, fuzzPage } from './fuzz-extract-input.ts';

/** Live bytes of this thread after a collection: heap, and buffers outside of it. */
export interface HeapSample {
  readonly inputs: number;
  readonly bytes: number;
}

export interface SlowPage {
  readonly n: number;
  readonly mode: string;
  readonly bytes: number;
  readonly ms: Ms;
}

export interface Violation {
  readonly n: number;
  readonly mode: string;
  readonly what: string;
}

export interface FuzzReport {
  readonly inputs: number;
  readonly bytes: number;
  /** The five slowest, slowest first. */
  readonly slowest: readonly SlowPage[];
  /** The first few of each kind. */
  readonly violations: readonly Violation[];
  /** How many of each kind. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly heap: readonly HeapSample[];
}

export interface FuzzStretch {
  readonly seed: number;
  /** Inputs `first`, `first + step`, … below `count`. */
  readonly first: number;
  readonly step: number;
  readonly count: number;
  /** Stop when `Date.now()` is past this. */
  readonly until: number;
  readonly cap: Ms;
  /** Heap samples over the stretch. */
  readonly samples: number;
  /** Told the number of each input before it is read, so that a hang can be named. */
  readonly onInput: (n: number) => void;
}

const SLOWEST = 5;
const KEPT_OF_A_KIND = 3;

/** Inputs are made and read one after another; a throw of the extractor is a violation, never a throw of this. */
export async function runFuzz({ seed, first, step, count, until, cap, samples, onInput }: FuzzStretch): Promise<FuzzReport> {
  const corpus = fuzzCorpus();
  const reader = await FuzzReader.of(cap);
  const collect = collector();
  const every = Math.max(1, Math.floor((count - first) / step / samples));
  const report = {
    inputs: 0,
    bytes: 0,
    slowest: [] as SlowPage[],
    violations: [] as Violation[],
    kinds: new Map<string, number>(),
    heap: [] as HeapSample[],
  };
  for (let n = first; n < count && (report.inputs % 64 !== 0 || Date.now() < until); n += step) {
    onInput(n);
    const page = fuzzPage(corpus, seed, n);
    const verdict = reader.check(page, n);
    report.inputs += 1;
    report.bytes += page.body.length;
    note(report, verdict, n, page.body.length);
    if (report.inputs % every === 0) report.heap.push({ inputs: report.inputs, bytes: liveBytes(collect) });
  }
  return report;
}

function note(
  report: { slowest: SlowPage[]; violations: Violation[]; kinds: Map<string, number> },
  { mode, ms, violations }: Verdict,
  n: number,
  bytes: number,
): void {
  if (report.slowest.length < SLOWEST || ms > (report.slowest.at(-1)?.ms ?? 0)) {
    report.slowest.push({ n, mode, bytes, ms });
    report.slowest.sort((a, b) => b.ms - a.ms);
    report.slowest.length = Math.min(SLOWEST, report.slowest.length);
  }
  for (const what of violations) {
    const kind = kindOf(what);
    const before = report.kinds.get(kind) ?? 0;
    report.kinds.set(kind, before + 1);
    if (before < KEPT_OF_A_KIND) report.violations.push({ n, mode, what });
  }
}

/** A violation without what it is made of: its first words. */
export function kindOf(violation: string): string {
  return violation.replace(/[:\d"].*/s, '').trim();
}

/** V8's own collector, for `liveBytes`, which a program gets only by this flag. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Live bytes of this thread, after two collections: V8 sweeps the buffers of the first in another thread, and counts them until the second. */
export function liveBytes(collect: () => void): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What live memory may differ by from one third of a run to the next: compiled code, inline caches, one largest page. */
const HEAP_SLACK = 4 * 1024 * 1024;

export interface HeapTrend {
  /** Medians over the second and the last third; the first third is warm-up. */
  readonly middle: number;
  readonly last: number;
  readonly grows: boolean;
}

/** Has live memory grown from the second third of the samples to the last? */
export function heapTrend(samples: readonly HeapSample[]): HeapTrend {
  const third = Math.floor(samples.length / 3);
  const middle = median(samples.slice(third, 2 * third));
  const last = median(samples.slice(-third));
  return { middle, last, grows: last - middle > HEAP_SLACK };
}

function median(samples: readonly HeapSample[]): number {
  const bytes = samples.map((sample) => sample.bytes).sort((a, b) => a - b);
  return bytes[Math.floor(bytes.length / 2)] ?? 0;
}
