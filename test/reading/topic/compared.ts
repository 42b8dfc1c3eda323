import type { BackgroundPage } from '../../../src/reading/topic/background.ts';
import type { Comparison } from '../../../src/reading/topic/comparison.ts';
import { hiddenExamples } from '../../../src/reading/topic/costs.ts';
import { featureNames } from '../../../src/reading/topic/feature-names.ts';
import { FeatureCounter } from '../../../src/reading/topic/features.ts';
import { gramMatrix } from '../../../src/reading/topic/gram.ts';
import { backgroundRows, type TrainingPage, trainingSet } from '../../../src/reading/topic/training-set.ts';
import { KIND_FACTORS, scaleTable, weigh } from '../../../src/reading/topic/weighting.ts';
import { smallBackground, syntheticPages } from './synthetic.ts';

const counter = new FeatureCounter();
const bundled = await smallBackground();
const scale = scaleTable(bundled.idf, KIND_FACTORS);

/**
 * Generated pages, for pages of the bundled background do not share even their plain words with the examples: 60 in English, 60 with
 * Chinese words only.
 */
export const SAMPLE: readonly BackgroundPage[] = (['chess', '帆船'] as const).flatMap((topic) =>
  syntheticPages(topic, 5000, 60).map((page) => {
    const own = topic === 'chess' ? page : { ...page, text: page.text.replaceAll(/[a-z]+/g, '') };
    return { host: 'other.example', language: topic === 'chess' ? 'en' : 'zh', counts: counter.snapshot({ ...own, url: null }) };
  }),
);

/** What training compares. */
export function compared(examples: readonly TrainingPage[], irrelevant: readonly TrainingPage[] = [], sample = SAMPLE): Comparison {
  const given = trainingSet({ examples, irrelevant, extraBackground: [] }, 1).rows;
  const rows = [...given, ...backgroundRows({ ...bundled, sample }, given, 1)];
  const vectors = rows.map(({ counts }) => weigh(counts, scale));
  const kernel = gramMatrix(vectors);
  const names = new Map(examples.slice(0, 20).flatMap((page) => [...featureNames(page)]));
  return { rows, vectors, kernel, hidden: hiddenExamples(rows, kernel), nameOf: (bucket) => names.get(bucket) };
}
