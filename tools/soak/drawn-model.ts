/** A topic model with weights drawn by lot: every word counts, so that no difference between two readings stays unseen. */
import { seededRng } from '../../src/base/core/rng.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { BUCKETS } from '../../src/reading/topic/features.ts';
import { LinearTopicModel, type ModelSettings } from '../../src/reading/topic/model.ts';

export function drawnModel(seed: number, settings: Partial<ModelSettings> = {}): LinearTopicModel {
  const rng = seededRng(seed);
  return new LinearTopicModel(
    {
      name: `drawn ${seed}`,
      bias: -0.3,
      threshold: 0.5,
      factors: { bigram: 0.5, character: 0.2, title: 0.2, url: 0.1 },
      idfStep: 0.05,
      tokenizer: 1,
      extractor: DEFAULT_MAIN_TEXT_METHOD,
      rule: null,
      template: [],
      ...settings,
    },
    {
      weights: Float32Array.from({ length: BUCKETS }, () => rng() - 0.5),
      idfCodes: Uint8Array.from({ length: BUCKETS }, () => 1 + rng() * 200),
    },
  );
}
