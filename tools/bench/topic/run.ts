import type { TextSet } from '../../../datasets/topics/text-set.ts';
import { EnvironmentError, messageOf } from '../../../src/base/core/errors.ts';
import { averagePrecision } from '../../../src/reading/topic/evaluate.ts';
import { calibrationOf } from './calibration.ts';
import type { Family, Scorer } from './family.ts';
import { type Method, runsAt } from './methods.ts';
import type { Result } from './results.ts';
import { type Cell, cellOf, type Draw, drawsOf, type Size } from './splits.ts';

export interface RunOptions {
  readonly methods: readonly Method[];
  readonly sizes: readonly Size[];
  readonly draws: number;
  /** Number of the first draw; default 1. */
  readonly firstDraw?: number;
  /** null for all. */
  readonly topics: readonly string[] | null;
  /** Which of the draws are run here, all counted through: those whose place leaves `part` when divided by `parts`. */
  readonly part: number;
  readonly parts: number;
  readonly onResult: (result: Result) => void;
  /** A family that cannot be run, and why. */
  readonly onMissing: (family: string, reason: string) => void;
}

/** All methods on all training problems of a set. */
export async function runSet(set: TextSet, options: RunOptions): Promise<void> {
  const scorers = await openAll(set, options);
  try {
    const wanted = ({ topic }: Draw) => options.topics?.includes(topic) ?? true;
    const draws = drawsOf(set, options.draws, options.firstDraw)
      .filter(wanted)
      .filter((_, at) => at % options.parts === options.part);
    for (const draw of draws) await runDraw(set, draw, scorers, options);
  } finally {
    for (const scorer of scorers.values()) scorer.close();
  }
}

async function openAll(set: TextSet, { methods, onMissing }: RunOptions): Promise<Map<Family, Scorer>> {
  const scorers = new Map<Family, Scorer>();
  for (const family of new Set(methods.map((method) => method.family))) {
    try {
      scorers.set(family, await family.open(set));
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      onMissing(family.name, messageOf(error));
    }
  }
  return scorers;
}

async function runDraw(
  set: TextSet,
  draw: Draw,
  scorers: ReadonlyMap<Family, Scorer>,
  { methods, sizes, onResult }: RunOptions,
): Promise<void> {
  for (const size of sizes) {
    for (const method of methods) {
      const scorer = scorers.get(method.family);
      const cell = cellOf(draw, size, method.given);
      if (scorer !== undefined && cell !== null && runsAt(method, size)) onResult(await resultOf(set, cell, method, scorer));
    }
  }
}

async function resultOf({ texts }: TextSet, cell: Cell, method: Method, scorer: Scorer): Promise<Result> {
  const { set, topic, draw, test } = cell.draw;
  const started = performance.now();
  const scores = await scorer.score(cell);
  const seconds = (performance.now() - started) / 1000;
  const truth = test.map((place) => texts[place]?.labels.includes(topic) ?? false);
  const scored = truth.map((onTopic, at) => ({ score: scores?.[at] ?? Number.NEGATIVE_INFINITY, onTopic }));
  return {
    set,
    topic,
    draw,
    size: cell.size,
    method: method.name,
    examples: cell.positives.length,
    others: cell.others.length,
    test: test.length,
    testOnTopic: truth.filter(Boolean).length,
    averagePrecision: scores === null ? null : averagePrecision(scored),
    calibration: scores !== null && method.family.calibrated === true ? calibrationOf(scored) : null,
    seconds,
  };
}
