import { BlockModel } from '../block-model.ts';
import { modelDecision } from '../main-text.ts';
import type { TextMethod } from '../text-method.ts';

let bundled: BlockModel | null = null;

export const block = {
  name: 'block',
  help: 'a trained model of blocks: tag density, links, places and names',
  detailed: true,
  decide(content, _html, _parser, fast) {
    bundled ??= BlockModel.bundled();
    return modelDecision(content, bundled, fast?.scoreTrees);
  },
} as const satisfies TextMethod;
