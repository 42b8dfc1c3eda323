/** A topic model with weights drawn by lot: every word counts, so that no difference between two readings stays unseen. */
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { BUCKETS, WORD_BUCKETS } from '../../src/reading/topic/features.ts';
import { LENGTH_DIRECTIONS, type MeaningTables } from '../../src/reading/topic/meaning-tables.ts';
import { LinearTopicModel, type ModelSettings } from '../../src/reading/topic/model.ts';

/** With an even seed it also judges by directions of words, of every third bucket. */
export function drawnModel(seed: number, settings: Partial<ModelSettings> = {}): LinearTopicModel {
  const rng = seededRng(seed);
  const weights = Float32Array.from({ length: BUCKETS }, () => rng() - 0.5);
  const idfCodes = Uint8Array.from({ length: BUCKETS }, () => 1 + rng() * 200);
  const meaning = seed % 2 === 0 ? drawnMeaning(rng) : null;
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
      ...(meaning && { wordVectors: { name: 'drawn', sha256: '', step: meaning.step } }),
      ...settings,
    },
    { weights, idfCodes, ...(meaning && { meaning }) },
  );
}

/** One row in ten has no length, as words of weight 0 have. */
function drawnMeaning(rng: Rng): MeaningTables {
  const buckets = Int32Array.from({ length: WORD_BUCKETS }, (_, bucket) => bucket).filter(() => rng() < 1 / 3);
  const isNone = Array.from(buckets, () => rng() < 0.1);
  return {
    buckets,
    weights: Float32Array.from(buckets, () => 40 * (rng() - 0.5)),
    codes: Int8Array.from({ length: LENGTH_DIRECTIONS * buckets.length }, (_, at) =>
      isNone[Math.floor(at / LENGTH_DIRECTIONS)] ? 0 : 255 * rng() - 127,
    ),
    rests: Uint8Array.from(buckets, (_, row) => (isNone[row] ? 0 : 256 * rng())),
    shown: Uint8Array.from(buckets, () => 4 * rng()),
    step: 0.37,
  };
}
