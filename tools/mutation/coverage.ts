/** Which test files come by which block of the sources, and how long each takes: found by one run of all tests on instrumented sources. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ms } from '../../src/base/core/types.ts';
import type { Mutant } from './mutants.ts';
import type { Scratch } from './scratch.ts';
import type { TestRuns } from './test-runs.ts';

interface CoveringTest {
  /** From the root. */
  readonly test: string;
  readonly ms: Ms;
  /** Numbers of the blocks it ran, see `blocks`. */
  readonly ran: readonly number[];
}

interface Stored {
  /** `file:start` of every block, by its number. */
  readonly blocks: readonly string[];
  readonly tests: readonly CoveringTest[];
  /** Test files that fail or hang without any mutant. They kill nothing. */
  readonly failing: readonly string[];
}

/** No test file takes longer by itself. */
const CAP: Ms = 300_000;

export class Coverage {
  readonly failing: readonly string[];
  readonly #number: ReadonlyMap<string, number>;
  readonly #tests: readonly { readonly test: string; readonly ms: Ms; readonly ran: ReadonlySet<number> }[];
  readonly #files: ReadonlyMap<string, ReadonlySet<number>>;

  private constructor(stored: Stored) {
    this.failing = stored.failing;
    this.#number = new Map(stored.blocks.map((block, number) => [block, number]));
    this.#tests = stored.tests.map((test) => ({ ...test, ran: new Set(test.ran) }));
    const files = new Map<string, Set<number>>();
    for (const [number, block] of stored.blocks.entries()) {
      const file = block.slice(0, block.lastIndexOf(':'));
      files.set(file, (files.get(file) ?? new Set()).add(number));
    }
    this.#files = files;
  }

  /**
   * What an earlier run found stands where sources and tests are as they were.
   * @param wanted which test files are to be used
   * @param told is told of each test file that is run
   */
  static async of(scratch: Scratch, runs: TestRuns, wanted: (test: string) => boolean, told: (line: string) => void): Promise<Coverage> {
    const path = join(scratch.path, '..', `coverage-${scratch.digest()}.json`);
    const found = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Stored) : { blocks: [], tests: [], failing: [] };
    const known = new Set([...found.failing, ...found.tests.map(({ test }) => test)]);
    const missing = (await runs.tests()).filter((test) => wanted(test) && !known.has(test));
    const all = missing.length > 0 ? await measured(scratch, runs, missing, found, told) : found;
    writeFileSync(path, JSON.stringify(all));
    return new Coverage({ ...all, tests: all.tests.filter(({ test }) => wanted(test)), failing: all.failing.filter(wanted) });
  }

  /** The test files that could kill it, those of its own room first, then by time. */
  for({ file, block }: Mutant): { readonly test: string; readonly ms: Ms }[] {
    const number = this.#number.get(`${file}:${block}`);
    const wanted = number === undefined ? (this.#files.get(file) ?? new Set<number>()) : new Set([number]);
    const room = file.replace(/^src(.*\/).*$/, 'test$1');
    const isOwn = (test: string) => Number(test.startsWith(room));
    return this.#tests
      .filter(({ ran }) => [...wanted].some((one) => ran.has(one)))
      .sort((a, b) => isOwn(b.test) - isOwn(a.test) || a.ms - b.ms);
  }
}

async function measured(
  scratch: Scratch,
  runs: TestRuns,
  missing: readonly string[],
  found: Stored,
  told: (line: string) => void,
): Promise<Stored> {
  const files = scratch.sources();
  const blocks: string[] = [];
  mkdirSync(join(scratch.path, 'tmp', 'hits'), { recursive: true });
  scratch.instrument(files, join(scratch.path, 'tools/mutation/hit.mjs'), (file, block) => blocks.push(`${file}:${block}`) - 1);
  await runs.close();
  const tests = [...found.tests];
  const failing = [...found.failing];
  for (const test of missing) {
    writeFileSync(join(scratch.path, 'tmp', 'current'), test);
    const answer = await runs.run({ test, changed: [] }, CAP);
    const isFine = answer !== null && answer.failure === null;
    if (isFine) tests.push({ test, ms: Math.round(answer.ms), ran: hitsOf(scratch, test) });
    else failing.push(test);
    told(`${test}: ${isFine ? `${Math.round(answer.ms)} ms` : `fails without a mutant, not used (${answer?.failure ?? 'too long'})`}`);
  }
  await runs.close();
  scratch.uninstrument(files);
  return { blocks, tests, failing };
}

function hitsOf(scratch: Scratch, test: string): number[] {
  const path = join(scratch.path, 'tmp', 'hits', test.replaceAll('/', '+'));
  return existsSync(path) ? [...new Set(readFileSync(path, 'utf8').trim().split('\n').map(Number))] : [];
}
