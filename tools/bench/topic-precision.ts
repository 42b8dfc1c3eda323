/** A topic model of some pages, judging others, all read in one way. */
import type { Unit } from '../../src/base/core/types.ts';
import type { Background } from '../../src/reading/topic/background.ts';
import { averagePrecision } from '../../src/reading/topic/evaluate.ts';
import { trainTopic } from '../../src/reading/topic/train-topic.ts';
import type { Readings, Way } from './readings.ts';

/** Pages by path below the web's folder; on topic and not are so by label. */
export interface Sides {
  readonly training: readonly string[];
  readonly onTopic: readonly string[];
  readonly others: readonly string[];
}

/** Average precision of the model's relevance of the judged pages. */
export async function topicPrecision(sides: Sides, way: Way, readings: Readings, background: Background): Promise<Unit> {
  const examples = sides.training.map((path) => readings.page(path, way));
  const { model } = await trainTopic(examples, { name: 'bench', seed: 1, extractor: way, now: 0, software: 'bench', background });
  const judged = (paths: readonly string[], onTopic: boolean) =>
    paths.map((path) => ({ score: model.judge(readings.page(path, way)), onTopic }));
  return averagePrecision([...judged(sides.onTopic, true), ...judged(sides.others, false)]);
}
