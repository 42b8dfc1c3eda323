/** The only list of methods that find main text. To add one, add a file in `methods/` and a name here. */
import { block } from './methods/block.ts';
import { bte } from './methods/bte.ts';
import { none } from './methods/none.ts';
import { slope } from './methods/slope.ts';
import type { TextMethod } from './text-method.ts';

export const TEXT_METHODS = [block, slope, bte, none] as const satisfies readonly TextMethod[];

export type MainTextMethod = (typeof TEXT_METHODS)[number]['name'];
/** Their names, in that order. */
export const MAIN_TEXT_METHODS: readonly MainTextMethod[] = TEXT_METHODS.map(({ name }) => name);
/** The default for training pages and for `extract`. Pages of a crawl are read like the training pages of its topic model. */
export const DEFAULT_MAIN_TEXT_METHOD: MainTextMethod = 'block';

/** @throws RangeError for an unknown name */
export function textMethodNamed(name: MainTextMethod): TextMethod<MainTextMethod> {
  const found = TEXT_METHODS.find((method) => method.name === name);
  if (found === undefined) throw new RangeError(`${name}: no way of finding main text`);
  return found;
}
