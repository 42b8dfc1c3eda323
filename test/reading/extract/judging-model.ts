import { readFileSync } from 'node:fs';
import { BlockModel } from '../../../src/reading/extract/block-model.ts';

/** A model that says of each block what is asked for here, by one of its own features: `low` log odds up to `least`, `high` above. */
export function modelOf(feature: string, least: number, low: number, high: number, threshold = 0.5): BlockModel {
  const file = JSON.parse(readFileSync(new URL('../../../models/extractor/block-model.json', import.meta.url), 'utf8'));
  const at: number = file.features.indexOf(feature);
  const tree = { feature: [at, -1, -1], threshold: [least, 0, 0], left: [1, 0, 0], right: [2, 0, 0], value: [0, low, high] };
  return new BlockModel({ ...file, bias: 0, threshold, trees: [tree] });
}
