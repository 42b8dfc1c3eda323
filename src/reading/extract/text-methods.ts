/** The methods that find main text. To add one, add a file in `methods/`, its name in `text-method-names.ts`, and the object here. */
import { block } from './methods/block.ts';
import { none } from './methods/none.ts';
import { slope } from './methods/slope.ts';
import type { TextMethod } from './text-method.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod } from './text-method-names.ts';

const BY_NAME: { readonly [Name in MainTextMethod]: TextMethod<Name> } = { block, slope, none };

/** Methods in the order of their names. */
export const TEXT_METHODS: readonly TextMethod<MainTextMethod>[] = MAIN_TEXT_METHODS.map((name) => BY_NAME[name]);

/** @throws RangeError for an unknown name */
export function textMethodNamed(name: MainTextMethod): TextMethod<MainTextMethod> {
  const found = TEXT_METHODS.find((method) => method.name === name);
  if (found === undefined) throw new RangeError(`${name}: no way of finding main text`);
  return found;
}
