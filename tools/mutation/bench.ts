/** Where mutants are tried, one at a time: a copy of the tree, and Vitest open on it. */
import type { Ms } from '../../src/base/core/types.ts';
import type { Coverage } from './coverage.ts';
import type { Mutant } from './mutants.ts';
import type { Tried } from './report.ts';
import { Scratch } from './scratch.ts';
import { type Answer, TestRuns } from './test-runs.ts';

/** A machine that others use too makes tests three times slower; a mutant that only slows one down is no kill. */
const CAP_FACTOR = 6;
const CAP_AT_LEAST: Ms = 20_000;
/** Longer nobody waits: such a mutant counts as hanging. */
const CAP_AT_MOST: Ms = 600_000;

export class Bench {
  readonly scratch: Scratch;
  readonly runs: TestRuns;

  /** @param number tells those of one tree apart */
  constructor(root: string, number: number) {
    this.scratch = new Scratch(root, number);
    this.runs = new TestRuns(this.scratch.path);
  }

  /** @param budget of tests, as they take without a mutant */
  async tryOut(mutant: Mutant, coverage: Coverage, budget: Ms): Promise<Tried> {
    this.scratch.write(mutant);
    try {
      return await this.#tested(mutant, coverage, budget);
    } finally {
      this.scratch.restore(mutant);
    }
  }

  /** The same tests without the change: they must pass, or kills mean little. @returns the test that fails; null where none does */
  async control(mutant: Mutant, coverage: Coverage, budget: Ms): Promise<string | null> {
    const { outcome, by } = await this.#tested(mutant, coverage, budget);
    return outcome === 'survived' ? null : by;
  }

  async close(): Promise<void> {
    await this.runs.close();
    this.scratch.remove();
  }

  async #tested(mutant: Mutant, coverage: Coverage, budget: Ms): Promise<Tried> {
    const tests = coverage.for(mutant);
    const within = affordable(tests, budget);
    let isCompiled = false;
    for (const { test, ms } of within) {
      if (!isCompiled && this.scratch.usesCompiled(test)) {
        this.scratch.compile();
        isCompiled = true;
      }
      const answer = await this.#answer(mutant, test, Math.max(CAP_AT_LEAST, CAP_FACTOR * ms));
      if (answer === null) return { mutant, outcome: 'timed-out', by: test };
      if (answer.failure !== null) return { mutant, outcome: 'killed', by: `${test} > ${answer.failure}` };
    }
    const left = tests.length - within.length;
    return { mutant, outcome: 'survived', by: `(${within.length} test files come by${left > 0 ? `, ${left} more were not run` : ''})` };
  }

  /**
   * What a test file says of a mutant; null when it hangs. A busy machine makes tests slow too: so a mutant hangs only if the same tests without it
   * end, right after, in a small part of the time; else it is given more.
   */
  async #answer(mutant: Mutant, test: string, cap: Ms): Promise<Answer | null> {
    const question = { test, changed: this.scratch.twins(mutant.file) };
    const answer = await this.runs.run(question, cap);
    if (answer !== null || cap >= CAP_AT_MOST) return answer;
    const isCompiled = this.scratch.usesCompiled(test);
    this.scratch.restore(mutant);
    if (isCompiled) this.scratch.compile();
    const without = await this.runs.run(question, CAP_FACTOR * cap);
    this.scratch.write(mutant);
    if (isCompiled) this.scratch.compile();
    const fair = CAP_FACTOR * (without?.ms ?? CAP_FACTOR * cap);
    return fair > 2 * cap ? this.#answer(mutant, test, fair) : null;
  }
}

/** Those at the front, as long as the budget lasts; one that takes more than is left is passed over. */
function affordable<T extends { readonly ms: Ms }>(tests: readonly T[], budget: Ms): T[] {
  let spent = 0;
  return tests.filter(({ ms }) => {
    if (spent + ms > budget) return false;
    spent += ms;
    return true;
  });
}
