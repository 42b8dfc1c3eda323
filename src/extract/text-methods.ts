/** How main text can be found: the only list. A method is added as a file in `methods/` and a name here. */
import { block } from './methods/block.ts';
import { bte } from './methods/bte.ts';
import { none } from './methods/none.ts';
import { slope } from './methods/slope.ts';
import type { TextMethod } from './text-method.ts';

export const TEXT_METHODS = [block, slope, bte, none] as const satisfies readonly TextMethod[];

export type MainTextMethod = (typeof TEXT_METHODS)[number]['name'];
/** Their names, in that order. */
export const MAIN_TEXT_METHODS: readonly MainTextMethod[] = TEXT_METHODS.map(({ name }) => name);
/** Where none is asked for: pages of training and of `extract` alike. Pages of a crawl are read as those its topic model was trained on. */
export const DEFAULT_MAIN_TEXT_METHOD: MainTextMethod = 'block';

/** @throws RangeError for a name that is none */
export function textMethodNamed(name: MainTextMethod): TextMethod<MainTextMethod> {
  const found = TEXT_METHODS.find((method) => method.name === name);
  if (found === undefined) throw new RangeError(`${name}: no way of finding main text`);
  return found;
}
