import type { Frontier } from '../../src/base/core/parts/queueing.ts';
import type { LearningRescorer } from '../../src/base/core/parts/scoring.ts';

/** All steps of a rescoring, one after the other. @returns how many links have a new priority */
export function rescored(frontier: Frontier, scorer: LearningRescorer, limit: number): number {
  let links = 0;
  const steps = frontier.rescoring(scorer, limit);
  for (let step = steps.next(); !step.done; step = steps.next()) links += step.value;
  return links;
}
