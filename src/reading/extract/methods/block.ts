import { BlockModel } from '../block-model.ts';
import { modelDecision } from '../main-text.ts';
import type { TextMethod } from '../text-method.ts';

let bundled: BlockModel | null = null;

function model(): BlockModel {
  bundled ??= BlockModel.bundled();
  return bundled;
}

export const block = {
  name: 'block',
  help: 'a trained model of blocks: tag density, links, places and names',
  decide: (content) => modelDecision(content, model()),
  rolesBy: (parser, content) => parser.rolesBy?.(model(), content) ?? null,
} as const satisfies TextMethod;
