/** Visits of the rule that stops at a recall, by the number of known pages: how much of its cost is inherent in the order statistic. */
import type { Rng } from '../../../src/base/core/rng.ts';
import type { Unit } from '../../../src/base/core/types.ts';
import { leastSuccesses, leastTrials } from '../../../src/study/inspect/binomial.ts';
import { type Crawl, recallAfter, visitsAt } from './crawls.ts';

const TARGETS = [0.8, 0.9, 0.95];
const SIZES = [14, 30, 60, 100, 150, 200, 300, 500, 1000];
/** Stops of each crawl, number and target. */
const DRAWS = 200;

interface Cost {
  readonly target: Unit;
  readonly size: number;
  /** Visits as a multiple of those of an oracle; infinite if the recall is never shown. */
  readonly cost: number;
  readonly recall: Unit;
}

/**
 * Known pages are drawn from the curve of a crawl with replacement, as from a list that is much longer than the draw: frozen webs have too few pages on
 * topic for hundreds of known pages without it.
 */
export class StopCosts {
  readonly #costs: Cost[] = [];

  add(crawl: Crawl, rng: Rng): void {
    const places = [...crawl.keptAt.values()].sort((a, b) => a - b);
    for (const target of TARGETS) {
      const oracle = visitsAt(crawl, target);
      if (oracle === null) continue;
      for (const size of SIZES.filter((count) => count >= leastTrials(target)))
        for (let draw = 0; draw < DRAWS; draw += 1) this.#costs.push(costOf(crawl, places, { target, size, oracle }, rng));
    }
  }

  *lines(): Generator<string> {
    yield "\n| --stop-recall | known pages | needed | stops | with the recall | never shown | median recall | median visits of an oracle's | mean |";
    yield '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |';
    for (const target of TARGETS)
      for (const size of SIZES) {
        const own = this.#costs.filter((one) => one.target === target && one.size === size);
        if (own.length > 0) yield `| ${target} | ${size} | ${leastSuccesses(size, target)} | ${own.length} | ${figuresOf(own, target)} |`;
      }
  }
}

interface Rule {
  readonly target: Unit;
  readonly size: number;
  readonly oracle: number;
}

function costOf(crawl: Crawl, places: readonly number[], { target, size, oracle }: Rule, rng: Rng): Cost {
  const drawn = Array.from({ length: size }, () => places[Math.floor(rng() * places.length)] ?? Number.POSITIVE_INFINITY);
  const visits = drawn.sort((a, b) => a - b)[(leastSuccesses(size, target) ?? size) - 1] ?? Number.POSITIVE_INFINITY;
  return { target, size, cost: visits / oracle, recall: visits === Number.POSITIVE_INFINITY ? 1 : recallAfter(crawl, visits) };
}

function figuresOf(costs: readonly Cost[], target: Unit): string {
  const shown = costs.filter(({ cost }) => cost !== Number.POSITIVE_INFINITY);
  const percent = (count: number, of: number) => `${((100 * count) / Math.max(1, of)).toFixed(1)} %`;
  const right = shown.filter(({ recall }) => recall >= target).length;
  const mean = shown.reduce((sum, { cost }) => sum + cost, 0) / shown.length;
  const never = percent(costs.length - shown.length, costs.length);
  const [recall, cost] = [median(shown.map((one) => one.recall)), median(costs.map((one) => one.cost))];
  return `${percent(right, shown.length)} | ${never} | ${recall.toFixed(3)} | ${cost.toFixed(2)} | ${mean.toFixed(2)}`;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
